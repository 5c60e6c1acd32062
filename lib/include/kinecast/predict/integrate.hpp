// SPDX-License-Identifier: MIT
// One step in time on the configuration manifold (method 7): symplectic Euler and Runge-Kutta-Gill. A step either
// succeeds and commits, or returns a Status and leaves the state as it was.
#pragma once

#include <kinecast/core/option.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/drive/articulated_friction.hpp>
#include <kinecast/dynamics/forward_dynamics.hpp>
#include <kinecast/math/rotation.hpp>
#include <kinecast/model/model.hpp>

#include <cmath>

namespace kinecast {

// Positions and velocities of all joints.
template <const auto& R, class S>
struct State {
  Position<R, S> q;
  Velocity<R, S> dq;
};

// The state at rest with all coordinates zero; quaternions are one.
template <const auto& R, class S>
[[nodiscard]] inline State<R, S> zero_state() noexcept {
  using Shape = kinecast::Shape<R>;
  State<R, S> state;
  state.q.setZero();
  state.dq.setZero();
  for (int b = 0; b < Shape::kBodies; ++b)
    if (Shape::is_floating(b) || Shape::is_spherical(b))
      state.q[Shape::q_of(b) + (Shape::is_floating(b) ? 3 : 0)] = S(1);
  return state;
}

namespace detail {

template <class S, class Q>
inline void store(const Quaternion<S>& turn, int first, Q& q) noexcept {
  q[first] = turn.w, q[first + 1] = turn.x, q[first + 2] = turn.y, q[first + 3] = turn.z;
}

// The axes in which dq has the angular velocity of a joint with a quaternion.
enum class RateAxes : std::uint8_t { world, body };

// Calls f(first entry of the quaternion in q, first entry of the angular velocity in dq, its axes) for every
// quaternion.
template <const auto& R, class F>
inline void for_each_quaternion(F&& f) noexcept {
  using Shape = kinecast::Shape<R>;
  if constexpr (!Shape::kAllSingleAxis) {
    for (int b = 0; b < Shape::kBodies; ++b) {
      if (Shape::is_floating(b)) f(Shape::q_of(b) + 3, Shape::v_of(b) + 3, RateAxes::world);
      if (Shape::is_spherical(b)) f(Shape::q_of(b), Shape::v_of(b), RateAxes::body);
    }
  }
}

// Calls f(entry of q, entry of dq) for every coordinate that is a plain number.
template <const auto& R, class F>
inline void for_each_plain(F&& f) noexcept {
  using Shape = kinecast::Shape<R>;
  for (int b = 0; b < Shape::kBodies; ++b) {
    const int count = Shape::is_floating(b) ? 3 : Shape::is_spherical(b) ? 0 : 1;
    for (int i = 0; i < count; ++i) f(Shape::q_of(b) + i, Shape::v_of(b) + i);
  }
}

}  // namespace detail

// q <- q (+) dt dq: plain coordinates add, orientations turn by the exponential map.
template <const auto& R, class S>
inline void advance(const Velocity<R, S>& dq, S dt, Position<R, S>& q) noexcept {
  detail::for_each_plain<R>([&](int i, int v) { q[i] += dt * dq[v]; });
  detail::for_each_quaternion<R>([&](int i, int v, detail::RateAxes axes) {
    const Quaternion<S> turn = quaternion_exp(Vec3<S>{dt * dq[v], dt * dq[v + 1], dt * dq[v + 2]});
    const Quaternion<S> now = detail::quaternion_at<S>(q, i);
    detail::store(normalized(axes == detail::RateAxes::body ? now * turn : turn * now), i, q);
  });
}

namespace detail {

// Refuses a turn per step that is larger than the angles that sincos() reduces: it would give no orientation.
template <const auto& R, class S>
[[nodiscard]] inline bool turns_too_far(const Velocity<R, S>& dq, S dt) noexcept {
  bool too_far = false;
  for_each_quaternion<R>([&](int /*i*/, int v, RateAxes /*axes*/) {
    const S rate = std::abs(dq[v]) + std::abs(dq[v + 1]) + std::abs(dq[v + 2]);
    if (!(dt * rate <= kMaxAngle<S>)) too_far = true;
  });
  return too_far;
}

template <const auto& R, class S>
[[nodiscard]] inline Status check_orientations(const Position<R, S>& q) noexcept {
  Status found = Status::ok;
  for_each_quaternion<R>([&](int i, int /*v*/, RateAxes /*axes*/) {
    if (ok(found)) found = check_quaternion<S>(q, i);
  });
  return found;
}

}  // namespace detail

// Moves positions with velocities over a step, which bodies must not turn round in too often.
template <const auto& R, class S>
[[nodiscard]] inline Status move(const Velocity<R, S>& dq, S dt, Position<R, S>& q) noexcept {
  if (detail::turns_too_far<R, S>(dq, dt)) return Status::bad_time_step;
  advance<R, S>(dq, dt, q);
  return all_finite(dq) && all_finite(q) ? Status::ok : Status::non_finite_result;
}

// Symplectic Euler: dq+ = dq + dt ddq, q+ = q (+) dt dq+. `accelerations(q, dq, ddq)` gives a Status.
template <const auto& R, class S, class Accelerations>
[[nodiscard]] inline Status advance_symplectic(Accelerations&& accelerations, S dt, State<R, S>& state) noexcept {
  Velocity<R, S> ddq;
  if (const Status status = accelerations(state.q, state.dq, ddq); !ok(status)) return status;
  State<R, S> next = state;
  next.dq += dt * ddq;
  if (const Status status = move<R, S>(next.dq, dt, next.q); !ok(status)) return status;
  state = next;
  return Status::ok;
}

// A step of symplectic Euler with tau held over the step.
template <const auto& R, class S>
[[nodiscard]] inline Status step_symplectic(const Model<R, S>& model, const Velocity<R, S>& tau, S dt,
                                            Workspace<R, S>& work, State<R, S>& state) noexcept {
  if (!(dt > S(0)) || !is_finite(dt)) return Status::bad_time_step;
  return advance_symplectic<R, S>([&](const Position<R, S>& q, const Velocity<R, S>& dq,
                                      Velocity<R, S>& ddq) { return forward_dynamics(model, q, dq, tau, work, ddq); },
                                  dt, state);
}

namespace detail {

// Rate of y = (q, dq). Quaternions are taken as four plain numbers here, q' = ½ omega q, so that Runge-Kutta keeps its
// order; they are normalised where the dynamics needs a rotation, and at the end of the step.
template <const auto& R, class S>
using Slope = State<R, S>;

template <const auto& R, class S>
inline void normalize_quaternions(Position<R, S>& q) noexcept {
  for_each_quaternion<R>([&](int i, int /*v*/, RateAxes /*axes*/) { store(normalized(quaternion_at<S>(q, i)), i, q); });
}

template <const auto& R, class S, class Accelerations>
[[nodiscard]] inline Status find_slope(Accelerations& accelerations, const State<R, S>& y, Slope<R, S>& out) noexcept {
  Position<R, S> q = y.q;
  normalize_quaternions<R, S>(q);
  for_each_plain<R>([&](int i, int v) { out.q[i] = y.dq[v]; });
  for_each_quaternion<R>([&](int i, int v, RateAxes axes) {
    const Quaternion<S> half{S(0), S(0.5) * y.dq[v], S(0.5) * y.dq[v + 1], S(0.5) * y.dq[v + 2]};
    const Quaternion<S> now = quaternion_at<S>(y.q, i);
    store(axes == RateAxes::body ? now * half : half * now, i, out.q);
  });
  return accelerations(q, y.dq, out.dq);
}

}  // namespace detail

// Runge-Kutta-Gill, fourth order. `accelerations` is called four times, at the step's start first.
template <const auto& R, class S, class Accelerations>
[[nodiscard]] inline Status advance_gill(Accelerations&& accelerations, S dt, State<R, S>& state) noexcept {
  if (const Status status = detail::check_orientations<R, S>(state.q); !ok(status)) return status;
  constexpr S kR = S(0.70710678118654752440);
  detail::Slope<R, S> k1;
  detail::Slope<R, S> k2;
  detail::Slope<R, S> k3;
  detail::Slope<R, S> k4;
  State<R, S> y = state;
  if (const Status status = detail::find_slope<R, S>(accelerations, y, k1); !ok(status)) return status;
  y.q = state.q + (S(0.5) * dt) * k1.q;
  y.dq = state.dq + (S(0.5) * dt) * k1.dq;
  if (const Status status = detail::find_slope<R, S>(accelerations, y, k2); !ok(status)) return status;
  y.q = state.q + dt * ((kR - S(0.5)) * k1.q + (S(1) - kR) * k2.q);
  y.dq = state.dq + dt * ((kR - S(0.5)) * k1.dq + (S(1) - kR) * k2.dq);
  if (const Status status = detail::find_slope<R, S>(accelerations, y, k3); !ok(status)) return status;
  y.q = state.q + dt * ((S(1) + kR) * k3.q - kR * k2.q);
  y.dq = state.dq + dt * ((S(1) + kR) * k3.dq - kR * k2.dq);
  if (const Status status = detail::find_slope<R, S>(accelerations, y, k4); !ok(status)) return status;
  y.q = state.q + (dt / S(6)) * (k1.q + S(2) * (S(1) - kR) * k2.q + S(2) * (S(1) + kR) * k3.q + k4.q);
  y.dq = state.dq + (dt / S(6)) * (k1.dq + S(2) * (S(1) - kR) * k2.dq + S(2) * (S(1) + kR) * k3.dq + k4.dq);
  detail::normalize_quaternions<R, S>(y.q);
  if (!all_finite(y.dq) || !all_finite(y.q)) return Status::non_finite_result;
  state = y;
  return Status::ok;
}

// A step of Runge-Kutta-Gill with tau held over the step.
template <const auto& R, class S>
[[nodiscard]] inline Status step_gill(const Model<R, S>& model, const Velocity<R, S>& tau, S dt, Workspace<R, S>& work,
                                      State<R, S>& state) noexcept {
  if (!(dt > S(0)) || !is_finite(dt)) return Status::bad_time_step;
  return advance_gill<R, S>([&](const Position<R, S>& q, const Velocity<R, S>& dq,
                                Velocity<R, S>& ddq) { return forward_dynamics(model, q, dq, tau, work, ddq); },
                            dt, state);
}

}  // namespace kinecast
