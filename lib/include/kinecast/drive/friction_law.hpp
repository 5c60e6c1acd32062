// SPDX-License-Identifier: MIT
// The friction law (method 5.1, S003 eq. 7, 8), joint side: C w + sgn(w) (T_k + (T_s - T_k) exp(-eta |w|)),
// T_s at rest, each with its own values for the two directions, and with a share of the transmitted torque
// on top where the gear loses one.
#pragma once

#include <kinecast/core/elementary.hpp>
#include <kinecast/model/model.hpp>

#include <cmath>

namespace kinecast {

// The values for a friction torque of this sign: a negative one resists forward motion.
template <class S>
[[nodiscard, gnu::always_inline]] inline const FrictionConstants<S>& resisting(const DriveConstants<S>& drive,
                                                                               S torque) noexcept {
  return torque > S(0) ? drive.backward : drive.forward;
}

// The values for motion in this direction.
template <class S>
[[nodiscard, gnu::always_inline]] inline const FrictionConstants<S>& moving(const DriveConstants<S>& drive,
                                                                            S velocity) noexcept {
  return velocity < S(0) ? drive.backward : drive.forward;
}

// Dry friction at a speed, without its sign. `loss`: the part that grows with the load.
template <class S>
[[nodiscard, gnu::always_inline]] inline S dry_friction(const DriveConstants<S>& drive,
                                                        const FrictionConstants<S>& side, S speed, S loss) noexcept {
  return side.coulomb + loss + side.drop * exp_minus(drive.stribeck * speed);
}

// What static friction can hold.
template <class S>
[[nodiscard, gnu::always_inline]] inline S static_friction(const FrictionConstants<S>& side, S loss) noexcept {
  return side.coulomb + side.drop + loss;
}

}  // namespace kinecast
