// SPDX-License-Identifier: MIT
// A recording of a drive unit, in SI units. A file that cannot be trusted (a missing column, a hole, time that runs back, a
// row that is no row of numbers, units that no drive unit can have) is refused with its line.
#pragma once

#include "log_description.hpp"

#include <string>
#include <vector>

namespace kinecast::host {

struct Log {
  std::string file;
  std::vector<int> line;         // of each sample in the file
  std::vector<double> time_s;    // strictly increasing, from 0
  std::vector<double> command;   // V, Nm or N; holds until the next sample
  std::vector<double> position;  // rad or m
  std::vector<double> velocity;  // empty if not recorded
  std::vector<double> external;  // empty if not recorded

  [[nodiscard]] std::size_t size() const { return time_s.size(); }
  [[nodiscard]] double duration_s() const { return time_s.back(); }
};

[[nodiscard]] Log read_log(const std::string& file, const LogDescription& description, double voltage_limit_V);

}  // namespace kinecast::host
