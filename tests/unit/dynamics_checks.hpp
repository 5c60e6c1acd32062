// SPDX-License-Identifier: MIT
// Forward and inverse dynamics, mass matrix and wrenches against the dense truth. Each check draws random states, finds the
// worst relative error and returns it; the test that calls it knows the robot, and so the tolerance.
#pragma once

#include "robot_truth.hpp"

namespace checks {

template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Worst forward_dynamics_error(int states, const Ranges& ranges = {}) noexcept {
  Random random(1);
  Sample<R, S> s;
  Worst worst;
  Truth<R>& exact = truth<R>();
  for (int n = 0; n < states; ++n) {
    draw(random, ranges, s);
    exact.place(s.q64);
    exact.find_acceleration(s.dq64, s.tau64, nullptr);
    Vel<R, S> ddq = unset<R, S>();
    assert_ok((forward<R, S>(s.q, s.dq, s.tau, ddq)));
    compare(exact.force, ddq, s.kDofs, worst);
  }
  return worst;
}

template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Worst inverse_dynamics_error(int states, const Ranges& ranges = {}) noexcept {
  Random random(2);
  Sample<R, S> s;
  Worst worst;
  Truth<R>& exact = truth<R>();
  Vel<R, S> tau = unset<R, S>();
  double rest[Sample<R, S>::kDofSize] = {};
  for (int n = 0; n < states; ++n) {
    draw(random, ranges, s);
    exact.place(s.q64);
    exact.find_torque(s.dq64, s.ddq64);
    assert_ok((inverse<R, S>(s.q, s.dq, s.ddq, tau)));
    compare(exact.force, tau, s.kDofs, worst);

    exact.find_torque(s.dq64, nullptr);
    assert_ok((bias<R, S>(s.q, s.dq, tau)));
    compare(exact.force, tau, s.kDofs, worst);
  }
  // Gravity alone; near an equilibrium it vanishes, so the scale is the largest torque of any state.
  double scale = 0;
  Worst absolute;
  for (int n = 0; n < states; ++n) {
    draw(random, ranges, s);
    exact.place(s.q64);
    exact.find_torque(rest, nullptr);
    assert_ok(kinecast::gravity_torque(kinecast::model<R, S>, s.q, workspace<R, S>(), tau));
    scale = std::fmax(scale, measure::largest(exact.force, s.kDofs));
    for (int i = 0; i < s.kDofs; ++i) absolute.see(exact.force[i], static_cast<double>(tau[i]), 1);
  }
  worst.see(scale > 0 ? absolute.value / scale : absolute.value);
  return worst;
}

template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Worst mass_matrix_error(int states) noexcept {
  Random random(3);
  Sample<R, S> s;
  Worst worst;
  Truth<R>& exact = truth<R>();
  static kinecast::JointMatrix<R, S> H;
  for (int n = 0; n < states; ++n) {
    draw(random, {}, s);
    exact.place(s.q64);
    exact.at.find_mass_matrix();
    H.setConstant(std::numeric_limits<S>::quiet_NaN());  // every entry must be written
    assert_ok(kinecast::mass_matrix(kinecast::model<R, S>, s.q, workspace<R, S>(), H));
    double scale = 0;
    for (int i = 0; i < s.kDofs; ++i) scale = std::fmax(scale, exact.at.M[i][i]);
    for (int i = 0; i < s.kDofs; ++i) {
      for (int j = 0; j < s.kDofs; ++j) {
        worst.see(exact.at.M[i][j], static_cast<double>(H(i, j)), scale);
        // Both triangles hold the same products, summed in another order at most.
        TEST_ASSERT_DOUBLE_WITHIN(4 * measure::kEps<S> * scale, static_cast<double>(H(i, j)),
                                  static_cast<double>(H(j, i)));
      }
    }
  }
  return worst;
}

// tau -> ddq -> tau and ddq -> tau -> ddq, relative to the largest torque and to the largest acceleration involved.
struct RoundTrip {
  Worst torque;
  Worst acceleration;
};
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] RoundTrip round_trip_error(int states, const Ranges& ranges = {}) noexcept {
  Random random(4);
  Sample<R, S> s;
  RoundTrip worst;
  for (int n = 0; n < states; ++n) {
    draw(random, ranges, s);
    Vel<R, S> ddq = unset<R, S>();
    Vel<R, S> tau = unset<R, S>();
    Vel<R, S> needed = unset<R, S>();
    assert_ok((forward<R, S>(s.q, s.dq, s.tau, ddq)));
    assert_ok((inverse<R, S>(s.q, s.dq, ddq, tau)));
    assert_ok((bias<R, S>(s.q, s.dq, needed)));
    const double torque = measure::largest(s.tau64, s.kDofs) + measure::largest(needed, s.kDofs);
    for (int i = 0; i < s.kDofs; ++i) worst.torque.see(s.tau64[i], static_cast<double>(tau[i]), torque);

    assert_ok((inverse<R, S>(s.q, s.dq, s.ddq, tau)));
    assert_ok((forward<R, S>(s.q, s.dq, tau, ddq)));
    compare(s.ddq64, ddq, s.kDofs, worst.acceleration);
  }
  return worst;
}

// Wrenches on all links at once: in forward dynamics as Jᵀ f on the dense right-hand side, in inverse dynamics likewise.
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Worst wrench_error(int states, const Ranges& ranges = {}) noexcept {
  Random random(5);
  Sample<R, S> s;
  Worst worst;
  Truth<R>& exact = truth<R>();
  kinecast::LinkWrenches<R, S> wrenches;
  double extra[Sample<R, S>::kDofSize];
  for (int n = 0; n < states; ++n) {
    draw(random, ranges, s);
    for (int i = 0; i < R.kLinks; ++i)
      for (int k = 0; k < 6; ++k) wrenches(k, i) = static_cast<S>(random.within(k < 3 ? 5 : 0.5));
    exact.place(s.q64);
    for (double& x : extra) x = 0;
    for (int i = 0; i < R.kLinks; ++i) {
      dense::Vec force{};
      dense::Vec moment{};
      for (int k = 0; k < 3; ++k) force[k] = static_cast<double>(wrenches(k, i));
      for (int k = 0; k < 3; ++k) moment[k] = static_cast<double>(wrenches(k + 3, i));
      exact.at.add_force(i, exact.at.pos[i], exact.at.rot[i] * force, exact.at.rot[i] * moment, extra);
    }
    Vel<R, S> got = unset<R, S>();
    exact.find_acceleration(s.dq64, s.tau64, extra);
    assert_ok(kinecast::forward_dynamics(kinecast::model<R, S>, s.q, s.dq, s.tau, wrenches, workspace<R, S>(), got));
    compare(exact.force, got, s.kDofs, worst);

    exact.find_torque(s.dq64, s.ddq64);
    for (int i = 0; i < s.kDofs; ++i) exact.force[i] -= extra[i];
    assert_ok(kinecast::inverse_dynamics(kinecast::model<R, S>, s.q, s.dq, s.ddq, wrenches, workspace<R, S>(), got));
    compare(exact.force, got, s.kDofs, worst);
  }
  return worst;
}

}  // namespace checks
