// SPDX-License-Identifier: MIT
// Friction in motion, against the formulas of any textbook: blocks that slide, stop, hold and break away on slopes of any heading,
// belts, lifts and turntables that carry them, balls that roll.
#include "contact_scenes.hpp"
#include "unity_main.hpp"

namespace unit_contact_sliding {
namespace {

using namespace touching;
using kinecast::SurfaceMotion;
using kinecast::Vec3;
using robots::cube;

constexpr double kDt = 1e-3;
constexpr double kHalf = 0.05;  // of the cube, and the ball's radius
constexpr double kMass = 0.5;

// 0: what all tests place as they need it. 1: moves, far below. 2: its skin runs.
inline constexpr auto yard = kinecast::environment(
    kinecast::half_space("slope"),
    kinecast::half_space("lift", kinecast::at(0, 0, -3), kinecast::material(kinecast::friction(0.5)),
                         kinecast::moves()),
    kinecast::box("belt", kinecast::at(0, 3, 0.2), kinecast::size(4, 1, 0.4),
                  kinecast::material(kinecast::friction(0.5, 0.4)), kinecast::conveyor(0.3, 0, 0)));
inline constexpr auto ball = kinecast::robot(
    "ball",
    kinecast::link("ball", kinecast::floating(),
                   kinecast::body(kMass, kinecast::com(0, 0, 0), kinecast::inertia(5e-4, 5e-4, 5e-4))),  // 2/5 m r²
    kinecast::contact_sphere("skin", kinecast::on("ball"), kinecast::radius(kHalf)));

// A slope that rises against `heading`: downhill is (cos heading, sin heading) in the plane, whatever its own axes are (yaw).
struct Slope {
  double angle;
  double heading;
  double yaw{0};
  [[nodiscard]] kinecast::Mat3<double> rotation() const {
    const auto about_z = [](double a) { return kinecast::rotation_from_rpy(0, 0, a); };
    return about_z(heading) * kinecast::rotation_from_rpy(0, angle, 0) * about_z(yaw - heading);
  }
  // Downhill, horizontal, normal.
  [[nodiscard]] kinecast::Mat3<double> directions() const {
    return kinecast::rotation_from_rpy(0, 0, heading) * kinecast::rotation_from_rpy(0, angle, 0);
  }
};

template <const auto& R, class S>
struct Run {
  Predictor<R, S, Contacts<yard, 8>> p;
  kinecast::Scene<R, yard, S> scene;
  double down[3];
  double normal[3];

  // Starts `height` above the slope, with this speed downhill and across.
  void start(const Slope& slope, const kinecast::Material& material, double smoothing, double downhill = 0,
             double across = 0) {
    Values<yard> values = yard;
    auto& surface = std::get<0>(values.surfaces);
    surface.rotation = slope.rotation();
    surface.position_m = {0.3, -0.2, 0.1};
    surface.materials.fill(material);
    for (auto& each : surface.materials) each.relaxation = 1e-3;
    scene = built_scene<R, yard, S>(values);
    p.set_scene(scene);
    assert_ok(p.set_contact_parameters({static_cast<S>(smoothing), S(1e-3), S(1)}));
    const kinecast::Mat3<double> d = slope.directions();
    const Vec3<double> x{d.row_x.x, d.row_y.x, d.row_z.x};
    const Vec3<double> y{d.row_x.y, d.row_y.y, d.row_z.y};
    const Vec3<double> n{d.row_x.z, d.row_y.z, d.row_z.z};
    down[0] = x.x, down[1] = x.y, down[2] = x.z;
    normal[0] = n.x, normal[1] = n.y, normal[2] = n.z;
    State<R, S> state = zero_state<R, S>();
    const Vec3<double> center = surface.position_m + kHalf * n;
    const Vec3<double> velocity = downhill * x + across * y;
    const double p3[3] = {center.x, center.y, center.z};
    const double v3[3] = {velocity.x, velocity.y, velocity.z};
    const kinecast::Quaternion<double> turn = kinecast::to_quaternion(d);
    const double q4[4] = {turn.w, turn.x, turn.y, turn.z};
    for (int i = 0; i < 3; ++i) state.q[i] = static_cast<S>(p3[i]), state.dq[i] = static_cast<S>(v3[i]);
    for (int i = 0; i < 4; ++i) state.q[3 + i] = static_cast<S>(q4[i]);
    assert_ok(p.reset(state));
  }
  void go(double seconds) {
    for (int i = 0; i < static_cast<int>(seconds / kDt + 0.5); ++i) step();
  }
  void step() { assert_ok(p.step(nothing<R, S>(), static_cast<S>(kDt))); }
  [[nodiscard]] double speed_along(const double (&axis)[3]) const {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += axis[i] * static_cast<double>(p.state().dq[i]);
    return sum;
  }
  [[nodiscard]] double distance_from(const State<R, S>& other) const {
    double square = 0;
    for (int i = 0; i < 3; ++i) {
      const double d = static_cast<double>(p.state().q[i]) - static_cast<double>(other.q[i]);
      square += d * d;
    }
    return std::sqrt(square);
  }
};
template <class S>
[[nodiscard]] Run<cube, S>& block() {
  static Run<cube, S> one;
  return one;
}

constexpr double kDegree = kPi / 180;

// ---- sliding --------------------------------------------------------------------------------------------------------------

// v²/(2 mu g), less v dt / 2 of symplectic Euler, and more where friction fades with k_omega: the integral of
// v / (mu g (exp(k v) - 1)) is pi² / (6 k² mu g), 0.06 mm. What is left: the last step of a slide, v = mu g dt, dt times that.
template <class S>
void check_stop(double direction, double smoothing) {
  Run<cube, S>& run = block<S>();
  run.start({0, 0, 0.7}, kinecast::material(kinecast::friction(0.5, 0.3)), smoothing, std::cos(direction),
            std::sin(direction));
  const State<cube, S> start = run.p.state();
  run.go(0.4);
  const State<cube, S> stopped = run.p.state();
  const double mu_g = 0.3 * kGravity;
  const double fading = smoothing > 0 ? kPi * kPi / (6 * smoothing * smoothing * mu_g) : 0;
  TEST_ASSERT_DOUBLE_WITHIN(3e-5, 1 / (2 * mu_g) - kDt / 2 + fading, run.distance_from(start));
  // Straight on.
  const double x = static_cast<double>(stopped.q[0]) - static_cast<double>(start.q[0]);
  const double y = static_cast<double>(stopped.q[1]) - static_cast<double>(start.q[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, x * std::sin(direction) - y * std::cos(direction));
  // And still: a fifth of a second later it is where it was, to the rounding of its coordinates, or to what is left of the
  // last step's way after 0.05 s, worked off at 200 / s.
  run.go(0.2);
  TEST_ASSERT_DOUBLE_WITHIN(std::fmax(4 * kEps<S>, 1e-9), 0, run.distance_from(stopped));
}
void test_sliding_block_stops() {
  for (const double direction : {0.0, kPi / 2, 2.5}) check_stop<float>(direction, 100);
  check_stop<float>(0.3, 0);
  if constexpr (measure::kInDouble) check_stop<double>(0.3, 100);
}

// On both sides of the friction angle, 26.57 degrees for 0.5: turned about y, about x and about a line between, with the slope's
// own axes turned in its plane as well.
void check_friction_angle(const kinecast::Material& material, double smoothing) {
  Run<cube, float>& run = block<float>();
  for (const Slope& slope : {Slope{26 * kDegree, 0}, Slope{26 * kDegree, kPi / 2}, Slope{26 * kDegree, -2, 1}}) {
    run.start(slope, material, smoothing);
    run.go(0.05);  // settles
    const State<cube, float> settled = run.p.state();
    run.go(0.2);
    TEST_ASSERT_DOUBLE_WITHIN(8 * kEps<float>, 0, run.distance_from(settled));
    // All of gravity is carried.
    const Vec3<double> force = total_force(run.p.contact_report());
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, kMass * kGravity, force.z);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, force.x);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, force.y);
    // A degree more breaks away; from then on it is kinetic friction.
    Slope steeper = slope;
    steeper.angle = 27.5 * kDegree;
    run.start(steeper, material, 0);
    run.go(0.2);
    // Static friction acts up to slip_mps, 1 mm/s, and a step more or less.
    const auto acceleration = [&](double mu) {
      return kGravity * (std::sin(steeper.angle) - mu * std::cos(steeper.angle));
    };
    const double at_first = acceleration(material.static_friction);
    const double then = acceleration(material.kinetic_friction);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4 + (then - at_first) * kDt, 1e-3 + then * (0.2 - 1e-3 / at_first),
                              run.speed_along(run.down));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, run.speed_along(run.normal));
  }
}
void test_friction_angle() { check_friction_angle(kinecast::material(kinecast::friction(0.5)), 0); }
void test_friction_angle_as_friction_fades() { check_friction_angle(kinecast::material(kinecast::friction(0.5)), 100); }
void test_static_friction_angle() { check_friction_angle(kinecast::material(kinecast::friction(0.5, 0.3)), 100); }

// A settled cube that is pushed at its foot with 2.2 N of the 2.45 N that friction can hold does not creep (method 15).
void test_pushed_block_holds() {
  Run<cube, float>& run = block<float>();
  for (const double yaw : {0.0, 0.3}) {
    run.start({0, yaw}, kinecast::material(kinecast::friction(0.5)), 100);
    State<cube, float> far = run.p.state();
    far.q[0] += 1;
    assert_ok(run.p.reset(far));
    run.go(0.05);
    Command<cube, float> push = nothing<cube, float>();
    push[0] = 2.2F, push[4] = -2.2F * 0.05F;
    State<cube, float> settled{};
    for (int i = 0; i < 250; ++i) {
      assert_ok(run.p.step(nothing<cube, float>(), push, static_cast<float>(kDt)));
      if (i == 50) settled = run.p.state();
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.2 * 3e-6, 0, run.distance_from(settled));
  }
}

// 45 degrees, mu 0.8: 0.28 m/s after 0.2 s, whatever the heading (method 15: axes that are no unit vectors give 0.63). Where
// friction fades in, v' = g s (1 - mu) + g s mu exp(-k v), s = sin 45: v = ln(5 exp(100 * 1.387 t) - 4) / 100.
template <class S>
void check_steep(const Slope& slope) {
  Run<cube, S>& run = block<S>();
  const double a = kGravity * std::sin(kPi / 4) * 0.2;
  run.start(slope, kinecast::material(kinecast::friction(0.8)), 0);
  run.go(0.2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, a * 0.2,
                            run.speed_along(run.down));  // sinking by 0.1 µm takes 0.1 mm/s of the friction
  run.start(slope, kinecast::material(kinecast::friction(0.8)), 100);
  run.go(0.2);
  TEST_ASSERT_DOUBLE_WITHIN(5e-3, a * 0.2 + std::log(5.0) / 100,
                            run.speed_along(run.down));  // breaks away at full friction
}
void test_steep_slope() {
  for (const double heading : {0.0, kPi / 2, kPi, 0.8}) check_steep<float>({kPi / 4, heading, 0.5});
  if constexpr (measure::kInDouble) check_steep<double>({kPi / 4, 2, -1});
}

// mu = 0: g sin, no tangential force, no pull.
void test_no_friction_on_a_slope() {
  Run<cube, float>& run = block<float>();
  run.start({60 * kDegree, 1}, kinecast::material(kinecast::friction(0)), 100);
  for (int i = 0; i < 200; ++i) {
    run.step();
    for (int c = 0; c < run.p.contact_report().count; ++c) {
      TEST_ASSERT_FLOAT_WITHIN(0, 0, run.p.contact_report()[c].tangential_N);
      TEST_ASSERT_TRUE(run.p.contact_report()[c].normal_N >= 0);
    }
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, kGravity * std::sin(60 * kDegree) * 0.2, run.speed_along(run.down));
}

// ---- moving surfaces ------------------------------------------------------------------------------------------------------

// Put on the belt at rest, it is accelerated with mu_k g = 3.9 m/s² until it has the belt's 0.3 m/s, and stays there.
void test_belt() {
  Run<cube, float>& run = block<float>();
  run.start({0, 0}, kinecast::material(), 0);
  assert_ok(run.p.reset(placed<cube, float>({0, 3, 0.45})));
  run.go(0.05);
  TEST_ASSERT_FLOAT_WITHIN(2e-3F, static_cast<float>(0.4 * kGravity * 0.05), run.p.state().dq[0]);
  run.go(0.15);
  const float there = run.p.state().q[0];
  run.go(0.3);
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 0.3F, run.p.state().dq[0]);
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 0.09F, run.p.state().q[0] - there);
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 3, run.p.state().q[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, 0, total_force(run.p.contact_report()).x);
}

[[nodiscard]] SurfaceMotion<float> moving(const Vec3<float>& linear, const Vec3<float>& angular) {
  return {{1, 0, 0, 0}, {0, 0, -3}, linear, angular};
}
// Down on the lift at (0.2, 0, -3).
void start_on_lift(const SurfaceMotion<float>& motion) {
  Run<cube, float>& run = block<float>();
  run.start({0, 0}, kinecast::material(), 0);
  std::get<0>(run.scene.surfaces).placement.position.z = -9;  // the ground makes room
  State<cube, float> state = placed<cube, float>({0.2, 0, -3 + kHalf});
  const Vec3<float> v = motion.linear + cross(motion.angular, Vec3<float>{0.2F, 0, 0});
  state.dq << v.x, v.y, v.z, motion.angular.x, motion.angular.y, motion.angular.z;
  assert_ok(run.p.reset(state));
  assert_ok(run.p.move_surface(1, motion));
}

void test_lift() {
  Run<cube, float>& run = block<float>();
  for (const float up : {0.4F, -0.4F}) {
    start_on_lift(moving({0.3F, -0.1F, up}, {0, 0, 0}));
    run.go(0.25);
    const State<cube, float>& s = run.p.state();
    TEST_ASSERT_FLOAT_WITHIN(1e-5F, 0.2F + 0.075F, s.q[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5F, -0.025F, s.q[1]);
    TEST_ASSERT_FLOAT_WITHIN(3e-5F, -3 + 0.05F + 0.25F * up, s.q[2]);  // 250 roundings at 3 m
    TEST_ASSERT_DOUBLE_WITHIN(1e-2, kMass * kGravity, total_force(run.p.contact_report()).z);
  }
  // From rest: the lift starts upwards under it, and takes it along at once.
  start_on_lift(moving({0, 0, 0}, {0, 0, 0}));
  run.go(0.05);
  SurfaceMotion<float> now = moving({0, 0, 0.2F}, {0, 0, 0});
  assert_ok(run.p.move_surface(1, now));
  run.go(0.1);
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, 0.2F, run.p.state().dq[2]);
}

// Two radians per second at 0.2 m: friction of m w² r = 0.4 N inwards holds it, of 2.45 N. It turns with the table; w² r dt / k
// further out, for the step's end is on the tangent: 4 µm.
void test_turntable() {
  Run<cube, float>& run = block<float>();
  start_on_lift(moving({0, 0, 0}, {0, 0, 2}));
  run.go(0.5);
  const State<cube, float>& s = run.p.state();
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.2 * std::cos(1.0), static_cast<double>(s.q[0]));  // half a step of 0.4 mm
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.2 * std::sin(1.0), static_cast<double>(s.q[1]));
  const double radius = std::hypot(static_cast<double>(s.q[0]), static_cast<double>(s.q[1]));
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0.2, radius);
  TEST_ASSERT_DOUBLE_WITHIN(2e-3, std::sin(0.5), static_cast<double>(s.q[6]));  // quaternion: about z by 1 rad
  const Vec3<double> force = total_force(run.p.contact_report());
  TEST_ASSERT_DOUBLE_WITHIN(0.02, kMass * 4 * 0.2, std::hypot(force.x, force.y));
  TEST_ASSERT_TRUE(force.x * static_cast<double>(s.q[0]) + force.y * static_cast<double>(s.q[1]) < 0);
  // Too fast for mu g: 6² 0.2 = 7.2 > 4.9 m/s². It leaves outwards.
  start_on_lift(moving({0, 0, 0}, {0, 0, 6}));
  run.go(0.3);
  TEST_ASSERT_TRUE(std::hypot(static_cast<double>(s.q[0]), static_cast<double>(s.q[1])) > 0.25);
}

// ---- balls ----------------------------------------------------------------------------------------------------------------

// 5/7 g sin without slip; and a ball that is thrown flat, sliding, rolls in the end with 5/7 of its speed.
template <class S>
void check_ball() {
  static Run<ball, S> run;
  const auto material = kinecast::material(kinecast::friction(0.5, 0.4));
  for (const Slope& slope : {Slope{20 * kDegree, 0}, Slope{20 * kDegree, 2, 1}}) {
    run.start(slope, material, 0);
    run.go(0.3);
    const double v = 5.0 / 7 * kGravity * std::sin(20 * kDegree) * 0.3;
    TEST_ASSERT_DOUBLE_WITHIN(3e-3 * v, v, run.speed_along(run.down));  // the relaxation, 1e-3 of every step's impulse
    // Turning as it rolls: v = w x r n.
    const auto& dq = run.p.state().dq;
    const Vec3<double> w{static_cast<double>(dq[3]), static_cast<double>(dq[4]), static_cast<double>(dq[5])};
    const Vec3<double> rolling = kHalf * cross(w, Vec3<double>{run.normal[0], run.normal[1], run.normal[2]});
    TEST_ASSERT_DOUBLE_WITHIN(3e-3 * v, v, dot(rolling, Vec3<double>{run.down[0], run.down[1], run.down[2]}));
  }
  run.start({0, 0}, material, 0, 1);
  run.go(0.2);  // slides for 2/7 v / (mu_k g) = 0.073 s
  TEST_ASSERT_DOUBLE_WITHIN(3e-3, 5.0 / 7, static_cast<double>(run.p.state().dq[0]));
  TEST_ASSERT_DOUBLE_WITHIN(0.05, 5.0 / 7 / kHalf, static_cast<double>(run.p.state().dq[4]));

  run.start({0, 0}, material, 0);
  const State<ball, S> start = run.p.state();
  run.go(0.5);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, run.distance_from(start));
}
void test_ball() { check_ball<float>(); }

}  // namespace

KINECAST_SUITE(contact_sliding, test_sliding_block_stops, test_friction_angle, test_friction_angle_as_friction_fades,
               test_static_friction_angle, test_pushed_block_holds, test_steep_slope, test_no_friction_on_a_slope,
               test_belt, test_lift, test_turntable, test_ball)

}  // namespace unit_contact_sliding
