// SPDX-License-Identifier: MIT
// The rotor form (method 5.2) against its equations, transcribed in motor-side numbers; what all papers' forms must do where
// friction is strong; and that all three methods approach the same motion, first order in the step.
#include "drive_checks.hpp"
#include "unity_main.hpp"

namespace unit_friction_methods {
namespace {

using namespace driven;
using namespace s003;
using kinecast::Equation21;
using measure::assert_below;
using measure::Worst;

// ---- the rotor form -----------------------------------------------------------------------------------------------------------

double voltage_at(int i, int period) { return 24 * std::sin(6.283 * i / period) * (i % 3 == 0 ? 0.7 : 1); }

void check_rotor_form(double k_q, double lambda_q, Equation21 law) {
  constexpr double h = 1e-3;
  constexpr double A = h / (kGamma * 7.03e-6);
  Predictor<robots::drive_unit, double, RotorFriction> p(
      RotorFriction::Parameters<double>{k_q, lambda_q / (A * A), law});
  const double inertia = 3.23367e-5 + 0.0356 * 0.05 * 0.05 + kRotor;
  double q = 0, dq = 0, reference = 0, tau = 0;
  Worst worst;
  int stuck = 0, slipping = 0;
  for (int i = 0; i < 600; ++i) {
    const double e = i < 400 ? voltage_at(i, 200) : 0;
    const double c = h / kRotor * (kVolt * e - kBackEmf * dq - tau) + dq;
    const double tau_f = -A / (A * A + lambda_q) * (c + k_q * (q - reference));  // S003 eq. 27
    const Decision friction = decide(kGamma * tau_f, dq, law == Equation21::literal);
    // A hand pushes the link: the rotor learns of it through the transmitted torque alone.
    const double hand = 2 * std::sin(0.05 * i);
    const double ddq = (kVolt * e - kBackEmf * dq + friction.torque + hand) / inertia;
    tau = kVolt * e - kBackEmf * dq - kRotor * ddq + friction.torque;
    dq += h * ddq;
    q += h * dq;
    if (!friction.sticks) reference = q;
    assert_ok(p.step(all<robots::drive_unit, double>(e), all<robots::drive_unit, double>(hand), h));
    worst.see(q, p.state().q[0], 1), worst.see(dq, p.state().dq[0], 1);
    TEST_ASSERT_TRUE(friction.sticks == p.report().held(0));
    ++(friction.sticks ? stuck : slipping);
  }
  TEST_ASSERT_TRUE(stuck > 100 && slipping > 100);
  assert_below<double>(1e-11, worst,
                       "rotor form against S003 eq. 27");  // 600 steps with rates of 5 rad/s, accelerations of 300
}
void test_rotor_form() {
  check_rotor_form(100, 0.01, Equation21::corrected);
  check_rotor_form(0, 0, Equation21::corrected);
  check_rotor_form(100, 0.01, Equation21::literal);
}

// A joint that is put somewhere at rest stays there: what its friction pulls to is where it was put.
void test_reset_elsewhere() {
  constexpr double kPlace = 0.5;
  Predictor<robots::drive_unit, double, RotorFriction> p(
      RotorFriction::Parameters<double>{100, 1e-4, Equation21::corrected});
  State<robots::drive_unit, double> start = zero_state<robots::drive_unit, double>();
  start.q[0] = kPlace;
  assert_ok(p.reset(start));
  for (int i = 0; i < 3; ++i) {
    assert_ok(p.step(all<robots::drive_unit, double>(0), 1e-3));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, kPlace, p.state().q[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, p.state().dq[0]);
  }
}

// Method 5.2, CHOICE 16: viscous friction that would turn the joint around stops it instead.
template <class Friction>
void check_no_overshoot(const typename Friction::template Parameters<double>& parameters) {
  Values<hinge> values = hinge_of(0, 0.1);  // all inertia in the rotor: both forms stop it exactly
  values.links[0].drive.at_joint.viscous_Nms_per_rad = {1e4, 1e4};
  const Model<hinge, double> model = built<hinge, double>(values);
  for (const double v : {2.0, -0.5}) {
    Predictor<hinge, double, Friction> p(model, parameters);
    assert_ok(p.reset(moving_at<hinge, double>(v)));
    assert_ok(p.step(all<hinge, double>(0), 1e-3));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0, p.state().dq[0]);  // roundings of 2 rad/s
  }
}
void test_no_overshoot() {
  check_no_overshoot<RotorFriction>({0, 0});
  check_no_overshoot<ImplicitFriction>({0, 0});
}

// The rotor form has no friction where there is no rotor: a robot that loses its rotor at run time must not lose its friction.
void test_rotor_form_without_a_rotor() {
  const Model<hinge, double> model = built<hinge, double>(hinge_of(0.1, 0));
  Predictor<hinge, double, RotorFriction> p(model);
  assert_ok(p.reset(moving_at<hinge, double>(1)));
  const Status status = p.step(all<hinge, double>(0), 1e-3);
  TEST_ASSERT_TRUE(!kinecast::ok(status) || p.state().dq[0] < 0.99);
}

// Runge and Kutta's method takes viscous friction where it evaluates: dq = dq0 exp(-t c/I), of fourth order, with c/I = 1/s.
void test_viscous_gill() {
  Values<hinge> values = hinge_of(0, 0.1);
  values.links[0].drive.at_joint.coulomb_Nm = {0, 0};
  values.links[0].drive.at_joint.stiction_Nm = {0, 0};
  values.links[0].drive.at_joint.viscous_Nms_per_rad = {0.1, 0.1};
  const Model<hinge, double> model = built<hinge, double>(values);
  Predictor<hinge, double, RungeKuttaGill> p(model);
  assert_ok(p.reset(moving_at<hinge, double>(2)));
  for (int i = 0; i < 50; ++i) assert_ok(p.step(all<hinge, double>(0), 10e-3));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2 * std::exp(-0.5), p.state().dq[0]);  // h⁴/120 of it
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2 * (1 - std::exp(-0.5)), p.state().q[0]);
}

// ---- convergence ------------------------------------------------------------------------------------------------------------

template <class Friction>
double end_angle(double h) {
  Predictor<robots::drive_unit, double, Friction> p;
  assert_ok(p.reset(moving_at<robots::drive_unit, double>(1)));
  const int steps = static_cast<int>(0.1 / h + 0.5);
  for (int i = 0; i < steps; ++i) assert_ok(p.step(all<robots::drive_unit, double>(i < steps / 2 ? 15 : 6), h));
  return p.state().q[0];
}
// Halving the step halves the error, and all three go to the same end; 15 % for the higher orders.
void test_first_order() {
  const double truth = end_angle<ArticulatedFriction>(1e-5);
  const auto check = [&](double rough, double fine, const char* name) {
    TEST_ASSERT_TRUE_MESSAGE(std::abs(rough - truth) < 0.01, name);  // of 0.2 rad
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.15, 1.0, std::log2(std::abs(rough - truth) / std::abs(fine - truth)), name);
  };
  check(end_angle<ArticulatedFriction>(1e-3), end_angle<ArticulatedFriction>(5e-4), "default form");
  check(end_angle<RotorFriction>(1e-3), end_angle<RotorFriction>(5e-4), "rotor form");
  check(end_angle<ImplicitFriction>(1e-3), end_angle<ImplicitFriction>(5e-4), "implicit form");
}

}  // namespace

KINECAST_SUITE(friction_methods, test_rotor_form, test_reset_elsewhere, test_no_overshoot,
               test_rotor_form_without_a_rotor, test_viscous_gill, test_first_order)

}  // namespace unit_friction_methods
