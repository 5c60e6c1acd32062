// SPDX-License-Identifier: MIT
// Prescribed motion (Kokkevis; method 1.5): finds the forces that give chosen joints and points their accelerations, or
// after an impact their velocities, and the motion of the whole robot with them. It uses the factors of the last
// forward_dynamics():
//
//   y = K f + y0,  K = Y Bᵀ    Y: rows of the demands, B: rows of the forces; paired unless forces are named: B = Y
//   equal     y = y_d                             f = K⁺ (y_d - y0): least squares, and of these the least forces
//   at least  0 <= f  perp  y - y_d >= 0          solve/lcp.hpp, equal rows held; paired only (method 1.5, CHOICE 28)
//
// Rows may depend on each other. Where demands contradict each other the answer is that of least squares, `residual`
// says how much is missed, and the Status warns: inconsistent. A joint that is held (it sticks, or its drive gives its
// acceleration) and a point welded to the world move for no force.
//
//   Constraints<float, 2> wishes;
//   wishes.equal(row_of_joint(model<arm, float>, elbow), 0.F);
//   wishes.equal(row_of_point(tip, up), 1.5F);
//   status = constrain_accelerations(model<arm, float>, dq, ddq, wishes, work, result);
#pragma once

#include <kinecast/control/motion_row.hpp>
#include <kinecast/dynamics/factor.hpp>
#include <kinecast/solve/lcp.hpp>
#include <kinecast/solve/orthogonal_rows.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

namespace kinecast {

// Up to MaxRows demands, and up to MaxForces forces that are not the demands' own. Rows beyond that are counted but not
// stored, and solving then fails.
template <class S, int MaxRows, int MaxForces = 0>
struct Constraints {
  static_assert(MaxRows >= 1 && MaxForces >= 0, "kinecast: constraints need room for at least one row");
  int count{0};
  std::array<MotionRow<S>, static_cast<std::size_t>(MaxRows)> row{};
  std::array<S, static_cast<std::size_t>(MaxRows)> target{};
  std::array<bool, static_cast<std::size_t>(MaxRows)> is_unilateral{};
  int forces{0};  // 0: every row has its own force
  std::array<MotionRow<S>, static_cast<std::size_t>(MaxForces)> force{};

  // Demands y = target.
  void equal(const MotionRow<S>& wanted, S value) noexcept { add(wanted, value, false); }
  // Demands y >= target, by a force that pushes and does not pull, and only where y would be less.
  void at_least(const MotionRow<S>& wanted, S value) noexcept { add(wanted, value, true); }
  // Names a force that steers the rows, instead of their own forces; there may be more or fewer forces than rows.
  void steer_by(const MotionRow<S>& by) noexcept {
    if constexpr (MaxForces > 0) {
      if (forces < MaxForces) force[static_cast<std::size_t>(forces)] = by;
    }
    ++forces;
  }

 private:
  void add(const MotionRow<S>& wanted, S value, bool unilateral) noexcept {
    if (count < MaxRows) {
      const std::size_t at = static_cast<std::size_t>(count);
      row[at] = wanted, target[at] = value, is_unilateral[at] = unilateral;
    }
    ++count;
  }
};

template <const auto& R, class S, int MaxRows, int MaxForces = 0>
struct ConstraintResult {
  static constexpr int kForces = std::max(MaxRows, MaxForces);
  std::array<S, static_cast<std::size_t>(kForces)>
      force{};  // N or N m (after an impact N s, N m s), in the order of the rows or forces
  std::array<S, static_cast<std::size_t>(MaxRows)> reached{};  // y
  Velocity<R, S> rates{};  // of the whole robot with these forces: ddq, or dq after the impact
  S residual{};            // root of the sum of squares of the demands' errors
  int rank{};              // number of directions in which the equal rows can be moved
};

// K = Y Bᵀ and y0 of a set of constraints.
template <const auto& R, class S, int MaxRows, int MaxForces>
struct ConstraintMap {
  static constexpr int kDofs = Shape<R>::kDofs;
  FactorRow<R, S> Y[static_cast<std::size_t>(MaxRows)];
  FactorRow<R, S> B[static_cast<std::size_t>(std::max(MaxForces, 1))];  // not read where forces are paired
  S y0[static_cast<std::size_t>(MaxRows)];
  S size[static_cast<std::size_t>(MaxRows)];  // sum of the sizes of y0's terms
  int rows;
  int forces;
  bool is_paired;

  [[nodiscard]] const FactorRow<R, S>& force_row(int j) const noexcept { return is_paired ? Y[j] : B[j]; }
  [[nodiscard]] S response(int i, int j) const noexcept { return dot(Y[i], force_row(j)); }
  [[nodiscard]] static S dot(const FactorRow<R, S>& a, const FactorRow<R, S>& b) noexcept {
    S sum = S(0);
    for (int k = 0; k < kDofs; ++k) sum += a[k] * b[k];
    return sum;
  }
};

namespace detail {

template <const auto& R, class S, int MaxRows, int MaxForces>
[[nodiscard]] inline Status check_constraints(const Constraints<S, MaxRows, MaxForces>& set,
                                              const Workspace<R, S>& work) noexcept {
  if (!work.swept) return Status::not_ready;
  if (set.count < 0 || set.count > MaxRows || set.forces < 0 || set.forces > MaxForces)
    return Status::index_out_of_range;
  for (int i = 0; i < set.count; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    if (const Status status = check_row<R, S>(set.row[at]); !ok(status)) return status;
    if (!is_finite(set.target[at])) return Status::non_finite_input;
    if (std::abs(set.target[at]) > Tolerance<S>::kLargestInput) return Status::input_out_of_range;
    if (set.is_unilateral[at] && set.forces > 0) return Status::unpaired;
  }
  for (int j = 0; j < set.forces; ++j)
    if (const Status status = check_row<R, S>(set.force[static_cast<std::size_t>(j)]); !ok(status)) return status;
  return Status::ok;
}

template <const auto& R, class S, int MaxRows, int MaxForces>
inline void fill_map(const Model<R, S>& model, const Workspace<R, S>& work, const Rates<R, S>& rates,
                     const Constraints<S, MaxRows, MaxForces>& set,
                     ConstraintMap<R, S, MaxRows, MaxForces>& map) noexcept {
  const BodyMotions<R, S> bodies(model, work.screws, rates);
  map.rows = set.count;
  map.is_paired = set.forces == 0;
  map.forces = map.is_paired ? set.count : set.forces;
  for (int i = 0; i < set.count; ++i) {
    const MotionRow<S>& row = set.row[static_cast<std::size_t>(i)];
    const RowMotion<S> motion = motion_of(row, bodies, rates);
    map.y0[i] = motion.value;
    map.size[i] = motion.size;
    factor_of(model, work, row, bodies, map.Y[i]);
  }
  if constexpr (MaxForces > 0) {
    for (int j = 0; j < set.forces; ++j)
      factor_of(model, work, set.force[static_cast<std::size_t>(j)], bodies, map.B[j]);
  }
}

// Finds the forces for a map and its targets.
template <const auto& R, class S, int MaxRows, int MaxForces>
class ConstraintSolver {
 public:
  using Set = Constraints<S, MaxRows, MaxForces>;
  using Map = ConstraintMap<R, S, MaxRows, MaxForces>;
  static constexpr int kDofs = Map::kDofs;
  static constexpr int kForces = std::max(MaxRows, MaxForces);
  using PerRow = S[static_cast<std::size_t>(MaxRows)];
  using PerForce = S[static_cast<std::size_t>(kForces)];

  ConstraintSolver(const Set& set, const Map& map) noexcept : set_(set), map_(map) {
    for (S& f : force) f = S(0);
    for (int i = 0; i < map.rows; ++i) (is_unilateral(i) ? unilateral_[unilaterals_++] : equal_[equals_++]) = i;
  }

  [[nodiscard]] Status solve() noexcept {
    if (!(map_.is_paired ? solve_paired() : solve_unpaired())) return Status::non_finite_result;
    find_innovations();
    Status status = Status::ok;
    if (unilaterals_ > 0) {
      status = solve_unilateral();
      if (!ok(status)) return status;
      find_innovations();
    }
    return find_residual(status);
  }

  PerForce force;
  FactorRow<R, S> t;  // Bᵀ f: the change of motion in factor space
  PerRow reached;
  S residual{S(0)};
  int rank{0};

 private:
  [[nodiscard]] bool is_unilateral(int i) const noexcept { return set_.is_unilateral[static_cast<std::size_t>(i)]; }
  [[nodiscard]] S target(int i) const noexcept { return set_.target[static_cast<std::size_t>(i)]; }
  [[nodiscard]] static S length(const FactorRow<R, S>& row) noexcept { return std::sqrt(Map::dot(row, row)); }
  [[nodiscard]] S noise_of(int i) const noexcept { return Tolerance<S>::kRowNoise * length(map_.Y[i]); }
  // The part of row i's target that is still missing.
  [[nodiscard]] S lack(int i) const noexcept { return target(i) - map_.y0[i] - Map::dot(map_.Y[i], t); }

  void find_innovations() noexcept {
    for (S& entry : t) entry = S(0);
    for (int j = 0; j < map_.forces; ++j) {
      const FactorRow<R, S>& row = map_.force_row(j);
      for (int k = 0; k < kDofs; ++k) t[k] += force[j] * row[k];
    }
  }

  // Solves the equal rows by their own forces; a second pass removes the rounding of the first one.
  void push_equals() noexcept {
    for (int pass = 0; pass < 2; ++pass) {
      find_innovations();
      PerRow r = {};
      PerRow f = {};
      for (int e = 0; e < equals_; ++e) r[e] = lack(equal_[e]);
      held_.add_multipliers(r, f);
      for (int e = 0; e < equals_; ++e) force[equal_[e]] += f[e];
    }
  }
  [[nodiscard]] bool solve_paired() noexcept {
    held_.begin(kDofs);
    for (int e = 0; e < equals_; ++e) held_.add(map_.Y[equal_[e]], noise_of(equal_[e]));
    if (!held_.turn(Tolerance<S>::kLeastSingularRoot)) return false;
    rank = held_.rank();
    push_equals();
    return true;
  }

  [[nodiscard]] bool solve_unpaired() noexcept {
    if constexpr (MaxForces > 0) {
      OrthogonalRows<S, MaxRows, MaxForces> rows;
      rows.begin(map_.forces);
      S longest = S(0);
      for (int j = 0; j < map_.forces; ++j) longest = std::max(longest, length(map_.B[j]));
      for (int i = 0; i < map_.rows; ++i) {
        S k[static_cast<std::size_t>(MaxForces)] = {};
        for (int j = 0; j < map_.forces; ++j) k[j] = map_.response(i, j);
        rows.add(k, noise_of(i) * longest);
      }
      if (!rows.turn(Tolerance<S>::kLeastSingular)) return false;
      rank = rows.rank();
      for (int pass = 0; pass < 2; ++pass) {
        find_innovations();
        PerRow r = {};
        S f[static_cast<std::size_t>(MaxForces)] = {};
        for (int i = 0; i < map_.rows; ++i) r[i] = lack(i);
        rows.add_solution(r, f);
        for (int j = 0; j < map_.forces; ++j) force[j] += f[j];
      }
    }
    return true;
  }

  // Solves the unilateral rows. With the equal rows held, the rest of their rows is Z: 0 <= f  perp  Z Zᵀ f + q >= 0.
  [[nodiscard]] Status solve_unilateral() noexcept {
    Lcp<S, MaxRows> lcp;
    FactorRow<R, S> z[static_cast<std::size_t>(MaxRows)];
    lcp.size = unilaterals_;
    for (int u = 0; u < unilaterals_; ++u) {
      const int i = unilateral_[u];
      for (int k = 0; k < kDofs; ++k) z[u][k] = map_.Y[i][k];
      held_.project_out(z[u]);
      lcp.q[u] = -lack(i);
      if (length(z[u]) > Tolerance<S>::kLeastSingularRoot * length(map_.Y[i])) continue;
      // The equal rows alone decide this row: it depends on them.
      for (S& entry : z[u]) entry = S(0);
      if (std::abs(lcp.q[u]) <= tolerance(i)) lcp.q[u] = S(0);
    }
    for (int u = 0; u < unilaterals_; ++u)
      for (int j = 0; j <= u; ++j) lcp.M[u][j] = lcp.M[j][u] = Map::dot(z[u], z[j]);
    LcpSolution<S, MaxRows> found;
    Status status = solve_lcp(lcp, found);
    if (status == Status::infeasible) {
      // The verdict may be rounding of rows that nearly depend on each other: with a larger diagonal there is always a
      // solution, and find_residual() tells whether it solves the problem.
      for (int u = 0; u < unilaterals_; ++u) lcp.M[u][u] *= S(1) + Tolerance<S>::kLcpGive;
      gave_ = true;
      status = solve_lcp(lcp, found);
    }
    if (!ok(status)) return status;
    for (int u = 0; u < unilaterals_; ++u) force[unilateral_[u]] = found.z[u];
    push_equals();
    find_innovations();
    if (share()) push_equals();
    return status;
  }

  // Solves the rows that push as equal ones: accurately, and with the forces of least norm where more rows push than
  // there are directions. Unilateral rows that would pull are left out. True: the result is a solution.
  [[nodiscard]] bool share() noexcept {
    int member[static_cast<std::size_t>(MaxRows)] = {};
    int members = 0;
    for (int i = 0; i < map_.rows; ++i)
      if (!is_unilateral(i) || force[i] > S(0) || std::abs(lack(i)) <= tolerance(i)) member[members++] = i;
    OrthogonalRows<S, MaxRows, kDofs> pushing;
    for (; members > 0; --members) {
      pushing.begin(kDofs);
      for (int a = 0; a < members; ++a) pushing.add(map_.Y[member[a]], noise_of(member[a]));
      if (!pushing.turn(Tolerance<S>::kLeastSingularRoot)) return false;
      PerRow r = {};
      PerRow f = {};
      for (int a = 0; a < members; ++a) {
        const int i = member[a];
        r[a] = is_unilateral(i) ? target(i) - map_.y0[i] : Map::dot(map_.Y[i], t);  // equal ones keep what they have
      }
      pushing.add_multipliers(r, f);
      int least = -1;
      for (int a = 0; a < members; ++a)
        if (is_unilateral(member[a]) && f[a] < S(0) && (least < 0 || f[a] < f[least])) least = a;
      if (least < 0) return take_shared(f, member, members);
      member[least] = member[members - 1];
    }
    return false;
  }
  [[nodiscard]] bool take_shared(const PerRow& f, const int (&member)[static_cast<std::size_t>(MaxRows)],
                                 int members) noexcept {
    PerForce before;
    for (int i = 0; i < map_.rows; ++i) before[i] = force[i], force[i] = S(0);
    for (int a = 0; a < members; ++a) force[member[a]] = f[a];
    find_innovations();
    bool solves = true;
    for (int i = 0; i < map_.rows; ++i) solves = solves && !(is_unilateral(i) && lack(i) > tolerance(i));
    for (int a = 0; a < members; ++a)
      solves = solves && !(is_unilateral(member[a]) && std::abs(lack(member[a])) > tolerance(member[a]));
    if (!solves)
      for (int i = 0; i < map_.rows; ++i) force[i] = before[i];
    return solves;
  }

  // The error that rounding may leave of row i: of its target, of y0's terms, and of the change by the forces.
  [[nodiscard]] S tolerance(int i) const noexcept {
    return Tolerance<S>::kContradiction * (std::abs(target(i)) + map_.size[i] + length(map_.Y[i]) * length(t));
  }

  // Finds the residual, and the Status that follows from it and from that of the complementarity problem.
  [[nodiscard]] Status find_residual(Status status) noexcept {
    S squares = S(0);
    for (int i = 0; i < map_.rows; ++i) {
      S off = lack(i);
      reached[i] = target(i) - off;
      if (is_unilateral(i) && !(force[i] > S(0)) && off < S(0)) off = S(0);  // y may exceed its target
      squares += off * off;
      if (std::abs(off) <= tolerance(i)) continue;
      if (is_unilateral(i) && gave_) return Status::infeasible;
      if (status == Status::ok) status = Status::inconsistent;
    }
    residual = std::sqrt(squares);
    return status;
  }

  const Set& set_;
  const Map& map_;
  int equal_[static_cast<std::size_t>(MaxRows)];
  int equals_{0};
  int unilateral_[static_cast<std::size_t>(MaxRows)];
  int unilaterals_{0};
  bool gave_{false};
  OrthogonalRows<S, MaxRows, kDofs> held_;  // the equal rows
};

template <const auto& R, class S, int MaxRows, int MaxForces>
[[nodiscard]] inline Status solve_constraints(const Model<R, S>& model, const Velocity<R, S>& rates,
                                              const Constraints<S, MaxRows, MaxForces>& set,
                                              const ConstraintMap<R, S, MaxRows, MaxForces>& map, Workspace<R, S>& work,
                                              ConstraintResult<R, S, MaxRows, MaxForces>& result) noexcept {
  ConstraintSolver<R, S, MaxRows, MaxForces> solver(set, map);
  const Status status = solver.solve();
  if (!ok(status)) return status;
  Velocity<R, S> change = Velocity<R, S>::Zero();
  Factor{model, work}.velocity(solver.t, change);
  change += rates;
  S sum = solver.residual;
  for (int j = 0; j < map.forces; ++j) sum += solver.force[j];
  for (int i = 0; i < map.rows; ++i) sum += solver.reached[i];
  if (!is_finite(sum) || !all_finite(change)) return Status::non_finite_result;
  result.force = {};
  result.reached = {};
  for (int j = 0; j < map.forces; ++j) result.force[static_cast<std::size_t>(j)] = solver.force[j];
  for (int i = 0; i < map.rows; ++i) result.reached[static_cast<std::size_t>(i)] = solver.reached[i];
  result.rates = change;
  result.residual = solver.residual;
  result.rank = solver.rank;
  return status;
}

}  // namespace detail

// Finds K and y0 of accelerations, for the state of the last forward_dynamics(), which took dq and gave ddq.
template <const auto& R, class S, int MaxRows, int MaxForces>
[[nodiscard]] inline Status map_accelerations(const Model<R, S>& model, const Velocity<R, S>& dq,
                                              const Velocity<R, S>& ddq, const Constraints<S, MaxRows, MaxForces>& set,
                                              const Workspace<R, S>& work,
                                              ConstraintMap<R, S, MaxRows, MaxForces>& map) noexcept {
  if (const Status status = check_input(dq); !ok(status)) return status;
  if (const Status status = check_input(ddq); !ok(status)) return status;
  if (const Status status = detail::check_constraints(set, work); !ok(status)) return status;
  detail::fill_map(model, work, detail::Rates<R, S>{dq, &ddq}, set, map);
  return Status::ok;
}

// Finds K and y0 of velocities; y0 is the motion of the rows before the impact.
template <const auto& R, class S, int MaxRows, int MaxForces>
[[nodiscard]] inline Status map_velocities(const Model<R, S>& model, const Velocity<R, S>& dq,
                                           const Constraints<S, MaxRows, MaxForces>& set, const Workspace<R, S>& work,
                                           ConstraintMap<R, S, MaxRows, MaxForces>& map) noexcept {
  if (const Status status = check_input(dq); !ok(status)) return status;
  if (const Status status = detail::check_constraints(set, work); !ok(status)) return status;
  const Velocity<R, S> rest = Velocity<R, S>::Zero();
  detail::fill_map(model, work, detail::Rates<R, S>{rest, &dq}, set, map);
  return Status::ok;
}

// Finds the forces that give the rows their accelerations, besides those that gave `ddq`;
// result.rates is ddq with them.
template <const auto& R, class S, int MaxRows, int MaxForces>
[[nodiscard]] inline Status constrain_accelerations(const Model<R, S>& model, const Velocity<R, S>& dq,
                                                    const Velocity<R, S>& ddq,
                                                    const Constraints<S, MaxRows, MaxForces>& set,
                                                    Workspace<R, S>& work,
                                                    ConstraintResult<R, S, MaxRows, MaxForces>& result) noexcept {
  ConstraintMap<R, S, MaxRows, MaxForces> map;
  if (const Status status = map_accelerations(model, dq, ddq, set, work, map); !ok(status)) return status;
  return detail::solve_constraints(model, ddq, set, map, work, result);
}

// Finds the impulses that give the rows their velocities at once, as an impact does; result.rates is dq after it.
template <const auto& R, class S, int MaxRows, int MaxForces>
[[nodiscard]] inline Status constrain_velocities(const Model<R, S>& model, const Velocity<R, S>& dq,
                                                 const Constraints<S, MaxRows, MaxForces>& set, Workspace<R, S>& work,
                                                 ConstraintResult<R, S, MaxRows, MaxForces>& result) noexcept {
  ConstraintMap<R, S, MaxRows, MaxForces> map;
  if (const Status status = map_velocities(model, dq, set, work, map); !ok(status)) return status;
  return detail::solve_constraints(model, dq, set, map, work, result);
}

}  // namespace kinecast
