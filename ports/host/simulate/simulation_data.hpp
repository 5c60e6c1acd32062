// SPDX-License-Identifier: MIT
// What the animated view needs of a simulation, as compact JSON: at most 60 frames a second and 4000 in all, numbers to 1e-5.
#pragma once

#include "record.hpp"

#include <string>

namespace kinecast::host {

// JSON text that may stand in a script element: no name of a robot can end it.
[[nodiscard]] std::string simulation_data(const Record& record);

}  // namespace kinecast::host
