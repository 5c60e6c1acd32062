// SPDX-License-Identifier: MIT
// Small systems A x = r whose rows may depend on or contradict each other: the shortest x of the least squares.
// One-sided Jacobi rotations (Hestenes 1958) turn the rows in pairs until all are orthogonal,
//
//   a_k = Sum_i v_ki A_i,   |a_k|: the singular values of A
//   A⁺ r = Sum a_k (v_k . r)/|a_k|²,   (A Aᵀ)⁺ r = Sum v_k (v_k . r)/|a_k|²
//
// without directions below a cut, or below the noise of the rows that they are made of. A Aᵀ is never formed, and rows
// of any scale keep their own digits: small singular values are good in float too. Cost: 12 operations per column to
// turn two rows; all pairs a few times.
#pragma once

#include <kinecast/core/scalar.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace kinecast {

template <class S, int MaxRows, int MaxColumns>
class OrthogonalRows {
  static_assert(MaxRows >= 1 && MaxColumns >= 1, "kinecast: a system has at least one row and one column");

 public:
  using Row = S[static_cast<std::size_t>(MaxColumns)];
  using PerRow = S[static_cast<std::size_t>(MaxRows)];
  // The rotations converge quadratically: 12 rows need 11 times all pairs at most
  // (tests/oracle/golden_constraints.cpp).
  static constexpr int kMostSweeps = 16;

  void begin(int columns) noexcept { rows_ = rank_ = 0, columns_ = columns; }
  // `noise`: how long the error of the row may be.
  void add(const S* row, S noise) noexcept {
    for (int k = 0; k < columns_; ++k) a_[rows_][k] = row[k];
    noise_[rows_++] = noise;
  }

  // Directions shorter than `cut` times the longest, or than their noise, count as none. False if an entry is not
  // finite, or too large.
  [[nodiscard]] bool turn(S cut) noexcept {
    for (int i = 0; i < rows_; ++i)
      for (int k = 0; k < rows_; ++k) v_[i][k] = S(i == k ? 1 : 0);
    // More rows than columns cannot all be orthogonal: what is left of them shrinks, and rows below the floor are not
    // turned.
    floor_ = S(0);
    for (int i = 0; i < rows_; ++i)
      if (noise_[i] > S(0) && (!(floor_ > S(0)) || noise_[i] < floor_)) floor_ = noise_[i];
    floor_ *= Tolerance<S>::kBelowNoise;
    sweeps_ = 0;
    for (bool turned = rows_ > 1; turned && sweeps_ < kMostSweeps; ++sweeps_) {
      turned = false;
      for (int i = 0; i < rows_; ++i)
        for (int j = i + 1; j < rows_; ++j) turned = turn_pair(i, j) || turned;
    }
    S longest = S(0);
    S sum = S(0);
    for (int i = 0; i < rows_; ++i) {
      inverse_square_[i] = dot(a_[i], a_[i], columns_);
      if (inverse_square_[i] > longest) longest = inverse_square_[i];
      sum += inverse_square_[i];
    }
    if (!is_finite(sum)) return false;
    const S least = cut * cut * longest;
    rank_ = 0;
    for (int i = 0; i < rows_; ++i) {
      S noise = S(0);
      for (int k = 0; k < rows_; ++k) noise += std::abs(v_[i][k]) * noise_[k];
      const bool counts = inverse_square_[i] > least && inverse_square_[i] > noise * noise;
      if (counts) ++rank_;
      inverse_square_[i] = counts ? S(1) / inverse_square_[i] : S(0);
    }
    return true;
  }

  // Adds A⁺ r to x.
  void add_solution(const PerRow& r, Row& x) const noexcept {
    for (int k = 0; k < rows_; ++k) {
      const S along = dot(v_[k], r, rows_) * inverse_square_[k];
      for (int j = 0; j < columns_; ++j) x[j] += along * a_[k][j];
    }
  }
  // Adds (A Aᵀ)⁺ r to l: the shortest l whose Aᵀ l is A⁺ r
  void add_multipliers(const PerRow& r, PerRow& l) const noexcept {
    for (int k = 0; k < rows_; ++k) {
      const S along = dot(v_[k], r, rows_) * inverse_square_[k];
      for (int i = 0; i < rows_; ++i) l[i] += along * v_[k][i];
    }
  }
  // Removes the part of x that the rows of A see.
  void project_out(Row& x) const noexcept {
    for (int k = 0; k < rows_; ++k) {
      const S along = dot(a_[k], x, columns_) * inverse_square_[k];
      for (int j = 0; j < columns_; ++j) x[j] -= along * a_[k][j];
    }
  }

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int sweeps() const noexcept { return sweeps_; }

 private:
  [[nodiscard]] static S dot(const S* a, const S* b, int count) noexcept {
    S sum = S(0);
    for (int k = 0; k < count; ++k) sum += a[k] * b[k];
    return sum;
  }

  // False if the two are orthogonal to rounding.
  bool turn_pair(int i, int j) noexcept {
    const S ii = dot(a_[i], a_[i], columns_);
    const S jj = dot(a_[j], a_[j], columns_);
    const S ij = dot(a_[i], a_[j], columns_);
    constexpr S kOrthogonal = Tolerance<S>::kOrthogonal;
    if (!(ij * ij > kOrthogonal * kOrthogonal * ii * jj) || std::min(ii, jj) <= floor_ * floor_) return false;
    // The smaller one of the two angles that make the rows orthogonal.
    const S zeta = (jj - ii) / (S(2) * ij);
    const S size = S(1) / (std::abs(zeta) + std::sqrt(S(1) + zeta * zeta));
    const S tangent = zeta < S(0) ? -size : size;
    const S cosine = S(1) / std::sqrt(S(1) + tangent * tangent);
    const S sine = cosine * tangent;
    const auto turn = [cosine, sine](S* a, S* b, int count) {
      for (int k = 0; k < count; ++k) {
        const S first = a[k];
        a[k] = cosine * first - sine * b[k];
        b[k] = sine * first + cosine * b[k];
      }
    };
    turn(a_[i], a_[j], columns_);
    turn(v_[i], v_[j], rows_);
    return true;
  }

  int rows_{0};
  int columns_{0};
  int rank_{0};
  int sweeps_{0};
  S floor_{0};
  S a_[static_cast<std::size_t>(MaxRows)][static_cast<std::size_t>(MaxColumns)];
  S v_[static_cast<std::size_t>(MaxRows)][static_cast<std::size_t>(MaxRows)];
  PerRow noise_;
  PerRow inverse_square_;  // 1/|a_k|²; zero for directions that do not count
};

}  // namespace kinecast
