// SPDX-License-Identifier: MIT
// Linear complementarity problems in fixed memory, by either of two methods behind one call:
//
//   0 <= z   perp   w = M z + q >= 0
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
  S poison = S(0);  // 0, or NaN
  bool is_solved = true;
  for (int i = 0; i < n; ++i) {
    poison += S(0) * problem.q[i];
    is_solved = is_solved && problem.q[i] >= S(0);
    for (int j = 0; j < n; ++j) poison += S(0) * problem.M[i][j];
  }
  if (!is_finite(poison)) return Status::non_finite_input;
  if (is_solved) {
    for (int i = 0; i < n; ++i) {
      solution.z[i] = S(0);
      solution.w[i] = problem.q[i];
    }
    solution.residual = S(0);
    solution.iterations = 0;
    return Status::ok;
  }
  const detail::LcpScale<S, MaxSize> scale = detail::scale_of(problem);
  LcpSolution<S, MaxSize> found;
  found.iterations = 0;
  const Status status = Method::solve(problem, scale, found.z, found.iterations);
  if (!ok(status)) return status;
  S sum = S(0);
  for (int i = 0; i < n; ++i) {
    found.w[i] = detail::gap_of(problem, i, found.z);
    sum += S(0) * (found.z[i] + found.w[i]);
  }
  if (!is_finite(sum)) return Status::non_finite_result;
  found.residual = detail::residual_of(problem, scale, found.z, found.w);
  solution = found;
  return status;
}

}  // namespace kinecast
