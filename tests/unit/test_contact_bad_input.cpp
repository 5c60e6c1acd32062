// SPDX-License-Identifier: MIT
// Contact with bad input: height functions that return NaN, bodies that start deep inside, steps in a terrain, surfaces that are
// moved to nowhere, values that the compiled scene cannot have. Every answer is a Status with nothing moved, or a bounded motion.
#include "contact_scenes.hpp"
#include "unity_main.hpp"

namespace unit_contact_bad_input {
namespace {

using namespace touching;
using kinecast::friction;
using kinecast::half_space;
using kinecast::material;
using kinecast::SurfaceMotion;
using kinecast::Vec3;
using robots::cube;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Flat up to x = 0.2, and what the test says beyond.
struct Cliff {
  static double beyond;
  template <class S>
  static S height(S x, S /*y*/) noexcept {
    return x > S(0.2) ? static_cast<S>(beyond) : S(0);
  }
};
double Cliff::beyond = 0;
// 0 is the terrain, 1 moves far away, 2 stands far away.
inline constexpr auto land =
    kinecast::environment(kinecast::terrain<Cliff>("land", material(friction(0.2))),
                          half_space("lift", kinecast::at(0, 0, -5), kinecast::moves()),
                          kinecast::box("rock", kinecast::at(0, 9, 0), kinecast::size(1, 1, 1)));
template <class S>
using OnLand = Predictor<cube, S, Contacts<land, 8>>;

template <class P, class Before>
void assert_unmoved(const P& p, const Before& before) {
  const auto now = p.snapshot();
  TEST_ASSERT_TRUE(same_bits(before.q, now.q) && same_bits(before.dq, now.dq));
  TEST_ASSERT_EQUAL_INT(before.contacts.count, now.contacts.count);
  TEST_ASSERT_TRUE(same_bits(before.contacts.moving, now.contacts.moving));
}

// A cube slides at 1 m/s to where the height function breaks down.
template <class S>
void check_broken_height(double beyond) {
  OnLand<S>& p = fresh<OnLand<S>>();
  Cliff::beyond = beyond;
  State<cube, S> start = placed<cube, S>({0, 0, 0.05});
  start.dq[0] = S(1);
  assert_ok(p.reset(start));
  Status status = Status::ok;
  auto before = p.snapshot();
  int count = 0;
  for (int i = 0; i < 300 && kinecast::ok(status); ++i) {
    before = p.snapshot();
    count = p.contact_report().count;
    status = p.step(nothing<cube, S>(), S(1e-3));
  }
  assert_status(Status::non_finite_input, status, "a height that is no number");
  assert_unmoved(p, before);
  TEST_ASSERT_EQUAL_INT(count, p.contact_report().count);
  // Its front corners had arrived there, not earlier; and it says so each time.
  TEST_ASSERT_DOUBLE_WITHIN(3e-3, 0.2, static_cast<double>(p.state().q[0]) + 0.05);
  assert_status(Status::non_finite_input, p.step(nothing<cube, S>(), S(1e-3)), "again");
  assert_unmoved(p, before);
  // Where the ground is whole it goes on.
  Cliff::beyond = 0;
  assert_ok(p.step(nothing<cube, S>(), S(1e-3)));
}
void test_broken_height_function() {
  for (const double beyond : {kNaN, kInfinity, -kInfinity}) check_broken_height<float>(beyond);
  if constexpr (measure::kInDouble) check_broken_height<double>(kNaN);
}

// A vertical step of half the cube's height, hit at 1 m/s: a wall over two millimetres, and ground 5 cm up behind it. No
// theory says where the cube goes; nowhere faster than it came or than it may be pushed out, 1 m/s, and the sum of both.
void test_vertical_step() {
  OnLand<float>& p = fresh<OnLand<float>>();
  for (const double up : {0.05, -0.3}) {
    Cliff::beyond = up;
    State<cube, float> start = placed<cube, float>({0, 0, 0.05}, {0, 0, 0.3});
    start.dq[0] = 1;
    assert_ok(p.reset(start));
    double fastest = 0;
    for (int i = 0; i < 400; ++i) {
      TEST_ASSERT_TRUE(kinecast::ok(p.step(nothing<cube, float>(), 1e-3F)));
      const auto& dq = p.state().dq;
      const double speed = std::sqrt(static_cast<double>(dq[0] * dq[0] + dq[1] * dq[1] + dq[2] * dq[2]));
      fastest = std::fmax(fastest, speed);
    }
    // Down the cliff it falls freely, 0.3 m: sqrt(2 g 0.3) and the 1 m/s it came with.
    TEST_ASSERT_TRUE(fastest < (up > 0 ? 2.0 : std::sqrt(2 * kGravity * 0.35 + 1) + 0.1));
  }
}

// ---- deep inside ----------------------------------------------------------------------------------------------------------

inline constexpr auto ground = kinecast::environment(half_space("ground"));

// A body that starts inside comes out at the speed allowed, upright or turned, and not faster; then it rests.
void test_pushed_out() {
  auto& p = fresh<Predictor<cube, float, Contacts<ground, 8>>>();
  const Vec3<double> turns[] = {{0, 0, 0}, {0, 0, 1}, {0.6, 0.4, 0}};
  for (const Vec3<double>& turn : turns)
    for (const float push : {0.25F, 1.0F}) {
      assert_ok(p.set_contact_parameters({100, 1e-3F, push}));
      assert_ok(p.reset(placed<cube, float>({0, 0, -0.2}, turn)));
      double fastest = 0;
      double highest = -1;
      for (int i = 0; i < 2000; ++i) {
        assert_ok(p.step(nothing<cube, float>(), 1e-3F));
        fastest = std::fmax(fastest, measure::largest(p.state().dq, 3));
        highest = std::fmax(highest, static_cast<double>(p.state().q[2]));
        if (p.state().q[2] < -0.1F) {  // all corners inside: all are pushed alike
          TEST_ASSERT_DOUBLE_WITHIN(1e-2, 0, measure::largest(p.state().dq.data() + 3, 3));
          TEST_ASSERT_TRUE(p.state().dq[2] <= push * 1.001F);
        }
      }
      // Out at `push`, it flies up by push² / 2g, and falls back. A turned one tips over on the way and falls on its face from
      // its corner, by 4 cm at most.
      const double height = static_cast<double>(push * push) / (2 * kGravity);
      const double out = std::fmax(static_cast<double>(push), std::sqrt(2 * kGravity * (height + 0.04))) * 1.01;
      TEST_ASSERT_TRUE_MESSAGE(fastest < out, "thrown out");
      TEST_ASSERT_TRUE_MESSAGE(highest < 0.0867 + height + 1e-2, "thrown up");
      TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.05, static_cast<double>(p.state().q[2]));
      TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, measure::largest(p.state().dq, 6));
    }
}

// ---- surfaces -------------------------------------------------------------------------------------------------------------

void test_moving_a_surface_nowhere() {
  OnLand<float>& p = fresh<OnLand<float>>();
  Cliff::beyond = 0;
  assert_ok(p.reset(placed<cube, float>({0, 0, 0.05})));
  assert_ok(p.step(nothing<cube, float>(), 1e-3F));
  const auto before = p.snapshot();
  const SurfaceMotion<float> good{{1, 0, 0, 0}, {0, 0, -5}, {0, 0, 0.1F}, {0, 0.1F, 0}};
  const auto refuse = [&](Status expected, int surface, const SurfaceMotion<float>& motion) {
    assert_status(expected, p.move_surface(surface, motion), "move_surface");
    assert_unmoved(p, before);
  };
  for (const int surface : {-1, 0, 2, 3, 1000}) refuse(Status::index_out_of_range, surface, good);
  constexpr float kBad = std::numeric_limits<float>::quiet_NaN();
  constexpr float kEndless = std::numeric_limits<float>::infinity();
  for (const float value : {kBad, kEndless, -kEndless}) {
    SurfaceMotion<float> bad = good;
    bad.linear.y = value;
    refuse(Status::non_finite_input, 1, bad);
    bad = good, bad.angular.z = value;
    refuse(Status::non_finite_input, 1, bad);
    bad = good, bad.position.x = value;
    refuse(Status::non_finite_input, 1, bad);
    bad = good, bad.turn.x = value;
    TEST_ASSERT_FALSE(kinecast::ok(p.move_surface(1, bad)));
    assert_unmoved(p, before);
  }
  SurfaceMotion<float> bad = good;
  bad.turn = {1, 0.1F, 0, 0};
  refuse(Status::quaternion_not_unit, 1, bad);
  bad.turn = {0, 0, 0, 0};
  refuse(Status::quaternion_not_unit, 1, bad);
  bad = good, bad.position.z = 1e7F;
  refuse(Status::input_out_of_range, 1, bad);
  bad = good, bad.linear.z = 1e10F;
  refuse(Status::input_out_of_range, 1, bad);
  assert_ok(p.move_surface(1, good));
  assert_ok(p.step(nothing<cube, float>(), 1e-3F));
}

// What the compiled scene has no room for: kinds of material, spheres where there were points, belts where nothing ran.
void test_values_that_do_not_fit() {
  const auto builds = [](const Values<cube>& robot, const Values<ground>& world) {
    kinecast::Model<cube, float> model{};
    static kinecast::Scene<cube, ground, float> scene;
    bad_input::fill(scene);
    const Status of_model = kinecast::build_model<cube, float>(robot, model);
    const Status of_scene = kinecast::build_scene<cube, ground, float>(robot, world, scene);
    TEST_ASSERT_TRUE(kinecast::ok(of_scene) || bad_input::is_filled(scene));
    return kinecast::ok(of_model) && kinecast::ok(of_scene);
  };
  TEST_ASSERT_TRUE(builds(cube, ground));
  Values<cube> robot = cube;
  robot.points[3].kind = 5;
  TEST_ASSERT_FALSE_MESSAGE(builds(robot, ground), "a kind");
  robot = cube;
  robot.points[3].radius_m = 0.01;
  TEST_ASSERT_FALSE_MESSAGE(builds(robot, ground), "a sphere");
  Values<ground> world = ground;
  std::get<0>(world.surfaces).conveyor_mps.x = 0.5;
  TEST_ASSERT_FALSE_MESSAGE(builds(cube, world), "a belt");
  world = ground;
  std::get<0>(world.surfaces).materials[0].static_friction = -1;
  TEST_ASSERT_FALSE_MESSAGE(builds(cube, world), "negative friction");
  world = ground;
  std::get<0>(world.surfaces).materials[0].relaxation = 0;
  TEST_ASSERT_FALSE_MESSAGE(builds(cube, world), "no relaxation");
}

// Parameters that are no numbers, or push inwards, are refused, and those before them stay.
void test_bad_parameters() {
  auto& p = fresh<Predictor<cube, float, Contacts<ground, 8>>>();
  constexpr float kBad = std::numeric_limits<float>::quiet_NaN();
  constexpr float kEndless = std::numeric_limits<float>::infinity();
  State<cube, float> start = placed<cube, float>({0, 0, 0.04});
  start.dq[0] = 0.2F;
  assert_ok(p.set_contact_parameters({50, 2e-3F, 0.25F}));
  assert_ok(p.reset(start));
  assert_ok(p.step(nothing<cube, float>(), 1e-3F));
  const State<cube, float> expected = p.state();
  const kinecast::ContactParameters<float> bad[] = {{kBad, 1e-3F, 1},     {100, kBad, 1},   {100, 1e-3F, kBad},
                                                    {kEndless, 1e-3F, 1}, {-100, 1e-3F, 1}, {100, -1, 1},
                                                    {100, 1e-3F, -1}};
  for (const auto& parameters : bad) {
    TEST_ASSERT_FALSE(kinecast::ok(p.set_contact_parameters(parameters)));
    assert_ok(p.reset(start));
    assert_ok(p.step(nothing<cube, float>(), 1e-3F));
    TEST_ASSERT_TRUE(same_bits(expected, p.state()));
  }
}

// Long steps: what is found inside is large, and still bounded.
void test_long_steps() {
  auto& p = fresh<Predictor<cube, float, Contacts<ground, 8>>>();
  for (const float dt : {0.01F, 0.05F, 0.1F}) {
    State<cube, float> start = placed<cube, float>({0, 0, 0.5}, {0.3, 0.2, 0.1});
    start.dq << 1, 0.5F, 0, 2, -3, 1;
    assert_ok(p.reset(start));
    for (int i = 0; i < 200; ++i) {
      TEST_ASSERT_TRUE(kinecast::ok(p.step(nothing<cube, float>(), dt)));
      TEST_ASSERT_TRUE(measure::largest(p.state().dq, 3) < 5 && p.state().q[2] < 0.6F && p.state().q[2] > -0.5F);
    }
  }
}

}  // namespace

KINECAST_SUITE(contact_bad_input, test_broken_height_function, test_vertical_step, test_pushed_out,
               test_moving_a_surface_nowhere, test_values_that_do_not_fit, test_bad_parameters, test_long_steps)

}  // namespace unit_contact_bad_input
