// SPDX-License-Identifier: MIT
// The innovations factor of the robot's inertia, H⁻¹ = W Wᵀ (method 14), from what the last inward sweep left in the
// workspace. Whoever asks how the robot yields to forces asks one of three verbs:
//
//   rows         y = Wᵀ Jᵀ of forces on a body, or of a torque at a joint: how all joints feel them
//   velocity     dq = W t, one outward sweep
//   coordinates  g with dq = W g, from the motions of the bodies
//
//   J H⁻¹ J'ᵀ = y . y',   the change of velocity by an impulse x along J is W (x y),   J dq = y . g for dq = W g
//
// Rows of one force, or of three that travel together, go inward over the joints between the body and the world:
//
//   y_i = S_iᵀ f / sqrt(D_i);   f <- X_iᵀ (f - U_i (S_iᵀ f) / D_i)    (a joint whose acceleration is given: 1/D = 0)
//
// The six rows of all unit forces on a body are columns: the motion of the body by a unit innovation. Where the robot
// hangs on the world they are cheaper outward,
//
//   c_i = S_i / sqrt(D_i) at joint i;   across joint j:   c_i <- X_j c_i - S_j (U_jᵀ X_j c_i) / D_j
//
// Cost: 55 operations per force and joint on the way; 45 per pair of joints for the columns; 50 per joint for a
// velocity.
#pragma once

#include <kinecast/dynamics/joints.hpp>
#include <kinecast/dynamics/tree.hpp>
#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/transfer.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// A row's entries, per degree of freedom; zero where the joint is not between the body and the world.
template <const auto& R, class S>
using FactorRow = S[static_cast<std::size_t>(Shape<R>::kDofs)];

// Three forces on one body, which travel together so that a joint's numbers are read once.
template <class S>
struct ForceTriple {
  Force<S> x;
  Force<S> y;
  Force<S> z;
};

namespace detail {

template <const auto& R>
[[nodiscard]] constexpr int axes_of(int body) noexcept {
  return Shape<R>::is_floating(body) ? 6 : Shape<R>::is_spherical(body) ? 3 : 1;
}
template <const auto& R>
[[nodiscard]] constexpr int parent_of(int body) noexcept {
  return Shape<R>::kHas.serial ? body - 1 : Shape<R>::index(body).parent;
}

// Unit forces at a point along three directions (rows), all in body axes; and along the body's own axes.
template <class S>
[[nodiscard, gnu::always_inline]] inline ForceTriple<S> forces_at(const Vec3<S>& p, const Mat3<S>& axes) noexcept {
  return {{cross(p, axes.row_x), axes.row_x}, {cross(p, axes.row_y), axes.row_y}, {cross(p, axes.row_z), axes.row_z}};
}
template <class S>
[[nodiscard, gnu::always_inline]] inline ForceTriple<S> forces_at(const Vec3<S>& p) noexcept {
  const S o{};
  const S i = S(1);
  return {{{o, p.z, -p.y}, {i, o, o}}, {{-p.z, o, p.x}, {o, i, o}}, {{p.y, -p.x, o}, {o, o, i}}};
}

// ---- inward -----------------------------------------------------------------------------------------------

// What a joint leaves of a force for its parent, in the parent's frame. For joints that hang on a body.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Force<S> pass_on(const Model<R, S>& model, const Workspace<R, S>& work, int b,
                                                          const Force<S>& f) noexcept {
  using Shape = kinecast::Shape<R>;
  if constexpr (Shape::kHas.spherical > 0) {
    if (Shape::is_spherical(b)) return to_parent(model, work.screws, b, work.balls[free_of<R>(b)].pass(f));
  }
  return to_parent(model, work.screws, b, work.hinges[static_cast<std::size_t>(b)].pass(Shape::turns(b), f));
}
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline ForceTriple<S> pass_on(const Model<R, S>& model, const Workspace<R, S>& work,
                                                                int b, const ForceTriple<S>& f) noexcept {
  if constexpr (Shape<R>::kHas.spherical == 0) {
    return {pass_on(model, work, b, f.x), pass_on(model, work, b, f.y), pass_on(model, work, b, f.z)};
  } else {
    // One piece of code where joints are of many kinds.
    ForceTriple<S> left = f;
    Force<S>* const all[3] = {&left.x, &left.y, &left.z};
    for (Force<S>* one : all) *one = pass_on(model, work, b, *one);
    return left;
  }
}

// Carries forces (one, or a triple) from a body to the world: at each joint on the way joints.hinge(b, f),
// joints.ball(b, f) or joints.base(b, f) sees what has come there.
template <const auto& R, class S, class Forces, class Joints>
[[gnu::always_inline]] inline void carry_inward(const Model<R, S>& model, const Workspace<R, S>& work, int body,
                                                Forces f, const Joints& joints) noexcept {
  for (int b = body; b >= 0; b = parent_of<R>(b)) {
    visit_joint<R>(joints, joint_at<R>(b), f);
    if (Shape<R>::is_root(b)) return;
    f = pass_on(model, work, b, f);
  }
}

// Adds what the joints feel to a row.
template <const auto& R, class S>
struct AddRow {
  const Workspace<R, S>& work;
  FactorRow<R, S>& row;

  [[gnu::always_inline]] void hinge(const JointAt& j, const Force<S>& f) const noexcept {
    row[j.v] += work.hinges[j.at].whiten(Shape<R>::turns(j.b), f);
  }
  [[gnu::always_inline]] void ball(const JointAt& j, const Force<S>& f) const noexcept {
    S y[3];
    work.balls[free_of<R>(j.b)].whiten(f, y);
    for (int i = 0; i < 3; ++i) row[j.v + i] += y[i];
  }
  [[gnu::always_inline]] void base(const JointAt& j, const Force<S>& f) const noexcept {
    S y[6];
    work.bases[free_of<R>(j.b)].whiten(f, y);
    for (int i = 0; i < 6; ++i) row[j.v + i] += y[i];
  }
};

// The same of three forces.
template <const auto& R, class S>
struct AddRows {
  AddRow<R, S> x;
  AddRow<R, S> y;
  AddRow<R, S> z;

  [[gnu::always_inline]] void hinge(const JointAt& j, const ForceTriple<S>& f) const noexcept {
    x.hinge(j, f.x), y.hinge(j, f.y), z.hinge(j, f.z);
  }
  [[gnu::always_inline]] void ball(const JointAt& j, const ForceTriple<S>& f) const noexcept {
    x.ball(j, f.x), y.ball(j, f.y), z.ball(j, f.z);
  }
  [[gnu::always_inline]] void base(const JointAt& j, const ForceTriple<S>& f) const noexcept {
    x.base(j, f.x), y.base(j, f.y), z.base(j, f.z);
  }
};

// The force that the parent feels as the reaction of a torque at a joint, in the parent's frame.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Force<S> reaction_on_parent(const Model<R, S>& model,
                                                                     const Workspace<R, S>& work, int body,
                                                                     S torque) noexcept {
  const Hinge<S>& hinge = work.hinges[static_cast<std::size_t>(body)];
  const S own = -torque * hinge.inverse_D;
  return to_parent(model, work.screws, body, Force<S>{own * hinge.U.moment, own * hinge.U.force});
}

// ---- outward ----------------------------------------------------------------------------------------------

// The columns c_i of one body, for the joints between the world and it.
template <const auto& R, class S>
struct PathColumns {
  using Shape = kinecast::Shape<R>;
  Motion<S> motion[static_cast<std::size_t>(Shape::kDofs)];  // by order on the path; filled by add()
  std::int16_t dof[static_cast<std::size_t>(Shape::kDofs)];
  int count;  // set by Factor::rows()

  void add(int v, const Motion<S>& m) noexcept {
    motion[count] = m;
    dof[count] = static_cast<std::int16_t>(v);
    ++count;
  }
};

// Carries the columns that are there across a body's joint, and adds the joint's own.
template <const auto& R, class S>
struct ExtendPath {
  using Shape = kinecast::Shape<R>;
  const Model<R, S>& model;
  const Workspace<R, S>& work;
  PathColumns<R, S>& path;

  [[gnu::always_inline]] void hinge(const JointAt& j) const noexcept {
    // A copy: stores to the columns cannot change it, so it stays in registers.
    const Hinge<S> hinge = work.hinges[j.at];
    const bool turns = Shape::turns(j.b);
    const auto outward = transfer_to_child(model, work.screws, j.b);
    for (int i = 0; i < path.count; ++i) {
      Motion<S> c = outward(path.motion[i]);
      hinge.give_way(turns, c);
      path.motion[i] = c;
    }
    const S size = std::sqrt(hinge.inverse_D);
    path.add(j.v, turns ? Motion<S>{{S(0), S(0), size}, {}} : Motion<S>{{}, {S(0), S(0), size}});
  }
  [[gnu::always_inline]] void ball(const JointAt& j) const noexcept {
    const Ball<S>& ball = work.balls[free_of<R>(j.b)];
    for (int i = 0; i < path.count; ++i) {
      Motion<S>& c = path.motion[i];
      c = to_child(model, work.screws, j.b, c);
      ball.give_way(c);
    }
    for (int k = 0; k < 3; ++k) path.add(j.v + k, ball.column(k));
  }
  [[gnu::always_inline]] void base(const JointAt& j) const noexcept {
    for (int k = 0; k < 6; ++k) path.add(j.v + k, work.bases[free_of<R>(j.b)].column(k));
  }
};

// The columns from the body inward: what the joints feel of unit moments on it, or of unit forces, is an axis of their
// columns. Where a floating base has six columns, these are fewer to carry than the columns are outward.
template <const auto& R, class S>
struct FillPath {
  const Workspace<R, S>& work;
  PathColumns<R, S>& path;
  Vec3<S> Motion<S>::*part;  // angular for moments, linear for forces
  int& next;                 // from the last column to the first

  [[gnu::always_inline]] void put(int v, const Vec3<S>& y) const noexcept {
    --next;
    path.motion[next].*part = y;
    path.dof[next] = static_cast<std::int16_t>(v);
  }
  [[gnu::always_inline]] void hinge(const JointAt& j, const ForceTriple<S>& f) const noexcept {
    const Hinge<S>& hinge = work.hinges[j.at];
    const bool turns = Shape<R>::turns(j.b);
    put(j.v, {hinge.whiten(turns, f.x), hinge.whiten(turns, f.y), hinge.whiten(turns, f.z)});
  }
  [[gnu::always_inline]] void ball(const JointAt& j, const ForceTriple<S>& f) const noexcept {
    const Ball<S>& ball = work.balls[free_of<R>(j.b)];
    S y[3][3];
    ball.whiten(f.x, y[0]), ball.whiten(f.y, y[1]), ball.whiten(f.z, y[2]);
    for (int i = 2; i >= 0; --i) put(j.v + i, {y[0][i], y[1][i], y[2][i]});
  }
  [[gnu::always_inline]] void base(const JointAt& j, const ForceTriple<S>& f) const noexcept {
    const auto& base = work.bases[free_of<R>(j.b)];
    S y[3][6];
    base.whiten(f.x, y[0]), base.whiten(f.y, y[1]), base.whiten(f.z, y[2]);
    for (int i = 5; i >= 0; --i) put(j.v + i, {y[0][i], y[1][i], y[2][i]});
  }
};

// What the joints do with coordinates t: dq = W t. `dq` of a joint that nothing moves stays.
template <const auto& R, class S>
struct MoveByFactor {
  using Shape = kinecast::Shape<R>;
  const Workspace<R, S>& work;
  const FactorRow<R, S>& t;
  Velocity<R, S>& dq;

  [[gnu::always_inline]] void hinge(const JointAt& j, Motion<S>& motion) const noexcept {
    const Hinge<S>& hinge = work.hinges[j.at];
    if (hinge.inverse_D > S(0))
      dq[j.v] = t[j.v] * std::sqrt(hinge.inverse_D) - power(hinge.U, motion) * hinge.inverse_D;
    Hinge<S>::along(Shape::turns(j.b), motion) += dq[j.v];
  }
  [[gnu::always_inline]] void ball(const JointAt& j, Motion<S>& motion) const noexcept {
    write_velocity(work.balls[free_of<R>(j.b)].move(&t[j.v], motion), j.v, dq);
  }
  [[gnu::always_inline]] void base(const JointAt& j, Motion<S>& motion) const noexcept {
    motion = work.bases[free_of<R>(j.b)].move(&t[j.v]);
    write_velocity(motion, work.screws.floating[free_of<R>(j.b)], j.v, dq);
  }
};

// The coordinates of one body's joint, from the motion of the body and the joint's velocity.
template <const auto& R, class S>
struct FindCoordinates {
  using Shape = kinecast::Shape<R>;
  const Workspace<R, S>& work;
  const Velocity<R, S>& dq;
  FactorRow<R, S>& g;

  [[gnu::always_inline]] void hinge(const JointAt& j, const Motion<S>& motion) const noexcept {
    g[j.v] = work.hinges[j.at].coordinates(Shape::turns(j.b), dq[j.v], motion);
  }
  [[gnu::always_inline]] void ball(const JointAt& j, const Motion<S>& motion) const noexcept {
    S y[3];
    work.balls[free_of<R>(j.b)].coordinates(motion, y);
    for (int i = 0; i < 3; ++i) g[j.v + i] = y[i];
  }
  [[gnu::always_inline]] void base(const JointAt& j, const Motion<S>& motion) const noexcept {
    S y[6];
    work.bases[free_of<R>(j.b)].coordinates(motion, y);
    for (int i = 0; i < 6; ++i) g[j.v + i] = y[i];
  }
};

// ---- the verbs, as functions: what a Factor holds is passed in registers ----------------------------------

template <const auto& R, class S>
inline void add_row(const Model<R, S>& model, const Workspace<R, S>& work, int body, const Force<S>& f,
                    FactorRow<R, S>& y) noexcept {
  carry_inward(model, work, body, f, AddRow<R, S>{work, y});
}
template <const auto& R, class S>
inline void add_rows(const Model<R, S>& model, const Workspace<R, S>& work, int body, const ForceTriple<S>& f,
                     const AddRows<R, S>& to) noexcept {
  carry_inward(model, work, body, f, to);
}
template <const auto& R, class S>
inline void find_columns(const Model<R, S>& model, const Workspace<R, S>& work, int body,
                         PathColumns<R, S>& columns) noexcept {
  columns.count = 0;
  if constexpr (Shape<R>::kHas.floating > 0) {
    int root = body;
    for (int b = body; b >= 0; b = Shape<R>::index(b).parent) columns.count += axes_of<R>(b), root = b;
    if (Shape<R>::is_floating(root)) {
      const S o{};
      const S e = S(1);
      int next = columns.count;
      carry_inward(model, work, body, ForceTriple<S>{{{e, o, o}, {}}, {{o, e, o}, {}}, {{o, o, e}, {}}},
                   FillPath<R, S>{work, columns, &Motion<S>::angular, next});
      next = columns.count;
      carry_inward(model, work, body, ForceTriple<S>{{{}, {e, o, o}}, {{}, {o, e, o}}, {{}, {o, o, e}}},
                   FillPath<R, S>{work, columns, &Motion<S>::linear, next});
      return;
    }
    columns.count = 0;
  }
  std::array<std::int16_t, static_cast<std::size_t>(Shape<R>::kBodies)> way;
  int length = 0;
  for (int b = body; b >= 0; b = Shape<R>::index(b).parent)
    way[static_cast<std::size_t>(length++)] = static_cast<std::int16_t>(b);
  const ExtendPath<R, S> extend{model, work, columns};
  for (int i = length - 1; i >= 0; --i) visit_joint<R>(extend, joint_at<R>(way[static_cast<std::size_t>(i)]));
}
template <const auto& R, class S>
inline void find_velocity(const Model<R, S>& model, Workspace<R, S>& work, const FactorRow<R, S>& t,
                          Velocity<R, S>& dq) noexcept {
  sweep_motions(WholeTree<R, S>{model}, work, MoveByFactor<R, S>{work, t, dq});
}
template <const auto& R, class S, class Motions>
[[nodiscard]] inline bool find_coordinates(const Workspace<R, S>& work, const Motions& motions,
                                           const Velocity<R, S>& dq, FactorRow<R, S>& g) noexcept {
  const FindCoordinates<R, S> find{work, dq, g};
  for (int b = 0; b < Shape<R>::kBodies; ++b) {
    const JointAt j = joint_at<R>(b);
    if (Shape<R>::has_one_axis(b) && !(work.hinges[j.at].inverse_D > S(0))) return false;
    visit_joint<R>(find, j, motions[j.at]);
  }
  return true;
}

}  // namespace detail

// Say Factor{model, work}. `Work` is a Workspace, const where no velocity is asked for.
template <const auto& R, class S, class Work>
struct Factor {
  using Shape = kinecast::Shape<R>;
  const Model<R, S>& model;
  Work& work;

  // Adds the row of a force on a body: `f` is [moment about the origin of the body's frame; force], body axes. For the
  // relative motion of two bodies add the one, and the other with the opposite force. The world (kWorld) adds nothing.
  [[gnu::always_inline]] void rows(int body, const Force<S>& f, FactorRow<R, S>& y) const noexcept {
    detail::add_row(model, work, body, f, y);
  }
  // The same of three forces.
  [[gnu::always_inline]] void rows(int body, const ForceTriple<S>& f, FactorRow<R, S>& x, FactorRow<R, S>& y,
                                   FactorRow<R, S>& z) const noexcept {
    detail::add_rows(model, work, body, f, detail::AddRows<R, S>{{work, x}, {work, y}, {work, z}});
  }
  // The six rows of unit forces on a body, as columns.
  [[gnu::always_inline]] void rows(int body, detail::PathColumns<R, S>& columns) const noexcept {
    detail::find_columns(model, work, body, columns);
  }
  // Adds `size` times the row of a torque at a joint with one axis: its own velocity.
  [[gnu::always_inline]] void joint_row(int body, S size, FactorRow<R, S>& y) const noexcept {
    y[Shape::v_of(body)] += size * std::sqrt(work.hinges[static_cast<std::size_t>(body)].inverse_D);
    if (Shape::is_root(body)) return;
    rows(detail::parent_of<R>(body), detail::reaction_on_parent(model, work, body, size), y);
  }

  // dq = W t. `dq` holds the free velocities on entry: joints without a column, whose acceleration is given, keep
  // theirs.
  [[gnu::always_inline]] void velocity(const FactorRow<R, S>& t, Velocity<R, S>& dq) const noexcept {
    detail::find_velocity(model, work, t, dq);
  }

  // g with dq = W g, from the motions of the bodies for this dq, in body axes. False if a joint's velocity is given
  // (1/D = 0): no g has it.
  template <class Motions>
  [[nodiscard, gnu::always_inline]] bool coordinates(const Motions& motions, const Velocity<R, S>& dq,
                                                     FactorRow<R, S>& g) const noexcept {
    return detail::find_coordinates(work, motions, dq, g);
  }
};
template <const auto& R, class S, class Work>
Factor(const Model<R, S>&, Work&) -> Factor<R, S, Work>;

// The row of a torque at a joint before it is divided by the root of D, for robots of single-axis joints: u, with
// J H⁻¹ J'ᵀ = Sum of u_i u'_i / D_i; what the joint itself yields, and its acceleration by what the inward sweep left.
// Entries of u beyond the joints between the world and this one stay as they are.
template <class S>
struct JointInnovations {
  S mobility;      // Sum of u_i² / D_i
  S acceleration;  // Sum of u_i (own acceleration)_i
};

namespace detail {

template <const auto& R, class S>
struct AddInnovations {
  const Workspace<R, S>& work;
  FactorRow<R, S>& u;
  JointInnovations<S>& sum;

  [[gnu::always_inline]] void hinge(const JointAt& j, const Force<S>& f) const noexcept {
    const Hinge<S>& hinge = work.hinges[j.at];
    const S felt = Hinge<S>::felt(Shape<R>::turns(j.b), f);
    u[j.v] = felt;
    sum.mobility += felt * felt * hinge.inverse_D;
    sum.acceleration += felt * hinge.own_acceleration;
  }
};

}  // namespace detail

template <const auto& R, class S>
[[nodiscard]] inline JointInnovations<S> find_joint_innovations(const Model<R, S>& model, const Workspace<R, S>& work,
                                                                int body, FactorRow<R, S>& u) noexcept {
  static_assert(Shape<R>::kAllSingleAxis, "kinecast: for robots of single-axis joints");
  const Hinge<S>& own = work.hinges[static_cast<std::size_t>(body)];
  JointInnovations<S> sum{own.inverse_D, own.own_acceleration};
  u[body] = S(1);
  if (Shape<R>::is_root(body)) return sum;
  detail::carry_inward(model, work, detail::parent_of<R>(body), detail::reaction_on_parent(model, work, body, S(1)),
                       detail::AddInnovations<R, S>{work, u, sum});
  return sum;
}

}  // namespace kinecast
