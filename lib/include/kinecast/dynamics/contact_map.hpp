// SPDX-License-Identifier: MIT
// How the robot yields to forces at points: A = J H⁻¹ Jᵀ in factor form, from what forward_dynamics() left in the workspace
// (spec 14). The innovations factorisation H⁻¹ = Sum of c_i c_iᵀ gives one column per degree of freedom: the motion of the
// loaded body that a unit innovation at joint i causes, filtered by the joints between,
//
//   c_i = S_i / sqrt(D_i) at joint i;   outward across joint j:   c_i <- X_j c_i - S_j (U_jᵀ X_j c_i) / D_j
//
// and then A = Y Yᵀ with Y = (contact directions) x (columns): symmetric and positive semidefinite by construction.
// Cost: 45 operations per pair of joints on the path to a loaded body, 12 per column and contact.
#pragma once

#include <kinecast/dynamics/forward_dynamics.hpp>
#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/kinematics.hpp>

#include <cmath>

namespace kinecast {

// A point and three directions to push it in, rows of `axes`, in the body's frame.
template <class S>
struct ContactFrame {
  PointOnBody<S> point{};
  Mat3<S> axes{};
};

// Directions along the world's axes.
template <const auto& R, class S>
[[nodiscard]] inline ContactFrame<S> contact_in_world_axes(const Kinematics<R, S>& k,
                                                           const PointOnBody<S>& point) noexcept {
  return {point, k.pose(point.body).rotation};
}

// Row 3 c + k: direction k of contact c. Column: degree of freedom.
template <const auto& R, class S, int Contacts>
using ContactFactor = Matrix<S, 3 * Contacts, Shape<R>::kDofs>;

namespace detail {

// The columns c_i of one body, for the joints between the world and it.
template <const auto& R, class S>
struct PathColumns {
  using Shape = kinecast::Shape<R>;
  std::array<Motion<S>, static_cast<std::size_t>(Shape::kDofs)> motion;  // by order on the path
  std::array<std::int16_t, static_cast<std::size_t>(Shape::kDofs)> dof;
  int count{0};

  void add(int v, const Motion<S>& m) noexcept {
    motion[static_cast<std::size_t>(count)] = m;
    dof[static_cast<std::size_t>(count)] = static_cast<std::int16_t>(v);
    ++count;
  }
};

// Carries the columns that are there across a body's joint, and adds the joint's own.
template <const auto& R, class S>
inline void extend_path(const Model<R, S>& model, const Workspace<R, S>& work, int b,
                        PathColumns<R, S>& path) noexcept {
  using Shape = kinecast::Shape<R>;
  const std::size_t at = static_cast<std::size_t>(b);
  const int v = Shape::v_of(b);
  if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
    const Hinge<S>& hinge = work.hinges[at];
    const bool turns = Shape::is_revolute(b);
    for (int i = 0; i < path.count; ++i) {
      Motion<S>& c = path.motion[static_cast<std::size_t>(i)];
      c = to_child(model, work.screws, b, c);
      (turns ? c.angular.z : c.linear.z) -= power(hinge.U, c) * hinge.inverse_D;
    }
    const S size = std::sqrt(hinge.inverse_D);
    path.add(v, turns ? Motion<S>{{S(0), S(0), size}, {}} : Motion<S>{{}, {S(0), S(0), size}});
  } else if (Shape::is_spherical(b)) {
    if constexpr (Shape::kHas.spherical > 0) {
      const Ball<S>& ball = work.balls[static_cast<std::size_t>(Shape::index(b).free)];
      for (int i = 0; i < path.count; ++i) {
        Motion<S>& c = path.motion[static_cast<std::size_t>(i)];
        c = to_child(model, work.screws, b, c);
        c.angular = -(ball.inverse_D_coupling * c.linear);
      }
      for (int k = 0; k < 3; ++k) {
        S x[3] = {S(k == 0 ? 1 : 0), S(k == 1 ? 1 : 0), S(k == 2 ? 1 : 0)};
        ball.D.solve_upper(x);
        path.add(v + k, {{x[0], x[1], x[2]}, {}});
      }
    }
  } else if constexpr (Shape::kHas.floating > 0) {
    const Cholesky<S, 6>& base = work.bases[static_cast<std::size_t>(Shape::index(b).free)];
    for (int k = 0; k < 6; ++k) {
      S x[6] = {};
      x[k] = S(1);
      base.solve_upper(x);
      path.add(v + k, {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
    }
  }
}

template <const auto& R, class S>
inline void find_columns(const Model<R, S>& model, const Workspace<R, S>& work, int body,
                         PathColumns<R, S>& path) noexcept {
  using Shape = kinecast::Shape<R>;
  std::array<std::int16_t, static_cast<std::size_t>(Shape::kBodies)> way;
  int length = 0;
  for (int b = body; b >= 0; b = Shape::index(b).parent)
    way[static_cast<std::size_t>(length++)] = static_cast<std::int16_t>(b);
  path.count = 0;
  for (int i = length - 1; i >= 0; --i) extend_path(model, work, way[static_cast<std::size_t>(i)], path);
}

}  // namespace detail

// The factor Y for the first `count` contacts; further rows are zero. Sort contacts by body: neighbours on the same body
// share its columns. Contacts on the world (body kWorld) have zero rows.
template <const auto& R, class S, std::size_t Contacts>
[[nodiscard]] inline Status contact_map(const Model<R, S>& model, const Workspace<R, S>& work,
                                        const std::array<ContactFrame<S>, Contacts>& contacts, int count,
                                        ContactFactor<R, S, static_cast<int>(Contacts)>& Y) noexcept {
  using Shape = kinecast::Shape<R>;
  if (count < 0 || count > static_cast<int>(Contacts)) return Status::index_out_of_range;
  for (int c = 0; c < count; ++c) {
    const PointOnBody<S>& p = contacts[static_cast<std::size_t>(c)].point;
    if (p.body < kWorld || p.body >= Shape::kBodies) return Status::index_out_of_range;
  }
  Y.setZero();
  detail::PathColumns<R, S> path;
  int body_of_path = kWorld;
  for (int c = 0; c < count; ++c) {
    const ContactFrame<S>& contact = contacts[static_cast<std::size_t>(c)];
    if (contact.point.body == kWorld) continue;
    if (contact.point.body != body_of_path) {
      detail::find_columns(model, work, contact.point.body, path);
      body_of_path = contact.point.body;
    }
    for (int i = 0; i < path.count; ++i) {
      const Motion<S>& m = path.motion[static_cast<std::size_t>(i)];
      const Vec3<S> moved = contact.axes * (m.linear + cross(m.angular, contact.point.position));
      const int v = path.dof[static_cast<std::size_t>(i)];
      Y(3 * c, v) = moved.x, Y(3 * c + 1, v) = moved.y, Y(3 * c + 2, v) = moved.z;
    }
  }
  return Status::ok;
}

// A = Y Yᵀ, in 3x3 blocks so that nine sums stay in registers.
template <class S, int Rows, int Columns>
inline void contact_matrix(const Matrix<S, Rows, Columns>& Y, Matrix<S, Rows, Rows>& A) noexcept {
  for (int i = 0; i < Rows; i += 3) {
    for (int j = 0; j <= i; j += 3) {
      Mat3<S> sum{};
      for (int k = 0; k < Columns; ++k) {
        const Vec3<S> a{Y(i, k), Y(i + 1, k), Y(i + 2, k)};
        const Vec3<S> b{Y(j, k), Y(j + 1, k), Y(j + 2, k)};
        sum = {sum.row_x + a.x * b, sum.row_y + a.y * b, sum.row_z + a.z * b};
      }
      const Vec3<S> rows[3] = {sum.row_x, sum.row_y, sum.row_z};
      for (int r = 0; r < 3; ++r) {
        A(i + r, j) = rows[r].x, A(i + r, j + 1) = rows[r].y, A(i + r, j + 2) = rows[r].z;
        A(j, i + r) = rows[r].x, A(j + 1, i + r) = rows[r].y, A(j + 2, i + r) = rows[r].z;
      }
    }
  }
}

// The change of ddq that forces f (along the contact directions, in the order of Y's rows) cause: the innovations Yᵀ f, then
// the outward sweep alone. Overwrites the u of the last forward_dynamics() in the workspace; U and D stay.
template <const auto& R, class S, int Rows>
[[nodiscard]] inline Status response(const Model<R, S>& model, const Matrix<S, Rows, Shape<R>::kDofs>& Y,
                                     const Vector<S, Rows>& f, Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
  using Shape = kinecast::Shape<R>;
  if (!all_finite(f)) return Status::non_finite_input;
  const auto innovation = [&](int v) {
    S sum{};
    for (int r = 0; r < Rows; ++r) sum += Y(r, v) * f[r];
    return sum;
  };
  for (int b = 0; b < Shape::kBodies; ++b) {
    const int v = Shape::v_of(b);
    if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
      Hinge<S>& hinge = work.hinges[static_cast<std::size_t>(b)];
      hinge.u = innovation(v) / std::sqrt(hinge.inverse_D);
    } else if (Shape::is_spherical(b)) {
      if constexpr (Shape::kHas.spherical > 0) {
        Ball<S>& ball = work.balls[static_cast<std::size_t>(Shape::index(b).free)];
        S x[3] = {innovation(v), innovation(v + 1), innovation(v + 2)};
        ball.D.solve_upper(x);
        ball.inverse_D_u = {x[0], x[1], x[2]};
      }
    } else if constexpr (Shape::kHas.floating > 0) {
      const std::size_t free = static_cast<std::size_t>(Shape::index(b).free);
      S x[6] = {innovation(v),     innovation(v + 1), innovation(v + 2),
                innovation(v + 3), innovation(v + 4), innovation(v + 5)};
      work.bases[free].multiply_lower(x);
      work.base_u[free] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    }
  }
  Velocity<R, S> result;
  detail::sweep_outward(model, work, result);
  if (!all_finite(result)) return Status::non_finite_result;
  ddq = result;
  return Status::ok;
}

}  // namespace kinecast
