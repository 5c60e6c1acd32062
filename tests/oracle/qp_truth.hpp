// SPDX-License-Identifier: MIT
// Contact problems and their truth, for golden_qp.cpp: random boxes on a plane, random matrices with every kind of
// degeneracy, and what double and dense matrices say of a solution. Nothing here is the library's own arithmetic.
#pragma once

#include <kinecast/solve/energy_form.hpp>
#include <kinecast/solve/velocity_form.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/standard_random.hpp"

namespace qp {

enum class Form { energy, velocity };

template <class S, int MaxRank, int MaxUnknowns>
kinecast::Status solve(Form form, const kinecast::FactoredProblem<S, MaxRank, MaxUnknowns>& problem,
                       kinecast::FactoredSolution<S, MaxRank, MaxUnknowns>& solution) {
  return form == Form::energy ? solve_energy_form(problem, solution) : solve_velocity_form(problem, solution);
}

// The same numbers in another scalar.
template <class To, class From, int MaxRank, int MaxUnknowns>
kinecast::FactoredProblem<To, MaxRank, MaxUnknowns> cast(
    const kinecast::FactoredProblem<From, MaxRank, MaxUnknowns>& from) {
  kinecast::FactoredProblem<To, MaxRank, MaxUnknowns> to{};
  to.rank = from.rank;
  to.unknowns = from.unknowns;
  to.is_symmetric = from.is_symmetric;
  for (int k = 0; k < from.rank; ++k) to.g[k] = static_cast<To>(from.g[k]);
  for (int i = 0; i < from.unknowns; ++i) {
    to.offset[i] = static_cast<To>(from.offset[i]);
    to.lambda[i] = static_cast<To>(from.lambda[i]);
    to.is_bounded[i] = from.is_bounded[i];
    for (int k = 0; k < from.rank; ++k) {
      to.row[i][k] = static_cast<To>(from.row[i][k]);
      to.column[i][k] = static_cast<To>(from.is_symmetric ? from.row[i][k] : from.column[i][k]);
    }
  }
  return to;
}

// The problem as dense matrices.
struct Dense {
  Eigen::MatrixXd A;
  Eigen::VectorXd c;
  Eigen::VectorXd lambda;
  std::vector<bool> is_bounded;

  template <class S, int MaxRank, int MaxUnknowns>
  explicit Dense(const kinecast::FactoredProblem<S, MaxRank, MaxUnknowns>& p)
      : A(p.unknowns, p.unknowns), c(p.unknowns), lambda(p.unknowns) {
    for (int i = 0; i < p.unknowns; ++i) {
      lambda(i) = static_cast<double>(p.lambda[i]);
      c(i) = static_cast<double>(p.offset[i]);
      is_bounded.push_back(p.is_bounded[i]);
      for (int k = 0; k < p.rank; ++k) c(i) += static_cast<double>(p.row[i][k]) * static_cast<double>(p.g[k]);
      for (int j = 0; j < p.unknowns; ++j) {
        const auto& z = p.is_symmetric ? p.row[j] : p.column[j];
        A(i, j) = 0;
        for (int k = 0; k < p.rank; ++k) A(i, j) += static_cast<double>(p.row[i][k]) * static_cast<double>(z[k]);
      }
    }
  }

  // What must be >= 0 at a bound, and 0 elsewhere.
  [[nodiscard]] Eigen::VectorXd gradient(Form form, const Eigen::VectorXd& x) const {
    const Eigen::VectorXd v = A * x + c;
    return (form == Form::energy ? v : Eigen::VectorXd(A.transpose() * v)) + lambda.cwiseProduct(x);
  }

  // The largest violation of the optimality conditions; gradients relative to the largest term that they are made of.
  [[nodiscard]] double violation(Form form, const Eigen::VectorXd& x) const {
    if (x.size() == 0) return 0;
    const double size_A = A.cwiseAbs().rowwise().sum().maxCoeff();
    const double size_v = c.cwiseAbs().maxCoeff() + size_A * x.cwiseAbs().maxCoeff();
    const double size =
        (form == Form::energy ? size_v : size_A * size_v) + lambda.cwiseProduct(x).cwiseAbs().maxCoeff();
    const Eigen::VectorXd slope = gradient(form, x);
    double worst = 0;
    for (int i = 0; i < x.size(); ++i) {
      const bool bounded = is_bounded[static_cast<std::size_t>(i)];
      if (bounded && x(i) < 0) return std::numeric_limits<double>::infinity();
      const bool at_bound = bounded && !(x(i) > 0);
      const double wrong = at_bound ? std::max(0.0, -slope(i)) : std::abs(slope(i));
      worst = std::max(worst, wrong / std::max(size, 1e-300));
    }
    return worst;
  }

  [[nodiscard]] bool is_solution(Form form, Eigen::VectorXd x) const;
  [[nodiscard]] bool has_solution(Form form) const;

  // The solution for a given active set: Householder QR of [A; Lambda^½], or of A + Lambda, on the free unknowns.
  template <class Flags>
  [[nodiscard]] Eigen::VectorXd solution(Form form, const Flags& at_bound) const {
    const int n = static_cast<int>(c.size());
    std::vector<int> free;
    for (int i = 0; i < n; ++i)
      if (!at_bound[static_cast<std::size_t>(i)]) free.push_back(i);
    const int f = static_cast<int>(free.size());
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    if (f == 0) return x;
    const int height = form == Form::energy ? f : n + f;
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(height, f);
    Eigen::VectorXd side = Eigen::VectorXd::Zero(height);
    for (int b = 0; b < f; ++b) {
      const int j = free[static_cast<std::size_t>(b)];
      if (form == Form::energy) {
        for (int a = 0; a < f; ++a) M(a, b) = A(free[static_cast<std::size_t>(a)], j) + (a == b ? lambda(j) : 0);
        side(b) = -c(j);
      } else {
        M.block(0, b, n, 1) = A.col(j);
        M(n + b, b) = std::sqrt(lambda(j));
        side.head(n) = -c;
      }
    }
    const Eigen::VectorXd found = M.householderQr().solve(side);
    for (int b = 0; b < f; ++b) x(free[static_cast<std::size_t>(b)]) = found(b);
    return x;
  }
};

[[nodiscard]] inline bool Dense::is_solution(Form form, Eigen::VectorXd x) const {
  for (int i = 0; i < x.size(); ++i)
    if (is_bounded[static_cast<std::size_t>(i)] && x(i) < 0 && x(i) > -1e-9 * x.cwiseAbs().maxCoeff()) x(i) = 0;
  return violation(form, x) <= 1e-9;
}

// Every set of unknowns at their bounds is tried.
[[nodiscard]] inline bool Dense::has_solution(Form form) const {
  std::vector<int> bounded;
  for (int i = 0; i < c.size(); ++i)
    if (is_bounded[static_cast<std::size_t>(i)]) bounded.push_back(i);
  for (unsigned set = 0; set < 1U << bounded.size(); ++set) {
    std::vector<bool> at_bound(is_bounded.size());
    for (std::size_t k = 0; k < bounded.size(); ++k)
      at_bound[static_cast<std::size_t>(bounded[k])] = (set >> k & 1U) != 0;
    if (is_solution(form, solution(form, at_bound))) return true;
  }
  return false;
}

template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] Eigen::VectorXd impulses(const kinecast::FactoredSolution<S, MaxRank, MaxUnknowns>& s, int unknowns) {
  Eigen::VectorXd x(unknowns);
  for (int i = 0; i < unknowns; ++i) x(i) = static_cast<double>(s.x[i]);
  return x;
}

// R t + e as the solver's t says.
template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] Eigen::VectorXd velocities(const kinecast::FactoredProblem<S, MaxRank, MaxUnknowns>& p,
                                         const kinecast::FactoredSolution<S, MaxRank, MaxUnknowns>& s) {
  Eigen::VectorXd v(p.unknowns);
  for (int i = 0; i < p.unknowns; ++i) {
    v(i) = static_cast<double>(p.offset[i]);
    for (int k = 0; k < p.rank; ++k) v(i) += static_cast<double>(p.row[i][k]) * static_cast<double>(s.t[k]);
  }
  return v;
}

using Random = std::mt19937_64;
using support::uniform;

// A free box of 0.05-5 kg that touches a plane with 3-6 points of its lower face, the first four of them its corners, and
// moves; the points stick, or some of them slide (method 2.6): then their one unknown acts along n + mu t, and only their normal
// row is asked for.
using BoxProblem = kinecast::FactoredProblem<double, 6, 18>;
enum class Masses { uniform, mostly_light };  // light: uniform in the logarithm
inline BoxProblem random_box(Random& random, bool slides, Masses masses) {
  const double drawn = uniform(random, 0, 1);
  const double mass = masses == Masses::uniform ? 0.05 + 4.95 * drawn : 0.05 * std::pow(100.0, drawn);
  Eigen::Vector3d side;
  for (int k = 0; k < 3; ++k) side(k) = uniform(random, 0.03, 0.3);
  Eigen::Matrix<double, 6, 1> root;  // of the inertia, translations first
  root.head<3>().setConstant(std::sqrt(mass));
  for (int k = 0; k < 3; ++k) root(3 + k) = std::sqrt(mass / 12 * (side.squaredNorm() - side(k) * side(k)));
  Eigen::Matrix<double, 6, 1> twist;
  Eigen::Matrix<double, 6, 1> target;  // k d: the points want to return by a common displacement
  for (int k = 0; k < 3; ++k) {
    twist(k) = uniform(random, -1, 1);
    twist(3 + k) = uniform(random, -5, 5);
    target(k) = uniform(random, -0.02, 0.02);
    target(3 + k) = uniform(random, -0.1, 0.1);
  }

  BoxProblem p{};
  p.rank = 6;
  p.is_symmetric = true;
  for (int k = 0; k < 6; ++k) p.g[k] = root(k) * twist(k);
  const int points = 3 + static_cast<int>(uniform(random, 0, 4));
  for (int point = 0; point < points; ++point) {
    Eigen::Vector3d at(point % 2 == 0 ? 0.5 : -0.5, point / 2 % 2 == 0 ? 0.5 : -0.5, -0.5);
    if (point >= 4) at(point % 2) = uniform(random, -0.5, 0.5);  // on an edge
    at = at.cwiseProduct(side);
    Eigen::Matrix<double, 3, 6> Y;  // rows n, t1, t2 = z, x, y:  v + omega x p
    Y << 0, 0, 1, at.y(), -at.x(), 0, 1, 0, 0, 0, at.z(), -at.y(), 0, 1, 0, -at.z(), 0, at.x();
    const Eigen::Vector3d v = Y * twist;
    const Eigen::Vector3d e = Y * target;
    Y = Y * root.cwiseInverse().asDiagonal();
    const bool is_sliding = slides && uniform(random, 0, 1) < 0.5;
    const double mu = uniform(random, 0.1, 1);
    const Eigen::Vector2d direction = -v.tail<2>().normalized();
    Eigen::Matrix<double, 1, 6> column = Y.row(0);
    if (is_sliding) {
      column += mu * direction.transpose() * Y.bottomRows<2>();
      if (column.dot(Y.row(0)) <= 0) column = Y.row(0);  // Painlevé (method 2.6)
      p.is_symmetric = false;
    }
    for (int k = 0; k < (is_sliding ? 1 : 3); ++k) {
      const int i = p.unknowns++;
      p.is_bounded[i] = k == 0;
      p.offset[i] = e(k);
      for (int m = 0; m < 6; ++m) {
        p.row[i][m] = Y(k, m);
        p.column[i][m] = is_sliding ? column(m) : Y(k, m);
      }
    }
  }
  return p;
}

// Any size up to 6 and 12, with duplicate rows, zero rows, small rows, unknowns with and without bounds; sliding if asked for.
using AnyProblem = kinecast::FactoredProblem<float, 6, 12>;
inline AnyProblem random_problem(Random& random) {
  AnyProblem p{};
  p.rank = static_cast<int>(uniform(random, 0, 7));
  p.unknowns = static_cast<int>(uniform(random, 0, 13));
  p.is_symmetric = uniform(random, 0, 1) < 0.5;
  const double relative = std::pow(10.0, uniform(random, -4, 0));
  const bool consistent = uniform(random, 0, 1) < 0.5;  // offsets are mostly those of a velocity
  const bool all_bounded = uniform(random, 0, 1) < 0.3;
  for (int k = 0; k < p.rank; ++k) p.g[k] = static_cast<float>(uniform(random, -1, 1));
  for (int i = 0; i < p.unknowns; ++i) {
    const double kind = uniform(random, 0, 1);
    const double size = std::pow(10.0, uniform(random, -1, 1));
    const int same = i > 0 && kind < 0.2 ? static_cast<int>(uniform(random, 0, i)) : -1;
    p.is_bounded[i] = all_bounded || uniform(random, 0, 1) < 0.5;
    p.offset[i] = static_cast<float>(uniform(random, -1, 1) * (consistent ? 0.01 : 1));
    double mobility = 0;
    for (int k = 0; k < p.rank; ++k) {
      double entry = size * uniform(random, -1, 1);
      if (kind > 0.95) entry = 0;
      p.row[i][k] = same >= 0 ? p.row[same][k] : static_cast<float>(entry);
      p.column[i][k] = p.row[i][k];
      if (p.is_bounded[i] && uniform(random, 0, 1) < 0.3) p.column[i][k] += 0.3F * static_cast<float>(entry);
      mobility += static_cast<double>(p.row[i][k]) * static_cast<double>(p.row[i][k]);
    }
    p.lambda[i] = static_cast<float>(relative * (mobility > 0 ? mobility : 1));
  }
  return p;
}

}  // namespace qp
