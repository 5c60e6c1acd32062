// SPDX-License-Identifier: MIT
// This rule says which joints may be rigid (rigidify.hpp), by how much they move. The motion of a joint is
//
//   weight (|dq| + horizon |ddq|)
//
// which is the speed that it has or would reach within the horizon. Below `rest` a joint becomes rigid, above `wake` it
// becomes active again, between them it stays what it is. A rigid joint has no acceleration of its own, so ddq is that
// of the whole robot: run the full forward_dynamics() now and then (every ten or twenty steps), with the velocities as
// they are, and choose from its result. A weight turns a joint's motion into what matters: with the distance to the
// farthest point of the robot it is a bound on the speed of any point (m/s), and rest times the time between two
// choices is about the way that a rigid joint may be missing.
//
// A joint that creeps against a damper c, dq = load / c, stops when it becomes rigid; freed it would start with load /
// D. It does not come and go if horizon <= (wake / rest) (D / c).
#pragma once

#include <kinecast/dynamics/adaptive/rigidified_dynamics.hpp>
#include <kinecast/dynamics/inverse_dynamics.hpp>

namespace kinecast {

template <const auto& R, class S>
struct RigidityRule {
  S rest{};
  S wake{};
  S horizon_s{};
  Velocity<R, S> weight = Velocity<R, S>::Ones();
};

namespace detail {

template <const auto& R, class S>
[[nodiscard]] inline Status check_rule(const RigidityRule<R, S>& rule) noexcept {
  const Vector<S, 3> numbers{rule.rest, rule.wake, rule.horizon_s};
  if (const Status status = check_input(numbers); !ok(status)) return status;
  if (const Status status = check_input(rule.weight); !ok(status)) return status;
  bool sensible = rule.rest >= S(0) && rule.wake >= rule.rest && rule.horizon_s >= S(0);
  for (int v = 0; v < Shape<R>::kDofs; ++v) sensible = sensible && rule.weight[v] >= S(0);
  return sensible ? Status::ok : Status::input_out_of_range;
}

}  // namespace detail

// choose_rigid() moves joints into and out of `rigid`; `changed` is how many. Joints with more than one axis are not
// considered.
template <const auto& R, class S>
[[nodiscard]] inline Status choose_rigid(const RigidityRule<R, S>& rule, const Velocity<R, S>& dq,
                                         const Velocity<R, S>& ddq, JointSet<R>& rigid, int& changed) noexcept {
  if (const Status status = detail::check_rule(rule); !ok(status)) return status;
  if (const Status status = check_input(dq); !ok(status)) return status;
  if (const Status status = check_input(ddq); !ok(status)) return status;
  changed = 0;
  for (int b = 0; b < Shape<R>::kBodies; ++b) {
    if (!JointSet<R>::can_have(b)) continue;
    const int v = Shape<R>::v_of(b);
    const S motion = rule.weight[v] * (std::abs(dq[v]) + rule.horizon_s * std::abs(ddq[v]));
    const bool was_rigid = rigid.has(b);
    if (was_rigid ? motion <= rule.wake : motion >= rule.rest) continue;
    if (const Status status = was_rigid ? rigid.remove(b) : rigid.add(b); !ok(status)) return status;
    ++changed;
  }
  return Status::ok;
}

// stop_rigid_joints() brings the rigid joints to rest as brakes would that close at once: the momentum along the active
// joints stays, H_aa (change of dq_a) = H_ar dq_r, and so energy never grows. `dq` is untouched unless this is ok. One
// inverse and one forward dynamics.
template <const auto& R, class S>
[[nodiscard]] inline Status stop_rigid_joints(const Model<R, S>& model, const RigidJoints<R, S>& rigid,
                                              const Position<R, S>& q, Workspace<R, S>& work,
                                              Velocity<R, S>& dq) noexcept {
  using Shape = kinecast::Shape<R>;
  if (!rigid.ready) return Status::not_ready;
  if (const Status status = check_input(dq); !ok(status)) return status;
  const Velocity<R, S> still = Velocity<R, S>::Zero();
  Velocity<R, S> lost = still;
  for (int i = rigid.active; i < Shape::kBodies; ++i) {
    const int v = Shape::v_of(rigid.body(i));
    lost[v] = dq[v];
  }
  // The torques for these velocities as accelerations give the active joints their change:
  // gravity is in both, and cancels.
  Velocity<R, S> tau;
  if (const Status status = inverse_dynamics(model, q, still, lost, work, tau); !ok(status)) return status;
  Velocity<R, S> change;
  if (const Status status = forward_dynamics(model, rigid, q, still, tau, work, change); !ok(status)) return status;
  dq += change - lost;
  return Status::ok;
}

}  // namespace kinecast
