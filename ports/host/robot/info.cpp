// SPDX-License-Identifier: MIT
// kinecast info
#include "../subcommands.hpp"

namespace kinecast::host {

void add_info(CLI::App& /*app*/, const std::string& /*command_line*/) {}

}  // namespace kinecast::host
