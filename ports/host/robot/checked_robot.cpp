// SPDX-License-Identifier: MIT
#include "checked_robot.hpp"

#include "../failure.hpp"
#include "cpp_text.hpp"
#include "emit_robot.hpp"
#include "robot_rules.hpp"
#include "welded_inertia.hpp"

#include <map>

namespace kinecast::host {
namespace {

// clang++ gives up after a million steps of a constant; comparing names takes most of them.
constexpr std::size_t kPartsWithoutFlags = 80;

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

}  // namespace

void check_robot(UrdfRobot& urdf, Notes& notes) {
  merge_doubtful_inertias(urdf, notes);
  expect_rules_kept(urdf, notes);
  expect_distinct_constants(urdf, notes);
}

ImportedRobot named_robot(UrdfRobot urdf, Notes& notes) {
  if (urdf.robot.links.size() + urdf.robot.points.size() > kMostParts)
    throw Failure(ExitCode::bad_input, urdf.file + ": " + std::to_string(urdf.robot.links.size()) + " links and " +
                                           std::to_string(urdf.robot.points.size()) +
                                           " contact points are more than compilers take in one robot, " +
                                           std::to_string(kMostParts) + " together; name fewer points with --contacts");
  if (urdf.robot.links.size() + urdf.robot.points.size() > kPartsWithoutFlags)
    notes.add("a robot of this size is fine for g++; clang++ may need -fconstexpr-steps=100000000");
  ImportedRobot out;
  out.identifier = identifier(urdf.robot.name);
  if (out.identifier != urdf.robot.name) notes.add("the robot is called robots::" + out.identifier + " in C++");
  out.robot = std::move(urdf.robot);
  out.notes = notes.sentences();
  return out;
}

}  // namespace kinecast::host
