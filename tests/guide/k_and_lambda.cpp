// SPDX-License-Identifier: MIT
// The table of lib/docs/choosing_k_and_lambda.md: a box of 2 kg falls from 5 cm on one edge, with a compensation k and a relaxation
// lambda of the ground per row; float, steps of 1 ms, the default contact model. What is printed is measured here and now.
#include <kinecast/predict/predictor.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <tuple>

#include "robots/boxes.hpp"
#include "support/require.hpp"

namespace {

using namespace kinecast;
using support::require;

inline constexpr auto box = robots::make_box(2, 0.3, 0.2, 0.1);
inline constexpr auto ground = environment(half_space("ground", material(friction(0.6))));
using Forecast = Predictor<box, float, Contacts<ground, 8>>;

constexpr float kStep_s = 1e-3F;
constexpr int kSteps = 2000;
constexpr int kWatched = 1000;  // the last second
constexpr float kHalfHeight_m = 0.05F;

struct Outcome {
  float rebound_mps{0};  // the fastest rise of the middle
  float depth_um{0};     // of the box at the end
  float chatter{0};      // mean change of the corners' forces from step to step, over the weight
  float settled_ms{0};   // the last time that anything moved by 1 mm/s
};

// By contact point, whatever the order in the report.
std::array<float, 8> forces_of(const Forecast& predictor) {
  std::array<float, 8> forces{};
  for (int c = 0; c < predictor.contact_report().count; ++c) {
    const auto& contact = predictor.contact_report()[c];
    forces[static_cast<std::size_t>(contact.pair.point)] = contact.normal_N;
  }
  return forces;
}

Outcome drop(double k_per_s, double lambda) {
  static Forecast predictor;
  static Scene<box, ground, float> scene;
  auto world = ground;
  std::get<0>(world.surfaces).materials.fill(material(friction(0.6), compensation(k_per_s), relaxation(lambda)));
  require(build_scene<box, ground, float>(box, world, scene), "build_scene");
  predictor.set_scene(scene);

  State<box, float> start = zero_state<box, float>();
  start.q[2] = 0.05F + 0.0995F + 0.0149F;  // 5 cm below the lower edge of a box turned by 0.1 rad about y
  start.q[3] = 0.99875026F, start.q[5] = 0.04997917F;
  require(predictor.reset(start), "reset");
  Outcome out;
  std::array<float, 8> before{};
  for (int i = 1; i <= kSteps; ++i) {
    require(predictor.step(Command<box, float>::Zero(), kStep_s), "step");
    const auto forces = forces_of(predictor);
    const auto& dq = predictor.state().dq;
    out.rebound_mps = std::max(out.rebound_mps, dq[2]);
    if (dq.norm() > 1e-3F) out.settled_ms = static_cast<float>(i);
    for (std::size_t p = 0; i > kSteps - kWatched && p < forces.size(); ++p)
      out.chatter += std::abs(forces[p] - before[p]) / (static_cast<float>(kWatched) * 2 * 9.80665F);
    before = forces;
  }
  out.depth_um = 1e6F * (kHalfHeight_m - predictor.state().q[2]);
  return out;
}

// What method 2.3 says of the depth: lambda A f dt / k, with a quarter of the weight on each corner, whose mobility A is that of a
// corner of a free box.
double depth_by_formula_um(double k_per_s, double lambda) {
  const Sym3<double>& inertia = box.links[0].inertia_kgm2;
  const double mobility = 1 / 2.0 + 0.15 * 0.15 / inertia.yy + 0.1 * 0.1 / inertia.xx;
  return 1e6 * lambda * mobility * (2 * 9.80665 / 4) * static_cast<double>(kStep_s) / k_per_s;
}

}  // namespace

int main() {
  std::printf("   k 1/s   lambda   rises m/s   rests at um   formula um   chatter   still after ms\n");
  for (const double k : {50.0, 200.0, 1000.0})
    for (const double lambda : {1e-4, 1e-3, 1e-2, 1.0}) {
      const Outcome o = drop(k, lambda);
      std::printf("%8.0f %8.0e %11.3f %13.1f %12.1f %9.0e %16.0f\n", k, lambda, static_cast<double>(o.rebound_mps),
                  static_cast<double>(o.depth_um), depth_by_formula_um(k, lambda), static_cast<double>(o.chatter),
                  static_cast<double>(o.settled_ms));
    }
}
