// SPDX-License-Identifier: MIT
// What bounds and shifts a drive's torque: the limits of commands, passive joints that take none, the load loss of a gear and a
// constant offset.
#include "drive_checks.hpp"
#include "unity_main.hpp"

namespace unit_drive_limits {
namespace {

using namespace driven;
using measure::kEps;

constexpr double kDt = 1e-3;

// ---- limits ---------------------------------------------------------------------------------------------------------------

template <const auto& R, class S>
void check_limit(double limit) {
  for (const double sign : {1.0, -1.0}) {
    Predictor<R, S> at_limit;
    Predictor<R, S> beyond;
    assert_ok(at_limit.step(all<R, S>(sign * limit), static_cast<S>(kDt)));
    assert_ok(beyond.step(all<R, S>(sign * 1.5 * limit), static_cast<S>(kDt)));
    TEST_ASSERT_TRUE(!at_limit.report().saturated(0) && beyond.report().saturated(0));
    TEST_ASSERT_TRUE(same_snapshot(at_limit.snapshot(), beyond.snapshot()));
    TEST_ASSERT_TRUE(sign * static_cast<double>(at_limit.state().dq[0]) > 0);
    assert_ok(beyond.step(all<R, S>(0), static_cast<S>(kDt)));
    TEST_ASSERT_FALSE(beyond.report().saturated(0));
  }
}
inline constexpr auto limited = kinecast::robot(
    "limited", kinecast::gravity(0, 0, 0),
    kinecast::link("arm", kinecast::revolute(kinecast::kAxisY), kinecast::torque_driven(kinecast::torque_limit(7)),
                   kinecast::body(1, kinecast::com(0, 0, 0), kinecast::inertia(0.1, 0.1, 0.1))));
void test_saturation() {
  check_limit<robots::drive_unit, float>(24);
  if constexpr (measure::kInDouble) check_limit<robots::drive_unit, double>(24);
  check_limit<limited, float>(7);
}

// ---- passive joints -----------------------------------------------------------------------------------------------------------

inline constexpr auto train = kinecast::robot(
    "train", kinecast::gravity(0, 0, 0),
    kinecast::link("engine", kinecast::prismatic(kinecast::kAxisX),
                   kinecast::body(1, kinecast::com(0, 0, 0), kinecast::inertia(0.1, 0.1, 0.1))),
    kinecast::link("car", kinecast::on("engine"), kinecast::prismatic(kinecast::kAxisX), kinecast::undriven(),
                   kinecast::at_joint(kinecast::coulomb(1)),
                   kinecast::body(1, kinecast::com(0, 0, 0), kinecast::inertia(0.1, 0.1, 0.1))),
    kinecast::link("last", kinecast::on("car"), kinecast::prismatic(kinecast::kAxisX), kinecast::undriven(),
                   kinecast::body(1, kinecast::com(0, 0, 0), kinecast::inertia(0.1, 0.1, 0.1))));
void test_passive_joints_take_no_command() {
  Predictor<train, float> p;
  for (int i = 1; i < 3; ++i) {
    Command<train, float> command = all<train, float>(0);
    command[i] = -1e-20F;
    const auto before = p.snapshot();
    bad_input::assert_status(Status::passive_joint_commanded, p.step(command, 1e-3F), "passive");
    TEST_ASSERT_EQUAL_INT(i, p.refused_joint());
    TEST_ASSERT_TRUE(same_snapshot(before, p.snapshot()));
    assert_ok(p.step(all<train, float>(0), 1e-3F));
    TEST_ASSERT_EQUAL_INT(-1, p.refused_joint());
  }
}

// ---- load loss and offset -----------------------------------------------------------------------------------------------------

inline constexpr auto lossy =
    kinecast::robot("lossy", kinecast::gravity(0, 0, 0),
                    kinecast::link("arm", kinecast::revolute(kinecast::kAxisY),
                                   kinecast::gear(kinecast::ratio(-5), kinecast::load_loss(0.5)),
                                   kinecast::at_joint(kinecast::coulomb(1)),
                                   kinecast::body(1, kinecast::com(0, 0, 0), kinecast::inertia(0.1, 0.1, 0.1))));

// Whether a joint that carries `load` from outside and is held by an equal command still holds when the command changes.
template <class S>
bool holds(const Values<lossy>& values, double load, double command) {
  const Model<lossy, S> model = built<lossy, S>(values);
  Predictor<lossy, S> p(model);
  for (int i = 0; i < 3; ++i) assert_ok(p.step(all<lossy, S>(-load), all<lossy, S>(load), static_cast<S>(kDt)));
  TEST_ASSERT_TRUE(p.report().held(0));
  TEST_ASSERT_DOUBLE_WITHIN(4 * kEps<S>, -load, static_cast<double>(p.report().transmitted_Nm[0]));
  assert_ok(p.step(all<lossy, S>(command), all<lossy, S>(load), static_cast<S>(kDt)));
  return p.report().held(0);
}
template <class S>
void check_loss() {
  // Static friction 1, and half of the transmitted 1.5 N.m on top: the net torque may be 1.75 either way.
  for (const double sign : {1.0, -1.0}) {
    for (const double load : {-1.5, 1.5}) {
      TEST_ASSERT_TRUE(holds<S>(lossy, load, -load + sign * 1.75 * 0.999));
      TEST_ASSERT_FALSE(holds<S>(lossy, load, -load + sign * 1.75 * 1.001));
    }
  }
  // An efficiency of one half loses as much as it transmits: 2.5 either way.
  Values<lossy> values = lossy;
  values.links[0].drive.load_loss = kinecast::gear(kinecast::ratio(1), kinecast::efficiency(0.5)).load_loss;
  TEST_ASSERT_TRUE(holds<S>(values, -1.5, 1.5 + 2.5 * 0.999));
  TEST_ASSERT_FALSE(holds<S>(values, -1.5, 1.5 + 2.5 * 1.001));
}
// M ddq = t - offset: at the motor times the ratio, which is negative here.
template <class S>
void check_offset() {
  Values<lossy> values = lossy;
  values.links[0].drive.at_motor.offset_Nm = -0.2;  // 1 N.m at the joint, against forward motion
  values.links[0].drive.at_joint.offset_Nm = -0.5;  // so that 0.5 is left
  TEST_ASSERT_TRUE(holds<S>(values, 0, 1.499) && holds<S>(values, 0, -0.499));
  TEST_ASSERT_FALSE(holds<S>(values, 0, 1.501) || holds<S>(values, 0, -0.501));
  values.links[0].drive.at_joint.coulomb_Nm = {0, 0};
  values.links[0].drive.load_loss = 0;
  const Model<lossy, S> model = built<lossy, S>(values);
  Predictor<lossy, S> p(model);
  assert_ok(p.step(all<lossy, S>(0), static_cast<S>(kDt)));
  TEST_ASSERT_DOUBLE_WITHIN(4 * kEps<S> * 5e-3, -0.5 / 0.1 * kDt, static_cast<double>(p.state().dq[0]));
  // The link feels it, so the gear transmits it.
  TEST_ASSERT_DOUBLE_WITHIN(4 * kEps<S>, -0.5, static_cast<double>(p.report().transmitted_Nm[0]));
}
void test_load_loss() {
  check_loss<float>();
  if constexpr (measure::kInDouble) check_loss<double>();
}
void test_offset() {
  check_offset<float>();
  if constexpr (measure::kInDouble) check_offset<double>();
}
// S003 eq. 2 has no other place for it than the friction torque: tau = E e - D dq - gamma² I ddq + T_f.
void test_offset_is_reported() {
  Values<lossy> values = lossy;
  values.links[0].drive.at_joint.coulomb_Nm = {0, 0};
  values.links[0].drive.at_joint.offset_Nm = 0.5;
  const Model<lossy, float> model = built<lossy, float>(values);
  Predictor<lossy, float> p(model);
  assert_ok(p.step(all<lossy, float>(0), 1e-3F));
  TEST_ASSERT_FLOAT_WITHIN(1e-6F, -0.5F, p.report().friction_Nm[0]);
}

}  // namespace

KINECAST_SUITE(drive_limits, test_saturation, test_passive_joints_take_no_command, test_load_loss, test_offset,
               test_offset_is_reported)

}  // namespace unit_drive_limits
