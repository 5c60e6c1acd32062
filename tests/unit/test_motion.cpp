// SPDX-License-Identifier: MIT
// Motion whose truth is known in closed form: a pendulum's acceleration and period, drops, a top in steady precession, free
// fall.
#include <kinecast/kinecast.hpp>

#include "../support/balances.hpp"
#include "measure.hpp"
#include "robot_checks.hpp"
#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_motion {
namespace {

using kinecast::State;
using measure::assert_below;
using measure::Worst;

constexpr double kG = 9.80665;

template <const auto& R, class S>
[[gnu::noinline]] kinecast::Status gill(const checks::Vel<R, S>& tau, S dt, State<R, S>& state) {
  return kinecast::step_gill(kinecast::model<R, S>, tau, dt, checks::workspace<R, S>(), state);
}
template <const auto& R, class S>
checks::Vel<R, S> no_torque() {
  return checks::Vel<R, S>::Zero();
}

// ---- accelerations ----

constexpr double kMass = 0.8;
constexpr double kLength = 0.5;
constexpr double kInertia = 0.02;  // about the centre of mass, across the rod
constexpr auto make_pendulum() {
  using namespace kinecast;
  return robot("pendulum",
               link("rod", revolute(kAxisY), body(kMass, com(0, 0, -kLength), inertia(kInertia, kInertia, 0.001))));
}
constexpr auto kPendulum = make_pendulum();

template <class S>
void check_pendulum() {
  Worst worst;
  for (int i = -30; i <= 30; ++i) {
    State<kPendulum, S> state = kinecast::zero_state<kPendulum, S>();
    state.q[0] = static_cast<S>(0.1 * i);
    checks::Vel<kPendulum, S> ddq = checks::unset<kPendulum, S>();
    checks::assert_ok((checks::forward<kPendulum, S>(state.q, state.dq, no_torque<kPendulum, S>(), ddq)));
    // Turning about +y takes the hanging rod (-z) towards -x: gravity turns it back.
    const double expected =
        -kMass * kG * kLength * std::sin(static_cast<double>(state.q[0])) / (kInertia + kMass * kLength * kLength);
    worst.see(expected, static_cast<double>(ddq[0]), 20);
  }
  assert_below<S>(4 * measure::kEps<S>, worst, "pendulum");
}
void test_pendulum_acceleration() {
  check_pendulum<float>();
  if constexpr (measure::kInDouble) check_pendulum<double>();
}

// A mass on a vertical slide with a motor whose rotor must be turned too: a = -m g / (m + rotor); and on a slope.
constexpr auto make_drop(double rotor, double slope) {
  using namespace kinecast;
  return robot("drop", link("mass", prismatic({constant::sin(slope), 0, constant::cos(slope)}), at(0, 0, 5),
                            at_joint(rotor_inertia(rotor)), body(2.0, com(0.1, 0.2, 0.3), inertia(0.01, 0.01, 0.01))));
}
constexpr auto kDrop = make_drop(0, 0);
constexpr auto kHoist = make_drop(3.0, 0);
constexpr auto kSlope = make_drop(0, kinecast::constant::kPi / 3);

template <const auto& R, class S>
void check_drop(double expected, const char* name) {
  Worst worst;
  State<R, S> state = kinecast::zero_state<R, S>();
  state.q[0] = S(0.7);
  state.dq[0] = S(-2);
  checks::Vel<R, S> ddq = checks::unset<R, S>();
  checks::assert_ok((checks::forward<R, S>(state.q, state.dq, no_torque<R, S>(), ddq)));
  worst.see(expected, static_cast<double>(ddq[0]), kG);
  assert_below<S>(2 * measure::kEps<S>, worst, name);
}
void test_drop() {
  check_drop<kDrop, float>(-kG, "drop");
  if constexpr (measure::kInDouble) check_drop<kDrop, double>(-kG, "drop");
  check_drop<kHoist, float>(-kG * 2 / 5, "hoist");
  if constexpr (measure::kInDouble) check_drop<kHoist, double>(-kG * 2 / 5, "hoist");
  check_drop<kSlope, float>(-kG / 2, "slope");
  if constexpr (measure::kInDouble) check_drop<kSlope, double>(-kG / 2, "slope");
}

// ---- runs ----

// T = 2 pi sqrt(I / (m g l)) (1 + a²/16 + 11 a⁴/3072 + 173 a⁶/737280 + …) for the amplitude a.
void test_period() {
  constexpr double kAmplitude = 0.3;
  constexpr double dt = 1e-3;
  const double a2 = kAmplitude * kAmplitude;
  const double slow = std::sqrt((kInertia + kMass * kLength * kLength) / (kMass * kG * kLength));
  const double expected =
      2 * kinecast::constant::kPi * slow * (1 + a2 / 16 + 11 * a2 * a2 / 3072 + 173 * a2 * a2 * a2 / 737280);
  State<kPendulum, double> state = kinecast::zero_state<kPendulum, double>();
  state.q[0] = kAmplitude;
  double crossings[3] = {};
  int found = 0;
  for (int i = 0; found < 3 && i < 10000; ++i) {
    const State<kPendulum, double> before = state;
    checks::assert_ok((gill<kPendulum, double>(no_torque<kPendulum, double>(), dt, state)));
    if ((before.q[0] > 0) == (state.q[0] > 0)) continue;
    // The acceleration vanishes at the bottom: the line through (t, q) with the speed there is good to dt⁴.
    crossings[found++] = i * dt - before.q[0] / state.dq[0];
  }
  TEST_ASSERT_EQUAL_INT(3, found);
  // The series' next term is 22931 a⁸ / 1.3e9: 1e-9; the line is good to 1e-7 / (crossings' distance).
  TEST_ASSERT_DOUBLE_WITHIN(1e-6 * expected, expected, crossings[2] - crossings[0]);
}

// A symmetric top in steady precession: with spin w3 and inclination theta, I1 O² cos - I3 w3 O + m g l = 0 for the rate O.
constexpr double kTopMass = 0.3;
constexpr double kTopLength = 0.1;
constexpr double kTopAcross = 0.0008;  // about the centre of mass
constexpr double kTopAlong = 0.0006;
constexpr auto make_top() {
  using namespace kinecast;
  return robot("top", link("top", spherical(),
                           body(kTopMass, com(0, 0, kTopLength), inertia(kTopAcross, kTopAcross, kTopAlong))));
}
constexpr auto kTop = make_top();

template <class S>
void check_top(double tolerance) {
  constexpr double kTheta = 0.6;
  constexpr double kSpin = 120;  // about its own axis, in space
  const double across = kTopAcross + kTopMass * kTopLength * kTopLength;
  const double a = across * std::cos(kTheta);
  const double b = kTopAlong * kSpin;
  const double c = kTopMass * kG * kTopLength;
  const double rate = (b - std::sqrt(b * b - 4 * a * c)) / (2 * a);
  State<kTop, S> state = kinecast::zero_state<kTop, S>();
  // Tilted about y by theta; turning about the world's z by `rate`; body axes.
  state.q[0] = static_cast<S>(std::cos(kTheta / 2));
  state.q[2] = static_cast<S>(std::sin(kTheta / 2));
  state.dq[0] = static_cast<S>(-rate * std::sin(kTheta));
  state.dq[2] = static_cast<S>(kSpin);
  constexpr int kSteps = 1000;
  constexpr double dt = 0.25e-3;
  Worst inclination;
  Worst heading;
  for (int i = 1; i <= kSteps; ++i) {
    checks::assert_ok((gill<kTop, S>(no_torque<kTop, S>(), static_cast<S>(dt), state)));
    const kinecast::Mat3<S> m =
        kinecast::to_matrix(kinecast::Quaternion<S>{state.q[0], state.q[1], state.q[2], state.q[3]});
    // The top's axis in the world.
    const double x = static_cast<double>(m.row_x.z);
    const double y = static_cast<double>(m.row_y.z);
    const double z = static_cast<double>(m.row_z.z);
    inclination.see(z - std::cos(kTheta));
    const double phi = rate * i * dt;
    heading.see(std::atan2(y * std::cos(phi) - x * std::sin(phi), x * std::cos(phi) + y * std::sin(phi)));
  }
  assert_below<S>(tolerance, inclination, "steady precession, inclination");
  assert_below<S>(tolerance, heading, "steady precession, heading");
}
// Gill's error: (spin dt)⁵ / 120 = 2e-10 per step in the phase of the spin. Float: 1000 steps of rounding, 1e-7 each.
void test_spinning_top() {
  check_top<float>(1e-4);
  if constexpr (measure::kInDouble) check_top<double>(1e-6);
}

// Whatever a body does in the air, its centre of mass flies on a parabola. Gill integrates that exactly.
template <const auto& R, class S>
void check_free_fall(double tolerance) {
  State<R, S> state = kinecast::zero_state<R, S>();
  const S start[] = {S(1), S(-2), S(3), S(2), S(-1), S(3)};
  for (int i = 0; i < 6; ++i) state.dq[i] = start[i];
  const auto before = support::momentum<R, S>(state);
  constexpr int kSteps = 500;
  constexpr double dt = 2e-3;
  for (int i = 0; i < kSteps; ++i) checks::assert_ok((gill<R, S>(no_torque<R, S>(), static_cast<S>(dt), state)));
  const auto after = support::momentum<R, S>(state);
  Worst worst;
  const double t = kSteps * static_cast<double>(static_cast<S>(dt));
  for (int i = 0; i < 3; ++i) {
    const double g = i == 2 ? -kG : 0;
    const double v0 = static_cast<double>(before.linear[i]) / static_cast<double>(before.mass);
    worst.see(static_cast<double>(before.com[i]) + v0 * t + 0.5 * g * t * t, static_cast<double>(after.com[i]), 1);
    worst.see(v0 + g * t, static_cast<double>(after.linear[i] / after.mass), 10);
  }
  assert_below<S>(tolerance, worst, "free fall");
}
// The origin's path is no parabola (it circles the centre of mass): (omega dt)⁵ per step. Float: 500 roundings of a metre.
void test_free_fall() {
  check_free_fall<small::free_body, float>(5e-5);
  if constexpr (measure::kInDouble) check_free_fall<small::free_body, double>(1e-10);
}

}  // namespace

KINECAST_SUITE(motion, test_pendulum_acceleration, test_drop, test_period, test_spinning_top, test_free_fall)

}  // namespace unit_motion
