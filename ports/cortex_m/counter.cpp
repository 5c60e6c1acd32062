// SPDX-License-Identifier: MIT
// Exact instruction counts from SysTick under `qemu -icount shift=N`: every instruction takes 2^N ns
// of virtual time and SysTick ticks at the core's clock, so ticks are proportional to instructions.
// The timer has 24 bits; its interrupt counts the wraps, and what the interrupt executes is
// subtracted. A reading is wraps (8 bits) over elapsed ticks (24 bits).
#include <cstdint>

#include "kinecast_port/port.hpp"
#include "registers.hpp"

namespace kinecast::port {

// Referred to by the wrap handler's assembly.
extern "C" {
std::uint32_t kinecast_counter_wraps = 0;
void kinecast_counter_wrap();
}

namespace {

constexpr std::uint32_t kTimerMask = 0xFFFFFFU;
constexpr std::uint32_t kOneWrap = kTimerMask + 1U;

// Ticks per 1000 instructions: 2^N times the clock in MHz, a whole number on every board we run,
// which makes the calibration exact and not merely close. 0: cannot count.
std::uint32_t ticks_per_1000 = 0;
std::uint32_t ticks_per_instruction = 0;  // rounded
std::uint32_t overhead = 0;
std::uint32_t begin_reading = 0;

// Straight-line and masked: the wrap count and the timer must belong together. When the timer expires
// in the middle of an instruction (168 MHz and 64 ns do not divide), QEMU shows 1 until that
// instruction is over. So the timer is read twice, and if the second reading may be such a 1, the
// first, one instruction older, replaces it.
[[gnu::always_inline]] inline std::uint32_t reading() noexcept {
  std::uint32_t primask = 0;
  std::uint32_t wraps = 0;
  std::uint32_t older = 0;
  std::uint32_t value = 0;
  asm volatile(
      "mrs %0, primask \n"
      "cpsid i \n"
      "ldr %1, [%4] \n"
      "ldr %2, [%5] \n"
      "ldr %3, [%5] \n"
      "msr primask, %0 \n"
      : "=&l"(primask), "=&l"(wraps), "=&l"(older), "=&l"(value)
      : "l"(&kinecast_counter_wraps), "l"(reg::kSysTickValue.address)
      : "memory");
  const std::uint32_t stale = 0U - ((value - 2U) >> 31U);  // all ones if value < 2; no branch
  const std::uint32_t chosen = value ^ ((value ^ (older - ticks_per_instruction)) & stale);
  return (wraps << 24U) | ((kTimerMask - chosen) & kTimerMask);
}

// The timer may wrap inside the masked part, at most 4 instructions before it is read; then the
// reading lacks that wrap. Had the handler run, at least 9 instructions would have passed.
std::uint32_t with_pending_wrap(std::uint32_t raw) noexcept {
  const std::uint32_t ticks_of_6_instructions = ticks_per_1000 * 6U / 1000U;
  return (raw & kTimerMask) < ticks_of_6_instructions ? raw + kOneWrap : raw;
}

constexpr std::uint32_t kHandlerInstructions = 5;

// 2 instructions per turn.
[[gnu::always_inline]] inline void spin(std::uint32_t turns) noexcept {
  asm volatile(
      ".syntax unified \n"
      "1: subs %0, %0, #1 \n"
      "bne 1b \n"
      : "+l"(turns)
      :
      : "cc");
}

// Ticks of exactly 2 * turns instructions and a constant.
[[gnu::noinline]] std::uint32_t ticks_of_spin(std::uint32_t turns) noexcept {
  const std::uint32_t start = reading();
  spin(turns);
  return (reading() - start) & kTimerMask;
}

}  // namespace

extern "C" [[gnu::naked, gnu::used]] void kinecast_counter_wrap() {
  asm volatile(
      ".syntax unified \n"
      "ldr r0, =kinecast_counter_wraps \n"
      "ldr r1, [r0] \n"
      "adds r1, r1, #1 \n"
      "str r1, [r0] \n"
      "bx lr \n"
      ".ltorg \n");
}

bool counter_start() noexcept {
  constexpr std::uint32_t kThousands = 40;
  constexpr std::uint32_t kTurns = kThousands * 500U;
  constexpr std::uint32_t kLeastTicksPer1000 = 2500;  // below 2 ticks per instruction rounding is not exact

  ticks_per_1000 = 0;
  ticks_per_instruction = 0;
  overhead = 0;
  reg::kSysTickControl.write(0);
  reg::kSysTickReload.write(kTimerMask);
  reg::kSysTickValue.write(0);
  reg::kSysTickControl.write(7);  // core clock, interrupt, enabled
  spin(100);                      // past the reload that follows the write of 0

  // Without -icount the timer follows the host's clock, and no two measurements agree to a tick.
  for (int repetition = 0; repetition < 4; ++repetition) {
    const std::uint32_t ticks = ticks_of_spin(kTurns + 100U) - ticks_of_spin(100U);
    const std::uint32_t rate = (ticks + kThousands / 2U) / kThousands;
    const std::uint32_t error = ticks + 1U - rate * kThousands;  // 0, 1 or 2 when exact to one tick
    if (rate < kLeastTicksPer1000 || error > 2U || (repetition > 0 && rate != ticks_per_1000)) {
      ticks_per_1000 = 0;
      return false;
    }
    ticks_per_1000 = rate;
  }
  ticks_per_instruction = (ticks_per_1000 + 500U) / 1000U;
  overhead = count([] {});
  return true;
}

std::uint32_t counter_now() noexcept { return reading(); }

std::uint32_t instructions(std::uint32_t start, std::uint32_t stop) noexcept {
  if (ticks_per_1000 == 0) return 0;
  const std::uint32_t ticks = with_pending_wrap(stop) - with_pending_wrap(start);
  const std::uint32_t handler_runs = ((stop >> 24U) - (start >> 24U)) & 0xFFU;
  const std::uint64_t scaled = std::uint64_t{ticks} * 1000U + ticks_per_1000 / 2U;
  return static_cast<std::uint32_t>(scaled / ticks_per_1000) - handler_runs * kHandlerInstructions;
}

namespace detail {

[[gnu::noinline]] void count_begin() noexcept { begin_reading = reading(); }

[[gnu::noinline]] std::uint32_t count_end() noexcept {
  const std::uint32_t end_reading = reading();
  return instructions(begin_reading, end_reading) - overhead;
}

}  // namespace detail

}  // namespace kinecast::port
