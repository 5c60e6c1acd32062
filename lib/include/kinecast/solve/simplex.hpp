// SPDX-License-Identifier: MIT
// Small linear programs in fixed memory, as volume contact asks them of friction (spec 6.4, 6.5):
//
//   max cᵀx,   A x = b,   x >= 0
//
// Revised simplex in two phases. Kept is the inverse of the basis, MaxRows² numbers however many columns there are, and A is what a
// source of columns says, which need not store it. Largest gain first (Dantzig); by lowest index (Bland) while the solution
// stands still; a bounded number of pivots. A feasible result is checked against the columns themselves, and the basis inverted
// anew if it is off. A pivot costs O(rows²) and one look at every column.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/solve/factored_problem.hpp>

#include <cmath>
#include <limits>

namespace kinecast {

// The effort of a linear program, and how it stands when it has no solution. Always written.
template <class S>
struct LinearEffort {
  S residual;    // of phase 1: the sum of what the rows lack at best, over the largest right-hand side
  int pivots;    // made
  bool gave_up;  // the pivots were used up
};

// The columns that are not zero: no more than rows.
template <class S, int MaxRows>
struct LinearSolution {
  int rows;
  detail::Array<int, MaxRows> column;  // -1: none, the row depends on others
  detail::Array<S, MaxRows> value;
  S objective;

  // x_j
  [[nodiscard]] S x(int j) const noexcept {
    for (int i = 0; i < rows; ++i)
      if (column[i] == j) return value[i];
    return S(0);
  }
};

// A stored A. Fill rows, count, entry, cost; then prepare() scales: three rounds that bring the largest entry of each row and of
// each column to one. Any other source of columns offers the same functions, for columns whose entries are of order one:
//
//   rows(), columns()              the number of each
//   kHasCosts                      false: the question is only whether there is a solution
//   row_scale(i), column_scale(j)  what row i and column j were multiplied by, at last
//   column(j, a)                   a = column j
//   cost(j), largest_cost()
//   steepest(z, weight, most)      the j with the largest gain weight * cost(j) + z . column(j) that is above `most`, and `most`
//                                  becomes that gain; -1 if there is none
//   first(z, weight, most)         the same for the lowest j with a gain above `most`
template <class S, int MaxRows, int MaxColumns>
class DenseColumns {
 public:
  static_assert(MaxRows >= 1 && MaxColumns >= 1, "kinecast: a linear program has at least one row and one column");
  static constexpr bool kHasCosts = true;

  int row_count{0};
  int column_count{0};
  detail::Table<S, MaxColumns, MaxRows> entry{};  // by columns
  detail::Array<S, MaxColumns> price{};           // c

  [[nodiscard]] Status prepare() noexcept {
    if (row_count < 0 || row_count > MaxRows || column_count < 0 || column_count > MaxColumns)
      return Status::index_out_of_range;
    for (int j = 0; j < column_count; ++j) {
      if (!is_finite(price[j])) return Status::non_finite_input;
      for (int i = 0; i < row_count; ++i)
        if (!is_finite(entry[j][i])) return Status::non_finite_input;
      column_scale_[j] = S(1);
    }
    for (int i = 0; i < row_count; ++i) row_scale_[i] = S(1);
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < row_count; ++i) {
        S most = S(0);
        for (int j = 0; j < column_count; ++j) most = larger(most, entry[j][i]);
        multiply(row_scale_[i], most);
        for (int j = 0; j < column_count && most > S(0); ++j) entry[j][i] /= most;
      }
      for (int j = 0; j < column_count; ++j) {
        S most = S(0);
        for (int i = 0; i < row_count; ++i) most = larger(most, entry[j][i]);
        multiply(column_scale_[j], most);
        for (int i = 0; i < row_count && most > S(0); ++i) entry[j][i] /= most;
      }
    }
    S sum = S(0);
    largest_cost_ = S(0);
    for (int j = 0; j < column_count; ++j) {
      price[j] *= column_scale_[j];
      largest_cost_ = larger(largest_cost_, price[j]);
      sum += column_scale_[j] + price[j];
    }
    for (int i = 0; i < row_count; ++i) sum += row_scale_[i];
    return is_finite(sum) ? Status::ok : Status::non_finite_result;
  }

  [[nodiscard]] int rows() const noexcept { return row_count; }
  [[nodiscard]] int columns() const noexcept { return column_count; }
  [[nodiscard]] S row_scale(int i) const noexcept { return row_scale_[i]; }
  [[nodiscard]] S column_scale(int j) const noexcept { return column_scale_[j]; }
  [[nodiscard]] S cost(int j) const noexcept { return price[j]; }
  [[nodiscard]] S largest_cost() const noexcept { return largest_cost_; }
  void column(int j, S* a) const noexcept {
    for (int i = 0; i < row_count; ++i) a[i] = entry[j][i];
  }
  [[nodiscard]] int steepest(const S* z, S weight, S& most) const noexcept {
    int found = -1;
    for (int j = 0; j < column_count; ++j)
      if (const S gain = gain_of(j, z, weight); gain > most) most = gain, found = j;
    return found;
  }
  [[nodiscard]] int first(const S* z, S weight, S& most) const noexcept {
    for (int j = 0; j < column_count; ++j) {
      if (const S gain = gain_of(j, z, weight); gain > most) {
        most = gain;
        return j;
      }
    }
    return -1;
  }

 private:
  [[nodiscard]] static S larger(S most, S value) noexcept { return std::abs(value) > most ? std::abs(value) : most; }
  static void multiply(S& scale, S most) noexcept {
    if (most > S(0)) scale /= most;
  }
  [[nodiscard]] S gain_of(int j, const S* z, S weight) const noexcept {
    S gain = weight * price[j];
    for (int i = 0; i < row_count; ++i) gain += z[i] * entry[j][i];
    return gain;
  }

  detail::Array<S, MaxRows> row_scale_{};
  detail::Array<S, MaxColumns> column_scale_{};
  S largest_cost_{0};
};

namespace detail {

// Works on the scaled columns. Every row begins with an artificial column of its own, ±e_i, that stands in its place of the basis;
// once it has left it is gone.
template <class S, int MaxRows>
class RevisedSimplex {
 public:
  // An easy program takes two or three pivots a row; the rest is for standing still.
  static constexpr int kMostPivots = 24 * MaxRows + 24;
  static constexpr int kArtificial = -1;

  template <class Columns>
  [[nodiscard]] Status solve(const Columns& columns, const S* b) noexcept {
    if (const Status status = take(columns, b); !ok(status)) return status;
    for (int i = 0; i < n_; ++i) place_[i] = kArtificial;
    if (const Status status = find_feasible(columns); !ok(status)) return status;
    return Columns::kHasCosts ? find_optimum(columns) : Status::ok;
  }

  [[nodiscard]] int rows() const noexcept { return n_; }
  [[nodiscard]] int place(int i) const noexcept { return place_[i]; }  // the column that stands here; kArtificial
  [[nodiscard]] S level(int i) const noexcept { return level_[i]; }
  [[nodiscard]] int pivots() const noexcept { return pivots_; }
  [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
  [[nodiscard]] S residual() const noexcept { return residual_; }

 private:
  enum class Ending { optimal, unbounded, exhausted };

  template <class Columns>
  [[nodiscard]] Status take(const Columns& columns, const S* b) noexcept {
    n_ = columns.rows();
    pivots_ = inversions_ = 0;
    gave_up_ = false;
    residual_ = size_ = S(0);
    for (int i = 0; i < n_; ++i) {
      b_[i] = b[i];
      if (!is_finite(b[i])) return Status::non_finite_input;
      size_ = std::abs(b[i]) > size_ ? std::abs(b[i]) : size_;
    }
    if (!(size_ > S(0))) size_ = S(1);
    return Status::ok;
  }

  template <class Columns>
  [[nodiscard]] Status find_feasible(const Columns& columns) noexcept {
    begin_inverse();
    for (int i = 0; i < n_; ++i) level_[i] = std::abs(b_[i]);
    const Ending ending = improve(columns, S(0));
    residual_ = lack() / size_;
    if (residual_ <= Tolerance<S>::kFeasible) return Status::ok;
    if (!is_finite(residual_)) return Status::non_finite_result;
    gave_up_ = ending == Ending::exhausted;
    return Status::infeasible;
  }

  template <class Columns>
  [[nodiscard]] Status find_optimum(const Columns& columns) noexcept {
    for (int i = 0; i < n_; ++i)
      if (place_[i] == kArtificial) level_[i] = S(0);
    const Ending ending = improve(columns, S(1));
    if (ending == Ending::unbounded) return Status::unbounded;
    S sum = S(0);
    for (int i = 0; i < n_; ++i) sum += level_[i];
    if (!is_finite(sum)) return Status::non_finite_result;
    gave_up_ = ending == Ending::exhausted;
    return gave_up_ ? Status::iterations_exhausted : Status::ok;
  }

  // The sum of the artificial columns' levels.
  [[nodiscard]] S lack() const noexcept {
    S sum = S(0);
    for (int i = 0; i < n_; ++i)
      if (place_[i] == kArtificial) sum += level_[i];
    return sum;
  }

  // Phase 1 (weight 0: what is maximised is minus the sum of the artificial columns) or 2 (weight 1).
  template <class Columns>
  [[nodiscard]] Ending improve(const Columns& columns, S weight) noexcept {
    const bool is_first = !(weight > S(0));
    int stands_still = 0;
    find_gains(columns, weight);
    for (; pivots_ < kMostPivots; ++pivots_) {
      bool is_done = is_first && lack() <= Tolerance<S>::kDegenerate * size_;
      int leaving = -1;
      S gain = S(0);
      S step = S(0);
      if (!is_done) {
        gain = Tolerance<S>::kNoGain * (size_of_gains(columns, weight));
        const int entering = stands_still > n_ ? columns.first(z_, weight, gain) : columns.steepest(z_, weight, gain);
        is_done = entering < 0;
        if (!is_done) {
          multiply(columns, entering);
          leaving = leaves(is_first, stands_still > n_, step);
          if (leaving >= 0) {
            stands_still = step * widest_ > Tolerance<S>::kDegenerate * size_ ? 0 : stands_still + 1;
            exchange(entering, leaving, step, gain);
            continue;
          }
        }
      }
      // The end, if the inverse is good for it.
      if (inversions_ >= kMostInversions || is_accurate(columns)) return is_done ? Ending::optimal : Ending::unbounded;
      ++inversions_;
      if (!invert(columns)) return Ending::exhausted;
      find_levels();
      for (int i = 0; i < n_; ++i) level_[i] = level_[i] > S(0) ? level_[i] : S(0);
      find_gains(columns, weight);
    }
    return Ending::exhausted;
  }

  // w = B⁻¹ a_j
  template <class Columns>
  void multiply(const Columns& columns, int j) noexcept {
    Array<S, MaxRows> a;
    columns.column(j, a);
    widest_ = S(0);
    for (int i = 0; i < n_; ++i) {
      S sum = S(0);
      for (int k = 0; k < n_; ++k) sum += inverse_[i][k] * a[k];
      w_[i] = sum;
      widest_ = std::abs(sum) > widest_ ? std::abs(sum) : widest_;
    }
  }

  // The place whose column reaches zero first as the entering one grows, and how far that is; -1 if none ever does. Of those that
  // do so together the one with the largest pivot, or by Bland's rule the lowest column, the artificial ones first: they do
  // not return. In phase 2 an artificial column holds its zero, and leaves wherever it would not.
  [[nodiscard]] int leaves(bool is_first, bool by_index, S& step) const noexcept {
    const S least = Tolerance<S>::kNoPivot * widest_;
    int found = -1;
    if (!is_first) {
      S widest = least;
      for (int i = 0; i < n_; ++i)
        if (place_[i] == kArtificial && std::abs(w_[i]) > widest) widest = std::abs(w_[i]), found = i;
      step = S(0);
      if (found >= 0) return found;
    }
    for (int i = 0; i < n_; ++i)
      if (w_[i] > least && (found < 0 || level_[i] < step * w_[i])) step = level_[i] / w_[i], found = i;
    if (found < 0) return found;
    const S together = Tolerance<S>::kDegenerate * size_;
    const S shortest = step;
    for (int i = 0; i < n_; ++i) {
      if (!(w_[i] > least) || level_[i] - shortest * w_[i] > together) continue;
      if (by_index ? place_[i] < place_[found] : w_[i] > w_[found]) found = i;
    }
    step = level_[found] / w_[found];
    return found;
  }

  // The entering column takes the place; levels, inverse and gains follow.
  void exchange(int entering, int leaving, S step, S gain) noexcept {
    for (int i = 0; i < n_; ++i) {
      const S level = level_[i] - step * w_[i];
      level_[i] = level > S(0) ? level : S(0);
    }
    level_[leaving] = step;
    place_[leaving] = entering;
    divide(leaving);
    for (int k = 0; k < n_; ++k) z_[k] -= gain * inverse_[leaving][k];
  }

  // The inverse, after column w has taken a place.
  void divide(int at) noexcept {
    S* const row = inverse_[at];
    const S inverse = S(1) / w_[at];
    for (int k = 0; k < n_; ++k) row[k] *= inverse;
    for (int i = 0; i < n_; ++i) {
      if (i == at) continue;
      const S factor = w_[i];
      S* const other = inverse_[i];
      for (int k = 0; k < n_; ++k) other[k] -= factor * row[k];
    }
  }

  // z: gains are weight * c_j + z . a_j.
  template <class Columns>
  void find_gains(const Columns& columns, S weight) noexcept {
    for (int k = 0; k < n_; ++k) z_[k] = S(0);
    for (int i = 0; i < n_; ++i) {
      const bool is_artificial = place_[i] == kArtificial;
      if (is_artificial != !(weight > S(0))) continue;
      const S factor = is_artificial ? S(1) : -columns.cost(place_[i]);
      for (int k = 0; k < n_; ++k) z_[k] += factor * inverse_[i][k];
    }
  }
  // What a gain is made of: its rounding is relative to that.
  template <class Columns>
  [[nodiscard]] S size_of_gains(const Columns& columns, S weight) const noexcept {
    S sum = weight * columns.largest_cost();
    for (int k = 0; k < n_; ++k) sum += std::abs(z_[k]);
    return sum;
  }

  void begin_inverse() noexcept {
    for (int i = 0; i < n_; ++i) {
      for (int k = 0; k < n_; ++k) inverse_[i][k] = S(0);
      inverse_[i][i] = b_[i] < S(0) ? S(-1) : S(1);
    }
  }

  // The inverse from the columns themselves: one after the other takes the place with the largest pivot of those that no
  // artificial column holds. False if they depend on each other.
  template <class Columns>
  [[nodiscard]] bool invert(const Columns& columns) noexcept {
    Array<int, MaxRows> former;
    constexpr int kFree = -2;
    for (int i = 0; i < n_; ++i) {
      former[i] = place_[i];
      if (place_[i] != kArtificial) place_[i] = kFree;
    }
    begin_inverse();
    for (int i = 0; i < n_; ++i) {
      if (former[i] == kArtificial) continue;
      multiply(columns, former[i]);
      int best = -1;
      S widest = Tolerance<S>::kNoPivot * widest_;
      for (int k = 0; k < n_; ++k)
        if (place_[k] == kFree && std::abs(w_[k]) > widest) widest = std::abs(w_[k]), best = k;
      if (best < 0) {
        for (int k = 0; k < n_; ++k) place_[k] = former[k];
        return false;
      }
      place_[best] = former[i];
      divide(best);
    }
    return true;
  }

  void find_levels() noexcept {
    for (int i = 0; i < n_; ++i) {
      S sum = S(0);
      for (int k = 0; k < n_; ++k) sum += inverse_[i][k] * b_[k];
      level_[i] = sum;
    }
  }

  // Whether the levels make b. If so they are refined once with what is left.
  template <class Columns>
  [[nodiscard]] bool is_accurate(const Columns& columns) noexcept {
    Array<S, MaxRows> left;
    for (int k = 0; k < n_; ++k) left[k] = b_[k];
    for (int i = 0; i < n_; ++i) {
      if (place_[i] == kArtificial) {
        left[i] -= b_[i] < S(0) ? -level_[i] : level_[i];
        continue;
      }
      Array<S, MaxRows> a;
      columns.column(place_[i], a);
      for (int k = 0; k < n_; ++k) left[k] -= level_[i] * a[k];
    }
    S most = S(0);
    S largest = size_;
    for (int i = 0; i < n_; ++i) {
      most = std::abs(left[i]) > most ? std::abs(left[i]) : most;
      largest = level_[i] > largest ? level_[i] : largest;
    }
    if (!(most <= Tolerance<S>::kSatisfied * largest)) return false;
    for (int i = 0; i < n_; ++i) {
      S sum = level_[i];
      for (int k = 0; k < n_; ++k) sum += inverse_[i][k] * left[k];
      level_[i] = sum > S(0) ? sum : S(0);
    }
    return true;
  }

  static constexpr int kMostInversions = 3;

  int n_{0};
  int pivots_{0};
  int inversions_{0};
  bool gave_up_{false};
  S residual_{0};
  S size_{1};    // of b
  S widest_{0};  // of w
  Table<S, MaxRows, MaxRows> inverse_;
  Array<int, MaxRows> place_;
  Array<S, MaxRows> level_;
  Array<S, MaxRows> b_;
  Array<S, MaxRows> w_;
  Array<S, MaxRows> z_;
};

}  // namespace detail

// infeasible: no x >= 0 makes b, or phase 1 used all its pivots without finding one (effort.gave_up; never seen in 10⁵ programs of
// tests/oracle/linear_programs.cpp). unbounded: x can grow for ever. iterations_exhausted, a warning: the x given is feasible
// but perhaps not the best.
template <class S, int MaxRows, class Columns>
[[nodiscard]] inline Status solve_linear_program(const Columns& columns,
                                                 const S (&b)[static_cast<std::size_t>(MaxRows)],
                                                 LinearSolution<S, MaxRows>& solution,
                                                 LinearEffort<S>& effort) noexcept {
  effort = {};
  if (columns.rows() < 0 || columns.rows() > MaxRows) return Status::index_out_of_range;
  detail::Array<S, MaxRows> scaled;
  for (int i = 0; i < columns.rows(); ++i) scaled[i] = b[i] * columns.row_scale(i);
  detail::RevisedSimplex<S, MaxRows> simplex;
  const Status status = simplex.solve(columns, scaled);
  effort = {simplex.residual(), simplex.pivots(), simplex.gave_up()};
  if (!ok(status)) return status;
  solution.rows = simplex.rows();
  solution.objective = S(0);
  for (int i = 0; i < simplex.rows(); ++i) {
    const int j = simplex.place(i);
    solution.column[i] = j;
    solution.value[i] = j < 0 ? S(0) : simplex.level(i) * columns.column_scale(j);
    if (Columns::kHasCosts && j >= 0) solution.objective += columns.cost(j) * simplex.level(i);
  }
  return status;
}

}  // namespace kinecast
