// SPDX-License-Identifier: MIT
// Kinematics, energies and momentum against the dense truth, over random states.
#pragma once

#include "robot_truth.hpp"

namespace checks {

// Poses, velocities, Jacobians, energies, momentum. Lengths are of the order of a metre, so errors are absolute in m and
// m/s per m/s; energies and momenta are relative to their own size.
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Worst kinematics_error(int states) noexcept {
  Random random(6);
  Sample<R, S> s;
  Worst worst;
  Truth<R>& exact = truth<R>();
  static kinecast::Kinematics<R, S> k;
  const auto& model = kinecast::model<R, S>;
  for (int n = 0; n < states; ++n) {
    draw(random, {}, s);
    exact.place(s.q64);
    exact.at.move(s.dq64, nullptr);
    assert_ok((kinematics<R, S>(s.q, s.dq, k)));
    double speed = 1;
    for (int i = 0; i < R.kLinks; ++i)
      speed = std::fmax(speed, std::fmax(measure::largest(exact.at.w[i].at, 3), measure::largest(exact.at.v[i].at, 3)));
    for (int i = 0; i < R.kLinks; ++i) {
      const kinecast::Pose<S> pose = kinecast::link_pose(model, k, i);
      const kinecast::Twist<S> twist = kinecast::link_velocity(model, k, i);
      for (int r = 0; r < 3; ++r) {
        worst.see(exact.at.pos[i][r], static_cast<double>(pose.position[r]), 1);
        worst.see(exact.at.w[i][r], static_cast<double>(twist.angular[r]), speed);
        worst.see(exact.at.v[i][r], static_cast<double>(twist.linear[r]), speed);
        for (int c = 0; c < 3; ++c) worst.see(exact.at.rot[i][r][c], static_cast<double>(pose.rotation(r, c)), 1);
      }
      // A point away from the link's origin.
      const dense::Vec in_link{{0.1, -0.2, 0.3}};
      const dense::Vec p = exact.at.point(i, in_link);
      const kinecast::PointOnBody<S> point =
          kinecast::point_on_link(model, i, kinecast::Vector<S, 3>(S(0.1), S(-0.2), S(0.3)));
      const kinecast::Vector<S, 3> position = kinecast::point_position(k, point);
      const kinecast::Vector<S, 3> velocity = kinecast::point_velocity(k, point);
      const dense::Vec v = exact.at.v[i] + dense::cross(exact.at.w[i], p - exact.at.pos[i]);
      for (int r = 0; r < 3; ++r) {
        worst.see(p[r], static_cast<double>(position[r]), 1);
        worst.see(v[r], static_cast<double>(velocity[r]), speed);
      }
      exact.at.jacobian(i, p, exact.jacobian);
      const kinecast::PointJacobian<R, S> J = kinecast::point_jacobian(k, point);
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < s.kDofs; ++c) worst.see(exact.jacobian[r][c], static_cast<double>(J(r, c)), 1);
    }
    const double kinetic = exact.at.kinetic(s.dq64);
    worst.see(kinetic, static_cast<double>(kinecast::kinetic_energy(model, k, s.dq)), kinetic);
    // Momentum and centre of mass of the links that can move, from their definitions.
    double mass = 0;
    dense::Vec first{};
    dense::Vec linear{};
    dense::Vec angular{};
    for (int i = 0; i < R.kLinks; ++i) {
      if (!exact.at.moves(i)) continue;
      const double m = R.link(i).mass_kg;
      const dense::Vec c = exact.at.com(i);
      const dense::Vec push = m * (exact.at.v[i] + dense::cross(exact.at.w[i], c - exact.at.pos[i]));
      mass += m;
      first = first + m * c;
      linear = linear + push;
      angular = angular + dense::cross(c, push) + exact.at.inertia(i) * exact.at.w[i];
    }
    const dense::Vec com = (1 / mass) * first;
    angular = angular - dense::cross(com, linear);
    const double g = measure::largest(dense::vec(R.gravity_mps2).at, 3);
    worst.see(exact.at.potential(), static_cast<double>(kinecast::potential_energy(model, k)), mass * (g + 1));
    const kinecast::Momentum<S> got = kinecast::momentum(model, k);
    worst.see(mass, static_cast<double>(got.mass), mass);
    compare(linear.at, got.linear, 3, worst);
    for (int r = 0; r < 3; ++r) {
      worst.see(com[r], static_cast<double>(got.com[r]), 1);
      // About the centre of mass: what is left of terms as large as the linear momentum times a metre.
      worst.see(angular[r], static_cast<double>(got.angular_about_com[r]),
                measure::largest(linear.at, 3) + measure::largest(angular.at, 3));
    }
  }
  return worst;
}

}  // namespace checks
