// SPDX-License-Identifier: MIT
// A Predictor with contact as a machine: rollouts and snapshots are stepping by hand, bit for bit; a step that fails leaves no
// trace; the report tells what happened; too many contacts are dropped with a warning; and every model holds a box.
#include "contact_scenes.hpp"
#include "unity_main.hpp"

namespace unit_contact_predictor {
namespace {

using namespace touching;
using kinecast::Fused;
using kinecast::half_space;
using kinecast::material;
using kinecast::Penalty;
using kinecast::Relaxed;
using kinecast::RungeKuttaGill;
using kinecast::SurfaceMotion;
using kinecast::Unrelaxed;
using kinecast::Vec3;
using robots::cube;

constexpr double kDt = 1e-3;

// A floor that tilts while the cube tumbles on it, and a wall.
inline constexpr auto ship = kinecast::environment(
    half_space("deck", material(kinecast::friction(0.5, 0.3), kinecast::restitution(0.2)), kinecast::moves()),
    kinecast::box("wall", kinecast::at(0.6, 0, 0), kinecast::size(0.8, 2, 2)));
template <class S>
using OnShip = Predictor<cube, S, Contacts<ship, 8>>;

template <class S>
[[nodiscard]] bool same(const Vec3<S>& a, const Vec3<S>& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}
// Bits of everything but padding.
template <class Snapshot>
[[nodiscard]] bool same(const Snapshot& a, const Snapshot& b) {
  if (!same_bits(a.q, b.q) || !same_bits(a.dq, b.dq) || a.contacts.count != b.contacts.count) return false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.contacts.count); ++i) {
    const auto& x = a.contacts.records[i];
    const auto& y = b.contacts.records[i];
    if (!(x.pair == y.pair) || x.is_sliding != y.is_sliding || x.regime != y.regime) return false;
    if (!same_bits(x.displacement, y.displacement) || !same_bits(x.impulse, y.impulse)) return false;
  }
  for (std::size_t i = 0; i < a.contacts.moving.size(); ++i)
    if (!same_bits(a.contacts.moving[i], b.contacts.moving[i])) return false;
  return same_bits(a.contacts.dt, b.contacts.dt);
}
template <class Report>
[[nodiscard]] bool same_report(const Report& a, const Report& b) {
  if (a.count != b.count || a.iterations != b.iterations || a.passes != b.passes) return false;
  for (int i = 0; i < a.count; ++i)
    if (!(a[i].pair == b[i].pair) || !same(a[i].force_N, b[i].force_N) || !same(a[i].point_m, b[i].point_m) ||
        !same_bits(a[i].depth_m, b[i].depth_m) || a[i].is_sliding != b[i].is_sliding)
      return false;
  return true;
}

// Thrown, tumbling, on a deck that turns under it.
template <class S>
void set_sail(OnShip<S>& p) {
  State<cube, S> start = placed<cube, S>({0.1, 0, 0.11}, {0.5, 0.3, 0.2});
  start.dq << S(0.8), S(0.1), S(-0.5), S(3), S(-2), S(1);
  assert_ok(p.reset(start));
  assert_ok(p.move_surface(0, SurfaceMotion<S>{{1, 0, 0, 0}, {0, 0, 0}, {0, 0, S(0.02)}, {S(0.1), S(-0.2), S(0.3)}}));
}
template <class S>
[[nodiscard]] Command<cube, S> gust(int i) {
  Command<cube, S> f = nothing<cube, S>();
  f[i % 3] = static_cast<S>(0.3 * (i % 7) - 0.9);
  return f;
}

template <class S>
void check_rollout() {
  constexpr int kCount = 40;
  OnShip<S>& p = fresh<OnShip<S>, 0>();
  OnShip<S>& other = fresh<OnShip<S>, 1>();
  static Command<cube, S> commands[kCount];
  static State<cube, S> states[kCount];
  const S dt = static_cast<S>(kDt);
  set_sail(p);
  for (int i = 0; i < kCount; ++i) commands[i] = gust<S>(i);
  int touched = 0;
  for (int round = 0; round < 5; ++round) {
    const auto start = p.snapshot();
    const auto report = p.contact_report();
    const kinecast::Rollout reached = p.rollout(commands, kCount, dt, states);
    assert_ok(reached.status);
    TEST_ASSERT_EQUAL_INT(kCount, reached.steps);
    // The predictor stays where it was, and so does what it reports.
    TEST_ASSERT_TRUE(same(start, p.snapshot()) && same_report(report, p.contact_report()));
    for (int i = 0; i < kCount; ++i) {
      assert_ok(p.step(commands[i], dt));
      TEST_ASSERT_TRUE(same_bits(states[i], p.state()));
      touched += p.contact_report().touching() ? 1 : 0;
    }
    // Through a copy of bytes, in another predictor that was elsewhere.
    typename OnShip<S>::Snapshot copy;
    std::memcpy(static_cast<void*>(&copy), static_cast<const void*>(&start), sizeof copy);
    other.restore(copy);
    TEST_ASSERT_TRUE(same(start, other.snapshot()) && same_report(report, other.contact_report()));
    for (const auto& command : commands) assert_ok(other.step(command, dt));
    TEST_ASSERT_TRUE(same(p.snapshot(), other.snapshot()) && same_report(p.contact_report(), other.contact_report()));
    // What a contact remembers matters: a step of another length is another future.
    other.restore(copy);
    assert_ok(other.step(commands[0], dt / 2));
    TEST_ASSERT_FALSE(same_bits(states[0], other.state()));
  }
  TEST_ASSERT_TRUE(touched > 50);
}
void test_rollout_is_stepping() {
  static_assert(std::is_trivially_copyable_v<OnShip<float>::Snapshot>);
  check_rollout<float>();
  if constexpr (measure::kInDouble) check_rollout<double>();
}

void test_failures_leave_no_trace() {
  OnShip<float>& p = fresh<OnShip<float>>();
  set_sail(p);
  for (int i = 0; i < 60 || (i < 500 && !p.contact_report().touching()); ++i) assert_ok(p.step(gust<float>(i), 1e-3F));
  TEST_ASSERT_TRUE(p.contact_report().touching());
  const auto before = p.snapshot();
  const auto report = p.contact_report();
  const auto refuse = [&](Status expected, Status got, const char* what) {
    assert_status(expected, got, what);
    TEST_ASSERT_TRUE_MESSAGE(same(before, p.snapshot()), what);
    TEST_ASSERT_TRUE_MESSAGE(same_report(report, p.contact_report()), what);
  };
  Command<cube, float> bad = nothing<cube, float>();
  bad[4] = std::numeric_limits<float>::quiet_NaN();
  refuse(Status::non_finite_input, p.step(bad, 1e-3F), "NaN command");
  refuse(Status::non_finite_input, p.step(gust<float>(0), bad, 1e-3F), "NaN from outside");
  refuse(Status::bad_time_step, p.step(gust<float>(0), 0), "no time");
  refuse(Status::bad_time_step, p.step(gust<float>(0), -1e-3F), "backwards");
  State<cube, float> elsewhere = p.state();
  elsewhere.q[3] = 2;
  refuse(Status::quaternion_not_unit, p.reset(elsewhere), "reset");
  refuse(Status::quaternion_not_unit, p.correct(elsewhere), "correct");
  // A rollout that fails on the way.
  Command<cube, float> commands[] = {gust<float>(0), gust<float>(1), bad, gust<float>(3)};
  State<cube, float> states[4];
  const kinecast::Rollout reached = p.rollout(commands, 4, 1e-3F, states);
  TEST_ASSERT_EQUAL_INT(2, reached.steps);
  refuse(Status::non_finite_input, reached.status, "rollout");
  // It goes on as one that was never asked.
  OnShip<float>& other = fresh<OnShip<float>, 1>();
  other.restore(before);
  assert_ok(other.step(gust<float>(5), 1e-3F));
  assert_ok(p.step(gust<float>(5), 1e-3F));
  TEST_ASSERT_TRUE(same(other.snapshot(), p.snapshot()));
  // A measurement moves the body, and the contacts keep their memory.
  const auto touching = p.snapshot();
  assert_ok(p.correct(p.state()));
  TEST_ASSERT_TRUE(same(touching, p.snapshot()));
}

// ---- the report -----------------------------------------------------------------------------------------------------------

// Depths and slips are those of the state before the step, from the corners' own coordinates.
void test_report_tells_the_truth() {
  OnShip<double>& p = fresh<OnShip<double>>();
  set_sail(p);
  Worst worst;
  int seen = 0;
  for (int i = 0; i < 300; ++i) {
    const State<cube, double> before = p.state();
    const auto deck = p.snapshot().contacts.moving[0];
    assert_ok(p.step(gust<double>(i), kDt));
    auto& exact = checks::truth<cube>();
    double q[7];
    double dq[6];
    for (int k = 0; k < 7; ++k) q[k] = before.q[k];
    for (int k = 0; k < 6; ++k) dq[k] = before.dq[k];
    exact.place(q);
    for (int c = 0; c < p.contact_report().count; ++c) {
      const auto& contact = p.contact_report()[c];
      const auto& in_link = cube.point(contact.pair.point).position_m;
      const dense::Vec corner = exact.at.point(0, {{in_link.x, in_link.y, in_link.z}});
      worst.see(corner[0] - contact.point_m.x), worst.see(corner[1] - contact.point_m.y);
      worst.see(corner[2] - contact.point_m.z);
      if (contact.pair.surface != 0) continue;
      ++seen;
      const kinecast::Mat3<double> turn = kinecast::to_matrix(deck.turn);
      const Vec3<double> n{turn.row_x.z, turn.row_y.z, turn.row_z.z};
      const Vec3<double> arm = contact.point_m - deck.position;
      worst.see(-dot(n, arm) - contact.depth_m);
      worst.see(dot(n, contact.normal) - 1);
      exact.at.jacobian(0, corner, exact.jacobian);
      Vec3<double> v = -1.0 * (deck.linear + cross(deck.angular, arm));
      for (int k = 0; k < 6; ++k)
        v = v + dq[k] * Vec3<double>{exact.jacobian[3][k], exact.jacobian[4][k], exact.jacobian[5][k]};
      const Vec3<double> slip = v - dot(n, v) * n;
      worst.see(std::sqrt(dot(slip, slip)) - contact.slip_mps);
    }
    check_report(p.contact_report(), kEps<double>);
  }
  TEST_ASSERT_TRUE(seen > 100);
  assert_below<double>(64 * kEps<double>, worst, "report",
                       "place, depth, slip");  // numbers up to ten, turned a few times
}

// ---- capacity -------------------------------------------------------------------------------------------------------------

inline constexpr auto ground =
    kinecast::environment(half_space("ground", material(kinecast::friction(0.5), kinecast::spring(2e4),
                                                        kinecast::damper(40), kinecast::membrane(5e-4))));

// Four corners are inside, tilted by some milliradians, and there is room for three: the three deepest.
void test_capacity() {
  auto& p = fresh<Predictor<cube, float, Contacts<ground, 3>>>();
  assert_ok(p.reset(placed<cube, float>({0, 0, 0.049}, {4e-3, 7e-3, 0})));
  const State<cube, float> before = p.state();
  assert_status(Status::contacts_dropped, p.step(nothing<cube, float>(), 1e-3F), "four of three");
  TEST_ASSERT_TRUE(kinecast::ok(Status::contacts_dropped) && kinecast::is_warning(Status::contacts_dropped));
  TEST_ASSERT_FALSE(same_bits(before, p.state()));  // committed
  const auto& report = p.contact_report();
  TEST_ASSERT_EQUAL_INT(3, report.count);
  // The shallowest corner: up with +y for a turn about +x, down with +x for one about +y. So x < 0, y > 0.
  for (int i = 0; i < 3; ++i) {
    TEST_ASSERT_FALSE(report[i].point_m.x < 0 && report[i].point_m.y > 0);
    TEST_ASSERT_TRUE(report[i].depth_m > 0.5e-3F);
  }
  // An integrator of several evaluations tells it too.
  auto& gill = fresh<Predictor<cube, float, Contacts<ground, 3>, RungeKuttaGill>>();
  assert_ok(gill.reset(before));
  assert_status(Status::contacts_dropped, gill.step(nothing<cube, float>(), 1e-3F), "four of three, Gill");
  // With room for all nobody complains; and the warning reaches a rollout's result.
  auto& roomy = fresh<Predictor<cube, float, Contacts<ground, 4>>, 1>();
  assert_ok(roomy.reset(before));
  assert_ok(roomy.step(nothing<cube, float>(), 1e-3F));
  TEST_ASSERT_EQUAL_INT(4, roomy.contact_report().count);
  assert_ok(p.reset(before));
  const Command<cube, float> commands[] = {nothing<cube, float>(), nothing<cube, float>()};
  State<cube, float> states[2];
  const kinecast::Rollout reached = p.rollout(commands, 2, 1e-3F, states);
  TEST_ASSERT_EQUAL_INT(2, reached.steps);
  assert_status(Status::contacts_dropped, reached.status, "rollout");
  // Three corners hold a cube for a while without an explosion.
  for (int i = 0; i < 200; ++i) TEST_ASSERT_TRUE(kinecast::ok(p.step(nothing<cube, float>(), 1e-3F)));
  TEST_ASSERT_TRUE(measure::largest(p.state().dq, 6) < 2 && p.state().q[2] > 0.03F);
}

// A scene that is set, even the same one, is not known: nothing has touched it.
void test_new_scene_is_not_known() {
  auto& p = fresh<Predictor<cube, float, Contacts<ground, 4>>>();
  assert_ok(p.reset(placed<cube, float>({0, 0, 0.0499})));
  assert_ok(p.step(nothing<cube, float>(), 1e-3F));
  TEST_ASSERT_EQUAL_INT(4, p.snapshot().contacts.count);
  p.set_scene(kinecast::scene<cube, ground, float>);
  TEST_ASSERT_EQUAL_INT(0, p.snapshot().contacts.count);
}

// A step of several evaluations reports the one at its beginning: how deep the cube is before it rises.
void test_report_of_the_beginning() {
  auto& p = fresh<Predictor<cube, float, Contacts<ground, 4>, RungeKuttaGill>>();
  assert_ok(p.reset(placed<cube, float>({0, 0, 0.049})));
  assert_ok(p.step(nothing<cube, float>(), 1e-3F));
  TEST_ASSERT_TRUE(p.state().q[2] > 0.04902F);
  TEST_ASSERT_EQUAL_INT(4, p.contact_report().count);
  for (int i = 0; i < 4; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1e-3, static_cast<double>(p.contact_report()[i].depth_m));
}

// ---- separating rows ------------------------------------------------------------------------------------------------------

// A rod on its two ends, in space: 1/m + l²/I and 1/m - l²/I are the mobilities of an end, by its own and by the other's impulse.
inline constexpr auto rod = kinecast::robot(
    "rod", kinecast::gravity(0, 0, 0),
    kinecast::link("rod", kinecast::floating(),
                   kinecast::body(1, kinecast::com(0, 0, 0), kinecast::inertia(0.01 / 3, 0.01 / 3, 0.01 / 3))),
    kinecast::contact_point("left", kinecast::on("rod"), kinecast::at(-0.1, 0, 0)),
    kinecast::contact_point("right", kinecast::on("rod"), kinecast::at(0.1, 0, 0)));
inline constexpr auto ice =
    kinecast::environment(half_space("ice", material(kinecast::friction(0), kinecast::relaxation(1e-4))));

struct Ends {
  double left;
  double right;
};
// Velocities of the ends after a step in which both touch, from those before.
template <class Model>
[[nodiscard]] Ends after_impact(const kinecast::Model<rod, float>& model, const Ends& before) {
  Predictor<rod, float, Contacts<ice, 2, Model>> p(model);
  State<rod, float> state = zero_state<rod, float>();
  state.dq[2] = static_cast<float>((before.left + before.right) / 2);
  state.dq[4] = static_cast<float>((before.left - before.right) / 0.2);  // about y: left up
  assert_ok(p.reset(state));
  assert_ok(p.step(nothing<rod, float>(), 1e-3F));
  const double up = static_cast<double>(p.state().dq[2]);
  const double turn = 0.1 * static_cast<double>(p.state().dq[4]);
  return {up + turn, up - turn};
}
// Method 2.7: an end that leaves does not disturb the one that lands. [4 -2; -2 4] and (0.1, -0.01) give (0.095, 0); [4 3; 3 4]
// and (0, -1) give (0.75, 0).
template <class Model>
void check_release() {
  const Ends thrown = after_impact<Model>(kinecast::model<rod, float>, {0.1, -0.01});
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, thrown.right);  // relaxation 1e-4 of 0.01
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.095, thrown.left);
  Values<rod> tall = rod;
  tall.links[0].mass_kg = 1 / 3.5;
  tall.links[0].inertia_kgm2 = {0.02, 0, 0, 0.02, 0, 0.02};
  kinecast::Model<rod, float> model{};
  assert_ok(kinecast::build_model<rod, float>(tall, model));
  const Ends hit = after_impact<Model>(model, {0, -1});
  TEST_ASSERT_DOUBLE_WITHIN(2e-4, 0, hit.right);
  TEST_ASSERT_DOUBLE_WITHIN(2e-4, 0.75, hit.left);
}
void test_separating_rows() {
  check_release<Relaxed<>>();
  check_release<Relaxed<kinecast::Functional::velocity, kinecast::ContactRows::predictive>>();
}

// ---- models behind one interface ------------------------------------------------------------------------------------------

// Put down from 2 mm, it comes to rest on its corners, which carry its weight. `depth`: how deep it may stand.
template <class... Options>
void check_holds(const char* name, double depth) {
  auto& p = fresh<Predictor<cube, float, Options...>>();
  assert_ok(p.reset(placed<cube, float>({0, 0, 0.052}, {0, 0, 0.2})));
  for (int i = 0; i < 400; ++i) {
    TEST_ASSERT_TRUE_MESSAGE(kinecast::ok(p.step(nothing<cube, float>(), 1e-3F)), name);
    TEST_ASSERT_TRUE_MESSAGE(measure::largest(p.state().dq, 6) < 1, name);
  }
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(depth, 0.05, static_cast<double>(p.state().q[2]), name);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, 0, measure::largest(p.state().dq, 3), name);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.05, 0.5 * kGravity, total_force(p.contact_report()).z, name);
}
void test_every_model_holds() {
  check_holds<Contacts<ground, 8>>("relaxed", 1e-6);
  // m g / (4 spring) = 0.06 mm; and where it lands, half a millimetre of the membrane.
  check_holds<Contacts<ground, 8, Penalty<>>>("penalty", 2e-4);
  check_holds<Contacts<ground, 8, Fused<>>>("fused", 6e-4);
  // No compensation: it stays as deep as it landed, g dt² and 0.2 m/s dt.
  check_holds<Contacts<ground, 8, Unrelaxed>>("unrelaxed", 3e-4);
  // Runge-Kutta takes the contact's acceleration of each stage for the whole step: held, to a step's way.
  check_holds<RungeKuttaGill, Contacts<ground, 8>>("Gill", 3e-4);
}

}  // namespace

KINECAST_SUITE(contact_predictor, test_rollout_is_stepping, test_failures_leave_no_trace, test_report_tells_the_truth,
               test_capacity, test_new_scene_is_not_known, test_report_of_the_beginning, test_separating_rows,
               test_every_model_holds)

}  // namespace unit_contact_predictor
