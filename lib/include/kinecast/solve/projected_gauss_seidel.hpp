// SPDX-License-Identifier: MIT
// Projected Gauss-Seidel for the linear complementarity problem: row after row, from z = 0,
//
//   z_i <- max(0, z_i - w_i / M_ii)
//
// until no row changes. The step of a row is then its residual, so that nothing is computed twice; a sweep costs size²
// products, and the only memory is z. The method converges if M is symmetric and positive semidefinite and there is a
// solution, the slower the more the rows depend on each other. A row with M_ii <= 0 keeps z_i = 0. If it has not
// converged after the last sweep, the result is the last z, or 0 if that is better.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/solve/lcp_problem.hpp>

#include <algorithm>
#include <cmath>

namespace kinecast {

struct ProjectedGaussSeidel {
  static constexpr int kMostSweeps = 200;

  // Solves a problem with some q_i < 0.
  template <class S, int MaxSize>
  [[nodiscard]] static Status solve(const Lcp<S, MaxSize>& problem, LcpSolution<S, MaxSize>& solution) noexcept {
    detail::LcpScale<S, MaxSize> scale{};
    detail::find_scale(problem, scale);
    if (!is_finite(scale.q)) return Status::non_finite_result;
    for (int i = 0; i < problem.size; ++i) solution.z[i] = S(0);
    bool has_converged = false;
    solution.iterations = 0;
    while (!has_converged && solution.iterations < kMostSweeps) {
      has_converged = sweep(problem, scale, solution.z) <= Tolerance<S>::kLcpSettled * scale.q;
      ++solution.iterations;
    }
    detail::measure(problem, scale, solution);
    if (solution.residual <= S(10) * Tolerance<S>::kLcpSettled)
      return has_converged ? Status::ok : Status::iterations_exhausted;
    if (!(solution.residual < S(1))) {
      for (int i = 0; i < problem.size; ++i) solution.z[i] = S(0);
      detail::measure(problem, scale, solution);
    }
    return Status::iterations_exhausted;
  }

 private:
  // Makes one sweep. Returns the largest step, in the units of the residual.
  template <class S, int MaxSize>
  [[nodiscard]] static S sweep(const Lcp<S, MaxSize>& problem, const detail::LcpScale<S, MaxSize>& scale,
                               detail::Array<S, MaxSize>& z) noexcept {
    S most = S(0);
    for (int i = 0; i < problem.size; ++i) {
      if (!(problem.M[i][i] > S(0))) continue;
      const S w = detail::gap_of(problem, i, z) * scale.row[i];
      const S before = z[i];
      z[i] = std::max(before - w * scale.row[i], S(0));
      // The step is min(z', w') without a division: where z stays positive it is w'.
      const S step = z[i] > S(0) ? std::abs(w) : before * problem.M[i][i] * scale.row[i];
      if (step > most || !(step >= S(0))) most = step;  // a NaN stays
    }
    return most;
  }
};

}  // namespace kinecast
