// SPDX-License-Identifier: MIT
// Sine and cosine together, from the same operations on every platform, so that host and target agree to the bit.
// Cost: 26 floating-point operations in float. Error: below 1.2e-7 (float) and 2.3e-16 (double) for |angle| <= kMaxAngle.
#pragma once

#include <kinecast/core/scalar.hpp>

#include <cstddef>
#include <cstdint>

namespace kinecast {

template <class S>
struct SinCos {
  S sin;
  S cos;
};

namespace detail {

template <class S>
struct SinCosConstants;

// Cody-Waite: pi/2 = part1 + part2 + part3, where quarter turns times part1 and part2 are exact up to kMaxQuarterTurns.
// The polynomials are the minimax ones of Cephes (Moshier) on [-pi/4, pi/4].
template <>
struct SinCosConstants<float> {
  using Bits = std::uint32_t;
  static constexpr float kMaxQuarterTurns = 8192.0F;
  static constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer in the low bits
  static constexpr float kPart1 = 1.5703125F;
  static constexpr float kPart2 = 4.837512969970703125e-4F;
  static constexpr float kPart3 = 7.54978995489188216e-8F;
  static constexpr float kSin[] = {-1.9515295891e-4F, 8.3321608736e-3F, -1.6666654611e-1F};
  static constexpr float kCos[] = {2.443315711809948e-5F, -1.388731625493765e-3F, 4.166664568298827e-2F};
};

template <>
struct SinCosConstants<double> {
  using Bits = std::uint64_t;
  static constexpr double kMaxQuarterTurns = 1048576.0;
  static constexpr double kRounder = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double kPart1 = 2 * 7.85398125648498535156e-1;
  static constexpr double kPart2 = 2 * 3.77489470793079817668e-8;
  static constexpr double kPart3 = 2 * 2.69515142907905952645e-15;
  static constexpr double kSin[] = {1.58962301576546568060e-10, -2.50507477628578072866e-8, 2.75573136213857245213e-6,
                                    -1.98412698295895385996e-4, 8.33333333332211858878e-3,  -1.66666666666666307295e-1};
  static constexpr double kCos[] = {-1.13585365213876817300e-11, 2.08757008419747316778e-9,  -2.75573141792967388112e-7,
                                    2.48015872888517045348e-5,   -1.38888888888730564116e-3, 4.16666666666665929218e-2};
};

template <class S, std::size_t N>
[[nodiscard, gnu::always_inline]] constexpr S horner(const S (&coefficients)[N], S x) noexcept {
  S sum = coefficients[0];
  for (std::size_t i = 1; i < N; ++i) sum = sum * x + coefficients[i];
  return sum;
}

}  // namespace detail

// Angles up to here are reduced exactly: 12 867 rad (float), 1.6e6 rad (double).
template <class S>
inline constexpr S kMaxAngle = detail::SinCosConstants<S>::kMaxQuarterTurns* S(1.5707963267948966);

// sin and cos of angle + quarter_turns * pi/2; the quarter turns are exact, so that symmetric poses stay symmetric.
// The caller checks |angle| <= kMaxAngle; a NaN or an infinity gives NaN.
template <class S>
[[nodiscard]] inline SinCos<S> sincos(S angle, std::uint32_t quarter_turns = 0) noexcept {
  using C = detail::SinCosConstants<S>;
  const S rounded = angle * S(0.63661977236758134308) + C::kRounder;
  typename C::Bits bits;
  static_assert(sizeof bits == sizeof rounded);
  __builtin_memcpy(&bits, &rounded, sizeof bits);
  const S turns = rounded - C::kRounder;
  const S x = ((angle - turns * C::kPart1) - turns * C::kPart2) - turns * C::kPart3;
  const S z = x * x;
  const S sine = detail::horner(C::kSin, z) * (z * x) + x;
  const S cosine = detail::horner(C::kCos, z) * (z * z) - S(0.5) * z + S(1);
  const std::uint32_t quadrant = static_cast<std::uint32_t>(bits) + quarter_turns;
  const bool swap = (quadrant & 1U) != 0;
  const S a = swap ? cosine : sine;
  const S b = swap ? sine : cosine;
  return {(quadrant & 2U) != 0 ? -a : a, ((quadrant + 1U) & 2U) != 0 ? -b : b};
}

}  // namespace kinecast
