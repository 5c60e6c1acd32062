// SPDX-License-Identifier: MIT
// The smallest change of velocity after which no row approaches: min ½|t|², y_i . t + c_i >= 0, with the impulses
// x >= 0 that bring it about, t = Sum x_i y_i. The complementarity problem 0 <= x perp Y Yᵀ x + c >= 0 without its
// matrix: dual active set (Goldfarb and Idnani 1983) in factor space, with an orthonormal basis of the active rows. So
// t is good to rounding although rows that are nearly opposite make x huge, where Y Yᵀ has lost its digits. Basic
// solution: of dependent rows only some carry. O(rank rows²) per change; for the rare case, not for every step.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/solve/factored_problem.hpp>

#include <cmath>

namespace kinecast {

template <class S, int MaxRank, int MaxRows>
struct NearestVelocity {
  template <class T, int Size>
  using Array = detail::Array<T, Size>;

  int rank;
  int rows;
  Array<const S*, MaxRows> row;  // y_i
  Array<S, MaxRows> offset;      // c_i
  Array<S, MaxRows> tolerance;   // y_i . t + c_i may be as far below zero
  Array<S, MaxRank> t;
  Array<S, MaxRows> x;

  // iterations_exhausted: some row lacks more than its tolerance.
  [[nodiscard]] Status solve() noexcept {
    for (int k = 0; k < rank; ++k) t[k] = S(0);
    for (int i = 0; i < rows; ++i) x[i] = S(0), is_left_[i] = false;
    active_ = 0;
    bool is_exact = true;
    const int most_changes = 4 * rows + 8;
    for (int change = 0; change < most_changes; ++change) {
      const int joining = most_violated();
      if (joining < 0) return is_exact ? Status::ok : Status::iterations_exhausted;
      if (join(joining)) continue;
      is_left_[joining] = true;  // it depends on the active ones, and none of them gives way
      is_exact = false;
    }
    return Status::iterations_exhausted;
  }

 private:
  [[nodiscard]] S product(const S* a, const S* b) const noexcept {
    S sum = S(0);
    for (int k = 0; k < rank; ++k) sum += a[k] * b[k];
    return sum;
  }
  [[nodiscard]] S velocity(int i) const noexcept { return product(row[i], t) + offset[i]; }

  [[nodiscard]] int most_violated() const noexcept {
    int worst = -1;
    S most = S(1);
    for (int i = 0; i < rows; ++i) {
      if (is_left_[i] || is_active(i)) continue;
      const S lacks = -velocity(i);
      if (!(lacks > most * tolerance[i])) continue;
      most = lacks / tolerance[i];
      worst = i;
    }
    return worst;
  }
  [[nodiscard]] bool is_active(int i) const noexcept {
    for (int a = 0; a < active_; ++a)
      if (at_[a] == i) return true;
    return false;
  }

  // What is left of a vector beside the basis, and its coordinates in it; twice, so that it
  // is at right angles to rounding.
  void split(const S* y, Array<S, MaxRank>& left, Array<S, MaxRows>& coordinates) const noexcept {
    for (int k = 0; k < rank; ++k) left[k] = y[k];
    for (int a = 0; a < active_; ++a) coordinates[a] = S(0);
    for (int pass = 0; pass < 2; ++pass)
      for (int a = 0; a < active_; ++a) {
        const S along = product(basis_[a], left);
        coordinates[a] += along;
        for (int k = 0; k < rank; ++k) left[k] -= along * basis_[a][k];
      }
  }
  // Behind the basis of the active rows, the direction that row `i` adds.
  [[gnu::noinline]] void append(int i) noexcept {
    if (active_ >= MaxRows) return;
    Array<S, MaxRank> left{};
    Array<S, MaxRows> coordinates{};
    split(row[i], left, coordinates);
    const S length = std::sqrt(product(left, left));
    const S inverse = length > S(0) ? S(1) / length : S(0);
    for (int a = 0; a < active_; ++a) triangle_[a][active_] = coordinates[a];
    inverse_diagonal_[active_] = inverse;
    for (int k = 0; k < rank; ++k) basis_[active_][k] = inverse * left[k];
    at_[active_++] = i;
  }
  void drop(int a) noexcept {
    Array<int, MaxRows> kept{};
    int count = 0;
    for (int i = a + 1; i < active_; ++i) kept[count++] = at_[i];
    x[at_[a]] = S(0);
    active_ = a;
    for (int i = 0; i < count; ++i) append(kept[i]);
  }

  // Row j gets an impulse until it is satisfied; active rows whose impulse runs out leave. False
  // if it depends on rows that stay.
  [[nodiscard]] bool join(int j) noexcept {
    Array<S, MaxRank> left{};
    Array<S, MaxRows> r{};
    const S size = product(row[j], row[j]);
    constexpr S kDependent = Tolerance<S>::kRank * Tolerance<S>::kRank;
    for (int tries = 0; tries <= rows; ++tries) {
      split(row[j], left, r);
      for (int a = active_ - 1; a >= 0; --a) {
        for (int b = a + 1; b < active_; ++b) r[a] -= triangle_[a][b] * r[b];
        r[a] *= inverse_diagonal_[a];
      }
      const S square = product(left, left);
      const bool is_free = active_ < MaxRank && square > kDependent * size;
      const S lacks = -velocity(j);
      if (!(lacks > S(0))) return true;
      S step = is_free ? lacks / square : S(0);
      int leaving = -1;
      for (int a = 0; a < active_; ++a) {
        if (!(r[a] > S(0))) continue;
        const S runs_out = x[at_[a]] / r[a];
        if (leaving < 0 ? !is_free || runs_out < step : runs_out < step) {
          step = runs_out;
          leaving = a;
        }
      }
      if (!is_free && leaving < 0) return false;
      for (int a = 0; a < active_; ++a) x[at_[a]] -= step * r[a];
      x[j] += step;
      if (is_free)
        for (int k = 0; k < rank; ++k) t[k] += step * left[k];
      if (leaving < 0) {
        append(j);
        for (int a = 0; a < active_; ++a)
          if (x[at_[a]] < S(0)) x[at_[a]] = S(0);
        return true;
      }
      drop(leaving);
    }
    return false;
  }

  int active_;
  Array<int, MaxRows> at_;
  Array<bool, MaxRows> is_left_;
  detail::Table<S, MaxRows, MaxRank> basis_;
  detail::Table<S, MaxRows, MaxRows> triangle_;
  Array<S, MaxRows> inverse_diagonal_;
};

}  // namespace kinecast
