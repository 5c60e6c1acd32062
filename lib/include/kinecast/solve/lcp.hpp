// SPDX-License-Identifier: MIT
// Linear complementarity problems in fixed memory, by either of two methods behind one call:
//
//   0 <= z   perp   w = M z + q >= 0   solve_lcp(problem, solution), solve_lcp<ProjectedGaussSeidel>(problem, solution)
//
// Lemke's method is exact for every positive semidefinite M and every P-matrix, symmetric or not, and tells when there
// is no solution. Projected Gauss-Seidel takes less memory and is simpler, but slow where rows depend on each other.
// Where M is singular z is not unique, w is (method 1.5, CHOICE 28): this gives one z, not the shortest.
//
//   ok                    residual (lcp_problem.hpp) at most Tolerance::kFeasible
//   iterations_exhausted  a warning: the best found; the residual says how good it is
//   infeasible            Lemke met a ray: no solution, within rounding, if M is positive semidefinite
//   non_finite_input, index_out_of_range (size), non_finite_result
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/solve/lcp_problem.hpp>
#include <kinecast/solve/lemke.hpp>
#include <kinecast/solve/projected_gauss_seidel.hpp>

namespace kinecast {

template <class Method = Lemke, class S, int MaxSize>
[[nodiscard]] Status solve_lcp(const Lcp<S, MaxSize>& problem, LcpSolution<S, MaxSize>& solution) noexcept {
  const int n = problem.size;
  if (n < 0 || n > MaxSize) return Status::index_out_of_range;
  S sum = S(0);  // 0, or NaN
  bool is_solved = true;
  for (int i = 0; i < n; ++i) {
    sum += S(0) * problem.q[i];
    is_solved = is_solved && problem.q[i] >= S(0);
    for (int j = 0; j < n; ++j) sum += S(0) * problem.M[i][j];
  }
  if (!is_finite(sum)) return Status::non_finite_input;
  LcpSolution<S, MaxSize> found;
  found.residual = S(0);
  found.iterations = 0;
  Status status = Status::ok;
  if (is_solved) {
    for (int i = 0; i < n; ++i) {
      found.z[i] = S(0);
      found.w[i] = problem.q[i];
    }
  } else {
    status = Method::solve(problem, found);
    if (!ok(status)) return status;
    for (int i = 0; i < n; ++i) sum += S(0) * (found.z[i] + found.w[i]);
    if (!is_finite(sum + found.residual)) return Status::non_finite_result;
  }
  for (int i = 0; i < n; ++i) {
    solution.z[i] = found.z[i];
    solution.w[i] = found.w[i];
  }
  solution.residual = found.residual;
  solution.iterations = found.iterations;
  return status;
}

}  // namespace kinecast
