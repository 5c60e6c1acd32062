// SPDX-License-Identifier: MIT
// Free boxes whose eight corners can touch.
#pragma once

#include <kinecast/model/robot.hpp>

namespace robots {

// A solid box of this mass and size.
constexpr auto make_box(double mass, double x, double y, double z) {
  using namespace kinecast;
  return robot(
      "box",
      link("box", floating(),
           body(mass, com(0, 0, 0),
                inertia(mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12))),
      contact_box(on("box"), size(x, y, z)));
}

// The cube of S004 (method 10).
inline constexpr auto cube = make_box(0.5, 0.1, 0.1, 0.1);

}  // namespace robots
