// SPDX-License-Identifier: MIT
// The system of a Newton step, 1 + sum of (weight z zᵀ) over rows z (solve/newton.hpp), and its factor L D Lᵀ. It is
// symmetric, and its pivots are at least 1. Rows of few coordinates make a dense system, whose loops are unrolled. In a
// larger one coordinates are numbered from the leaves of the tree to its root: the entries of a row begin where a row
// of the step that feels its coordinate begins, and elimination adds none before (the envelope). Rows of the system
// with the same beginning, as those of a leg and those of its base have, are worked on three at a time.
//
// Cost: R²/2 products per term, R³/6 for the factor, R² for a solution; R is the number of coordinates that are felt
// together.
#pragma once

#include <kinecast/solve/rows.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kinecast {

template <class S, int Rank>
struct DenseSystem {
  static constexpr std::size_t kRank = static_cast<std::size_t>(Rank);
  std::array<S, kRank*(kRank + 1) / 2> entries;  // lower triangle by rows, then its factor L
  std::array<S, kRank> inverse_pivot;

  [[nodiscard]] S* row(int i) noexcept { return entries.data() + i * (i + 1) / 2; }
  [[nodiscard]] const S* row(int i) const noexcept { return entries.data() + i * (i + 1) / 2; }

  void start() noexcept {
    for (int i = 0; i < Rank; ++i) {
      S* const at = row(i);
      for (int j = 0; j < i; ++j) at[j] = S(0);
      at[i] = S(1);
    }
  }
  // Adds the sum of weight z zᵀ, three rows of the system at once, in registers.
  template <int first_row = 0>
  [[gnu::always_inline]] void add(const S* const* z, const S* weight, int terms,
                                  const Support<Rank>& all = kEveryCoordinate<Rank>) noexcept {
    if constexpr (first_row < Rank) {
      constexpr std::size_t kColumns = static_cast<std::size_t>(first_row) + 3;
      S h[3][kColumns] = {};
      for (int i = 0; i < terms; ++i) {
        const S* const p = z[i];
        const S w = weight[i];
        S scaled[3];
        for (int a = 0; a < 3; ++a) scaled[a] = w * p[first_row + a];
#pragma GCC unroll 9
        for (int b = 0; b < first_row + 3; ++b) {
          const S q = p[b];
#pragma GCC unroll 3
          for (int a = b < first_row ? 0 : b - first_row; a < 3; ++a) h[a][b] += scaled[a] * q;
        }
      }
#pragma GCC unroll 3
      for (int a = 0; a < 3; ++a) {
        if (first_row + a >= Rank) break;
        S* const at = row(first_row + a);
#pragma GCC unroll 9
        for (int b = 0; b <= first_row + a; ++b) at[b] += h[a][b];
      }
      add<first_row + 3>(z, weight, terms, all);
    }
  }
  void factor() noexcept {
#pragma GCC unroll 8
    for (int i = 0; i < Rank; ++i) {
      S* const at = row(i);
#pragma GCC unroll 8
      for (int j = 0; j < i; ++j) {
        const S* const other = row(j);
        S sum = at[j];
#pragma GCC unroll 8
        for (int k = 0; k < j; ++k) sum -= at[k] * other[k];
        at[j] = sum;
      }
      S pivot = at[i];
#pragma GCC unroll 8
      for (int j = 0; j < i; ++j) {
        const S scaled = at[j] * inverse_pivot[static_cast<std::size_t>(j)];
        pivot -= at[j] * scaled;
        at[j] = scaled;
      }
      inverse_pivot[static_cast<std::size_t>(i)] = S(1) / std::max(pivot, S(1));
    }
  }
  // x <- system⁻¹ x
  void solve(std::array<S, kRank>& x) const noexcept {
    S entry[kRank];
#pragma GCC unroll 8
    for (int i = 0; i < Rank; ++i) {
      const S* const at = row(i);
      S sum = x[static_cast<std::size_t>(i)];
#pragma GCC unroll 8
      for (int k = 0; k < i; ++k) sum -= at[k] * entry[k];
      entry[i] = sum;
    }
#pragma GCC unroll 8
    for (int i = 0; i < Rank; ++i) entry[i] *= inverse_pivot[static_cast<std::size_t>(i)];
#pragma GCC unroll 8
    for (int i = Rank - 1; i > 0; --i) {
      const S* const at = row(i);
#pragma GCC unroll 8
      for (int k = 0; k < i; ++k) entry[k] -= at[k] * entry[i];
    }
#pragma GCC unroll 8
    for (int i = 0; i < Rank; ++i) x[static_cast<std::size_t>(i)] = entry[i];
  }
};

template <class S, int Rank>
struct TreeSystem {
  static constexpr std::size_t kRank = static_cast<std::size_t>(Rank);
  std::array<S, kRank*(kRank + 1) / 2> entries;  // lower triangle by rows, then its factor L
  std::array<S, kRank> inverse_pivot;
  std::array<std::int16_t, kRank> first;  // first entry of each row that is not zero

  [[nodiscard]] S* row(int i) noexcept { return entries.data() + i * (i + 1) / 2; }
  [[nodiscard]] const S* row(int i) const noexcept { return entries.data() + i * (i + 1) / 2; }

  // The envelope: that of a diagonal matrix, and then with terms of such a support.
  void start_envelope() noexcept {
    for (std::size_t i = 0; i < kRank; ++i) first[i] = static_cast<std::int16_t>(i);
  }
  void widen_envelope(const Support<Rank>& support) noexcept {
    for (int k = 0; k < support.count; ++k) {
      std::int16_t& from = first[static_cast<std::size_t>(support.place[static_cast<std::size_t>(k)])];
      from = std::min(from, support.place[0]);
    }
  }
  void start() noexcept {
    entries.fill(S(0));
    for (int i = 0; i < Rank; ++i) row(i)[i] = S(1);
  }

  // Adds the sum of weight z zᵀ over terms of one support, by tiles of 3 x 3.
  void add(const S* const* z, const S* weight, int terms, const Support<Rank>& support) noexcept {
    const std::int16_t* const place = support.place.data();
    for (int a = 0; a < support.count; a += 3) {
      const int rows = std::min(support.count - a, 3);
      for (int b = 0; b < a; b += 3) add_tile(z, weight, terms, a, b, rows, place);
      add_diagonal_tile(z, weight, terms, a, rows, place + a);
    }
  }

  void factor() noexcept {
    for (int i = 0; i < Rank;) {
      const bool three = are_three(i);
      three ? factor_three(i) : factor_one(i);
      i += three ? 3 : 1;
    }
  }
  // x <- system⁻¹ x
  void solve(std::array<S, kRank>& x) const noexcept {
    for (int i = 0; i < Rank;) {
      const bool three = are_three(i);
      three ? eliminate_three(i, x.data()) : eliminate_one(i, x.data());
      i += three ? 3 : 1;
    }
    for (std::size_t i = 0; i < kRank; ++i) x[i] *= inverse_pivot[i];
    for (int i = Rank; i > 0;) {
      const bool three = i >= 3 && are_three(i - 3);
      i -= three ? 3 : 1;
      three ? substitute_three(i, x.data()) : substitute_one(i, x.data());
    }
  }

 private:
  [[nodiscard, gnu::always_inline]] int begin(int i) const noexcept { return first[static_cast<std::size_t>(i)]; }
  // Whether row i and the two behind it begin at the same entry.
  [[nodiscard, gnu::always_inline]] bool are_three(int i) const noexcept {
    return i + 2 < Rank && begin(i) == begin(i + 1) && begin(i) == begin(i + 2);
  }
  [[nodiscard, gnu::always_inline]] S invert_pivot(int i, S pivot) noexcept {
    return inverse_pivot[static_cast<std::size_t>(i)] = S(1) / std::max(pivot, S(1));
  }

  void add_tile(const S* const* z, const S* weight, int terms, int a, int b, int rows,
                const std::int16_t* place) noexcept {
    S h00{}, h01{}, h02{}, h10{}, h11{}, h12{}, h20{}, h21{}, h22{};
    for (int i = 0; i < terms; ++i) {
      const S* const p = z[i] + a;
      const S* const q = z[i] + b;
      const S w = weight[i];
      const S p0 = w * p[0];
      const S p1 = w * p[1];
      const S p2 = w * p[2];
      h00 += p0 * q[0], h10 += p1 * q[0], h20 += p2 * q[0];
      h01 += p0 * q[1], h11 += p1 * q[1], h21 += p2 * q[1];
      h02 += p0 * q[2], h12 += p1 * q[2], h22 += p2 * q[2];
    }
    const int b0 = place[b];
    const int b1 = place[b + 1];
    const int b2 = place[b + 2];
    S* to = row(place[a]);
    to[b0] += h00, to[b1] += h01, to[b2] += h02;
    if (rows == 1) return;
    to = row(place[a + 1]);
    to[b0] += h10, to[b1] += h11, to[b2] += h12;
    if (rows == 2) return;
    to = row(place[a + 2]);
    to[b0] += h20, to[b1] += h21, to[b2] += h22;
  }
  void add_diagonal_tile(const S* const* z, const S* weight, int terms, int a, int rows,
                         const std::int16_t* place) noexcept {
    S h00{}, h10{}, h11{}, h20{}, h21{}, h22{};
    for (int i = 0; i < terms; ++i) {
      const S* const p = z[i] + a;
      const S w = weight[i];
      const S p0 = w * p[0];
      const S p1 = w * p[1];
      h00 += p0 * p[0], h10 += p0 * p[1], h20 += p0 * p[2];
      h11 += p1 * p[1], h21 += p1 * p[2], h22 += w * p[2] * p[2];
    }
    S* to = row(place[0]);
    to[place[0]] += h00;
    if (rows == 1) return;
    to = row(place[1]);
    to[place[0]] += h10, to[place[1]] += h11;
    if (rows == 2) return;
    to = row(place[2]);
    to[place[0]] += h20, to[place[1]] += h21, to[place[2]] += h22;
  }

  // Finds row i of the factor: first as L D, for its products with the rows before it, then as L.
  void factor_one(int i) noexcept {
    const int from = begin(i);
    S* const r = row(i);
    for (int j = from; j < i; ++j) {
      const S* const other = row(j);
      S sum = r[j];
      for (int k = std::max(from, begin(j)); k < j; ++k) sum -= r[k] * other[k];
      r[j] = sum;
    }
    S pivot = r[i];
    for (int k = from; k < i; ++k) {
      const S scaled = r[k] * inverse_pivot[static_cast<std::size_t>(k)];
      pivot -= r[k] * scaled;
      r[k] = scaled;
    }
    (void)invert_pivot(i, pivot);
  }
  // The same for three rows with a common beginning.
  void factor_three(int i) noexcept {
    const int from = begin(i);
    S* const r0 = row(i);
    S* const r1 = row(i + 1);
    S* const r2 = row(i + 2);
    for (int j = from; j < i; ++j) {
      const S* const other = row(j);
      S sum0 = r0[j];
      S sum1 = r1[j];
      S sum2 = r2[j];
      for (int k = std::max(from, begin(j)); k < j; ++k) {
        const S o = other[k];
        sum0 -= r0[k] * o, sum1 -= r1[k] * o, sum2 -= r2[k] * o;
      }
      r0[j] = sum0, r1[j] = sum1, r2[j] = sum2;
    }
    // What the three have with each other.
    S h00 = r0[i];
    S h10 = r1[i];
    S h11 = r1[i + 1];
    S h20 = r2[i];
    S h21 = r2[i + 1];
    S h22 = r2[i + 2];
    for (int k = from; k < i; ++k) {
      const S inverse = inverse_pivot[static_cast<std::size_t>(k)];
      const S d0 = r0[k];
      const S d1 = r1[k];
      const S d2 = r2[k];
      const S l0 = d0 * inverse;
      const S l1 = d1 * inverse;
      const S l2 = d2 * inverse;
      h00 -= d0 * l0, h10 -= d1 * l0, h20 -= d2 * l0;
      h11 -= d1 * l1, h21 -= d2 * l1, h22 -= d2 * l2;
      r0[k] = l0, r1[k] = l1, r2[k] = l2;
    }
    const S inverse0 = invert_pivot(i, h00);
    const S l10 = h10 * inverse0;
    const S l20 = h20 * inverse0;
    h11 -= h10 * l10, h21 -= h20 * l10, h22 -= h20 * l20;
    const S l21 = h21 * invert_pivot(i + 1, h11);
    (void)invert_pivot(i + 2, h22 - h21 * l21);
    r1[i] = l10, r2[i] = l20, r2[i + 1] = l21;
  }

  // Forward, L y = x.
  void eliminate_one(int i, S* x) const noexcept {
    const S* const r = row(i);
    S sum = x[i];
    for (int k = begin(i); k < i; ++k) sum -= r[k] * x[k];
    x[i] = sum;
  }
  void eliminate_three(int i, S* x) const noexcept {
    const S* const r0 = row(i);
    const S* const r1 = row(i + 1);
    const S* const r2 = row(i + 2);
    S sum0 = x[i];
    S sum1 = x[i + 1];
    S sum2 = x[i + 2];
    for (int k = begin(i); k < i; ++k) {
      const S e = x[k];
      sum0 -= r0[k] * e, sum1 -= r1[k] * e, sum2 -= r2[k] * e;
    }
    sum1 -= r1[i] * sum0;
    sum2 -= r2[i] * sum0 + r2[i + 1] * sum1;
    x[i] = sum0, x[i + 1] = sum1, x[i + 2] = sum2;
  }

  // Backward, Lᵀ x = y: takes what row i has of the entries before it.
  void substitute_one(int i, S* x) const noexcept {
    const S* const r = row(i);
    const S e = x[i];
    for (int k = begin(i); k < i; ++k) x[k] -= r[k] * e;
  }
  void substitute_three(int i, S* x) const noexcept {
    const S* const r0 = row(i);
    const S* const r1 = row(i + 1);
    const S* const r2 = row(i + 2);
    const S e2 = x[i + 2];
    const S e1 = x[i + 1] - r2[i + 1] * e2;
    const S e0 = x[i] - r1[i] * e1 - r2[i] * e2;
    x[i] = e0, x[i + 1] = e1;
    for (int k = begin(i); k < i; ++k) x[k] -= r0[k] * e0 + r1[k] * e1 + r2[k] * e2;
  }
};

template <class S, int Rank>
using RowSystem = std::conditional_t<kRowsAreDense<Rank>, DenseSystem<S, Rank>, TreeSystem<S, Rank>>;

}  // namespace kinecast
