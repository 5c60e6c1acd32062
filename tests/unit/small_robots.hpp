// SPDX-License-Identifier: MIT
// Robots small enough for a Cortex-M0, one per kind of root and joint.
#pragma once

#include <kinecast/model/robot.hpp>

#include <array>

namespace small {

namespace detail {
using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in
constexpr auto kLump = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);

constexpr auto make_free_body() {
  return robot("free_body",
               link("body", on("world"), floating(),
                    body(2.0, com(0.05, -0.02, 0.03), inertia(0.02, 0.03, 0.04, 0.002, 0.001, -0.003))),
               contact_point("corner", on("body"), at(0.1, 0.1, -0.1)));
}
constexpr auto make_ball_pendulum() {
  return robot("ball_pendulum",
               link("bob", on("world"), spherical(), at(0.1, 0.2, 1.0), rpy(0.4, -0.3, 0.9),
                    body(1.5, com(0.02, -0.01, -0.4), inertia(0.02, 0.021, 0.004, 0.001, -0.0005, 0.0003))),
               contact_point("end", on("bob"), at(0, 0, -0.8)));
}
// Two trees on the world, one of them on a stand that is welded to it; branches, a slider on a tilted axis with a motor,
// a massless cross between two hinges.
constexpr auto make_two_roots() {
  return robot("two_roots", gravity(0.5, -1.0, -9.5),
               link("stand", on("world"), fixed(), at(0.2, -0.3, 0.5), rpy(0.1, 0.2, -0.3),
                    body(40.0, com(0, 0, 0.2), inertia(1, 1, 1))),
               link("left", on("stand"), revolute({0.48, 0.6, 0.64}), at(0, 0.1, 0.1), rpy(-0.7, 0.2, 0.4),
                    body(0.8, com(0.05, 0.02, -0.1), kLump)),
               link("right", on("world"), prismatic({0.0, -0.6, 0.8}), at(-0.4, 0.1, 0.3), rpy(0.2, 1.1, 0.3),
                    at_joint(rotor_inertia(0.7)), body(1.1, com(-0.03, 0.06, 0.02), kLump)),
               link("cross", on("left"), revolute(kAxisX), at(0.1, -0.2, 0.15), massless()),
               link("hand", on("cross"), revolute(kAxisY), body(0.5, com(0.02, 0.03, -0.15), kLump)),
               link("flap", on("right"), revolute({0.6, 0.0, -0.8}), at(0.2, 0, 0.1), rpy(0.3, 0, 0),
                    at_joint(rotor_inertia(0.01)), body(0.6, com(0.1, 0.01, 0.02), kLump)),
               link("fin", on("left"), revolute(kAxisZ), at(-0.2, 0.05, 0), rpy(0, 0.8, 0),
                    body(0.4, com(0.02, 0.05, 0.03), kLump)),
               contact_point("palm", on("hand"), at(0, 0.01, -0.3)), contact_point("edge", on("flap"), at(0.25, 0, 0)),
               contact_point("floor", on("world"), at(1, 2, 3)));
}
}  // namespace detail

inline constexpr auto free_body = detail::make_free_body();
inline constexpr auto ball_pendulum = detail::make_ball_pendulum();
inline constexpr auto two_roots = detail::make_two_roots();

}  // namespace small
