// SPDX-License-Identifier: MIT
// Many impacts at once, and impacts on robots, where momentum, symmetry or a desk toy knows the answer.
#include <kinecast/contact/impact/robot_impact.hpp>
#include <kinecast/dynamics/energy.hpp>
#include <kinecast/dynamics/forward_dynamics.hpp>
#include <kinecast/dynamics/mass_matrix.hpp>

#include "../robots/boxes.hpp"
#include "measure.hpp"
#include "statuses.hpp"
#include "unity_main.hpp"

namespace unit_impacts {
namespace {

using checks::assert_ok;
using checks::assert_status;
using kinecast::Status;
using kinecast::Vec3;
using measure::bound;
using measure::f64;
using measure::kEps;
using measure::Worst;

// ---- many at once -----------------------------------------------------------------------------------------------------------

template <class S, int Rank, int Points, int Stops>
double kinetic_change(const kinecast::ImpactProblem<S, Rank, Points, Stops>& p,
                      const kinecast::ImpactSolution<S, Rank, Points, Stops>& s) {
  double work = 0;
  double square = 0;
  for (int i = 0; i < p.rows(); ++i) work += f64(s.impulse[i]) * f64(p.velocity[i]);
  for (int k = 0; k < p.rank; ++k) square += f64(s.change[k]) * f64(s.change[k]);
  return work + 0.5 * square;
}

// A rod of 2 kg and inertia 0.5 lands flat on its ends, 0.4 m from the middle, while it slides: heave, pitch and slide over the
// roots of mass and inertia. It keeps flat, whatever e: both ends rebound alike. Friction acts at the rod's own height.
template <class S>
void check_rod() {
  const S heave = static_cast<S>(1 / std::sqrt(2.0));
  const S pitch = static_cast<S>(0.4 / std::sqrt(0.5));
  for (const S e : {S(0), S(0.5), S(1)}) {
    kinecast::ImpactProblem<S, 3, 2> rod{};
    rod.rank = 3;
    rod.points = 2;
    for (int end = 0; end < 2; ++end) {
      rod.row[3 * end][0] = heave;
      rod.row[3 * end][1] = end == 0 ? pitch : -pitch;
      rod.row[3 * end + 1][2] = heave;
      rod.velocity[3 * end] = S(-1);
      rod.velocity[3 * end + 1] = S(3);
      rod.restitution[end] = e;
      rod.friction[end] = S(0.25);
    }
    kinecast::ImpactSolution<S, 3, 2> out{};
    assert_ok(resolve_impacts(rod, out));
    // Sweeps settle to 1e-6 (float).
    const double near = bound<S>(1e-5, 1e-11);
    TEST_ASSERT_DOUBLE_WITHIN(near, f64(e), f64(out.velocity[0]));
    TEST_ASSERT_DOUBLE_WITHIN(near, f64(e), f64(out.velocity[3]));
    TEST_ASSERT_DOUBLE_WITHIN(near, 1 + f64(e), f64(out.impulse[0]));  // half of m (1+e) v
    TEST_ASSERT_DOUBLE_WITHIN(near, f64(out.impulse[0]), f64(out.impulse[3]));
    TEST_ASSERT_DOUBLE_WITHIN(near, 3 - 0.25 * (1 + f64(e)), f64(out.velocity[1]));  // mu (1+e) v slower
    TEST_ASSERT_TRUE(kinetic_change(rod, out) <= 0);
    TEST_ASSERT_EQUAL(1, out.rounds);
  }
}
void test_a_rod_lands_flat() {
  check_rod<float>();
  if constexpr (measure::kInDouble) check_rod<double>();
}

// Equal balls in a row. e = 1: as many leave as came, with their velocity, in as many rounds as the blow needs to pass through.
// e = 0: all go on together.
template <class S>
void check_cradle(int coming, S e) {
  constexpr int kBalls = 5;
  kinecast::ImpactProblem<S, kBalls, 0, kBalls - 1> cradle{};
  cradle.rank = kBalls;
  cradle.stops = kBalls - 1;
  for (int c = 0; c < kBalls - 1; ++c) {
    cradle.row[c][c] = S(-1);
    cradle.row[c][c + 1] = S(1);
    cradle.velocity[c] = c + 1 == coming ? S(-1) : S(0);
    cradle.restitution[c] = e;
  }
  kinecast::ImpactSolution<S, kBalls, 0, kBalls - 1> out{};
  assert_ok(resolve_impacts(cradle, out));
  for (int b = 0; b < kBalls; ++b) {
    const double before = b < coming ? 1 : 0;
    const double together = static_cast<double>(coming) / kBalls;
    const double after = e > S(0) ? (b >= kBalls - coming ? 1 : 0) : together;
    // A chain of as many solves as balls.
    TEST_ASSERT_DOUBLE_WITHIN(bound<S>(1e-4, 1e-9), after, before + f64(out.change[b]));
  }
  TEST_ASSERT_TRUE(kinetic_change(cradle, out) <= 0);
}
void test_newtons_cradle() {
  for (const int coming : {1, 2, 4}) {
    check_cradle<float>(coming, 1);
    if constexpr (measure::kInDouble) check_cradle<double>(coming, 1);
    if constexpr (measure::kInDouble) check_cradle<double>(coming, 0);
  }
}

// ---- robots -------------------------------------------------------------------------------------------------------------------

constexpr auto make_arm() {
  using namespace kinecast;
  return robot("arm", link("upper", revolute(kAxisY), body(2.0, com(0, 0, -0.2), inertia(0.03, 0.03, 0.001))),
               link("lower", on("upper"), revolute(kAxisY), at(0, 0, -0.4),
                    body(1.0, com(0, 0, -0.15), inertia(0.01, 0.01, 0.0005))));
}
constexpr auto kArm = make_arm();

template <const auto& R, class S>
struct Standing {
  kinecast::Position<R, S> q;
  kinecast::Velocity<R, S> dq;
  kinecast::Workspace<R, S> work;
  kinecast::Kinematics<R, S> k;

  void sweep() {
    const kinecast::Velocity<R, S> tau = kinecast::Velocity<R, S>::Zero();
    kinecast::Velocity<R, S> ddq;
    assert_ok(forward_dynamics(kinecast::model<R, S>, q, dq, tau, work, ddq));
    look();
  }
  void look() { assert_ok(update_kinematics(kinecast::model<R, S>, q, dq, k)); }
  double energy() { return f64(kinetic_energy(kinecast::model<R, S>, k, dq)); }
};

// A cube falls on a corner, spinning: what the ground gives is all that changes momentum, and it acts at the corner.
template <class S>
void check_cube_corner() {
  using robots::cube;
  static Standing<cube, S> at;
  at.q << S(0), S(0), S(0), static_cast<S>(std::sqrt(0.5)), S(0.5), S(0.5), S(0);  // position, then w x y z
  at.dq << S(0.3), S(-0.2), S(-1), S(2), S(1), S(-3);
  at.sweep();
  const auto before = momentum(kinecast::model<cube, S>, at.k);
  const double energy = at.energy();
  kinecast::RobotImpacts<S, 1> impacts{};
  impacts.points = 1;
  impacts.point[0].a = {0, {S(0.05), S(-0.05), S(-0.05)}};
  impacts.point[0].normal = {S(0), S(0), S(1)};
  impacts.point[0].restitution = S(0.6);
  impacts.point[0].friction = S(0.3);
  const auto u = point_velocity(at.k, impacts.point[0].a);
  const auto corner = point_position(at.k, impacts.point[0].a);
  kinecast::RobotImpactReport<S, 1> report;
  assert_ok(resolve_impacts(kinecast::model<cube, S>, at.k, impacts, at.work, at.dq, report));
  at.look();
  const auto after = momentum(kinecast::model<cube, S>, at.k);
  const Vec3<S> p = report.impulse_Ns[0];
  const Vec3<S> turn = cross(kinecast::to_vec3(corner) - kinecast::to_vec3(before.com), p);
  const double scale[2] = {f64(before.linear.norm()), f64(before.angular_about_com.norm())};
  Worst worst;
  const S push[3] = {p.x, p.y, p.z};
  const S twist[3] = {turn.x, turn.y, turn.z};
  for (int i = 0; i < 3; ++i) {
    worst.see(f64(before.linear[i]) + f64(push[i]), f64(after.linear[i]), scale[0]);
    worst.see(f64(before.angular_about_com[i]) + f64(twist[i]), f64(after.angular_about_com[i]), scale[1]);
  }
  TEST_ASSERT_TRUE(p.z > S(0));
  // A few sums of products of numbers of one size.
  measure::assert_below<S>(64 * kEps<S>, worst, "momentum");
  TEST_ASSERT_TRUE(at.energy() < energy);
  const auto v = point_velocity(at.k, impacts.point[0].a);
  TEST_ASSERT_DOUBLE_WITHIN(64 * kEps<S> * 3, -0.6 * f64(u[2]), f64(v[2]));
}
void test_a_cube_on_its_corner() {
  check_cube_corner<float>();
  if constexpr (measure::kInDouble) check_cube_corner<double>();
}

// A cube lands flat on four corners, of which three would do: it keeps flat, and they share the impulse.
template <class S>
void check_flat_cube() {
  using robots::cube;
  static Standing<cube, S> at;
  for (const S e : {S(0), S(0.5)}) {
    at.q << S(0), S(0), S(0.05), S(1), S(0), S(0), S(0);
    at.dq << S(0), S(0), S(-2), S(0), S(0), S(0);
    at.sweep();
    kinecast::RobotImpacts<S, 4> impacts{};
    impacts.points = 4;
    for (int c = 0; c < 4; ++c) {
      auto& corner = impacts.point[static_cast<std::size_t>(c)];
      corner.a = {0, {S(c % 2 == 0 ? 0.05 : -0.05), S(c < 2 ? 0.05 : -0.05), S(-0.05)}};
      corner.normal = {S(0), S(0), S(1)};
      corner.restitution = e;
      corner.friction = S(0.5);
    }
    kinecast::RobotImpactReport<S, 4> report;
    assert_ok(resolve_impacts(kinecast::model<cube, S>, at.k, impacts, at.work, at.dq, report));
    const double near = bound<S>(2e-5, 1e-10);  // twice what the sweeps settle to, m/s and over the cube's size rad/s
    const double expected[6] = {0, 0, 2 * f64(e), 0, 0, 0};
    for (int i = 0; i < 6; ++i) TEST_ASSERT_DOUBLE_WITHIN(i < 3 ? near : near / 0.05, expected[i], f64(at.dq[i]));
    // The shares are as equal as the relaxation makes them, against the rounding of the mobilities.
    const double share = 0.5 * 2 * (1 + f64(e)) / 4;
    const double unequal = 4 * kEps<S> / f64(kinecast::Tolerance<S>::kSharedImpulse);
    for (const Vec3<S>& p : report.impulse_Ns) TEST_ASSERT_DOUBLE_WITHIN(unequal * share, share, f64(p.z));
  }
}
void test_a_cube_lands_flat() {
  check_flat_cube<float>();
  if constexpr (measure::kInDouble) check_flat_cube<double>();
}

// A joint at its stop: s dq+ = -e s dq-, and nothing but a torque at this joint changes the momenta H dq.
template <class S>
void check_stop() {
  static Standing<kArm, S> at;
  at.q << S(0.3), S(-0.7);
  at.dq << S(2), S(-3);
  at.sweep();
  const kinecast::Velocity<kArm, S> before = at.dq;
  kinecast::RobotImpacts<S, 1, 2> impacts{};
  impacts.stops = 2;
  impacts.stop[0] = {1, S(1), S(0.5)};  // the elbow at its lower limit
  impacts.stop[1] = {0, S(1), S(0.5)};  // the shoulder at its lower limit too, from which it moves away
  kinecast::RobotImpactReport<S, 1, 2> report;
  assert_ok(resolve_impacts(kinecast::model<kArm, S>, at.k, impacts, at.work, at.dq, report));
  TEST_ASSERT_DOUBLE_WITHIN(64 * kEps<S> * 3, 1.5, f64(at.dq[1]));
  static kinecast::JointMatrix<kArm, S> H;
  static kinecast::Workspace<kArm, S> scratch;
  assert_ok(mass_matrix(kinecast::model<kArm, S>, at.q, scratch, H));
  double jump[2];
  for (int i = 0; i < 2; ++i)
    jump[i] = f64(H(i, 0)) * f64(at.dq[0] - before[0]) + f64(H(i, 1)) * f64(at.dq[1] - before[1]);
  TEST_ASSERT_DOUBLE_WITHIN(64 * kEps<S> * jump[1], 0, jump[0]);
  TEST_ASSERT_DOUBLE_WITHIN(64 * kEps<S> * jump[1], jump[1], f64(report.stop_impulse[0]));
  TEST_ASSERT_DOUBLE_WITHIN(0, 0, f64(report.stop_impulse[1]));
}
void test_a_joint_at_its_stop() {
  check_stop<float>();
  if constexpr (measure::kInDouble) check_stop<double>();
}

// A shoulder whose velocity is given (1/D = 0) feels nothing: the elbow alone rebounds.
template <class S>
void check_given_joint() {
  static Standing<kArm, S> at;
  at.q << S(0.3), S(-0.7);
  at.dq << S(2), S(-3);
  at.sweep();
  at.work.hinges[0].inverse_D = S(0);
  kinecast::RobotImpacts<S, 1, 1> impacts{};
  impacts.stops = 1;
  impacts.stop[0] = {1, S(1), S(0.5)};
  kinecast::RobotImpactReport<S, 1, 1> report;
  assert_ok(resolve_impacts(kinecast::model<kArm, S>, at.k, impacts, at.work, at.dq, report));
  TEST_ASSERT_DOUBLE_WITHIN(0, 2, f64(at.dq[0]));
  TEST_ASSERT_DOUBLE_WITHIN(64 * kEps<S> * 3, 1.5, f64(at.dq[1]));
}
void test_a_joint_whose_velocity_is_given() {
  check_given_joint<float>();
  if constexpr (measure::kInDouble) check_given_joint<double>();
}

// A wedge: two rows that are opposite but for a thousandth. Nothing may approach, although the impulses are thousands of times what
// the velocity is; the complementarity matrix in float is singular. From (-1, 0) the nearest admissible velocity is on the edge of
// the wedge, its tip being zero: t = (1, 0) takes all of it.
template <class S>
void check_wedge() {
  const S thin = S(1e-3);
  kinecast::ImpactProblem<S, 2, 0, 2> wedge{};
  wedge.rank = 2;
  wedge.stops = 2;
  wedge.row[0][0] = thin, wedge.row[0][1] = S(1);
  wedge.row[1][0] = thin, wedge.row[1][1] = S(-1);
  wedge.velocity[0] = -thin;
  wedge.velocity[1] = -thin;
  kinecast::ImpactSolution<S, 2, 0, 2> out{};
  assert_ok(resolve_impacts(wedge, out));
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(1e-3, 1e-8), 1, f64(out.change[0]));  // rounding over the thickness
  TEST_ASSERT_DOUBLE_WITHIN(bound<S>(1e-3, 1e-8), 0, f64(out.change[1]));
  TEST_ASSERT_TRUE(f64(out.velocity[0]) > -bound<S>(4e-8, 1e-13) && f64(out.velocity[1]) > -bound<S>(4e-8, 1e-13));
}
void test_a_wedge_closes() {
  check_wedge<float>();
  if constexpr (measure::kInDouble) check_wedge<double>();
}

void test_bad_sites_are_refused() {
  static Standing<kArm, float> at;
  at.q << 0.3F, -0.7F;
  at.dq << 2, -3;
  kinecast::RobotImpacts<float, 1, 1> good{};
  good.points = 1;
  good.point[0].a = {1, {0, 0, -0.3F}};
  good.point[0].normal = {0, 0, 1};
  const auto& model = kinecast::model<kArm, float>;
  kinecast::RobotImpactReport<float, 1, 1> report;
  assert_status(Status::not_ready, resolve_impacts(model, at.k, good, at.work, at.dq, report));
  at.sweep();
  const auto refuse = [&](Status expected, const kinecast::RobotImpacts<float, 1, 1>& bad) {
    assert_status(expected, resolve_impacts(model, at.k, bad, at.work, at.dq, report));
    TEST_ASSERT_TRUE(at.dq[0] >= 2 && at.dq[0] <= 2 && at.dq[1] >= -3 && at.dq[1] <= -3);
  };
  auto bad = good;
  bad.points = 2;
  refuse(Status::index_out_of_range, bad);
  bad = good;
  bad.point[0].b.body = 2;
  refuse(Status::index_out_of_range, bad);
  bad = good;
  bad.point[0].normal = {0, 0, 2};
  refuse(Status::input_out_of_range, bad);
  bad = good;
  bad.point[0].a.position.x = std::numeric_limits<float>::quiet_NaN();
  refuse(Status::non_finite_input, bad);
  bad = good;
  bad.point[0].restitution = 2;
  refuse(Status::input_out_of_range, bad);
  bad = good;
  bad.stops = 1;
  bad.stop[0] = {1, 0.5F, 0};
  refuse(Status::input_out_of_range, bad);
  bad.stop[0] = {-1, 1, 0};
  refuse(Status::index_out_of_range, bad);
  // Two points of one body never meet.
  auto same = good;
  same.point[0].b.body = 1;
  refuse(Status::ok, same);
}

}  // namespace

KINECAST_SUITE(impacts, test_a_rod_lands_flat, test_newtons_cradle, test_a_cube_on_its_corner, test_a_cube_lands_flat,
               test_a_joint_at_its_stop, test_a_joint_whose_velocity_is_given, test_a_wedge_closes,
               test_bad_sites_are_refused)

}  // namespace unit_impacts
