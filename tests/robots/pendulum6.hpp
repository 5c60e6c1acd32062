// SPDX-License-Identifier: MIT
// The six-link pendulum of S000 (method 8): cuboids of 4 x 4 x 10 cm and 0.3 kg in a row, hinged about y, the first one 0.42 m
// above the ground; the eight corners of each can touch. Hanging down at q = 0; no joint has friction (the viscosity of 1e-4 is
// a torque that its user commands). Corner order of a link: (z, x, y) = (0,-,+) (0,-,-) (0,+,+) (0,+,-) (l,-,+) …
#pragma once

#include <kinecast/model/robot.hpp>

namespace robots {

namespace detail {
constexpr auto make_pendulum6() {
  using namespace kinecast;
  Robot<6, 48> r{};
  r.name = "pendulum6";
  constexpr double kMass = 0.3;
  constexpr double kWidth = 0.04;
  constexpr double kLength = 0.1;
  constexpr double kAcross = kMass * (kWidth * kWidth + kLength * kLength) / 12;
  constexpr double kAlong = kMass * 2 * kWidth * kWidth / 12;
  for (int i = 0; i < 6; ++i) {
    Link l = link("", revolute(kAxisY), at(0, 0, i == 0 ? 0.42 : -kLength),
                  body(kMass, com(0, 0, -kLength / 2), inertia(kAcross, kAcross, kAlong)));
    l.parent = i - 1;
    r.links[static_cast<std::size_t>(i)] = l;
    for (int corner = 0; corner < 8; ++corner) {
      ContactPoint& p = r.points[static_cast<std::size_t>(8 * i + corner)];
      p.link = i;
      p.position_m = {(corner & 2) != 0 ? kWidth / 2 : -kWidth / 2, (corner & 1) != 0 ? -kWidth / 2 : kWidth / 2,
                      (corner & 4) != 0 ? -kLength : 0};
    }
  }
  return r;
}
}  // namespace detail

inline constexpr auto pendulum6 = detail::make_pendulum6();

}  // namespace robots
