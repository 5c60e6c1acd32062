// SPDX-License-Identifier: MIT
// The six-axis problem of volume contact (method 6.3) against golden/f_qp6_*: min ½ xᵀGx + gᵀx, Cx >= 0, in the papers'
// form and in the energy form, by the library's solver; and from the pose on, by a step of a predictor, where no
// friction limits the wrench.
#pragma once

#include <kinecast/solve/inequality_qp.hpp>

#include <Eigen/Dense>

#include <limits>
#include <string>
#include <vector>

#include "golden_table.hpp"
#include "support/errors.hpp"
#include "support/report.hpp"
#include "volume_cube.hpp"

namespace volume {

struct QpCase {
  int id{}, form{}, kind{}, rows{}, active{};
  Start start;
  Eigen::Matrix<double, 6, 6> G;
  Six g, x;
  Eigen::MatrixXd C;
};

inline std::vector<QpCase> read_qp_cases(const std::string& path) {
  const oracle::GoldenTable table = oracle::read_table(path);
  const std::size_t pose = table.block("px", "qz", 7);
  const std::size_t twist = table.block("vx", "wz", 6);
  const std::size_t G = table.block("G00", "G55", 36);
  const std::size_t g = table.block("g0", "g5", 6);
  const std::size_t C = table.block("C00", "C85", 54);
  const std::size_t x = table.block("x0", "x5", 6);
  std::vector<QpCase> cases;
  for (const auto& row : table.rows) {
    QpCase c;
    c.id = static_cast<int>(row[0]), c.form = static_cast<int>(row[1]), c.kind = static_cast<int>(row[2]);
    c.rows = static_cast<int>(row[3]), c.active = static_cast<int>(row.back());
    c.start.position = {row[pose], row[pose + 1], row[pose + 2]};
    c.start.turn = {row[pose + 3], row[pose + 4], row[pose + 5], row[pose + 6]};
    c.C.resize(c.rows, 6);
    for (std::size_t i = 0; i < 6; ++i) {
      const int at = static_cast<int>(i);
      (i < 3 ? c.start.linear : c.start.angular)(at % 3) = row[twist + i];
      c.g(at) = row[g + i];
      c.x(at) = row[x + i];
      for (std::size_t j = 0; j < 6; ++j) c.G(at, static_cast<int>(j)) = row[G + 6 * i + j];
      for (int r = 0; r < c.rows; ++r) c.C(r, at) = row[C + 6 * static_cast<std::size_t>(r) + i];
    }
    cases.push_back(c);
  }
  return cases;
}

// Forces, and moments over half a side, relative to the largest of the truth.
[[nodiscard]] inline double wrench_error(const Six& ours, const Six& truth) {
  Six scale;
  scale << 1, 1, 1, 2 / kSide_m, 2 / kSide_m, 2 / kSide_m;
  return support::relative_error(scale.cwiseProduct(ours), scale.cwiseProduct(truth));
}

// Lambda of a case, as the file's header says.
[[nodiscard]] inline Six relaxation_of(const QpCase& c) {
  Six lambda;
  if (c.form == 0) {
    lambda.head<3>().setConstant(1e-4);
    lambda.tail<3>().setConstant(1e-4 / (kSide_m * kSide_m));
  } else {
    constexpr double kRelative = 1e-3;  // of the mean mobility, which is in G's trace with it
    lambda.head<3>().setConstant(kRelative / (1 + kRelative) * c.G.topLeftCorner<3, 3>().trace() / 3);
    lambda.tail<3>().setConstant(kRelative / (1 + kRelative) * c.G.bottomRightCorner<3, 3>().trace() / 3);
  }
  return lambda;
}

// The library's solver on the golden matrices: G = Z Zᵀ + Lambda, Z from eigenvectors.
template <class S>
[[nodiscard]] Status solve_case(const QpCase& c, Six& x) {
  const Six lambda = relaxation_of(c);
  const Eigen::Matrix<double, 6, 6> rest = c.G - Eigen::Matrix<double, 6, 6>(lambda.asDiagonal());
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> eigen(0.5 * (rest + rest.transpose()));
  kinecast::FactoredProblem<S, 6, 6> problem{};
  kinecast::Inequalities<S, 6, 9> rows{};
  kinecast::FactoredSolution<S, 6, 6> solution{};
  problem.unknowns = 6;
  problem.rank = 6;
  problem.is_symmetric = true;
  rows.rows = c.rows;
  for (int i = 0; i < 6; ++i) {
    problem.offset[i] = static_cast<S>(c.g(i));
    problem.lambda[i] = static_cast<S>(lambda(i));
    for (int k = 0; k < 6; ++k)
      problem.row[i][k] = static_cast<S>(eigen.eigenvectors()(i, k) * std::sqrt(std::max(0.0, eigen.eigenvalues()(k))));
    for (int r = 0; r < c.rows; ++r) rows.G[r][i] = static_cast<S>(c.C(r, i));
  }
  const Status status = solve_with_inequalities(problem, rows, solution);
  for (int i = 0; i < 6; ++i) x(i) = static_cast<double>(solution.x[i]);
  return status;
}

// Rows that are at their bound in the truth and not in x, or well away from it and in x beyond it. (Two contacts are so
// narrow that all their rows are rounding.)
[[nodiscard]] inline int wrong_rows(const QpCase& c, const Six& x, double rounding) {
  int wrong = 0;
  for (int r = 0; r < c.rows; ++r) {
    const double size = c.C.row(r).cwiseAbs().maxCoeff() * c.x.cwiseAbs().maxCoeff();
    const double ours = c.C.row(r).dot(x);
    const bool is_active = (c.active >> r & 1) != 0;
    if (is_active ? std::abs(ours) > rounding * size : c.C.row(r).dot(c.x) > rounding * size && ours < 0) ++wrong;
  }
  return wrong;
}

// Bounds: double keeps the sixteen digits that the file has but for the condition of G. Float's: the relaxation divides
// its digit of 6e-8; in the energy form it is a thousandth of the mobility, and of the moments' a tenth of that; in the
// papers' it is larger.
template <class S>
void score_qp_solver(const std::vector<QpCase>& cases, support::Report& report) {
  constexpr bool kIsFloat = sizeof(S) == sizeof(float);
  for (const int form : {0, 1}) {
    const double bound = kIsFloat ? (form == 0 ? 1e-4 : 1e-3) : 1e-9;
    support::Maximum error;
    support::Maximum null;  // the minimum without inequalities
    int count = 0;
    int wrong = 0;
    for (const QpCase& c : cases) {
      if (c.form != form) continue;
      Six x;
      if (solve_case<S>(c, x) != Status::ok) report.fail("f_qp6 case " + std::to_string(c.id) + " is not solved");
      error.see(wrench_error(x, c.x));
      null.see(wrench_error(-c.G.ldlt().solve(c.g), c.x));
      wrong += wrong_rows(c, x, bound);
      ++count;
    }
    if (count != 15) report.fail("f_qp6: not fifteen cases of either form");
    const std::string name = form == 0 ? "velocity form" : "energy form";
    report.add({"golden", "qp6 solution", name, support::scalar_name<S>(), error.value(), bound, "relative",
                support::kNone, null.value()});
    report.add({"golden", "qp6 active rows", name, support::scalar_name<S>(), double(wrong), 0, "rows"});
  }
}

// From the pose on: geometry, Q and w, the problem and its solution, in one step of a predictor. Contacts as wide as
// the cube whose centre of pressure is inside (kind 0) stick on a floor that is rough enough; narrower ones cannot hold
// the moment, or are where golden and library cut the pseudo-inverse at different widths. Where nothing presses (kind
// 3) there must be no force at all (method 6.4, FIX 27), with any friction.
template <class S, class Model>
void score_qp_from_pose(const std::vector<QpCase>& cases, int form, Material material, support::Report& report) {
  Rig<S, kFloor, Model> slippery(material, golden_parameters<S>());
  material.static_friction = material.kinetic_friction = 100;
  Rig<S, kFloor, Model> rough(material, golden_parameters<S>());
  support::Maximum error;
  support::Maximum without;
  support::Maximum null;
  int count = 0;
  int empty = 0;
  for (const QpCase& c : cases) {
    const bool is_flat = std::abs(1 - c.start.turn.w()) < 1e-8;
    if (c.form != form || !(c.kind == 3 || (c.kind == 0 && is_flat))) continue;
    auto& rig = c.kind == 3 ? slippery : rough;
    rig.start(c.start);
    rig.step();
    Six ours;
    ours << rig.force() * kStep_s, rig.moment() * kStep_s;
    if (c.kind == 3) {
      without.see(ours.cwiseAbs().maxCoeff() / c.x.cwiseAbs().maxCoeff());
      ++empty;
    } else {
      error.see(wrench_error(ours, c.x));
      Six weight = Six::Zero();
      weight(2) = kWeight_N * kStep_s;
      null.see(wrench_error(weight, c.x));
      ++count;
    }
  }
  const std::string name = form == 0 ? "velocity form" : "energy form";
  if (count == 0 || empty == 0) report.fail("f_qp6: no cases to step from, " + name);
  constexpr bool kIsFloat = sizeof(S) == sizeof(float);
  report.add({"golden", "qp6 from the pose", name, support::scalar_name<S>(), error.value(), kIsFloat ? 1e-3 : 1e-10,
              "relative", support::kNone, null.value()},
             (std::to_string(count) + " cases").c_str());
  // What solving leaves: ten thousand roundings, since the moments of a contact as wide as a hair have large entries.
  report.add(
      {"golden", "qp6 without pressure", name, support::scalar_name<S>(), without.value(),
       1e4 * static_cast<double>(std::numeric_limits<S>::epsilon()), "of the tangential part", support::kNone, 1},
      (std::to_string(empty) + " cases").c_str());
}

}  // namespace volume
