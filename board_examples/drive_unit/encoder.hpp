// SPDX-License-Identifier: MIT
// From encoder counts to the joint's angle: 500 lines on the motor's shaft, four edges each, before a gear of 120.
#pragma once

#include <cstdint>

namespace encoder {

inline constexpr float kCountsPerTurn = 500.0F * 4.0F * 120.0F;
inline constexpr float kRadPerCount = 2.0F * 3.14159265F / kCountsPerTurn;

// Exact to 2^24 counts, 70 turns of the joint.
inline float angle_rad(std::int32_t counts) noexcept { return static_cast<float>(counts) * kRadPerCount; }

}  // namespace encoder
