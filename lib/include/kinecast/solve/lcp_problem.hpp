// SPDX-License-Identifier: MIT
// The linear complementarity problem, its solution, and the measure of a solution's error:
//
//   0 <= z   perp   w = M z + q >= 0
//
// Rows may have different units (a stop in rad, a contact in m). D_i = 1/sqrt(M_ii) brings row and column i to one unit
// for all: z'_i = z_i / D_i and w'_i = D_i w_i are both roots of an energy if z is an impulse. The residual is measured
// there, so that it is the same in any units:
//
//   residual = max_i |min(z'_i, w'_i)| / max_i |q'_i|   w from the M and q given; 0 at a solution, at most 1 at z = 0
//
// A row that nothing moves by itself (M_ii <= 0) is measured in the unit of the most mobile one.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/solve/factored_problem.hpp>

#include <algorithm>
#include <cmath>

namespace kinecast {

// The problem. Only the entries that `size` covers are read, and only they must be filled.
template <class S, int MaxSize>
struct Lcp {
  static_assert(MaxSize >= 1, "kinecast: a complementarity problem has room for at least one row");
  int size;
  detail::Table<S, MaxSize, MaxSize> M;
  detail::Array<S, MaxSize> q;
};

template <class S, int MaxSize>
struct LcpSolution {
  detail::Array<S, MaxSize> z;
  detail::Array<S, MaxSize> w;  // M z + q
  S residual;                   // the error as defined above
  int iterations;               // pivots or sweeps
};

namespace detail {

// The scale of a problem: D, and the largest |q'|.
template <class S, int MaxSize>
struct LcpScale {
  Array<S, MaxSize> row;
  S q;
};

// Gives the largest M_ii, or, if none is positive, the largest entry of all.
template <class S, int MaxSize>
[[nodiscard]] inline S mobility_of(const Lcp<S, MaxSize>& problem) noexcept {
  S most = S(0);
  for (int i = 0; i < problem.size; ++i) most = std::max(most, problem.M[i][i]);
  if (most > S(0)) return most;
  for (int i = 0; i < problem.size; ++i)
    for (int j = 0; j < problem.size; ++j) most = std::max(most, std::abs(problem.M[i][j]));
  return most > S(0) ? most : S(1);
}

template <class S, int MaxSize>
inline void find_scale(const Lcp<S, MaxSize>& problem, LcpScale<S, MaxSize>& scale) noexcept {
  scale.q = S(0);
  for (int i = 0; i < problem.size; ++i) {
    const S mobility = problem.M[i][i] > S(0) ? problem.M[i][i] : mobility_of(problem);
    scale.row[i] = S(1) / std::sqrt(mobility);
    scale.q = std::max(scale.q, scale.row[i] * std::abs(problem.q[i]));
  }
}

// Gives row i of M z + q.
template <class S, int MaxSize>
[[nodiscard]] inline S gap_of(const Lcp<S, MaxSize>& problem, int i, const Array<S, MaxSize>& z) noexcept {
  S w = problem.q[i];
  for (int j = 0; j < problem.size; ++j) w += problem.M[i][j] * z[j];
  return w;
}

// Finds w and the residual of z; they are NaN if z has a NaN.
template <class S, int MaxSize>
inline void measure(const Lcp<S, MaxSize>& problem, const LcpScale<S, MaxSize>& scale,
                    LcpSolution<S, MaxSize>& solution) noexcept {
  S most = S(0);
  for (int i = 0; i < problem.size; ++i) {
    const S w = gap_of(problem, i, solution.z);
    const S lack = std::abs(std::min(solution.z[i] / scale.row[i], w * scale.row[i]));
    solution.w[i] = w;
    if (lack > most || !(lack >= S(0))) most = lack;  // a NaN stays
  }
  solution.residual = most / scale.q;
}

}  // namespace detail

}  // namespace kinecast
