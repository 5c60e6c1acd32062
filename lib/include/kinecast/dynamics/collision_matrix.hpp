// SPDX-License-Identifier: MIT
// The collision matrix K = J H⁻¹ Jᵀ of a point or of a pair of points (method 1.4; 1/kg; column j: how the velocity
// changes by a unit impulse along axis j), from the factors that the last inward sweep left in the workspace: three
// unit impulses travel inward together (dynamics/factor.hpp), K_jk = Sum of u_ij u_ik / D_i. K is symmetric, and
// positive semidefinite to rounding. A joint whose acceleration is given (1/D = 0) yields nothing. Cost: 160 operations
// per joint on the way. In float K is right to 2.1e-6 of its largest entry (measured: arms of six joints, trees of
// every joint kind, a humanoid of 34 degrees of freedom).
#pragma once

#include <kinecast/dynamics/factor.hpp>
#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/kinematics.hpp>
#include <kinecast/kinematics/transfer.hpp>

#include <cstddef>

namespace kinecast {

template <class S>
[[nodiscard]] inline Matrix<S, 3, 3> to_matrix(const Sym3<S>& m) noexcept {
  return to_matrix(Mat3<S>{{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}});
}

namespace detail {

template <const auto& R>
[[nodiscard, gnu::always_inline]] constexpr bool hangs_on_body(int b) noexcept {
  return Shape<R>::kBodies > 1 && !Shape<R>::is_root(b);
}

template <class S>
[[nodiscard]] inline ForceTriple<S> add(const ForceTriple<S>& a, const ForceTriple<S>& b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

// What a joint with one axis feels of three forces.
template <class S>
[[nodiscard, gnu::always_inline]] inline Vec3<S> felt_by_hinge(const ForceTriple<S>& c, bool turns) noexcept {
  return turns ? Vec3<S>{c.x.moment.z, c.y.moment.z, c.z.moment.z} : Vec3<S>{c.x.force.z, c.y.force.z, c.z.force.z};
}

// What a joint with `Size` axes, Ball or Base, feels of them, whitened, by entries.
template <class S, std::size_t Size>
struct FeltRows {
  Vec3<S> row[Size];
};
template <std::size_t Size, class S, class Joint>
[[nodiscard]] inline FeltRows<S, Size> felt_rows(const Joint& joint, const ForceTriple<S>& c) noexcept {
  S x[Size];
  S y[Size];
  S z[Size];
  joint.whiten(c.x, x), joint.whiten(c.y, y), joint.whiten(c.z, z);
  FeltRows<S, Size> out;
  for (std::size_t i = 0; i < Size; ++i) out.row[i] = {x[i], y[i], z[i]};
  return out;
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

// What a joint adds to K of three forces: u uᵀ / D.
template <const auto& R, class S>
struct AddSquares {
  const Workspace<R, S>& work;
  Sym3<S>& K;

  [[gnu::always_inline]] void hinge(const JointAt& j, const ForceTriple<S>& c) const noexcept {
    const Vec3<S> u = felt_by_hinge(c, Shape<R>::turns(j.b));
    add_product(u, work.hinges[j.at].inverse_D * u, K);
  }
  [[gnu::always_inline]] void ball(const JointAt& j, const ForceTriple<S>& c) const noexcept {
    for (const Vec3<S>& u : felt_rows<3>(work.balls[free_of<R>(j.b)], c).row) add_product(u, u, K);
  }
  [[gnu::always_inline]] void base(const JointAt& j, const ForceTriple<S>& c) const noexcept {
    for (const Vec3<S>& u : felt_rows<6>(work.bases[free_of<R>(j.b)], c).row) add_product(u, u, K);
  }
};

// The same of two sets of forces.
template <const auto& R, class S>
struct AddProducts {
  const Workspace<R, S>& work;
  Mat3<S>& K;

  [[gnu::always_inline]] void hinge(const JointAt& j, const ForceTriple<S>& moved,
                                    const ForceTriple<S>& struck) const noexcept {
    const bool turns = Shape<R>::turns(j.b);
    const S inverse_D = work.hinges[j.at].inverse_D;
    add_product(felt_by_hinge(moved, turns), inverse_D * felt_by_hinge(struck, turns), K);
  }
  [[gnu::always_inline]] void ball(const JointAt& j, const ForceTriple<S>& moved,
                                   const ForceTriple<S>& struck) const noexcept {
    const Ball<S>& joint = work.balls[free_of<R>(j.b)];
    add(felt_rows<3>(joint, moved), felt_rows<3>(joint, struck));
  }
  [[gnu::always_inline]] void base(const JointAt& j, const ForceTriple<S>& moved,
                                   const ForceTriple<S>& struck) const noexcept {
    const Base<S>& joint = work.bases[free_of<R>(j.b)];
    add(felt_rows<6>(joint, moved), felt_rows<6>(joint, struck));
  }

 private:
  template <std::size_t Size>
  void add(const FeltRows<S, Size>& left, const FeltRows<S, Size>& right) const noexcept {
    for (std::size_t i = 0; i < Size; ++i) add_product(left.row[i], right.row[i], K);
  }
};

// A force past a hinge without rotor: nothing is left of the moment about z. (Hinge::pass() would leave its rounding.)
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

// Adds what the joints from a body to the world give to K for three forces on it.
template <const auto& R, class S>
inline void add_path(const Model<R, S>& model, const Workspace<R, S>& work, int body, const ForceTriple<S>& forces,
                     Sym3<S>& K) noexcept {
  if (body == kWorld) return;
  int b = body;
  ForceTriple<S> c = forces;
  Sym3<S> sum = K;  // copies stay in registers
  for (; hangs_on_body<R>(b); b = parent_of<R>(b)) {
    visit_joint<R>(AddSquares<R, S>{work, sum}, joint_at<R>(b), c);
    c = pass_on(model, work, b, c);
  }
  visit_joint<R>(AddSquares<R, S>{work, sum}, joint_at<R>(b), c);
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
  visit_joint<R>(AddSquares<R, S>{work, K}, joint_at<R>(b), c);
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
    if (hangs_on_body<R>(body)) c[side] = pass_on(model, work, body, c[side]);
    at[side] = hangs_on_body<R>(body) ? parent_of<R>(body) : kWorld;
  }
  on_a = c[0], on_b = c[1];
  return at[0];
}

// A point, after a sweep.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Status check_swept_point(const Workspace<R, S>& work,
                                                                  const PointOnBody<S>& point) noexcept {
  return work.swept ? check_point<R>(point) : Status::not_ready;
}
template <class S>
[[nodiscard, gnu::always_inline]] inline Status give(const Sym3<S>& result, Sym3<S>& K) noexcept {
  if (!is_finite(result.xx + result.xy + result.xz + result.yy + result.yz + result.zz))
    return Status::non_finite_result;
  K = result;
  return Status::ok;
}

}  // namespace detail

// K of a point, in the axes of its body. Zero for a point on the world.
template <const auto& R, class S>
[[nodiscard]] inline Status collision_matrix(const Model<R, S>& model, const Workspace<R, S>& work,
                                             const PointOnBody<S>& point, Sym3<S>& K) noexcept {
  if (const Status status = detail::check_swept_point(work, point); !ok(status)) return status;
  return detail::give(detail::find_path(model, work, point.body, detail::forces_at(point.position)), K);
}

// Along three directions: the rows of `axes`, in the axes of the body (for a contact: normal and tangents).
template <const auto& R, class S>
[[nodiscard]] inline Status collision_matrix(const Model<R, S>& model, const Workspace<R, S>& work,
                                             const PointOnBody<S>& point, const Mat3<S>& axes, Sym3<S>& K) noexcept {
  if (const Status status = detail::check_swept_point(work, point); !ok(status)) return status;
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
  if (const Status status = detail::check_swept_point(work, point); !ok(status)) return status;
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
  if (const Status status = detail::check_swept_point(work, a); !ok(status)) return status;
  if (const Status status = detail::check_swept_point(work, b); !ok(status)) return status;
  auto on_a = detail::forces_at(a.position, poses.pose(a.body).rotation);
  auto on_b = detail::forces_at(-b.position, poses.pose(b.body).rotation);
  on_b = {{on_b.x.moment, -on_b.x.force}, {on_b.y.moment, -on_b.y.force}, {on_b.z.moment, -on_b.z.force}};
  Sym3<S> sum{};
  const int body = detail::meet(model, work, a.body, b.body, on_a, on_b, [&](int joint, const ForceTriple<S>& c) {
    detail::visit_joint<R>(detail::AddSquares<R, S>{work, sum}, detail::joint_at<R>(joint), c);
  });
  detail::add_path(model, work, body, detail::add(on_a, on_b), sum);
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
  if (const Status status = detail::check_swept_point(work, moved); !ok(status)) return status;
  if (const Status status = detail::check_swept_point(work, struck); !ok(status)) return status;
  auto left = detail::forces_at(moved.position, poses.pose(moved.body).rotation);
  auto right = detail::forces_at(struck.position, poses.pose(struck.body).rotation);
  int b = detail::meet(model, work, moved.body, struck.body, left, right, [](int, const auto&) {});
  Mat3<S> sum{};
  while (b != kWorld) {
    detail::visit_joint<R>(detail::AddProducts<R, S>{work, sum}, detail::joint_at<R>(b), left, right);
    if (!detail::hangs_on_body<R>(b)) break;
    left = detail::pass_on(model, work, b, left);
    right = detail::pass_on(model, work, b, right);
    b = detail::parent_of<R>(b);
  }
  const Vec3<S> all = sum.row_x + sum.row_y + sum.row_z;
  if (!is_finite(all.x + all.y + all.z)) return Status::non_finite_result;
  K = sum;
  return Status::ok;
}

}  // namespace kinecast
