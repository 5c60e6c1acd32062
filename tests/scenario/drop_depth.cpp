// SPDX-License-Identifier: MIT
// How deep a cube sinks that falls on the ground at any attitude, with spin, at friction 0 to 5: the deepest corner of each drop,
// its mean and its worst over all drops. Large friction is what a solver must not buy with depth (method 16.9). The bounds are
// what friction by re-solving (method 2.6) reached when this test was written, with 3 % added to the means and 10 % to the worst,
// which are single drops.
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "contact_models.hpp"
#include "robots/boxes.hpp"
#include "steps.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/random.hpp"

namespace {

using namespace kinecast;
using robots::cube;

constexpr double kSide_m = 0.1;
constexpr double kStep_s = 1e-3;
constexpr int kPointDrops = 500;
constexpr int kVolumeDrops = 150;  // a volume costs ten times as much
constexpr int kSteps = 600;

inline constexpr auto ground = environment(half_space("ground"));
inline constexpr auto ground_and_solid =
    environment(half_space("ground"), box("solid", on("box"), size(kSide_m, kSide_m, kSide_m)));

// Depths in mm that the bounds come from, the larger of float and double: build/host/tests/scenario/scenario_drop_depth.
struct Reached {
  double mu;
  double points_mean, points_worst;
  double volume_mean, volume_worst;
};
constexpr Reached kReached[] = {
    {0, 0.0513, 0.400, 1.18, 2.42},    //
    {0.3, 0.0380, 0.260, 1.15, 2.42},  //
    {1, 0.0346, 0.0808, 1.12, 2.42},   //
    {2, 0.0346, 0.0808, 1.14, 2.42},   //
    {5, 0.0345, 0.0808, 1.17, 2.42},
};

// The height of the lowest corner.
template <class S>
[[nodiscard]] double lowest_m(const State<cube, S>& state) {
  const auto q = state.q.template cast<double>().eval();
  const double w = q[3];
  const double x = q[4];
  const double y = q[5];
  const double z = q[6];
  // The last row of the rotation: how high the cube's axes point.
  const double up =
      std::abs(2 * (x * z - w * y)) + std::abs(2 * (y * z + w * x)) + std::abs(w * w - x * x - y * y + z * z);
  return q[2] - 0.5 * kSide_m * up;
}

struct Depth {
  double mean_mm{0}, worst_mm{0};
};

template <class S, const auto& World, class Contact>
[[nodiscard]] Depth drop(double mu, int drops, scenario::Steps& steps) {
  static Predictor<cube, S, Contact> predictor;
  static typename Contact::template Scene<cube, S> scene;
  auto world = World;
  for_each_surface(world.surfaces,
                   [&](auto& surface, int /*index*/) { surface.materials.fill(material(friction(mu))); });
  support::require(build_scene<cube, World, S>(cube, world, scene), "build_scene");
  predictor.set_scene(scene);
  support::Random random(168);
  Depth out;
  for (int i = 0; i < drops; ++i) {
    State<cube, double> start = zero_state<cube, double>();
    for (int k = 3; k < 7; ++k) start.q[k] = random.within(1);
    start.q.template segment<4>(3).normalize();
    start.q[2] = 0;
    start.q[2] = 0.15 + random.within(0.15) - lowest_m(start);
    for (int k = 0; k < 3; ++k) start.dq[k] = random.within(1);
    for (int k = 3; k < 6; ++k) start.dq[k] = random.within(10);
    State<cube, S> rounded;
    rounded.q = start.q.template cast<S>(), rounded.dq = start.dq.template cast<S>();
    steps.require(predictor.reset(rounded), "reset");
    support::Maximum deepest;
    for (int step = 0; step < kSteps; ++step) {
      steps.require(predictor.step(Command<cube, S>::Zero(), S(kStep_s)), "step");
      deepest.see(-1e3 * lowest_m(predictor.state()));
    }
    out.mean_mm += deepest.value() / drops;
    out.worst_mm = std::max(out.worst_mm, deepest.value());
  }
  return out;
}

void add(const std::string& which, const char* scalar, const Depth& depth, double mean, double worst,
         support::Report& report) {
  report.add({"scenario", "drop_depth_mean", which, scalar, depth.mean_mm, 1.03 * mean, "mm"});
  report.add({"scenario", "drop_depth_worst", which, scalar, depth.worst_mm, 1.1 * worst, "mm"});
}

template <class S>
void measure_all(support::Report& report) {
  const char* scalar = support::scalar_name<S>();
  scenario::Steps steps;
  for (const Reached& r : kReached) {
    const std::string mu = "mu " + std::to_string(r.mu).substr(0, 3);
    add("points " + mu, scalar, drop<S, ground, scenario::PointContacts<ground, 8>>(r.mu, kPointDrops, steps),
        r.points_mean, r.points_worst, report);
    add("volume " + mu, scalar,
        drop<S, ground_and_solid, scenario::VolumeContacts<ground_and_solid, 1>>(r.mu, kVolumeDrops, steps),
        r.volume_mean, r.volume_worst, report);
  }
  steps.report(report, "drop_depth_warnings", "all", scalar);
}

void measure(support::Report& report) {
  measure_all<float>(report);
  measure_all<double>(report);
}

}  // namespace

const support::Program support::program{"drop_depth", measure};
