// SPDX-License-Identifier: MIT
// The folder that `kinecast new` makes, for it and for whoever builds a firmware to measure it.
#pragma once

#include <string>

namespace kinecast::host {

struct FirmwareOptions {
  std::string folder;
  std::string header;
  std::string robot_name{};  // empty: as the header says
  std::string board;
  std::string scalar{};  // empty: as the header says, else float
};

// Writes it complete or not at all; throws Failure. Returns what was made, a sentence.
[[nodiscard]] std::string write_firmware_project(const FirmwareOptions& options, const std::string& command_line);

}  // namespace kinecast::host
