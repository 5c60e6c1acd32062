// SPDX-License-Identifier: MIT
// Cholesky factor of a small symmetric positive definite matrix, in fixed memory: A = L Lᵀ, lower triangle by rows, the
// diagonal kept inverted. O(n³/6) multiplications to factor, O(n²) per right-hand side. The functions take a size known
// at run time, and work in place where `a` and `lower` are the same; Cholesky is all of them at a fixed size.
// (Eigen's LLT is heap-free at these sizes too, but costs 2-4.6 KB of code.)
#pragma once

#include <kinecast/core/scalar.hpp>

#include <cmath>
#include <cstddef>

namespace kinecast {

namespace detail {

// Reads the lower triangle of `a`. `accept(pivot, a_ii)` judges, or lifts, what is left of a diagonal entry; the factor
// ends, and is not to be used, where it says no.
template <class S, std::size_t Size, class Accept>
[[nodiscard, gnu::always_inline]] inline bool factor_cholesky(const S (&a)[Size][Size], S (&lower)[Size][Size], int n,
                                                              S (&inverse_diagonal)[Size], Accept accept) noexcept {
  for (int i = 0; i < n; ++i) {
    const S* given = a[i];
    S* row = lower[i];
    S pivot = given[i];
    for (int j = 0; j < i; ++j) {
      const S* other = lower[j];
      S sum = given[j];
      for (int k = 0; k < j; ++k) sum -= row[k] * other[k];
      sum *= inverse_diagonal[j];
      row[j] = sum;
      pivot -= sum * sum;
    }
    if (!accept(pivot, given[i])) return false;
    inverse_diagonal[i] = S(1) / std::sqrt(pivot);
  }
  return true;
}

// x <- L⁻¹ x
template <class S, std::size_t Size>
[[gnu::always_inline]] inline void solve_lower(const S (&lower)[Size][Size], int n, const S (&inverse_diagonal)[Size],
                                               S (&x)[Size]) noexcept {
  for (int i = 0; i < n; ++i) {
    const S* row = lower[i];
    S sum = x[i];
    for (int k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum * inverse_diagonal[i];
  }
}

// x <- L⁻ᵀ x, by columns of L: every entry is one sum.
template <class S, std::size_t Size>
[[gnu::always_inline]] inline void solve_upper(const S (&lower)[Size][Size], int n, const S (&inverse_diagonal)[Size],
                                               S (&x)[Size]) noexcept {
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= lower[k][i] * x[k];
    x[i] *= inverse_diagonal[i];
  }
}
// x <- A⁻¹ x, by rows of L throughout: going back, an entry leaves the sums of those before it. At a size known at run
// time this reads memory in order and is faster; it adds in the opposite order, so that its last bits differ from those
// of solve_upper().
template <class S, std::size_t Size>
inline void solve_by_rows(const S (&lower)[Size][Size], int n, const S (&inverse_diagonal)[Size],
                          S (&x)[Size]) noexcept {
  solve_lower(lower, n, inverse_diagonal, x);
  for (int i = n - 1; i >= 0; --i) {
    const S* row = lower[i];
    const S found = x[i] * inverse_diagonal[i];
    for (int k = 0; k < i; ++k) x[k] -= row[k] * found;
    x[i] = found;
  }
}

}  // namespace detail

template <class S, std::size_t Size>
struct Cholesky {
  static constexpr int N = static_cast<int>(Size);
  S lower[Size][Size]{};   // the strict lower triangle of L
  S inverse_diag[Size]{};  // 1 / L_ii

  // False if A is not positive definite to rounding; then the factor is not to be used.
  [[nodiscard]] bool factor(const S (&a)[Size][Size]) noexcept {
    return detail::factor_cholesky(a, lower, N, inverse_diag,
                                   [](S pivot, S given) { return pivot > Tolerance<S>::kSingularInertia * given; });
  }

  // x <- L⁻¹ x
  void solve_lower(S (&x)[Size]) const noexcept { detail::solve_lower(lower, N, inverse_diag, x); }
  // x <- L⁻ᵀ x
  void solve_upper(S (&x)[Size]) const noexcept { detail::solve_upper(lower, N, inverse_diag, x); }
  // x <- L x
  void multiply_lower(S (&x)[Size]) const noexcept {
    for (int i = N - 1; i >= 0; --i) {
      x[i] /= inverse_diag[i];
      for (int k = 0; k < i; ++k) x[i] += lower[i][k] * x[k];
    }
  }
  // x <- Lᵀ x
  void multiply_upper(S (&x)[Size]) const noexcept {
    for (std::size_t i = 0; i < Size; ++i) {
      x[i] /= inverse_diag[i];
      for (std::size_t k = i + 1; k < Size; ++k) x[i] += lower[k][i] * x[k];
    }
  }
  // x <- A⁻¹ x
  void solve(S (&x)[Size]) const noexcept {
    solve_lower(x);
    solve_upper(x);
  }
  // out = A⁻¹, column by column
  void invert(S (&out)[Size][Size]) const noexcept {
    for (std::size_t column = 0; column < Size; ++column) {
      S x[Size] = {};
      x[column] = S(1);
      solve(x);
      for (std::size_t row = 0; row < Size; ++row) out[row][column] = x[row];
    }
  }
};

}  // namespace kinecast
