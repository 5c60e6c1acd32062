// SPDX-License-Identifier: MIT
// A drive's words: each sets what it says, the motor's side arrives at the joint with the right power of the ratio, every rule is
// found with its link, and nothing that was said is lost in silence.
#include "drive_checks.hpp"
#include "unity_main.hpp"

namespace unit_drive_words {
namespace {

using namespace driven;
using kinecast::Actuator;
using kinecast::Drive;
using kinecast::Link;
using kinecast::Rule;
namespace kc = kinecast;

// ---- sides ------------------------------------------------------------------------------------------------------------------

template <class Word, class = void>
constexpr bool kIsLinkWord = false;
template <class Word>
constexpr bool kIsLinkWord<Word, std::void_t<decltype(std::declval<const Word&>().apply(std::declval<Link&>()))>> =
    true;

static_assert(kIsLinkWord<decltype(kc::at_motor(kc::stiction(1)))> && kIsLinkWord<decltype(kc::at_joint())>);
static_assert(kIsLinkWord<decltype(kc::undriven())> && kIsLinkWord<decltype(kc::gear(kc::ratio(2)))>);
static_assert(!kIsLinkWord<decltype(kc::stiction(1))> && !kIsLinkWord<decltype(kc::coulomb(1))>,
              "dry friction needs a side");
static_assert(!kIsLinkWord<decltype(kc::viscous(1))> && !kIsLinkWord<decltype(kc::rotor_inertia(1))>,
              "damping and rotors need a side");
static_assert(!kIsLinkWord<decltype(kc::stribeck(1))> && !kIsLinkWord<decltype(kc::offset(1))>, "these too");
static_assert(!kIsLinkWord<decltype(kc::ratio(1))> && !kIsLinkWord<decltype(kc::load_loss(1))>,
              "they belong to a gear");
static_assert(!kIsLinkWord<decltype(kc::torque_limit(1))> && !kIsLinkWord<decltype(kc::resistance(1))>,
              "or to a motor");

void expect(double expected, double got) { TEST_ASSERT_DOUBLE_WITHIN(1e-12 * (1 + std::abs(expected)), expected, got); }

void test_words() {
  const Drive motor = kc::link("", kc::dc_motor(kc::torque_constant(0.1), kc::resistance(2), kc::voltage_limit(12)),
                               kc::gear(kc::ratio(-50), kc::efficiency(0.8)))
                          .drive;
  TEST_ASSERT_TRUE(motor.actuator == Actuator::dc_motor && motor.has_gear);
  expect(0.1, motor.torque_constant_Nm_per_A), expect(2, motor.resistance_ohm), expect(12, motor.voltage_limit_V);
  expect(-50, motor.gear_ratio), expect(0.25, motor.load_loss);
  TEST_ASSERT_TRUE(kc::link("").drive.actuator == Actuator::torque && !kc::link("").drive.has_gear);
  expect(1, kc::link("").drive.gear_ratio), expect(0, kc::link("").drive.torque_limit_Nm);
  expect(3, kc::link("", kc::torque_driven(kc::torque_limit(3))).drive.torque_limit_Nm);
  TEST_ASSERT_TRUE(kc::link("", kc::torque_driven()).drive.actuator == Actuator::torque);
  TEST_ASSERT_TRUE(kc::link("", kc::velocity_driven()).drive.actuator == Actuator::velocity);
  TEST_ASSERT_TRUE(kc::link("", kc::undriven()).drive.actuator == Actuator::none);

  const Drive sides = kc::link("", kc::at_motor(kc::coulomb(1), kc::offset(-2)),
                               kc::at_joint(kc::rotor_inertia(3), kc::stiction(kc::forward(4), kc::backward(5)),
                                            kc::viscous(kc::forward(6), kc::backward(7)), kc::stribeck(8)))
                          .drive;
  expect(1, sides.at_motor.coulomb_Nm.forward), expect(1, sides.at_motor.coulomb_Nm.backward);
  expect(-2, sides.at_motor.offset_Nm), expect(0, sides.at_joint.offset_Nm),
      expect(0, sides.at_joint.coulomb_Nm.forward);
  expect(3, sides.at_joint.rotor_inertia_kgm2), expect(0, sides.at_motor.rotor_inertia_kgm2);
  expect(4, sides.at_joint.stiction_Nm.forward), expect(5, sides.at_joint.stiction_Nm.backward);
  expect(6, sides.at_joint.viscous_Nms_per_rad.forward), expect(7, sides.at_joint.viscous_Nms_per_rad.backward);
  expect(8, sides.at_joint.stribeck_s_per_rad);
  TEST_ASSERT_TRUE(sides.at_joint.has_stiction && sides.at_joint.has_stribeck);
  TEST_ASSERT_FALSE(sides.at_motor.has_stiction || sides.at_motor.has_stribeck);
}

// Method 5.1's derived values, printed there with six digits.
void test_drive_unit_at_the_joint() {
  const auto& drive = kinecast::model<robots::drive_unit, double>.drive(0);
  TEST_ASSERT_DOUBLE_WITHIN(5e-6, 1.31186, drive.torque_per_command);
  TEST_ASSERT_DOUBLE_WITHIN(5e-6, 4.06153, drive.back_emf);
  TEST_ASSERT_DOUBLE_WITHIN(5e-7, 0.101232, (kinecast::model<robots::drive_unit, double>.joint(0).rotor));
  for (const auto& side : {drive.forward, drive.backward})
    expect(4.32, side.coulomb), expect(4.92, side.coulomb + side.drop), expect(1.53, side.viscous);
  expect(100, drive.stribeck), expect(24, drive.command_limit), expect(0, drive.offset), expect(0, drive.load_loss);
}

// Both sides at once, and a ratio of -10: torques times 10, viscous friction and inertia times 100, directions swapped.
void test_conversions() {
  Drive d =
      kc::link("", kc::gear(kc::ratio(-10)),
               kc::at_motor(kc::rotor_inertia(1e-3), kc::stiction(kc::forward(0.3), kc::backward(0.5)),
                            kc::coulomb(kc::forward(0.2), kc::backward(0.4)),
                            kc::viscous(kc::forward(0.01), kc::backward(0.02)), kc::stribeck(3), kc::offset(0.05)),
               kc::at_joint(kc::rotor_inertia(0.02), kc::coulomb(kc::forward(1), kc::backward(2)),
                            kc::viscous(kc::forward(0.1), kc::backward(0.2)), kc::offset(0.7)))
          .drive;
  kc::DriveConstants<double> c = kc::detail::drive_constants<double>(d);
  expect(1 + 4, c.forward.coulomb), expect(2 + 2, c.backward.coulomb);
  expect(1 + 5, c.forward.coulomb + c.forward.drop), expect(2 + 3, c.backward.coulomb + c.backward.drop);
  expect(0.1 + 2, c.forward.viscous), expect(0.2 + 1, c.backward.viscous);
  expect(30, c.stribeck), expect(0.7 - 0.5, c.offset), expect(0.02 + 0.1, kc::detail::reflected_rotor(d));
  d.gear_ratio = 10;
  c = kc::detail::drive_constants<double>(d);
  expect(1 + 2, c.forward.coulomb), expect(2 + 4, c.backward.coulomb), expect(0.1 + 1, c.forward.viscous);
  expect(0.7 + 0.5, c.offset);
  // Torque and back-EMF of a motor: the first has the ratio's sign.
  d.actuator = Actuator::dc_motor, d.gear_ratio = -10, d.torque_constant_Nm_per_A = 0.2, d.resistance_ohm = 4;
  c = kc::detail::drive_constants<double>(d);
  expect(-0.5, c.torque_per_command), expect(1, c.back_emf);
}

// ---- rules ------------------------------------------------------------------------------------------------------------------

inline constexpr auto pair = kc::robot("pair",
                                       kc::link("a", kc::revolute(kc::kAxisX), robots::kS003Drive,
                                                kc::body(1, kc::com(0, 0, 0.1), kc::inertia(0.01, 0.01, 0.01))),
                                       kc::link("b", kc::on("a"), kc::revolute(kc::kAxisY), robots::kS003Drive,
                                                kc::body(1, kc::com(0, 0, 0.1), kc::inertia(0.01, 0.01, 0.01))));

// The second link breaks this rule and no other; the first is as it was.
template <class Spoil>
void breaks(Rule rule, Spoil&& spoil) {
  Values<pair> values = pair;
  spoil(values.links[1]);
  const kc::Verdict verdict = kc::validate(values);
  TEST_ASSERT_EQUAL_STRING(kc::sentence(rule), kc::sentence(verdict.rule));
  TEST_ASSERT_EQUAL_INT(rule == Rule::none ? -1 : 1, verdict.index);
  Model<pair, float> model = kc::model<pair, float>;
  const Model<pair, float> before = model;
  const Status status = kc::build_model<pair, float>(values, model);
  if (rule != Rule::none) TEST_ASSERT_TRUE(status == Status::invalid_model && same_bits(before, model));
}
void test_rules() {
  const double bad_numbers[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, 2e6};
  breaks(Rule::none, [](Link&) {});
  for (const double not_positive : {0.0, -1.0}) {
    breaks(Rule::motor_constant_positive, [&](Link& l) { l.drive.torque_constant_Nm_per_A = not_positive; });
    breaks(Rule::motor_resistance_positive, [&](Link& l) { l.drive.resistance_ohm = not_positive; });
    breaks(Rule::motor_voltage_limit_positive, [&](Link& l) { l.drive.voltage_limit_V = not_positive; });
  }
  for (const double zero : {0.0, -0.0}) breaks(Rule::gear_ratio_not_zero, [&](Link& l) { l.drive.gear_ratio = zero; });
  breaks(Rule::none, [](Link& l) { l.drive.gear_ratio = -3; });
  breaks(Rule::torque_limit_not_negative, [](Link& l) { l.drive.torque_limit_Nm = -1; });
  breaks(Rule::friction_not_negative, [](Link& l) { l.drive.load_loss = -0.1; });
  breaks(Rule::friction_not_negative, [](Link& l) { l.drive.load_loss = kc::efficiency(1.2).value; });
  breaks(Rule::values_sane, [](Link& l) { l.drive.load_loss = kc::efficiency(0).value; });
  for (kc::DriveSide Drive::*side : {&Drive::at_motor, &Drive::at_joint}) {
    breaks(Rule::rotor_not_negative, [&](Link& l) { (l.drive.*side).rotor_inertia_kgm2 = -1e-9; });
    breaks(Rule::friction_not_negative, [&](Link& l) { (l.drive.*side).coulomb_Nm.forward = -1e-9; });
    breaks(Rule::friction_not_negative, [&](Link& l) { (l.drive.*side).stiction_Nm.backward = -1e-9; });
    breaks(Rule::friction_not_negative, [&](Link& l) { (l.drive.*side).viscous_Nms_per_rad.backward = -1e-9; });
    breaks(Rule::friction_not_negative, [&](Link& l) { (l.drive.*side).stribeck_s_per_rad = -1; });
    breaks(Rule::none, [&](Link& l) { (l.drive.*side).offset_Nm = -1; });
    for (const double bad : bad_numbers) {
      breaks(Rule::values_sane, [&](Link& l) { (l.drive.*side).rotor_inertia_kgm2 = bad; });
      breaks(Rule::values_sane, [&](Link& l) { (l.drive.*side).coulomb_Nm.backward = bad; });
      breaks(Rule::values_sane, [&](Link& l) { (l.drive.*side).stiction_Nm.forward = bad; });
      breaks(Rule::values_sane, [&](Link& l) { (l.drive.*side).viscous_Nms_per_rad.forward = bad; });
      breaks(Rule::values_sane, [&](Link& l) { (l.drive.*side).stribeck_s_per_rad = bad; });
      breaks(Rule::values_sane, [&](Link& l) { (l.drive.*side).offset_Nm = bad; });
    }
  }
  for (const double bad : bad_numbers) {
    breaks(Rule::values_sane, [&](Link& l) { l.drive.gear_ratio = bad; });
    breaks(Rule::values_sane, [&](Link& l) { l.drive.resistance_ohm = bad; });
    breaks(Rule::values_sane, [&](Link& l) { l.drive.torque_constant_Nm_per_A = bad; });
    breaks(Rule::values_sane, [&](Link& l) { l.drive.voltage_limit_V = bad; });
    breaks(Rule::values_sane, [&](Link& l) { l.drive.load_loss = bad; });
  }
  breaks(Rule::stiction_not_below_coulomb, [](Link& l) { l.drive.at_motor.coulomb_Nm.forward = 0.042; });
  breaks(Rule::stiction_not_below_coulomb, [](Link& l) { l.drive.at_motor.stiction_Nm.backward = 0.035; });
  breaks(Rule::none, [](Link& l) { l.drive.at_motor.stiction_Nm = l.drive.at_motor.coulomb_Nm; });
  breaks(Rule::stribeck_on_one_side, [](Link& l) { l.drive.at_motor.has_stribeck = true; });
  breaks(Rule::stribeck_on_one_side,
         [](Link& l) { l.drive.at_motor.has_stiction = false, l.drive.at_motor.stiction_Nm = {}; });
  breaks(Rule::motor_side_needs_motor, [](Link& l) { l.drive.actuator = Actuator::torque, l.drive.has_gear = false; });
  breaks(Rule::rotor_on_single_axis, [](Link& l) { l.joint = kc::JointKind::spherical; });
  for (const kc::JointKind kind : {kc::JointKind::spherical, kc::JointKind::fixed}) {
    breaks(Rule::drive_on_single_axis, [&](Link& l) { l.joint = kind, l.drive = kc::link("", kc::undriven()).drive; });
    breaks(Rule::drive_on_single_axis,
           [&](Link& l) { l.joint = kind, l.drive = kc::link("", kc::at_joint(kc::viscous(1))).drive; });
    breaks(Rule::drive_on_single_axis,
           [&](Link& l) { l.joint = kind, l.drive = kc::link("", kc::gear(kc::ratio(2))).drive; });
  }
}

// ---- what build_model() must keep as compiled ---------------------------------------------------------------------------------

inline constexpr auto plain = kc::robot(
    "plain", kc::link("a", kc::revolute(kc::kAxisX), kc::body(1, kc::com(0, 0, 0.1), kc::inertia(0.01, 0.01, 0.01))));
template <const auto& R, class Change>
Status build_changed(Change&& change) {
  Values<R> values = R;
  change(values.links[R.kLinks - 1].drive);
  TEST_ASSERT_TRUE(kc::validate(values).ok());
  Model<R, float> model{};
  return kc::build_model<R, float>(values, model);
}
void test_build_model_keeps_the_shape() {
  const auto refused = [](Status status) { TEST_ASSERT_TRUE(status == Status::invalid_model); };
  for (const Actuator other : {Actuator::torque, Actuator::velocity, Actuator::none})
    refused(build_changed<pair>([&](Drive& d) { d.actuator = other; }));
  refused(build_changed<pair>([](Drive& d) { d.load_loss = 0.1; }));
  refused(build_changed<plain>([](Drive& d) { d.at_joint.rotor_inertia_kgm2 = 0.1; }));
  refused(build_changed<plain>([](Drive& d) { d.at_joint.coulomb_Nm = {1, 1}; }));
  refused(build_changed<plain>([](Drive& d) { d.torque_limit_Nm = 1; }));
  assert_ok(build_changed<pair>([](Drive& d) { d.at_joint.coulomb_Nm = {1, 2}, d.gear_ratio = -4; }));
}

// ---- nothing is ignored in silence ------------------------------------------------------------------------------------------

// Said, so it must act or be refused.
void test_run_time_stiction_is_not_ignored() {
  Values<hinge> values = hinge;
  values.links[0].drive.at_joint.has_stiction = false, values.links[0].drive.at_joint.has_stribeck = false;
  const bool refused =
      !kc::validate(values).ok();  // a static friction of 4.92 and a Stribeck value are still written there
  const auto c = kc::detail::drive_constants<double>(values.links[0].drive);
  TEST_ASSERT_TRUE(refused || c.forward.drop > 0.5);
}
void test_torque_limit_of_a_motor_is_not_ignored() {
  Drive d = robots::kS003Drive.drive;
  d.torque_limit_Nm = 5;
  const double most =
      kc::detail::drive_constants<double>(d).command_limit * kc::detail::drive_constants<double>(d).torque_per_command;
  TEST_ASSERT_TRUE(kc::broken_rule(d, kc::JointKind::revolute) != Rule::none || most <= 5);
}
void test_second_side_word_is_not_ignored() {
  constexpr Link l = kc::link("", kc::at_joint(kc::coulomb(1)), kc::at_joint(kc::viscous(2)));
  expect(1, l.drive.at_joint.coulomb_Nm.forward), expect(2, l.drive.at_joint.viscous_Nms_per_rad.forward);
}

}  // namespace

KINECAST_SUITE(drive_words, test_words, test_drive_unit_at_the_joint, test_conversions, test_rules,
               test_build_model_keeps_the_shape, test_run_time_stiction_is_not_ignored,
               test_torque_limit_of_a_motor_is_not_ignored, test_second_side_word_is_not_ignored)

}  // namespace unit_drive_words
