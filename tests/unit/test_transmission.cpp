// SPDX-License-Identifier: MIT
// The torques of a step: what the gear transmits is what the links need, friction closes the balance of method 5.1 (S003 eq. 2) and
// follows its law, and a velocity drive takes what it needs; torques from outside are in neither.
#include "drive_checks.hpp"
#include "unity_main.hpp"

namespace unit_transmission {
namespace {

using namespace driven;
using measure::assert_below;
using measure::kEps;
using measure::Worst;

constexpr double kDt = 1e-3;

// ---- the balance of torques ---------------------------------------------------------------------------------------------------

// A geared slide on a tilted axis, a motor that turns backwards, a passive slide with friction and a hinge beside it: a branch.
inline constexpr auto mixed = kinecast::robot(
    "mixed",
    kinecast::link("cart", kinecast::prismatic({0.6, 0, 0.8}), kinecast::gear(kinecast::ratio(20)),
                   kinecast::at_motor(kinecast::rotor_inertia(1e-3), kinecast::viscous(2e-3)),
                   kinecast::at_joint(kinecast::stiction(12), kinecast::coulomb(10), kinecast::stribeck(8)),
                   kinecast::body(1, kinecast::com(0.1, 0, 0.05), kinecast::inertia(0.01, 0.01, 0.01))),
    kinecast::link(
        "arm", kinecast::on("cart"), kinecast::revolute(kinecast::kAxisY), kinecast::at(0.1, 0, 0),
        kinecast::dc_motor(kinecast::torque_constant(0.03), kinecast::resistance(1.5), kinecast::voltage_limit(20)),
        kinecast::gear(kinecast::ratio(-60)),
        kinecast::at_motor(kinecast::rotor_inertia(4e-6),
                           kinecast::coulomb(kinecast::forward(0.02), kinecast::backward(0.01))),
        kinecast::body(0.6, kinecast::com(0.2, 0.02, 0), kinecast::inertia(0.01, 0.012, 0.011))),
    kinecast::link("rod", kinecast::on("arm"), kinecast::prismatic({0.8, 0.6, 0}), kinecast::at(0.3, 0, 0),
                   kinecast::rpy(0.3, 0.2, 0.1), kinecast::undriven(),
                   kinecast::at_joint(kinecast::coulomb(1.5), kinecast::viscous(0.4)),
                   kinecast::body(0.3, kinecast::com(0.1, 0, 0.02), kinecast::inertia(0.002, 0.003, 0.003))),
    kinecast::link("flap", kinecast::on("arm"), kinecast::revolute(kinecast::kAxisX), kinecast::at(0.2, 0.1, 0),
                   kinecast::at_joint(kinecast::stiction(0.3), kinecast::coulomb(0.2)),
                   kinecast::body(0.3, kinecast::com(0, 0.1, 0), kinecast::inertia(0.003, 0.002, 0.003))));

// E_M, D_M and gamma² I_M of a link's drive. The dense reference knows nothing of rotors at the motor: its torque is the link
// side's.
struct Motor {
  double per_command;
  double back_emf;
  double rotor;
};
Motor motor_of(const kinecast::Drive& d) {
  const double k = d.gear_ratio * d.torque_constant_Nm_per_A;
  const double rotor = d.gear_ratio * d.gear_ratio * d.at_motor.rotor_inertia_kgm2;
  if (d.actuator == kinecast::Actuator::dc_motor) return {k / d.resistance_ohm, k * k / d.resistance_ohm, rotor};
  return {d.actuator == kinecast::Actuator::torque ? 1.0 : 0.0, 0, rotor};
}

template <const auto& R, class S, class Friction>
void check_balance(double torque, const char* name) {
  constexpr int kDofs = R.kLinks;
  constexpr bool kEndOfStep = std::is_same_v<Friction, ArticulatedFriction>;
  measure::Random random(7);
  checks::Sample<R, S> s;
  static Predictor<R, S, Friction> p;
  Worst transmitted;
  Worst friction;
  int stuck = 0;
  int slipping = 0;
  for (int n = 0; n < 4 * measure::kEffort; ++n) {
    checks::draw(random, {n % 3 == 0 ? 0.02 : 2.0, 0, torque}, s);
    for (int i = 0; i < kDofs; ++i)
      if (R.link(i).drive.actuator == kinecast::Actuator::none) s.tau[i] = S(0);
    assert_ok(p.reset({s.q, s.dq}));
    for (int k = 0; k < 3; ++k) {
      const State<R, S> before = p.state();
      Command<R, S> external;
      for (int i = 0; i < kDofs; ++i) external[i] = static_cast<S>(random.within(1));
      assert_ok(p.step(s.tau, external, static_cast<S>(kDt)));
      double q[checks::Sample<R, S>::kDofSize];
      double dq[checks::Sample<R, S>::kDofSize];
      double ddq[checks::Sample<R, S>::kDofSize];
      for (int i = 0; i < kDofs; ++i) {
        q[i] = static_cast<double>(before.q[i]), dq[i] = static_cast<double>(before.dq[i]);
        ddq[i] = (static_cast<double>(p.state().dq[i]) - dq[i]) / kDt;
        ++(p.report().held(i) ? stuck : slipping);
      }
      checks::Truth<R>& exact = checks::truth<R>();
      exact.place(q);
      exact.find_torque(dq, ddq);
      for (int i = 0; i < kDofs; ++i) {
        const double link = exact.force[i] - static_cast<double>(external[i]);
        transmitted.see(link, static_cast<double>(p.report().transmitted_Nm[i]), 1);
        const double seen = kEndOfStep ? static_cast<double>(p.state().dq[i]) : dq[i];
        const Motor m = motor_of(R.link(i).drive);
        // S003 eq. 2, solved for the friction
        const double T = link - m.per_command * static_cast<double>(s.tau[i]) + m.back_emf * seen + m.rotor * ddq[i];
        friction.see(T, static_cast<double>(p.report().friction_Nm[i]), 1);
      }
    }
  }
  TEST_ASSERT_TRUE(stuck > 2 * measure::kEffort && slipping > 2 * measure::kEffort);
  // ddq comes from velocities up to 2 rad/s, stored with eps: 4 eps / dt for the difference, times the inertias, up to 3 kg in
  // all; and 50 N.m of rounding.
  const double limit = 4 * kEps<S> / kDt * (R.kLinks == 3 ? 0.11 : 3) + 50 * kEps<S>;
  assert_below<S>(limit, transmitted, name, "transmitted torque");
  assert_below<S>(limit, friction, name, "friction torque");
}
template <class S>
void check_balances() {
  check_balance<robots::drive<3>, S, ArticulatedFriction>(8, "drives, default form");
  check_balance<robots::drive<3>, S, RotorFriction>(8, "drives, rotor form");
  check_balance<robots::drive<3>, S, ImplicitFriction>(8, "drives, implicit form");
  check_balance<mixed, S, ArticulatedFriction>(15, "mixed, default form");
  check_balance<mixed, S, ImplicitFriction>(15, "mixed, implicit form");
}
void test_torques_balance() {
  check_balances<float>();
  if constexpr (measure::kInDouble) check_balances<double>();
}

// The law of S003 eq. 7, 8 at a sliding joint, with other values for the two directions: the speed is that at the start of the step,
// but in the default form with Euler the viscous part sees its end.
template <class Friction, class Integrator = SymplecticEuler>
void check_law(const typename Friction::template Parameters<double>& parameters, const char* name) {
  Values<hinge> values = hinge;
  values.links[0].drive.at_joint.coulomb_Nm = {1, 2};
  values.links[0].drive.at_joint.stiction_Nm = {1.5, 3};
  values.links[0].drive.at_joint.viscous_Nms_per_rad = {0.3, 0.7};
  values.links[0].drive.at_joint.stribeck_s_per_rad = 4;
  const Model<hinge, double> model = built<hinge, double>(values);
  for (const double v : {3.0, 0.3, -0.2, -1.2}) {
    Predictor<hinge, double, Friction, Integrator> p(model, parameters);
    assert_ok(p.reset(moving_at<hinge, double>(v)));
    assert_ok(p.step(all<hinge, double>(20 * v), kDt));
    TEST_ASSERT_FALSE_MESSAGE(p.report().held(0), name);
    const double dry = v > 0 ? 1 + 0.5 * std::exp(-4 * v) : 2 + std::exp(4 * v);
    const bool euler = std::is_same_v<Integrator, SymplecticEuler>;
    const double seen = euler && std::is_same_v<Friction, ArticulatedFriction> ? p.state().dq[0] : v;
    const double expected = -(v > 0 ? 0.3 : 0.7) * seen - std::copysign(dry, v);
    // Accelerations come from velocities with an error of 3 eps / dt, times 0.2 kg m².
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2 * kEps<double> / kDt, expected, p.report().friction_Nm[0], name);
    if (!euler) continue;
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2 * kEps<double> / kDt, v + kDt * (20 * v + expected) / 0.2, p.state().dq[0],
                                      name);
  }
}
void test_friction_law() {
  check_law<ArticulatedFriction>({}, "default form");
  // Runge-Kutta reports the start of its step.
  check_law<ArticulatedFriction, RungeKuttaGill>({}, "default form, Runge-Kutta");
  // Their relaxation is made for the drive unit's numbers: without it.
  check_law<RotorFriction>({0, 0}, "rotor form");
  check_law<ImplicitFriction>({0, 0}, "implicit form");
}

// ---- other actuators ------------------------------------------------------------------------------------------------------

// A velocity-driven shoulder, a passive elbow with some friction and a passive slide without.
inline constexpr auto led = kinecast::robot(
    "led",
    kinecast::link("upper", kinecast::revolute(kinecast::kAxisY), kinecast::velocity_driven(),
                   kinecast::body(1, kinecast::com(0.2, 0, 0), kinecast::inertia(0.01, 0.02, 0.02))),
    kinecast::link("fore", kinecast::on("upper"), kinecast::revolute(kinecast::kAxisY), kinecast::at(0.4, 0, 0),
                   kinecast::undriven(), kinecast::at_joint(kinecast::coulomb(0.1), kinecast::viscous(0.02)),
                   kinecast::body(0.5, kinecast::com(0.2, 0, 0), kinecast::inertia(0.005, 0.01, 0.01))),
    kinecast::link("tip", kinecast::on("fore"), kinecast::prismatic(kinecast::kAxisX), kinecast::at(0.3, 0, 0),
                   kinecast::undriven(),
                   kinecast::body(0.2, kinecast::com(0.02, 0, 0.01), kinecast::inertia(0.001, 0.001, 0.001))));
template <class S>
void check_velocity_drive() {
  Predictor<led, S> p;
  State<led, S> start = moving_at<led, S>(-0.4);
  start.q[1] = S(0.7);
  assert_ok(p.reset(start));
  const Command<led, S> command(S(0.8), S(0), S(0));
  for (int k = 0; k < 5; ++k) {
    const State<led, S> before = p.state();
    assert_ok(p.step(command, static_cast<S>(kDt)));
    TEST_ASSERT_DOUBLE_WITHIN(4 * kEps<S>, 0.8, static_cast<double>(p.state().dq[0]));
    TEST_ASSERT_TRUE(p.report().held(0));
    const checks::Vel<led, S> ddq = (p.state().dq - before.dq) / static_cast<S>(kDt);
    checks::Vel<led, S> tau = checks::unset<led, S>();
    assert_ok((checks::inverse<led, S>(before.q, before.dq, ddq, tau)));
    // At first 1200 rad/s² times 0.3 kg m²; stored velocities give ddq an error of 2 eps / dt.
    for (int i = 0; i < 3; ++i)
      TEST_ASSERT_DOUBLE_WITHIN((k == 0 ? 1e4 : 1e3) * kEps<S>, static_cast<double>(tau[i]),
                                static_cast<double>(p.report().transmitted_Nm[i]));
    // Nothing acts along the slide, and the elbow gives way to the jerk.
    TEST_ASSERT_DOUBLE_WITHIN(0, 0, static_cast<double>(p.report().transmitted_Nm[2]));
    if (k == 0) TEST_ASSERT_TRUE(static_cast<double>(p.state().dq[1] - before.dq[1]) < -0.5);
  }
}
void test_velocity_drive() {
  check_velocity_drive<float>();
  if constexpr (measure::kInDouble) check_velocity_drive<double>();
}
}  // namespace

KINECAST_SUITE(transmission, test_torques_balance, test_friction_law, test_velocity_drive)

}  // namespace unit_transmission
