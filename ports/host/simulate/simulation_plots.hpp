// SPDX-License-Identifier: MIT
// The plots of a simulation: joint positions, torques, commands, contact forces, energies; few enough curves a panel to tell apart.
#pragma once

#include "record.hpp"

#include <string>
#include <vector>

namespace kinecast::host {

struct Plot {
  std::string title;
  std::string says;  // what a reader could not know; may be empty
  std::string svg;
};

// Throws Failure if gnuplot is missing or fails.
[[nodiscard]] std::vector<Plot> simulation_plots(const Record& record);

}  // namespace kinecast::host
