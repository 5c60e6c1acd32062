// SPDX-License-Identifier: MIT
#include "kinecast_port/stm32f405/control_timer.hpp"

#include "kinecast_port/interrupts.hpp"
#include "kinecast_port/stm32f405/registers.hpp"

namespace kinecast::port::stm32f405 {
namespace {
constexpr std::uint32_t kUpdate = bit(0);  // UIE in TIM2_DIER, UIF in TIM2_SR
}

void start_control_timer(const Clocks& clocks, std::uint32_t rate_Hz) noexcept {
  rcc::kApb1enr.set(bit(0));  // TIM2EN
  // 32 bits hold any period, so the prescaler stays 1 and nothing needs an update event (EGR) to take effect. QEMU's
  // model asks for the same: after a write to PSC, CNT or EGR its period is wrong.
  kTim2.arr().write(clocks.timer_Hz / rate_Hz - 1U);
  kTim2.dier().write(kUpdate);
  // Second, behind the instruction counter's timer.
  enable_interrupt(kTim2Line, Urgency::second);
  kTim2.cr1().write(bit(0));  // CEN
}

void acknowledge() noexcept {
  kTim2.sr().write(~kUpdate);
  // The write must have arrived before the handler returns, or the interrupt comes once more.
  static_cast<void>(kTim2.sr().read());
}

bool beat_is_waiting() noexcept { return (kTim2.sr().read() & kUpdate) != 0; }

}  // namespace kinecast::port::stm32f405
