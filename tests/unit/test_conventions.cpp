// SPDX-License-Identifier: MIT
// The conventions of lib/docs/conventions.md, one test each: what a sign, a frame, an order or a side of the gear means. Where
// the page and a test disagree, the test is right. Those of contact: test_contact_conventions.cpp.
#include <kinecast/dynamics/energy.hpp>
#include <kinecast/dynamics/forward_dynamics.hpp>
#include <kinecast/dynamics/inverse_dynamics.hpp>
#include <kinecast/dynamics/mass_matrix.hpp>
#include <kinecast/predict/predictor.hpp>

#include <limits>

#include "statuses.hpp"
#include "unity_main.hpp"

namespace unit_conventions {
namespace {

using namespace kinecast;
using checks::assert_ok;

constexpr float kRightAngle = 1.57079632679F;
constexpr float kHalfRoot = 0.70710678118F;  // cosine and sine of 45 degrees: a quaternion of a right angle
constexpr float kGravity = 9.80665F;

void assert_vector(float x, float y, float z, const Vector<float, 3>& found) {
  constexpr float kRounding = 1e-5F;  // of a few products of numbers about 1
  TEST_ASSERT_FLOAT_WITHIN(kRounding, x, found[0]);
  TEST_ASSERT_FLOAT_WITHIN(kRounding, y, found[1]);
  TEST_ASSERT_FLOAT_WITHIN(kRounding, z, found[2]);
}

// A shoulder about y, half a metre up, and a slide out of it along its x, with a hand.
inline constexpr auto arm = robot(
    "arm", link("shoulder", revolute(kAxisY), at(0, 0, 0.5), body(1, com(0.1, 0, 0), inertia(0.01, 0.01, 0.01))),
    link("slide", on("shoulder"), prismatic(kAxisX), at(0.4, 0, 0), body(2, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
    link("hand", on("slide"), fixed(), at(0.1, 0, 0), rpy(0.3, 0, 1.57079632679),
         body(0.1, com(0, 0, 0), inertia(1e-4, 1e-4, 1e-4))));
constexpr int kHand = 2;

using ArmQ = Position<arm, float>;
using ArmV = Velocity<arm, float>;

// What a function has not written yet.
template <class V>
[[nodiscard]] V unset() {
  return V::Constant(std::numeric_limits<float>::quiet_NaN());
}

const Kinematics<arm, float>& arm_at(const ArmQ& q, const ArmV& dq) {
  static Kinematics<arm, float> k;
  assert_ok(update_kinematics(model<arm, float>, q, dq, k));
  return k;
}
Workspace<arm, float>& arm_work() {
  static Workspace<arm, float> work;
  return work;
}

// ---- frames and order -------------------------------------------------------------------------------------------------------

void test_a_link_frame_sits_at_its_joint() {
  const auto& k = arm_at(ArmQ::Zero(), ArmV::Zero());
  assert_vector(0, 0, 0.5F, link_pose(model<arm, float>, k, 0).position);
  assert_vector(0.4F, 0, 0.5F, link_pose(model<arm, float>, k, 1).position);
  assert_vector(0.5F, 0, 0.5F, link_pose(model<arm, float>, k, kHand).position);
}

// About +y a right angle takes x to -z.
void test_positive_angles_turn_right_handed() {
  const auto& k = arm_at(ArmQ(kRightAngle, 0), ArmV::Zero());
  assert_vector(0, 0, 0.1F, link_pose(model<arm, float>, k, 1).position);
}

void test_positive_slides_go_along_the_axis() {
  const auto& k = arm_at(ArmQ(0, 0.2F), ArmV::Zero());
  assert_vector(0.6F, 0, 0.5F, link_pose(model<arm, float>, k, 1).position);
}

// R = Rz(yaw) Ry(pitch) Rx(roll), as in a URDF: the hand's x after a yaw of a right angle is y, whatever the roll.
void test_rpy_is_that_of_urdf() {
  const auto& k = arm_at(ArmQ::Zero(), ArmV::Zero());
  const Pose<float> hand = link_pose(model<arm, float>, k, kHand);
  assert_vector(0, 1, 0, hand.rotation.col(0));
  assert_vector(0.29552021F, 0, 0.95533649F, hand.rotation.col(2));  // sine and cosine of 0.3
}

// q, dq, tau and commands: one number per moving joint, in the order of the links; a fixed joint has none.
void test_joints_stand_in_the_order_of_the_links() {
  TEST_ASSERT_EQUAL_INT(2, Shape<arm>::kDofs);
  const auto& k = arm_at(ArmQ::Zero(), ArmV(0, 3));
  assert_vector(3, 0, 0, link_velocity(model<arm, float>, k, 1).linear);
}

void test_jacobians_are_angular_then_linear_in_world_axes() {
  const auto& k = arm_at(ArmQ::Zero(), ArmV::Zero());
  const auto hand = point_on_link(model<arm, float>, kHand, Vector<float, 3>(0, 0, 0));
  const auto j = point_jacobian<arm, float>(k, hand);
  assert_vector(0, 1, 0, j.template block<3, 1>(0, 0));
  assert_vector(0, 0, -0.5F, j.template block<3, 1>(3, 0));
  assert_vector(1, 0, 0, j.template block<3, 1>(3, 1));
}

// ---- free bodies ------------------------------------------------------------------------------------------------------------

// Two balls on the line x = y: the off-diagonal entry of the inertia matrix is minus the sum of m x y.
inline constexpr auto dumbbell =
    robot("dumbbell", link("body", floating(), body(2, com(0, 0, 0), inertia(2.01, 2.01, 4.01, -1.99))));
using FreeQ = Position<dumbbell, float>;
using FreeV = Velocity<dumbbell, float>;

const Kinematics<dumbbell, float>& free_at(const FreeQ& q, const FreeV& dq) {
  static Kinematics<dumbbell, float> k;
  assert_ok(update_kinematics(model<dumbbell, float>, q, dq, k));
  return k;
}
FreeQ free_q(float x, float y, float z, float qw, float qx, float qy, float qz) {
  FreeQ q;
  q << x, y, z, qw, qx, qy, qz;
  return q;
}
FreeV free_v(float vx, float vy, float vz, float wx, float wy, float wz) {
  FreeV v;
  v << vx, vy, vz, wx, wy, wz;
  return v;
}

void test_world_z_is_up_and_units_are_si() {
  static Workspace<dumbbell, float> work;
  FreeV ddq = unset<FreeV>();
  assert_ok(forward_dynamics(model<dumbbell, float>, free_q(0, 0, 0, 1, 0, 0, 0), FreeV(FreeV::Zero()),
                             FreeV(FreeV::Zero()), work, ddq));
  assert_vector(0, 0, -kGravity, ddq.template head<3>());
}

// Position, then the quaternion w x y z that takes body axes to world axes.
void test_floating_q_is_position_then_quaternion_wxyz() {
  const auto& k = free_at(free_q(1, 2, 3, kHalfRoot, 0, 0, kHalfRoot), FreeV::Zero());
  const Pose<float> pose = link_pose(model<dumbbell, float>, k, 0);
  assert_vector(1, 2, 3, pose.position);
  assert_vector(0, 1, 0, pose.rotation.col(0));  // a quarter turn about z takes x to y
}

// Linear velocity of the frame's origin, then angular velocity, both in world axes, however the body is turned.
void test_floating_velocity_is_linear_then_angular_in_world_axes() {
  const auto& k = free_at(free_q(0, 0, 0, kHalfRoot, 0, 0, kHalfRoot), free_v(1, 2, 3, 4, 5, 6));
  const Twist<float> twist = link_velocity(model<dumbbell, float>, k, 0);
  assert_vector(1, 2, 3, twist.linear);
  assert_vector(4, 5, 6, twist.angular);
}

// As ixy of a URDF: turning about the line that the balls lie on takes almost no energy, turning across it much.
void test_products_of_inertia_are_entries_of_the_matrix() {
  const FreeQ straight = free_q(0, 0, 0, 1, 0, 0, 0);
  const auto& along = free_at(straight, free_v(0, 0, 0, 1, 1, 0));
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 0.02F, kinetic_energy(model<dumbbell, float>, along, free_v(0, 0, 0, 1, 1, 0)));
  const auto& across = free_at(straight, free_v(0, 0, 0, 1, -1, 0));
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 4, kinetic_energy(model<dumbbell, float>, across, free_v(0, 0, 0, 1, -1, 0)));
}

inline constexpr auto ball =
    robot("ball", link("bob", spherical(), body(1, com(0, 0, -0.5), inertia(0.01, 0.01, 0.01))));

// Quaternion w x y z, child to parent; velocity: the child's angular velocity in the child's own axes.
void test_spherical_velocity_is_in_the_childs_axes() {
  static Kinematics<ball, float> k;
  assert_ok(update_kinematics(model<ball, float>, Position<ball, float>(kHalfRoot, 0, 0, kHalfRoot),
                              Velocity<ball, float>(1, 0, 0), k));
  assert_vector(0, 1, 0, link_velocity(model<ball, float>, k, 0).angular);
}

// ---- forces and torques -----------------------------------------------------------------------------------------------------

// H ddq + b = tau: a positive torque adds a forward acceleration.
void test_positive_torque_accelerates_forward() {
  Matrix<float, 2, 2> h;
  assert_ok(mass_matrix(model<arm, float>, ArmQ(ArmQ::Zero()), arm_work(), h));
  ArmV free_fall = unset<ArmV>();
  ArmV pushed = unset<ArmV>();
  assert_ok(forward_dynamics(model<arm, float>, ArmQ(ArmQ::Zero()), ArmV(ArmV::Zero()), ArmV(ArmV::Zero()), arm_work(),
                             free_fall));
  assert_ok(
      forward_dynamics(model<arm, float>, ArmQ(ArmQ::Zero()), ArmV(ArmV::Zero()), ArmV(2, 0), arm_work(), pushed));
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 2 / h(0, 0), pushed[0] - free_fall[0]);
}

// The torque that a motor must give to hold the arm still: against gravity, so negative about +y for an arm along +x.
void test_gravity_torque_is_what_holds_the_robot() {
  ArmV holds = unset<ArmV>();
  assert_ok(gravity_torque(model<arm, float>, ArmQ(ArmQ::Zero()), arm_work(), holds));
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, -kGravity * (1 * 0.1F + 2 * 0.4F + 0.1F * 0.5F), holds[0]);
  ArmV ddq = unset<ArmV>();
  assert_ok(forward_dynamics(model<arm, float>, ArmQ(ArmQ::Zero()), ArmV(ArmV::Zero()), holds, arm_work(), ddq));
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, 0, ddq[0]);
}

// One column per link: force, then moment about the link's origin, in the link's own axes. The hand's x points along world y
// here, its y along minus x and a little up: a force along its -y pushes the slide outward.
void test_wrenches_are_force_then_moment_in_link_axes() {
  LinkWrenches<arm, float> wrenches = LinkWrenches<arm, float>::Zero();
  ArmV with = unset<ArmV>();
  const ArmV rest = ArmV::Zero();
  wrenches.col(1) << 3, 0, 0, 0, 5, 0;  // on the slide, whose axes are the world's: along its axis, and about y
  assert_ok(inverse_dynamics(model<arm, float>, ArmQ(ArmQ::Zero()), rest, rest, wrenches, arm_work(), with));
  ArmV without = unset<ArmV>();
  assert_ok(gravity_torque(model<arm, float>, ArmQ(ArmQ::Zero()), arm_work(), without));
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, -5, with[0] - without[0]);  // the motors need that much less
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, -3, with[1] - without[1]);
  wrenches.setZero();
  wrenches.col(kHand) << 0, -2, 0, 0, 0, 0;
  assert_ok(inverse_dynamics(model<arm, float>, ArmQ(ArmQ::Zero()), rest, rest, wrenches, arm_work(), with));
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, -2 * 0.95533649F, with[1] - without[1]);
}

// ---- gears ------------------------------------------------------------------------------------------------------------------

// 50 motor turns per joint turn; a motor whose rotor outweighs the link; friction of 0.001 N.m at the motor's shaft.
inline constexpr auto geared = robot("geared", gravity(0, 0, 0),
                                     link("wheel", revolute(kAxisZ), body(1, com(0, 0, 0), inertia(0.1, 0.1, 0.1)),
                                          dc_motor(torque_constant(0.02), resistance(2), voltage_limit(24)),
                                          gear(ratio(50)), at_motor(rotor_inertia(1e-4), coulomb(0.001))));
// A step so short that the motor's back voltage does nothing yet.
constexpr float kShort_s = 1e-5F;

Predictor<geared, float>& geared_predictor() {
  static Predictor<geared, float> predictor;
  return predictor;
}
float acceleration_at(float volts) {
  Predictor<geared, float>& predictor = geared_predictor();
  assert_ok(predictor.reset(zero_state<geared, float>()));
  assert_ok(predictor.step(Command<geared, float>(volts), kShort_s));
  return predictor.state().dq[0] / kShort_s;
}

// At the joint: torque times the ratio, rotor times its square, friction of the motor's side times the ratio.
void test_gear_ratio_is_motor_turns_per_joint_turn() {
  const float inertia_at_joint = 0.1F + 50 * 50 * 1e-4F;
  const float torque_at_joint = 50 * (0.02F * 10 / 2) - 50 * 0.001F;
  TEST_ASSERT_FLOAT_WITHIN(0.02F, torque_at_joint / inertia_at_joint, acceleration_at(10));
}

void test_a_motors_command_is_volts_and_positive_turns_forward() {
  TEST_ASSERT_TRUE(acceleration_at(10) > 1);
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, -acceleration_at(10), acceleration_at(-10));
}

void test_a_command_beyond_its_limit_is_clipped_and_reported() {
  const float at_limit = acceleration_at(24);
  TEST_ASSERT_FALSE(geared_predictor().report().saturated(0));
  TEST_ASSERT_FLOAT_WITHIN(1e-6F, at_limit, acceleration_at(100));
  TEST_ASSERT_TRUE(geared_predictor().report().saturated(0));
}

// Three wheels of 0.1 kg m²: a torque at the joint, a velocity of the joint, nothing.
inline constexpr auto told =
    robot("told", gravity(0, 0, 0),
          link("pushed", revolute(kAxisZ), body(1, com(0, 0, 0), inertia(0.1, 0.1, 0.1)),
               torque_driven(torque_limit(5)), gear(ratio(-50)), at_motor(viscous(1e-4))),
          link("led", revolute(kAxisZ), body(1, com(0, 0, 0), inertia(0.1, 0.1, 0.1)), velocity_driven()),
          link("free", revolute(kAxisZ), body(1, com(0, 0, 0), inertia(0.1, 0.1, 0.1)), undriven()));
using ToldCommand = Command<told, float>;

Predictor<told, float>& told_predictor() {
  static Predictor<told, float> predictor;
  return predictor;
}

// Whatever the gear: a torque-driven joint's command is the torque at the joint.
void test_commands_are_torque_or_velocity_of_the_joint() {
  Predictor<told, float>& predictor = told_predictor();
  assert_ok(predictor.reset(zero_state<told, float>()));
  assert_ok(predictor.step(ToldCommand(2, 3, 0), kShort_s));
  TEST_ASSERT_FLOAT_WITHIN(0.05F, 2 / 0.1F, predictor.state().dq[0] / kShort_s);
  TEST_ASSERT_FLOAT_WITHIN(1e-6F, 3, predictor.state().dq[1]);
  TEST_ASSERT_FLOAT_WITHIN(1e-9F, 0, predictor.state().dq[2]);
  TEST_ASSERT_FALSE(ok(predictor.step(ToldCommand(0, 0, 1), kShort_s)));
  TEST_ASSERT_EQUAL_INT(2, predictor.refused_joint());
  assert_ok(predictor.step(ToldCommand(100, 0, 0), kShort_s));
  TEST_ASSERT_TRUE(predictor.report().saturated(0));
}

// 1e-4 N.m.s/rad at the motor are 0.25 N.m.s/rad at the joint.
void test_viscous_friction_at_the_motor_counts_times_the_ratio_squared() {
  Predictor<told, float>& predictor = told_predictor();
  State<told, float> turning = zero_state<told, float>();
  turning.dq[0] = 1;
  assert_ok(predictor.reset(turning));
  assert_ok(predictor.step(ToldCommand(0, 0, 0), 1e-3F));
  TEST_ASSERT_FLOAT_WITHIN(0.02F, -0.25F / 0.1F, (predictor.state().dq[0] - 1) / 1e-3F);
}

inline constexpr auto mirrored = robot("mirrored", gravity(0, 0, 0),
                                       link("wheel", revolute(kAxisZ), body(1, com(0, 0, 0), inertia(0.1, 0.1, 0.1)),
                                            dc_motor(torque_constant(0.02), resistance(2), voltage_limit(24)),
                                            gear(ratio(-50)), at_motor(rotor_inertia(1e-4), coulomb(0.001))));

void test_a_negative_ratio_turns_the_motors_directions_around() {
  static Predictor<mirrored, float> predictor;
  assert_ok(predictor.reset(zero_state<mirrored, float>()));
  assert_ok(predictor.step(Command<mirrored, float>(10), kShort_s));
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, -acceleration_at(10), predictor.state().dq[0] / kShort_s);
}

// 0.05 V make 0.025 N.m at the joint; static friction holds 0.05 N.m there.
void test_friction_at_the_motor_counts_times_the_ratio() {
  TEST_ASSERT_FLOAT_WITHIN(1e-9F, 0, acceleration_at(0.05F));
  TEST_ASSERT_TRUE(acceleration_at(0.15F) > 0.01F);
}

}  // namespace

KINECAST_SUITE(conventions, test_a_link_frame_sits_at_its_joint, test_positive_angles_turn_right_handed,
               test_positive_slides_go_along_the_axis, test_rpy_is_that_of_urdf,
               test_joints_stand_in_the_order_of_the_links, test_jacobians_are_angular_then_linear_in_world_axes,
               test_world_z_is_up_and_units_are_si, test_floating_q_is_position_then_quaternion_wxyz,
               test_floating_velocity_is_linear_then_angular_in_world_axes,
               test_products_of_inertia_are_entries_of_the_matrix, test_spherical_velocity_is_in_the_childs_axes,
               test_positive_torque_accelerates_forward, test_gravity_torque_is_what_holds_the_robot,
               test_wrenches_are_force_then_moment_in_link_axes, test_gear_ratio_is_motor_turns_per_joint_turn,
               test_a_motors_command_is_volts_and_positive_turns_forward,
               test_a_command_beyond_its_limit_is_clipped_and_reported,
               test_commands_are_torque_or_velocity_of_the_joint,
               test_viscous_friction_at_the_motor_counts_times_the_ratio_squared,
               test_a_negative_ratio_turns_the_motors_directions_around,
               test_friction_at_the_motor_counts_times_the_ratio)

}  // namespace unit_conventions
