// SPDX-License-Identifier: MIT
// Couplings: one joint follows another or the sum of two. Steps against the dense equations with multipliers, a run against the
// one equation that two coupled pendulums leave, energy, a start that breaks the relation, together with stops, contacts, friction,
// given velocities, rigid joints and impacts; words, rules, models built at run time, snapshots.
#include <kinecast/kinecast.hpp>

#include "../support/dense_reference.hpp"
#include "bad_input.hpp"
#include "measure.hpp"
#include "robot_checks.hpp"
#include "unity_main.hpp"

namespace unit_couplings {
namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in
using bad_input::same_bits;
using checks::assert_ok;
using measure::bound;
using measure::f64;
using measure::kEffort;

constexpr double kGravity = 9.80665;
constexpr double kDt = 1e-3;

template <const auto& R>
using Values = std::decay_t<decltype(R)>;

// d of a coupling, in double, from the description.
template <const auto& R, class S>
[[nodiscard]] double distance(const State<R, S>& state, int coupling = 0, const Values<R>& values = R) {
  const Coupling& c = values.coupling(coupling);
  const auto q = [&](int link) { return f64(state.q[Shape<R>::q_of(Shape<R>::body_of_link(link))]); };
  double d = q(c.follower.link) - c.offset;
  for (int i = 0; i < c.leader_count; ++i)
    d -= c.leaders[static_cast<std::size_t>(i)].ratio * q(c.leaders[static_cast<std::size_t>(i)].joint.link);
  return d;
}
template <const auto& R, class S, class P>
void steps(P& predictor, int count, double dt = kDt) {
  for (int i = 0; i < count; ++i) assert_ok(predictor.step(Command<R, S>::Zero(), static_cast<S>(dt)));
}

// ---- motion ---------------------------------------------------------------------------------------------------------------

// Two pendulums side by side, q from the downward vertical: the second turns twice as far, the other way round.
constexpr double kRatio = -2;
constexpr double kOffset = 0.3;
constexpr double kMass = 0.8;
constexpr double kLength = 0.25;
constexpr double kInertia = kMass * kLength * kLength + 0.004;  // about the hinge
template <class... Words>
constexpr auto pair_with(const Words&... at_leader) {
  constexpr auto kBody = body(kMass, com(0, 0, -kLength), inertia(0.004, 0.004, 0.004));
  return robot("pair", link("first", on("world"), revolute(kAxisY), kBody, at_leader...),
               link("second", on("world"), at(0.5, 0, 0), revolute(kAxisY), kBody),
               coupling("gear", joint("second"), follows("first", ratio(kRatio)), offset(kOffset)));
}
inline constexpr auto pair = pair_with();

template <const auto& R, class S>
[[nodiscard]] State<R, S> pair_at(double angle, double rate) {
  State<R, S> state = zero_state<R, S>();
  state.q << static_cast<S>(angle), static_cast<S>(kRatio * angle + kOffset);
  state.dq << static_cast<S>(rate), static_cast<S>(kRatio * rate);
  return state;
}
[[nodiscard]] double weight_Nm(double q) { return kMass * kGravity * kLength * std::sin(q); }

// One equation is left: (I + r² I) a.. = -w(a) - r w(r a + offset). Symplectic Euler of it is the truth of the run, for the mass
// matrix is constant and the relation linear; its energy swings by the first order of the step and comes back.
template <class S>
void check_run() {
  static Predictor<pair, S> p;
  double angle = 0.9;
  double rate = -0.5;
  assert_ok(p.reset(pair_at<pair, S>(angle, rate)));
  const auto energy = [](double q1, double q2, double dq1, double dq2) {
    return 0.5 * kInertia * (dq1 * dq1 + dq2 * dq2) - kMass * kGravity * kLength * (std::cos(q1) + std::cos(q2));
  };
  const double inertia = kInertia * (1 + kRatio * kRatio);
  measure::Worst apart;
  measure::Worst motion;
  measure::Worst torque;
  measure::Worst gain;
  for (int i = 0; i < 100 * kEffort; ++i) {
    const double second = kRatio * angle + kOffset;
    const double ddq = (-weight_Nm(angle) - kRatio * weight_Nm(second)) / inertia;
    steps<pair, S>(p, 1);
    torque.see(f64(p.report().coupling_Nm[0]) - (kInertia * kRatio * ddq + weight_Nm(second)));
    rate += kDt * ddq;
    angle += kDt * rate;
    apart.see(distance<pair, S>(p.state()));
    motion.see(f64(p.state().q[0]) - angle);
    gain.see(energy(f64(p.state().q[0]), f64(p.state().q[1]), f64(p.state().dq[0]), f64(p.state().dq[1])) -
             energy(angle, kRatio * angle + kOffset, rate, kRatio * rate));
  }
  // The distance is that which the relaxation leaves, 1e-4 * dt * 20 rad/s² / k = 1e-8 rad, and rounding of angles near 3 rad.
  measure::assert_below<S>(bound<S>(1e-6, 1e-7), apart, "pair, apart");
  // Ten thousand sums in float, of angles that are rounded by 1e-7 in a swing that is not linear.
  measure::assert_below<S>(bound<S>(1e-3, 1e-7), motion, "pair, angle");
  // N.m; of the first step's torque, below 1 N.m, the relaxation lacks 1e-4, until the distance has made up for it.
  measure::assert_below<S>(bound<S>(5e-3, 1e-4), torque, "pair, torque");
  measure::assert_below<S>(bound<S>(1e-3, 1e-7), gain, "pair, energy");  // J
}
void test_run() {
  check_run<float>();
  if constexpr (measure::kInDouble) check_run<double>();
}

// A tree of hinges, a slide and a ball: a slide that follows two hinges, and a hinge in the middle of a chain that follows another.
constexpr auto make_tree() {
  constexpr auto kBody = body(0.8, com(0.05, -0.02, 0.12), inertia(0.011, 0.012, 0.009, 0.001, -0.002, 0.0005));
  return robot("tree", link("ball", on("world"), spherical(), kBody),
               link("a", on("ball"), at(0.1, 0, 0.3), revolute({0.6, 0, 0.8}), kBody),
               link("b", on("a"), at(0, 0.1, 0.3), rpy(0.3, -0.2, 0.5), prismatic(kAxisX), kBody),
               link("c", on("b"), at(0, 0, 0.2), rpy(0.4, 0.1, 0), revolute(kAxisX), kBody),
               link("plate", on("c"), fixed(), kBody), link("d", on("world"), at(0.5, 0.2, 0), revolute(kAxisY), kBody),
               coupling("differential", joint("b"), follows("a", ratio(0.2)), follows("d", ratio(-0.15)), offset(0.05)),
               coupling("belt", joint("c"), follows("d", ratio(1.5))), contact_point("toe", on("d")));
}
inline constexpr auto tree = make_tree();
// Too far away to touch: with it couplings are constraints in the list of implicit friction.
inline constexpr auto nowhere = environment(half_space("ground", at(0, 0, -1000)));
constexpr int kDofs = Shape<tree>::kDofs;
constexpr int kCouplings = Shape<tree>::kCouplings;
constexpr std::size_t kUnknowns = static_cast<std::size_t>(kDofs + kCouplings);
static_assert(kDofs == 7 && kCouplings == 2);

// Gauss with row exchanges: x <- A⁻¹ x.
void solve_dense(double (&A)[kUnknowns][kUnknowns], double (&x)[kUnknowns]) {
  for (std::size_t c = 0; c < kUnknowns; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < kUnknowns; ++r)
      if (std::abs(A[r][c]) > std::abs(A[pivot][c])) pivot = r;
    for (std::size_t k = 0; k < kUnknowns; ++k) std::swap(A[c][k], A[pivot][k]);
    std::swap(x[c], x[pivot]);
    for (std::size_t r = 0; r < kUnknowns; ++r) {
      if (r == c) continue;
      const double part = A[r][c] / A[c][c];
      for (std::size_t k = c; k < kUnknowns; ++k) A[r][k] -= part * A[c][k];
      x[r] -= part * x[c];
    }
  }
  for (std::size_t c = 0; c < kUnknowns; ++c) x[c] /= A[c][c];
}

// The velocities after a step and the impulses:  M dq+ - Jᵀ x = M dq + dt (tau - b),   J dq+ + Lambda x = -k d.
void dense_step(const Values<tree>& values, const double* q, const double* dq, const double* tau, double k,
                double relaxation, double (&x)[kUnknowns]) {
  static dense::Reference<tree> exact;
  exact.place(values, q);
  exact.find_mass_matrix();
  exact.move(dq, nullptr);
  double force[static_cast<std::size_t>(kDofs)];
  exact.find_force(force);
  double L[static_cast<std::size_t>(kDofs)][static_cast<std::size_t>(kDofs)];
  double A[kUnknowns][kUnknowns] = {};
  for (int i = 0; i < kDofs; ++i) {
    x[i] = kDt * (tau[i] - force[i]);
    for (int j = 0; j < kDofs; ++j) {
      A[i][j] = L[i][j] = exact.M[i][j];
      x[i] += exact.M[i][j] * dq[j];
    }
  }
  TEST_ASSERT_TRUE(dense::factor(L));
  for (int r = 0; r < kCouplings; ++r) {
    const Coupling& c = values.coupling(r);
    double J[static_cast<std::size_t>(kDofs)] = {};
    J[exact.entry(c.follower.link).v] = 1;
    double d = q[exact.entry(c.follower.link).q] - c.offset;
    for (int i = 0; i < c.leader_count; ++i) {
      const Leader& leader = c.leaders[static_cast<std::size_t>(i)];
      J[exact.entry(leader.joint.link).v] = -leader.ratio;
      d -= leader.ratio * q[exact.entry(leader.joint.link).q];
    }
    double response[static_cast<std::size_t>(kDofs)];
    for (int i = 0; i < kDofs; ++i) response[i] = J[i];
    dense::solve(L, response);
    double mobility = 0;
    for (int i = 0; i < kDofs; ++i) {
      mobility += J[i] * response[i];
      A[i][kDofs + r] = -J[i];
      A[kDofs + r][i] = J[i];
    }
    A[kDofs + r][kDofs + r] = relaxation * mobility;
    x[kDofs + r] = -std::copysign(std::fmin(k * std::abs(d), 1), d);
  }
  solve_dense(A, x);
}

// Errors of a kind of states: velocities over the largest one, torques over the largest of all.
struct StepErrors {
  measure::Worst velocity;
  measure::Worst torque;
};

// What a random state does to the relations: it obeys them (nothing is worked off: the angles are rounded), breaks them by some
// mrad, so that k d is worked off, or by rad, so that push_out bounds it.
enum class Relation { obeyed, nearly, broken };

// How fast and how softly what is off is worked off; 0: the least relaxation that the solver keeps.
struct Tuning {
  double rate_per_s{200};
  double relaxation{0};
  double nearly{4e-3};
};

template <class S, class... Options>
[[nodiscard]] StepErrors errors_of_steps(Relation relation, const Tuning& tuning = {}) {
  static Model<tree, S> model;
  static Predictor<tree, S, Options...> p(model);
  measure::Random random(171);
  StepErrors errors;
  const double relaxation = tuning.relaxation > 0 ? tuning.relaxation : bound<S>(1e-4, 1e-10);
  const double rate = relation == Relation::obeyed ? 0 : tuning.rate_per_s;
  const double k = std::fmin(rate, 1 / kDt);
  assert_ok(p.set_row_parameters({static_cast<S>(rate), S(1), static_cast<S>(relaxation)}));
  for (int trial = 0; trial < kEffort; ++trial) {
    // A model that is built at run time, with numbers that float has too.
    Values<tree> values = tree;
    Coupling& differential = values.couplings[0];
    Coupling& belt = values.couplings[1];
    const auto draw = [&](double about, double within) {
      return f64(static_cast<float>(about + random.within(within)));
    };
    differential.leaders[0].ratio = draw(0.2, 0.1), differential.leaders[1].ratio = draw(0.5, 0.4);
    differential.offset = draw(0, 0.1);
    belt.leaders[0].ratio = draw(-1.5, 1), belt.offset = draw(0, 0.5);
    assert_ok(build_model<tree, S>(values, model));
    checks::Sample<tree, S> s;
    checks::draw(random, {}, s);
    State<tree, S> state{s.q, s.dq};
    // The ball has four positions and three velocities; then come a, b, c, d.
    if (relation != Relation::broken) {
      const auto follow = [](const Coupling& c, S first, S second) {
        return c.leaders[0].ratio * f64(first) + (c.leader_count > 1 ? c.leaders[1].ratio * f64(second) : 0);
      };
      const double wrong = relation == Relation::nearly ? tuning.nearly : 0;
      state.q[5] = static_cast<S>(follow(differential, s.q[4], s.q[7]) + differential.offset + random.within(wrong));
      state.q[6] = static_cast<S>(follow(belt, s.q[7], S(0)) + belt.offset + random.within(wrong));
      state.dq[4] = static_cast<S>(follow(differential, s.dq[3], s.dq[6]));
      state.dq[5] = static_cast<S>(follow(belt, s.dq[6], S(0)));
    }
    double q[8];
    double dq[7];
    double tau[7];
    for (int i = 0; i < 8; ++i) q[i] = f64(state.q[i]);
    for (int i = 0; i < 7; ++i) dq[i] = f64(state.dq[i]), tau[i] = f64(s.tau[i]);
    double exact[kUnknowns];
    dense_step(values, q, dq, tau, k, relaxation, exact);
    assert_ok(p.reset(state));
    assert_ok(p.step(s.tau, static_cast<S>(kDt)));
    measure::compare(exact, p.state().dq, kDofs, errors.velocity);
    const double multipliers[2] = {exact[kDofs] / kDt, exact[kDofs + 1] / kDt};
    measure::compare(multipliers, p.report().coupling_Nm.data(), kCouplings, errors.torque);
  }
  return errors;
}
template <class S, class... Options>
void check_dense() {
  const StepErrors obeyed = errors_of_steps<S, Options...>(Relation::obeyed);
  measure::assert_below<S>(bound<S>(1e-5, 1e-11), obeyed.velocity, "tree, velocities");
  measure::assert_below<S>(bound<S>(1e-3, 1e-9), obeyed.torque, "tree, torques");
  // In float the terms of d, up to 5 rad, are rounded by 3e-7: 200 of it are 6e-5 rad/s, 0.06 rad/s² of some tens.
  const StepErrors nearly = errors_of_steps<S, Options...>(Relation::nearly);
  measure::assert_below<S>(bound<S>(1e-4, 1e-11), nearly.velocity, "nearly, velocities");
  measure::assert_below<S>(bound<S>(1e-3, 1e-9), nearly.torque, "nearly, torques");
  const StepErrors broken = errors_of_steps<S, Options...>(Relation::broken);
  measure::assert_below<S>(bound<S>(1e-5, 1e-11), broken.velocity, "broken, velocities");
  measure::assert_below<S>(bound<S>(1e-5, 1e-11), broken.torque, "broken, torques");
}
void test_dense() {
  check_dense<float>();
  if constexpr (measure::kInDouble) check_dense<double>();
}
void test_dense_in_list() {
  check_dense<float, Contacts<nowhere, 1, Implicit>>();
  if constexpr (measure::kInDouble) check_dense<double, Contacts<nowhere, 1, Implicit>>();
}
// What is off is worked off within a step and not faster: 5000/s are as good as 1000/s. And a hundred times softer.
void test_tuning_in_list() {
  const auto check = [](const StepErrors& errors) {
    // The rounding of angles, 3e-7 in float, a thousand times per second, of velocities of some rad/s.
    measure::assert_below<float>(1e-3, errors.velocity, "tuned, velocities");
  };
  check(errors_of_steps<float, Contacts<nowhere, 1, Implicit>>(Relation::nearly, {5000, 0, 3e-4}));
  check(errors_of_steps<float, Contacts<nowhere, 1, Implicit>>(Relation::nearly, {1000, 0.01, 3e-4}));
}

// The same tree without torques, by Runge-Kutta-Gill: no more energy is lost or won than its fourth order has.
template <class S>
void check_energy() {
  static Predictor<tree, S, RungeKuttaGill> p;
  static dense::Reference<tree> exact;
  State<tree, S> state = zero_state<tree, S>();
  state.q[4] = S(0.4), state.q[7] = S(-0.3);
  state.q[5] = S(0.2 * 0.4 + 0.15 * 0.3 + 0.05), state.q[6] = S(-0.45);
  assert_ok(p.reset(state));
  const auto energy = [&] {
    double q[8];
    double dq[7];
    for (int i = 0; i < 8; ++i) q[i] = f64(p.state().q[i]);
    for (int i = 0; i < 7; ++i) dq[i] = f64(p.state().dq[i]);
    exact.place(tree, q);
    exact.move(dq, nullptr);
    return exact.kinetic(dq) + exact.potential();
  };
  const double start = energy();
  double largest = 0;
  measure::Worst drift;
  measure::Worst apart;
  for (int i = 0; i < 10 * kEffort; ++i) {
    steps<tree, S>(p, 1);
    drift.see(energy() - start);
    largest = std::fmax(largest, std::abs(exact.potential()));
    for (int c = 0; c < kCouplings; ++c) apart.see(distance<tree, S>(p.state(), c));
  }
  // Over the energy that goes to and fro, some ten J; the thousand steps of float are rounded by 1e-7 each.
  drift.value /= largest;
  measure::assert_below<S>(bound<S>(1e-4, 1e-7), drift, "tree, energy");
  measure::assert_below<S>(1e-5, apart, "tree, apart");
}
void test_energy() {
  check_energy<float>();
  if constexpr (measure::kInDouble) check_energy<double>();
}

// Without weight and at rest, 0.1 rad off: the joints come together no faster than push_out, with the energy that this speed has
// and no more, and rest there.
inline constexpr auto weightless = [] {
  auto r = pair_with();
  r.gravity_mps2 = {0, 0, 0};
  return r;
}();
template <class S>
void check_wrong_start(double push_out, double wrong) {
  static Predictor<weightless, S> p;
  State<weightless, S> state = pair_at<weightless, S>(0.4, 0);
  state.q[1] += static_cast<S>(wrong);
  assert_ok(p.reset(state));
  assert_ok(p.set_row_parameters({S(200), static_cast<S>(push_out), S(1e-4)}));
  const double mobility = (1 + kRatio * kRatio) / kInertia;
  double before = std::abs(wrong);
  measure::Worst energy;
  for (int i = 0; i < 300; ++i) {
    steps<weightless, S>(p, 1);
    const double now = std::abs(distance<weightless, S>(p.state()));
    TEST_ASSERT_TRUE(now <= before + 1e-6);
    TEST_ASSERT_TRUE(before - now <= kDt * (1.001 * push_out) + 1e-6);
    energy.see(0.5 * kInertia * (std::pow(f64(p.state().dq[0]), 2) + std::pow(f64(p.state().dq[1]), 2)));
    before = now;
  }
  TEST_ASSERT_TRUE(energy.value <= 1.001 * 0.5 * push_out * push_out / mobility);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, before);
  for (int i = 0; i < 2; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, f64(p.state().dq[i]));
}
void test_wrong_start() {
  for (const double wrong : {0.1, -0.1}) {
    check_wrong_start<float>(1, wrong);
    if constexpr (measure::kInDouble) check_wrong_start<double>(1, wrong);
  }
  check_wrong_start<float>(3, 0.1);
}

// ---- with stops, contacts, friction, given velocities, rigid joints, impacts ------------------------------------------------

// A gripper: two fingers that slide along x, the right one mirrors the left one and has a stop, or a pad that meets a wall.
constexpr double kFinger = 0.2;
constexpr double kStop = 0.03;
constexpr double kGrip = 6;
template <class... Words>
constexpr auto gripper_with(const Words&... at_right) {
  constexpr auto kBody = body(kFinger, com(0, 0, 0.02), inertia(1e-4, 1e-4, 1e-4));
  return robot("gripper", link("palm", on("world"), at(0, 0, 0.5), fixed(), kBody),
               link("left", on("palm"), prismatic(kAxisX), kBody),
               link("right", on("palm"), prismatic(kAxisX), kBody, at_right...),
               contact_sphere("pad", on("right"), at(0.01, 0, 0), radius(0.01)),
               coupling("mirror", joint("right"), follows("left", ratio(-1))));
}
inline constexpr auto stopped = gripper_with(limits(-kStop, kStop));
inline constexpr auto bouncing = gripper_with(limits(-kStop, kStop, rebound(0.5)));
inline constexpr auto pressing = gripper_with();
// The wall's face looks against x, as far away as the stop: the pad reaches 0.02 m beyond its finger.
inline constexpr auto wall =
    environment(half_space("wall", at(kStop + 0.02, 0, 0), rpy(0, -1.5707963267948966, 0), material(friction(0.5))));

// The left finger is pushed with 6 N to the left: the right one goes to the right and is held there with 6 N.
template <const auto& R, class S, class P>
void press(P& p, int count) {
  assert_ok(p.reset(zero_state<R, S>()));
  Command<R, S> push = Command<R, S>::Zero();
  push[0] = S(-kGrip);
  measure::Worst apart;
  for (int i = 0; i < count; ++i) {
    assert_ok(p.step(push, static_cast<S>(kDt)));
    apart.see(distance<R, S>(p.state()));
  }
  measure::assert_below<S>(1e-5, apart, "gripper, apart");
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(5e-3, 1e-3) * kGrip, kGrip, f64(p.report().coupling_Nm[0]));
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, kStop, f64(p.state().q[1]));
  for (int i = 0; i < 2; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, f64(p.state().dq[i]));
}
template <class S>
void check_gripper() {
  static Predictor<stopped, S> at_stop;
  press<stopped, S>(at_stop, 300);
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(5e-3, 1e-3) * kGrip, -kGrip, f64(at_stop.report().limit_Nm[1]));
  static Predictor<stopped, S, Contacts<nowhere, 1, Implicit>> in_list;
  press<stopped, S>(in_list, 300);
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(5e-3, 1e-3) * kGrip, -kGrip, f64(in_list.report().limit_Nm[1]));
  // 2 N more on the right finger alone are the stop's, and not the coupling's.
  Command<stopped, S> both = Command<stopped, S>::Zero();
  both[0] = S(-kGrip), both[1] = S(2);
  for (int i = 0; i < 100; ++i) assert_ok(in_list.step(both, static_cast<S>(kDt)));
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(5e-3, 1e-3) * kGrip, kGrip, f64(in_list.report().coupling_Nm[0]));
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(5e-3, 1e-3) * kGrip, -kGrip - 2, f64(in_list.report().limit_Nm[1]));
  static Predictor<pressing, S, Contacts<wall, 1>> at_wall;
  press<pressing, S>(at_wall, 300);
  TEST_ASSERT_EQUAL_INT(1, at_wall.contact_report().count);
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(5e-3, 1e-3) * kGrip, kGrip, f64(at_wall.contact_report()[0].normal_N));
}
void test_gripper() {
  check_gripper<float>();
  if constexpr (measure::kInDouble) check_gripper<double>();
}

// An impact at the stop turns both fingers round; the rebound is that of the stop, for both.
template <class S>
void check_impact() {
  static Predictor<bouncing, S, EventDriven<>> p;
  State<bouncing, S> state = zero_state<bouncing, S>();
  state.dq << S(-1), S(1);
  assert_ok(p.reset(state));
  measure::Worst apart;
  measure::Worst speed;
  int impacts = 0;
  for (int i = 0; i < 50; ++i) {
    steps<bouncing, S>(p, 1);
    impacts += p.events().impacts;
    apart.see(distance<bouncing, S>(p.state()));
    speed.see(f64(p.state().dq[0] + p.state().dq[1]));
  }
  TEST_ASSERT_EQUAL_INT(1, impacts);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, -0.5, f64(p.state().dq[1]));
  measure::assert_below<S>(bound<S>(1e-7, 1e-15), apart, "impact, apart");
  measure::assert_below<S>(bound<S>(1e-6, 1e-14), speed, "impact, speed apart");
}
void test_impact() {
  check_impact<float>();
  if constexpr (measure::kInDouble) check_impact<double>();
}

// Dry friction at the leader holds the weight of both pendulums, and no more than it has.
inline constexpr auto rusty = pair_with(at_joint(stiction(2.4), coulomb(2)));
template <class S>
void check_friction() {
  static Predictor<rusty, S> p;
  const double angle = 0.5;
  const double load = weight_Nm(angle) + kRatio * weight_Nm(kRatio * angle + kOffset);
  TEST_ASSERT_TRUE(std::abs(load) > 0.5 && std::abs(load) < 4.5);
  assert_ok(p.reset(pair_at<rusty, S>(angle, 0)));
  // What is more than the friction holds, a torque at the second joint carries.
  Command<rusty, S> hold = Command<rusty, S>::Zero();
  hold[1] = static_cast<S>((load - std::copysign(1, load)) / kRatio);
  for (int i = 0; i < 100; ++i) assert_ok(p.step(hold, static_cast<S>(kDt)));
  TEST_ASSERT_TRUE(p.report().held(0));
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(2e-2, 1e-3), std::copysign(1, load), f64(p.report().friction_Nm[0]));
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(2e-2, 1e-3), weight_Nm(kRatio * angle + kOffset) - f64(hold[1]),
                            f64(p.report().coupling_Nm[0]));
  for (int i = 0; i < 2; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, f64(p.state().dq[i]));
  // Beyond the static friction it slides, and the joints stay together.
  hold[1] = static_cast<S>((load + std::copysign(4, load)) / kRatio);
  measure::Worst apart;
  for (int i = 0; i < 100; ++i) {
    assert_ok(p.step(hold, static_cast<S>(kDt)));
    apart.see(distance<rusty, S>(p.state()));
  }
  TEST_ASSERT_FALSE(p.report().held(0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 2, std::abs(f64(p.report().friction_Nm[0])));
  measure::assert_below<S>(bound<S>(1e-6, 1e-7), apart, "rusty pair, apart");
}
void test_friction() {
  check_friction<float>();
  if constexpr (measure::kInDouble) check_friction<double>();
}

// A leader that turns as it is told: the second turns -2 times as fast, and Newton says what the coupling does to it.
inline constexpr auto driven = pair_with(velocity_driven());
template <class S, class... Options>
void check_given_velocity(double newton) {
  static Predictor<driven, S, Options...> p;
  assert_ok(p.reset(pair_at<driven, S>(0.2, 0)));
  measure::Worst apart;
  measure::Worst moment;
  for (int i = 0; i < 2 * kEffort + 50; ++i) {
    Command<driven, S> command = Command<driven, S>::Zero();
    command[0] = static_cast<S>(3 * std::sin(0.02 * i));
    const State<driven, S> before = p.state();
    assert_ok(p.step(command, static_cast<S>(kDt)));
    apart.see(distance<driven, S>(p.state()));
    const double ddq = (f64(p.state().dq[1]) - f64(before.dq[1])) / kDt;
    moment.see(kInertia * ddq + weight_Nm(f64(before.q[1])) - f64(p.report().coupling_Nm[0]));
  }
  measure::assert_below<S>(1e-5, apart, "driven pair, apart");
  measure::assert_below<S>(newton, moment, "driven pair, Newton at the second");  // N.m
}
void test_given_velocity() {
  // Float: accelerations are differences of speeds of 6 rad/s over 1 ms.
  check_given_velocity<float>(1e-4);
  if constexpr (measure::kInDouble) check_given_velocity<double>(1e-11);
}

// A leader that became rigid holds its follower; freed, both go on.
void test_rigid_leader() {
  static Predictor<pair, float, Adaptive> p;
  assert_ok(p.reset(pair_at<pair, float>(0.9, 0)));
  JointSet<pair> first;
  assert_ok(first.add(0));
  assert_ok(p.rigidify(first));
  steps<pair, float>(p, 50);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, kRatio * 0.9 + kOffset, f64(p.state().q[1]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, weight_Nm(kRatio * 0.9 + kOffset), f64(p.report().coupling_Nm[0]));
  assert_ok(p.rigidify({}));
  steps<pair, float>(p, 50);
  TEST_ASSERT_TRUE(std::abs(f64(p.state().dq[0])) > 0.1);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, distance<pair>(p.state()));
}

void test_snapshot() {
  static Predictor<rusty, float> p;
  assert_ok(p.reset(pair_at<rusty, float>(0.9, 3)));
  steps<rusty, float>(p, 20);
  const auto kept = p.snapshot();
  steps<rusty, float>(p, 30);
  const State<rusty, float> once = p.state();
  const float torque = p.report().coupling_Nm[0];
  p.restore(kept);
  steps<rusty, float>(p, 30);
  TEST_ASSERT_TRUE(same_bits(once.q, p.state().q) && same_bits(once.dq, p.state().dq));
  TEST_ASSERT_TRUE(same_bits(torque, p.report().coupling_Nm[0]));
  // A forecast leaves no trace.
  const Command<rusty, float> still[2] = {Command<rusty, float>::Zero(), Command<rusty, float>::Zero()};
  State<rusty, float> ahead[2];
  assert_ok(p.rollout(still, 2, 1e-3F, ahead).status);
  TEST_ASSERT_TRUE(same_bits(once.q, p.state().q) && same_bits(torque, p.report().coupling_Nm[0]));
  steps<rusty, float>(p, 2);
  TEST_ASSERT_TRUE(same_bits(ahead[1].q, p.state().q) && same_bits(ahead[1].dq, p.state().dq));
}

// ---- words and rules --------------------------------------------------------------------------------------------------------

void test_words() {
  TEST_ASSERT_EQUAL_INT(2, tree.kCouplings);
  const Coupling& differential = tree.coupling(0);
  TEST_ASSERT_TRUE(differential.name == "differential" && differential.follower.link == 2);
  TEST_ASSERT_EQUAL_INT(2, differential.leader_count);
  TEST_ASSERT_EQUAL_INT(1, differential.leaders[0].joint.link);
  TEST_ASSERT_EQUAL_INT(5, differential.leaders[1].joint.link);
  TEST_ASSERT_EQUAL_DOUBLE(-0.15, differential.leaders[1].ratio);
  TEST_ASSERT_EQUAL_DOUBLE(0.05, differential.offset);
  TEST_ASSERT_EQUAL_INT(1, tree.coupling(1).leader_count);
  TEST_ASSERT_EQUAL_DOUBLE(0, tree.coupling(1).offset);
  TEST_ASSERT_EQUAL_DOUBLE(1, coupling("equal", joint("a"), follows("b")).leaders[0].ratio);
  // Bodies: the plate is merged into c.
  const auto& constants = model<tree, float>.couplings[0];
  const int no_second = model<tree, float>.couplings[1].leaders[1].body;
  TEST_ASSERT_EQUAL_INT(2, constants.follower);
  TEST_ASSERT_EQUAL_INT(4, constants.leaders[1].body);
  TEST_ASSERT_EQUAL_INT(kWorld, no_second);
}

template <class Spoil>
[[gnu::noinline]] void expect(Rule rule, int index, Spoil&& spoil) {
  auto values = tree;
  spoil(values.couplings);
  const Verdict verdict = validate(values);
  TEST_ASSERT_EQUAL_STRING(sentence(rule), sentence(verdict.rule));
  TEST_ASSERT_EQUAL_INT(index, verdict.index);
  // A model that was not built is as it was.
  static Model<tree, float> model;
  model.couplings[0].offset = 77;
  const Status status = build_model<tree, float>(values, model);
  TEST_ASSERT_TRUE(status == (rule == Rule::none ? Status::ok : Status::invalid_model));
  TEST_ASSERT_TRUE(rule == Rule::none || same_bits(model.couplings[0].offset, 77.0F));
}

void test_rules() {
  using Limits = std::numeric_limits<double>;
  expect(Rule::none, -1, [](auto& c) { c[0].leaders[0].ratio = -7; });
  for (const int nobody : {kUnknownParent, kWorld, 6, 1000000, -7}) {
    expect(Rule::coupling_of_known_joints, 0, [&](auto& c) { c[0].follower.link = nobody; });
    expect(Rule::coupling_of_known_joints, 0, [&](auto& c) { c[0].leaders[1].joint.link = nobody; });
    expect(Rule::coupling_of_known_joints, 1, [&](auto& c) { c[1].leaders[0].joint.link = nobody; });
  }
  for (const int count : {0, -1, 3})
    expect(Rule::coupling_of_known_joints, 1, [&](auto& c) { c[1].leader_count = count; });
  for (const int ball_or_plate : {0, 4}) {
    expect(Rule::coupling_on_single_axis, 0, [&](auto& c) { c[0].follower.link = ball_or_plate; });
    expect(Rule::coupling_on_single_axis, 1, [&](auto& c) { c[1].leaders[0].joint.link = ball_or_plate; });
  }
  expect(Rule::coupling_ratio_not_zero, 1, [](auto& c) { c[1].leaders[0].ratio = 0; });
  expect(Rule::coupling_ratio_not_zero, 0, [](auto& c) { c[0].leaders[1].ratio = 0; });
  for (const double bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), 1.1e6}) {
    expect(Rule::values_sane, 0, [&](auto& c) { c[0].leaders[0].ratio = bad; });
    expect(Rule::values_sane, 1, [&](auto& c) { c[1].offset = bad; });
  }
  expect(Rule::coupling_of_different_joints, 1, [](auto& c) { c[1].leaders[0].joint.link = 3; });
  expect(Rule::coupling_of_different_joints, 0, [](auto& c) { c[0].leaders[1].joint.link = 1; });
  // b follows c, which follows b.
  expect(Rule::coupling_of_different_joints, 0,
         [](auto& c) { c[0].leaders[1].joint.link = 3, c[1].leaders[0].joint.link = 2; });
  expect(Rule::follower_in_one_coupling, 1, [](auto& c) { c[1].follower.link = 2; });
  // Another joint to follow is a good robot, but another one.
  auto values = tree;
  values.couplings[1].leaders[0].joint.link = 1;
  TEST_ASSERT_TRUE(validate(values).ok());
  static Model<tree, float> model;
  TEST_ASSERT_TRUE((build_model<tree, float>(values, model) == Status::invalid_model));
  values = tree;
  values.couplings[0].leader_count = 1;
  TEST_ASSERT_TRUE((build_model<tree, float>(values, model) == Status::invalid_model));
}

}  // namespace

KINECAST_SUITE(couplings, test_run, test_dense, test_dense_in_list, test_tuning_in_list, test_energy, test_wrong_start,
               test_gripper, test_impact, test_friction, test_given_velocity, test_rigid_leader, test_snapshot,
               test_words, test_rules)

}  // namespace unit_couplings
