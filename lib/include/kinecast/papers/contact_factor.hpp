// SPDX-License-Identifier: MIT
// The contact map of the touching points in factor form (method 14): three rows per contact along its own axes,
// A = Y Yᵀ. The columns of every loaded body (dynamics/factor.hpp) are found once; a contact's row is a wrench (p
// x a, a) times them, less that on the body that carries the surface.
//
// A body has six directions of motion, in a planar chain three. Where the touching bodies have fewer directions than
// there are joints on their paths, Householder reflections reduce the columns, C = L Q: L takes the place of C, the
// free velocity is turned too, and the solution is turned back. So the solver works in at most six dimensions per
// touching body, whatever the robot.
#pragma once

#include <kinecast/contact/detection.hpp>
#include <kinecast/dynamics/factor.hpp>
#include <kinecast/math/householder.hpp>

#include <algorithm>
#include <cmath>

namespace kinecast {

// The columns of the touching bodies. is_whole: joints can have rows, which need the factor space of the whole robot in
// its own order.
template <const auto& R, class S, int Capacity, int MaxBodies, bool is_whole>
struct ContactColumns {
  static constexpr int kDofs = Shape<R>::kDofs;
  static constexpr int kBodies = std::min({MaxBodies, Shape<R>::kBodies, 2 * Capacity});
  static constexpr int kRank = is_whole ? kDofs : std::min(kDofs, 6 * kBodies);
  template <class T, int Size>
  using Array = T[static_cast<std::size_t>(Size)];

  int bodies;
  int dofs;  // number of columns
  int rank;  // dimension of the factor space: dofs, or less if reduced
  Array<std::int16_t, kBodies> body;
  Array<std::int16_t, kBodies> filled;  // columns from here on are zero for the body, and not written
  Array<std::int16_t, kDofs> dof;       // degree of freedom of each column
  Array<S, kDofs> velocity;             // the free velocity, turned if reduced
  Array<Array<S, kDofs>, kRank> reflection;
  Array<S, kRank> scale;              // of the reflections
  Array<std::int16_t, kRank> behind;  // column that a reflection does not reach any more

  // The motion of every body, by columns. It is apart from the rest, because only the making of the rows needs it.
  struct Bodies {
    Array<detail::PathColumns<R, S>, kBodies> path;
    [[nodiscard]] Motion<S>* operator[](int i) noexcept { return path[i].motion; }
    [[nodiscard]] const Motion<S>* operator[](int i) const noexcept { return path[i].motion; }
  };

  [[nodiscard]] int slot_of(int wanted) const noexcept {
    for (int i = 0; i < bodies; ++i)
      if (body[i] == wanted) return i;
    return -1;
  }
};

namespace detail {

// Number i of a motion.
template <class S>
[[nodiscard, gnu::always_inline]] inline S& entry(Motion<S>& m, int i) noexcept {
  Vec3<S>& v = i < 3 ? m.angular : m.linear;
  const int k = i < 3 ? i : i - 3;
  return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

template <const auto& R, class S, int Capacity, int MaxBodies, bool is_whole, class Bodies>
inline void add_columns(const Model<R, S>& model, const Workspace<R, S>& work, int b,
                        ContactColumns<R, S, Capacity, MaxBodies, is_whole>& out, Bodies& C) noexcept {
  const int slot = out.bodies++;
  out.body[slot] = static_cast<std::int16_t>(b);
  // Column i of the path is joint i, or the path is the first one: its order is that of the columns.
  constexpr bool kInOrder = Shape<R>::kHas.serial && Shape<R>::kAllSingleAxis;
  if (kInOrder || out.dofs == 0) {
    PathColumns<R, S>& path = C.path[slot];
    Factor{model, work}.rows(b, path);
    if constexpr (kInOrder)
      for (int i = path.count; i < out.dofs; ++i) path.motion[i] = {};
    for (; out.dofs < path.count; ++out.dofs) out.dof[out.dofs] = path.dof[out.dofs];
  } else if constexpr (!kInOrder) {
    PathColumns<R, S> path;
    Factor{model, work}.rows(b, path);
    for (int i = 0; i < out.dofs; ++i) C[slot][i] = {};
    // A joint's column lies behind those of the joints before it on the path, whoever added them: one search for all.
    int column = 0;
    for (int i = 0; i < path.count; ++i, ++column) {
      while (column < out.dofs && out.dof[column] != path.dof[i]) ++column;
      if (column == out.dofs) out.dof[out.dofs++] = path.dof[i];
      C[slot][column] = path.motion[i];
    }
  }
  out.filled[slot] = static_cast<std::int16_t>(out.dofs);
}

// Sums of the absolute values of a body's rows, until none of them is zero.
template <class S>
[[nodiscard]] inline Motion<S> sizes_of_rows(const Motion<S>* columns, int count) noexcept {
  const auto add = [](Vec3<S>& sum, const Vec3<S>& v) {
    sum = {sum.x + std::abs(v.x), sum.y + std::abs(v.y), sum.z + std::abs(v.z)};
  };
  const auto has_zero = [](const Vec3<S>& v) { return !(v.x > S(0)) || !(v.y > S(0)) || !(v.z > S(0)); };
  Motion<S> sum{};
  for (int j = 0; j < count; ++j) {
    add(sum.angular, columns[j].angular);
    add(sum.linear, columns[j].linear);
    if (!has_zero(sum.angular) && !has_zero(sum.linear)) break;
  }
  return sum;
}

// Reduces the columns, C = L Q, if the bodies have fewer directions than there are columns. Columns were added body by
// body, so that a body's rows end with its own columns: its reflections and its rows of L do not reach further.
template <const auto& R, class S, int Capacity, int MaxBodies, bool is_whole, class Bodies>
inline void reduce_columns(ContactColumns<R, S, Capacity, MaxBodies, is_whole>& out, Bodies& C) noexcept {
  using Columns = ContactColumns<R, S, Capacity, MaxBodies, is_whole>;
  if constexpr (Columns::kDofs == 1) return;  // where the loops below would look out of bounds to the compiler
  constexpr int kStride = static_cast<int>(sizeof(Motion<S>) / sizeof(S));
  constexpr int kTriples = static_cast<int>(sizeof(Motion<S>) / sizeof(Vec3<S>));
  bool is_zero[static_cast<std::size_t>(6 * Columns::kBodies)];
  int count = 0;
  for (int b = 0; b < out.bodies; ++b) {
    Motion<S> sizes = sizes_of_rows(C[b], out.filled[b]);
    for (int i = 0; i < 6; ++i) {
      is_zero[6 * b + i] = entry(sizes, i) <= S(0);  // a NaN is not
      count += is_zero[6 * b + i] ? 0 : 1;
    }
  }
  if (count >= out.dofs) return;
  int k = 0;
  for (int b = 0; b < out.bodies; ++b) {
    const int end = out.filled[b];
    for (int i = 0; i < 6; ++i) {
      if (is_zero[6 * b + i] || k >= end) continue;
      S* const row = &entry(C[b][0], i);
      auto& v = out.reflection[k];
      v[k] = row[kStride * k];
      S rest = S(0);
      for (int j = k + 1; j < end; ++j) {
        const S x = row[kStride * j];
        v[j] = x;
        rest += x * x;
        row[kStride * j] = S(0);
      }
      find_reflection(v, k, rest, end, out.scale[k]);
      row[kStride * k] = v[k];
      out.behind[k] = static_cast<std::int16_t>(end);
      const S scale = out.scale[k];
      // The rest of these three rows is reflected one by one, then three rows at once, then six of each other body.
      for (int next = i + 1; next % 3 != 0; ++next)
        if (!is_zero[6 * b + next]) reflect<kStride>(v, scale, k, end, &entry(C[b][0], next));
      if (i < 3) reflect<kTriples>(v, scale, k, end, &C[b][0].linear);
      for (int other = b + 1; other < out.bodies; ++other) reflect(v, scale, k, end, C[other]);
      reflect(v, scale, k, end, out.velocity);
      ++k;
    }
    out.filled[b] = static_cast<std::int16_t>(k);
  }
  out.rank = k;
}

}  // namespace detail

// Finds the columns of all touching bodies, reduced where that helps, and the free velocity g in the space that is
// left. `has_rows`: joints have rows in this step.
template <const auto& R, class S, int Capacity, int MaxBodies, bool is_whole, class List, class G>
inline void find_contact_columns(const Model<R, S>& model, const Workspace<R, S>& work,
                                 const FactoredMotion<R, S>& motion, const List& list, bool has_rows,
                                 ContactColumns<R, S, Capacity, MaxBodies, is_whole>& out,
                                 typename ContactColumns<R, S, Capacity, MaxBodies, is_whole>::Bodies& C,
                                 G& g) noexcept {
  using Columns = ContactColumns<R, S, Capacity, MaxBodies, is_whole>;
  out.bodies = 0;
  out.dofs = 0;
  if (is_whole && has_rows) {
    out.dofs = Columns::kDofs;
    for (int j = 0; j < Columns::kDofs; ++j) out.dof[j] = static_cast<std::int16_t>(j);
  }
  for (int i = 0; i < list.count; ++i) {
    const auto& c = list.contacts[static_cast<std::size_t>(i)];
    if (out.slot_of(c.body) < 0) detail::add_columns(model, work, c.body, out, C);
    if (c.owner >= 0 && out.slot_of(c.owner) < 0) detail::add_columns(model, work, c.owner, out, C);
  }
  out.rank = out.dofs;
  for (int j = 0; j < out.dofs; ++j) out.velocity[j] = motion.g[out.dof[j]];
  if (!is_whole || !has_rows) detail::reduce_columns(out, C);
  __builtin_memcpy(
      g, out.velocity,
      sizeof(S) * static_cast<std::size_t>(Columns::kRank));  // all of it: a copy of known size needs no call
}

// Finds the three rows of contact c and the squares of their lengths, its mobilities. `owner`: the contact's
// other side, if that is a body.
template <const auto& R, class S, int Capacity, int MaxBodies, bool is_whole, class Rows>
inline void find_contact_rows(const PointContact<S>& c, const OwnerSide<S>* owner,
                              const ContactColumns<R, S, Capacity, MaxBodies, is_whole>& columns,
                              const typename ContactColumns<R, S, Capacity, MaxBodies, is_whole>::Bodies& bodies,
                              Rows row, S* mobility) noexcept {
  const auto moments = [](const Vec3<S>& place, const ContactAxes<S>& a) -> ContactAxes<S> {
    return {cross(place, a.n), cross(place, a.t2), cross(place, a.t3)};
  };
  const auto power = [](const ContactAxes<S>& m, const ContactAxes<S>& f, const Motion<S>& v) -> Vec3<S> {
    return {dot(m.n, v.angular) + dot(f.n, v.linear), dot(m.t2, v.angular) + dot(f.t2, v.linear),
            dot(m.t3, v.angular) + dot(f.t3, v.linear)};
  };
  {
    const ContactAxes<S> f = c.axes;  // a copy: stores to the rows cannot change it
    const ContactAxes<S> m = moments(c.place, f);
    const int slot = columns.slot_of(c.body);
    const Motion<S>* const C = bodies[slot];
    const int filled = columns.filled[slot];
    Vec3<S> squares{};
    for (int j = 0; j < filled; ++j) {
      const Vec3<S> y = power(m, f, C[j]);
      row[0][j] = y.x, row[1][j] = y.y, row[2][j] = y.z;
      squares = {squares.x + y.x * y.x, squares.y + y.y * y.y, squares.z + y.z * y.z};
    }
    for (int j = filled; j < columns.rank; ++j) row[0][j] = S(0), row[1][j] = S(0), row[2][j] = S(0);
    mobility[0] = squares.x, mobility[1] = squares.y, mobility[2] = squares.z;
  }
  if (owner == nullptr) return;
  const ContactAxes<S> f = owner->axes;
  const ContactAxes<S> m = moments(owner->place, f);
  const int slot = columns.slot_of(c.owner);
  const Motion<S>* const C = bodies[slot];
  const int filled = columns.filled[slot];
  Vec3<S> squares{};
  for (int j = 0; j < filled; ++j) {
    const Vec3<S> y = Vec3<S>{row[0][j], row[1][j], row[2][j]} - power(m, f, C[j]);
    row[0][j] = y.x, row[1][j] = y.y, row[2][j] = y.z;
    squares = {squares.x + y.x * y.x, squares.y + y.y * y.y, squares.z + y.z * y.z};
  }
  for (int j = filled; j < columns.rank; ++j)
    squares = {squares.x + row[0][j] * row[0][j], squares.y + row[1][j] * row[1][j], squares.z + row[2][j] * row[2][j]};
  mobility[0] = squares.x, mobility[1] = squares.y, mobility[2] = squares.z;
}

// Finds the velocity after the contact in the robot's whole factor space from that in the columns' space.
template <const auto& R, class S, int Capacity, int MaxBodies, bool is_whole, class T>
inline void expand_velocity(ContactColumns<R, S, Capacity, MaxBodies, is_whole>& columns,
                            const FactoredMotion<R, S>& motion, const T& t,
                            S (&out)[static_cast<std::size_t>(Shape<R>::kDofs)]) noexcept {
  for (int i = 0; i < Shape<R>::kDofs; ++i) out[i] = motion.g[i];
  if (columns.rank == columns.dofs) {
    for (int j = 0; j < columns.dofs; ++j) out[columns.dof[j]] = t[j];
    return;
  }
  for (int k = columns.rank - 1; k >= 0; --k) {
    columns.velocity[k] = t[k];  // a reflection does not change the entries left of its own
    detail::reflect(columns.reflection[k], columns.scale[k], k, columns.behind[k], columns.velocity);
  }
  for (int j = 0; j < columns.dofs; ++j) out[columns.dof[j]] = columns.velocity[j];
}

}  // namespace kinecast
