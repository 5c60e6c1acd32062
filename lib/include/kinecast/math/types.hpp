// SPDX-License-Identifier: MIT
// The vocabulary of the API: Eigen's fixed-size types without alignment demands (so that a struct has the same layout
// on the host and on the target), always column-major, never on the heap.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>

#include <Eigen/Core>
#include <cstddef>

namespace kinecast {

template <class S, int Rows, int Columns>
using Matrix = Eigen::Matrix<S, Rows, Columns, Eigen::DontAlign | Eigen::ColMajor>;

template <class S, int Size>
using Vector = Matrix<S, Size, 1>;

// Refuses non-finite entries and vectors longer than any robot's. One comparison decides: a NaN fails it, an infinity
// too.
template <class V>
[[nodiscard]] inline Status check_input(const V& v) noexcept {
  using S = typename V::Scalar;
  S squares{};
  for (int i = 0; i < static_cast<int>(v.size()); ++i) squares += v(i) * v(i);
  constexpr S kLimit = Tolerance<S>::kLargestInput * Tolerance<S>::kLargestInput;
  if (squares <= kLimit) return Status::ok;
  for (int i = 0; i < static_cast<int>(v.size()); ++i)
    if (!is_finite(v(i))) return Status::non_finite_input;
  return Status::input_out_of_range;
}

// Refuses numbers that are not finite, negative, or larger than any input.
template <class S, std::size_t Count>
[[nodiscard]] inline Status check_not_negative(const S (&numbers)[Count]) noexcept {
  for (const S x : numbers) {
    if (!is_finite(x)) return Status::non_finite_input;
    if (!(x >= S(0) && x <= Tolerance<S>::kLargestInput)) return Status::input_out_of_range;
  }
  return Status::ok;
}

// Checks results. Sums stay finite for finite entries of any sensible size; a NaN or an infinity survives every
// addition.
template <class V>
[[nodiscard]] inline bool all_finite(const V& v) noexcept {
  typename V::Scalar sum = v[0];
  for (int i = 1; i < static_cast<int>(v.size()); ++i) sum += v[i];
  return is_finite(sum);
}

}  // namespace kinecast
