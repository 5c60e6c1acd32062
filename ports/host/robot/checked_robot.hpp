// SPDX-License-Identifier: MIT
// The last steps of an import, whatever was added to the URDF's text: what passes them is a header that compiles.
#pragma once

#include "urdf_file.hpp"

namespace kinecast::host {

// The library's rules, and names of joints that differ in C++ too. Throws Failure with the line.
void check_robot(UrdfRobot& urdf, Notes& notes);

// With its C++ name and the notes; without a hash.
[[nodiscard]] ImportedRobot named_robot(UrdfRobot urdf, Notes& notes);

}  // namespace kinecast::host
