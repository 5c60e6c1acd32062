// SPDX-License-Identifier: MIT
// Gram-Schmidt: vectors become orthonormal directions and a triangle of coordinates. orthogonalise() takes all of them
// at once, the longest first; OrthonormalBasis takes one after the other, twice each: what rounding leaves of a vector
// that nearly depends on those before it is not yet orthogonal to them. O(columns) per pair of vectors.
#pragma once

#include <kinecast/core/scalar.hpp>

#include <cmath>
#include <cstddef>

namespace kinecast::detail {

// Removes from a vector its part along a direction of length one, and gives it.
template <class S>
[[gnu::always_inline]] inline S take_out(const S* direction, S* vector, int columns) noexcept {
  S along = S(0);
  for (int k = 0; k < columns; ++k) along += direction[k] * vector[k];
  for (int k = 0; k < columns; ++k) vector[k] -= along * direction[k];
  return along;
}

template <class S>
[[nodiscard, gnu::always_inline]] inline S squared_length(const S* vector, int columns) noexcept {
  S square = S(0);
  for (int k = 0; k < columns; ++k) square += vector[k] * vector[k];
  return square;
}

// Columns in, orthonormal columns and the upper factor out: columns = Q * upper, with pivoting. Column m of Q is column
// pivot[m] of the table. Directions below the rounding of the longest column are left out. Gives the rank, or -1 if an
// entry is not finite or too large.
template <class S, std::size_t Columns, std::size_t Rows>
[[nodiscard]] inline int orthogonalise(S (&column)[Columns][Rows], int columns, int rows, S (&upper)[Columns][Columns],
                                       int (&pivot)[Columns]) noexcept {
  S square[Columns];  // of what is left of each column; negative once it has served
  S least = S(0);
  S sum = S(0);
  for (int k = 0; k < columns; ++k) {
    square[k] = squared_length(column[k], rows);
    if (square[k] > least) least = square[k];
    sum += square[k];
  }
  if (!is_finite(sum)) return -1;
  least *= Tolerance<S>::kRank * Tolerance<S>::kRank;
  int rank = 0;
  for (int step = 0; step < columns; ++step) {
    int longest = 0;
    for (int k = 1; k < columns; ++k)
      if (square[k] > square[longest]) longest = k;
    S* q = column[longest];
    S length = squared_length(q, rows);  // afresh: the squares are only updated, good enough to choose by
    square[longest] = S(-1);
    if (length <= least) continue;
    length = std::sqrt(length);
    const S inverse = S(1) / length;
    for (int i = 0; i < rows; ++i) q[i] *= inverse;
    for (int k = 0; k < columns; ++k) {
      S dot = S(0);
      if (square[k] >= S(0)) {
        dot = take_out(q, column[k], rows);
        square[k] = square[k] > dot * dot ? square[k] - dot * dot : S(0);
      }
      upper[rank][k] = k == longest ? length : dot;
    }
    pivot[rank++] = longest;
  }
  return rank;
}

// Vectors that joined one by one, as directions * triangle.
template <class S, int MaxVectors, int MaxColumns>
class OrthonormalBasis {
 public:
  using Vector = S[static_cast<std::size_t>(MaxColumns)];
  using Coordinates = S[static_cast<std::size_t>(MaxVectors)];

  void begin(int columns) noexcept { columns_ = columns, count_ = 0; }
  // Forgets the vectors from this one on.
  void shorten(int count) noexcept { count_ = count; }

  // What is left of a vector beside the directions, and its coordinates along them.
  void split(const S* vector, Vector& left, Coordinates& coordinates) const noexcept {
    for (int k = 0; k < columns_; ++k) left[k] = vector[k];
    for (int a = 0; a < count_; ++a) coordinates[a] = S(0);
    for (int pass = 0; pass < 2; ++pass)
      for (int a = 0; a < count_; ++a) coordinates[a] += take_out(direction_[a], left, columns_);
  }

  // Gives the length of what the vector adds; there must be room. Of length 0 it adds a direction of zeros.
  S append(const S* vector) noexcept {
    Vector& left = direction_[count_];
    Coordinates coordinates{};
    split(vector, left, coordinates);
    const S length = std::sqrt(squared_length(left, columns_));
    const S inverse = length > S(0) ? S(1) / length : S(0);
    for (int k = 0; k < columns_; ++k) left[k] *= inverse;
    for (int a = 0; a < count_; ++a) triangle_[a][count_] = coordinates[a];
    length_[count_] = length;
    inverse_length_[count_++] = inverse;
    return length;
  }

  // Removes from a vector what lies along direction a, and gives it.
  S take_out_of(Vector& vector, int a) const noexcept { return take_out(direction_[a], vector, columns_); }

  [[nodiscard]] int count() const noexcept { return count_; }
  // Of vector b along direction a < b.
  [[nodiscard]] S coordinate(int a, int b) const noexcept { return triangle_[a][b]; }
  [[nodiscard]] S length(int a) const noexcept { return length_[a]; }
  [[nodiscard]] S inverse_length(int a) const noexcept { return inverse_length_[a]; }

 private:
  int columns_{0};
  int count_{0};
  Vector direction_[static_cast<std::size_t>(MaxVectors)];
  Coordinates triangle_[static_cast<std::size_t>(MaxVectors)];  // above the diagonal
  Coordinates length_;                                          // the diagonal
  Coordinates inverse_length_;
};

}  // namespace kinecast::detail
