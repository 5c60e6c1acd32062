// SPDX-License-Identifier: MIT
// The active set: the loop of all relaxed forms that finds which unknowns end at their bound. It has three rules, each
// used when the one before it makes no more progress. Block principal pivoting (Júdice and Pires 1994) exchanges every
// unknown on the wrong side at once; it ends after one to three factorisations as a rule, but can cycle. The
// second rule starts with no unknown free and exchanges one at a time, the most violated first (as Lawson and
// Hanson do); it also works for sliding contacts. Murty's rule exchanges the last violated one; it is proven
// finite if A + Lambda has positive principal minors, as for sticking contacts. The number of factorisations is
// capped; then the best set found is used.
#pragma once

#include <kinecast/solve/factored_problem.hpp>

namespace kinecast::detail {

// Of a problem with one or two unknowns the compiler sees that none of them may exist, and
// that nothing would be set then.
template <class T, std::size_t Size>
inline void set_if_small([[maybe_unused]] T (&values)[Size]) noexcept {
  if constexpr (Size <= 2)
    for (T& value : values) value = T{};
}

// The number of block exchanges without progress after which single ones begin.
inline constexpr int kBlockExchanges = 3;

// The cap on factorisations; random problems need two on average (tests/oracle/golden_qp.cpp).
template <int MaxUnknowns>
inline constexpr int kMostFactorisations = 2 * MaxUnknowns + 16;

// Inner::solve(at_bound) solves with the free unknowns; then gradient(i) is the derivative of unknown i without its own
// relaxation: x_i = -gradient/lambda_i if it is free, and >= 0 if it is at its bound. Both signs are meant up to
// noise(i). Violations up to Inner::kUndecided, in units of that noise, count as a cycle of rounding.
template <class S, int MaxRank, int MaxUnknowns, class Inner>
[[nodiscard]] inline Status find_active_set(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem, Inner& inner,
                                            Array<bool, MaxUnknowns>& at_bound, int& iterations) noexcept {
  constexpr int kCap = kMostFactorisations<MaxUnknowns>;
  int fewest = problem.unknowns + 1;
  int blocks_left = kBlockExchanges;
  int singles_left = problem.unknowns;
  S least_violation = std::numeric_limits<S>::infinity();
  Array<bool, MaxUnknowns> best;
  set_if_small(best);
  for (iterations = 1; iterations < kCap; ++iterations) {
    if (!inner.solve(at_bound)) return Status::non_finite_result;
    Array<int, MaxUnknowns> wrong;
    int count = 0;
    S violation = S(0);  // in units of the noise
    int worst = 0;       // the most violated, free ones first
    S excess_of_worst = S(0);
    for (int i = 0; i < problem.unknowns; ++i) {
      if (!problem.is_bounded[i]) continue;
      const S gradient = inner.gradient(i);
      const S excess = at_bound[i] ? -gradient : gradient;
      if (excess <= S(0)) continue;
      const S noise = inner.noise(i);
      if (excess <= noise) continue;  // a NaN is wrong
      wrong[count++] = i;
      if (excess > violation * noise) violation = excess / noise;
      const bool comes_first = at_bound[worst] && !at_bound[i];
      if (count == 1 || comes_first || (excess > excess_of_worst && at_bound[worst] == at_bound[i]))
        worst = i, excess_of_worst = excess;
    }
    if (count == 0) return Status::ok;
    if (blocks_left < 0 && violation <= Inner::kUndecided) return Status::ok;  // rounding alone makes it cycle
    if (violation < least_violation) {
      least_violation = violation;
      for (int i = 0; i < problem.unknowns; ++i) best[i] = at_bound[i];
    }
    if (blocks_left >= 0) {
      blocks_left = count < fewest ? kBlockExchanges : blocks_left - 1;
      if (count < fewest) fewest = count;
      for (int k = 0; k < count; ++k) at_bound[wrong[k]] = !at_bound[wrong[k]];
      if (blocks_left < 0)
        for (int i = 0; i < problem.unknowns; ++i) at_bound[i] = problem.is_bounded[i];
    } else {
      const int exchanged = singles_left-- > 0 ? worst : wrong[count - 1];
      at_bound[exchanged] = !at_bound[exchanged];
    }
  }
  // The best set found is solved once more; the caller cuts its negative unknowns.
  for (int i = 0; i < problem.unknowns; ++i) at_bound[i] = best[i];
  if (!(least_violation < std::numeric_limits<S>::infinity()) || !inner.solve(at_bound))
    return Status::non_finite_result;
  return least_violation <= Inner::kUndecided ? Status::ok : Status::iterations_exhausted;
}

// Solves a relaxed form with its inner solver: checks the input, runs the active set and commits the result.
template <class S, int MaxRank, int MaxUnknowns, class Form>
[[nodiscard]] inline Status solve_relaxed(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem, Form& form,
                                          FactoredSolution<S, MaxRank, MaxUnknowns>& solution) noexcept {
  Array<bool, MaxUnknowns> at_bound;
  for (int i = 0; i < problem.unknowns; ++i) at_bound[i] = problem.is_bounded[i] && solution.at_bound[i];
  if (!form.prepare()) return why_not_solved(problem);
  int iterations = 0;
  const Status status = find_active_set(problem, form, at_bound, iterations);
  if (!ok(status)) return why_not_solved(problem);

  Array<S, MaxUnknowns> x;
  Array<S, MaxRank> t;
  set_if_small(x);
  set_if_small(t);
  form.find_impulses(x);
  bool is_known = Form::kFindsVelocity;  // t
  S sum = S(0);
  for (int i = 0; i < problem.unknowns; ++i) {
    if (x[i] < S(0) && problem.is_bounded[i]) x[i] = S(0), is_known = false;
    sum += x[i];
  }
  if constexpr (Form::kFindsVelocity)
    for (int k = 0; k < problem.rank; ++k) t[k] = form.t[k];
  if (!is_known) {
    find_velocity(problem, x, t);
  }
  for (int k = 0; k < problem.rank; ++k) sum += t[k];
  if (!is_finite(sum)) return why_not_solved(problem);

  for (int i = 0; i < problem.unknowns; ++i) {
    solution.x[i] = x[i];
    solution.at_bound[i] = at_bound[i];
  }
  for (int k = 0; k < problem.rank; ++k) solution.t[k] = t[k];
  solution.iterations = iterations;
  return status;
}

// Finds 1/lambda_i. False if a lambda is not a positive finite number.
template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] inline bool invert_lambda(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem,
                                        Array<S, MaxUnknowns>& inverse) noexcept {
  S sum = S(0);
  for (int i = 0; i < problem.unknowns; ++i) {
    if (!(problem.lambda[i] > S(0))) return false;
    inverse[i] = S(1) / problem.lambda[i];
    sum += problem.lambda[i];
  }
  return is_finite(sum);
}

}  // namespace kinecast::detail
