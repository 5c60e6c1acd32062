// SPDX-License-Identifier: MIT
// What `kinecast` can do. Each function is one file: it adds its subcommand's options, and what runs when it is called,
// which throws Failure if it cannot.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace kinecast::host {

void add_import(CLI::App& app, const std::string& command_line);
void add_info(CLI::App& app, const std::string& command_line);
void add_simulate(CLI::App& app, const std::string& command_line);
void add_new(CLI::App& app, const std::string& command_line);
void add_compare(CLI::App& app, const std::string& command_line);
void add_fit(CLI::App& app);
void add_hull(CLI::App& app, const std::string& command_line);
void add_show(CLI::App& app, const std::string& command_line);

}  // namespace kinecast::host
