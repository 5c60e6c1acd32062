// SPDX-License-Identifier: MIT
// Robots with drives: the drive unit of S003 (method 9, sim 1), pendula of N of them (S003, fig. 13), and the six-axis arm with a
// geared motor at every joint.
#pragma once

#include <kinecast/model/robot.hpp>

#include "arm6.hpp"

namespace robots {

namespace detail {
// The motor, gear and friction of S003, as corrected by method 5.1.
constexpr kinecast::Drive make_s003_drive() {
  using namespace kinecast;
  return link("", dc_motor(torque_constant(2.58e-2), resistance(2.36), voltage_limit(24)), gear(ratio(120)),
              at_motor(rotor_inertia(7.03e-6), stiction(0.041), coulomb(0.036)), at_joint(viscous(1.53), stribeck(100)))
      .drive;
}
struct Driven {
  kinecast::Drive drive;
  constexpr void apply(kinecast::Link& l) const noexcept { l.drive = drive; }
};
}  // namespace detail

// A link's word for it.
inline constexpr detail::Driven kS003Drive{detail::make_s003_drive()};

// One link of 0.1 x 0.03 x 0.005 m, 35.6 g, turned about one end; the paper neglects gravity.
inline constexpr auto drive_unit = kinecast::robot(
    "drive unit", kinecast::gravity(0, 0, 0),
    kinecast::link(
        "horn", kinecast::revolute(kinecast::kAxisZ), kS003Drive,
        kinecast::body(0.0356, kinecast::com(0.05, 0, 0), kinecast::inertia(2.7442e-6, 2.97408e-5, 3.23367e-5))));

// N such links hanging in a row, all hinges about y.
template <int N>
constexpr auto make_drives() {
  using namespace kinecast;
  Robot<N, 0> chain{};
  chain.name = "drives";
  for (int i = 0; i < N; ++i) {
    Link l = link("", revolute(kAxisY), at(0, 0, i == 0 ? 0.0 : -0.1), kS003Drive,
                  body(0.0356, com(0, 0, -0.05), inertia(2.97408e-5, 3.23367e-5, 2.7442e-6)));
    l.parent = i - 1;
    chain.links[static_cast<std::size_t>(i)] = l;
  }
  return chain;
}
template <int N>
inline constexpr auto drive = make_drives<N>();

inline constexpr auto arm6_drives = detail::make_arm6(kS003Drive);

}  // namespace robots
