// SPDX-License-Identifier: MIT
// What a run must keep: energy of a pendulum, energy and angular momentum of a spinning body, momentum of a free robot, the
// balance of power and energy, unit quaternions.
#include <kinecast/kinecast.hpp>

#include "../support/balances.hpp"
#include "measure.hpp"
#include "robot_checks.hpp"
#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_conservation {
namespace {

using kinecast::State;
using measure::assert_below;
using measure::Worst;
using support::energy;
using support::momentum;

template <const auto& R, class S>
[[gnu::noinline]] void gill(const checks::Vel<R, S>& tau, S dt, State<R, S>& state) {
  checks::assert_ok(kinecast::step_gill(kinecast::model<R, S>, tau, dt, checks::workspace<R, S>(), state));
}
template <const auto& R, class S>
[[gnu::noinline]] void symplectic(const checks::Vel<R, S>& tau, S dt, State<R, S>& state) {
  checks::assert_ok(kinecast::step_symplectic(kinecast::model<R, S>, tau, dt, checks::workspace<R, S>(), state));
}

constexpr auto make_pendulum() {
  using namespace kinecast;
  return robot("pendulum", link("rod", revolute(kAxisY), body(0.8, com(0, 0, -0.5), inertia(0.02, 0.02, 0.001))));
}
constexpr auto kPendulum = make_pendulum();

// Gill loses energy at fifth order in dt; symplectic Euler keeps it within a band that is first order and does not grow.
void test_pendulum_energy() {
  const auto none = checks::Vel<kPendulum, double>::Zero().eval();
  const auto drift = [&](double dt, int steps) {
    State<kPendulum, double> state = kinecast::zero_state<kPendulum, double>();
    state.q[0] = 1.5;
    const double before = energy<kPendulum, double>(state);
    for (int i = 0; i < steps; ++i) gill<kPendulum, double>(none, dt, state);
    return std::abs(energy<kPendulum, double>(state) - before);
  };
  const double rough = drift(0.02, 500);
  const double fine = drift(0.01, 1000);
  TEST_ASSERT_TRUE(fine > 1e-13);  // else rounding is compared
  TEST_ASSERT_TRUE(rough / fine > 14);

  const auto band = [&](double dt) {
    State<kPendulum, double> state = kinecast::zero_state<kPendulum, double>();
    state.q[0] = 1.5;
    const double before = energy<kPendulum, double>(state);
    const int steps = 2500 * (measure::kEffort > 4 ? 4 : 1);
    double early = 0;
    double late = 0;
    for (int i = 0; i < steps; ++i) {
      symplectic<kPendulum, double>(none, dt, state);
      const double error = std::abs(energy<kPendulum, double>(state) - before);
      double& half = i < steps / 2 ? early : late;
      half = std::fmax(half, error);
    }
    TEST_ASSERT_TRUE(late < 1.05 * early);
    return early;
  };
  TEST_ASSERT_DOUBLE_WITHIN(0.2, 2.0, band(0.004) / band(0.002));
}

// No torque, no gravity: energy and angular momentum stay, in size and direction, and the quaternion stays unit. Spun about
// its middle axis, which is unstable: the body tumbles.
constexpr auto make_tumbler() {
  using namespace kinecast;
  return robot("tumbler", gravity(0, 0, 0),
               link("body", floating(), body(2.0, com(0.05, -0.02, 0.03), inertia(0.02, 0.03, 0.04))));
}
constexpr auto kTumbler = make_tumbler();

template <class S>
void check_tumbler(double kept) {
  const checks::Vel<kTumbler, S> none = checks::Vel<kTumbler, S>::Zero();
  State<kTumbler, S> state = kinecast::zero_state<kTumbler, S>();
  state.dq[3] = S(0.05), state.dq[4] = S(3), state.dq[5] = S(0.02);
  state.dq[0] = S(0.1);
  const double before = energy<kTumbler, S>(state);
  const kinecast::Momentum<S> first = momentum<kTumbler, S>(state);
  const int steps = measure::kEffort > 1 ? 10000 : 1000;
  Worst length;
  bool tumbled = false;
  for (int i = 0; i < steps; ++i) {
    gill<kTumbler, S>(none, S(2e-3), state);
    const double square = static_cast<double>(state.q[3] * state.q[3] + state.q[4] * state.q[4] +
                                              state.q[5] * state.q[5] + state.q[6] * state.q[6]);
    length.see(square - 1);
    const kinecast::Mat3<S> m =
        kinecast::to_matrix(kinecast::Quaternion<S>{state.q[3], state.q[4], state.q[5], state.q[6]});
    if (m.row_y.y < S(-0.8)) tumbled = true;  // its middle axis pointed backwards
  }
  TEST_ASSERT_TRUE(tumbled || steps < 10000);
  const kinecast::Momentum<S> last = momentum<kTumbler, S>(state);
  Worst worst;
  worst.see(before, energy<kTumbler, S>(state), before);
  const double size = static_cast<double>(first.angular_about_com[1]);
  for (int i = 0; i < 3; ++i) {
    worst.see(static_cast<double>(first.angular_about_com[i]), static_cast<double>(last.angular_about_com[i]), size);
    worst.see(static_cast<double>(first.linear[i]), static_cast<double>(last.linear[i]), size);
  }
  assert_below<S>(4 * measure::kEps<S>, length, "tumbling body, quaternion");
  assert_below<S>(kept, worst, "tumbling body, energy and momentum");
}
// Gill: (omega dt)⁴ = 1e-9 over 60 turns. Float: 10 000 steps of rounding add up like a random walk or, at worst, straight.
void test_tumbling_body() {
  check_tumbler<float>(2e-3);
  if constexpr (measure::kInDouble) check_tumbler<double>(1e-8);
}

// A free robot that flails: its joints are driven, and its momentum stays.
constexpr auto make_astronaut() {
  using namespace kinecast;
  constexpr auto kBody = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
  return robot("astronaut", gravity(0, 0, 0), link("trunk", floating(), body(3.0, com(0.01, 0.02, 0.03), kBody)),
               link("arm", on("trunk"), revolute({0.6, 0, 0.8}), at(0.1, 0.2, 0.1), at_joint(rotor_inertia(0.02)),
                    body(0.8, com(0, 0.1, 0.1), kBody)),
               link("slide", on("arm"), prismatic(kAxisX), at(0, 0.2, 0.1), body(0.5, com(0.05, 0, 0), kBody)),
               link("head", on("trunk"), spherical(), at(0, 0, 0.3), body(0.7, com(0.02, 0, 0.1), kBody)));
}
constexpr auto kAstronaut = make_astronaut();

template <class S>
void check_astronaut(double kept) {
  measure::Random random(71);
  State<kAstronaut, S> state = kinecast::zero_state<kAstronaut, S>();
  for (int i = 0; i < state.dq.size(); ++i) state.dq[i] = static_cast<S>(random.within(0.5));
  const kinecast::Momentum<S> first = momentum<kAstronaut, S>(state);
  const int steps = measure::kEffort > 1 ? 500 : 100;
  checks::Vel<kAstronaut, S> tau = checks::Vel<kAstronaut, S>::Zero();
  for (int i = 0; i < steps; ++i) {
    for (int j = 6; j < tau.size(); ++j) tau[j] = static_cast<S>(random.within(0.3));  // no hand from outside
    gill<kAstronaut, S>(tau, S(1e-3), state);
  }
  const kinecast::Momentum<S> last = momentum<kAstronaut, S>(state);
  Worst worst;
  for (int i = 0; i < 3; ++i) {
    worst.see(static_cast<double>(first.linear[i]), static_cast<double>(last.linear[i]), 1);
    worst.see(static_cast<double>(first.angular_about_com[i]), static_cast<double>(last.angular_about_com[i]), 1);
  }
  assert_below<S>(kept, worst, "flailing robot, momentum");
}
// Momenta are of order 1. Gill: dt⁴ times fourth derivatives, 1e-11; float: 500 roundings of 1e-7, adding up at random.
void test_free_robot_momentum() {
  check_astronaut<float>(2e-5);
  if constexpr (measure::kInDouble) check_astronaut<double>(1e-10);
}

// The work of the torques is the gain of energy: tau is constant over a step, so its work is tau (q+ - q) exactly.
template <const auto& R, class S>
void check_power(double kept) {
  measure::Random random(72);
  State<R, S> state = kinecast::zero_state<R, S>();
  const double before = energy<R, S>(state);
  double work = 0;
  double passed = 0;  // whatever the sign
  checks::Vel<R, S> tau = checks::Vel<R, S>::Zero();
  const int steps = measure::kEffort > 1 ? 1000 : 100;
  for (int i = 0; i < steps; ++i) {
    if (i % 20 == 0)
      for (int j = 0; j < tau.size(); ++j) tau[j] = static_cast<S>(random.within(2));
    const State<R, S> last = state;
    gill<R, S>(tau, S(1e-3), state);
    for (int j = 0; j < tau.size(); ++j) {
      const double share =
          static_cast<double>(tau[j]) * (static_cast<double>(state.q[j]) - static_cast<double>(last.q[j]));
      work += share;
      passed += std::abs(share);
    }
  }
  Worst worst;
  worst.see(before + work, energy<R, S>(state), passed);
  TEST_ASSERT_TRUE(passed > 0.1);
  assert_below<S>(kept, worst, "power balance");
}
// Relative to all the work that went in and out. Gill at joints that reach 20 rad/s: 1e-9. Float: q moves by 1e-3 per step
// and is rounded to 1e-7, 1e-4 of the step's work, at random over 1000 steps.
void test_power_balance() {
  check_power<small::two_roots, float>(1e-3);
  if constexpr (measure::kInDouble) check_power<small::two_roots, double>(1e-8);
}

}  // namespace

KINECAST_SUITE(conservation, test_pendulum_energy, test_tumbling_body, test_free_robot_momentum, test_power_balance)

}  // namespace unit_conservation
