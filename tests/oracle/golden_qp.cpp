// SPDX-License-Identifier: MIT
// The contact solvers against dense matrices in double: the golden cases of the papers' form, the accuracy of float on random
// boxes, and 10⁵ random problems, degenerate ones too, of which every one must end within the cap and be feasible.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "qp_truth.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace {

using kinecast::FactoredProblem;
using kinecast::FactoredSolution;
using kinecast::Status;
using qp::Dense;
using qp::Form;

const char* name_of(Form form) { return form == Form::energy ? "energy" : "velocity"; }

// ---- golden -------------------------------------------------------------------------------------------------------------

void compare_golden(support::Report& report) {
  constexpr int kMost = 24;
  using Problem = FactoredProblem<double, kMost, kMost>;
  std::ifstream file(KINECAST_GOLDEN_DIR "/qp_cases_first40.csv");
  if (!file) throw std::runtime_error("qp_cases_first40.csv cannot be read");
  support::Maximum residual;
  support::Maximum difference;
  int cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    for (char& c : line) c = c == ',' ? ' ' : c;
    std::istringstream in(line);
    int id = 0;
    int points = 0;
    double lambda = 0;
    in >> id >> points >> lambda;
    const int n = 3 * points;
    Eigen::MatrixXd A(n, n);
    Eigen::VectorXd c(n);
    Eigen::VectorXd truth(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) in >> A(i, j);
    for (int i = 0; i < n; ++i) in >> c(i);
    for (int i = 0; i < n; ++i) in >> truth(i);
    if (!in || n > kMost) throw std::runtime_error("qp_cases_first40.csv: a line of another shape");

    // A = Y Yᵀ from its eigenvectors, without those of rounding.
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
    Problem p{};
    p.unknowns = n;
    p.is_symmetric = true;
    for (int k = 0; k < n; ++k) {
      if (eigen.eigenvalues()(k) < 1e-12 * eigen.eigenvalues()(n - 1)) continue;
      for (int i = 0; i < n; ++i) p.row[i][p.rank] = eigen.eigenvectors()(i, k) * std::sqrt(eigen.eigenvalues()(k));
      ++p.rank;
    }
    for (int i = 0; i < n; ++i) {
      p.offset[i] = c(i);
      p.lambda[i] = lambda;
      p.is_bounded[i] = i % 3 == 0;
    }
    FactoredSolution<double, kMost, kMost> s{};
    if (solve_velocity_form(p, s) != Status::ok) report.fail("golden case " + std::to_string(id) + " is not solved");
    const Eigen::VectorXd x = qp::impulses(s, n);
    residual.see(Dense(p).violation(Form::velocity, x));
    difference.see(support::relative_error(x, truth));
    ++cases;
  }
  if (cases != 40) report.fail("qp_cases_first40.csv has another number of cases");
  report.add({"golden", "qp_velocity KKT", "40 cases", "double", residual.value(), 1e-10});
  report.add({"golden", "qp_velocity solution", "40 cases", "double", difference.value(), 1e-9});
}

// ---- float on boxes -----------------------------------------------------------------------------------------------------

double p99(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() * 99 / 100];
}

enum class Relaxation { uniform, over_mobility, of_mobility };

// How lambda is chosen: as the papers do, or per unknown from its own mobility A_ii.
void relax(qp::BoxProblem& p, Relaxation how, double lambda) {
  for (int i = 0; i < p.unknowns; ++i) {
    double mobility = 0;
    for (int k = 0; k < p.rank; ++k) mobility += p.row[i][k] * (p.is_symmetric ? p.row[i][k] : p.column[i][k]);
    const double value = how == Relaxation::uniform         ? lambda
                         : how == Relaxation::over_mobility ? lambda / mobility
                                                            : lambda * mobility;
    p.lambda[i] = value;
  }
}

void measure_float(Form form, bool slides, qp::Masses masses, Relaxation how, double lambda, double bound,
                   support::Report& report) {
  constexpr int kBoxes = 4000;
  qp::Random random(20260101);
  std::vector<double> impulse;
  std::vector<double> velocity;
  std::vector<double> reported;
  int failures = 0;
  int missed = 0;   // the double solver gave up, but there is a solution
  int without = 0;  // there is none
  for (int box = 0; box < kBoxes; ++box) {
    qp::BoxProblem p = qp::random_box(random, slides, masses);
    relax(p, how, lambda);
    const Dense dense(p);
    FactoredSolution<double, 6, 18> exact{};
    Eigen::VectorXd truth;
    if (qp::solve(form, p, exact) == Status::ok) truth = dense.solution(form, exact.at_bound);
    if (truth.size() == 0 || !dense.is_solution(form, truth)) {
      ++(dense.has_solution(form) ? missed : without);
      continue;
    }
    FactoredSolution<float, 6, 18> s{};
    if (qp::solve(form, qp::cast<float>(p), s) != Status::ok) {
      ++failures;
      continue;
    }
    const Eigen::VectorXd x = qp::impulses(s, p.unknowns);
    const Eigen::VectorXd v = dense.A * truth + dense.c;
    const double size_v = dense.c.cwiseAbs().maxCoeff();
    const double size_x = truth.cwiseAbs().maxCoeff();
    velocity.push_back((dense.A * (x - truth)).cwiseAbs().maxCoeff() / size_v);
    reported.push_back((qp::velocities(qp::cast<float>(p), s) - v).cwiseAbs().maxCoeff() / size_v);
    impulse.push_back((x - truth).cwiseAbs().maxCoeff() / (size_x > 0 ? size_x : 1));
  }
  const char* rule = how == Relaxation::uniform ? "" : how == Relaxation::over_mobility ? " /A_ii" : " *A_ii";
  char label[64];
  std::snprintf(label, sizeof label, "%s %g%s%s", slides ? "slide" : "stick", lambda, rule,
                masses == qp::Masses::uniform ? "" : " light");
  const std::string set = std::string("qp_") + name_of(form);
  char note[96];
  std::snprintf(note, sizeof note, "worst %.2g, from t p99 %.2g worst %.2g",
                *std::max_element(velocity.begin(), velocity.end()), p99(reported),
                *std::max_element(reported.begin(), reported.end()));
  report.add({set, "velocity p99", label, "float", p99(velocity), bound}, note);
  std::snprintf(note, sizeof note, "worst %.2g", *std::max_element(impulse.begin(), impulse.end()));
  report.add({set, "impulse p99", label, "float", p99(impulse), bound}, note);
  std::snprintf(note, sizeof note, "%d of them in double too, %d more boxes have no solution", missed, without);
  // Steep friction costs the energy form the positive minors that the proof of termination needs: printed, not gated.
  const bool gated = !std::isnan(bound) && !(slides && form == Form::energy);
  report.add(
      {set, "not solved", label, "float", static_cast<double>(failures + missed), gated ? 0 : support::kNone, "count"},
      note);
}

// ---- any problem --------------------------------------------------------------------------------------------------------

template <class S>
void try_many(Form form, bool symmetric, support::Report& report) {
  constexpr int kProblems = 100000;
  qp::Random random(7);
  std::vector<int> histogram;
  int exhausted = 0;
  int infeasible = 0;
  long long total = 0;
  std::vector<double> violations;
  for (int k = 0; k < kProblems; ++k) {
    qp::AnyProblem in = qp::random_problem(random);
    in.is_symmetric = symmetric;
    const auto p = qp::cast<S>(in);
    FactoredSolution<S, 6, 12> s{};
    const Status status = qp::solve(form, p, s);
    if (!kinecast::ok(status)) {
      report.fail(std::string("a random problem ended with: ") + kinecast::sentence(status));
      continue;
    }
    exhausted += status == Status::iterations_exhausted ? 1 : 0;
    for (int i = 0; i < p.unknowns; ++i)
      infeasible += !(s.x[i] >= 0) && (p.is_bounded[i] || std::isnan(s.x[i])) ? 1 : 0;
    if (status == Status::ok) violations.push_back(Dense(p).violation(form, qp::impulses(s, p.unknowns)));
    if (static_cast<int>(histogram.size()) <= s.iterations)
      histogram.resize(static_cast<std::size_t>(s.iterations) + 1);
    ++histogram[static_cast<std::size_t>(s.iterations)];
    total += s.iterations;
  }
  const std::string set = std::string("qp_") + name_of(form);
  const std::string label = symmetric ? "any stick" : "any slide";
  std::string counts = "iterations";
  for (std::size_t i = 1; i < histogram.size(); ++i)
    if (histogram[i] != 0) counts += ' ' + std::to_string(i) + ':' + std::to_string(histogram[i]);
  const char* scalar = support::scalar_name<S>();
  report.add({set, "infeasible", label, scalar, static_cast<double>(infeasible), 0, "count"});
  report.add({set, "cap reached", label, scalar, static_cast<double>(exhausted), support::kNone, "count"});
  report.add({set, "iterations mean", label, scalar, static_cast<double>(total) / kProblems, support::kNone, "count"},
             counts.c_str());
  report.add({set, "KKT p99", label, scalar, p99(violations), sizeof(S) == sizeof(double) ? 1e-9 : support::kNone});
  report.add(
      {set, "KKT worst", label, scalar, *std::max_element(violations.begin(), violations.end()), support::kNone});
}

void measure(support::Report& report) {
  compare_golden(report);
  constexpr double kBound = 1e-3;  // of the issue that asked for the solvers
  using qp::Masses;
  using support::kNone;
  for (const bool slides : {false, true}) {
    for (const double lambda : {1e-4, 1e-2, 1.0})
      measure_float(Form::velocity, slides, Masses::uniform, Relaxation::uniform, lambda, kBound, report);
    for (const double lambda : {1e-4, 1e-3, 1e-2, 1e-1})
      measure_float(Form::energy, slides, Masses::uniform, Relaxation::of_mobility, lambda,
                    lambda < 1e-3 ? kNone : kBound, report);
    // lambda/A_ii is what makes the energy form as stiff as the papers' absolute lambda: for light bodies a relaxation of 1e-6
    // A_ii and less, beyond what float can hold.
    for (const double lambda : {1e-4, 1e-2, 1.0})
      measure_float(Form::energy, slides, Masses::uniform, Relaxation::over_mobility, lambda,
                    lambda < 1 ? kNone : kBound, report);
    measure_float(Form::velocity, slides, Masses::mostly_light, Relaxation::uniform, 1e-4, kNone, report);
    measure_float(Form::energy, slides, Masses::mostly_light, Relaxation::of_mobility, 1e-4, kNone, report);
  }
  for (const Form form : {Form::energy, Form::velocity})
    for (const bool symmetric : {true, false}) {
      try_many<float>(form, symmetric, report);
      try_many<double>(form, symmetric, report);
    }
}

}  // namespace

const support::Program support::program{"oracle.golden_qp", measure};
