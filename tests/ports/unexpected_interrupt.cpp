// SPDX-License-Identifier: MIT
// Raises interrupt line 3, exception 16 + 3, which has no handler.
#include <cstdint>

int main() {
  const auto enable = reinterpret_cast<volatile std::uint32_t*>(std::uintptr_t{0xE000E100U});
  const auto pend = reinterpret_cast<volatile std::uint32_t*>(std::uintptr_t{0xE000E200U});
  *enable = 1U << 3U;
  *pend = 1U << 3U;
  asm volatile("dsb \n isb");
}
