// SPDX-License-Identifier: MIT
// The unrelaxed contact problem, as a baseline: v_i = 0, or 0 <= x_i, v_i >= 0, one of them zero; lambda is not read. Where
// more rows touch than the rank, many distributions of the forces solve it, and this gives a basic one, as an active-set solver
// does (Lawson and Hanson 1974): rows join one at a time, the most violated first; no more unknowns than the rank are not 0,
// and which ones jumps from step to step. The relaxed forms exist because of that (S000). Every change costs O(rank³).
#pragma once

#include <kinecast/solve/factored_problem.hpp>

#include <cmath>

namespace kinecast {

namespace detail {

template <class S, int MaxRank, int MaxUnknowns>
class BasicSolution {
 public:
  explicit BasicSolution(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem) noexcept : problem_(problem) {
    for (int i = 0; i < problem.unknowns; ++i) {
      x[i] = S(0);
      is_member[i] = false;
      S v = problem.offset[i];
      S size = std::abs(v);
      for (int k = 0; k < problem.rank; ++k) {
        v += problem.row[i][k] * problem.g[k];
        size += std::abs(problem.row[i][k] * problem.g[k]);
      }
      c_[i] = v;
      tolerance_[i] = Tolerance<S>::kSatisfied * size;
    }
    find_velocity();
  }

  // The most violated row that is not a member and was not found dependent on them; -1 if there is none.
  [[nodiscard]] int most_violated() const noexcept {
    int found = -1;
    S most = S(0);
    for (int i = 0; i < problem_.unknowns; ++i) {
      if (is_member[i] || is_dependent_[i]) continue;
      S v = problem_.offset[i];
      for (int k = 0; k < problem_.rank; ++k) v += problem_.row[i][k] * t[k];
      const S violation = (problem_.is_bounded[i] ? -v : std::abs(v)) - tolerance_[i];
      if (violation > most) most = violation, found = i;
    }
    return found;
  }

  // Takes row i in, and out again if it depends on the members.
  void join(int i) noexcept {
    member_[count_++] = i;
    is_member[i] = true;
    Array<S, MaxRank + 1> target;
    if (count_ > problem_.rank || !solve(target)) {
      --count_;
      is_member[i] = false;
      is_dependent_[i] = true;
      return;
    }
    // As far towards the target as the bounds allow; who arrives at one leaves.
    for (int left = count_; left > 0; --left) {
      int first = -1;
      S step = S(1);
      for (int a = 0; a < count_; ++a) {
        const int j = member_[a];
        if (!problem_.is_bounded[j] || target[a] > S(0)) continue;
        const S reached = x[j] / (x[j] - target[a]);  // x_j >= 0 >= target; 0/0 is a step of nothing
        if (first < 0 || reached < step) step = reached, first = a;
      }
      if (!(step > S(0))) step = S(0);
      for (int a = 0; a < count_; ++a) x[member_[a]] += step * (target[a] - x[member_[a]]);
      if (first < 0) {
        for (int a = 0; a < count_; ++a) x[member_[a]] = target[a];
        break;
      }
      x[member_[first]] = S(0);
      is_member[member_[first]] = false;
      for (int a = first; a + 1 < count_; ++a) member_[a] = member_[a + 1];
      --count_;
      if (!solve(target)) break;
    }
    for (int j = 0; j < problem_.unknowns; ++j) is_dependent_[j] = false;
    is_dependent_[i] = !is_member[i];  // it left at once: rounding
    find_velocity();
  }

  Array<S, MaxUnknowns> x;
  Array<S, MaxRank> t;
  Array<bool, MaxUnknowns> is_member;
  int factorisations{0};

 private:
  void find_velocity() noexcept {
    for (int k = 0; k < problem_.rank; ++k) t[k] = problem_.g[k];
    for (int a = 0; a < count_; ++a) {
      const S* z = column_of(problem_, member_[a]);
      for (int k = 0; k < problem_.rank; ++k) t[k] += x[member_[a]] * z[k];
    }
  }

  // A x = -c for the members, in the order in which they joined, so that a pivot tells whether its row depends on those before.
  [[nodiscard]] bool solve(Array<S, MaxRank + 1>& target) noexcept {
    ++factorisations;
    Table<S, MaxRank + 1, MaxRank + 1> A;
    for (int a = 0; a < count_; ++a) {
      target[a] = -c_[member_[a]];
      for (int b = 0; b < count_; ++b) {
        const S* z = column_of(problem_, member_[b]);
        S sum = S(0);
        for (int k = 0; k < problem_.rank; ++k) sum += problem_.row[member_[a]][k] * z[k];
        A[a][b] = sum;
      }
    }
    for (int k = 0; k < count_; ++k) {
      S size = S(0);
      const int m = member_[k];
      for (int j = 0; j < problem_.rank; ++j) size += std::abs(problem_.row[m][j] * column_of(problem_, m)[j]);
      if (!(std::abs(A[k][k]) > Tolerance<S>::kSatisfied * size)) return false;
      const S inverse = S(1) / A[k][k];
      for (int i = k + 1; i < count_; ++i) {
        const S factor = A[i][k] * inverse;
        for (int j = k + 1; j < count_; ++j) A[i][j] -= factor * A[k][j];
        target[i] -= factor * target[k];
      }
    }
    for (int k = count_ - 1; k >= 0; --k) {
      for (int j = k + 1; j < count_; ++j) target[k] -= A[k][j] * target[j];
      target[k] /= A[k][k];
    }
    return true;
  }

  const FactoredProblem<S, MaxRank, MaxUnknowns>& problem_;
  Array<S, MaxUnknowns> c_;
  Array<S, MaxUnknowns> tolerance_;
  Array<bool, MaxUnknowns> is_dependent_{};
  Array<int, MaxRank + 1> member_;
  int count_{0};
};

}  // namespace detail

template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] inline Status solve_basic(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem,
                                        FactoredSolution<S, MaxRank, MaxUnknowns>& solution) noexcept {
  if (const Status status = detail::check_sizes(problem); !ok(status)) return status;
  if (!detail::entries_are_finite(problem)) return Status::non_finite_input;
  constexpr int kMostJoins = 4 * MaxUnknowns;
  detail::BasicSolution<S, MaxRank, MaxUnknowns> basic(problem);
  Status status = Status::iterations_exhausted;
  for (int joins = 0; joins < kMostJoins; ++joins) {
    const int i = basic.most_violated();
    if (i < 0) {
      status = Status::ok;
      break;
    }
    basic.join(i);
  }
  S sum = S(0);
  for (int i = 0; i < problem.unknowns; ++i) sum += basic.x[i];
  for (int k = 0; k < problem.rank; ++k) sum += basic.t[k];
  if (!is_finite(sum)) return Status::non_finite_result;

  for (int i = 0; i < problem.unknowns; ++i) {
    solution.x[i] = basic.x[i];
    solution.at_bound[i] = problem.is_bounded[i] && !basic.is_member[i];
  }
  for (int k = 0; k < problem.rank; ++k) solution.t[k] = basic.t[k];
  solution.iterations = basic.factorisations;
  return status;
}

}  // namespace kinecast
