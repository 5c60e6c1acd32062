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
#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/inward.hpp>

namespace kinecast {

namespace detail {

// IA - U Uᵀ / D for a hinge without rotor: U is the z row, D its z entry, so that row vanishes.
template <class S>
[[nodiscard, gnu::always_inline]] inline HingedInertia<S> free_hinge(const SpatialInertia<S>& m, S inverse_D) noexcept {
  const Vec3<S>& row = m.coupling.row_z;
  const S x = m.rotational.xz * inverse_D;
  const S y = m.rotational.yz * inverse_D;
  const Vec3<S> l = inverse_D * row;
  return {m.rotational.xx - m.rotational.xz * x,
          m.rotational.xy - m.rotational.xz * y,
          m.rotational.yy - m.rotational.yz * y,
          m.coupling.row_x - x * row,
          m.coupling.row_y - y * row,
          {m.translational.xx - row.x * l.x, m.translational.xy - row.x * l.y, m.translational.xz - row.x * l.z,
           m.translational.yy - row.y * l.y, m.translational.yz - row.y * l.z, m.translational.zz - row.z * l.z}};
}

// IA - U Uᵀ / D with a rotor, or for a slide. The joint's own row is keep U, keep = rotor / D, exactly; computed as a
// difference it would be rounding noise, which a light joint beyond would take for its inertia.
template <class S>
[[nodiscard, gnu::always_inline]] inline SpatialInertia<S> free_joint(const SpatialInertia<S>& m, const Force<S>& U,
                                                                      S inverse_D, S keep, bool turns) noexcept {
  const Vec3<S>& a = U.moment;
  const Vec3<S>& l = U.force;
  const Vec3<S> ad = inverse_D * a;
  const Vec3<S> ld = inverse_D * l;
  const auto minus = [](const Sym3<S>& s, const Vec3<S>& u, const Vec3<S>& v) -> Sym3<S> {
    return {s.xx - u.x * v.x, s.xy - u.x * v.y, s.xz - u.x * v.z, s.yy - u.y * v.y, s.yz - u.y * v.z, s.zz - u.z * v.z};
  };
  SpatialInertia<S> left{minus(m.rotational, a, ad),
                         {m.coupling.row_x - ad.x * l, m.coupling.row_y - ad.y * l, m.coupling.row_z - ad.z * l},
                         minus(m.translational, l, ld)};
  if (turns) {
    left.rotational.xz = keep * a.x, left.rotational.yz = keep * a.y, left.rotational.zz = keep * a.z;
    left.coupling.row_z = keep * l;
  } else {
    left.translational.xz = keep * l.x, left.translational.yz = keep * l.y, left.translational.zz = keep * l.z;
    left.coupling.row_x.z = keep * a.x, left.coupling.row_y.z = keep * a.y, left.coupling.row_z.z = keep * a.z;
  }
  return left;
}

// The articulated inertia as a dense matrix [angular; linear], for a floating base.
template <class S>
[[nodiscard]] inline bool factor_base(const SpatialInertia<S>& m, Cholesky<S, 6>& out) noexcept {
  const Sym3<S>& r = m.rotational;
  const Mat3<S>& h = m.coupling;
  const Sym3<S>& t = m.translational;
  const S zero{};
  // Cholesky reads the lower triangle only.
  const S dense[6][6] = {{r.xx, zero, zero, zero, zero, zero},
                         {r.xy, r.yy, zero, zero, zero, zero},
                         {r.xz, r.yz, r.zz, zero, zero, zero},
                         {h.row_x.x, h.row_y.x, h.row_z.x, t.xx, zero, zero},
                         {h.row_x.y, h.row_y.y, h.row_z.y, t.xy, t.yy, zero},
                         {h.row_x.z, h.row_y.z, h.row_z.z, t.xz, t.yz, t.zz}};
  return out.factor(dense);
}

// Projects a spherical joint out: only a force passes it, so only the translational block is left.
template <class S>
[[nodiscard]] inline bool free_ball(const SpatialInertia<S>& m, Ball<S>& ball, Sym3<S>& translational) noexcept {
  const Sym3<S>& r = m.rotational;
  const S zero{};
  const S dense[3][3] = {{r.xx, zero, zero}, {r.xy, r.yy, zero}, {r.xz, r.yz, r.zz}};
  if (!ball.D.factor(dense)) return false;
  const Mat3<S> columns = transpose(m.coupling);
  const auto solve = [&](const Vec3<S>& v) -> Vec3<S> {
    S x[3] = {v.x, v.y, v.z};
    ball.D.solve(x);
    return {x[0], x[1], x[2]};
  };
  const Mat3<S> solved{solve(columns.row_x), solve(columns.row_y), solve(columns.row_z)};  // (D⁻¹ coupling)ᵀ
  ball.inverse_D_coupling = transpose(solved);
  const Sym3<S>& t = m.translational;
  translational = {t.xx - dot(columns.row_x, solved.row_x), t.xy - dot(columns.row_x, solved.row_y),
                   t.xz - dot(columns.row_x, solved.row_z), t.yy - dot(columns.row_y, solved.row_y),
                   t.yz - dot(columns.row_y, solved.row_z), t.zz - dot(columns.row_z, solved.row_z)};
  return true;
}

// Inward: leaves U, 1/D, u/D at every joint. Expects screws and bias. `source` gives the torques; a drive decides about
// its joint here, where D and the load are known (drive/joint_action.hpp). False: a joint moves nothing.
template <const auto& R, class S, class Source>
[[nodiscard]] inline bool sweep_inward(const Model<R, S>& model, Source& source, Workspace<R, S>& work) noexcept {
  using Shape = kinecast::Shape<R>;
  ArticulatedBody<S> sum{};  // what the children hand to their parent
  for (int b = Shape::kBodies - 1; b >= 0; --b) {
    const std::size_t at = static_cast<std::size_t>(b);
    const JointConstants<S>& joint = model.joint(b);
    collect<R>(b, work.inward, sum);
    const SpatialInertia<S> inertia = sum.inertia + joint.inertia;
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
      if constexpr (Shape::kHas.rotors > 0) D += joint.rotor;
      const S scale = turns ? r.xx + r.yy + D : t.xx + t.yy + D;
      if (!(D > Tolerance<S>::kSingularInertia * scale)) return false;
      const S load = turns ? force.moment.z : force.force.z;
      const JointAction<S> action = source.act(b, v, D, load);
      constexpr bool kKeeps = Shape::kHas.rotors > 0 || !Source::kIsPlain;
      const S kept = kKeeps ? joint.rotor + action.damping : S(0);  // inertia that the parent does not feel
      const S inverse_D = action.held ? S(0) : S(1) / (Source::kIsPlain ? D : D + action.damping);
      const S keep = action.held ? S(1) : kept * inverse_D;  // a held joint passes on its whole inertia
      const S own = action.held ? action.acceleration : (action.torque - load) * inverse_D;
      work.hinges[at] = {U, inverse_D, own};
      if (action.held) source.carry(b, load + (turns ? U.moment.z : U.force.z) * own);
      if (!Shape::is_root(b)) {
        Force<S> passed{force.moment + own * U.moment, force.force + own * U.force};
        if (!action.held)
          (turns ? passed.moment.z : passed.force.z) = kKeeps ? action.torque - kept * own : action.torque;
        if (!kKeeps && turns)
          sum.inertia = to_parent_inertia(model, work.screws, b, free_hinge(inertia, inverse_D));
        else
          sum.inertia = to_parent_inertia(model, work.screws, b, free_joint(inertia, U, inverse_D, keep, turns));
        sum.bias = to_parent(model, work.screws, b, passed);
      }
    } else if (Shape::is_spherical(b)) {
      if constexpr (Shape::kHas.spherical > 0) {
        const JointIndex& index = Shape::index(b);
        Ball<S>& ball = work.balls[static_cast<std::size_t>(index.free)];
        Sym3<S> left{};
        if (!free_ball(inertia, ball, left)) return false;
        const Vec3<S> tau{source.torque(v), source.torque(v + 1), source.torque(v + 2)};
        S u[3] = {tau.x - force.moment.x, tau.y - force.moment.y, tau.z - force.moment.z};
        ball.D.solve(u);
        ball.inverse_D_u = {u[0], u[1], u[2]};
        if (!Shape::is_root(b)) {
          const Mat3<S>& turn = work.screws.spherical[static_cast<std::size_t>(index.free)];
          sum.inertia = shift(model.mount(index.mount).position, SpatialInertia<S>{{}, {}, rotated(turn, left)});
          sum.bias = to_parent(model, work.screws, b,
                               Force<S>{tau, force.force + transpose_times(inertia.coupling, ball.inverse_D_u)});
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
    hand_on<R>(b, work.inward, sum);
  }
  return true;
}

// Outward: what the joints add for the own accelerations, D⁻¹ u and u in the workspace.
template <const auto& R, class S>
inline void sweep_outward(const Model<R, S>& model, Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
  using Shape = kinecast::Shape<R>;
  Motion<S> delta{};
  for (int b = 0; b < Shape::kBodies; ++b) {
    const std::size_t at = static_cast<std::size_t>(b);
    const int v = Shape::v_of(b);
    if (Shape::is_root(b)) {
      delta = {};
    } else {
      if constexpr (Shape::kHas.slots > 0) {
        if (const int slot = Shape::index(b).slot_of_parent; slot >= 0)
          delta = work.response[static_cast<std::size_t>(slot)];
      }
      delta = to_child(model, work.screws, b, delta);
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
        const Ball<S>& ball = work.balls[static_cast<std::size_t>(Shape::index(b).free)];
        const Vec3<S> x = ball.inverse_D_u - delta.angular - ball.inverse_D_coupling * delta.linear;
        ddq[v] = x.x, ddq[v + 1] = x.y, ddq[v + 2] = x.z;
        delta.angular = delta.angular + x;
      }
    }
    if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
      const Hinge<S>& hinge = work.hinges[at];
      const S carried = power(hinge.U, delta);
      const S acceleration = hinge.own_acceleration - carried * hinge.inverse_D;
      if constexpr (Shape::kHas.drives > 0) work.carried[at] = carried;
      ddq[v] = acceleration;
      (Shape::kHas.prismatic == 0 || Shape::is_revolute(b) ? delta.angular.z : delta.linear.z) += acceleration;
    }
    if constexpr (Shape::kPoints > 0) work.added[at] = delta;
    if constexpr (Shape::kHas.slots > 0) {
      if (const int slot = Shape::index(b).slot; slot >= 0) work.response[static_cast<std::size_t>(slot)] = delta;
    }
  }
}

// Nothing comes between the sweeps. (What can: contact/joint_limits.hpp.)
struct NoStops {
  template <class Work>
  [[nodiscard]] Status before_outward(Work& /*work*/) const noexcept {
    return Status::ok;
  }
  template <class Work, class Accelerations>
  [[nodiscard]] bool again(Work& /*work*/, const Accelerations& /*ddq*/, Status& /*status*/) const noexcept {
    return false;
  }
};

// `wrenches` may be null. `stops` may change the own accelerations before the outward sweep, and ask for another
// one, as often as it has stops.
template <const auto& R, class S, class Stops>
[[nodiscard]] inline Status find_accelerations(const Model<R, S>& model, const Position<R, S>& q,
                                               const Velocity<R, S>& dq, const Velocity<R, S>& tau,
                                               const LinkWrenches<R, S>* wrenches, Stops&& stops, Workspace<R, S>& work,
                                               Velocity<R, S>& ddq) noexcept {
  if (const Status status = check_input(dq); !ok(status)) return status;
  if (const Status status = check_input(tau); !ok(status)) return status;
  work.swept = false;
  if (const Status status = update_screws(model, q, work.screws); !ok(status)) return status;
  sweep_motion_outward(model, Rates<R, S>{dq, nullptr}, work);
  if (wrenches != nullptr) subtract_wrenches(model, *wrenches, work);
  const GivenTorque<R, S> source{tau};
  if (!sweep_inward(model, source, work)) return Status::singular_inertia;
  work.swept = true;
  Status stopped = stops.before_outward(work);
  if (!ok(stopped)) return stopped;
  Velocity<R, S> result;
  do sweep_outward(model, work, result);
  while (stops.again(work, result, stopped));
  if (!ok(stopped)) return stopped;
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
  return detail::find_accelerations<R, S>(model, q, dq, tau, nullptr, detail::NoStops{}, work, ddq);
}

// The same with wrenches on the links.
template <const auto& R, class S>
[[nodiscard]] inline Status forward_dynamics(const Model<R, S>& model, const Position<R, S>& q,
                                             const Velocity<R, S>& dq, const Velocity<R, S>& tau,
                                             const LinkWrenches<R, S>& wrenches, Workspace<R, S>& work,
                                             Velocity<R, S>& ddq) noexcept {
  if (const Status status = check_input(wrenches.reshaped()); !ok(status)) return status;
  return detail::find_accelerations<R, S>(model, q, dq, tau, &wrenches, detail::NoStops{}, work, ddq);
}

}  // namespace kinecast
