// SPDX-License-Identifier: MIT
// How well a unit's parameters predict a log: the error at the end of windows and over the whole log, beside the null. A
// score that the null also reaches says nothing about the friction.
#pragma once

#include "../text/progress.hpp"
#include "replay.hpp"

#include <string>
#include <vector>

namespace kinecast::host {

struct Score {
  double window_s{0};    // 0: open loop over the whole log
  std::size_t count{0};  // windows; samples in open loop
  double single{0};      // root mean square error in float, as on the robot
  double twofold{0};     // in double
  double null{0};        // in double, without static and Coulomb friction
};

// Windows longer than the log are left out.
[[nodiscard]] std::vector<Score> find_scores(const DriveUnit& unit, const Log& log,
                                             const std::vector<double>& windows_s, Progress& progress);

[[nodiscard]] std::string window_name(const Score& score);

// As a table for a terminal; `unit`: rad or m.
[[nodiscard]] std::string score_table(const std::vector<Score>& scores, const std::string& unit);

}  // namespace kinecast::host
