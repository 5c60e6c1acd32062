// SPDX-License-Identifier: MIT
// The numbers of a URDF, as urdfdom reads them. It takes "1,5" for an error without a line, wants elements that the format calls
// optional, and prints to the terminal; so it gets a copy that holds only what a robot is made of here, with every number
// checked before: what it then refuses would be a fault of this file.
#pragma once

#include "description.hpp"
#include "notes.hpp"
#include "urdf_tree.hpp"

#include <urdf_model/model.h>
#include <urdf_world/types.h>

namespace kinecast::host {

// A shape of a link, for the page and for contact points.
struct UrdfGeometry {
  int link{-1};  // in the tree; in an UrdfRobot among the description's links
  bool is_collision{false};
  std::string name{};  // of the <collision>; empty: none
  int line{0};
  ShapeDescription shape{};  // a mesh's corners are read later
  std::string mesh{};        // as the file names it
  Triple scale{1, 1, 1};
};

struct UrdfValues {
  urdf::ModelInterfaceSharedPtr model;
  std::vector<UrdfGeometry> geometries;

  [[nodiscard]] urdf::LinkConstSharedPtr link(int index) const;
  [[nodiscard]] urdf::JointConstSharedPtr joint(int index) const;
};

[[nodiscard]] UrdfValues read_urdf_values(const UrdfTree& tree, Notes& notes);

// urdfdom's reading of `xml`; what it refuses is a Failure that names `file` and holds its complaints.
[[nodiscard]] urdf::ModelInterfaceSharedPtr read_by_urdfdom(const std::string& file, const std::string& xml);

[[nodiscard]] Triple triple(const urdf::Vector3& v);
[[nodiscard]] Rows rows(const urdf::Rotation& rotation);

// Given in the file, however it reads.
[[nodiscard]] bool has_attribute(const tinyxml2::XMLElement* element, const char* child, const char* attribute);

}  // namespace kinecast::host
