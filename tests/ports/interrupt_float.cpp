// SPDX-License-Identifier: MIT
// A firmware's own interrupt handler, in the firmware's own vector table, computes with floats in the middle of a float
// computation; neither may notice the other. Raised by software between two instructions, while sums live in registers.
#include <cstdint>

#include "kinecast_port/interrupts.hpp"
#include "kinecast_port/text.hpp"

namespace {

using namespace kinecast::port;

constexpr int kLine = 3;
constexpr int kRounds = 1000;
// 6 per round; small whole numbers, so that every sum is exact. Three variables and no array, or they would not live in
// registers.
[[gnu::always_inline]] inline float six_times(int rounds, bool raise) {
  float a = 0;
  float b = 0;
  float c = 0;
  for (int round = 0; round < rounds; ++round) {
    a += 1;
    b += 2;
    c += 3;
    if (raise) {
      reg::Register{0xE000E200U}.write(1U << kLine);  // NVIC_ISPR
      asm volatile("dsb \n isb");
    }
  }
  return a + b + c;
}

volatile int handler_rounds = 3;
volatile int handled = 0;
volatile float in_handler = 0;

void on_interrupt() {
  in_handler = six_times(handler_rounds, false);
  handled = handled + 1;
}

}  // namespace

constexpr kinecast::port::VectorTable kinecast_vectors = kinecast::port::vectors({{kLine, on_interrupt}});

int main() {
  enable_interrupt(kLine, Urgency::second);
  const float in_main = six_times(kRounds, true);
  int failures = 0;
  if (handled != kRounds) ++failures;
  if (static_cast<int>(in_main) != 6 * kRounds) ++failures;
  if (static_cast<int>(in_handler) != 6 * 3) ++failures;
  if (failures == 0) put("interrupt and main both right\n");
  return failures;
}
