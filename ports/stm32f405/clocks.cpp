// SPDX-License-Identifier: MIT
#include "kinecast_port/stm32f405/clocks.hpp"

#include "kinecast_port/stm32f405/registers.hpp"

namespace kinecast::port::stm32f405 {

Clocks start_clocks() noexcept {
  constexpr std::uint32_t kPllOn = bit(24);
  constexpr std::uint32_t kPllReady = bit(25);
  // 16 MHz / M = 2 MHz, times N = 336 MHz, / P = 168 MHz; / Q = 48 MHz. PLLSRC 0: the internal oscillator.
  constexpr std::uint32_t kM = 8;
  constexpr std::uint32_t kN = 168;
  constexpr std::uint32_t kDivideBy2 = 0;  // PLLP
  constexpr std::uint32_t kQ = 7;
  rcc::kPllcfgr.write((kQ << 24U) | (kDivideBy2 << 16U) | (kN << 6U) | kM);
  rcc::kCr.set(kPllOn);
  rcc::kCr.wait_for(kPllReady);

  // Flash is slower than the core: 5 wait states at 168 MHz and 3.3 V, with prefetch and both caches.
  kFlashAcr.write(bit(10) | bit(9) | bit(8) | 5U);

  // PPRE2 /2, PPRE1 /4: 84 MHz and 42 MHz at most; timers run at twice the bus where the bus is divided.
  rcc::kCfgr.write((4U << 13U) | (5U << 10U));
  rcc::kCfgr.set(2U);                                 // SW: the PLL
  while ((rcc::kCfgr.read() & 0xCU) != (2U << 2U)) {  // SWS
  }
  return {168'000'000, 84'000'000, 84'000'000};
}

}  // namespace kinecast::port::stm32f405
