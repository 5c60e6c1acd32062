// SPDX-License-Identifier: MIT
// A six-axis arm that hangs from a bracket 0.56 m above the ground and ends in a foot of 12 x 8 cm with a point at each corner of
// its sole. Straight down at q = 0, where it would be 4 cm too long: it stands on the foot, bent. Joints with a little viscous
// friction and no motor; centres of mass off the axes, so that nothing happens in a plane.
#pragma once

#include <kinecast/model/robot.hpp>

namespace robots {

namespace detail {
constexpr auto make_foot_arm() {
  using namespace kinecast;
  const auto oil = at_joint(viscous(0.05));
  return robot("foot_arm",
               link("yaw", revolute(kAxisZ), at(0, 0, 0.56), oil,
                    body(0.5, com(0.004, -0.003, -0.01), inertia(0.0006, 0.0007, 0.0005, 0.00002, -0.00001, 0.00003))),
               link("upper", on("yaw"), revolute(kAxisY), at(0, 0, 0), oil,
                    body(1.2, com(0.006, 0.004, -0.14), inertia(0.0095, 0.0096, 0.0011, 0.0001, 0.0002, -0.0001))),
               link("fore", on("upper"), revolute(kAxisY), at(0, 0, -0.3), oil,
                    body(0.8, com(-0.003, 0.002, -0.12), inertia(0.0044, 0.0045, 0.0006, 0.00005, -0.0001, 0.00004))),
               link("roll", on("fore"), revolute(kAxisZ), at(0, 0, -0.2), oil,
                    body(0.3, com(0.002, 0.003, -0.01), inertia(0.0003, 0.0003, 0.0002, 0.00001, 0.00001, -0.00001))),
               link("pitch", on("roll"), revolute(kAxisY), at(0, 0, -0.05), oil,
                    body(0.2, com(-0.002, 0.002, 0.003), inertia(0.0002, 0.0002, 0.0002, 0.00001, 0.00002, 0.00001))),
               link("foot", on("pitch"), revolute(kAxisX), at(0, 0, 0), oil,
                    body(0.4, com(0.01, -0.004, -0.035), inertia(0.0004, 0.0007, 0.0008, 0.00002, 0.00003, 0.00001))),
               contact_point("heel_right", on("foot"), at(-0.05, -0.04, -0.05)),
               contact_point("heel_left", on("foot"), at(-0.05, 0.04, -0.05)),
               contact_point("toe_right", on("foot"), at(0.07, -0.04, -0.05)),
               contact_point("toe_left", on("foot"), at(0.07, 0.04, -0.05)));
}
}  // namespace detail

inline constexpr auto foot_arm = detail::make_foot_arm();

}  // namespace robots
