// SPDX-License-Identifier: MIT
// The pushed cube of S004 (method 10): which forces along x and torques about the vertical, at the middle of its base, static
// friction holds. The region's limit by the library's friction test for pyramids of 4, 8, 16 and 32 sides, beside theory and
// golden/d_cube_region.csv; and points of it by the whole Predictor, where a settled cube is pushed and stays or goes.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "host/show/pushed_cube.hpp"
#include "support/program.hpp"
#ifdef KINECAST_GOLDEN_DIR
#include "oracle/golden_table.hpp"
#endif

namespace {

using namespace kinecast::host;

constexpr std::array<int, 4> kSides{4, 8, 16, 32};
constexpr const char* kTorque = "torque about the vertical, Nm";

std::string pyramid(int sides) { return "P = " + std::to_string(sides); }

// ---- the limit by the friction test -----------------------------------------------------------------------------------------

template <int Sides, class S>
void measure_limit(support::Report& report, support::Figure& figure) {
  const char* scalar = support::scalar_name<S>();
  double worst = 0;
  constexpr int kForces = 62;
  for (int i = 0; i < kForces; ++i) {
    const double force = kCubeLimit_N * i / kForces;
    const double torque = limit_in_test<Sides, S>(force);
    worst = std::max(worst, std::abs(torque - limit_in_theory(Sides, force)));
    figure.curve(kTorque, pyramid(Sides)).add(force, torque);
  }
  // Without torque the force is limited by an edge of the pyramid, which points along x: all of them end in the cone's limit.
  const double end =
      largest_factor({kCubeLimit_N, 0}, 40, [](const Load& push) { return friction_holds<Sides, S>(push); });
  worst = std::max(worst, kCubeLargestTorque_Nm * std::abs(end - 1));
  figure.curve(kTorque, pyramid(Sides)).add(end * kCubeLimit_N, 0);
  // The figure; the test itself forgives 1e-4 of the load in float.
  report.add({"scenario", "cube_region_theory", pyramid(Sides), scalar, worst / kCubeLargestTorque_Nm, 1e-3,
              "of the largest"});
}

#ifdef KINECAST_GOLDEN_DIR
// A column of the golden file and the force in its first one; rows where it says that no torque is held ("nan") are left out.
std::vector<Load> golden_limit(const std::string& column) {
  std::ifstream in(KINECAST_GOLDEN_DIR "/d_cube_region.csv");
  std::vector<Load> out;
  std::size_t at = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = oracle::detail::split(line);
    if (at == 0) {
      at = static_cast<std::size_t>(std::find(cells.begin(), cells.end(), column) - cells.begin());
      if (at == cells.size()) throw std::runtime_error("golden/d_cube_region.csv: no column " + column);
    } else if (cells.at(at) != "nan") {
      out.push_back({std::stod(cells.at(0)), std::stod(cells.at(at))});
    }
  }
  if (out.empty()) throw std::runtime_error("golden/d_cube_region.csv: cannot be read");
  return out;
}

// The formula against what an independent program found by linear programs.
void compare_with_golden(support::Report& report) {
  const auto compare = [&](const std::string& column, int sides) {
    double worst = 0;
    for (const Load& push : golden_limit(column))
      worst = std::max(worst, std::abs(push.torque_Nm - limit_in_theory(sides, push.force_N)));
    return worst / kCubeLargestTorque_Nm;
  };
  // Ten digits in the file.
  for (const int sides : kSides)
    report.add({"golden", "cube_region_formula", pyramid(sides), "double",
                compare("Tmax_P" + std::to_string(sides) + "_aligned", sides), 1e-9, "of the largest"});
  // Theory is a pyramid of 720 sides there: up to (pi / 720)² / 2 = 1e-5 less than the cone, three times that where T is steep in F.
  report.add({"golden", "cube_region_formula", "cone", "double", compare("Tmax_theory", 0), 3e-5, "of the largest"});
}
#endif

// ---- points of the limit by the whole Predictor -------------------------------------------------------------------------------

// The limit is that of a pyramid; sides = 0: of the cone.
template <class Model, int kOf, class S>
void measure_points(support::Report& report, support::Figure& figure) {
  const std::string model = kOf == 0 ? "Volume<>" : pyramid(kOf);
  const char* scalar = support::scalar_name<S>();
  double worst = 0;
  int wrong = 0;
  double creep = 0;
  double tilt = 0;
  for (const Load& limit : limit_on_rays(kOf, 11)) {
    for (const double side : {0.98, 1.02}) {
      const Load load{side * limit.force_N, side * limit.torque_Nm};
      const Pushed went = push_cube<Model, S>(load);
      auto& marks = figure.curve(kTorque, went.held() ? model + ", pushed: held" : model + ", pushed: slipped");
      marks.stroke = went.held() ? Stroke::full_marks : Stroke::empty_marks;
      marks.add(load.force_N, load.torque_Nm);
      if (went.held() != (side < 1)) ++wrong;
      if (side < 1) creep = std::max(creep, went.creep_mps), tilt = std::max(tilt, went.tilt_rad);
    }
    const double found = largest_factor(limit, 12, [](const Load& load) { return push_cube<Model, S>(load).held(); });
    worst = std::max(worst, std::abs(found - 1));
  }
  report.add(
      {"scenario", "cube_pushed_wrong", model + " 2 % off", scalar, static_cast<double>(wrong), 0, "of 22 pushes"});
  // 2.45 ± 0.02 N of a push without torque, and as much of the others.
  report.add({"scenario", "cube_pushed_limit", model, scalar, worst, 8e-3, "relative"});
  // Method 15, and the bound of the tilt.
  constexpr bool is_float = std::is_same_v<S, float>;
  report.add({"scenario", "cube_pushed_creep", model + " 2 % below", scalar, creep, is_float ? 3e-6 : 1e-10, "m/s"});
  report.add({"scenario", "cube_pushed_tilt", model + " 2 % below", scalar, tilt, 1e-5, "rad"});
}

template <class S>
void measure_all(support::Report& report, support::Figure& figure) {
  measure_limit<4, S>(report, figure);
  measure_limit<8, S>(report, figure);
  measure_limit<16, S>(report, figure);
  measure_limit<32, S>(report, figure);
  for (int i = 0; i <= 100; ++i)
    figure.curve(kTorque, "theory").add(0.01 * i * kCubeLimit_N, limit_in_theory(0, 0.01 * i * kCubeLimit_N));
  measure_points<kinecast::WrenchPrograms<8>, 8, S>(report, figure);
  measure_points<kinecast::Volume<>, 0, S>(report, figure);
}

void measure(support::Report& report, support::Figure& figure) {
  support::Figure unseen("");  // looks the same
  figure.set_axis("force along x, N", "force_N", 560);
  measure_all<float>(report, figure);
  measure_all<double>(report, unseen);
#ifdef KINECAST_GOLDEN_DIR
  compare_with_golden(report);
#endif
}

}  // namespace

const support::Program support::program{"pushed_cube", measure};
