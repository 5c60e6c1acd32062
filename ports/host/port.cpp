// SPDX-License-Identifier: MIT
// The port interface on a desktop: text to stdout, exit through the C library. A desktop counts
// neither instructions nor stack bytes exactly, so those answers are false and 0.
#include "kinecast_port/port.hpp"

#include <cstdio>
#include <cstdlib>

namespace kinecast::port {

void write(const char* text) noexcept { std::fputs(text, stdout); }

void exit(int code) noexcept {
  std::fflush(stdout);
  std::exit(exit_byte(code));
}

bool counter_start() noexcept { return false; }
std::uint32_t counter_now() noexcept { return 0; }
std::uint32_t instructions(std::uint32_t /*start*/, std::uint32_t /*stop*/) noexcept { return 0; }

void paint_stack() noexcept {}
std::uint32_t stack_used_bytes() noexcept { return 0; }
std::uint32_t stack_size_bytes() noexcept { return 0; }

std::uint32_t flash_used_bytes() noexcept { return 0; }
std::uint32_t ram_static_bytes() noexcept { return 0; }

namespace detail {
void count_begin() noexcept {}
std::uint32_t count_end() noexcept { return 0; }
void stack_begin() noexcept {}
std::uint32_t stack_end() noexcept { return 0; }
}  // namespace detail

}  // namespace kinecast::port
