// SPDX-License-Identifier: MIT
// What a robot's firmware costs, measured: the project of `kinecast new` in a temporary folder, built and run in the emulator.
#pragma once

#include <map>
#include <string>

namespace kinecast::host {

// {"instructions", …}, {"stack_B", …}, {"ram_B", …}, {"flash_B", …}, {"predictor_B", …}: the firmware's own line "kinecast cost:".
// Throws Failure (environment) if cmake, ninja, the cross compiler or the emulator is missing, or if the firmware does not build
// or run: the message has its first error.
[[nodiscard]] std::map<std::string, double> measured_firmware(const std::string& header_text, const std::string& board);

}  // namespace kinecast::host
