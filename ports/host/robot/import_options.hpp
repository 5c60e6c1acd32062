// SPDX-License-Identifier: MIT
// The options that every command has which imports a URDF.
#pragma once

#include "imported_robot.hpp"

namespace CLI {
class App;
}

namespace kinecast::host {

// The positional `urdf`, --base, --drives and --contacts.
void add_import_options(CLI::App& command, ImportOptions& options);

}  // namespace kinecast::host
