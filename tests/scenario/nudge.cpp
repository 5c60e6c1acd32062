// SPDX-License-Identifier: MIT
// A box on a slope that holds it, nudged across the slope with 5 and 10 mm/s, stops: friction that takes the direction of the
// slip of the last step never ends such a slide (method 16). The truth is a point mass on the same slope by implicit Euler,
// which is exact Coulomb friction in every step; the box may take twice its time. Three nudges: a settled box is measured to
// move, a settled box gets an impulse, and a box is put down at zero depth as it moves. Beside them, a box that would slide on
// once it moves (mu_k < tan < mu_s) stays as long as nothing moves it.
#include <cmath>
#include <initializer_list>
#include <string>

#include "slope.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;
using scenario::kGravity_mps2;
using scenario::kSlopeStep_s;
using scenario::Slope;

constexpr int kSlopes = 20;
// The deflection of a relaxed contact takes up its load at lambda A f dt, 1e-4 m/s along the plane and as much across it.
constexpr double kStill_mps = 3e-4;
constexpr int kStays = 50;  // steps at rest after the time that it may take

enum class Nudge { measured, impulse, put_down };
constexpr const char* name_of(Nudge nudge) {
  return nudge == Nudge::measured ? "measured" : nudge == Nudge::impulse ? "impulse" : "put down";
}

// Steps that implicit Euler of a point mass takes to stop: v+ = (v + dt g_t) max(0, 1 - mu g_n dt / |v + dt g_t|).
[[nodiscard]] int steps_of_point_mass(double angle, double mu, double speed) {
  double across = speed;
  double down = 0;
  const double brakes = mu * kGravity_mps2 * std::cos(angle) * kSlopeStep_s;
  for (int step = 1; step < 100000; ++step) {
    down += kSlopeStep_s * kGravity_mps2 * std::sin(angle);
    const double size = std::hypot(across, down);
    if (size <= brakes) return step;
    across *= 1 - brakes / size;
    down *= 1 - brakes / size;
  }
  return 100000;
}

struct Stop {
  int steps;  // the last step in which the box moved
  int truth;  // of the point mass
  [[nodiscard]] bool is_in_time() const { return steps <= 2 * truth; }
};

template <class Box>
[[nodiscard]] Stop stop_of(Box& box, const Slope& slope, double mu, double speed, Nudge nudge) {
  const Material rough = material(friction(mu));
  box.put_down(slope, rough);
  const auto velocity = (speed * box.across()).eval();
  if (nudge == Nudge::put_down)
    box.put_down(slope, rough, velocity);
  else
    box.settle();
  if (nudge == Nudge::measured) box.correct(velocity);
  Stop out{0, steps_of_point_mass(slope.angle, mu, speed)};
  for (int step = 1; step <= 2 * out.truth + kStays; ++step) {
    if (nudge == Nudge::impulse && step == 1)
      box.step(slope.mass_kg / kSlopeStep_s * velocity);
    else
      box.step();
    if (!(box.speed() <= kStill_mps)) out.steps = step;
  }
  return out;
}

// A volume is not found before it is there: a box that is put down sinks in by what it falls in a step, and comes out with
// rate k, which is no matter of friction. So volumes are nudged settled.
constexpr auto kNudgesOfPoints = {Nudge::measured, Nudge::impulse, Nudge::put_down};
constexpr auto kNudgesOfVolumes = {Nudge::measured, Nudge::impulse};

template <class Box>
void measure_stops(const char* contact, std::initializer_list<Nudge> nudges, support::Report& report) {
  static Box box;
  const char* scalar = support::scalar_name<typename Box::S>();
  for (const double over : {1.02, 1.05, 1.2}) {
    for (const Nudge nudge : nudges) {
      support::Random random(16);
      int late = 0;
      support::Maximum slowest;
      for (int i = 0; i < kSlopes; ++i) {
        const Slope slope = random_slope(random, scenario::Tilt::plane);
        for (const double speed : {5e-3, 10e-3}) {
          const Stop stop = stop_of(box, slope, over * std::tan(slope.angle), speed, nudge);
          late += stop.is_in_time() ? 0 : 1;
          slowest.see(static_cast<double>(stop.steps) / stop.truth);
        }
      }
      const std::string which = std::string(contact) + " " + std::to_string(over).substr(0, 4) + " " + name_of(nudge);
      report.add({"scenario", "nudge_late", which, scalar, static_cast<double>(late), 0, "of 40 nudges"});
      report.add({"scenario", "nudge_time", which, scalar, slowest.value(), 2, "of the point mass's"});
    }
  }
  box.steps().report(report, "nudge_warnings", contact, scalar);
}

// What moves less than this in a second is held: a box that lets go slides 0.4 tan g / 2, 0.17 m and more.
constexpr double kHeld_m = 1e-4;

template <class Box>
void measure_static(const char* contact, support::Report& report) {
  static Box box;
  const char* scalar = support::scalar_name<typename Box::S>();
  support::Random random(61);
  int gone = 0;
  for (int i = 0; i < kSlopes; ++i) {
    const Slope slope = random_slope(random, scenario::Tilt::plane);
    const double tan = std::tan(slope.angle);
    box.put_down(slope, material(friction(1.05 * tan, 0.6 * tan)));
    box.settle();
    const auto start = box.place();
    for (int ms = 0; ms < 1000; ++ms) box.step();
    gone += (box.place() - start).norm() <= kHeld_m ? 0 : 1;
  }
  report.add({"scenario", "nudge_static_gone", contact, scalar, static_cast<double>(gone), 0, "of 20 boxes"});
  // Below tan the same box goes: the test sees what it looks for.
  Slope slope;
  slope.angle = 0.4;
  box.put_down(slope, material(friction(0.95 * std::tan(slope.angle), 0.6 * std::tan(slope.angle))));
  box.settle();
  const auto start = box.place();
  for (int ms = 0; ms < 1000; ++ms) box.step();
  report.expect((box.place() - start).norm() > 0.1, std::string(contact) + ": with mu_s below tan the box slides");
}

template <class S>
void measure_all(support::Report& report) {
  measure_stops<scenario::PointsOnSlope<S>>("points", kNudgesOfPoints, report);
  measure_static<scenario::PointsOnSlope<S>>("points", report);
  measure_stops<scenario::VolumeOnSlope<S>>("volume", kNudgesOfVolumes, report);
  measure_static<scenario::VolumeOnSlope<S>>("volume", report);
}

void measure(support::Report& report) {
  measure_all<float>(report);
  measure_all<double>(report);
}

}  // namespace

const support::Program support::program{"nudge", measure};
