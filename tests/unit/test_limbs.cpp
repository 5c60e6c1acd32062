// SPDX-License-Identifier: MIT
// What sticks, limb by limb (method 16.2): limbs on six common coordinates, with contacts by themselves, packs of
// contacts and lines, against the whole system in double. And packs against the rows that they are spread to.
#include <kinecast/solve/newton.hpp>

#include <algorithm>
#include <cmath>

#include "measure.hpp"
#include "unity_main.hpp"

namespace unit_limbs {
namespace {

using kinecast::Regime;
using kinecast::SolverEffort;
using kinecast::Status;
using kinecast::Storage;
using measure::f64;

constexpr int kRank = 18;
constexpr int kCones = 9;
constexpr int kLines = 8;
constexpr int kRows = 3 * kCones + kLines;
constexpr int kLimbs = 3;
constexpr int kOwn[kLimbs] = {3, 5, 4};
template <class S>
using Rows = kinecast::Rows<S, kRank, kCones, kLines>;
template <class S>
using OneRow = kinecast::Row<S, kRank>;

// The entries of a row, for all coordinates.
template <class S>
void spread_row(const OneRow<S>& row, double (&y)[kRank]) noexcept {
  for (double& entry : y) entry = 0;
  for (int k = 0; k < row.support->count; ++k) y[row.support->place[static_cast<std::size_t>(k)]] = f64(row.y[k]);
}

// Three limbs: a contact and up to three lines, a pack of four or five contacts and up to three lines, three lines. With
// what they ask for, all contacts press.
template <class S>
struct Limbs {
  kinecast::Support<kRank> support[kLimbs];
  Rows<S> rows;
  Rows<S> spread;            // the same without packs
  double worst_mobility{0};  // of the pack's rows, relative
  static constexpr int kFirstOfPack = 1;

  // `stiffer`: the compliance of lines over that of contacts, relative to their mobilities.
  void fill(measure::Random& random, double stiffer) noexcept {
    rows = {};
    int next = 0;
    for (int l = 0; l < kLimbs; ++l) {
      support[l].count = 0;
      for (int k = 0; k < kOwn[l]; ++k) add_place(l, next++);
      for (int k = kRank - 6; k < kRank; ++k) add_place(l, k);
    }
    fill_rows(random, support[0], rows.row.data(), 3);
    const int packed = random.within(1) > 0 ? 4 : 5;
    rows.cones = kFirstOfPack + packed;
    OneRow<S>* const first = rows.rows_of_cone(kFirstOfPack);
    fill_rows(random, support[1], first, 3 * packed);
    for (int i = 0; i < packed; ++i) {
      const auto x = static_cast<S>(random.within(0.1));
      const auto y = static_cast<S>(random.within(0.5));
      const auto z = static_cast<S>(random.within(0.5));
      kinecast::detail::set_place(first + 3 * i, x, y, z);
      rows.cone[static_cast<std::size_t>(kFirstOfPack + i)].storage =
          i == 0 ? Storage::first_of_pack : Storage::in_pack;
    }
    kinecast::detail::find_pack_mobilities(first, packed);
    for (int l = 0; l < kLimbs; ++l)
      for (int lines = l == 2 ? 3 : static_cast<int>((random.within(0.5) + 0.5) * 3); lines > 0; --lines) {
        rows.line[static_cast<std::size_t>(rows.lines++)] = kinecast::Line<S>::bilateral();
        fill_rows(random, support[l], &rows.row_of_line(rows.lines - 1), 1);
      }
    spread = rows;
    kinecast::detail::spread_packs(spread);
    soften(std::pow(10.0, -2.5 + random.within(0.5)), stiffer);
    ask(random);
    for (int i = 0; i < rows.cones; ++i) {
      kinecast::Cone<S>& cone = rows.cone[static_cast<std::size_t>(i)];
      cone.friction = S(10);
      cone.is_known = true;
      cone.regime = Regime::holds;
      cone.speed = S(0);
    }
  }

 private:
  void add_place(int limb, int place) noexcept {
    support[limb].place[static_cast<std::size_t>(support[limb].count++)] = static_cast<std::int16_t>(place);
  }
  static void fill_rows(measure::Random& random, const kinecast::Support<kRank>& support, OneRow<S>* row,
                        int count) noexcept {
    for (int i = 0; i < count; ++i) {
      row[i].support = &support;
      for (int k = 0; k < support.count; ++k) row[i].y[k] = static_cast<S>(random.within(1));
      for (int k = support.count; k % 3 != 0; ++k) row[i].y[k] = S(0);
      row[i].impulse = S(0);
    }
  }
  void soften(double relaxation, double stiffer) noexcept {
    worst_mobility = 0;
    for (int i = 0; i < rows.count(); ++i) {
      double y[kRank];
      spread_row(spread.row[static_cast<std::size_t>(i)], y);
      double mobility = 0;
      for (const double entry : y) mobility += entry * entry;
      OneRow<S>& row = rows.row[static_cast<std::size_t>(i)];
      if (i >= 3 * kFirstOfPack && i < 3 * rows.cones)
        worst_mobility = std::max(worst_mobility, std::abs(f64(row.mobility) / mobility - 1));
      row.mobility = static_cast<S>(mobility);
      row.soften(static_cast<S>((i < 3 * rows.cones ? 1 : stiffer) * relaxation * mobility));
    }
    for (int i = 0; i < rows.cones; ++i) rows.rows_of_cone(i)[2].soften(rows.rows_of_cone(i)[1].compliance);
    for (int i = 0; i < rows.count(); ++i)
      spread.row[static_cast<std::size_t>(i)].compliance = rows.row[static_cast<std::size_t>(i)].compliance;
  }
  void ask(measure::Random& random) noexcept {
    double s[kRank] = {};
    double x[kRows];
    double y[kRank];
    for (int i = 0; i < rows.count(); ++i) {
      x[i] = i < 3 * rows.cones && i % 3 == 0 ? 1 + random.within(0.5) : random.within(0.5);
      spread_row(spread.row[static_cast<std::size_t>(i)], y);
      for (int k = 0; k < kRank; ++k) s[k] += y[k] * x[i];
    }
    for (int i = 0; i < rows.count(); ++i) {
      OneRow<S>& row = rows.row[static_cast<std::size_t>(i)];
      spread_row(spread.row[static_cast<std::size_t>(i)], y);
      double bias = -f64(row.compliance) * x[i];
      for (int k = 0; k < kRank; ++k) bias -= y[k] * s[k];
      row.bias = spread.row[static_cast<std::size_t>(i)].bias = static_cast<S>(bias);
      row.free = row.bias;
    }
  }
};

// The change of the coordinates, and the impulses, by the whole system in double: (1 + Yᵀ Y/R) s = -Yᵀ bias/R.
struct Whole {
  double h[kRank][kRank + 1]{};
  double change[kRank];
  double impulse[kRows];

  template <class S>
  explicit Whole(const Rows<S>& rows) noexcept {
    for (int i = 0; i < kRank; ++i) h[i][i] = 1;
    for (int r = 0; r < rows.count(); ++r) {
      double y[kRank];
      const OneRow<S>& row = rows.row[static_cast<std::size_t>(r)];
      spread_row(row, y);
      for (int i = 0; i < kRank; ++i) {
        for (int j = 0; j < kRank; ++j) h[i][j] += y[i] * y[j] / f64(row.compliance);
        h[i][kRank] -= y[i] * f64(row.bias) / f64(row.compliance);
      }
    }
    for (int k = 0; k < kRank; ++k)
      for (int i = k + 1; i < kRank; ++i) {
        const double factor = h[i][k] / h[k][k];
        for (int j = k; j <= kRank; ++j) h[i][j] -= factor * h[k][j];
      }
    for (int i = kRank - 1; i >= 0; --i) {
      change[i] = h[i][kRank];
      for (int j = i + 1; j < kRank; ++j) change[i] -= h[i][j] * change[j];
      change[i] /= h[i][i];
    }
    for (int r = 0; r < rows.count(); ++r) {
      double y[kRank];
      const OneRow<S>& row = rows.row[static_cast<std::size_t>(r)];
      spread_row(row, y);
      double velocity = f64(row.bias);
      for (int i = 0; i < kRank; ++i) velocity += y[i] * change[i];
      impulse[r] = -velocity / f64(row.compliance);
    }
  }
};

template <class S>
void check_limbs() {
  static kinecast::NewtonWork<S, kRank, kCones> work;
  measure::Random random(21);
  measure::Worst change;
  measure::Worst impulse;
  measure::Worst mobility;
  static Limbs<S> p;
  for (int n = 0; n < 4 * measure::kEffort; ++n) {
    // Lines that are hardly compliant, and more of them than their limb has coordinates, are refined.
    const bool is_stiff = n % 2 == 1;
    p.fill(random, is_stiff ? 1e-2 : 0.2);
    mobility.see(p.worst_mobility);
    const Whole whole(p.spread);
    SolverEffort effort;
    TEST_ASSERT_TRUE(solve_rows(p.rows, work, effort) == Status::ok);
    TEST_ASSERT_EQUAL_INT(1, effort.systems);
    const bool is_packed = p.rows.cone[Limbs<S>::kFirstOfPack].storage == Storage::first_of_pack;
    TEST_ASSERT_TRUE(is_packed || is_stiff);  // nobody needed the rows by themselves
    double off = 0;
    double size = 0;
    for (int k = 0; k < kRank; ++k) {
      off = std::max(off, std::abs(f64(p.rows.change[static_cast<std::size_t>(k)]) - whole.change[k]));
      size = std::max(size, std::abs(whole.change[k]));
    }
    change.see(off / size);
    off = size = 0;
    for (int i = 0; i < p.rows.count(); ++i) {
      off = std::max(off, std::abs(f64(p.rows.row[static_cast<std::size_t>(i)].impulse) - whole.impulse[i]));
      size = std::max(size, std::abs(whole.impulse[i]));
    }
    impulse.see(off / size);
  }
  measure::assert_below<S>(measure::bound<S>(1e-5, 1e-13), mobility, "mobilities of a pack");
  // Compliances are down to 1e-5 of the mobilities: an equation has 1e5 times its rounding.
  measure::assert_below<S>(measure::bound<S>(1e-3, 1e-10), change, "change of the coordinates");
  measure::assert_below<S>(measure::bound<S>(3e-3, 1e-9), impulse, "impulses");
}
void test_limbs() {
  check_limbs<float>();
  if constexpr (measure::kInDouble) check_limbs<double>();
}

}  // namespace

KINECAST_SUITE(limbs, test_limbs)

}  // namespace unit_limbs
