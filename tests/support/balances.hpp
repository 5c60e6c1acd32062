// SPDX-License-Identifier: MIT
// What a whole robot has in a state: a run keeps it, or loses what somebody took. A state that the library refuses gives
// NaN, which no comparison passes.
#pragma once

#include <kinecast/dynamics/energy.hpp>
#include <kinecast/kinematics/kinematics.hpp>
#include <kinecast/predict/integrate.hpp>

#include <limits>

namespace support {

// Kinetic and potential, J.
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] double energy(const kinecast::State<R, S>& state) noexcept {
  static kinecast::Kinematics<R, S> k;
  if (!ok(kinecast::update_kinematics(kinecast::model<R, S>, state.q, state.dq, k)))
    return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(kinecast::kinetic_energy(kinecast::model<R, S>, k, state.dq)) +
         static_cast<double>(kinecast::potential_energy(kinecast::model<R, S>, k));
}

// Mass, centre of mass, linear and angular momentum.
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] kinecast::Momentum<S> momentum(const kinecast::State<R, S>& state) noexcept {
  static kinecast::Kinematics<R, S> k;
  if (ok(kinecast::update_kinematics(kinecast::model<R, S>, state.q, state.dq, k)))
    return kinecast::momentum(kinecast::model<R, S>, k);
  constexpr S kNan = std::numeric_limits<S>::quiet_NaN();
  const auto none = kinecast::Vector<S, 3>::Constant(kNan);
  return {kNan, none, none, none};
}

}  // namespace support
