// SPDX-License-Identifier: MIT
// Several joints at their stops at once, held against the dense complementarity problem (limit_checks.hpp): in an arm that has nothing
// else (contact/joint_limits.hpp), and in robots in which stops are rows of a larger problem (papers/constraint_rows.hpp): a floating
// base, drives with dry friction, given velocities.
#include "limit_checks.hpp"
#include "unity_main.hpp"

namespace unit_limit_rows {
namespace {

using namespace limited;

namespace words {
using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in
constexpr auto kLump = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
// Two branches on a trunk, one of them a slide with soft stops; a joint of each kind of limit, and one without.
constexpr auto make_tree() {
  return robot("tree", gravity(0.5, -1.0, -9.5),
               link("trunk", revolute({0.48, 0.6, 0.64}), body(2.0, com(0.05, 0.02, 0.2), kLump), limits(-0.5, 0.5)),
               link("left", on("trunk"), revolute(kAxisY), at(0.1, -0.2, 0.4), rpy(0.4, 0, 0.2),
                    body(0.8, com(0.05, 0.02, -0.1), kLump), limits(-0.3, 0.4)),
               link("slide", on("trunk"), prismatic({0, -0.6, 0.8}), at(-0.2, 0.1, 0.3), at_joint(rotor_inertia(0.3)),
                    body(1.1, com(-0.03, 0.06, 0.02), kLump), limits(-0.1, 0.1)),
               link("hand", on("left"), revolute(kAxisX), at(0, 0, -0.3), body(0.5, com(0.02, 0.03, -0.15), kLump),
                    limits(-0.2, 0.2, soft(300, 5))),
               link("finger", on("hand"), revolute(kAxisY), at(0, 0, -0.3), body(0.2, com(0.02, 0.03, -0.05), kLump)));
}
constexpr auto make_drone() {
  return robot("drone", link("base", floating(), body(2.0, com(0.05, -0.02, 0.03), inertia(0.02, 0.03, 0.04))),
               link("left", on("base"), revolute(kAxisY), at(0.1, -0.2, 0.1), rpy(0.4, 0, 0.2),
                    body(0.8, com(0.05, 0.02, -0.1), kLump), limits(-0.3, 0.4)),
               link("slide", on("base"), prismatic({0, -0.6, 0.8}), at(-0.2, 0.1, 0.1), at_joint(rotor_inertia(0.3)),
                    body(1.1, com(-0.03, 0.06, 0.02), kLump), limits(-0.1, 0.1)),
               link("hand", on("left"), revolute(kAxisX), at(0, 0, -0.3), body(0.5, com(0.02, 0.03, -0.15), kLump),
                    limits(-0.2, 0.2, soft(300, 5))),
               contact_point("toe", on("hand"), at(0, 0, -0.3)));
}
// A hinge without gravity, and a pendulum on it with the same friction.
constexpr double kStiction = 2;
constexpr double kCoulomb = 1.5;
constexpr auto make_hinge() {
  return robot("hinge", gravity(0, 0, 0),
               link("arm", revolute(kAxisY), torque_driven(),
                    at_joint(rotor_inertia(0.1), stiction(kStiction), coulomb(kCoulomb), stribeck(100)),
                    body(1, com(0, 0, 0), inertia(0.1, 0.1, 0.1)), limits(-1, 0.3)));
}
constexpr auto make_gate() {
  return robot(
      "gate", link("post", revolute(kAxisZ), velocity_driven(), body(1, com(0.2, 0, 0), kLump), limits(-0.5, 0.3)),
      link("bolt", on("post"), at(0.2, 0, 0), prismatic(kAxisX), body(1, com(0, 0, 0), kLump), limits(0, 0.02)));
}
}  // namespace words
inline constexpr auto tree = words::make_tree();
inline constexpr auto drone = words::make_drone();
// Too far away to touch: with it stops are constraints in the list of implicit friction.
inline constexpr auto nowhere = kinecast::environment(kinecast::half_space("ground", kinecast::at(0, 0, -1000)));
using List = kinecast::Contacts<nowhere, 1, kinecast::Implicit>;
inline constexpr auto hinge = words::make_hinge();
inline constexpr auto gate = words::make_gate();
using words::kStiction;

// ---- several stops at once ------------------------------------------------------------

// Two exact solutions that round differently: eps times the condition of M, some 1e3 here, and the stops' velocities as sums of
// larger ones.
template <class S>
void check_tree(int steps) {
  const StepErrors errors = errors_of_random_steps<tree, S>(steps);
  TEST_ASSERT_TRUE(errors.acting > steps);  // more than one at a time
  measure::assert_below<S>(bound<S>(5e-6, 2e-14), errors.motion, "motion");
  measure::assert_below<S>(bound<S>(5e-6, 2e-14), errors.complementarity, "complementarity");
}
void test_several_stops() {
  check_tree<float>(5 * kEffort);
  if constexpr (measure::kInDouble) check_tree<double>(5 * kEffort);
}

// ---- a floating base --------------------------------------------------------------------------------------------------------------

// Two exact solutions that round differently, eps times the condition of M, some 1e3, and the solver's: a refined one.
template <class S, class... Options>
void check_drone(int steps) {
  const StepErrors errors = errors_of_random_steps<drone, S, Options...>(steps);
  TEST_ASSERT_TRUE(2 * errors.acting > steps);
  measure::assert_below<S>(bound<S>(1e-5, 2e-14), errors.motion, "motion");
  measure::assert_below<S>(bound<S>(1e-5, 2e-14), errors.complementarity, "complementarity");
  // A stop that others push a joint to has its row from the beginning: no second solution. Measured: 0.86 systems a step.
  TEST_ASSERT_TRUE(errors.systems <= (kEffort < 100 ? 1.5 : 0.9) * steps);
}
void test_floating_base() {
  check_drone<float>(5 * kEffort);
  if constexpr (measure::kInDouble) check_drone<double>(5 * kEffort);
}
void test_floating_base_in_list() {
  check_drone<float, List>(5 * kEffort);
  if constexpr (measure::kInDouble) check_drone<double, List>(5 * kEffort);
}

// ---- a motor with dry friction against its stop -----------------------------------------------------------------------------------

// At rest motor, friction and stop balance, and friction is within its stiction, either way: a joint that the stop has pushed back
// by its violation may be held back by friction. A motor that turns around leaves the stop.
template <class S, class Friction>
void check_motor() {
  Predictor<hinge, S, Friction> p;
  double highest = 0;
  const auto drive = [&](double motor, int steps) {
    for (int i = 0; i < steps; ++i) {
      advance<hinge>(p, motor);
      highest = std::fmax(highest, static_cast<double>(p.state().q[0]));
    }
    return -static_cast<double>(p.report().limit_Nm[0]);  // the upper stop pushes down
  };
  const auto rests = [&](double motor, double stop) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.3, static_cast<double>(p.state().q[0]));
    TEST_ASSERT_DOUBLE_WITHIN(200 * 1e-5, 0, static_cast<double>(p.state().dq[0]));
    TEST_ASSERT_TRUE(stop >= 0);
    TEST_ASSERT_DOUBLE_WITHIN(kStiction * (1 + 1e-3), motor, stop);
    // The rotor and the link stand: the three add up.
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * motor, motor - stop, -static_cast<double>(p.report().friction_Nm[0]));
  };
  rests(10, drive(10, 300));
  rests(1.8, drive(1.8, 100));
  rests(10, drive(10, 100));
  TEST_ASSERT_TRUE(highest <= 0.3 + 1e-5);
  const double leaving = drive(-10, 50);
  TEST_ASSERT_DOUBLE_WITHIN(0, 0, leaving);
  // ½ (10 - coulomb)/(I + rotor) t² on, as if there had been no stop; stiction and Stribeck delay it by a step or two.
  const double way = 0.5 * (10 - words::kCoulomb) / 0.2 * 0.05 * 0.05;
  TEST_ASSERT_DOUBLE_WITHIN(0.1 * way, 0.3 - way, static_cast<double>(p.state().q[0]));
}
void test_motor_articulated() {
  check_motor<float, kinecast::ArticulatedFriction>();
  check_motor<double, kinecast::ArticulatedFriction>();
}
void test_motor_rotor() { check_motor<float, kinecast::RotorFriction>(); }
void test_motor_implicit() { check_motor<float, kinecast::ImplicitFriction>(); }

// ---- a given velocity ---------------------------------------------------------------------------------------------------------------

template <class S>
void check_gate(double sign) {
  Predictor<gate, S> p;
  Command<gate, S> command = all<gate, S>(0);
  command[0] = static_cast<S>(sign * 2);
  const double stop = sign > 0 ? 0.3 : 0.5;
  int saturated_from = 0;
  for (int i = 0; i < 300; ++i) {
    assert_ok(p.step(command, static_cast<S>(kDt)));
    TEST_ASSERT_TRUE(sign * static_cast<double>(p.state().q[0]) <= stop + 4 * kEps<S>);
    if (p.report().saturated(0) && saturated_from == 0) saturated_from = i + 1;
    if (saturated_from > 0) TEST_ASSERT_TRUE_MESSAGE(p.report().saturated(0), "it wants to go on");
  }
  TEST_ASSERT_DOUBLE_WITHIN(4 * kEps<S>, sign * stop, static_cast<double>(p.state().q[0]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, static_cast<double>(p.state().dq[0]));
  TEST_ASSERT_INT_WITHIN(1, static_cast<int>(stop / (2 * kDt)) + 1, saturated_from);
  // The bolt, thrown outwards by the turning post, lies at its own stop. Back the post goes as told.
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.02, static_cast<double>(p.state().q[1]));
  command[0] = -command[0];
  for (int i = 0; i < 10; ++i) assert_ok(p.step(command, static_cast<S>(kDt)));
  TEST_ASSERT_FALSE(p.report().saturated(0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, sign * (stop - 10 * 2 * kDt), static_cast<double>(p.state().q[0]));
}
void test_given_velocity() {
  check_gate<float>(1);
  if constexpr (measure::kInDouble) check_gate<double>(-1);
}

// ---- copies -------------------------------------------------------------------------------------------------------------------------

// Bits of everything but padding.
template <class Snapshot>
[[nodiscard]] bool same(const Snapshot& a, const Snapshot& b) {
  return same_bits(a.q, b.q) && same_bits(a.dq, b.dq) && same_bits(a.memory, b.memory) &&
         bad_input::same_holders(a.contacts, b.contacts) && same_bits(a.contacts.duration, b.contacts.duration) &&
         same_bits(a.contacts.held, b.contacts.held);
}

// The friction's memory at the stop belongs to the snapshot.
template <class Integrator>
void check_copies() {
  Predictor<hinge, float, Integrator> p;
  Predictor<hinge, float, Integrator> other;
  static Command<hinge, float> commands[40];
  static State<hinge, float> states[40];
  for (int i = 0; i < 40; ++i) commands[i] = all<hinge, float>(i < 20 ? 3 + 0.1 * i : -4);
  assert_ok(p.reset(state_of<hinge, float>(0.29, 1)));
  bool stops = false;
  for (int i = 0; i < 30; ++i) {
    advance<hinge>(p, 3);
    if (p.report().limit_Nm[0] < 0) stops = true;
  }
  TEST_ASSERT_TRUE_MESSAGE(stops, "it does not meet its stop");
  const auto snapshot = p.snapshot();
  Command<hinge, float> bad = commands[0];
  bad[0] = std::numeric_limits<float>::quiet_NaN();
  assert_status(Status::non_finite_input, p.step(bad, 1e-3F), "NaN");
  TEST_ASSERT_TRUE(same(snapshot, p.snapshot()));
  assert_ok(p.rollout(commands, 40, 1e-3F, states).status);
  TEST_ASSERT_TRUE(same(snapshot, p.snapshot()));
  other.restore(snapshot);
  for (int i = 0; i < 40; ++i) {
    assert_ok(p.step(commands[i], 1e-3F));
    assert_ok(other.step(commands[i], 1e-3F));
    TEST_ASSERT_TRUE(same_bits(p.state().q[0], states[i].q[0]) && same_bits(p.state().dq[0], states[i].dq[0]));
  }
  TEST_ASSERT_TRUE(same(p.snapshot(), other.snapshot()));
}
void test_copies() {
  check_copies<kinecast::SymplecticEuler>();
  check_copies<kinecast::RungeKuttaGill>();
}

// At the stop, in mid-air, and at the moment between: a refused command changes nothing, a copy goes on alike, a forecast gives the
// same bits and leaves the predictor where it was.
template <class S>
void check_tree_copies() {
  static Predictor<tree, S> p;
  static Predictor<tree, S> other;
  State<tree, S> start = zero_state<tree, S>();
  start.dq.setConstant(S(3));
  assert_ok(p.reset(start));
  static Command<tree, S> commands[60];
  static State<tree, S> states[60];
  for (int i = 0; i < 60; ++i) commands[i] = all<tree, S>(i % 7 - 3);
  for (int i = 0; i < 60; ++i) {
    assert_ok(p.step(commands[i], static_cast<S>(kDt)));
    if (i != 30) continue;
    const auto snapshot = p.snapshot();
    Command<tree, S> bad = commands[0];
    bad[2] = std::numeric_limits<S>::quiet_NaN();
    assert_status(Status::non_finite_input, p.step(bad, static_cast<S>(kDt)), "NaN");
    TEST_ASSERT_EQUAL_INT(2, p.refused_joint());
    TEST_ASSERT_TRUE(same_snapshot(snapshot, p.snapshot()));
    other.restore(snapshot);
    const kinecast::Rollout rollout = p.rollout(commands + 31, 29, static_cast<S>(kDt), states + 31);
    assert_ok(rollout.status);
    TEST_ASSERT_EQUAL_INT(29, rollout.steps);
    TEST_ASSERT_TRUE(same_snapshot(snapshot, p.snapshot()));
    bool stops = false;
    for (int k = 31; k < 60; ++k) {
      assert_ok(other.step(commands[k], static_cast<S>(kDt)));
      for (int j = 0; j < 5; ++j) {
        TEST_ASSERT_TRUE(same_bits(other.state().q[j], states[k].q[j]) &&
                         same_bits(other.state().dq[j], states[k].dq[j]));
        if (std::abs(other.report().limit_Nm[static_cast<std::size_t>(j)]) > S(0)) stops = true;
      }
    }
    TEST_ASSERT_TRUE_MESSAGE(stops, "nothing met its stop");
  }
  TEST_ASSERT_TRUE(same_snapshot(p.snapshot(), other.snapshot()));
}
void test_tree_copies() {
  check_tree_copies<float>();
  if constexpr (measure::kInDouble) check_tree_copies<double>();
}

}  // namespace

KINECAST_SUITE(limit_rows, test_several_stops, test_floating_base, test_floating_base_in_list, test_motor_articulated,
               test_motor_rotor, test_motor_implicit, test_given_velocity, test_copies, test_tree_copies)

}  // namespace unit_limit_rows
