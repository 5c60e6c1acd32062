// SPDX-License-Identifier: MIT
// The motion of a body relative to a surface, in body axes, as functions of the place on the body: the velocity before
// the step, the part of the velocity at the end of the free step that the contact map explains, and the rest of it, the
// drift (velocity products, gravity, surfaces that move). `Scene` says at compile time what exists: surfaces on links,
// moving surfaces, conveyors.
#pragma once

#include <kinecast/contact/contact.hpp>
#include <kinecast/dynamics/bias.hpp>
#include <kinecast/dynamics/step_motion.hpp>
#include <kinecast/model/model.hpp>

#include <cmath>

namespace kinecast {

namespace detail {

// The state of a surface: pose in the world, velocity of its solid, and velocity of its conveyor relative to the solid,
// in world axes.
template <class S>
struct SurfaceState {
  Placement<S> pose;
  Vec3<S> linear;
  Vec3<S> angular;
  Vec3<S> conveyor;
};

template <class S>
[[nodiscard, gnu::always_inline]] inline S sum_of_sizes(const Vec3<S>& v) noexcept {
  return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
}

// [w x]
template <class S>
[[nodiscard, gnu::always_inline]] inline Mat3<S> cross_matrix(const Vec3<S>& w) noexcept {
  return {{S(0), -w.z, w.y}, {w.z, S(0), -w.x}, {-w.y, w.x, S(0)}};
}
template <class S>
[[nodiscard, gnu::always_inline]] inline Mat3<S> operator-(const Mat3<S>& a, const Mat3<S>& b) noexcept {
  return {a.row_x - b.row_x, a.row_y - b.row_y, a.row_z - b.row_z};
}
template <class S>
[[nodiscard, gnu::always_inline]] inline Mat3<S> operator*(S k, const Mat3<S>& m) noexcept {
  return {k * m.row_x, k * m.row_y, k * m.row_z};
}

// The motion of a body relative to a surface, in body axes.
template <class S>
struct RelativeMotion {
  Motion<S> now;   // velocity before the step, conveyor included
  Motion<S> free;  // velocity at the end of the free step that the contact map explains: that of the robot's bodies
  Vec3<S> drift;   // the rest of that velocity at the body's origin,
  Mat3<S> spin;    // and its change with the place
};

// The present state of a surface.

template <class Scene, class Surface, class Steps, class Memory>
[[nodiscard, gnu::always_inline]] inline auto surface_state(const Surface& surface, const Steps& motion,
                                                            const Memory& memory) noexcept {
  using S = typename Scene::Scalar;
  SurfaceState<S> s{surface.placement, {}, {}, {}};
  if constexpr (Scene::kHasLinkSurfaces) {
    if (surface.body >= 0) s.pose = motion.poses[static_cast<std::size_t>(surface.body)] * surface.placement;
  }
  if constexpr (Scene::kMoving > 0) {
    if (surface.moving >= 0) {
      const SurfaceMotion<S>& now = memory.moving[static_cast<std::size_t>(surface.moving)];
      s = {{to_matrix(now.turn), now.position}, now.linear, now.angular, {}};
    }
  }
  if constexpr (Scene::kHasConveyor) s.conveyor = s.pose.rotation * surface.conveyor;
  return s;
}

// Finds the motion of `body` relative to a surface with the given state, on the body `owner` or in the world. `from`:
// the body's origin less the surface's, in world axes.
template <class Scene, const auto& R, class S>
[[nodiscard]] inline RelativeMotion<S> find_relative_motion(const Model<R, S>& model, const Workspace<R, S>& dynamics,
                                                            const StepMotion<R, S>& motion, int body, int owner,
                                                            const SurfaceState<S>& state, const Vec3<S>& from,
                                                            S dt) noexcept {
  const auto& products = products_of(dynamics, motion);
  const std::size_t at = static_cast<std::size_t>(body);
  const Placement<S>& pose = motion.poses[at];
  RelativeMotion<S> r{motion.now[at], motion.free[at], {}, {}};
  const Vec3<S>& own = products[at].acceleration;
  r.spin = dt * spin(products[at]);
  if constexpr (Scene::kHasLinkSurfaces) {
    if (owner >= 0) {
      const std::size_t theirs = static_cast<std::size_t>(owner);
      const Mat3<S> turn = transpose(pose.rotation) * motion.poses[theirs].rotation;  // owner's axes to the body's
      const Vec3<S> place =
          transpose_times(motion.poses[theirs].rotation, pose.position - motion.poses[theirs].position);
      const auto subtract = [&](const Motion<S>& ours, const Motion<S>& other) -> Motion<S> {
        return {ours.angular - turn * other.angular, ours.linear - turn * (other.linear + cross(other.angular, place))};
      };
      const Vec3<S> skin = transpose_times(pose.rotation, state.conveyor);
      const Mat3<S> their_spin = spin(products[theirs]);
      r.now = subtract(r.now, motion.now[theirs]);
      r.now.linear = r.now.linear - skin;
      r.free = subtract(r.free, motion.free[theirs]);
      r.drift = dt * (own - turn * (products[theirs].acceleration + their_spin * place)) - skin;
      r.spin = r.spin - dt * (turn * their_spin * transpose(turn));
      return r;
    }
  }
  // The sweeps accelerate all bodies by minus gravity; the world is at rest, so that gravity is added to the body's
  // acceleration.
  r.drift = dt * (own + transpose_times(pose.rotation, model.gravity));
  if constexpr (Scene::kMoves) {
    const Vec3<S> skin = transpose_times(pose.rotation, state.linear + cross(state.angular, from) + state.conveyor);
    const Vec3<S> turning = transpose_times(pose.rotation, state.angular);
    r.now = {r.now.angular - turning, r.now.linear - skin};
    // The centripetal acceleration of a turning surface's points is subtracted.
    const Mat3<S> turns = cross_matrix(turning);
    const Vec3<S> inward = transpose_times(pose.rotation, cross(state.angular, cross(state.angular, from)));
    r.drift = r.drift - skin - dt * inward;
    r.spin = r.spin - turns - dt * (turns * turns);
  }
  return r;
}

}  // namespace detail
}  // namespace kinecast
