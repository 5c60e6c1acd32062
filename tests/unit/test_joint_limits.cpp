// SPDX-License-Identifier: MIT
// Joints at their stops (method 1.6): an arm that has nothing else, whose stops are solved between the sweeps. The pendulum's truths
// are those of a mass point. Several stops at once, other robots and copies: test_limit_rows.cpp.
#include "limit_checks.hpp"
#include "unity_main.hpp"

namespace unit_joint_limits {
namespace {

using namespace limited;

constexpr double kStop = 0.2;

// ---- rigid stops --------------------------------------------------------------------------------------------------------------

// A fall into the stop. Returns the speed of the last step before it, and of the first after it, as it comes back.
struct Bounce {
  double approach{0};
  double rebound{0};
  double violation{0};
};
template <class S, class P>
Bounce fall_into(P& p, double sign, double stop, int steps) {
  Bounce b;
  for (int i = 0; i < steps; ++i) {
    const double before = sign * static_cast<double>(p.state().dq[0]);
    advance<pendulum>(p);
    const double torque = sign * static_cast<double>(p.report().limit_Nm[0]);
    TEST_ASSERT_TRUE_MESSAGE(torque >= 0, "a stop pulls");
    if (torque > 0 && !(b.approach > 0)) b.approach = -before;
    if (b.approach > 0) b.rebound = std::fmax(b.rebound, sign * static_cast<double>(p.state().dq[0]));
    b.violation = std::fmax(b.violation, stop - sign * static_cast<double>(p.state().q[0]));
  }
  return b;
}

// The bounds: 1e-5 rad, no rebound, the torque of statics. What may move back is the violation at k = 200/s, at most
// 2e-3 rad/s of 4: a thousandth. At rest the torque is m g l sin q, q known to 1e-5 rad.
template <class S>
void check_stop(double sign) {
  const Model<pendulum, S> model = built<pendulum, S>(with_stop(sign, kStop));
  Predictor<pendulum, S> p(model);
  assert_ok(p.reset(state_of<pendulum, S>(sign * 0.4, -sign * 4)));
  const Bounce b = fall_into<S>(p, sign, kStop, 120);
  TEST_ASSERT_TRUE(b.approach > 3.9);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, std::fmax(0, b.violation));
  TEST_ASSERT_DOUBLE_WITHIN(200 * 1e-5, 0, b.rebound);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4 * weight_Nm(kStop), sign * weight_Nm(kStop),
                            static_cast<double>(p.report().limit_Nm[0]));
}
void test_stop() {
  for (const double sign : {1.0, -1.0}) {
    check_stop<float>(sign);
    if constexpr (measure::kInDouble) check_stop<double>(sign);
  }
}
// Each of Runge-Kutta-Gill's four stages asks for the stop's velocity at its own end, so that their mean passes the stop, by less
// than the way of a step, and is worked off with k: the bounds are those of symplectic Euler. At rest it is alike.
template <class S>
void check_stop_gill(double sign) {
  const Model<pendulum, S> model = built<pendulum, S>(with_stop(sign, kStop));
  Predictor<pendulum, S, kinecast::RungeKuttaGill> p(model);
  assert_ok(p.reset(state_of<pendulum, S>(sign * 0.4, -sign * 4)));
  const Bounce b = fall_into<S>(p, sign, kStop, 400);
  TEST_ASSERT_TRUE(b.violation < 4.3 * kDt);
  TEST_ASSERT_TRUE(b.rebound < 200 * b.violation);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, sign * kStop, static_cast<double>(p.state().q[0]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * weight_Nm(kStop), sign * weight_Nm(kStop),
                            static_cast<double>(p.report().limit_Nm[0]));
}
void test_stop_gill() {
  check_stop_gill<float>(1);
  if constexpr (measure::kInDouble) check_stop_gill<double>(-1);
}

// From rest and from where no speed comes near the stop, by a torque: 2000 rad/s² take it 2 mrad far in one step, and the stop is at 1.5.
template <class S>
void check_thrown(double sign) {
  const Model<pendulum, S> model = built<pendulum, S>(with_stop(sign, kStop));
  Predictor<pendulum, S> p(model);
  assert_ok(p.reset(state_of<pendulum, S>(sign * (kStop + 1.5e-3), 0)));
  advance<pendulum>(p, -sign * 2000 * kInertia);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, sign * kStop, static_cast<double>(p.state().q[0]));
  TEST_ASSERT_TRUE(sign * static_cast<double>(p.report().limit_Nm[0]) > 0);
  advance<pendulum>(p, -sign * 2000 * kInertia);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, sign * kStop, static_cast<double>(p.state().q[0]));
}
void test_thrown_by_torque() {
  check_thrown<float>(1);
  if constexpr (measure::kInDouble) check_thrown<double>(-1);
}

template <class S>
void check_rebound(double sign) {
  Values<pendulum> values = with_stop(sign, kStop);
  values.links[0].limits.rebound = 0.5;
  const Model<pendulum, S> model = built<pendulum, S>(values);
  Predictor<pendulum, S> p(model);
  assert_ok(p.reset(state_of<pendulum, S>(sign * 0.4, -sign * 4)));
  const Bounce b = fall_into<S>(p, sign, kStop, 70);
  TEST_ASSERT_DOUBLE_WITHIN(0.01, 0.5, b.rebound / b.approach);  // the bound
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, std::fmax(0, b.violation));
}
void test_rebound() {
  check_rebound<float>(1);
  if constexpr (measure::kInDouble) check_rebound<double>(-1);
}

// Between two stops that throw back all of the speed. Without gravity a relaxed row turns v into v (1 - lambda)/(1 + lambda),
// exactly. With gravity a bounce misses the kick of its own step, m g l sin q dt, either way; and symplectic Euler's energy is
// off by half a kick at speed.
template <class S>
void check_two_stops(double gravity) {
  Values<pendulum> values = pendulum;
  values.gravity_mps2 = {0, 0, -gravity};
  values.links[0].limits.lower = -kStop;
  values.links[0].limits.upper = 0.3;
  values.links[0].limits.rebound = 1;
  const Model<pendulum, S> model = built<pendulum, S>(values);
  Predictor<pendulum, S> p(model);
  constexpr double kRelaxation = 1e-4;
  constexpr double kSpeed = 5;
  assert_ok(p.set_row_parameters({S(200), S(1), static_cast<S>(kRelaxation)}));
  assert_ok(p.reset(state_of<pendulum, S>(0, kSpeed)));
  int bounces = 0;
  double energy = 0;
  for (int i = 0; i < 600; ++i) {
    advance<pendulum>(p);
    if (std::abs(static_cast<double>(p.report().limit_Nm[0])) > 0) ++bounces;
    const double q = static_cast<double>(p.state().q[0]);
    const double dq = static_cast<double>(p.state().dq[0]);
    energy = 0.5 * kInertia * dq * dq + gravity * kLength * (1 - std::cos(q));
  }
  TEST_ASSERT_TRUE(bounces >= 5 && bounces <= 7);  // 0.5 rad at 5 rad/s
  const double start = 0.5 * kInertia * kSpeed * kSpeed;
  if (gravity > 0) {
    const double kick = gravity * kLength * std::sin(0.3) * kDt * kSpeed;
    TEST_ASSERT_DOUBLE_WITHIN(bounces * (4 * kRelaxation * start + kick) + 0.5 * kick, start, energy);
  } else {
    const double kept = std::pow((1 - kRelaxation) / (1 + kRelaxation), 2 * bounces);
    TEST_ASSERT_DOUBLE_WITHIN(4 * bounces * kEps<S> * start, kept * start, energy);
  }
}
void test_energy_between_two_stops() {
  check_two_stops<float>(0);
  if constexpr (measure::kInDouble) check_two_stops<double>(0);
  if constexpr (measure::kInDouble) check_two_stops<double>(kGravity);
}

// Both stops at one place: the joint is held there, whichever way it is pulled.
template <class S>
void check_no_room(double at) {
  Values<pendulum> values = pendulum;
  values.links[0].limits.lower = values.links[0].limits.upper = at;
  const Model<pendulum, S> model = built<pendulum, S>(values);
  Predictor<pendulum, S> p(model);
  assert_ok(p.reset(state_of<pendulum, S>(at, 0)));
  for (int i = 0; i < 100; ++i) {
    advance<pendulum>(p);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, at, static_cast<double>(p.state().q[0]));
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * std::abs(weight_Nm(at)), weight_Nm(at), static_cast<double>(p.report().limit_Nm[0]));
  // Pushed harder to the other side, the other stop holds.
  for (int i = 0; i < 100; ++i) advance<pendulum>(p, 2 * weight_Nm(at));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, at, static_cast<double>(p.state().q[0]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * std::abs(weight_Nm(at)), -weight_Nm(at),
                            static_cast<double>(p.report().limit_Nm[0]));
}
void test_no_room() {
  check_no_room<float>(0.5);
  if constexpr (measure::kInDouble) check_no_room<double>(-0.5);
}

// ---- soft stops ---------------------------------------------------------------------------------------------------------------

// Lies on the spring: k d = m g l sin q. Thrown at it, it is never pulled, also while it leaves.
template <class S>
void check_soft(double sign) {
  constexpr double kSpring = 200;
  Values<pendulum> values = with_stop(sign, kStop);
  values.links[0].limits.spring_Nm_per_rad = kSpring;
  values.links[0].limits.damper_Nms_per_rad = 12;
  const Model<pendulum, S> model = built<pendulum, S>(values);
  Predictor<pendulum, S> p(model);
  assert_ok(p.reset(state_of<pendulum, S>(sign * (kStop + 0.02), -sign * 3)));
  const Bounce b = fall_into<S>(p, sign, kStop, 750);
  TEST_ASSERT_TRUE(b.violation > 0.01 && b.rebound > 0.01);  // it yields, and throws back
  const double q = sign * static_cast<double>(p.state().q[0]);
  // It leaves the stop twice, and lies on it for 400 steps, 10 time constants I/(c/2) of 42 ms/2: 5e-5 of 1 N.m. In float the angle
  // stays where its steps fall below half a digit, dq = eps q/2dt, and the damper then carries 12 dq.
  const double left = bound<S>(12 * kEps<S> * kStop / (2 * kDt), 0) + 5e-5 * weight_Nm(kStop);
  TEST_ASSERT_DOUBLE_WITHIN(left, weight_Nm(q), kSpring * (kStop - q));
  TEST_ASSERT_DOUBLE_WITHIN(left, weight_Nm(q), sign * static_cast<double>(p.report().limit_Nm[0]));
}
void test_soft_stop() {
  for (const double sign : {1.0, -1.0}) {
    check_soft<float>(sign);
    if constexpr (measure::kInDouble) check_soft<double>(sign);
  }
}

// ---- a slide  ---------------------------------------------------------------------------------------

namespace words {
using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in
constexpr auto kLump = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
constexpr auto make_lift() {
  return robot("lift", link("car", prismatic(kAxisZ), body(3.0, com(0, 0, 0), kLump), limits(0.1, 2)),
               link("needle", on("car"), revolute(kAxisZ), body(0.1, com(0, 0, 0), kLump), speed_limit(6)),
               link("fan", on("car"), revolute(kAxisX), body(0.1, com(0, 0, 0), kLump), speed_limit(2)));
}
}  // namespace words
inline constexpr auto lift = words::make_lift();

template <class S>
void check_lift() {
  Predictor<lift, S> p;
  assert_ok(p.reset(state_of<lift, S>(0.15, -2)));
  double lowest = 1;
  for (int i = 0; i < 80; ++i) {
    advance<lift>(p);
    lowest = std::fmin(lowest, static_cast<double>(p.state().q[0]));
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.1, lowest);
  const double weight = 3.2 * kGravity;
  TEST_ASSERT_DOUBLE_WITHIN(1e-4 * weight, weight, static_cast<double>(p.report().limit_Nm[0]));
  TEST_ASSERT_TRUE(std::abs(p.report().limit_Nm[1]) + std::abs(p.report().limit_Nm[2]) <= 0);
}
void test_slide() {
  check_lift<float>();
  if constexpr (measure::kInDouble) check_lift<double>();
}

// ---- warnings, bad input, copies --------------------------------------------------------------------------------------------------

void test_speed_limit() {
  Predictor<lift, float> p;
  State<lift, float> state = state_of<lift, float>(0.5, 0);
  state.dq[1] = 3;
  assert_ok(p.reset(state));
  advance<lift>(p);
  TEST_ASSERT_EQUAL_INT(-1, p.fast_joint());
  state.dq[2] = -2.5F;
  assert_ok(p.reset(state));
  assert_status(Status::too_fast, p.step(all<lift, float>(0), 1e-3F), "the fan");
  TEST_ASSERT_EQUAL_INT(2, p.fast_joint());
  TEST_ASSERT_FLOAT_WITHIN(0.1F, -2.5F, p.state().dq[2]);  // nothing more than a warning
  state.dq[1] = 7;
  assert_ok(p.reset(state));
  assert_status(Status::too_fast, p.step(all<lift, float>(0), 1e-3F), "both: the first is named");
  TEST_ASSERT_EQUAL_INT(1, p.fast_joint());
  // A rollout from here slows the first one down, a forecast that leaves the predictor as it was; a new start has no last step.
  auto brake = all<lift, float>(0);
  brake[1] = -1000;
  State<lift, float> next;
  const auto reached = p.rollout(&brake, 1, 1e-3F, &next);
  TEST_ASSERT_EQUAL_INT(1, reached.steps);
  TEST_ASSERT_TRUE(next.dq[1] < 6);
  TEST_ASSERT_EQUAL_INT(1, p.fast_joint());
  const auto fast = p.snapshot();
  assert_ok(p.reset(state));
  TEST_ASSERT_EQUAL_INT(-1, p.fast_joint());
  p.restore(fast);
  TEST_ASSERT_EQUAL_INT(1, p.fast_joint());
}

// A start beyond the stop: a warning, and it comes back no faster than push_out. A stop only pushes, so that nothing but gravity
// brakes it then: what it has of energy above the stop is no more than that speed's. In the end it rests there.
template <class S>
void check_crossed(double sign) {
  constexpr double kPushOut = 0.8;
  const Model<pendulum, S> model = built<pendulum, S>(with_stop(sign, kStop));
  Predictor<pendulum, S> p(model);
  assert_ok(p.set_row_parameters({S(100), static_cast<S>(kPushOut), S(1e-4)}));
  const State<pendulum, S> start = state_of<pendulum, S>(sign * (kStop - 0.1), 0);
  assert_status(Status::limit_crossed, p.reset(start), "reset");
  assert_status(Status::limit_crossed, p.correct(start), "correct");
  for (int i = 0; i < 800; ++i) {
    const double before = sign * static_cast<double>(p.state().q[0]);
    advance<pendulum>(p);
    const double q = sign * static_cast<double>(p.state().q[0]);
    const double dq = sign * static_cast<double>(p.state().dq[0]);
    TEST_ASSERT_TRUE_MESSAGE(before > kStop - 1e-5 || q >= before, "it goes further in");
    const double energy = 0.5 * kInertia * dq * dq + kGravity * kLength * (std::cos(kStop) - std::cos(q));
    TEST_ASSERT_TRUE(energy <= 0.5 * kInertia * kPushOut * kPushOut * (1 + 1e-2));  // symplectic Euler's error: a kick
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, sign * kStop, static_cast<double>(p.state().q[0]));
  TEST_ASSERT_DOUBLE_WITHIN(200 * 1e-5, 0, static_cast<double>(p.state().dq[0]));
}
void test_crossed_at_reset() {
  check_crossed<float>(1);
  if constexpr (measure::kInDouble) check_crossed<double>(-1);
}

void test_lower_above_upper() {
  Values<pendulum> values = pendulum;
  values.links[0].limits.lower = 3.1;
  Model<pendulum, float> model{};
  assert_status(Status::invalid_model, kinecast::build_model<pendulum, float>(values, model), "lower above upper");
}

void test_row_parameters() {
  Predictor<pendulum, float> p;
  assert_status(Status::input_out_of_range, p.set_row_parameters({-1, 1, 1e-4F}), "negative");
  assert_status(Status::non_finite_input, p.set_row_parameters({200, std::numeric_limits<float>::quiet_NaN(), 1e-4F}),
                "NaN");
}

}  // namespace

KINECAST_SUITE(joint_limits, test_stop, test_stop_gill, test_thrown_by_torque, test_rebound,
               test_energy_between_two_stops, test_no_room, test_soft_stop, test_slide, test_speed_limit,
               test_crossed_at_reset, test_lower_above_upper, test_row_parameters)

}  // namespace unit_joint_limits
