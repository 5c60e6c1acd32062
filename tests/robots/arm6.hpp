// SPDX-License-Identifier: MIT
// A six-axis arm with the proportions of a UR5 and general inertias (no axis of symmetry, no centre of mass on an axis).
// arm6_geared is the same arm with the reflected inertia of its rotors.
#pragma once

#include <kinecast/model/robot.hpp>

namespace robots {

namespace detail {
template <class... Words>
constexpr auto make_arm6(const Words&... drive) {
  using namespace kinecast;
  constexpr double kQuarter = constant::kPi / 2;
  return robot(
      "arm6",
      link("shoulder", on("world"), revolute(kAxisZ), at(0, 0, 0.089159), drive...,
           body(3.7, com(0.002, -0.001, 0.01), inertia(0.0103, 0.0110, 0.0067, 0.0002, -0.0003, 0.0004))),
      link("upper_arm", on("shoulder"), revolute(kAxisY), at(0, 0.13585, 0), rpy(0, kQuarter, 0), drive...,
           body(8.393, com(0.001, 0.002, 0.28), inertia(0.2269, 0.2270, 0.0151, 0.0011, 0.0020, -0.0010))),
      link("forearm", on("upper_arm"), revolute(kAxisY), at(0, -0.1197, 0.425), drive...,
           body(2.33, com(0.003, 0.001, 0.25), inertia(0.0494, 0.0495, 0.0041, 0.0002, 0.0006, 0.0001))),
      link("wrist_1", on("forearm"), revolute(kAxisY), at(0, 0, 0.39225), rpy(0, kQuarter, 0), drive...,
           body(1.219, com(0.001, 0.09, 0.002), inertia(0.0112, 0.0022, 0.0111, 0.0001, 0.0001, 0.0002))),
      link("wrist_2", on("wrist_1"), revolute(kAxisZ), at(0, 0.093, 0), drive...,
           body(1.219, com(0.001, 0.002, 0.09), inertia(0.0112, 0.0111, 0.0022, 0.0001, 0.0001, 0.0002))),
      link("wrist_3", on("wrist_2"), revolute(kAxisY), at(0, 0, 0.09465), drive...,
           body(0.1879, com(0.001, 0.08, 0.003), inertia(0.00017, 0.00034, 0.00018, 0.00001, 0.00002, 0.00001))),
      contact_point("flange_1", on("wrist_3"), at(0.04, 0.0823, 0.04)),
      contact_point("flange_2", on("wrist_3"), at(-0.04, 0.0823, 0.04)),
      contact_point("flange_3", on("wrist_3"), at(-0.04, 0.0823, -0.04)),
      contact_point("flange_4", on("wrist_3"), at(0.04, 0.0823, -0.04)));
}
}  // namespace detail

inline constexpr auto arm6 = detail::make_arm6();
inline constexpr auto arm6_geared = detail::make_arm6(kinecast::at_joint(kinecast::rotor_inertia(0.05)));

}  // namespace robots
