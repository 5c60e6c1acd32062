// SPDX-License-Identifier: MIT
// Text out of USART1 (pin PA9), 8 data bits, no parity, one stop bit. For main, never for an interrupt: it waits until
// the port takes the next character.
#pragma once

#include <cstdint>

#include "kinecast_port/stm32f405/clocks.hpp"

namespace kinecast::port::stm32f405 {

void start_serial(const Clocks& clocks, std::uint32_t baud) noexcept;

void send(const char* text) noexcept;

// Returns when the last character has left the pin.
void finish_sending() noexcept;

}  // namespace kinecast::port::stm32f405
