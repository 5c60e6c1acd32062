// SPDX-License-Identifier: MIT
// What the numeric tests share: repeatable random numbers, the worst error of many, and a line that reports it.
#pragma once

#include <unity.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "../support/random.hpp"
#include "kinecast_port/text.hpp"

namespace measure {

using support::Random;

template <class S>
[[nodiscard]] constexpr double f64(S x) noexcept {
  return static_cast<double>(x);
}

// The largest of many errors; a NaN counts as infinite.
struct Worst {
  double value{0};
  double largest{0};  // entry that compare() has met so far
  void see(double error) noexcept {
    const double size = !(std::abs(error) >= 0) ? std::numeric_limits<double>::infinity() : std::abs(error);
    if (size > value) value = size;
  }
  void see(double expected, double got, double scale) noexcept { see((got - expected) / scale); }
};

// Boards run fewer random states than the host; the emulated Cortex-M0 computes double at a hundredth of its speed.
#if defined(__ARM_ARCH_6M__)
constexpr int kEffort = 1;
#elif defined(__arm__)
constexpr int kEffort = 4;
#else
constexpr int kEffort = 100;
#endif

// Where double is software it is the compiler's library that a test would try, at a tenth of the speed: checks in double run on the
// host and on cores that have it in hardware, and tests/bit_equality runs it on all.
#if defined(KINECAST_TESTS_IN_FLOAT)
constexpr bool kInDouble = false;  // where both do not fit into the flash
#elif !defined(__arm__)
constexpr bool kInDouble = true;
#elif defined(__ARM_FP)
constexpr bool kInDouble = (__ARM_FP & 8) != 0;
#else
constexpr bool kInDouble = false;
#endif

template <class S>
constexpr bool kIsFloat = std::is_same_v<S, float>;
template <class S>
constexpr double kEps = static_cast<double>(std::numeric_limits<S>::epsilon());

// One bound per scalar.
template <class S>
[[nodiscard]] constexpr double bound(double in_float, double in_double) noexcept {
  return kIsFloat<S> ? in_float : in_double;
}

template <class V>
[[nodiscard]] inline double largest(const V& v, int count) noexcept {
  double size = 0;
  for (int i = 0; i < count; ++i) size = std::fmax(size, std::abs(static_cast<double>(v[i])));
  return size;
}

// Errors relative to the largest entry of the vector. One or two entries may cancel to nothing: then relative to the
// largest that any vector so far had.
template <class V>
inline void compare(const double* expected, const V& got, int count, Worst& worst) noexcept {
  double scale = largest(expected, count);
  worst.largest = std::fmax(worst.largest, scale);
  if (count < 3) scale = worst.largest;
  for (int i = 0; i < count; ++i) worst.see(expected[i], static_cast<double>(got[i]), scale);
}

// Prints the error in units of 1e-9 (float) or 1e-18 (double), and asserts that it is below the limit.
template <class S>
[[gnu::noinline]] void assert_below(double limit, const Worst& worst, const char* what, const char* of = "") noexcept {
  using namespace kinecast::port;
  put("  measured ");
  put(what);
  put(of[0] == '\0' ? "" : ", ");
  put(of);
  put(kIsFloat<S> ? ", float: " : ", double: ");
  put(fixed(static_cast<float>(worst.value * (kIsFloat<S> ? 1e9 : 1e18)), 1));
  put(kIsFloat<S> ? " e-9\n" : " e-18\n");
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(limit, 0.0, worst.value, what);
}

}  // namespace measure
