// SPDX-License-Identifier: MIT
// The unknowns of a drive unit from recordings of it, and how much the recordings say about each.
#pragma once

#include "../text/progress.hpp"
#include "drive_file.hpp"
#include "log_file.hpp"

#include <vector>

namespace kinecast::host {

struct Estimate {
  double value{0};
  double standard_error{0};
  bool at_bound{false};
};

struct Correlation {
  std::size_t a, b;
  double value;
};

struct Identification {
  std::vector<Estimate> estimates;  // one per unknown
  // What the recordings do not show: an unknown on which nothing depends, or several that can be exchanged for each other.
  std::vector<std::vector<std::size_t>> blind;
  std::vector<Correlation> correlations;  // of at least 0.95
  std::size_t windows{0};
  int iterations{0};
};

// Throws Failure if the logs are too short, or if the search fails.
[[nodiscard]] Identification identify(const DriveFile& drive, const std::vector<Log>& logs, double window_s,
                                      Progress& progress);

}  // namespace kinecast::host
