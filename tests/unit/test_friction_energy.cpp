// SPDX-License-Identifier: MIT
// Friction takes energy and never gives it: chains of driven and passive joints with dry, viscous, lossy and one-sided friction.
// It does not turn a joint around, does not keep an arm trembling, and is stable for every viscosity and step.
#include "../support/balances.hpp"
#include "drive_checks.hpp"
#include "unity_main.hpp"

namespace unit_friction_energy {
namespace {

using namespace driven;
using measure::assert_below;
using measure::kEps;
using measure::kIsFloat;
using measure::Worst;

// A chain of boxes (robots/chain.hpp) with hinges about x, y, z, …: driven with a rotor, passive with other values for the two
// directions, passive with viscous friction alone; at last one whose gear loses load.
template <int N>
constexpr auto make_rough_chain() {
  using namespace kinecast;
  Robot<N, 0> chain{};
  constexpr Vec3<double> kAxes[] = {kAxisX, kAxisY, kAxisZ};
  for (int i = 0; i < N; ++i) {
    Link l = link("", revolute(kAxes[i % 3]), at(0, 0, i == 0 ? 0.0 : -0.1),
                  body(0.3, com(0.01, 0, -0.05), inertia(2.9e-4, 2.9e-4, 0.8e-4)));
    l.parent = i - 1;
    const Link drives[] = {
        link("", gear(ratio(30)), at_motor(rotor_inertia(1e-6), stiction(1e-3), coulomb(5e-4)),
             at_joint(viscous(0.01), stribeck(20))),
        link("", undriven(), at_joint(coulomb(forward(0.02), backward(0.05)))),
        link("", undriven(), at_joint(viscous(forward(0.01), backward(0.001)))),
        link("", gear(ratio(1), load_loss(0.3)), at_joint(stiction(0.03), coulomb(0.02), stribeck(3))),
    };
    l.drive = drives[i % 4].drive;
    chain.links[static_cast<std::size_t>(i)] = l;
  }
  return chain;
}
template <int N>
inline constexpr auto rough_chain = make_rough_chain<N>();

template <const auto& R>
Values<R> without_friction() {
  Values<R> values = R;
  for (kinecast::Link& l : values.links) {
    const double rotor = l.drive.at_motor.rotor_inertia_kgm2;
    l.drive.at_motor = l.drive.at_joint = {};
    l.drive.at_motor.rotor_inertia_kgm2 = rotor;
    l.drive.load_loss = 0;
  }
  return values;
}

// Friction's power at each joint, at the velocity at the end of the step, is never positive; and the whole gains no more than
// the integrator alone gets wrong.
template <int N>
void check_dissipates() {
  constexpr const auto& R = rough_chain<N>;
  const Model<R, double> smooth = built<R, double>(without_friction<R>());
  static Predictor<R, double> p;
  Predictor<R, double> ideal(smooth);
  measure::Random random(31 + N);
  checks::Sample<R, double> s;
  Worst power;
  double error = 0;   // of the integrator, in a step
  double gained = 0;  // with friction, in a step
  double starting = 0, left = 0;
  constexpr double dt = 1e-3;
  const Command<R, double> none = all<R, double>(0);
  for (int n = 0; n < measure::kEffort; ++n) {
    checks::draw(random, {n % 4 == 0 ? 0.1 : 3.0, 0, 0}, s);
    assert_ok(p.reset({s.q, s.dq}));
    const double start = support::energy<R, double>(p.state());
    double now = start;
    for (int k = 0; k < (measure::kEffort > 10 ? 50 : 5); ++k) {
      const State<R, double> before = p.state();
      assert_ok(ideal.reset(before));
      assert_ok(ideal.step(none, dt));
      error = std::fmax(error, std::abs(support::energy<R, double>(ideal.state()) - now));
      assert_ok(p.step(none, dt));
      for (int i = 0; i < N; ++i) {
        const double friction = p.report().friction_Nm[i];
        // A joint that is stopped keeps a rounding error of its velocity.
        const double rounding = 4 * kEps<double> * (std::abs(before.dq[i]) + std::abs(p.state().dq[i]));
        const double rate = friction * p.state().dq[i];
        power.see(std::fmax(0.0, rate - std::abs(friction) * rounding));
      }
      const double next = support::energy<R, double>(p.state());
      gained = std::fmax(gained, next - now);
      now = next;
    }
    starting += start, left += now;
  }
  assert_below<double>(1e-18, power, "power of friction");  // underflow of the products above
  // The errors of both runs come from the same states and forces; friction's own change of the acceleration doubles it at most.
  TEST_ASSERT_TRUE_MESSAGE(gained <= 2 * error, "energy gained in a step");
  TEST_ASSERT_TRUE_MESSAGE(left < starting, "friction takes energy");
}
void test_friction_dissipates() {
  check_dissipates<1>();
  check_dissipates<2>();
  check_dissipates<3>();
  check_dissipates<4>();
  if (measure::kEffort > 10) check_dissipates<6>();
}

// ---- one joint, friction alone ----------------------------------------------------------------------------------------------

constexpr double kViscosities[] = {0, 1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6};
constexpr double kSteps[] = {1e-4, 1e-3, 1e-2};

// The speed falls from step to step and never turns around, whatever the viscosity, the dry friction and the step.
template <class S, class Integrator>
void check_no_reversal(double dry, const char* name) {
  for (const double viscous : kViscosities) {
    Values<hinge> values = hinge;
    values.links[0].drive.at_joint.viscous_Nms_per_rad = {viscous, viscous};
    values.links[0].drive.at_joint.coulomb_Nm = {0.8 * dry, 0.9 * dry};
    values.links[0].drive.at_joint.stiction_Nm = {dry, dry};
    const Model<hinge, S> model = built<hinge, S>(values);
    for (const double dt : kSteps) {
      for (const double start : {5.0, -0.01}) {
        Predictor<hinge, S, ArticulatedFriction, Integrator> p(model);
        assert_ok(p.reset(moving_at<hinge, S>(start)));
        for (int i = 0; i < 60; ++i) {
          const double before = static_cast<double>(p.state().dq[0]);
          assert_ok(p.step(all<hinge, S>(0), static_cast<S>(dt)));
          const double after = static_cast<double>(p.state().dq[0]);
          const double rounding = 4 * kEps<S> * std::abs(before) + 1e-12;  // and speeds whose squares underflow
          TEST_ASSERT_TRUE_MESSAGE(std::copysign(1.0, start) * after >= -rounding, name);
          TEST_ASSERT_TRUE_MESSAGE(std::abs(after) <= std::abs(before) + rounding, name);
        }
      }
    }
  }
}
void test_no_reversal() {
  for (const double dry : {0.0, 1e-3, 5.0}) check_no_reversal<float, SymplecticEuler>(dry, "Euler");
  check_no_reversal<double, SymplecticEuler>(1e-3, "Euler");
}
void test_no_reversal_in_runge_kutta() {
  for (const double dry : {5.0, 1e-3, 0.0}) check_no_reversal<float, RungeKuttaGill>(dry, "Runge-Kutta");
}

// ---- arms -------------------------------------------------------------------------------------------------------------------

// A chain with dry friction that gravity cannot overcome (at most 1.4 N.m) comes to rest and stays there, bit by bit.
void test_an_arm_comes_to_rest() {
  constexpr const auto& R = rough_chain<3>;
  Values<R> values = R;
  for (kinecast::Link& l : values.links) {
    l.drive.at_motor.stiction_Nm = l.drive.at_motor.coulomb_Nm = {0, 0};
    l.drive.at_joint.coulomb_Nm = {1.6, 1.7};
  }
  const Model<R, float> model = built<R, float>(values);
  measure::Random random(5);
  checks::Sample<R, float> s;
  for (int n = 0; n < (measure::kEffort > 10 ? 20 : 1); ++n) {
    checks::draw(random, {5, 0, 0}, s);
    Predictor<R, float> p(model);
    assert_ok(p.reset({s.q, s.dq}));
    for (int i = 0; i < 1500; ++i) {
      assert_ok(p.step(all<R, float>(0), 1e-3F));
      if (i < 500) continue;
      for (int j = 0; j < 3; ++j) {
        TEST_ASSERT_TRUE(p.report().held(j));
        TEST_ASSERT_FLOAT_WITHIN(1e-7F, 0.0F, p.state().dq[j]);
      }
    }
  }
}

// All viscosities at all joints of a chain, all steps: the kinetic energy does not grow. At 10 ms and 3 rad/s the integrator
// alone, without friction, is off by less than a quarter.
template <class Integrator>
void check_stable() {
  constexpr const auto& R = rough_chain<3>;
  Values<R> values = without_friction<R>();
  values.gravity_mps2 = {0, 0, 0};
  for (const double viscous : kViscosities) {
    for (kinecast::Link& l : values.links) l.drive.at_joint.viscous_Nms_per_rad = {viscous, viscous};
    const Model<R, float> model = built<R, float>(values);
    for (const double dt : kSteps) {
      Predictor<R, float, ArticulatedFriction, Integrator> p(model);
      assert_ok(p.reset(moving_at<R, float>(3)));
      kinecast::Kinematics<R, float> k;
      double start = 0;
      for (int i = 0; i < 100; ++i) {
        assert_ok(kinecast::update_kinematics(model, p.state().q, p.state().dq, k));
        const double now = static_cast<double>(kinecast::kinetic_energy(model, k, p.state().dq));
        if (i == 0) start = now;
        TEST_ASSERT_TRUE(now <= 1.25 * start);
        assert_ok(p.step(all<R, float>(0), static_cast<float>(dt)));
      }
    }
  }
}
void test_stable_for_every_viscosity() { check_stable<SymplecticEuler>(); }
void test_stable_for_every_viscosity_in_runge_kutta() { check_stable<RungeKuttaGill>(); }

}  // namespace

KINECAST_SUITE(friction_energy, test_friction_dissipates, test_no_reversal, test_no_reversal_in_runge_kutta,
               test_an_arm_comes_to_rest, test_stable_for_every_viscosity,
               test_stable_for_every_viscosity_in_runge_kutta)

}  // namespace unit_friction_energy
