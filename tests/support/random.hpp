// SPDX-License-Identifier: MIT
// Random numbers that are the same on every machine and with every standard library: SplitMix64, 53 bits of it. The standard
// distributions are not specified to the bit, and <random> is large for a board; where an oracle has used it from the
// start, standard_random.hpp keeps its numbers.
#pragma once

#include <cstdint>

namespace support {

class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  // Uniform in [-limit, limit).
  [[nodiscard]] double within(double limit) noexcept {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    z ^= z >> 31U;
    return limit * (static_cast<double>(z >> 11U) * (2.0 / 9007199254740992.0) - 1.0);  // 2⁵³
  }

 private:
  std::uint64_t state_;
};

}  // namespace support
