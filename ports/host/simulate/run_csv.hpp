// SPDX-License-Identifier: MIT
// A record as a table in text: a column a quantity, with its unit in its name, a row a sample.
#pragma once

#include "joints.hpp"
#include "record.hpp"

#include <string>

namespace kinecast::host {

[[nodiscard]] std::string csv_of(const Record& record, const Joints& joints);

}  // namespace kinecast::host
