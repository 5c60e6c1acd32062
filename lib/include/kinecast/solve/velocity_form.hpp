// SPDX-License-Identifier: MIT
// The contact problem as the papers state it (S000 eq. 13, method 2.2 and 2.6): the velocities of
// all rows as small as possible,
//
//   min ½|R Zᵀ x + c|² + ½ xᵀ Lambda x,   c = R g + e,   x_i >= 0 where bounded       lambda in the unit of A², 1/kg²
//
// AᵀA + Lambda would lose all digits in float, so no square is formed, and directions of rounding noise are left out:
//   R = Q Lᵀ               min ½|K x + f|² + ½ xᵀ Lambda x, with columns K_i = Lᵀ Z_i and f = Lᵀ g + Qᵀ e
//   Lambda^-½ K_Fᵀ = W B   for the free unknowns: min ½|Bᵀ y + f|² + ½|y|², x = Lambda^-½ W y
//   [1; B] = Q' T          its solution of least norm: (rho; -y) = Q' T⁻ᵀ f, where rho are the velocities that remain
// All free, sticking and with one lambda, the usual case, Q serves as W. Costs about three times the energy form.
#pragma once

#include <kinecast/math/gram_schmidt.hpp>
#include <kinecast/math/householder.hpp>
#include <kinecast/solve/active_set.hpp>

#include <cmath>

namespace kinecast {

namespace detail {

// Solves min ½|Bᵀ y + f|² + ½|y|² for rho = Bᵀ y + f and -y. B has `height` rows, `width` columns, and is overwritten.
template <class S, std::size_t Size>
inline void solve_damped(S (&b)[Size][Size], int height, int width, const S (&f)[Size], S (&rho)[Size],
                         S (&minus_y)[Size]) noexcept {
  S T[Size][Size];  // -T of [1; B] = Q' T
  S alpha[Size];
  const auto at = [&b](int i, int k) -> S& { return b[i][k]; };
  for (int m = 0; m < width; ++m) {
    const OnePivot<S> pivot = reflect_below_one(m, height, width, at, T[m]);
    alpha[m] = pivot.alpha;
    S side = f[m];  // rho takes -T⁻ᵀ f first
    for (int k = 0; k < m; ++k) side -= T[k][m] * rho[k];
    rho[m] = side * pivot.inverse;
  }
  for (int i = 0; i < height; ++i) minus_y[i] = S(0);
  for (int m = width - 1; m >= 0; --m) {
    S dot = -(S(1) + alpha[m]) * rho[m];
    for (int i = 0; i < height; ++i) dot += b[i][m] * minus_y[i];
    const S step = dot / alpha[m];
    rho[m] = -rho[m] - step;
    const S along = step / (S(1) + alpha[m]);
    for (int i = 0; i < height; ++i) minus_y[i] -= along * b[i][m];
  }
}

template <class S, int MaxRank, int MaxUnknowns>
class VelocityForm {
 public:
  static constexpr bool kFindsVelocity = false;
  static constexpr S kUndecided = Tolerance<S>::kUndecidedContact;

  explicit VelocityForm(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem) noexcept : problem_(problem) {}

  // Finds R = Q Lᵀ and f. False if an entry is not finite, or a lambda not positive.
  [[nodiscard]] bool prepare() noexcept {
    const int n = problem_.unknowns;
    const int r = problem_.rank;
    if (!invert_lambda(problem_, inverse_root_)) return false;
    S least = n > 0 ? inverse_root_[0] : S(0);
    S largest = least;
    for (int i = 0; i < n; ++i) {
      if (inverse_root_[i] < least) least = inverse_root_[i];
      if (inverse_root_[i] > largest) largest = inverse_root_[i];
      inverse_root_[i] = std::sqrt(inverse_root_[i]);
      for (int k = 0; k < r; ++k) q_[k][i] = problem_.row[i][k];
    }
    has_one_lambda_ = least >= largest;
    rank_ = orthogonalise(q_, r, n, upper_, pivot_);
    if (rank_ < 0) return false;
    S sum = S(0);
    for (int m = 0; m < rank_; ++m) {
      const S* column = q_[pivot_[m]];
      S along = S(0);
      for (int k = 0; k < r; ++k) along += upper_[m][k] * problem_.g[k];
      for (int i = 0; i < n; ++i) along += column[i] * problem_.offset[i];
      f_[m] = along;
      sum += along;
    }
    return is_finite(sum);
  }

  [[nodiscard]] bool solve(const Array<bool, MaxUnknowns>& at_bound) noexcept {
    Array<int, MaxUnknowns> free;
    int count = 0;
    for (int i = 0; i < problem_.unknowns; ++i) {
      is_free_[i] = !at_bound[i];
      if (!at_bound[i]) free[count++] = i;
    }
    if (count == problem_.unknowns && problem_.is_symmetric && has_one_lambda_) {
      solve_all();
      return true;
    }
    if (!has_kappa_ && !find_kappa()) return false;
    if (!solve_some(free, count)) return false;
    for (int i = 0; i < problem_.unknowns; ++i)
      if (at_bound[i]) find_slope(i);
    return true;
  }

  [[nodiscard]] S gradient(int i) const noexcept { return slope_[i] * inverse_root_[i] * problem_.lambda[i]; }
  [[nodiscard]] S noise(int i) const noexcept { return noise_[i] * inverse_root_[i] * problem_.lambda[i]; }

  void find_impulses(Array<S, MaxUnknowns>& x) const noexcept {
    for (int i = 0; i < problem_.unknowns; ++i) x[i] = is_free_[i] ? -slope_[i] * inverse_root_[i] : S(0);
  }

 private:
  // All unknowns are free: Lambda^-½ Kᵀ = Q L Lᵀ / lambda^½, so W = Q and B = Lᵀ L / lambda^½.
  void solve_all() noexcept {
    Table<S, MaxRank, MaxRank> b;
    for (int m = 0; m < rank_; ++m)
      for (int k = 0; k <= m; ++k) {
        S product = S(0);
        for (int j = 0; j < problem_.rank; ++j) product += upper_[m][j] * upper_[k][j];
        b[m][k] = b[k][m] = product * inverse_root_[0];
      }
    Array<S, MaxRank> minus_y;
    solve_damped(b, rank_, rank_, f_, rho_, minus_y);
    for (int i = 0; i < problem_.unknowns; ++i) slope_[i] = S(0);
    for (int m = 0; m < rank_; ++m)
      for (int i = 0; i < problem_.unknowns; ++i) slope_[i] += q_[pivot_[m]][i] * minus_y[m];
    find_noise(minus_y, rank_);
  }

  [[nodiscard]] bool solve_some(const Array<int, MaxUnknowns>& free, int count) noexcept {
    Table<S, MaxRank, MaxUnknowns> w;
    for (int m = 0; m < rank_; ++m)
      for (int a = 0; a < count; ++a) w[m][a] = kappa_[m][free[a]];
    Table<S, MaxRank, MaxRank> b;
    Array<int, MaxRank> pivot;
    const int rank = orthogonalise(w, rank_, count, b, pivot);
    if (rank < 0) return false;
    Array<S, MaxRank> minus_y;
    solve_damped(b, rank, rank_, f_, rho_, minus_y);
    for (int a = 0; a < count; ++a) {
      S sum = S(0);
      for (int m = 0; m < rank; ++m) sum += w[pivot[m]][a] * minus_y[m];
      slope_[free[a]] = sum;
    }
    find_noise(minus_y, rank);
    return true;
  }

  // Finds what an unknown that has been solved for may be wrong by.
  void find_noise(const Array<S, MaxRank>& minus_y, int rank) noexcept {
    S largest = S(0);
    for (int m = 0; m < rank; ++m)
      if (std::abs(minus_y[m]) > largest) largest = std::abs(minus_y[m]);
    for (int i = 0; i < problem_.unknowns; ++i) noise_[i] = Tolerance<S>::kSignOfVelocity * largest;
  }

  // Finds the slope of an unknown at its bound, and its noise.
  void find_slope(int i) noexcept {
    S sum = S(0);
    S size = S(0);
    for (int m = 0; m < rank_; ++m) {
      const S product = kappa_[m][i] * rho_[m];
      sum += product;
      size += std::abs(product);
    }
    slope_[i] = sum;
    noise_[i] = Tolerance<S>::kSignOfVelocity * size;
  }

  // Finds lambda_i^-½ K_i. False if an entry is not finite.
  [[nodiscard]] bool find_kappa() noexcept {
    S sum = S(0);
    for (int i = 0; i < problem_.unknowns; ++i) {
      const S* z = column_of(problem_, i);
      for (int m = 0; m < rank_; ++m) {
        S product = S(0);
        for (int k = 0; k < problem_.rank; ++k) product += upper_[m][k] * z[k];
        kappa_[m][i] = product * inverse_root_[i];
        sum += kappa_[m][i];
      }
    }
    has_kappa_ = true;
    return is_finite(sum);
  }

  const FactoredProblem<S, MaxRank, MaxUnknowns>& problem_;
  Array<S, MaxUnknowns> inverse_root_;  // lambda_i^-½
  bool has_one_lambda_;
  Table<S, MaxRank, MaxUnknowns> q_;  // columns of R, then of Q
  Table<S, MaxRank, MaxRank> upper_;  // Lᵀ
  Array<int, MaxRank> pivot_;         // where the columns of Q are
  int rank_;                          // of R
  Array<S, MaxRank> f_;
  bool has_kappa_{false};
  Array<bool, MaxUnknowns> is_free_;
  Table<S, MaxRank, MaxUnknowns> kappa_;  // lambda_i^-½ K_i, one row of K after the other
  Array<S, MaxRank> rho_;
  Array<S, MaxUnknowns> slope_;  // lambda_i^-½ times the gradient: -lambda_i^½ x_i of a free unknown
  Array<S, MaxUnknowns> noise_;  // of the slope
};

}  // namespace detail

template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] inline Status solve_velocity_form(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem,
                                                FactoredSolution<S, MaxRank, MaxUnknowns>& solution) noexcept {
  if (const Status status = detail::check_sizes(problem); !ok(status)) return status;
  detail::VelocityForm<S, MaxRank, MaxUnknowns> form(problem);
  return detail::solve_relaxed(problem, form, solution);
}

}  // namespace kinecast
