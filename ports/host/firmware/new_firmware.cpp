// SPDX-License-Identifier: MIT
// kinecast new
#include "../subcommands.hpp"

namespace kinecast::host {

void add_new(CLI::App& /*app*/, const std::string& /*command_line*/) {}

}  // namespace kinecast::host
