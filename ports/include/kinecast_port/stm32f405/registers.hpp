// SPDX-License-Identifier: MIT
// The STM32F405's peripheral registers that we use, by the names of its reference manual (RM0090).
#pragma once

#include <cstdint>

#include "kinecast_port/register.hpp"

namespace kinecast::port::stm32f405 {

using reg::Register;

constexpr std::uint32_t bit(unsigned n) { return std::uint32_t{1} << n; }

// Reset and clock control (RM0090, 7.3) and the flash interface (3.9).
namespace rcc {
inline constexpr Register kCr{0x40023800};
inline constexpr Register kPllcfgr{0x40023804};
inline constexpr Register kCfgr{0x40023808};
inline constexpr Register kAhb1enr{0x40023830};
inline constexpr Register kApb1enr{0x40023840};
inline constexpr Register kApb2enr{0x40023844};
}  // namespace rcc
inline constexpr Register kFlashAcr{0x40023C00};

// General-purpose pins (8.4).
struct Gpio {
  std::uint32_t base;
  Register moder() const { return {base + 0x00}; }
  Register ospeedr() const { return {base + 0x08}; }
  Register pupdr() const { return {base + 0x0C}; }
  Register afr(int pin) const { return {base + (pin < 8 ? 0x20U : 0x24U)}; }
};
inline constexpr Gpio kGpioA{0x40020000};
inline constexpr Gpio kGpioB{0x40020400};

// Timers TIM2 to TIM5 (18.4). TIM2 and TIM5 count to 2^32, the others to 2^16.
struct Timer {
  std::uint32_t base;
  Register cr1() const { return {base + 0x00}; }
  Register smcr() const { return {base + 0x08}; }
  Register dier() const { return {base + 0x0C}; }
  Register sr() const { return {base + 0x10}; }
  Register egr() const { return {base + 0x14}; }
  Register ccmr1() const { return {base + 0x18}; }
  Register ccer() const { return {base + 0x20}; }
  Register cnt() const { return {base + 0x24}; }
  Register arr() const { return {base + 0x2C}; }
  Register ccr1() const { return {base + 0x34}; }
  Register ccr2() const { return {base + 0x38}; }
};
inline constexpr Timer kTim2{0x40000000};
inline constexpr Timer kTim3{0x40000400};
inline constexpr Timer kTim4{0x40000800};

// Serial ports (30.6).
struct Usart {
  std::uint32_t base;
  Register sr() const { return {base + 0x00}; }
  Register dr() const { return {base + 0x04}; }
  Register brr() const { return {base + 0x08}; }
  Register cr1() const { return {base + 0x0C}; }
};
inline constexpr Usart kUsart1{0x40011000};

// A pin that belongs to a peripheral: alternate function `function` of the datasheet's table.
inline void connect(Gpio port, int pin, std::uint32_t function) noexcept {
  const auto two = 2U * static_cast<unsigned>(pin);
  const auto four = 4U * static_cast<unsigned>(pin % 8);
  port.afr(pin).update(15U << four, function << four);
  port.moder().update(3U << two, 2U << two);
}

}  // namespace kinecast::port::stm32f405
