// SPDX-License-Identifier: MIT
// URDF text to the description of a robot: links parents first, depth first, children in the document's order; names as in the
// file; inertias in link axes. Limits, damping and friction are taken over; what is not, or otherwise than a reader of the file
// might expect, is noted.
#pragma once

#include "imported_robot.hpp"
#include "notes.hpp"
#include "urdf_values.hpp"

namespace kinecast::host {

struct UrdfRobot {
  std::string file;
  Description robot;
  std::vector<UrdfGeometry> geometries;  // with the description's indices of links
  std::vector<int> link_lines;           // in the file, of each link of the description
  std::vector<int> joint_lines;          // of the joint that carries it; of the link itself if there is none
};

// Throws Failure with the line. The library's own rules on the result are robot_rules.hpp's.
[[nodiscard]] UrdfRobot read_urdf_text(const std::string& file, const std::string& text, Base base, Notes& notes);

}  // namespace kinecast::host
