// SPDX-License-Identifier: MIT
// The impulses of a step: what everything that holds the robot does at once (method 16). With w = -(Y s + bias), a
// change s of the coordinates is sought with s = Yᵀ x:
//
//   line    x = w/R, cut to its bound
//   cone    open    w_n <= 0:                     x = 0
//           holds   |w_t|/R_t <= mu w_n/R_n:      x = w/R
//           slides  else:                         x_n = w_n/R_n,  x_t = mu x_n w_t/|w_t|             (Coulomb)
//
// by Newton's method on s. Where nothing slides, the system 1 + sum of (stiffness y yᵀ) is symmetric, has pivots of at
// least 1, and is as sparse as the tree (solve/rows.hpp); the friction of sliding cones, which follows the normal
// impulse and not the other way round, is a correction of one column each (Woodbury). Robots of few coordinates
// have dense rows, and a system that is factored as a whole where cones slide. Any solution takes energy.
//
// Coulomb's law can have no solution, or several, where friction jams a chain. If Newton's steps do not come down, its
// convex relative is solved instead, which always has one: x_n = (w_n + mu|w_t| - shift)/(R_n + mu² R_t) while it
// slides, the minimum of ½|s|² + sum of l_i(w_i). A shift of mu times the slip makes it Coulomb's; any shift is
// passive, and it is settled as far as the steps go (method 16.3).
//
// It starts from the regimes and impulses of the last step. Where nothing slid, the laws are affine, and the first
// system gives the solution at once. The numbers of systems and of steps are bounded. If they are used up, the impulses
// are scaled to the best point on their ray, which lies in all cones and takes energy, and the Status is a warning.
//
// Cost at rest: one system, R²/2 products per row, R³/6 for its factor; for legs, what solve/limbs.hpp says.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/math/lu.hpp>
#include <kinecast/solve/limbs.hpp>
#include <kinecast/solve/packs.hpp>
#include <kinecast/solve/row_system.hpp>
#include <kinecast/solve/rows.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace kinecast {

// The solver's work in a step.
struct SolverEffort {
  int systems{0};  // factorisations
  int steps{0};    // Newton steps
};

// Scratch of the solver.
template <class S, int Rank, int MaxCones>
struct NewtonWork {
  static constexpr std::size_t kRank = static_cast<std::size_t>(Rank);
  static constexpr std::size_t kCones = static_cast<std::size_t>(MaxCones > 0 ? MaxCones : 1);
  // A system of few coordinates is dense, and so is what friction that slides adds to it.
  static constexpr bool kIsSmall = kRowsAreDense<Rank>;
  static constexpr std::size_t kResponses = kIsSmall ? 0 : kCones;
  static constexpr std::size_t kGeneral = kIsSmall ? kRank : kCones;
  RowSystem<S, Rank> system;
  std::array<S, kRank> gradient;
  std::array<S, kRank> direction;
  // The sliding cones of the system. A small system is not symmetric with them: `general` is all of it. A large one is
  // corrected: how s follows their friction, and in `general` the system of their normal impulses.
  int sliding;
  std::array<std::int16_t, kResponses> cone;
  std::array<std::array<S, kRank>, kResponses> response;
  S general[kGeneral][kGeneral];
  S inverse_diagonal[kGeneral];
  int exchanged[kGeneral];
};

namespace detail {

template <class S, int Rank, int MaxCones, int MaxLines>
class NewtonSolver {
 public:
  using AllRows = Rows<S, Rank, MaxCones, MaxLines>;
  using OneRow = Row<S, Rank>;
  using Work = NewtonWork<S, Rank, MaxCones>;
  static constexpr int kCoulombSystems = 8;  // after so many systems the convex law takes over,
  static constexpr int kShiftSystems = 12;   // whose shift is settled within so many systems;
  static constexpr int kConvexSystems = 8;   // with a fixed shift it always converges
  static constexpr int kMostSystems = kCoulombSystems + kShiftSystems + kConvexSystems;
  static constexpr int kMostSteps = 2 * kMostSystems;
  static constexpr S kMostGain = S(32);    // of a shift
  static constexpr int kMostHoldings = 3;  // so often friction that turned around is taken to hold

  static constexpr bool kIsSmall = Work::kIsSmall;

  NewtonSolver(AllRows& rows, NewtonWork<S, Rank, MaxCones>& work) noexcept : rows_(rows), w_(work) {}

  // Solves from the regimes and impulses of the last step.
  [[nodiscard]] Status start(SolverEffort& effort) noexcept {
    if (rows_.cones == 0 && rows_.lines == 1) return solve_line(effort);
    if (nothing_slid()) {
      is_exact_ = solve_affine();
      if (is_exact_) return finish(true, effort);
    } else {
      spread_packs(rows_);
      predict();
    }
    return iterate(effort);
  }
  // Solves again from the present velocities, after limits or biases changed.
  [[nodiscard]] Status resume(SolverEffort& effort) noexcept {
    if (rows_.cones == 0 && rows_.lines == 1) return solve_line(effort);
    spread_packs(rows_);
    for_each_cone([](Cone<S>& c, OneRow* /*r*/) { c.shift = S(0); });
    add_products(rows_.change, Field::velocity);
    apply_laws();
    return iterate(effort);
  }

 private:
  enum class Field : std::uint8_t { velocity, turn };

  template <class F>
  [[gnu::always_inline]] void for_each_cone(F&& f) noexcept {
    for (int i = 0; i < rows_.cones; ++i) f(rows_.cone[static_cast<std::size_t>(i)], rows_.rows_of_cone(i));
  }
  template <class F>
  [[gnu::always_inline]] void for_each_line(F&& f) noexcept {
    for (int i = 0; i < rows_.lines; ++i) f(rows_.line[static_cast<std::size_t>(i)], rows_.row_of_line(i));
  }
  // Calls f(first row, row behind the last) for every run of rows with the same support.
  template <class F>
  [[gnu::always_inline]] void for_each_run(F&& f) noexcept {
    OneRow* const end = rows_.row.data() + rows_.count();
    if constexpr (kIsSmall) return f(rows_.row.data(), end);
    for (OneRow* first = rows_.row.data(); first != end;) {
      OneRow* last = first + 1;
      while (last != end && last->support == first->support) ++last;
      f(first, last);
      first = last;
    }
  }

  // ---- products with the rows ---------------------------------------------------------------------------------------

  // Products with dense rows: the loops are unrolled.
  template <class X>
  [[gnu::always_inline]] static void add_dense_products(OneRow* first, OneRow* last, const X& x, Field field) noexcept {
    S at[Work::kRank];
#pragma GCC unroll 8
    for (int k = 0; k < Rank; ++k) at[k] = x[static_cast<std::size_t>(k)];
    for (OneRow* r = first; r != last; ++r) {
      S sum = r->y[0] * at[0];
#pragma GCC unroll 8
      for (int k = 1; k < Rank; ++k) sum += r->y[k] * at[k];
      if (field == Field::velocity)
        r->velocity = sum + r->bias;
      else
        r->turn = sum;
    }
  }
  template <class X>
  [[gnu::always_inline]] static void add_dense_impulses(const OneRow* first, const OneRow* last, X& to) noexcept {
    S sum[Work::kRank];
#pragma GCC unroll 8
    for (int k = 0; k < Rank; ++k) sum[k] = to[static_cast<std::size_t>(k)];
    for (const OneRow* r = first; r != last; ++r) {
      const S x = r->impulse;
#pragma GCC unroll 8
      for (int k = 0; k < Rank; ++k) sum[k] += x * r->y[k];
    }
#pragma GCC unroll 8
    for (int k = 0; k < Rank; ++k) to[static_cast<std::size_t>(k)] = sum[k];
  }

  template <class X>
  void add_products(const X& x, Field field) noexcept {
    for_each_run([&](OneRow* first, OneRow* last) {
      if constexpr (kIsSmall) return add_dense_products(first, last, x, field);
      const Support<Rank>& support = *first->support;
      S at[OneRow::kEntries];
      const int count = support.count;
      for (int k = 0; k < count; ++k) at[k] = x[static_cast<std::size_t>(support.place[static_cast<std::size_t>(k)])];
      for (int k = count; k % 3 != 0; ++k) at[k] = S(0);
      for (OneRow* r = first; r != last; ++r) {
        S sum = S(0);
        for (int k = 0; k < count; k += 3) sum += r->y[k] * at[k] + r->y[k + 1] * at[k + 1] + r->y[k + 2] * at[k + 2];
        if (field == Field::velocity)
          r->velocity = sum + r->bias;
        else
          r->turn = sum;
      }
    });
  }
  // to += Yᵀ (impulses)
  template <class X>
  void add_impulses(X& to) noexcept {
    for_each_run([&](OneRow* first, OneRow* last) {
      if constexpr (kIsSmall) return add_dense_impulses(first, last, to);
      const Support<Rank>& support = *first->support;
      const int count = support.count;
      for (int k = 0; k < count; k += 3) {
        S sum0 = S(0);
        S sum1 = S(0);
        S sum2 = S(0);
        for (const OneRow* r = first; r != last; ++r) {
          const S x = r->impulse;
          sum0 += x * r->y[k], sum1 += x * r->y[k + 1], sum2 += x * r->y[k + 2];
        }
        const std::int16_t* const place = &support.place[static_cast<std::size_t>(k)];
        to[static_cast<std::size_t>(place[0])] += sum0;
        if (k + 1 < count) to[static_cast<std::size_t>(place[1])] += sum1;
        if (k + 2 < count) to[static_cast<std::size_t>(place[2])] += sum2;
      }
    });
  }

  // ---- the laws -----------------------------------------------------------------------------------------------------

  // Finds impulse and regime of a cone from its velocities.
  [[gnu::always_inline]] void apply_law(Cone<S>& c, OneRow* r, S vn, S v2, S v3) const noexcept {
    const S wn = -(vn + c.shift);
    const S xn = wn * r[0].stiffness;
    const S x2 = -v2 * r[1].stiffness;
    const S x3 = -v3 * r[1].stiffness;
    const S limit = c.friction * xn;
    if (xn > S(0) && x2 * x2 + x3 * x3 <= limit * limit) {
      c.regime = Regime::holds;
      c.slip = S(0);
      r[0].impulse = xn, r[1].impulse = x2, r[2].impulse = x3;
      return;
    }
    const S w = std::sqrt(v2 * v2 + v3 * v3);
    const S sliding = is_convex_ ? (wn + c.friction * w) * c.sliding_stiffness : xn;
    if (sliding > S(0)) {
      slide(c, r, sliding, v2, v3, w);
      return;
    }
    c.regime = Regime::open;
    c.slip = w;
    r[0].impulse = S(0), r[1].impulse = S(0), r[2].impulse = S(0);
  }
  // A sliding cone with this normal impulse.
  [[gnu::always_inline]] static void slide(Cone<S>& c, OneRow* r, S xn, S v2, S v3, S w) noexcept {
    const S inverse = w > S(0) ? S(1) / w : S(0);
    const S xt = c.friction * xn;
    c.regime = Regime::slides;
    c.direction[0] = -v2 * inverse, c.direction[1] = -v3 * inverse;
    c.curvature = xt * inverse;
    c.slip = w - xt * r[1].compliance;
    r[0].impulse = xn, r[1].impulse = xt * c.direction[0], r[2].impulse = xt * c.direction[1];
  }
  // A cone that holds, whatever its friction.
  static void hold(Cone<S>& c, OneRow* r) noexcept {
    c.regime = Regime::holds;
    c.slip = S(0);
    r[0].impulse = -r[0].velocity * r[0].stiffness;
    r[1].impulse = -r[1].velocity * r[1].stiffness;
    r[2].impulse = -r[2].velocity * r[1].stiffness;
  }
  [[gnu::always_inline]] static void apply_law(Line<S>& l, OneRow& r, S v) noexcept {
    const S x = -v * r.stiffness;
    l.regime = Regime::holds;
    r.impulse = x;
    if (l.bound == Bound::none) return;
    if (x < l.least) {
      l.regime = l.bound == Bound::push ? Regime::open : Regime::at_least;
      r.impulse = l.least;
    } else if (l.bound == Bound::box && x > l.most) {
      l.regime = Regime::at_most;
      r.impulse = l.most;
    }
  }
  void apply_laws() noexcept {
    for_each_cone([&](Cone<S>& c, OneRow* r) { apply_law(c, r, r[0].velocity, r[1].velocity, r[2].velocity); });
    for_each_line([](Line<S>& l, OneRow& r) { apply_law(l, r, r.velocity); });
  }

  // ---- the system ---------------------------------------------------------------------------------------------------

  // The entries of the system that can differ from zero.
  void find_envelope() noexcept {
    if constexpr (!kIsSmall) {
      if (has_envelope_) return;
      has_envelope_ = true;
      w_.system.start_envelope();
      for_each_run([&](OneRow* first, OneRow* /*last*/) { w_.system.widen_envelope(*first->support); });
    }
  }

  // Forms the system of the present regimes: rows that hold count with their stiffness; a sliding cone counts along its
  // normal (convex: along z = n + mu u) and, across its slip u, with the curvature of its law.
  void form_system() noexcept {
    find_envelope();
    is_formed_ = true;
    w_.system.start();
    constexpr int kAllTerms = 3 * MaxCones + MaxLines;
    constexpr int kMostTerms = std::min(12, kAllTerms);  // at once: they are on the stack
    const S* z[static_cast<std::size_t>(kMostTerms)];
    S weight[static_cast<std::size_t>(kMostTerms)];
    int terms = 0;
    const Support<Rank>* support = kIsSmall ? &kEveryCoordinate<Rank> : nullptr;
    const auto flush = [&] {
      if (terms > 0) w_.system.add(z, weight, terms, *support);
      terms = 0;
    };
    const auto add = [&](const OneRow& r, S stiffness) {
      const bool is_full = kMostTerms < kAllTerms && terms == kMostTerms;
      if (is_full || (!kIsSmall && r.support != support)) flush(), support = r.support;
      z[terms] = r.y;
      weight[terms++] = stiffness;
    };
    for_each_cone([&](Cone<S>& c, OneRow* r) {
      c.factored = c.regime;
      if (c.regime == Regime::holds) {
        add(r[0], r[0].stiffness), add(r[1], r[1].stiffness), add(r[2], r[1].stiffness);
      } else if (c.regime == Regime::slides) {
        if (!kIsSmall || is_convex_) add_sliding(c, r);
      }
    });
    for_each_line([&](Line<S>& l, OneRow& r) {
      l.factored = l.regime;
      if (l.regime == Regime::holds) add(r, r.stiffness);
    });
    flush();
  }
  void add_sliding(const Cone<S>& c, const OneRow* r) noexcept {
    S along[OneRow::kEntries];
    S across[OneRow::kEntries];
    const S u2 = c.direction[0];
    const S u3 = c.direction[1];
    const S mu = is_convex_ ? c.friction : S(0);
    for (int k = 0; k < (r->support->count + 2) / 3 * 3; ++k) {
      along[k] = r[0].y[k] + mu * (u2 * r[1].y[k] + u3 * r[2].y[k]);
      across[k] = u2 * r[2].y[k] - u3 * r[1].y[k];
    }
    const S* const z[2] = {along, across};
    const S weight[2] = {is_convex_ ? c.sliding_stiffness : r[0].stiffness, c.curvature};
    w_.system.add(z, weight, 2, *r->support);
  }

  // Factors the system that was formed. Friction that follows the normal impulse of sliding cones makes it H + U Vᵀ,
  // with the columns mu u . Y_t and the rows Y_n/R_n. False: it is singular.
  [[nodiscard]] bool factor_system() noexcept {
    w_.sliding = 0;
    if (kIsSmall && !is_convex_ && slides()) return factor_with_friction();
    w_.system.factor();
    return is_convex_ || correct_for_sliding();
  }
  // A small system is factored as a whole, with what the sliding cones add to it: (n + mu u . Y_t) nᵀ/R_n, and the
  // curvature across the slip.
  [[nodiscard]] bool factor_with_friction() noexcept {
    if constexpr (kIsSmall) {
      w_.sliding = 1;
      for (int i = 0; i < Rank; ++i) {
        const S* const row = w_.system.row(i);
        for (int j = 0; j < i; ++j) w_.general[i][j] = w_.general[j][i] = row[j];
        w_.general[i][i] = row[i];
      }
      for_each_cone([&](const Cone<S>& c, const OneRow* r) {
        if (c.factored != Regime::slides) return;
        const S u2 = c.direction[0];
        const S u3 = c.direction[1];
        S across[Work::kRank];
        S normal[Work::kRank];
#pragma GCC unroll 8
        for (int k = 0; k < Rank; ++k) {
          across[k] = u2 * r[2].y[k] - u3 * r[1].y[k];
          normal[k] = r[0].stiffness * r[0].y[k];
        }
        for (int i = 0; i < Rank; ++i) {
          const S z = r[0].y[i] + c.friction * (u2 * r[1].y[i] + u3 * r[2].y[i]);
          const S p = c.curvature * (u2 * r[2].y[i] - u3 * r[1].y[i]);
          S* const row = w_.general[i];
#pragma GCC unroll 8
          for (int j = 0; j < Rank; ++j) row[j] += z * normal[j] + p * across[j];
        }
      });
      return factor_small();
    } else {
      return false;
    }
  }
  // factor_general() and solve_general() of math/lu.hpp with loops of fixed lengths, which are unrolled.
  [[nodiscard]] bool factor_small() noexcept {
    auto& a = w_.general;
#pragma GCC unroll 8
    for (int k = 0; k < Rank; ++k) {
      int pivot = k;
      S largest = std::abs(a[k][k]);
#pragma GCC unroll 8
      for (int i = k + 1; i < Rank; ++i) {
        const S size = std::abs(a[i][k]);
        if (size > largest) largest = size, pivot = i;
      }
      w_.exchanged[k] = pivot;
      if (!(largest > S(0))) return false;
      S* const from = a[pivot];
      S row[Work::kGeneral];
      if (pivot != k) {
        for (int j = 0; j < Rank; ++j) std::swap(a[k][j], from[j]);
      }
#pragma GCC unroll 8
      for (int j = k; j < Rank; ++j) row[j] = a[k][j];
      const S inverse = S(1) / row[k];
      w_.inverse_diagonal[k] = inverse;
      for (int i = k + 1; i < Rank; ++i) {
        S* const below = a[i];
        const S factor = below[k] * inverse;
        below[k] = factor;
#pragma GCC unroll 8
        for (int j = k + 1; j < Rank; ++j) below[j] -= factor * row[j];
      }
    }
    return true;
  }
  void solve_small(std::array<S, Work::kRank>& x) const noexcept {
    const auto& a = w_.general;
    S* const in = x.data();
    for (int k = 0; k < Rank; ++k) std::swap(in[k], in[w_.exchanged[k]]);
    S y[Work::kRank];
#pragma GCC unroll 8
    for (int i = 0; i < Rank; ++i) {
      y[i] = in[i];
#pragma GCC unroll 8
      for (int k = 0; k < i; ++k) y[i] -= a[i][k] * y[k];
    }
#pragma GCC unroll 8
    for (int i = Rank - 1; i >= 0; --i) {
#pragma GCC unroll 8
      for (int k = i + 1; k < Rank; ++k) y[i] -= a[i][k] * y[k];
      y[i] *= w_.inverse_diagonal[i];
    }
#pragma GCC unroll 8
    for (int i = 0; i < Rank; ++i) in[i] = y[i];
  }
  // A large system is corrected by a column for each sliding cone (Woodbury).
  [[nodiscard]] bool correct_for_sliding() noexcept {
    if constexpr (kIsSmall) {
      return true;
    } else {
      for (int i = 0; i < rows_.cones; ++i) {
        const Cone<S>& c = rows_.cone[static_cast<std::size_t>(i)];
        if (c.factored != Regime::slides) continue;
        const OneRow* const r = rows_.rows_of_cone(i);
        auto& response = w_.response[static_cast<std::size_t>(w_.sliding)];
        response.fill(S(0));
        const S u2 = c.friction * c.direction[0];
        const S u3 = c.friction * c.direction[1];
        for (int k = 0; k < r->support->count; ++k)
          response[static_cast<std::size_t>(r->support->place[static_cast<std::size_t>(k)])] =
              u2 * r[1].y[k] + u3 * r[2].y[k];
        w_.system.solve(response);
        w_.cone[static_cast<std::size_t>(w_.sliding++)] = static_cast<std::int16_t>(i);
      }
      for (int i = 0; i < w_.sliding; ++i)
        for (int j = 0; j < w_.sliding; ++j)
          w_.general[i][j] = S(i == j ? 1 : 0) + along_normal(i, w_.response[static_cast<std::size_t>(j)]);
      return w_.sliding == 0 || factor_general(w_.general, w_.sliding, w_.inverse_diagonal, w_.exchanged);
    }
  }
  // Normal impulse that a change of the coordinates takes from sliding cone i.
  template <class X>
  [[nodiscard]] S along_normal(int i, const X& x) noexcept {
    const OneRow& r = rows_.rows_of_cone(w_.cone[static_cast<std::size_t>(i)])[0];
    S sum = S(0);
    for (int k = 0; k < r.support->count; ++k)
      sum += r.y[k] * x[static_cast<std::size_t>(r.support->place[static_cast<std::size_t>(k)])];
    return sum * r.stiffness;
  }
  // Solves the system for the right-hand side in `x`.
  void solve_system(std::array<S, Work::kRank>& x) noexcept {
    if constexpr (kIsSmall) {
      if (w_.sliding == 0) return w_.system.solve(x);
      solve_small(x);
    } else {
      w_.system.solve(x);
      if (w_.sliding == 0) return;
      S normal[Work::kCones];
      for (int i = 0; i < w_.sliding; ++i) normal[i] = along_normal(i, x);
      solve_general(w_.general, w_.sliding, w_.inverse_diagonal, w_.exchanged, normal);
      for (int i = 0; i < w_.sliding; ++i)
        for (std::size_t k = 0; k < Work::kRank; ++k) x[k] -= normal[i] * w_.response[static_cast<std::size_t>(i)][k];
    }
  }

  // A line by itself, s = y x: its law in closed form.
  [[nodiscard]] Status solve_line(SolverEffort& effort) noexcept {
    Line<S>& l = rows_.line[0];
    OneRow& r = rows_.row_of_line(0);
    const S alone = r.stiffness > S(0) ? -r.bias / (r.mobility + r.compliance) : S(0);
    r.impulse = alone;
    l.regime = Regime::holds;
    if (l.bound != Bound::none && alone < l.least) {
      r.impulse = l.least;
      l.regime = l.bound == Bound::push ? Regime::open : Regime::at_least;
    } else if (l.bound == Bound::box && alone > l.most) {
      r.impulse = l.most;
      l.regime = Regime::at_most;
    }
    rows_.change.fill(S(0));
    add_impulses(rows_.change);
    r.velocity = r.bias + r.mobility * r.impulse;
    ++effort.systems, ++effort.steps;
    return Status::ok;
  }

  // ---- the start ----------------------------------------------------------------------------------------------------

  // A contact that stuck in the last step, and moves now faster than its friction could stop, was kicked: it starts
  // sliding. (If it started sticking, the first system would stop it, and load its normal.)
  [[nodiscard]] static S stoppable(const Cone<S>& c, const OneRow* r) noexcept {
    const S mobility = S(0.5) * (r[1].mobility + r[2].mobility);
    return c.friction * r[0].impulse * (r[1].compliance + mobility) + Tolerance<S>::kSettledSlip;
  }
  [[nodiscard]] bool nothing_slid() noexcept {
    bool affine = true;
    for_each_cone([&](const Cone<S>& c, const OneRow* r) {
      const bool rests = c.regime == Regime::open || (c.regime == Regime::holds && c.speed <= stoppable(c, r));
      affine = affine && c.is_known && rests;
    });
    return affine;
  }

  // Solves with the regimes of the last step, where all laws are affine. True: they are those of the solution too.
  [[nodiscard]] bool solve_affine() noexcept {
    ++systems_, ++steps_;
    for_each_line([](Line<S>& l, OneRow& r) {
      if (!l.is_known) apply_law(l, r, r.bias);
      if (l.regime == Regime::open) r.impulse = S(0);
      if (l.regime == Regime::at_least) r.impulse = l.least;
      if (l.regime == Regime::at_most) r.impulse = l.most;
    });
    if constexpr (!kIsSmall) {
      LimbSolution<S, Rank, MaxCones, MaxLines> limbs{rows_, w_.system.entries};
      if (limbs.find()) {
        limbs.solve();
        const bool is_exact = keeps_regimes();
        is_refined_ = is_exact && limbs.are_refined();
        if (!is_refined_) spread_packs(rows_);
        return is_exact;
      }
      spread_packs(rows_);
    }
    for_each_cone([](Cone<S>& c, OneRow* r) {
      c.shift = S(0);
      const bool holds = c.regime == Regime::holds;
      r[0].impulse = holds ? -r[0].bias * r[0].stiffness : S(0);
      r[1].impulse = holds ? -r[1].bias * r[1].stiffness : S(0);
      r[2].impulse = holds ? -r[2].bias * r[1].stiffness : S(0);
    });
    for_each_line([](Line<S>& l, OneRow& r) {
      if (l.regime == Regime::holds) r.impulse = -r.bias * r.stiffness;
    });
    rows_.change.fill(S(0));
    add_impulses(rows_.change);
    form_system();
    w_.system.factor();
    w_.sliding = 0;
    w_.system.solve(rows_.change);
    add_products(rows_.change, Field::velocity);
    apply_laws();
    return is_as_factored() && !slides();
  }

  // Whether the laws give the regimes with which the impulses and the change were found; the velocities of rows that
  // hold are known. If not, all laws are applied to the velocities.
  [[nodiscard]] bool keeps_regimes() noexcept {
    bool same = true;
    for_each_cone([&](Cone<S>& c, OneRow* r) {
      c.shift = S(0);
      c.slip = S(0);
      c.factored = c.regime;
      if (c.regime == Regime::holds) {
        const S limit = c.friction * r[0].impulse;
        same =
            same && r[0].impulse > S(0) && r[1].impulse * r[1].impulse + r[2].impulse * r[2].impulse <= limit * limit;
        return;
      }
      if (c.storage == Storage::spread)
        for (int axis = 0; axis < 3; ++axis) find_velocity(r[axis]);
      apply_law(c, r, r[0].velocity, r[1].velocity, r[2].velocity);
      same = same && c.regime == c.factored;
    });
    for_each_line([&](Line<S>& l, OneRow& r) {
      l.factored = l.regime;
      if (l.regime == Regime::holds) {
        same =
            same && (l.bound == Bound::none || r.impulse >= l.least) && (l.bound != Bound::box || r.impulse <= l.most);
        return;
      }
      find_velocity(r);
      apply_law(l, r, r.velocity);
      same = same && l.regime == l.factored;
    });
    if (!same) apply_laws();
    return same;
  }
  void find_velocity(OneRow& r) noexcept {
    S sum = r.bias;
    for (int k = 0; k < r.support->count; ++k)
      sum += r.y[k] * rows_.change[static_cast<std::size_t>(r.support->place[static_cast<std::size_t>(k)])];
    r.velocity = sum;
  }

  // Starts from the impulses of the last step: they give the velocities, and the last regimes the first system.
  void predict() noexcept {
    rows_.change.fill(S(0));
    add_impulses(rows_.change);
    add_products(rows_.change, Field::velocity);
    for_each_cone([&](Cone<S>& c, OneRow* r) { predict_cone(c, r); });
    for_each_line([](Line<S>& l, OneRow& r) {
      const Regime last = l.regime;
      apply_law(l, r, r.velocity);
      if (l.is_known && last == Regime::holds) l.regime = last, r.impulse = -r.velocity * r.stiffness;
    });
    is_predicted_ = true;
  }
  void predict_cone(Cone<S>& c, OneRow* r) const noexcept {
    const S last_normal = r[0].impulse;
    const S v2 = r[1].velocity;
    const S v3 = r[2].velocity;
    const S w = std::sqrt(v2 * v2 + v3 * v3);
    c.shift = S(0);
    if (!c.is_known) {
      apply_law(c, r, r[0].velocity, v2, v3);
      // An impact at this point alone would have this normal impulse.
      const S normal = -r[0].velocity / (r[0].mobility + r[0].compliance);
      const S stops = c.friction * normal * (r[1].compliance + S(0.5) * (r[1].mobility + r[2].mobility));
      if (c.regime != Regime::open && w > stops) {
        slide(c, r, r[0].impulse, v2, v3, w);
        c.curvature = c.friction * normal / w;
      }
      return;
    }
    const bool is_kicked = c.regime == Regime::holds && w > stoppable(c, r);
    if (c.regime == Regime::open || !(w > S(0))) {
      apply_law(c, r, r[0].velocity, v2, v3);
    } else if (c.regime == Regime::holds && !is_kicked) {
      hold(c, r);
    } else {
      slide(c, r, -r[0].velocity * r[0].stiffness, v2, v3, w);
      c.curvature = c.friction * last_normal / w;
    }
  }

  // ---- Newton's method ----------------------------------------------------------------------------------------------

  // gradient = s - Yᵀ x; returns its square, and in `size` that of what it is the difference of.
  [[nodiscard]] S find_gradient(S& size) noexcept {
    w_.gradient.fill(S(0));
    add_impulses(w_.gradient);
    S square = S(0);
    size = S(0);
    for (int k = 0; k < Rank; ++k) {
      const S s = rows_.change[static_cast<std::size_t>(k)];
      S& g = w_.gradient[static_cast<std::size_t>(k)];
      size += s * s + g * g;
      g = s - g;
      square += g * g;
    }
    return square;
  }

  [[nodiscard]] bool is_as_factored() noexcept {
    bool same = true;
    for_each_cone([&](const Cone<S>& c, const OneRow* /*r*/) { same = same && c.regime == c.factored; });
    for_each_line([&](const Line<S>& l, const OneRow& /*r*/) { same = same && l.regime == l.factored; });
    return same;
  }
  [[nodiscard]] bool slides() noexcept {
    bool any = false;
    for_each_cone([&](const Cone<S>& c, const OneRow* /*r*/) { any = any || c.regime == Regime::slides; });
    return any;
  }

  // Brings the shifts to mu times the slips (method 16.3). True: they fitted.
  bool settle_shifts() noexcept {
    bool fits = true;
    for_each_cone([&](Cone<S>& c, OneRow* r) {
      const S wanted = c.regime == Regime::holds ? S(0) : c.friction * c.slip;
      const S square = c.friction * c.friction;
      if (c.regime == Regime::open) {
        if (!(c.shift > S(0)) || !(-r[0].velocity > Tolerance<S>::kSettledSlip)) return;  // it is open in any case
        c.shift = wanted / (S(1) + square);
        fits = false;
      } else {
        const S off = wanted - c.shift;
        if (!(std::abs(off) > Tolerance<S>::kSettledShift * wanted + Tolerance<S>::kSettledSlip)) return;
        // Where the slip follows the shift further than that goes, the solution is far away, and steps to it double.
        S gain = std::min(S(2), S(1) + square);
        if (std::abs(c.moved) > S(0) && !(c.moved * (c.off - off) > S(0)))
          gain = std::min(S(2) * c.moved / c.off, kMostGain);
        const S to = std::max(c.shift + gain * off, S(0));
        c.off = off;
        c.moved = to - c.shift;
        c.shift = to;
        fits = false;
      }
    });
    if (!fits) apply_laws();
    return fits;
  }

  // Derivative of the functional along the direction at length a, and its second derivative; laws are left there.
  [[nodiscard]] S slope(S a, S along_change, S square, S& second) noexcept {
    S first = along_change + a * square;
    second = square;
    for_each_cone([&](Cone<S>& c, OneRow* r) {
      const S en = r[0].turn;
      const S e2 = r[1].turn;
      const S e3 = r[2].turn;
      apply_law(c, r, r[0].velocity + a * en, r[1].velocity + a * e2, r[2].velocity + a * e3);
      if (c.regime == Regime::open) return;
      first -= r[0].impulse * en + r[1].impulse * e2 + r[2].impulse * e3;
      if (c.regime == Regime::holds) {
        second += r[0].stiffness * en * en + r[1].stiffness * (e2 * e2 + e3 * e3);
      } else {
        const S along = en + c.friction * (c.direction[0] * e2 + c.direction[1] * e3);
        const S across = c.direction[0] * e3 - c.direction[1] * e2;
        second += c.sliding_stiffness * along * along + c.curvature * across * across;
      }
    });
    for_each_line([&](Line<S>& l, OneRow& r) {
      apply_law(l, r, r.velocity + a * r.turn);
      first -= r.impulse * r.turn;
      if (l.regime == Regime::holds) second += r.stiffness * r.turn * r.turn;
    });
    return first;
  }

  // The length of the step along the direction: 1, or where the derivative is small against that at its beginning.
  [[nodiscard]] S search(S at_start, S along_change, S square, S first, S second) noexcept {
    // Bisection, where Newton oversteps: dry friction turns around within 1e-8 of the step in double (kStickingJoint).
    constexpr int kMostTries = 32;
    S a = S(1);
    S low = S(0);
    S high = S(-1);
    for (int i = 0; i < kMostTries; ++i) {
      (first > S(0) ? high : low) = a;
      S next = a - first / second;
      if (high > S(0) && !(next > low && next < high)) next = S(0.5) * (low + high);
      if (high < S(0)) next = std::min(next, S(4) * a);
      a = next;
      first = slope(a, along_change, square, second);
      if (std::abs(first) <= S(0.1) * at_start) break;
    }
    return a;
  }

  // What rounding of the velocities leaves of the gradient, squared: rows that hold turn it into impulses.
  [[nodiscard]] S rounding() noexcept {
    S sum = S(0);
    const auto add = [&](const OneRow& r) {
      const S one = Tolerance<S>::kVelocityRounding * r.bias * r.stiffness;
      sum += one * one * r.mobility;
    };
    for_each_cone([&](const Cone<S>& c, const OneRow* r) {
      if (c.regime != Regime::open) add(r[0]), add(r[1]), add(r[2]);
    });
    for_each_line([&](const Line<S>& l, const OneRow& r) {
      if (l.regime == Regime::holds) add(r);
    });
    return sum;
  }

  // Goes along the direction.
  void move(S a) noexcept {
    for (std::size_t k = 0; k < Work::kRank; ++k) rows_.change[k] += a * w_.direction[k];
    for (int i = 0; i < rows_.count(); ++i) {
      OneRow& r = rows_.row[static_cast<std::size_t>(i)];
      r.velocity += a * r.turn;
    }
  }

  // Friction that a step turned around passed through holding on the way: the next system takes it to hold, because
  // along its new direction the step would only turn it around again. Strong friction can have several solutions, of
  // which the one that holds is a jam: it is left to itself. True: there was such friction.
  [[nodiscard]] bool hold_what_turned() noexcept {
    bool any = false;
    for_each_cone([&](Cone<S>& c, OneRow* r) {
      if (c.regime != Regime::slides || c.factored != Regime::slides || c.friction > S(1)) return;
      const S v2 = r[1].velocity;
      const S v3 = r[2].velocity;
      if (!(v2 * (v2 - r[1].turn) + v3 * (v3 - r[2].turn) < S(0))) return;
      hold(c, r);
      any = true;
    });
    for_each_line([&](Line<S>& l, OneRow& r) {
      const bool turned = (l.regime == Regime::at_least && l.factored == Regime::at_most) ||
                          (l.regime == Regime::at_most && l.factored == Regime::at_least);
      if (!turned) return;
      l.regime = Regime::holds;
      r.impulse = -r.velocity * r.stiffness;
      any = true;
    });
    return any;
  }

  // Goes over to the convex law, from where the iteration is.
  void become_convex() noexcept {
    is_convex_ = true;
    convex_from_ = systems_;
    for_each_cone([](Cone<S>& c, OneRow* /*r*/) {
      c.shift = c.regime == Regime::holds ? S(0) : c.friction * std::max(c.slip, S(0));
      c.off = c.moved = S(0);
    });
    apply_laws();
  }

  [[nodiscard]] Status iterate(SolverEffort& effort) noexcept {
    S last = S(-1);   // the squared gradient before the last step, if that was a whole one
    S least = S(-1);  // the least squared gradient so far
    int rises = 0;    // steps of Coulomb's law that brought nothing
    int holdings = 0;
    // Each pass is a step, but the one that finds Coulomb's system singular, and the last one.
    S size;
    S square;
    bool has_gradient = false;
    for (int pass = 0; pass < kMostSteps + 2; ++pass) {
      if (!has_gradient) square = find_gradient(size);
      has_gradient = false;
      constexpr S kTolerance = Tolerance<S>::kNewton;
      const S small = kTolerance * kTolerance * size;
      if (!is_predicted_ && (!(square > small) || !(square > small + rounding())))
        return finish_at(square, size, effort);
      if (steps_ == kMostSteps) return finish(false, effort);
      if (!is_convex_ && !is_predicted_) {
        rises += least > S(0) && !(square < least) ? 1 : 0;
        least = least > S(0) ? std::min(least, square) : square;
        if (rises > 2 || systems_ >= kCoulombSystems) {
          become_convex();
          last = S(-1);
          square = find_gradient(size);
        }
      }
      // A system is kept while the regimes stay and the gradient falls sixteenfold.
      if (!(last > S(0) && S(16) * square < last && is_as_factored())) {
        if (systems_ == kMostSystems) return finish(false, effort);
        form_system();
        ++systems_;
        if (!factor_system()) {
          become_convex();
          last = S(-1);
          is_predicted_ = false;
          continue;
        }
      }
      ++steps_;
      for (std::size_t k = 0; k < Work::kRank; ++k) w_.direction[k] = -w_.gradient[k];
      const bool was_sliding = slides();
      solve_system(w_.direction);
      add_products(w_.direction, Field::turn);
      S a = S(1);
      bool is_exact = false;
      if (is_convex_) {
        S along_change = S(0);
        S length = S(0);
        S at_start = S(0);
        for (std::size_t k = 0; k < Work::kRank; ++k) {
          along_change += rows_.change[k] * w_.direction[k];
          length += w_.direction[k] * w_.direction[k];
          at_start -= w_.gradient[k] * w_.direction[k];
        }
        S second;
        const S first = slope(S(1), along_change, length, second);
        is_exact = !was_sliding && is_as_factored();
        if (!is_exact && std::abs(first) > S(0.25) * at_start)
          a = search(at_start, along_change, length, first, second);
      }
      move(a);
      if (!is_convex_) {
        apply_laws();
        is_exact = !was_sliding && is_as_factored();
        if (!is_exact && holdings < kMostHoldings && hold_what_turned()) {
          ++holdings;
          is_predicted_ = true;
          last = S(-1);
          continue;
        }
        // A step after which the gradient is larger is halved, as long as that helps.
        constexpr int kMostHalvings = 3;
        const S before = square;
        for (int i = 0; i < kMostHalvings && !is_exact && !is_predicted_; ++i) {
          square = find_gradient(size);
          has_gradient = square < before;
          if (has_gradient) break;
          a *= S(0.5);
          move(-a);
          apply_laws();
        }
        last = a < S(1) || is_predicted_ ? S(-1) : before;
      } else {
        last = a < S(1) || a > S(1) ? S(-1) : square;
      }
      is_predicted_ = false;
      const bool fits = !is_convex_ || systems_ >= convex_from_ + kShiftSystems || settle_shifts();
      is_exact_ = fits && is_exact;
      if (is_exact_) return finish(true, effort);
    }
    return finish(false, effort);
  }

  // A row that is hardly compliant turns the rounding of its velocity into an impulse, a thousand times larger, and a
  // gradient that is small enough is not zero. One more step of the solution changes the impulses by its own small
  // velocities; then s = Yᵀ x holds exactly, and so does the balance of momentum.
  void refine() noexcept {
    bool is_worth_it = !is_exact_ || slides();
    for_each_line(
        [&](const Line<S>& l, const OneRow& /*r*/) { is_worth_it = is_worth_it || l.regime == Regime::holds; });
    for_each_cone([&](const Cone<S>& c, const OneRow* r) {
      is_worth_it =
          is_worth_it || (c.regime != Regime::open && r[0].compliance < Tolerance<S>::kHardlyCompliant * r[0].mobility);
    });
    if (!is_worth_it) return;
    S size;
    (void)find_gradient(size);
    if (!is_formed_ || !is_as_factored()) {
      form_system();
      if (!factor_system()) return;
    }
    for (std::size_t k = 0; k < Work::kRank; ++k) w_.direction[k] = -w_.gradient[k];
    solve_system(w_.direction);
    // Where friction slides the step is no longer linear: a correction that is not small, and more than rounding,
    // corrects nothing.
    S length = S(0);
    for (const S x : w_.direction) length += x * x;
    constexpr S kSmall = S(10) * Tolerance<S>::kNewton;
    if (slides() && !(length <= kSmall * kSmall * size + rounding())) return;
    add_products(w_.direction, Field::turn);
    for_each_cone([&](const Cone<S>& c, OneRow* r) {
      if (c.regime == Regime::open) return;
      if (c.regime == Regime::holds) {
        r[0].impulse = std::max(r[0].impulse - r[0].stiffness * r[0].turn, S(0));
        r[1].impulse -= r[1].stiffness * r[1].turn;
        r[2].impulse -= r[1].stiffness * r[2].turn;
      } else {
        const S along = c.friction * (c.direction[0] * r[1].turn + c.direction[1] * r[2].turn);
        const S more = is_convex_ ? c.sliding_stiffness * (r[0].turn + along) : r[0].stiffness * r[0].turn;
        r[0].impulse = std::max(r[0].impulse - more, S(0));
        const S xt = c.friction * r[0].impulse;
        const S across = c.curvature * (c.direction[0] * r[2].turn - c.direction[1] * r[1].turn);
        const S x2 = xt * c.direction[0] + across * c.direction[1];
        const S x3 = xt * c.direction[1] - across * c.direction[0];
        const S turned = std::sqrt(x2 * x2 + x3 * x3);
        const S scale = turned > S(0) ? xt / turned : S(0);  // the correction turns friction
        r[1].impulse = scale * x2, r[2].impulse = scale * x3;
      }
    });
    for_each_line([](const Line<S>& l, OneRow& r) {
      r.velocity += r.turn;
      if (l.regime != Regime::holds) return;
      r.impulse -= r.stiffness * r.turn;
      if (l.bound != Bound::none) r.impulse = std::max(r.impulse, l.least);
      if (l.bound == Bound::box) r.impulse = std::min(r.impulse, l.most);
    });
    rows_.change.fill(S(0));
    add_impulses(rows_.change);
  }

  // Converged, with a gradient that was just found: what it leaves to refine is nothing if it is rounding already.
  [[nodiscard]] Status finish_at(S square, S size, SolverEffort& effort) noexcept {
    is_refined_ = square <= Tolerance<S>::kRefined * Tolerance<S>::kRefined * size;
    return finish(true, effort);
  }
  // Not converged: the impulses are scaled to the best point on their ray, s = a Yᵀ x.
  [[nodiscard]] Status finish(bool has_converged, SolverEffort& effort) noexcept {
    effort.systems += systems_;
    effort.steps += steps_;
    if (has_converged) {
      if (!is_refined_) refine();
      if (!is_convex_) {  // the shifts with which the convex law has this solution too
        for_each_cone([](Cone<S>& c, OneRow* /*r*/) {
          c.shift = c.regime == Regime::holds ? S(0) : c.friction * std::max(c.slip, S(0));
        });
      }
      return Status::ok;
    }
    is_convex_ = true;
    apply_laws();
    rows_.change.fill(S(0));
    add_impulses(rows_.change);
    S gain = S(0);
    S cost = S(0);
    for (int i = 0; i < rows_.count(); ++i) {
      const OneRow& r = rows_.row[static_cast<std::size_t>(i)];
      gain -= r.impulse * r.bias;
      cost += r.impulse * r.compliance * r.impulse;
    }
    for (const S s : rows_.change) cost += s * s;
    const S scale = cost > S(0) ? std::min(std::max(gain / cost, S(0)), S(1)) : S(0);
    for (int i = 0; i < rows_.count(); ++i) rows_.row[static_cast<std::size_t>(i)].impulse *= scale;
    for (S& s : rows_.change) s *= scale;
    add_products(rows_.change, Field::velocity);
    return Status::iterations_exhausted;
  }

  AllRows& rows_;
  NewtonWork<S, Rank, MaxCones>& w_;
  int systems_{0};
  int steps_{0};
  bool is_predicted_{false};
  bool is_exact_{false};  // the regimes are those of the system, and nothing slides: the laws are affine
  bool is_convex_{false};
  bool is_refined_{false};
  bool is_formed_{false};  // the system is that of the regimes `factored`
  bool has_envelope_{false};
  int convex_from_{0};  // number of systems before the convex law took over
};

}  // namespace detail

// Finds the impulses of all rows, and the change of the coordinates.
template <class S, int Rank, int MaxCones, int MaxLines>
[[nodiscard]] inline Status solve_rows(Rows<S, Rank, MaxCones, MaxLines>& rows, NewtonWork<S, Rank, MaxCones>& work,
                                       SolverEffort& effort) noexcept {
  return detail::NewtonSolver<S, Rank, MaxCones, MaxLines>(rows, work).start(effort);
}
// Solves again after limits or biases changed, from the solution that is there.
template <class S, int Rank, int MaxCones, int MaxLines>
[[nodiscard]] inline Status resume_rows(Rows<S, Rank, MaxCones, MaxLines>& rows, NewtonWork<S, Rank, MaxCones>& work,
                                        SolverEffort& effort) noexcept {
  return detail::NewtonSolver<S, Rank, MaxCones, MaxLines>(rows, work).resume(effort);
}

}  // namespace kinecast
