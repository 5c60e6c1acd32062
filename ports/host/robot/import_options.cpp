// SPDX-License-Identifier: MIT
#include "import_options.hpp"

#include <CLI/CLI.hpp>

#include <map>

namespace kinecast::host {

void add_import_options(CLI::App& command, ImportOptions& options) {
  command.add_option("urdf", options.urdf, "the robot's URDF")->required();
  command.add_option("--base", options.base, "fixed: the root link stands on the world; floating: it is free")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, Base>{{"fixed", Base::fixed}, {"floating", Base::floating}}))
      ->default_str("fixed");
  command.add_option("--drives", options.drives, "motors, gears and friction of the joints, as JSON");
  command
      .add_option("--contacts", options.contacts,
                  "auto: from the collision shapes; none; or a JSON file that names them")
      ->capture_default_str();
}

}  // namespace kinecast::host
