// SPDX-License-Identifier: MIT
// Linear complementarity problems for oracle.lcps, and their truth: every complementary basis, one after the other. Kinds as in the
// golden file:
//
//   0 positive definite   1 semidefinite, more rows than rank (a plate on many points)   2 degenerate: w_i = z_i = 0 for some i
//   3 duplicated rows     4 not symmetric, M + Mᵀ positive definite                      5 semidefinite, mostly without solution
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/standard_random.hpp"

namespace lcps {

inline constexpr int kMost = 8;
inline constexpr int kKinds = 6;
inline constexpr const char* kKindName[kKinds] = {"definite",   "hyperstatic", "degenerate",
                                                  "duplicated", "not sym.",    "infeasible"};

// Sums in more digits.
inline long double wide(double value) { return static_cast<long double>(value); }
inline long double wide(float value) { return static_cast<long double>(value); }

struct Problem {
  int kind{};
  int size{};
  double M[kMost][kMost]{};
  double q[kMost]{};
};

// ---- the truth ----------------------------------------------------------------------------------------------------------

// The rows' units, and the largest q in them.
struct Units {
  double row[kMost]{};
  double q{};
};

inline Units units_of(const Problem& p) {
  Units units;
  double largest = 0;
  for (int i = 0; i < p.size; ++i) largest = std::max(largest, p.M[i][i]);
  for (int i = 0; i < p.size; ++i) {
    units.row[i] = 1 / std::sqrt(p.M[i][i] > 0 ? p.M[i][i] : largest > 0 ? largest : 1);
    units.q = std::max(units.q, std::abs(p.q[i]) * units.row[i]);
  }
  if (!(units.q > 0)) units.q = 1;
  return units;
}

struct Truth {
  double lack{std::numeric_limits<double>::infinity()};  // of the best basis
  double z[kMost]{};
  double w[kMost]{};
};

// M_BB z_B = -q_B by elimination with complete pivoting, in the rows' units. False if it is singular.
inline bool solve_basis(const Problem& p, const Units& units, unsigned basis, double* z) {
  int index[kMost];
  int n = 0;
  for (int i = 0; i < p.size; ++i)
    if ((basis >> static_cast<unsigned>(i) & 1U) != 0) index[n++] = i;
  long double a[kMost][kMost + 1];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      a[i][j] = wide(p.M[index[i]][index[j]]) * wide(units.row[index[i]] * units.row[index[j]]);
    a[i][n] = -wide(p.q[index[i]]) * wide(units.row[index[i]]);
  }
  int column[kMost];
  for (int i = 0; i < n; ++i) column[i] = i;
  for (int k = 0; k < n; ++k) {
    int row = k;
    int best = k;
    for (int i = k; i < n; ++i)
      for (int j = k; j < n; ++j)
        if (std::abs(a[i][j]) > std::abs(a[row][best])) row = i, best = j;
    if (!(std::abs(a[row][best]) > 1e-10L)) return false;  // what double data leave of a dependent row
    for (int j = 0; j <= n; ++j) std::swap(a[k][j], a[row][j]);
    for (int i = 0; i < n; ++i) std::swap(a[i][k], a[i][best]);
    std::swap(column[k], column[best]);
    for (int i = k + 1; i < n; ++i) {
      const long double factor = a[i][k] / a[k][k];
      for (int j = k; j <= n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  for (int i = 0; i < p.size; ++i) z[i] = 0;
  for (int k = n - 1; k >= 0; --k) {
    long double value = a[k][n];
    for (int j = k + 1; j < n; ++j) value -= a[k][j] * a[j][n];
    a[k][n] = value / a[k][k];
    z[index[column[k]]] = static_cast<double>(a[k][n]) * units.row[index[column[k]]];
  }
  return true;
}

inline Truth enumerate(const Problem& p, const Units& units) {
  Truth truth;
  for (unsigned basis = 0; basis < 1U << static_cast<unsigned>(p.size); ++basis) {
    double z[kMost];
    if (!solve_basis(p, units, basis, z)) continue;
    double w[kMost];
    double lack = 0;
    for (int i = 0; i < p.size; ++i) {
      long double sum = wide(p.q[i]);
      for (int j = 0; j < p.size; ++j) sum += wide(p.M[i][j]) * wide(z[j]);
      w[i] = static_cast<double>(sum);
      lack = std::max({lack, -z[i] / units.row[i], -w[i] * units.row[i]});
    }
    lack /= units.q;
    if (lack < truth.lack) {
      truth.lack = lack;
      std::copy_n(z, p.size, truth.z);
      std::copy_n(w, p.size, truth.w);
    }
  }
  return truth;
}

// ---- problems -----------------------------------------------------------------------------------------------------------

using Random = support::StandardRandom<std::mt19937>;

// M = G Gᵀ
inline void set_product(Problem& p, int rank, const double G[kMost][kMost]) {
  for (int i = 0; i < p.size; ++i) {
    for (int j = 0; j < p.size; ++j) {
      p.M[i][j] = 0;
      for (int k = 0; k < rank; ++k) p.M[i][j] += G[i][k] * G[j][k];
    }
  }
}

// The same of random rows with so many columns: integers, which float has exactly and which tie, or any numbers.
inline void set_gram(Random& random, Problem& p, int rank, bool is_rough, double G[kMost][kMost]) {
  for (int i = 0; i < p.size; ++i)
    for (int k = 0; k < rank; ++k) G[i][k] = is_rough ? random.below(7) - 3 : random.within(1);
  set_product(p, rank, G);
}

inline void add_skew(Random& random, Problem& p, bool is_rough) {
  for (int i = 0; i < p.size; ++i) {
    for (int j = 0; j < i; ++j) {
      const double turn = is_rough ? random.below(5) - 2 : random.within(1);
      p.M[i][j] += turn;
      p.M[j][i] -= turn;
    }
  }
}

// q = G v, so that there is a solution.
inline void set_within_reach(Random& random, Problem& p, int rank, bool is_rough, const double G[kMost][kMost]) {
  double v[kMost];
  for (double& value : v) value = is_rough ? random.below(5) - 2 : random.within(1);
  for (int i = 0; i < p.size; ++i) {
    p.q[i] = 0;
    for (int k = 0; k < rank; ++k) p.q[i] += G[i][k] * v[k];
  }
}

// q = w - M z with w and z complementary, and both 0 for some i.
inline void set_degenerate(Random& random, Problem& p, bool is_rough) {
  double w[kMost];
  double z[kMost];
  for (int i = 0; i < p.size; ++i) {
    const double value = is_rough ? 1 + random.below(4) : random.between(0.1, 2);
    const int which = random.below(3);
    w[i] = which == 0 ? value : 0;
    z[i] = which == 1 ? value : 0;
  }
  for (int i = 0; i < p.size; ++i) {
    p.q[i] = w[i];
    for (int j = 0; j < p.size; ++j) p.q[i] -= p.M[i][j] * z[j];
  }
}

// A plate that falls on points beneath it: rows (1, y, -x) over the roots of mass and inertia, of which more than three depend on
// each other.
inline void set_plate(Random& random, Problem& p, bool is_rough) {
  const double inertia = is_rough ? 1 : random.between(0.05, 1);
  const double v[3] = {is_rough ? -1 - random.below(3) : -random.between(0.1, 2),
                       is_rough ? random.below(3) - 1 : random.within(1),
                       is_rough ? random.below(3) - 1 : random.within(1)};
  double row[kMost][3];
  for (int i = 0; i < p.size; ++i) {
    row[i][0] = 1;
    for (int k = 1; k < 3; ++k)
      row[i][k] = (is_rough ? random.below(5) - 2 : random.within(1)) / (is_rough ? 1 : std::sqrt(inertia));
    p.q[i] = 0;
    for (int k = 0; k < 3; ++k) p.q[i] += row[i][k] * v[k];
  }
  for (int i = 0; i < p.size; ++i)
    for (int j = 0; j < p.size; ++j) p.M[i][j] = row[i][0] * row[j][0] + row[i][1] * row[j][1] + row[i][2] * row[j][2];
}

inline void duplicate(Problem& p, int from, int to) {
  p.q[to] = p.q[from];
  for (int j = 0; j < p.size; ++j) p.M[to][j] = p.M[from][j];
  for (int j = 0; j < p.size; ++j) p.M[j][to] = p.M[j][from];
}

// Two rows against each other (a body between two walls), or one that nothing moves, and a demand on them that cannot be met.
inline void set_contradiction(Random& random, Problem& p, bool is_rough) {
  double G[kMost][kMost];
  const int rank = std::max(1, p.size - 1);
  set_gram(random, p, rank, is_rough, G);
  const int one = random.below(p.size);
  const int other = random.below(p.size);
  const double push = is_rough ? 1 + random.below(3) : random.between(0.2, 2);
  if (one == other || random.chance(0.2)) {
    for (int j = 0; j < p.size; ++j) p.M[one][j] = p.M[j][one] = 0;
    p.q[one] = -push;
    return;
  }
  for (int k = 0; k < rank; ++k) G[other][k] = -G[one][k];
  set_product(p, rank, G);
  p.q[other] = -p.q[one] - push;
}

// Other units for the rows: w_i u_i, z_i / u_i. Powers of two, so that ties stay.
inline void change_units(Random& random, Problem& p) {
  for (int i = 0; i < p.size; ++i) {
    const double unit = std::ldexp(1.0, random.below(13) - 6);
    for (int j = 0; j < p.size; ++j) p.M[i][j] *= unit;
    for (int j = 0; j < p.size; ++j) p.M[j][i] *= unit;
    p.q[i] *= unit;
  }
}

inline Problem random_problem(Random& random, int kind, int size) {
  Problem p;
  p.kind = kind;
  p.size = size;
  const bool is_rough = random.chance(0.4);
  const double stiff = is_rough ? 1 : std::pow(10.0, random.between(-3, 0));
  double G[kMost][kMost];
  for (int i = 0; i < size; ++i) p.q[i] = is_rough ? random.below(9) - 5 : random.within(2);
  if (kind == 1) {
    if (random.chance(0.5)) {
      set_plate(random, p, is_rough);
    } else {
      const int rank = 1 + random.below(size);
      set_gram(random, p, rank, is_rough, G);
      if (random.chance(0.5)) {
        set_degenerate(random, p, is_rough);
      } else {
        set_within_reach(random, p, rank, is_rough, G);
      }
    }
  } else if (kind == 5) {
    if (random.chance(0.5)) {
      set_contradiction(random, p, is_rough);
    } else {
      set_gram(random, p, std::max(1, size - 1 - random.below(2)), is_rough, G);  // q as it comes: some have a solution
    }
  } else {
    set_gram(random, p, size, is_rough, G);
    for (int i = 0; i < size; ++i) p.M[i][i] += stiff;
    if (kind == 4) add_skew(random, p, is_rough);
    if (kind == 2 || (kind > 2 && random.chance(0.3))) set_degenerate(random, p, is_rough);
    if (kind == 3)
      for (int copies = 1 + random.below(3); copies > 0; --copies) duplicate(p, random.below(size), random.below(size));
  }
  if (random.chance(0.5)) change_units(random, p);
  return p;
}

}  // namespace lcps
