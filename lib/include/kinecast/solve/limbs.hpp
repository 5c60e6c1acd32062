// SPDX-License-Identifier: MIT
// The affine solution of rows that hold, limb by limb (solve/newton.hpp). Rows of one support are those of a limb: its
// last six coordinates are common to all (the floating base of a robot with legs), the ones before are its own.
// With own entries A, common entries B and compliances R of the rows of a limb
//
//   (A Aᵀ + R) x = e - B s,   s = sum over limbs of Bᵀ x,   own change = Aᵀ x,   e = -bias
//
// A Aᵀ + R = L Lᵀ has few rows: 3 of a point foot, up to 6 where its joints stick too. What is left for s is
//
//   (1 + sum of Zᵀ Z) s = sum of Zᵀ L⁻¹ e,   Z = L⁻¹ B
//
// The impulses follow from what the rows feel together, and are not the quotient of a small velocity and a compliance.
// Where the rows before it leave a line hardly any mobility, rounding is a part of that: one solution more, with the
// same factors, takes it away. Rows by three: a row of zeros, which has no impulse, fills them up. Six rows stand for a
// pack of contacts (solve/packs.hpp).
//
// Cost: 330 operations for a limb of 3 rows with 3 coordinates of its own, 900 for one of 6, 170 for the base.
#pragma once

#include <kinecast/solve/packs.hpp>
#include <kinecast/solve/row_system.hpp>
#include <kinecast/solve/rows.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kinecast::detail {

template <class S, int Rank, int MaxCones, int MaxLines>
class LimbSolution {
 public:
  using AllRows = Rows<S, Rank, MaxCones, MaxLines>;
  using OneRow = Row<S, Rank>;
  static constexpr int kCommon = 6;
  static constexpr int kPackRows = 6;
  static constexpr int kMostRows = MaxLines > 0 ? 9 : 6;
  static constexpr int kMostLimbs = 6;
  template <int M>
  using Vector = S[static_cast<std::size_t>(M)];
  template <int M>
  using Pointers = const S * [static_cast<std::size_t>(M)];
  template <int M>
  using Rows6 = S[static_cast<std::size_t>(M)][static_cast<std::size_t>(kCommon)];
  // One byte, if that is enough: limbs are on the stack.
  using RowIndex = std::conditional_t<(3 * MaxCones + MaxLines < 256), std::uint8_t, std::int16_t>;
  using Factors = std::array<S, static_cast<std::size_t>(Rank*(Rank + 1) / 2)>;

  // `factors` is scratch.
  LimbSolution(AllRows& rows, Factors& factors) noexcept : rows_(rows), factors_(factors) {}

  // Finds the limbs. False: their rows are too many, or have more in common.
  [[nodiscard]] bool find() noexcept {
    for (int i = 0; i < rows_.cones;) {
      const Cone<S>& c = rows_.cone[static_cast<std::size_t>(i)];
      const bool is_pack = c.storage == Storage::first_of_pack;
      if (is_pack ? !add_pack(i) : c.regime == Regime::holds && !add(3 * i, 3)) return false;
      i = is_pack ? end_of_pack(rows_, i) : i + 1;
    }
    for (int i = 0; i < rows_.lines; ++i)
      if (rows_.line[static_cast<std::size_t>(i)].regime == Regime::holds && !add(3 * rows_.cones + i, 1)) return false;
    int room = static_cast<int>(factors_.size());
    for (int i = 0; i < limbs_; ++i) {
      const int m = (limb_[i].rows + 2) / 3 * 3;
      room -= m * (m + 1) / 2;
      limb_[i].factor = static_cast<std::int16_t>(room);
    }
    return room >= 0;
  }

  // Whether no rounding is left to refine: some may be if lines are at their bounds beside stiff ones that hold.
  [[nodiscard]] bool are_refined() const noexcept { return !is_stiff_ || !is_pushed_; }

  // Finds impulses and velocities of the rows that hold, and the change of the coordinates. Other rows have their
  // impulses already.
  void solve() noexcept {
    rows_.change.fill(S(0));
    is_pushed_ = add_given_impulses();
    base_.start();
    S* const s = rows_.change.data() + (Rank - kCommon);
    for (int k = 0; k < kCommon; ++k) right_[static_cast<std::size_t>(k)] = s[k];
    for (int i = 0; i < limbs_; ++i) {
      const Limb& limb = limb_[i];
      ask(limb);
      with_size(limb, [&](auto size) { eliminate<size.value>(limb); });
      is_stiff_ = is_stiff_ || has_stiff_line(limb) || has_stiff_cone(limb);
    }
    base_.factor();
    base_.solve(right_);
    for (int k = 0; k < kCommon; ++k) s[k] = right_[static_cast<std::size_t>(k)];
    substitute();
    if (is_stiff_ && !is_pushed_) refine(s);
    for (int i = 0; i < limbs_; ++i) finish(limb_[i]);
  }

 private:
  // Until the end, `velocity` of a limb's rows is the right-hand side e.
  struct Limb {
    const Support<Rank>* support;
    std::int16_t own;
    std::int16_t pack;    // first cone of a pack, or -1; the limb's first six rows stand for it
    std::int16_t factor;  // where L begins
    RowIndex rows;
    RowIndex row[static_cast<std::size_t>(kMostRows)];
  };

  [[nodiscard]] static std::size_t place(const Limb& limb, int k) noexcept {
    return static_cast<std::size_t>(limb.support->place[static_cast<std::size_t>(k)]);
  }
  [[nodiscard]] OneRow& row_of(const Limb& limb, int k) const noexcept {
    return rows_.row[static_cast<std::size_t>(limb.row[k])];
  }
  [[nodiscard]] static bool is_of_pack(const Limb& limb, int k) noexcept { return limb.pack >= 0 && k < kPackRows; }

  // Adds rows to the limb of their support.
  [[nodiscard]] bool add(int first, int count) noexcept {
    const OneRow* const r = &rows_.row[static_cast<std::size_t>(first)];
    for (int k = 0; k < count; ++k)
      if (!(r[k].stiffness > S(0))) return false;
    Limb* const limb = limb_of(*r->support);
    if (limb == nullptr || limb->rows + count > kMostRows) return false;
    for (int k = 0; k < count; ++k) limb->row[limb->rows++] = static_cast<RowIndex>(first + k);
    return true;
  }
  // Adds a pack, which must be the first of its limb and have contacts that hold.
  [[nodiscard]] bool add_pack(int first_cone) noexcept {
    bool holds = false;
    const int end = end_of_pack(rows_, first_cone);
    for (int i = first_cone; i < end; ++i) {
      if (rows_.cone[static_cast<std::size_t>(i)].regime != Regime::holds) continue;
      const OneRow* const r = rows_.rows_of_cone(i);
      if (!(r[0].stiffness > S(0) && r[1].stiffness > S(0))) return false;
      holds = true;
    }
    Limb* const limb = holds ? limb_of(*rows_.rows_of_cone(first_cone)->support) : nullptr;
    if (limb == nullptr || limb->rows > 0) return false;
    limb->pack = static_cast<std::int16_t>(first_cone);
    for (int k = 0; k < kPackRows; ++k) limb->row[limb->rows++] = static_cast<RowIndex>(3 * (first_cone + 2) + k);
    return true;
  }
  // The limb of a support, which starts if it is not there. nullptr: it cannot.
  [[nodiscard]] Limb* limb_of(const Support<Rank>& support) noexcept {
    if (limbs_ > 0 && limb_[last_].support == &support) return &limb_[last_];
    for (last_ = 0; last_ < limbs_; ++last_)
      if (limb_[last_].support == &support) return &limb_[last_];
    return start_limb(support) ? &limb_[last_] : nullptr;
  }
  [[nodiscard]] bool start_limb(const Support<Rank>& support) noexcept {
    if (limbs_ == kMostLimbs) return false;
    Limb& limb = limb_[limbs_];
    limb.support = &support;
    limb.own = static_cast<std::int16_t>(support.count - kCommon);
    limb.pack = -1;
    limb.rows = 0;
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

  template <int M>
  using Size = std::integral_constant<int, M>;
  template <class Do>
  [[gnu::always_inline]] static void with_size(const Limb& limb, Do&& act) noexcept {
    if (limb.rows <= 3) {
      act(Size<3>{});
    } else if (limb.rows <= 6) {
      act(Size<6>{});
    } else if constexpr (kMostRows > 6) {
      act(Size<9>{});
    }
  }

  // Sets the right-hand sides of a limb.
  void ask(const Limb& limb) noexcept {
    if (limb.pack >= 0) sum_up_pack(rows_, limb.pack, end_of_pack(rows_, limb.pack));
    for (int k = 0; k < limb.rows; ++k) {
      OneRow& r = row_of(limb, k);
      if (!is_of_pack(limb, k)) r.velocity = -r.bias;
      if (is_pushed_)
        for (int j = 0; j < limb.own; ++j) r.velocity -= r.y[j] * rows_.change[place(limb, j)];
      r.impulse = S(0);
    }
  }
  void substitute() noexcept {
    for (int i = 0; i < limbs_; ++i) {
      const Limb& limb = limb_[i];
      with_size(limb, [&](auto size) { substitute<size.value>(limb); });
    }
  }
  // Whether a line has less mobility left than contacts have compliance, at the least, times ten.
  [[nodiscard]] bool has_stiff_line(const Limb& limb) const noexcept {
    constexpr S kStiff = S(10) * Tolerance<S>::kLeastRelaxation;
    for (int k = limb.rows - 1; k >= 0 && limb.row[k] >= 3 * rows_.cones; --k) {
      const S inverse_root = factors_[static_cast<std::size_t>(limb.factor + k * (k + 1) / 2 + k)];
      if (kStiff * row_of(limb, k).mobility * inverse_root * inverse_root > S(1)) return true;
    }
    return false;
  }
  // Whether a cone is hardly compliant (solve/newton.hpp refines such ones, too).
  [[nodiscard]] bool has_stiff_cone(const Limb& limb) const noexcept {
    const auto is_stiff = [](const OneRow& r) { return r.compliance < Tolerance<S>::kHardlyCompliant * r.mobility; };
    if (limb.pack >= 0 && is_stiff(rows_.rows_of_cone(limb.pack)[0])) return true;
    for (int k = limb.pack >= 0 ? kPackRows : 0; k < limb.rows && limb.row[k] < 3 * rows_.cones; ++k)
      if (is_stiff(row_of(limb, k))) return true;
    return false;
  }
  // Solves for what rounding left of the equations, with the same factors.
  void refine(S* s) noexcept {
    for (int k = 0; k < kCommon; ++k) right_[static_cast<std::size_t>(k)] = -s[k];
    for (int i = 0; i < limbs_; ++i) {
      const Limb& limb = limb_[i];
      find_residuals(limb);
      with_size(limb, [&](auto size) { hand_on<size.value>(limb); });
    }
    base_.solve(right_);
    for (int k = 0; k < kCommon; ++k) s[k] += right_[static_cast<std::size_t>(k)];
    substitute();
  }
  // The velocities of the rows that hold.
  void finish(const Limb& limb) noexcept {
    for (int k = 0; k < limb.rows; ++k) {
      OneRow& r = row_of(limb, k);
      if (!is_of_pack(limb, k)) r.velocity = -r.compliance * r.impulse;
    }
    if (limb.pack >= 0) find_pack_velocities(rows_, limb.pack, end_of_pack(rows_, limb.pack));
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
    for (int i = 0; i < M; ++i) y[i] = i < limb.rows ? row_of(limb, i).y : kZeros.data();
  }
  // x <- L⁻¹ x
  template <int M>
  [[gnu::always_inline]] static void solve_lower(const S* lower, Vector<M>& x) noexcept {
#pragma GCC unroll 9
    for (int i = 0; i < M; ++i) {
#pragma GCC unroll 9
      for (int k = 0; k < i; ++k) x[i] -= lower[i * (i + 1) / 2 + k] * x[k];
      x[i] *= lower[i * (i + 1) / 2 + i];
    }
  }

  // x <- L⁻ᵀ x
  template <int M>
  [[gnu::always_inline]] static void solve_upper(const S* lower, Vector<M>& x) noexcept {
#pragma GCC unroll 9
    for (int i = M - 1; i >= 0; --i) {
#pragma GCC unroll 9
      for (int k = i + 1; k < M; ++k) x[i] -= lower[k * (k + 1) / 2 + i] * x[k];
      x[i] *= lower[i * (i + 1) / 2 + i];
    }
  }

  // Takes a limb of M rows out of the problem: adds what is left of it to that of the common coordinates.
  template <int M>
  void eliminate(const Limb& limb) noexcept {
    Pointers<M> y;
    read<M>(limb, y);
    constexpr int kSums = M * (M + 1) / 2;
    Vector<kSums> h = {};
    const int own = limb.own;
    for (int j = 0; j < own; ++j) {
      Vector<M> v;
#pragma GCC unroll 9
      for (int i = 0; i < M; ++i) v[i] = y[i][j];
#pragma GCC unroll 9
      for (int i = 0; i < M; ++i)
#pragma GCC unroll 9
        for (int k = 0; k <= i; ++k) h[i * (i + 1) / 2 + k] += v[i] * v[k];
    }
    Vector<M> e;
    S* const lower = factors_.data() + limb.factor;
#pragma GCC unroll 9
    for (int i = 0; i < M; ++i) {
      const OneRow* const r = i < limb.rows ? &row_of(limb, i) : nullptr;
      const S compliance = r != nullptr && !is_of_pack(limb, i) ? r->compliance : S(1);
      e[i] = r != nullptr ? r->velocity : S(0);
      S* const at = h + i * (i + 1) / 2;
      S pivot = at[i] + compliance;
#pragma GCC unroll 6
      for (int j = 0; j < i; ++j) {
        const S* const other = h + j * (j + 1) / 2;
        S sum = at[j];
#pragma GCC unroll 9
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
#pragma GCC unroll 9
      for (int i = 0; i < M; ++i) column[i] = y[i][own + j];
      solve_lower<M>(h, column);
      S sum = right_[static_cast<std::size_t>(j)];
#pragma GCC unroll 9
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

  // e <- what the impulses and the change leave of the limb's equations.
  void find_residuals(const Limb& limb) noexcept {
    S at[static_cast<std::size_t>(OneRow::kEntries)];
    const int count = limb.own + kCommon;
    for (int k = 0; k < count; ++k) at[k] = rows_.change[place(limb, k)];
    for (int k = count; k % 3 != 0; ++k) at[k] = S(0);
    for (int i = 0; i < limb.rows; ++i) {
      OneRow& r = row_of(limb, i);
      const S compliance = is_of_pack(limb, i) ? S(1) : r.compliance;
      S left = r.velocity - compliance * r.impulse;
      for (int k = 0; k < count; k += 3) left -= r.y[k] * at[k] + r.y[k + 1] * at[k + 1] + r.y[k + 2] * at[k + 2];
      r.velocity = left;
    }
  }
  // Adds what a limb's impulses, and those that its e asks for, do to the common coordinates.
  template <int M>
  void hand_on(const Limb& limb) noexcept {
    Pointers<M> y;
    read<M>(limb, y);
    const S* const lower = factors_.data() + limb.factor;
    Vector<M> x;
    for (int i = 0; i < M; ++i) x[i] = i < limb.rows ? row_of(limb, i).velocity : S(0);
    solve_lower<M>(lower, x);
    solve_upper<M>(lower, x);
    for (int i = 0; i < limb.rows; ++i) x[i] += row_of(limb, i).impulse;
    for (int j = 0; j < kCommon; ++j) {
      S sum = right_[static_cast<std::size_t>(j)];
#pragma GCC unroll 9
      for (int i = 0; i < M; ++i) sum += y[i][limb.own + j] * x[i];
      right_[static_cast<std::size_t>(j)] = sum;
    }
  }
  // Adds the impulses of a limb, from its e and the common coordinates.
  template <int M>
  void substitute(const Limb& limb) noexcept {
    Pointers<M> y;
    read<M>(limb, y);
    const S* const lower = factors_.data() + limb.factor;
    Vector<M> x;
    const int own = limb.own;
    {
      Vector<kCommon> s;
      for (int j = 0; j < kCommon; ++j) s[j] = right_[static_cast<std::size_t>(j)];
#pragma GCC unroll 9
      for (int i = 0; i < M; ++i) {
        x[i] = i < limb.rows ? row_of(limb, i).velocity : S(0);
#pragma GCC unroll 6
        for (int j = 0; j < kCommon; ++j) x[i] -= y[i][own + j] * s[j];
      }
    }
    solve_lower<M>(lower, x);
    solve_upper<M>(lower, x);
    for (int j = 0; j < own; ++j) {
      S sum = S(0);
#pragma GCC unroll 9
      for (int i = 0; i < M; ++i) sum += y[i][j] * x[i];
      rows_.change[place(limb, j)] += sum;
    }
    for (int i = 0; i < limb.rows; ++i) row_of(limb, i).impulse += x[i];
  }

  static constexpr std::array<S, static_cast<std::size_t>(OneRow::kEntries)> kZeros{};

  AllRows& rows_;
  Factors& factors_;
  DenseSystem<S, kCommon> base_;
  std::array<S, kCommon> right_;
  Limb limb_[static_cast<std::size_t>(kMostLimbs)];
  int limbs_{0};
  int last_{0};
  bool is_stiff_{false};
  bool is_pushed_{false};
};

}  // namespace kinecast::detail
