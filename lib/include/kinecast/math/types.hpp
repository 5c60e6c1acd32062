// SPDX-License-Identifier: MIT
// The vocabulary of the API: Eigen's fixed-size types without alignment demands (so that a struct has the same layout on
// the host and on the target), always column-major, never on the heap.
#pragma once

#include <kinecast/core/scalar.hpp>

#include <Eigen/Core>

namespace kinecast {

template <class S, int Rows, int Columns>
using Matrix = Eigen::Matrix<S, Rows, Columns, Eigen::DontAlign | Eigen::ColMajor>;

template <class S, int Size>
using Vector = Matrix<S, Size, 1>;

// Sums stay finite for finite entries of any sensible size; a NaN or an infinity survives every addition.
template <class V>
[[nodiscard]] inline bool all_finite(const V& v) noexcept {
  typename V::Scalar sum = v[0];
  for (int i = 1; i < static_cast<int>(v.size()); ++i) sum += v[i];
  return is_finite(sum);
}

}  // namespace kinecast
