// SPDX-License-Identifier: MIT
// What a robot's Predictor will cost on each supported core, before anything is compiled: counts of the robot times coefficients
// that were fitted to measured firmwares (cost_table.inc, made by tests/bench/cost_table.py). A prediction, not a measurement;
// `kinecast info --measure` builds the firmware.
#pragma once

#include "robot_summary.hpp"

#include <string>
#include <utility>
#include <vector>

namespace kinecast::host {

// One firmware as `kinecast new` makes it, in float.
struct Cost {
  double instructions{0};  // per step
  double stack_B{0};       // of a step
  double ram_B{0};         // variables, without the stack
  double flash_B{0};       // the whole firmware
};

struct Core {
  const char* name;   // "Cortex-M4F"
  const char* board;  // as `kinecast new --board` calls it
  double ram_B;       // of the board
  double flash_B;
};
[[nodiscard]] const std::vector<Core>& supported_cores();

// The largest error of the fit on the robots that it was fitted to, as a share.
[[nodiscard]] Cost fit_errors();

// What the costs are linear in, by name: the fit's columns.
using Features = std::vector<std::pair<std::string, double>>;
[[nodiscard]] Features cost_features(const RobotCounts& counts);

[[nodiscard]] Cost predict_cost(const RobotCounts& counts, const Core& core);

}  // namespace kinecast::host
