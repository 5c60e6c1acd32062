// SPDX-License-Identifier: MIT
// The event-driven step against free flight, which is known: when and how fast a mass strikes, how high it rebounds, when
// bouncing ends; a pendulum at its stop; a bead that strikes a cart; rest and sliding as with the other integrators.
// Sub-steps are bounded and told, energy is not gained, and a step that fails leaves no trace.
#include "contact_scenes.hpp"
#include "unity_main.hpp"

namespace unit_event_driven {
namespace {

using namespace touching;
using kinecast::EventDriven;
using kinecast::half_space;
using kinecast::link;
using kinecast::material;
using kinecast::on;
using kinecast::prismatic;
using kinecast::restitution;
using kinecast::revolute;
using kinecast::robot;
using kinecast::SymplecticEuler;

constexpr int kTicks = 64;         // of EventDriven<>
constexpr double kDepth_m = 1e-5;  // of EventParameters

// A puck on a rail that slides along x; up and down it is free.
constexpr double kRail_kg = 0.25;
constexpr double kPuck_kg = 0.75;
inline constexpr auto puck =
    robot("puck",
          link("rail", prismatic(kinecast::kAxisX),
               kinecast::body(kRail_kg, kinecast::com(0, 0, 0), kinecast::inertia(1e-3, 1e-3, 1e-3))),
          link("puck", on("rail"), prismatic(kinecast::kAxisZ),
               kinecast::body(kPuck_kg, kinecast::com(0, 0, 0), kinecast::inertia(1e-3, 1e-3, 1e-3))),
          kinecast::contact_point("sole", on("puck"), kinecast::at(0, 0, 0)));
inline constexpr auto ground = kinecast::environment(half_space("ground"));
template <class S, class Integrator>
using OnGround = Predictor<puck, S, Contacts<ground, 1>, Integrator>;

template <class S>
[[nodiscard]] const kinecast::Scene<puck, ground, S>& bouncy(double e, double mu = 0) {
  static kinecast::Scene<puck, ground, S> scene;
  Values<ground> world = ground;
  std::get<0>(world.surfaces).materials.fill(material(kinecast::friction(mu), restitution(e)));
  scene = built_scene<puck, ground, S>(world);
  return scene;
}
template <class S>
[[nodiscard]] State<puck, S> at_height(double z, double vx = 0) {
  State<puck, S> s = zero_state<puck, S>();
  s.q[1] = static_cast<S>(z);
  s.dq[0] = static_cast<S>(vx);
  return s;
}
template <class S>
[[nodiscard]] double energy(const State<puck, S>& s) {
  const double vx = static_cast<double>(s.dq[0]);
  const double vz = static_cast<double>(s.dq[1]);
  return 0.5 * (kRail_kg + kPuck_kg) * vx * vx + 0.5 * kPuck_kg * vz * vz +
         kPuck_kg * kGravity * static_cast<double>(s.q[1]);
}
// How high it will come.
template <class S>
[[nodiscard]] double apex(const State<puck, S>& s) {
  const double v = static_cast<double>(s.dq[1]);
  return static_cast<double>(s.q[1]) + v * v / (2 * kGravity);
}

// ---- one impact
// -----------------------------------------------------------------------------------------------------------------

// From 0.2 m: the apex after the first rebound, at the end of the step that it is in.
template <class S, class Integrator>
[[nodiscard]] double first_apex(double e, double dt) {
  auto& p = fresh<OnGround<S, Integrator>>();
  p.set_scene(bouncy<S>(e));
  assert_ok(p.reset(at_height<S>(0.2)));
  for (int i = 0; i < 2000; ++i) {
    assert_ok(p.step(nothing<puck, S>(), static_cast<S>(dt)));
    if (p.state().dq[1] > S(0)) return apex(p.state());
  }
  return -1;
}

template <class S>
void check_drop(double dt, double e) {
  const double impact_s = std::sqrt(2 * 0.2 / kGravity);
  const double impact_mps = std::sqrt(2 * 0.2 * kGravity);
  auto& p = fresh<OnGround<S, EventDriven<>>>();
  p.set_scene(bouncy<S>(e));
  assert_ok(p.reset(at_height<S>(0.2)));
  int step = 0;
  for (; step < 2000 && p.events().impacts == 0; ++step) {
    assert_ok(p.step(nothing<puck, S>(), static_cast<S>(dt)));
    TEST_ASSERT_TRUE(p.events().substeps + p.events().halvings <= 64);
    if (p.events().impacts == 0) TEST_ASSERT_EQUAL_INT(1, p.events().substeps);
  }
  TEST_ASSERT_EQUAL_INT(1, p.events().impacts);
  // Found within the shortest sub-step, or where it was that close to the ground; a float's position of a decimetre is
  // known to 1e-8 m, and 200 steps add theirs up.
  const double found_s = (step - 1) * dt + static_cast<double>(p.events().first_impact_s);
  const double rounding_m = measure::bound<S>(2e-6, 1e-13);
  Worst time;
  time.see(found_s - impact_s);
  assert_below<S>(std::fmax(dt / kTicks, kDepth_m / impact_mps) + rounding_m / impact_mps, time, "impact time, s");
  if (e > 0) {
    // What was free flight since: its speed at the impact.
    const double left_s = step * dt - found_s;
    const double rebound = static_cast<double>(p.state().dq[1]) + kGravity * left_s;
    Worst speed;
    speed.see(rebound - e * impact_mps);
    // The place of the impact is known to the depth: the speed to g depth / v.
    assert_below<S>((kGravity * kDepth_m / impact_mps) + measure::bound<S>(1e-5, 1e-12), speed, "rebound speed, m/s");
    // And where it is by now: the surface was met within the depth, and then left with e times the speed.
    const double flown_s = step * dt - impact_s;
    Worst place;
    place.see(static_cast<double>(p.state().q[1]) - (e * impact_mps - 0.5 * kGravity * flown_s) * flown_s);
    assert_below<S>(2 * (1 + e) * (kDepth_m + rounding_m), place, "place after the rebound, m");
    const double height = std::abs(apex(p.state()) - e * e * 0.2);
    const double stepped = std::abs(first_apex<S, SymplecticEuler>(e, dt) - e * e * 0.2);
    Worst ours;
    Worst theirs;
    ours.see(height);
    theirs.see(stepped);
    assert_below<S>((1 + e * e) * kDepth_m + 4 * rounding_m, ours, "rebound height, m");
    assert_below<S>(1, theirs, "the same by time-stepping");
    TEST_ASSERT_TRUE(height < 0.1 * stepped);
  } else {
    // The material's relaxation, 1e-2, gives way to its weight: by 0.01 g dt at first, until depth holds.
    TEST_ASSERT_TRUE(std::abs(static_cast<double>(p.state().dq[1])) < 0.011 * kGravity * dt);
    Worst ours;
    ours.see(static_cast<double>(p.state().q[1]));
    assert_below<S>(kDepth_m + 0.011 * kGravity * dt * dt, ours, "it stays down, m");
  }
}
void test_drop() {
  for (const double e : {1.0, 0.5, 0.0}) {
    if constexpr (measure::kInDouble) check_drop<double>(1e-3, e);
    check_drop<float>(1e-3, e);
    if constexpr (measure::kInDouble) check_drop<double>(20e-3, e);
    check_drop<float>(20e-3, e);
  }
}

// ---- many impacts
// ---------------------------------------------------------------------------------------------------------------

// e = 0.5: bouncing ends after t1 (1 + 2 e / (1 - e)) = 3 t1, with bounces without end before it. Steps of 20 ms hold many
// of them.
template <class S>
void check_bouncing_to_rest() {
  constexpr double kDt = 20e-3;
  auto& p = fresh<OnGround<S, EventDriven<>>>();
  p.set_scene(bouncy<S>(0.5));
  assert_ok(p.reset(at_height<S>(0.2)));
  const double end_s = 3 * std::sqrt(2 * 0.2 / kGravity);
  int impacts = 0;
  int most_impacts = 0;
  int most_tries = 0;
  double before = energy(p.state());
  Worst gain;
  const int steps = static_cast<int>(end_s / kDt) + 3;
  for (int i = 0; i < steps; ++i) {
    assert_status(Status::ok, p.step(nothing<puck, S>(), static_cast<S>(kDt)), "within the bound");
    const auto& e = p.events();
    impacts += e.impacts;
    if (e.impacts >= 2 && most_impacts < 2) {  // the first of them: flights last t1, t1, t1/2, t1/4, ...
      double impact_s = end_s / 3;
      for (double flight_s = end_s / 3; impact_s < i * kDt; flight_s *= 0.5) impact_s += flight_s;
      TEST_ASSERT_DOUBLE_WITHIN(kDt / 10, impact_s - i * kDt, static_cast<double>(e.first_impact_s));
    }
    most_impacts = e.impacts > most_impacts ? e.impacts : most_impacts;
    most_tries = e.substeps + e.halvings > most_tries ? e.substeps + e.halvings : most_tries;
    const double now = energy(p.state());
    gain.see(now > before ? now - before : 0);
    before = now;
    // It still bounces a tenth before the end.
    if ((i + 1) * kDt < 0.9 * end_s) TEST_ASSERT_TRUE(apex(p.state()) > 4 * kDepth_m);
  }
  TEST_ASSERT_TRUE(most_impacts >= 2);
  TEST_ASSERT_TRUE(most_tries <= 64);
  // From 1.98 m/s down to 2 g dt/64 = 6 mm/s, halved each time, are nine; a rest within the depth may add one or two.
  TEST_ASSERT_TRUE(impacts >= 8 && impacts <= 12);
  TEST_ASSERT_TRUE(std::abs(static_cast<double>(p.state().dq[1])) < 2e-3);
  // What it sank below the ground in an impact is worked off: m g times less than the depth.
  assert_below<S>(kPuck_kg * kGravity * kDepth_m + measure::bound<S>(2e-6, 1e-12), gain, "energy gained, J");
}
void test_bouncing_to_rest() {
  check_bouncing_to_rest<float>();
  if constexpr (measure::kInDouble) check_bouncing_to_rest<double>();
}

// What arrives slower than 2 g times the shortest sub-step stays, even with e = 1: else bouncing would not end.
void test_slow_arrival() {
  auto& p = fresh<OnGround<float, EventDriven<>>>();
  p.set_scene(bouncy<float>(1));
  State<puck, float> slow = at_height<float>(0);
  slow.dq[1] = -5e-3F;  // of 6.1e-3
  assert_ok(p.reset(slow));
  assert_ok(p.step(nothing<puck, float>(), 20e-3F));
  TEST_ASSERT_EQUAL_INT(1, p.events().impacts);
  TEST_ASSERT_TRUE(std::abs(static_cast<double>(p.state().dq[1])) < 0.011 * kGravity * 20e-3);
}

// What is deep in the ground and leaves it fast flies freely: nothing strikes, and no sub-step is taken back.
void test_leaving_a_depth() {
  auto& p = fresh<OnGround<float, EventDriven<>>>();
  State<puck, float> leaving = at_height<float>(-0.05);
  leaving.dq[1] = 5;
  assert_ok(p.reset(leaving));
  assert_ok(p.step(nothing<puck, float>(), 1e-3F));
  TEST_ASSERT_TRUE(p.events().substeps == 1 && p.events().halvings == 0 && p.events().impacts == 0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 5 - kGravity * 1e-3, static_cast<double>(p.state().dq[1]));
}

// A table rises to a puck that falls: however often a step is taken back, the table is where its velocity leads.
inline constexpr auto lift = kinecast::environment(half_space("table", kinecast::moves()));
void test_rising_table() {
  auto& p = fresh<Predictor<puck, float, Contacts<lift, 1>, EventDriven<>>>();
  assert_ok(p.reset(at_height<float>(0.05)));
  assert_ok(p.move_surface(0, {{1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0.25F}, {0, 0, 0}}));
  int halvings = 0;
  for (int i = 1; i <= 20; ++i) {
    assert_ok(p.step(nothing<puck, float>(), 10e-3F));
    halvings += p.events().halvings;
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.25 * 10e-3 * i, static_cast<double>(p.snapshot().contacts.moving[0].position.z));
  }
  TEST_ASSERT_TRUE(halvings > 0);
}

// e = 1 keeps the energy whatever the step; friction takes it at every impact, and never from the normal motion.
template <class S>
void check_elastic() {
  auto& p = fresh<OnGround<S, EventDriven<>>>();
  p.set_scene(bouncy<S>(1, 0.2));
  assert_ok(p.reset(at_height<S>(0.05, 1)));
  double before = energy(p.state());
  Worst gain;
  Worst height;
  int impacts = 0;
  double push = 1;  // speed along x that is left, by mu (1 + e) v m / M at every impact
  const double loss = 0.2 * 2 * std::sqrt(2 * kGravity * 0.05) * kPuck_kg / (kRail_kg + kPuck_kg);
  for (int i = 0; i < 100; ++i) {
    assert_ok(p.step(nothing<puck, S>(), S(7e-3)));
    for (int k = 0; k < p.events().impacts; ++k) push = push > loss ? push - loss : 0;
    impacts += p.events().impacts;
    const double now = energy(p.state());
    gain.see(now > before ? now - before : 0);
    before = now;
    height.see(apex(p.state()) - 0.05);
    // The speed of an impact is known to g depth / v = 1e-4 m/s, friction to mu (1 + e) m / M = 0.3 of it, thrice.
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, push, static_cast<double>(p.state().dq[0]));
  }
  TEST_ASSERT_TRUE(impacts >= 3);
  assert_below<S>(measure::bound<S>(2e-6, 1e-12), gain, "energy gained, J");
  // 100 steps of 50 mm in float; the rule takes 8 eps of the restitution, so that rounding never adds.
  assert_below<S>(measure::bound<S>(2e-6, 1e-12), height, "height lost, m");
}
void test_elastic() {
  check_elastic<float>();
  if constexpr (measure::kInDouble) check_elastic<double>();
}

// Four tries are not enough for a step with several bounces: the rest is one ordinary step, and a warning.
void test_bound_is_kept() {
  auto& p = fresh<OnGround<float, EventDriven<6, 4>>>();
  p.set_scene(bouncy<float>(0.9));
  assert_ok(p.reset(at_height<float>(0.01)));
  int warnings = 0;
  double before = energy(p.state());
  for (int i = 0; i < 100; ++i) {
    const Status status = p.step(nothing<puck, float>(), 20e-3F);
    TEST_ASSERT_TRUE(ok(status));
    const auto& e = p.events();
    TEST_ASSERT_TRUE(e.substeps + e.halvings <= 5);  // the ordinary one is a sub-step too
    TEST_ASSERT_EQUAL_INT(e.is_exhausted ? 1 : 0, status == Status::iterations_exhausted ? 1 : 0);
    warnings += e.is_exhausted ? 1 : 0;
    // An ordinary step's arrival with 0.5 m/s is relaxed by 1e-2: it sinks by 0.1 mm, which is worked off.
    TEST_ASSERT_TRUE(energy(p.state()) <= before + kPuck_kg * kGravity * 1e-4 + 1e-6);
    before = energy(p.state());
  }
  TEST_ASSERT_TRUE(warnings > 0 && warnings < 100);
  // At rest a relaxation of 1e-2 lets it sink by 0.01 g dt/k, k = 1/dt.
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, -0.01 * kGravity * 0.02 * 0.02, static_cast<double>(p.state().q[1]));
}

// ---- stops, cars, rest
// ----------------------------------------------------------------------------------------------------------

// A pendulum of 0.5 m, and a sleeve that nothing moves along its axis.
constexpr auto make_pendulum(double e) {
  return robot("pendulum",
               link("rod", revolute({0, -1, 0}), kinecast::limits(0.2, 3.0, kinecast::rebound(e)),
                    kinecast::body(1, kinecast::com(0, 0, -0.5), kinecast::inertia(1e-12, 1e-12, 1e-12))),
               link("sleeve", on("rod"), prismatic(kinecast::kAxisY), kinecast::limits(-1, 1),
                    kinecast::body(0.2, kinecast::com(0, 0, 0), kinecast::inertia(1e-12, 1e-12, 1e-12))));
}
inline constexpr auto half_pendulum = make_pendulum(0.5);
inline constexpr auto plastic_pendulum = make_pendulum(0);
// The same on the other side.
inline constexpr auto mirrored_pendulum = robot(
    "mirrored pendulum", link("rod", revolute({0, -1, 0}), kinecast::limits(-3.0, -0.2, kinecast::rebound(0)),
                              kinecast::body(1, kinecast::com(0, 0, -0.5), kinecast::inertia(1e-12, 1e-12, 1e-12))));

// ½ w² = g/l (cos q - cos q0)
[[nodiscard]] double speed_at_stop() { return std::sqrt(2 * kGravity / 0.5 * (std::cos(0.2) - std::cos(1.0))); }
// Half of w² less the potential, as a speed at the stop.
template <class S, const auto& R>
[[nodiscard]] double seen_from_stop(const State<R, S>& s) {
  const double w = static_cast<double>(s.dq[0]);
  return std::sqrt(std::fmax(w * w + 2 * kGravity / 0.5 * (std::cos(0.2) - std::cos(static_cast<double>(s.q[0]))), 0));
}

template <class S, const auto& R, class Integrator>
[[nodiscard]] double rebound_of(double dt) {
  auto& p = fresh<Predictor<R, S, Integrator>>();
  State<R, S> start = zero_state<R, S>();
  start.q[0] = S(1);
  assert_ok(p.reset(start));
  for (int i = 0; i < 2000; ++i) {
    assert_ok(p.step(nothing<R, S>(), static_cast<S>(dt)));
    if (p.state().dq[0] > S(0)) return seen_from_stop(p.state());
  }
  return -1;
}
template <class S>
void check_stop() {
  const double exact = 0.5 * speed_at_stop();
  const double coarse = std::abs(rebound_of<S, half_pendulum, EventDriven<>>(4e-3) - exact);
  const double fine = std::abs(rebound_of<S, half_pendulum, EventDriven<>>(1e-3) - exact);
  const double stepped = std::abs(rebound_of<S, half_pendulum, SymplecticEuler>(1e-3) - exact);
  Worst ours;
  Worst theirs;
  ours.see(fine / exact);
  theirs.see(stepped / exact);
  // Second order in dt: (w dt)²/8 with w² = g/l, of the speed; and the float's 330 steps.
  assert_below<S>(kGravity / 0.5 * 1e-6 / 8 + measure::bound<S>(2e-5, 0), ours, "rebound at a stop");
  assert_below<S>(1, theirs, "the same by time-stepping");
  TEST_ASSERT_TRUE(fine < stepped);
  if (!measure::kIsFloat<S>) TEST_ASSERT_TRUE(fine < coarse / 4);
  // Plastic: it stays there, held by what statics asks for.
  auto& p = fresh<Predictor<plastic_pendulum, S, EventDriven<>>>();
  State<plastic_pendulum, S> start = zero_state<plastic_pendulum, S>();
  start.q[0] = S(1);
  assert_ok(p.reset(start));
  Worst violation;
  for (int i = 0; i < 500; ++i) {
    assert_ok(p.step(nothing<plastic_pendulum, S>(), S(1e-3)));
    if (static_cast<double>(p.state().q[0]) < 0.2) violation.see(0.2 - static_cast<double>(p.state().q[0]));
  }
  assert_below<S>(1e-5, violation, "violation, rad");
  Worst torque;
  torque.see(kGravity * 0.5 * std::sin(0.2), static_cast<double>(p.report().limit_Nm[0]), 1);
  // Relaxation 1e-4 lets it creep, which depth stops.
  assert_below<S>(2e-4, torque, "torque at rest, N.m");
  TEST_ASSERT_TRUE(std::abs(static_cast<double>(p.state().dq[0])) < 1e-5);
}
void test_upper_stop() {
  auto& p = fresh<Predictor<mirrored_pendulum, float, EventDriven<>>>();
  State<mirrored_pendulum, float> start = zero_state<mirrored_pendulum, float>();
  start.q[0] = -1;
  assert_ok(p.reset(start));
  for (int i = 0; i < 500; ++i) {
    assert_ok(p.step(nothing<mirrored_pendulum, float>(), 1e-3F));
    TEST_ASSERT_TRUE(p.state().q[0] < -0.2F + 1e-5F);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, -0.2, static_cast<double>(p.state().q[0]));
  const double torque_Nm = kGravity * 0.5 * std::sin(0.2);
  TEST_ASSERT_DOUBLE_WITHIN(2e-4 * torque_Nm, -torque_Nm, static_cast<double>(p.report().limit_Nm[0]));
}
void test_stop() {
  check_stop<float>();
  if constexpr (measure::kInDouble) check_stop<double>();
}

// A bead strikes a wall on a cart: momentum stays, they part with e times the speed.
constexpr auto kLump = kinecast::inertia(1e-3, 1e-3, 1e-3);
inline constexpr auto cart_and_bead =
    robot("cart", link("cart", prismatic(kinecast::kAxisX), kinecast::body(2, kinecast::com(0, 0, 0), kLump)),
          link("bead", prismatic(kinecast::kAxisX), kinecast::body(1, kinecast::com(0, 0, 0), kLump)),
          kinecast::contact_point("nose", on("bead"), kinecast::at(0, 0, 0)));
inline constexpr auto wall_on_cart =
    kinecast::environment(half_space("wall", on("cart"), kinecast::at(0.5, 0, 0), kinecast::rpy(0, -kPi / 2, 0),
                                     material(kinecast::friction(0.3), restitution(0.8))));
template <class S>
void check_cart() {
  auto& p = fresh<Predictor<cart_and_bead, S, Contacts<wall_on_cart, 1>, EventDriven<>>>();
  State<cart_and_bead, S> start = zero_state<cart_and_bead, S>();
  start.dq[0] = S(-0.1), start.dq[1] = S(1);
  assert_ok(p.reset(start));
  for (int i = 0; i < 60; ++i) assert_ok(p.step(nothing<cart_and_bead, S>(), S(10e-3)));
  const double cart = static_cast<double>(p.state().dq[0]);
  const double bead = static_cast<double>(p.state().dq[1]);
  Worst momentum;
  Worst apart;
  momentum.see(2 * cart + bead - 0.8);
  apart.see(cart - bead - 0.8 * 1.1);
  assert_below<S>(16 * kEps<S>, momentum, "momentum, N s");
  assert_below<S>(32 * kEps<S>, apart, "relative speed, m/s");
}
void test_cart() {
  check_cart<float>();
  if constexpr (measure::kInDouble) check_cart<double>();
}

// Dry friction is a finite force: a cart that it holds takes an impact as one without, (1 + e) v m / (m + M).
inline constexpr auto rusty_cart =
    robot("rusty cart",
          link("cart", prismatic(kinecast::kAxisX), kinecast::torque_driven(),
               kinecast::at_joint(kinecast::stiction(1), kinecast::coulomb(1)),
               kinecast::body(2, kinecast::com(0, 0, 0), kLump)),
          link("bead", prismatic(kinecast::kAxisX), kinecast::body(1, kinecast::com(0, 0, 0), kLump)),
          kinecast::contact_point("nose", on("bead"), kinecast::at(0, 0, 0)));
void test_rusty_cart() {
  auto& p = fresh<Predictor<rusty_cart, float, Contacts<wall_on_cart, 1>, EventDriven<>>>();
  State<rusty_cart, float> start = zero_state<rusty_cart, float>();
  start.dq[1] = 1;
  assert_ok(p.reset(start));
  int steps = 0;
  for (; steps < 600 && p.events().impacts == 0; ++steps) {
    TEST_ASSERT_DOUBLE_WITHIN(0, 0, static_cast<double>(p.state().dq[0]));
    assert_ok(p.step(nothing<rusty_cart, float>(), 1e-3F));
  }
  TEST_ASSERT_TRUE(steps >= 500 && steps < 600);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1.8 / 3, static_cast<double>(p.state().dq[0]));  // 1 N brakes it for a step
}

// A joint whose velocity is given moves with it over the whole of a step, also in the one in which it changes.
inline constexpr auto driven_cart =
    robot("driven cart",
          link("cart", prismatic(kinecast::kAxisX), kinecast::velocity_driven(),
               kinecast::body(2, kinecast::com(0, 0, 0), kLump)),
          link("bead", prismatic(kinecast::kAxisX), kinecast::body(1, kinecast::com(0, 0, 0), kLump)),
          kinecast::contact_point("nose", on("bead"), kinecast::at(0, 0, 0)));
void test_given_velocity() {
  auto& p = fresh<Predictor<driven_cart, float, Contacts<wall_on_cart, 1>, EventDriven<>>>();
  assert_ok(p.reset(zero_state<driven_cart, float>()));
  Command<driven_cart, float> command = nothing<driven_cart, float>();
  command[0] = 0.3F;
  assert_ok(p.step(command, 10e-3F));
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, 0.3 * 10e-3, static_cast<double>(p.state().q[0]));
}

// What rests stays, with the ground carrying its weight and one sub-step per step; what slides is braked by mu m g.
template <class S>
void check_rest_and_slide() {
  auto& p = fresh<OnGround<S, EventDriven<>>>();
  constexpr double kDt = 2e-3;
  p.set_scene(bouncy<S>(0.5, 0.3));
  assert_ok(p.reset(at_height<S>(0)));
  for (int i = 0; i < 50; ++i) {
    assert_ok(p.step(nothing<puck, S>(), static_cast<S>(kDt)));
    TEST_ASSERT_TRUE(p.events().substeps == 1 && p.events().halvings == 0 && p.events().impacts == 0);
  }
  // Its relaxation, 1e-2, lets it sink by 0.01 g dt/k.
  TEST_ASSERT_DOUBLE_WITHIN(0.01 * kGravity * kDt / 200 * 1.1, 0, static_cast<double>(p.state().q[1]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * kPuck_kg * kGravity, kPuck_kg * kGravity,
                            static_cast<double>(p.contact_report()[0].normal_N));

  assert_ok(p.reset(at_height<S>(0, 1)));
  const double brakes = 0.3 * kPuck_kg * kGravity / (kRail_kg + kPuck_kg);
  Worst speed;
  for (int i = 1; i * kDt < 0.9 / brakes; ++i) {
    assert_ok(p.step(nothing<puck, S>(), static_cast<S>(kDt)));
    speed.see(static_cast<double>(p.state().dq[0]) - (1 - brakes * i * kDt));
  }
  // The ground takes the weight over within the first steps, as depth settles: 1 % of it, mu times.
  assert_below<S>(0.01 * brakes * 10 * kDt, speed, "speed of a sliding block, m/s");
  for (int i = 0; i < 50; ++i) assert_ok(p.step(nothing<puck, S>(), static_cast<S>(kDt)));
  TEST_ASSERT_TRUE(std::abs(static_cast<double>(p.state().dq[0])) < 1e-5);
  TEST_ASSERT_DOUBLE_WITHIN(2e-3, 1 / (2 * brakes), static_cast<double>(p.state().q[0]));
}
void test_rest_and_slide() {
  check_rest_and_slide<float>();
  if constexpr (measure::kInDouble) check_rest_and_slide<double>();
}

// ---- as a machine
// ---------------------------------------------------------------------------------------------------------------

void test_rollout_is_stepping() {
  constexpr int kCount = 30;
  using P = OnGround<float, EventDriven<>>;
  auto& p = fresh<P>();
  auto& other = fresh<P, 1>();
  const auto& scene = bouncy<float>(0.6, 0.4);
  p.set_scene(scene);
  other.set_scene(scene);
  static Command<puck, float> commands[kCount];
  static State<puck, float> states[kCount];
  for (int i = 0; i < kCount; ++i) commands[i] << (i % 5 < 2 ? 3.0F : -1.0F), (i % 7 == 0 ? -20.0F : 1.0F);
  assert_ok(p.reset(at_height<float>(0.03, 0.5)));
  int impacts = 0;
  for (int round = 0; round < 3; ++round) {
    const auto start = p.snapshot();
    const auto events = p.events();
    const kinecast::Rollout reached = p.rollout(commands, kCount, 5e-3F, states);
    assert_ok(reached.status);
    TEST_ASSERT_EQUAL_INT(kCount, reached.steps);
    TEST_ASSERT_TRUE(events.substeps == p.events().substeps && events.impacts == p.events().impacts);
    other.restore(start);
    TEST_ASSERT_TRUE(events.substeps == other.events().substeps && events.impacts == other.events().impacts);
    for (int i = 0; i < kCount; ++i) {
      assert_ok(p.step(commands[i], 5e-3F));
      assert_ok(other.step(commands[i], 5e-3F));
      TEST_ASSERT_TRUE(same_bits(states[i], p.state()) && same_bits(states[i], other.state()));
      impacts += p.events().impacts;
    }
  }
  TEST_ASSERT_TRUE(impacts >= 3);
}

void test_failures_leave_no_trace() {
  using P = OnGround<float, EventDriven<>>;
  auto& p = fresh<P>();
  p.set_scene(bouncy<float>(0.5, 0.4));
  assert_ok(p.reset(at_height<float>(0, 0.2)));
  for (int i = 0; i < 5; ++i) assert_ok(p.step(nothing<puck, float>(), 1e-3F));
  TEST_ASSERT_TRUE(p.contact_report().touching());
  Command<puck, float> bad = nothing<puck, float>();
  const auto refused = [&](Status expected, Status got, const P::Snapshot& before) {
    TEST_ASSERT_EQUAL_INT(1, p.events().substeps);  // of the last step that was taken
    assert_status(expected, got, "refused");
    const auto after = p.snapshot();
    TEST_ASSERT_TRUE(same_bits(before.q, after.q) && same_bits(before.dq, after.dq));
    TEST_ASSERT_TRUE(before.contacts.count == after.contacts.count && same_bits(before.contacts.dt, after.contacts.dt));
  };
  bad[0] = std::numeric_limits<float>::quiet_NaN();
  refused(Status::non_finite_input, p.step(bad, 1e-3F), p.snapshot());
  refused(Status::bad_time_step, p.step(nothing<puck, float>(), 0), p.snapshot());
  // Pushed on until its velocity is beyond any robot's: the step fails where it looks at the end of the sub-step.
  bad << 1e9F, 0;
  Status status = Status::ok;
  P::Snapshot before = p.snapshot();
  for (int i = 0; i < 100 && ok(status); ++i) {
    before = p.snapshot();
    status = p.step(bad, 0.1F);
  }
  refused(Status::input_out_of_range, status, before);

  const auto asked = [&](float depth, float approach) { return p.set_event_parameters({depth, approach}); };
  assert_status(Status::non_finite_input, asked(std::numeric_limits<float>::quiet_NaN(), 0), "NaN depth");
  assert_status(Status::input_out_of_range, asked(1e-5F, -1), "negative approach");
  assert_ok(asked(1e-4F, 1e-2F));
}

}  // namespace

KINECAST_SUITE(event_driven, test_drop, test_bouncing_to_rest, test_slow_arrival, test_leaving_a_depth,
               test_rising_table, test_elastic, test_bound_is_kept, test_stop, test_upper_stop, test_cart,
               test_rusty_cart, test_given_velocity, test_rest_and_slide, test_rollout_is_stepping,
               test_failures_leave_no_trace)

}  // namespace unit_event_driven
