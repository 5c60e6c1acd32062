// SPDX-License-Identifier: MIT
// One tree with everything the library knows: floating base, branches, revolute and prismatic joints on tilted axes, a
// welded link, a spherical joint with children, a rotor, parallel and skew neighbours.
#pragma once

#include <kinecast/model/robot.hpp>

namespace robots {

namespace detail {
constexpr auto make_zoo() {
  using namespace kinecast;
  constexpr auto kBox = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
  return robot(
      "zoo",
      link("base", on("world"), floating(),
           body(3.0, com(0.01, 0.02, -0.03), inertia(0.03, 0.04, 0.05, 0.001, 0.002, -0.003))),
      link("swing", on("base"), revolute(kAxisY), at(0.1, 0.2, -0.1), rpy(0.3, -0.4, 0.5),
           body(1.0, com(0.01, 0.1, 0.02), kBox), at_joint(rotor_inertia(0.02))),
      link("slider", on("swing"), prismatic(kAxisX), at(0.1, 0, 0.2), rpy(0.1, 0.2, 0.3),
           body(0.7, com(0.03, 0.1, 0.02), kBox)),
      link("tilted", on("base"), revolute({0.6, 0, 0.8}), at(-0.1, 0.2, -0.1), rpy(0.3, 0.4, 0.5),
           body(1.1, com(0.01, 0.1, 0.02), kBox)),
      link("welded", on("tilted"), fixed(), at(0.1, 0.1, 0.1), rpy(0.5, 0.1, 0.2),
           body(0.3, com(0.01, 0.1, 0.02), inertia(0.0010, 0.0011, 0.0012))),
      link("tip", on("welded"), revolute(kAxisZ), at(0.1, 0, 0.2), body(0.7, com(0.03, 0.1, 0.02), kBox)),
      link("ball", on("tilted"), spherical(), at(0.1, -0.2, 0.2), rpy(0.2, 0.7, -0.2),
           body(0.5, com(0.03, 0.1, 0.02), kBox)),
      link("after_ball", on("ball"), revolute(kAxisX), at(0.1, -0.2, 0.2), rpy(0.2, 0.7, -0.2),
           body(0.5, com(0.03, 0.1, 0.02), kBox)),
      link("parallel", on("after_ball"), revolute(kAxisX), at(0.1, -0.2, 0.2), body(0.5, com(0.03, 0.1, 0.02), kBox)),
      link("side_slider", on("after_ball"), prismatic(kAxisY), at(0.1, -0.2, 0.2),
           body(0.5, com(0.03, 0.1, 0.02), kBox)),
      contact_point("on_welded", on("welded"), at(0.05, 0.02, -0.03)),
      contact_point("on_slider", on("side_slider"), at(0.01, 0.2, 0.03)),
      contact_point("on_base", on("base"), at(0.1, -0.1, -0.2)));
}
}  // namespace detail

inline constexpr auto zoo = detail::make_zoo();

}  // namespace robots
