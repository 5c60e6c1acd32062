// SPDX-License-Identifier: MIT
// What the chip's parts are clocked with: the real one after start_clocks(), and QEMU's netduinoplus2.
#pragma once

#include <cstdint>

namespace kinecast::port::stm32f405 {

struct Clocks {
  std::uint32_t core_Hz;
  std::uint32_t timer_Hz;  // TIM2 to TIM5
  std::uint32_t usart_Hz;  // USART1
};

// The core to 168 MHz, from the internal oscillator, so that it does not matter which crystal the board carries.
// Not for the emulator: it has no RCC, and waiting for the PLL would never end.
Clocks start_clocks() noexcept;

// QEMU's timers count nanoseconds, and its serial port takes no time.
inline constexpr Clocks kEmulatedClocks{168'000'000, 1'000'000'000, 84'000'000};

}  // namespace kinecast::port::stm32f405
