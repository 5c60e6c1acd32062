// SPDX-License-Identifier: MIT
// Contact by a spring and a damper at every touching point (S001 micro; method 3): there is no system to solve and no
// static friction. The damper that depends on the time step anticipates the spring by one step, k_s (delta + delta'
// dt), and so takes the energy out that an explicit spring gains; the conventional damper is there to compare.
#pragma once

#include <kinecast/contact/detection.hpp>
#include <kinecast/papers/resolve.hpp>
#include <kinecast/papers/resolve_rows.hpp>

#include <cmath>

namespace kinecast {

enum class PenaltyDamper : std::uint8_t {
  time_step,     // S001 eq. 14, 15: damper c + k_s dt in compression, k_s dt in restitution
  conventional,  // S001 eq. 13: c in compression only
};

// The limit of the damper.
enum class DamperLimit : std::uint8_t {
  stable,  // at most the point's own inertia over dt (method 11), so that it stops the point once within a step
  none,    // whatever the material says, as printed
};

namespace detail {

// The normal force at a depth > 0, in N; it never pulls. `closing`: the speed into the surface; `inertia`: 1 / A_nn.
template <PenaltyDamper damper, DamperLimit limit, class S>
[[nodiscard]] inline S penalty_force(const MaterialConstants<S>& m, S depth, S closing, S inertia, S dt) noexcept {
  S damping = closing > S(0) ? m.damper : S(0);
  if (damper == PenaltyDamper::time_step) damping += m.spring * dt;
  if (limit == DamperLimit::stable && damping * dt > inertia) damping = inertia / dt;
  const S force = m.spring * depth + damping * closing;
  return force > S(0) ? force : S(0);
}

}  // namespace detail

// What springs carry: contacts that touch, and no impact law, because a spring gives way.
struct ElasticContact {
  static constexpr ContactRows kRows = ContactRows::touching;
  static constexpr bool kIsRigid = false;
};

template <PenaltyDamper damper = PenaltyDamper::time_step, DamperLimit limit = DamperLimit::stable>
struct Penalty : ElasticContact {
  template <class S, int MaxRank, int Capacity, int Joints, int Constraints, class Bodies>
  [[nodiscard]] static Status resolve(const PointContact<S>* contacts, const ContactParameters<S>& parameters, S dt,
                                      ContactProblem<S, MaxRank, Capacity, Joints, Constraints, Bodies>& p,
                                      ContactEffort& effort) noexcept {
    for (int k = 0; k < p.rank; ++k) p.solution.t[k] = p.g[k];
    for (int i = 0; i < p.count; ++i) {
      const PointContact<S>& c = contacts[i];
      const S* const Y = p.Y[3 * i];
      const S mobility = p.mobility[3 * i];
      const S inertia = mobility > S(0) ? S(1) / mobility : Tolerance<S>::kLargestInput;
      const S n = c.gap < S(0)
                      ? dt * detail::penalty_force<damper, limit>(*c.material, -c.gap, -c.velocity[0], inertia, dt)
                      : S(0);
      const S speed = std::sqrt(c.velocity[1] * c.velocity[1] + c.velocity[2] * c.velocity[2]);
      S along = S(0);  // friction over speed
      if (speed > Tolerance<S>::kPenaltyAtRest)
        along = -n * c.material->kinetic_friction * detail::smoothing(parameters.smoothing_s_per_m, speed) / speed;
      p.impulse[i] = {n, along * c.velocity[1], along * c.velocity[2], speed > Tolerance<S>::kPenaltyAtRest, {}};
      const ContactImpulse<S>& x = p.impulse[i];
      for (int k = 0; k < p.rank; ++k)
        p.solution.t[k] += x.n * Y[k] + x.t2 * p.Y[3 * i + 1][k] + x.t3 * p.Y[3 * i + 2][k];
    }
    return resolve_joints(p, effort);
  }
};

}  // namespace kinecast
