// SPDX-License-Identifier: MIT
// Addresses that sections.ld defines. Only their addresses mean something, never their contents.
#pragma once

#include <cstdint>

extern "C" {
extern std::uint32_t kinecast_stack_limit, kinecast_stack_top;
extern std::uint32_t kinecast_data_start, kinecast_data_end, kinecast_data_load;
extern std::uint32_t kinecast_bss_start, kinecast_bss_end;
extern std::uint32_t kinecast_flash_start, kinecast_flash_end;
extern void (*const kinecast_init_start[])();
extern void (*const kinecast_init_end[])();
}

namespace kinecast::port {

inline std::uint32_t address_of(const std::uint32_t& symbol) noexcept {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&symbol));
}

// Where ARMv7-M's MPU denies all access: just below the stack, which is just below all RAM, so
// the guard costs no memory. One page holds more than the largest frame we build.
inline constexpr std::uint32_t kStackGuardBytes = 4096;

}  // namespace kinecast::port
