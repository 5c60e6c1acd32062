// SPDX-License-Identifier: MIT
// The conventions of contact in lib/docs/conventions.md, one test each, on a block that slides along x and falls along z; and
// those of couplings, on two slides.
#include <kinecast/predict/predictor.hpp>

#include "unity_main.hpp"

namespace unit_contact_conventions {
namespace {

using namespace kinecast;

inline constexpr auto block =
    robot("block", link("rail", prismatic(kAxisX), massless()),
          link("block", on("rail"), prismatic(kAxisZ), body(2, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
          contact_sphere("foot", on("block"), at(0, 0, 0), radius(0.1)));
inline constexpr auto ground = environment(half_space("ground", material(friction(0.5))));
constexpr float kWeight_N = 2 * 9.80665F;

using Forecast = Predictor<block, float, Contacts<ground, 1>>;

Forecast& after_steps(int steps, float x_mps, float z_m, float push_N) {
  static Forecast predictor;
  State<block, float> state = zero_state<block, float>();
  state.q[1] = z_m;
  state.dq[0] = x_mps;
  TEST_ASSERT_TRUE(ok(predictor.reset(state)));
  for (int i = 0; i < steps; ++i) TEST_ASSERT_TRUE(ok(predictor.step(Command<block, float>(push_N, 0), 1e-3F)));
  TEST_ASSERT_EQUAL_INT(1, predictor.contact_report().count);
  return predictor;
}

// Out of what is touched, towards the robot; the point is where a sphere touches, not its centre.
void test_contact_normals_point_out_of_what_is_touched() {
  const ContactForce<float>& c = after_steps(200, 0, 0.1F, 0).contact_report()[0];
  TEST_ASSERT_FLOAT_WITHIN(1e-6F, 1, c.normal.z);
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, 0, c.point_m.z);
}

// What the surface does to the robot, in world axes: the ground pushes up with the weight.
void test_contact_forces_act_on_the_robot_and_push() {
  const ContactForce<float>& c = after_steps(200, 0, 0.1F, 0).contact_report()[0];
  TEST_ASSERT_FLOAT_WITHIN(0.01F, kWeight_N, c.force_N.z);
  TEST_ASSERT_FLOAT_WITHIN(0.01F, kWeight_N, c.normal_N);
}

void test_friction_forces_oppose_the_slip() {
  const ContactForce<float>& c = after_steps(20, 1, 0.1F, 0).contact_report()[0];
  TEST_ASSERT_TRUE(c.is_sliding);
  TEST_ASSERT_FLOAT_WITHIN(0.01F, -0.5F * kWeight_N, c.force_N.x);
  TEST_ASSERT_FLOAT_WITHIN(0.01F, 0.5F * kWeight_N, c.tangential_N);
}

void test_a_positive_depth_is_inside() {
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 0.002F, after_steps(1, 0, 0.098F, 0).contact_report()[0].depth_m);
  // A gap that the step would close has a row too (predictive), and is a negative depth.
  TEST_ASSERT_TRUE(after_steps(1, 0, 0.100001F, 0).contact_report()[0].depth_m < 0);
}

// The second slide goes 3 m when the first goes 1 m, and stands at 0.5 m when the first is at 0.
inline constexpr auto slides = robot(
    "slides", gravity(0, 0, 0), link("first", prismatic(kAxisX), body(1, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
    link("second", prismatic(kAxisX), body(2, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
    coupling("gear", joint("second"), follows("first", ratio(3)), offset(0.5)));

Predictor<slides, float>& pushed_slides() {
  static Predictor<slides, float> predictor;
  State<slides, float> state = zero_state<slides, float>();
  state.q[1] = 0.5F;
  TEST_ASSERT_TRUE(ok(predictor.reset(state)));
  for (int i = 0; i < 100; ++i) TEST_ASSERT_TRUE(ok(predictor.step(Command<slides, float>(19, 0), 1e-3F)));
  return predictor;
}

void test_a_follower_is_at_ratio_times_its_leader_plus_the_offset() {
  const State<slides, float>& state = pushed_slides().state();
  TEST_ASSERT_TRUE(state.q[0] > 0.004F);
  TEST_ASSERT_FLOAT_WITHIN(1e-6F, 3 * state.q[0] + 0.5F, state.q[1]);
}

// 19 N move 1 kg and, three times as fast, 2 kg: 1 m/s² and 3 m/s². The second needs 6 N, the first feels -18 N.
void test_a_couplings_torque_acts_on_its_follower() {
  TEST_ASSERT_FLOAT_WITHIN(0.01F, 6, pushed_slides().report().coupling_Nm[0]);
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, 0.1F, pushed_slides().state().dq[0]);
}

}  // namespace

KINECAST_SUITE(contact_conventions, test_contact_normals_point_out_of_what_is_touched,
               test_contact_forces_act_on_the_robot_and_push, test_friction_forces_oppose_the_slip,
               test_a_positive_depth_is_inside, test_a_follower_is_at_ratio_times_its_leader_plus_the_offset,
               test_a_couplings_torque_acts_on_its_follower)

}  // namespace unit_contact_conventions
