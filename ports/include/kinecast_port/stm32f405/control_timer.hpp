// SPDX-License-Identifier: MIT
// TIM2 as the beat of a control loop: an interrupt at a fixed rate. The firmware puts its handler on line kTim2Line and
// begins it with acknowledge().
#pragma once

#include <cstdint>

#include "kinecast_port/stm32f405/clocks.hpp"

namespace kinecast::port::stm32f405 {

inline constexpr int kTim2Line = 28;

// The first interrupt comes after one period. The rate must divide the timers' clock.
void start_control_timer(const Clocks& clocks, std::uint32_t rate_Hz) noexcept;

void acknowledge() noexcept;

// Whether the next beat has come already: asked at the handler's end, it means that the handler took too long.
bool beat_is_waiting() noexcept;

}  // namespace kinecast::port::stm32f405
