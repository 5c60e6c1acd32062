// SPDX-License-Identifier: MIT
// The friction law (method 5.1, S003 eq. 7, 8), joint side: C w + sgn(w) (T_k + (T_s - T_k) exp(-eta |w|)), T_s at
// rest. Each coefficient has its own value for the two directions. Where the gear has a load loss, a share of the
// transmitted torque adds to T_k and T_s.
#pragma once

#include <kinecast/core/elementary.hpp>
#include <kinecast/model/model.hpp>

#include <cmath>

namespace kinecast {

// The coefficients of a friction torque of this sign: a negative torque resists forward motion.
template <class S>
[[nodiscard, gnu::always_inline]] inline const FrictionConstants<S>& resisting(const DriveConstants<S>& drive,
                                                                               S torque) noexcept {
  return torque > S(0) ? drive.backward : drive.forward;
}

// The coefficients of motion in this direction.
template <class S>
[[nodiscard, gnu::always_inline]] inline const FrictionConstants<S>& moving(const DriveConstants<S>& drive,
                                                                            S velocity) noexcept {
  return velocity < S(0) ? drive.backward : drive.forward;
}

// The size of dry friction at a speed. `loss`: the part that grows with the load.
template <class S>
[[nodiscard, gnu::always_inline]] inline S dry_friction(const DriveConstants<S>& drive,
                                                        const FrictionConstants<S>& side, S speed, S loss) noexcept {
  return side.coulomb + loss + side.drop * exp_minus(drive.stribeck * speed);
}

// The largest torque that static friction can hold.
template <class S>
[[nodiscard, gnu::always_inline]] inline S static_friction(const FrictionConstants<S>& side, S loss) noexcept {
  return side.coulomb + side.drop + loss;
}

}  // namespace kinecast
