// SPDX-License-Identifier: MIT
// The library's rules for a robot (model/validate.hpp), said with the file's line and names before a compiler says them without.
#pragma once

#include "urdf_file.hpp"

#include <kinecast/model/robot.hpp>

namespace kinecast::host {

// The link that the emitted words make, but for its name.
[[nodiscard]] Link library_link(const LinkDescription& from);

// What passes compiles. Notes inertias that are legal but hardly meant.
void expect_rules_kept(const UrdfRobot& urdf, Notes& notes);

}  // namespace kinecast::host
