// SPDX-License-Identifier: MIT
// Float against double for the robots of the golden files; the project's promise is for the 26-DOF humanoid.
#include "float_error.hpp"
#include "golden_robots.hpp"
#include "support/program.hpp"

namespace {

struct MeasureEach {
  support::Report& report;

  template <const auto& R>
  void operator()(golden::Visited<R> /*robot*/) const {
    constexpr bool kHumanoid = R.name == "humanoid20";
    // Points like those of the golden files: one on the last link, one in the middle of the robot.
    constexpr auto kPoints = [] {
      std::array<kinecast::ContactPoint, 2> points{};
      points[0].link = R.kLinks - 1;
      points[0].position_m = {0.05, -0.03, -0.02};
      points[1].link = R.kLinks / 2;
      points[1].position_m = {-0.01, 0.04, 0.03};
      return points;
    }();
    oracle::Ranges ranges{};
    if (kHumanoid) ranges.torque = 0.3;
    oracle::measure_float<R>(std::string(R.name), ranges, kHumanoid ? 2e-5 : support::kNone, kPoints, report);
  }
};

void measure(support::Report& report) { golden::for_each_robot(MeasureEach{report}); }

}  // namespace

const support::Program support::program{"oracle.float_error_golden", measure};
