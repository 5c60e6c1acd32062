// SPDX-License-Identifier: MIT
// The header of an imported robot.
#include "../text/text.hpp"
#include "emit_robot.hpp"
#include "imported_robot.hpp"

namespace kinecast::host {
namespace {

// robots::panda_joint::panda_joint1 = 0, …: where a joint's velocity stands in dq.
std::string joint_constants(const ImportedRobot& imported) {
  std::string out =
      "// Where a joint's first entry stands in dq and in a command.\nnamespace " + imported.identifier + "_joint {\n";
  int dof = 0;
  for (const LinkDescription& l : imported.robot.links) {
    if (dofs_of(l.joint) > 0 && !l.joint_name.empty())
      out += "inline constexpr int " + identifier(l.joint_name, "joint_") + " = " + std::to_string(dof) + ";\n";
    dof += dofs_of(l.joint);
  }
  return out + "}  // namespace " + imported.identifier + "_joint\n";
}

}  // namespace

std::string header_of(const ImportedRobot& imported, const std::string& scalar, const std::string& command_line) {
  const std::string& id = imported.identifier;
  std::string out = "// Made by `" + printable(command_line) + "`; do not edit.\n";
  out += "// kinecast robot: robots::" + id + ", " + scalar + "\n";
  out += "// FNV-1a of the files that it was made of: " + imported.hash + "\n";
  out += "// fixed() links are merged into what they are fixed to, by the compiler: they cost nothing at run time.\n";
  out += units_comment();
  out += "#pragma once\n\n#include <kinecast/model/robot.hpp>\n\nnamespace robots {\n\n";
  out += emit_robot(imported.robot, id);
  out += "\n" + joint_constants(imported);
  out += "\nusing " + id + "_scalar = " + scalar + ";\n\n}  // namespace robots\n";
  return out;
}

}  // namespace kinecast::host
