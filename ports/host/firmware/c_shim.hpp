// SPDX-License-Identifier: MIT
// An imported robot for firmware in C: a C99 header with an opaque predictor, and the C++ file behind it.
#pragma once

#include "../robot/imported_robot.hpp"

#include <string>

namespace kinecast::host {

struct CShim {
  std::string header;  // <stem>_c.h
  std::string source;  // <stem>_c.cpp, which includes <stem>_c.h and the robot's own header
};

// `robot_header`: file name of the robot's header, beside which the shim lies; its stem names the shim's files.
[[nodiscard]] CShim c_shim_of(const ImportedRobot& imported, const std::string& scalar, const std::string& robot_header,
                              const std::string& command_line);

}  // namespace kinecast::host
