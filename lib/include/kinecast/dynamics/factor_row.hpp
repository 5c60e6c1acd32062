// SPDX-License-Identifier: MIT
// One row of the innovations factor (method 14): how all joints feel a force on one body, or a torque at one joint, and
// so how that body or joint yields to all of them. With H⁻¹ = W Wᵀ and y = Wᵀ Jᵀ for a row J of velocities,
//
//   J H⁻¹ J'ᵀ = y . y',   the change of velocity by an impulse x along J is W (x y),   J dq = y . g for dq = W g.
//
// One inward pass over the joints between the body and the world, from what the last
// inward sweep left in the workspace:
//
//   y_i = S_iᵀ f / sqrt(D_i);   f <- X_iᵀ (f - U_i (S_iᵀ f) / D_i)    (a joint whose acceleration is given: 1/D = 0)
//
// contact_map.hpp has the same rows for many points on one body, from columns. Cost: 55
// operations per joint on the way.
#pragma once

#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/transfer.hpp>

#include <cmath>

namespace kinecast {

// A row's entries, per degree of freedom; zero where the joint is not between the body and the world.
template <const auto& R, class S>
using FactorRow = S[static_cast<std::size_t>(Shape<R>::kDofs)];

namespace detail {

// Carries a force from a body to the world, joint by joint. `of_hinge(v, u, inverse_D)` gets what a single-axis joint
// feels, `whitened(v, y)` the entries of the others.
template <const auto& R, class S, class OfHinge, class Whitened>
[[gnu::always_inline]] inline void carry_inward(const Model<R, S>& model, const Workspace<R, S>& work, int body,
                                                Force<S> f, OfHinge&& of_hinge, Whitened&& whitened) noexcept {
  using Shape = kinecast::Shape<R>;
  for (int b = body; b >= 0; b = Shape::kHas.serial ? b - 1 : Shape::index(b).parent) {
    const std::size_t at = static_cast<std::size_t>(b);
    const int v = Shape::v_of(b);
    if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
      const bool turns = Shape::kHas.prismatic == 0 || Shape::is_revolute(b);
      const Hinge<S>& hinge = work.hinges[at];
      const S u = turns ? f.moment.z : f.force.z;
      of_hinge(v, u, hinge.inverse_D);
      const S own = u * hinge.inverse_D;
      f = {f.moment - own * hinge.U.moment, f.force - own * hinge.U.force};
    } else if (Shape::is_spherical(b)) {
      if constexpr (Shape::kHas.spherical > 0) {
        const Ball<S>& ball = work.balls[static_cast<std::size_t>(Shape::index(b).free)];
        S x[3] = {f.moment.x, f.moment.y, f.moment.z};
        ball.D.solve_lower(x);
        for (int i = 0; i < 3; ++i) whitened(v + i, x[i]);
        f = {{}, f.force - transpose_times(ball.inverse_D_coupling, f.moment)};
      }
    } else if constexpr (Shape::kHas.floating > 0) {
      S x[6] = {f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z};
      work.bases[static_cast<std::size_t>(Shape::index(b).free)].solve_lower(x);
      for (int i = 0; i < 6; ++i) whitened(v + i, x[i]);
    }
    if (Shape::is_root(b)) return;
    f = to_parent(model, work.screws, b, f);
  }
}

// The force that the parent feels as the reaction of a torque at a joint, in the parent's frame.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Force<S> reaction_on_parent(const Model<R, S>& model,
                                                                     const Workspace<R, S>& work, int body,
                                                                     S torque) noexcept {
  const Hinge<S>& hinge = work.hinges[static_cast<std::size_t>(body)];
  const S own = -torque * hinge.inverse_D;
  return to_parent(model, work.screws, body, Force<S>{own * hinge.U.moment, own * hinge.U.force});
}
template <const auto& R>
[[nodiscard]] constexpr int parent_of(int body) noexcept {
  return Shape<R>::kHas.serial ? body - 1 : Shape<R>::index(body).parent;
}

}  // namespace detail

// Adds the row of a force on a body: `f` is [moment about the origin of the body's frame; force], body axes. For the
// relative motion of two bodies add the one, and the other with the opposite force. The world (kWorld) adds nothing.
template <const auto& R, class S>
inline void add_force_row(const Model<R, S>& model, const Workspace<R, S>& work, int body, const Force<S>& f,
                          FactorRow<R, S>& row) noexcept {
  detail::carry_inward(
      model, work, body, f, [&](int v, S u, S inverse_D) { row[v] += u * std::sqrt(inverse_D); },
      [&](int v, S y) { row[v] += y; });
}

// Adds `size` times the row of a torque at a joint with one axis: its own velocity.
template <const auto& R, class S>
inline void add_joint_row(const Model<R, S>& model, const Workspace<R, S>& work, int body, S size,
                          FactorRow<R, S>& row) noexcept {
  row[Shape<R>::v_of(body)] += size * std::sqrt(work.hinges[static_cast<std::size_t>(body)].inverse_D);
  if (Shape<R>::is_root(body)) return;
  add_force_row(model, work, detail::parent_of<R>(body), detail::reaction_on_parent(model, work, body, size), row);
}

// The same before it is divided by the root of D, for robots of single-axis joints: u, with J H⁻¹ J'ᵀ = Sum of u_i u'_i
// / D_i; what the joint itself yields, and its acceleration by what the inward sweep left. Entries of u beyond the
// joints between the world and this one stay as they are.
template <class S>
struct JointInnovations {
  S mobility;      // Sum of u_i² / D_i
  S acceleration;  // Sum of u_i (own acceleration)_i
};
template <const auto& R, class S>
[[nodiscard]] inline JointInnovations<S> find_joint_innovations(const Model<R, S>& model, const Workspace<R, S>& work,
                                                                int body, FactorRow<R, S>& u) noexcept {
  static_assert(Shape<R>::kAllSingleAxis, "kinecast: for robots of single-axis joints");
  const Hinge<S>& own = work.hinges[static_cast<std::size_t>(body)];
  JointInnovations<S> sum{own.inverse_D, own.own_acceleration};
  u[body] = S(1);
  if (Shape<R>::is_root(body)) return sum;
  detail::carry_inward(
      model, work, detail::parent_of<R>(body), detail::reaction_on_parent(model, work, body, S(1)),
      [&](int v, S felt, S inverse_D) {
        u[v] = felt;
        sum.mobility += felt * felt * inverse_D;
        sum.acceleration += felt * work.hinges[static_cast<std::size_t>(v)].own_acceleration;
      },
      [](int /*v*/, S /*y*/) {});
  return sum;
}

}  // namespace kinecast
