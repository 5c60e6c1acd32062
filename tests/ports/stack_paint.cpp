// SPDX-License-Identifier: MIT
// The painted stack shows a known frame: 512 bytes of array, and little else.
#include <cstdint>

#include "kinecast_port/text.hpp"

namespace {

constexpr std::uint32_t kArrayBytes = 512;
constexpr std::uint32_t kMostBookkeeping = 16;  // saved registers and alignment

template <std::uint32_t bytes>
[[gnu::noinline]] void touch() {
  volatile char frame[bytes];
  for (volatile char& c : frame) c = 1;
}

bool near(std::uint32_t expected, std::uint32_t measured) {
  kinecast::port::put(kinecast::port::integer(measured));
  kinecast::port::put(" bytes measured\n");
  return measured >= expected && measured <= expected + kMostBookkeeping;
}

}  // namespace

int main() {
  using kinecast::port::stack_of;
  int failures = 0;
  if (!near(kArrayBytes, stack_of([] { touch<kArrayBytes>(); }))) ++failures;
  // Repaintable: a smaller call after a larger one shows its own depth.
  if (!near(kArrayBytes / 4, stack_of([] { touch<kArrayBytes / 4>(); }))) ++failures;
  if (kinecast::port::stack_used_bytes() > kinecast::port::stack_size_bytes()) ++failures;
  if (kinecast::port::stack_used_bytes() < kArrayBytes / 4) ++failures;
  if (kinecast::port::flash_used_bytes() == 0 || kinecast::port::ram_static_bytes() == 0) ++failures;
  if (failures == 0) kinecast::port::put("stack paint exact\n");
  return failures;
}
