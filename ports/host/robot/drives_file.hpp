// SPDX-License-Identifier: MIT
// What a URDF cannot say of its joints: motors, gears and friction on both sides of them, from a drives.json:
//   {"joints": {"elbow": {"drive": "voltage", "motor": {…}, "gear": {…}, "friction": {"at_motor": {…}, "at_joint": {…}}}}}
// with the keys of a drive.json (drive_parts.hpp). Joints that it does not name stay as the URDF has them.
#pragma once

#include "urdf_file.hpp"

namespace kinecast::host {

// A named joint's drive is the file's: friction and torque limit of the URDF stay only where the file says nothing of them.
// Throws Failure with the JSON path; a rule of the library that is broken by it is named too.
void apply_drives(const std::string& file, UrdfRobot& urdf, Notes& notes);

}  // namespace kinecast::host
