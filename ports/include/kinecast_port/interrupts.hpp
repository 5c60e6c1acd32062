// SPDX-License-Identifier: MIT
// Interrupts on Cortex-M: the vector table and the NVIC. A firmware with interrupt handlers defines its own table
// in one of its files; else the port's own (ports/cortex_m/startup.cpp) is linked, where every line is unexpected.
//   constexpr kinecast::port::VectorTable kinecast_vectors = kinecast::port::vectors({{28, on_timer}});
// Handlers are ordinary functions and may use the FPU: the core saves its registers when a handler first needs them.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "kinecast_port/register.hpp"

extern "C" {
extern std::uint32_t kinecast_stack_top;
void kinecast_reset();
void kinecast_fault();
void kinecast_unexpected_interrupt();
void kinecast_counter_wrap();
}

namespace kinecast::port {

using Handler = void (*)();

#if __ARM_ARCH == 6
inline constexpr int kInterruptLines = 32;
#else
inline constexpr int kInterruptLines = 96;
#endif

struct VectorTable {
  const std::uint32_t* initial_stack;
  Handler handlers[15 + kInterruptLines];
};

struct InterruptHandler {
  int line;  // as the chip's manual numbers it: 0 is exception 16
  Handler handler;
};

constexpr VectorTable vectors(std::initializer_list<InterruptHandler> interrupts) {
  VectorTable table{&kinecast_stack_top, {}};
  for (Handler& handler : table.handlers) handler = kinecast_unexpected_interrupt;
  table.handlers[0] = kinecast_reset;
  for (int fault = 2; fault <= 6; ++fault) table.handlers[fault] = kinecast_fault;  // HardFault to SecureFault
  table.handlers[14] = kinecast_counter_wrap;                                       // SysTick
  // A line out of range does not compile.
  for (const InterruptHandler& interrupt : interrupts) table.handlers[15 + interrupt.line] = interrupt.handler;
  return table;
}

}  // namespace kinecast::port

// sections.ld puts this section at the start of flash.
extern "C" [[gnu::section(".vectors")]] const kinecast::port::VectorTable kinecast_vectors;

namespace kinecast::port {

// Levels 0 (most urgent) to 3, as many as the smallest core has. The instruction counter's timer has level 0: a handler
// that counts, or that is counted, takes a higher number, or a wrap of the counter waits for its end.
enum class Urgency : std::uint32_t { first = 0, second = 1, third = 2, last = 3 };

inline void enable_interrupt(int line, Urgency urgency) noexcept {
  const auto number = static_cast<std::uint32_t>(line);
  constexpr std::uint32_t kPriorities = 0xE000E400U;  // NVIC_IPR, a byte per line, its top bits count
  constexpr std::uint32_t kSetEnable = 0xE000E100U;   // NVIC_ISER, a bit per line
  const std::uint32_t shift = 8U * (number % 4U);
  reg::Register{kPriorities + (number / 4U) * 4U}.update(0xFFU << shift, static_cast<std::uint32_t>(urgency)
                                                                             << (shift + 6U));
  reg::Register{kSetEnable + (number / 32U) * 4U}.write(1U << (number % 32U));
}

// Sleeps until an interrupt.
inline void wait_for_interrupt() noexcept { asm volatile("wfi" ::: "memory"); }

}  // namespace kinecast::port
