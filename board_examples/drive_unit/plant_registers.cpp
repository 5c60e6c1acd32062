// SPDX-License-Identifier: MIT
// The real drive unit on an STM32F405 (register names as in RM0090):
//   PB6, PB7  TIM4_CH1, TIM4_CH2, 20 kHz   to the two inputs of an H bridge (IN1/IN2, DRV8871 or alike), 24 V supply
//   PA6, PA7  TIM3_CH1, TIM3_CH2           from the encoder's channels A and B, with pull-ups
// Compiled for every commit; the emulator has no motor to run it with.
#include "encoder.hpp"
#include "kinecast_port/stm32f405/registers.hpp"
#include "plant.hpp"

namespace plant {
namespace {

using namespace kinecast::port::stm32f405;

constexpr float kSupply_V = 24.0F;
constexpr std::uint32_t kPwm_Hz = 20'000;      // above hearing
constexpr std::uint32_t kAlternateTimers = 2;  // AF2: TIM3, TIM4, TIM5

std::uint32_t pwm_period = 0;
std::uint32_t last_count = 0;
std::int32_t position_counts = 0;

// Both inputs high shorts the motor: that is what 0 V means to the model. Both low would let it coast.
void drive(std::uint32_t forward, std::uint32_t backward) noexcept {
  kTim4.ccr1().write(pwm_period - backward);
  kTim4.ccr2().write(pwm_period - forward);
}

void start_bridge(const Clocks& clocks) noexcept {
  pwm_period = clocks.timer_Hz / kPwm_Hz;
  rcc::kApb1enr.set(bit(2));  // TIM4EN
  kTim4.arr().write(pwm_period - 1U);
  // OC1M, OC2M = 110: high while CNT < CCR, so that CCR = ARR + 1 is high without a gap. OC1PE, OC2PE: a new value waits
  // for the period's end, and no pulse is cut.
  kTim4.ccmr1().write((6U << 12U) | bit(11) | (6U << 4U) | bit(3));
  drive(0, 0);
  kTim4.egr().write(bit(0));            // UG: take the values over now
  kTim4.ccer().write(bit(4) | bit(0));  // CC2E, CC1E
  kTim4.cr1().write(bit(7) | bit(0));   // ARPE, CEN
  connect(kGpioB, 6, kAlternateTimers);
  connect(kGpioB, 7, kAlternateTimers);
}

void start_encoder() noexcept {
  rcc::kApb1enr.set(bit(1));  // TIM3EN
  kGpioA.pupdr().update(15U << 12U, 5U << 12U);
  connect(kGpioA, 6, kAlternateTimers);
  connect(kGpioA, 7, kAlternateTimers);
  kTim3.arr().write(0xFFFFU);
  // CC1S, CC2S = 01: inputs TI1, TI2. IC1F, IC2F = 0011: a level counts after 8 clocks, 0.1 us, which spikes do not last.
  kTim3.ccmr1().write((3U << 12U) | (1U << 8U) | (3U << 4U) | 1U);
  kTim3.smcr().write(3U);  // SMS = 011: every edge of both channels counts
  kTim3.cr1().write(bit(0));
}

}  // namespace

bool has_console() noexcept { return false; }

Clocks start() noexcept {
  const Clocks clocks = start_clocks();
  rcc::kAhb1enr.set(bit(1) | bit(0));  // GPIOBEN, GPIOAEN
  start_bridge(clocks);
  start_encoder();
  return clocks;
}

// The counter has 16 bits and wraps; between two readings it moves by a few hundred counts, so the difference as a signed
// number is the true one.
float read_angle_rad() noexcept {
  const std::uint32_t count = kTim3.cnt().read();
  position_counts += static_cast<std::int16_t>(static_cast<std::uint16_t>(count - last_count));
  last_count = count;
  return encoder::angle_rad(position_counts);
}

void write_volts(float volts) noexcept {
  const float duty = (volts < 0 ? -volts : volts) / kSupply_V;
  const auto high = static_cast<std::uint32_t>((duty < 1 ? duty : 1) * static_cast<float>(pwm_period));
  if (volts < 0)
    drive(0, high);
  else
    drive(high, 0);
}

}  // namespace plant
