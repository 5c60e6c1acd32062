// SPDX-License-Identifier: MIT
// The narrow interface between a program and the machine it runs on: write text, exit, count
// instructions, measure the stack, tell the size of the image. Firmwares, unit tests and benches
// use it; lib/ never does. Implementations: ports/cortex_m and ports/host. What a platform cannot
// know it answers with 0 or false, so that a caller can print "unknown" instead of a guess.
#pragma once

#include <cstdint>

#include "kinecast_port/exit_codes.hpp"

namespace kinecast::port {

// Text to the console, buffered by line; exit flushes. Host: stdout.
void write(const char* text) noexcept;

// Ends the program; code goes through exit_byte.
[[noreturn]] void exit(int code) noexcept;

// --- Instruction counter ---------------------------------------------------------------------
// Exact, and the same in every run. Cortex-M: SysTick under `qemu -icount`, where virtual time is
// a fixed number of ticks per instruction. Exact to 25 million instructions (16 wraps of the timer on
// the STM32F405, whose clock is no whole number of ns: QEMU loses 0.95 ns per wrap; the other boards
// are exact to 2^32 ticks, 130 million instructions and more). Host: cannot count.

// Calibrates the counter and starts it. False if the platform cannot count exactly (QEMU without
// -icount, real hardware, host); then every count is 0.
[[nodiscard]] bool counter_start() noexcept;

// A raw reading; only the difference of two readings has a meaning, through instructions().
std::uint32_t counter_now() noexcept;

// Instructions executed between two readings, including those of reading itself.
std::uint32_t instructions(std::uint32_t start, std::uint32_t stop) noexcept;

namespace detail {
void count_begin() noexcept;
std::uint32_t count_end() noexcept;
void stack_begin() noexcept;
std::uint32_t stack_end() noexcept;
}  // namespace detail

// Instructions of f alone: the counter's own are subtracted. Begin and end take and return nothing
// that f's surroundings must keep, so the overhead does not depend on register allocation.
// Not to be nested.
template <typename Function>
[[gnu::always_inline]] inline std::uint32_t count(Function&& f) noexcept {
  detail::count_begin();
  f();
  return detail::count_end();
}

// --- Stack -----------------------------------------------------------------------------------

// Fills the unused part of the stack with a pattern. Done once at reset; may be repeated.
void paint_stack() noexcept;

// Deepest use since the last paint, counted from the stack's top. Host: 0.
std::uint32_t stack_used_bytes() noexcept;

// What the linker script reserved. Host: 0.
std::uint32_t stack_size_bytes() noexcept;

// Stack that the call in f needs, counted from the caller's stack pointer. The function called
// in f must not be inlined, or its frame belongs to the caller. Interrupts are off meanwhile, or
// their frames would be counted. Not to be nested in count().
template <typename Function>
[[gnu::always_inline]] inline std::uint32_t stack_of(Function&& f) noexcept {
  detail::stack_begin();
  f();
  return detail::stack_end();
}

// --- Image -----------------------------------------------------------------------------------

// Vectors, code, constants and the initial values of variables. Host: 0.
std::uint32_t flash_used_bytes() noexcept;

// Variables (.data and .bss), without the stack. Host: 0.
std::uint32_t ram_static_bytes() noexcept;

}  // namespace kinecast::port
