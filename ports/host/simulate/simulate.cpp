// SPDX-License-Identifier: MIT
// kinecast simulate
#include "../subcommands.hpp"

namespace kinecast::host {

void add_simulate(CLI::App& /*app*/, const std::string& /*command_line*/) {}

}  // namespace kinecast::host
