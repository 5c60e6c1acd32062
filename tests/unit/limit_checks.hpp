// SPDX-License-Identifier: MIT
// What the tests of joint limits share: a pendulum whose stops are chosen at run time, and the one truth that holds in every step
// of every robot (method 1.6, 2.7), found with dense_reference.hpp: with the reported torques as impulses x of the stops,
//
//   dq+ = dq + dt ddq0 + M⁻¹ Jᵀ x,   0 <= x  perp  J dq+ - v* + lambda A_jj x >= 0,   v* = -d/dt (d > 0), -k d (d <= 0)
//
// over the stops of all joints, also of those that the free motion alone would not have reached.
#pragma once

#include <kinecast/kinecast.hpp>

#include "drive_checks.hpp"

namespace limited {

using bad_input::assert_status;
using bad_input::same_bits;
using bad_input::same_snapshot;
using checks::assert_ok;
using driven::all;
using driven::built;
using driven::Values;
using kinecast::Command;
using kinecast::Model;
using kinecast::Predictor;
using kinecast::RowParameters;
using kinecast::State;
using kinecast::Status;
using kinecast::zero_state;
using measure::bound;
using measure::kEffort;
using measure::kEps;
using measure::kIsFloat;
using measure::Worst;

constexpr double kGravity = 9.80665;
constexpr double kDt = 1e-3;

// 1 kg at 0.5 m, q from the downward vertical.
constexpr double kLength = 0.5;
constexpr double kInertia = kLength * kLength;
inline constexpr auto pendulum = kinecast::robot(
    "pendulum", kinecast::link("rod", kinecast::revolute({0, -1, 0}),
                               kinecast::body(1, kinecast::com(0, 0, -kLength), kinecast::inertia(1e-9, 1e-9, 1e-9)),
                               kinecast::limits(0.2, 3)));
[[nodiscard]] inline double weight_Nm(double q) { return kGravity * kLength * std::sin(q); }

// Its stops: sign +1 with the lower one at `stop`, -1 with the upper one at -stop: the mirrored pendulum.
[[nodiscard]] inline Values<pendulum> with_stop(double sign, double stop) {
  Values<pendulum> values = pendulum;
  values.links[0].limits.lower = sign > 0 ? stop : -3;
  values.links[0].limits.upper = sign > 0 ? 3 : -stop;
  return values;
}

template <const auto& R, class S>
[[nodiscard]] State<R, S> state_of(double q, double dq) {
  State<R, S> state = zero_state<R, S>();
  state.q[0] = static_cast<S>(q), state.dq[0] = static_cast<S>(dq);
  return state;
}
template <const auto& R, class P>
void advance(P& p, double command = 0) {
  using S = std::decay_t<decltype(p.state().q[0])>;
  assert_ok(p.step(all<R, S>(command), static_cast<S>(kDt)));
}

// ---- a step of any robot against the dense truth ----------------------------------------------------------------------------

struct StepErrors {
  Worst motion;  // dq+ against the reported torques, over the largest velocity
  Worst
      complementarity;  // how far the stops' conditions fail, over the same; a negative impulse as the velocity that it makes
  int acting{0};        // stops with a torque, in all steps
  int systems{0};  // of the solver of a list of constraints, in the first steps
};

template <const auto& R, class S, class P>
[[gnu::noinline]] void see_step(const P& p, const State<R, S>& before, const Command<R, S>& tau, double dt,
                                const RowParameters<S>& parameters, StepErrors& out) {
  constexpr std::size_t kDofs = checks::Truth<R>::kDofSize;
  auto& exact = checks::truth<R>();
  double q[static_cast<std::size_t>(kinecast::Shape<R>::kPositions)];
  double dq[kDofs];
  double torque[kDofs];
  for (int i = 0; i < kinecast::Shape<R>::kPositions; ++i) q[i] = static_cast<double>(before.q[i]);
  for (std::size_t i = 0; i < kDofs; ++i) {
    dq[i] = static_cast<double>(before.dq[static_cast<int>(i)]);
    torque[i] = static_cast<double>(tau[static_cast<int>(i)]);
  }
  exact.place(q);
  exact.find_acceleration(dq, torque, nullptr);
  double after[kDofs];
  double scale = 0;
  for (std::size_t i = 0; i < kDofs; ++i) {
    after[i] = dq[i] + dt * exact.force[i];
    scale = std::fmax(scale, std::fmax(std::abs(dq[i]), dt * std::abs(exact.force[i])));
  }
  double impulse[kDofs];
  for (std::size_t i = 0; i < kDofs; ++i) impulse[i] = dt * static_cast<double>(p.report().limit_Nm[i]);
  double change[kDofs];
  for (std::size_t i = 0; i < kDofs; ++i) change[i] = impulse[i];
  dense::solve(exact.L, change);
  for (std::size_t i = 0; i < kDofs; ++i) {
    after[i] += change[i];
    scale = std::fmax(scale, std::abs(change[i]));
    out.motion.see(after[i], static_cast<double>(p.state().dq[static_cast<int>(i)]), scale);
  }
  for (int l = 0; l < R.kLinks; ++l) {
    const kinecast::JointLimits& limit = R.link(l).limits;
    if (!limit.has_stops) continue;
    const auto entry = exact.at.entry(l);
    const auto v = static_cast<std::size_t>(entry.v);
    const double lower = static_cast<double>(static_cast<S>(limit.lower));
    const double upper = static_cast<double>(static_cast<S>(limit.upper));
    const double sign = q[entry.q] - lower < upper - q[entry.q] ? 1 : -1;
    const double gap = sign > 0 ? q[entry.q] - lower : upper - q[entry.q];
    double column[kDofs] = {};
    column[v] = 1;
    dense::solve(exact.L, column);
    const double A = column[v];
    const double k = static_cast<double>(parameters.compensation_per_s);
    double target = gap > 0 ? -gap / dt : std::fmin(-k * gap, static_cast<double>(parameters.push_out));
    double relaxation = static_cast<double>(parameters.relaxation) * A;
    const bool is_soft = limit.spring_Nm_per_rad + limit.damper_Nms_per_rad > 0;
    if (is_soft) {
      const double c = limit.damper_Nms_per_rad + dt * limit.spring_Nm_per_rad;
      target = -limit.spring_Nm_per_rad * gap / c;
      relaxation = 1 / (dt * c);
    }
    const double x = sign * impulse[v];
    const double w = sign * after[v] - target + relaxation * x;
    if (x > 0) ++out.acting;
    // The smaller of the two is zero, and neither is negative. A damper does not act before the joint is there.
    const bool is_away = is_soft && !(x > 0) && gap + dt * sign * after[v] >= 0;
    out.complementarity.see(is_away ? std::fmin(x, 0) : std::fmin(A * x, w) / scale);
  }
}

// Random states about the stops: half of the limited joints within a step's way of one, some beyond it.
template <const auto& R, class S>
void draw_near_stops(measure::Random& random, checks::Sample<R, S>& s) {
  checks::draw(random, {}, s);
  int at = 0;
  for (const kinecast::Link& l : R.links) {
    const bool is_single = l.joint == kinecast::JointKind::revolute || l.joint == kinecast::JointKind::prismatic;
    if (is_single && l.limits.has_stops) {
      const double stop = random.within(1) > 0 ? l.limits.lower : l.limits.upper;
      s.q[at] = static_cast<S>(stop + random.within(2e-3));
      if (random.within(1) > 0.5) s.q[at] = static_cast<S>(0.5 * (l.limits.lower + l.limits.upper));
    }
    at += l.joint == kinecast::JointKind::floating ? 7 : l.joint == kinecast::JointKind::spherical ? 4 : is_single;
  }
}

template <const auto& R, class S, class... Options>
[[gnu::noinline]] StepErrors errors_of_random_steps(int steps) {
  static Predictor<R, S, Options...> p;
  measure::Random random(612);
  static checks::Sample<R, S> s;
  StepErrors errors;
  const RowParameters<S> parameters{S(200), S(1), S(1e-3)};
  assert_ok(p.set_row_parameters(parameters));
  for (int i = 0; i < steps; ++i) {
    draw_near_stops(random, s);
    const State<R, S> before{s.q, s.dq};
    TEST_ASSERT_TRUE(ok(p.reset(before)));
    assert_ok(p.step(s.tau, static_cast<S>(kDt)));
    see_step<R, S>(p, before, s.tau, static_cast<double>(static_cast<S>(kDt)), parameters, errors);
    if constexpr (sizeof...(Options) > 0) errors.systems += p.contact_report().passes;
    // And another one, in which some have left their stops.
    const State<R, S> between = p.state();
    assert_ok(p.step(s.tau, static_cast<S>(kDt)));
    see_step<R, S>(p, between, s.tau, static_cast<double>(static_cast<S>(kDt)), parameters, errors);
  }
  return errors;
}

}  // namespace limited
