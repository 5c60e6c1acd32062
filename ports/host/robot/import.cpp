// SPDX-License-Identifier: MIT
// kinecast import
#include "../subcommands.hpp"

namespace kinecast::host {

void add_import(CLI::App& /*app*/, const std::string& /*command_line*/) {}

}  // namespace kinecast::host
