// SPDX-License-Identifier: MIT
// The conventions of contact in lib/docs/conventions.md, one test each, on a block that slides along x and falls along z.
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

}  // namespace

KINECAST_SUITE(contact_conventions, test_contact_normals_point_out_of_what_is_touched,
               test_contact_forces_act_on_the_robot_and_push, test_friction_forces_oppose_the_slip,
               test_a_positive_depth_is_inside)

}  // namespace unit_contact_conventions
