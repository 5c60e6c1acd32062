// SPDX-License-Identifier: MIT
// How the robot answers an impulse (Mirtich, method 1.4), from the factors that the last
// inward sweep left in the workspace:
//
//   inward from the struck body   u_i = S_iᵀ P;   P <- X_iᵀ (P - U_i u_i / D_i)              (P: [moment; force], N s)
//   outward over the whole tree  change of dq_i = (u_i - U_iᵀ X_i dV_p) / D_i;   dV_i = X_i dV_p + S_i (change of dq_i)
//
// The collision matrix K = J H⁻¹ Jᵀ of a point (1/kg; column j: how its velocity changes by a unit impulse along
// axis j) needs the inward way alone: three unit impulses travel together, K_jk = Sum of u_ij u_ik / D_i
// (method 14). It is symmetric, and positive semidefinite to rounding. A joint whose acceleration is given (1/D = 0)
// yields nothing. All of it is O(n). In float K is right to 2.1e-6 of its largest entry, a velocity change to 2.4e-6
// of the largest one that the components of the impulse make (measured: arms of six joints, trees of every joint
// kind, a humanoid of 34 degrees of freedom).
#pragma once

#include <kinecast/dynamics/factor_row.hpp>
#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/kinematics.hpp>
#include <kinecast/kinematics/transfer.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace kinecast {

// An impulse in world axes, N s, at a point.
template <class S>
struct PointImpulse {
  PointOnBody<S> point{};
  Vec3<S> impulse{};
};

template <class S>
[[nodiscard]] inline Matrix<S, 3, 3> to_matrix(const Sym3<S>& m) noexcept {
  return to_matrix(Mat3<S>{{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}});
}

namespace detail {

// ---- three forces on one body, which travel together so that a joint's numbers are read once ------------------------

template <class S>
struct ForceTriple {
  Force<S> x;
  Force<S> y;
  Force<S> z;
};
template <class S>
[[nodiscard]] inline ForceTriple<S> operator+(const ForceTriple<S>& a, const ForceTriple<S>& b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

// Unit forces at a point along three directions (rows), all in body axes.
template <class S>
[[nodiscard, gnu::always_inline]] inline ForceTriple<S> forces_at(const Vec3<S>& p, const Mat3<S>& axes) noexcept {
  return {{cross(p, axes.row_x), axes.row_x}, {cross(p, axes.row_y), axes.row_y}, {cross(p, axes.row_z), axes.row_z}};
}
// Along the body's own axes.
template <class S>
[[nodiscard, gnu::always_inline]] inline ForceTriple<S> forces_at(const Vec3<S>& p) noexcept {
  const S o{};
  const S i = S(1);
  return {{{o, p.z, -p.y}, {i, o, o}}, {{-p.z, o, p.x}, {o, i, o}}, {{p.y, -p.x, o}, {o, o, i}}};
}

// What a joint with one axis feels of them.
template <class S>
[[nodiscard, gnu::always_inline]] inline Vec3<S> felt_by_hinge(const ForceTriple<S>& c, bool turns) noexcept {
  return turns ? Vec3<S>{c.x.moment.z, c.y.moment.z, c.z.moment.z} : Vec3<S>{c.x.force.z, c.y.force.z, c.z.force.z};
}

// L⁻¹ of what a spherical joint (their moments) or a floating base (moments and forces) feels of them, by entries.
template <class S, std::size_t Size>
struct FeltRows {
  Vec3<S> row[Size];
};
template <class S, std::size_t Size>
[[nodiscard]] inline FeltRows<S, Size> felt_rows(const Cholesky<S, Size>& factor, const ForceTriple<S>& c) noexcept {
  const auto solve = [&factor](const Force<S>& f, S(&x)[Size]) {
    const S all[6] = {f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z};
    for (std::size_t i = 0; i < Size; ++i) x[i] = all[i];
    factor.solve_lower(x);
  };
  S x[Size];
  S y[Size];
  S z[Size];
  solve(c.x, x), solve(c.y, y), solve(c.z, z);
  FeltRows<S, Size> out;
  for (std::size_t i = 0; i < Size; ++i) out.row[i] = {x[i], y[i], z[i]};
  return out;
}

// ---- across a joint -------------------------------------------------------------------------------------------------

template <const auto& R>
[[nodiscard, gnu::always_inline]] constexpr bool hangs_on_body(int b) noexcept {
  return Shape<R>::kBodies > 1 && !Shape<R>::is_root(b);
}

// What is left of a force for the parent. For joints that hang on a body.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Force<S> pass_on(const Model<R, S>& model, const Workspace<R, S>& work, int b,
                                                          const Force<S>& f) noexcept {
  using Shape = kinecast::Shape<R>;
  if constexpr (Shape::kHas.spherical > 0) {
    if (Shape::is_spherical(b)) {
      const Ball<S>& ball = work.balls[static_cast<std::size_t>(Shape::index(b).free)];
      return to_parent(model, work.screws, b,
                       Force<S>{{}, f.force - transpose_times(ball.inverse_D_coupling, f.moment)});
    }
  }
  const Hinge<S>& hinge = work.hinges[static_cast<std::size_t>(b)];
  const bool turns = Shape::kHas.prismatic == 0 || Shape::is_revolute(b);
  const S own = (turns ? f.moment.z : f.force.z) * hinge.inverse_D;
  return to_parent(model, work.screws, b, Force<S>{f.moment - own * hinge.U.moment, f.force - own * hinge.U.force});
}
// The same for three: one piece of code where joints are of many kinds, in registers where each has one axis.
template <const auto& R, class S>
inline void pass_on_all(const Model<R, S>& model, const Workspace<R, S>& work, int b, ForceTriple<S>& c) noexcept {
  Force<S>* const all[3] = {&c.x, &c.y, &c.z};
  for (Force<S>* f : all) *f = pass_on(model, work, b, *f);
}
template <const auto& R, class S>
[[gnu::always_inline]] inline void pass_on_along_path(const Model<R, S>& model, const Workspace<R, S>& work, int b,
                                                      ForceTriple<S>& c) noexcept {
  if constexpr (Shape<R>::kAllSingleAxis)
    c = {pass_on(model, work, b, c.x), pass_on(model, work, b, c.y), pass_on(model, work, b, c.z)};
  else
    pass_on_all(model, work, b, c);
}

// The same past a hinge without rotor: nothing is left of the moment about z.
template <class S>
struct HingedForce {
  S moment_x;
  S moment_y;
  Vec3<S> force;
};
template <class S>
[[nodiscard, gnu::always_inline]] inline HingedForce<S> pass_hinge(const Hinge<S>& hinge, S own,
                                                                   const Force<S>& f) noexcept {
  return {f.moment.x - own * hinge.U.moment.x, f.moment.y - own * hinge.U.moment.y, f.force - own * hinge.U.force};
}
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Force<S> to_parent(const Model<R, S>& model, const Screws<R, S>& screws,
                                                            int body, const HingedForce<S>& f) noexcept {
  const Screw<S>& z = screws[body];
  const Screw<S>& x = model.joint(body).along_x;
  const Vec3<S> turned = turn_z(z, f.force);
  const S moment_x = z.cos * f.moment_x - z.sin * f.moment_y - z.slide * turned.y;
  const S moment_y = z.sin * f.moment_x + z.cos * f.moment_y + z.slide * turned.x;
  const Vec3<S> force = turn_x(x, turned);
  const Force<S> before_mount{{moment_x, x.cos * moment_y - x.slide * force.z, x.sin * moment_y + x.slide * force.y},
                              force};
  if constexpr (Shape<R>::kHas.mounts > 0) {
    if (const int index = Shape<R>::index(body).mount; index >= 0) {
      const Mount<S>& mount = model.mount(index);
      return shift(mount.position, force_z(mount.turn, before_mount));
    }
  }
  return before_mount;
}

template <class S>
[[gnu::always_inline]] inline void add_product(const Vec3<S>& u, const Vec3<S>& over_D, Sym3<S>& K) noexcept {
  K.xx += u.x * over_D.x, K.xy += u.x * over_D.y, K.xz += u.x * over_D.z;
  K.yy += u.y * over_D.y, K.yz += u.y * over_D.z, K.zz += u.z * over_D.z;
}
template <class S>
[[gnu::always_inline]] inline void add_product(const Vec3<S>& u, const Vec3<S>& over_D, Mat3<S>& K) noexcept {
  K = {K.row_x + u.x * over_D, K.row_y + u.y * over_D, K.row_z + u.z * over_D};
}

// What a body's joint adds to K: u uᵀ / D.
template <const auto& R, class S>
[[gnu::always_inline]] inline void add_joint(const Workspace<R, S>& work, int b, const ForceTriple<S>& c,
                                             Sym3<S>& K) noexcept {
  using Shape = kinecast::Shape<R>;
  if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
    const Vec3<S> u = felt_by_hinge(c, Shape::kHas.prismatic == 0 || Shape::is_revolute(b));
    add_product(u, work.hinges[static_cast<std::size_t>(b)].inverse_D * u, K);
  } else if (Shape::is_spherical(b)) {
    if constexpr (Shape::kHas.spherical > 0)
      for (const Vec3<S>& u : felt_rows(work.balls[static_cast<std::size_t>(Shape::index(b).free)].D, c).row)
        add_product(u, u, K);
  } else if constexpr (Shape::kHas.floating > 0) {
    for (const Vec3<S>& u : felt_rows(work.bases[static_cast<std::size_t>(Shape::index(b).free)], c).row)
      add_product(u, u, K);
  }
}

// The same of two sets of forces.
template <const auto& R, class S>
inline void add_joint(const Workspace<R, S>& work, int b, const ForceTriple<S>& moved, const ForceTriple<S>& struck,
                      Mat3<S>& K) noexcept {
  using Shape = kinecast::Shape<R>;
  const auto add_rows = [&K](const auto& left, const auto& right) {
    auto u = left.row;
    for (const Vec3<S>& v : right.row) add_product(*u++, v, K);
  };
  if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
    const bool turns = Shape::kHas.prismatic == 0 || Shape::is_revolute(b);
    const S inverse_D = work.hinges[static_cast<std::size_t>(b)].inverse_D;
    add_product(felt_by_hinge(moved, turns), inverse_D * felt_by_hinge(struck, turns), K);
  } else if (Shape::is_spherical(b)) {
    if constexpr (Shape::kHas.spherical > 0) {
      const Cholesky<S, 3>& D = work.balls[static_cast<std::size_t>(Shape::index(b).free)].D;
      add_rows(felt_rows(D, moved), felt_rows(D, struck));
    }
  } else if constexpr (Shape::kHas.floating > 0) {
    const Cholesky<S, 6>& D = work.bases[static_cast<std::size_t>(Shape::index(b).free)];
    add_rows(felt_rows(D, moved), felt_rows(D, struck));
  }
}

// ---- along the paths ------------------------------------------------------------------------------------------------

// Adds what the joints from a body to the world give to K for three forces on it.
template <const auto& R, class S>
inline void add_path(const Model<R, S>& model, const Workspace<R, S>& work, int body, const ForceTriple<S>& forces,
                     Sym3<S>& K) noexcept {
  if (body == kWorld) return;
  int b = body;
  ForceTriple<S> c = forces;
  Sym3<S> sum = K;  // copies stay in registers
  for (; hangs_on_body<R>(b); b = parent_of<R>(b)) {
    add_joint(work, b, c, sum);
    pass_on_along_path(model, work, b, c);
  }
  add_joint(work, b, c, sum);
  K = sum;
}

// The same for robots of hinges without rotors and drives, where no moment about z passes a joint, unless
// the joint is held: from the first held joint on the general way. (A source that damps joints of such a
// robot would need that way, too.)
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Sym3<S> add_hinges(const Model<R, S>& model, const Workspace<R, S>& work,
                                                            int body, ForceTriple<S> c) noexcept {
  Sym3<S> K{};
  if (body == kWorld) return K;
  int b = body;
  for (; hangs_on_body<R>(b); b = parent_of<R>(b)) {
    const Hinge<S>& hinge = work.hinges[static_cast<std::size_t>(b)];
    if (!(hinge.inverse_D > S(0))) {
      const ForceTriple<S> rest = c;  // what has an address is in memory: not the numbers of the loop
      Sym3<S> sum = K;
      add_path(model, work, b, rest, sum);
      return sum;
    }
    const Vec3<S> u = felt_by_hinge(c, true);
    const Vec3<S> own = hinge.inverse_D * u;
    add_product(u, own, K);
    c = {to_parent(model, work.screws, b, pass_hinge(hinge, own.x, c.x)),
         to_parent(model, work.screws, b, pass_hinge(hinge, own.y, c.y)),
         to_parent(model, work.screws, b, pass_hinge(hinge, own.z, c.z))};
  }
  add_joint(work, b, c, K);
  return K;
}
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Sym3<S> find_path(const Model<R, S>& model, const Workspace<R, S>& work,
                                                           int body, const ForceTriple<S>& c) noexcept {
  using Shape = kinecast::Shape<R>;
  if constexpr (Shape::kAllRevolute && Shape::kHas.rotors + Shape::kHas.drives == 0) {
    return add_hinges(model, work, body, c);
  } else {
    Sym3<S> K{};
    add_path(model, work, body, c, K);
    return K;
  }
}

// Two sets of forces on bodies a and b until both are on the same body, or on the world: a body comes after its parent,
// so the later one goes. `each_joint` sees the joints on the way.
template <const auto& R, class S, class EachJoint>
inline int meet(const Model<R, S>& model, const Workspace<R, S>& work, int a, int b, ForceTriple<S>& on_a,
                ForceTriple<S>& on_b, const EachJoint& each_joint) noexcept {
  int at[2] = {a, b};
  ForceTriple<S> c[2] = {on_a, on_b};
  while (at[0] != at[1]) {
    const int side = at[0] > at[1] ? 0 : 1;
    const int body = at[side];
    each_joint(body, c[side]);
    if (hangs_on_body<R>(body)) pass_on_all(model, work, body, c[side]);
    at[side] = hangs_on_body<R>(body) ? parent_of<R>(body) : kWorld;
  }
  on_a = c[0], on_b = c[1];
  return at[0];
}

// One impulse on a body, added to what others gave: u / D at a joint with one axis, L⁻¹ u with D = L Lᵀ at the others.
template <const auto& R, class S>
[[gnu::always_inline]] inline void add_impulse(const Model<R, S>& model, const Workspace<R, S>& work, int body,
                                               const Force<S>& f, FactorRow<R, S>& own) noexcept {
  carry_inward(
      model, work, body, f, [&](int v, S u, S inverse_D) { own[v] += u * inverse_D; },
      [&](int v, S y) { own[v] += y; });
}

// Outward over the whole tree. Uses the workspace's slots, which nothing else keeps anything in.
template <const auto& R, class S>
inline void sweep_velocity_change(const Model<R, S>& model, Workspace<R, S>& work, const FactorRow<R, S>& own,
                                  Velocity<R, S>& change) noexcept {
  using Shape = kinecast::Shape<R>;
  Motion<S> motion{};
  for (int b = 0; b < Shape::kBodies; ++b) {
    const int v = Shape::v_of(b);
    if (Shape::is_root(b)) {
      motion = {};
    } else {
      if constexpr (Shape::kHas.slots > 0) {
        if (const int slot = Shape::index(b).slot_of_parent; slot >= 0)
          motion = work.response[static_cast<std::size_t>(slot)];
      }
      motion = to_child(model, work.screws, b, motion);
    }
    if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
      const Hinge<S>& hinge = work.hinges[static_cast<std::size_t>(b)];
      const S rate = own[v] - power(hinge.U, motion) * hinge.inverse_D;
      change[v] = rate;
      (Shape::kHas.prismatic == 0 || Shape::is_revolute(b) ? motion.angular.z : motion.linear.z) += rate;
    } else if (Shape::is_spherical(b)) {
      if constexpr (Shape::kHas.spherical > 0) {
        const Ball<S>& ball = work.balls[static_cast<std::size_t>(Shape::index(b).free)];
        S x[3] = {own[v], own[v + 1], own[v + 2]};
        ball.D.solve_upper(x);
        const Vec3<S> total = Vec3<S>{x[0], x[1], x[2]} - ball.inverse_D_coupling * motion.linear;
        const Vec3<S> rate = total - motion.angular;
        change[v] = rate.x, change[v + 1] = rate.y, change[v + 2] = rate.z;
        motion.angular = total;
      }
    } else if constexpr (Shape::kHas.floating > 0) {
      const std::size_t free = static_cast<std::size_t>(Shape::index(b).free);
      S x[6] = {own[v], own[v + 1], own[v + 2], own[v + 3], own[v + 4], own[v + 5]};
      work.bases[free].solve_upper(x);
      motion = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
      const Vec3<S> linear = work.screws.floating[free] * motion.linear;
      const Vec3<S> angular = work.screws.floating[free] * motion.angular;
      change[v] = linear.x, change[v + 1] = linear.y, change[v + 2] = linear.z;
      change[v + 3] = angular.x, change[v + 4] = angular.y, change[v + 5] = angular.z;
    }
    if constexpr (Shape::kHas.slots > 0) {
      if (const int slot = Shape::index(b).slot; slot >= 0) work.response[static_cast<std::size_t>(slot)] = motion;
    }
  }
}

// ---- input ----------------------------------------------------------------------------------------------------------

// Three numbers of a place: one out of range shows in the sum of absolutes.
template <class S>
[[nodiscard, gnu::always_inline]] inline Status check_place(const Vec3<S>& p) noexcept {
  return check_position(std::abs(p.x) + std::abs(p.y) + std::abs(p.z));
}
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Status check_point(const Workspace<R, S>& work,
                                                            const PointOnBody<S>& point) noexcept {
  if (!work.swept) return Status::not_ready;
  if (point.body < kWorld || point.body >= Shape<R>::kBodies) return Status::index_out_of_range;
  return check_place(point.position);
}
template <class S>
[[nodiscard, gnu::always_inline]] inline Status check_impulse(const Vec3<S>& a, const Vec3<S>& b) noexcept {
  constexpr S kLimit = Tolerance<S>::kLargestInput * Tolerance<S>::kLargestInput;
  if (dot(a, a) + dot(b, b) <= kLimit) return Status::ok;
  return is_finite(a.x) && is_finite(a.y) && is_finite(a.z) && is_finite(b.x) && is_finite(b.y) && is_finite(b.z)
             ? Status::input_out_of_range
             : Status::non_finite_input;
}
template <class S>
[[nodiscard, gnu::always_inline]] inline Status give(const Sym3<S>& result, Sym3<S>& K) noexcept {
  if (!is_finite(result.xx + result.xy + result.xz + result.yy + result.yz + result.zz))
    return Status::non_finite_result;
  K = result;
  return Status::ok;
}
template <const auto& R, class S>
[[nodiscard]] inline Status give_velocity_change(const Model<R, S>& model, Workspace<R, S>& work,
                                                 const FactorRow<R, S>& own, Velocity<R, S>& change) noexcept {
  Velocity<R, S> result;
  sweep_velocity_change(model, work, own, result);
  if (!all_finite(result)) return Status::non_finite_result;
  change = result;
  return Status::ok;
}

// The first `count` impulses of a list.
template <const auto& R, class S>
[[nodiscard]] inline Status respond(const Model<R, S>& model, Workspace<R, S>& work, const Kinematics<R, S>& poses,
                                    const PointImpulse<S>* impulses, int count, Velocity<R, S>& change) noexcept {
  if (!work.swept) return Status::not_ready;
  FactorRow<R, S> own = {};
  for (const PointImpulse<S>* one = impulses; one != impulses + count; ++one) {
    if (const Status status = check_point(work, one->point); !ok(status)) return status;
    if (const Status status = check_impulse(one->impulse, Vec3<S>{}); !ok(status)) return status;
    if (one->point.body == kWorld) continue;
    const Mat3<S>& to_world = poses.poses[static_cast<std::size_t>(one->point.body)].rotation;
    const Vec3<S> force = transpose_times(to_world, one->impulse);
    add_impulse(model, work, one->point.body, Force<S>{cross(one->point.position, force), force}, own);
  }
  return give_velocity_change(model, work, own, change);
}

}  // namespace detail

// The change of dq by an impulse on a body: [moment about the origin of the body's frame, N m s; force, N s], body
// axes. The world (kWorld) takes any impulse.
template <const auto& R, class S>
[[nodiscard]] inline Status impulse_response(const Model<R, S>& model, Workspace<R, S>& work, int body,
                                             const Force<S>& impulse, Velocity<R, S>& change) noexcept {
  if (!work.swept) return Status::not_ready;
  if (body < kWorld || body >= Shape<R>::kBodies) return Status::index_out_of_range;
  if (const Status status = detail::check_impulse(impulse.moment, impulse.force); !ok(status)) return status;
  FactorRow<R, S> own = {};
  detail::add_impulse(model, work, body, impulse, own);
  return detail::give_velocity_change(model, work, own, change);
}

// By the first `count` impulses at once, in world axes: the ways inward add up, outward it is one. For a
// collision of two of the robot's own bodies give the impulse at the one, and its opposite at the other.
// `poses` are those of the same q.
template <const auto& R, class S, std::size_t Count>
[[nodiscard]] inline Status impulse_response(const Model<R, S>& model, Workspace<R, S>& work,
                                             const Kinematics<R, S>& poses,
                                             const std::array<PointImpulse<S>, Count>& impulses, int count,
                                             Velocity<R, S>& change) noexcept {
  if (count < 0 || count > static_cast<int>(Count)) return Status::index_out_of_range;
  return detail::respond(model, work, poses, impulses.data(), count, change);
}

// By an impulse at a point, in world axes.
template <const auto& R, class S>
[[nodiscard]] inline Status impulse_response(const Model<R, S>& model, Workspace<R, S>& work,
                                             const Kinematics<R, S>& poses, const PointOnBody<S>& point,
                                             const Vec3<S>& impulse, Velocity<R, S>& change) noexcept {
  const PointImpulse<S> one{point, impulse};
  return detail::respond(model, work, poses, &one, 1, change);
}

// K of a point, in the axes of its body. Zero for a point on the world.
template <const auto& R, class S>
[[nodiscard]] inline Status collision_matrix(const Model<R, S>& model, const Workspace<R, S>& work,
                                             const PointOnBody<S>& point, Sym3<S>& K) noexcept {
  if (const Status status = detail::check_point(work, point); !ok(status)) return status;
  return detail::give(detail::find_path(model, work, point.body, detail::forces_at(point.position)), K);
}

// Along three directions: the rows of `axes`, in the axes of the body (for a contact: normal and tangents).
template <const auto& R, class S>
[[nodiscard]] inline Status collision_matrix(const Model<R, S>& model, const Workspace<R, S>& work,
                                             const PointOnBody<S>& point, const Mat3<S>& axes, Sym3<S>& K) noexcept {
  if (const Status status = detail::check_point(work, point); !ok(status)) return status;
  const Vec3<S> directions[3] = {axes.row_x, axes.row_y, axes.row_z};
  for (const Vec3<S>& direction : directions)
    if (const Status status = detail::check_place(direction); !ok(status)) return status;
  return detail::give(detail::find_path(model, work, point.body, detail::forces_at(point.position, axes)), K);
}

// In world axes. `poses` are those of the same q. For directions n, t1, t2 in the world: rotated(rows n, t1, t2, K).
template <const auto& R, class S>
[[nodiscard]] inline Status collision_matrix(const Model<R, S>& model, const Workspace<R, S>& work,
                                             const Kinematics<R, S>& poses, const PointOnBody<S>& point,
                                             Sym3<S>& K) noexcept {
  if (const Status status = detail::check_point(work, point); !ok(status)) return status;
  // Row j of the rotation is the world's axis j, seen from the body.
  const auto forces = detail::forces_at(point.position, poses.pose(point.body).rotation);
  return detail::give(detail::find_path(model, work, point.body, forces), K);
}

// Of a pair of points on the same robot, in world axes: how the velocity of `a` relative to `b` changes by an
// impulse on a and its opposite on b.
template <const auto& R, class S>
[[nodiscard]] inline Status collision_matrix(const Model<R, S>& model, const Workspace<R, S>& work,
                                             const Kinematics<R, S>& poses, const PointOnBody<S>& a,
                                             const PointOnBody<S>& b, Sym3<S>& K) noexcept {
  if (const Status status = detail::check_point(work, a); !ok(status)) return status;
  if (const Status status = detail::check_point(work, b); !ok(status)) return status;
  auto on_a = detail::forces_at(a.position, poses.pose(a.body).rotation);
  auto on_b = detail::forces_at(-b.position, poses.pose(b.body).rotation);
  on_b = {{on_b.x.moment, -on_b.x.force}, {on_b.y.moment, -on_b.y.force}, {on_b.z.moment, -on_b.z.force}};
  Sym3<S> sum{};
  const int body =
      detail::meet(model, work, a.body, b.body, on_a, on_b,
                   [&](int joint, const detail::ForceTriple<S>& c) { detail::add_joint(work, joint, c, sum); });
  detail::add_path(model, work, body, on_a + on_b, sum);
  return detail::give(sum, K);
}

// Of points on two robots, in world axes: the one's K and the other's.
template <const auto& A, const auto& B, class S>
[[nodiscard]] inline Status collision_matrix(const Model<A, S>& model_a, const Workspace<A, S>& work_a,
                                             const Kinematics<A, S>& poses_a, const PointOnBody<S>& a,
                                             const Model<B, S>& model_b, const Workspace<B, S>& work_b,
                                             const Kinematics<B, S>& poses_b, const PointOnBody<S>& b,
                                             Sym3<S>& K) noexcept {
  Sym3<S> of_a;
  Sym3<S> of_b;
  if (const Status status = collision_matrix(model_a, work_a, poses_a, a, of_a); !ok(status)) return status;
  if (const Status status = collision_matrix(model_b, work_b, poses_b, b, of_b); !ok(status)) return status;
  return detail::give(of_a + of_b, K);
}

// How the velocity of the point `moved` changes by an impulse at the point `struck`, in world axes; column j: by a unit
// impulse along axis j. The other way round it is the transpose. Only joints that carry both points count.
template <const auto& R, class S>
[[nodiscard]] inline Status impulse_coupling(const Model<R, S>& model, const Workspace<R, S>& work,
                                             const Kinematics<R, S>& poses, const PointOnBody<S>& moved,
                                             const PointOnBody<S>& struck, Mat3<S>& K) noexcept {
  if (const Status status = detail::check_point(work, moved); !ok(status)) return status;
  if (const Status status = detail::check_point(work, struck); !ok(status)) return status;
  auto left = detail::forces_at(moved.position, poses.pose(moved.body).rotation);
  auto right = detail::forces_at(struck.position, poses.pose(struck.body).rotation);
  int b = detail::meet(model, work, moved.body, struck.body, left, right, [](int, const auto&) {});
  Mat3<S> sum{};
  while (b != kWorld) {
    detail::add_joint(work, b, left, right, sum);
    if (!detail::hangs_on_body<R>(b)) break;
    detail::pass_on_all(model, work, b, left);
    detail::pass_on_all(model, work, b, right);
    b = detail::parent_of<R>(b);
  }
  const Vec3<S> all = sum.row_x + sum.row_y + sum.row_z;
  if (!is_finite(all.x + all.y + all.z)) return Status::non_finite_result;
  K = sum;
  return Status::ok;
}

}  // namespace kinecast
