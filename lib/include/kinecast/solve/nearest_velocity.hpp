// SPDX-License-Identifier: MIT
// The smallest change of velocity after which no row approaches: min ½|t|², y_i . t + c_i >= 0, with the impulses
// x >= 0 that bring it about, t = Sum x_i y_i. The complementarity problem 0 <= x perp Y Yᵀ x + c >= 0 without its
// matrix: dual active set (solve/dual_active_set.hpp) in factor space, with an orthonormal basis of the active rows. So
// t is good to rounding although rows that are nearly opposite make x huge, where Y Yᵀ has lost its digits. Basic
// solution: of dependent rows only some carry. O(rank rows²) per change; for the rare case, not for every step.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/math/gram_schmidt.hpp>
#include <kinecast/solve/dual_active_set.hpp>
#include <kinecast/solve/factored_problem.hpp>

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
    for (int i = 0; i < rows; ++i) x[i] = S(0), is_left_out_[i] = false;
    basis_.begin(rank);
    changes_ = 0;
    return detail::run_dual_active_set(*this);
  }

  // ---- what the dual active set asks for ----------------------------------------------------------------------------

  [[nodiscard]] bool has_changes_left() const noexcept { return changes_ < 4 * rows + 8; }
  [[nodiscard]] int most_tries() const noexcept { return rows + 1; }
  void begin_joining(int j) noexcept {
    ++changes_;
    squared_length_ = product(row[j], row[j]);
  }

  // Gives -1 if no row lacks more than its tolerance.
  [[nodiscard]] int most_violated() const noexcept {
    int worst = -1;
    S most = S(1);
    for (int i = 0; i < rows; ++i) {
      if (is_left_out_[i] || is_active(i)) continue;
      const S lacks = -velocity(i);
      if (!(lacks > most * tolerance[i])) continue;
      most = lacks / tolerance[i];
      worst = i;
    }
    return worst;
  }

  // Row j gets an impulse until it is satisfied, or until that of an active row runs out.
  [[nodiscard]] detail::DualStep<S> find_step(int j) noexcept {
    constexpr S kDependent = Tolerance<S>::kRank * Tolerance<S>::kRank;
    basis_.split(row[j], left_, r_);
    for (int a = basis_.count() - 1; a >= 0; --a) {
      for (int b = a + 1; b < basis_.count(); ++b) r_[a] -= basis_.coordinate(a, b) * r_[b];
      r_[a] *= basis_.inverse_length(a);
    }
    const S square = product(left_, left_);
    const bool is_free = basis_.count() < MaxRank && square > kDependent * squared_length_;
    const S lacks = -velocity(j);
    if (!(lacks > S(0))) return {S(0), -1, is_free, true};
    S step = is_free ? lacks / square : S(0);
    int leaving = -1;
    for (int a = 0; a < basis_.count(); ++a) {
      if (!(r_[a] > S(0))) continue;
      const S runs_out = x[at_[a]] / r_[a];
      if (leaving < 0 ? !is_free || runs_out < step : runs_out < step) {
        step = runs_out;
        leaving = a;
      }
    }
    return {step, leaving, is_free};
  }
  void take(const detail::DualStep<S>& step, int j) noexcept {
    for (int a = 0; a < basis_.count(); ++a) x[at_[a]] -= step.length * r_[a];
    x[j] += step.length;
    if (step.moves)
      for (int k = 0; k < rank; ++k) t[k] += step.length * left_[k];
  }

  void add(int j) noexcept {
    append(j);
    for (int a = 0; a < basis_.count(); ++a)
      if (x[at_[a]] < S(0)) x[at_[a]] = S(0);
  }
  void drop(int a, int /*joining*/) noexcept {
    Array<int, MaxRows> kept{};
    int count = 0;
    for (int i = a + 1; i < basis_.count(); ++i) kept[count++] = at_[i];
    x[at_[a]] = S(0);
    basis_.shorten(a);
    for (int i = 0; i < count; ++i) append(kept[i]);
  }
  // The row depends on the active ones, and none of them gives way.
  [[nodiscard]] Status leave_out(int j, detail::Joined /*why*/) noexcept {
    is_left_out_[j] = true;
    return Status::ok;
  }

 private:
  [[nodiscard]] S product(const S* a, const S* b) const noexcept {
    S sum = S(0);
    for (int k = 0; k < rank; ++k) sum += a[k] * b[k];
    return sum;
  }
  [[nodiscard]] S velocity(int i) const noexcept { return product(row[i], t) + offset[i]; }
  [[nodiscard]] bool is_active(int i) const noexcept {
    for (int a = 0; a < basis_.count(); ++a)
      if (at_[a] == i) return true;
    return false;
  }
  [[gnu::noinline]] void append(int i) noexcept {
    if (basis_.count() >= MaxRows) return;
    at_[basis_.count()] = i;
    basis_.append(row[i]);
  }

  int changes_;
  Array<int, MaxRows> at_;  // the active rows
  Array<bool, MaxRows> is_left_out_;
  detail::OrthonormalBasis<S, MaxRows, MaxRank> basis_;  // of the active rows
  // Of the joining row: |y|², what the active rows leave of it, and how their impulses change with its own.
  S squared_length_;
  Array<S, MaxRank> left_;
  Array<S, MaxRows> r_;
};

}  // namespace kinecast
