// SPDX-License-Identifier: MIT
// Prescribed accelerations, velocity jumps and one-sided constraints (control/constraints.hpp) against the golden
// cases, and random sets on an arm, a golden seven-axis arm and a floating tree against dense matrices in double:
// Jacobians and inertia of the textbook (support/dense_reference.hpp), Eigen's singular values, and for one-sided sets all
// active sets, one after the other.
#include <kinecast/control/constraints.hpp>
#include <kinecast/dynamics/forward_dynamics.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden_robots.hpp"
#include "golden_table.hpp"
#include "robots/arm6.hpp"
#include "robots/zoo.hpp"
#include "states.hpp"
#include "support/dense_reference.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/require.hpp"

namespace {

using kinecast::Constraints;
using kinecast::MotionRow;
using kinecast::Status;
using support::Maximum;
using support::relative_error;
using support::require;

// Both sides are exact formulas rounded in double; nine digits leave six for the conditioning of K.
constexpr double kDoubleBound = 1e-9;

// ---- golden
// -------------------------------------------------------------------------------------------------------------

struct GoldenErrors {
  Maximum K, y0, force, residual, rates;
  int cases{0};
  int verdicts{0};  // that are wrong
};

template <const auto& R, class S>
class GoldenCase {
 public:
  using Shape = kinecast::Shape<R>;
  static constexpr int kDofs = Shape::kDofs;
  static constexpr int kMost = 4;

  GoldenCase(const oracle::GoldenTable& table, const std::vector<double>& values) : table_(table), values_(values) {}

  void compare(GoldenErrors& errors) {
    const int kind = static_cast<int>(value("kind"));
    const int m = static_cast<int>(value("m"));
    const auto q = read<S>("q", Shape::kPositions);
    const auto dq = read<S>("dq", kDofs);
    const auto tau = read<S>("tau", kDofs);
    Constraints<S, kMost, kMost> set;
    for (int i = 0; i < m; ++i) {
      const std::string n = std::to_string(i);
      set.equal(row(i), static_cast<S>(value("yd_" + n)));
      if (kind == 2) set.steer_by(joint(static_cast<int>(value("pj" + n))));
    }
    kinecast::Workspace<R, S> work;
    kinecast::Velocity<R, S> ddq;
    require(forward_dynamics(kinecast::model<R, S>, q, dq, tau, work, ddq), "forward_dynamics");
    kinecast::ConstraintMap<R, S, kMost, kMost> map;
    kinecast::ConstraintResult<R, S, kMost, kMost> result;
    Status status = Status::ok;
    if (kind == 4) {
      require(map_velocities(kinecast::model<R, S>, dq, set, work, map), "map_velocities");
      status = constrain_velocities(kinecast::model<R, S>, dq, set, work, result);
    } else {
      require(map_accelerations(kinecast::model<R, S>, dq, ddq, set, work, map), "map_accelerations");
      status = constrain_accelerations(kinecast::model<R, S>, dq, ddq, set, work, result);
    }
    require(status, "constrain");
    Eigen::MatrixXd K(m, m), K_truth(m, m);
    Eigen::VectorXd y0(m), y0_truth(m), f(m), f_truth(m), rates(kDofs), rates_truth(kDofs), yd(m);
    for (int i = 0; i < m; ++i) {
      const std::string n = std::to_string(i);
      for (int j = 0; j < m; ++j) {
        K(i, j) = static_cast<double>(map.response(i, j));
        K_truth(i, j) = value("K" + n + std::to_string(j));
      }
      y0(i) = static_cast<double>(map.y0[i]), y0_truth(i) = value("y0_" + n), yd(i) = value("yd_" + n);
      f(i) = static_cast<double>(result.force[static_cast<std::size_t>(i)]), f_truth(i) = value("f_" + n);
    }
    for (int k = 0; k < kDofs; ++k)
      rates(k) = static_cast<double>(result.rates[k]), rates_truth(k) = value("ddq" + std::to_string(k));
    errors.K.see(relative_error(K, K_truth));
    errors.y0.see(relative_error(y0, y0_truth));
    errors.force.see(relative_error(f, f_truth));
    errors.rates.see(relative_error(rates, rates_truth));
    // The residual of consistent demands is rounding on both sides: relative to what was asked for.
    const double scale = (yd - y0_truth).norm();
    errors.residual.see(std::abs(static_cast<double>(result.residual) - value("resid")) / scale);
    if ((status == Status::inconsistent) != (kind == 3)) ++errors.verdicts;
    ++errors.cases;
  }

 private:
  double value(const std::string& name) const {
    const auto found = std::find(table_.columns.begin(), table_.columns.end(), name);
    if (found == table_.columns.end()) throw std::runtime_error(table_.file + ": no column " + name);
    return values_[static_cast<std::size_t>(found - table_.columns.begin())];
  }
  template <class V>
  auto read(const std::string& name, int count) const {
    kinecast::Vector<V, kDofs> out;
    for (int i = 0; i < count; ++i) out[i] = static_cast<V>(value(name + std::to_string(i)));
    return out;
  }
  static MotionRow<S> joint(int body) {
    return row_of_joint(kinecast::model<R, S>, Shape::kTree.link_of_body[static_cast<std::size_t>(body)]);
  }
  MotionRow<S> row(int i) const {
    const std::string n = std::to_string(i);
    const int index = static_cast<int>(value("idx" + n));
    if (value("type" + n) < 0.5) return joint(index);
    kinecast::Vector<S, 3> place, direction;
    for (int k = 0; k < 3; ++k) {
      place[k] = static_cast<S>(value("r" + n + "_" + std::to_string(k)));
      direction[k] = static_cast<S>(value("d" + n + "_" + std::to_string(k)));
    }
    return row_of_point(kinecast::point_on_link<R, S>(kinecast::model<R, S>, index, place), direction);
  }

  const oracle::GoldenTable& table_;
  const std::vector<double>& values_;
};

template <class S>
struct CompareGolden {
  const oracle::GoldenTable& table;
  GoldenErrors& errors;
  template <const auto& R>
  void operator()(golden::Visited<R> /*robot*/) const {
    if constexpr (kinecast::Shape<R>::kAllSingleAxis) {
      const auto column = static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), "robot") -
                                                   table.columns.begin());
      const double robot = std::stod(std::string(R.name));  // "6R"; what is no part of a number was read over
      for (const std::vector<double>& row : table.rows)
        if (std::abs(row.at(column) - robot) < 0.5) GoldenCase<R, S>(table, row).compare(errors);
    }
  }
};

template <class S>
void compare_golden(const oracle::GoldenTable& table, support::Report& report) {
  GoldenErrors errors;
  golden::for_each_robot(CompareGolden<S>{table, errors});
  if (errors.cases != static_cast<int>(table.rows.size())) report.fail("golden cases of robots that are not there");
  const double bound = sizeof(S) == sizeof(double) ? kDoubleBound : support::kNone;
  const std::string cases = std::to_string(errors.cases) + " cases";
  const auto add = [&](const char* what, const Maximum& error) {
    report.add({"golden", std::string("constraints ") + what, cases, support::scalar_name<S>(), error.value(), bound});
  };
  add("K", errors.K), add("y0", errors.y0), add("forces", errors.force), add("residual", errors.residual);
  add("rates", errors.rates);
  report.add({"golden", "constraints verdict", cases, support::scalar_name<S>(), static_cast<double>(errors.verdicts),
              0, "count"});
}

// ---- random sets
// --------------------------------------------------------------------------------------------------------

enum class Kind { regular, redundant, inconsistent, unpaired, impact, unilateral, mixed };
constexpr Kind kKinds[] = {Kind::regular, Kind::redundant,  Kind::inconsistent, Kind::unpaired,
                           Kind::impact,  Kind::unilateral, Kind::mixed};
const char* name_of(Kind kind) {
  constexpr const char* kNames[] = {"regular", "redundant",  "inconsistent", "unpaired",
                                    "impact",  "unilateral", "mixed"};
  return kNames[static_cast<int>(kind)];
}

// A row as the textbook has it, and as the library has it.
template <class S>
struct TwinRow {
  MotionRow<S> ours;
  bool is_joint{};
  int link{};
  int other{kinecast::kWorld};
  dense::Vec place{};
  dense::Vec other_place{};
  dense::Vec direction{};
};

struct Figures {
  std::vector<double> K, y0, force, reached, rates;
  int sets{0};
  int wrong_verdicts{0};
  int undecided{0};  // the truth itself is within rounding of both verdicts
  int exhausted{0};
  int hyperstatic{0};
  int longer{0};  // forces of the same effect, but longer than need be
};

double most(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}
double p99(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() * 99 / 100];
}

template <const auto& R, class S>
class RandomSets {
 public:
  using Shape = kinecast::Shape<R>;
  static constexpr int kDofs = Shape::kDofs;
  static constexpr int kMost = 6;
  static constexpr bool kFloat = sizeof(S) == sizeof(float);
  // The library draws its line at 1e-8 (method 1.5), in float at 1e-4; its sums of the terms differ from those here.
  static constexpr double kCertainlyMet = kFloat ? 1e-5 : 1e-9;
  static constexpr double kCertainlyMissed = kFloat ? 1e-3 : 1e-7;

  explicit RandomSets(std::uint64_t seed) : random_(seed) {}

  void run(Kind kind, int sets, Figures& figures) {
    for (int n = 0; n < sets; ++n) try_one(kind, figures);
  }

 private:
  int below(int count) { return std::min(count - 1, static_cast<int>((random_.within(1) + 1) / 2 * count)); }
  dense::Vec random_vec(double size) {
    dense::Vec v{};
    for (int k = 0; k < 3; ++k) v[k] = static_cast<double>(static_cast<S>(random_.within(size)));
    return v;
  }
  static kinecast::Vector<S, 3> cast(const dense::Vec& v) {
    return {static_cast<S>(v[0]), static_cast<S>(v[1]), static_cast<S>(v[2])};
  }
  TwinRow<S> random_joint() {
    for (;;) {
      const int link = below(R.kLinks);
      if (R.link(link).joint != kinecast::JointKind::revolute && R.link(link).joint != kinecast::JointKind::prismatic)
        continue;
      return joint(link);
    }
  }
  static TwinRow<S> joint(int link) {
    TwinRow<S> row;
    row.ours = row_of_joint(kinecast::model<R, S>, link);
    row.is_joint = true;
    row.link = link;
    return row;
  }
  dense::Vec random_direction() {
    for (;;) {
      const dense::Vec v = random_vec(1);
      const double length = std::sqrt(dot(v, v));
      if (length < 0.1) continue;
      dense::Vec unit = (1 / length) * v;
      for (int k = 0; k < 3; ++k) unit[k] = static_cast<double>(static_cast<S>(unit[k]));
      return unit;
    }
  }
  static void finish(TwinRow<S>& row) {
    const auto point = [](int link, const dense::Vec& place) {
      return kinecast::point_on_link<R, S>(kinecast::model<R, S>, link, cast(place));
    };
    row.ours = row.other == kinecast::kWorld
                   ? kinecast::row_of_point<S>(point(row.link, row.place), cast(row.direction))
                   : kinecast::row_between<S>(point(row.link, row.place), point(row.other, row.other_place),
                                              cast(row.direction));
  }
  TwinRow<S> random_row() {
    if (random_.within(1) < -0.2) return random_joint();
    TwinRow<S> row;
    row.link = below(R.kLinks);
    row.place = random_vec(0.3);
    row.direction = random_direction();
    if (random_.within(1) < -0.3) {
      row.other = below(R.kLinks);
      row.other_place = random_vec(0.3);
    }
    finish(row);
    return row;
  }
  // A row that says what another one says: itself, its opposite, or another point of the body on the line along the
  // direction.
  TwinRow<S> repeated(const TwinRow<S>& row, double& sign) {
    TwinRow<S> twin = row;
    sign = 1;
    if (!row.is_joint && random_.within(1) < 0) {
      twin.direction = -1.0 * row.direction;
      sign = -1;
    }
    if (!row.is_joint) finish(twin);
    return twin;
  }

  Eigen::VectorXd jacobian(const TwinRow<S>& row) {
    Eigen::VectorXd j = Eigen::VectorXd::Zero(kDofs);
    if (row.is_joint) {
      j(truth_.entry(row.link).v) = 1;
      return j;
    }
    const auto add = [&](int link, const dense::Vec& place, double sign) {
      if (link == kinecast::kWorld) return;
      truth_.jacobian(link, truth_.point(link, place), J_);
      for (int k = 0; k < kDofs; ++k)
        for (int c = 0; c < 3; ++c) j(k) += sign * row.direction[c] * J_[3 + c][k];
    };
    add(row.link, row.place, 1);
    add(row.other, row.other_place, -1);
    return j;
  }
  // What is left of the row's acceleration without J ddq, after move(dq, null).
  double drift(const TwinRow<S>& row) const {
    if (row.is_joint) return 0;
    const auto of = [&](int link, const dense::Vec& place) {
      if (link == kinecast::kWorld) return 0.0;
      const dense::Vec arm = truth_.rot[link] * place;
      const dense::Vec a =
          truth_.acc[link] + cross(truth_.alpha[link], arm) + cross(truth_.w[link], cross(truth_.w[link], arm));
      return dot(a, row.direction);
    };
    return of(row.link, row.place) - of(row.other, row.other_place);
  }

  static Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& m) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(m, Eigen::ComputeThinU | Eigen::ComputeThinV);
    Eigen::VectorXd inverse = svd.singularValues();
    const double cut = 1e-10 * inverse(0);
    for (double& x : inverse) x = x > cut ? 1 / x : 0;
    return svd.matrixV() * inverse.asDiagonal() * svd.matrixU().transpose();
  }

  void try_one(Kind kind, Figures& figures) {
    // The state, exactly the same for both.
    const oracle::Sample<R, double> drawn = oracle::random_sample<R>(random_, {});
    kinecast::Position<R, S> q = drawn.q.template cast<S>();
    const kinecast::Velocity<R, S> dq = drawn.dq.template cast<S>();
    const kinecast::Velocity<R, S> tau = drawn.tau.template cast<S>();
    const Eigen::VectorXd q64 = q.template cast<double>();
    const Eigen::VectorXd dq64 = dq.template cast<double>();
    const bool jumps = kind == Kind::impact || (kind >= Kind::unilateral && random_.within(1) < 0);

    // The rows.
    std::vector<TwinRow<S>> rows(static_cast<std::size_t>(1 + below(kind == Kind::redundant ? 4 : 5)));
    for (TwinRow<S>& row : rows) row = random_row();
    double sign = 1;
    int original = -1;
    const bool repeats =
        kind == Kind::redundant || kind == Kind::inconsistent || (kind >= Kind::unilateral && random_.within(1) < 0);
    if (repeats) {
      original = below(static_cast<int>(rows.size()));
      rows.push_back(repeated(rows[static_cast<std::size_t>(original)], sign));
    }
    const int m = static_cast<int>(rows.size());
    std::vector<TwinRow<S>> forces = rows;
    if (kind == Kind::unpaired) {
      forces.resize(static_cast<std::size_t>(1 + below(kMost)));
      for (TwinRow<S>& force : forces) force = random_.within(1) < 0.5 ? random_joint() : random_row();
    }
    const int p = static_cast<int>(forces.size());

    // The textbook's K, y0.
    truth_.place(R, q64.data());
    truth_.find_mass_matrix();
    Eigen::MatrixXd H(kDofs, kDofs), Y(m, kDofs), B(p, kDofs);
    for (int i = 0; i < kDofs; ++i)
      for (int j = 0; j < kDofs; ++j) H(i, j) = truth_.M[i][j];
    for (int i = 0; i < m; ++i) Y.row(i) = jacobian(rows[static_cast<std::size_t>(i)]);
    for (int j = 0; j < p; ++j) B.row(j) = jacobian(forces[static_cast<std::size_t>(j)]);
    truth_.move(dq64.data(), nullptr);
    truth_.find_force(bias_);
    Eigen::VectorXd rates = dq64;
    const Eigen::LLT<Eigen::MatrixXd> solve_H(H);
    if (!jumps) {
      Eigen::VectorXd side = tau.template cast<double>();
      for (int k = 0; k < kDofs; ++k) side(k) -= bias_[k];
      rates = solve_H.solve(side);
    }
    Eigen::VectorXd y0 = Y * rates;
    if (!jumps)
      for (int i = 0; i < m; ++i) y0(i) += drift(rows[static_cast<std::size_t>(i)]);
    const Eigen::MatrixXd K = Y * solve_H.solve(B.transpose());

    // The demands.
    Eigen::VectorXd yd(m);
    std::vector<bool> one_sided(static_cast<std::size_t>(m), false);
    for (int i = 0; i < m; ++i) yd(i) = static_cast<double>(static_cast<S>(random_.within(jumps ? 3 : 10)));
    if (repeats) {
      yd(m - 1) = sign * yd(original);
      if (kind == Kind::inconsistent) yd(m - 1) += random_.within(1) < 0 ? -5 : 5;
    }
    for (int i = 0; i < m; ++i)
      one_sided[static_cast<std::size_t>(i)] =
          kind == Kind::unilateral || (kind == Kind::mixed && (i == m - 1 || random_.within(1) < 0));

    Constraints<S, kMost, kMost> set;
    for (int i = 0; i < m; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (one_sided[at])
        set.at_least(rows[at].ours, static_cast<S>(yd(i)));
      else
        set.equal(rows[at].ours, static_cast<S>(yd(i)));
    }
    if (kind == Kind::unpaired)
      for (const TwinRow<S>& force : forces) set.steer_by(force.ours);

    // Ours.
    kinecast::Velocity<R, S> ddq;
    require(forward_dynamics(kinecast::model<R, S>, q, dq, tau, work_, ddq), "forward_dynamics");
    kinecast::ConstraintMap<R, S, kMost, kMost> map;
    kinecast::ConstraintResult<R, S, kMost, kMost> result;
    Status status = Status::ok;
    if (jumps) {
      require(map_velocities(kinecast::model<R, S>, dq, set, work_, map), "map_velocities");
      status = constrain_velocities(kinecast::model<R, S>, dq, set, work_, result);
    } else {
      require(map_accelerations(kinecast::model<R, S>, dq, ddq, set, work_, map), "map_accelerations");
      status = constrain_accelerations(kinecast::model<R, S>, dq, ddq, set, work_, result);
    }
    Eigen::MatrixXd K_ours(m, p);
    Eigen::VectorXd y0_ours(m), f(p), rates_ours = result.rates.template cast<double>();
    for (int i = 0; i < m; ++i) {
      y0_ours(i) = static_cast<double>(map.y0[i]);
      for (int j = 0; j < p; ++j) K_ours(i, j) = static_cast<double>(map.response(i, j));
    }
    for (int j = 0; j < p; ++j) f(j) = static_cast<double>(result.force[static_cast<std::size_t>(j)]);
    ++figures.sets;
    const double size_y = std::max(rates.cwiseAbs().maxCoeff(), y0.cwiseAbs().maxCoeff());
    figures.K.push_back(K.cwiseAbs().maxCoeff() > 0 ? relative_error(K_ours, K) : K_ours.cwiseAbs().maxCoeff());
    figures.y0.push_back((y0_ours - y0).cwiseAbs().maxCoeff() / size_y);
    if (kind >= Kind::unilateral)
      judge_one_sided(K, y0 - yd, one_sided, status, f, solve_H.solve(B.transpose()), rates, rates_ours, figures);
    else
      judge_equal(kind, K, yd - y0, yd.cwiseAbs() + y0.cwiseAbs(), (Y * solve_H.solve(Y.transpose())).diagonal(),
                  B * solve_H.solve(B.transpose()), status, static_cast<double>(result.residual), f,
                  solve_H.solve(B.transpose()), rates, rates_ours, size_y, figures);
  }

  void judge_equal(Kind kind, const Eigen::MatrixXd& K, const Eigen::VectorXd& r, const Eigen::VectorXd& terms,
                   const Eigen::VectorXd& mobility, const Eigen::MatrixXd& load, Status status, double residual,
                   const Eigen::VectorXd& f, const Eigen::MatrixXd& yields, const Eigen::VectorXd& rates,
                   const Eigen::VectorXd& rates_ours, double size_y, Figures& figures) {
    require(status, "constrain");
    const Eigen::VectorXd truth = pseudo_inverse(K) * r;
    const double least = (K * truth - r).norm();
    const double scale = r.norm() + size_y;
    const Eigen::VectorXd rates_truth = rates + yields * truth;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(K);
    const auto& sigma = svd.singularValues();
    // Closer to the cut of 1e-10 the verdict is rounding's. K of unpaired forces is a product that float knows to 1e-6.
    const double resolved = kFloat && kind == Kind::unpaired ? 1e-5 : 1e-8;
    double smallest = sigma(0);
    bool near_cut = false;
    for (const double s : sigma) {
      if (s > 1e-12 * sigma(0) && s < resolved * sigma(0)) near_cut = true;
      if (s > 1e-10 * sigma(0)) smallest = s;
    }
    if (near_cut) {
      ++figures.undecided;
      return;
    }
    const double condition = smallest > 0 ? sigma(0) / smallest : 1;
    // Missed by more than the least squares, and the residual that is told.
    figures.reached.push_back(std::max(std::abs((K * f - r).norm() - least), std::abs(residual - least)) / scale);
    // What a row is missed by, over the terms that cancel in it: y_d, y0, and the share of the forces.
    const double effect = std::sqrt(truth.dot(load * truth));
    double missed = 0;
    for (int i = 0; i < r.size(); ++i)
      missed = std::max(missed, std::abs((K * truth - r)(i)) / (terms(i) + std::sqrt(mobility(i)) * effect));
    if (missed > kCertainlyMet && missed < kCertainlyMissed)
      ++figures.undecided;
    else if ((status == Status::inconsistent) != (missed >= kCertainlyMissed))
      ++figures.wrong_verdicts;
    if (condition > 1e5) return;
    figures.force.push_back(relative_error(f, truth));
    figures.rates.push_back(relative_error(rates_ours, rates_truth));
  }

  // Every active set; w is the same for all that solve, and the shortest f is that of one of them.
  void judge_one_sided(const Eigen::MatrixXd& K, const Eigen::VectorXd& q, const std::vector<bool>& one_sided,
                       Status status, const Eigen::VectorXd& f, const Eigen::MatrixXd& yields,
                       const Eigen::VectorXd& rates, const Eigen::VectorXd& rates_ours, Figures& figures) {
    const int m = static_cast<int>(q.size());
    double scale = q.norm();
    bool found = false;
    bool contradiction = false;
    double shortest = 0;
    double best_miss = 1e300;
    int solutions = 0;
    Eigen::VectorXd w_truth, f_truth;
    for (int bits = 0; bits < (1 << m); ++bits) {
      std::vector<int> active;
      bool fits = true;
      for (int i = 0; i < m; ++i) {
        const bool in = (bits >> i & 1) != 0;
        fits = fits && (in || one_sided[static_cast<std::size_t>(i)]);  // equal rows always
        if (in) active.push_back(i);
      }
      if (!fits) continue;
      const int n = static_cast<int>(active.size());
      Eigen::VectorXd z = Eigen::VectorXd::Zero(m);
      if (n > 0) {
        Eigen::MatrixXd part(n, n);
        Eigen::VectorXd side(n);
        for (int a = 0; a < n; ++a) {
          side(a) = -q(active[static_cast<std::size_t>(a)]);
          for (int b = 0; b < n; ++b)
            part(a, b) = K(active[static_cast<std::size_t>(a)], active[static_cast<std::size_t>(b)]);
        }
        const Eigen::VectorXd x = pseudo_inverse(part) * side;
        for (int a = 0; a < n; ++a) z(active[static_cast<std::size_t>(a)]) = x(a);
      }
      const Eigen::VectorXd w = K * z + q;
      double miss = 0;
      for (int i = 0; i < m; ++i) {
        const bool in = (bits >> i & 1) != 0;
        miss = std::max(miss, in ? std::abs(w(i)) : -w(i));
        if (one_sided[static_cast<std::size_t>(i)]) miss = std::max(miss, -z(i) * K(i, i));
      }
      best_miss = std::min(best_miss, miss);
      if (miss > 1e-9 * scale) continue;
      ++solutions;
      if (!found || z.norm() < shortest) shortest = z.norm(), w_truth = w, f_truth = z;
      found = true;
    }
    contradiction = !found;
    const double band = kFloat ? 1e-2 : 1e-6;
    if (contradiction && best_miss < band * scale) {
      ++figures.undecided;
      return;
    }
    // Without a solution: one-sided rows that cannot be met are refused, equal ones missed with a warning.
    const bool says_no = !ok(status) || status == Status::inconsistent;
    if (says_no != contradiction) ++figures.wrong_verdicts;
    if (status == Status::iterations_exhausted) ++figures.exhausted;
    if (contradiction || says_no) return;
    const Eigen::VectorXd w = K * f + q;
    figures.reached.push_back((w - w_truth).cwiseAbs().maxCoeff() / scale);
    figures.rates.push_back(relative_error(rates_ours, Eigen::VectorXd(rates + yields * f_truth)));
    if (solutions > 1) {
      ++figures.hyperstatic;
      if (f.norm() > shortest * (1 + (kFloat ? 1e-3 : 1e-6))) ++figures.longer;
    }
  }

  support::Random random_;
  dense::Reference<R> truth_;
  double J_[6][dense::Reference<R>::kDofSize];
  double bias_[dense::Reference<R>::kDofSize];
  kinecast::Workspace<R, S> work_{};
};

// The decomposition alone: up to twelve rows of any scale, some of them sums of others.
template <class S>
void compare_decomposition(support::Report& report) {
  constexpr int kRows = 12;
  constexpr int kColumns = 16;
  using Rows = kinecast::OrthogonalRows<S, kRows, kColumns>;
  support::Random random(11);
  Maximum error;
  int sweeps = 0;
  for (int n = 0; n < 2000; ++n) {
    const int rows = 1 + n % kRows;
    const int columns = 1 + n / kRows % kColumns;
    Eigen::MatrixXd A(rows, columns);
    Eigen::VectorXd r(rows);
    for (int i = 0; i < rows; ++i) {
      const double scale = std::pow(10, random.within(1));
      for (int k = 0; k < columns; ++k) A(i, k) = static_cast<double>(static_cast<S>(scale * random.within(1)));
      if (i > 1 && random.within(1) < -0.5) A.row(i) = 2 * A.row(i - 1);
      r(i) = static_cast<double>(static_cast<S>(random.within(1)));
    }
    Rows ours;
    ours.begin(columns);
    for (int i = 0; i < rows; ++i) {
      S row[kColumns] = {};
      for (int k = 0; k < columns; ++k) row[k] = static_cast<S>(A(i, k));
      ours.add(row, S(64) * kinecast::Tolerance<S>::kEpsilon * static_cast<S>(A.row(i).norm()));
    }
    if (!ours.turn(S(1e-5))) report.fail("a decomposition of finite rows is not finite");
    sweeps = std::max(sweeps, ours.sweeps());
    S side[kRows] = {};
    S x[kColumns] = {};
    for (int i = 0; i < rows; ++i) side[i] = static_cast<S>(r(i));
    ours.add_solution(side, x);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
    double smallest = svd.singularValues()(0);
    for (const double s : svd.singularValues())
      if (s > 1e-5 * svd.singularValues()(0)) smallest = s;
    Eigen::VectorXd truth = svd.matrixU().transpose() * r;
    int rank = 0;
    for (int k = 0; k < truth.size(); ++k) {
      const double s = svd.singularValues()(k);
      truth(k) = s > 1e-5 * svd.singularValues()(0) ? truth(k) / s : 0;
      rank += s > 1e-5 * svd.singularValues()(0) ? 1 : 0;
    }
    truth = svd.matrixV() * truth;
    if (rank != ours.rank()) report.fail("a decomposition finds another rank");
    // As a fraction of the largest that the smallest singular value lets it be.
    double off = 0;
    for (int k = 0; k < columns; ++k) off = std::max(off, std::abs(truth(k) - static_cast<double>(x[k])));
    error.see(off * smallest * smallest / (svd.singularValues()(0) * r.norm()));
  }
  // Some roundings of a singular value's direction: Jacobi is stable, twelve rows turn against each other up to 66
  // times a sweep.
  report.add({"dense", "orthogonal rows", "12 x 16", support::scalar_name<S>(), error.value(),
              256 * static_cast<double>(kinecast::Tolerance<S>::kEpsilon)});
  report.add({"dense", "orthogonal rows sweeps", "12 x 16", support::scalar_name<S>(), static_cast<double>(sweeps),
              Rows::kMostSweeps - 1, "count"});
}

using PerKind = std::array<Figures, sizeof kKinds / sizeof kKinds[0]>;

template <const auto& R, class S>
void try_random(PerKind& figures) {
  constexpr int kSets = 100;  // of each kind, on three robots: 2100
  RandomSets<R, S> sets(20260601);
  for (const Kind kind : kKinds) sets.run(kind, kSets, figures[static_cast<std::size_t>(kind)]);
}

template <class S>
struct TrySevenAxes {
  PerKind& figures;
  template <const auto& R>
  void operator()(golden::Visited<R> /*robot*/) const {
    if constexpr (kinecast::Shape<R>::kAllSingleAxis && kinecast::Shape<R>::kDofs == 7) try_random<R, S>(figures);
  }
};

template <class S>
void compare_random(support::Report& report) {
  PerKind all;
  try_random<robots::arm6, S>(all);
  try_random<robots::zoo, S>(all);
  golden::for_each_robot(TrySevenAxes<S>{all});
  const double bound = sizeof(S) == sizeof(double) ? kDoubleBound : support::kNone;
  for (const Kind kind : kKinds) {
    const Figures& f = all[static_cast<std::size_t>(kind)];
    const auto add = [&](const char* what, const std::vector<double>& values) {
      if (values.empty()) return;
      char note[64];
      std::snprintf(note, sizeof note, "p99 %.2g of %zu", p99(values), values.size());
      report.add(
          {"dense", std::string("constraints ") + what, name_of(kind), support::scalar_name<S>(), most(values), bound},
          note);
    };
    add("K", f.K), add("y0", f.y0), add("reached", f.reached), add("forces", f.force), add("rates", f.rates);
    const auto count = [&](const char* what, int value, double most_allowed, const char* note) {
      report.add({"dense", std::string("constraints ") + what, name_of(kind), support::scalar_name<S>(),
                  static_cast<double>(value), most_allowed, "count"},
                 note);
    };
    char note[96];
    std::snprintf(note, sizeof note, "%d sets, %d undecided, %d exhausted", f.sets, f.undecided, f.exhausted);
    count("verdict", f.wrong_verdicts, 0, note);
    if (kind < Kind::unilateral) continue;
    std::snprintf(note, sizeof note, "of %d with more than one solution", f.hyperstatic);
    count("not shortest", f.longer, support::kNone, note);
  }
}

void measure(support::Report& report) {
  const oracle::GoldenTable table = oracle::read_table(KINECAST_GOLDEN_DIR "/e_constraint_cases_first30.csv");
  compare_golden<double>(table, report);
  compare_golden<float>(table, report);
  compare_decomposition<double>(report);
  compare_decomposition<float>(report);
  compare_random<double>(report);
  compare_random<float>(report);
}

}  // namespace

const support::Program support::program{"oracle.golden_constraints", measure};
