// SPDX-License-Identifier: MIT
// Forward dynamics of a robot some of whose joints are rigid (rigidify.hpp): the three sweeps of forward_dynamics.hpp
// over the active joints only. What they leave in the workspace is what the full sweeps leave with these joints held:
// U, 1/D and u/D of the active joints in their own frames, 1/D = 0 at the rigid ones, and every joint's screw. So
// contact_map(), the rows of factor_row.hpp, impulses and velocity_from_factor() work on the hybrid tree as they are.
// sweep_step_motion() reads the motions of all bodies: call complete_motions() before it.
//
// Cost on a Cortex-M4F: an active joint about 770 instructions (in the full sweeps 630), a rigid one 45; it pays as
// soon as a third of the joints is rigid. complete_motions() costs 240 per rigid joint.
#pragma once

#include <kinecast/dynamics/forward_dynamics.hpp>
#include <kinecast/dynamics/rigidify.hpp>

namespace kinecast {

namespace detail {

// Between an active body and the active body before it, in their frames on the hybrid tree, as kinematics/transfer.hpp
// between neighbours in their own.
template <const auto& R, class S>
struct HybridTransfer {
  static constexpr bool kTurns = !Shape<R>::kHas.serial;  // in an arm every frame can be turned for its only child
  const HybridJoint<S>& seat;
  Screw<S> along_z;

  [[gnu::always_inline]] HybridTransfer(const HybridJoint<S>& joint, const Screw<S>& own) noexcept
      : seat(joint), along_z(joint.is_plain ? own : joint.joint.along_z * own) {}

  [[nodiscard, gnu::always_inline]] bool is_across() const noexcept { return std::abs(seat.across) > S(0); }
  [[nodiscard, gnu::always_inline]] bool is_turned() const noexcept { return kTurns && seat.is_turned; }
  [[nodiscard, gnu::always_inline]] Vec3<S> origin() const noexcept {
    const Screw<S>& x = seat.joint.along_x;
    const Vec3<S> before{x.slide, seat.across - x.sin * along_z.slide, x.cos * along_z.slide};
    if (!is_turned()) return before;
    const Vec3<S> turned = turn_z(seat.turn, before);
    return {turned.x, turned.y, turned.z + seat.turn.slide};
  }
  [[nodiscard, gnu::always_inline]] Vec3<S> axes_outward(const Vec3<S>& v) const noexcept {
    return turn_back_z(along_z, turn_back_x(seat.joint.along_x, is_turned() ? turn_back_z(seat.turn, v) : v));
  }
  [[nodiscard, gnu::always_inline]] Motion<S> outward(Motion<S> v) const noexcept {
    if (is_turned()) v = motion_back_z(seat.turn, v);
    v.linear = {v.linear.x - seat.across * v.angular.z, v.linear.y, v.linear.z + seat.across * v.angular.x};
    return motion_back_z(along_z, motion_back_x(seat.joint.along_x, v));
  }
  [[nodiscard, gnu::always_inline]] Force<S> inward(Force<S> f) const noexcept {
    f = force_x(seat.joint.along_x, force_z(along_z, f));
    f.moment = {f.moment.x + seat.across * f.force.z, f.moment.y, f.moment.z - seat.across * f.force.x};
    return is_turned() ? force_z(seat.turn, f) : f;
  }
  template <class I>
  [[nodiscard, gnu::always_inline]] SpatialInertia<S> inward_inertia(const I& m) const noexcept {
    SpatialInertia<S> out = inertia_x(seat.joint.along_x, inertia_z(along_z, m));
    if (is_across()) out = slide_y(seat.across, out);
    if (is_turned()) out = inertia_z(seat.turn, out);
    return out;
  }
};

// From a body's frame on the hybrid tree to its own.
template <class S>
[[nodiscard, gnu::always_inline]] inline Force<S> own_force(const HybridJoint<S>& joint, const Force<S>& f) noexcept {
  return joint.is_framed ? force_z(joint.frame, f) : f;
}
template <class S>
[[nodiscard, gnu::always_inline]] inline Motion<S> own_motion(const HybridJoint<S>& joint,
                                                              const Motion<S>& v) noexcept {
  return joint.is_framed ? motion_back_z(inverse(joint.frame), v) : v;
}
template <class S>
[[nodiscard, gnu::always_inline]] inline LinkMotion<S> own_motion(const HybridJoint<S>& joint, const LinkMotion<S>& m,
                                                                  const Mat3<S>& spinning) noexcept {
  if (!joint.is_framed) return m;
  const Screw<S>& k = joint.frame;
  const Vec3<S> along{spinning.row_x.z, spinning.row_y.z, spinning.row_z.z};
  return {turn_z(k, m.omega), turn_z(k, m.alpha), turn_z(k, m.acceleration - k.slide * along)};
}

// Axes of a spherical body to those of its active parent.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Mat3<S> ball_turn(const RigidJoints<R, S>& rigid, const Screws<R, S>& screws,
                                                           int b) noexcept {
  const std::size_t free = static_cast<std::size_t>(Shape<R>::index(b).free);
  return rigid.seats[free] * screws.spherical[free];
}

// Refuses what check_input() does, of the active joints' entries: those of rigid joints are not read.
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

// What the rigid joints leave in the workspace: their screws as they stand, and that nothing accelerates them.
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
    // One by one: a whole zero would become a call of memset.
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

// The screws of the active joints.
template <const auto& R, class S>
[[nodiscard]] inline Status update_active_screws(const Model<R, S>& model, const RigidJoints<R, S>& rigid,
                                                 const Position<R, S>& q, Workspace<R, S>& work) noexcept {
  using Shape = kinecast::Shape<R>;
  for (int i = 0; i < rigid.active; ++i) {
    const int b = rigid.body(i);
    if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
      const Status status =
          find_screw<R>(model.joint(b), b, q[Shape::q_of(b)], work.screws.joint[static_cast<std::size_t>(b)]);
      if (!ok(status)) return status;
    } else if constexpr (Shape::kHas.floating + Shape::kHas.spherical > 0) {
      if (const Status status = find_rotation(model, q, b, work.screws); !ok(status)) return status;
    }
  }
  return Status::ok;
}

// How a body moves that hangs on the world, or on what is welded to it.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline LinkMotion<S> root_motion(const RigidJoints<R, S>& rigid,
                                                                   const Screws<R, S>& screws, int b,
                                                                   const Rates<R, S>& rates) noexcept {
  using Shape = kinecast::Shape<R>;
  const Vec3<S>& lift = rigid[b].offset;
  LinkMotion<S> m{};
  if constexpr (Shape::kHas.floating > 0) {
    if (Shape::is_floating(b)) {
      const Mat3<S>& turn = screws.floating[static_cast<std::size_t>(Shape::index(b).free)];
      m.acceleration = transpose_times(turn, lift);
      m.omega = transpose_times(turn, rates.velocity3(Shape::v_of(b) + 3));
      return m;
    }
  }
  m.acceleration = turn_back_z(HybridTransfer<R, S>(rigid[b], screws[b]).along_z, lift);
  if constexpr (Shape::kHas.spherical > 0) {
    if (Shape::is_spherical(b))
      m.acceleration = transpose_times(screws.spherical[static_cast<std::size_t>(Shape::index(b).free)], lift);
  }
  add_joint_rates(b, rates, m);
  return m;
}

// As sweep_motion_outward() of bias.hpp. With `pushed` the bias holds what acts from
// outside, and the motion's is added.
template <bool pushed, const auto& R, class S>
inline void sweep_motion_outward(const RigidJoints<R, S>& rigid, const Rates<R, S>& rates,
                                 Workspace<R, S>& work) noexcept {
  using Shape = kinecast::Shape<R>;
  LinkMotion<S> motion{};
  Mat3<S> spinning{};
  for (int i = 0; i < rigid.active; ++i) {
    const int b = rigid.body(i);
    const HybridJoint<S>& own = rigid[b];
    if (Shape::kHas.serial ? i == 0 : own.parent == kWorld) {
      motion = root_motion(rigid, work.screws, b, rates);
    } else {
      if constexpr (Shape::kHas.slots > 0) {
        if (own.slot_of_parent >= 0) {
          motion = work.outward[static_cast<std::size_t>(own.slot_of_parent)];
          spinning = spin(motion);
        }
      }
      if (Shape::is_spherical(b)) {
        if constexpr (Shape::kHas.spherical > 0) {
          const Mat3<S> turn = ball_turn(rigid, work.screws, b);
          motion.acceleration = transpose_times(turn, motion.acceleration + spinning * own.offset);
          motion.omega = transpose_times(turn, motion.omega);
          motion.alpha = transpose_times(turn, motion.alpha);
        }
      } else {
        const HybridTransfer<R, S> across(own, work.screws[b]);
        motion.acceleration = across.axes_outward(motion.acceleration + spinning * across.origin());
        motion.omega = across.axes_outward(motion.omega);
        motion.alpha = across.axes_outward(motion.alpha);
      }
      add_joint_rates(b, rates, motion);
    }
    spinning = spin(motion);
    if constexpr (Shape::kHas.slots > 0) {
      if (own.slot >= 0) work.outward[static_cast<std::size_t>(own.slot)] = motion;
    }
    if constexpr (Shape::kPoints > 0) work.products[static_cast<std::size_t>(b)] = own_motion(own, motion, spinning);
    Force<S>& bias = work.bias[static_cast<std::size_t>(b)];
    const Force<S> inertial = inertial_force(own.joint, motion.acceleration, spinning);
    bias = pushed ? bias + inertial : inertial;
  }
}

// As sweep_inward() of forward_dynamics.hpp.
template <const auto& R, class S, class Source>
[[nodiscard]] inline bool sweep_inward(const RigidJoints<R, S>& rigid, Source& source, Workspace<R, S>& work) noexcept {
  using Shape = kinecast::Shape<R>;
  ArticulatedBody<S> sum{};
  for (int i = rigid.active - 1; i >= 0; --i) {
    const int b = rigid.body(i);
    const std::size_t at = static_cast<std::size_t>(b);
    const HybridJoint<S>& own = rigid[b];
    const bool is_root = Shape::kHas.serial ? i == 0 : own.parent == kWorld;
    if constexpr (Shape::kHas.slots > 0) {
      if (own.slot >= 0) sum = sum + work.inward[static_cast<std::size_t>(own.slot)];
    }
    const SpatialInertia<S> inertia = sum.inertia + own.joint.inertia;
    const Force<S> force = sum.bias + work.bias[at];
    const int v = Shape::v_of(b);
    if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
      const bool turns = Shape::kHas.prismatic == 0 || Shape::is_revolute(b);
      const Sym3<S>& r = inertia.rotational;
      const Mat3<S>& h = inertia.coupling;
      const Sym3<S>& t = inertia.translational;
      const Force<S> U = turns ? Force<S>{{r.xz, r.yz, r.zz}, h.row_z}
                               : Force<S>{{h.row_x.z, h.row_y.z, h.row_z.z}, {t.xz, t.yz, t.zz}};
      S D = turns ? U.moment.z : U.force.z;
      if constexpr (Shape::kHas.rotors > 0) D += own.joint.rotor;
      const S scale = turns ? r.xx + r.yy + D : t.xx + t.yy + D;
      if (!(D > Tolerance<S>::kSingularInertia * scale)) return false;
      const S load = turns ? force.moment.z : force.force.z;
      const JointAction<S> action = source.act(b, v, D, load);
      constexpr bool kKeeps = Shape::kHas.rotors > 0 || !Source::kIsPlain;
      const S kept = kKeeps ? own.joint.rotor + action.damping : S(0);
      const S inverse_D = action.held ? S(0) : S(1) / (Source::kIsPlain ? D : D + action.damping);
      const S keep = action.held ? S(1) : kept * inverse_D;
      const S free = action.held ? action.acceleration : (action.torque - load) * inverse_D;
      work.hinges[at] = {own_force(own, U), inverse_D, free};
      if (action.held) source.carry(b, load + (turns ? U.moment.z : U.force.z) * free);
      if (!is_root) {
        Force<S> passed{force.moment + free * U.moment, force.force + free * U.force};
        if (!action.held)
          (turns ? passed.moment.z : passed.force.z) = kKeeps ? action.torque - kept * free : action.torque;
        const HybridTransfer<R, S> across(own, work.screws[b]);
        if (!kKeeps && turns)
          sum.inertia = across.inward_inertia(free_hinge(inertia, inverse_D));
        else
          sum.inertia = across.inward_inertia(free_joint(inertia, U, inverse_D, keep, turns));
        sum.bias = across.inward(passed);
      }
    } else if (Shape::is_spherical(b)) {
      if constexpr (Shape::kHas.spherical > 0) {
        Ball<S>& ball = work.balls[static_cast<std::size_t>(Shape::index(b).free)];
        Sym3<S> left{};
        if (!free_ball(inertia, ball, left)) return false;
        const Vec3<S> tau{source.torque(v), source.torque(v + 1), source.torque(v + 2)};
        S u[3] = {tau.x - force.moment.x, tau.y - force.moment.y, tau.z - force.moment.z};
        ball.D.solve(u);
        ball.inverse_D_u = {u[0], u[1], u[2]};
        if (!is_root) {
          const Mat3<S> turn = ball_turn(rigid, work.screws, b);
          sum.inertia = shift(own.offset, SpatialInertia<S>{{}, {}, rotated(turn, left)});
          const Vec3<S> pushed = force.force + transpose_times(inertia.coupling, ball.inverse_D_u);
          sum.bias = shift(own.offset, Force<S>{turn * tau, turn * pushed});
        }
      }
    } else if constexpr (Shape::kHas.floating > 0) {
      const std::size_t free = static_cast<std::size_t>(Shape::index(b).free);
      if (!factor_base(inertia, work.bases[free])) return false;
      const Mat3<S>& turn = work.screws.floating[free];
      const Vec3<S> push = transpose_times(turn, Vec3<S>{source.torque(v), source.torque(v + 1), source.torque(v + 2)});
      const Vec3<S> twist =
          transpose_times(turn, Vec3<S>{source.torque(v + 3), source.torque(v + 4), source.torque(v + 5)});
      work.base_u[free] = Force<S>{twist, push} - force;
    }
    if constexpr (!Shape::kHas.serial) {
      if (own.slot_of_parent < 0 && !is_root) continue;  // the parent is the next body of this sweep
      if constexpr (Shape::kHas.slots > 0) {
        if (own.slot_of_parent >= 0) {
          ArticulatedBody<S>& slot = work.inward[static_cast<std::size_t>(own.slot_of_parent)];
          slot = own.first_in_slot ? sum : slot + sum;
        }
      }
      sum = {};
    }
  }
  return true;
}

// As sweep_outward() of forward_dynamics.hpp; leaves the entries of rigid joints alone.
template <const auto& R, class S>
inline void sweep_outward(const RigidJoints<R, S>& rigid, Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
  using Shape = kinecast::Shape<R>;
  Motion<S> delta{};
  for (int i = 0; i < rigid.active; ++i) {
    const int b = rigid.body(i);
    const std::size_t at = static_cast<std::size_t>(b);
    const int v = Shape::v_of(b);
    const HybridJoint<S>& own = rigid[b];
    if (Shape::kHas.serial ? i == 0 : own.parent == kWorld) {
      delta = {};
    } else {
      if constexpr (Shape::kHas.slots > 0) {
        if (own.slot_of_parent >= 0) delta = work.response[static_cast<std::size_t>(own.slot_of_parent)];
      }
      if (!Shape::is_spherical(b)) delta = HybridTransfer<R, S>(own, work.screws[b]).outward(delta);
    }
    if constexpr (Shape::kHas.floating > 0) {
      if (Shape::is_floating(b)) {
        const std::size_t free = static_cast<std::size_t>(Shape::index(b).free);
        const Force<S>& u = work.base_u[free];
        S x[6] = {u.moment.x, u.moment.y, u.moment.z, u.force.x, u.force.y, u.force.z};
        work.bases[free].solve(x);
        delta = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
        const Vec3<S> linear = work.screws.floating[free] * delta.linear;
        const Vec3<S> angular = work.screws.floating[free] * delta.angular;
        ddq[v] = linear.x, ddq[v + 1] = linear.y, ddq[v + 2] = linear.z;
        ddq[v + 3] = angular.x, ddq[v + 4] = angular.y, ddq[v + 5] = angular.z;
      }
    }
    if constexpr (Shape::kHas.spherical > 0) {
      if (Shape::is_spherical(b)) {
        if (own.parent != kWorld) {
          const Mat3<S> turn = ball_turn(rigid, work.screws, b);
          const Motion<S> at_joint = shift_back(own.offset, delta);
          delta = {transpose_times(turn, at_joint.angular), transpose_times(turn, at_joint.linear)};
        }
        const Ball<S>& ball = work.balls[static_cast<std::size_t>(Shape::index(b).free)];
        const Vec3<S> x = ball.inverse_D_u - delta.angular - ball.inverse_D_coupling * delta.linear;
        ddq[v] = x.x, ddq[v + 1] = x.y, ddq[v + 2] = x.z;
        delta.angular = delta.angular + x;
      }
    }
    if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
      const Hinge<S>& hinge = work.hinges[at];
      const Motion<S> before = own_motion(own, delta);
      const S carried = power(hinge.U, before);
      const S acceleration = hinge.own_acceleration - carried * hinge.inverse_D;
      if constexpr (Shape::kHas.drives > 0) work.carried[at] = carried;
      ddq[v] = acceleration;
      const bool turns = Shape::kHas.prismatic == 0 || Shape::is_revolute(b);
      (turns ? delta.angular.z : delta.linear.z) += acceleration;
      if constexpr (Shape::kPoints > 0) {
        work.added[at] = before;
        (turns ? work.added[at].angular.z : work.added[at].linear.z) += acceleration;
      }
    } else if constexpr (Shape::kPoints > 0) {
      work.added[at] = delta;
    }
    if constexpr (Shape::kHas.slots > 0) {
      if (own.slot >= 0) work.response[static_cast<std::size_t>(own.slot)] = delta;
    }
  }
}

// Leaves in the bias what acts on the active bodies from outside, and on all that is welded to them.
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

// Three sweeps for the torques of `source`. `ddq` is scratch of the caller; `wrenches` may be null.
template <const auto& R, class S, class Source>
[[nodiscard]] inline Status sweep_hybrid(const Model<R, S>& model, const RigidJoints<R, S>& rigid,
                                         const Position<R, S>& q, const Velocity<R, S>& dq, Source& source,
                                         const LinkWrenches<R, S>* wrenches, Workspace<R, S>& work,
                                         Velocity<R, S>& ddq) noexcept {
  if (!rigid.ready) return Status::not_ready;
  if (const Status status = check_active(rigid, dq); !ok(status)) return status;
  work.swept = false;
  if (const Status status = hold_rigid(rigid, dq, work, ddq); !ok(status)) return status;
  if (const Status status = update_active_screws(model, rigid, q, work); !ok(status)) return status;
  const Rates<R, S> rates{dq, nullptr};
  if (wrenches != nullptr) {
    collect_wrenches(model, rigid, *wrenches, work);
    sweep_motion_outward<true>(rigid, rates, work);
  } else {
    sweep_motion_outward<false>(rigid, rates, work);
  }
  if (!sweep_inward(rigid, source, work)) return Status::singular_inertia;
  work.swept = true;
  sweep_outward(rigid, work, ddq);
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

// After forward_dynamics(): the motions of the rigid bodies too, which contact reads (Workspace's products and added).
// Nothing for a robot without contact points.
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
      const Vec3<S> at_joint = parent.acceleration + detail::spin(parent) * origin_in_parent(model, work.screws, b);
      own.omega = axes_to_child(model, work.screws, b, parent.omega);
      own.alpha = axes_to_child(model, work.screws, b, parent.alpha);
      own.acceleration = axes_to_child(model, work.screws, b, at_joint);
      work.added[at] = to_child(model, work.screws, b, work.added[p]);
    }
  }
}

}  // namespace kinecast
