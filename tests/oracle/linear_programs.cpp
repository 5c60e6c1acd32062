// SPDX-License-Identifier: MIT
// The linear programs of volume contact against GLPK and the golden cases: general ones, static friction, kinetic friction, many
// of them degenerate, and the region of the pushed cube.
//
// How far a static case is from the limit is measured by what it lacks: the least sum of errors of the six rows with eps >= 0,
// over f_n, the largest arm and mu; GLPK minimises it. No lack must hold, a lack beyond the band (1e-6 double, 1e-4 float) must
// not; within the band either verdict is right.
#include <glpk.h>

#include <kinecast/papers/kinetic_friction.hpp>
#include <kinecast/papers/static_friction.hpp>
#include <kinecast/solve/simplex.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cube_region.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/standard_random.hpp"

namespace {

using kinecast::Status;
using support::Maximum;
using support::Report;
using support::scalar_name;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class S>
constexpr double by_scalar(double in_float, double in_double) {
  return sizeof(S) == sizeof(float) ? in_float : in_double;
}

// ---- GLPK ---------------------------------------------------------------------------------------------------------------

// max cᵀx, A x = b, x >= 0, by columns.
struct Program {
  int rows{0};
  std::vector<std::vector<double>> columns;
  std::vector<double> cost;
  std::vector<double> b;
};

struct Optimum {
  enum class Kind { optimal, infeasible, unbounded, unknown };
  Kind kind;
  double objective;
};

class Glpk {
 public:
  Glpk() : problem_(glp_create_prob()) {
    glp_term_out(GLP_OFF);
    glp_init_smcp(&control_);
    control_.msg_lev = GLP_MSG_OFF;
    control_.tol_bnd = control_.tol_dj = 1e-10;
    control_.it_lim = 10000;
  }
  Glpk(const Glpk&) = delete;
  Glpk& operator=(const Glpk&) = delete;
  ~Glpk() { glp_delete_prob(problem_); }

  Optimum solve(const Program& p) {
    load(p);
    if (glp_simplex(problem_, &control_) != 0 || glp_get_status(problem_) == GLP_UNDEF) glp_exact(problem_, &control_);
    return optimum();
  }
  // In rational arithmetic.
  Optimum solve_exactly(const Program& p) {
    load(p);
    glp_exact(problem_, &control_);
    return optimum();
  }

 private:
  void load(const Program& p) {
    glp_erase_prob(problem_);
    glp_set_obj_dir(problem_, GLP_MAX);
    if (p.rows > 0) glp_add_rows(problem_, p.rows);
    for (int i = 0; i < p.rows; ++i) {
      const double value = p.b[static_cast<std::size_t>(i)];
      glp_set_row_bnds(problem_, i + 1, GLP_FX, value, value);
    }
    const int count = static_cast<int>(p.columns.size());
    if (count > 0) glp_add_cols(problem_, count);
    int index[32];
    double entry[32];
    for (int j = 0; j < count; ++j) {
      int used = 0;
      for (int i = 0; i < p.rows; ++i) {
        const double value = p.columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
        if (std::abs(value) > 0) index[++used] = i + 1, entry[used] = value;
      }
      glp_set_mat_col(problem_, j + 1, used, index, entry);
      glp_set_col_bnds(problem_, j + 1, GLP_LO, 0, 0);
      glp_set_obj_coef(problem_, j + 1, p.cost[static_cast<std::size_t>(j)]);
    }
    glp_std_basis(problem_);
  }
  Optimum optimum() {
    switch (glp_get_status(problem_)) {
      case GLP_OPT:
        return {Optimum::Kind::optimal, glp_get_obj_val(problem_)};
      case GLP_NOFEAS:
      case GLP_INFEAS:
        return {Optimum::Kind::infeasible, kNan};
      case GLP_UNBND:
        return {Optimum::Kind::unbounded, kNan};
      default:
        return {Optimum::Kind::unknown, kNan};
    }
  }

  glp_prob* problem_;
  glp_smcp control_{};
};

// The least sum of |A x - b|.
double lack_of(Glpk& glpk, Program p, bool exactly = false) {
  p.cost.assign(p.columns.size(), 0);
  for (int i = 0; i < 2 * p.rows; ++i) {
    p.columns.emplace_back(static_cast<std::size_t>(p.rows), 0.0);
    p.columns.back()[static_cast<std::size_t>(i / 2)] = i % 2 == 0 ? 1 : -1;
    p.cost.push_back(-1);
  }
  const Optimum found = exactly ? glpk.solve_exactly(p) : glpk.solve(p);
  return found.kind == Optimum::Kind::optimal ? -found.objective : kNan;
}

// ---- random numbers, progress -------------------------------------------------------------------------------------------

using Random = support::StandardRandom<std::mt19937>;

class Progress {
 public:
  Progress(const char* what, int total) : what_(what), total_(total), begin_(Clock::now()), said_(begin_) {}
  void step(int done) {
    const auto now = Clock::now();
    if (done == 0 || now - said_ < std::chrono::seconds(3)) return;
    said_ = now;
    const double spent = std::chrono::duration<double>(now - begin_).count();
    std::printf("  %s: %d of %d, %.0f s to go\n", what_, done, total_, spent * (total_ - done) / done);
    std::fflush(stdout);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const char* what_;
  int total_;
  Clock::time_point begin_;
  Clock::time_point said_;
};

// ---- general programs ---------------------------------------------------------------------------------------------------

constexpr int kMostRows = 6;
constexpr int kMostColumns = 14;

// Integers and halves, so that float has them exactly and many vertices coincide; or any numbers. With rows that are sums of others,
// and right-hand sides that have a solution by construction, often one with few columns, or perhaps none.
Program random_program(Random& random) {
  Program p;
  p.rows = 1 + random.below(kMostRows);
  const int count = 1 + random.below(kMostColumns);
  const bool is_rough = random.chance(0.6);
  const double zeros = random.between(0, 0.6);
  const auto number = [&] {
    if (random.chance(zeros)) return 0.0;
    return is_rough ? 0.5 * (random.below(13) - 6) : static_cast<double>(static_cast<float>(random.within(3)));
  };
  const auto m = static_cast<std::size_t>(p.rows);
  p.b.assign(m, 0);
  const bool is_sum = p.rows > 2 && random.chance(0.2);
  const bool is_solvable = random.chance(0.7);
  for (int j = 0; j < count; ++j) {
    std::vector<double> a(m);
    for (double& value : a) value = number();
    if (j > 0 && random.chance(0.1)) a = p.columns.back();
    if (is_sum) a[m - 1] = a[0] - 2 * a[1];
    p.columns.push_back(a);
    p.cost.push_back(random.chance(0.1) ? 0.0 : number() - (random.chance(0.5) ? 2 : 0));
    const double x = is_solvable && random.chance(0.5) ? std::abs(number()) : 0;
    for (std::size_t i = 0; i < m; ++i) p.b[i] += a[i] * x;
  }
  if (!is_solvable) {
    for (double& value : p.b) value = number();
    if (is_sum && random.chance(0.8)) p.b[m - 1] = p.b[0] - 2 * p.b[1];
  }
  return p;
}

Optimum::Kind kind_of(Status status) {
  return status == Status::infeasible  ? Optimum::Kind::infeasible
         : status == Status::unbounded ? Optimum::Kind::unbounded
         : ok(status)                  ? Optimum::Kind::optimal
                                       : Optimum::Kind::unknown;
}

// Whether numbers that differ by no more than the band, each relative to itself, have the verdict that ours has.
bool is_on_the_edge(Glpk& glpk, const Program& p, Optimum::Kind ours, double band) {
  Random random(1);
  for (int k = 0; k < 50; ++k) {
    Program changed = p;
    for (auto& column : changed.columns)
      for (double& value : column) value *= 1 + random.within(band);
    for (double& value : changed.b) value *= 1 + random.within(band);
    for (double& value : changed.cost) value *= 1 + random.within(band);
    if (glpk.solve(changed).kind == ours) return true;
  }
  return false;
}

template <class S>
void compare_general(Glpk& glpk, int cases, Report& report) {
  Random random(11);
  Progress progress("general programs", cases);
  Maximum error;
  int wrong = 0;
  int in_band = 0;
  int exhausted = 0;
  int most_pivots = 0;
  int kinds[4] = {};
  int contradictions = 0;
  for (int k = 0; k < cases; ++k) {
    progress.step(k);
    const Program p = random_program(random);
    kinecast::DenseColumns<S, kMostRows, kMostColumns> columns;
    S b[kMostRows] = {};
    columns.row_count = p.rows;
    columns.column_count = static_cast<int>(p.columns.size());
    for (int i = 0; i < p.rows; ++i) b[i] = static_cast<S>(p.b[static_cast<std::size_t>(i)]);
    for (int j = 0; j < columns.column_count; ++j) {
      columns.price[j] = static_cast<S>(p.cost[static_cast<std::size_t>(j)]);
      for (int i = 0; i < p.rows; ++i)
        columns.entry[j][i] = static_cast<S>(p.columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)]);
    }
    kinecast::LinearSolution<S, kMostRows> solution{};
    kinecast::LinearEffort<S> effort{};
    Status status = columns.prepare();
    if (status == Status::ok) status = kinecast::solve_linear_program(columns, b, solution, effort);
    most_pivots = std::max(most_pivots, effort.pivots);
    exhausted += effort.gave_up ? 1 : 0;

    Optimum truth = glpk.solve(p);
    if (truth.kind != kind_of(status)) {  // GLPK rounds too
      ++contradictions;
      truth = glpk.solve_exactly(p);
    }
    ++kinds[static_cast<int>(truth.kind)];
    // What was forgiven is in the band as well: x is not the program's, but of one with other right-hand sides.
    const bool is_forgiven = ok(status) && static_cast<double>(effort.residual) > by_scalar<S>(1e-6, 1e-12);
    if (truth.kind != kind_of(status) || is_forgiven) {
      const bool is_near = is_forgiven || is_on_the_edge(glpk, p, kind_of(status), by_scalar<S>(1e-4, 1e-6));
      ++(is_near ? in_band : wrong);
      if (!is_near && wrong <= 5)
        std::printf("  case %d: %s, GLPK says %d, pivots %d\n", k, sentence(status), static_cast<int>(truth.kind),
                    effort.pivots);
      continue;
    }
    if (truth.kind != Optimum::Kind::optimal) continue;
    // The objective relative to what it is made of; and x makes b.
    double size = 1;
    double value = 0;
    std::vector<double> left = p.b;
    double size_b = 1;
    for (int i = 0; i < solution.rows; ++i) {
      if (solution.column[i] < 0) continue;
      const auto j = static_cast<std::size_t>(solution.column[i]);
      const double x = static_cast<double>(solution.value[i]);
      if (!(x >= 0)) error.see(kNan);
      value += p.cost[j] * x;
      size = std::max(size, std::abs(p.cost[j] * x));
      for (std::size_t r = 0; r < left.size(); ++r) {
        left[r] -= p.columns[j][r] * x;
        size_b = std::max(size_b, std::abs(p.columns[j][r] * x));
      }
    }
    error.see(std::abs(value - truth.objective) / size);
    error.see(std::abs(static_cast<double>(solution.objective) - truth.objective) / size);
    for (const double rest : left) error.see(std::abs(rest) / size_b);
  }
  char note[160];
  std::snprintf(note, sizeof note,
                "%d optimal, %d infeasible, %d unbounded; %d in the band; GLPK corrected itself %d times", kinds[0],
                kinds[1], kinds[2], in_band, contradictions);
  report.add({"glpk", "general verdict wrong", std::to_string(cases), scalar_name<S>(), static_cast<double>(wrong), 0,
              "count"},
             note);
  std::snprintf(note, sizeof note, "at most %d pivots", most_pivots);
  report.add(
      {"glpk", "general gave up", std::to_string(cases), scalar_name<S>(), static_cast<double>(exhausted), 0, "count"},
      note);
  // Objective and rows at the same vertex: rounding times the condition of its basis, which in random programs reaches 1e3.
  report.add(
      {"glpk", "general error", std::to_string(cases), scalar_name<S>(), error.value(), by_scalar<S>(1e-3, 1e-9)});
}

// ---- friction -----------------------------------------------------------------------------------------------------------

constexpr int kMostCorners = 8;

struct Polygon {
  int corners{0};
  double r[kMostCorners][2]{};
  double reach{0};
};

// Convex, around the origin: points of an ellipse in order; squares; segments and points.
Polygon random_polygon(Random& random) {
  Polygon p;
  const double size = std::pow(10.0, random.between(-3, 0.5));
  const int kind = random.below(10);
  p.corners = kind == 0 ? 1 + random.below(2) : kind < 5 ? 4 : 3 + random.below(kMostCorners - 2);
  const double flat = kind == 1 ? random.between(0.01, 0.2) : random.between(0.3, 1);
  double angle[kMostCorners];
  for (int l = 0; l < p.corners; ++l)
    angle[l] = kind < 3 ? (l + 0.5) * 2 * M_PI / p.corners
                        : (l + random.between(0, 0.9)) * 2 * M_PI / p.corners + (random.chance(0.05) ? 1e-9 : 0);
  const double turn = random.chance(0.5) ? 0 : random.within(M_PI);
  double centre[2] = {};
  for (int l = 0; l < p.corners; ++l) {
    const double x = size * std::cos(angle[l]);
    const double y = size * flat * std::sin(angle[l]);
    p.r[l][0] = x * std::cos(turn) - y * std::sin(turn);
    p.r[l][1] = x * std::sin(turn) + y * std::cos(turn);
    for (int i = 0; i < 2; ++i) centre[i] += p.r[l][i] / p.corners;
  }
  if (p.corners > 2 && random.chance(0.05))  // a corner twice
    for (int i = 0; i < 2; ++i) p.r[1][i] = p.r[0][i];
  const bool is_centred = random.chance(0.8);
  for (int l = 0; l < p.corners; ++l) {
    for (int i = 0; i < 2 && is_centred; ++i) p.r[l][i] -= centre[i];
    p.reach = std::max(p.reach, std::hypot(p.r[l][0], p.r[l][1]));
  }
  if (!(p.reach > 1e-6 * size)) p.r[0][0] = p.reach = size;  // a point, off the origin: torques have a scale
  return p;
}

// The rows of method 6.4 over f_n = 1, the reach and mu.
template <int Sides>
Program static_program(const Polygon& polygon, double mu, const double (&wrench)[6]) {
  Program p;
  p.rows = 6;
  const double scale[6] = {1, 1 / polygon.reach, 1 / polygon.reach, 1 / mu, 1 / mu, 1 / (mu * polygon.reach)};
  for (int l = 0; l < polygon.corners; ++l) {
    const double x = polygon.r[l][0];
    const double y = polygon.r[l][1];
    for (int k = 0; k < Sides; ++k) {
      const double c = mu * std::cos(2 * M_PI * k / Sides);
      const double s = mu * std::sin(2 * M_PI * k / Sides);
      std::vector<double> a{1, y, -x, c, s, x * s - y * c};
      for (std::size_t i = 0; i < 6; ++i) a[i] *= scale[i];
      p.columns.push_back(a);
    }
  }
  p.cost.assign(p.columns.size(), 0);
  for (std::size_t i = 0; i < 6; ++i) p.b.push_back(wrench[i] / wrench[0] * scale[i]);
  return p;
}

// Wrenches of every sort: made of a few of the pyramids' edges and then changed by nothing, a little or much; any within the bounds;
// loads on an edge or a corner; pure forces and pure twists.
template <int Sides>
void random_wrench(Random& random, const Polygon& polygon, double mu, double (&wrench)[6]) {
  for (double& value : wrench) value = 0;
  const double load = std::pow(10.0, random.between(-2, 3));
  const int kind = random.below(6);
  const int used = kind == 0 ? 1 : kind == 1 ? 2 : 1 + random.below(polygon.corners);
  double sum = 0;
  for (int i = 0; i < used; ++i) {
    const int l = kind == 1 && i == 1 ? 1 % polygon.corners : random.below(polygon.corners);
    const double eps = random.between(0.01, 1);
    const double angle = random.chance(0.5) ? 2 * M_PI * random.below(Sides) / Sides : random.within(M_PI);
    const double friction = random.chance(0.5) ? mu : mu * random.between(0, 1);
    const double x = polygon.r[l][0];
    const double y = polygon.r[l][1];
    const double c = friction * std::cos(angle);
    const double s = friction * std::sin(angle);
    const double column[6] = {1, y, -x, c, s, x * s - y * c};
    for (int k = 0; k < 6; ++k) wrench[k] += eps * column[k];
    sum += eps;
  }
  for (double& value : wrench) value *= load / sum;
  double friction = 1;
  switch (random.below(5)) {
    case 0:
      break;
    case 1:
      friction = 1 + random.within(0.3);
      break;
    case 2:
      friction = 1 + random.within(1e-3);
      break;
    case 3:
      friction = 1 + (random.chance(0.5) ? 1 : -1) * std::pow(10.0, random.between(-9, -2));
      break;
    default:
      for (int k = 3; k < 6; ++k) wrench[k] = random.within(mu * load * (k == 5 ? polygon.reach : 1));
  }
  if (random.chance(0.1)) wrench[5] = 0;
  if (random.chance(0.1)) wrench[3] = wrench[4] = 0;
  for (int k = 3; k < 6; ++k) wrench[k] *= friction;
  if (random.chance(0.1)) {  // the centre of pressure at the rim, and beyond
    const double outward = 1 + (random.chance(0.3) ? 0 : random.within(0.3));
    const int l = random.below(polygon.corners);
    wrench[1] = load * outward * polygon.r[l][1];
    wrench[2] = -load * outward * polygon.r[l][0];
  }
}

struct Tally {
  int wrong{0};
  int in_band{0};
  int holds{0};
  int by[5]{};
  int most_pivots{0};
  int undecided{0};
  double accepted{0};    // largest lack that was held
  double rejected{1e9};  // smallest lack that was not
};

template <int Sides, class S>
void compare_static_case(const Polygon& polygon, double mu, const double (&wrench)[6], double lack, Tally& tally) {
  S corner[kMostCorners][2];
  S w[6];
  for (int l = 0; l < polygon.corners; ++l)
    for (int i = 0; i < 2; ++i) corner[l][i] = static_cast<S>(polygon.r[l][i]);
  for (int i = 0; i < 6; ++i) w[i] = static_cast<S>(wrench[i]);
  const auto found = kinecast::static_friction_holds<Sides>(corner, polygon.corners, static_cast<S>(mu), w);
  ++tally.by[static_cast<int>(found.decided_by)];
  tally.most_pivots = std::max<int>(tally.most_pivots, found.pivots);
  tally.undecided += found.status == Status::ok ? 0 : 1;
  tally.holds += found.holds ? 1 : 0;
  (found.holds ? tally.accepted : tally.rejected) =
      found.holds ? std::max(tally.accepted, lack) : std::min(tally.rejected, lack);
  const bool must_hold = lack < 1e-10;  // what is feasible by construction lacks the rounding of its numbers
  const bool must_slip = lack > by_scalar<S>(1e-4, 1e-6);
  if (!must_hold && !must_slip) {
    ++tally.in_band;
  } else if (found.holds != must_hold) {
    if (++tally.wrong <= 5) {
      std::printf("  %s, %d sides, %d corners: %s by %d, lack %.3g; mu %g\n", scalar_name<S>(), Sides, polygon.corners,
                  found.holds ? "holds" : "slips", static_cast<int>(found.decided_by), lack, mu);
      for (int l = 0; l < polygon.corners; ++l) std::printf("   (%.17g, %.17g)", polygon.r[l][0], polygon.r[l][1]);
      std::printf("\n   W");
      for (const double value : wrench) std::printf(" %.17g", value);
      std::printf("\n");
    }
  }
}

template <class S>
void report_static(const Tally& t, int sides, int cases, Report& report) {
  char note[192];
  std::snprintf(note, sizeof note, "%d hold; %d by a bound, %d by a distribution, %d by the program; %d in the band",
                t.holds, t.by[2], t.by[3], t.by[4], t.in_band);
  const std::string label = "P" + std::to_string(sides) + " x" + std::to_string(cases);
  report.add({"glpk", "static verdict wrong", label, scalar_name<S>(), static_cast<double>(t.wrong), 0, "count"}, note);
  std::snprintf(note, sizeof note, "at most %d pivots; lack: held up to %.2g, refused from %.2g", t.most_pivots,
                t.accepted, t.rejected);
  report.add({"glpk", "static gave up", label, scalar_name<S>(), static_cast<double>(t.undecided), 0, "count"}, note);
  if (t.by[2] == 0 || t.by[3] == 0 || t.by[4] == 0) report.fail("static: a way of deciding was never taken");
}

template <int Sides>
void compare_static(Glpk& glpk, int cases, Report& report) {
  Random random(17 + Sides);
  const std::string what = "static friction, " + std::to_string(Sides) + " sides";
  Progress progress(what.c_str(), cases);
  Tally in_double;
  Tally in_float;
  for (int k = 0; k < cases; ++k) {
    progress.step(k);
    const Polygon polygon = random_polygon(random);
    const double mu = std::pow(10.0, random.between(-2, 0.3));
    double wrench[6];
    random_wrench<Sides>(random, polygon, mu, wrench);
    const Program p = static_program<Sides>(polygon, mu, wrench);
    double lack = lack_of(glpk, p);
    if (!(lack >= 0) || (lack > 1e-11 && lack < 1e-5)) lack = lack_of(glpk, p, true);
    compare_static_case<Sides, double>(polygon, mu, wrench, lack, in_double);
    compare_static_case<Sides, float>(polygon, mu, wrench, lack, in_float);
  }
  report_static<double>(in_double, Sides, cases, report);
  report_static<float>(in_float, Sides, cases, report);
}

// eps >= 0 that makes f_n and its centre, and the most of the objective; weights of both sorts.
template <class S>
void compare_kinetic(Glpk& glpk, int cases, Report& report) {
  Random random(23);
  Progress progress("kinetic friction", cases);
  Maximum objective;
  Maximum again;  // with the basis that the call before left
  int failed = 0;
  int outside_cone = 0;
  int gains_energy = 0;
  for (int k = 0; k < cases; ++k) {
    progress.step(k);
    const Polygon polygon = random_polygon(random);
    const int n = polygon.corners;
    const double mu = random.between(0.05, 1.2);
    const double load = std::pow(10.0, random.between(-2, 3));
    const double speed = std::pow(10.0, random.between(-4, 1));
    const double twist[3] = {random.within(speed), random.within(speed),
                             random.chance(0.2) ? 0 : random.within(speed / polygon.reach)};
    double slip[kMostCorners][2];
    S corner[kMostCorners][2];
    S direction[kMostCorners][2];
    for (int l = 0; l < n; ++l) {
      const double v[2] = {twist[0] - twist[2] * polygon.r[l][1], twist[1] + twist[2] * polygon.r[l][0]};
      const double size = std::hypot(v[0], v[1]);
      for (int i = 0; i < 2; ++i) {
        slip[l][i] = size > 1e-12 ? -v[i] / size : 0;
        corner[l][i] = static_cast<S>(polygon.r[l][i]);
        direction[l][i] = static_cast<S>(slip[l][i]);
      }
    }
    double sticking[6] = {load, 0, 0, random.within(load), random.within(load), random.within(load * polygon.reach)};
    if (random.chance(0.1)) sticking[3 + random.below(3)] = 0;
    double weights[3];
    if (random.chance(0.5)) {
      kinecast::find_kinetic_weights(sticking, polygon.reach, weights);
    } else {
      kinecast::find_paper_weights(sticking, polygon.reach, weights);
    }
    const S w[3] = {static_cast<S>(weights[0]), static_cast<S>(weights[1]), static_cast<S>(weights[2])};
    kinecast::KineticBasis basis{};
    for (int turn = 0; turn < 3; ++turn) {  // three loads, one basis
      double eps[kMostCorners] = {};
      double sum = 0;
      const int used = 1 + random.below(n);
      for (int i = 0; i < used; ++i) {
        const double part = random.between(0.01, 1);
        eps[random.below(n)] += part;
        sum += part;
      }
      double normal[3] = {load, 0, 0};
      Program p;
      p.rows = 3;
      double largest = 1e-300;
      for (int l = 0; l < n; ++l) {
        const double x = polygon.r[l][0];
        const double y = polygon.r[l][1];
        normal[1] += eps[l] / sum * load * y;
        normal[2] -= eps[l] / sum * load * x;
        p.columns.push_back({1, y / polygon.reach, -x / polygon.reach});
        p.cost.push_back(weights[0] * slip[l][0] + weights[1] * slip[l][1] +
                         weights[2] * (x * slip[l][1] - y * slip[l][0]));
        largest = std::max(largest, std::abs(weights[0] * slip[l][0]) + std::abs(weights[1] * slip[l][1]) +
                                        std::abs(weights[2]) * (std::abs(x * slip[l][1]) + std::abs(y * slip[l][0])));
      }
      p.b = {1, normal[1] / (load * polygon.reach), normal[2] / (load * polygon.reach)};
      for (double& value : p.cost) value /= largest;
      Optimum truth = glpk.solve(p);
      if (truth.kind != Optimum::Kind::optimal) truth = glpk.solve_exactly(p);
      if (truth.kind !=
          Optimum::Kind::optimal) {  // the centre is outside by rounding: the closest of the corners' sums
        double closest = 1e9;
        truth.objective = kNan;
        for (int l = 0; l < n; ++l) {
          const double distance = std::hypot(p.columns[static_cast<std::size_t>(l)][1] - p.b[1],
                                             p.columns[static_cast<std::size_t>(l)][2] - p.b[2]);
          if (distance < closest) closest = distance, truth.objective = p.cost[static_cast<std::size_t>(l)];
        }
        if (closest > 1e-9) continue;  // on an edge: nothing to compare with
      }
      const S load_and_moments[3] = {static_cast<S>(normal[0]), static_cast<S>(normal[1]), static_cast<S>(normal[2])};
      S friction[3];
      if (kinecast::kinetic_friction(corner, n, direction, static_cast<S>(mu), load_and_moments, w, basis, friction) !=
          Status::ok) {
        ++failed;
        continue;
      }
      const double f[3] = {static_cast<double>(friction[0]), static_cast<double>(friction[1]),
                           static_cast<double>(friction[2])};
      const double ours = (weights[0] * f[0] + weights[1] * f[1] + weights[2] * f[2]) / (mu * load * largest);
      (turn == 0 ? objective : again).see(std::abs(ours - truth.objective));
      const double rounding = by_scalar<S>(1e-5, 1e-12);
      outside_cone += std::hypot(f[0], f[1]) > mu * load * (1 + rounding) ? 1 : 0;
      const double power = f[0] * twist[0] + f[1] * twist[1] + f[2] * twist[2];
      gains_energy += power > rounding * mu * load * speed ? 1 : 0;
    }
  }
  const std::string label = std::to_string(cases) + " x3";
  // Over what it is made of: the rounding of a few products, and GLPK's 1e-10.
  report.add({"glpk", "kinetic objective", label, scalar_name<S>(), objective.value(), by_scalar<S>(1e-5, 1e-9)});
  report.add({"glpk", "kinetic again", label, scalar_name<S>(), again.value(), by_scalar<S>(1e-5, 1e-9)});
  report.add({"glpk", "kinetic not solved", label, scalar_name<S>(), static_cast<double>(failed), 0, "count"});
  report.add(
      {"glpk", "kinetic beyond mu_k f_n", label, scalar_name<S>(), static_cast<double>(outside_cone), 0, "count"});
  report.add({"glpk", "kinetic gains energy", label, scalar_name<S>(), static_cast<double>(gains_energy), 0, "count"});
}

// ---- golden -------------------------------------------------------------------------------------------------------------

#if defined(KINECAST_GOLDEN_DIR)

// Numbers by rows; "nan" is one.
std::vector<std::vector<double>> read_numbers(const std::string& name, std::size_t rows, std::size_t columns) {
  const std::string path = std::string(KINECAST_GOLDEN_DIR "/") + name;
  std::ifstream file(path);
  std::vector<std::vector<double>> table;
  bool is_named = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (!is_named) {
      is_named = true;
      continue;
    }
    std::vector<double> row;
    const char* at = line.c_str();
    for (char* end = nullptr; *at != '\0'; at = *end == ',' ? end + 1 : end) {
      row.push_back(std::strtod(at, &end));
      if (end == at) throw std::runtime_error(path + ": not a number");
    }
    if (row.size() != columns) throw std::runtime_error(path + ": a line of another shape");
    table.push_back(row);
  }
  if (table.size() != rows) throw std::runtime_error(path + ": " + std::to_string(table.size()) + " rows");
  return table;
}

template <class S>
constexpr S kSquare[4][2] = {{S(-.05), S(-.05)}, {S(.05), S(-.05)}, {S(.05), S(.05)}, {S(-.05), S(.05)}};

// The golden margin: the friction part can be multiplied by s. So it must hold just below that, and just above it must not; how far
// above it does is printed for float: what is forgiven (Tolerance::kFeasible) is relative to mu f_n, and is more of a small
// friction than of a large one.
template <int Sides, class S>
void compare_golden_static(std::size_t column, Report& report) {
  int wrong = 0;
  int wrong_below = 0;
  double above = 0;
  for (const auto& row : read_numbers("d_lp_cases_first120.csv", 120, 14)) {
    S wrench[6];
    const auto holds = [&](double scale) {
      for (std::size_t i = 0; i < 6; ++i) wrench[i] = static_cast<S>(row[i] * (i < 3 ? 1 : scale));
      return static_cast<bool>(kinecast::static_friction_holds<Sides>(kSquare<S>, 4, S(0.5), wrench));
    };
    const double margin = row[10 + column];
    const bool must_hold = row[6 + column] > 0.5;
    const double band = by_scalar<S>(1e-4, 1e-6);
    if (!(std::abs(margin - 1) < band) && holds(1) != must_hold) ++wrong;
    if (std::isnan(margin)) continue;
    if (!holds(margin * (1 - band))) ++wrong_below;
    double more = band;
    while (more < 1 && holds(margin * (1 + more))) above = std::max(above, more), more *= 1.2;
  }
  const std::string label = "P" + std::to_string(Sides);
  report.add({"golden", "static verdict wrong", label, scalar_name<S>(), static_cast<double>(wrong), 0, "count"});
  report.add(
      {"golden", "refused below the limit", label, scalar_name<S>(), static_cast<double>(wrong_below), 0, "count"});
  report.add({"golden", "held above the limit", label, scalar_name<S>(), above, by_scalar<S>(support::kNone, 1e-6)});
}

template <class S>
void compare_golden_kinetic(Report& report) {
  Maximum error;
  int cases = 0;
  for (const auto& row : read_numbers("d_kinetic_lp_cases_first60.csv", 60, 14)) {
    S direction[4][2];
    for (int l = 0; l < 4; ++l) {
      const double v[2] = {row[0] - row[2] * kSquare<double>[l][1], row[1] + row[2] * kSquare<double>[l][0]};
      const double size = std::hypot(v[0], v[1]);
      for (int i = 0; i < 2; ++i) direction[l][i] = static_cast<S>(size > 1e-12 ? -v[i] / size : 0);
    }
    S sticking[6];
    for (std::size_t i = 0; i < 6; ++i) sticking[i] = static_cast<S>(row[3 + i]);
    const S reach = static_cast<S>(0.05 * std::sqrt(2.0));
    S weights[3];
    kinecast::find_paper_weights(sticking, reach, weights);
    const S normal[3] = {sticking[0], sticking[1], sticking[2]};
    S friction[3];
    kinecast::KineticBasis basis{};
    if (kinecast::kinetic_friction(kSquare<S>, 4, direction, S(0.3), normal, weights, basis, friction) != Status::ok)
      throw std::runtime_error("a golden kinetic case is not solved");
    const double limit = 0.3 * row[3];
    if (row[13] > 0.5) {
      for (int i = 0; i < 3; ++i) {
        const double truth = row[static_cast<std::size_t>(10 + i)];
        error.see(std::abs(static_cast<double>(friction[i]) - truth) / (limit * (i == 2 ? 0.05 * std::sqrt(2.0) : 1)));
      }
      ++cases;
    }
  }
  if (cases < 50) report.fail("kinetic: too few golden cases have a unique resultant");
  // Golden numbers have 12 digits.
  report.add({"golden", "kinetic friction", std::to_string(cases) + " cases", scalar_name<S>(), error.value(),
              by_scalar<S>(1e-5, 1e-10)});
}

template <int Sides, class S>
void compare_golden_region(std::size_t column, Report& report) {
  Maximum error;
  int edges = 0;  // the largest push that holds is met by both
  const auto table = read_numbers("d_cube_region.csv", 63, 11);
  for (const auto& row : table) {
    for (std::size_t rotated = 0; rotated < 2; ++rotated) {
      const double truth = row[column + rotated];
      const double ours = cube_region::largest_torque<Sides, S>(row[0], rotated == 0 ? 0 : M_PI / Sides);
      if (std::isnan(truth) != std::isnan(ours)) {
        ++edges;
      } else if (!std::isnan(truth)) {
        error.see(std::abs(ours - truth) / cube_region::kLargestTorque_Nm);
      }
    }
  }
  const std::string label = "P" + std::to_string(Sides);
  report.add({"golden", "cube region", label, scalar_name<S>(), error.value(), 1e-3});
  report.add({"golden", "cube region pushes", label, scalar_name<S>(), static_cast<double>(edges), 0, "count"});
}

template <class S>
void compare_golden(Report& report) {
  compare_golden_static<4, S>(0, report);
  compare_golden_static<8, S>(1, report);
  compare_golden_static<16, S>(2, report);
  compare_golden_static<32, S>(3, report);
  compare_golden_kinetic<S>(report);
  compare_golden_region<4, S>(1, report);
  compare_golden_region<8, S>(3, report);
  compare_golden_region<16, S>(5, report);
  compare_golden_region<32, S>(7, report);
}
#endif

void measure(Report& report) {
#if defined(KINECAST_GOLDEN_DIR)
  compare_golden<double>(report);
  compare_golden<float>(report);
#else
  Report::remark("golden cases skipped: no golden folder (set KINECAST_DATA_DIR)");
#endif
  Glpk glpk;
  compare_general<double>(glpk, 20000, report);
  compare_general<float>(glpk, 20000, report);
  compare_static<4>(glpk, 20000, report);
  compare_static<8>(glpk, 30000, report);
  compare_static<16>(glpk, 10000, report);
  compare_static<32>(glpk, 5000, report);
  compare_kinetic<double>(glpk, 10000, report);
  compare_kinetic<float>(glpk, 10000, report);
}

}  // namespace

const support::Program support::program{"linear_programs", measure};
