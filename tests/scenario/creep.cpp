// SPDX-License-Identifier: MIT
// A settled box on a slope that holds it does not creep: 60 s at 1 ms, friction 1 to 20 % above what holds. Gravity is tilted
// instead of the plane, so that the box stays beside the world's origin and float resolves 1e-12 m. Two figures that rounding
// can neither hide nor fake: the places averaged over the first and the last second, and the sum of all velocities in double,
// which has what a place could not take up.
#include <algorithm>
#include <cmath>
#include <string>

#include "slope.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;

constexpr double kBound_mps = 0.05e-6;
constexpr int kSeconds = 60;
constexpr int kWindow = 1000;  // steps of a second

struct Creep {
  double by_place_mps, by_velocity_mps;
};

template <class Box>
[[nodiscard]] Creep creep_of(Box& box, const scenario::Slope& slope, double mu) {
  box.put_down(slope, material(friction(mu)));
  box.settle();
  using Direction = typename Box::Direction;
  Direction first{0, 0, 0};
  Direction last{0, 0, 0};
  Direction sum{0, 0, 0};
  double turned = 0;  // about the plane's normal, which is the world's z
  const auto start = box.place();
  for (int step = 0; step < kSeconds * kWindow; ++step) {
    box.step();
    if (step < kWindow) first += (box.place() - start) / kWindow;
    if (step >= (kSeconds - 1) * kWindow) last += (box.place() - start) / kWindow;
    sum += scenario::kSlopeStep_s * box.velocity();
    turned += scenario::kSlopeStep_s * box.turn_rate()[2];
  }
  const double from_place = (last - first).template head<2>().norm() / (kSeconds - 1);
  const double from_velocity =
      (sum.template head<2>().norm() + box.reach_m() * std::abs(turned)) / static_cast<double>(kSeconds);
  return {from_place, from_velocity};
}

template <class Box>
void measure_creep(const char* contact, int slopes, support::Report& report) {
  static Box box;
  const char* scalar = support::scalar_name<typename Box::S>();
  support::Random random(165);
  for (const double over : {1.01, 1.02, 1.05, 1.1, 1.2}) {
    support::Maximum by_place;
    support::Maximum by_velocity;
    for (int i = 0; i < slopes; ++i) {
      const scenario::Slope slope = random_slope(random, scenario::Tilt::gravity);
      const Creep creep = creep_of(box, slope, over * std::tan(slope.angle));
      by_place.see(creep.by_place_mps);
      by_velocity.see(creep.by_velocity_mps);
    }
    const std::string which = std::string(contact) + " " + std::to_string(over).substr(0, 4) + " tan";
    report.add({"scenario", "creep_place", which, scalar, by_place.value(), kBound_mps, "m/s"});
    report.add({"scenario", "creep_velocity", which, scalar, by_velocity.value(), kBound_mps, "m/s"});
  }
  box.steps().report(report, "creep_warnings", contact, scalar);
}

void measure(support::Report& report) {
  measure_creep<scenario::PointsOnSlope<float>>("points", 5, report);
  measure_creep<scenario::PointsOnSlope<double>>("points", 3, report);
  measure_creep<scenario::VolumeOnSlope<float>>("volume", 5, report);
  measure_creep<scenario::VolumeOnSlope<double>>("volume", 3, report);
}

}  // namespace

const support::Program support::program{"creep", measure};
