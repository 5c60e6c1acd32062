// SPDX-License-Identifier: MIT
// How the bodies move in a step, as contact needs it, in one outward sweep after forward dynamics: poses, velocities
// before the step and at its end if nothing touches, and the latter in the factor space of the contact map
// (method 14): with H⁻¹ = W Wᵀ and Y = J W, a velocity dq is W g, and a contact moves with J dq = Y g.
// velocity_from_factor() is the way back, one outward sweep. A joint whose acceleration is given (it sticks, or a
// drive moves it) has no column in W: it keeps the velocity it was given. Cost: 36 operations per joint for the poses,
// 65 for the velocities and g; 50 for the way back.
#pragma once

#include <kinecast/dynamics/bias.hpp>
#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/kinematics.hpp>
#include <kinecast/kinematics/transfer.hpp>

#include <cmath>

namespace kinecast {

template <const auto& R, class S>
struct StepMotion {
  using Shape = kinecast::Shape<R>;
  template <class T>
  using PerBody = std::array<T, static_cast<std::size_t>(Shape::kBodies)>;
  PerBody<Placement<S>> poses;
  PerBody<Motion<S>> now;                       // body axes
  PerBody<Motion<S>> free;                      // at the end of the step, if nothing touches
  S g[static_cast<std::size_t>(Shape::kDofs)];  // the free velocity in factor space
  // Motions for ddq = 0. The sweeps leave them for robots with contact points; others have
  // surfaces that touch, if at all.
  std::array<LinkMotion<S>, static_cast<std::size_t>(Shape::kPoints > 0 ? 0 : Shape::kBodies)> products;
};

template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline const auto& products_of(const Workspace<R, S>& work,
                                                                 const StepMotion<R, S>& motion) noexcept {
  if constexpr (Shape<R>::kPoints > 0)
    return work.products;
  else
    return motion.products;
}

// x <- Lᵀ x for the factors of the workspace.
template <class S, std::size_t N>
inline void multiply_upper(const Cholesky<S, N>& factor, S (&x)[N]) noexcept {
  for (std::size_t i = 0; i < N; ++i) {
    x[i] /= factor.inverse_diag[i];
    for (std::size_t k = i + 1; k < N; ++k) x[i] += factor.lower[k][i] * x[k];
  }
}

namespace detail {

// How body b moves for ddq = 0, from its parent's entry.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline LinkMotion<S> product_motion(const Model<R, S>& model,
                                                                      const Workspace<R, S>& work, int b,
                                                                      const Velocity<R, S>& dq,
                                                                      const StepMotion<R, S>& motion) noexcept {
  const Rates<R, S> rates{dq, nullptr};
  if constexpr (Shape<R>::kBodies > 1) {
    if (!Shape<R>::is_root(b)) {
      const LinkMotion<S>& parent = motion.products[static_cast<std::size_t>(Shape<R>::index(b).parent)];
      const Vec3<S> at_joint = parent.acceleration + spin(parent) * origin_in_parent(model, work.screws, b);
      LinkMotion<S> m{};
      m.omega = axes_to_child(model, work.screws, b, parent.omega);
      m.alpha = axes_to_child(model, work.screws, b, parent.alpha);
      m.acceleration = axes_to_child(model, work.screws, b, at_joint);
      add_joint_rates(b, rates, m);
      return m;
    }
  }
  return root_motion(model, work.screws, b, rates);
}

}  // namespace detail

// After forward dynamics: what the joints' accelerations added to the motions is in the workspace. `dq`: before the
// step, `free_dq`: at its end without contact.
template <const auto& R, class S>
inline void sweep_step_motion(const Model<R, S>& model, const Workspace<R, S>& work, const Velocity<R, S>& dq,
                              const Velocity<R, S>& free_dq, S dt, StepMotion<R, S>& out) noexcept {
  using Shape = kinecast::Shape<R>;
  Motion<S> now{};  // of the body before
  for (int b = 0; b < Shape::kBodies; ++b) {
    const std::size_t at = static_cast<std::size_t>(b);
    const int v = Shape::v_of(b);
    if (Shape::is_root(b)) {
      out.poses[at] = detail::root_pose(model, work.screws, b);
      now = {};
    } else {
      const std::size_t p = static_cast<std::size_t>(Shape::index(b).parent);
      const Placement<S> parent = out.poses[p];
      out.poses[at] = {detail::turned_by_joint(model, work.screws, b, parent.rotation),
                       parent.position + parent.rotation * origin_in_parent(model, work.screws, b)};
      now = to_child(model, work.screws, b, Shape::kHas.serial ? now : out.now[p]);
    }
    detail::add_joint_velocity(work.screws, b, dq, now);
    out.now[at] = now;
    Motion<S> free{};
    if constexpr (Shape::kPoints > 0) {
      const Motion<S> added = work.added[at];
      free = {now.angular + dt * added.angular, now.linear + dt * added.linear};
    } else {
      if (Shape::kBodies > 1 && !Shape::is_root(b))
        free = to_child(model, work.screws, b, out.free[static_cast<std::size_t>(Shape::index(b).parent)]);
      detail::add_joint_velocity(work.screws, b, free_dq, free);
      out.products[at] = detail::product_motion(model, work, b, dq, out);
    }
    out.free[at] = free;
    if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
      // D dq + Uᵀ(parent's motion), over the root of D; U contains the joint's own inertia.
      const Hinge<S>& hinge = work.hinges[at];
      const S size = std::sqrt(hinge.inverse_D);
      const S own = Shape::kHas.prismatic == 0 || Shape::is_revolute(b) ? hinge.U.moment.z : hinge.U.force.z;
      out.g[v] = size > S(0) ? free_dq[v] / size + (power(hinge.U, free) - own * free_dq[v]) * size : S(0);
    } else if (Shape::is_spherical(b)) {
      if constexpr (Shape::kHas.spherical > 0) {
        const Ball<S>& ball = work.balls[static_cast<std::size_t>(Shape::index(b).free)];
        const Vec3<S> own = free.angular + ball.inverse_D_coupling * free.linear;
        S x[3] = {own.x, own.y, own.z};
        multiply_upper(ball.D, x);
        for (int i = 0; i < 3; ++i) out.g[v + i] = x[i];
      }
    } else if constexpr (Shape::kHas.floating > 0) {
      S x[6] = {free.angular.x, free.angular.y, free.angular.z, free.linear.x, free.linear.y, free.linear.z};
      multiply_upper(work.bases[static_cast<std::size_t>(Shape::index(b).free)], x);
      for (int i = 0; i < 6; ++i) out.g[v + i] = x[i];
    }
  }
}

// dq = W t, joint by joint. `dq` holds the free velocities on entry: joints without a column keep theirs.
template <const auto& R, class S>
inline void velocity_from_factor(const Model<R, S>& model, Workspace<R, S>& work,
                                 const S (&t)[static_cast<std::size_t>(Shape<R>::kDofs)], Velocity<R, S>& dq) noexcept {
  using Shape = kinecast::Shape<R>;
  Motion<S> motion{};
  for (int b = 0; b < Shape::kBodies; ++b) {
    const std::size_t at = static_cast<std::size_t>(b);
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
    if constexpr (Shape::kHas.floating > 0) {
      if (Shape::is_floating(b)) {
        const std::size_t free = static_cast<std::size_t>(Shape::index(b).free);
        S x[6] = {t[v], t[v + 1], t[v + 2], t[v + 3], t[v + 4], t[v + 5]};
        work.bases[free].solve_upper(x);
        motion = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
        const Vec3<S> linear = work.screws.floating[free] * motion.linear;
        const Vec3<S> angular = work.screws.floating[free] * motion.angular;
        dq[v] = linear.x, dq[v + 1] = linear.y, dq[v + 2] = linear.z;
        dq[v + 3] = angular.x, dq[v + 4] = angular.y, dq[v + 5] = angular.z;
      }
    }
    if constexpr (Shape::kHas.spherical > 0) {
      if (Shape::is_spherical(b)) {
        const Ball<S>& ball = work.balls[static_cast<std::size_t>(Shape::index(b).free)];
        S x[3] = {t[v], t[v + 1], t[v + 2]};
        ball.D.solve_upper(x);
        const Vec3<S> total = Vec3<S>{x[0], x[1], x[2]} - ball.inverse_D_coupling * motion.linear;
        const Vec3<S> own = total - motion.angular;
        dq[v] = own.x, dq[v + 1] = own.y, dq[v + 2] = own.z;
        motion.angular = total;
      }
    }
    if (Shape::is_revolute(b) || Shape::is_prismatic(b)) {
      const Hinge<S>& hinge = work.hinges[at];
      if (hinge.inverse_D > S(0)) dq[v] = t[v] * std::sqrt(hinge.inverse_D) - power(hinge.U, motion) * hinge.inverse_D;
      (Shape::kHas.prismatic == 0 || Shape::is_revolute(b) ? motion.angular.z : motion.linear.z) += dq[v];
    }
    if constexpr (Shape::kHas.slots > 0) {
      if (const int slot = Shape::index(b).slot; slot >= 0) work.response[static_cast<std::size_t>(slot)] = motion;
    }
  }
}

}  // namespace kinecast
