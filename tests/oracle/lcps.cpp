// SPDX-License-Identifier: MIT
// Linear complementarity problems of six kinds (lcp_problems.hpp) against all their complementary bases, Lemke's method against
// projected Gauss-Seidel, float against double, and the golden cases.
//
// Where M is semidefinite z is not unique but w is (method 1.5): w and the residual are compared, in the units of the residual
// (lcp_problem.hpp), over the largest of q and z, of which w is made. How far a problem is from having a solution is the least
// violation of any complementary basis, over the largest q: with none there must be a solution, beyond the band there must not. In
// between, and where z is so large that its rounding reaches the band, either verdict is right.
#include <kinecast/solve/lcp.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden_table.hpp"
#include "lcp_problems.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace {

using kinecast::Status;
using lcps::kKinds;
using lcps::kMost;
using lcps::Problem;
using lcps::Truth;
using lcps::Units;
using support::Report;
using support::scalar_name;

constexpr int kLargestSize = 6;
constexpr int kCases = 1500;  // of each kind and size
constexpr double kBand = 1e-4;

template <class S>
constexpr double by_scalar(double in_float, double in_double) {
  return sizeof(S) == sizeof(float) ? in_float : in_double;
}
template <class S>
constexpr double kEpsilon = static_cast<double>(std::numeric_limits<S>::epsilon());

// All but one in a hundred: twenty roundings of what w is made of.
template <class S>
constexpr double kUsualError = 20 * kEpsilon<S>;

// The worst. If z and z' have residuals r, then |w - w'|² <= |M| (w - w').(z - z') <= |M| 2 n r |z|: where M is nearly singular, w
// is only as good as the root of r, and r is some roundings. 0.5 % in float, 1e-7 in double.
template <class S>
double worst_error() {
  return std::sqrt(2.0 * kLargestSize * kLargestSize * 3 * kEpsilon<S>);
}

// ---- one problem --------------------------------------------------------------------------------------------------------

template <class S>
using Solution = kinecast::LcpSolution<S, kMost>;

template <class S>
kinecast::Lcp<S, kMost> lcp_of(const Problem& p) {
  kinecast::Lcp<S, kMost> problem{};
  problem.size = p.size;
  for (int i = 0; i < p.size; ++i) {
    problem.q[i] = static_cast<S>(p.q[i]);
    for (int j = 0; j < p.size; ++j) problem.M[i][j] = static_cast<S>(p.M[i][j]);
  }
  return problem;
}

// The largest of z and q, over that of q.
double size_of(const Problem& p, const Units& units, const double* z) {
  double most = 1;
  for (int i = 0; i < p.size; ++i) most = std::max(most, z[i] / units.row[i] / units.q);
  return most;
}

template <class A, class B>
double error_of(const Problem& p, const Units& units, const A* w, const B* truth, double size) {
  double most = 0;
  for (int i = 0; i < p.size; ++i) {
    const double error = std::abs(static_cast<double>(w[i]) - static_cast<double>(truth[i])) * units.row[i] / units.q;
    if (!(error <= most)) most = error;
  }
  return most / size;
}

// Of z, from the numbers that the solver was given, in more digits.
template <class S>
double residual_of(const kinecast::Lcp<S, kMost>& p, const Units& units, const S* z) {
  double most = 0;
  for (int i = 0; i < p.size; ++i) {
    long double w = lcps::wide(p.q[i]);
    for (int j = 0; j < p.size; ++j) w += lcps::wide(p.M[i][j]) * lcps::wide(z[j]);
    const double gap = static_cast<double>(w) * units.row[i];
    const double lack = std::abs(std::min(static_cast<double>(z[i]) / units.row[i], gap)) / units.q;
    if (!(lack <= most)) most = lack;
  }
  return most;
}

// ---- many ---------------------------------------------------------------------------------------------------------------

class Errors {
 public:
  void see(double value) { values_.push_back(std::isnan(value) ? std::numeric_limits<double>::infinity() : value); }
  [[nodiscard]] int count() const { return static_cast<int>(values_.size()); }
  [[nodiscard]] double part(double fraction) {
    if (values_.empty()) return support::kNone;
    std::sort(values_.begin(), values_.end());
    return values_[static_cast<std::size_t>(fraction * static_cast<double>(values_.size() - 1))];
  }
  [[nodiscard]] std::string text() {
    char line[96];
    std::snprintf(line, sizeof line, "p50 %.2g, p99 %.2g, max %.2g of %d", part(0.5), part(0.99), part(1), count());
    return line;
  }

 private:
  std::vector<double> values_;
};

template <class S>
struct Tally {
  Errors w;         // Lemke
  Errors null;      // z = 0
  Errors residual;  // Lemke
  Errors reported;  // its residual against ours
  Errors between;   // the two methods
  int solvable{0};
  int infeasible{0};
  int either{0};
  int wrong{0};
  int warned{0};
  int settled{0};        // Gauss-Seidel
  int settled_wrong{0};  // where there is nothing to find
  int pivots[kMost + 1]{};
};

// True if this was solved, with its w.
template <class S>
bool compare(const Problem& p, const Units& units, const Truth& truth, Tally<S>& tally, Solution<S>& found) {
  const auto problem = lcp_of<S>(p);
  const double size = size_of(p, units, truth.z);
  const bool must_solve = truth.lack < 1e-11 && size * kEpsilon<S> < kBand;
  const bool must_refuse = truth.lack > kBand;
  const Status status = kinecast::solve_lcp(problem, found);
  Solution<S> swept{};
  const Status sweeps = kinecast::solve_lcp<kinecast::ProjectedGaussSeidel>(problem, swept);
  if (must_refuse) {
    ++tally.infeasible;
    if (status != Status::infeasible) ++tally.wrong;
    if (sweeps != Status::iterations_exhausted) ++tally.settled_wrong;
    return false;
  }
  if (!must_solve) {
    ++tally.either;
    return false;
  }
  ++tally.solvable;
  if (!ok(status)) {
    ++tally.wrong;
    return false;
  }
  tally.warned += status == Status::ok ? 0 : 1;
  tally.w.see(error_of(p, units, found.w, truth.w, size));
  tally.null.see(error_of(p, units, p.q, truth.w, size));
  const double residual = residual_of(problem, units, found.z);
  tally.residual.see(residual / size);
  tally.reported.see(std::abs(static_cast<double>(found.residual) - residual) / size);
  tally.pivots[p.size] = std::max(tally.pivots[p.size], found.iterations);
  if (sweeps == Status::ok) {
    ++tally.settled;
    tally.between.see(error_of(p, units, swept.w, found.w, size));
  }
  return true;
}

template <class S>
void report_kind(int kind, Tally<S>& t, Report& report) {
  const std::string label = lcps::kKindName[kind];
  const char* scalar = scalar_name<S>();
  char note[192];
  std::snprintf(note, sizeof note, "%d solvable, %d not, %d either", t.solvable, t.infeasible, t.either);
  report.add({"bases", "verdict wrong", label, scalar, static_cast<double>(t.wrong), 0, "count"}, note);
  if (t.solvable < 2 * kCases) report.fail(label + ": too few that have a solution");
  if (kind == 5 && t.infeasible < 2 * kCases) report.fail(label + ": too few that have none");
  support::Score score{"bases", "w error p99", label, scalar, t.w.part(0.99), kUsualError<S>};
  score.null = t.null.part(0.99);
  report.add(score, t.w.text().c_str());
  report.add({"bases", "w error max", label, scalar, t.w.part(1), worst_error<S>()});
  report.add({"bases", "residual p99", label, scalar, t.residual.part(0.99), kUsualError<S>},
             t.residual.text().c_str());
  // Rounding of a sum of up to seven terms, none larger than `size`.
  report.add({"bases", "residual as reported", label, scalar, t.reported.part(1), 7 * kEpsilon<S>});
  // Its residual is above Tolerance::kFeasible, which large z reach by rounding.
  report.add({"bases", "warned", label, scalar, static_cast<double>(t.warned) / t.solvable, by_scalar<S>(1e-3, 0)});
  std::snprintf(note, sizeof note, "%d of %d settled; w: %s", t.settled, t.solvable, t.between.text().c_str());
  // Its step is below 8 roundings then; the rest of the way is some times that.
  report.add({"methods", "w p99", label, scalar, t.between.part(0.99), 5 * kUsualError<S>}, note);
  report.add({"methods", "w max", label, scalar, t.between.part(1), worst_error<S>()});
  // 200 sweeps are enough for most.
  report.add({"methods", "not settled", label, scalar, 1 - static_cast<double>(t.settled) / t.solvable, 0.15});
  if (kind == 5)
    report.add({"methods", "settled on nothing", label, scalar, static_cast<double>(t.settled_wrong), 0, "count"});
}

void compare_random(Report& report) {
  lcps::Random random(41);
  int pivots[2][kMost + 1]{};
  for (int kind = 0; kind < kKinds; ++kind) {
    Tally<double> in_double;
    Tally<float> in_float;
    Errors between;
    int without_truth = 0;
    for (int size = 1; size <= kLargestSize; ++size) {
      for (int k = 0; k < kCases; ++k) {
        const Problem p = lcps::random_problem(random, kind, size);
        const Units units = lcps::units_of(p);
        const Truth truth = lcps::enumerate(p, units);
        without_truth += kind != 5 && !(truth.lack < 1e-11) ? 1 : 0;
        Solution<double> fine{};
        Solution<float> coarse{};
        const bool is_fine = compare(p, units, truth, in_double, fine);
        const bool is_coarse = compare(p, units, truth, in_float, coarse);
        if (is_fine && is_coarse) between.see(error_of(p, units, coarse.w, fine.w, size_of(p, units, truth.z)));
      }
    }
    report_kind<double>(kind, in_double, report);
    report_kind<float>(kind, in_float, report);
    const char* label = lcps::kKindName[kind];
    report.add({"scalars", "w p99", label, "float", between.part(0.99), kUsualError<float>}, between.text().c_str());
    // By construction.
    if (kind != 5 && without_truth > 0) report.fail(std::string(label) + ": no basis is a solution");
    for (int n = 1; n <= kLargestSize; ++n) {
      pivots[0][n] = std::max(pivots[0][n], in_float.pivots[n]);
      pivots[1][n] = std::max(pivots[1][n], in_double.pivots[n]);
    }
  }
  // Both runs together stay within the bound of one.
  for (int n = 1; n <= kLargestSize; ++n) {
    for (int i = 0; i < 2; ++i) {
      report.add({"bases", "most pivots", "size " + std::to_string(n), i == 0 ? "float" : "double",
                  static_cast<double>(pivots[i][n]), static_cast<double>(kinecast::Lemke::most_pivots(n)), "count"});
    }
  }
}

// ---- golden -------------------------------------------------------------------------------------------------------------

#if defined(KINECAST_GOLDEN_DIR)
template <class S>
void compare_golden(Report& report) {
  const auto table = oracle::read_table(KINECAST_GOLDEN_DIR "/e_lcp_cases_first30.csv");
  const std::size_t matrix = table.block("M00", "M77", kMost * kMost);
  const std::size_t vector = table.block("q0", "q7", kMost);
  const std::size_t slack = table.block("w0", "w7", kMost);
  if (table.rows.size() != 30) throw std::runtime_error(table.file + ": not 30 cases");
  support::Maximum w;
  support::Maximum residual;
  support::Maximum swept_w;
  support::Maximum null;
  int wrong = 0;
  int solved = 0;
  int settled = 0;
  for (const auto& row : table.rows) {
    Problem p;
    p.kind = static_cast<int>(row[1]);
    p.size = static_cast<int>(row[2]);
    if (p.size < 1 || p.size > kMost) throw std::runtime_error(table.file + ": a case of no size");
    for (int i = 0; i < p.size; ++i) {
      p.q[i] = row[vector + static_cast<std::size_t>(i)];
      for (int j = 0; j < p.size; ++j) p.M[i][j] = row[matrix + static_cast<std::size_t>(kMost * i + j)];
    }
    const Units units = lcps::units_of(p);
    const auto problem = lcp_of<S>(p);
    const double* truth = row.data() + slack;
    Solution<S> found{};
    const Status status = kinecast::solve_lcp(problem, found);
    wrong += status == (row[3] > 0.5 ? Status::ok : Status::infeasible) ? 0 : 1;
    Solution<S> swept{};
    const Status sweeps = kinecast::solve_lcp<kinecast::ProjectedGaussSeidel>(problem, swept);
    wrong += row[3] < 0.5 && sweeps != Status::iterations_exhausted ? 1 : 0;
    if (!(row[3] > 0.5) || !ok(status)) continue;
    ++solved;
    w.see(error_of(p, units, found.w, truth, 1));
    null.see(error_of(p, units, p.q, truth, 1));
    residual.see(residual_of(problem, units, found.z));
    if (sweeps != Status::ok) continue;
    ++settled;
    swept_w.see(error_of(p, units, swept.w, truth, 1));
  }
  const std::string label = std::to_string(solved) + " solved";
  report.add({"golden", "verdict wrong", label, scalar_name<S>(), static_cast<double>(wrong), 0, "count"});
  // Well conditioned: the rounding of a few products. The golden kinds 1 and 3 were made with 1e-12 on the diagonal.
  support::Score score{"golden", "w", label, scalar_name<S>(), w.value(), by_scalar<S>(1e-5, 1e-11)};
  score.null = null.value();
  report.add(score);
  report.add({"golden", "residual", label, scalar_name<S>(), residual.value(), by_scalar<S>(1e-5, 1e-13)});
  report.add({"golden", "w of Gauss-Seidel", std::to_string(settled) + " settled", scalar_name<S>(), swept_w.value(),
              by_scalar<S>(1e-4, 1e-11)});
  if (settled < 20) report.fail("golden: projected Gauss-Seidel settles too seldom");
}
#endif

void measure(Report& report) {
#if defined(KINECAST_GOLDEN_DIR)
  compare_golden<double>(report);
  compare_golden<float>(report);
#else
  Report::remark("golden cases skipped: no golden folder (set KINECAST_DATA_DIR)");
#endif
  compare_random(report);
}

}  // namespace

const support::Program support::program{"lcps", measure};
