// SPDX-License-Identifier: MIT
// What a robot's firmware will cost on each supported core, before anything is compiled: counts of the robot times coefficients that
// were fitted to measured firmwares (cost_table.inc, made by tests/bench/cost_table.py). A prediction, not a measurement;
// `kinecast info --measure` builds the firmware.
#pragma once

#include "robot_summary.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace kinecast::host {

// Of a firmware as `kinecast new` makes it, in float. As text: "instructions", "stack_B", "ram_B", "flash_B".
enum class Metric { instructions, stack, ram, flash };
inline constexpr std::size_t kMetrics = 4;
[[nodiscard]] const char* metric_name(Metric metric);

using Cost =
    std::array<double, kMetrics>;  // by Metric: instructions per step, stack of a step, RAM without stack, flash

enum class Touching { nothing, ground };  // Predictor<robot, float> or Predictor<robot, float, Contacts<ground, N>>

// What the costs are linear in, by name: the columns of the fit.
using Features = std::vector<std::pair<std::string, double>>;
[[nodiscard]] Features cost_features(const RobotCounts& counts, Touching touching);

struct Core {
  const char* name;   // "Cortex-M4F"
  const char* board;  // as `kinecast new --board` calls it
  double ram_B;       // of the board
  double flash_B;
};
[[nodiscard]] const std::vector<Core>& supported_cores();

// Instructions are those of a step in which nothing touches.
[[nodiscard]] Cost predict_cost(const Features& features, const Core& core);

// The largest error of each metric on the firmwares that it was fitted to, as a share.
[[nodiscard]] Cost fit_errors();

// Of the largest robot among them.
[[nodiscard]] int most_fitted_dofs();

// How many contacts the firmware has room for.
[[nodiscard]] int most_contacts(const RobotCounts& counts);

// How many times the instructions of a free step the most expensive step took that touched: least and most among those robots.
struct TouchingRange {
  double least;
  double most;
};
[[nodiscard]] TouchingRange touching_range();

}  // namespace kinecast::host
