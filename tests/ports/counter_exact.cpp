// SPDX-License-Identifier: MIT
// Counts loops whose instructions are known: 2 n + 1 for a spin of n turns, short ones and long ones
// over several wraps of the 24-bit timer. Then lets a wrap fall on every instruction around a
// measurement, the reading's own included.
#include <cstdint>
#include <initializer_list>

#include "kinecast_port/text.hpp"

namespace {

using kinecast::port::count;
using kinecast::port::counter_now;
using kinecast::port::integer;
using kinecast::port::put;

int failures = 0;

void expect(std::uint32_t expected, std::uint32_t counted) {
  if (counted == expected) return;
  ++failures;
  put("expected ");
  put(integer(expected));
  put(", counted ");
  put(integer(counted));
  put("\n");
}

// Loading n is the one instruction besides the loop.
template <std::uint32_t n>
[[gnu::always_inline]] inline void spin() {
  asm volatile(".syntax unified \n ldr r3, =%c0 \n 1: subs r3, r3, #1 \n bne 1b" ::"i"(n) : "r3", "cc");
}

template <std::uint32_t n>
void check() {
  expect(2 * n + 1, count([] { spin<n>(); }));
}

struct Readings {
  std::uint32_t start, stop;
};

[[gnu::noinline]] Readings measure() {
  const std::uint32_t start = counter_now();
  spin<3>();
  return {start, counter_now()};
}

constexpr std::uint32_t kTimerMask = 0xFFFFFFU;

void sweep_over_wraps() {
  const Readings undisturbed = measure();
  const std::uint32_t expected = kinecast::port::instructions(undisturbed.start, undisturbed.stop);

  // Closer than this behind a wrap, the wrap's handler cannot have run before the reading.
  const std::uint32_t before_thousand = counter_now();
  spin<500>();
  const std::uint32_t ticks_of_3_instructions = ((counter_now() - before_thousand) & kTimerMask) / 340U;
  const auto wrapped_while_masked = [=](std::uint32_t reading) {
    return (reading & kTimerMask) < ticks_of_3_instructions;
  };

  // Measure back to back until the wrap is over, so that it falls somewhere in a loop of some 40
  // instructions; each approach comes with another phase.
  int starts_hit = 0;
  int stops_hit = 0;
  for (int phase = 0; phase < 150; ++phase) {
    constexpr std::uint32_t kTicksBefore = 16000;
    while ((counter_now() & kTimerMask) < kTimerMask - kTicksBefore) spin<20>();
    for (int i = 0; i < phase; ++i) asm volatile("nop");
    const std::uint32_t wraps = counter_now() >> 24U;
    Readings last = measure();
    Readings before_last = last;
    while (last.stop >> 24U == wraps) {
      before_last = last;
      last = measure();
    }
    for (const Readings& readings : {before_last, last}) {
      expect(expected, kinecast::port::instructions(readings.start, readings.stop));
      if (wrapped_while_masked(readings.start)) ++starts_hit;
      if (wrapped_while_masked(readings.stop)) ++stops_hit;
    }
  }
  put(integer(starts_hit));
  put(" starts and ");
  put(integer(stops_hit));
  put(" stops met a wrap\n");
  if (starts_hit + stops_hit == 0) ++failures;
}

}  // namespace

int main() {
  if (!kinecast::port::counter_start()) return 1;
  expect(0, count([] {}));
  expect(1, count([] { asm volatile("nop"); }));
  check<1>();
  check<1000>();
  check<123456>();
  check<12500000>();
  sweep_over_wraps();
  if (failures == 0) put("counter exact\n");
  return failures;
}
