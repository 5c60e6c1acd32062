// SPDX-License-Identifier: MIT
// Joints that become rigid in a Predictor: it then goes where a robot goes that was written with these joints welded, with drives,
// stops and contacts; energy never grows when a joint closes; measurements, copies and refusals keep the choice as it was.
#include <kinecast/kinecast.hpp>

#include "measure.hpp"
#include "unity_main.hpp"

namespace unit_adaptive {
namespace {

using namespace measure;

namespace words {
using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in

constexpr auto kBone = body(1.0, com(0.01, 0.02, -0.15), inertia(0.010, 0.011, 0.002, 0.0005, 0.0002, 0.0003));
// A leg of three joints above the ground; `knee` is its middle one, as a joint or welded.
template <class... OfHip>
constexpr auto make_leg(detail::Joint knee, const OfHip&... of_hip) {
  return robot("leg", link("thigh", revolute(kAxisY), at(0, 0, 0.7), kBone, of_hip...),
               link("shank", on("thigh"), at(0, 0, -0.3), knee, kBone),
               link("foot", on("shank"), at(0, 0, -0.3), revolute(kAxisX), kBone),
               contact_point("toe", on("foot"), at(0.05, 0, -0.25)),
               contact_point("heel", on("foot"), at(-0.05, 0, -0.25)));
}
constexpr auto kFriction = at_joint(stiction(0.5), coulomb(0.4), viscous(0.1));
}  // namespace words

using words::Adaptive;
using words::Command;
using words::JointSet;
using words::kAxisY;
using words::ok;
using words::Predictor;
using words::Shape;
using words::State;
using words::Status;

constexpr auto leg = words::make_leg(words::revolute(kAxisY));
constexpr auto welded = words::make_leg(words::fixed());
constexpr auto stopped = words::make_leg(words::revolute(kAxisY), words::limits(-0.2, 0.3));
constexpr auto stopped_welded = words::make_leg(words::fixed(), words::limits(-0.2, 0.3));
constexpr auto rusty = words::make_leg(words::revolute(kAxisY), words::kFriction, words::limits(-0.2, 0.3));
constexpr auto rusty_welded = words::make_leg(words::fixed(), words::kFriction, words::limits(-0.2, 0.3));
constexpr auto ground = words::environment(words::half_space("ground", words::at(0, 0, -0.1)));

constexpr int kKnee = 1;

template <const auto& R>
JointSet<R> knee_of() {
  JointSet<R> joints;
  TEST_ASSERT_TRUE(ok(joints.add(kKnee)));
  return joints;
}

// The same torques at hip and ankle for both; the largest difference of their angles.
template <const auto& R, const auto& Welded, class S, class... Options>
double go_beside(int steps) {
  static Predictor<R, S, Adaptive, Options...> ours;
  static Predictor<Welded, S, Options...> theirs;
  State<R, S> state = words::zero_state<R, S>();
  state.q << S(0.1), S(0), S(0.2);
  state.dq << S(3), S(0), S(-1);
  State<Welded, S> start = words::zero_state<Welded, S>();
  start.q << state.q[0], state.q[2];
  start.dq << state.dq[0], state.dq[2];
  TEST_ASSERT_TRUE(ok(ours.reset(state)) && ok(theirs.reset(start)));
  TEST_ASSERT_TRUE(ok(ours.rigidify(knee_of<R>())));
  Worst worst;
  constexpr bool kTouches = sizeof...(Options) > 0;
  [[maybe_unused]] bool is_stopped = false;
  [[maybe_unused]] bool is_down = false;
  for (int i = 0; i < steps; ++i) {
    const S push = i < steps / 2 ? S(2) : S(-3);
    TEST_ASSERT_TRUE(ok(ours.step(Command<R, S>(push, S(5), S(0.1)), S(1e-3))));  // a rigid joint carries its torque
    TEST_ASSERT_TRUE(ok(theirs.step(Command<Welded, S>(push, S(0.1)), S(1e-3))));
    worst.see(static_cast<double>(ours.state().q[0] - theirs.state().q[0]));
    worst.see(static_cast<double>(ours.state().q[2] - theirs.state().q[1]));
    worst.see(static_cast<double>(ours.state().q[kKnee]));
    if constexpr (kTouches) is_down = is_down || ours.contact_report().touching();
    if constexpr (Shape<R>::kHas.limits > 0) {
      is_stopped = is_stopped || std::abs(ours.report().limit_Nm[0]) > S(0);
      // Torques of some 100 N.m when the stop is met.
      worst.see(1e-3 * static_cast<double>(ours.report().limit_Nm[0] - theirs.report().limit_Nm[0]));
    }
  }
  // Otherwise there was nothing to compare.
  if constexpr (Shape<R>::kHas.limits > 0 && !kTouches) TEST_ASSERT_TRUE(is_stopped);
  if constexpr (kTouches) TEST_ASSERT_TRUE(is_down);
  return worst.value;
}

// Two programs of one mechanism: they differ by rounding, a few hundred steps of it.
template <class S>
constexpr double kRounding = 1000 * kEps<S>;
// With stops and contacts rounding decides in which step one is met; what lies between is pressed together again.
template <class S>
constexpr double kMetAStepApart = kIsFloat<S> ? 1e-3 : 1e-9;

template <class S>
void check_welded() {
  TEST_ASSERT_TRUE((go_beside<leg, welded, S>(400) <= kRounding<S>));
  TEST_ASSERT_TRUE((go_beside<stopped, stopped_welded, S>(400) <= kMetAStepApart<S>));
  TEST_ASSERT_TRUE((go_beside<rusty, rusty_welded, S>(400) <= kMetAStepApart<S>));
  TEST_ASSERT_TRUE((go_beside<leg, welded, S, words::Contacts<ground, 2>>(200) <= kMetAStepApart<S>));
  TEST_ASSERT_TRUE((go_beside<rusty, rusty_welded, S, words::Contacts<ground, 2>>(200) <= kMetAStepApart<S>));
}
void test_goes_where_the_welded_robot_goes() {
  check_welded<float>();
  if constexpr (measure::kInDouble) check_welded<double>();
}

void test_closing_a_joint_gains_no_energy() {
  Random random(6);
  for (int i = 0; i < 20; ++i) {
    Predictor<leg, double, Adaptive> predictor;
    State<leg, double> state;
    for (int j = 0; j < 3; ++j) state.q[j] = random.within(2), state.dq[j] = random.within(5);
    TEST_ASSERT_TRUE(ok(predictor.reset(state)));
    TEST_ASSERT_TRUE(ok(predictor.rigidify(knee_of<leg>())));
    const auto energy = [&](const words::Velocity<leg, double>& dq) {
      words::Kinematics<leg, double> k;
      TEST_ASSERT_TRUE(ok(words::update_kinematics(words::model<leg, double>, state.q, dq, k)));
      return words::kinetic_energy(words::model<leg, double>, k, dq);
    };
    const double before = energy(state.dq);
    const double after = energy(predictor.state().dq);
    TEST_ASSERT_TRUE(after <= before * (1 + 1e-12));
    TEST_ASSERT_TRUE(!(std::abs(predictor.state().dq[kKnee]) > 0));
    TEST_ASSERT_TRUE((predictor.state().q - state.q).norm() <= 0);
  }
}

void test_all_rigid_stands_still() {
  Predictor<leg, float, Adaptive> predictor;
  JointSet<leg> all;
  for (int b = 0; b < 3; ++b) TEST_ASSERT_TRUE(ok(all.add(b)));
  State<leg, float> state = words::zero_state<leg, float>();
  state.q << 0.5F, -0.4F, 0.3F;
  TEST_ASSERT_TRUE(ok(predictor.reset(state)) && ok(predictor.rigidify(all)));
  for (int i = 0; i < 10; ++i) TEST_ASSERT_TRUE(ok(predictor.step(Command<leg, float>::Constant(3), 1e-3F)));
  TEST_ASSERT_TRUE((predictor.state().q - state.q).norm() <= 0 && predictor.state().dq.norm() <= 0);
}

void test_measurements_and_copies() {
  Predictor<leg, float, Adaptive> predictor;
  const Command<leg, float> command(1, 0, 0);
  TEST_ASSERT_TRUE(ok(predictor.rigidify(knee_of<leg>())));
  const auto before = predictor.snapshot();
  TEST_ASSERT_TRUE(ok(predictor.step(command, 1e-3F)));
  const State<leg, float> once = predictor.state();

  // Measured elsewhere, it is rigid there.
  State<leg, float> seen = once;
  seen.q[kKnee] = 0.7F;
  seen.dq[kKnee] = 2;
  TEST_ASSERT_TRUE(ok(predictor.correct(seen)));
  TEST_ASSERT_EQUAL(1, predictor.rigid_joints().count());
  for (int i = 0; i < 5; ++i) TEST_ASSERT_TRUE(ok(predictor.step(command, 1e-3F)));
  TEST_ASSERT_TRUE(!(std::abs(predictor.state().q[kKnee] - 0.7F) > 0));

  // A snapshot holds the choice, and where it was made.
  TEST_ASSERT_TRUE(ok(predictor.rigidify({})));
  predictor.restore(before);
  TEST_ASSERT_EQUAL(1, predictor.rigid_joints().count());
  TEST_ASSERT_TRUE(ok(predictor.step(command, 1e-3F)));
  TEST_ASSERT_TRUE((predictor.state().q - once.q).norm() <= 0 && (predictor.state().dq - once.dq).norm() <= 0);

  // A start frees all.
  TEST_ASSERT_TRUE(ok(predictor.reset(once)));
  TEST_ASSERT_EQUAL(0, predictor.rigid_joints().count());
}

void test_adapts_with_hysteresis() {
  Predictor<leg, float, Adaptive> predictor;
  words::RigidityRule<leg, float> rule;
  rule.rest = 0.01F, rule.wake = 0.2F, rule.horizon_s = 0.01F;
  // Hangs still: everything becomes rigid, and stays so under torques that would move it slowly.
  int changed = -1;
  State<leg, float> state = words::zero_state<leg, float>();
  state.q << -0.05F, 0.0F, 0.0F;
  words::Workspace<leg, float> work;
  words::Velocity<leg, float> holding;
  TEST_ASSERT_TRUE(ok(words::gravity_torque(words::model<leg, float>, state.q, work, holding)));
  TEST_ASSERT_TRUE(ok(predictor.reset(state)));
  TEST_ASSERT_TRUE(ok(predictor.adapt(rule, holding, 1e-3F, changed)));
  TEST_ASSERT_EQUAL(3, changed);
  TEST_ASSERT_TRUE(ok(predictor.adapt(rule, holding, 1e-3F, changed)));
  TEST_ASSERT_EQUAL(0, changed);
  // A strong torque wakes what it would move.
  Command<leg, float> strong = holding;
  strong[2] += 5;
  TEST_ASSERT_TRUE(ok(predictor.adapt(rule, strong, 1e-3F, changed)));
  TEST_ASSERT_TRUE(changed > 0 && !predictor.rigid_joints().has(2));
  // A rule that makes no sense changes nothing.
  const int rigid = predictor.rigid_joints().count();
  rule.wake = NAN;
  changed = 7;
  TEST_ASSERT_TRUE(predictor.adapt(rule, strong, 1e-3F, changed) == Status::non_finite_input);
  TEST_ASSERT_EQUAL(7, changed);
  TEST_ASSERT_EQUAL(rigid, predictor.rigid_joints().count());
}

}  // namespace

KINECAST_SUITE(adaptive, test_goes_where_the_welded_robot_goes, test_closing_a_joint_gains_no_energy,
               test_all_rigid_stands_still, test_measurements_and_copies, test_adapts_with_hysteresis)

}  // namespace unit_adaptive
