// SPDX-License-Identifier: MIT
#include "imported_robot.hpp"

#include "../failure.hpp"
#include "../input_file.hpp"
#include "contact_points.hpp"
#include "cpp_text.hpp"
#include "emit_robot.hpp"
#include "robot_rules.hpp"

#include <map>

namespace kinecast::host {
namespace {

// The constants of two joints must not have one name.
void expect_distinct_constants(const UrdfRobot& urdf, Notes& notes) {
  std::map<std::string, std::size_t> names;
  for (std::size_t i = 0; i < urdf.robot.links.size(); ++i) {
    const LinkDescription& l = urdf.robot.links[i];
    if (dofs_of(l.joint) == 0 || l.joint_name.empty()) continue;
    const std::string name = identifier(l.joint_name, "joint_");
    const auto [before, is_new] = names.insert({name, i});
    if (!is_new)
      refuse_part(urdf.file, urdf.joint_lines[i], joint_part(l.joint_name),
                  "in C++ it would be called " + name + ", as would " +
                      joint_part(urdf.robot.links[before->second].joint_name) + " of line " +
                      std::to_string(urdf.joint_lines[before->second]) + "; rename one of them");
    if (name != l.joint_name) notes.add("joint", l.joint_name, "in C++ it is called " + name);
  }
}

void note_missing(const Meshes& meshes, Notes& notes) {
  const std::size_t count = meshes.missing().size();
  if (count > 0)
    notes.add(std::to_string(count) + (count == 1 ? " mesh file was" : " mesh files were") +
              " not found (the first is " + *meshes.missing().begin() + "): no contact points and no picture of " +
              (count == 1 ? "it" : "them"));
}

}  // namespace

ImportedRobot import_robot(const ImportOptions& options) {
  Notes notes;
  const std::string text = contents_of(options.urdf);
  UrdfRobot urdf = read_urdf_text(options.urdf, text, options.base, notes);
  expect_rules_kept(urdf, notes);
  expect_distinct_constants(urdf, notes);
  Meshes meshes(options.urdf);
  if (options.contacts == "auto") add_points_of_shapes(urdf, meshes, notes);
  add_shapes(urdf, meshes);
  note_missing(meshes, notes);
  ImportedRobot out;
  out.identifier = identifier(urdf.robot.name);
  if (out.identifier != urdf.robot.name) notes.add("the robot is called robots::" + out.identifier + " in C++");
  out.hash = hex(meshes.hash(fnv1a(text)));
  out.robot = std::move(urdf.robot);
  out.notes = notes.sentences();
  return out;
}

}  // namespace kinecast::host
