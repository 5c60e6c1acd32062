// SPDX-License-Identifier: MIT
// What space_view.js needs of a simulation, as compact JSON: at most 60 frames a second and 4000 in all, numbers to 1e-5.
#pragma once

#include "record.hpp"

#include <nlohmann/json.hpp>

namespace kinecast::host {

[[nodiscard]] nlohmann::ordered_json simulation_data(const Record& record);

}  // namespace kinecast::host
