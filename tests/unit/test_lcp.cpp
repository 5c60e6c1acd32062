// SPDX-License-Identifier: MIT
// Linear complementarity problems by both methods: known ones, ties, dependent rows, a table on more legs than it needs,
// contradictions, other units, the bounds of the effort, bad input, and random ones against what they were made of.
#include <kinecast/solve/lcp.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "measure.hpp"
#include "unity_main.hpp"

namespace unit_lcp {
namespace {

using kinecast::Lemke;
using kinecast::ProjectedGaussSeidel;
using kinecast::Status;

constexpr int kMost = 6;
template <class S>
using Solution = kinecast::LcpSolution<S, kMost>;

// In double, whatever it is solved in.
using Problem = kinecast::Lcp<double, kMost>;

template <class Method, class S>
Status solve(const Problem& p, Solution<S>& solution) {
  kinecast::Lcp<S, kMost> problem{};
  problem.size = p.size;
  for (int i = 0; i < kMost; ++i) {
    problem.q[i] = static_cast<S>(p.q[i]);
    for (int j = 0; j < kMost; ++j) problem.M[i][j] = static_cast<S>(p.M[i][j]);
  }
  return kinecast::solve_lcp<Method>(problem, solution);
}

// One of z and w is 0 in every row and none is below, w = M z + q: the largest violation, over the largest q. For rows of one unit.
template <class S>
double violation(const Problem& p, const Solution<S>& s) {
  measure::Worst worst;
  const double scale = std::max(measure::largest(p.q, p.size), 1e-30);
  for (int i = 0; i < p.size; ++i) {
    const double z = static_cast<double>(s.z[i]);
    const double w = static_cast<double>(s.w[i]);
    double expected = p.q[i];
    for (int j = 0; j < p.size; ++j) expected += p.M[i][j] * static_cast<double>(s.z[j]);
    worst.see(expected, w, scale);
    worst.see(std::min(z, w) / scale);
  }
  return worst.value;
}

// Integers or three digits, and M of order one: a few roundings. Gauss-Seidel stops at eight.
template <class S>
double rounding() {
  return measure::bound<S>(5e-6, 1e-14);
}

template <class Method, class S>
Solution<S> expect_solved(const Problem& p) {
  Solution<S> s{};
  TEST_ASSERT_EQUAL_STRING(sentence(Status::ok), sentence(solve<Method>(p, s)));
  TEST_ASSERT_DOUBLE_WITHIN(rounding<S>(), 0, violation(p, s));
  TEST_ASSERT_DOUBLE_WITHIN(rounding<S>(), 0, static_cast<double>(s.residual));
  return s;
}

template <class Method, class S>
void expect(const Problem& p, std::initializer_list<double> z) {
  const Solution<S> s = expect_solved<Method, S>(p);
  int i = 0;
  for (const double value : z) TEST_ASSERT_DOUBLE_WITHIN(rounding<S>() * 10, value, static_cast<double>(s.z[i++]));
}
// z is unique.
void expect_both(const Problem& p, std::initializer_list<double> z) {
  expect<Lemke, float>(p, z);
  if constexpr (measure::kInDouble) expect<Lemke, double>(p, z);
  expect<ProjectedGaussSeidel, float>(p, z);
  if constexpr (measure::kInDouble) expect<ProjectedGaussSeidel, double>(p, z);
}
// Only w is.
void expect_solved_by_both(const Problem& p) {
  (void)expect_solved<Lemke, float>(p);
  (void)expect_solved<Lemke, double>(p);
  (void)expect_solved<ProjectedGaussSeidel, float>(p);
  (void)expect_solved<ProjectedGaussSeidel, double>(p);
}

constexpr Problem kThree = {3, {{2, -1, 0.5}, {-1, 3, 0.25}, {0.5, 0.25, 1}}, {-1, -2, 0.25}};

void test_known() {
  expect_both({0, {}, {}}, {});
  expect_both({1, {{2}}, {-3}}, {1.5});
  expect_both({1, {{2}}, {3}}, {0});
  expect_both({1, {{0}}, {3}}, {0});
  expect_both({1, {{-1}}, {0}}, {0});
  // None, either, or both of two.
  expect_both({2, {{2, 1}, {1, 2}}, {1, 0}}, {0, 0});
  expect_both({2, {{2, 1}, {1, 2}}, {-2, 0}}, {1, 0});
  expect_both({2, {{2, 1}, {1, 2}}, {-1, -4}}, {0, 2});
  expect_both({2, {{2, 1}, {1, 2}}, {-4, -5}}, {1, 2});
  expect_both(kThree, {1, 1, 0});
  // Not symmetric, with a positive definite symmetric part; and a P-matrix without one.
  expect_both({3, {{2, 1, 0}, {-1, 2, 1}, {0, -1, 2}}, {-3, -2, -1}}, {1, 1, 1});
  expect<Lemke, float>({2, {{1, 4}, {0, 1}}, {-9, -2}}, {1, 2});
  if constexpr (measure::kInDouble) expect<Lemke, double>({2, {{1, 4}, {0, 1}}, {-9, -2}}, {1, 2});
}

// Room for one row.
template <class Method, class S>
void check_one() {
  const kinecast::Lcp<S, 1> pushed = {1, {{S(2)}}, {S(-3)}};
  kinecast::LcpSolution<S, 1> s{};
  TEST_ASSERT_TRUE(kinecast::solve_lcp<Method>(pushed, s) == Status::ok);
  TEST_ASSERT_DOUBLE_WITHIN(rounding<S>(), 1.5, static_cast<double>(s.z[0]));
  const kinecast::Lcp<S, 1> none = {0, {}, {}};
  TEST_ASSERT_TRUE(kinecast::solve_lcp<Method>(none, s) == Status::ok && s.iterations == 0);
  const kinecast::Lcp<S, 1> more = {2, {}, {}};
  TEST_ASSERT_TRUE(kinecast::solve_lcp<Method>(more, s) == Status::index_out_of_range);
}
void test_one() {
  check_one<Lemke, float>();
  if constexpr (measure::kInDouble) check_one<Lemke, double>();
  check_one<ProjectedGaussSeidel, float>();
  if constexpr (measure::kInDouble) check_one<ProjectedGaussSeidel, double>();
}

void test_ties() {
  // w_i = z_i = 0, for one row and for all of them.
  expect_both({2, {{2, 1}, {1, 2}}, {-2, -1}}, {1, 0});
  expect_both({3, {{2, 1, 1}, {1, 2, 1}, {1, 1, 2}}, {-2, -1, -1}}, {1, 0, 0});
  expect_both({3, {{1}, {0, 1}, {0, 0, 1}}, {0, 0, -1}}, {0, 0, 1});
  expect_both({3, {{2, 1}, {1, 2}, {0, 0, 1}}, {0, 0, 0}}, {0, 0, 0});
  // Every row is as low as the others, and stays so.
  expect_both({4, {{2, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 2, 1}, {1, 1, 1, 2}}, {-5, -5, -5, -5}}, {1, 1, 1, 1});
  if constexpr (measure::kInDouble)
    expect<Lemke, double>({3, {{1, 2, 0}, {0, 1, 2}, {2, 0, 1}}, {-3, -3, -3}}, {1, 1, 1});
  expect<Lemke, float>({3, {{1, 2, 0}, {0, 1, 2}, {2, 0, 1}}, {-3, -3, -3}}, {1, 1, 1});
}

// The same row twice or three times, and a row that is the sum of others.
void test_dependent_rows() {
  expect_solved_by_both({2, {{1, 1}, {1, 1}}, {-1, -1}});
  expect_solved_by_both({3, {{2, 2, 1}, {2, 2, 1}, {1, 1, 2}}, {-3, -3, -3}});
  expect_solved_by_both({4, {{1, 1, 1, 0}, {1, 1, 1, 0}, {1, 1, 1, 0}, {0, 0, 0, 1}}, {-2, -2, -2, -1}});
  expect_solved_by_both({3, {{1, 0, 1}, {0, 1, 1}, {1, 1, 2}}, {-1, -2, -3}});
  expect_solved_by_both({3, {{1, 0, 1}, {0, 1, 1}, {1, 1, 2}}, {1, -2, -1}});
  // Opposite rows that just fit: there is no play between two walls.
  expect_solved_by_both({2, {{1, -1}, {-1, 1}}, {-1, 1}});
  // A row that nothing moves, and that need not move.
  expect_solved_by_both({2, {{0, 0}, {0, 2}}, {0, -2}});
  expect_solved_by_both({2, {{0, 0}, {0, 2}}, {1, -2}});
}

// A plate of 2 kg on five legs, which three could carry: the forces hold its weight and its moments, whichever leg carries them.
// Rows are the accelerations of the feet, J = (1, y, -x), M = J H⁻¹ Jᵀ; gravity acts at x = shift, within the legs or beyond them.
template <class Method, class S>
void check_table(double shift, bool tips) {
  constexpr double kMass = 2;
  constexpr double kInertia = 0.5;
  constexpr double kGravity = 10;
  constexpr int kLegs = 5;
  const double x[kLegs] = {-0.5, 0.5, 0.5, -0.5, 0.25};
  const double y[kLegs] = {-0.5, -0.5, 0.5, 0.5, 0};
  Problem p{};
  p.size = kLegs;
  for (int i = 0; i < kLegs; ++i) {
    p.q[i] = -kGravity;
    for (int j = 0; j < kLegs; ++j)
      p.M[i][j] = 1 / kMass + ((y[i] * y[j]) + (x[i] - shift) * (x[j] - shift)) / kInertia;
  }
  Solution<S> s{};
  TEST_ASSERT_EQUAL_STRING(sentence(Status::ok), sentence(solve<Method>(p, s)));
  double sum[3] = {-kMass * kGravity, 0, 0};
  for (int i = 0; i < kLegs; ++i) {
    const double f = static_cast<double>(s.z[i]);
    TEST_ASSERT_TRUE(f >= 0);
    sum[0] += f;
    sum[1] += f * y[i];
    sum[2] -= f * (x[i] - shift);
  }
  // Sums of forces of 20 N; Gauss-Seidel ends within ten times its step.
  const double tolerance = 20 * 10 * rounding<S>();
  if (!tips) {
    for (const double rest : sum) TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0, rest);
    return;
  }
  // It turns about the outer legs, x = 0.5, which stay; the others lift by their distance from there times that rotation.
  const double arm = shift - 0.5;
  const double turn = kMass * kGravity * arm / (kInertia + kMass * arm * arm);
  for (int i = 0; i < kLegs; ++i)
    TEST_ASSERT_DOUBLE_WITHIN(tolerance, (0.5 - x[i]) * turn, static_cast<double>(s.w[i]));
}
template <class Method>
void check_tables() {
  for (const double shift : {0.0, 0.1, 0.45}) {
    check_table<Method, float>(shift, false);
    if constexpr (measure::kInDouble) check_table<Method, double>(shift, false);
  }
  check_table<Method, float>(0.75, true);
  if constexpr (measure::kInDouble) check_table<Method, double>(0.75, true);
}
void test_table() {
  check_tables<Lemke>();
  check_tables<ProjectedGaussSeidel>();
}

// Lemke says so and leaves the output alone; Gauss-Seidel cannot tell, but warns, and gives what is no worse than nothing.
template <class S>
void check_contradiction(const Problem& p) {
  Solution<S> s{};
  s.residual = S(7);
  s.z[0] = S(7);
  TEST_ASSERT_EQUAL_STRING(sentence(Status::infeasible), sentence(solve<Lemke>(p, s)));
  TEST_ASSERT_TRUE(s.residual >= S(7) && s.residual <= S(7) && s.z[0] >= S(7) && s.z[0] <= S(7));
  TEST_ASSERT_TRUE(solve<ProjectedGaussSeidel>(p, s) == Status::iterations_exhausted);
  TEST_ASSERT_TRUE(s.residual > S(0.01) && s.residual <= S(1));
}
void test_contradictions() {
  for (const Problem& p :
       {Problem{1, {{0}}, {-1}}, Problem{1, {{-1}}, {-1}}, Problem{2, {{1, -1}, {-1, 1}}, {-1, 0.5}},
        Problem{2, {{0, 0}, {0, 2}}, {-1, -2}}, Problem{3, {{1, -1, 0}, {-1, 1, 0}, {0, 0, 1}}, {-1, 0, -1}},
        Problem{3, {{1, 1, -1}, {1, 1, -1}, {-1, -1, 1}}, {-2, -1, 0}}, Problem{2, {}, {-1, -1}}}) {
    check_contradiction<float>(p);
    if constexpr (measure::kInDouble) check_contradiction<double>(p);
  }
}

// Other units for a row, w_i u and z_i / u, change nothing else; nor does another unit of q.
template <class Method, class S>
void check_units() {
  for (const double unit : {1e-6, 1.0, 1e6}) {
    for (const double size : {1e-6, 1e6}) {
      Problem p = kThree;
      for (int j = 0; j < 3; ++j) p.M[1][j] *= unit;
      for (int j = 0; j < 3; ++j) p.M[j][1] *= unit;
      p.q[1] *= unit;
      for (double& value : p.q) value *= size;
      Solution<S> s{};
      TEST_ASSERT_EQUAL_STRING(sentence(Status::ok), sentence(solve<Method>(p, s)));
      TEST_ASSERT_DOUBLE_WITHIN(rounding<S>(), 1, static_cast<double>(s.z[0]) / size);
      TEST_ASSERT_DOUBLE_WITHIN(rounding<S>(), 1, static_cast<double>(s.z[1]) * unit / size);
      TEST_ASSERT_DOUBLE_WITHIN(rounding<S>(), 1, static_cast<double>(s.w[2]) / size);
      TEST_ASSERT_DOUBLE_WITHIN(rounding<S>(), 0, static_cast<double>(s.residual));
    }
  }
}
void test_units() {
  check_units<Lemke, float>();
  if constexpr (measure::kInDouble) check_units<Lemke, double>();
  check_units<ProjectedGaussSeidel, float>();
  if constexpr (measure::kInDouble) check_units<ProjectedGaussSeidel, double>();
}

// Murty's matrices (1978), on which Lemke's method takes 2^size pivots: the solution within the bound, a warning beyond it. And
// one on which Gauss-Seidel runs away.
template <class S>
void check_effort() {
  for (int size = 3; size <= kMost; ++size) {
    Problem p{};
    p.size = size;
    for (int i = 0; i < size; ++i) {
      p.q[i] = -1;
      p.M[i][i] = 1;
      for (int j = 0; j < i; ++j) p.M[i][j] = 2;
    }
    Solution<S> s{};
    const bool is_within = 1 << size <= Lemke::most_pivots(size);
    TEST_ASSERT_TRUE(is_within == (size < 6));
    TEST_ASSERT_TRUE(solve<Lemke>(p, s) == (is_within ? Status::ok : Status::iterations_exhausted));
    TEST_ASSERT_EQUAL_INT(is_within ? 1 << size : 2 * Lemke::most_pivots(size), s.iterations);
    TEST_ASSERT_TRUE(is_within ? s.residual < S(1e-6) : s.residual > S(0.01));
    for (int i = 0; i < size; ++i) TEST_ASSERT_TRUE(kinecast::is_finite(s.z[i]) && s.z[i] >= S(0));
    expect<ProjectedGaussSeidel, S>(p, {1, 0, 0});
  }
  // Not to be swept: each row pushes the other further.
  const Problem apart = {2, {{1, 3}, {-3, 1}}, {-10, 0}};
  Solution<S> s{};
  TEST_ASSERT_TRUE(solve<ProjectedGaussSeidel>(apart, s) == Status::iterations_exhausted);
  TEST_ASSERT_EQUAL_INT(ProjectedGaussSeidel::kMostSweeps, s.iterations);
  TEST_ASSERT_TRUE(s.residual > S(0.01) && s.residual <= S(1));
  expect<Lemke, S>(apart, {1, 3});
}
void test_effort() {
  check_effort<float>();
  if constexpr (measure::kInDouble) check_effort<double>();
}

template <class Method, class S>
void refuse(Status expected, const Problem& p) {
  Solution<S> s{};
  s.residual = S(7);
  s.iterations = 7;
  TEST_ASSERT_EQUAL_STRING(sentence(expected), sentence(solve<Method>(p, s)));
  TEST_ASSERT_TRUE(s.residual >= S(7) && s.residual <= S(7) && s.iterations == 7);
}
template <class Method, class S>
void check_bad_input() {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Problem p = kThree;
    p.M[2][1] = bad;
    refuse<Method, S>(Status::non_finite_input, p);
    p = kThree;
    p.q[2] = -bad;
    refuse<Method, S>(Status::non_finite_input, p);
    p = {1, {{bad}}, {1}};
    refuse<Method, S>(Status::non_finite_input, p);
    // Beyond the size nothing is read.
    p = kThree;
    p.M[3][3] = p.M[0][3] = p.M[3][0] = p.q[3] = bad;
    Solution<S> s{};
    TEST_ASSERT_TRUE(solve<Method>(p, s) == Status::ok);
    TEST_ASSERT_DOUBLE_WITHIN(rounding<S>(), 0, violation(p, s));
  }
  Problem p = kThree;
  p.size = kMost + 1;
  refuse<Method, S>(Status::index_out_of_range, p);
  p.size = -1;
  refuse<Method, S>(Status::index_out_of_range, p);
}
// Finite numbers whose z is not: Lemke refuses, Gauss-Seidel stays at 0 and warns.
template <class S>
void check_overflow() {
  const double least = static_cast<double>(std::numeric_limits<S>::min());
  for (const Problem& p : {Problem{1, {{least}}, {-1e10}}, Problem{2, {{least}, {0, least}}, {-1e10, -1e10}},
                           Problem{3, {{least}, {0, least}, {0, 0, 1}}, {-1e10, -1e10, -1}}}) {
    refuse<Lemke, S>(Status::non_finite_result, p);
    Solution<S> s{};
    s.z[0] = S(7);
    TEST_ASSERT_TRUE(solve<ProjectedGaussSeidel>(p, s) == Status::iterations_exhausted);
    TEST_ASSERT_TRUE(s.z[0] >= S(0) && s.z[0] <= S(0) && s.residual <= S(1));
  }
}
void test_bad_input() {
  check_bad_input<Lemke, float>();
  if constexpr (measure::kInDouble) check_bad_input<Lemke, double>();
  check_bad_input<ProjectedGaussSeidel, float>();
  if constexpr (measure::kInDouble) check_bad_input<ProjectedGaussSeidel, double>();
  check_overflow<float>();
  if constexpr (measure::kInDouble) check_overflow<double>();
}

// G Gᵀ of small integers, of full rank or not, and q = w - M z of complementary integers, some of them both zero.
template <class S>
void check_random() {
  measure::Random random(5);
  measure::Worst error;
  int dependent = 0;
  for (int k = 0; k < 20 + 5 * measure::kEffort; ++k) {
    const auto number = [&](double size) { return std::floor(random.within(size) + 0.5); };
    const int size = 2 + k % (kMost - 1);
    const int rank = 1 + (k / 3) % size;
    double G[kMost][kMost];
    for (int i = 0; i < size; ++i)
      for (int l = 0; l < rank; ++l) G[i][l] = number(2);
    Problem p{};
    p.size = size;
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j)
        for (int l = 0; l < rank; ++l) p.M[i][j] += G[i][l] * G[j][l];
    double w[kMost];
    for (int i = 0; i < size; ++i) p.q[i] = w[i] = std::max(number(3), 0.0);
    for (int j = 0; j < size; ++j) {
      const double z = w[j] > 0 ? 0 : std::max(number(3), 0.0);
      for (int i = 0; i < size; ++i) p.q[i] -= p.M[i][j] * z;
    }
    Solution<S> s{};
    TEST_ASSERT_EQUAL_STRING(sentence(Status::ok), sentence(solve<Lemke>(p, s)));
    dependent += rank < size ? 1 : 0;
    for (int i = 0; i < size; ++i)
      error.see(w[i], static_cast<double>(s.w[i]), std::max(measure::largest(p.q, size), 1.0));
  }
  TEST_ASSERT_TRUE(dependent > 5);
  // The worst of all is a nearly dependent basis, through which w is known to the root of a rounding at worst (oracle.lcps).
  measure::assert_below<S>(measure::bound<S>(1e-4, 1e-12), error, "w against the one that q was made of");
}
void test_random() {
  check_random<float>();
  if constexpr (measure::kInDouble) check_random<double>();
}

}  // namespace

KINECAST_SUITE(lcp, test_known, test_one, test_ties, test_dependent_rows, test_table, test_contradictions, test_units,
               test_effort, test_bad_input, test_random)

}  // namespace unit_lcp
