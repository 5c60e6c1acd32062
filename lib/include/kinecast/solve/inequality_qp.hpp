// SPDX-License-Identifier: MIT
// The energy form of sticking contacts with inequalities between the unknowns, as friction pyramids and centres of
// pressure need them: min ½|Zᵀx + g|² + ½ xᵀ Lambda x + eᵀx, G x >= h, x_i >= 0 where bounded. (The velocity form is
// the same with the columns of A for rows, g = c, e = 0.) By the dual active set (solve/dual_active_set.hpp): O(n³) to
// begin, O(n²) per change.
#pragma once

#include <kinecast/math/householder.hpp>
#include <kinecast/solve/dual_active_set.hpp>
#include <kinecast/solve/energy_form.hpp>

#include <cmath>

namespace kinecast {

template <class S, int MaxUnknowns, int MaxRows>
struct Inequalities {
  static_assert(MaxRows >= 1, "kinecast: inequalities have at least one row");
  int rows;
  detail::Table<S, MaxRows, MaxUnknowns> G;
  detail::Array<S, MaxRows> h;
};

namespace detail {

// The dual active set works in y = Lambda^½ x, where the matrix is H = 1 + kappa kappaᵀ, kappa_i = lambda_i^-½ Z_i.
// Inequalities are those of G, and behind them the bounds.
template <class S, int MaxRank, int MaxUnknowns, int MaxRows>
class InequalityQp {
 public:
  static constexpr int kMostInequalities = MaxRows + MaxUnknowns;
  // Every change joins or drops one inequality; three times all of them is far beyond what was ever seen.
  static constexpr int kMostChanges = 3 * kMostInequalities + 8;

  using Problem = FactoredProblem<S, MaxRank, MaxUnknowns>;
  using Rows = Inequalities<S, MaxUnknowns, MaxRows>;

  InequalityQp(const Problem& problem, const Rows& rows, const Array<S, MaxUnknowns>& inverse_root,
               const Array<S, MaxUnknowns>& x) noexcept
      : problem_(problem), rows_(rows), inverse_root_(inverse_root), n_(problem.unknowns) {
    for (int i = 0; i < n_; ++i) y_[i] = x[i] / inverse_root[i];
  }

  [[nodiscard]] S x(int i) const noexcept { return y_[i] * inverse_root_[i]; }
  [[nodiscard]] int changes() const noexcept { return changes_; }
  [[nodiscard]] bool is_at_bound(int i) const noexcept { return is_active_[rows_.rows + i]; }

  // ---- what the dual active set asks for ----------------------------------------------------------------------------

  [[nodiscard]] bool has_changes_left() const noexcept { return changes_ < kMostChanges; }
  [[nodiscard]] int most_tries() const noexcept { return kMostChanges - changes_; }
  void begin_joining(int /*joining*/) noexcept {
    if (changes_ == 0) invert_root_of_H();  // only now: mostly nothing is violated
    joining_multiplier_ = S(0);
  }

  // Gives -1 if no inequality is violated. Violations are compared as distances.
  [[nodiscard]] int most_violated() noexcept {
    int found = -1;
    S most = S(0);
    S largest = S(0);  // impulse: the rounding of a bound
    for (int i = 0; i < n_; ++i) largest = std::abs(x(i)) > largest ? std::abs(x(i)) : largest;
    for (int j = 0; j < rows_.rows + n_; ++j) {
      if (is_active_[j] || (j >= rows_.rows && !problem_.is_bounded[j - rows_.rows])) continue;
      S size;
      const S lack = violation_of(j, size);
      if (!(lack > Tolerance<S>::kSatisfied * (size + (j >= rows_.rows ? largest : S(0))))) continue;
      S square = S(0);
      for (int i = 0; i < n_; ++i) square += coefficient(j, i) * coefficient(j, i);
      if (lack * lack > most * square || found < 0) {
        found = j;
        violation_ = lack;
        most = square > S(0) ? lack * lack / square : std::numeric_limits<S>::max();
      }
    }
    return found;
  }

  [[nodiscard]] DualStep<S> find_step(int joining) noexcept {
    S within = S(0);
    S beyond = S(0);  // |d|² of the active inequalities' span, and of what they leave free
    for (int k = 0; k < n_; ++k) {
      S sum = S(0);
      for (int i = 0; i < n_; ++i) sum += J_[k][i] * coefficient(joining, i);
      d_[k] = sum;
      (k < count_ ? within : beyond) += sum * sum;
    }
    for (int k = count_ - 1; k >= 0; --k) {
      S sum = d_[k];
      for (int m = k + 1; m < count_; ++m) sum -= R_[m][k] * r_[m];
      r_[k] = sum / R_[k][k];
    }
    int leaving = -1;
    S step = std::numeric_limits<S>::max();
    for (int k = 0; k < count_; ++k)
      if (r_[k] > S(0) && multiplier_[k] < step * r_[k]) step = multiplier_[k] / r_[k], leaving = k;
    constexpr S kDependent = Tolerance<S>::kSatisfied * Tolerance<S>::kSatisfied;
    const bool can_move = beyond > kDependent * (within + beyond);
    const bool is_full = can_move && violation_ <= step * beyond;
    if (is_full) return {violation_ / beyond, -1, true};
    return {step, leaving, can_move};
  }
  void take(const DualStep<S>& step, int /*joining*/) noexcept {
    for (int k = 0; k < count_; ++k) multiplier_[k] -= step.length * r_[k];
    joining_multiplier_ += step.length;
    if (step.moves)
      for (int k = count_; k < n_; ++k)
        for (int i = 0; i < n_; ++i) y_[i] += step.length * d_[k] * J_[k][i];
  }

  // Rotates the columns of J that are free so that only the first of them sees the inequality.
  void add(int joining) noexcept {
    for (int k = n_ - 1; k > count_; --k) rotate(d_[k - 1], d_[k], J_[k - 1], J_[k]);
    for (int k = 0; k <= count_; ++k) R_[count_][k] = d_[k];
    active_[count_] = joining;
    multiplier_[count_] = joining_multiplier_;
    is_active_[joining] = true;
    ++count_;
    ++changes_;
  }
  void drop(int leaving, int joining) noexcept {
    is_active_[active_[leaving]] = false;
    --count_;
    for (int m = leaving; m < count_; ++m) {
      active_[m] = active_[m + 1];
      multiplier_[m] = multiplier_[m + 1];
      for (int k = 0; k <= m + 1; ++k) R_[m][k] = R_[m + 1][k];
    }
    for (int m = leaving; m < count_; ++m) {  // column m has one entry below the diagonal
      const Rotation turn = rotate(R_[m][m], R_[m][m + 1], J_[m], J_[m + 1]);
      for (int k = m + 1; k < count_; ++k) turn.apply(R_[k][m], R_[k][m + 1]);
    }
    S size;
    violation_ = violation_of(joining, size);
    if (!(violation_ > S(0))) violation_ = S(0);
    ++changes_;
  }
  // No y satisfies the inequality together with the active ones. If zero does, it lacks rounding only, and stays as it
  // is.
  [[nodiscard]] Status leave_out(int joining, Joined why) noexcept {
    if (why == Joined::too_many_changes) return Status::iterations_exhausted;
    if (!zero_is_feasible()) return Status::infeasible;
    is_active_[joining] = true;
    ++changes_;
    return Status::ok;
  }

 private:
  // If zero satisfies all inequalities, they cannot contradict each other.
  [[nodiscard]] bool zero_is_feasible() const noexcept {
    for (int j = 0; j < rows_.rows; ++j)
      if (rows_.h[j] > S(0)) return false;
    return true;
  }

  // J Jᵀ = H⁻¹: Householder on [1; kappaᵀ] = Q T, J = T⁻¹. T is kept on the other side of J's diagonal.
  void invert_root_of_H() noexcept {
    const int r = problem_.rank;
    Table<S, MaxUnknowns, MaxRank> v;
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < r; ++k) v[i][k] = problem_.row[i][k] * inverse_root_[i];
    auto& T = J_;                   // its sign does not matter
    Array<S, MaxUnknowns> inverse;  // 1 / T_mm
    const auto at = [&v](int k, int i) -> S& { return v[i][k]; };
    for (int m = 0; m < n_; ++m) inverse[m] = reflect_below_one(m, r, n_, at, T[m]).inverse;
    for (int j = 0; j < n_; ++j) {
      J_[j][j] = inverse[j];
      for (int i = j - 1; i >= 0; --i) {
        S sum = S(0);
        for (int k = i + 1; k <= j; ++k) sum += T[i][k] * J_[j][k];
        J_[j][i] = -sum * inverse[i];
      }
    }
    for (int j = 0; j < n_; ++j)
      for (int i = j + 1; i < n_; ++i) J_[j][i] = S(0);
  }

  // Gives the coefficient of y_i in inequality j.
  [[nodiscard]] S coefficient(int j, int i) const noexcept {
    if (j < rows_.rows) return rows_.G[j][i] * inverse_root_[i];
    return j - rows_.rows == i ? inverse_root_[i] : S(0);
  }

  // Gives how much inequality j lacks, and the size of what its sum is made of.
  [[nodiscard]] S violation_of(int j, S& size) const noexcept {
    if (j >= rows_.rows) {
      size = S(0);
      return -x(j - rows_.rows);
    }
    S violation = rows_.h[j];
    size = std::abs(violation);
    for (int i = 0; i < n_; ++i) {
      const S product = rows_.G[j][i] * x(i);
      violation -= product;
      size += std::abs(product);
    }
    return violation;
  }

  struct Rotation {
    S cosine;
    S sine;
    void apply(S& a, S& b) const noexcept {
      const S turned = cosine * a + sine * b;
      b = cosine * b - sine * a;
      a = turned;
    }
  };
  // Makes b zero, and turns two columns of J along.
  Rotation rotate(S& a, S& b, Array<S, MaxUnknowns>& column_a, Array<S, MaxUnknowns>& column_b) const noexcept {
    const S length = std::sqrt(a * a + b * b);
    if (!(length > S(0))) return {S(1), S(0)};
    const Rotation turn{a / length, b / length};
    a = length;
    b = S(0);
    for (int i = 0; i < n_; ++i) turn.apply(column_a[i], column_b[i]);
    return turn;
  }

  const Problem& problem_;
  const Rows& rows_;
  const Array<S, MaxUnknowns>& inverse_root_;
  int n_;
  int changes_{0};
  int count_{0};                      // of active inequalities
  Array<int, MaxUnknowns> active_;    // which ones, in the order of R's columns
  Array<S, MaxUnknowns> multiplier_;  // and their multipliers
  Array<bool, kMostInequalities> is_active_{};
  // Of the joining inequality: what it lacks, its multiplier, Jᵀ n, and R⁻¹ Jᵀ n, by which the active multipliers
  // change.
  S violation_;
  S joining_multiplier_;
  Array<S, MaxUnknowns> d_;
  Array<S, MaxUnknowns> r_;
  Array<S, MaxUnknowns> y_;
  Table<S, MaxUnknowns, MaxUnknowns> J_;  // by columns
  Table<S, MaxUnknowns, MaxUnknowns> R_;  // by columns: Jᵀ N = [R; 0] for the active normals N
};

}  // namespace detail

template <class S, int MaxRank, int MaxUnknowns, int MaxRows>
[[nodiscard]] inline Status solve_with_inequalities(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem,
                                                    const Inequalities<S, MaxUnknowns, MaxRows>& inequalities,
                                                    FactoredSolution<S, MaxRank, MaxUnknowns>& solution) noexcept {
  if (const Status status = detail::check_sizes(problem); !ok(status)) return status;
  if (inequalities.rows < 0 || inequalities.rows > MaxRows) return Status::index_out_of_range;
  if (!problem.is_symmetric) return Status::input_out_of_range;  // no minimum belongs to it
  const int n = problem.unknowns;
  S sum = S(0);
  for (int j = 0; j < inequalities.rows; ++j) {
    if (!is_finite(inequalities.h[j])) return Status::non_finite_input;
    for (int i = 0; i < n; ++i)
      if (!is_finite(inequalities.G[j][i])) return Status::non_finite_input;
  }

  detail::EnergyForm<S, MaxRank, MaxUnknowns> form(problem, Refinement::where_ill_conditioned);
  const detail::Array<bool, MaxUnknowns> none{};
  if (!form.prepare() || !form.solve(none)) return detail::why_not_solved(problem);
  detail::Array<S, MaxUnknowns> x;
  form.find_impulses(x);
  for (int i = 0; i < n; ++i) sum += x[i];
  for (int k = 0; k < problem.rank; ++k) sum += form.t[k];
  if (!is_finite(sum)) return detail::why_not_solved(problem);

  detail::Array<S, MaxUnknowns> inverse_root;
  for (int i = 0; i < n; ++i) inverse_root[i] = S(1) / std::sqrt(problem.lambda[i]);
  detail::InequalityQp<S, MaxRank, MaxUnknowns, MaxRows> qp(problem, inequalities, inverse_root, x);
  const Status status = detail::run_dual_active_set(qp);
  if (!ok(status)) return status;
  for (int i = 0; i < n; ++i) {
    x[i] = qp.x(i);
    if (problem.is_bounded[i] && (qp.is_at_bound(i) || x[i] < S(0))) x[i] = S(0);
    sum += x[i];
  }
  if (!is_finite(sum)) return Status::non_finite_result;

  for (int i = 0; i < n; ++i) {
    solution.x[i] = x[i];
    solution.at_bound[i] = qp.is_at_bound(i);
  }
  detail::find_velocity(problem, solution.x, solution.t);
  solution.iterations = 1 + qp.changes();
  return status;
}

}  // namespace kinecast
