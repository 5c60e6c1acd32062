// SPDX-License-Identifier: MIT
// The skeleton of a URDF: its links and joints in the document's order, who hangs on whom, and the line of each. What is no
// well-formed XML, no URDF or no tree is refused here with its line; the numbers are read later (urdf_values.hpp).
#pragma once

#include <tinyxml2.h>

#include <memory>
#include <string>
#include <vector>

namespace kinecast::host {

// clang nests no more than 256 words in a robot(…), so links and contact points together have to stay below; that leaves 64 points,
// and no microcontroller could step more links anyway.
inline constexpr std::size_t kMostParts = 254;
inline constexpr std::size_t kMostLinks = 190;

struct UrdfLink {
  const tinyxml2::XMLElement* element{nullptr};
  std::string name;
  int line{0};
  int carried_by{-1};          // joint
  std::vector<int> carries{};  // joints, in the document's order
};

struct UrdfJoint {
  const tinyxml2::XMLElement* element{nullptr};
  std::string name;
  std::string type;
  int line{0};
  int parent{-1};  // links
  int child{-1};
};

struct UrdfTree {
  std::string file;
  std::unique_ptr<tinyxml2::XMLDocument> document;  // owns the elements
  std::string name;                                 // of the robot
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  int root{-1};

  [[nodiscard]] const UrdfLink& link(int i) const { return links[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const UrdfJoint& joint(int i) const { return joints[static_cast<std::size_t>(i)]; }
};

[[nodiscard]] UrdfTree read_urdf_tree(const std::string& file, const std::string& text);

// "robot.urdf:12: link "arm": sentence", with exit code 1.
[[noreturn]] void refuse_part(const std::string& file, int line, const std::string& part, const std::string& sentence);
[[nodiscard]] std::string link_part(const std::string& name);   // link "arm"
[[nodiscard]] std::string joint_part(const std::string& name);  // joint "elbow"

// Names stand in C++ texts and comments: letters that turn the direction of writing, or end a line, would garble them.
void expect_good_name(const std::string& file, int line, const std::string& part, const std::string& name);

// The only child element of this name, or none; two are refused.
[[nodiscard]] const tinyxml2::XMLElement* only_child(const std::string& file, const std::string& part,
                                                     const tinyxml2::XMLElement* of, const char* name);

}  // namespace kinecast::host
