// SPDX-License-Identifier: MIT
// Motor, gear and friction of a joint from JSON: the same keys in a drive.json and for each joint of a robot's drives.json.
#pragma once

#include "../text/json_table.hpp"

#include <kinecast/model/drive.hpp>

namespace kinecast::host {

// "friction", "motor" and "gear" of a table, where they are given; a slide has keys of its own, with N for N m and m for rad. With a
// voltage the motor must be given; without, only its rotor counts. Throws Failure with the JSON path.
void read_drive_parts(const JsonTable& table, bool slides, bool has_voltage, Drive& out);

}  // namespace kinecast::host
