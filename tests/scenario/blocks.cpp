// SPDX-License-Identifier: MIT
// Boxes whose motion is known: a sliding one stops after v²/2 mu g; a slope holds or does not, on either side of the friction
// angle and in whatever direction it falls; aligned boxes of equal width stand on each other; a belt takes a box along, a lift
// carries it; and on a membrane (fused contact, method 4) a box holds half its weight sideways, slides, and stops.
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "robots/boxes.hpp"
#include "support/program.hpp"
#include "support/require.hpp"

namespace {

using namespace kinecast;
using robots::cube;
using support::require;

constexpr double kGravity = 9.80665;
constexpr double kSide_m = 0.1;
constexpr double kStatic = 0.5;
constexpr double kKinetic = 0.3;

constexpr Material kWood = material(friction(kStatic, kKinetic), compensation(200), relaxation(1e-2));

inline constexpr auto slope = environment(half_space("slope", kWood));
inline constexpr auto belt = environment(half_space("belt", kWood, conveyor(0.3, 0, 0)));
inline constexpr auto lift = environment(half_space("lift", kWood, moves()));

// The quaternion in q of a turn about x (0), y (1) or z (2).
template <class Q>
void turn(Q& q, int axis, double angle) {
  using S = typename Q::Scalar;
  q[3] = static_cast<S>(std::cos(angle / 2));
  q[4 + axis] = static_cast<S>(std::sin(angle / 2));
}

// ---- slopes ---------------------------------------------------------------------------------------------------------

struct Slide {
  double went_m;             // along the fall line (0 degrees: along x)
  double acceleration_mps2;  // mean of the last half
};

// The cube on a plane turned about x or y for `time_s`.
template <class S>
Slide slide(int axis, double angle, double speed, double time_s, support::Figure& figure, const std::string& panel,
            const std::string& title) {
  static Predictor<cube, S, Contacts<slope, 8>> predictor;
  static Scene<cube, slope, S> scene;
  auto world = slope;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  std::get<0>(world.surfaces).rotation =
      axis == 0 ? Mat3<double>{{1, 0, 0}, {0, c, -s}, {0, s, c}} : Mat3<double>{{c, 0, s}, {0, 1, 0}, {-s, 0, c}};
  require(build_scene<cube, slope, S>(cube, world, scene), "build_scene");
  predictor.set_scene(scene);
  State<cube, S> start = zero_state<cube, S>();
  turn(start.q, axis, angle);
  // Half a side along the plane's normal.
  const double normal[3] = {axis == 0 ? 0 : s, axis == 0 ? -s : 0, c};
  for (int i = 0; i < 3; ++i) start.q[i] = static_cast<S>(0.5 * kSide_m * normal[i]);
  start.dq[0] = static_cast<S>(speed);
  require(predictor.reset(start), "reset");
  // Down the fall line: about +x the plane falls to -y, about +y to +x.
  const double down[3] = {axis == 0 ? 0 : c, axis == 0 ? -c : 0, -s};
  double went = 0;
  double speed_at_half = 0;
  double speed_now = 0;
  const int steps = static_cast<int>(1000 * time_s);
  for (int ms = 1; ms <= steps; ++ms) {
    require(predictor.step(Command<cube, S>::Zero(), S(1e-3)), "step");
    went = 0;
    speed_now = 0;
    for (int i = 0; i < 3; ++i) speed_now += static_cast<double>(predictor.state().dq[i]) * down[i];
    if (ms == steps / 2) speed_at_half = speed_now;
    for (int i = 0; i < 3; ++i)
      went += (static_cast<double>(predictor.state().q[i]) - static_cast<double>(start.q[i])) * down[i];
    figure.curve(panel, title).add(1e-3 * ms, 1e3 * went);
  }
  return {went, (speed_now - speed_at_half) / (0.5 * time_s)};
}

template <class S>
void measure_slopes(support::Report& report, support::Figure& figure) {
  const char* scalar = support::scalar_name<S>();
  // First order in dt: half a step of the starting speed.
  const double stops_m = 1 / (2 * kKinetic * kGravity);
  const double went = slide<S>(1, 0, 1, 1, figure, "sliding block, mm", scalar).went_m;
  report.add({"scenario", "block_stops", "v2/2mug", scalar, std::abs(went - stops_m), 1e-3, "m"});
  const double friction_angle = std::atan(kStatic);
  const double degree = constant::kPi / 180;
  for (int axis = 0; axis < 2; ++axis) {
    const std::string about = axis == 0 ? "about x" : "about y";
    const std::string name = axis == 0 ? "x" : "y";
    const double below = friction_angle - 1 * degree;
    const double above = friction_angle + 1 * degree;
    // Held: what is left is the deflection of the contact when the load comes on, lambda-times-impulse deep (method 2.3).
    const double held =
        slide<S>(axis, below, 0, 1, figure, "slope, mm", about + ", 1 deg below (" + scalar + ")").went_m;
    report.add({"scenario", "slope_below", name, scalar, std::abs(held), 1e-4, "m"});
    const Slide slid = slide<S>(axis, above, 0, 1, figure, "slope, mm", about + ", 1 deg above (" + scalar + ")");
    // It lets go when the reference has taken up the load, some 1/k = 5 ms late: the acceleration is compared, which
    // steady sliding repeats in every step.
    const double expected = kGravity * (std::sin(above) - kKinetic * std::cos(above));
    report.add(
        {"scenario", "slope_above", name, scalar, std::abs(slid.acceleration_mps2 / expected - 1), 1e-3, "relative"});
  }
}

// ---- stack ----------------------------------------------------------------------------------------------------------

constexpr auto make_stack() {
  constexpr double kMass = 0.5;
  constexpr double kMoment = kMass * kSide_m * kSide_m / 6;
  const auto solid = body(kMass, com(0, 0, 0), inertia(kMoment, kMoment, kMoment));
  return robot("stack", link("low", floating(), solid), link("middle", floating(), solid),
               link("high", floating(), solid), contact_box(on("low"), size(kSide_m, kSide_m, kSide_m)),
               contact_box(on("middle"), size(kSide_m, kSide_m, kSide_m)),
               contact_box(on("high"), size(kSide_m, kSide_m, kSide_m)));
}
inline constexpr auto stack = make_stack();
inline constexpr auto pile =
    environment(half_space("ground", kWood), box("low box", on("low"), size(kSide_m, kSide_m, kSide_m), kWood),
                box("middle box", on("middle"), size(kSide_m, kSide_m, kSide_m), kWood),
                box("high box", on("high"), size(kSide_m, kSide_m, kSide_m), kWood));

template <class S>
void measure_stack(support::Report& report, support::Figure& figure) {
  static Predictor<stack, S, Contacts<pile, 24>> predictor;
  const char* scalar = support::scalar_name<S>();
  State<stack, S> start = zero_state<stack, S>();
  for (int i = 0; i < 3; ++i) start.q[7 * i + 2] = static_cast<S>((0.5 + i) * kSide_m + 1e-3 * (i + 1));
  require(predictor.reset(start), "reset");
  double lowest_N = 0;
  bool dropped = false;
  for (int ms = 1; ms <= 3000; ++ms) {
    const Status status = predictor.step(Command<stack, S>::Zero(), S(1e-3));
    require(status, "stack");
    dropped = dropped || status == Status::contacts_dropped;
    for (int i = 0; i < 3 && ms <= 1000; ++i)
      figure.curve("stack: height, mm", std::string(stack.link(i).name))
          .add(1e-3 * ms, 1e3 * static_cast<double>(predictor.state().q[7 * i + 2]));
    lowest_N = 0;
    const auto& contacts = predictor.contact_report();
    for (int i = 0; i < contacts.count; ++i)
      if (contacts[i].pair.surface == 0) lowest_N += static_cast<double>(contacts[i].normal_N);
  }
  double off_m = 0;
  double sunk_m = 0;
  for (int i = 0; i < 3; ++i) {
    const auto& q = predictor.state().q;
    off_m = std::max(off_m, std::hypot(static_cast<double>(q[7 * i]), static_cast<double>(q[7 * i + 1])));
    sunk_m = std::max(sunk_m, std::abs(static_cast<double>(q[7 * i + 2]) - (0.5 + i) * kSide_m));
  }
  // They fell straight, 1 mm each: nothing may push them aside by more than float knows their places; depth as in rest.
  report.add({"scenario", "stack_aside", "aligned", scalar, off_m, 1e-4, "m"});
  report.add({"scenario", "stack_sunk", "aligned", scalar, sunk_m, 1e-4, "m"});
  report.add(
      {"scenario", "stack_weight", "aligned", scalar, std::abs(lowest_N / (1.5 * kGravity) - 1), 1e-3, "relative"});
  report.expect(!dropped, "the stack's contacts fit");
}

// ---- moving supports ------------------------------------------------------------------------------------------------

template <class S>
void measure_belt(support::Report& report, support::Figure& figure) {
  static Predictor<cube, S, Contacts<belt, 8>> predictor;
  const char* scalar = support::scalar_name<S>();
  State<cube, S> start = zero_state<cube, S>();
  start.q[2] = static_cast<S>(0.5 * kSide_m);
  require(predictor.reset(start), "reset");
  for (int ms = 1; ms <= 1000; ++ms) {
    require(predictor.step(Command<cube, S>::Zero(), S(1e-3)), "step");
    figure.curve("on a belt, mm/s", scalar).add(1e-3 * ms, 1e3 * static_cast<double>(predictor.state().dq[0]));
  }
  // It slips until mu_k g t = 0.3 m/s: then it has lost v²/2 mu g on the belt. Euler errs by half a step of the belt's speed.
  const double expected = 0.3 * 1 - 0.3 * 0.3 / (2 * kKinetic * kGravity);
  report.add({"scenario", "belt_place", "after 1 s", scalar,
              std::abs(static_cast<double>(predictor.state().q[0]) - expected), 1e-3, "m"});
  report.add({"scenario", "belt_speed", "after 1 s", scalar,
              std::abs(static_cast<double>(predictor.state().dq[0]) - 0.3), 1e-4, "m/s"});
}

// A lift that goes up and down by 50 mm twice a second, less than gravity pulls: 0.05 (2 pi 2)² = 7.9 m/s².
template <class S>
void measure_lift(support::Report& report, support::Figure& figure) {
  static Predictor<cube, S, Contacts<lift, 8>> predictor;
  const char* scalar = support::scalar_name<S>();
  State<cube, S> start = zero_state<cube, S>();
  start.q[2] = static_cast<S>(0.5 * kSide_m);
  require(predictor.reset(start), "reset");
  double lift_m = 0;
  double largest_m = 0;
  double force_error = 0;
  for (int ms = 1; ms <= 1000; ++ms) {
    const double w = 4 * constant::kPi;
    const double t = 1e-3 * ms;
    const double speed = 0.05 * w * std::sin(w * t);
    SurfaceMotion<S> motion{};
    motion.position.z = static_cast<S>(lift_m);
    motion.linear.z = static_cast<S>(speed);
    require(predictor.move_surface(0, motion), "move_surface");
    require(predictor.step(Command<cube, S>::Zero(), S(1e-3)), "step");
    lift_m += 1e-3 * speed;
    const double height = static_cast<double>(predictor.state().q[2]) - 0.5 * kSide_m;
    largest_m = std::max(largest_m, std::abs(height - lift_m));
    double sum_N = 0;
    const auto& contacts = predictor.contact_report();
    for (int i = 0; i < contacts.count; ++i) sum_N += static_cast<double>(contacts[i].normal_N);
    const double expected_N = 0.5 * (kGravity + 0.05 * w * w * std::cos(w * (t - 5e-4)));
    if (ms > 100) force_error = std::max(force_error, std::abs(sum_N - expected_N));
    figure.curve("lift: height, mm", "lift").add(t, 1e3 * lift_m);
    figure.curve("lift: height, mm", std::string("box, ") + scalar).add(t, 1e3 * height);
    figure.curve("lift: force, N", scalar).add(t, sum_N);
  }
  // The contact follows by its depth, lambda times the impulse over k (method 2.3); m (g + a) within a hundredth of the weight.
  report.add({"scenario", "lift_follows", "50mm_2Hz", scalar, largest_m, 1e-4, "m"});
  report.add({"scenario", "lift_force", "50mm_2Hz", scalar, force_error, 0.05, "N"});
}

// ---- membrane -------------------------------------------------------------------------------------------------------

constexpr double kSlabMass = 2.5;  // 0.625 kg per corner, as in method 4
inline constexpr auto slab = robots::make_box(kSlabMass, 0.2, 0.2, 0.05);
inline constexpr auto membrane_floor =
    environment(half_space("floor", material(friction(1.0, 0.4), compensation(100), relaxation(1e-2), spring(5512),
                                             damper(158), membrane(0.5e-3))));

struct Pushed {
  double went_m, creep_mps;
};
// Settles for half a second, then is pushed at its centre with `load` of its weight, or started with a speed.
template <class S>
Pushed push(double load, double speed, double time_s, support::Figure& figure, const std::string& title) {
  static Predictor<slab, S, Contacts<membrane_floor, 8, Fused<>>> predictor;
  State<slab, S> start = zero_state<slab, S>();
  start.q[2] = S(0.025);
  require(predictor.reset(start), "reset");
  for (int ms = 0; ms < 500; ++ms) require(predictor.step(Command<slab, S>::Zero(), S(1e-3)), "step");
  State<slab, S> settled = predictor.state();
  settled.dq[0] = static_cast<S>(speed);
  require(predictor.correct(settled), "correct");
  Velocity<slab, S> pushing = Velocity<slab, S>::Zero();
  pushing[0] = static_cast<S>(load * kSlabMass * kGravity);
  double before_end = 0;
  double went = 0;
  const int steps = static_cast<int>(1000 * time_s);
  for (int ms = 1; ms <= steps; ++ms) {
    require(predictor.step(Command<slab, S>::Zero(), pushing, S(1e-3)), "step");
    went = static_cast<double>(predictor.state().q[0]) - static_cast<double>(settled.q[0]);
    if (ms == steps - 500) before_end = went;
    figure.curve("on a membrane, mm", title).add(1e-3 * ms, std::min(1e3 * went, 200.0));
  }
  return {went, (went - before_end) / 0.5};
}

template <class S>
void measure_membrane(support::Report& report, support::Figure& figure) {
  const char* scalar = support::scalar_name<S>();
  const std::string of = std::string(" (") + scalar + ")";
  // Method 4, FIX 24: holds, with a deflection of some 1e-5 m; method 15 asks for less than 3e-6 m/s of creep.
  const Pushed held = push<S>(0.5, 0, 1.2, figure, "half its weight" + of);
  report.add({"scenario", "membrane_creep", "half_weight", scalar, std::abs(held.creep_mps), 3e-6, "m/s"});
  report.add({"scenario", "membrane_deflection", "half_weight", scalar, std::abs(held.went_m), 1e-4, "m"});
  const Pushed slides = push<S>(1.2, 0, 1, figure, "1.2 of its weight" + of);
  // Slides with mu_k: 0.8 g; Euler's half step and the breakaway as on the slope.
  report.add({"scenario", "membrane_slides", "1.2_weight", scalar, std::abs(slides.went_m / (0.4 * kGravity) - 1), 5e-3,
              "relative"});
  const Pushed stops = push<S>(0, 1, 1, figure, "from 1 m/s" + of);
  report.add(
      {"scenario", "membrane_stops", "v2/2mug", scalar, std::abs(stops.went_m - 1 / (0.8 * kGravity)), 1e-3, "m"});
}

void measure(support::Report& report, support::Figure& figure) {
  support::Figure unseen("");  // looks the same
  measure_slopes<float>(report, figure);
  measure_slopes<double>(report, unseen);
  measure_stack<float>(report, figure);
  measure_belt<float>(report, figure);
  measure_lift<float>(report, figure);
  measure_membrane<float>(report, figure);
  measure_membrane<double>(report, unseen);
}

}  // namespace

const support::Program support::program{"blocks", measure};
