// SPDX-License-Identifier: MIT
// The unrelaxed contact problem, as a baseline: the velocities of all rows as small as possible,
//
//   min ½|R Zᵀ x + c|²,   c = R g + e,   x_i >= 0 where bounded; lambda is not read
//
// If there are more rows than the rank, many distributions of the forces solve the problem. This finds a basic one
// (Lawson and Hanson 1974): unknowns join one at a time, the steepest first. At most `rank` of them are not 0, and
// which ones jumps from step to step; the relaxed forms exist because of that (S000). No square is formed: with R = Q
// Lᵀ as in the velocity form the problem is min ½|K x + f|², K_i = Lᵀ Z_i, and the members' columns are kept as an
// orthonormal basis with its triangle. A change of the members costs O(rank³).
#pragma once

#include <kinecast/solve/velocity_form.hpp>

#include <cmath>

namespace kinecast {

namespace detail {

template <class S, int MaxRank, int MaxUnknowns>
class BasicSolution {
 public:
  explicit BasicSolution(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem) noexcept : problem_(problem) {}

  // Finds K and f. False if they overflow.
  [[nodiscard]] bool prepare() noexcept {
    const int n = problem_.unknowns;
    Table<S, MaxRank, MaxUnknowns> q;
    Table<S, MaxRank, MaxRank> lower_transposed;
    Array<int, MaxRank> pivot;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < problem_.rank; ++k) q[k][i] = problem_.row[i][k];
    rank_ = orthogonalise(q, problem_.rank, n, lower_transposed, pivot);
    if (rank_ < 0) return false;
    S sum = S(0);
    for (int m = 0; m < rank_; ++m) {
      f_[m] = S(0);
      for (int k = 0; k < problem_.rank; ++k) f_[m] += lower_transposed[m][k] * problem_.g[k];
      for (int i = 0; i < n; ++i) f_[m] += q[pivot[m]][i] * problem_.offset[i];
      sum += f_[m] * f_[m];
    }
    const S size = std::sqrt(sum);
    for (int i = 0; i < n; ++i) {
      const S* z = column_of(problem_, i);
      S square = S(0);
      for (int m = 0; m < rank_; ++m) {
        K_[i][m] = S(0);
        for (int k = 0; k < problem_.rank; ++k) K_[i][m] += lower_transposed[m][k] * z[k];
        square += K_[i][m] * K_[i][m];
      }
      length_[i] = std::sqrt(square);
      flat_[i] = Tolerance<S>::kSatisfied * length_[i] * size;
      sum += square + flat_[i];
      x[i] = S(0);
      is_member[i] = is_refused_[i] = false;
    }
    basis_.begin(rank_);
    find_velocities();
    return is_finite(sum);
  }

  // Gives the unknown along which the cost falls most, of those that are not members and were
  // not refused; -1 if there is none.
  [[nodiscard]] int steepest() const noexcept {
    int found = -1;
    S most = S(0);
    if (basis_.count() == rank_) return found;  // nothing is left to fall
    for (int i = 0; i < problem_.unknowns; ++i) {
      if (is_member[i] || is_refused_[i]) continue;
      S gradient = S(0);
      for (int m = 0; m < rank_; ++m) gradient += K_[i][m] * rho_[m];
      const S fall = problem_.is_bounded[i] ? -gradient : std::abs(gradient);
      if (fall > flat_[i] && fall > most) most = fall, found = i;
    }
    return found;
  }

  // Takes unknown i in, unless its column depends on the members'; those that arrive at their bounds leave.
  void join(int i) noexcept {
    ++factorisations;
    const int before = basis_.count();
    if (!(append(i) > Tolerance<S>::kSatisfied * length_[i])) {
      basis_.shorten(before);
      is_refused_[i] = true;
      return;
    }
    is_member[i] = true;
    Array<S, MaxRank> target;
    for (int left = basis_.count(); left > 0; --left) {
      find_target(target);
      // The unknowns go as far towards the target as the bounds allow.
      int first = -1;
      S step = S(1);
      for (int a = 0; a < basis_.count(); ++a) {
        const int j = member_[a];
        if (!problem_.is_bounded[j] || target[a] > S(0)) continue;
        const S reached = x[j] > S(0) ? x[j] / (x[j] - target[a]) : S(0);
        if (first < 0 || reached < step) step = reached, first = a;
      }
      for (int a = 0; a < basis_.count(); ++a) {
        S& value = x[member_[a]];
        value = first < 0 ? target[a] : value + step * (target[a] - value);
      }
      if (first < 0) break;
      leave(first);
    }
    for (int j = 0; j < problem_.unknowns; ++j) is_refused_[j] = is_refused_[j] && !is_member[i];
    is_refused_[i] = !is_member[i];  // a member that left at once did so by rounding, and would come again
    find_velocities();
  }

  Array<S, MaxUnknowns> x;
  Array<bool, MaxUnknowns> is_member;
  int factorisations{0};

 private:
  // Unknown i becomes the last member. Gives the length of what its column adds.
  S append(int i) noexcept {
    member_[basis_.count()] = i;
    return basis_.append(K_[i]);
  }

  // Finds the members' unknowns with the least velocities: triangle * target = -directionsᵀ f.
  void find_target(Array<S, MaxRank>& target) const noexcept {
    Array<S, MaxRank> rest;
    for (int m = 0; m < rank_; ++m) rest[m] = f_[m];
    for (int a = 0; a < basis_.count(); ++a) target[a] = -basis_.take_out_of(rest, a);
    for (int a = basis_.count() - 1; a >= 0; --a) {
      for (int b = a + 1; b < basis_.count(); ++b) target[a] -= basis_.coordinate(a, b) * target[b];
      target[a] /= basis_.length(a);
    }
  }

  // Sets the member at this place to its bound and removes it; those that joined after it are orthogonalised anew.
  void leave(int place) noexcept {
    ++factorisations;
    const int before = basis_.count();
    x[member_[place]] = S(0);
    is_member[member_[place]] = false;
    basis_.shorten(place);
    for (int a = place + 1; a < before; ++a) append(member_[a]);  // one place earlier than it was read from
  }

  // Finds the velocities that the members leave.
  void find_velocities() noexcept {
    for (int m = 0; m < rank_; ++m) rho_[m] = f_[m];
    for (int a = 0; a < basis_.count(); ++a) basis_.take_out_of(rho_, a);
  }

  const FactoredProblem<S, MaxRank, MaxUnknowns>& problem_;
  int rank_{0};                       // of R
  Table<S, MaxUnknowns, MaxRank> K_;  // K_i
  Array<S, MaxUnknowns> length_;      // |K_i|
  Array<S, MaxUnknowns> flat_;        // a gradient below this is rounding
  Array<S, MaxRank> f_;
  Array<S, MaxRank> rho_;
  Array<bool, MaxUnknowns> is_refused_;
  Array<int, MaxRank> member_;
  OrthonormalBasis<S, MaxRank, MaxRank> basis_;  // of the members' columns
};

}  // namespace detail

template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] inline Status solve_basic(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem,
                                        FactoredSolution<S, MaxRank, MaxUnknowns>& solution) noexcept {
  if (const Status status = detail::check_sizes(problem); !ok(status)) return status;
  if (!detail::entries_are_finite(problem)) return Status::non_finite_input;
  constexpr int kMostJoins = 6 * MaxUnknowns;
  detail::BasicSolution<S, MaxRank, MaxUnknowns> basic(problem);
  if (!basic.prepare()) return Status::non_finite_result;
  Status status = Status::iterations_exhausted;
  for (int joins = 0; joins < kMostJoins; ++joins) {
    const int i = basic.steepest();
    if (i < 0) {
      status = Status::ok;
      break;
    }
    basic.join(i);
  }
  detail::Array<S, MaxRank> t;
  detail::find_velocity(problem, basic.x, t);
  S sum = S(0);
  for (int i = 0; i < problem.unknowns; ++i) sum += basic.x[i];
  for (int k = 0; k < problem.rank; ++k) sum += t[k];
  if (!is_finite(sum)) return Status::non_finite_result;

  for (int i = 0; i < problem.unknowns; ++i) {
    solution.x[i] = basic.x[i];
    solution.at_bound[i] = problem.is_bounded[i] && !basic.is_member[i];
  }
  for (int k = 0; k < problem.rank; ++k) solution.t[k] = t[k];
  solution.iterations = basic.factorisations;
  return status;
}

}  // namespace kinecast
