// SPDX-License-Identifier: MIT
// The pushed cube of method 10: the largest torque about the vertical that static friction of its base holds beside a push along x
// at the bottom centre, found by bisection on static_friction_holds().
#pragma once

#include <kinecast/papers/static_friction.hpp>

#include <cmath>
#include <limits>

namespace cube_region {

inline constexpr double kSide_m = 0.1;
inline constexpr double kWeight_N = 0.5 * 9.80665;
inline constexpr double kFriction = 0.5;
// All load on the corners.
inline const double kLargestTorque_Nm = kFriction * kWeight_N * kSide_m / std::sqrt(2.0);

// turn: of an edge of the pyramid from the push; 0 or pi / Sides. NaN if the push alone is too much.
template <int Sides, class S>
[[nodiscard]] inline double largest_torque(double push_N, double turn) {
  S corner[4][2];
  for (int l = 0; l < 4; ++l) {  // the base and the push turned the other way
    const double angle = (0.25 + 0.5 * l) * 3.14159265358979323846 - turn;
    corner[l][0] = static_cast<S>(kSide_m / std::sqrt(2.0) * std::cos(angle));
    corner[l][1] = static_cast<S>(kSide_m / std::sqrt(2.0) * std::sin(angle));
  }
  const auto holds = [&](double torque_Nm) {
    const S wrench[6] = {static_cast<S>(kWeight_N),
                         S(0),
                         S(0),
                         static_cast<S>(-push_N * std::cos(turn)),
                         static_cast<S>(push_N * std::sin(turn)),
                         static_cast<S>(-torque_Nm)};
    return static_cast<bool>(kinecast::static_friction_holds<Sides>(corner, 4, static_cast<S>(kFriction), wrench));
  };
  if (!holds(0)) return std::numeric_limits<double>::quiet_NaN();
  double least = 0;
  double most = 1.1 * kLargestTorque_Nm;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (least + most);
    (holds(middle) ? least : most) = middle;
  }
  return least;
}

}  // namespace cube_region
