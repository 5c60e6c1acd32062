// SPDX-License-Identifier: MIT
// The affine solution of rows that hold, limb by limb (solve/newton.hpp). Rows of one support are those of a limb: their
// last six coordinates are common to all (the floating base of a robot with legs), the ones before are the limb's own.
// With own entries A, common entries B and compliances R of the rows of a limb
//
//   (A Aᵀ + R) x = e - B s,   s = sum over limbs of Bᵀ x,   own change = Aᵀ x,   e = -bias
//
// A Aᵀ + R = L Lᵀ has few rows: 3 of a point foot, up to 6 where its joints stick too. What is left for s is
//
//   (1 + sum of Zᵀ Z) s = sum of Zᵀ L⁻¹ e,   Z = L⁻¹ B
//
// The impulses follow from what the rows feel together, and are not the quotient of a small velocity and a compliance:
// nothing has to be refined. Rows by three: a row of zeros, which has no impulse, fills them up.
//
// Cost: 330 operations for a limb of 3 rows with 3 coordinates of its own, 900 for one of 6, 170 for the base.
#pragma once

#include <kinecast/solve/row_system.hpp>
#include <kinecast/solve/rows.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kinecast::detail {

template <class S, int Rank, int MaxCones, int MaxLines>
class LimbSolution {
 public:
  using AllRows = Rows<S, Rank, MaxCones, MaxLines>;
  using OneRow = Row<S, Rank>;
  static constexpr int kCommon = 6;
  static constexpr int kMostRows = 6;
  static constexpr int kFactor = kMostRows * (kMostRows + 1) / 2;
  static constexpr int kMostLimbs = std::min(8, Rank*(Rank + 1) / 2 / kFactor);
  template <int M>
  using Vector = S[static_cast<std::size_t>(M)];
  template <int M>
  using Pointers = const S * [static_cast<std::size_t>(M)];
  template <int M>
  using Rows6 = S[static_cast<std::size_t>(M)][static_cast<std::size_t>(kCommon)];
  using Factors = std::array<S, static_cast<std::size_t>(Rank*(Rank + 1) / 2)>;

  // `factors` is scratch.
  LimbSolution(AllRows& rows, Factors& factors) noexcept : rows_(rows), factors_(factors) {}

  // Finds the limbs. False: their rows are too many, or have more in common.
  [[nodiscard]] bool find() noexcept {
    for (int i = 0; i < rows_.cones; ++i) {
      if (rows_.cone[static_cast<std::size_t>(i)].regime != Regime::holds) continue;
      for (int axis = 0; axis < 3; ++axis)
        if (!add(3 * i + axis)) return false;
    }
    for (int i = 0; i < rows_.lines; ++i)
      if (rows_.line[static_cast<std::size_t>(i)].regime == Regime::holds && !add(3 * rows_.cones + i)) return false;
    return true;
  }

  // Finds impulses and velocities of the rows that hold, and the change of the coordinates. Other rows have their
  // impulses already.
  void solve() noexcept {
    rows_.change.fill(S(0));
    const bool is_pushed = add_given_impulses();
    base_.start();
    S* const s = rows_.change.data() + (Rank - kCommon);
    for (int k = 0; k < kCommon; ++k) right_[static_cast<std::size_t>(k)] = s[k];
    for (int i = 0; i < limbs_; ++i) {
      Limb& limb = limb_[i];
      for (int k = 0; k < limb.rows; ++k) {
        OneRow& r = rows_.row[static_cast<std::size_t>(limb.row[k])];
        S e = -r.bias;
        if (is_pushed)
          for (int j = 0; j < limb.own; ++j) e -= r.y[j] * rows_.change[place(limb, j)];
        r.velocity = e;
      }
      limb.rows <= 3 ? eliminate<3>(i) : eliminate<6>(i);
    }
    base_.factor();
    base_.solve(right_);
    for (int k = 0; k < kCommon; ++k) s[k] = right_[static_cast<std::size_t>(k)];
    for (int i = 0; i < limbs_; ++i) limb_[i].rows <= 3 ? substitute<3>(i) : substitute<6>(i);
  }

 private:
  struct Limb {
    const Support<Rank>* support;
    std::int16_t own;
    std::int16_t rows;
    std::int16_t row[static_cast<std::size_t>(kMostRows)];
  };

  [[nodiscard]] static std::size_t place(const Limb& limb, int k) noexcept {
    return static_cast<std::size_t>(limb.support->place[static_cast<std::size_t>(k)]);
  }
  [[nodiscard]] bool add(int row) noexcept {
    const OneRow& r = rows_.row[static_cast<std::size_t>(row)];
    if (!(r.stiffness > S(0))) return false;
    int at = limbs_ - 1;
    if (last_ < limbs_ && limb_[last_].support == r.support) at = last_;
    while (at >= 0 && limb_[at].support != r.support) --at;
    if (at < 0 && !start_limb(*r.support)) return false;
    last_ = at < 0 ? limbs_ - 1 : at;
    Limb& limb = limb_[last_];
    if (limb.rows == kMostRows) return false;
    limb.row[limb.rows++] = static_cast<std::int16_t>(row);
    return true;
  }
  [[nodiscard]] bool start_limb(const Support<Rank>& support) noexcept {
    if (limbs_ == kMostLimbs) return false;
    Limb& limb = limb_[limbs_];
    limb = {&support, static_cast<std::int16_t>(support.count - kCommon), 0, {}};
    if (limb.own < 0 || place(limb, limb.own) != static_cast<std::size_t>(Rank - kCommon)) return false;
    // Coordinates are in ascending order: limbs between whose first and last ones no other's are have none in common.
    for (int i = 0; i < limbs_ && limb.own > 0; ++i) {
      const Limb& other = limb_[i];
      if (other.own == 0 || place(other, other.own - 1) < place(limb, 0)) continue;
      if (place(limb, limb.own - 1) < place(other, 0)) continue;
      return false;
    }
    ++limbs_;
    return true;
  }

  // The impulses of lines at their bounds. False: there are none.
  [[nodiscard]] bool add_given_impulses() noexcept {
    bool any = false;
    for (int i = 0; i < rows_.lines; ++i) {
      if (rows_.line[static_cast<std::size_t>(i)].regime == Regime::holds) continue;
      const OneRow& r = rows_.row_of_line(i);
      for (int k = 0; k < r.support->count; ++k)
        rows_.change[static_cast<std::size_t>(r.support->place[static_cast<std::size_t>(k)])] += r.impulse * r.y[k];
      any = true;
    }
    return any;
  }

  template <int M>
  [[gnu::always_inline]] void read(const Limb& limb, Pointers<M>& y) const noexcept {
    for (int i = 0; i < M; ++i)
      y[i] = i < limb.rows ? rows_.row[static_cast<std::size_t>(limb.row[i])].y : kZeros.data();
  }
  // x <- L⁻¹ x
  template <int M>
  [[gnu::always_inline]] static void solve_lower(const S* lower, Vector<M>& x) noexcept {
#pragma GCC unroll 6
    for (int i = 0; i < M; ++i) {
#pragma GCC unroll 6
      for (int k = 0; k < i; ++k) x[i] -= lower[i * (i + 1) / 2 + k] * x[k];
      x[i] *= lower[i * (i + 1) / 2 + i];
    }
  }

  // Takes a limb of M rows out of the problem: adds what is left of it to that of the common coordinates.
  template <int M>
  void eliminate(int index) noexcept {
    const Limb& limb = limb_[index];
    Pointers<M> y;
    read<M>(limb, y);
    constexpr int kSums = M * (M + 1) / 2;
    Vector<kSums> h = {};
    const int own = limb.own;
    for (int j = 0; j < own; ++j) {
      Vector<M> v;
#pragma GCC unroll 6
      for (int i = 0; i < M; ++i) v[i] = y[i][j];
#pragma GCC unroll 6
      for (int i = 0; i < M; ++i)
#pragma GCC unroll 6
        for (int k = 0; k <= i; ++k) h[i * (i + 1) / 2 + k] += v[i] * v[k];
    }
    Vector<M> e;
    S* const lower = factors_.data() + kFactor * index;
#pragma GCC unroll 6
    for (int i = 0; i < M; ++i) {
      const OneRow* const r = i < limb.rows ? &rows_.row[static_cast<std::size_t>(limb.row[i])] : nullptr;
      const S compliance = r != nullptr ? r->compliance : S(1);
      e[i] = r != nullptr ? r->velocity : S(0);
      S* const at = h + i * (i + 1) / 2;
      S pivot = at[i] + compliance;
#pragma GCC unroll 6
      for (int j = 0; j < i; ++j) {
        const S* const other = h + j * (j + 1) / 2;
        S sum = at[j];
#pragma GCC unroll 6
        for (int k = 0; k < j; ++k) sum -= at[k] * other[k];
        at[j] = sum * other[j];
        pivot -= at[j] * at[j];
      }
      at[i] = S(1) / std::sqrt(std::max(pivot, compliance));
#pragma GCC unroll 6
      for (int j = 0; j <= i; ++j) lower[i * (i + 1) / 2 + j] = at[j];
    }
    solve_lower<M>(h, e);
    Rows6<M> z;
    for (int j = 0; j < kCommon; ++j) {
      Vector<M> column;
#pragma GCC unroll 6
      for (int i = 0; i < M; ++i) column[i] = y[i][own + j];
      solve_lower<M>(h, column);
      S sum = right_[static_cast<std::size_t>(j)];
#pragma GCC unroll 6
      for (int i = 0; i < M; ++i) z[i][j] = column[i], sum += column[i] * e[i];
      right_[static_cast<std::size_t>(j)] = sum;
    }
    add_squares<M>(z);
  }
  template <int M>
  [[gnu::always_inline]] void add_squares(const Rows6<M>& z) noexcept {
    constexpr int kSums = kCommon * (kCommon + 1) / 2;
    S* const to = base_.entries.data();
    Vector<kSums> h;
#pragma GCC unroll 21
    for (int k = 0; k < kSums; ++k) h[k] = to[k];
    for (int i = 0; i < M; ++i) {
      Vector<kCommon> v;
#pragma GCC unroll 6
      for (int a = 0; a < kCommon; ++a) v[a] = z[i][a];
#pragma GCC unroll 6
      for (int a = 0; a < kCommon; ++a)
#pragma GCC unroll 6
        for (int b = 0; b <= a; ++b) h[a * (a + 1) / 2 + b] += v[a] * v[b];
    }
#pragma GCC unroll 21
    for (int k = 0; k < kSums; ++k) to[k] = h[k];
  }

  // The impulses of a limb, from the common coordinates.
  template <int M>
  void substitute(int index) noexcept {
    const Limb& limb = limb_[index];
    Pointers<M> y;
    read<M>(limb, y);
    const S* const lower = factors_.data() + kFactor * index;
    Vector<M> x;
    const int own = limb.own;
    {
      Vector<kCommon> s;
      for (int j = 0; j < kCommon; ++j) s[j] = right_[static_cast<std::size_t>(j)];
#pragma GCC unroll 6
      for (int i = 0; i < M; ++i) {
        x[i] = i < limb.rows ? rows_.row[static_cast<std::size_t>(limb.row[i])].velocity : S(0);
#pragma GCC unroll 6
        for (int j = 0; j < kCommon; ++j) x[i] -= y[i][own + j] * s[j];
      }
    }
    solve_lower<M>(lower, x);
#pragma GCC unroll 6
    for (int i = M - 1; i >= 0; --i) {
#pragma GCC unroll 6
      for (int k = i + 1; k < M; ++k) x[i] -= lower[k * (k + 1) / 2 + i] * x[k];
      x[i] *= lower[i * (i + 1) / 2 + i];
    }
    for (int j = 0; j < own; ++j) {
      S sum = S(0);
#pragma GCC unroll 6
      for (int i = 0; i < M; ++i) sum += y[i][j] * x[i];
      rows_.change[place(limb, j)] += sum;
    }
#pragma GCC unroll 6
    for (int i = 0; i < M; ++i) {
      if (i >= limb.rows) break;
      OneRow& r = rows_.row[static_cast<std::size_t>(limb.row[i])];
      r.impulse = x[i];
      r.velocity = -r.compliance * x[i];
    }
  }

  static constexpr std::array<S, static_cast<std::size_t>(OneRow::kEntries)> kZeros{};

  AllRows& rows_;
  Factors& factors_;
  DenseSystem<S, kCommon> base_;
  std::array<S, kCommon> right_;
  Limb limb_[static_cast<std::size_t>(kMostLimbs)];
  int limbs_{0};
  int last_{0};
};

}  // namespace kinecast::detail
