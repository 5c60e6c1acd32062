// SPDX-License-Identifier: MIT
// Gear friction, implicit (method 5.3): the friction impulses of all joints at once, dense, against the robot's whole
// inertia, with the re-solve: joints that cannot stick slide with their kinetic friction, and the others are solved
// again. Accurate and expensive, O(n³) and n² of stack; the semi-implicit forms are O(n).
//
//   P = argmin |A P + c + k d|² + lambda |P|²,   A = H⁻¹ on the sticking joints, c: their velocity without P
//
// As A is symmetric and regular, (A² + lambda) P = -A (c + k d) is (A + lambda A⁻¹)
// P = -(c + k d): no square of A is formed.
#pragma once

#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/dynamics/inverse_dynamics.hpp>
#include <kinecast/dynamics/mass_matrix.hpp>
#include <kinecast/math/cholesky.hpp>
#include <kinecast/papers/rotor_friction.hpp>

namespace kinecast {

struct ImplicitFriction {
  static constexpr OptionSort kSort = OptionSort::friction;
  static constexpr bool kMeetsContact = true;
  template <class S>
  struct Parameters {
    S k{100};               // 1/s
    S relaxation{S(0.01)};  // lambda over the square of the largest A_ii (method 2.5): the same for every robot
  };
  template <const auto& R, class S>
  struct Memory : RotorFriction::Memory<R, S> {};
};

namespace detail {

template <class S, std::size_t N>
using Square = S[N][N];

// The impulses of the joints that stick; `impulse` of the others is 0. c: velocity without them, plus k d.
template <class S, std::size_t N>
[[nodiscard]] inline bool find_impulses(const Square<S, N>& inverse_H, const bool (&sticks)[N], const S (&c)[N],
                                        S lambda, S (&impulse)[N]) noexcept {
  Square<S, N> A;  // rows of joints that do not stick are those of the identity
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) A[i][j] = sticks[i] && sticks[j] ? inverse_H[i][j] : S(i == j ? 1 : 0);
  Cholesky<S, N> factor;
  if (!factor.factor(A)) return false;
  Square<S, N> inverse_A;
  factor.invert(inverse_A);
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) A[i][j] += lambda * inverse_A[i][j];
  if (!factor.factor(A)) return false;
  for (std::size_t i = 0; i < N; ++i) impulse[i] = sticks[i] ? -c[i] : S(0);
  factor.solve(impulse);
  return true;
}

}  // namespace detail

template <const auto& R, class S>
[[nodiscard]] inline Status driven_dynamics(const ImplicitFriction::Parameters<S>& parameters,
                                            const DrivenInput<R, S>& in, const ImplicitFriction::Memory<R, S>& memory,
                                            Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
  using Shape = kinecast::Shape<R>;
  static_assert(Shape::kHas.velocity_drives == 0,
                "kinecast: ImplicitFriction has no velocity-driven joints; use ArticulatedFriction");
  constexpr std::size_t N = static_cast<std::size_t>(Shape::kDofs);
  if (const Status status = check_input(in.dq); !ok(status)) return status;
  JointMatrix<R, S> H;
  Velocity<R, S> bias;
  if (const Status status = mass_matrix(in.model, in.q, work, H); !ok(status)) return status;
  if (const Status status = bias_torque(in.model, in.q, in.dq, work, bias); !ok(status)) return status;

  detail::Square<S, N> inverse_H;
  Cholesky<S, N> inertia;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) inverse_H[i][j] = H(static_cast<int>(i), static_cast<int>(j));
  if (!inertia.factor(inverse_H)) return Status::singular_inertia;
  inertia.invert(inverse_H);

  S mobility = S(0);
  for (std::size_t i = 0; i < N; ++i) mobility = inverse_H[i][i] > mobility ? inverse_H[i][i] : mobility;
  const S lambda = parameters.relaxation * mobility * mobility;

  bool sticks[N] = {};
  S friction[N] = {};
  S applied[N];
  for (std::size_t i = 0; i < N; ++i) applied[i] = in.effort.torque[static_cast<int>(i)];
  for (int b = 0; b < Shape::kBodies; ++b) {
    if (!(Shape::is_revolute(b) || Shape::is_prismatic(b))) continue;
    const std::size_t i = static_cast<std::size_t>(Shape::v_of(b));
    const DriveConstants<S>& drive = in.model.drive(b);
    applied[i] -= drive.back_emf * in.dq[Shape::v_of(b)];
    sticks[i] =
        drive.forward.coulomb + drive.forward.drop + drive.backward.coulomb + drive.backward.drop + drive.load_loss >
        S(0);
    if (!sticks[i]) friction[i] = detail::kinetic_friction(drive, in.dq[Shape::v_of(b)], S(0));  // viscous alone
  }

  const S inverse_dt = S(1) / in.dt;
  S acceleration[N];
  const auto find_accelerations = [&] {
    for (std::size_t i = 0; i < N; ++i) acceleration[i] = applied[i] + friction[i] - bias[static_cast<int>(i)];
    inertia.solve(acceleration);
  };
  for (std::size_t round = 0; round <= N; ++round) {
    for (std::size_t i = 0; i < N; ++i)
      if (sticks[i]) friction[i] = S(0);
    find_accelerations();
    S c[N];
    for (int b = 0; b < Shape::kBodies; ++b) {
      const int v = Shape::v_of(b);
      const std::size_t i = static_cast<std::size_t>(v);
      if (!sticks[i]) continue;
      const S deflection = in.q[Shape::q_of(b)] - memory.reference[static_cast<std::size_t>(b)];
      c[i] = in.dq[v] + in.dt * acceleration[i] + parameters.k * deflection;
    }
    for (std::size_t i = 0; i < N; ++i)
      if (!sticks[i]) c[i] = S(0);
    S impulse[N];
    if (!detail::find_impulses(inverse_H, sticks, c, lambda, impulse)) return Status::singular_inertia;
    bool changed = false;
    for (int b = 0; b < Shape::kBodies; ++b) {
      const int v = Shape::v_of(b);
      const std::size_t i = static_cast<std::size_t>(v);
      if (!sticks[i]) continue;
      const DriveConstants<S>& drive = in.model.drive(b);
      const S loss = drive.load_loss * std::abs(memory.transmitted[static_cast<std::size_t>(b)]);
      const detail::Friction<S> found =
          detail::stick_or_slip(drive, impulse[i] * inverse_dt, in.dq[v], loss, Equation21::corrected);
      friction[i] = found.torque;
      if (!found.sticks) sticks[i] = false, changed = true;
    }
    if (!changed) break;
  }
  find_accelerations();
  for (int i = 0; i < Shape::kDofs; ++i) ddq[i] = acceleration[static_cast<std::size_t>(i)];
  if (!all_finite(ddq)) return Status::non_finite_result;

  for (int b = 0; b < Shape::kBodies; ++b) {
    const std::size_t i = static_cast<std::size_t>(Shape::v_of(b));
    work.actions[static_cast<std::size_t>(b)] = {applied[i] + friction[i], S(0), S(0), false, sticks[i]};
  }
  return Status::ok;
}

// With contact the joints' friction is part of the contact problem (method 5.3, mixed
// space): its sweep, and a joint's row.
template <const auto& R, class S>
[[nodiscard]] inline Status open_dynamics(const ImplicitFriction::Parameters<S>& /*parameters*/,
                                          const DrivenInput<R, S>& in, Workspace<R, S>& work,
                                          Velocity<R, S>& ddq) noexcept {
  OpenSource<R, S, Damping::at_present, OpenViscosity::with_dry> source{in.model, in.dq,        in.effort,
                                                                        in.dt,    S(1) / in.dt, work.actions};
  return detail::sweep_driven(in, source, work, ddq);
}
template <const auto& R, class S>
[[nodiscard]] inline bool find_joint_friction(const ImplicitFriction::Parameters<S>& parameters,
                                              const DrivenInput<R, S>& in, const ImplicitFriction::Memory<R, S>& memory,
                                              int body, JointFriction<S>& out) noexcept {
  const std::size_t at = static_cast<std::size_t>(body);
  if (!find_joint_friction<OpenViscosity::with_dry>(in.model, body, in.dq[Shape<R>::v_of(body)], memory.transmitted[at],
                                                    in.dt, out))
    return false;
  out.offset = parameters.k * (in.q[Shape<R>::q_of(body)] - memory.reference[at]);
  out.relaxation = parameters.relaxation;
  out.stops = false;
  return true;
}

}  // namespace kinecast
