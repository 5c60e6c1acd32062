// SPDX-License-Identifier: MIT
// mass_matrix() finds the joint-space inertia H(q) by composite rigid bodies: inward, each subtree becomes one rigid
// body; the force that a unit acceleration of its joint needs is carried to the world, and gives one column at every
// joint it passes.
#pragma once

#include <kinecast/dynamics/inverse_dynamics.hpp>
#include <kinecast/dynamics/workspace.hpp>

namespace kinecast {

namespace detail {

// This carries the force of column `column` from a body towards the world and writes the column's entries, mirrored.
template <const auto& R, class S, class M>
inline void write_column(const Model<R, S>& model, const Screws<R, S>& screws, int body, int column, Force<S> f,
                         M& h) noexcept {
  using Shape = kinecast::Shape<R>;
  for (int b = body; b > 0 && !Shape::is_root(b);) {
    f = to_parent(model, screws, b, f);
    b = Shape::kHas.serial ? b - 1 : Shape::index(b).parent;
    project_on_joint<R>(screws, b, f, [&](int v, S value) { h(v, column) = value, h(column, v) = value; });
  }
}

// This gives the subtree of a body as one rigid body, in the frame of the parent.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline RigidInertia<S> composite_to_parent(const Model<R, S>& model,
                                                                             const Screws<R, S>& screws, int body,
                                                                             const RigidInertia<S>& m) noexcept {
  using Shape = kinecast::Shape<R>;
  if constexpr (Shape::kHas.spherical > 0) {
    if (Shape::is_spherical(body)) {
      const JointIndex& index = Shape::index(body);
      const Mat3<S>& turn = screws.spherical[static_cast<std::size_t>(index.free)];
      return shift(model.mount(index.mount).position,
                   RigidInertia<S>{m.mass, turn * m.first_moment, rotated(turn, m.rotational)});
    }
  }
  return to_parent_inertia(model, screws, body, m);
}

// This calls `visit` with each unit motion of a body's joint, in the body's frame.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Motion<S> unit_motion(const Screws<R, S>& screws, int body, int k) noexcept {
  using Shape = kinecast::Shape<R>;
  const Vec3<S> axis{S(k % 3 == 0 ? 1 : 0), S(k % 3 == 1 ? 1 : 0), S(k % 3 == 2 ? 1 : 0)};
  if constexpr (Shape::kHas.floating > 0) {
    if (Shape::is_floating(body)) {
      const Vec3<S> turned = transpose_times(screws.floating[static_cast<std::size_t>(Shape::index(body).free)], axis);
      return k < 3 ? Motion<S>{{}, turned} : Motion<S>{turned, {}};
    }
  }
  return {axis, {}};
}

}  // namespace detail

template <const auto& R, class S>
using JointMatrix = Matrix<S, Shape<R>::kDofs, Shape<R>::kDofs>;

// `H` is symmetric, rotor inertias included; untouched unless ok.
template <const auto& R, class S>
[[nodiscard]] inline Status mass_matrix(const Model<R, S>& model, const Position<R, S>& q, Workspace<R, S>& work,
                                        JointMatrix<R, S>& H) noexcept {
  using Shape = kinecast::Shape<R>;
  work.swept = false;
  if (const Status status = update_screws(model, q, work.screws); !ok(status)) return status;
  const Screws<R, S>& screws = work.screws;
  if constexpr (!Shape::kHas.serial) H.setZero();  // branches do not couple directly
  const detail::WholeTree<R, S> tree{model};
  RigidInertia<S> sum{};
  for (int b = Shape::kBodies - 1; b >= 0; --b) {
    detail::collect<R>(tree, b, work.inward_rigid, sum);
    const JointConstants<S>& joint = model.joint(b);
    sum = sum + joint.inertia;
    const int v = Shape::v_of(b);
    const Sym3<S>& i = sum.rotational;
    const Vec3<S>& h = sum.first_moment;
    if (Shape::is_revolute(b)) {
      H(v, v) = i.zz + joint.rotor;
      detail::write_column(model, screws, b, v, Force<S>{{i.xz, i.yz, i.zz}, {-h.y, h.x, S(0)}}, H);
    } else if (Shape::is_prismatic(b)) {
      H(v, v) = sum.mass + joint.rotor;
      detail::write_column(model, screws, b, v, Force<S>{{h.y, -h.x, S(0)}, {S(0), S(0), sum.mass}}, H);
    } else if constexpr (!Shape::kAllSingleAxis) {
      const int dofs = Shape::is_floating(b) ? 6 : 3;
      for (int k = 0; k < dofs; ++k) {
        const Force<S> f = sum * detail::unit_motion<R>(screws, b, k);
        detail::project_on_joint<R>(screws, b, f, [&](int row, S value) { H(row, v + k) = value; });
        detail::write_column(model, screws, b, v + k, f, H);
      }
    }
    if (!Shape::is_root(b)) sum = detail::composite_to_parent(model, screws, b, sum);
    detail::hand_on<R>(tree, b, b, work.inward_rigid, sum);
  }
  return Status::ok;
}

}  // namespace kinecast
