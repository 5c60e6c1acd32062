// SPDX-License-Identifier: MIT
// Is a header the robot of its URDF? The header is compiled, and its accelerations at 1000 random states are compared with a dense
// computation from urdfdom's reading of the file (dense_dynamics.hpp).
#pragma once

#include "imported_robot.hpp"

#include <string>

namespace kinecast::host {

struct CheckResult {
  int states{0};
  int dofs{0};
  double in_double{0};  // largest difference of an acceleration, over the largest acceleration of its state
  double in_float{0};
};

inline constexpr double kLargestDifference = 1e-9;  // in double: rounding, for robots of a few dozen joints

// `header`: its text; `name`: what messages call it. Throws Failure: bad_input if it is another robot's header or differs by more
// than kLargestDifference in double, environment if it does not compile.
[[nodiscard]] CheckResult check_header(const std::string& name, const std::string& header, const ImportOptions& options,
                                       const ImportedRobot& imported);

}  // namespace kinecast::host
