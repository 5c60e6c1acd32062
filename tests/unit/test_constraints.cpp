// SPDX-License-Identifier: MIT
// Prescribed motion (control/constraints.hpp): statics, the dense truth's Jacobians and inertia (dense_reference.hpp),
// momentum at an impact, a body on four corners; demands that depend on each other or contradict each other; bad input.
#include <kinecast/control/constraints.hpp>
#include <kinecast/kinecast.hpp>

#include "../robots/arm6.hpp"
#include "../robots/zoo.hpp"
#include "robot_truth.hpp"
#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_constraints {
namespace {

using checks::assert_ok;
using checks::Sample;
using kinecast::ConstraintResult;
using kinecast::Constraints;
using kinecast::model;
using kinecast::MotionRow;
using kinecast::row_between;
using kinecast::row_of_joint;
using kinecast::row_of_point;
using kinecast::Status;
using kinecast::Vector;
using measure::kEffort;
using measure::Worst;

// Six joints between the world and the tip: each rounds a row by a few epsilon (oracle.golden_constraints: 1e-6 of its
// length in float), and the wrist's light links, 1 : 5000 against the arm, let a hundred times that through to the
// forces.
template <class S>
constexpr double kBound = 1600 * measure::kEps<S>;

template <const auto& R, class S>
struct Bench {
  Sample<R, S> s;
  kinecast::Velocity<R, S> ddq;
  kinecast::Workspace<R, S>& work = checks::workspace<R, S>();

  void draw(measure::Random& random) {
    checks::draw(random, {}, s);
    sweep();
  }
  void rest() {
    s.dq.setZero();
    s.tau.setZero();
    for (double& x : s.dq64) x = 0;
    for (double& x : s.tau64) x = 0;
    sweep();
  }
  void sweep() { assert_ok(checks::forward<R, S>(s.q, s.dq, s.tau, ddq)); }

  template <int Rows, int Forces>
  [[nodiscard]] Status accelerate(const Constraints<S, Rows, Forces>& set,
                                  ConstraintResult<R, S, Rows, Forces>& result) {
    return constrain_accelerations(model<R, S>, s.dq, ddq, set, work, result);
  }
};

template <class S>
[[nodiscard]] Vector<S, 3> vector3(double x, double y, double z) {
  return {static_cast<S>(x), static_cast<S>(y), static_cast<S>(z)};
}
template <const auto& R, class S>
[[nodiscard]] kinecast::PointOnBody<S> point(int link, double x, double y, double z) {
  return kinecast::point_on_link<R, S>(model<R, S>, link, vector3<S>(x, y, z));
}
template <class V>
[[nodiscard]] double at(const V& v, int i) {
  return static_cast<double>(v.data()[i]);
}

// How a point of a link accelerates, from the textbook, after move().
template <const auto& R>
[[nodiscard]] dense::Vec acceleration_of(int link, const dense::Vec& in_link) {
  const dense::Reference<R>& truth = checks::truth<R>().at;
  const dense::Vec arm = truth.rot[link] * in_link;
  return truth.acc[link] + cross(truth.alpha[link], arm) + cross(truth.w[link], cross(truth.w[link], arm));
}

constexpr int kTip = 5;  // of arm6
constexpr dense::Vec kTool{{0.01, 0.0823, 0.02}};

// ---- truths
// -------------------------------------------------------------------------------------------------------------

// All joints held at rest: their torques are those of gravity, and nothing moves.
template <class S>
void check_statics() {
  static Bench<robots::arm6, S> bench;
  static ConstraintResult<robots::arm6, S, 6> result;
  measure::Random random(1);
  Worst torque;
  Worst still;
  auto& truth = checks::truth<robots::arm6>();
  for (int n = 0; n < kEffort; ++n) {
    bench.draw(random);
    bench.rest();
    Constraints<S, 6> set;
    for (int i = 0; i < 6; ++i) set.equal(row_of_joint(model<robots::arm6, S>, i), S(0));
    assert_ok(bench.accelerate(set, result));
    TEST_ASSERT_EQUAL_INT(6, result.rank);
    truth.place(bench.s.q64);
    truth.find_torque(bench.s.dq64, nullptr);
    measure::compare(truth.force, result.force.data(), 6, torque);
    const double free = measure::largest(bench.ddq, 6);
    for (int i = 0; i < 6; ++i) still.see(0, at(result.rates, i), free);
  }
  measure::assert_below<S>(kBound<S>, torque, "holding torques against statics");
  measure::assert_below<S>(kBound<S>, still, "accelerations that are left");
}
void test_statics() {
  check_statics<float>();
  if constexpr (measure::kInDouble) check_statics<double>();
}

// A joint, a point and one body relative to another, against K = J M⁻¹ Jᵀ and ddq = ddq0 + M⁻¹ Jᵀ f of the textbook.
struct DenseRows {
  double K[3][3];
  double side[3];
};
template <const auto& R>
void find_dense(const double (&J)[3][dense::Reference<R>::kDofSize], const double* y0, const double* target,
                DenseRows& out, double (&solved)[3][dense::Reference<R>::kDofSize]) {
  auto& truth = checks::truth<R>();
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < truth.kDofs; ++k) solved[i][k] = J[i][k];
    dense::solve(truth.L, solved[i]);
  }
  for (int i = 0; i < 3; ++i) {
    out.side[i] = target[i] - y0[i];
    for (int j = 0; j < 3; ++j) {
      out.K[i][j] = 0;
      for (int k = 0; k < truth.kDofs; ++k) out.K[i][j] += J[i][k] * solved[j][k];
    }
  }
}
template <const auto& R, class S>
void check_dense(int joint_link, int link_a, int link_b, const char* name) {
  static Bench<R, S> bench;
  static ConstraintResult<R, S, 3> result;
  static double J[3][dense::Reference<R>::kDofSize];
  static double solved[3][dense::Reference<R>::kDofSize];
  static double J6[6][dense::Reference<R>::kDofSize];
  measure::Random random(2);
  Worst force;
  Worst rates;
  auto& truth = checks::truth<R>();
  constexpr dense::Vec kPlace[2] = {{{0.1, -0.2, 0.15}}, {{-0.05, 0.1, 0.2}}};
  const dense::Vec direction[2] = {{{0.6, 0, 0.8}}, {{0, -0.8, 0.6}}};
  const double target[3] = {1.5, -2, 0.5};
  const auto place = [](int link, const dense::Vec& p) { return point<R, S>(link, p[0], p[1], p[2]); };
  const auto along = [&](int i) { return vector3<S>(direction[i][0], direction[i][1], direction[i][2]); };
  for (int n = 0; n < kEffort; ++n) {
    bench.draw(random);
    Constraints<S, 3> set;
    set.equal(row_of_joint(model<R, S>, joint_link), static_cast<S>(target[0]));
    set.equal(row_of_point(place(link_a, kPlace[0]), along(0)), static_cast<S>(target[1]));
    set.equal(row_between(place(link_a, kPlace[1]), place(link_b, kPlace[0]), along(1)), static_cast<S>(target[2]));
    assert_ok(bench.accelerate(set, result));

    truth.place(bench.s.q64);
    truth.find_acceleration(bench.s.dq64, bench.s.tau64, nullptr);
    double free[dense::Reference<R>::kDofSize];
    for (int k = 0; k < truth.kDofs; ++k) free[k] = truth.force[k];
    truth.at.move(bench.s.dq64, free);
    const double y0[3] = {
        free[truth.at.entry(joint_link).v], dot(acceleration_of<R>(link_a, kPlace[0]), direction[0]),
        dot(acceleration_of<R>(link_a, kPlace[1]) - acceleration_of<R>(link_b, kPlace[0]), direction[1])};
    for (int k = 0; k < truth.kDofs; ++k) J[0][k] = J[1][k] = J[2][k] = 0;
    J[0][truth.at.entry(joint_link).v] = 1;
    const auto add = [&](int row, int link, const dense::Vec& p, const dense::Vec& d, double sign) {
      truth.at.jacobian(link, truth.at.point(link, p), J6);
      for (int k = 0; k < truth.kDofs; ++k) J[row][k] += sign * (d[0] * J6[3][k] + d[1] * J6[4][k] + d[2] * J6[5][k]);
    };
    add(1, link_a, kPlace[0], direction[0], 1);
    add(2, link_a, kPlace[1], direction[1], 1);
    add(2, link_b, kPlace[0], direction[1], -1);
    DenseRows rows;
    find_dense<R>(J, y0, target, rows, solved);
    TEST_ASSERT_TRUE(dense::factor(rows.K));
    dense::solve(rows.K, rows.side);
    measure::compare(rows.side, result.force.data(), 3, force);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < truth.kDofs; ++k) free[k] += solved[i][k] * rows.side[i];
    measure::compare(free, result.rates, truth.kDofs, rates);
  }
  measure::assert_below<S>(kBound<S>, force, "forces against the dense solution", name);
  measure::assert_below<S>(kBound<S>, rates, "accelerations against the dense solution", name);
}
void test_dense() {
  check_dense<robots::arm6, float>(1, 4, 2, "arm6");
  if constexpr (measure::kInDouble) check_dense<robots::arm6, double>(1, 4, 2, "arm6");
  check_dense<robots::zoo, float>(2, 7, 5, "zoo");  // slider; after the ball; welded tip
  if constexpr (measure::kInDouble) check_dense<robots::zoo, double>(2, 7, 5, "zoo");
}

// The tip of an arm that moves is to accelerate as told: with the ddq that comes out it does, says the textbook. First
// by forces at the tip, then by the torques of three joints, then of all six: the shortest ones.
template <class S>
void check_tip() {
  static Bench<robots::arm6, S> bench;
  static ConstraintResult<robots::arm6, S, 3, 6> result;
  measure::Random random(3);
  Worst reached;
  Worst shorter;
  auto& truth = checks::truth<robots::arm6>();
  const double target[3] = {1, -2, 3};
  for (int n = 0; n < kEffort; ++n) {
    bench.draw(random);
    double length[2] = {};
    for (const int torques : {0, 3, 6}) {
      Constraints<S, 3, 6> set;
      for (int i = 0; i < 3; ++i) {
        const Vector<S, 3> axis = vector3<S>(i == 0 ? 1 : 0, i == 1 ? 1 : 0, i == 2 ? 1 : 0);
        set.equal(row_of_point(point<robots::arm6, S>(kTip, kTool[0], kTool[1], kTool[2]), axis),
                  static_cast<S>(target[i]));
      }
      for (int j = 0; j < torques; ++j) set.steer_by(row_of_joint(model<robots::arm6, S>, j));
      assert_ok(bench.accelerate(set, result));
      double ddq[6];
      for (int k = 0; k < 6; ++k) ddq[k] = at(result.rates, k);
      truth.place(bench.s.q64);
      truth.at.move(bench.s.dq64, ddq);
      const dense::Vec a = acceleration_of<robots::arm6>(kTip, kTool);
      // The joints' shares of it are as large as the fastest link's.
      const double size = 10 + 0.1 * measure::largest(ddq, 6) + 0.1 * measure::largest(bench.ddq, 6);
      for (int i = 0; i < 3; ++i) reached.see(target[i], a[i], size);
      if (torques > 0)
        for (int j = 0; j < torques; ++j) length[torques / 6] += at(result.force, j) * at(result.force, j);
    }
    shorter.see(std::fmax(0, length[1] / length[0] - 1));
  }
  measure::assert_below<S>(kBound<S>, reached, "acceleration of the tip");
  measure::assert_below<S>(kBound<S>, shorter, "six torques longer than three");
}
void test_tip() {
  check_tip<float>();
  if constexpr (measure::kInDouble) check_tip<double>();
}

// Demands that say the same: half the force each, the same motion. Demands that contradict each other: the middle.
template <class S>
void check_dependent() {
  static Bench<robots::arm6, S> bench;
  static ConstraintResult<robots::arm6, S, 3> once;
  static ConstraintResult<robots::arm6, S, 3> twice;
  measure::Random random(4);
  bench.draw(random);
  const MotionRow<S> tip = row_of_point(point<robots::arm6, S>(kTip, 0.1, 0, 0), vector3<S>(0.6, 0, 0.8));
  const MotionRow<S> elbow = row_of_joint(model<robots::arm6, S>, 2);
  Constraints<S, 3> set;
  set.equal(tip, S(2)), set.equal(elbow, S(1));
  assert_ok(bench.accelerate(set, once));
  set = {};
  set.equal(tip, S(2)), set.equal(elbow, S(1)), set.equal(elbow, S(1));
  assert_ok(bench.accelerate(set, twice));
  TEST_ASSERT_EQUAL_INT(2, twice.rank);
  const double size = measure::largest(once.rates, 6);
  const double force = std::abs(at(once.force, 1));
  TEST_ASSERT_DOUBLE_WITHIN(kBound<S> * force, 0.5 * at(once.force, 1), at(twice.force, 1));
  TEST_ASSERT_DOUBLE_WITHIN(kBound<S> * force, 0.5 * at(once.force, 1), at(twice.force, 2));
  for (int k = 0; k < 6; ++k) TEST_ASSERT_DOUBLE_WITHIN(kBound<S> * size, at(once.rates, k), at(twice.rates, k));

  set = {};
  set.equal(elbow, S(3)), set.equal(elbow, S(-1));
  TEST_ASSERT_EQUAL_STRING(sentence(Status::inconsistent), sentence(bench.accelerate(set, twice)));
  TEST_ASSERT_TRUE(ok(Status::inconsistent));
  TEST_ASSERT_EQUAL_INT(1, twice.rank);
  const double scale = measure::largest(bench.ddq, 6);
  for (int i = 0; i < 2; ++i) TEST_ASSERT_DOUBLE_WITHIN(kBound<S> * scale, 1, at(twice.reached, i));
  TEST_ASSERT_DOUBLE_WITHIN(kBound<S> * scale, 1, at(twice.rates, 2));
  TEST_ASSERT_DOUBLE_WITHIN(kBound<S> * scale, std::sqrt(8.0), static_cast<double>(twice.residual));
}
void test_dependent() {
  check_dependent<float>();
  if constexpr (measure::kInDouble) check_dependent<double>();
}

// A torque that cannot move what it is to steer, for it belongs to another tree: no force, and the whole demand is
// missed.
template <class S>
void check_powerless() {
  static Bench<small::two_roots, S> bench;
  static ConstraintResult<small::two_roots, S, 2, 2> result;
  measure::Random random(5);
  bench.draw(random);
  const int flap = 5;
  const int left = 1;
  Constraints<S, 2, 2> set;
  set.equal(row_of_joint(model<small::two_roots, S>, flap), S(4));
  set.steer_by(row_of_joint(model<small::two_roots, S>, left));
  TEST_ASSERT_EQUAL_STRING(sentence(Status::inconsistent), sentence(bench.accelerate(set, result)));
  TEST_ASSERT_EQUAL_INT(0, result.rank);
  TEST_ASSERT_TRUE(std::abs(at(result.force, 0)) <= 0);
  const double free =
      at(bench.ddq, kinecast::Shape<small::two_roots>::v_of(kinecast::Shape<small::two_roots>::body_of_link(flap)));
  TEST_ASSERT_DOUBLE_WITHIN(kBound<S> * (4 + std::abs(free)), std::abs(4 - free), static_cast<double>(result.residual));
  // Its own torque beside it: all of the work.
  set.steer_by(row_of_joint(model<small::two_roots, S>, flap));
  assert_ok(bench.accelerate(set, result));
  TEST_ASSERT_TRUE(std::abs(at(result.force, 0)) <= 0);
  TEST_ASSERT_DOUBLE_WITHIN(kBound<S> * (4 + std::abs(free)), 4, at(result.reached, 0));
}
void test_powerless() {
  check_powerless<float>();
  if constexpr (measure::kInDouble) check_powerless<double>();
}

// ---- impacts
// ------------------------------------------------------------------------------------------------------------

// The corner of a free body is stopped at once: it stands, and momentum changed by just the impulse.
template <class S>
void check_impact() {
  constexpr auto& kRobot = small::free_body;
  static Bench<small::free_body, S> bench;
  static ConstraintResult<small::free_body, S, 3> result;
  measure::Random random(6);
  Worst corner;
  Worst momentum;
  auto& truth = checks::truth<small::free_body>();
  const dense::Vec place{{0.1, 0.1, -0.1}};
  for (int n = 0; n < kEffort; ++n) {
    bench.draw(random);
    Constraints<S, 3> set;
    for (int i = 0; i < 3; ++i)
      set.equal(row_of_point(point<small::free_body, S>(0, place[0], place[1], place[2]),
                             vector3<S>(i == 0 ? 1 : 0, i == 1 ? 1 : 0, i == 2 ? 1 : 0)),
                S(0));
    assert_ok(constrain_velocities(model<small::free_body, S>, bench.s.dq, set, bench.work, result));
    truth.place(bench.s.q64);
    const double mass = kRobot.link(0).mass_kg;
    double after[6];
    for (int k = 0; k < 6; ++k) after[k] = at(result.rates, k);
    const auto com_velocity = [&](const double* dq) {
      truth.at.move(dq, nullptr);
      return truth.at.v[0] + cross(truth.at.w[0], truth.at.com(0) - truth.at.pos[0]);
    };
    const dense::Vec before = com_velocity(bench.s.dq64);
    const dense::Vec change = mass * (com_velocity(after) - before);
    const dense::Vec speed = truth.at.v[0] + cross(truth.at.w[0], truth.at.rot[0] * place);
    for (int i = 0; i < 3; ++i) {
      corner.see(0, speed[i], 2);
      momentum.see(change[i], at(result.force, i), 4);
    }
  }
  measure::assert_below<S>(kBound<S>, corner, "velocity of a corner that was stopped");
  measure::assert_below<S>(kBound<S>, momentum, "impulse against momentum");
}
void test_impact() {
  check_impact<float>();
  if constexpr (measure::kInDouble) check_impact<double>();
}

// ---- one-sided
// ----------------------------------------------------------------------------------------------------------

template <class S>
void lay_flat(Bench<small::free_body, S>& bench) {
  bench.s.q << 0, 0, S(0.1), 1, 0, 0, 0;
  for (int i = 0; i < 7; ++i) bench.s.q64[i] = at(bench.s.q, i);
  bench.rest();
}
template <class S>
[[nodiscard]] MotionRow<S> corner(double x, double y) {
  return row_of_point(point<small::free_body, S>(0, x, y, -0.1), vector3<S>(0, 0, 1));
}

// Four corners on a floor carry a body, and statics leave one force free: of the least norm, the forces are an affine
// function of the place, so that both diagonals carry the same. Falling slower than asked for, nothing pushes. With the
// centre of mass beside three of them, one lifts off.
template <class S>
void check_floor() {
  static Bench<small::free_body, S> bench;
  static ConstraintResult<small::free_body, S, 5> result;
  lay_flat(bench);
  constexpr double kWeight = 2.0 * 9.80665;
  const double tolerance = kBound<S> * kWeight;
  const double x[4] = {0.1, 0.1, -0.1, -0.1};
  const double y[4] = {0.1, -0.1, -0.1, 0.1};
  Constraints<S, 5> set;
  for (int i = 0; i < 4; ++i) set.at_least(corner<S>(x[i], y[i]), S(0));
  assert_ok(bench.accelerate(set, result));
  double sum = 0;
  double about_x = 0;
  double about_y = 0;
  for (int i = 0; i < 4; ++i) {
    const double f = at(result.force, i);
    TEST_ASSERT_TRUE(f >= 0);
    sum += f, about_x += f * (y[i] + 0.02), about_y += f * (x[i] - 0.05);
    TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0, at(result.reached, i));
  }
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, kWeight, sum);
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0, about_x);
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0, about_y);
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, at(result.force, 0) + at(result.force, 2),
                            at(result.force, 1) + at(result.force, 3));

  set = {};
  for (int i = 0; i < 4; ++i) set.at_least(corner<S>(x[i], y[i]), S(-20));
  assert_ok(bench.accelerate(set, result));
  for (int i = 0; i < 4; ++i) TEST_ASSERT_TRUE(std::abs(at(result.force, i)) <= 0);
  for (int k = 0; k < 6; ++k) TEST_ASSERT_DOUBLE_WITHIN(tolerance, at(bench.ddq, k), at(result.rates, k));
  TEST_ASSERT_TRUE(std::abs(static_cast<double>(result.residual)) <= 0);

  // The centre of mass, at (0.05, -0.02), is beyond the edge between the first two.
  set = {};
  set.at_least(corner<S>(0.0, 0.1), S(0)), set.at_least(corner<S>(0.0, -0.1), S(0)),
      set.at_least(corner<S>(-0.1, 0.0), S(0));
  assert_ok(bench.accelerate(set, result));
  TEST_ASSERT_TRUE(at(result.force, 0) > 0.1 * kWeight && at(result.force, 1) > 0.1 * kWeight);
  TEST_ASSERT_TRUE(std::abs(at(result.force, 2)) <= 0 && at(result.reached, 2) > 0.1);
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0, at(result.reached, 0));
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0, at(result.reached, 1));

  // The same with the third held: it pulls, and the others stay where they are.
  set = {};
  set.at_least(corner<S>(0.0, 0.1), S(0)), set.at_least(corner<S>(0.0, -0.1), S(0)),
      set.equal(corner<S>(-0.1, 0.0), S(0));
  assert_ok(bench.accelerate(set, result));
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, -0.5 * kWeight, at(result.force, 2));  // 0.05 of 0.1 m
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 1.5 * kWeight, at(result.force, 0) + at(result.force, 1));
  for (int i = 0; i < 3; ++i) TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0, at(result.reached, i));
}
void test_floor() {
  check_floor<float>();
  if constexpr (measure::kInDouble) check_floor<double>();
}

// An impact on a floor: a dropped body's corners do not approach any more, and the impulses take no energy in.
template <class S>
void check_drop() {
  static Bench<small::free_body, S> bench;
  static ConstraintResult<small::free_body, S, 4> result;
  lay_flat(bench);
  bench.s.dq << S(0.3), 0, S(-1), S(0.5), S(-0.2), S(1);
  for (int i = 0; i < 6; ++i) bench.s.dq64[i] = at(bench.s.dq, i);
  bench.sweep();
  Constraints<S, 4> set;
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.1, 0.1}) set.at_least(corner<S>(x, y), S(0));
  assert_ok(constrain_velocities(model<small::free_body, S>, bench.s.dq, set, bench.work, result));
  for (int i = 0; i < 4; ++i) {
    TEST_ASSERT_TRUE(at(result.force, i) >= 0);
    TEST_ASSERT_TRUE(at(result.reached, i) >= -kBound<S>);
    TEST_ASSERT_DOUBLE_WITHIN(kBound<S>, 0, at(result.force, i) * at(result.reached, i));
  }
  auto& truth = checks::truth<small::free_body>();
  truth.place(bench.s.q64);
  double after[6];
  for (int k = 0; k < 6; ++k) after[k] = at(result.rates, k);
  truth.at.move(bench.s.dq64, nullptr);
  const double before = truth.at.kinetic(bench.s.dq64);
  truth.at.move(after, nullptr);
  TEST_ASSERT_TRUE(truth.at.kinetic(after) < before);
}
void test_drop() {
  check_drop<float>();
  if constexpr (measure::kInDouble) check_drop<double>();
}

// ---- what cannot be met, and bad input
// ----------------------------------------------------------------------------------

// A point welded to the world stands: a demand that it does costs nothing, any other is missed, and none can push it.
template <class S>
void check_welded() {
  static Bench<small::two_roots, S> bench;
  static ConstraintResult<small::two_roots, S, 2> result;
  measure::Random random(7);
  bench.draw(random);
  const MotionRow<S> stand = row_of_point(point<small::two_roots, S>(0, 0.1, 0.2, 0.3), vector3<S>(0, 0, 1));
  Constraints<S, 2> set;
  set.equal(stand, S(0));
  assert_ok(bench.accelerate(set, result));
  TEST_ASSERT_TRUE(std::abs(at(result.force, 0)) <= 0 && result.rank == 0);
  set = {};
  set.equal(stand, S(1));
  TEST_ASSERT_EQUAL_STRING(sentence(Status::inconsistent), sentence(bench.accelerate(set, result)));
  TEST_ASSERT_TRUE(std::abs(at(result.force, 0)) <= 0);
  TEST_ASSERT_DOUBLE_WITHIN(measure::kEps<S>, 1, static_cast<double>(result.residual));
  for (int k = 0; k < kinecast::Shape<small::two_roots>::kDofs; ++k)
    TEST_ASSERT_TRUE(std::abs(at(result.rates, k) - at(bench.ddq, k)) <= 0);
  set = {};
  set.at_least(stand, S(1));
  TEST_ASSERT_EQUAL_STRING(sentence(Status::infeasible), sentence(bench.accelerate(set, result)));
}
void test_welded() {
  check_welded<float>();
  if constexpr (measure::kInDouble) check_welded<double>();
}

template <class S>
class BadInput {
 public:
  static constexpr auto& kRobot = robots::zoo;
  static constexpr int kSlider = 2;
  static constexpr int kWelded = 4;
  static constexpr int kBall = 6;

  BadInput() {
    measure::Random random(8);
    bench_.draw(random);
  }

  void expect(Status wanted, const Constraints<S, 2, 1>& set, const char* what) {
    static ConstraintResult<robots::zoo, S, 2, 1> result;
    result.rates.setConstant(S(7));
    result.force.fill(S(7)), result.reached.fill(S(7));
    result.residual = S(7);
    const Status status = bench_.accelerate(set, result);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(sentence(wanted), sentence(status), what);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(
        sentence(wanted), sentence(constrain_velocities(model<robots::zoo, S>, bench_.s.dq, set, bench_.work, result)),
        what);
    const bool untouched =
        at(result.force, 0) >= 7 && at(result.reached, 1) >= 7 && at(result.rates, 3) >= 7 && result.residual >= S(7);
    TEST_ASSERT_TRUE_MESSAGE(ok(wanted) != untouched, what);
  }
  void expect_row(Status wanted, const MotionRow<S>& row, const char* what) {
    Constraints<S, 2, 1> set;
    set.equal(row, S(1));
    expect(wanted, set, what);
    set = {};
    set.equal(good(), S(1)), set.steer_by(row);
    if (!ok(wanted)) expect(wanted, set, what);
  }
  [[nodiscard]] static MotionRow<S> good() { return row_of_joint(model<robots::zoo, S>, kSlider); }
  [[nodiscard]] static MotionRow<S> along(const Vector<S, 3>& direction) {
    return row_of_point(point<robots::zoo, S>(3, 0.1, 0, 0), direction);
  }

  void check() {
    constexpr S kNan = std::numeric_limits<S>::quiet_NaN();
    constexpr S kInfinity = std::numeric_limits<S>::infinity();
    expect_row(Status::ok, good(), "a good row");
    expect_row(Status::ok, along(vector3<S>(0, 0.6, -0.8)), "a good point");
    for (const int link : {-2, -1, 0, kWelded, kBall, 10, 1000})  // the world, floating, welded, a ball, none
      expect_row(Status::index_out_of_range, row_of_joint(model<robots::zoo, S>, link), "no joint with one axis");
    MotionRow<S> row = along(vector3<S>(1, 0, 0));
    row.point.body = 99;
    expect_row(Status::index_out_of_range, row, "no such body");
    row = along(vector3<S>(1, 0, 0));
    row.relative_to.body = -2;
    expect_row(Status::index_out_of_range, row, "no such other body");
    row = along(vector3<S>(1, 0, 0));
    row.point.position.y = kNan;
    expect_row(Status::non_finite_input, row, "place NaN");
    row.point.position.y = S(1e7);
    expect_row(Status::input_out_of_range, row, "place far off");
    expect_row(Status::input_out_of_range, along(vector3<S>(0, 0, 0)), "no direction");
    expect_row(Status::input_out_of_range, along(vector3<S>(1, 1, 0)), "direction not unit");
    for (int i = 0; i < 3; ++i) {
      Vector<S, 3> direction = vector3<S>(0, 0, 0);
      direction[i] = kNan;
      expect_row(Status::non_finite_input, along(direction), "direction NaN");
      direction[i] = kInfinity;
      expect_row(Status::non_finite_input, along(direction), "direction infinite");
    }
    check_demands(kNan, kInfinity);
    check_state(kNan);
  }

 private:
  void check_demands(S nan, S infinity) {
    const auto with_target = [](S target) {
      Constraints<S, 2, 1> set;
      set.equal(good(), S(1)), set.equal(along(vector3<S>(0, 0, 1)), target);
      return set;
    };
    expect(Status::ok, with_target(S(2)), "good demands");
    expect(Status::non_finite_input, with_target(nan), "target NaN");
    expect(Status::non_finite_input, with_target(infinity), "target infinite");
    expect(Status::input_out_of_range, with_target(S(1e10)), "target beyond any robot");
    Constraints<S, 2, 1> set = with_target(S(2));
    set.equal(good(), S(1));
    expect(Status::index_out_of_range, set, "more rows than there is room for");
    set.count = -1;
    expect(Status::index_out_of_range, set, "fewer rows than none");
    set = with_target(S(2));
    set.steer_by(good()), set.steer_by(good());
    expect(Status::index_out_of_range, set, "more forces than there is room for");
    set = {};
    set.at_least(good(), S(1)), set.steer_by(good());
    expect(Status::unpaired, set, "one-sided, and steered by another force");
    expect(Status::ok, {}, "nothing is asked for");
  }
  void check_state(S nan) {
    Constraints<S, 2, 1> set;
    set.equal(good(), S(1));
    const kinecast::Velocity<robots::zoo, S> ddq = bench_.ddq;
    bench_.ddq[4] = nan;
    static ConstraintResult<robots::zoo, S, 2, 1> result;
    TEST_ASSERT_EQUAL_STRING(sentence(Status::non_finite_input), sentence(bench_.accelerate(set, result)));
    bench_.ddq = ddq;
    const S dq = bench_.s.dq[0];
    bench_.s.dq[0] = nan;
    expect(Status::non_finite_input, set, "velocity NaN");
    bench_.s.dq[0] = S(2e9);
    expect(Status::input_out_of_range, set, "velocity beyond any robot");
    bench_.s.dq[0] = dq;
    bench_.work.swept = false;
    expect(Status::not_ready, set, "no sweep");
    bench_.sweep();
    expect(Status::ok, set, "swept again");
  }

  Bench<robots::zoo, S> bench_;
};
void test_bad_input() {
  static BadInput<float> single;
  single.check();
  static BadInput<double> twice;
  twice.check();
}

}  // namespace

KINECAST_SUITE(constraints, test_statics, test_dense, test_tip, test_dependent, test_powerless, test_impact, test_floor,
               test_drop, test_welded, test_bad_input)

}  // namespace unit_constraints
