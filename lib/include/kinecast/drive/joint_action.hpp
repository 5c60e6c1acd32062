// SPDX-License-Identifier: MIT
// What a drive does to its joint in one step. The inward sweep asks for it, because there the joint's articulated
// inertia is known.
#pragma once

#include <kinecast/core/status.hpp>
#include <kinecast/model/model.hpp>

namespace kinecast {

template <class S>
struct JointAction {
  S torque{};          // at the joint, without rotor inertia and implicit damping; of a held joint: its subtree's load
  S damping{};         // dt times the damping of the velocity at the end of the step; it adds to the inertia
  S acceleration{};    // of a held joint
  bool held{false};    // the joint sticks or is velocity-driven: its acceleration is given, and its torque follows
  bool sticks{false};  // the joint sticks by its torque, as in the papers' forms

  // A torque, and damping of the velocity at the end of the step.
  [[nodiscard, gnu::always_inline]] static JointAction moved_by(S torque, S damping) noexcept {
    return {torque, damping, S(0), false, false};
  }
  // A torque whose part from friction makes the joint stick or not.
  [[nodiscard, gnu::always_inline]] static JointAction rubbed_by(S torque, bool sticks) noexcept {
    return {torque, S(0), S(0), false, sticks};
  }
  // A joint that the sweep holds to this acceleration.
  [[nodiscard, gnu::always_inline]] static JointAction held_to(S acceleration) noexcept {
    return {S(0), S(0), acceleration, true, false};
  }
};

// The source of actions without drives: a given torque at every joint.
template <const auto& R, class S>
struct GivenTorque {
  static constexpr bool kIsPlain = true;
  const Velocity<R, S>& tau;
  [[nodiscard, gnu::always_inline]] S torque(int v) const noexcept { return tau[v]; }
  [[nodiscard, gnu::always_inline]] JointAction<S> act(int /*body*/, int v, S /*inertia*/, S /*load*/) const noexcept {
    return JointAction<S>::moved_by(tau[v], S(0));
  }
  [[gnu::always_inline]] void carry(int /*body*/, S /*torque*/) const noexcept {}
};

}  // namespace kinecast
