// SPDX-License-Identifier: MIT
// Volume contact with things that move or are driven: surfaces that lift, carry and turn, slopes at the friction angle, drives and
// their friction behind a contact.
#include "unity_main.hpp"
#include "volume_scenes.hpp"

namespace unit_volume_motion {
namespace {

using namespace touching;
using kinecast::conveyor;
using kinecast::SurfaceMotion;

constexpr double kDt = 1e-3;

template <class P, class V>
void step(P& p, const V& command) {
  using S = std::decay_t<decltype(p.state().q[0])>;
  assert_ok(p.step(command, static_cast<S>(kDt)));
}

// ---- surfaces that move ---------------------------------------------------------------------------------------------------

inline constexpr auto plant =
    environment(box("platform", at(0, 0, -0.1), size(1, 1, 0.2), material(friction(0.5, 0.4)), moves()),
                box("belt", at(3, 0, -0.1), size(2, 1, 0.2), material(friction(0.5, 0.4)), conveyor(0.3, 0, 0)),
                kinecast::wedge("ramp", at(10, 0, 0), size(1, 0.8, 0.36397023426620234), material(friction(0.5, 0.4))),
                box("brick", on("brick"), size(0.1, 0.1, 0.1)));
template <class S>
using InPlant = Predictor<brick, S, Contacts<plant, 1, Volume<>>>;

// Up at 0.2 m/s: after the first step it goes with it, and is carried by its weight.
template <class S>
void check_lift() {
  auto& p = fresh<InPlant<S>>();
  assert_ok(p.reset(placed<brick, S>({0.1, -0.2, 0.05}, {0, 0, 0.3})));
  assert_ok(p.move_surface(0, SurfaceMotion<S>{{}, {0, 0, S(-0.1)}, {0, 0, S(0.2)}, {}}));
  for (int i = 0; i < 200; ++i) step(p, nothing<brick, S>());
  // 0.2 s, to the micrometres that it stands in the platform; the force to eps over the relaxation of 1e-3 of the impulse m v.
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.05 + 0.04, static_cast<double>(p.state().q[2]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.2, static_cast<double>(p.state().dq[2]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-2 * kWeight, kWeight, total_force(p.contact_report()).z);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.1, static_cast<double>(p.state().q[0]));
}
// Round and round, 0.2 m from the middle: friction of m w² r = 0.4 N of 2.45 N holds it.
template <class S>
void check_turntable() {
  auto& p = fresh<InPlant<S>>();
  State<brick, S> start = placed<brick, S>({0.2, 0, 0.05}, {});
  start.dq[1] = S(0.4), start.dq[5] = S(2);
  assert_ok(p.reset(start));
  assert_ok(p.move_surface(0, SurfaceMotion<S>{{}, {0, 0, S(-0.1)}, {}, {0, 0, S(2)}}));
  const int steps = kEffort == 100 ? 1571 : 200;
  for (int i = 0; i < steps; ++i) step(p, nothing<brick, S>());
  const auto& q = p.state().q;
  const double x = static_cast<double>(q[0]);
  const double y = static_cast<double>(q[1]);
  // A chord a step: it goes outwards by (w dt)² r / 2 each, 0.6 mm in a half turn, and the hold brings it back.
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0.2, std::sqrt(x * x + y * y));
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 2e-3 * steps, std::atan2(y, x) < 0 ? std::atan2(y, x) + 2 * kPi : std::atan2(y, x));
  const auto force = total_force(p.contact_report());
  TEST_ASSERT_DOUBLE_WITHIN(4e-3, 0.4, std::sqrt(force.x * force.x + force.y * force.y));
  TEST_ASSERT_FALSE(p.contact_report()[0].is_sliding);
}
// On the belt it slips at mu_k g until it has the belt's speed, and stays.
template <class S>
void check_belt() {
  auto& p = fresh<InPlant<S>>();
  assert_ok(p.reset(placed<brick, S>({2.5, 0, 0.05}, {0, 0, 0.5})));
  for (int i = 0; i < 50; ++i) step(p, nothing<brick, S>());
  TEST_ASSERT_DOUBLE_WITHIN(4e-3, 0.05 * 0.4 * kGravity,
                            static_cast<double>(p.state().dq[0]));  // a step's part: 0.0039
  TEST_ASSERT_TRUE(p.contact_report()[0].is_sliding);
  for (int i = 50; i < 200; ++i) step(p, nothing<brick, S>());
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.3, static_cast<double>(p.state().dq[0]));
  TEST_ASSERT_FALSE(p.contact_report()[0].is_sliding);
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, 0, total_force(p.contact_report()).x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, static_cast<double>(p.state().q[1]));
}
void test_surfaces_that_move() {
  check_lift<float>();
  check_turntable<float>();
  check_belt<float>();
  if constexpr (kEffort == 100) check_lift<double>();
  if constexpr (kEffort == 100) check_turntable<double>();
  if constexpr (kEffort == 100) check_belt<double>();
}

// ---- slopes -------------------------------------------------------------------------------------------------------------------

// 20 degrees, of which the tangent is 0.364: 0.38 holds, 0.35 does not, and then it slides at g (sin - mu_k cos).
template <class S>
void check_ramp(double at_rest, double sliding, bool holds, int turns) {
  Values<plant> world = plant;
  std::get<2>(world.surfaces).materials[0] = material(friction(at_rest, sliding));
  const auto scene = built_volumes<brick, plant, S>(world);
  auto& p = fresh<InPlant<S>>();
  p.set_scene(scene);
  const double slope = 20 * kPi / 180;
  const double along = 0.5;
  // Turned about the slope's normal by quarters of a radian, then by the slope.
  State<brick, S> start = placed<brick, S>(
      {10 + along * std::cos(slope) - 0.05 * std::sin(slope), 0.1, along * std::sin(slope) + 0.05 * std::cos(slope)},
      {});
  const double c = std::cos(slope / 2), s = -std::sin(slope / 2), C = std::cos(turns / 8.0), Z = std::sin(turns / 8.0);
  start.q[3] = static_cast<S>(c * C), start.q[4] = static_cast<S>(s * Z), start.q[5] = static_cast<S>(s * C),
  start.q[6] = static_cast<S>(c * Z);
  assert_ok(p.reset(start));
  const int steps = kEffort == 100 ? 400 : 100;
  for (int i = 0; i < steps; ++i) step(p, nothing<brick, S>());
  const double moved =
      std::hypot(static_cast<double>(p.state().q[0] - start.q[0]), static_cast<double>(p.state().q[2] - start.q[2]));
  const double speed = std::hypot(static_cast<double>(p.state().dq[0]), static_cast<double>(p.state().dq[2]));
  if (holds) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, moved);  // Lambda f dt / k and the depth: micrometres
    return;
  }
  // It has the friction of rest until it is faster than 1 mm/s (slip_mps); within half a percent, or a step.
  const auto pull = [&](double mu) { return kGravity * (std::sin(slope) - mu * std::cos(slope)); };
  const double expected = 1e-3 + (kDt * steps - 1e-3 / pull(at_rest)) * pull(sliding);
  TEST_ASSERT_DOUBLE_WITHIN(5e-3 * expected + 2e-3, expected, speed);
  TEST_ASSERT_TRUE(p.contact_report()[0].is_sliding);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.1, static_cast<double>(p.state().q[1]));
}
void test_ramp_at_the_friction_angle() {
  for (int turns = 0; turns < (kEffort == 100 ? 8 : 2); ++turns) {
    check_ramp<float>(0.38, 0.2, true, turns);
    check_ramp<float>(0.35, 0.2, false, turns);
    if constexpr (kEffort == 100) check_ramp<double>(0.38, 0.2, true, turns);
    if constexpr (kEffort == 100) check_ramp<double>(0.35, 0.2, false, turns);
  }
}

// ---- drives behind a contact ----------------------------------------------------------------------------------------------

// A plunger with friction clamps a cube to a wall; beside it a platform that turns and goes up as it is told, with another cube.
inline constexpr auto cell = robot("cell",
                                   link("plunger", prismatic(kAxisX), at(-0.1, 0, 0), kinecast::torque_driven(),
                                        kinecast::at_joint(kinecast::stiction(2), kinecast::coulomb(1.5)),
                                        body(0.3, com(0, 0, 0), inertia(1e-3, 1e-3, 1e-3))),
                                   cube_link("clamped"),
                                   link("lift", prismatic(kAxisZ), at(2, 0, 0), kinecast::velocity_driven(),
                                        body(1, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
                                   link("turret", on("lift"), revolute(kAxisZ), kinecast::velocity_driven(),
                                        body(1, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
                                   cube_link("carried"));
inline constexpr auto cell_solids =
    environment(box("wall", at(0.1, 0, 0), size(0.1, 0.4, 0.4), material(friction(0.6))),
                box("plunger", on("plunger"), size(0.1, 0.08, 0.08), material(friction(0.6))),
                box("clamped", on("clamped"), size(0.1, 0.1, 0.1), of_kind(1)),
                box("turret", on("turret"), at(0, 0, -0.05), size(0.8, 0.8, 0.1), material(friction(0.6))),
                box("carried", on("carried"), size(0.1, 0.1, 0.1), kinecast::touched_by(0)));
constexpr int kCellLinks[] = {-1, 0, 1, 3, 4};

template <class S>
void check_cell() {
  static Predictor<cell, S, Contacts<cell_solids, 3, Volume<>>> p;  // in double larger than the room
  State<cell, S> start = zero_state<cell, S>();
  place(start, 1, {0, 0, 0}, {});
  const int carried = 10;  // its first entry in q; in dq 9
  place(start, carried, {2.2, 0, 0.05}, {});
  start.dq[10] = S(0.4), start.dq[11] = S(0.1), start.dq[14] = S(2);
  assert_ok(p.reset(start));
  Worst balance;
  // Newtons between plunger and cube, and whether it still touches.
  const auto run = [&](int steps, S push) {
    double pressed = 0;
    for (int i = 0; i < steps; ++i) {
      const State<cell, S> before = p.state();
      Command<cell, S> command = nothing<cell, S>();
      command[0] = push;
      command[7] = S(0.1), command[8] = S(2);
      assert_ok(p.step(command, static_cast<S>(kDt)));
      const auto& report = p.contact_report();
      see_wrench_balance<cell, S>(before, p.state(), p.report().transmitted_Nm,
                                  static_cast<double>(static_cast<S>(kDt)), report, kCellLinks, balance, 3U << 7U);
      check_wrenches(report, kEps<S>, 0.2, 1e3);
      // The driven joints do what they are told, whatever is on them. (What that takes, with the contact, nobody reports.)
      TEST_ASSERT_DOUBLE_WITHIN(4 * kEps<S>, 0.1, static_cast<double>(p.state().dq[7]));
      TEST_ASSERT_DOUBLE_WITHIN(4 * kEps<S>, 2, static_cast<double>(p.state().dq[8]));
      pressed = 0;
      for (int c = 0; c < report.count; ++c)
        if (report[c].pair.surface == 1) pressed = static_cast<double>(report[c].normal_N);
    }
    return pressed;
  };
  const auto height = [&] { return static_cast<double>(p.state().q[3]); };
  // 10 N, of which friction takes 2 N at most, or adds it: enough for the cube's weight at two faces.
  double force = run(300, S(10));
  TEST_ASSERT_TRUE(force >= 8 * 0.999 && force <= 12 * 1.001);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, height());  // what it fell before it was clamped
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, measure::largest(p.state().dq, 7));
  const double held = height();
  force = run(100, S(10));
  TEST_ASSERT_TRUE(force >= 8 * 0.999 && force <= 12 * 1.001);
  TEST_ASSERT_DOUBLE_WITHIN(2e-6, held, height());
  // The turret carries its cube: round, and up.
  const double x = static_cast<double>(p.state().q[carried]) - 2;
  const double y = static_cast<double>(p.state().q[carried + 1]);
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0.2, std::sqrt(x * x + y * y));
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.8, std::atan2(y, x));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.05 + 0.04, static_cast<double>(p.state().q[carried + 2]));
  // No push: friction alone holds 2 N at most, too little for the weight. Then the plunger draws back, and nothing touches.
  force = run(100, S(0));
  TEST_ASSERT_TRUE(force <= 2 * 1.001);
  TEST_ASSERT_TRUE(height() < held - 5e-3);
  force = run(50, S(-5));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, force);
  TEST_ASSERT_TRUE(p.state().q[0] < S(-1e-3));
  // A joint that sticks while it presses is solved with the contact, relaxed, and then put to rest exactly: 1e-6 rad/s of it.
  assert_small<S>(kWrenchBalance<S> + 2e-6, balance, "cell", "M ddq + b - transmitted - Jt W");
}
void test_drives_behind_a_contact() {
  check_cell<float>();
  if constexpr (kEffort == 100) check_cell<double>();
}

}  // namespace

KINECAST_SUITE(volume_motion, test_surfaces_that_move, test_ramp_at_the_friction_angle, test_drives_behind_a_contact)

}  // namespace unit_volume_motion
