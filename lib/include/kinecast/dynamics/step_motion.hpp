// SPDX-License-Identifier: MIT
// StepMotion is how the bodies move in a step, as contact needs it, by one outward sweep after forward dynamics: poses,
// and velocities before the step and at its end if nothing touches. A FactoredMotion has the latter as coordinates g of
// the inertia's factor too (dynamics/factor.hpp): dq = W g, and a contact moves with J dq = Y g. Factor::velocity() is
// the way back. Cost: 36 operations per joint for the poses, 38 for the velocities, 27 for g.
#pragma once

#include <kinecast/dynamics/bias.hpp>
#include <kinecast/dynamics/factor.hpp>
#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/kinematics.hpp>
#include <kinecast/kinematics/transfer.hpp>

#include <type_traits>

namespace kinecast {

template <const auto& R, class S>
struct StepMotion {
  using Shape = kinecast::Shape<R>;
  template <class T>
  using PerBody = std::array<T, static_cast<std::size_t>(Shape::kBodies)>;
  PerBody<Placement<S>> poses;
  PerBody<Motion<S>> now;   // body axes
  PerBody<Motion<S>> free;  // at the end of the step, if nothing touches
  // These are the motions for ddq = 0. The sweeps leave them for robots with contact points; other robots have surfaces
  // that touch, if at all.
  std::array<LinkMotion<S>, static_cast<std::size_t>(Shape::kPoints > 0 ? 0 : Shape::kBodies)> products;
};
template <const auto& R, class S>
struct FactoredMotion : StepMotion<R, S> {
  FactorRow<R, S> g;  // coordinates of the free velocity
};

// The bodies whose motion is asked for: all of them, unless a list says who is not (contact/constraint.hpp).
struct EveryBody {
  [[nodiscard]] static constexpr bool needs(int /*body*/) noexcept { return true; }
};

template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline const auto& products_of(const Workspace<R, S>& work,
                                                                 const StepMotion<R, S>& motion) noexcept {
  if constexpr (Shape<R>::kPoints > 0)
    return work.products;
  else
    return motion.products;
}

namespace detail {

// This finds how body b moves for ddq = 0, from its parent's entry.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline LinkMotion<S> product_motion(const Model<R, S>& model,
                                                                      const Workspace<R, S>& work, int b,
                                                                      const Velocity<R, S>& dq,
                                                                      const StepMotion<R, S>& motion) noexcept {
  const Rates<R, S> rates{dq, nullptr};
  if constexpr (Shape<R>::kBodies > 1) {
    if (!Shape<R>::is_root(b)) {
      const LinkMotion<S>& parent = motion.products[static_cast<std::size_t>(Shape<R>::index(b).parent)];
      LinkMotion<S> m = parent;
      carry_motion(WholeTransfer<R, S>{model, work.screws, b}, spin(parent), m);
      add_joint_rates(b, rates, m);
      return m;
    }
  }
  return root_motion(WholeTree<R, S>{model}, work.screws, b, rates);
}

}  // namespace detail

// sweep_step_motion() runs after forward dynamics, which left in the workspace what the joints' accelerations add.
// `dq`: before the step, `free_dq`: at its end without contact. Bodies that are not needed are left out.
template <class Bodies = EveryBody, const auto& R, class S, class Out>
inline void sweep_step_motion(const Model<R, S>& model, const Workspace<R, S>& work, const Velocity<R, S>& dq,
                              const Velocity<R, S>& free_dq, S dt, Out& out) noexcept {
  using Shape = kinecast::Shape<R>;
  Motion<S> now{};  // of the body before
  for (int b = 0; b < Shape::kBodies; ++b) {
    if (!Bodies::needs(b)) continue;
    const detail::JointAt j = detail::joint_at<R>(b);
    const std::size_t at = j.at;
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
    if constexpr (std::is_base_of_v<FactoredMotion<R, S>, Out>)
      detail::visit_joint<R>(detail::FindCoordinates<R, S>{work, free_dq, out.g}, j, free);
  }
}

}  // namespace kinecast
