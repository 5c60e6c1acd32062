// SPDX-License-Identifier: MIT
// Predictor as a machine: it steps as the integrators do, fails without a trace, and its snapshots, rollouts and corrections
// are what stepping by hand gives, bit for bit.
#include "../robots/chain.hpp"
#include "drive_checks.hpp"
#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_predictor {
namespace {

using namespace driven;

// Everything that a predictor tells.
template <const auto& R, class S>
void assert_same_report(const kinecast::Report<R, S>& a, const kinecast::Report<R, S>& b) {
  TEST_ASSERT_TRUE(same_bits(a.friction_Nm, b.friction_Nm) && same_bits(a.transmitted_Nm, b.transmitted_Nm));
  TEST_ASSERT_TRUE(a.is_held == b.is_held && a.is_saturated == b.is_saturated);
}

// Two hinges in a row whose friction remembers: load losses at both, static friction, a torque from outside.
inline constexpr auto lossy_arm = kinecast::robot(
    "lossy arm",
    kinecast::link("upper", kinecast::revolute(kinecast::kAxisY), kinecast::torque_driven(kinecast::torque_limit(30)),
                   kinecast::gear(kinecast::ratio(2), kinecast::load_loss(0.25)),
                   kinecast::at_joint(kinecast::rotor_inertia(0.02), kinecast::stiction(2), kinecast::coulomb(1.5)),
                   kinecast::body(1, kinecast::com(0.2, 0, 0), kinecast::inertia(0.01, 0.02, 0.02))),
    kinecast::link("fore", kinecast::on("upper"), kinecast::revolute(kinecast::kAxisY), kinecast::at(0.4, 0, 0),
                   kinecast::gear(kinecast::ratio(2), kinecast::load_loss(0.5)),
                   kinecast::at_joint(kinecast::rotor_inertia(0.01), kinecast::stiction(1), kinecast::coulomb(0.8),
                                      kinecast::viscous(0.05), kinecast::stribeck(5)),
                   kinecast::body(0.5, kinecast::com(0.2, 0, 0), kinecast::inertia(0.005, 0.01, 0.01))));

template <class S>
Command<lossy_arm, S> command_at(int i) {
  return Command<lossy_arm, S>(static_cast<S>(4 - 0.11 * (i % 70)), static_cast<S>(0.07 * (i % 40) - 1));
}

// ---- a robot without drives -----------------------------------------------------------------------------------------------

template <const auto& R, class S>
void check_plain() {
  Predictor<R, S> euler;
  Predictor<R, S, ArticulatedFriction, RungeKuttaGill> gill;
  State<R, S> by_euler = moving_at<R, S>(0.3);
  State<R, S> by_gill = by_euler;
  assert_ok(euler.reset(by_euler));
  assert_ok(gill.reset(by_gill));
  for (int i = 0; i < 10; ++i) {
    const Command<R, S> tau = all<R, S>(0.05 * i - 0.2);
    const S dt = static_cast<S>(2e-3);
    assert_ok(kinecast::step_symplectic(kinecast::model<R, S>, tau, dt, checks::workspace<R, S>(), by_euler));
    assert_ok(kinecast::step_gill(kinecast::model<R, S>, tau, dt, checks::workspace<R, S>(), by_gill));
    assert_ok(euler.step(tau, dt));
    assert_ok(gill.step(tau, dt));
    TEST_ASSERT_TRUE(same_bits(by_euler, euler.state()) && same_bits(by_gill, gill.state()));
  }
}
void test_without_drives_it_is_the_integrator() {
  check_plain<robots::chain<2>, float>();
  if constexpr (measure::kInDouble) check_plain<robots::chain<2>, double>();
  check_plain<small::free_body, float>();
}

// A torque that acts as commanded is transmitted as commanded.
void test_report_without_drives() {
  Predictor<robots::chain<2>, float> p;
  assert_ok(p.step(all<robots::chain<2>, float>(0.25), 1e-3F));
  for (int i = 0; i < 2; ++i) TEST_ASSERT_FLOAT_WITHIN(1e-6F, 0.25F, p.report().transmitted_Nm[i]);
}

// ---- failures -------------------------------------------------------------------------------------------------------------

template <class S, class Friction, class Integrator>
void check_failures() {
  Predictor<lossy_arm, S, Friction, Integrator> p;
  const S dt = S(1e-3);
  for (int i = 0; i < 20; ++i) assert_ok(p.step(command_at<S>(i), dt));
  const auto before = p.snapshot();
  const auto report = p.report();
  const auto unchanged = [&] {
    TEST_ASSERT_TRUE(same_snapshot(before, p.snapshot()));
    assert_same_report(report, p.report());
  };
  const auto refuse = [&](Status expected, Status got) {
    bad_input::assert_status(expected, got, "a step that fails");
    unchanged();
  };
  constexpr S kNaN = std::numeric_limits<S>::quiet_NaN();
  refuse(Status::non_finite_input, p.step(all<lossy_arm, S>(std::nan("")), dt));
  refuse(Status::bad_time_step, p.step(command_at<S>(0), S(0)));
  refuse(Status::non_finite_input, p.step(command_at<S>(0), all<lossy_arm, S>(std::nan("")), dt));
  State<lossy_arm, S> bad = p.state();
  bad.dq[1] = kNaN;
  refuse(Status::non_finite_input, p.reset(bad));
  refuse(Status::non_finite_input, p.correct(bad));
  bad = p.state();
  bad.q[0] = S(1e8);  // beyond what sincos() reduces
  refuse(Status::input_out_of_range, p.reset(bad));
  refuse(Status::input_out_of_range, p.correct(bad));
  // It goes on as if nothing had been asked.
  Predictor<lossy_arm, S, Friction, Integrator> other;
  for (int i = 0; i < 20; ++i) assert_ok(other.step(command_at<S>(i), dt));
  assert_ok(other.step(command_at<S>(7), dt));
  assert_ok(p.step(command_at<S>(7), dt));
  TEST_ASSERT_TRUE(same_snapshot(other.snapshot(), p.snapshot()));
}
// A failure behind the drives: the joint turns so fast that the next evaluation finds an angle beyond sincos(). That is the next
// step of Euler, and a later stage of the same step of Runge-Kutta.
template <class Integrator>
void check_late_failure(int good_steps) {
  Predictor<hinge, float, ArticulatedFriction, Integrator> p;
  assert_ok(p.reset(moving_at<hinge, float>(1e6)));
  for (int i = 0; i < good_steps; ++i) assert_ok(p.step(all<hinge, float>(1), 0.1F));
  const auto before = p.snapshot();
  const auto report = p.report();
  bad_input::assert_status(Status::input_out_of_range, p.step(all<hinge, float>(5), 0.1F), "too many turns");
  TEST_ASSERT_TRUE(same_snapshot(before, p.snapshot()));
  assert_same_report(report, p.report());
}
void test_failures_leave_no_trace() {
  check_failures<float, ArticulatedFriction, SymplecticEuler>();
  check_failures<float, ArticulatedFriction, RungeKuttaGill>();
  check_failures<float, RotorFriction, SymplecticEuler>();
  check_failures<float, RotorFriction, RungeKuttaGill>();
  check_failures<float, ImplicitFriction, SymplecticEuler>();
  check_failures<double, ArticulatedFriction, SymplecticEuler>();
  check_late_failure<SymplecticEuler>(1);
  check_late_failure<RungeKuttaGill>(0);
}

// ---- snapshots and rollouts -----------------------------------------------------------------------------------------------

template <class S, class Friction>
void check_rollout() {
  using P = Predictor<lossy_arm, S, Friction>;
  constexpr int kCount = 30;
  P p;
  for (int i = 0; i < 25; ++i) assert_ok(p.step(command_at<S>(i), S(1e-3)));
  Command<lossy_arm, S> commands[kCount];
  for (int i = 0; i < kCount; ++i) commands[i] = command_at<S>(3 * i);
  State<lossy_arm, S> states[kCount + 1];
  std::memset(static_cast<void*>(states), 0xA5, sizeof states);
  const State<lossy_arm, S> untouched = states[kCount];

  const auto start = p.snapshot();
  const auto report = p.report();
  kinecast::Rollout rollout = p.rollout(commands, kCount, S(1e-3), states);
  assert_ok(rollout.status);
  TEST_ASSERT_EQUAL_INT(kCount, rollout.steps);
  TEST_ASSERT_TRUE(same_snapshot(start, p.snapshot()) && same_bits(untouched, states[kCount]));
  for (int i = 0; i < kCount; ++i) {
    assert_ok(p.step(commands[i], S(1e-3)));
    TEST_ASSERT_TRUE(same_bits(states[i], p.state()));
  }
  // Back to the start, through a copy of bytes, in another predictor.
  typename P::Snapshot copy;
  std::memcpy(static_cast<void*>(&copy), static_cast<const void*>(&start), sizeof copy);
  P other;
  other.restore(copy);
  assert_same_report(report, other.report());
  for (int i = 0; i < kCount; ++i) assert_ok(other.step(commands[i], S(1e-3)));
  TEST_ASSERT_TRUE(same_snapshot(p.snapshot(), other.snapshot()));
  assert_same_report(p.report(), other.report());

  // A rollout that fails in its twelfth step; and one of no steps.
  p.restore(start);
  std::memset(static_cast<void*>(states), 0xA5, sizeof states);
  commands[11][1] = std::numeric_limits<S>::infinity();
  rollout = p.rollout(commands, kCount, S(1e-3), states);
  bad_input::assert_status(Status::non_finite_input, rollout.status, "rollout");
  TEST_ASSERT_EQUAL_INT(11, rollout.steps);
  TEST_ASSERT_EQUAL_INT(1, p.refused_joint());
  TEST_ASSERT_TRUE(same_snapshot(start, p.snapshot()) && same_bits(untouched, states[11]));
  rollout = p.rollout(commands, 0, S(1e-3), states);
  assert_ok(rollout.status);
  TEST_ASSERT_EQUAL_INT(0, rollout.steps);
}
void test_rollout_is_stepping() {
  check_rollout<float, ArticulatedFriction>();
  check_rollout<float, RotorFriction>();
  check_rollout<float, ImplicitFriction>();
  check_rollout<double, ArticulatedFriction>();
}

// "The predictor itself stays where it is": also what it reports of its last step.
void test_rollout_keeps_the_report() {
  Predictor<lossy_arm, float> p;
  for (int i = 0; i < 25; ++i) assert_ok(p.step(command_at<float>(i), 1e-3F));
  const auto report = p.report();
  Command<lossy_arm, float> commands[] = {command_at<float>(0), command_at<float>(50)};
  State<lossy_arm, float> states[2];
  assert_ok(p.rollout(commands, 2, 1e-3F, states).status);
  assert_same_report(report, p.report());
}

// ---- measurements ---------------------------------------------------------------------------------------------------------

// A hand loads the sticking arm slowly up to 1.9 times the elbow's static friction: its load loss then helps to hold. Corrected
// to where it is, the arm does not notice; reset, it has forgotten the load, and slips.
template <class S>
void check_correct() {
  Values<lossy_arm> values = lossy_arm;
  values.gravity_mps2 = {0, 0, 0};
  const Model<lossy_arm, S> model = built<lossy_arm, S>(values);
  Predictor<lossy_arm, S> p(model);
  Command<lossy_arm, S> load = all<lossy_arm, S>(0);
  for (int i = 0; i <= 100; ++i) {
    load[1] = static_cast<S>(0.019 * i);
    assert_ok(p.step(all<lossy_arm, S>(0), load, S(1e-3)));
    TEST_ASSERT_TRUE(p.report().held(1));
  }
  Predictor<lossy_arm, S> corrected = p;
  Predictor<lossy_arm, S> forgetful = p;
  assert_ok(corrected.correct(p.state()));
  assert_ok(forgetful.reset(p.state()));
  TEST_ASSERT_TRUE(same_snapshot(p.snapshot(), corrected.snapshot()));
  for (Predictor<lossy_arm, S>* one : {&p, &corrected, &forgetful})
    assert_ok(one->step(all<lossy_arm, S>(0), load, S(1e-3)));
  TEST_ASSERT_TRUE(same_snapshot(p.snapshot(), corrected.snapshot()));
  TEST_ASSERT_TRUE(corrected.report().held(1) && !forgetful.report().held(1));
  // A measurement elsewhere moves the state there, and nothing else.
  State<lossy_arm, S> measured = p.state();
  measured.q[0] += S(0.1), measured.dq[0] = S(0.5);
  const auto before = p.snapshot();
  assert_ok(p.correct(measured));
  TEST_ASSERT_TRUE(same_bits(measured, p.state()) && same_bits(before.memory, p.snapshot().memory));
}
void test_correct_and_reset() {
  check_correct<float>();
  if constexpr (measure::kInDouble) check_correct<double>();
}

void test_snapshot_is_a_plain_copy() {
  using P = Predictor<robots::drive_unit, float>;
  TEST_ASSERT_TRUE(std::is_trivially_copyable_v<P::Snapshot>);
}

void test_sizes() {
  static_assert(sizeof(Predictor<robots::drive_unit, float>) <= 400, "the drive unit's budget of RAM");
  // q, dq, two numbers of memory, the report's two torques and two words.
  TEST_ASSERT_TRUE(sizeof(Predictor<robots::drive_unit, float>::Snapshot) <= 40);
}

}  // namespace

KINECAST_SUITE(predictor, test_without_drives_it_is_the_integrator, test_report_without_drives,
               test_failures_leave_no_trace, test_rollout_is_stepping, test_rollout_keeps_the_report,
               test_correct_and_reset, test_snapshot_is_a_plain_copy, test_sizes)

}  // namespace unit_predictor
