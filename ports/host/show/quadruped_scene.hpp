// SPDX-License-Identifier: MIT
// The scene of a quadruped that is pushed and puts its front feet on a plate.
#pragma once

#include "scenes.hpp"

namespace kinecast::host {

[[nodiscard]] Recording record_quadruped();

}  // namespace kinecast::host
