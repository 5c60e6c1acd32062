// SPDX-License-Identifier: MIT
// What a drive does to its joint in one step, decided in the inward sweep, where the
// joint's articulated inertia is known.
#pragma once

#include <kinecast/core/status.hpp>
#include <kinecast/model/model.hpp>

namespace kinecast {

template <class S>
struct JointAction {
  S torque{};   // at the joint, but for the rotor's inertia and implicit damping; held: what its own subtree asks of it
  S damping{};  // dt times the damping that acts on the velocity at the end of the step; adds to the inertia
  S acceleration{};    // of a held joint
  bool held{false};    // sticks, or is velocity-driven: its acceleration is given, and its torque follows
  bool sticks{false};  // sticks by its torque: the papers' forms
};

// The plain case: a torque at every joint.
template <const auto& R, class S>
struct GivenTorque {
  static constexpr bool kIsPlain = true;
  const Velocity<R, S>& tau;
  [[nodiscard, gnu::always_inline]] S torque(int v) const noexcept { return tau[v]; }
  [[nodiscard, gnu::always_inline]] JointAction<S> act(int /*body*/, int v, S /*inertia*/, S /*load*/) const noexcept {
    return {tau[v], S(0), S(0), false, false};
  }
  [[gnu::always_inline]] void carry(int /*body*/, S /*torque*/) const noexcept {}
};

}  // namespace kinecast
