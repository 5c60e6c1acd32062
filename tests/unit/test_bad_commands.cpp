// SPDX-License-Identifier: MIT
// Bad commands, torques from outside, steps and states: refused with the reason and the joint, by every friction method and
// integrator, and the predictor stays as it was.
#include "drive_checks.hpp"
#include "unity_main.hpp"

namespace unit_bad_commands {
namespace {

using namespace driven;
using bad_input::assert_status;

// A free base, so that the refused number is not the joint's; a motor, a torque-driven hinge with friction, a plain hinge.
inline constexpr auto crane = kinecast::robot(
    "crane",
    kinecast::link("hull", kinecast::floating(),
                   kinecast::body(5, kinecast::com(0, 0, 0), kinecast::inertia(0.2, 0.2, 0.2))),
    kinecast::link("mast", kinecast::on("hull"), kinecast::revolute(kinecast::kAxisZ), robots::kS003Drive,
                   kinecast::body(0.5, kinecast::com(0.1, 0, 0), kinecast::inertia(0.01, 0.01, 0.01))),
    kinecast::link("jib", kinecast::on("mast"), kinecast::revolute(kinecast::kAxisY),
                   kinecast::torque_driven(kinecast::torque_limit(10)),
                   kinecast::at_joint(kinecast::rotor_inertia(0.01), kinecast::coulomb(0.2)),
                   kinecast::body(0.2, kinecast::com(0.1, 0, 0), kinecast::inertia(0.01, 0.01, 0.01))));
constexpr int kDofs = 8;

template <class S>
struct Bad {
  S value;
  Status status;
};

template <class P, class S>
void check_method(const char* name) {
  using Limits = std::numeric_limits<S>;
  static P p;
  Command<crane, S> good = all<crane, S>(0.1);
  good[6] = S(12);
  State<crane, S> start = zero_state<crane, S>();
  start.dq.setConstant(S(0.2));
  assert_ok(p.reset(start));
  for (int i = 0; i < 5; ++i) assert_ok(p.step(good, S(1e-3)));
  const auto before = p.snapshot();
  const auto friction = p.report().friction_Nm;
  const auto expect = [&](Status expected, int joint, Status got) {
    assert_status(expected, got, name);
    TEST_ASSERT_EQUAL_INT_MESSAGE(joint, p.refused_joint(), name);
    TEST_ASSERT_TRUE_MESSAGE(same_snapshot(before, p.snapshot()) && same_bits(friction, p.report().friction_Nm), name);
  };
  const Bad<S> cases[] = {
      {Limits::quiet_NaN(), Status::non_finite_input}, {Limits::infinity(), Status::non_finite_input},
      {-Limits::infinity(), Status::non_finite_input}, {S(1e30), Status::input_out_of_range},
      {S(-1e30), Status::input_out_of_range},          {Limits::max(), Status::input_out_of_range}};
  for (const Bad<S>& bad : cases) {
    for (int i = 0; i < kDofs; ++i) {
      Command<crane, S> command = good;
      command[i] = bad.value;
      expect(bad.status, i, p.step(command, S(1e-3)));
      expect(bad.status, i, p.step(command, good, S(1e-3)));
      expect(bad.status, i, p.step(good, command, S(1e-3)));  // as a torque from outside
      State<crane, S> state = p.state();
      state.dq[i] = bad.value;
      expect(bad.status, -1, p.reset(state));
      expect(bad.status, -1, p.correct(state));
    }
  }
  // The first joint that is wrong is the one that is named.
  Command<crane, S> command = good;
  command[7] = Limits::quiet_NaN(), command[6] = S(1e30);
  expect(Status::input_out_of_range, 6, p.step(command, S(1e-3)));
  // Steps: none, backwards, not a number, of a unit mistaken.
  for (const S dt : {S(0), -S(0), S(-1e-3), Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), S(1e-9), S(1),
                     Limits::denorm_min(), Limits::max()}) {
    expect(Status::bad_time_step, -1, p.step(good, dt));
    expect(Status::bad_time_step, -1, p.step(good, good, dt));
  }
  // Orientation that is none.
  State<crane, S> state = p.state();
  state.q[3] += S(0.1);
  expect(Status::quaternion_not_unit, -1, p.reset(state));
  expect(Status::quaternion_not_unit, -1, p.correct(state));
  // What is good still is, at the ends of the range of steps too.
  assert_ok(p.step(good, S(1e-3)));
  TEST_ASSERT_FALSE(same_snapshot(before, p.snapshot()));
  p.restore(before);
  assert_ok(p.step(good, S(1e-4)));
  assert_ok(p.step(good, S(1e-2)));
}

template <class Friction, class Integrator>
void check_methods(const char* name) {
  check_method<Predictor<crane, float, Friction, Integrator>, float>(name);
#if !defined(__arm__)
  check_method<Predictor<crane, double, Friction, Integrator>, double>(name);
#endif
}

void test_default_form() { check_methods<ArticulatedFriction, SymplecticEuler>("default form, Euler"); }
void test_default_form_gill() { check_methods<ArticulatedFriction, RungeKuttaGill>("default form, Gill"); }
void test_rotor_form() { check_methods<RotorFriction, SymplecticEuler>("rotor form, Euler"); }
void test_rotor_form_gill() { check_methods<RotorFriction, RungeKuttaGill>("rotor form, Gill"); }
void test_implicit_form() { check_methods<ImplicitFriction, SymplecticEuler>("implicit form, Euler"); }
void test_implicit_form_gill() { check_methods<ImplicitFriction, RungeKuttaGill>("implicit form, Gill"); }

// Commands that are allowed and absurd, for many steps: either a finite state or a refusal that changes nothing.
template <class Friction>
void check_absurd() {
  static Predictor<crane, float, Friction> p;
  assert_ok(p.reset(zero_state<crane, float>()));
  for (int i = 0; i < 50; ++i) {
    const auto before = p.snapshot();
    const Status status = p.step(all<crane, float>(i % 2 == 0 ? 3e8 : -1e8), 0.1F);
    if (!kinecast::ok(status)) {
      TEST_ASSERT_TRUE(same_snapshot(before, p.snapshot()));
      return;
    }
    for (int k = 0; k < kDofs; ++k) TEST_ASSERT_TRUE(kinecast::is_finite(p.state().dq[k]));
  }
}
void test_absurd_commands() {
  check_absurd<ArticulatedFriction>();
  check_absurd<RotorFriction>();
  check_absurd<ImplicitFriction>();
}

}  // namespace

KINECAST_SUITE(bad_commands, test_default_form, test_default_form_gill, test_rotor_form, test_rotor_form_gill,
               test_implicit_form, test_implicit_form_gill, test_absurd_commands)

}  // namespace unit_bad_commands
