// SPDX-License-Identifier: MIT
// What the tests of the contact solvers share: random problems, and how far a result is from the optimality conditions, in
// double and from the dense A = R Zᵀ, which the solvers never form.
#pragma once

#include <kinecast/solve/factored_problem.hpp>

#include <algorithm>
#include <cmath>

#include "measure.hpp"

namespace qp {

constexpr int kRank = 6;
constexpr int kUnknowns = 12;
template <class S>
using Problem = kinecast::FactoredProblem<S, kRank, kUnknowns>;
template <class S>
using Solution = kinecast::FactoredSolution<S, kRank, kUnknowns>;

enum class Form { energy, velocity, unrelaxed };

// Dense, in double.
struct Dense {
  double A[kUnknowns][kUnknowns];
  double c[kUnknowns];

  template <class S>
  explicit Dense(const Problem<S>& p) {
    for (int i = 0; i < p.unknowns; ++i) {
      c[i] = static_cast<double>(p.offset[i]);
      for (int k = 0; k < p.rank; ++k) c[i] += static_cast<double>(p.row[i][k]) * static_cast<double>(p.g[k]);
      for (int j = 0; j < p.unknowns; ++j) {
        A[i][j] = 0;
        const S* z = p.is_symmetric ? p.row[j] : p.column[j];
        for (int k = 0; k < p.rank; ++k) A[i][j] += static_cast<double>(p.row[i][k]) * static_cast<double>(z[k]);
      }
    }
  }
};

// The largest violation: gradients relative to the sum of the terms that they are made of, negative impulses at once.
template <class S>
double violation(Form form, const Problem<S>& p, const Solution<S>& s) {
  const Dense dense(p);
  const int n = p.unknowns;
  double v[kUnknowns];
  double size_v[kUnknowns];
  for (int i = 0; i < n; ++i) {
    v[i] = dense.c[i];
    size_v[i] = std::abs(dense.c[i]);
    for (int j = 0; j < n; ++j) {
      v[i] += dense.A[i][j] * static_cast<double>(s.x[j]);
      size_v[i] += std::abs(dense.A[i][j] * static_cast<double>(s.x[j]));
    }
  }
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    const double x = static_cast<double>(s.x[i]);
    if (!(x >= 0 || (x < 0 && !p.is_bounded[i]))) return std::numeric_limits<double>::infinity();
    double gradient = form == Form::unrelaxed ? 0 : static_cast<double>(p.lambda[i]) * x;
    double size = std::abs(gradient);
    for (int j = 0; j < n; ++j) {
      const double weight = form == Form::energy ? (i == j ? 1 : 0) : dense.A[j][i];
      gradient += weight * v[j];
      size += std::abs(weight) * size_v[j];
    }
    const bool at_bound = p.is_bounded[i] && !(x > 0);
    if (size > 0) worst = std::max(worst, (at_bound ? -gradient : std::abs(gradient)) / size);
  }
  return worst;
}

// How far t is from g + Sum x_i Z_i, relative to the terms.
template <class S>
double velocity_error(const Problem<S>& p, const Solution<S>& s) {
  double worst = 0;
  for (int k = 0; k < p.rank; ++k) {
    double t = static_cast<double>(p.g[k]);
    double size = std::abs(t);
    for (int i = 0; i < p.unknowns; ++i) {
      const S* z = p.is_symmetric ? p.row[i] : p.column[i];
      t += static_cast<double>(s.x[i]) * static_cast<double>(z[k]);
      size += std::abs(static_cast<double>(s.x[i]) * static_cast<double>(z[k]));
    }
    if (size > 0) worst = std::max(worst, std::abs(t - static_cast<double>(s.t[k])) / size);
  }
  return worst;
}

// `kinds` of rows: any, copies of others, zero. Sliding rows act along a column that leans by up to a fifth.
template <class S>
Problem<S> random_problem(measure::Random& random, int rank, int unknowns, bool slides) {
  Problem<S> p{};
  p.rank = rank;
  p.unknowns = unknowns;
  p.is_symmetric = !slides;
  for (int k = 0; k < rank; ++k) p.g[k] = static_cast<S>(random.within(1));
  for (int i = 0; i < unknowns; ++i) {
    const double kind = random.within(1);
    const int same = i > 0 && kind < -0.8 ? i - 1 : -1;
    p.is_bounded[i] = random.within(1) > 0;
    p.offset[i] = static_cast<S>(random.within(0.1));
    double mobility = 0;
    for (int k = 0; k < rank; ++k) {
      const double entry = kind > 0.9 ? 0 : random.within(1);
      p.row[i][k] = same >= 0 ? p.row[same][k] : static_cast<S>(entry);
      p.column[i][k] = p.row[i][k];
      if (p.is_bounded[i]) p.column[i][k] += static_cast<S>(0.2 * random.within(std::abs(entry)));
      mobility += static_cast<double>(p.row[i][k]) * static_cast<double>(p.row[i][k]);
    }
    p.lambda[i] = static_cast<S>(0.02 * (mobility > 0 ? mobility : 1));
  }
  return p;
}

template <class S>
void fill(Solution<S>& s) {
  for (int i = 0; i < kUnknowns; ++i) s.x[i] = S(7), s.at_bound[i] = false;
  for (int k = 0; k < kRank; ++k) s.t[k] = S(7);
  s.iterations = 7;
}
template <class S>
bool is_filled(const Solution<S>& s) {
  const auto is_seven = [](S value) { return value >= S(7) && value <= S(7); };
  bool filled = s.iterations == 7;
  for (int i = 0; i < kUnknowns; ++i) filled = filled && is_seven(s.x[i]) && !s.at_bound[i];
  for (int k = 0; k < kRank; ++k) filled = filled && is_seven(s.t[k]);
  return filled;
}

}  // namespace qp
