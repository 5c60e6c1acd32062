// SPDX-License-Identifier: MIT
// The scenes whose solids touch by volume: a gripper with a box, and a cube that is pushed.
#pragma once

#include "scenes.hpp"

namespace kinecast::host {

// With heights, forces and slip as a plot.
[[nodiscard]] Recording record_grip();

// With the region of what friction holds as a plot.
[[nodiscard]] Recording record_cube();

}  // namespace kinecast::host
