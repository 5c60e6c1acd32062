// SPDX-License-Identifier: MIT
// LU factors of a small matrix of run-time size in fixed memory, with partial pivoting: O(n³/3) multiplications to
// factor, in place, and O(n²) per right-hand side. For matrices that are not symmetric; math/cholesky.hpp has the
// others.
#pragma once

#include <kinecast/core/scalar.hpp>

#include <cmath>
#include <cstddef>

namespace kinecast::detail {

// P A = L U with partial pivoting: L without its unit diagonal and U take the place of `a`, the inverted diagonal of U
// and the rows that were exchanged are kept apart. False if A is singular, or not finite.
template <class S, std::size_t Size>
[[nodiscard]] inline bool factor_general(S (&a)[Size][Size], int n, S (&inverse_diagonal)[Size],
                                         int (&exchanged)[Size]) noexcept {
  if constexpr (Size == 1) {  // where the loops below would look out of bounds to the compiler
    exchanged[0] = 0;
    inverse_diagonal[0] = S(1) / a[0][0];
    return std::abs(a[0][0]) > S(0);
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    exchanged[k] = pivot;
    if (!(std::abs(a[pivot][k]) > S(0))) return false;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) {
        const S above = a[k][j];
        a[k][j] = a[pivot][j];
        a[pivot][j] = above;
      }
    }
    inverse_diagonal[k] = S(1) / a[k][k];
    for (int i = k + 1; i < n; ++i) {
      const S factor = a[i][k] * inverse_diagonal[k];
      a[i][k] = factor;
      for (int j = k + 1; j < n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  return true;
}

// x <- A⁻¹ x
template <class S, std::size_t Size>
inline void solve_general(const S (&a)[Size][Size], int n, const S (&inverse_diagonal)[Size],
                          const int (&exchanged)[Size], S (&x)[Size]) noexcept {
  if constexpr (Size == 1) {  // where the loops below would look out of bounds to the compiler
    x[0] *= inverse_diagonal[0];
    return;
  }
  for (int k = 0; k < n; ++k) {
    const S value = x[exchanged[k]];
    x[exchanged[k]] = x[k];
    x[k] = value;
  }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= a[i][k] * x[k];
    x[i] *= inverse_diagonal[i];
  }
}

}  // namespace kinecast::detail
