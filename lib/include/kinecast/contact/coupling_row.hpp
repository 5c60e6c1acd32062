// SPDX-License-Identifier: MIT
// The row of a coupling (method 1.7): a joint f follows one or two others l, q_f = Sum r_l q_l + offset. The row holds
//
//   v = dq_f - Sum r_l dq_l,   v+ = -k d,   d = q_f - Sum r_l q_l - offset,   impulse x of both signs:
//   x at the follower, -r_l x at each leader
//
// in factor space (dynamics/factor.hpp) v = y . t + driven, y = y_f - Sum r_l y_l. The relation is linear, so that
// there are no velocity products: in symplectic Euler's step d+ = (1 - k dt) d but for the row's relaxation. Cost: one
// row of a torque at a joint for each joint of the coupling.
#pragma once

#include <kinecast/contact/joint_limits.hpp>
#include <kinecast/dynamics/factor.hpp>

namespace kinecast {

// What the row of a coupling needs of a step's beginning.
template <class S>
struct CouplingMotion {
  S distance;       // d
  S free_velocity;  // v at the end of the step without this row
};

namespace detail {

// Calls f(body, factor) for each joint of a coupling: v = Sum factor * dq.
template <class S, class F>
[[gnu::always_inline]] inline void for_each_coupled_joint(const CouplingConstants<S>& coupling, F&& f) noexcept {
  f(static_cast<int>(coupling.follower), S(1));
  for (const LeaderConstants<S>& leader : coupling.leaders)
    if (leader.body >= 0) f(static_cast<int>(leader.body), -leader.ratio);
}

}  // namespace detail

// d: how far the follower is ahead of where its leaders want it.
template <const auto& R, class S>
[[nodiscard]] inline S coupling_distance(const CouplingConstants<S>& coupling, const Position<R, S>& q) noexcept {
  S sum = -coupling.offset;
  detail::for_each_coupled_joint(coupling, [&](int body, S factor) { sum += factor * q[Shape<R>::q_of(body)]; });
  return sum;
}

// v: how fast the distance changes.
template <const auto& R, class S>
[[nodiscard]] inline S coupling_velocity(const CouplingConstants<S>& coupling, const Velocity<R, S>& dq) noexcept {
  S sum = S(0);
  detail::for_each_coupled_joint(coupling, [&](int body, S factor) { sum += factor * dq[Shape<R>::v_of(body)]; });
  return sum;
}

// Finds the motion of a coupling from the state before a step and the accelerations without rows.
template <const auto& R, class S>
[[nodiscard]] inline CouplingMotion<S> find_coupling_motion(const CouplingConstants<S>& coupling,
                                                            const Position<R, S>& q, const Velocity<R, S>& dq,
                                                            const Velocity<R, S>& ddq, S dt) noexcept {
  return {coupling_distance<R, S>(coupling, q),
          coupling_velocity<R, S>(coupling, dq) + dt * coupling_velocity<R, S>(coupling, ddq)};
}

// Adds y. It is zero exactly if the velocities of all joints of the coupling are given: then nothing can hold it.
template <const auto& R, class S>
inline void add_coupling_row(const Model<R, S>& model, const Workspace<R, S>& dynamics,
                             const CouplingConstants<S>& coupling, FactorRow<R, S>& y) noexcept {
  detail::for_each_coupled_joint(coupling, [&](int body, S factor) {
    Factor{model, dynamics}.joint_row(body, factor, y);
  });
}

// The row's offset, k d: the solver brings y . t + offset to zero. `g`: the coordinates of the free velocity. Joints
// whose velocity is given move the row without having a column in y: what y . g does not have of the free velocity is
// in the offset too.
template <const auto& R, class S>
[[nodiscard]] inline S coupling_offset(const RowParameters<S>& parameters, const CouplingMotion<S>& motion,
                                       [[maybe_unused]] const FactorRow<R, S>& y,
                                       [[maybe_unused]] const FactorRow<R, S>& g, S dt) noexcept {
  const S k = parameters.compensation_per_s * dt < S(1) ? parameters.compensation_per_s : S(1) / dt;
  const S size = std::abs(motion.distance);
  S offset = k * size > parameters.push_out ? std::copysign(parameters.push_out, motion.distance) : k * motion.distance;
  if constexpr (Shape<R>::kHas.velocity_drives > 0) {
    offset += motion.free_velocity;
    for (int i = 0; i < Shape<R>::kDofs; ++i) offset -= y[i] * g[i];
  }
  return offset;
}

}  // namespace kinecast
