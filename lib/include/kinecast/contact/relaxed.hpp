// SPDX-License-Identifier: MIT
// Rigid contact, relaxed (S000; method 2): the impulses that bring every touching point to its target velocity within
// the step. Relaxed<> is the default: energy functional, predictive rows, friction by re-solving. Unrelaxed is the
// macroscopic baseline of the papers.
#pragma once

#include <kinecast/contact/detection.hpp>
#include <kinecast/contact/resolve.hpp>

#include <cmath>

namespace kinecast {

namespace detail {

// Below this approach speed a contact rests, and there is no rebound (method 4, CHOICE 13): 2 g dt.
template <class S>
[[nodiscard]] inline S resting_speed(S dt) noexcept {
  return S(2 * 9.80665) * dt;
}

// The rebound that restitution asks for, if it is more than the target.
template <class S>
[[nodiscard]] inline S with_restitution(S target, const PointContact<S>& c, S dt) noexcept {
  const S approach = c.approach < c.velocity[0] ? c.approach : c.velocity[0];
  const S rebound = -c.material->restitution * approach;
  return c.material->restitution > S(0) && approach < -resting_speed(dt) && rebound > target ? rebound : target;
}

// A depth is worked off at rate k, at most within one step and at most at the speed allowed.
template <class S>
[[nodiscard]] inline S push_out(S rate, S depth, const ContactParameters<S>& parameters) noexcept {
  const S speed = rate * depth;
  return speed < parameters.push_out_mps ? speed : parameters.push_out_mps;
}

template <class S>
[[nodiscard]] inline S within_step(S rate, S dt) noexcept {
  return rate * dt < S(1) ? rate : S(1) / dt;
}

}  // namespace detail

template <Functional functional = Functional::energy, ContactRows rows = ContactRows::predictive,
          FrictionRule rule = default_rule(functional)>
struct Relaxed {
  static constexpr ContactRows kRows = rows;
  static constexpr bool kIsRigid = true;

  template <class S>
  [[nodiscard]] static ContactDemand<S> demand(const PointContact<S>& c, const ContactParameters<S>& parameters,
                                               S dt) noexcept {
    if constexpr (rows == ContactRows::touching) {  // S000 eq. 12: v+ = -k d
      const S k = c.material->compensation;
      return {detail::with_restitution(detail::push_out(k, -c.gap, parameters), c, dt), k, S(0), true};
    }
    // Method 2.1, FIX 22: arrive at the surface, not through it; below it, work the depth off.
    const S k = detail::within_step(c.material->compensation, dt);
    const S target = c.gap > S(0) ? -c.gap / dt : detail::push_out(k, -c.gap, parameters);
    return {c.arrives() ? target : detail::with_restitution(target, c, dt), k, S(0), true};
  }

  template <class S, int MaxRank, int Capacity, int Joints, int Constraints, class Bodies>
  [[nodiscard]] static Status resolve(const PointContact<S>* contacts, const ContactParameters<S>& parameters, S dt,
                                      ContactProblem<S, MaxRank, Capacity, Joints, Constraints, Bodies>& problem,
                                      ContactEffort& effort) noexcept {
    for (int c = 0; c < problem.count; ++c) problem.demand[c] = demand(contacts[c], parameters, dt);
    // A predicted row that finally separates must not disturb the others; the energy form
    // has that by itself (method 2.7).
    constexpr bool kReleases = functional == Functional::velocity && rows == ContactRows::predictive;
    return resolve_contacts<rule, functional>(problem, contacts, parameters, kReleases, true, effort);
  }
};

// The macroscopic baseline: no relaxation, no compensation, a basic solution.
struct Unrelaxed {
  static constexpr ContactRows kRows = ContactRows::touching;
  static constexpr bool kIsRigid = true;

  template <class S, int MaxRank, int Capacity, int Joints, int Constraints, class Bodies>
  [[nodiscard]] static Status resolve(const PointContact<S>* contacts, const ContactParameters<S>& parameters, S dt,
                                      ContactProblem<S, MaxRank, Capacity, Joints, Constraints, Bodies>& problem,
                                      ContactEffort& effort) noexcept {
    for (int c = 0; c < problem.count; ++c)
      problem.demand[c] = {detail::with_restitution(S(0), contacts[c], dt), S(0), S(0), true};
    return resolve_contacts<FrictionRule::resolved_by_state, Functional::basic>(problem, contacts, parameters, false,
                                                                                false, effort);
  }
};

}  // namespace kinecast
