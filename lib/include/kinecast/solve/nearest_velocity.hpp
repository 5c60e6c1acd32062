// SPDX-License-Identifier: MIT
// The smallest change of velocity after which no row approaches: min ½|t|², y_i . t + c_i >= 0, with the impulses
// x >= 0 that bring it about, t = Sum x_i y_i. The complementarity problem 0 <= x perp Y Yᵀ x + c >= 0 without its
// matrix: dual active set (Goldfarb and Idnani 1983) in factor space, with an orthonormal basis of the active rows. So
// t is good to rounding although rows that are nearly opposite make x huge, where Y Yᵀ has lost its digits. Basic
// solution: of dependent rows only some carry. O(rank rows²) per change; for the rare case, not for every step.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/math/gram_schmidt.hpp>
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
    for (int i = 0; i < rows; ++i) x[i] = S(0), is_left_[i] = false;
    basis_.begin(rank);
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
    for (int a = 0; a < basis_.count(); ++a)
      if (at_[a] == i) return true;
    return false;
  }

  [[gnu::noinline]] void append(int i) noexcept {
    if (basis_.count() >= MaxRows) return;
    at_[basis_.count()] = i;
    basis_.append(row[i]);
  }
  void drop(int a) noexcept {
    Array<int, MaxRows> kept{};
    int count = 0;
    for (int i = a + 1; i < basis_.count(); ++i) kept[count++] = at_[i];
    x[at_[a]] = S(0);
    basis_.shorten(a);
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
      basis_.split(row[j], left, r);
      for (int a = basis_.count() - 1; a >= 0; --a) {
        for (int b = a + 1; b < basis_.count(); ++b) r[a] -= basis_.coordinate(a, b) * r[b];
        r[a] *= basis_.inverse_length(a);
      }
      const S square = product(left, left);
      const bool is_free = basis_.count() < MaxRank && square > kDependent * size;
      const S lacks = -velocity(j);
      if (!(lacks > S(0))) return true;
      S step = is_free ? lacks / square : S(0);
      int leaving = -1;
      for (int a = 0; a < basis_.count(); ++a) {
        if (!(r[a] > S(0))) continue;
        const S runs_out = x[at_[a]] / r[a];
        if (leaving < 0 ? !is_free || runs_out < step : runs_out < step) {
          step = runs_out;
          leaving = a;
        }
      }
      if (!is_free && leaving < 0) return false;
      for (int a = 0; a < basis_.count(); ++a) x[at_[a]] -= step * r[a];
      x[j] += step;
      if (is_free)
        for (int k = 0; k < rank; ++k) t[k] += step * left[k];
      if (leaving < 0) {
        append(j);
        for (int a = 0; a < basis_.count(); ++a)
          if (x[at_[a]] < S(0)) x[at_[a]] = S(0);
        return true;
      }
      drop(leaving);
    }
    return false;
  }

  Array<int, MaxRows> at_;  // the active rows
  Array<bool, MaxRows> is_left_;
  detail::OrthonormalBasis<S, MaxRows, MaxRank> basis_;  // of the active rows
};

}  // namespace kinecast
