// SPDX-License-Identifier: MIT
// How much memory the program takes: the painted stack and the sizes that the linker knows.
#include <cstdint>

#include "kinecast_port/port.hpp"
#include "linker_symbols.hpp"

namespace kinecast::port {
namespace {

constexpr std::uint32_t kPaint = 0xC5C5C5C5U;

std::uint32_t measured_from = 0;
std::uint32_t saved_primask = 0;

}  // namespace

// Naked: paints right up to its caller's frame, with no frame of its own in between.
[[gnu::naked]] void paint_stack() noexcept {
  asm volatile(
      ".syntax unified \n"
      "ldr r0, =kinecast_stack_limit \n"
      "mov r1, sp \n"
      "ldr r2, =%c0 \n"
      "1: cmp r0, r1 \n"
      "bhs 2f \n"
      "str r2, [r0] \n"
      "adds r0, r0, #4 \n"
      "b 1b \n"
      "2: bx lr \n"
      ".ltorg \n" ::"i"(kPaint));
}

std::uint32_t stack_used_bytes() noexcept {
  // volatile: to the compiler nobody has written below the stack pointer.
  const volatile std::uint32_t* word = &kinecast_stack_limit;
  while (word < &kinecast_stack_top && *word == kPaint) ++word;
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&kinecast_stack_top) -
                                    reinterpret_cast<std::uintptr_t>(word));
}

std::uint32_t stack_size_bytes() noexcept { return address_of(kinecast_stack_top) - address_of(kinecast_stack_limit); }

std::uint32_t flash_used_bytes() noexcept { return address_of(kinecast_flash_end) - address_of(kinecast_flash_start); }

std::uint32_t ram_static_bytes() noexcept {
  return address_of(kinecast_data_end) - address_of(kinecast_data_start) + address_of(kinecast_bss_end) -
         address_of(kinecast_bss_start);
}

namespace detail {

void stack_begin() noexcept {
  asm volatile("mrs %0, primask \n cpsid i" : "=r"(saved_primask)::"memory");
  // The canonical frame address is the caller's stack pointer.
  measured_from = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()));
  paint_stack();
}

std::uint32_t stack_end() noexcept {
  const std::uint32_t used = stack_used_bytes();
  asm volatile("msr primask, %0" ::"r"(saved_primask) : "memory");
  const std::uint32_t before = address_of(kinecast_stack_top) - measured_from;
  return used > before ? used - before : 0;  // a call without a frame leaves the caller's last word painted
}

}  // namespace detail

}  // namespace kinecast::port
