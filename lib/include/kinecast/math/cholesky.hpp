// SPDX-License-Identifier: MIT
// Cholesky factor of a small symmetric positive definite matrix, in fixed memory: A = L Lᵀ, lower triangle by rows.
// (Eigen's LLT is heap-free at these sizes too, but costs 2-4.6 KB of code.)
#pragma once

#include <kinecast/core/scalar.hpp>

#include <cmath>
#include <cstddef>

namespace kinecast {

template <class S, std::size_t Size>
struct Cholesky {
  static constexpr int N = static_cast<int>(Size);
  S lower[Size][Size]{};   // the strict lower triangle of L
  S inverse_diag[Size]{};  // 1 / L_ii

  // False if A is not positive definite to rounding; then the factor is not to be used.
  [[nodiscard]] bool factor(const S (&a)[Size][Size]) noexcept {
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < i; ++j) {
        S sum = a[i][j];
        for (int k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
        lower[i][j] = sum * inverse_diag[j];
      }
      S pivot = a[i][i];
      for (int k = 0; k < i; ++k) pivot -= lower[i][k] * lower[i][k];
      if (!(pivot > Tolerance<S>::kSingularInertia * a[i][i])) return false;
      inverse_diag[i] = S(1) / std::sqrt(pivot);
    }
    return true;
  }

  // x <- L⁻¹ x
  void solve_lower(S (&x)[Size]) const noexcept {
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < i; ++k) x[i] -= lower[i][k] * x[k];
      x[i] *= inverse_diag[i];
    }
  }
  // x <- L⁻ᵀ x
  void solve_upper(S (&x)[Size]) const noexcept {
    for (int i = N - 1; i >= 0; --i) {
      for (int k = i + 1; k < N; ++k) x[i] -= lower[k][i] * x[k];
      x[i] *= inverse_diag[i];
    }
  }
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
  void solve(S (&x)[Size]) const noexcept {
    solve_lower(x);
    solve_upper(x);
  }
};

}  // namespace kinecast
