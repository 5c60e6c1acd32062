// SPDX-License-Identifier: MIT
// What a scenario does with the Status of its steps: a failed one ends it, one that warns (a solver that ran out of iterations,
// contacts without room) is counted.
#pragma once

#include <kinecast/core/status.hpp>

#include "support/report.hpp"
#include "support/require.hpp"

namespace scenario {

class Steps {
 public:
  void require(kinecast::Status status, const char* what) {
    support::require(status, what);
    if (kinecast::is_warning(status)) ++warnings_;
  }
  // As a row that allows none; counts anew.
  void report(support::Report& to, const char* protocol, const char* robot, const char* scalar) {
    to.add({"scenario", protocol, robot, scalar, static_cast<double>(warnings_), 0, "steps"});
    warnings_ = 0;
  }

 private:
  int warnings_{0};
};

}  // namespace scenario
