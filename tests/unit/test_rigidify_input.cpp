// SPDX-License-Identifier: MIT
// Rigid joints: all and none of the joints, what is refused, brakes, and the rule that chooses.
#include <kinecast/dynamics/factor.hpp>

#include "../robots/chain.hpp"
#include "rigid_checks.hpp"
#include "unity_main.hpp"

namespace unit_rigidify_input {
namespace {

using namespace kinecast;
using checks::assert_ok;

inline constexpr auto flier =
    robot("flier", link("trunk", on("world"), floating(), body(3.0, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
          link("arm", on("trunk"), revolute(kAxisY), body(1.0, com(0, 0.1, 0), inertia(0.01, 0.01, 0.01))));

constexpr const auto& kRobot = robots::chain<4>;
constexpr int kJoints = 4;
using Set = JointSet<kRobot>;
using Rigid = RigidJoints<kRobot, float>;
using Work = Workspace<kRobot, float>;
using Q = Position<kRobot, float>;
using V = Velocity<kRobot, float>;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

const Q kq{0.3F, -0.4F, 0.9F, 1.7F};
const V kdq{0.5F, 1.5F, -0.5F, 0.25F};
const V ktau{0.1F, -0.2F, 0.05F, 0.3F};

[[gnu::noinline]] Status rigidified(const Q& q, const Set& chosen, Work& work, Rigid& out) {
  return rigidify(model<kRobot, float>, q, chosen, work, out);
}
[[gnu::noinline]] Status accelerate(const Rigid& rigid, const Q& q, const V& dq, const V& tau, Work& work, V& ddq) {
  return forward_dynamics(model<kRobot, float>, rigid, q, dq, tau, work, ddq);
}

// No joint rigid: the same operations in the same order as the full sweeps, so equal to the bit.
void test_none_rigid() {
  Work work;
  Rigid rigid;
  V ddq;
  V full;
  assert_ok(rigidified(kq, Set{}, work, rigid));
  TEST_ASSERT_EQUAL_INT(kJoints, rigid.active);
  assert_ok(accelerate(rigid, kq, kdq, ktau, work, ddq));
  assert_ok((checks::forward<kRobot, float>(kq, kdq, ktau, full)));
  for (int i = 0; i < kJoints; ++i) TEST_ASSERT_TRUE(ddq[i] <= full[i] && ddq[i] >= full[i]);
}

// All joints of a fixed robot: nothing moves, and nothing yields.
void test_all_rigid() {
  Work work;
  Rigid rigid;
  Set chosen;
  for (int b = 0; b < kJoints; ++b) assert_ok(chosen.add(b));
  TEST_ASSERT_EQUAL_INT(kJoints, chosen.count());
  assert_ok(rigidified(kq, chosen, work, rigid));
  TEST_ASSERT_EQUAL_INT(0, rigid.active);
  V ddq = V::Constant(kNaN);
  assert_ok(accelerate(rigid, kq, V::Zero(), ktau, work, ddq));
  FactorRow<kRobot, float> row = {};
  kinecast::Factor{model<kRobot, float>, work}.rows(kJoints - 1, Force<float>{{1, 2, 3}, {4, 5, 6}}, row);
  for (int i = 0; i < kJoints; ++i) TEST_ASSERT_TRUE(std::abs(ddq[i]) + std::abs(row[i]) <= 0);
}

void test_choice_refuses() {
  Set chosen;
  TEST_ASSERT_TRUE(chosen.add(-1) == Status::index_out_of_range);
  TEST_ASSERT_TRUE(chosen.add(kJoints) == Status::index_out_of_range);
  TEST_ASSERT_TRUE(chosen.remove(kJoints) == Status::index_out_of_range);
  TEST_ASSERT_EQUAL_INT(0, chosen.count());
  JointSet<flier> flying;
  TEST_ASSERT_TRUE(flying.add(0) == Status::index_out_of_range);  // the floating joint
  assert_ok(flying.add(1));
  assert_ok(flying.remove(1));
  TEST_ASSERT_EQUAL_INT(0, flying.count());
}

void test_rigidify_refuses() {
  Work work;
  Rigid rigid;
  Set chosen;
  assert_ok(chosen.add(1));
  assert_ok(rigidified(kq, chosen, work, rigid));
  assert_ok(chosen.add(2));
  for (int i = 0; i < kJoints; ++i) {
    Q q = kq;
    q[i] = kNaN;
    TEST_ASSERT_TRUE(rigidified(q, chosen, work, rigid) == Status::non_finite_input);
    q[i] = kInfinity;
    TEST_ASSERT_TRUE(rigidified(q, chosen, work, rigid) == Status::non_finite_input);
    q[i] = 1e30F;
    TEST_ASSERT_TRUE(rigidified(q, chosen, work, rigid) == Status::input_out_of_range);
  }
  TEST_ASSERT_EQUAL_INT(kJoints - 1, rigid.active);  // untouched
  TEST_ASSERT_FALSE(rigid.is_rigid(2));
}

void test_dynamics_refuses() {
  Work work;
  Rigid rigid;
  Set chosen;
  V ddq = V::Constant(7);
  TEST_ASSERT_TRUE(accelerate(rigid, kq, V::Zero(), ktau, work, ddq) == Status::not_ready);
  V stopped = kdq;
  TEST_ASSERT_TRUE(stop_rigid_joints(model<kRobot, float>, rigid, kq, work, stopped) == Status::not_ready);
  assert_ok(chosen.add(1));
  assert_ok(rigidified(kq, chosen, work, rigid));
  TEST_ASSERT_TRUE(accelerate(rigid, kq, kdq, ktau, work, ddq) == Status::input_out_of_range);  // it moves
  TEST_ASSERT_FALSE(work.swept);
  V dq = kdq;
  dq[1] = kNaN;
  TEST_ASSERT_TRUE(accelerate(rigid, kq, dq, ktau, work, ddq) == Status::non_finite_input);
  dq[1] = 0;
  for (int i = 0; i < kJoints; ++i) {
    if (i == 1) continue;
    V bad = dq;
    bad[i] = kNaN;
    TEST_ASSERT_TRUE(accelerate(rigid, kq, bad, ktau, work, ddq) == Status::non_finite_input);
    bad[i] = 1e30F;
    TEST_ASSERT_TRUE(accelerate(rigid, kq, bad, ktau, work, ddq) == Status::input_out_of_range);
    bad = ktau;
    bad[i] = kInfinity;
    TEST_ASSERT_TRUE(accelerate(rigid, kq, dq, bad, work, ddq) == Status::non_finite_input);
    Q q = kq;
    q[i] = kNaN;
    TEST_ASSERT_TRUE(accelerate(rigid, q, dq, ktau, work, ddq) == Status::non_finite_input);
  }
  for (int i = 0; i < kJoints; ++i) TEST_ASSERT_TRUE(ddq[i] <= 7 && ddq[i] >= 7);
  // What a rigid joint is told has no part in it.
  V tau = ktau;
  Q q = kq;
  tau[1] = kNaN;
  q[1] = kNaN;
  V same;
  assert_ok(accelerate(rigid, kq, dq, ktau, work, same));
  assert_ok(accelerate(rigid, q, dq, tau, work, ddq));
  for (int i = 0; i < kJoints; ++i) TEST_ASSERT_TRUE(ddq[i] <= same[i] && ddq[i] >= same[i]);
}

// ---- brakes ---------------------------------------------------------------------------------------------------------------------

// Brakes that close keep the momentum along the other joints, M_aa dq_a+ = M_aa dq_a + M_ar dq_r, and take energy.
void test_brakes_keep_momentum() {
  Work work;
  Rigid rigid;
  Set chosen;
  assert_ok(chosen.add(0));
  assert_ok(chosen.add(2));
  assert_ok(rigidified(kq, chosen, work, rigid));
  V dq = kdq;
  assert_ok(stop_rigid_joints(model<kRobot, float>, rigid, kq, work, dq));
  checks::Truth<kRobot>& exact = checks::truth<kRobot>();
  double q64[kJoints];
  for (int i = 0; i < kJoints; ++i) q64[i] = static_cast<double>(kq[i]);
  exact.place(q64);
  exact.at.find_mass_matrix();
  double before[kJoints] = {};
  double after[kJoints] = {};
  double energy_before = 0;
  double energy_after = 0;
  for (int i = 0; i < kJoints; ++i) {
    for (int j = 0; j < kJoints; ++j) {
      before[i] += exact.at.M[i][j] * static_cast<double>(kdq[j]);
      after[i] += exact.at.M[i][j] * static_cast<double>(dq[j]);
    }
    energy_before += 0.5 * before[i] * static_cast<double>(kdq[i]);
    energy_after += 0.5 * after[i] * static_cast<double>(dq[i]);
  }
  // 40 roundings of the largest momentum: two sweeps.
  for (const int i : {1, 3})
    TEST_ASSERT_DOUBLE_WITHIN(40 * measure::kEps<float> * measure::largest(before, kJoints), before[i], after[i]);
  for (const int i : {0, 2}) TEST_ASSERT_TRUE(std::abs(dq[i]) <= 0);
  TEST_ASSERT_TRUE(energy_after < energy_before);
}

// ---- the rule -------------------------------------------------------------------------------------------------------------------

using Rule = RigidityRule<kRobot, float>;

[[gnu::noinline]] int change(const Rule& rule, const V& dq, const V& ddq, Set& chosen) {
  int changed = -1;
  assert_ok(choose_rigid(rule, dq, ddq, chosen, changed));
  return changed;
}

void test_rule_has_hysteresis() {
  Rule rule;
  rule.rest = 0.1F, rule.wake = 0.3F, rule.horizon_s = 0.02F;
  rule.weight[2] = 10;
  Set chosen;
  const V slow = V::Constant(0.05F);
  TEST_ASSERT_EQUAL_INT(3, change(rule, slow, V::Zero(), chosen));
  TEST_ASSERT_FALSE(chosen.has(2));  // it weighs more
  // Between the two nothing changes, whichever way it got there, and be it by speed or by acceleration.
  for (const float speed : {0.11F, 0.29F, 0.11F, 0.29F}) {
    TEST_ASSERT_EQUAL_INT(0, change(rule, V::Constant(speed), V::Zero(), chosen));
    TEST_ASSERT_EQUAL_INT(0, change(rule, V::Zero(), V::Constant(speed / 0.02F), chosen));
  }
  TEST_ASSERT_EQUAL_INT(3, change(rule, V::Zero(), V::Constant(16), chosen));  // 0.32
  TEST_ASSERT_EQUAL_INT(0, chosen.count());
  for (const float speed : {0.29F, 0.11F})
    TEST_ASSERT_EQUAL_INT(0, change(rule, V::Constant(speed), V::Zero(), chosen));
}

// A joint that creeps against its damper, dq = load / c, becomes rigid and stays so although its load could start it: the horizon
// keeps to the bound that the rule names, and with three times that it comes and goes.
int changes_of_a_creeping_joint(float horizon_s) {
  constexpr float kDamper = 0.5F;
  constexpr float kInertia = 0.01F;
  constexpr float kLoad = 0.04F;
  Rule rule;
  rule.rest = 0.1F, rule.wake = 0.2F, rule.horizon_s = horizon_s;
  Set chosen;
  int changes = 0;
  V dq = V::Zero();
  V ddq = V::Zero();
  dq[0] = kLoad / kDamper;
  for (int i = 0; i < 20; ++i) {
    ddq[0] = (kLoad - kDamper * dq[0]) / kInertia;
    const bool was = chosen.has(0);
    (void)change(rule, dq, ddq, chosen);
    changes += chosen.has(0) != was ? 1 : 0;
    dq[0] = chosen.has(0) ? 0 : kLoad / kDamper;  // in between it has had time to stop, or to come back to its creep
  }
  return changes;
}
void test_rule_does_not_chatter() {
  constexpr float kBound = (0.2F / 0.1F) * (0.01F / 0.5F);
  TEST_ASSERT_EQUAL_INT(1, changes_of_a_creeping_joint(kBound));
  TEST_ASSERT_TRUE(changes_of_a_creeping_joint(3 * kBound) > 1);
}

void test_rule_refuses() {
  Rule rule;
  rule.rest = 0.1F, rule.wake = 0.3F, rule.horizon_s = 0.02F;
  Set chosen;
  int changed = -1;
  V bad = V::Zero();
  bad[3] = kNaN;
  const V zero = V::Zero();
  TEST_ASSERT_TRUE(choose_rigid(rule, bad, zero, chosen, changed) == Status::non_finite_input);
  TEST_ASSERT_TRUE(choose_rigid(rule, zero, bad, chosen, changed) == Status::non_finite_input);
  Rule other = rule;
  other.rest = kNaN;
  TEST_ASSERT_TRUE(choose_rigid(other, zero, zero, chosen, changed) == Status::non_finite_input);
  other = rule;
  other.rest = 0.4F;  // above wake
  TEST_ASSERT_TRUE(choose_rigid(other, zero, zero, chosen, changed) == Status::input_out_of_range);
  other = rule;
  other.horizon_s = -1;
  TEST_ASSERT_TRUE(choose_rigid(other, zero, zero, chosen, changed) == Status::input_out_of_range);
  other = rule;
  other.weight[1] = -1;
  TEST_ASSERT_TRUE(choose_rigid(other, zero, zero, chosen, changed) == Status::input_out_of_range);
  TEST_ASSERT_EQUAL_INT(-1, changed);
  TEST_ASSERT_EQUAL_INT(0, chosen.count());
}

}  // namespace

KINECAST_SUITE(rigidify_input, test_none_rigid, test_all_rigid, test_choice_refuses, test_rigidify_refuses,
               test_dynamics_refuses, test_brakes_keep_momentum, test_rule_has_hysteresis, test_rule_does_not_chatter,
               test_rule_refuses)

}  // namespace unit_rigidify_input
