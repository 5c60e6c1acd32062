// SPDX-License-Identifier: MIT
// A whole input file, and the hash by which a generated header says what it was made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinecast::host {

// All bytes of a file. Throws Failure (bad input) if it cannot be read, or is a folder.
[[nodiscard]] std::string contents_of(const std::string& file);

inline constexpr std::uint64_t kFnvBasis = 0xCBF29CE484222325U;

// FNV-1a, 64 bit; `hash` of what came before.
[[nodiscard]] std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = kFnvBasis);

// 16 hexadecimal digits.
[[nodiscard]] std::string hex(std::uint64_t value);

}  // namespace kinecast::host
