// SPDX-License-Identifier: MIT
#include "import_options.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace kinecast::host {

void add_import_options(CLI::App& command, ImportOptions& options) {
  command.add_option("urdf", options.urdf, "the robot's URDF")->required();
  // Not a transformer of CLI11: its help and its message show the enumerators' numbers.
  command
      .add_option_function<std::string>(
          "--base",
          [&options](const std::string& word) { options.base = word == "floating" ? Base::floating : Base::fixed; },
          "fixed: the root link stands on the world; floating: it is free")
      ->check(CLI::IsMember({"fixed", "floating"}))
      ->default_str("fixed");
  command.add_option("--drives", options.drives, "motors, gears and friction of the joints, as JSON");
  command
      .add_option("--contacts", options.contacts,
                  "auto: from the collision shapes; none; or a JSON file that names them")
      ->capture_default_str();
}

}  // namespace kinecast::host
