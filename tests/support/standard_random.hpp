// SPDX-License-Identifier: MIT
// The standard library's generators and distributions in the words of random.hpp, for oracles on the host whose problems
// are drawn with them.
#pragma once

#include <random>

namespace support {

// 53 bits of the engine in [low, high). Not std's distribution, whose numbers differ by library.
[[nodiscard]] inline double uniform(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11U) / 9007199254740992.0;  // 2⁵³
}

template <class Engine>
class StandardRandom {
 public:
  explicit StandardRandom(typename Engine::result_type seed) : engine_(seed) {}

  [[nodiscard]] double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine_); }
  [[nodiscard]] double within(double size) { return between(-size, size); }
  [[nodiscard]] int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  [[nodiscard]] bool chance(double p) { return between(0, 1) < p; }
  [[nodiscard]] Engine& engine() { return engine_; }

 private:
  Engine engine_;
};

}  // namespace support
