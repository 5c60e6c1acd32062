// SPDX-License-Identifier: MIT
// Numbers as decimal text, without printf and without a double: integer arithmetic only, so a float
// firmware stays free of soft-double routines. Fields are values; put() sends them to the port.
//   put("torque "); put_right(fixed(tau, 3), 10); put(" N.m\n");
#pragma once

#include <cstdint>
#include <cstring>

#include "kinecast_port/port.hpp"

namespace kinecast::port {

// One number's text, zero-terminated. 20 digits of the largest 64-bit number, sign, point, terminator.
class Field {
 public:
  static constexpr int kCapacity = 24;

  const char* c_str() const noexcept { return text_ + begin_; }
  int size() const noexcept { return kCapacity - 1 - begin_; }

  // Fields grow from their last character to their first, as digits come out of a division.
  void prepend(char c) noexcept {
    if (begin_ > 0) text_[--begin_] = c;
  }
  void prepend(const char* text) noexcept {
    for (auto length = std::strlen(text); length > 0; --length) prepend(text[length - 1]);
  }

 private:
  char text_[kCapacity] = {};
  int begin_ = kCapacity - 1;
};

namespace detail {

inline Field digits(std::uint64_t magnitude, bool negative, int decimals) noexcept {
  Field field;
  int written = 0;
  do {
    if (written == decimals && decimals > 0) field.prepend('.');
    field.prepend(static_cast<char>('0' + static_cast<int>(magnitude % 10U)));
    magnitude /= 10U;
    ++written;
  } while (magnitude != 0 || written <= decimals);
  if (negative) field.prepend('-');
  return field;
}

inline Field word(const char* text, bool negative) noexcept {
  Field field;
  field.prepend(text);
  if (negative) field.prepend('-');
  return field;
}

}  // namespace detail

inline Field integer(std::int64_t value) noexcept {
  const bool negative = value < 0;
  const auto bits = static_cast<std::uint64_t>(value);
  return detail::digits(negative ? ~bits + 1U : bits, negative, 0);
}

inline Field hexadecimal(std::uint32_t value) noexcept {
  Field field;
  for (int nibble = 0; nibble < 8; ++nibble, value >>= 4U) field.prepend("0123456789abcdef"[value & 15U]);
  field.prepend("0x");
  return field;
}

inline constexpr int kMostDecimals = 6;

// The value rounded to `decimals` places (0..6, clamped), ties to even, exactly as printf("%.*f")
// would; "nan", "inf", and "ovf" for magnitudes of 2^40 (about 1.1e12) and more.
inline Field fixed(float value, int decimals) noexcept {
  static_assert(sizeof(float) == sizeof(std::uint32_t), "fixed() takes apart an IEEE single");
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const bool negative = (bits >> 31U) != 0;
  const auto exponent_field = static_cast<int>((bits >> 23U) & 0xFFU);
  const std::uint32_t fraction = bits & 0x7FFFFFU;
  if (exponent_field == 0xFF) return fraction != 0 ? detail::word("nan", false) : detail::word("inf", negative);

  // value = mantissa * 2^exponent; the mantissa has 24 bits, 10^6 another 20.
  const int exponent = (exponent_field == 0 ? 1 : exponent_field) - 150;
  if (exponent >= 40 - 23) return detail::word("ovf", negative);
  if (decimals < 0) decimals = 0;
  if (decimals > kMostDecimals) decimals = kMostDecimals;
  std::uint64_t scaled = exponent_field == 0 ? fraction : fraction | 0x800000U;
  for (int i = 0; i < decimals; ++i) scaled *= 10U;

  if (exponent >= 0) {
    scaled <<= static_cast<unsigned>(exponent);
  } else if (exponent <= -46) {
    scaled = 0;  // scaled < 2^44, so this is below half of the last place
  } else {
    const auto shift = static_cast<unsigned>(-exponent);
    const std::uint64_t half = std::uint64_t{1} << (shift - 1U);
    const std::uint64_t rest = scaled & ((half << 1U) - 1U);
    scaled >>= shift;
    if (rest > half || (rest == half && (scaled & 1U) != 0)) ++scaled;
  }
  return detail::digits(scaled, negative, decimals);
}

// A double would bring the soft-double library into a float firmware without a word.
Field fixed(double value, int decimals) = delete;

inline void put(const char* text) noexcept { write(text); }
inline void put(const Field& field) noexcept { write(field.c_str()); }

inline void put_spaces(int n) noexcept {
  for (; n > 0; --n) write(" ");
}

// Columns: numbers to the right, words to the left. A text wider than its column is not cut.
inline void put_right(const Field& field, int width) noexcept {
  put_spaces(width - field.size());
  put(field);
}
inline void put_left(const char* text, int width) noexcept {
  put(text);
  put_spaces(width - static_cast<int>(std::strlen(text)));
}

}  // namespace kinecast::port
