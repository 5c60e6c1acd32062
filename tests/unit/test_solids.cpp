// SPDX-License-Identifier: MIT
// Solids push a point out of the face through which it came, wherever the centre of mass of its body lies: hooks and fingers that
// are pressed onto a box gain no energy, a fast point does not pass a thin plate, a point that slides over a rim is free, and the
// face of an edge or corner is that of an exact ray. The face of a start inside of the solid is that of closest().
#include "contact_scenes.hpp"
#include "unity_main.hpp"

namespace unit_solids {
namespace {

using namespace touching;
using kinecast::at;
using kinecast::body;
using kinecast::box;
using kinecast::com;
using kinecast::contact_point;
using kinecast::contact_sphere;
using kinecast::environment;
using kinecast::friction;
using kinecast::gravity;
using kinecast::inertia;
using kinecast::kAxisX;
using kinecast::kAxisY;
using kinecast::kAxisZ;
using kinecast::link;
using kinecast::material;
using kinecast::on;
using kinecast::prismatic;
using kinecast::revolute;
using kinecast::robot;
using kinecast::size;
using kinecast::Vec3;
using measure::Random;

constexpr double kDt = 1e-3;
constexpr auto kRough = material(friction(0.5), kinecast::relaxation(kRelaxation));
constexpr auto kSmooth = material(friction(0), kinecast::relaxation(kRelaxation));

// ---- hooks and fingers ------------------------------------------------------------------------------------------------------

inline constexpr auto block = environment(box("block", at(0, 0, -0.1), size(0.2, 0.2, 0.2), kRough));

// An L-shaped link: it turns about an axis at the left, and its tip comes down onto the middle of the block. x, z: the centre of
// mass.
constexpr auto make_hook(double x, double z) {
  return robot("hook",
               link("hook", revolute(kAxisY), at(-0.3, 0, 0.01), body(0.5, com(x, 0, z), inertia(1e-3, 1e-3, 1e-3))),
               contact_point("tip", on("hook"), at(0.3, 0, 0)));
}
inline constexpr auto hook_below = make_hook(0.3, -0.15);
inline constexpr auto hook_ahead = make_hook(0.5, -0.05);
inline constexpr auto hook_behind = make_hook(0.1, 0.1);
// The second link of a finger is bent: its centre of mass lies on the far side of the block.
inline constexpr auto finger = robot(
    "finger", link("first", revolute(kAxisY), at(-0.3, 0, 0.05), body(0.3, com(0.1, 0, 0), inertia(1e-3, 1e-3, 1e-3))),
    link("second", on("first"), revolute(kAxisY), at(0.2, 0, 0),
         body(0.2, com(0.15, 0, -0.25), inertia(5e-4, 5e-4, 5e-4))),
    contact_point("tip", on("second"), at(0.1, 0, 0)));

template <const auto& R, class S>
struct Seen {
  double energy;
  double height;
};
template <const auto& R, class S>
[[nodiscard]] Seen<R, S> look(const State<R, S>& state) {
  const auto& model = kinecast::model<R, S>;
  kinecast::Kinematics<R, S> k;
  assert_ok(kinecast::update_kinematics(model, state.q, state.dq, k));
  const auto& point = model.points[0];
  const auto& pose = k.poses[static_cast<std::size_t>(point.body)];
  const double kinetic = static_cast<double>(kinecast::kinetic_energy(model, k, state.dq));
  return {kinetic + static_cast<double>(kinecast::potential_energy(model, k)),
          static_cast<double>((pose.position + pose.rotation * point.position).z)};
}

// The tip is pressed down by a torque of each joint for half a second. No step has more energy than the one before and the work of
// the torque, up to what a step of Euler's method errs while the hook falls, and the tip stays above the block.
template <const auto& R, class S, class... Options>
void check_pressed(double press_Nm, const char* name) {
  auto& p = fresh<Predictor<R, S, Contacts<block, 2>, Options...>>();
  assert_ok(p.reset(zero_state<R, S>()));
  Command<R, S> command = nothing<R, S>();
  for (int i = 0; i < kinecast::Shape<R>::kDofs; ++i) command[i] = static_cast<S>(press_Nm);
  Seen<R, S> before = look<R, S>(p.state());
  const double start = before.energy;
  double done = 0;
  int touched = 0;
  double lowest = before.height;
  for (int i = 0; i < 500; ++i) {
    const State<R, S> from = p.state();
    assert_ok(p.step(command, static_cast<S>(kDt)));
    const Seen<R, S> now = look<R, S>(p.state());
    double work = 0;
    for (int j = 0; j < kinecast::Shape<R>::kDofs; ++j)
      work += press_Nm * static_cast<double>(p.state().q[j] - from.q[j]);
    done += work;
    // Euler's method errs in a step by (torque dt)² / 2M, here below 1e-4 J: 3 N m and 0.045 kg m², or less of both.
    TEST_ASSERT_TRUE_MESSAGE(now.energy - before.energy - work < 1e-4, name);
    TEST_ASSERT_TRUE_MESSAGE(now.energy - start - done < 1e-4, name);
    touched += p.contact_report().touching() ? 1 : 0;
    lowest = std::fmin(lowest, now.height);
    before = now;
    if (p.contact_report().touching() && std::abs(static_cast<double>(p.contact_report()[0].point_m.x)) < 0.099)
      TEST_ASSERT_TRUE_MESSAGE(static_cast<double>(p.contact_report()[0].normal.z) > 0.99, name);
  }
  TEST_ASSERT_TRUE_MESSAGE(touched > 50, name);
  TEST_ASSERT_TRUE_MESSAGE(lowest > -1e-3, name);
}
template <class S>
void check_hooks() {
  check_pressed<hook_below, S>(1, "centre of mass below");
  check_pressed<hook_ahead, S>(1, "centre of mass ahead");
  check_pressed<hook_behind, S>(1, "centre of mass behind");
}
void test_hook() {
  check_hooks<float>();
  if constexpr (measure::kInDouble) check_hooks<double>();
}
void test_finger() {
  check_pressed<finger, float>(0.3, "finger");
  if constexpr (measure::kInDouble) check_pressed<finger, double>(0.3, "finger");
}
void test_hook_event_driven() { check_pressed<hook_below, float, kinecast::EventDriven<>>(1, "event-driven"); }

// A tip that lies on the block from the start, to rounding.
void test_start_on_the_surface() {
  for (const float above : {0.0F, 1e-7F, -1e-7F, 5e-6F, -5e-6F}) {
    auto& p = fresh<Predictor<hook_below, float, Contacts<block, 2>>>();
    State<hook_below, float> start = zero_state<hook_below, float>();
    start.q[0] = std::asin((0.01F - above) / 0.3F);
    assert_ok(p.reset(start));
    for (int i = 0; i < 100; ++i) {
      assert_ok(p.step(nothing<hook_below, float>(), static_cast<float>(kDt)));
      TEST_ASSERT_FLOAT_WITHIN(1e-3F, start.q[0], p.state().q[0]);
    }
  }
}

// ---- one point that moves along three axes ----------------------------------------------------------------------------------

// The body's centre of mass lies below the point and to the side.
template <class Tip>
constexpr auto make_gantry(double gravity_z, const Tip& tip) {
  return robot("gantry", gravity(0, 0, gravity_z),
               link("x", prismatic(kAxisX), body(0.1, com(0, 0, 0), inertia(1e-4, 1e-4, 1e-4))),
               link("y", on("x"), prismatic(kAxisY), body(0.1, com(0, 0, 0), inertia(1e-4, 1e-4, 1e-4))),
               link("z", on("y"), prismatic(kAxisZ), body(0.5, com(0.1, 0.05, -0.3), inertia(1e-3, 1e-3, 1e-3))), tip);
}
constexpr double kBall = 0.02;
inline constexpr auto falling = make_gantry(-kGravity, contact_point("tip", on("z"), at(0, 0, 0)));
inline constexpr auto flying = make_gantry(0, contact_point("tip", on("z"), at(0, 0, 0)));
inline constexpr auto ball = make_gantry(0, contact_sphere("tip", on("z"), at(0, 0, 0), kinecast::radius(kBall)));

template <const auto& R, class S>
[[nodiscard]] State<R, S> moving(const Vec3<double>& place, const Vec3<double>& velocity) {
  State<R, S> s = zero_state<R, S>();
  const auto q = place.template cast<S>();
  const auto dq = velocity.template cast<S>();
  s.q << q.x, q.y, q.z;
  s.dq << dq.x, dq.y, dq.z;
  return s;
}
template <const auto& R, const auto& World, class S>
[[nodiscard]] auto& sent(const Vec3<double>& place, const Vec3<double>& velocity) {
  auto& p = fresh<Predictor<R, S, Contacts<World, 4>>>();
  assert_ok(p.reset(moving<R, S>(place, velocity)));
  return p;
}

inline constexpr auto plate = environment(box("plate", at(0, 0, -0.0005), size(0.2, 0.2, 0.001), kSmooth));

template <const auto& R, class S>
void check_plate(double radius) {
  for (int phase = 0; phase < 8; ++phase) {
    for (const double side : {-1.0, 1.0}) {
      const double face = side > 0 ? 0.0 : -0.001;
      auto& p = sent<R, plate, S>({0.01, 0.02, face + side * (radius + 0.021 + phase * 0.00125)}, {0, 0, -side * 10});
      for (int i = 0; i < 10; ++i) {
        assert_ok(p.step(nothing<R, S>(), static_cast<S>(kDt)));
        // At rest on the face that it met: relaxation leaves a hundredth of the speed, for some steps.
        TEST_ASSERT_TRUE(side * (static_cast<double>(p.state().q[2]) - face) > radius - 2e-4);
      }
      TEST_ASSERT_TRUE(std::abs(static_cast<double>(p.state().dq[2])) < 0.2);
    }
  }
}
void test_thin_plate() {
  check_plate<flying, float>(0);
  check_plate<ball, float>(kBall);
  if constexpr (measure::kInDouble) check_plate<flying, double>(0);
}

inline constexpr auto table = environment(box("table", at(0, 0, -0.1), size(0.2, 0.2, 0.2), kSmooth));

// It slides over the rim, and falls as freely as if the table were not there: g t²/2 from where it left.
template <class S>
void check_rim(double speed) {
  auto& p = sent<falling, table, S>({0.098, 0, 0}, {speed, 0, 0});
  int left = 0;
  for (int i = 0; i < 400; ++i) {
    assert_ok(p.step(nothing<falling, S>(), static_cast<S>(kDt)));
    if (static_cast<double>(p.state().q[0]) < 0.1) {
      TEST_ASSERT_TRUE(std::abs(static_cast<double>(p.state().q[2])) < 1e-4);
    } else if (static_cast<double>(p.state().q[0]) > 0.1 + speed * kDt + 1.1e-5) {
      ++left;
      TEST_ASSERT_FALSE(p.contact_report().touching());
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * speed, speed, static_cast<double>(p.state().dq[0]));
    if (left == 100) break;
  }
  TEST_ASSERT_EQUAL_INT(100, left);
  // One step of symplectic Euler more or less, and the steps within the rim.
  TEST_ASSERT_DOUBLE_WITHIN(kGravity * 0.1 * 4 * kDt, -0.5 * kGravity * 0.01, static_cast<double>(p.state().q[2]));
}
void test_over_the_rim() {
  for (const double speed : {0.01, 0.05, 1.0}) check_rim<float>(speed);
  if constexpr (measure::kInDouble) check_rim<double>(0.05);
}

// The face of the table by which a ray enters, by clipping the ray: 2 axis + (1 for the lower side). -1: none, -2: too close to an
// edge to say.
[[nodiscard]] int face_of_ray(const Vec3<double>& p, const Vec3<double>& v, double grown) {
  const double place[3] = {p.x, p.y, p.z + 0.1};
  const double speed[3] = {v.x, v.y, v.z};
  double in = -1e9;
  double second = -1e9;
  double out = 1e9;
  int face = -1;
  for (int axis = 0; axis < 3; ++axis) {
    const double reaches = (-std::copysign(0.1 + grown, speed[axis]) - place[axis]) / speed[axis];
    const double leaves = (std::copysign(0.1 + grown, speed[axis]) - place[axis]) / speed[axis];
    if (reaches > in) {
      second = in;
      in = reaches;
      face = 2 * axis + (speed[axis] > 0 ? 1 : 0);
    } else {
      second = std::fmax(second, reaches);
    }
    out = std::fmin(out, leaves);
  }
  const double size = std::sqrt(dot(v, v));
  if ((in - second) * size < 1e-3 || std::abs(out - in) * size < 1e-3) return -2;
  return in < out && in > 0 ? face : -1;
}

template <const auto& R, class S>
void check_edges(double radius, unsigned seed) {
  Random random(seed);
  int hits = 0;
  int misses = 0;
  for (int n = 0; n < 2 * kEffort + 10; ++n) {
    // Towards a place near an edge or corner, from 3 cm away.
    const Vec3<double> aim{0.1 + radius + random.within(0.01), random.within(1) > 0 ? 0.1 + random.within(0.01) : 0.0,
                           radius + random.within(0.01)};
    Vec3<double> way{random.within(1), random.within(1), random.within(1)};
    const double length = std::sqrt(dot(way, way));
    if (length < 0.2) continue;
    way = (1 / length) * way;
    const Vec3<double> from = aim - 0.03 * way;
    const double outside =
        std::fmax(std::fmax(std::abs(from.x) - 0.1, std::abs(from.y) - 0.1), std::abs(from.z + 0.1) - 0.1);
    const int expected = face_of_ray(from, way, radius);
    if (outside < radius + 1e-3 || expected == -2) continue;
    auto& p = sent<R, table, S>(from, (2.0 + std::abs(random.within(3))) * way);
    int face = -1;
    for (int i = 0; i < 200 && face < 0; ++i) {  // 0.4 m at least, more than the table is long
      assert_ok(p.step(nothing<R, S>(), static_cast<S>(kDt)));
      if (!p.contact_report().touching()) continue;
      const auto normal = p.contact_report()[0].normal.template cast<double>();
      const double entries[3] = {normal.x, normal.y, normal.z};
      for (int axis = 0; axis < 3; ++axis)
        if (std::abs(entries[axis]) > 0.99) face = 2 * axis + (entries[axis] < 0 ? 1 : 0);
    }
    TEST_ASSERT_EQUAL_INT(expected, face);
    hits += face >= 0 ? 1 : 0;
    misses += face < 0 ? 1 : 0;
  }
  TEST_ASSERT_TRUE(hits > 0 && misses > 0);
}
void test_edges_and_corners() {
  check_edges<flying, float>(0, 31);
  check_edges<ball, float>(kBall, 32);
  if constexpr (measure::kInDouble) check_edges<flying, double>(0, 33);
}

// ---- solids that move, and other shapes -------------------------------------------------------------------------------------

inline constexpr auto lift = environment(box("lift", at(0, 0, -0.1), size(0.2, 0.2, 0.02), kSmooth, kinecast::moves()));
// A lift comes up under a point at rest and carries it along, on its top.
template <class S>
void check_lift() {
  auto& p = sent<flying, lift, S>({0.03, -0.02, -0.08}, {0, 0, 0});
  assert_ok(p.move_surface(0, kinecast::SurfaceMotion<S>{{1, 0, 0, 0}, {0, 0, S(-0.1)}, {0, 0, S(3)}, {}}));
  for (int i = 0; i < 50; ++i) assert_ok(p.step(nothing<flying, S>(), static_cast<S>(kDt)));
  TEST_ASSERT_DOUBLE_WITHIN(0.01, 3, static_cast<double>(p.state().dq[2]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, -0.1 + 0.05 * 3 + 0.01, static_cast<double>(p.state().q[2]));
}
void test_moving_box() {
  check_lift<float>();
  if constexpr (measure::kInDouble) check_lift<double>();
}

// A ram carries a box against the tip of another link whose centre of mass lies within the ram: both go on together, and momentum
// is kept.
inline constexpr auto press =
    robot("press", gravity(0, 0, 0), link("ram", prismatic(kAxisX), body(1, com(0, 0, 0), inertia(1e-3, 1e-3, 1e-3))),
          link("stamp", prismatic(kAxisX), at(0.2, 0, 0), body(0.5, com(-0.15, 0, 0), inertia(1e-3, 1e-3, 1e-3))),
          contact_point("tip", on("stamp"), at(0, 0, 0)));
inline constexpr auto ram = environment(box("ram", on("ram"), size(0.2, 0.2, 0.2), kSmooth));
void test_box_on_a_link() {
  auto& p = fresh<Predictor<press, float, Contacts<ram, 2>>>();
  State<press, float> start = zero_state<press, float>();
  start.dq[0] = 3;
  assert_ok(p.reset(start));
  for (int i = 0; i < 60; ++i) assert_ok(p.step(nothing<press, float>(), static_cast<float>(kDt)));
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 3, p.state().dq[0] + 0.5F * p.state().dq[1]);
  TEST_ASSERT_FLOAT_WITHIN(0.02F, 2, p.state().dq[1]);
  TEST_ASSERT_TRUE(p.state().q[1] + 0.2F - p.state().q[0] > 0.1F - 2e-4F);
}

inline constexpr auto shapes =
    environment(kinecast::wedge("ramp", size(0.4, 0.4, 0.3), kRough),
                kinecast::prism<6>("nut", at(2, 0, 0), kinecast::radius(0.1), kinecast::height(0.2), kRough));
// The slope of the ramp, 3 : 4, is met from above; the sides of the nut from all around.
void test_wedge_and_prism() {
  auto& p = sent<flying, shapes, float>({0.2, 0.01, 0.2}, {0.5, 0, -3});
  for (int i = 0; i < 40; ++i) {
    assert_ok(p.step(nothing<flying, float>(), static_cast<float>(kDt)));
    if (!p.contact_report().touching()) continue;
    TEST_ASSERT_FLOAT_WITHIN(1e-5F, 0.8F, p.contact_report()[0].normal.z);
    TEST_ASSERT_FLOAT_WITHIN(1e-5F, -0.6F, p.contact_report()[0].normal.x);
  }
  TEST_ASSERT_TRUE(0.8F * p.state().q[2] - 0.6F * p.state().q[0] > -2e-4F);
  for (int side = 0; side < 6; ++side) {
    const double angle = kPi / 6 + side * kPi / 3;
    const Vec3<double> out{std::cos(angle), std::sin(angle), 0};
    auto& nut = sent<flying, shapes, float>(Vec3<double>{2, 0, 0.05} + 0.12 * out, -4.0 * out);
    bool touched = false;
    for (int i = 0; i < 20; ++i) {
      assert_ok(nut.step(nothing<flying, float>(), static_cast<float>(kDt)));
      if (!nut.contact_report().touching()) continue;
      touched = true;
      TEST_ASSERT_FLOAT_WITHIN(1e-4F, 1, static_cast<float>(dot(out, nut.contact_report()[0].normal.cast<double>())));
    }
    TEST_ASSERT_TRUE(touched);
  }
}

// ---- several solids ---------------------------------------------------------------------------------------------------------

// A floor of two boxes, in both orders, and a post on it that stops the point.
inline constexpr auto tiles = environment(box("second", at(0.1, 0, -0.1), size(0.2, 0.2, 0.2), kSmooth),
                                          box("first", at(-0.1, 0, -0.1), size(0.2, 0.2, 0.2), kSmooth),
                                          box("post", at(0.15, 0, 0.05), size(0.02, 0.2, 0.1), kSmooth));
template <class S>
void check_tiles(double speed) {
  auto& p = sent<falling, tiles, S>({-0.05, 0, 0}, {speed, 0, 0});
  bool stopped = false;
  for (int i = 0; i < 1000 && !stopped; ++i) {
    assert_ok(p.step(nothing<falling, S>(), static_cast<S>(kDt)));
    TEST_ASSERT_TRUE(std::abs(static_cast<double>(p.state().q[2])) < 1e-4);
    stopped = static_cast<double>(p.state().dq[0]) < 0.5 * speed;
  }
  TEST_ASSERT_TRUE(stopped);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.14, static_cast<double>(p.state().q[0]));
}
// A cube slides over the seam with all its corners.
template <class S>
void check_sledge() {
  auto& p = fresh<Predictor<robots::cube, S, Contacts<tiles, 16>>>();
  State<robots::cube, S> start = placed<robots::cube, S>({-0.06, 0, 0.05});
  start.dq[0] = S(0.5);
  assert_ok(p.reset(start));
  for (int i = 0; i < 270; ++i) {
    assert_ok(p.step(nothing<robots::cube, S>(), static_cast<S>(kDt)));
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.5, static_cast<double>(p.state().dq[0]));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.05, static_cast<double>(p.state().q[2]));
  }
}
void test_seam() {
  for (const double speed : {0.2, 1.0}) check_tiles<float>(speed);
  check_sledge<float>();
  if constexpr (measure::kInDouble) check_tiles<double>(0.5);
}

// ---- no history -------------------------------------------------------------------------------------------------------------

// Deep inside from the start: the face is that of closest(), and the point goes out there and nowhere else.
void test_deep_start() {
  Random random(34);
  const auto solid = std::get<0>(table.surfaces).solid.solid<float>();
  for (int n = 0; n < kEffort; ++n) {
    const Vec3<double> place{random.within(0.06), random.within(0.06), -0.1 + random.within(0.06)};
    auto& p = sent<flying, table, float>(place, {random.within(0.1), random.within(0.1), random.within(0.1)});
    const Vec3<float> in_box = (place + Vec3<double>{0, 0, 0.1}).cast<float>();
    const auto expected = solid.closest(in_box, in_box + Vec3<float>{0.1F, 0.05F, -0.3F}).normal;
    for (int i = 0; i < 5; ++i) {
      assert_ok(p.step(nothing<flying, float>(), static_cast<float>(kDt)));
      TEST_ASSERT_EQUAL_INT(1, p.contact_report().count);
      TEST_ASSERT_FLOAT_WITHIN(1e-6F, 1, dot(expected, p.contact_report()[0].normal));
    }
  }
}

}  // namespace

KINECAST_SUITE(solids, test_hook, test_finger, test_hook_event_driven, test_start_on_the_surface, test_thin_plate,
               test_over_the_rim, test_edges_and_corners, test_moving_box, test_box_on_a_link, test_wedge_and_prism,
               test_seam, test_deep_start)
}  // namespace unit_solids
