// SPDX-License-Identifier: MIT
// How the robot yields to forces at points, A = J H⁻¹ Jᵀ = Y Yᵀ, from what forward_dynamics() left in the workspace
// (method 14): Y is the points' directions times the columns of their bodies (dynamics/factor.hpp), so that A is
// symmetric and positive semidefinite by construction. response() is the change of ddq by forces along Y's rows. Cost:
// 45 operations per pair of joints on the path to a loaded body, 12 per column and contact.
#pragma once

#include <kinecast/dynamics/factor.hpp>
#include <kinecast/dynamics/forward_dynamics.hpp>
#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/kinematics.hpp>

#include <cmath>

namespace kinecast {

// Row 3 c + k: world axis k of contact c. Column: degree of freedom.
template <const auto& R, class S, int Contacts>
using ContactFactor = Matrix<S, 3 * Contacts, Shape<R>::kDofs>;

// The factor Y for the first `count` points, in world axes; further rows are zero. Neighbours on the same
// body share its columns, so sort points by body. Points on the world (body kWorld) have zero rows.
// `poses` are those of the same q.
template <const auto& R, class S, std::size_t Contacts>
[[nodiscard]] inline Status contact_map(const Model<R, S>& model, const Workspace<R, S>& work,
                                        const Kinematics<R, S>& poses,
                                        const std::array<PointOnBody<S>, Contacts>& points, int count,
                                        ContactFactor<R, S, static_cast<int>(Contacts)>& Y) noexcept {
  using Shape = kinecast::Shape<R>;
  if (!work.swept) return Status::not_ready;
  if (count < 0 || count > static_cast<int>(Contacts)) return Status::index_out_of_range;
  for (int c = 0; c < count; ++c) {
    if (const Status status = detail::check_point<R>(points[static_cast<std::size_t>(c)]); !ok(status)) return status;
  }
  const Factor factor{model, work};
  detail::PathColumns<R, S> path;
  for (int first = 0; first < static_cast<int>(Contacts);) {
    const int body = first < count ? points[static_cast<std::size_t>(first)].body : kWorld;
    if (body == kWorld) {
      Y.template middleRows<3>(3 * first).setZero();
      ++first;
      continue;
    }
    // All neighbours on this body, with their places relative to its origin, in world axes.
    const Mat3<S> to_world = poses.poses[static_cast<std::size_t>(body)].rotation;
    Vec3<S> arms[Contacts];
    int here = 0;
    for (; first + here < count && points[static_cast<std::size_t>(first + here)].body == body; ++here)
      arms[here] = to_world * points[static_cast<std::size_t>(first + here)].position;
    factor.rows(body, path);
    if (path.count < Shape::kDofs)
      for (int c = first; c < first + here; ++c) Y.template middleRows<3>(3 * c).setZero();
    for (int i = 0; i < path.count; ++i) {
      const Vec3<S> angular = to_world * path.motion[i].angular;
      const Vec3<S> linear = to_world * path.motion[i].linear;
      S* place = &Y(3 * first, path.dof[i]);
      for (int c = 0; c < here; ++c, place += 3) {
        const Vec3<S> moved = linear + cross(angular, arms[c]);
        place[0] = moved.x, place[1] = moved.y, place[2] = moved.z;
      }
    }
    first += here;
  }
  return Status::ok;
}

// A = Y Yᵀ, in 3x3 blocks so that nine sums stay in registers. Rows is a multiple of three.
template <class S, int Rows, int Columns>
inline void contact_matrix(const Matrix<S, Rows, Columns>& Y, Matrix<S, Rows, Rows>& A) noexcept {
  static_assert(Rows % 3 == 0, "three rows per contact");
  for (int i = 0; i < Rows; i += 3) {
    for (int j = 0; j <= i; j += 3) {
      const S* a = &Y(i, 0);
      const S* b = &Y(j, 0);
      Mat3<S> sum{};
      for (int k = 0; k < Columns; ++k, a += Rows, b += Rows) {
        const Vec3<S> right{b[0], b[1], b[2]};
        sum = {sum.row_x + a[0] * right, sum.row_y + a[1] * right, sum.row_z + a[2] * right};
      }
      const auto put = [](S* at, const Vec3<S>& v) { at[0] = v.x, at[1] = v.y, at[2] = v.z; };
      const Mat3<S> columns = transpose(sum);
      put(&A(i, j), columns.row_x), put(&A(i, j + 1), columns.row_y), put(&A(i, j + 2), columns.row_z);
      put(&A(j, i), sum.row_x), put(&A(j, i + 1), sum.row_y), put(&A(j, i + 2), sum.row_z);
    }
  }
}

// The change of ddq that forces f (along the contact directions, in the order of Y's rows) cause: the
// innovations Yᵀ f, then the outward sweep alone. Overwrites the own accelerations of the last
// forward_dynamics() in the workspace; U and D stay.
template <const auto& R, class S, int Rows>
[[nodiscard]] inline Status response(const Model<R, S>& model, const Matrix<S, Rows, Shape<R>::kDofs>& Y,
                                     const Vector<S, Rows>& f, Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
  using Shape = kinecast::Shape<R>;
  if (!work.swept) return Status::not_ready;
  if (const Status status = check_input(f); !ok(status)) return status;
  const auto innovation = [&](int v) {
    S sum{};
    for (int r = 0; r < Rows; ++r) sum += Y(r, v) * f[r];
    return sum;
  };
  for (int b = 0; b < Shape::kBodies; ++b) {
    const int v = Shape::v_of(b);
    if (Shape::has_one_axis(b)) {
      Hinge<S>& hinge = work.hinges[static_cast<std::size_t>(b)];
      hinge.own_acceleration = innovation(v) * std::sqrt(hinge.inverse_D);
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
      work.bases[free].D.multiply_lower(x);
      work.bases[free].u = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    }
  }
  Velocity<R, S> result;
  detail::sweep_outward(detail::WholeTree<R, S>{model}, work, result);
  if (!all_finite(result)) return Status::non_finite_result;
  ddq = result;
  return Status::ok;
}

}  // namespace kinecast
