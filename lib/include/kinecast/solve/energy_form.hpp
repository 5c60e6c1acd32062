// SPDX-License-Identifier: MIT
// The contact problem as complementarity (spec 2.7): 0 <= x_i, v_i + lambda_i x_i >= 0, one of them zero; equality for
// unknowns without a bound. For sticking contacts that is the least energy, min ½|Zᵀx + g|² + ½ xᵀ Lambda x + eᵀx.
// lambda in the unit of A, 1/kg.
//
//   (1 + Sum Z_i R_iᵀ / lambda_i) t = g - Sum Z_i e_i / lambda_i,   x_i = -(R_i . t + e_i) / lambda_i      sums over free i
//
// The system has the size of the rank, not of the unknowns, and its solution is the velocity after the contact: small where
// the contact holds, so that x is accurate in float where a difference of large velocities would not be.
#pragma once

#include <kinecast/solve/active_set.hpp>
#include <kinecast/solve/small_systems.hpp>

#include <cmath>

namespace kinecast {

namespace detail {

template <class S, int MaxRank, int MaxUnknowns>
struct EnergyForm {
  static constexpr bool kFindsVelocity = true;  // t
  const FactoredProblem<S, MaxRank, MaxUnknowns>& problem;
  Array<S, MaxUnknowns> inverse_lambda;
  Array<S, MaxRank> t;
  Table<S, MaxRank, MaxRank> system;  // factored
  Array<S, MaxRank> inverse_diagonal;
  Array<int, MaxRank> exchanged;

  [[nodiscard]] bool solve(const Array<bool, MaxUnknowns>& at_bound) noexcept {
    Array<S, MaxUnknowns> weight;  // 0 for an unknown at its bound; it is not left out, so that a NaN in it cannot hide
    for (int i = 0; i < problem.unknowns; ++i) weight[i] = at_bound[i] ? S(0) : inverse_lambda[i];
    const int r = problem.rank;
    for (int a = 0; a < r; a += 3) {
      form_right_side(weight, a);
      const int end = problem.is_symmetric ? a + 1 : r;
      for (int b = 0; b < end; b += 3) form_tile(weight, a, b);
    }
    if (!(problem.is_symmetric ? factor_positive(system, r, S(1), inverse_diagonal)
                               : factor_general(system, r, inverse_diagonal, exchanged)))
      return false;
    divide(t);
    return true;
  }

  // The impulses -(R_i . t + e_i) / lambda_i carry the rounding of t, over a small lambda. One step of refinement takes it out
  // again: where g + Sum x_i Z_i lies beside t is known to the rounding of g, and no lambda divides that.
  void find_impulses(const Array<bool, MaxUnknowns>& at_bound, Array<S, MaxUnknowns>& x) noexcept {
    const int r = problem.rank;
    Array<S, MaxRank> beside;
    for (int k = 0; k < r; ++k) beside[k] = problem.g[k] - t[k];
    for (int i = 0; i < problem.unknowns; ++i) {
      x[i] = S(0);
      if (at_bound[i]) continue;
      const S* row = problem.row[i];
      const S* z = column_of(problem, i);
      S v = problem.offset[i];
      for (int k = 0; k < r; ++k) v += row[k] * t[k];
      x[i] = -v * inverse_lambda[i];
      for (int k = 0; k < r; ++k) beside[k] += x[i] * z[k];
    }
    divide(beside);
    for (int k = 0; k < r; ++k) t[k] += beside[k];
    for (int i = 0; i < problem.unknowns; ++i) {
      if (at_bound[i]) continue;
      S v = S(0);
      for (int k = 0; k < r; ++k) v += problem.row[i][k] * beside[k];
      x[i] -= v * inverse_lambda[i];
    }
  }

  // v_i. It is known up to the rounding of its own sum.
  [[nodiscard]] S gradient(int i, S& noise) const noexcept {
    const S* row = problem.row[i];
    S sum = problem.offset[i];
    S size = std::abs(sum);
    for (int k = 0; k < problem.rank; ++k) {
      const S product = row[k] * t[k];
      sum += product;
      size += std::abs(product);
    }
    noise = Tolerance<S>::kSignOfVelocity * size;
    return sum;
  }

 private:
  void divide(Array<S, MaxRank>& side) const noexcept {
    if (problem.is_symmetric)
      solve_positive(system, problem.rank, inverse_diagonal, side);
    else
      solve_general(system, problem.rank, inverse_diagonal, exchanged, side);
  }

  // Three rows of g - Sum w_i Z_i e_i. As with the tiles below: where the rank is no multiple of 3, the last rows repeat.
  void form_right_side(const Array<S, MaxUnknowns>& weight, int a) noexcept {
    const int last = problem.rank - 1;
    const int a1 = a + 1 < last ? a + 1 : last;
    const int a2 = a + 2 < last ? a + 2 : last;
    S s0 = problem.g[a];
    S s1 = problem.g[a1];
    S s2 = problem.g[a2];
    for (int i = 0; i < problem.unknowns; ++i) {
      const S* z = column_of(problem, i);
      const S weighted = weight[i] * problem.offset[i];
      s0 -= z[a] * weighted;
      s1 -= z[a1] * weighted;
      s2 -= z[a2] * weighted;
    }
    t[a] = s0;
    t[a1] = s1;
    t[a2] = s2;
  }

  // Three rows and columns of 1 + Sum w_i Z_i R_iᵀ, held in registers.
  void form_tile(const Array<S, MaxUnknowns>& weight, int a, int b) noexcept {
    const int last = problem.rank - 1;
    const int as[3] = {a, a + 1 < last ? a + 1 : last, a + 2 < last ? a + 2 : last};
    const int bs[3] = {b, b + 1 < last ? b + 1 : last, b + 2 < last ? b + 2 : last};
    S sum[3][3];
    for (int m = 0; m < 3; ++m)
      for (int k = 0; k < 3; ++k) sum[m][k] = as[m] == bs[k] ? S(1) : S(0);
    for (int i = 0; i < problem.unknowns; ++i) {
      const S* z = column_of(problem, i);
      const S* row = problem.row[i];
      const S r0 = weight[i] * row[bs[0]];
      const S r1 = weight[i] * row[bs[1]];
      const S r2 = weight[i] * row[bs[2]];
      for (int m = 0; m < 3; ++m) {
        sum[m][0] += z[as[m]] * r0;
        sum[m][1] += z[as[m]] * r1;
        sum[m][2] += z[as[m]] * r2;
      }
    }
    for (int m = 0; m < 3; ++m)
      for (int k = 0; k < 3; ++k) system[as[m]][bs[k]] = sum[m][k];
  }
};

}  // namespace detail

template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] inline Status solve_energy_form(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem,
                                              FactoredSolution<S, MaxRank, MaxUnknowns>& solution) noexcept {
  if (const Status status = detail::check_sizes(problem); !ok(status)) return status;
  detail::EnergyForm<S, MaxRank, MaxUnknowns> form{problem, {}, {}, {}, {}, {}};
  if (!detail::invert_lambda(problem, form.inverse_lambda)) return detail::why_not_solved(problem);
  return detail::solve_relaxed(problem, form, solution);
}

}  // namespace kinecast
