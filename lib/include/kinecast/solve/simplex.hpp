// SPDX-License-Identifier: MIT
// Small linear programs in fixed memory, as friction of volume contacts needs them (method 6.4, 6.5):
//
//   max cᵀx,   A x = b,   x >= 0
//
// The method is the revised simplex in two phases. It keeps the inverse of the basis, MaxRows² numbers however many
// columns there are; the columns of A come from a source, which need not store them. The column with the largest gain
// enters (Dantzig), or the one with the lowest index (Bland) while the solution stands still. The number of pivots is
// bounded; each costs O(rows²) and one pass over all columns. A result is checked against the columns themselves, and
// the basis is inverted anew if the result is off. In 20 000 programs of up to 6 x 14 (oracle.linear_programs) rows and
// objective were good to 4e-4 of their terms in float, where the basis was nearly singular, and 2e-12 in double.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/solve/factored_problem.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace kinecast {

// The effort of a linear program, and its state if it has no solution. It is always written.
template <class S>
struct LinearEffort {
  S residual;    // sum of what the rows lacked when phase 1 ended, over the largest right-hand side
  int pivots;    // number of pivots made
  bool gave_up;  // the pivots were used up
};

// The solution: the columns whose x is not zero, no more than there are rows.
template <class S, int MaxRows>
struct LinearSolution {
  int rows;
  detail::Array<int, MaxRows> column;  // -1: the row depends on others and has no column
  detail::Array<S, MaxRows> value;
  S objective;

  // x_j
  [[nodiscard]] S x(int j) const noexcept {
    for (int i = 0; i < rows; ++i)
      if (column[i] == j) return value[i];
    return S(0);
  }
};

// A source of columns that stores A. Fill row_count, column_count, entry and price; prepare() then scales A, by
// geometric means of rows and columns in turns, and at last so that the largest entry of each column is one. Any other
// source of columns has the same functions, for columns whose entries are of order one:
//
//   rows(), columns()              the number of each
//   kHasCosts                      false: the question is only whether there is a solution
//   kHasFixedRows                  rows() is a constant and the solver's MaxRows: loops over them are written out
//   largest_sum()                  Sum x is not larger than this, so that phase 1 may end early; infinite if unknown
//   row_scale(i), column_scale(j)  what row i and column j were multiplied by
//   column(j, a)                   a = column j
//   cost(j)
//   steepest(z, weight, most)      the j of the largest gain weight * cost(j) + z . column(j) that is above `most` by
//                                  more than its cost's rounding, kNoGain of it; `most` becomes that gain; -1: none
//   first(z, weight, most)         the same for the lowest such j
template <class S, int MaxRows, int MaxColumns>
class DenseColumns {
 public:
  static_assert(MaxRows >= 1 && MaxColumns >= 1, "kinecast: a linear program has at least one row and one column");
  static constexpr bool kHasCosts = true;
  static constexpr bool kHasFixedRows = false;

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
    for (int round = 0; round < kRounds; ++round) {
      for (int i = 0; i < row_count; ++i) {
        Range range;
        for (int j = 0; j < column_count; ++j) range.see(entry[j][i]);
        const S factor = range.factor(ScaledBy::geometric_mean);
        row_scale_[i] *= factor;
        for (int j = 0; j < column_count; ++j) entry[j][i] *= factor;
      }
      for (int j = 0; j < column_count; ++j) {
        Range range;
        for (int i = 0; i < row_count; ++i) range.see(entry[j][i]);
        const S factor = range.factor(round == kRounds - 1 ? ScaledBy::largest_entry : ScaledBy::geometric_mean);
        column_scale_[j] *= factor;
        for (int i = 0; i < row_count; ++i) entry[j][i] *= factor;
      }
    }
    S sum = S(0);
    for (int j = 0; j < column_count; ++j) {
      price[j] *= column_scale_[j];
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
  [[nodiscard]] static constexpr S largest_sum() noexcept { return std::numeric_limits<S>::infinity(); }
  void column(int j, S* a) const noexcept {
    for (int i = 0; i < row_count; ++i) a[i] = entry[j][i];
  }
  [[nodiscard]] int steepest(const S* z, S weight, S& most) const noexcept {
    int found = -1;
    for (int j = 0; j < column_count; ++j)
      if (const S gain = gain_of(j, z, weight); gain > most + rounding_of(j)) most = gain, found = j;
    return found;
  }
  [[nodiscard]] int first(const S* z, S weight, S& most) const noexcept {
    for (int j = 0; j < column_count; ++j) {
      if (const S gain = gain_of(j, z, weight); gain > most + rounding_of(j)) {
        most = gain;
        return j;
      }
    }
    return -1;
  }

 private:
  static constexpr int kRounds = 3;
  enum class ScaledBy { geometric_mean, largest_entry };
  // Sees the sizes of a row or column, without zeros, and says what brings their mean, or the largest, to one.
  struct Range {
    S least{std::numeric_limits<S>::max()};
    S most{0};
    void see(S value) noexcept {
      const S size = std::abs(value);
      if (size > most) most = size;
      if (size > S(0) && size < least) least = size;
    }
    [[nodiscard]] S factor(ScaledBy by) const noexcept {
      if (!(most > S(0))) return S(1);
      return S(1) / (by == ScaledBy::largest_entry ? most : std::sqrt(least) * std::sqrt(most));
    }
  };
  [[nodiscard]] S rounding_of(int j) const noexcept { return Tolerance<S>::kNoGain * std::abs(price[j]); }
  [[nodiscard]] S gain_of(int j, const S* z, S weight) const noexcept {
    S gain = weight * price[j];
    for (int i = 0; i < row_count; ++i) gain += z[i] * entry[j][i];
    return gain;
  }

  detail::Array<S, MaxRows> row_scale_{};
  detail::Array<S, MaxColumns> column_scale_{};
};

namespace detail {

// Loops of constant length are written out here, because the compiler does not at -O2.
template <class S, int... K>
[[nodiscard, gnu::always_inline]] inline S dot(const S* a, const S* b,
                                               std::integer_sequence<int, K...> /*but one*/) noexcept {
  S sum = a[0] * b[0];
  ((sum += a[K + 1] * b[K + 1]), ...);
  return sum;
}
template <class S, int... K>
[[gnu::always_inline]] inline void subtract(S factor, const S* from, S* to,
                                            std::integer_sequence<int, K...> /*all*/) noexcept {
  ((to[K] -= factor * from[K]), ...);
}
template <class S, int... K>
[[gnu::always_inline]] inline void scale(S factor, const S* from, S* to,
                                         std::integer_sequence<int, K...> /*all*/) noexcept {
  ((to[K] = factor * from[K]), ...);
}
template <class S, int... K>
[[nodiscard, gnu::always_inline]] inline S sum_of_sizes(const S* a, std::integer_sequence<int, K...> /*all*/) noexcept {
  return (std::abs(a[K]) + ...);
}

// The solver, which works on the scaled columns. Every row begins with an artificial column ±e_i in its place of the
// basis; an artificial column that has left does not return.
template <class S, int MaxRows, class Columns>
class RevisedSimplex {
 public:
  // Two or three pivots per row are usual; oracle.linear_programs has seen four at most.
  static constexpr int kMostPivots = 12 * MaxRows;
  static constexpr int kArtificial = -1;

  explicit RevisedSimplex(const Columns& columns) noexcept : columns_(columns) {}

  // Solves A x = b. `guess`: columns that make the first `guesses` rows with x >= 0; phase 1 begins with them.
  [[nodiscard]] Status solve(const S* b, const int* guess = nullptr, int guesses = 0) noexcept {
    size_ = S(0);
    for (int i = 0; i < n(); ++i) {
      b_[i] = b[i];
      if (!is_finite(b[i])) return Status::non_finite_input;
      size_ = std::abs(b[i]) > size_ ? std::abs(b[i]) : size_;
    }
    if (!(size_ > S(0))) size_ = S(1);
    begin();
    if (guesses > 0 && !begin_with(guess, guesses)) begin();
    Ending ending = improve<Phase::feasible>();
    find_residual();
    if (!is_finite(residual_)) return Status::non_finite_result;
    gave_up_ = ending == Ending::exhausted;
    if (!(residual_ <= Tolerance<S>::kFeasible)) return Status::infeasible;
    gave_up_ = false;
    if constexpr (Columns::kHasCosts) {
      for (int i = 0; i < n(); ++i)
        if (place_[i] == kArtificial) level_[i] = S(0);
      ending = improve<Phase::optimal>();
      if (ending == Ending::unbounded) return Status::unbounded;
      S sum = S(0);
      for (int i = 0; i < n(); ++i) sum += level_[i];
      if (!is_finite(sum)) return Status::non_finite_result;
      gave_up_ = ending == Ending::exhausted;
    }
    return gave_up_ ? Status::iterations_exhausted : Status::ok;
  }

  [[nodiscard]] int place(int i) const noexcept { return place_[i]; }  // the column of basis place i, or kArtificial
  [[nodiscard]] S level(int i) const noexcept { return level_[i] > S(0) ? level_[i] : S(0); }
  [[nodiscard]] int pivots() const noexcept { return pivots_; }
  [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
  [[nodiscard]] S residual() const noexcept { return residual_; }

 private:
  enum class Ending { optimal, unbounded, exhausted };
  enum class Phase { feasible, optimal };
  static constexpr int kMostInversions = 3;

  [[nodiscard, gnu::always_inline]] int n() const noexcept {
    return Columns::kHasFixedRows ? MaxRows : columns_.rows();
  }
  [[nodiscard, gnu::always_inline]] S dot_rows(const S* a, const S* b) const noexcept {
    if constexpr (Columns::kHasFixedRows) return dot(a, b, std::make_integer_sequence<int, MaxRows - 1>{});
    S sum = S(0);
    for (int k = 0; k < n(); ++k) sum += a[k] * b[k];
    return sum;
  }
  [[gnu::always_inline]] void subtract_rows(S factor, const S* from, S* to) const noexcept {
    if constexpr (Columns::kHasFixedRows) {
      subtract(factor, from, to, std::make_integer_sequence<int, MaxRows>{});
    } else {
      for (int k = 0; k < n(); ++k) to[k] -= factor * from[k];
    }
  }
  [[gnu::always_inline]] void scale_rows(S factor, const S* from, S* to) const noexcept {
    if constexpr (Columns::kHasFixedRows) {
      scale(factor, from, to, std::make_integer_sequence<int, MaxRows>{});
    } else {
      for (int k = 0; k < n(); ++k) to[k] = factor * from[k];
    }
  }
  [[nodiscard, gnu::always_inline]] S sum_of_rows(const S* a) const noexcept {
    if constexpr (Columns::kHasFixedRows) return sum_of_sizes(a, std::make_integer_sequence<int, MaxRows>{});
    S sum = S(0);
    for (int k = 0; k < n(); ++k) sum += std::abs(a[k]);
    return sum;
  }

  // Gives the sum of the artificial columns' levels.
  [[nodiscard]] S lack() const noexcept {
    S sum = S(0);
    for (int i = 0; i < n(); ++i)
      if (place_[i] == kArtificial) sum += level_[i];
    return sum;
  }

  // The sum of what the rows lack without artificial columns and without levels below zero.
  [[nodiscard]] S lack_of(const Array<S, MaxRows>& level) const noexcept {
    S sum = S(0);
    for (int i = 0; i < n(); ++i) {
      if (place_[i] == kArtificial) {
        sum += std::abs(level[i]);
      } else if (level[i] < S(0)) {
        sum -= static_cast<S>(n()) * level[i];  // entries are at most one: it lacks in every row at most this
      }
    }
    return sum;
  }
  // Finds the residual: what the rows lack, or less if a change of one right-hand side makes up for it. (An artificial
  // column that has left does not return; a rounding error in its row then appears in another one, larger by the factor
  // z.) In that case b is changed. The error of the levels beyond rounding is added.
  void find_residual() noexcept {
    const S left = lack_of(level_);
    residual_ = (left + error_) / size_;
    int row = -1;
    S widest = S(1);
    for (int k = 0; k < n(); ++k)
      if (std::abs(z_[k]) > widest) widest = std::abs(z_[k]), row = k;
    if (row < 0 || !(residual_ > Tolerance<S>::kFeasible)) return;
    const S change = lack() / z_[row];
    Array<S, MaxRows> then;
    for (int i = 0; i < n(); ++i) then[i] = level_[i] - change * inverse_[i][row];
    const S changed = std::abs(change) + lack_of(then);
    if (!(changed < left)) return;
    residual_ = (changed + error_) / size_;
    b_[row] -= change;
    for (int i = 0; i < n(); ++i) level_[i] = then[i];
  }

  // Improves the basis until it is optimal. The first phase maximises minus the lack.
  template <Phase phase>
  [[nodiscard]] Ending improve() noexcept {
    constexpr bool kIsFirst = phase == Phase::feasible;
    constexpr S kWeight = kIsFirst ? S(0) : S(1);
    // Half of the tolerance is enough if the question is only whether there is a solution.
    const S enough = (Columns::kHasCosts ? Tolerance<S>::kDegenerate : S(0.5) * Tolerance<S>::kFeasible) * size_;
    int stands_still = 0;
    bool is_fresh = true;
    find_gains<phase>();
    S left = lack();
    for (; pivots_ < kMostPivots; ++pivots_) {
      bool is_done = kIsFirst && left <= enough;
      if (!is_done) {
        const S size = Columns::kHasCosts ? terms_ : sum_of_rows(z_);  // the terms of a gain besides its cost
        const bool by_index = stands_still > n();
        S gain = Tolerance<S>::kNoGain * size;
        const int entering = by_index ? columns_.first(z_, kWeight, gain) : columns_.steepest(z_, kWeight, gain);
        // Gains that were updated many times carry the rounding of larger ones: a small gain is computed anew.
        if (Columns::kHasCosts && !is_fresh && !(entering >= 0 && gain > Tolerance<S>::kFeasible * size)) {
          find_gains<phase>();
          is_fresh = true;
          continue;
        }
        // No x can reduce the lack by more than the largest gain times the sum of x.
        is_done = entering < 0 || (kIsFirst && !by_index &&
                                   left > gain * columns_.largest_sum() + Tolerance<S>::kFeasible * size_ * size);
        // A column in the basis has no gain: what seems one is the error of the inverse, or with a good inverse the
        // rounding of the cost.
        if (Columns::kHasCosts && !is_done && is_in_basis(entering)) {
          if (renew<phase>(left)) continue;
          return Ending::optimal;
        }
        if (!is_done) {
          multiply(entering);
          S step;
          Array<S, MaxRows> then;
          const int leaving = leaves<phase>(by_index, step, then);
          if (leaving >= 0) {
            stands_still = step * widest_ > Tolerance<S>::kDegenerate * size_ ? 0 : stands_still + 1;
            exchange(entering, leaving, step, gain, then);
            left -= step * gain;
            is_fresh = false;
            continue;
          }
          // A column with next to no gain that seems to grow for ever may be the error of the inverse.
          const S made_of = size + std::abs(columns_.cost(entering));
          if (!(gain > Tolerance<S>::kFeasible * made_of) && renew<phase>(left)) continue;
          is_done = !(gain > Tolerance<S>::kSatisfied * made_of);
        }
      }
      // This is the end if the inverse is accurate enough.
      if (is_accurate() || !renew<phase>(left)) return is_done ? Ending::optimal : Ending::unbounded;
    }
    return Ending::exhausted;
  }
  [[nodiscard]] bool is_in_basis(int j) const noexcept {
    for (int i = 0; i < n(); ++i)
      if (place_[i] == j) return true;
    return false;
  }
  // Inverts the basis anew and computes levels and gains from it. False: it was done too
  // often, or the basis is singular.
  template <Phase phase>
  [[nodiscard]] bool renew(S& left) noexcept {
    if (inversions_ >= kMostInversions || !invert()) return false;
    ++inversions_;
    for (int i = 0; i < n(); ++i) level_[i] = dot_rows(inverse_[i], b_);
    find_gains<phase>();
    left = lack();
    return true;
  }

  // Finds w = B⁻¹ a_j.
  void multiply(int j) noexcept {
    Array<S, MaxRows> a;
    columns_.column(j, a);
    widest_ = S(0);
    for (int i = 0; i < n(); ++i) {
      w_[i] = dot_rows(inverse_[i], a);
      widest_ = std::abs(w_[i]) > widest_ ? std::abs(w_[i]) : widest_;
    }
  }

  // The place whose column reaches zero first as the entering column grows, the step until then, and the levels then;
  // -1 if no column ever does. Levels may be below zero by rounding (Harris 1973): of the columns that reach zero
  // before any level is farther below, the one with the largest pivot leaves, or by Bland's rule the one with the
  // lowest index, artificial columns first, because they do not return. In phase 2 an artificial column must stay zero,
  // and leaves where it would not.
  template <Phase phase>
  [[nodiscard]] int leaves(bool by_index, S& step, Array<S, MaxRows>& then) const noexcept {
    const S least = Tolerance<S>::kNoPivot * widest_;
    int found = -1;
    step = S(0);
    if constexpr (phase == Phase::optimal) {
      S widest = least;
      for (int i = 0; i < n(); ++i) {
        then[i] = level_[i];
        if (place_[i] == kArtificial && std::abs(w_[i]) > widest) widest = std::abs(w_[i]), found = i;
      }
      if (found >= 0) return found;
    }
    const S below = Tolerance<S>::kDegenerate * size_;
    S farthest = std::numeric_limits<S>::max();
    for (int i = 0; i < n(); ++i) {
      if (!(w_[i] > least)) continue;
      const S room = level_[i] > -below ? level_[i] + below : S(0);
      if (room < farthest * w_[i]) farthest = room / w_[i];
    }
    for (int i = 0; i < n(); ++i) {
      if (!(w_[i] > least) || level_[i] > farthest * w_[i]) continue;
      if (found < 0 || (by_index ? place_[i] < place_[found] : w_[i] > w_[found])) found = i;
    }
    if (found < 0) return found;
    if (level_[found] > S(0)) step = level_[found] / w_[found];
    for (int i = 0; i < n(); ++i) then[i] = level_[i] - step * w_[i];
    return found;
  }

  // Puts the entering column into the place of the leaving one, and updates levels, inverse and gains.
  void exchange(int entering, int leaving, S step, S gain, const Array<S, MaxRows>& then) noexcept {
    for (int i = 0; i < n(); ++i) level_[i] = then[i];
    level_[leaving] = step;
    place_[leaving] = entering;
    divide(leaving);
    subtract_rows(gain, inverse_[leaving], z_);
    if constexpr (Columns::kHasCosts) terms_ += gain * sum_of_rows(inverse_[leaving]);
  }

  // Updates the inverse after column w has taken a place.
  void divide(int at) noexcept {
    Array<S, MaxRows> row;  // a copy, which stores to the inverse cannot change
    scale_rows(S(1) / w_[at], inverse_[at], row);
    for (int i = 0; i < n(); ++i) subtract_rows(w_[i], row, inverse_[i]);
    scale_rows(S(1), row, inverse_[at]);
  }

  // Finds z of the gains weight * c_j + z . a_j, and the sum of its terms, to which its rounding is relative.
  template <Phase phase>
  void find_gains() noexcept {
    for (int k = 0; k < n(); ++k) z_[k] = S(0);
    terms_ = S(0);
    for (int i = 0; i < n(); ++i) {
      const bool is_artificial = place_[i] == kArtificial;
      if (is_artificial != (phase == Phase::feasible)) continue;
      const S cost = is_artificial ? S(-1) : columns_.cost(place_[i]);
      subtract_rows(cost, inverse_[i], z_);
      if constexpr (Columns::kHasCosts) terms_ += std::abs(cost) * sum_of_rows(inverse_[i]);
    }
  }

  // Begins with a basis of artificial columns.
  void begin() noexcept {
    for (int i = 0; i < n(); ++i) {
      sign_[i] = b_[i] < S(0) ? S(-1) : S(1);
      level_[i] = std::abs(b_[i]);
      place_[i] = kArtificial;
    }
    begin_inverse();
  }
  void begin_inverse() noexcept {
    for (int i = 0; i < n(); ++i) {
      for (int k = 0; k < n(); ++k) inverse_[i][k] = S(0);
      inverse_[i][i] = sign_[i];
    }
  }

  // Begins with the guessed columns in the first places; the artificial columns left get the sign with which their
  // levels are positive. False: the guessed columns do not make their rows.
  [[nodiscard]] bool begin_with(const int* guess, int guesses) noexcept {
    for (int g = 0; g < guesses; ++g) place_[g] = guess[g];
    if (!invert()) return false;
    for (int i = 0; i < n(); ++i) {
      const S level = dot_rows(inverse_[i], b_);
      level_[i] = level;
      if (level >= S(0)) continue;
      if (place_[i] == kArtificial) {
        sign_[i] = -sign_[i];
        level_[i] = -level;
        scale_rows(S(-1), inverse_[i], inverse_[i]);
      } else if (level < -Tolerance<S>::kDegenerate * size_) {
        return false;
      }
    }
    return true;
  }

  // Inverts the basis from the columns themselves: one after the other takes the place with the largest pivot among
  // those without an artificial column. False: the columns depend on each other.
  [[nodiscard]] bool invert() noexcept {
    constexpr int kFree = -2;
    Array<int, MaxRows> former;
    for (int i = 0; i < n(); ++i) {
      former[i] = place_[i];
      if (place_[i] != kArtificial) place_[i] = kFree;
    }
    begin_inverse();
    bool is_regular = true;
    for (int i = 0; i < n() && is_regular; ++i) {
      if (former[i] == kArtificial) continue;
      multiply(former[i]);
      int best = -1;
      S widest = Tolerance<S>::kNoNewPivot * widest_;
      for (int k = 0; k < n(); ++k)
        if (place_[k] == kFree && std::abs(w_[k]) > widest) widest = std::abs(w_[k]), best = k;
      is_regular = best >= 0;
      if (!is_regular) break;
      place_[best] = former[i];
      divide(best);
    }
    for (int i = 0; i < n() && !is_regular; ++i) place_[i] = former[i];
    return is_regular;
  }

  // Whether the levels make b. If not, they are refined; where the levels matter, at least once.
  [[nodiscard]] bool is_accurate() noexcept {
    constexpr int kRefinements = 2;
    for (int round = 0; round <= kRefinements; ++round) {
      Array<S, MaxRows> left;
      S largest = size_;
      for (int k = 0; k < n(); ++k) left[k] = b_[k];
      for (int i = 0; i < n(); ++i) {
        largest = level_[i] > largest ? level_[i] : largest;
        if (place_[i] == kArtificial) {
          left[i] -= sign_[i] * level_[i];
          continue;
        }
        Array<S, MaxRows> a;
        columns_.column(place_[i], a);
        subtract_rows(level_[i], a, left);
      }
      error_ = sum_of_rows(left);
      const bool is_good = error_ <= Tolerance<S>::kSatisfied * largest;
      if (is_good) error_ = S(0);
      if (is_good ? !Columns::kHasCosts || round > 0 : round == kRefinements) return is_good;
      for (int i = 0; i < n(); ++i) level_[i] += dot_rows(inverse_[i], left);
    }
    return false;
  }

  const Columns& columns_;
  int pivots_{0};
  int inversions_{0};
  bool gave_up_{false};
  S residual_{0};
  S error_{0};   // error of the levels beyond rounding
  S size_{1};    // largest entry of b
  S widest_{0};  // largest entry of w
  Table<S, MaxRows, MaxRows> inverse_;
  Array<int, MaxRows> place_;
  Array<S, MaxRows> level_;
  Array<S, MaxRows> b_;
  Array<S, MaxRows> sign_;  // of the artificial columns
  Array<S, MaxRows> w_;
  Array<S, MaxRows> z_;
  S terms_{0};  // sum of the sizes of z's terms
};

}  // namespace detail

// Solves a linear program. infeasible: no x >= 0 makes b, or phase 1 used all its pivots without finding one
// (effort.gave_up; never seen in the 10⁵ programs of oracle.linear_programs). unbounded: x can grow for ever.
// iterations_exhausted, a warning: x is feasible but perhaps not the best. On an error the solution is untouched.
template <class S, int MaxRows, class Columns>
[[nodiscard]] inline Status solve_linear_program(const Columns& columns,
                                                 const S (&b)[static_cast<std::size_t>(MaxRows)],
                                                 LinearSolution<S, MaxRows>& solution,
                                                 LinearEffort<S>& effort) noexcept {
  effort = {};
  if (columns.rows() < 0 || columns.rows() > MaxRows) return Status::index_out_of_range;
  detail::Array<S, MaxRows> scaled;
  for (int i = 0; i < columns.rows(); ++i) scaled[i] = b[i] * columns.row_scale(i);
  detail::RevisedSimplex<S, MaxRows, Columns> simplex(columns);
  const Status status = simplex.solve(scaled);
  effort = {simplex.residual(), simplex.pivots(), simplex.gave_up()};
  if (!ok(status)) return status;
  solution.rows = columns.rows();
  solution.objective = S(0);
  for (int i = 0; i < columns.rows(); ++i) {
    const int j = simplex.place(i);
    solution.column[i] = j;
    solution.value[i] = j < 0 ? S(0) : simplex.level(i) * columns.column_scale(j);
    if (Columns::kHasCosts && j >= 0) solution.objective += columns.cost(j) * simplex.level(i);
  }
  return status;
}

}  // namespace kinecast
