// SPDX-License-Identifier: MIT
// Per-scalar numbers, all in one place, each with its reason. The library is written for float and double.
#pragma once

#include <limits>
#include <type_traits>

// NaN checks and the argument reduction of sincos() rely on IEEE arithmetic in the order written.
#if defined(__FAST_MATH__)
#error "kinecast needs IEEE arithmetic: do not compile it with -ffast-math"
#endif

namespace kinecast {

template <class S>
struct Tolerance {
  static_assert(std::is_same_v<S, float> || std::is_same_v<S, double>, "kinecast works in float and in double");

  static constexpr S kEpsilon = std::numeric_limits<S>::epsilon();

  // | |quaternion|² - 1 | accepted as unit: a thousand steps of normalisation error, far below any sensor's error.
  static constexpr S kUnitQuaternion = S(1000) * kEpsilon;

  // Beyond these an input is an error upstream, and within them nothing overflows a float: speeds reach 1e15, energies 1e36.
  static constexpr S kLargestInput = S(1e9);     // root of the sum of squares of dq, ddq, tau, forces or wrenches
  static constexpr S kLargestPosition = S(1e6);  // prismatic joints and floating bases, m

  // Steps outside of these are a unit mistaken (ms for s) or nothing a drive's friction is meant for, s.
  static constexpr S kShortestStep = S(1e-7);
  static constexpr S kLongestStep = S(0.1);

  // A joint inertia below this fraction of its link's inertia is rounding noise: its relative error exceeds one quarter.
  static constexpr S kSingularInertia = S(4) * kEpsilon;
};

// True for every finite value; false for NaN and the infinities, whose difference with themselves is NaN.
template <class S>
[[nodiscard]] constexpr bool is_finite(S value) noexcept {
  return value - value >= S(0);  // NOLINT(misc-redundant-expression): not so for NaN and the infinities
}

}  // namespace kinecast
