// SPDX-License-Identifier: MIT
// Rigid contact, relaxed (S000; method 2): impulses bring every touching point to its target velocity within the step.
// Relaxed<> is the default: energy functional, predictive rows, friction by re-solving. Unrelaxed is the macroscopic
// baseline of the papers.
#pragma once

#include <kinecast/contact/detection.hpp>
#include <kinecast/contact/targets.hpp>
#include <kinecast/papers/resolve.hpp>

#include <cmath>

namespace kinecast {

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
      return ContactDemand<S>::rigid(detail::with_restitution(detail::push_out(k, -c.gap, parameters), c, dt), k);
    }
    // Method 2.1, FIX 22: a point above the surface arrives at it, not through it; below it the depth is worked off.
    const S k = detail::within_step(c.material->compensation, dt);
    const S target = c.gap > S(0) ? -c.gap / dt : detail::push_out(k, -c.gap, parameters);
    return ContactDemand<S>::rigid(c.arrives() ? target : detail::with_restitution(target, c, dt), k);
  }

  template <class S, int MaxRank, int Capacity, int Joints, int Constraints, class Bodies>
  [[nodiscard]] static Status resolve(const PointContact<S>* contacts, const ContactParameters<S>& parameters, S dt,
                                      ContactProblem<S, MaxRank, Capacity, Joints, Constraints, Bodies>& problem,
                                      ContactEffort& effort) noexcept {
    for (int c = 0; c < problem.count; ++c) problem.demand[c] = demand(contacts[c], parameters, dt);
    // A predicted row that separates in the end must not disturb the others: the velocity form releases it, and in the
    // energy form it has no effect (method 2.7).
    constexpr RowRelease kRelease = functional == Functional::velocity && rows == ContactRows::predictive
                                        ? RowRelease::when_separating
                                        : RowRelease::never;
    return resolve_contacts<rule, functional>(problem, contacts, parameters, kRelease, EnergyGuard::on, effort);
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
      problem.demand[c] = ContactDemand<S>::rigid(detail::with_restitution(S(0), contacts[c], dt), S(0));
    return resolve_contacts<FrictionRule::resolved_by_state, Functional::basic>(
        problem, contacts, parameters, RowRelease::never, EnergyGuard::off, effort);
  }
};

}  // namespace kinecast
