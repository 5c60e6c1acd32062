// SPDX-License-Identifier: MIT
// Linear programs: known ones, those on which the simplex method goes in circles, contradictions, dependent rows, bad scales, and
// random ones against all their vertices.
#include <kinecast/solve/simplex.hpp>

#include <algorithm>
#include <initializer_list>

#include "measure.hpp"
#include "unity_main.hpp"

namespace unit_simplex {
namespace {

using kinecast::Status;

constexpr int kRows = 4;
constexpr int kColumns = 8;
template <class S>
using Effort = kinecast::LinearEffort<S>;
template <class S>
using Solution = kinecast::LinearSolution<S, kRows>;

// max cᵀx, A x = b, x >= 0; written by rows, in double.
struct Program {
  int rows;
  int columns;
  double A[kRows][kColumns];
  double b[kRows];
  double c[kColumns];
};

// Tells how often the solver stood still so long that it asked by index.
int asked_by_index = 0;
template <class S>
struct Columns : kinecast::DenseColumns<S, kRows, kColumns> {
  [[nodiscard]] int first(const S* z, S weight, S& most) const noexcept {
    ++asked_by_index;
    return kinecast::DenseColumns<S, kRows, kColumns>::first(z, weight, most);
  }
};

template <class S>
Status solve(const Program& p, Solution<S>& solution, Effort<S>& effort) {
  Columns<S> columns;
  S b[kRows] = {};
  columns.row_count = p.rows;
  columns.column_count = p.columns;
  for (int j = 0; j < std::min(p.columns, kColumns); ++j) {
    columns.price[j] = static_cast<S>(p.c[j]);
    for (int i = 0; i < std::min(p.rows, kRows); ++i) columns.entry[j][i] = static_cast<S>(p.A[i][j]);
  }
  for (int i = 0; i < std::min(p.rows, kRows); ++i) b[i] = static_cast<S>(p.b[i]);
  if (const Status status = columns.prepare(); !ok(status)) return status;
  return kinecast::solve_linear_program(columns, b, solution, effort);
}

// What x leaves of b, and its objective, relative to their terms or to the least size that counts.
template <class S>
double error_of(const Program& p, const Solution<S>& s, double objective, double least = 1e-30) {
  double worst = 0;
  double value = 0;
  double size = least;
  for (int j = 0; j < p.columns; ++j) {
    const double x = static_cast<double>(s.x(j));
    if (!(x >= 0)) return std::numeric_limits<double>::infinity();
    value += p.c[j] * x;
    size = std::max(size, std::abs(p.c[j] * x));
  }
  worst = std::max(std::abs(value - objective), std::abs(static_cast<double>(s.objective) - objective)) / size;
  for (int i = 0; i < p.rows; ++i) {
    double left = p.b[i];
    double size_b = std::max(std::abs(left), least);
    for (int j = 0; j < p.columns; ++j) {
      left -= p.A[i][j] * static_cast<double>(s.x(j));
      size_b = std::max(size_b, std::abs(p.A[i][j] * static_cast<double>(s.x(j))));
    }
    worst = std::max(worst, std::abs(left) / size_b);
  }
  return worst;
}

template <class S>
void expect(Status expected, const Program& p, double objective = 0) {
  Solution<S> s{};
  Effort<S> effort{};
  TEST_ASSERT_EQUAL_STRING(sentence(expected), sentence(solve(p, s, effort)));
  TEST_ASSERT_TRUE(!effort.gave_up);
  // Integers, or three digits of them: a few roundings.
  if (expected == Status::ok) TEST_ASSERT_DOUBLE_WITHIN(measure::bound<S>(1e-5, 1e-13), 0, error_of(p, s, objective));
}
void expect_both(Status expected, const Program& p, double objective = 0) {
  expect<float>(expected, p, objective);
  if constexpr (measure::kInDouble) expect<double>(expected, p, objective);
}

// Hillier and Lieberman's glass works: 36.
constexpr Program kGlass = {3, 5, {{1, 0, 1}, {0, 2, 0, 1}, {3, 2, 0, 0, 1}}, {4, 12, 18}, {3, 5}};

void test_known() {
  expect_both(Status::ok, kGlass, 36);
  Solution<double> s{};
  Effort<double> effort{};
  TEST_ASSERT_TRUE(solve(kGlass, s, effort) == Status::ok);
  const double truth[5] = {2, 6, 2, 0, 0};
  for (int j = 0; j < 5; ++j) TEST_ASSERT_DOUBLE_WITHIN(1e-14, truth[j], s.x(j));

  // A row with b < 0; and costs that make no difference.
  expect_both(Status::ok, {1, 2, {{-1, -2}}, {-4}, {-1, -1}}, -2);
  expect_both(Status::ok, {2, 3, {{1, 1, 1}, {1, -1, 0}}, {1, 0}, {0, 0, 0}}, 0);
}

// Dantzig's rule alone returns to where it was after six pivots in each of these (Beale 1955; Kuhn, in Balinski and Tucker 1969).
void test_circles() {
  expect_both(Status::ok,
              {3,
               7,
               {{1, 0, 0, 0.25, -8, -1, 9}, {0, 1, 0, 0.5, -12, -0.5, 3}, {0, 0, 1, 0, 0, 1, 0}},
               {0, 0, 1},
               {0, 0, 0, 0.75, -20, 0.5, -6}},
              1.25);
  expect_both(Status::ok,
              {3,
               7,
               {{1, 0, 0, -2, -9, 1, 9}, {0, 1, 0, 1.0 / 3, 1, -1.0 / 3, -2}, {0, 0, 1, 2, 3, -1, -12}},
               {0, 0, 2},
               {0, 0, 0, 2, 3, -1, -12}},
              2);
  // A cone whose tip is where it starts: all of b is zero, and only the last column leads away.
  expect_both(Status::ok,
              {3, 5, {{1, -1, 0, 1, -1}, {0, 1, -1, 1, -1}, {1, 0, -1, 2, -2}}, {0, 0, 0}, {-1, -1, -1, 1, -2}}, 0);
  // b is the first column, a corner of all columns' hull: x = (1, 0, ...) is the only solution, and every pivot but the first ones
  // stands still, so long that the next are found by index.
  const Program still = {
      4,
      8,
      {{1, 1, 1, 1, 1, 1, 1, 1}, {-1, -1, 0, 1, 0, -2, -2, 1}, {2, 1, 1, 1, -2, -2, 2, 2}, {2, 2, 1, -2, 2, 0, 1, 2}},
      {1, -1, 2, 2},
      {2, 3, 3, 1, 2, -1, 1, 3}};
  asked_by_index = 0;
  expect<float>(Status::ok, still, 2);
  TEST_ASSERT_TRUE(asked_by_index > 0);
  if constexpr (measure::kInDouble) {
    asked_by_index = 0;
    expect<double>(Status::ok, still, 2);
    TEST_ASSERT_TRUE(asked_by_index > 0);
  }
  // Transport with as much asked for at every place as there is.
  expect_both(Status::ok, {4, 4, {{1, 1}, {0, 0, 1, 1}, {1, 0, 1}, {0, 1, 0, 1}}, {1, 1, 1, 1}, {-1, -3, -2, -1}}, -2);
}

void test_no_solution() {
  Solution<double> s{};
  Effort<double> effort{};
  // The sum of what is >= 0 shall be -1: it lacks 1, all of b.
  TEST_ASSERT_TRUE(solve({1, 2, {{1, 1}}, {-1}, {1, 1}}, s, effort) == Status::infeasible);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1, effort.residual);
  // x = 1 and x = 2: whatever x is, the two lack 1, half of b.
  TEST_ASSERT_TRUE(solve({2, 1, {{1}, {1}}, {1, 2}, {0}}, s, effort) == Status::infeasible);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.5, effort.residual);
  expect_both(Status::infeasible, {1, 1, {{0}}, {1}, {1}});
  expect_both(Status::infeasible, {1, 0, {}, {1}, {}});
  // What is forgiven, and what is not.
  const double more = static_cast<double>(kinecast::Tolerance<float>::kFeasible);
  expect<float>(Status::ok, {2, 1, {{1}, {1}}, {1, 1 + 1e-7}, {1}}, 1);
  expect<float>(Status::infeasible, {2, 1, {{1}, {1}}, {1, 1 + 1.1 * more}, {1}});
  if constexpr (measure::kInDouble) expect<double>(Status::infeasible, {2, 1, {{1}, {1}}, {1, 1 + 1e-8}, {1}});

  expect_both(Status::unbounded, {1, 2, {{1, -1}}, {1}, {1, 0}});
  expect_both(Status::unbounded, {1, 2, {{1, 0}}, {1}, {0, 1}});
  expect_both(Status::unbounded, {0, 1, {}, {}, {1}});
  TEST_ASSERT_TRUE(!ok(Status::unbounded));
}

void test_small_and_dependent() {
  expect_both(Status::ok, {0, 1, {}, {}, {-1}}, 0);
  expect_both(Status::ok, {0, 0, {}, {}, {}}, 0);
  expect_both(Status::ok, {1, 0, {}, {0}, {}}, 0);
  expect_both(Status::ok, {1, 1, {{2}}, {6}, {5}}, 15);
  // Rows twice, as sums of others, and of zeros: consistent, then not.
  Program p = {4, 4, {{1, 1, 1, 0}, {1, 1, 1, 0}, {1, -1, 0, 1}, {2, 0, 1, 1}}, {3, 3, 1, 4}, {1, 2, 0, -1}};
  expect_both(Status::ok, p, 4);
  p.b[3] = 5;
  expect_both(Status::infeasible, p);
  expect_both(Status::ok, {3, 2, {{0, 0}, {1, 2}, {0, 0}}, {0, 2, 0}, {1, 1}}, 2);
}

// Other units for rows, columns and costs change nothing else.
template <class S>
void check_scales() {
  for (const double row : {1e-6, 1.0, 1e6}) {
    for (const double column : {1e-6, 1.0, 1e6}) {
      Program p = kGlass;
      for (int i = 0; i < p.rows; ++i) {
        const double r = i == 1 ? row : 1;
        p.b[i] *= r;
        for (int j = 0; j < p.columns; ++j) p.A[i][j] *= r * (j == 0 ? column : 1);
      }
      p.c[0] *= column;
      for (double& cost : p.c) cost *= row;
      expect<S>(Status::ok, p, 36 * row);
    }
  }
}
void test_scales() {
  check_scales<float>();
  if constexpr (measure::kInDouble) check_scales<double>();
}

void test_bad_input() {
  Solution<double> s{};
  Effort<double> effort{};
  s.rows = 7;
  s.objective = 7;
  const auto refuse = [&](Status expected, const Program& p) {
    TEST_ASSERT_EQUAL_STRING(sentence(expected), sentence(solve(p, s, effort)));
    TEST_ASSERT_TRUE(s.rows == 7 && s.objective >= 7 && s.objective <= 7);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, std::numeric_limits<double>::infinity()}) {
    Program p = kGlass;
    p.A[1][2] = bad;
    refuse(Status::non_finite_input, p);
    p = kGlass;
    p.b[1] = bad;
    refuse(Status::non_finite_input, p);
    p = kGlass;
    p.c[1] = bad;
    refuse(Status::non_finite_input, p);
  }
  Program p = kGlass;
  p.rows = kRows + 1;
  refuse(Status::index_out_of_range, p);
  p.rows = -1;
  refuse(Status::index_out_of_range, p);
  p = kGlass;
  p.columns = kColumns + 1;
  refuse(Status::index_out_of_range, p);
}

// ---- against all vertices ---------------------------------------------------------------------------------------------------

// Solves for the columns of a set; false if they depend on each other.
bool solve_square(const Program& p, const int* set, double* x) {
  double M[kRows][kRows + 1];
  const int n = p.rows;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) M[i][k] = p.A[i][set[k]];
    M[i][n] = p.b[i];
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(M[i][k]) > std::abs(M[pivot][k])) pivot = i;
    if (!(std::abs(M[pivot][k]) > 1e-9)) return false;
    for (int j = 0; j <= n; ++j) std::swap(M[k][j], M[pivot][j]);
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = M[i][k] / M[k][k];
      for (int j = k; j <= n; ++j) M[i][j] -= factor * M[k][j];
    }
  }
  for (int k = 0; k < n; ++k) x[k] = M[k][n] / M[k][k];
  return true;
}

// The best vertex of a program with four rows; false if there is none.
bool best_vertex(const Program& p, double& best) {
  bool any = false;
  for (int sets = 0; sets < 1 << p.columns; ++sets) {
    int set[kColumns];
    int count = 0;
    for (int j = 0; j < p.columns; ++j)
      if ((sets >> j & 1) != 0) set[count++] = j;
    double x[kRows];
    if (count != p.rows || !solve_square(p, set, x) || *std::min_element(x, x + kRows) < -1e-9) continue;
    double value = 0;
    for (int k = 0; k < kRows; ++k) value += p.c[set[k]] * x[k];
    if (!any || value > best) best = value;
    any = true;
  }
  return any;
}

// Small integers, so that many vertices coincide and float has them exactly; the first row is a sum of all x, so that none is
// unbounded. Every other b is a multiple of one column: the solver stands still on its way there, and must not go in circles.
template <class S>
void check_against_all_vertices() {
  measure::Random random(1);
  measure::Worst error;
  int most = 0;
  int contradictions = 0;
  const auto number = [&](double size) { return std::floor(random.within(size) + 0.5); };
  for (int k = 0; k < 60 + 10 * measure::kEffort; ++k) {
    Program p{};
    p.rows = kRows;
    p.columns = kColumns;
    for (int j = 0; j < p.columns; ++j) {
      p.A[0][j] = 1;
      for (int i = 1; i < p.rows; ++i) p.A[i][j] = number(2);
      p.c[j] = number(3);
    }
    p.b[0] = 4;
    for (int i = 1; i < p.rows; ++i) p.b[i] = k % 2 == 0 ? 4 * p.A[i][0] : number(4);
    double best = 0;
    Solution<S> s{};
    Effort<S> effort{};
    const Status status = solve(p, s, effort);
    most = std::max(most, effort.pivots);
    if (!best_vertex(p, best)) {
      // Columns that depend on each other may still make b, with fewer of them: those are not compared.
      contradictions += status == Status::infeasible ? 1 : 0;
      continue;
    }
    TEST_ASSERT_TRUE(status == Status::ok);
    error.see(error_of(p, s, best, 1));
  }
  TEST_ASSERT_TRUE(contradictions > 0);
  TEST_ASSERT_TRUE(most <= 20);  // of 48
  measure::assert_below<S>(measure::bound<S>(1e-5, 1e-13), error, "objective and rows against all vertices");
}
void test_against_all_vertices() {
  check_against_all_vertices<float>();
  if constexpr (measure::kInDouble) check_against_all_vertices<double>();
}

}  // namespace

KINECAST_SUITE(simplex, test_known, test_circles, test_no_solution, test_small_and_dependent, test_scales,
               test_bad_input, test_against_all_vertices)

}  // namespace unit_simplex
