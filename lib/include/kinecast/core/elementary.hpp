// SPDX-License-Identifier: MIT
// Elementary functions from the same operations on every platform, so that host and target agree to the bit.
// sincos(): 26 floating-point operations in float; error below 1.2e-7 (float) and 2.3e-16 (double) for
// |angle| <= kMaxAngle. exp_minus(): 14 operations in float; relative error below 1.2e-7 (float) and 2.3e-16 (double).
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

// Angles up to this one are reduced exactly: 12 867 rad (float), 1.6e6 rad (double).
template <class S>
inline constexpr S kMaxAngle = detail::SinCosConstants<S>::kMaxQuarterTurns* S(1.5707963267948966);

// Gives sin and cos of angle + quarter_turns * pi/2; the quarter turns are exact, so that symmetric poses stay
// symmetric. The caller checks |angle| <= kMaxAngle; a NaN or an infinity gives NaN.
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

namespace detail {

template <class S>
struct ExpConstants;

// ln 2 = part1 + part2, where halvings times part1 is exact; the polynomials approximate (exp(x) - 1 - x) / x² on
// [-ln 2 / 2, ln 2 / 2]: Cephes' minimax one in float, Taylor's to degree 13 in double.
template <>
struct ExpConstants<float> {
  using Bits = std::uint32_t;
  static constexpr float kMost = 80.0F;           // exp(-80) = 2e-35, still a normal number; beyond it: 0
  static constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23
  static constexpr float kPart1 = 0.693359375F;
  static constexpr float kPart2 = -2.12194440e-4F;
  static constexpr std::uint32_t kExponentShift = 23;
  static constexpr float kPolynomial[] = {1.9875691500e-4F, 1.3981999507e-3F, 8.3334519073e-3F,
                                          4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F};
};
template <>
struct ExpConstants<double> {
  using Bits = std::uint64_t;
  static constexpr double kMost = 700.0;
  static constexpr double kRounder = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double kPart1 = 6.93145751953125e-1;
  static constexpr double kPart2 = 1.42860682030941723212e-6;
  static constexpr std::uint32_t kExponentShift = 52;
  static constexpr double kPolynomial[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
                                           1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
                                           1.0 / 120,        1.0 / 24,        1.0 / 6,        1.0 / 2};
};

}  // namespace detail

// Gives exp(-x) for x >= 0, and 0 beyond 80 (float) and 700 (double).
template <class S>
[[nodiscard]] inline S exp_minus(S x) noexcept {
  using C = detail::ExpConstants<S>;
  if (!(x <= C::kMost)) return S(0);
  const S rounded = x * S(1.44269504088896340736) + C::kRounder;
  typename C::Bits halvings;
  static_assert(sizeof halvings == sizeof rounded);
  __builtin_memcpy(&halvings, &rounded, sizeof halvings);
  const S n = rounded - C::kRounder;
  const S r = (n * C::kPart1 - x) + n * C::kPart2;
  S y = detail::horner(C::kPolynomial, r) * (r * r) + r + S(1);
  // y / 2^n, by its exponent: y is between 0.7 and 1.42, n between 0 and 116 (float) or 1010 (double).
  typename C::Bits bits;
  __builtin_memcpy(&bits, &y, sizeof bits);
  bits -= halvings << C::kExponentShift;
  __builtin_memcpy(&y, &bits, sizeof y);
  return y;
}

}  // namespace kinecast
