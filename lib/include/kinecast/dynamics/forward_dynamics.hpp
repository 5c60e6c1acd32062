// SPDX-License-Identifier: MIT
// Forward dynamics by the articulated-body method (method 1.2) in three sweeps:
//
//   outward  motion and bias force of every link for ddq = 0            dynamics/bias.hpp
//   inward   articulated inertia, U = IA S, D = Sᵀ U + rotor, u = tau - Sᵀ p; project the joint out, add to the parent
//   outward  what the joints add to that motion: ddq = u / D - Uᵀ delta / D, delta_child = X delta + S ddq
//
// The second outward sweep is linear in u and knows no velocity: response() runs it alone for contact forces.
//
// Why it is fast: joint axes are the z axes of their frames, so that S picks a column; a joint's frame change is two
// planar screws (math/spatial.hpp), each mixing two coordinates; an inertia is 21 numbers, or 15 once a hinge has freed
// its z row; sums go from body to body in local variables; and the velocity terms sit in the first sweep, where no
// articulated inertia multiplies them. The dense textbook version of all this is its test.
#pragma once

#include <kinecast/dynamics/bias.hpp>
#include <kinecast/dynamics/tree.hpp>
#include <kinecast/dynamics/workspace.hpp>

namespace kinecast {

namespace detail {

// Projects a joint with one axis out: leaves U, 1/D, u/D at it, and in `sum` what the parent feels. False: the body has
// no inertia along the joint.
template <const auto& R, class S, class AnyTree, class Source>
[[nodiscard, gnu::always_inline]] inline bool project_hinge(AnyTree tree, int place, const JointAt& j,
                                                            const SpatialInertia<S>& inertia, Source& source,
                                                            Workspace<R, S>& work, ArticulatedBody<S>& sum) noexcept {
  using Shape = kinecast::Shape<R>;
  const JointConstants<S>& joint = tree.joint(j.b);
  const bool turns = Shape::turns(j.b);
  const Sym3<S>& r = inertia.rotational;
  const Mat3<S>& h = inertia.coupling;
  const Sym3<S>& t = inertia.translational;
  const Force<S> U =
      turns ? Force<S>{{r.xz, r.yz, r.zz}, h.row_z} : Force<S>{{h.row_x.z, h.row_y.z, h.row_z.z}, {t.xz, t.yz, t.zz}};
  S D = Hinge<S>::felt(turns, U);
  if constexpr (Shape::kHas.rotors > 0) D += joint.rotor;
  const S scale = turns ? r.xx + r.yy + D : t.xx + t.yy + D;
  if (!(D > Tolerance<S>::kSingularInertia * scale)) return false;
  Hinge<S>& hinge = work.hinges[j.at];
  hinge.U = tree.own_force(j.b, U);
  const Force<S> force = sum.bias + work.bias[j.at];
  const S load = Hinge<S>::felt(turns, force);
  const JointAction<S> action = source.act(j.b, Shape::v_of(j.b), D, load);
  constexpr bool kKeeps = Shape::kHas.rotors > 0 || !Source::kIsPlain;
  const S kept = kKeeps ? joint.rotor + action.damping : S(0);  // inertia that the parent does not feel
  const S inverse_D = action.held ? S(0) : S(1) / (Source::kIsPlain ? D : D + action.damping);
  const S keep = action.held ? S(1) : kept * inverse_D;  // a held joint passes on its whole inertia
  const S own = action.held ? action.acceleration : (action.torque - load) * inverse_D;
  hinge.inverse_D = inverse_D;
  hinge.own_acceleration = own;
  if (action.held) source.carry(j.b, load + Hinge<S>::felt(turns, U) * own);
  if (!tree.is_root(place, j.b)) {
    Force<S> passed{force.moment + own * U.moment, force.force + own * U.force};
    if (!action.held) (turns ? passed.moment.z : passed.force.z) = kKeeps ? action.torque - kept * own : action.torque;
    const auto across = tree.across(work.screws, j.b);
    sum.bias = across.inward(passed);
    if (!kKeeps && turns)
      sum.inertia = across.inward_inertia(free_hinge(inertia, inverse_D));
    else
      sum.inertia = across.inward_inertia(free_joint(inertia, U, inverse_D, keep, turns));
  }
  return true;
}

// The same for a spherical joint: only a force passes it.
template <const auto& R, class S, class AnyTree, class Source>
[[nodiscard, gnu::always_inline]] inline bool project_ball(AnyTree tree, int place, const JointAt& j,
                                                           const SpatialInertia<S>& inertia, Source& source,
                                                           Workspace<R, S>& work, ArticulatedBody<S>& sum) noexcept {
  const int v = j.v;
  Ball<S>& ball = work.balls[free_of<R>(j.b)];
  Sym3<S> left{};
  if (!ball.factor(inertia, left)) return false;
  const Force<S> force = sum.bias + work.bias[j.at];
  const Vec3<S> tau{source.torque(v), source.torque(v + 1), source.torque(v + 2)};
  S u[3] = {tau.x - force.moment.x, tau.y - force.moment.y, tau.z - force.moment.z};
  ball.D.solve(u);
  ball.inverse_D_u = {u[0], u[1], u[2]};
  if (tree.is_root(place, j.b)) return true;
  const auto across = tree.across(work.screws, j.b);
  sum.inertia = across.inward_ball(left);
  sum.bias = across.inward(Force<S>{tau, force.force + transpose_times(inertia.coupling, ball.inverse_D_u)});
  return true;
}

// The same for a floating body, which hands nothing on.
template <const auto& R, class S, class Source>
[[nodiscard, gnu::always_inline]] inline bool project_base(const JointAt& j, const SpatialInertia<S>& inertia,
                                                           const ArticulatedBody<S>& sum, Source& source,
                                                           Workspace<R, S>& work) noexcept {
  const int v = j.v;
  const std::size_t free = free_of<R>(j.b);
  Base<S>& base = work.bases[free];
  if (!base.factor(inertia)) return false;
  const Mat3<S>& turn = work.screws.floating[free];
  const Vec3<S> push = transpose_times(turn, Vec3<S>{source.torque(v), source.torque(v + 1), source.torque(v + 2)});
  const Vec3<S> twist =
      transpose_times(turn, Vec3<S>{source.torque(v + 3), source.torque(v + 4), source.torque(v + 5)});
  base.u = Force<S>{twist, push} - (sum.bias + work.bias[j.at]);
  return true;
}

// Inward: leaves U, 1/D, u/D at every joint. Expects screws and bias. `source` gives the torques; a drive decides about
// its joint here, where D and the load are known (drive/joint_action.hpp). False: a joint moves nothing.
template <const auto& R, class S, class AnyTree, class Source>
[[nodiscard]] inline bool sweep_inward(AnyTree tree, Source& source, Workspace<R, S>& work) noexcept {
  using Shape = kinecast::Shape<R>;
  ArticulatedBody<S> sum{};  // what the children hand to their parent
  for (int place = tree.count() - 1; place >= 0; --place) {
    const int b = tree.body(place);
    const JointAt j = joint_at<R>(b);
    collect<R>(tree, b, work.inward, sum);
    const SpatialInertia<S> inertia = sum.inertia + tree.joint(b).inertia;
    if (Shape::has_one_axis(b)) {
      if (!project_hinge(tree, place, j, inertia, source, work, sum)) return false;
    } else if (Shape::is_spherical(b)) {
      if constexpr (Shape::kHas.spherical > 0)
        if (!project_ball(tree, place, j, inertia, source, work, sum)) return false;
    } else if constexpr (Shape::kHas.floating > 0) {
      if (!project_base(j, inertia, sum, source, work)) return false;
    }
    hand_on<R>(tree, place, b, work.inward, sum);
  }
  return true;
}

// What the joints of sweep_outward() do with the own accelerations, D⁻¹ u and u in the workspace.
template <const auto& R, class S, class AnyTree>
struct Accelerate {
  using Shape = kinecast::Shape<R>;
  AnyTree tree;
  Workspace<R, S>& work;
  Velocity<R, S>& ddq;

  [[gnu::always_inline]] void hinge(const JointAt& j, Motion<S>& delta) const noexcept {
    const Hinge<S>& hinge = work.hinges[j.at];
    const bool turns = Shape::turns(j.b);
    const Motion<S>& before = tree.own_motion(j.b, delta);
    const S carried = power(hinge.U, before);
    const S acceleration = hinge.own_acceleration - carried * hinge.inverse_D;
    if constexpr (Shape::kHas.drives > 0) work.carried[j.at] = carried;
    ddq[j.v] = acceleration;
    Hinge<S>::along(turns, delta) += acceleration;
    if constexpr (Shape::kPoints > 0) {
      if constexpr (AnyTree::kIsWhole) {
        work.added[j.at] = delta;
      } else {
        work.added[j.at] = before;
        Hinge<S>::along(turns, work.added[j.at]) += acceleration;
      }
    }
  }
  [[gnu::always_inline]] void ball(const JointAt& j, Motion<S>& delta) const noexcept {
    write_velocity(work.balls[free_of<R>(j.b)].accelerate(delta), j.v, ddq);
    if constexpr (Shape::kPoints > 0) work.added[j.at] = delta;
  }
  [[gnu::always_inline]] void base(const JointAt& j, Motion<S>& delta) const noexcept {
    delta = work.bases[free_of<R>(j.b)].accelerate();
    write_velocity(delta, work.screws.floating[free_of<R>(j.b)], j.v, ddq);
    if constexpr (Shape::kPoints > 0) work.added[j.at] = delta;
  }
};

// Outward: what the joints add for the own accelerations, D⁻¹ u and u in the workspace. Entries of bodies that are not
// in the tree stay.
template <const auto& R, class S, class AnyTree>
inline void sweep_outward(AnyTree tree, Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
  sweep_motions(tree, work, Accelerate<R, S, AnyTree>{tree, work, ddq});
}

// `wrenches` may be null.
template <const auto& R, class S>
[[nodiscard]] inline Status find_accelerations(const Model<R, S>& model, const Position<R, S>& q,
                                               const Velocity<R, S>& dq, const Velocity<R, S>& tau,
                                               const LinkWrenches<R, S>* wrenches, Workspace<R, S>& work,
                                               Velocity<R, S>& ddq) noexcept {
  if (const Status status = check_input(dq); !ok(status)) return status;
  if (const Status status = check_input(tau); !ok(status)) return status;
  work.swept = false;
  if (const Status status = update_screws(model, q, work.screws); !ok(status)) return status;
  const WholeTree<R, S> tree{model};
  sweep_motion_outward(tree, Rates<R, S>{dq, nullptr}, work);
  if (wrenches != nullptr) subtract_wrenches(model, *wrenches, work);
  const GivenTorque<R, S> source{tau};
  if (!sweep_inward(tree, source, work)) return Status::singular_inertia;
  work.swept = true;
  Velocity<R, S> result;
  sweep_outward(tree, work, result);
  if (!all_finite(result)) return Status::non_finite_result;
  ddq = result;
  return Status::ok;
}

}  // namespace detail

// ddq for given q, dq, tau. `ddq` is untouched unless the result is ok and finite.
template <const auto& R, class S>
[[nodiscard]] inline Status forward_dynamics(const Model<R, S>& model, const Position<R, S>& q,
                                             const Velocity<R, S>& dq, const Velocity<R, S>& tau, Workspace<R, S>& work,
                                             Velocity<R, S>& ddq) noexcept {
  return detail::find_accelerations<R, S>(model, q, dq, tau, nullptr, work, ddq);
}

// The same with wrenches on the links.
template <const auto& R, class S>
[[nodiscard]] inline Status forward_dynamics(const Model<R, S>& model, const Position<R, S>& q,
                                             const Velocity<R, S>& dq, const Velocity<R, S>& tau,
                                             const LinkWrenches<R, S>& wrenches, Workspace<R, S>& work,
                                             Velocity<R, S>& ddq) noexcept {
  if (const Status status = check_input(wrenches.reshaped()); !ok(status)) return status;
  return detail::find_accelerations<R, S>(model, q, dq, tau, &wrenches, work, ddq);
}

}  // namespace kinecast
