// SPDX-License-Identifier: MIT
// The costs of a robot's firmware as `kinecast info` prints them: predicted for each core, and measured beside it where that was
// asked for.
#pragma once

#include "cost_model.hpp"

#include <map>
#include <string>
#include <vector>

namespace kinecast::host {

using MeasuredCosts = std::map<std::string, std::map<std::string, double>>;  // by board, by metric_name()

// Whether the firmware of `kinecast new` lets the robot touch the ground: a floating base with contact points.
[[nodiscard]] Touching touching_of(const RobotCounts& counts);

[[nodiscard]] std::string cost_report(const RobotCounts& counts, const std::vector<Core>& cores,
                                      const MeasuredCosts& measured);

}  // namespace kinecast::host
