// SPDX-License-Identifier: MIT
// Contact problems with inequalities, against the best of all active sets; friction pyramids; contradictions; and the unrelaxed
// baseline: it solves what can be solved, and with no more impulses than the rank.
#include <kinecast/solve/basic_solution.hpp>
#include <kinecast/solve/inequality_qp.hpp>

#include "qp_checks.hpp"
#include "unity_main.hpp"

namespace unit_qp_inequalities {
namespace {

using kinecast::Status;
using qp::Problem;
using qp::Solution;

constexpr int kRows = 6;
template <class S>
using Rows = kinecast::Inequalities<S, qp::kUnknowns, kRows>;

// Gauss with pivoting, in double. False if singular.
constexpr int kMost = 10;
bool solve_dense(double (&A)[kMost][kMost + 1], int n) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    if (!(std::abs(A[pivot][k]) > 1e-10)) return false;
    for (int j = 0; j <= n; ++j) std::swap(A[k][j], A[pivot][j]);
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j <= n; ++j) A[i][j] -= factor * A[k][j];
    }
  }
  for (int i = 0; i < n; ++i) A[i][n] /= A[i][i];
  return true;
}

// The inequalities and the bounds, in double.
struct Wall {
  double normal[4];
  double height;
};

// The feasible point of least cost among the minima of all sets of walls. False if no point is feasible.
template <class S>
bool best_of_all_sets(const Problem<S>& p, const Rows<S>& rows, double (&x)[4]) {
  const int n = p.unknowns;
  Wall walls[kRows + 4];
  int count = 0;
  for (int j = 0; j < rows.rows; ++j, ++count) {
    walls[count].height = static_cast<double>(rows.h[j]);
    for (int i = 0; i < n; ++i) walls[count].normal[i] = static_cast<double>(rows.G[j][i]);
  }
  for (int i = 0; i < n; ++i)
    if (p.is_bounded[i]) {
      walls[count] = {};
      walls[count++].normal[i] = 1;
    }
  const qp::Dense dense(p);
  double least = std::numeric_limits<double>::infinity();
  for (int set = 0; set < 1 << count; ++set) {
    double M[kMost][kMost + 1] = {};
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) M[i][j] = dense.A[i][j];
      M[i][i] += static_cast<double>(p.lambda[i]);
    }
    int size = n;
    for (int w = 0; w < count && size <= 2 * n; ++w) {
      if ((set >> w & 1) == 0) continue;
      for (int i = 0; i < n && size < kMost; ++i) M[size][i] = walls[w].normal[i], M[i][size] = -walls[w].normal[i];
      ++size;
    }
    if (size > 2 * n) continue;
    int row = n;
    for (int i = 0; i < n; ++i) M[i][size] = -dense.c[i];
    for (int w = 0; w < count; ++w)
      if ((set >> w & 1) != 0) M[row++][size] = walls[w].height;
    if (!solve_dense(M, size)) continue;
    bool feasible = true;
    for (int w = 0; w < count; ++w) {
      double slack = -walls[w].height;
      for (int i = 0; i < n; ++i) slack += walls[w].normal[i] * M[i][size];
      feasible = feasible && slack > -1e-9;
    }
    if (!feasible) continue;
    double cost = 0;
    for (int i = 0; i < n; ++i) {
      const double xi = M[i][size];
      cost += dense.c[i] * xi + 0.5 * static_cast<double>(p.lambda[i]) * xi * xi;
      for (int j = 0; j < n; ++j) cost += 0.5 * xi * dense.A[i][j] * M[j][size];
    }
    if (cost >= least) continue;
    least = cost;
    for (int i = 0; i < n; ++i) x[i] = M[i][size];
  }
  return least < std::numeric_limits<double>::infinity();
}

template <class S>
void check_against_all_sets() {
  measure::Random random(1);
  measure::Worst error;
  int contradictions = 0;
  for (int k = 0; k < 10 + 2 * measure::kEffort; ++k) {
    const int n = 1 + k % 4;
    const Problem<S> p = qp::random_problem<S>(random, 1 + k % 6, n, false);
    Rows<S> rows{};
    rows.rows = k % 5;
    for (int j = 0; j < rows.rows; ++j) {
      const double copy = random.within(1);  // of the row before: the same again, or its contrary
      rows.h[j] = static_cast<S>(random.within(0.3));
      for (int i = 0; i < n; ++i) {
        rows.G[j][i] = static_cast<S>(random.within(1));
        if (j > 0 && copy > 0.5) rows.G[j][i] = copy > 0.75 ? rows.G[j - 1][i] : -rows.G[j - 1][i];
      }
    }
    Solution<S> s{};
    double x[4] = {};
    const Status status = solve_with_inequalities(p, rows, s);
    if (!best_of_all_sets(p, rows, x)) {
      TEST_ASSERT_TRUE(status == Status::infeasible);
      ++contradictions;
      continue;
    }
    TEST_ASSERT_TRUE(status == Status::ok);
    double size = 0.1;
    for (int i = 0; i < n; ++i) size = std::max(size, std::abs(x[i]));
    for (int i = 0; i < n; ++i) error.see(x[i], static_cast<double>(s.x[i]), size);
  }
  TEST_ASSERT_TRUE(contradictions > 0);
  measure::assert_below<S>(measure::bound<S>(1e-3, 1e-9), error, "x against all active sets");
}
void test_against_all_sets() {
  check_against_all_sets<float>();
  if constexpr (measure::kInDouble) check_against_all_sets<double>();
}

// Two contacts that stick, each in a pyramid of friction 0.5: where the cone cuts, it is kept and touched.
void test_pyramid() {
  measure::Random random(2);
  int cut = 0;
  for (int k = 0; k < 10 + measure::kEffort; ++k) {
    Problem<float> p = qp::random_problem<float>(random, 6, 3, false);
    Rows<float> rows{};
    rows.rows = 4;
    p.is_bounded[0] = true;
    p.is_bounded[1] = p.is_bounded[2] = false;
    for (int j = 0; j < 4; ++j) {
      rows.G[j][0] = 0.5F;
      rows.G[j][1 + j / 2] = j % 2 == 0 ? 1.0F : -1.0F;
    }
    Solution<float> s{};
    TEST_ASSERT_TRUE(solve_with_inequalities(p, rows, s) == Status::ok);
    const float rounding = 1e-5F * (std::abs(s.x[0]) + std::abs(s.x[1]) + std::abs(s.x[2])) + 1e-6F;
    TEST_ASSERT_TRUE(s.x[0] >= 0);
    for (int i = 1; i < 3; ++i) {
      TEST_ASSERT_TRUE(std::abs(s.x[i]) <= 0.5F * s.x[0] + rounding);
      cut += std::abs(s.x[i]) > 0.49F * s.x[0] ? 1 : 0;
    }
    TEST_ASSERT_TRUE(qp::velocity_error(p, s) < 1e-5);
  }
  TEST_ASSERT_TRUE(cut > 0);
}

void test_contradiction_and_bad_input() {
  measure::Random random(3);
  Problem<double> p = qp::random_problem<double>(random, 3, 2, false);
  p.is_bounded[0] = true;
  Rows<double> rows{};
  rows.rows = 1;
  rows.G[0][0] = -1;  // x_0 <= -1 against x_0 >= 0
  rows.h[0] = 1;
  Solution<double> s;
  qp::fill(s);
  const auto refuse = [&](Status expected) {
    TEST_ASSERT_EQUAL_STRING(sentence(expected), sentence(solve_with_inequalities(p, rows, s)));
    TEST_ASSERT_TRUE(qp::is_filled(s));
  };
  refuse(Status::infeasible);
  TEST_ASSERT_TRUE(!ok(Status::infeasible));
  rows.G[0][0] = 0;  // 0 >= 1
  refuse(Status::infeasible);
  rows.h[0] = std::numeric_limits<double>::quiet_NaN();
  refuse(Status::non_finite_input);
  rows.h[0] = -1;
  rows.G[0][1] = std::numeric_limits<double>::infinity();
  refuse(Status::non_finite_input);
  rows.rows = kRows + 1;
  refuse(Status::index_out_of_range);
  rows = {};
  p.is_symmetric = false;
  refuse(Status::input_out_of_range);
  p.is_symmetric = true;
  p.lambda[1] = 0;
  refuse(Status::input_out_of_range);
}

// Sticking and sliding, more rows than the rank and fewer, and offsets that no motion satisfies all at once.
template <class S>
void check_basic() {
  measure::Random random(4);
  measure::Worst optimality;
  for (int k = 0; k < 20 * measure::kEffort; ++k) {
    Problem<S> p = qp::random_problem<S>(random, 1 + k % qp::kRank, 1 + k % qp::kUnknowns, k % 2 == 1);
    for (int i = 0; i < p.unknowns; ++i) p.lambda[i] = S(-1);  // not read
    Solution<S> s{};
    TEST_ASSERT_TRUE(solve_basic(p, s) == Status::ok);
    optimality.see(qp::violation(qp::Form::unrelaxed, p, s));
    int count = 0;
    for (int i = 0; i < p.unknowns; ++i) {
      const bool is_zero = !(s.x[i] > S(0)) && !(s.x[i] < S(0));
      TEST_ASSERT_TRUE(s.at_bound[i] == (p.is_bounded[i] && is_zero));
      count += is_zero ? 0 : 1;
    }
    TEST_ASSERT_TRUE(count <= p.rank);
    TEST_ASSERT_TRUE(qp::velocity_error(p, s) < measure::bound<S>(1e-5, 1e-14));
  }
  // Impulses, and with them the terms of a gradient, are rounded by the solver's epsilon times a factor of tens.
  measure::assert_below<S>(measure::bound<S>(1e-5, 1e-14), optimality, "unrelaxed");
}
void test_basic() {
  check_basic<float>();
  if constexpr (measure::kInDouble) check_basic<double>();

  // Four feet, one body that falls: three carry, and the fourth nothing.
  Problem<double> p{};
  p.rank = 3;
  p.unknowns = 4;
  p.is_symmetric = true;
  p.g[0] = -1;
  for (int i = 0; i < 4; ++i) {
    p.row[i][0] = 1;
    p.row[i][1] = i % 2 == 0 ? 1 : -1;
    p.row[i][2] = i < 2 ? 1 : -1;
    p.is_bounded[i] = true;
  }
  p.offset[0] = -0.01;  // the deepest
  Solution<double> s{};
  TEST_ASSERT_TRUE(solve_basic(p, s) == Status::ok);
  int carrying = 0;
  for (int i = 0; i < 4; ++i) carrying += s.x[i] > 0 ? 1 : 0;
  TEST_ASSERT_TRUE(carrying <= 3);
  qp::fill(s);
  p.g[1] = std::numeric_limits<double>::quiet_NaN();
  TEST_ASSERT_TRUE(solve_basic(p, s) == Status::non_finite_input && qp::is_filled(s));
  p.rank = -1;
  TEST_ASSERT_TRUE(solve_basic(p, s) == Status::index_out_of_range && qp::is_filled(s));
}

}  // namespace

KINECAST_SUITE(qp_inequalities, test_against_all_sets, test_pyramid, test_contradiction_and_bad_input, test_basic)

}  // namespace unit_qp_inequalities
