// SPDX-License-Identifier: MIT
// Random states of any robot, the dense truth about them (dense_reference.hpp), and the library's calls to hold against it.
// Big objects are static: a board's stack is 8 KB (Cortex-M0) to 64 KB.
#pragma once

#include <kinecast/kinecast.hpp>

#include <array>

#include "../support/dense_reference.hpp"
#include "measure.hpp"
#include "statuses.hpp"

namespace checks {

using kinecast::JointKind;
using kinecast::Status;
using measure::compare;
using measure::Random;
using measure::Worst;

// Sizes of the random velocities and torques: chosen so that gravity, velocity and torque terms all matter.
struct Ranges {
  double dq{2};
  double ddq{5};
  double tau{5};
};

// A state in the scalar under test, and the same numbers, exactly, in double.
template <const auto& R, class S>
struct Sample {
  static constexpr int kDofs = dense::Reference<R>::kDofs;
  static constexpr int kPositions = dense::Reference<R>::kPositions;
  static constexpr std::size_t kDofSize = static_cast<std::size_t>(kDofs);
  kinecast::Position<R, S> q;
  kinecast::Velocity<R, S> dq;
  kinecast::Velocity<R, S> ddq;
  kinecast::Velocity<R, S> tau;
  double q64[static_cast<std::size_t>(kPositions)];
  double dq64[kDofSize];
  double ddq64[kDofSize];
  double tau64[kDofSize];
};

template <class S>
inline void draw_quaternion(Random& random, S* q) noexcept {
  double v[4];
  double square = 0;
  do {
    square = 0;
    for (double& x : v) x = random.within(1), square += x * x;
  } while (square < 0.1);
  for (int i = 0; i < 4; ++i) q[i] = static_cast<S>(v[i] / std::sqrt(square));
}

template <const auto& R, class S>
[[gnu::noinline]] void draw(Random& random, const Ranges& ranges, Sample<R, S>& out) noexcept {
  constexpr double kPi = 3.14159265358979323846;
  int at = 0;
  for (const kinecast::Link& l : R.links) {
    if (l.joint == JointKind::floating)
      for (int i = 0; i < 3; ++i) out.q[at++] = static_cast<S>(random.within(1));
    if (l.joint == JointKind::floating || l.joint == JointKind::spherical)
      draw_quaternion(random, out.q.data() + at), at += 4;
    if (l.joint == JointKind::revolute) out.q[at++] = static_cast<S>(random.within(kPi));
    if (l.joint == JointKind::prismatic) out.q[at++] = static_cast<S>(random.within(0.5));
  }
  for (int i = 0; i < out.kDofs; ++i) {
    out.dq[i] = static_cast<S>(random.within(ranges.dq));
    out.ddq[i] = static_cast<S>(random.within(ranges.ddq));
    out.tau[i] = static_cast<S>(random.within(ranges.tau));
  }
  for (int i = 0; i < out.kPositions; ++i) out.q64[i] = static_cast<double>(out.q[i]);
  for (int i = 0; i < out.kDofs; ++i) {
    out.dq64[i] = static_cast<double>(out.dq[i]);
    out.ddq64[i] = static_cast<double>(out.ddq[i]);
    out.tau64[i] = static_cast<double>(out.tau[i]);
  }
}

// The dense truth for one robot: reference, the factor of M, generalised forces.
template <const auto& R>
struct Truth {
  static constexpr int kDofs = dense::Reference<R>::kDofs;
  static constexpr std::size_t kDofSize = static_cast<std::size_t>(kDofs);
  dense::Reference<R> at;
  double L[kDofSize][kDofSize];  // Cholesky factor of M
  double force[kDofSize];        // result of the calls below
  double jacobian[6][kDofSize];

  void place(const double* q) noexcept { at.place(R, q); }
  void factor_mass_matrix() noexcept {
    at.find_mass_matrix();
    for (int i = 0; i < kDofs; ++i)
      for (int j = 0; j < kDofs; ++j) L[i][j] = at.M[i][j];
    TEST_ASSERT_TRUE_MESSAGE(dense::factor(L), "the dense mass matrix is not positive definite");
  }
  // force <- M ddq + b
  void find_torque(const double* dq, const double* ddq) noexcept {
    at.move(dq, ddq);
    at.find_force(force);
    if (ddq == nullptr) return;
    for (int i = 0; i < R.kLinks; ++i)
      if (at.dofs(i) == 1) force[at.entry(i).v] += R.link(i).drive.at_joint.rotor_inertia_kgm2 * ddq[at.entry(i).v];
  }
  // force <- M⁻¹ (tau + extra - b); extra may be null
  void find_acceleration(const double* dq, const double* tau, const double* extra) noexcept {
    find_torque(dq, nullptr);
    for (int i = 0; i < kDofs; ++i) force[i] = tau[i] - force[i] + (extra == nullptr ? 0 : extra[i]);
    factor_mass_matrix();
    dense::solve(L, force);
  }
};

template <const auto& R>
[[nodiscard]] inline Truth<R>& truth() noexcept {
  static Truth<R> one;
  return one;
}

// The truth of a step from `before` to `after`, of which a balance takes away what acted: force <- M ddq + b where the step
// began. Returns the size of what is added up, momentum over dt, for velocities are stored with eps.
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] double begin_balance(const kinecast::State<R, S>& before,
                                                  const kinecast::State<R, S>& after, double dt) noexcept {
  constexpr int kDofs = kinecast::Shape<R>::kDofs;
  auto& exact = truth<R>();
  double q[static_cast<std::size_t>(kinecast::Shape<R>::kPositions)];
  double dq[static_cast<std::size_t>(kDofs)];
  double ddq[static_cast<std::size_t>(kDofs)];
  for (int i = 0; i < kinecast::Shape<R>::kPositions; ++i) q[i] = static_cast<double>(before.q[i]);
  for (int i = 0; i < kDofs; ++i) {
    dq[i] = static_cast<double>(before.dq[i]);
    ddq[i] = (static_cast<double>(after.dq[i]) - dq[i]) / dt;
  }
  exact.place(q);
  exact.find_torque(dq, ddq);
  exact.at.find_mass_matrix();
  double scale = 1;
  for (int i = 0; i < kDofs; ++i)
    scale = std::fmax(scale, exact.at.M[i][i] * (std::abs(dq[i]) + dt * std::abs(ddq[i])) / dt);
  return scale;
}

template <const auto& R, class S>
[[nodiscard]] inline kinecast::Workspace<R, S>& workspace() noexcept {
  static kinecast::Workspace<R, S> one;
  return one;
}

// Never inlined: one copy of each algorithm per robot and scalar, or the tests take minutes to compile.
template <const auto& R, class S>
using Vel = kinecast::Velocity<R, S>;
template <const auto& R, class S>
using Pos = kinecast::Position<R, S>;

// An output that the library must fill.
template <const auto& R, class S>
[[nodiscard]] inline Vel<R, S> unset() noexcept {
  return Vel<R, S>::Constant(std::numeric_limits<S>::quiet_NaN());
}
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Status forward(const Pos<R, S>& q, const Vel<R, S>& dq, const Vel<R, S>& tau,
                                            Vel<R, S>& ddq) noexcept {
  return kinecast::forward_dynamics(kinecast::model<R, S>, q, dq, tau, workspace<R, S>(), ddq);
}
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Status inverse(const Pos<R, S>& q, const Vel<R, S>& dq, const Vel<R, S>& ddq,
                                            Vel<R, S>& tau) noexcept {
  return kinecast::inverse_dynamics(kinecast::model<R, S>, q, dq, ddq, workspace<R, S>(), tau);
}
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Status bias(const Pos<R, S>& q, const Vel<R, S>& dq, Vel<R, S>& tau) noexcept {
  return kinecast::bias_torque(kinecast::model<R, S>, q, dq, workspace<R, S>(), tau);
}
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Status kinematics(const Pos<R, S>& q, const Vel<R, S>& dq,
                                               kinecast::Kinematics<R, S>& k) noexcept {
  return kinecast::update_kinematics(kinecast::model<R, S>, q, dq, k);
}

}  // namespace checks
