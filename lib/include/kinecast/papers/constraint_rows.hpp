// SPDX-License-Identifier: MIT
// The rows of stops, loops and couplings in the problem of a step: a joint at its stop has one row
// (contact/joint_limits.hpp, impulse >= 0), a closed loop three (both signs), a coupling one (contact/coupling_row.hpp,
// both signs). A row is a force or torque in factor space (dynamics/factor.hpp); the solver sees v = y . t + offset,
// the impulse, and the row's relaxation.
//
// A loop holds two points together: with d their distance vector, the target of their relative velocity at the end of
// the step is -k d, so that the points creep together and rounding does not take them apart. The part of their free
// velocity that y . g does not have (velocity products, joints whose acceleration is given) is in the offset. Of the
// velocity products one half counts, because the step moves the positions with its last velocity: this cancels their
// second-order error, and the points stay together to third order in dt.
#pragma once

#include <kinecast/contact/coupling_row.hpp>
#include <kinecast/contact/joint_limits.hpp>
#include <kinecast/dynamics/factor.hpp>
#include <kinecast/dynamics/step_motion.hpp>
#include <kinecast/papers/contact_problem.hpp>

#include <array>
#include <cstddef>

namespace kinecast {

// The stops of a step: those that the free motion would pass, and those near by, which other forces may reach; and how
// the couplings move.
template <const auto& R, class S>
struct StepRows {
  static constexpr int kLimits = Shape<R>::kHas.limits;
  static constexpr int kBilateral = 3 * Shape<R>::kLoops + Shape<R>::kCouplings;  // rows that always act
  static constexpr int kMost = kLimits + kBilateral;
  int limits{0};
  bool is_passed{false};  // the free motion would pass a stop
  std::array<LimitRow<S>, static_cast<std::size_t>(kLimits)> limit;
  std::array<std::int16_t, static_cast<std::size_t>(kLimits > 0 ? Shape<R>::kBodies : 0)> pushed{};  // JointBeforeStep
  std::array<CouplingMotion<S>, static_cast<std::size_t>(Shape<R>::kCouplings)> coupling;

  [[nodiscard]] int count() const noexcept { return limits + kBilateral; }
  // Whether there is anything to hold if nothing touches.
  [[nodiscard]] bool is_needed() const noexcept { return is_passed || kBilateral > 0; }
  // The place of the first row of a coupling.
  [[nodiscard]] int first_coupling() const noexcept { return limits + 3 * Shape<R>::kLoops; }
};

// Finds how the couplings move in a step that starts so and has the accelerations `ddq` without rows.
template <const auto& R, class S>
inline void find_coupling_motions(const Model<R, S>& model, const Position<R, S>& q, const Velocity<R, S>& dq,
                                  const Velocity<R, S>& ddq, S dt, StepRows<R, S>& out) noexcept {
  for (std::size_t i = 0; i < out.coupling.size(); ++i)
    out.coupling[i] = find_coupling_motion<R, S>(model.couplings[i], q, dq, ddq, dt);
}

// Finds the stops that the free motion would pass, and those near by: contacts, loops, couplings and other stops can
// push a joint there.
template <const auto& R, class S>
inline void find_limit_rows(const Model<R, S>& model, const RowParameters<S>& parameters, const Position<R, S>& q,
                            const Velocity<R, S>& dq, const Velocity<R, S>& ddq, S dt, StepRows<R, S>& out) noexcept {
  out.limits = 0;
  out.is_passed = false;
  if constexpr (Shape<R>::kHas.limits > 0) {
    for (int b = 0; b < Shape<R>::kBodies; ++b) {
      if (!Shape<R>::has_stops(b)) continue;
      const int v = Shape<R>::v_of(b);
      LimitRow<S>& row = out.limit[static_cast<std::size_t>(out.limits)];
      const S reach = dt * (std::abs(dq[v]) + Tolerance<S>::kPushedSpeed);
      const detail::JointBeforeStep<S> joint{q[Shape<R>::q_of(b)], dq[v], ddq[v], dt * (dq[v] + dt * ddq[v]),
                                             out.pushed[static_cast<std::size_t>(b)]};
      if (!detail::find_limit_row(model.limit(b), parameters, joint, reach, dt, row)) continue;
      out.is_passed = out.is_passed || row.is_passed;
      row.body = static_cast<std::int16_t>(b);
      ++out.limits;
    }
  }
}

// After the solve, marks the joints that rows, contacts or friction of this step push through a stop that had no row.
// False: there are none.
template <const auto& R, class S>
[[nodiscard]] inline bool mark_pushed_joints(const Model<R, S>& model, const Position<R, S>& q,
                                             const Velocity<R, S>& dq, const Velocity<R, S>& ddq, S dt,
                                             StepRows<R, S>& out) noexcept {
  bool any = false;
  for (int b = 0; b < Shape<R>::kBodies; ++b) {
    if (!Shape<R>::has_stops(b)) continue;
    const int v = Shape<R>::v_of(b);
    const S at = q[Shape<R>::q_of(b)];
    const S ahead = dt * (dq[v] + dt * ddq[v]);
    if (!detail::passes(model.limit(b), at, ahead)) continue;
    bool has_row = false;
    for (int i = 0; i < out.limits; ++i) has_row = has_row || out.limit[static_cast<std::size_t>(i)].body == b;
    if (has_row) continue;
    out.pushed[static_cast<std::size_t>(b)] =
        at - model.limit(b).lower + ahead < S(0) ? std::int16_t{1} : std::int16_t{-1};
    any = true;
  }
  return any;
}

namespace detail {

// A point of a loop, in world axes: its position, its velocity at the end of the free step, and its drift.
template <class S>
struct LoopPoint {
  Vec3<S> position;
  Vec3<S> velocity;
  Vec3<S> drift;
};
template <const auto& R, class S>
[[nodiscard]] inline LoopPoint<S> find_loop_point(const Model<R, S>& model, const Workspace<R, S>& dynamics,
                                                  const StepMotion<R, S>& motion, const PointOnBody<S>& point,
                                                  S dt) noexcept {
  // The sweeps accelerate all bodies by minus gravity; the world must be accelerated alike.
  if (point.body == kWorld) return {point.position, {}, -(dt * model.gravity)};
  const std::size_t at = static_cast<std::size_t>(point.body);
  const Placement<S>& pose = motion.poses[at];
  const LinkMotion<S>& product = products_of(dynamics, motion)[at];
  const Motion<S>& free = motion.free[at];
  return {pose.position + pose.rotation * point.position,
          pose.rotation * (free.linear + cross(free.angular, point.position)),
          dt * (pose.rotation * (product.acceleration + spin(product) * point.position))};
}

// Adds the rows of a point's motion along the world axes.
template <const auto& R, class S, class Row>
inline void add_point_rows(const Model<R, S>& model, const Workspace<R, S>& dynamics, const StepMotion<R, S>& motion,
                           const PointOnBody<S>& point, S sign, Row* rows) noexcept {
  if (point.body == kWorld) return;
  const Mat3<S>& to_world = motion.poses[static_cast<std::size_t>(point.body)].rotation;
  const Mat3<S> axes{sign * to_world.row_x, sign * to_world.row_y, sign * to_world.row_z};
  Factor{model, dynamics}.rows(point.body, forces_at(point.position, axes), rows[0].y, rows[1].y, rows[2].y);
}

}  // namespace detail

// Fills the rows of stops, loops and couplings into the problem, whose factor space must be that of the whole robot.
template <const auto& R, class S, class Problem>
inline void fill_constraint_rows(const Model<R, S>& model, const Workspace<R, S>& dynamics,
                                 const FactoredMotion<R, S>& motion, const RowParameters<S>& parameters,
                                 const StepRows<R, S>& step, S dt, Problem& p) noexcept {
  const S relaxation =
      parameters.relaxation > Tolerance<S>::kLeastRelaxation ? parameters.relaxation : Tolerance<S>::kLeastRelaxation;
  p.constraints = step.count();
  for (int i = 0; i < p.constraints; ++i) p.constraint[static_cast<std::size_t>(i)] = {};
  const auto square = [](const auto& row) {
    S sum = S(0);
    for (const S y : row.y) sum += y * y;
    return sum;
  };
  if constexpr (Shape<R>::kHas.limits > 0) {
    for (int i = 0; i < step.limits; ++i) {
      const LimitRow<S>& limit = step.limit[static_cast<std::size_t>(i)];
      auto& row = p.constraint[static_cast<std::size_t>(i)];
      Factor{model, dynamics}.joint_row(limit.body, limit.sign, row.y);
      row.mobility = square(row);
      row.offset = limit.offset;
      // A joint whose acceleration is given does not feel its stop.
      if (!(row.mobility > S(0))) continue;
      row.relaxation = limit.soft_mobility > S(0) ? limit.soft_mobility / row.mobility : relaxation;
      row.is_bounded = true;
      row.acts = true;
    }
  }
  if constexpr (Shape<R>::kLoops > 0) {
    const S k = parameters.compensation_per_s * dt < S(1) ? parameters.compensation_per_s : S(1) / dt;
    for (int l = 0; l < Shape<R>::kLoops; ++l) {
      const LoopConstants<S>& loop = model.loops[static_cast<std::size_t>(l)];
      auto* const rows = &p.constraint[static_cast<std::size_t>(step.limits + 3 * l)];
      detail::add_point_rows(model, dynamics, motion, loop.first, S(1), rows);
      detail::add_point_rows(model, dynamics, motion, loop.second, S(-1), rows);
      const detail::LoopPoint<S> a = detail::find_loop_point(model, dynamics, motion, loop.first, dt);
      const detail::LoopPoint<S> b = detail::find_loop_point(model, dynamics, motion, loop.second, dt);
      const Vec3<S> apart = a.position - b.position;
      const S distance = std::sqrt(dot(apart, apart));
      const S rate = k * distance > parameters.push_out ? parameters.push_out / distance : k;
      const Vec3<S> offset = S(0.5) * (a.drift - b.drift) + rate * apart;
      const S offsets[3] = {offset.x, offset.y, offset.z};
      S largest = S(0);
      for (int i = 0; i < 3; ++i) {
        rows[i].mobility = square(rows[i]);
        largest = rows[i].mobility > largest ? rows[i].mobility : largest;
      }
      for (int i = 0; i < 3; ++i) {
        rows[i].offset = offsets[i];
        if constexpr (Shape<R>::kHas.velocity_drives > 0) {
          const Vec3<S> velocity = a.velocity - b.velocity;
          rows[i].offset += i == 0 ? velocity.x : i == 1 ? velocity.y : velocity.z;
          for (int j = 0; j < Shape<R>::kDofs; ++j) rows[i].offset -= rows[i].y[j] * motion.g[j];
        }
        // All three rows have the same absolute relaxation, so that the result does not depend on the world's axes, and
        // a row that hardly moves does not get the largest impulse.
        rows[i].acts = rows[i].mobility > Tolerance<S>::kImmobile * largest;
        rows[i].relaxation = rows[i].acts ? relaxation * largest / rows[i].mobility : relaxation;
      }
    }
  }
  if constexpr (Shape<R>::kCouplings > 0) {
    for (int c = 0; c < Shape<R>::kCouplings; ++c) {
      auto& row = p.constraint[static_cast<std::size_t>(step.first_coupling() + c)];
      add_coupling_row(model, dynamics, model.couplings[static_cast<std::size_t>(c)], row.y);
      row.mobility = square(row);
      row.offset = coupling_offset<R, S>(parameters, step.coupling[static_cast<std::size_t>(c)], row.y, motion.g, dt);
      row.relaxation = relaxation;
      row.acts = row.mobility > S(0);
    }
  }
}

namespace detail {

// The part of stops, loops and couplings in the problem of a step. `Problem` has g, rank, problem, solution,
// constraints and constraint. For a robot that has none of them all functions are empty.
template <Functional functional, class S, class Problem>
class ConstraintRows {
 public:
  explicit ConstraintRows(Problem& problem) noexcept : p_(problem) {}

  // Adds the unknowns of the rows behind those that are there.
  void add() noexcept {
    if constexpr (Problem::kConstraints > 0) {
      auto& qp = p_.problem;
      first_ = qp.unknowns;
      for (int i = 0; i < p_.constraints; ++i) {
        const auto& row = p_.constraint[static_cast<std::size_t>(i)];
        if (!row.acts || row.is_released) continue;
        const int at = qp.unknowns++;
        for (int k = 0; k < p_.rank; ++k) qp.row[at][k] = row.y[k];
        qp.offset[at] = row.offset;
        qp.lambda[at] =
            row.relaxation * (functional == Functional::velocity ? row.mobility * row.mobility : row.mobility);
        qp.is_bounded[at] = row.is_bounded;
        p_.solution.at_bound[at] = false;
      }
    }
  }
  void read_back() noexcept {
    if constexpr (Problem::kConstraints > 0) {
      int next = first_;
      for (int i = 0; i < p_.constraints; ++i) {
        auto& row = p_.constraint[static_cast<std::size_t>(i)];
        row.impulse = row.acts && !row.is_released ? p_.solution.x[next++] : S(0);
      }
    }
  }

  // Releases the stops that ended without an impulse and separate, and takes back those that were released and approach
  // (method 2.7). False: no stop changes.
  [[nodiscard]] bool release() noexcept {
    bool changed = false;
    if constexpr (Problem::kConstraints > 0) {
      for (int i = 0; i < p_.constraints; ++i) {
        auto& row = p_.constraint[static_cast<std::size_t>(i)];
        if (!row.acts || !row.is_bounded) continue;
        S excess = row.offset;
        for (int k = 0; k < p_.rank; ++k) excess += row.y[k] * p_.solution.t[k];
        const bool leaves = !row.is_released && !(row.impulse > S(0)) && excess > S(0);
        const bool returns = row.is_released && excess < S(0);
        if (!leaves && !returns) continue;
        row.is_released = leaves;
        changed = true;
      }
    }
    return changed;
  }

  // The work that the rows' targets ask for: rebounds, and violations that are worked off.
  [[nodiscard]] S asked() const noexcept {
    S sum = S(0);
    if constexpr (Problem::kConstraints > 0) {
      for (int i = 0; i < p_.constraints; ++i) {
        const auto& row = p_.constraint[static_cast<std::size_t>(i)];
        const S work = -row.impulse * row.offset;
        sum += work > S(0) ? work : S(0);
      }
    }
    return sum;
  }

 private:
  Problem& p_;
  int first_{0};
};

}  // namespace detail

// Writes the forces of stops, loops and couplings into the report.
template <const auto& R, class S, class Problem, class Report>
inline void report_constraints(const StepRows<R, S>& step, const Problem& p, S dt, Report& out) noexcept {
  const S inverse_dt = S(1) / dt;
  const bool is_solved = p.constraints > 0;
  if constexpr (Shape<R>::kHas.limits > 0) {
    for (S& torque : out.limit_Nm) torque = S(0);
    for (int i = 0; is_solved && i < step.limits; ++i) {
      const LimitRow<S>& limit = step.limit[static_cast<std::size_t>(i)];
      out.limit_Nm[static_cast<std::size_t>(Shape<R>::v_of(limit.body))] =
          limit.sign * inverse_dt * p.constraint[static_cast<std::size_t>(i)].impulse;
    }
  }
  if constexpr (Shape<R>::kLoops > 0) {
    for (int l = 0; is_solved && l < Shape<R>::kLoops; ++l) {
      const auto* const rows = &p.constraint[static_cast<std::size_t>(step.limits + 3 * l)];
      out.loop_N[static_cast<std::size_t>(l)] = inverse_dt * Vec3<S>{rows[0].impulse, rows[1].impulse, rows[2].impulse};
    }
  }
  if constexpr (Shape<R>::kCouplings > 0) {
    for (int c = 0; is_solved && c < Shape<R>::kCouplings; ++c)
      out.coupling_Nm[static_cast<std::size_t>(c)] =
          inverse_dt * p.constraint[static_cast<std::size_t>(step.first_coupling() + c)].impulse;
  }
}

}  // namespace kinecast
