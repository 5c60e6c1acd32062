// SPDX-License-Identifier: MIT
// The coordinates that a force on a body, or a torque at its joint, is felt by (solve/rows.hpp): those of the joints
// between the body and the world. A coordinate is numbered from the last degree of freedom to the first one. And the
// rows of such forces with one entry per coordinate, in this order: from the body inward, as forces travel.
#pragma once

#include <kinecast/dynamics/factor.hpp>
#include <kinecast/solve/rows.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kinecast {

template <const auto& R>
using RowSupport = Support<Shape<R>::kDofs>;

namespace detail {

// The coordinate of a degree of freedom.
template <const auto& R>
[[nodiscard]] constexpr int coordinate_of(int dof) noexcept {
  return Shape<R>::kDofs - 1 - dof;
}

template <const auto& R>
[[nodiscard]] constexpr auto make_paths() noexcept {
  std::array<RowSupport<R>, static_cast<std::size_t>(Shape<R>::kBodies)> paths{};
  for (int body = 0; body < Shape<R>::kBodies; ++body) {
    RowSupport<R>& path = paths[static_cast<std::size_t>(body)];
    for (int b = body; b >= 0; b = Shape<R>::index(b).parent)
      for (int i = axes_of<R>(b) - 1; i >= 0; --i)
        path.place[static_cast<std::size_t>(path.count++)] =
            static_cast<std::int16_t>(coordinate_of<R>(Shape<R>::v_of(b) + i));
  }
  return paths;
}
template <const auto& R>
inline constexpr auto kPaths = make_paths<R>();

// The path of a body, in flash.
template <const auto& R>
[[nodiscard]] inline const RowSupport<R>& path_of(int body) noexcept {
  return kPaths<R>[static_cast<std::size_t>(body)];
}

// The body whose path the row of a joint has: the last one of its limb, so that the joints of a leg and the contacts of
// its foot have a support in common, and the solver takes their rows together. The entries of joints further out are
// zero.
template <const auto& R>
[[nodiscard]] constexpr int body_of_row(int joint) noexcept {
  int last = joint;
  for (int b = joint; b >= 0;) {
    last = b;
    int children = 0;
    int child = -1;
    for (int c = b + 1; c < Shape<R>::kBodies; ++c)
      if (Shape<R>::index(c).parent == b) child = c, ++children;
    b = children == 1 && axes_of<R>(child) == 1 ? child : -1;
  }
  return last;
}
template <const auto& R>
inline constexpr auto kBodiesOfRows = [] {
  std::array<std::int16_t, static_cast<std::size_t>(Shape<R>::kBodies)> bodies{};
  for (int b = 0; b < Shape<R>::kBodies; ++b)
    bodies[static_cast<std::size_t>(b)] = static_cast<std::int16_t>(body_of_row<R>(b));
  return bodies;
}();

// Adds the coordinates of a body's path to a support that need not have them. The world has none.
template <const auto& R>
inline void add_path(int body, RowSupport<R>& support) noexcept {
  if (body == kWorld) return;
  const RowSupport<R>& path = path_of<R>(body);
  RowSupport<R> joined{};
  int i = 0;
  int j = 0;
  while (i < path.count || j < support.count) {
    const int a = i < path.count ? path.place[static_cast<std::size_t>(i)] : Shape<R>::kDofs;
    const int b = j < support.count ? support.place[static_cast<std::size_t>(j)] : Shape<R>::kDofs;
    joined.place[static_cast<std::size_t>(joined.count++)] = static_cast<std::int16_t>(a < b ? a : b);
    i += a <= b ? 1 : 0;
    j += b <= a ? 1 : 0;
  }
  support = joined;
}

// Clears the entries behind the last one, up to the next tile.
template <class S, int Rank>
inline void end_row(Row<S, Rank>& row) noexcept {
  for (int k = row.support->count; k % 3 != 0; ++k) row.y[k] = S(0);
}

// Fills a row from one that has an entry per degree of freedom, and finds its mobility.
template <const auto& R, class S>
inline void fill_row(const FactorRow<R, S>& from, const RowSupport<R>& felt, Row<S, Shape<R>::kDofs>& row) noexcept {
  row.set_support(felt);
  const RowSupport<R>& support = *row.support;
  row.mobility = S(0);
  for (int k = 0; k < support.count; ++k) {
    const S y = from[coordinate_of<R>(support.place[static_cast<std::size_t>(k)])];
    row.y[k] = y;
    row.mobility += y * y;
  }
  end_row(row);
}

// Writes what the joints feel of a force on its way inward: behind each other, or, in a dense row, where they belong.
template <const auto& R, class S>
struct AppendRow {
  const Workspace<R, S>& work;
  S* row;
  S*& next;

  [[gnu::always_inline]] void append(int dof, S y) const noexcept {
    if constexpr (kRowsAreDense<Shape<R>::kDofs>)
      row[coordinate_of<R>(dof)] = y;
    else
      *next++ = y;
  }
  [[gnu::always_inline]] void hinge(const JointAt& j, const Force<S>& f) const noexcept {
    append(j.v, work.hinges[j.at].whiten(Shape<R>::turns(j.b), f));
  }
  [[gnu::always_inline]] void ball(const JointAt& j, const Force<S>& f) const noexcept {
    S y[3];
    work.balls[free_of<R>(j.b)].whiten(f, y);
    for (int i = 2; i >= 0; --i) append(j.v + i, y[i]);
  }
  [[gnu::always_inline]] void base(const JointAt& j, const Force<S>& f) const noexcept {
    S y[6];
    work.bases[free_of<R>(j.b)].whiten(f, y);
    for (int i = 5; i >= 0; --i) append(j.v + i, y[i]);
  }
};

// The same of three forces that travel together.
template <const auto& R, class S>
struct AppendRows {
  AppendRow<R, S> x;
  AppendRow<R, S> y;
  AppendRow<R, S> z;

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

// Fills three rows from three forces on a body, and finds their mobilities.
template <const auto& R, class S>
inline void fill_force_rows(const Model<R, S>& model, const Workspace<R, S>& work, int body,
                            const ForceTriple<S>& forces, Row<S, Shape<R>::kDofs>* row) noexcept {
  S* next[3] = {row[0].y, row[1].y, row[2].y};
  if constexpr (kRowsAreDense<Shape<R>::kDofs>)
    for (int axis = 0; axis < 3; ++axis)
      for (S& y : row[axis].y) y = S(0);
  carry_inward(model, work, body, forces,
               AppendRows<R, S>{{work, row[0].y, next[0]}, {work, row[1].y, next[1]}, {work, row[2].y, next[2]}});
  for (int axis = 0; axis < 3; ++axis) {
    row[axis].set_support(path_of<R>(body));
    row[axis].mobility = S(0);
    for (int k = 0; k < row[axis].support->count; ++k) row[axis].mobility += row[axis].y[k] * row[axis].y[k];
    end_row(row[axis]);
  }
}

// Fills the row of a torque at a joint with one axis, `size` times, and finds its mobility.
template <const auto& R, class S>
inline void fill_joint_row(const Model<R, S>& model, const Workspace<R, S>& work, int body, S size,
                           Row<S, Shape<R>::kDofs>& row) noexcept {
  S* next = row.y;
  if constexpr (kRowsAreDense<Shape<R>::kDofs>) {
    for (S& y : row.y) y = S(0);
  } else {
    row.set_support(path_of<R>(kBodiesOfRows<R>[static_cast<std::size_t>(body)]));
    const int further_out = row.support->count - path_of<R>(body).count;
    for (int k = 0; k < further_out; ++k) *next++ = S(0);
  }
  const AppendRow<R, S> felt{work, row.y, next};
  felt.append(Shape<R>::v_of(body), size * std::sqrt(work.hinges[static_cast<std::size_t>(body)].inverse_D));
  if (!Shape<R>::is_root(body))
    carry_inward(model, work, parent_of<R>(body), reaction_on_parent(model, work, body, size), felt);
  row.mobility = S(0);
  for (int k = 0; k < row.support->count; ++k) row.mobility += row.y[k] * row.y[k];
  end_row(row);
}

// What the joints do with a change s of the coordinates: dq += W s.
template <const auto& R, class S>
struct AddChange {
  using Shape = kinecast::Shape<R>;
  const Workspace<R, S>& work;
  const S* change;
  Velocity<R, S>& dq;

  [[gnu::always_inline]] void hinge(const JointAt& j, Motion<S>& motion) const noexcept {
    const Hinge<S>& hinge = work.hinges[j.at];
    dq[j.v] += hinge.move(Shape::turns(j.b), change[coordinate_of<R>(j.v)] * std::sqrt(hinge.inverse_D), motion);
  }
  [[gnu::always_inline]] void ball(const JointAt& j, Motion<S>& motion) const noexcept {
    const S t[3] = {change[coordinate_of<R>(j.v)], change[coordinate_of<R>(j.v + 1)],
                    change[coordinate_of<R>(j.v + 2)]};
    const Vec3<S> rate = work.balls[free_of<R>(j.b)].move(t, motion);
    dq[j.v] += rate.x, dq[j.v + 1] += rate.y, dq[j.v + 2] += rate.z;
  }
  [[gnu::always_inline]] void base(const JointAt& j, Motion<S>& motion) const noexcept {
    S t[6];
    for (int i = 0; i < 6; ++i) t[i] = change[coordinate_of<R>(j.v + i)];
    motion = work.bases[free_of<R>(j.b)].move(t);
    const Mat3<S>& turn = work.screws.floating[free_of<R>(j.b)];
    const Vec3<S> linear = turn * motion.linear;
    const Vec3<S> angular = turn * motion.angular;
    dq[j.v] += linear.x, dq[j.v + 1] += linear.y, dq[j.v + 2] += linear.z;
    dq[j.v + 3] += angular.x, dq[j.v + 4] += angular.y, dq[j.v + 5] += angular.z;
  }
};

}  // namespace detail

// Adds to velocities what a change of the coordinates makes of them; one outward sweep. Velocities of joints whose
// acceleration is given stay.
template <const auto& R, class S, class Change>
inline void add_velocity(const Model<R, S>& model, const Change& change, Workspace<R, S>& work,
                         Velocity<R, S>& dq) noexcept {
  detail::sweep_motions(detail::WholeTree<R, S>{model}, work, detail::AddChange<R, S>{work, change.data(), dq});
}

}  // namespace kinecast
