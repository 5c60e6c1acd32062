// SPDX-License-Identifier: MIT
// Forward dynamics of a robot some of whose joints are rigid (rigidify.hpp): the three sweeps of forward_dynamics.hpp
// over the active joints only. What they leave in the workspace is what the full sweeps leave with these joints held:
// U, 1/D and u/D of the active joints in their own frames, 1/D = 0 at the rigid ones, and every joint's screw. So
// contact_map(), impulses and every other client of dynamics/factor.hpp work on the hybrid tree as they are.
// sweep_step_motion() reads the motions of all bodies: call complete_motions() before it.
//
// Cost on a Cortex-M4F: an active joint about 770 instructions (in the full sweeps 630), a rigid one 45; it pays as
// soon as a third of the joints is rigid. complete_motions() costs 240 per rigid joint.
#pragma once

#include <kinecast/dynamics/adaptive/rigid_tree.hpp>
#include <kinecast/dynamics/adaptive/rigidify.hpp>
#include <kinecast/dynamics/forward_dynamics.hpp>

namespace kinecast {

namespace detail {

// This refuses what check_input() does, of the active joints' entries: those of rigid joints are not read.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Status check_active(const RigidJoints<R, S>& rigid,
                                                             const Velocity<R, S>& values) noexcept {
  using Shape = kinecast::Shape<R>;
  const auto sum = [&](const auto& of) {
    S total{};
    for (int i = 0; i < rigid.active; ++i) {
      const int b = rigid.body(i);
      const int v = Shape::v_of(b);
      const int end = v + (Shape::kAllSingleAxis ? 1 : dofs_of(Shape::index(b).kind));
      for (int k = v; k < end; ++k) total += of(values[k]);
    }
    return total;
  };
  constexpr S kLimit = Tolerance<S>::kLargestInput * Tolerance<S>::kLargestInput;
  if (sum([](S x) { return x * x; }) <= kLimit) return Status::ok;
  return is_finite(sum([](S x) { return x; })) ? Status::input_out_of_range : Status::non_finite_input;
}

// This writes what the rigid joints leave in the workspace: their screws as they stand, and no acceleration.
template <const auto& R, class S>
[[nodiscard]] inline Status hold_rigid(const RigidJoints<R, S>& rigid, const Velocity<R, S>& dq, Workspace<R, S>& work,
                                       Velocity<R, S>& ddq) noexcept {
  using Shape = kinecast::Shape<R>;
  S speed{};
  for (int i = rigid.active; i < Shape::kBodies; ++i) {
    const int b = rigid.body(i);
    const std::size_t at = static_cast<std::size_t>(b);
    const int v = Shape::v_of(b);
    work.screws.joint[at] = rigid[b].joint.along_z;
    // The members are cleared one by one: a whole zero would become a call of memset.
    Hinge<S>& hinge = work.hinges[at];
    hinge.U.moment.x = hinge.U.moment.y = hinge.U.moment.z = S(0);
    hinge.U.force.x = hinge.U.force.y = hinge.U.force.z = S(0);
    hinge.inverse_D = hinge.own_acceleration = S(0);
    if constexpr (Shape::kHas.drives > 0) {
      work.actions[at] = {S(0), S(0), S(0), true, false};
      work.carried[at] = S(0);
    }
    ddq[v] = S(0);
    speed += std::abs(dq[v]);
  }
  if (speed <= S(0)) return Status::ok;
  return is_finite(speed) ? Status::input_out_of_range : Status::non_finite_input;
}

// This leaves in the bias what acts from outside on the active bodies and on all that is welded to them.
template <const auto& R, class S>
inline void collect_wrenches(const Model<R, S>& model, const RigidJoints<R, S>& rigid,
                             const LinkWrenches<R, S>& wrenches, Workspace<R, S>& work) noexcept {
  using Shape = kinecast::Shape<R>;
  for (Force<S>& bias : work.bias) bias = {};
  subtract_wrenches(model, wrenches, work);
  for (int i = Shape::kBodies - 1; i >= rigid.active; --i) {
    const int b = rigid.body(i);
    if (Shape::kBodies == 1 || Shape::is_root(b)) continue;
    Force<S>& parent = work.bias[static_cast<std::size_t>(rigid[b].parent)];
    parent = parent + to_parent(model, work.screws, b, work.bias[static_cast<std::size_t>(b)]);
  }
  for (int i = 0; i < rigid.active; ++i) {
    const int b = rigid.body(i);
    Force<S>& bias = work.bias[static_cast<std::size_t>(b)];
    if (rigid[b].is_framed) bias = force_z(inverse(rigid[b].frame), bias);
  }
}

// This runs the three sweeps for the torques of `source`. `ddq` is scratch of the caller; `wrenches` may be null.
template <const auto& R, class S, class Source>
[[nodiscard]] inline Status sweep_hybrid(const Model<R, S>& model, const RigidJoints<R, S>& rigid,
                                         const Position<R, S>& q, const Velocity<R, S>& dq, Source& source,
                                         const LinkWrenches<R, S>* wrenches, Workspace<R, S>& work,
                                         Velocity<R, S>& ddq) noexcept {
  if (!rigid.ready) return Status::not_ready;
  if (const Status status = check_active(rigid, dq); !ok(status)) return status;
  const RigidTree<R, S> tree{rigid};
  work.swept = false;
  if (const Status status = hold_rigid(rigid, dq, work, ddq); !ok(status)) return status;
  if (const Status status = update_screws_of(tree, model, q, work.screws); !ok(status)) return status;
  const Rates<R, S> rates{dq, nullptr};
  if (wrenches != nullptr) {
    collect_wrenches(model, rigid, *wrenches, work);
    sweep_motion_outward<BiasAtStart::from_outside>(tree, rates, work);
  } else {
    sweep_motion_outward(tree, rates, work);
  }
  if (!sweep_inward(tree, source, work)) return Status::singular_inertia;
  work.swept = true;
  sweep_outward(tree, work, ddq);
  return all_finite(ddq) ? Status::ok : Status::non_finite_result;
}

template <const auto& R, class S>
[[nodiscard]] inline Status find_accelerations(const Model<R, S>& model, const RigidJoints<R, S>& rigid,
                                               const Position<R, S>& q, const Velocity<R, S>& dq,
                                               const Velocity<R, S>& tau, const LinkWrenches<R, S>* wrenches,
                                               Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
  if (const Status status = check_active(rigid, tau); !ok(status)) return status;
  const GivenTorque<R, S> source{tau};
  Velocity<R, S> result;
  if (const Status status = sweep_hybrid(model, rigid, q, dq, source, wrenches, work, result); !ok(status))
    return status;
  ddq = result;
  return Status::ok;
}

}  // namespace detail

// ddq for given q, dq, tau; zero at the rigid joints. Of these q and tau are not used (they stand where
// rigidify() saw them, and carry what they must), and dq must be zero: input_out_of_range. `ddq` is untouched
// unless the result is ok and finite.
template <const auto& R, class S>
[[nodiscard]] inline Status forward_dynamics(const Model<R, S>& model, const RigidJoints<R, S>& rigid,
                                             const Position<R, S>& q, const Velocity<R, S>& dq,
                                             const Velocity<R, S>& tau, Workspace<R, S>& work,
                                             Velocity<R, S>& ddq) noexcept {
  return detail::find_accelerations<R, S>(model, rigid, q, dq, tau, nullptr, work, ddq);
}

// The same with wrenches on the links.
template <const auto& R, class S>
[[nodiscard]] inline Status forward_dynamics(const Model<R, S>& model, const RigidJoints<R, S>& rigid,
                                             const Position<R, S>& q, const Velocity<R, S>& dq,
                                             const Velocity<R, S>& tau, const LinkWrenches<R, S>& wrenches,
                                             Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
  if (const Status status = check_input(wrenches.reshaped()); !ok(status)) return status;
  return detail::find_accelerations<R, S>(model, rigid, q, dq, tau, &wrenches, work, ddq);
}

// complete_motions() adds, after forward_dynamics(), the motions of the rigid bodies, which contact reads (products and
// added of the Workspace). It does nothing for a robot without contact points.
template <const auto& R, class S>
inline void complete_motions(const Model<R, S>& model, const RigidJoints<R, S>& rigid, Workspace<R, S>& work) noexcept {
  using Shape = kinecast::Shape<R>;
  if constexpr (Shape::kPoints > 0) {
    for (int i = rigid.active; i < Shape::kBodies; ++i) {
      const int b = rigid.body(i);
      const std::size_t at = static_cast<std::size_t>(b);
      LinkMotion<S>& own = work.products[at];
      own = {};
      if (Shape::kBodies == 1 || Shape::is_root(b)) {
        own.acceleration = turn_back_z(work.screws[b], model.root(Shape::index(b).root).minus_gravity);
        work.added[at] = {};
        continue;
      }
      const std::size_t p = static_cast<std::size_t>(rigid[b].parent);
      const LinkMotion<S>& parent = work.products[p];
      // As carry_motion(), which works in place: its copy of the parent's motion would cost 11 % here.
      const Vec3<S> at_joint = parent.acceleration + detail::spin(parent) * origin_in_parent(model, work.screws, b);
      own.omega = axes_to_child(model, work.screws, b, parent.omega);
      own.alpha = axes_to_child(model, work.screws, b, parent.alpha);
      own.acceleration = axes_to_child(model, work.screws, b, at_joint);
      work.added[at] = to_child(model, work.screws, b, work.added[p]);
    }
  }
}

}  // namespace kinecast
