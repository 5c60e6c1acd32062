// SPDX-License-Identifier: MIT
// Random states of any robot. The ranges are those of the golden files.
#pragma once

#include <kinecast/model/model.hpp>

#include <cmath>
#include <cstdint>

#include "support/random.hpp"

namespace oracle {

using support::Random;

// A uniformly random orientation: a direction in four dimensions, by rejection.
inline void random_quaternion(Random& random, double (&q)[4]) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    double square = 0;
    for (double& x : q) x = random.within(1), square += x * x;
    if (square > 1 || square < 0.01) continue;
    for (double& x : q) x /= std::sqrt(square);
    return;
  }
  q[0] = 1, q[1] = q[2] = q[3] = 0;
}

// Symmetric limits; read off golden/f_fd_*.csv.
struct Ranges {
  double angle_rad{2.5};
  double slide_m{0.05};
  double base_m{1};
  double rate{4};  // rad/s, or m/s on a slide
  double base_mps{2};
  double torque{3};  // N m, or N on a slide and on a floating base
};

template <const auto& R, class S>
struct Sample {
  kinecast::Position<R, S> q;
  kinecast::Velocity<R, S> dq;
  kinecast::Velocity<R, S> tau;
};

template <const auto& R>
[[nodiscard]] Sample<R, double> random_sample(Random& random, const Ranges& ranges) {
  using Shape = kinecast::Shape<R>;
  Sample<R, double> s;
  for (int b = 0; b < Shape::kBodies; ++b) {
    const int i = Shape::q_of(b);
    const int v = Shape::v_of(b);
    const auto kind = Shape::index(b).kind;
    const int dofs = kinecast::dofs_of(kind);
    for (int k = 0; k < dofs; ++k) {
      s.dq[v + k] = random.within(dofs == 6 && k < 3 ? ranges.base_mps : ranges.rate);
      s.tau[v + k] = random.within(ranges.torque);
    }
    if (kind == kinecast::JointKind::revolute) s.q[i] = random.within(ranges.angle_rad);
    if (kind == kinecast::JointKind::prismatic) s.q[i] = random.within(ranges.slide_m);
    if (dofs == 1) continue;
    const int first = dofs == 6 ? i + 3 : i;
    for (int k = i; k < first; ++k) s.q[k] = random.within(ranges.base_m);
    double turn[4];
    random_quaternion(random, turn);
    for (int k = 0; k < 4; ++k) s.q[first + k] = turn[k];
  }
  return s;
}

// Makes every orientation in q unit again, to the last digit of double.
template <const auto& R>
void normalize(kinecast::Position<R, double>& q) {
  using Shape = kinecast::Shape<R>;
  for (int b = 0; b < Shape::kBodies; ++b) {
    if (!Shape::is_floating(b) && !Shape::is_spherical(b)) continue;
    const int first = Shape::q_of(b) + (Shape::is_floating(b) ? 3 : 0);
    q.template segment<4>(first) /= q.template segment<4>(first).norm();
  }
}

}  // namespace oracle
