// SPDX-License-Identifier: MIT
// What a scenario's tables hold besides single numbers: vectors, orientations, values over time.
#pragma once

#include "../robot/description.hpp"
#include "../text/json_table.hpp"

#include <string>
#include <vector>

namespace kinecast::host {

[[nodiscard]] std::vector<double> numbers(const JsonTable& table, const std::string& key, std::size_t count);
[[nodiscard]] Triple triple(const JsonTable& table, const std::string& key, const Triple& otherwise);
// A number that is not below `least`.
[[nodiscard]] double at_least(const JsonTable& table, const std::string& key, double least, double otherwise);
// Turns by x, then y, then z of the fixed axes, as a URDF has it.
[[nodiscard]] Rows rows_from_rpy(const Triple& rpy);
[[nodiscard]] std::array<double, 4> quaternion_of(const Rows& rotation);  // wxyz

}  // namespace kinecast::host
