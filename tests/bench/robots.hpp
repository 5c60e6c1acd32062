// SPDX-License-Identifier: MIT
// The robots that rows.cmake can name.
#pragma once

#include "../../board_examples/humanoid_stance/humanoid.hpp"
#include "../robots/arm2.hpp"
#include "../robots/arm6.hpp"
#include "../robots/chain.hpp"
#include "../robots/drives.hpp"
#include "../robots/humanoid.hpp"
#include "../robots/pendulum6.hpp"

namespace robots {
inline constexpr auto arm2_ground = arm2;
inline constexpr auto humanoid_stance = example::humanoid;
}  // namespace robots
