// SPDX-License-Identifier: MIT
// A robot in a scenario, compiled and run: what came of it.
#pragma once

#include "record.hpp"
#include "scenario.hpp"

#include <string>
#include <vector>

namespace kinecast::host {

struct SeenWarning {
  std::string sentence;  // of the library
  long steps{0};         // that gave it
  double first_s{0};
};

struct Run {
  std::vector<Sample> samples;
  std::vector<SeenWarning> warnings;
  int fast_joint{-1};  // degree of freedom that was the first to be too fast
  double peak_N{0};    // the largest sum of normal forces of a step
  double peak_s{0};
  double start_depth_m{0};  // of the deepest contact in the first step
  int start_point{-1};
  int start_surface{-1};
  std::vector<long> saturated;      // steps in which the command was clipped, one a degree of freedom
  std::vector<double> stop_torque;  // the largest of the stops, one a degree of freedom
  double wall_s{0};
};

// Throws Failure: bad_input with the time and the library's sentence if a step fails, environment if it does not compile.
[[nodiscard]] Run run_scenario(const ImportedRobot& robot, const std::string& scalar, const Joints& joints,
                               const Scenario& scenario);

}  // namespace kinecast::host
