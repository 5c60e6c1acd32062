// SPDX-License-Identifier: MIT
// Surfaces that move by themselves: where they start, and how a step carries them on.
#pragma once

#include <kinecast/contact/contact.hpp>
#include <kinecast/model/environment/environment.hpp>

namespace kinecast {

// Puts moving surfaces where they were written, at rest.
template <class Scene, class Memory>
inline void place_moving_surfaces(const Scene& scene, Memory& memory) noexcept {
  for_each_surface(scene.surfaces, [&](const auto& s, int /*index*/) {
    if (s.moving >= 0)
      memory.moving[static_cast<std::size_t>(s.moving)] = {
          to_quaternion(s.placement.rotation), s.placement.position, {}, {}};
  });
}

// Places one of them and gives it velocities, in world axes. False: there is no such surface, or it does not move.
template <class Scene, class S, class Memory>
[[nodiscard]] inline bool place_moving_surface(const Scene& scene, int surface, const SurfaceMotion<S>& motion,
                                               Memory& memory) noexcept {
  bool is_found = false;
  for_each_surface(scene.surfaces, [&](const auto& s, int index) {
    if (index != surface || s.moving < 0) return;
    memory.moving[static_cast<std::size_t>(s.moving)] = motion;
    is_found = true;
  });
  return is_found;
}

// Moves the moving surfaces on by one step.
template <class S, class Memory>
inline void advance_surfaces(S dt, Memory& memory) noexcept {
  for (SurfaceMotion<S>& s : memory.moving) {
    s.position = s.position + dt * s.linear;
    s.turn = normalized(quaternion_exp(dt * s.angular) * s.turn);
  }
}

}  // namespace kinecast
