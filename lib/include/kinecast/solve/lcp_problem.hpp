// SPDX-License-Identifier: MIT
// The linear complementarity problem, its solution, and how good a solution is:
//
//   0 <= z   perp   w = M z + q >= 0
//
// Rows may have different units (a stop in rad, a contact in m): D_i = 1/sqrt(M_ii) brings row and column i to those of all others,
// z'_i = z_i / D_i and w'_i = D_i w_i, both roots of an energy if z is an impulse. The residual is measured there:
//
//   residual = max_i |min(z'_i, w'_i)| / max_i |q'_i|,   w from the M and q given
//
// 0 at a solution, at most 1 at z = 0, and the same in any units. A row that nothing can move (M_ii <= 0) is measured in the units
// of the most mobile one.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/solve/factored_problem.hpp>

#include <algorithm>
#include <cmath>

namespace kinecast {

template <class S, int MaxSize>
struct Lcp {
  static_assert(MaxSize >= 1, "kinecast: a complementarity problem has room for at least one row");
  int size;
  S M[MaxSize][MaxSize];
  S q[MaxSize];
};

template <class S, int MaxSize>
struct LcpSolution {
  S z[MaxSize];
  S w[MaxSize];    // M z + q
  S residual;      // see above
  int iterations;  // pivots or sweeps
};

namespace detail {

// D, and the largest |q'|.
template <class S, int MaxSize>
struct LcpScale {
  Array<S, MaxSize> row;
  S q;
};

template <class S, int MaxSize>
[[nodiscard]] inline LcpScale<S, MaxSize> scale_of(const Lcp<S, MaxSize>& problem) noexcept {
  LcpScale<S, MaxSize> scale;
  const int n = problem.size;
  S most_mobile = S(0);
  bool all_move = true;
  for (int i = 0; i < n; ++i) {
    most_mobile = std::max(most_mobile, problem.M[i][i]);
    all_move = all_move && problem.M[i][i] > S(0);
  }
  S fallback = S(1);
  if (!all_move) {
    if (!(most_mobile > S(0)))
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) most_mobile = std::max(most_mobile, std::abs(problem.M[i][j]));
    if (most_mobile > S(0)) fallback = S(1) / std::sqrt(most_mobile);
  }
  scale.q = S(0);
  for (int i = 0; i < n; ++i) {
    scale.row[i] = problem.M[i][i] > S(0) ? S(1) / std::sqrt(problem.M[i][i]) : fallback;
    scale.q = std::max(scale.q, scale.row[i] * std::abs(problem.q[i]));
  }
  return scale;
}

// Row i of M z + q.
template <class S, int MaxSize>
[[nodiscard]] inline S gap_of(const Lcp<S, MaxSize>& problem, int i, const S* z) noexcept {
  S w = problem.q[i];
  for (int j = 0; j < problem.size; ++j) w += problem.M[i][j] * z[j];
  return w;
}

template <class S, int MaxSize>
[[nodiscard]] inline S residual_of(const Lcp<S, MaxSize>& problem, const LcpScale<S, MaxSize>& scale, const S* z,
                                   const S* w) noexcept {
  S most = S(0);
  for (int i = 0; i < problem.size; ++i)
    most = std::max(most, std::abs(std::min(z[i] / scale.row[i], w[i] * scale.row[i])));
  return scale.q > S(0) ? most / scale.q : most;
}

}  // namespace detail

}  // namespace kinecast
