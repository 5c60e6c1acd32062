// SPDX-License-Identifier: MIT
// Contact with an elastic membrane over a rigid plane (S001; method 4, FIX 8, 24, 25, CHOICE 29, 30): the membrane's
// spring and damper push at every depth; below its thickness a rigid normal row joins them. Friction belongs to the sum
// of both normal forces, with a tangential reference as in relaxed contact, so that a box on it holds without creep.
#pragma once

#include <kinecast/papers/penalty.hpp>
#include <kinecast/papers/relaxed.hpp>

namespace kinecast {

template <Functional functional = Functional::energy, DamperLimit limit = DamperLimit::stable,
          FrictionRule rule = default_rule(functional)>
struct Fused : ElasticContact {
  template <class S, int MaxRank, int Capacity, int Joints, int Constraints, class Bodies>
  [[nodiscard]] static Status resolve(const PointContact<S>* contacts, const ContactParameters<S>& parameters, S dt,
                                      ContactProblem<S, MaxRank, Capacity, Joints, Constraints, Bodies>& p,
                                      ContactEffort& effort) noexcept {
    for (int i = 0; i < p.count; ++i) {
      const PointContact<S>& c = contacts[i];
      const MaterialConstants<S>& m = *c.material;
      const S mobility = p.mobility[3 * i];
      const S inertia = mobility > S(0) ? S(1) / mobility : Tolerance<S>::kLargestInput;
      const S depth = -c.gap;
      const S micro = depth > S(0) ? dt * detail::penalty_force<PenaltyDamper::time_step, limit>(
                                              m, depth, -c.velocity[0], inertia, dt)
                                   : S(0);
      const S target = detail::push_out(m.compensation, depth - m.membrane, parameters);
      p.demand[i] = {detail::with_restitution(target, c, dt), m.compensation, micro, depth > m.membrane};
    }
    return resolve_contacts<rule, functional>(p, contacts, parameters, RowRelease::never, EnergyGuard::off, effort);
  }
};

}  // namespace kinecast
