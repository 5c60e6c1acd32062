// SPDX-License-Identifier: MIT
// The contact map of the touching points in factor form (spec 14): three rows per contact along its own axes, A = Y Yᵀ. The
// columns of every loaded body (dynamics/contact_map.hpp) are found once; a contact's row is a wrench (p x a, a) times them, less
// that on the body that carries the surface.
//
// Bodies feel six numbers each, a planar chain only three of them; where that is less than the joints on the way, the columns are
// turned by Householder reflections, C = L Q: L takes their place, the free velocity is turned too, and the solution is turned
// back. So the solver works in at most six dimensions per touching body, whatever the robot.
#pragma once

#include <kinecast/contact/detection.hpp>
#include <kinecast/dynamics/contact_map.hpp>

#include <algorithm>
#include <cmath>

namespace kinecast {

// kWhole: all of the robot's factor space in its own order, for rows of joints.
template <const auto& R, class S, int Capacity, int MaxBodies, bool kWhole>
struct ContactColumns {
  static constexpr int kDofs = Shape<R>::kDofs;
  static constexpr int kBodies = std::min({MaxBodies, Shape<R>::kBodies, 2 * Capacity});
  static constexpr int kRank = kWhole ? kDofs : std::min(kDofs, 6 * kBodies);
  template <class T, int Size>
  using Array = T[static_cast<std::size_t>(Size)];

  int bodies;
  int dofs;  // columns in use
  int rank;  // of the factor space: dofs, or fewer if reduced
  Array<std::int16_t, kBodies> body;
  Array<std::int16_t, kDofs> dof;             // of each column
  Array<Array<Motion<S>, kDofs>, kBodies> C;  // the motion of every body, by columns
  Array<S, kDofs> velocity;                   // the free velocity, turned if reduced
  Array<Array<S, kDofs>, kRank> reflection;
  Array<S, kRank> scale;  // of the reflections

  [[nodiscard]] int slot_of(int wanted) const noexcept {
    for (int i = 0; i < bodies; ++i)
      if (body[i] == wanted) return i;
    return -1;
  }
};

namespace detail {

// A motion's six numbers in a row.
template <class S>
[[nodiscard, gnu::always_inline]] inline S& entry(Motion<S>& m, int i) noexcept {
  Vec3<S>& v = i < 3 ? m.angular : m.linear;
  const int k = i < 3 ? i : i - 3;
  return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

// The next row of C becomes one of L: a reflection that leaves it nothing right of column k.
template <class S>
inline void find_reflection(S* row, int k, int columns, S& scale) noexcept {
  S rest = S(0);
  for (int j = k + 1; j < columns; ++j) rest += row[j] * row[j];
  scale = S(0);
  if (!(rest > S(0))) return;
  const S length = std::sqrt(row[k] * row[k] + rest);
  const S diagonal = row[k] > S(0) ? -length : length;
  const S first = row[k] - diagonal;
  const S inverse_first = S(1) / first;
  for (int j = k + 1; j < columns; ++j) row[j] *= inverse_first;
  scale = -first / diagonal;
  row[k] = diagonal;
}

// x <- (1 - scale v vᵀ) x, v = (0, …, 1 at k, row behind it). x may lie with a stride.
template <int Stride = 1, class S>
[[gnu::always_inline]] inline void reflect(const S* v, S scale, int k, int columns, S* x) noexcept {
  S sum = x[Stride * k];
  for (int j = k + 1; j < columns; ++j) sum += x[Stride * j] * v[j];
  sum *= scale;
  x[Stride * k] -= sum;
  for (int j = k + 1; j < columns; ++j) x[Stride * j] -= sum * v[j];
}

template <const auto& R, class S, int Capacity, int MaxBodies, bool kWhole>
inline void add_columns(const Model<R, S>& model, const Workspace<R, S>& work, int b,
                        ContactColumns<R, S, Capacity, MaxBodies, kWhole>& out) noexcept {
  using Columns = ContactColumns<R, S, Capacity, MaxBodies, kWhole>;
  auto& place = out.C[out.bodies];
  PathColumns<R, S> path;
  find_columns(model, work, b, path);
  out.body[out.bodies++] = static_cast<std::int16_t>(b);
  if constexpr (Shape<R>::kHas.serial && Shape<R>::kAllSingleAxis) {  // column i of the path is joint i
    for (int i = 0; i < Columns::kDofs; ++i) place[i] = i < path.count ? path.motion[i] : Motion<S>{};
    for (; out.dofs < path.count; ++out.dofs) out.dof[out.dofs] = static_cast<std::int16_t>(out.dofs);
  } else {
    for (int i = 0; i < Columns::kDofs; ++i) place[i] = {};
    for (int i = 0; i < path.count; ++i) {
      int column = 0;
      while (column < out.dofs && out.dof[column] != path.dof[i]) ++column;
      if (column == out.dofs) out.dof[out.dofs++] = path.dof[i];
      place[column] = path.motion[i];
    }
  }
}

// C = L Q, if the bodies feel less than the columns could tell.
template <const auto& R, class S, int Capacity, int MaxBodies, bool kWhole>
inline void reduce_columns(ContactColumns<R, S, Capacity, MaxBodies, kWhole>& out) noexcept {
  using Columns = ContactColumns<R, S, Capacity, MaxBodies, kWhole>;
  constexpr int kStride = static_cast<int>(sizeof(Motion<S>) / sizeof(S));
  // Rows of C that are not zero.
  S* rows[static_cast<std::size_t>(6 * Columns::kBodies)];
  int count = 0;
  for (int b = 0; b < out.bodies; ++b) {
    for (int i = 0; i < 6; ++i) {
      S* const row = &entry(out.C[b][0], i);
      int j = 0;
      while (j < out.dofs && !(std::abs(row[kStride * j]) > S(0))) ++j;
      if (j < out.dofs) rows[count++] = row;
    }
  }
  if (count >= out.dofs) return;
  out.rank = count;
  for (int k = 0; k < count; ++k) {
    auto& v = out.reflection[k];
    for (int j = k; j < out.dofs; ++j) v[j] = rows[k][kStride * j];
    find_reflection(v, k, out.dofs, out.scale[k]);
    rows[k][kStride * k] = v[k];
    for (int j = k + 1; j < out.dofs; ++j) rows[k][kStride * j] = S(0);
    for (int i = k + 1; i < count; ++i) reflect<kStride>(v, out.scale[k], k, out.dofs, rows[i]);
    reflect(v, out.scale[k], k, out.dofs, out.velocity);
  }
}

}  // namespace detail

// The columns of all touching bodies, reduced where that helps, and the free velocity g in the space that is left.
template <const auto& R, class S, int Capacity, int MaxBodies, bool kWhole, bool kOnLinks, class G>
inline void find_contact_columns(const Model<R, S>& model, const Workspace<R, S>& work, const StepMotion<R, S>& motion,
                                 const ContactList<S, Capacity, kOnLinks>& list,
                                 ContactColumns<R, S, Capacity, MaxBodies, kWhole>& out, G& g) noexcept {
  using Columns = ContactColumns<R, S, Capacity, MaxBodies, kWhole>;
  out.bodies = 0;
  out.dofs = 0;
  if constexpr (kWhole) {
    out.dofs = Columns::kDofs;
    for (int j = 0; j < Columns::kDofs; ++j) out.dof[j] = static_cast<std::int16_t>(j);
  }
  for (int i = 0; i < list.count; ++i) {
    const Contact<S>& c = list.contacts[static_cast<std::size_t>(i)];
    if (out.slot_of(c.body) < 0) detail::add_columns(model, work, c.body, out);
    if (c.owner >= 0 && out.slot_of(c.owner) < 0) detail::add_columns(model, work, c.owner, out);
  }
  out.rank = out.dofs;
  for (int j = 0; j < out.dofs; ++j) out.velocity[j] = motion.g[out.dof[j]];
  if constexpr (!kWhole) detail::reduce_columns(out);
  for (int j = 0; j < out.rank; ++j) g[j] = out.velocity[j];
}

// The three rows of contact c (`owner`: its other side, if that is a body), and the squares of their lengths: its own mobilities.
template <const auto& R, class S, int Capacity, int MaxBodies, bool kWhole, class Rows>
inline void find_contact_rows(const Contact<S>& c, const OwnerSide<S>* owner,
                              const ContactColumns<R, S, Capacity, MaxBodies, kWhole>& columns, Rows row,
                              S* mobility) noexcept {
  const auto moments = [](const Vec3<S>& place, const ContactAxes<S>& a) -> ContactAxes<S> {
    return {cross(place, a.n), cross(place, a.t2), cross(place, a.t3)};
  };
  {
    const ContactAxes<S> f = c.axes;
    const ContactAxes<S> m = moments(c.place, f);
    const Motion<S>* const C = columns.C[columns.slot_of(c.body)];
    Vec3<S> squares{};
    for (int j = 0; j < columns.rank; ++j) {
      const Motion<S> v = C[j];
      const Vec3<S> y{dot(m.n, v.angular) + dot(f.n, v.linear), dot(m.t2, v.angular) + dot(f.t2, v.linear),
                      dot(m.t3, v.angular) + dot(f.t3, v.linear)};
      row[0][j] = y.x, row[1][j] = y.y, row[2][j] = y.z;
      squares = {squares.x + y.x * y.x, squares.y + y.y * y.y, squares.z + y.z * y.z};
    }
    mobility[0] = squares.x, mobility[1] = squares.y, mobility[2] = squares.z;
  }
  if (owner == nullptr) return;
  const ContactAxes<S> f = owner->axes;
  const ContactAxes<S> m = moments(owner->place, f);
  const Motion<S>* const C = columns.C[columns.slot_of(c.owner)];
  Vec3<S> squares{};
  for (int j = 0; j < columns.rank; ++j) {
    const Motion<S> v = C[j];
    const Vec3<S> y{row[0][j] - (dot(m.n, v.angular) + dot(f.n, v.linear)),
                    row[1][j] - (dot(m.t2, v.angular) + dot(f.t2, v.linear)),
                    row[2][j] - (dot(m.t3, v.angular) + dot(f.t3, v.linear))};
    row[0][j] = y.x, row[1][j] = y.y, row[2][j] = y.z;
    squares = {squares.x + y.x * y.x, squares.y + y.y * y.y, squares.z + y.z * y.z};
  }
  mobility[0] = squares.x, mobility[1] = squares.y, mobility[2] = squares.z;
}

// The velocity after the contact in the robot's whole factor space, from that in the columns' space.
template <const auto& R, class S, int Capacity, int MaxBodies, bool kWhole, class T>
inline void expand_velocity(ContactColumns<R, S, Capacity, MaxBodies, kWhole>& columns, const StepMotion<R, S>& motion,
                            const T& t, S (&out)[static_cast<std::size_t>(Shape<R>::kDofs)]) noexcept {
  for (int j = 0; j < columns.rank; ++j) columns.velocity[j] = t[j];
  if (columns.rank < columns.dofs)
    for (int k = columns.rank - 1; k >= 0; --k)
      detail::reflect(columns.reflection[k], columns.scale[k], k, columns.dofs, columns.velocity);
  for (int i = 0; i < Shape<R>::kDofs; ++i) out[i] = motion.g[i];
  for (int j = 0; j < columns.dofs; ++j) out[columns.dof[j]] = columns.velocity[j];
}

}  // namespace kinecast
