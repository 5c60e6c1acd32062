// SPDX-License-Identifier: MIT
// Volume contact as the predictor has it: forecasts that are the steps themselves, failures that leave no trace, more contacts than
// room, volumes that cannot be built, who touches whom, measurements, integrators and models behind one interface, scenes with
// other values, and numbers that nobody should bring.
#include <cstring>

#include "unity_main.hpp"
#include "volume_scenes.hpp"

namespace unit_volume_predictor {
namespace {

using namespace touching;
using kinecast::RungeKuttaGill;
using kinecast::SurfaceMotion;
using kinecast::touched_by;

// A deck that turns under the cube, and a wall.
inline constexpr auto ship =
    environment(box("deck", at(0, 0, -0.1), size(4, 4, 0.2), material(friction(0.5, 0.3)), moves()),
                box("wall", at(0.6, 0, 0), size(0.8, 2, 2), material(friction(0.4))),
                box("brick", on("brick"), size(0.1, 0.1, 0.1)));
template <class S>
using OnShip = Predictor<brick, S, Contacts<ship, 2, Volume<>>>;

template <class S>
void set_sail(OnShip<S>& p) {
  State<brick, S> start = placed<brick, S>({0.05, 0, 0.11}, {0.5, 0.3, 0.2});
  start.dq << S(0.8), S(0.1), S(-0.5), S(3), S(-2), S(1);
  assert_ok(p.reset(start));
  assert_ok(
      p.move_surface(0, SurfaceMotion<S>{{1, 0, 0, 0}, {0, 0, S(-0.1)}, {0, 0, S(0.02)}, {S(0.1), S(-0.2), S(0.3)}}));
}
template <class S>
[[nodiscard]] Command<brick, S> gust(int i) {
  Command<brick, S> f = nothing<brick, S>();
  f[i % 3] = static_cast<S>(0.3 * (i % 7) - 0.9);
  return f;
}

template <class S>
[[nodiscard]] bool same(const Vec3<S>& a, const Vec3<S>& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}
template <class Report>
[[nodiscard]] bool same_report(const Report& a, const Report& b) {
  if (a.count != b.count || a.iterations != b.iterations || a.passes != b.passes) return false;
  for (int i = 0; i < a.count; ++i)
    if (!(a[i].pair == b[i].pair) || !same(a[i].force_N, b[i].force_N) || !same(a[i].moment_Nm, b[i].moment_Nm) ||
        !same(a[i].point_m, b[i].point_m) || !same_bits(a[i].depth_m, b[i].depth_m) ||
        a[i].is_sliding != b[i].is_sliding)
      return false;
  return true;
}
// Two predictors that are the same take the same steps: `count` of them, to the bit.
template <class S>
[[nodiscard]] bool same_future(OnShip<S>& a, OnShip<S>& b, int count) {
  for (int i = 0; i < count; ++i) {
    assert_ok(a.step(gust<S>(i), S(1e-3)));
    assert_ok(b.step(gust<S>(i), S(1e-3)));
    if (!same_bits(a.state(), b.state()) || !same_report(a.contact_report(), b.contact_report())) return false;
  }
  return true;
}

template <class S>
void check_rollout() {
  constexpr int kCount = 40;
  OnShip<S>& p = fresh<OnShip<S>, 0>();
  OnShip<S>& other = fresh<OnShip<S>, 1>();
  static Command<brick, S> commands[kCount];
  static State<brick, S> states[kCount];
  set_sail(p);
  for (int i = 0; i < kCount; ++i) commands[i] = gust<S>(i);
  int touched = 0;
  int held = 0;
  for (int round = 0; round < 10; ++round) {
    const auto start = p.snapshot();
    const State<brick, S> at_start = p.state();
    const auto report = p.contact_report();
    const kinecast::Rollout reached = p.rollout(commands, kCount, S(1e-3), states);
    assert_ok(reached.status);
    TEST_ASSERT_EQUAL_INT(kCount, reached.steps);
    // The predictor stays where it was, and so does what it reports.
    TEST_ASSERT_TRUE(same_bits(at_start, p.state()) && same_report(report, p.contact_report()));
    for (int i = 0; i < kCount; ++i) {
      assert_ok(p.step(commands[i], S(1e-3)));
      TEST_ASSERT_TRUE(same_bits(states[i], p.state()));
      touched += p.contact_report().touching() ? 1 : 0;
      held += p.contact_report().touching() && !p.contact_report()[0].is_sliding ? 1 : 0;
    }
    // Through a copy of bytes, in another predictor that was elsewhere.
    typename OnShip<S>::Snapshot copy;
    std::memcpy(static_cast<void*>(&copy), static_cast<const void*>(&start), sizeof copy);
    other.restore(copy);
    for (const auto& command : commands) assert_ok(other.step(command, S(1e-3)));
    TEST_ASSERT_TRUE(same_bits(p.state(), other.state()) && same_report(p.contact_report(), other.contact_report()));
  }
  TEST_ASSERT_TRUE(touched > 50 && held > 20);
}
void test_rollout_is_stepping() {
  static_assert(std::is_trivially_copyable_v<OnShip<float>::Snapshot>);
  check_rollout<float>();
  if constexpr (kEffort == 100) check_rollout<double>();
}

void test_failures_leave_no_trace() {
  OnShip<float>& p = fresh<OnShip<float>, 0>();
  OnShip<float>& other = fresh<OnShip<float>, 1>();
  set_sail(p);
  for (int i = 0; i < 60 || (i < 500 && !p.contact_report().touching()); ++i) assert_ok(p.step(gust<float>(i), 1e-3F));
  TEST_ASSERT_TRUE(p.contact_report().touching());
  const auto before = p.snapshot();
  const State<brick, float> state = p.state();
  const auto report = p.contact_report();
  const auto refuse = [&](Status expected, Status got, const char* what) {
    assert_status(expected, got, what);
    TEST_ASSERT_TRUE_MESSAGE(same_bits(state, p.state()) && same_report(report, p.contact_report()), what);
  };
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  Command<brick, float> bad = nothing<brick, float>();
  bad[4] = kNaN;
  refuse(Status::non_finite_input, p.step(bad, 1e-3F), "NaN command");
  refuse(Status::non_finite_input, p.step(gust<float>(0), bad, 1e-3F), "NaN from outside");
  bad[4] = 1e30F;
  refuse(Status::input_out_of_range, p.step(bad, 1e-3F), "beyond any robot");
  for (const float dt : {0.0F, -1e-3F, 1.0F, kNaN}) refuse(Status::bad_time_step, p.step(gust<float>(0), dt), "time");
  State<brick, float> elsewhere = state;
  elsewhere.q[3] = 2;
  refuse(Status::quaternion_not_unit, p.reset(elsewhere), "reset");
  refuse(Status::quaternion_not_unit, p.correct(elsewhere), "correct");
  elsewhere = state;
  elsewhere.q[1] = kNaN;
  refuse(Status::non_finite_input, p.correct(elsewhere), "NaN measured");
  refuse(Status::non_finite_input, p.move_surface(0, SurfaceMotion<float>{{}, {0, kNaN, 0}, {}, {}}), "NaN surface");
  refuse(Status::quaternion_not_unit, p.move_surface(0, SurfaceMotion<float>{{2, 0, 0, 0}, {}, {}, {}}), "surface");
  refuse(Status::index_out_of_range, p.move_surface(1, SurfaceMotion<float>{}), "a wall does not move");
  for (int i = 0; i < 3; ++i) {
    kinecast::ContactParameters<float> parameters{};
    (i == 0 ? parameters.smoothing_s_per_m : i == 1 ? parameters.slip_mps : parameters.push_out_mps) = -1;
    refuse(Status::input_out_of_range, p.set_contact_parameters(parameters), "negative parameter");
    (i == 0 ? parameters.smoothing_s_per_m : i == 1 ? parameters.slip_mps : parameters.push_out_mps) = kNaN;
    refuse(Status::non_finite_input, p.set_contact_parameters(parameters), "NaN parameter");
  }
  // A rollout that fails on the way.
  bad[4] = kNaN;
  Command<brick, float> commands[] = {gust<float>(0), gust<float>(1), bad, gust<float>(3)};
  State<brick, float> states[4];
  const kinecast::Rollout reached = p.rollout(commands, 4, 1e-3F, states);
  TEST_ASSERT_EQUAL_INT(2, reached.steps);
  refuse(Status::non_finite_input, reached.status, "rollout");
  // It goes on as one that was never asked.
  other.restore(before);
  TEST_ASSERT_TRUE(same_future(p, other, 30));
}

// ---- more contacts than room ------------------------------------------------------------------------------------------------

// In a corner of three walls, deepest in the last one that is looked at; and room for two.
inline constexpr auto corner = environment(box("east", at(1, 0, 0), size(2, 2, 2), material(friction(0))),
                                           box("north", at(0, 1, 0), size(2, 2, 2), material(friction(0))),
                                           box("floor", at(0, 0, -1), size(2, 2, 2), material(friction(0))),
                                           box("brick", on("brick"), size(0.1, 0.1, 0.1)));
void test_capacity() {
  auto& p = fresh<Predictor<brick, float, Contacts<corner, 2, Volume<>>>>();
  // 0.1 mm, 0.5 mm and 1 mm deep, over faces of the same size.
  const State<brick, float> start = placed<brick, float>({-0.05 + 1e-4, -0.05 + 5e-4, 0.05 - 1e-3});
  assert_ok(p.reset(start));
  assert_status(Status::contacts_dropped, p.step(nothing<brick, float>(), 1e-3F), "three of two");
  TEST_ASSERT_FALSE(same_bits(start, p.state()));  // committed
  const auto& report = p.contact_report();
  TEST_ASSERT_EQUAL_INT(2, report.count);
  bool has[3] = {};
  for (int i = 0; i < 2; ++i) has[report[i].pair.surface] = true;
  TEST_ASSERT_TRUE_MESSAGE(!has[0] && has[1] && has[2], "the larger volumes stay");
  // The warning reaches a rollout's result; with room for all nobody complains.
  assert_ok(p.reset(start));
  const Command<brick, float> commands[] = {nothing<brick, float>(), nothing<brick, float>()};
  State<brick, float> states[2];
  const kinecast::Rollout reached = p.rollout(commands, 2, 1e-3F, states);
  TEST_ASSERT_EQUAL_INT(2, reached.steps);
  assert_status(Status::contacts_dropped, reached.status, "rollout");
  auto& roomy = fresh<Predictor<brick, float, Contacts<corner, 3, Volume<>>>, 1>();
  assert_ok(roomy.reset(start));
  for (int i = 0; i < 300; ++i) assert_ok(roomy.step(nothing<brick, float>(), 1e-3F));
  TEST_ASSERT_EQUAL_INT(
      1, roomy.contact_report().count);  // pushed out of the walls, without friction: it drifts away from them
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, kWeight, total_force(roomy.contact_report()).z);
}

// ---- who touches whom ---------------------------------------------------------------------------------------------------------

inline constexpr auto shelves = environment(box("sieve", at(0, 0, 0.2), size(1, 1, 0.1), touched_by(0)),
                                            half_space("floor", material(friction(0.5, 0.3))),
                                            box("brick", on("brick"), size(0.1, 0.1, 0.1), of_kind(1)));
template <class... Options>
using OnShelves = Predictor<brick, float, Contacts<shelves, 1, Options...>>;

// Drops from 0.4 m and tells where it lies 0.5 s later.
template <class Scene>
[[nodiscard]] double resting_height(const Scene& scene) {
  auto& p = fresh<OnShelves<Volume<>>>();
  p.set_scene(scene);
  assert_ok(p.reset(placed<brick, float>({0, 0, 0.4})));
  for (int i = 0; i < 500; ++i) assert_ok(p.step(nothing<brick, float>(), 1e-3F));
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, kWeight, total_force(p.contact_report()).z);
  return static_cast<double>(p.state().q[2]);
}
// Micrometres: it lands at 2 m/s, and what it sank in at that speed has been worked off at 200 / s.
void test_scenes_with_other_values() {
  const auto as_written = built_volumes<brick, shelves, float>(shelves);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.05, resting_height(as_written));  // a brick falls through the sieve
  Values<shelves> world = shelves;
  std::get<0>(world.surfaces).touched_by = 3;
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.3, resting_height(built_volumes<brick, shelves, float>(world)));
  world = shelves;
  std::get<2>(world.surfaces).kind = 0;
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.3, resting_height(built_volumes<brick, shelves, float>(world)));
  std::get<0>(world.surfaces).solid.half_m = {0.5, 0.5, 0.02};
  std::get<2>(world.surfaces).solid.half_m = {0.05, 0.05, 0.1};
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.32, resting_height(built_volumes<brick, shelves, float>(world)));
  // The other way round: the brick refuses the sieve, and takes a floor of another kind.
  std::get<2>(world.surfaces).touched_by = 2;
  std::get<1>(world.surfaces).kind = 1;
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.1, resting_height(built_volumes<brick, shelves, float>(world)));
  world = shelves;
  std::get<1>(world.surfaces).position_m = {0, 0, -0.1};
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, -0.05, resting_height(built_volumes<brick, shelves, float>(world)));
}

// What build_scene() must refuse, and leave its output alone.
void test_refused_scenes() {
  using Scene = kinecast::VolumeScene<brick, shelves, float>;
  static Scene scene;
  scene = built_volumes<brick, shelves, float>(shelves);
  static const Scene before = scene;
  const auto refuse = [&](const Values<shelves>& world, const char* what) {
    assert_status(Status::invalid_model, kinecast::build_scene<brick, shelves, float>(brick, world, scene), what);
    TEST_ASSERT_TRUE_MESSAGE(same_bits(scene.vertices, before.vertices) && scene.pair_count == before.pair_count, what);
  };
  Values<shelves> world = shelves;
  std::get<2>(world.surfaces).solid.half_m.y = 0;
  refuse(world, "no size");
  std::get<2>(world.surfaces).solid.half_m.y = std::numeric_limits<double>::quiet_NaN();
  refuse(world, "NaN size");
  world = shelves;
  std::get<2>(world.surfaces).kind = 5;
  refuse(world, "a kind beyond the compiled ones: there is no material for it");
  world = shelves;
  std::get<2>(world.surfaces).link_name = "world";
  refuse(world, "another link");
  world = shelves;
  std::get<0>(world.surfaces).conveyor_mps = {1, 0, 0};
  refuse(world, "a conveyor where none was compiled");
  world = shelves;
  std::get<0>(world.surfaces).materials[1].static_friction = -1;
  refuse(world, "negative friction");
  world = shelves;
  std::get<0>(world.surfaces).rotation.row_x = {2, 0, 0};
  refuse(world, "not a rotation");
}

// ---- a volume that cannot be built ----------------------------------------------------------------------------------------------

// Tables that claim more corners than there is room for, as no solid has them: the step says so, and a point at its deepest
// place holds the cube up.
void test_simplified_contact_still_holds() {
  auto scene = built_volumes<brick, shelves, float>(shelves);
  const auto& shape = scene.shapes[2];
  scene.starts[static_cast<std::size_t>(shape.start + shape.faces)] = 255;
  auto& p = fresh<OnShelves<Volume<>>>();
  p.set_scene(scene);
  assert_ok(p.reset(placed<brick, float>({0, 0, 0.0499}, {0, 0, 0.4})));
  double lowest = 1;
  for (int i = 0; i < 300; ++i) {
    const Status status = p.step(nothing<brick, float>(), 1e-3F);
    TEST_ASSERT_TRUE(kinecast::ok(status));
    if (i == 0) assert_status(Status::contact_simplified, status, "simplified");
    check_wrenches(p.contact_report(), kEps<float>, 0.1, 1e3);
    lowest = std::fmin(lowest, static_cast<double>(p.state().q[2]));
  }
  TEST_ASSERT_TRUE(lowest > 0.048);
  TEST_ASSERT_TRUE(measure::largest(p.state().dq, 6) < 1);
}

// ---- measurements ---------------------------------------------------------------------------------------------------------------

// Pushed with 2 N of the 2.45 N that friction holds. A measurement that it is elsewhere is believed: it holds there, and is not
// drawn back; one that says the same changes nothing but what it crept.
void test_measurement_moves_the_hold() {
  auto& p = fresh<OnShelves<Volume<>>>();
  assert_ok(p.reset(placed<brick, float>({0, 0, 0.05})));
  Command<brick, float> push = nothing<brick, float>();
  for (int i = 0; i < 50; ++i) assert_ok(p.step(push, 1e-3F));
  push[0] = 2, push[4] = -0.1F;  // at the bottom: the moment about the centre
  const auto hold = [&](float x, float y) {
    for (int i = 0; i < 200; ++i) assert_ok(p.step(nothing<brick, float>(), push, 1e-3F));
    // Lambda f dt / k = 1e-3 * 4 / kg * 2 N * 1 ms / 200 / s: tens of nm, and some roundings of a metre.
    TEST_ASSERT_DOUBLE_WITHIN(2e-6, static_cast<double>(x), static_cast<double>(p.state().q[0]));
    TEST_ASSERT_DOUBLE_WITHIN(2e-6, static_cast<double>(y), static_cast<double>(p.state().q[1]));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, measure::largest(p.state().dq, 3));
    TEST_ASSERT_DOUBLE_WITHIN(2e-2, -2, total_force(p.contact_report()).x);
    TEST_ASSERT_FALSE(p.contact_report()[0].is_sliding);
  };
  hold(0, 0);
  State<brick, float> measured = p.state();
  measured.q[0] += 1e-3F, measured.q[1] -= 2e-3F;
  assert_ok(p.correct(measured));
  hold(measured.q[0], measured.q[1]);
  measured = p.state();
  assert_ok(p.correct(measured));
  hold(measured.q[0], measured.q[1]);
}

// ---- models behind one interface ------------------------------------------------------------------------------------------------

// Put down from 2 mm and pushed with 1 N at its centre, it rests on the floor: statics gives the net wrench, whatever the model.
template <const auto& R, class... Options>
void check_holds(const char* name, double depth) {
  auto& p = fresh<Predictor<R, float, Options...>>();
  assert_ok(p.reset(placed<R, float>({0, 0, 0.052}, {0, 0, 0.2})));
  Command<R, float> push = nothing<R, float>();
  for (int i = 0; i < 400; ++i) {
    if (i == 100) push[1] = 1;
    TEST_ASSERT_TRUE_MESSAGE(kinecast::ok(p.step(nothing<R, float>(), push, 1e-3F)), name);
    TEST_ASSERT_TRUE_MESSAGE(measure::largest(p.state().dq, 6) < 1, name);
  }
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(depth, 0.05, static_cast<double>(p.state().q[2]), name);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-3, 0, measure::largest(p.state().dq, 3), name);
  const auto& report = p.contact_report();
  const auto force = total_force(report);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.05, kWeight, force.z, name);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.05, -1, force.y, name);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.05, 0, force.x, name);
  Vec3<double> moment{};  // about the centre of mass
  for (int c = 0; c < report.count; ++c) {
    const Vec3<double> arm = report[c].point_m.template cast<double>() -
                             Vec3<double>{static_cast<double>(p.state().q[0]), static_cast<double>(p.state().q[1]),
                                          static_cast<double>(p.state().q[2])};
    moment = moment + cross(arm, report[c].force_N.template cast<double>());
    if constexpr (!std::is_same_v<std::decay_t<decltype(report[c])>, kinecast::ContactForce<float>>)
      moment = moment + report[c].moment_Nm.template cast<double>();
  }
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(5e-3, 0, std::sqrt(dot(moment, moment)), name);
}
inline constexpr auto ground =
    environment(half_space("ground", material(friction(0.5), kinecast::spring(2e4), kinecast::damper(40))),
                box("brick", on("brick"), size(0.1, 0.1, 0.1)));
inline constexpr auto point_ground = environment(half_space("ground", material(friction(0.5))));
void test_every_model_holds() {
  using kinecast::FrictionRule;
  using kinecast::Functional;
  check_holds<robots::cube, Contacts<point_ground, 4>>("points", 1e-5);
  check_holds<brick, Contacts<ground, 1, Volume<>>>("volume", 1e-5);
  check_holds<brick, Contacts<ground, 1, Volume<corners(4)>>>("volume, 4 corners", 1e-5);
  check_holds<brick, Contacts<ground, 1, WrenchPrograms<>>>("programs", 1e-5);
  check_holds<brick, Contacts<ground, 1, WrenchPrograms<8, 4>>>("programs, 8 sides, 4 corners", 1e-5);
  check_holds<brick, Contacts<ground, 1, WrenchPrograms<16, 8, Functional::energy, FrictionRule::resolved_by_state>>>(
      "programs by state", 1e-5);
  check_holds<brick, Contacts<ground, 1, WrenchPrograms<16, 8, Functional::velocity>>>(
      "programs, the paper's functional", 1e-5);
  // Runge-Kutta takes the contact's acceleration of each stage for the whole step: held, to a step's way.
  check_holds<brick, RungeKuttaGill, Contacts<ground, 1, Volume<>>>("Gill", 3e-4);
}

// Contact points of the robot do not take part: they lie outside of the volume, and would lift it.
inline constexpr auto dotted_brick =
    robot("brick", cube_link("brick"), kinecast::contact_box(on("brick"), size(0.2, 0.2, 0.2)));
void test_points_are_ignored() {
  auto& plain = fresh<Predictor<brick, float, Contacts<ground, 1, Volume<>>>, 0>();
  auto& dotted = fresh<Predictor<dotted_brick, float, Contacts<ground, 1, Volume<>>>, 1>();
  State<brick, float> start = placed<brick, float>({0, 0, 0.05}, {0, 0, 0.3});
  State<dotted_brick, float> same_start = placed<dotted_brick, float>({0, 0, 0.05}, {0, 0, 0.3});
  start.dq[0] = same_start.dq[0] = 1;
  assert_ok(plain.reset(start));
  assert_ok(dotted.reset(same_start));
  Worst worst;
  for (int i = 0; i < 300; ++i) {
    assert_ok(plain.step(nothing<brick, float>(), 1e-3F));
    assert_ok(dotted.step(nothing<dotted_brick, float>(), 1e-3F));
    for (int k = 0; k < 7; ++k) worst.see(static_cast<double>(plain.state().q[k] - dotted.state().q[k]));
  }
  TEST_ASSERT_FALSE(dotted.contact_report()[0].is_sliding);
  // Slides 0.1 m and stops. Velocity products are found at another place where there are points: roundings of each step.
  assert_below<float>(300 * kEps<float> * 0.1, worst, "points", "position");
}

// ---- numbers that nobody should bring -----------------------------------------------------------------------------------------

// Anywhere, in each other, huge and tiny, fast and slow, for steps of all lengths: every answer is a Status, every number finite, and
// what was refused did not happen.
template <class S>
void check_wild_states(int count) {
  OnShip<S>& p = fresh<OnShip<S>>();
  measure::Random random(77);
  int stepped = 0;
  for (int n = 0; n < count; ++n) {
    State<brick, S> state = zero_state<brick, S>();
    checks::draw_quaternion(random, state.q.data() + 3);
    const double far = std::pow(10.0, random.within(1) * 3 - 1.5);  // 3e-5 to 30 m
    const double fast = std::pow(10.0, random.within(1) * 5 - 1);   // to 1e4
    for (int i = 0; i < 3; ++i) state.q[i] = static_cast<S>(random.within(far));
    for (int i = 0; i < 6; ++i) state.dq[i] = static_cast<S>(random.within(fast));
    assert_ok(p.reset(state));
    SurfaceMotion<S> deck{
        {}, {0, 0, static_cast<S>(random.within(0.2))}, {}, {static_cast<S>(random.within(fast)), 0, 0}};
    assert_ok(p.move_surface(0, deck));
    const S dt = static_cast<S>(std::pow(10.0, -3.5 + random.within(2.4)));  // 1e-6 to 0.08 s
    for (int i = 0; i < 5; ++i) {
      const State<brick, S> before = p.state();
      Command<brick, S> wrench;
      for (int k = 0; k < 6; ++k) wrench[k] = static_cast<S>(random.within(fast));
      const Status status = p.step(nothing<brick, S>(), wrench, dt);
      double sum = 0;
      for (int k = 0; k < 7; ++k) sum += static_cast<double>(p.state().q[k]);
      for (int k = 0; k < 6; ++k) sum += static_cast<double>(p.state().dq[k]);
      TEST_ASSERT_TRUE(std::isfinite(sum));
      if (!kinecast::ok(status)) {
        TEST_ASSERT_TRUE(same_bits(before, p.state()));
        break;
      }
      ++stepped;
      for (int c = 0; c < p.contact_report().count; ++c) TEST_ASSERT_TRUE(p.contact_report()[c].normal_N >= S(0));
    }
  }
  TEST_ASSERT_TRUE(stepped > 3 * count);
}
void test_wild_states() {
  check_wild_states<float>(kEffort == 100 ? 5000 : 20);
  if constexpr (kEffort == 100) check_wild_states<double>(5000);
}

}  // namespace

KINECAST_SUITE(volume_predictor, test_rollout_is_stepping, test_failures_leave_no_trace, test_capacity,
               test_scenes_with_other_values, test_refused_scenes, test_simplified_contact_still_holds,
               test_measurement_moves_the_hold, test_every_model_holds, test_points_are_ignored, test_wild_states)

}  // namespace unit_volume_predictor
