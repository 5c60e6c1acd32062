// SPDX-License-Identifier: MIT
// A hash that tells files apart: FNV-1a of 64 bits. Against accident, not against malice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinecast::host {

// `before`: the hash of what comes before these bytes.
[[nodiscard]] inline std::uint64_t fnv1a(std::string_view bytes, std::uint64_t before = 0xCBF29CE484222325U) {
  for (const char byte : bytes) before = (before ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
  return before;
}

// 16 hexadecimal digits.
[[nodiscard]] inline std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4U) text[i] = "0123456789abcdef"[value & 15U];
  return text;
}

}  // namespace kinecast::host
