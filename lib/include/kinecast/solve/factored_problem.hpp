// SPDX-License-Identifier: MIT
// What the contact solvers take and give. Contact forces reach a robot through few directions (method 14:
// at most six per rigid body that touches), so the map from impulses to velocities is given by its
// factors, A = R Zᵀ, and never formed:
//
//   v_i = R_i . t + e_i,   t = g + Sum x_j Z_j      velocity of row i after the impulses x; t is it in factor space
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>

#include <cstddef>

namespace kinecast {

namespace detail {
// The arrays are plain, and their sizes are the int of the interface.
template <class T, int Size>
using Array = T[static_cast<std::size_t>(Size)];
template <class T, int Rows, int Columns>
using Table = T[static_cast<std::size_t>(Rows)][static_cast<std::size_t>(Columns)];
}  // namespace detail

// The arrays have no initialisers: only what `rank` and `unknowns` cover is read, and only that must be filled.
template <class S, int MaxRank, int MaxUnknowns>
struct FactoredProblem {
  static_assert(MaxRank >= 1 && MaxUnknowns >= 1, "kinecast: a contact problem has at least one direction and unknown");
  int rank;
  int unknowns;
  bool is_symmetric;                              // every column equals its row; `column` is then not read
  detail::Array<S, MaxRank> g;                    // the velocity in factor space without any impulse
  detail::Table<S, MaxUnknowns, MaxRank> row;     // R_i
  detail::Table<S, MaxUnknowns, MaxRank> column;  // Z_i
  detail::Array<S, MaxUnknowns> offset;           // e_i
  detail::Array<S, MaxUnknowns> lambda;           // relaxation, > 0; its unit depends on the form
  detail::Array<bool, MaxUnknowns> is_bounded;    // x_i >= 0
};

template <class S, int MaxRank, int MaxUnknowns>
struct FactoredSolution {
  detail::Array<S, MaxUnknowns> x;
  detail::Array<S, MaxRank> t;
  detail::Array<bool, MaxUnknowns>
      at_bound;    // on entry the warm start (all false: cold, all free), on exit the final active set
  int iterations;  // factorisations made
};

namespace detail {

// Gives Z_i.
template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] inline const S* column_of(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem, int i) noexcept {
  return problem.is_symmetric ? problem.row[i] : problem.column[i];
}

// Finds t = g + Sum x_i Z_i.
template <class S, int MaxRank, int MaxUnknowns>
inline void find_velocity(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem, const Array<S, MaxUnknowns>& x,
                          Array<S, MaxRank>& t) noexcept {
  for (int k = 0; k < problem.rank; ++k) t[k] = problem.g[k];
  for (int i = 0; i < problem.unknowns; ++i) {
    const S* z = column_of(problem, i);
    for (int k = 0; k < problem.rank; ++k) t[k] += x[i] * z[k];
  }
}

template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] inline Status check_sizes(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem) noexcept {
  const bool good =
      problem.rank >= 0 && problem.rank <= MaxRank && problem.unknowns >= 0 && problem.unknowns <= MaxUnknowns;
  return good ? Status::ok : Status::index_out_of_range;
}

// Checks all entries but lambda.
template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] inline bool entries_are_finite(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem) noexcept {
  bool finite = true;
  for (int k = 0; k < problem.rank; ++k) finite = finite && is_finite(problem.g[k]);
  for (int i = 0; i < problem.unknowns; ++i) {
    finite = finite && is_finite(problem.offset[i]);
    for (int k = 0; k < problem.rank; ++k)
      finite = finite && is_finite(problem.row[i][k]) && is_finite(column_of(problem, i)[k]);
  }
  return finite;
}

// Says why there is no solution. It is not called on the usual path: a NaN or an infinity anywhere in the input reaches
// the result, for the solvers multiply every entry by something, and zero times either is NaN.
template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] [[gnu::noinline]] inline Status why_not_solved(
    const FactoredProblem<S, MaxRank, MaxUnknowns>& problem) noexcept {
  bool finite = entries_are_finite(problem);
  bool positive = true;
  for (int i = 0; i < problem.unknowns; ++i) {
    finite = finite && is_finite(problem.lambda[i]);
    positive = positive && problem.lambda[i] > S(0);
  }
  if (!finite) return Status::non_finite_input;
  return positive ? Status::non_finite_result : Status::input_out_of_range;
}

}  // namespace detail

}  // namespace kinecast
