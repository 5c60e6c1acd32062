// SPDX-License-Identifier: MIT
// The velocity that a contact is to have along its normal at the end of a step (method 2.1, FIX 22): a point above the
// surface arrives at it, not through it; below it the depth is worked off; restitution asks for a rebound.
#pragma once

#include <kinecast/contact/contact.hpp>
#include <kinecast/core/elementary.hpp>

namespace kinecast {

// Parameters of contact that no material has.
template <class S>
struct ContactParameters {
  // k_omega: kinetic friction fades in with the slip speed as 1 - exp(-k_omega v); 0: it acts in full at once. The
  // papers have 100. The default is 0, because faded friction lets a loaded contact creep for ever.
  S smoothing_s_per_m{0};
  S slip_mps{S(1e-3)};  // v_eps: below it the direction of sliding is that of the impulse that friction could not hold
  S push_out_mps{1};    // a depth is worked off at most this fast: a body that starts deep inside is not thrown out
};

namespace detail {

// omega of method 2.4; 1 without smoothing.
template <class S>
[[nodiscard]] inline S smoothing(S k_omega, S speed) noexcept {
  return k_omega > S(0) ? S(1) - exp_minus(k_omega * speed) : S(1);
}

// The approach speed below which a contact rests and does not rebound (method 4, CHOICE 13): 2 g dt.
template <class S>
[[nodiscard]] inline S resting_speed(S dt) noexcept {
  return S(2 * 9.80665) * dt;
}

// The target, or the rebound that restitution asks for if it is faster.
template <class S, class Contact>
[[nodiscard]] inline S with_restitution(S target, const Contact& c, S dt) noexcept {
  const S approach = c.approach < c.velocity[0] ? c.approach : c.velocity[0];
  const S rebound = -c.material->restitution * approach;
  return c.material->restitution > S(0) && approach < -resting_speed(dt) && rebound > target ? rebound : target;
}

// The speed that works a depth off at `rate`, at most push_out_mps.
template <class S>
[[nodiscard]] inline S push_out(S rate, S depth, const ContactParameters<S>& parameters) noexcept {
  const S speed = rate * depth;
  return speed < parameters.push_out_mps ? speed : parameters.push_out_mps;
}

// The rate, limited to 1/dt: a depth is worked off within one step at the earliest.
template <class S>
[[nodiscard]] inline S within_step(S rate, S dt) noexcept {
  return rate * dt < S(1) ? rate : S(1) / dt;
}

// The target of a predictive row.
template <class S, class Contact>
[[nodiscard]] inline S normal_target(const Contact& c, S rate, const ContactParameters<S>& parameters, S dt) noexcept {
  const S target = c.gap > S(0) ? -c.gap / dt : push_out(rate, -c.gap, parameters);
  return c.arrives() ? target : with_restitution(target, c, dt);
}

}  // namespace detail
}  // namespace kinecast
