// SPDX-License-Identifier: MIT
// Projected Gauss-Seidel for the linear complementarity problem: row after row,
//
//   z_i <- max(0, z_i - w_i / M_ii)
//
// from z = 0, until no row moves. Converges if M is symmetric and positive semidefinite and there is a solution, as fast as M is
// well conditioned; needs no memory. A row with M_ii <= 0 keeps z_i = 0.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/solve/lcp_problem.hpp>

#include <algorithm>
#include <cmath>

namespace kinecast {

struct ProjectedGaussSeidel {
  template <class S, int MaxSize>
  [[nodiscard]] static Status solve(const Lcp<S, MaxSize>& problem, const detail::LcpScale<S, MaxSize>& scale, S* z,
                                    int& iterations) noexcept {
    constexpr int kSweeps = 200;
    const S settled = S(8) * Tolerance<S>::kEpsilon * scale.q;
    for (int i = 0; i < problem.size; ++i) z[i] = S(0);
    for (iterations = 1; iterations <= kSweeps; ++iterations) {
      S most = S(0);
      for (int i = 0; i < problem.size; ++i) {
        if (!(problem.M[i][i] > S(0))) continue;
        const S step = std::min(detail::gap_of(problem, i, z) * scale.row[i] * scale.row[i], z[i]);
        z[i] -= step;
        most = std::max(most, std::abs(step) / scale.row[i]);
      }
      if (!(most > settled)) return Status::ok;
    }
    iterations = kSweeps;
    return Status::iterations_exhausted;
  }
};

}  // namespace kinecast
