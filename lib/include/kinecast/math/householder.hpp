// SPDX-License-Identifier: MIT
// Householder reflections, in two shapes that differ in what lies above the vector that is reflected.
//
//   reflect()              any row: what lies right of its entry k goes into that entry (an LQ factor, row by row)
//   reflect_below_one()    column m of [1; B], 1 the identity: its pivot row is still untouched, so that the vector is
//                          (1 + alpha; column m of B), and no entry of the identity is ever stored
#pragma once

#include <cmath>

namespace kinecast::detail {

// Turns `row` so that nothing is left of it right of column k; `rest` is the sum of squares there. The reflection is
// 1 - scale v vᵀ with v = (0, …, 1 at k, row behind it), and the row's own entry k becomes what is left. Without a rest
// the scale is 0.
template <class S>
inline void find_reflection(S* row, int k, S rest, int columns, S& scale) noexcept {
  scale = S(0);
  if (!(rest > S(0))) return;
  const S length = std::sqrt(row[k] * row[k] + rest);
  const S diagonal = row[k] > S(0) ? -length : length;
  const S first = row[k] - diagonal;
  const S inverse_first = S(1) / first;
  for (int j = k + 1; j < columns; ++j) row[j] *= inverse_first;
  scale = -first / diagonal;
  row[k] = diagonal;
}

// x <- (1 - scale v vᵀ) x. x lies with a stride; vectors and motions are three and six rows at once, which share the
// loads of v.
template <int Stride = 1, class S, class X>
[[gnu::always_inline]] inline void reflect(const S* v, S scale, int k, int columns, X* x) noexcept {
  X sum = x[Stride * k];
  for (int j = k + 1; j < columns; ++j) sum = sum + v[j] * x[Stride * j];
  sum = scale * sum;
  x[Stride * k] = x[Stride * k] - sum;
  for (int j = k + 1; j < columns; ++j) x[Stride * j] = x[Stride * j] - v[j] * sum;
}

// The diagonal entry of the triangle T of [1; B] = Q T, but for its sign, and its inverse.
template <class S>
struct OnePivot {
  S alpha;
  S inverse;
};

// Reflection m of [1; B] = Q T, T = -[alpha_m, dots / alpha_m]: turns the columns of B behind it, and writes row m of
// -T right of the diagonal. `at(i, k)` is B's entry in row i, column k, however it is stored.
template <class S, class At>
[[nodiscard, gnu::always_inline]] inline OnePivot<S> reflect_below_one(int m, int height, int width, At at,
                                                                       S* T) noexcept {
  S square = S(1);
  for (int i = 0; i < height; ++i) square += at(i, m) * at(i, m);
  const S alpha = std::sqrt(square);
  const S inverse = S(1) / alpha;
  const S factor = inverse / (S(1) + alpha);
  for (int k = m + 1; k < width; ++k) {
    S dot = S(0);
    for (int i = 0; i < height; ++i) dot += at(i, m) * at(i, k);
    T[k] = dot * inverse;
    dot *= factor;
    for (int i = 0; i < height; ++i) at(i, k) -= dot * at(i, m);
  }
  return {alpha, inverse};
}

}  // namespace kinecast::detail
