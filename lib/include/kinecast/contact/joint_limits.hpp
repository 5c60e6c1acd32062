// SPDX-License-Identifier: MIT
// Joints that come to their stops (method 1.6, FIX 21). A stop is a row like that of a contact, predictive: it exists
// if the free motion would pass it within the step, and asks for the velocity that arrives at the stop, not through it,
//
//   s dq+ = v* = -d/dt (d > 0),  -k d (d <= 0),  and at least -e s dq with a rebound;  d = s (q - q_lim), impulse >= 0
//
// (dq: the slower of the velocity before the step and that at the end of the free step, so that a rebound never gains
// energy).
//
// A soft stop is a spring and a damper, taken at the end of the step, which relaxes the same row: with c' = c + dt k,
// s dq+ + x / (dt c') + k d / c' = 0.
//
// contact/stops.hpp makes lines of them.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/model/model.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// Parameters of stops, loops and couplings that no joint has.
template <class S>
struct RowParameters {
  S compensation_per_s{200};  // k: a violation is worked off at this rate, at most 1/dt,
  S push_out{1};              // and at most this fast, rad/s or m/s
  S relaxation{S(1e-4)};      // over the row's own mobility
};

// A stop that acts in this step.
template <class S>
struct LimitRow {
  std::int16_t body;
  S sign;           // +1: the lower stop, -1: the upper one
  S offset;         // minus the target velocity
  S soft_mobility;  // 1 / (dt c') of a soft stop; 0: the stop is rigid
  bool is_passed;   // the free motion would pass the stop; else it is near, and other forces may push the joint there
};

namespace detail {

// The motion of a joint before a step.
template <class S>
struct JointBeforeStep {
  S q;
  S dq;
  S ddq;           // acceleration without any stop
  S ahead;         // displacement in the step without any stop
  int pushed = 0;  // sign of a stop that other forces push the joint through; 0: none
};

template <class S>
[[nodiscard, gnu::always_inline]] inline bool passes(const LimitConstants<S>& limit, S q, S ahead) noexcept {
  return q - limit.lower + ahead < S(0) || limit.upper - q - ahead < S(0);
}

// Finds the row of the stop that the joint would pass within the step, or of one that is no further away than `reach`,
// where other forces may push the joint. False: there is none.
template <class S>
[[nodiscard]] inline bool find_limit_row(const LimitConstants<S>& limit, const RowParameters<S>& parameters,
                                         const JointBeforeStep<S>& joint, S reach, S dt, LimitRow<S>& out) noexcept {
  const S above = joint.q - limit.lower;
  const S below = limit.upper - joint.q;
  const bool is_soft = limit.spring + limit.damper > S(0);
  const bool passes_lower = above + joint.ahead < S(0);
  out.is_passed = passes(limit, joint.q, joint.ahead);
  const bool is_pushed = !out.is_passed && joint.pushed != 0;
  if (!out.is_passed && !is_pushed && (is_soft || (above > reach && below > reach))) return false;
  const bool is_lower = out.is_passed ? passes_lower : is_pushed ? joint.pushed > 0 : above < below;
  const S sign = is_lower ? S(1) : S(-1);
  const S gap = is_lower ? above : below;
  out.sign = sign;
  if (is_soft) {
    const S inverse = S(1) / (limit.damper + dt * limit.spring);
    out.offset = limit.spring * gap * inverse;
    out.soft_mobility = inverse / dt;
    return true;
  }
  S target = -gap / dt;
  if (gap < S(0)) {
    const S k = parameters.compensation_per_s;
    target = k * dt < S(1) ? -k * gap : target;
    if (target > parameters.push_out) target = parameters.push_out;
  }
  if (limit.rebound > S(0) && out.is_passed) {
    // A joint that approaches slower than it accelerates in two steps rests: there is no rebound.
    const S approach = -sign * joint.dq;
    const S arrives = approach - sign * dt * joint.ddq;  // a joint that is braked on its way rebounds with less
    const S rebound = limit.rebound * (arrives < approach ? arrives : approach);
    if (approach > S(2) * dt * std::abs(joint.ddq) && rebound > target) target = rebound;
  }
  out.offset = -target;
  out.soft_mobility = S(0);
  return true;
}

}  // namespace detail

// Whether any joint stands beyond its limits.
template <const auto& R, class S>
[[nodiscard]] inline bool crosses_limits(const Model<R, S>& model, const Position<R, S>& q) noexcept {
  if constexpr (Shape<R>::kHas.limits > 0) {
    for (int b = 0; b < Shape<R>::kBodies; ++b) {
      if (!Shape<R>::has_stops(b)) continue;
      const S at = q[Shape<R>::q_of(b)];
      if (at < model.limit(b).lower || at > model.limit(b).upper) return true;
    }
  }
  return false;
}

// The first degree of freedom that moves faster than its speed limit, or -1.
template <const auto& R, class S>
[[nodiscard]] inline int find_too_fast(const Model<R, S>& model, const Velocity<R, S>& dq) noexcept {
  if constexpr (Shape<R>::kHas.speed_limits > 0) {
    for (int b = 0; b < Shape<R>::kBodies; ++b) {
      const int v = Shape<R>::v_of(b);
      if ((Shape<R>::is_revolute(b) || Shape<R>::is_prismatic(b)) && std::abs(dq[v]) > model.limit(b).speed) return v;
    }
  }
  return -1;
}

// Clips the velocities that are given to velocity-driven joints, so that no joint passes its stops.
template <const auto& R, class S, class Effort>
inline void stop_given_velocities(const Model<R, S>& model, const Position<R, S>& position, S dt,
                                  Effort& effort) noexcept {
  using Shape = kinecast::Shape<R>;
  if constexpr (Shape::kHas.velocity_drives > 0 && Shape::kHas.limits > 0) {
    for (int b = 0; b < Shape::kBodies; ++b) {
      if (!(Shape::is_revolute(b) || Shape::is_prismatic(b))) continue;
      if (model.drive(b).actuator != Actuator::velocity) continue;
      const int v = Shape::v_of(b);
      const S q = position[Shape::q_of(b)];
      const S down = q > model.limit(b).lower ? (model.limit(b).lower - q) / dt : S(0);
      const S up = q < model.limit(b).upper ? (model.limit(b).upper - q) / dt : S(0);
      S& velocity = effort.velocity[v];
      if (velocity >= down && velocity <= up) continue;
      velocity = velocity < down ? down : up;
      effort.saturated[static_cast<std::size_t>(v)] = true;
    }
  }
}

}  // namespace kinecast
