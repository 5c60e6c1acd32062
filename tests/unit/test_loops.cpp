// SPDX-License-Identifier: MIT
// Closed loops: linkages stay closed and move as Newton and Lagrange say (dense equations with multipliers, one degree of freedom
// by hand), their pins carry what statics says, together with stops, contacts, friction and given velocities; loops that are
// closed twice or stand open at the start; snapshots.
#include <kinecast/kinecast.hpp>

#include "../robots/linkages.hpp"
#include "../support/dense_reference.hpp"
#include "../support/four_bar_truth.hpp"
#include "bad_input.hpp"
#include "measure.hpp"
#include "robot_checks.hpp"
#include "unity_main.hpp"

namespace unit_loops {
namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in
using bad_input::assert_status;
using bad_input::same_bits;
using checks::assert_ok;
using measure::bound;
using measure::kEffort;
using robots::four_bar;
using robots::FourBarTruth;

constexpr double kGravity = 9.80665;
constexpr double kDt = 1e-3;

template <const auto& R>
using Values = std::decay_t<decltype(R)>;

template <const auto& R>
[[nodiscard]] dense::Reference<R>& reference() {
  static dense::Reference<R> exact;
  return exact;
}

// Where two points of a loop are apart, by the dense reference.
template <const auto& R, class S>
[[nodiscard]] dense::Vec apart(const State<R, S>& state, int loop = 0, const Values<R>& values = R) {
  auto& exact = reference<R>();
  double q[static_cast<std::size_t>(Shape<R>::kPositions)];
  for (int i = 0; i < Shape<R>::kPositions; ++i) q[i] = static_cast<double>(state.q[i]);
  exact.place(values, q);
  const Closure& c = values.loop(loop);
  return exact.point(c.first.link, dense::vec(c.first.position_m)) -
         exact.point(c.second.link, dense::vec(c.second.position_m));
}
template <const auto& R, class S>
[[nodiscard]] double distance(const State<R, S>& state, int loop = 0) {
  const dense::Vec d = apart<R, S>(state, loop);
  return std::sqrt(dense::dot(d, d));
}

// The four-bar with its crank at this angle.
[[nodiscard]] FourBarTruth crank_at(double angle) {
  FourBarTruth truth;
  for (int i = 1; i <= 20; ++i) {
    truth.angle = angle * i / 20;
    truth.close();
  }
  return truth;
}
template <const auto& R, class S>
[[nodiscard]] State<R, S> state_of(FourBarTruth& truth) {
  State<R, S> state = zero_state<R, S>();
  const FourBarTruth::Rates rates = truth.rates();
  state.q << static_cast<S>(truth.angle), static_cast<S>(truth.coupler - truth.angle), static_cast<S>(truth.rocker);
  state.dq << static_cast<S>(truth.rate), static_cast<S>((rates.coupler - 1) * truth.rate),
      static_cast<S>(rates.rocker * truth.rate);
  return state;
}
template <const auto& R, class S, class P>
void steps(P& predictor, int count, double dt = kDt) {
  for (int i = 0; i < count; ++i) assert_ok(predictor.step(Command<R, S>::Zero(), static_cast<S>(dt)));
}

// ---- motion ---------------------------------------------------------------------------------------------------------------

// tests/scenario/four_bar.cpp does so for ten seconds.
template <class S>
void check_stays_closed() {
  static Predictor<four_bar, S> p;
  FourBarTruth truth = crank_at(1.2);
  assert_ok(p.reset(state_of<four_bar, S>(truth)));
  measure::Worst worst;
  for (int i = 0; i < 40 * kEffort; ++i) {
    steps<four_bar, S>(p, 1);
    worst.see(distance<four_bar, S>(p.state()));
  }
  // Of third order in the step: the fastest link turns with 12 rad/s, (12 * 1e-3)³ * 0.45 m, worked off with 200 / s.
  measure::assert_below<S>(5e-6, worst, "four-bar, pin apart");
}
void test_stays_closed() {
  check_stays_closed<float>();
  if constexpr (measure::kInDouble) check_stays_closed<double>();
}

// Two arms in space, closed with each other and one of them with the world: a hinge, a ball and a slide, and three hinges.
constexpr auto make_spatial() {
  constexpr auto kBody = body(0.8, com(0.05, -0.02, 0.12), inertia(0.011, 0.012, 0.009, 0.001, -0.002, 0.0005));
  return robot("spatial", link("a1", on("world"), revolute({0.6, 0, 0.8}), kBody),
               link("a2", on("a1"), at(0.1, 0, 0.3), spherical(), kBody),
               link("a3", on("a2"), at(0, 0.1, 0.3), rpy(0.3, -0.2, 0.5), prismatic(kAxisX), kBody),
               link("b1", on("world"), at(0.5, 0.2, 0), revolute(kAxisY), kBody),
               link("b2", on("b1"), at(0, 0, 0.3), rpy(0.4, 0.1, 0), revolute(kAxisX), kBody),
               link("b3", on("b2"), at(0, 0.05, 0.3), rpy(0, 0.7, 0.2), revolute(kAxisZ), kBody),
               closure("hands", point_of("a3", 0.1, 0, 0.1), point_of("b3", 0, 0, 0.2)),
               closure("rope", point_of("world", 0, 0.4, 0.5), point_of("a2", 0.1, 0, 0.1)),
               contact_point("toe", on("b3")));
}
inline constexpr auto spatial = make_spatial();
// Too far away to touch: with it loops are constraints in the list of implicit friction.
inline constexpr auto nowhere = environment(half_space("pit", at(0, 0, -1000)));
using List = Contacts<nowhere, 1, Implicit>;
constexpr int kRows = 6;

// J, and what the rows' accelerations are without ddq, of the first point against the second.
struct DenseLoops {
  static constexpr int kDofs = Shape<spatial>::kDofs;
  double J[kRows][8];
  double drift[kRows];
};
static_assert(DenseLoops::kDofs == 8);
void find_rows(const Values<spatial>& values, const double* dq, DenseLoops& out) {
  auto& exact = reference<spatial>();
  exact.move(dq, nullptr);
  for (int l = 0; l < 2; ++l) {
    for (int i = 0; i < 3; ++i) {
      out.drift[3 * l + i] = 0;
      for (int k = 0; k < 8; ++k) out.J[3 * l + i][k] = 0;
    }
    const Closure& c = values.loop(l);
    for (const bool is_first : {true, false}) {
      const PointOf& p = is_first ? c.first : c.second;
      if (p.link < 0) continue;
      const double sign = is_first ? 1 : -1;
      const dense::Vec at = exact.point(p.link, dense::vec(p.position_m));
      const dense::Vec arm = at - exact.pos[p.link];
      const dense::Vec a = exact.acc[p.link] + dense::cross(exact.alpha[p.link], arm) +
                           dense::cross(exact.w[p.link], dense::cross(exact.w[p.link], arm));
      double J[6][8];
      exact.jacobian(p.link, at, J);
      for (int i = 0; i < 3; ++i) {
        out.drift[3 * l + i] += sign * a[i];
        for (int k = 0; k < 8; ++k) out.J[3 * l + i][k] += sign * J[3 + i][k];
      }
    }
  }
}

// One step from a random closed state against (A + Lambda) f dt = -(J (dq + dt ddq0) + dt Jdot dq), M ddq = tau - b + Jᵀ f.
// The velocity of a step is that of the step's middle: the one before obeys the loop half a step ago, J dq = dt/2 Jdot dq, and the
// rows ask the same of the next; so their change has the whole Jdot dq.
template <class S, class... Options>
void check_dense() {
  static Predictor<spatial, S, Options...> p;
  static Model<spatial, S> model;
  auto& exact = reference<spatial>();
  measure::Random random(61);
  measure::Worst worst;
  measure::Worst force;
  const double relaxation = bound<S>(1e-4, 1e-10);
  for (int trial = 0; trial < kEffort; ++trial) {
    checks::Sample<spatial, S> s;
    checks::draw(random, {}, s);
    double q[9];
    double dq[8];
    for (int i = 0; i < 9; ++i) q[i] = static_cast<double>(s.q[i]);
    for (int i = 0; i < 8; ++i) dq[i] = static_cast<double>(s.dq[i]);
    // The loops' second points lie where the first ones are.
    Values<spatial> values = spatial;
    exact.place(values, q);
    for (Closure& c : values.loops) {
      const dense::Vec at = exact.point(c.first.link, dense::vec(c.first.position_m));
      const int link = c.second.link;
      const dense::Vec in = dense::transposed(exact.rot[link]) * (at - exact.pos[link]);
      c.second.position_m = {in[0], in[1], in[2]};
    }
    assert_ok(build_model<spatial, S>(values, model));
    exact.find_mass_matrix();
    double L[8][8];
    for (int i = 0; i < 8; ++i)
      for (int k = 0; k < 8; ++k) L[i][k] = exact.M[i][k];
    TEST_ASSERT_TRUE(dense::factor(L));
    DenseLoops rows;
    double response[kRows][8];
    double A[kRows][kRows];
    double x[kRows];
    // Three turns: the velocity products change with the velocity.
    for (int turn = 0; turn < 3; ++turn) {
      find_rows(values, dq, rows);
      for (int i = 0; i < kRows; ++i) {
        for (int k = 0; k < 8; ++k) response[i][k] = rows.J[i][k];
        dense::solve(L, response[i]);
      }
      for (int i = 0; i < kRows; ++i) {
        x[i] = 0.5 * kDt * rows.drift[i];
        for (int k = 0; k < 8; ++k) x[i] -= rows.J[i][k] * dq[k];
        for (int j = 0; j < kRows; ++j) {
          A[i][j] = 0;
          for (int k = 0; k < 8; ++k) A[i][j] += rows.J[i][k] * response[j][k];
        }
      }
      TEST_ASSERT_TRUE(dense::factor(A));
      dense::solve(A, x);
      for (int i = 0; i < kRows; ++i)
        for (int k = 0; k < 8; ++k) dq[k] += x[i] * response[i][k];
    }
    State<spatial, S> state;
    for (int i = 0; i < 9; ++i) state.q[i] = static_cast<S>(q[i]);
    for (int i = 0; i < 8; ++i) state.dq[i] = static_cast<S>(dq[i]);
    // What the library gets is rounded.
    for (int i = 0; i < 8; ++i) dq[i] = static_cast<double>(state.dq[i]);
    find_rows(values, dq, rows);
    double ddq[8];
    exact.find_force(ddq);
    for (int i = 0; i < 8; ++i) ddq[i] = static_cast<double>(s.tau[i]) - ddq[i];
    dense::solve(L, ddq);
    for (int i = 0; i < kRows; ++i) {
      x[i] = -0.5 * kDt * rows.drift[i];
      for (int k = 0; k < 8; ++k) x[i] -= rows.J[i][k] * (dq[k] + kDt * ddq[k]);
      for (int j = 0; j < kRows; ++j) {
        A[i][j] = 0;
        for (int k = 0; k < 8; ++k) A[i][j] += rows.J[i][k] * response[j][k];
      }
    }
    // One relaxation for a loop's three rows: that of the one that moves most.
    for (int l = 0; l < 2; ++l) {
      const double largest = std::fmax(A[3 * l][3 * l], std::fmax(A[3 * l + 1][3 * l + 1], A[3 * l + 2][3 * l + 2]));
      for (int i = 3 * l; i < 3 * l + 3; ++i) A[i][i] += relaxation * largest;
    }
    TEST_ASSERT_TRUE(dense::factor(A));
    dense::solve(A, x);
    for (int i = 0; i < kRows; ++i) {
      for (int k = 0; k < 8; ++k) ddq[k] += x[i] / kDt * response[i][k];
      x[i] /= kDt;
    }
    static Predictor<spatial, S, Options...> fresh(model);
    p = fresh;
    assert_ok(p.set_row_parameters({S(0), S(1), static_cast<S>(relaxation)}));  // the pins' places are rounded
    assert_ok(p.reset(state));
    assert_ok(p.step(s.tau, static_cast<S>(kDt)));
    double got[8];
    for (int i = 0; i < 8; ++i) got[i] = (static_cast<double>(p.state().dq[i]) - dq[i]) / kDt;
    measure::compare(ddq, got, 8, worst);
    double pulls[kRows];
    for (int l = 0; l < 2; ++l) {
      const Vec3<S>& f = p.report().loop_N[static_cast<std::size_t>(l)];
      pulls[3 * l] = static_cast<double>(f.x), pulls[3 * l + 1] = static_cast<double>(f.y);
      pulls[3 * l + 2] = static_cast<double>(f.z);
    }
    measure::compare(x, pulls, kRows, force);
  }
  // Velocities of a few rad/s have 2e-7 in float: over a step of 1 ms 2e-4 rad/s² of 2 to 80. Double: 1e9 times less, and the
  // relaxation's 1e-10 is the least that the solver keeps.
  measure::assert_below<S>(bound<S>(1e-3, 1e-8), worst, "loops in space, accelerations");
  measure::assert_below<S>(bound<S>(1e-3, 1e-8), force, "loops in space, forces");
}
void test_dense() {
  check_dense<float>();
  if constexpr (measure::kInDouble) check_dense<double>();
}
void test_dense_in_list() {
  check_dense<float, List>();
  if constexpr (measure::kInDouble) check_dense<double, List>();
}

// A free beam held at two points is a pendulum about their line.
inline constexpr double kBeam_kg = 2;
inline constexpr double kBeamHangs_m = 0.2;
inline constexpr auto beam = robot(
    "beam", link("beam", floating(), body(kBeam_kg, com(0.1, 0, -kBeamHangs_m), inertia(0.03, 0.05, 0.04))),
    closure("left", point_of("beam", -0.3, 0, 0), point_of("world", -0.3, 0, 1)),
    closure("right", point_of("world", 0.3, 0, 1), point_of("beam", 0.3, 0, 0)), contact_point("toe", on("beam")));

template <class S, class... Options>
void check_two_feet_held() {
  static Predictor<beam, S, Options...> p;
  State<beam, S> state = zero_state<beam, S>();
  state.q[2] = S(1);
  assert_ok(p.reset(state));
  steps<beam, S>(p, 20);
  // By levers: 0.4 m of 0.6 m from the left one. The second loop's force is that on the world, for the world is its first point.
  const double weight = kBeam_kg * kGravity;
  const Vec3<S> left = p.report().loop_N[0];
  const Vec3<S> right = p.report().loop_N[1];
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(2e-2, 1e-3), weight / 3, static_cast<double>(left.z));
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(2e-2, 1e-3), -weight * 2 / 3, static_cast<double>(right.z));
  // Along the line both feet could pull as much as they like: of all such forces the least.
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(2e-2, 1e-3), 0, static_cast<double>(left.x));
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(2e-2, 1e-3), 0, static_cast<double>(right.x));

  // Swinging, about x.
  double angle = 0.5;
  double rate = 0;
  state.q[3] = static_cast<S>(std::cos(0.25));
  state.q[4] = static_cast<S>(std::sin(0.25));
  assert_ok(p.reset(state));
  const double stiffness = weight * kBeamHangs_m / (0.03 + kBeam_kg * kBeamHangs_m * kBeamHangs_m);
  measure::Worst swing;
  measure::Worst loose;
  for (int i = 0; i < 4 * kEffort + 50; ++i) {
    steps<beam, S>(p, 1);
    // Stoermer's rule, of second order: its error is (omega dt)² / 24 of the phase.
    rate -= (i == 0 ? 0.5 : 1) * kDt * stiffness * std::sin(angle);
    angle += kDt * rate;
    swing.see(2 * std::atan2(static_cast<double>(p.state().q[4]), static_cast<double>(p.state().q[3])) - angle);
    loose.see(distance<beam, S>(p.state(), 0));
    loose.see(distance<beam, S>(p.state(), 1));
  }
  // The first step of symplectic Euler takes a whole kick instead of half of one: 0.5 dt * 0.5 rad * stiffness 34 / s², over omega.
  measure::assert_below<S>(2e-3, swing, "beam, angle");
  measure::assert_below<S>(5e-6, loose, "beam, feet apart");
}
void test_two_feet_held() {
  check_two_feet_held<float>();
  if constexpr (measure::kInDouble) check_two_feet_held<double>();
}
void test_two_feet_held_in_list() {
  check_two_feet_held<float, List>();
  if constexpr (measure::kInDouble) check_two_feet_held<double, List>();
}

// 1 mm off and at rest, without weight: a rate of 5000/s closes the loops within a step of 1 ms, as 1000/s does. The relaxation
// leaves 1e-4 of the speed, of which the feet are 0.3 m away from the middle.
void test_closes_within_a_step() {
  static Values<beam> values = beam;
  values.gravity_mps2 = {0, 0, 0};
  static Model<beam, float> model;
  assert_ok(build_model<beam, float>(values, model));
  static Predictor<beam, float, List> p(model);
  State<beam, float> state = zero_state<beam, float>();
  state.q[0] = 1e-3F, state.q[2] = 1;
  assert_ok(p.reset(state));
  assert_ok(p.set_row_parameters({5000, 10, 1e-4F}));
  steps<beam, float>(p, 1);
  for (int l = 0; l < 2; ++l) TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, (distance<beam, float>(p.state(), l)));
}

// ---- statics --------------------------------------------------------------------------------------------------------------

// Two bars lean on each other: nothing moves. Moments about each foot:
//   0.3 Fx - 0.2 Fz + 0.1 m1 g = 0,   -0.3 Fx - 0.3 Fz - 0.15 m2 g = 0
inline constexpr auto truss =
    robot("truss", link("left", on("world"), revolute(kAxisY), body(1, com(0.1, 0, 0.15), inertia(0.01, 0.01, 0.01))),
          link("right", on("world"), at(0.5, 0, 0), revolute(kAxisY),
               body(2, com(-0.15, 0, 0.15), inertia(0.02, 0.02, 0.02))),
          closure("apex", point_of("left", 0.2, 0, 0.3), point_of("right", -0.3, 0, 0.3)));

template <class S>
void check_truss() {
  static Predictor<truss, S> p;
  assert_ok(p.reset(zero_state<truss, S>()));
  steps<truss, S>(p, 100);
  const Vec3<S> force = p.report().loop_N[0];
  const double tolerance = bound<S>(1e-2, 1e-5);  // of 6 N; float: the digits of 5e-9 m over the relaxation
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, -0.6 * kGravity, static_cast<double>(force.x));
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, -0.4 * kGravity, static_cast<double>(force.z));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, static_cast<double>(force.y));
  for (int i = 0; i < 2; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, static_cast<double>(p.state().q[i]));
}
void test_truss() {
  check_truss<float>();
  if constexpr (measure::kInDouble) check_truss<double>();
}

// A stop at the rocker holds the whole parallelogram: by virtual work, sin(q) g (m1 l/2 + m2 l + m3 z3).
inline constexpr double kStop = 0.4;
inline constexpr auto stopped = robots::parallelogram_with(limits(-kStop, kStop));

// `rocker_z`: the centre of mass of the rocker.
[[nodiscard]] double gravity_torque(double angle, double rocker_z) {
  using namespace robots;
  return std::sin(angle) * kGravity *
         (kParallelBar_kg * kParallelBar_m / 2 + kParallelCoupler_kg * kParallelBar_m + kParallelBar_kg * rocker_z);
}
template <class S>
void check_stop(double rocker_z) {
  Values<stopped> values = stopped;
  values.links[2].com_m.z = rocker_z;
  static Model<stopped, S> model;
  assert_ok(build_model<stopped, S>(values, model));
  static Predictor<stopped, S> p(model);
  State<stopped, S> state = zero_state<stopped, S>();
  const double start = kStop - 0.002;
  state.q << static_cast<S>(start), static_cast<S>(-start), static_cast<S>(start);
  assert_ok(p.reset(state));
  measure::Worst beyond;
  measure::Worst loose;
  for (int i = 0; i < 150; ++i) {
    steps<stopped, S>(p, 1);
    beyond.see(std::fmax(0, static_cast<double>(p.state().q[2]) - kStop));
    loose.see(distance<stopped, S>(p.state()));
  }
  // The bound for a stop; the pin's stays as it is without stops.
  measure::assert_below<S>(1e-5, beyond, "linkage at a stop, beyond it");
  measure::assert_below<S>(1e-5, loose, "linkage at a stop, pin apart");
  const double torque = gravity_torque(kStop, rocker_z);
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(5e-3, 1e-3) * torque, -torque, static_cast<double>(p.report().limit_Nm[2]));
  for (int i = 0; i < 3; ++i) TEST_ASSERT_DOUBLE_WITHIN(bound<S>(1e-4, 1e-6), 0, static_cast<double>(p.state().dq[i]));
}
void test_stop_holds_linkage() {
  check_stop<float>(0.1);
  if constexpr (measure::kInDouble) check_stop<double>(0.1);
}
// With a counterweight the rocker alone would fall away from its stop: it is the pin that presses it there.
void test_pin_presses_at_stop() {
  check_stop<float>(-0.35);
  if constexpr (measure::kInDouble) check_stop<double>(-0.35);
}

// A foot below the coupler stands on smooth ground: all points of the coupler move alike, N = g (m1/2 + m2 + m3/2).
inline constexpr auto walker = robots::parallelogram_with();
inline constexpr auto ground = environment(half_space("ground", material(friction(0, 0))));

template <class S>
void check_ground() {
  static Predictor<walker, S, Contacts<ground, 1>> p;
  State<walker, S> state = zero_state<walker, S>();
  const double start = std::acos(0.05 / robots::kParallelBar_m) - 0.01;
  state.q << static_cast<S>(start), static_cast<S>(-start), static_cast<S>(start);
  assert_ok(p.reset(state));
  measure::Worst loose;
  for (int i = 0; i < 300; ++i) {
    steps<walker, S>(p, 1);
    loose.see(distance<walker, S>(p.state()));
  }
  TEST_ASSERT_EQUAL_INT(1, p.contact_report().count);
  const double normal = kGravity * (robots::kParallelBar_kg + robots::kParallelCoupler_kg);
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(5e-3, 1e-3) * normal, normal, static_cast<double>(p.contact_report()[0].normal_N));
  measure::assert_below<S>(1e-5, loose, "linkage on the ground, pin apart");
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, static_cast<double>(p.state().dq[0]));
}
void test_stands_on_ground() {
  check_ground<float>();
  if constexpr (measure::kInDouble) check_ground<double>();
}

// Friction in the crank's hinge holds the linkage with what gravity asks for, and no more.
inline constexpr auto rusty = robots::four_bar_with(at_joint(stiction(0.9), coulomb(0.8)));
template <class S>
void check_friction() {
  static Predictor<rusty, S> p;
  FourBarTruth truth = crank_at(1.2);
  const double load = truth.load();
  TEST_ASSERT_TRUE(std::abs(load) > 0.3 && std::abs(load) < 0.8);
  assert_ok(p.reset(state_of<rusty, S>(truth)));
  steps<rusty, S>(p, 100);
  TEST_ASSERT_TRUE(p.report().held(0));
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(2e-2, 1e-3) * std::abs(load), load,
                            static_cast<double>(p.report().friction_Nm[0]));
  for (int i = 0; i < 3; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, static_cast<double>(p.state().dq[i]));
  // A push beyond the static friction: it slips, and the pin stays.
  Command<rusty, S> push = Command<rusty, S>::Zero();
  push[0] = static_cast<S>(std::copysign(1.5, load));
  measure::Worst loose;
  for (int i = 0; i < 100; ++i) {
    assert_ok(p.step(push, static_cast<S>(kDt)));
    loose.see(distance<rusty, S>(p.state()));
  }
  TEST_ASSERT_FALSE(p.report().held(0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, std::copysign(0.8, -load), static_cast<double>(p.report().friction_Nm[0]));
  measure::assert_below<S>(2e-5, loose, "rusty four-bar, pin apart");
}
void test_friction_holds_linkage() {
  check_friction<float>();
  if constexpr (measure::kInDouble) check_friction<double>();
}

// A crank that turns as it is told: geometry says where the others are, and Newton what the pin does to the rocker.
inline constexpr auto driven = robots::four_bar_with(velocity_driven());
template <class S>
void check_given_velocity() {
  static Predictor<driven, S> p;
  FourBarTruth truth = crank_at(0.3);
  truth.rate = 4;
  assert_ok(p.reset(state_of<driven, S>(truth)));
  Command<driven, S> command = Command<driven, S>::Zero();
  command[0] = S(4);
  measure::Worst angles;
  measure::Worst moments;
  const double rocker_kgm2 =
      robots::kFourBar.rocker_kg * robots::kFourBar.rocker_m * robots::kFourBar.rocker_m / 3 + 1e-5;
  for (int i = 0; i < 4 * kEffort + 50; ++i) {
    const double before = static_cast<double>(p.state().dq[2]);
    const double angle = static_cast<double>(p.state().q[2]);
    assert_ok(p.step(command, static_cast<S>(kDt)));
    truth.angle += 4 * kDt;
    truth.close();
    angles.see(static_cast<double>(p.state().q[0]) - truth.angle);
    angles.see(static_cast<double>(p.state().q[1]) - (truth.coupler - truth.angle));
    angles.see(static_cast<double>(p.state().q[2]) - truth.rocker);
    // On the rocker acts what is opposite to the reported force, at its end, and its weight.
    const Vec3<S> force = p.report().loop_N[0];
    const double x = robots::kFourBar.rocker_m * std::sin(angle);
    const double z = robots::kFourBar.rocker_m * std::cos(angle);
    const double moment = -z * static_cast<double>(force.x) + x * static_cast<double>(force.z) +
                          0.5 * x * robots::kFourBar.rocker_kg * kGravity;
    moments.see(rocker_kgm2 * (static_cast<double>(p.state().dq[2]) - before) / kDt - moment);
  }
  // The pin errs by 5e-6 m on arms of 0.1 m; 5000 sums in float.
  measure::assert_below<S>(1e-4, angles, "driven four-bar, angles");
  // N.m, of some tenths; float: accelerations are differences of speeds.
  measure::assert_below<S>(bound<S>(2e-5, 1e-12), moments, "driven four-bar, Newton at the rocker");
}
void test_given_velocity() {
  check_given_velocity<float>();
  if constexpr (measure::kInDouble) check_given_velocity<double>();
}

// ---- too many and too far -------------------------------------------------------------------------------------------------

constexpr auto make_twice() {
  constexpr robots::FourBarSizes s{};
  return robot(
      "twice", link("crank", on("world"), revolute(kAxisY), robots::bar_body(s.crank_kg, s.crank_m)),
      link("coupler", on("crank"), at(0, 0, s.crank_m), revolute(kAxisY),
           body(s.coupler_kg, com(0.5 * s.coupler_x_m, 0, 0.5 * s.coupler_z_m),
                inertia(s.coupler_kgm2, s.coupler_kgm2, 1e-3))),
      link("rocker", on("world"), at(s.ground_m, 0, 0), revolute(kAxisY), robots::bar_body(s.rocker_kg, s.rocker_m)),
      closure("pin", point_of("coupler", s.coupler_x_m, 0, s.coupler_z_m), point_of("rocker", 0, 0, s.rocker_m)),
      closure("same pin", point_of("coupler", s.coupler_x_m, 0, s.coupler_z_m), point_of("rocker", 0, 0, s.rocker_m)));
}
inline constexpr auto twice = make_twice();

template <class S>
void check_closed_twice() {
  static Predictor<twice, S> p;
  static Predictor<four_bar, S> once;
  FourBarTruth truth = crank_at(1.2);
  assert_ok(p.reset(state_of<twice, S>(truth)));
  assert_ok(once.reset(state_of<four_bar, S>(truth)));
  measure::Worst motion;
  measure::Worst share;
  for (int i = 0; i < 2 * kEffort + 50; ++i) {
    steps<twice, S>(p, 1);
    steps<four_bar, S>(once, 1);
    for (int k = 0; k < 3; ++k) motion.see(static_cast<double>(p.state().q[k] - once.state().q[k]));
    const Vec3<S> a = p.report().loop_N[0];
    const Vec3<S> b = p.report().loop_N[1];
    const Vec3<S> all = once.report().loop_N[0];
    share.see(static_cast<double>(a.x - b.x)), share.see(static_cast<double>(a.z - b.z));
    share.see(static_cast<double>(a.x + b.x - all.x)), share.see(static_cast<double>(a.z + b.z - all.z));
  }
  // Two rows yield half as much: the difference is that of the relaxation, 1e-4 of each force's effect.
  measure::assert_below<S>(1e-4, motion, "closed twice, motion");
  measure::assert_below<S>(bound<S>(5e-2, 5e-3), share, "closed twice, forces");  // of 10 N
}
void test_closed_twice() {
  check_closed_twice<float>();
  if constexpr (measure::kInDouble) check_closed_twice<double>();
}

// Without weight and at rest, 1 cm open: the points come together, no faster than push_out, and stay.
inline constexpr auto weightless = [] {
  auto r = robots::four_bar_with();
  r.gravity_mps2 = {0, 0, 0};
  return r;
}();
template <class S>
void check_open_at_start(S push_out) {
  static Predictor<weightless, S> p;
  State<weightless, S> state = zero_state<weightless, S>();
  state.q[2] = S(0.01 / 0.3);
  assert_ok(p.reset(state));
  assert_ok(p.set_row_parameters({S(200), push_out, S(1e-4)}));
  double before = distance<weightless, S>(p.state());
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.01, before);
  measure::Worst speed;
  for (int i = 0; i < 200; ++i) {
    steps<weightless, S>(p, 1);
    const double now = distance<weightless, S>(p.state());
    TEST_ASSERT_TRUE(now <= before + 1e-6);
    speed.see((before - now) / kDt);
    before = now;
  }
  TEST_ASSERT_TRUE(speed.value <= 1.01 * static_cast<double>(push_out));
  TEST_ASSERT_TRUE(speed.value >= 0.5 * std::fmin(static_cast<double>(push_out), 2.0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, before);
  // What the closing left over turns the crank with no more than the pin came with over its arm, 0.1 m.
  for (int i = 0; i < 3; ++i)
    TEST_ASSERT_TRUE(std::abs(static_cast<double>(p.state().dq[i])) < 2 * static_cast<double>(push_out) / 0.1);
}
void test_open_at_start() {
  check_open_at_start<float>(0.1F);
  if constexpr (measure::kInDouble) check_open_at_start<double>(0.1);
  check_open_at_start<float>(1.0F);
  if constexpr (measure::kInDouble) check_open_at_start<double>(1.0);
}

// A loop that no posture can close pulls the arm straight towards it and stays there.
inline constexpr auto out_of_reach =
    robot("out of reach", gravity(0, 0, 0),
          link("arm", on("world"), revolute(kAxisY), body(1, com(0, 0, 0.15), inertia(0.01, 0.01, 0.01))),
          closure("wish", point_of("arm", 0, 0, 0.3), point_of("world", 1, 0.2, 0)), contact_point("toe", on("arm")));
template <class S, class... Options>
void check_out_of_reach() {
  static Predictor<out_of_reach, S, Options...> p;
  State<out_of_reach, S> state = zero_state<out_of_reach, S>();
  assert_ok(p.reset(state));
  for (int i = 0; i < 1500; ++i) {
    assert_ok(p.step(Command<out_of_reach, S>::Zero(), static_cast<S>(kDt)));
    TEST_ASSERT_TRUE(std::abs(static_cast<double>(p.state().dq[0])) < 10);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, 1.5707963, static_cast<double>(p.state().q[0]));
  // Across, where nothing can move, nothing pulls.
  TEST_ASSERT_DOUBLE_WITHIN(0, 0, static_cast<double>(p.report().loop_N[0].y));
}
void test_out_of_reach() {
  check_out_of_reach<float>();
  if constexpr (measure::kInDouble) check_out_of_reach<double>();
}
void test_out_of_reach_in_list() {
  check_out_of_reach<float, List>();
  if constexpr (measure::kInDouble) check_out_of_reach<double, List>();
}

// ---- memory and numbers that nobody should bring --------------------------------------------------------------------------

void test_snapshot() {
  static Predictor<rusty, float> p;
  FourBarTruth truth = crank_at(1.2);
  truth.rate = 3;
  assert_ok(p.reset(state_of<rusty, float>(truth)));
  steps<rusty, float>(p, 30);
  const auto kept = p.snapshot();
  steps<rusty, float>(p, 30);
  const State<rusty, float> once = p.state();
  const auto force = p.report().loop_N[0];
  p.restore(kept);
  steps<rusty, float>(p, 30);
  TEST_ASSERT_TRUE(same_bits(once.q, p.state().q) && same_bits(once.dq, p.state().dq));
  TEST_ASSERT_TRUE(same_bits(force, p.report().loop_N[0]));
  // A forecast leaves no trace.
  const Command<rusty, float> still[3] = {Command<rusty, float>::Zero(), Command<rusty, float>::Zero(),
                                          Command<rusty, float>::Zero()};
  State<rusty, float> ahead[3];
  const Rollout reached = p.rollout(still, 3, 1e-3F, ahead);
  assert_ok(reached.status);
  TEST_ASSERT_TRUE(same_bits(once.q, p.state().q) && same_bits(force, p.report().loop_N[0]));
  steps<rusty, float>(p, 3);
  TEST_ASSERT_TRUE(same_bits(ahead[2].q, p.state().q) && same_bits(ahead[2].dq, p.state().dq));
}

void test_bad_numbers() {
  static Predictor<four_bar, float> p;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  for (int i = 0; i < 3; ++i) {
    for (const float bad : {nan, infinite, -1.0F, 2e9F}) {
      RowParameters<float> r;
      (i == 0 ? r.compensation_per_s : i == 1 ? r.push_out : r.relaxation) = bad;
      assert_status(std::abs(bad) < infinite ? Status::input_out_of_range : Status::non_finite_input,
                    p.set_row_parameters(r), "row parameters");
    }
  }
  // Refused, and nothing has changed: the motion is that of one that nobody bothered.
  static Predictor<four_bar, float> other;
  FourBarTruth truth = crank_at(1.2);
  assert_ok(p.reset(state_of<four_bar, float>(truth)));
  assert_ok(other.reset(state_of<four_bar, float>(truth)));
  Command<four_bar, float> command = Command<four_bar, float>::Zero();
  command[1] = nan;
  TEST_ASSERT_FALSE(ok(p.step(command, 1e-3F)));
  command[1] = 0;
  TEST_ASSERT_FALSE(ok(p.step(command, 1e3F)));
  State<four_bar, float> state = p.state();
  state.q[1] = nan;
  TEST_ASSERT_FALSE(ok(p.reset(state)));
  steps<four_bar, float>(p, 5);
  steps<four_bar, float>(other, 5);
  TEST_ASSERT_TRUE(same_bits(other.state().q, p.state().q) && same_bits(other.state().dq, p.state().dq));
  // Extremes that are allowed: no relaxation at all, none of the distance worked off, all of it at once.
  for (const RowParameters<float>& r : {RowParameters<float>{0, 0, 0}, RowParameters<float>{1e9F, 1e9F, 0}}) {
    assert_ok(p.set_row_parameters(r));
    assert_ok(p.reset(state_of<four_bar, float>(truth)));
    steps<four_bar, float>(p, 50);
    TEST_ASSERT_TRUE(distance<four_bar>(p.state()) < 1e-3);
  }
}

}  // namespace

KINECAST_SUITE(loops, test_stays_closed, test_dense, test_dense_in_list, test_two_feet_held, test_two_feet_held_in_list,
               test_closes_within_a_step, test_truss, test_stop_holds_linkage, test_pin_presses_at_stop,
               test_stands_on_ground, test_friction_holds_linkage, test_given_velocity, test_closed_twice,
               test_open_at_start, test_out_of_reach, test_out_of_reach_in_list, test_snapshot, test_bad_numbers)

}  // namespace unit_loops
