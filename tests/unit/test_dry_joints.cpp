// SPDX-License-Identifier: MIT
// Dry friction of joints beside contacts, with implicit friction (method 5.3, 16). A peg stands on the ground all the time, so that
// the solver finds the friction of an arm in the air too; each step of it is held against the dense equations and Coulomb's law:
//
//   M (dq+ - dq)/dt + b = tau + f;   dq+ = 0 and |f| <= stiction, or f = -sign(dq+) times the kinetic friction at |dq|
//
// with the friction f that is reported. And a hand that is pressed on the ground, and joints that stick in a loop of loads.
#include "contact_scenes.hpp"
#include "unity_main.hpp"

namespace unit_dry_joints {
namespace {

using namespace touching;
using kinecast::Implicit;
using measure::f64;

// Friction of other size in each direction; from each to the next.
struct Dry {
  double coulomb_forward;
  double coulomb_backward;
  double stiction;  // over Coulomb's, of both
};
constexpr Dry kDry[3] = {{0.4, 0.6, 1.3}, {0.25, 0.2, 1.2}, {0.05, 0.08, 1.5}};
constexpr double kStribeck = 20;
constexpr double kViscous = 0.02;

constexpr auto friction_of(const Dry& dry) {
  using namespace kinecast;
  return at_joint(coulomb(forward(dry.coulomb_forward), backward(dry.coulomb_backward)),
                  stiction(forward(dry.stiction * dry.coulomb_forward), backward(dry.stiction * dry.coulomb_backward)),
                  stribeck(kStribeck), viscous(kViscous));
}
constexpr auto make_arm_and_peg() {
  using namespace kinecast;
  constexpr auto kLump = inertia(0.004, 0.005, 0.003, 0.0005, 0.0002, 0.0003);
  return robot("arm and peg",
               link("upper", on("world"), revolute(kAxisY), at(0, 0, 1), torque_driven(), friction_of(kDry[0]),
                    body(0.4, com(0.05, 0.1, -0.1), kLump)),
               link("lower", on("upper"), revolute({0.6, 0.8, 0}), at(0, 0, -0.3), torque_driven(),
                    friction_of(kDry[1]), body(0.3, com(0.02, 0, -0.1), kLump)),
               link("hand", on("lower"), revolute(kAxisX), at(0, 0, -0.2), torque_driven(), friction_of(kDry[2]),
                    body(0.2, com(0, 0.02, -0.05), kLump)),
               link("peg", floating(), body(1, com(0, 0, 0), inertia(1e-3, 1e-3, 1e-3))),
               contact_box(on("peg"), size(0.1, 0.1, 0.1)));
}
inline constexpr auto arm = make_arm_and_peg();
inline constexpr auto ground =
    kinecast::environment(kinecast::half_space("ground", kinecast::material(kinecast::friction(0.5))));

struct Misfits {
  Worst balance;   // N.m
  Worst standing;  // friction beyond stiction, N.m
  Worst sliding;   // friction against the kinetic one, N.m
  int stuck{0};
  int slid{0};
};

template <class S, class P>
void see_step(const P& p, const State<arm, S>& before, const Command<arm, S>& tau, double dt, Misfits& out) {
  auto& exact = checks::truth<arm>();
  (void)checks::begin_balance<arm, S>(before, p.state(), dt);
  for (int j = 0; j < 3; ++j) {
    const double f = f64(p.report().friction_Nm[j]);
    out.balance.see(exact.force[j] - f64(tau[j]) - f);
    const double dq = f64(before.dq[j]);
    const double next = f64(p.state().dq[j]);
    const double dry = f + kViscous * next;  // viscous friction is implicit
    const Dry& d = kDry[j];
    const double coulomb = dry < 0 ? d.coulomb_forward : d.coulomb_backward;
    // An acceleration of -dq/dt leaves the rounding of dq.
    if (std::abs(next) > 2 * kEps<S> * std::abs(dq)) {
      ++out.slid;
      out.sliding.see(dry +
                      std::copysign(coulomb * (1 + (d.stiction - 1) * std::exp(-kStribeck * std::abs(dq))), next));
      // What moves less than a hundredth of what its friction alone could move it, of 0.02 kg m² or more, counts as standing.
      if (std::abs(next) > 0.01 * dt * std::abs(f) / 2e-3) TEST_ASSERT_FALSE(p.report().held(j));
    } else {
      ++out.stuck;
      out.standing.see(std::fmax(0.0, std::abs(dry) - d.stiction * coulomb));
      TEST_ASSERT_TRUE(p.report().held(j));
    }
  }
}

// Torques that swell and turn around: joints stick, break away and stop, one by one and together; steps of other durations.
template <class S>
void check_arm() {
  auto& p = fresh<Predictor<arm, S, Contacts<ground, 8, Implicit>>>();
  State<arm, S> start = zero_state<arm, S>();
  place(start, 3, {1, 0, 0.05}, {0, 0, 0.3});
  start.dq[0] = S(2), start.dq[2] = S(-4);
  assert_ok(p.reset(start));
  for (int i = 0; i < 5; ++i) assert_ok(p.step(nothing<arm, S>(), S(1e-3)));  // the peg stands
  Misfits m;
  for (int i = 0; i < 2000; ++i) {
    const S dt = static_cast<S>(i % 7 == 0 ? 2e-3 : 1e-3);
    Command<arm, S> tau = nothing<arm, S>();
    tau[0] = static_cast<S>(1.2 * std::sin(0.011 * i)), tau[1] = static_cast<S>(0.6 * std::sin(0.017 * i + 1));
    tau[2] = static_cast<S>(0.15 * std::sin(0.023 * i + 2));
    const State<arm, S> before = p.state();
    assert_ok(p.step(tau, dt));
    see_step<S>(p, before, tau, static_cast<double>(dt), m);
  }
  TEST_ASSERT_TRUE(m.stuck > 500 && m.slid > 500);
  // A joint that sticks is put to rest exactly, from what four sweeps leave of a compliance of 1e-4 (1e-8) of its mobility.
  assert_small<S>(measure::bound<S>(1e-4, 1e-8), m.balance, "arm", "balance, N.m");
  assert_small<S>(measure::bound<S>(1e-4, 1e-9), m.standing, "arm", "stiction, N.m");
  assert_small<S>(measure::bound<S>(5e-4, 1e-8), m.sliding, "arm", "kinetic friction, N.m");
}
void test_arm() {
  check_arm<float>();
  if constexpr (measure::kInDouble) check_arm<double>();
}

// Under loads that stay the arm stays: what a joint held is what it holds, so that the compliance of its row leaves nothing to take
// out, and the dense equations hold to rounding, whatever the durations of the steps.
void test_loads_that_stay() {
  auto& p = fresh<Predictor<arm, float, Contacts<ground, 8, Implicit>>>();
  State<arm, float> start = zero_state<arm, float>();
  place(start, 3, {1, 0, 0.05}, {0, 0, 0.3});
  assert_ok(p.reset(start));
  Command<arm, float> tau = nothing<arm, float>();
  tau[0] = 0.15F, tau[1] = -0.1F, tau[2] = 0.02F;
  Misfits m;
  for (int i = 0; i < 60; ++i) {
    const float dt = i % 3 == 0 ? 3e-3F : 1e-3F;
    const State<arm, float> before = p.state();
    assert_ok(p.step(tau, dt));
    if (i >= 30) see_step<float>(p, before, tau, static_cast<double>(dt), m);
  }
  TEST_ASSERT_TRUE(m.slid == 0 && m.stuck == 90);
  assert_below<float>(2e-6, m.balance, "loads that stay", "balance, N.m");  // of 0.5 N.m
  // The peg is lifted: in the step in which nothing holds any more, the joints hold their loads as before.
  State<arm, float> lifted = p.state();
  place(lifted, 3, {1, 0, 0.5}, {0, 0, 0.3});
  assert_ok(p.correct(lifted));
  assert_ok(p.step(tau, 1e-3F));
  TEST_ASSERT_EQUAL_INT(0, p.contact_report().count);
  for (int j = 0; j < 3; ++j) TEST_ASSERT_TRUE(p.report().held(j) && !(p.state().dq[j] < 0 || p.state().dq[j] > 0));
}

// Joints that slide all the time start as such: one system a step, and no second solution for their kinetic friction.
void test_effort() {
  auto& p = fresh<Predictor<arm, float, Contacts<ground, 8, Implicit>>>();
  State<arm, float> start = zero_state<arm, float>();
  place(start, 3, {1, 0, 0.05}, {0, 0, 0.3});
  assert_ok(p.reset(start));
  for (int i = 0; i < 10; ++i) assert_ok(p.step(nothing<arm, float>(), 1e-3F));  // the peg stands
  State<arm, float> fast = p.state();
  fast.dq[0] = 3, fast.dq[1] = -4, fast.dq[2] = 8;
  assert_ok(p.correct(fast));
  for (int i = 0; i < 20; ++i) {
    assert_ok(p.step(nothing<arm, float>(), 1e-3F));
    TEST_ASSERT_EQUAL_INT(1, p.contact_report().passes);
  }
}

// A chain that is stretched out and does not give way: five joints that move each other, so that what the compliance of their rows
// would leave in each step, 1e-4 of the loads, is more than a few sweeps over them take out.
constexpr auto make_chain() {
  using namespace kinecast;
  constexpr auto kRod = body(0.2, com(0.1, 0, 0), inertia(1e-4, 7e-4, 7e-4));
  constexpr auto kRust = at_joint(stiction(5), coulomb(5));
  return robot("chain", link("a", on("world"), revolute(kAxisY), at(0, 0, 1), torque_driven(), kRust, kRod),
               link("b", on("a"), revolute(kAxisY), at(0.2, 0, 0), torque_driven(), kRust, kRod),
               link("c", on("b"), revolute(kAxisY), at(0.2, 0, 0), torque_driven(), kRust, kRod),
               link("d", on("c"), revolute(kAxisY), at(0.2, 0, 0), torque_driven(), kRust, kRod),
               link("e", on("d"), revolute(kAxisY), at(0.2, 0, 0), torque_driven(), kRust, kRod),
               link("peg", floating(), body(1, com(0, 0, 0), inertia(1e-3, 1e-3, 1e-3))),
               contact_box(on("peg"), size(0.1, 0.1, 0.1)));
}
inline constexpr auto chain = make_chain();
void test_chain_that_stays() {
  auto& p = fresh<Predictor<chain, float, Contacts<ground, 8, Implicit>>>();
  State<chain, float> start = zero_state<chain, float>();
  place(start, 5, {2, 0, 0.05}, {0, 0, 0.3});
  assert_ok(p.reset(start));
  Worst balance;
  for (int i = 0; i < 60; ++i) {
    assert_ok(p.step(nothing<chain, float>(), i % 3 == 0 ? 3e-3F : 1e-3F));
    for (int j = 0; j < 5 && i >= 30; ++j) {
      // The links outside of joint j, 0.2 m each: m g (0.1 + 0.3 + ...).
      const double weight_Nm = 0.2 * kGravity * 0.1 * (5 - j) * (5 - j);
      balance.see((-f64(p.report().friction_Nm[j]) - weight_Nm) / weight_Nm);
      TEST_ASSERT_DOUBLE_WITHIN(0, 0, f64(p.state().dq[j]));
    }
  }
  assert_below<float>(1e-5, balance, "chain", "friction against weight");
}

// A rod whose hinge has friction is pressed on the ground with more than friction holds: the ground carries the rest, or all but
// kinetic friction, and the joint, which only the ground's compliance moves, counts as held. Turned around, it leaves.
constexpr auto make_presser() {
  using namespace kinecast;
  return robot("presser",
               link("rod", on("world"), revolute(kAxisY), at(0, 0, 0.1), torque_driven(),
                    at_joint(stiction(0.5), coulomb(0.4)), body(0.5, com(0.15, 0, 0), inertia(1e-3, 4e-3, 4e-3))),
               contact_point("tip", on("rod"), at(0.3, 0, 0)));
}
inline constexpr auto presser = make_presser();
template <class S>
void check_pressed() {
  auto& p = fresh<Predictor<presser, S, Contacts<ground, 1, Implicit>>>();
  State<presser, S> start = zero_state<presser, S>();
  start.q[0] = static_cast<S>(std::asin(1.0 / 3));
  assert_ok(p.reset(start));
  Command<presser, S> tau = nothing<presser, S>();
  for (int i = 0; i < 100; ++i) {
    tau[0] = static_cast<S>(0.03 * i);
    assert_ok(p.step(tau, static_cast<S>(1e-3)));
    if (i < 20) continue;
    TEST_ASSERT_TRUE(p.report().held(0));
    TEST_ASSERT_TRUE(std::abs(f64(p.report().friction_Nm[0])) <= 0.5 * (1 + 1e-4));
  }
  const auto& contact = p.contact_report()[0];
  // Moments about the hinge: the ground's force, with friction along x at 0.1 m below it.
  const double lever = 0.3 * std::cos(std::asin(1.0 / 3));
  const double ground_Nm = -lever * f64(contact.force_N.z) - 0.1 * f64(contact.force_N.x);
  const double weight_Nm = 0.5 * kGravity * 0.5 * lever;
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, f64(tau[0]) + weight_Nm + ground_Nm + f64(p.report().friction_Nm[0]));
  tau[0] = S(-3);
  for (int i = 0; i < 20; ++i) assert_ok(p.step(tau, static_cast<S>(1e-3)));
  TEST_ASSERT_FALSE(p.report().held(0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.4, f64(p.report().friction_Nm[0]));
  TEST_ASSERT_TRUE(p.state().dq[0] < S(-0.1));
}
void test_pressed() {
  check_pressed<float>();
  if constexpr (measure::kInDouble) check_pressed<double>();
}

}  // namespace

KINECAST_SUITE(dry_joints, test_arm, test_loads_that_stay, test_effort, test_chain_that_stays, test_pressed)

}  // namespace unit_dry_joints
