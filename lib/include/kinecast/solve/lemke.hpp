// SPDX-License-Identifier: MIT
// Lemke's method for the linear complementarity problem: w = M' z + q' + z0 starts with the z0 that lifts every w to 0 or above;
// then the complement of what left enters, until z0 itself leaves. In an exchange tableau of size rows and size + 1 columns,
// basic = rhs + T nonbasic, O(size²) per pivot. Ties are broken lexicographically, by the rows of the inverse of the basis, which
// the tableau holds: no basis comes twice. If nothing bounds what enters there is a ray: for a positive semidefinite M no solution.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/solve/lcp_problem.hpp>

#include <algorithm>
#include <cmath>

namespace kinecast {

namespace detail {

template <class S, int MaxSize>
class LemkeTableau {
 public:
  LemkeTableau(const Lcp<S, MaxSize>& problem, const LcpScale<S, MaxSize>& scale) noexcept
      : problem_(problem), scale_(scale), n_(problem.size) {
    const S unit = S(1) / scale.q;
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) entry_[i][j] = problem.M[i][j] * scale.row[i] * scale.row[j];
      entry_[i][n_] = S(1);
      rhs_[i] = problem.q[i] * scale.row[i] * unit;
      basic_[i] = i;
      nonbasic_[i] = n_ + i;
    }
    nonbasic_[n_] = lift();
  }

  // ok: z0 is gone. infeasible: on a ray. iterations_exhausted: after so many pivots there is still z0.
  [[nodiscard]] Status solve(int most_pivots) noexcept {
    int row = 0;
    for (int i = 1; i < n_; ++i)
      if (rhs_[i] <= rhs_[row]) row = i;  // of equals the last: lexicographically the smallest
    int column = n_;
    for (pivots = 0; pivots < most_pivots;) {
      const int leaving = basic_[row];
      exchange(row, column);
      ++pivots;
      if (leaving == lift()) return Status::ok;
      const int entering = leaving < n_ ? leaving + n_ : leaving - n_;
      for (column = 0; nonbasic_[column] != entering;) ++column;
      row = leaving_row(column);
      if (row < 0) return Status::infeasible;
    }
    return Status::iterations_exhausted;
  }

  // z in the problem's units.
  void read(S* z) const noexcept {
    for (int j = 0; j < n_; ++j) z[j] = S(0);
    for (int i = 0; i < n_; ++i)
      if (basic_[i] >= n_ && basic_[i] < lift())
        z[basic_[i] - n_] = std::max(rhs_[i], S(0)) * scale_.q * scale_.row[basic_[i] - n_];
  }

  int pivots{0};

 private:
  [[nodiscard]] int lift() const noexcept { return 2 * n_; }

  void exchange(int row, int column) noexcept {
    const S inverse = S(1) / entry_[row][column];
    for (int j = 0; j <= n_; ++j) entry_[row][j] *= -inverse;
    entry_[row][column] = inverse;
    rhs_[row] *= -inverse;
    for (int i = 0; i < n_; ++i) {
      if (i == row) continue;
      const S factor = entry_[i][column];
      for (int j = 0; j <= n_; ++j) entry_[i][j] += factor * entry_[row][j];
      entry_[i][column] = factor * inverse;
      rhs_[i] += factor * rhs_[row];
    }
    std::swap(basic_[row], nonbasic_[column]);
  }

  [[nodiscard]] int leaving_row(int column) noexcept {
    S largest = S(1);
    for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(entry_[i][column]));
    const S least_pivot = -Tolerance<S>::kNoPivot * largest;
    S step = std::numeric_limits<S>::max();
    Array<S, MaxSize> weight;  // 1 / decrease per unit of what enters; 0: does not bound it
    for (int i = 0; i < n_; ++i) {
      weight[i] = S(0);
      if (entry_[i][column] < least_pivot) {
        weight[i] = S(-1) / entry_[i][column];
        step = std::min(step, std::max(rhs_[i], S(0)) * weight[i]);
      }
    }
    int tied = 0;
    int found = -1;
    for (int i = 0; i < n_; ++i) {
      if (!(weight[i] > S(0))) continue;
      if (rhs_[i] + step * entry_[i][column] > Tolerance<S>::kDegenerate) {
        weight[i] = S(0);
        continue;
      }
      if (basic_[i] == lift()) return i;
      ++tied;
      found = i;
    }
    for (int k = 0; k < n_ && tied > 1; ++k) keep_smallest(k, weight, tied, found);
    return found;
  }

  // Of the tied rows those stay whose entry in column k of the inverse of the basis, times their weight, is the smallest.
  void keep_smallest(int k, Array<S, MaxSize>& weight, int& tied, int& found) const noexcept {
    int column = 0;
    while (column <= n_ && nonbasic_[column] != k) ++column;
    const auto value = [&](int i) {
      const S inverse = column <= n_ ? -entry_[i][column] : S(basic_[i] == k ? 1 : 0);
      return inverse * weight[i];
    };
    S least = std::numeric_limits<S>::max();
    for (int i = 0; i < n_; ++i)
      if (weight[i] > S(0)) least = std::min(least, value(i));
    tied = 0;
    for (int i = 0; i < n_; ++i) {
      if (!(weight[i] > S(0))) continue;
      if (value(i) > least + Tolerance<S>::kDegenerate * std::max(S(1), std::abs(least))) {
        weight[i] = S(0);
      } else {
        ++tied;
        found = i;
      }
    }
  }

  const Lcp<S, MaxSize>& problem_;
  const LcpScale<S, MaxSize>& scale_;
  int n_;
  Table<S, MaxSize, MaxSize + 1> entry_;
  Array<S, MaxSize> rhs_;
  Array<int, MaxSize> basic_;         // w_i: i, z_i: size + i, z0: 2 size
  Array<int, MaxSize + 1> nonbasic_;
};

}  // namespace detail

struct Lemke {
  template <class S, int MaxSize>
  [[nodiscard]] static Status solve(const Lcp<S, MaxSize>& problem, const detail::LcpScale<S, MaxSize>& scale, S* z,
                                    int& iterations) noexcept {
    detail::LemkeTableau<S, MaxSize> tableau(problem, scale);
    const Status status = tableau.solve(8 * problem.size + 8);
    tableau.read(z);
    iterations = tableau.pivots;
    return status;
  }
};

}  // namespace kinecast
