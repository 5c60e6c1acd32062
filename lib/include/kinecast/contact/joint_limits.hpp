// SPDX-License-Identifier: MIT
// Joints that come to their stops (method 1.6, FIX 21). A stop is a row like that of a contact, predictive: it exists
// if the free motion would pass it within the step, and asks for the velocity that arrives at the stop, not through it,
//
//   s dq+ = v* = -d/dt (d > 0),  -k d (d <= 0),  and at least -e s dq with a rebound;  d = s (q - q_lim), impulse >= 0
//
// (dq: the slower of the velocity before the step and that at the end of the free step, so that a rebound never gains
// energy).
//
// A soft stop is a spring and a damper, taken at the end of the step, which relaxes the same row: with c' = c + dt k,
// s dq+ + x / (dt c') + k d / c' = 0.
//
// With contacts, friction in the joints or loops the rows join their problem (contact/constraint_rows.hpp). The stops
// of an arm that has nothing but limits are solved here, between the sweeps, as a complementarity problem of the joints
// at their stops: their torques add to what the inward sweep left, so that one outward sweep gives the stopped motion.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/dynamics/factor.hpp>
#include <kinecast/dynamics/forward_dynamics.hpp>
#include <kinecast/solve/lcp.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// Parameters of stops and loops that no joint has.
template <class S>
struct RowParameters {
  S compensation_per_s{200};  // k: a violation is worked off at this rate, at most 1/dt,
  S push_out{1};              // and at most this fast, rad/s or m/s
  S relaxation{S(1e-4)};      // over the row's own mobility
};

// The parameters of a robot that has neither stops nor loops.
struct NoRowParameters {};

// A stop that acts in this step.
template <class S>
struct LimitRow {
  std::int16_t body;
  S sign;           // +1: the lower stop, -1: the upper one
  S offset;         // minus the target velocity
  S soft_mobility;  // 1 / (dt c') of a soft stop; 0: the stop is rigid
  bool is_passed;   // the free motion would pass the stop; else it is near, and other forces may push the joint there
};

namespace detail {

// The motion of a joint before a step.
template <class S>
struct JointBeforeStep {
  S q;
  S dq;
  S ddq;           // acceleration without any stop
  S ahead;         // displacement in the step without any stop
  int pushed = 0;  // sign of a stop that other forces push the joint through; 0: none
};

template <class S>
[[nodiscard, gnu::always_inline]] inline bool passes(const LimitConstants<S>& limit, S q, S ahead) noexcept {
  return q - limit.lower + ahead < S(0) || limit.upper - q - ahead < S(0);
}

// Finds the row of the stop that the joint would pass within the step, or of one that is no further away than `reach`,
// where other forces may push the joint. False: there is none.
template <class S>
[[nodiscard]] inline bool find_limit_row(const LimitConstants<S>& limit, const RowParameters<S>& parameters,
                                         const JointBeforeStep<S>& joint, S reach, S dt, LimitRow<S>& out) noexcept {
  const S above = joint.q - limit.lower;
  const S below = limit.upper - joint.q;
  const bool is_soft = limit.spring + limit.damper > S(0);
  const bool passes_lower = above + joint.ahead < S(0);
  out.is_passed = passes(limit, joint.q, joint.ahead);
  const bool is_pushed = !out.is_passed && joint.pushed != 0;
  if (!out.is_passed && !is_pushed && (is_soft || (above > reach && below > reach))) return false;
  const bool is_lower = out.is_passed ? passes_lower : is_pushed ? joint.pushed > 0 : above < below;
  const S sign = is_lower ? S(1) : S(-1);
  const S gap = is_lower ? above : below;
  out.sign = sign;
  if (is_soft) {
    const S inverse = S(1) / (limit.damper + dt * limit.spring);
    out.offset = limit.spring * gap * inverse;
    out.soft_mobility = inverse / dt;
    return true;
  }
  S target = -gap / dt;
  if (gap < S(0)) {
    const S k = parameters.compensation_per_s;
    target = k * dt < S(1) ? -k * gap : target;
    if (target > parameters.push_out) target = parameters.push_out;
  }
  if (limit.rebound > S(0) && out.is_passed) {
    // A joint that approaches slower than it accelerates in two steps rests: there is no rebound.
    const S approach = -sign * joint.dq;
    const S arrives = approach - sign * dt * joint.ddq;  // a joint that is braked on its way rebounds with less
    const S rebound = limit.rebound * (arrives < approach ? arrives : approach);
    if (approach > S(2) * dt * std::abs(joint.ddq) && rebound > target) target = rebound;
  }
  out.offset = -target;
  out.soft_mobility = S(0);
  return true;
}

}  // namespace detail

// Whether any joint stands beyond its limits.
template <const auto& R, class S>
[[nodiscard]] inline bool crosses_limits(const Model<R, S>& model, const Position<R, S>& q) noexcept {
  if constexpr (Shape<R>::kHas.limits > 0) {
    for (int b = 0; b < Shape<R>::kBodies; ++b) {
      if (!Shape<R>::has_stops(b)) continue;
      const S at = q[Shape<R>::q_of(b)];
      if (at < model.limit(b).lower || at > model.limit(b).upper) return true;
    }
  }
  return false;
}

// The first degree of freedom that moves faster than its speed limit, or -1.
template <const auto& R, class S>
[[nodiscard]] inline int find_too_fast(const Model<R, S>& model, const Velocity<R, S>& dq) noexcept {
  if constexpr (Shape<R>::kHas.speed_limits > 0) {
    for (int b = 0; b < Shape<R>::kBodies; ++b) {
      const int v = Shape<R>::v_of(b);
      if ((Shape<R>::is_revolute(b) || Shape<R>::is_prismatic(b)) && std::abs(dq[v]) > model.limit(b).speed) return v;
    }
  }
  return -1;
}

// The stops of an arm of single-axis joints that has nothing else that could hold it back, solved between the sweeps of
// its forward dynamics. `torque`: the torque of the stop at each degree of freedom.
template <const auto& R, class S>
class LimitStops {
 public:
  using Shape = kinecast::Shape<R>;
  static_assert(Shape::kAllSingleAxis, "kinecast: rows of other joints are solved with the contacts");
  static constexpr int kMost = Shape::kHas.limits;
  using Torques = std::array<S, static_cast<std::size_t>(Shape::kDofs)>;

  LimitStops(const Model<R, S>& model, const RowParameters<S>& parameters, const Position<R, S>& q,
             const Velocity<R, S>& dq, S dt, Torques& torque) noexcept
      : model_(model), parameters_(parameters), q_(q), dq_(dq), dt_(dt), torque_(torque) {}

  // Between the sweeps: adds and solves the rows of joints that come near their stops. again() finds the few joints
  // whose acceleration takes them there from further away.
  [[nodiscard]] Status before_outward(Workspace<R, S>& work) noexcept {
    for (S& t : torque_) t = S(0);
    const S dt = dt_;  // a copy, which stores to the rows cannot change
    const S foreseen = dt * dt * Tolerance<S>::kForeseenAcceleration;
    const LimitConstants<S>* limit = model_.limits.data();
    const S* const q = q_.data();
    const S* const dq = dq_.data();
    for (int b = 0; b < Shape::kBodies; ++b, ++limit) {
      if (!Shape::has_stops(b)) continue;
      const S reach = dt * std::abs(dq[b]) + foreseen;
      if (q[b] - reach > limit->lower && q[b] + reach < limit->upper) continue;
      add_row(work, b, nullptr);
    }
    return count_ > 0 ? solve(work) : Status::ok;
  }

  // After the outward sweep: whether a joint would still pass its stop. Its row is added, and the sweep must run again.
  [[nodiscard]] bool again(Workspace<R, S>& work, const Velocity<R, S>& ddq, Status& status) noexcept {
    // If no stop acts, before_outward() has checked all joints that accelerate by no more than kForeseenAcceleration.
    return (count_ > 0 || accelerates(ddq)) && stop_surprised(work, ddq, status);
  }

 private:
  [[nodiscard]] static bool accelerates(const Velocity<R, S>& ddq) noexcept {
    for (int b = 0; b < Shape::kBodies; ++b)
      if (!(std::abs(ddq[b]) <= Tolerance<S>::kForeseenAcceleration)) return true;
    return false;
  }
  [[nodiscard]] bool stop_surprised(Workspace<R, S>& work, const Velocity<R, S>& ddq, Status& status) noexcept {
    const S dt = dt_;
    const LimitConstants<S>* limit = model_.limits.data();
    const S* const q = q_.data();
    const S* const dq = dq_.data();
    for (int b = 0; b < Shape::kBodies; ++b, ++limit) {
      if (!Shape::has_stops(b)) continue;
      const S ahead = dt * (dq[b] + dt * ddq[b]);
      if (!detail::passes(*limit, q[b], ahead) || has_row(b)) continue;
      status = stop_also(work, ddq, b);
      return ok(status);
    }
    return false;
  }

  // Adds the rows of the joints from `first` on that would pass their stops, and solves again.
  [[nodiscard, gnu::noinline]] Status stop_also(Workspace<R, S>& work, const Velocity<R, S>& ddq, int first) noexcept {
    take_back(work);
    for (int b = first; b < Shape::kBodies; ++b)
      if (Shape::has_stops(b) && !has_row(b)) add_row(work, b, &ddq[b]);
    return solve(work);
  }

  [[nodiscard]] bool has_row(int body) const noexcept {
    for (int i = 0; i < count_; ++i)
      if (row_[static_cast<std::size_t>(i)].body == body) return true;
    return false;
  }

  // Adds the row of a joint: the factor row of a torque at it, and its acceleration without the torque. `stopped_ddq`:
  // its acceleration with the stops of other joints, if these push it.
  void add_row(const Workspace<R, S>& work, int body, const S* stopped_ddq) noexcept {
    S(&u)[static_cast<std::size_t>(Shape::kDofs)] = u_[count_];
    if constexpr (!Shape::kHas.serial)
      for (S& x : u) x = S(0);
    const JointInnovations<S> found = find_joint_innovations(model_, work, body, u);
    const S ddq = found.acceleration;
    mobility_[count_] = found.mobility;
    LimitRow<S>& row = row_[static_cast<std::size_t>(count_)];
    const S ahead = dt_ * (dq_[body] + dt_ * (stopped_ddq != nullptr ? *stopped_ddq : ddq));
    if (!detail::find_limit_row(model_.limit(body), parameters_, {q_[body], dq_[body], ddq, ahead}, S(0), dt_, row))
      return;
    row.body = static_cast<std::int16_t>(body);
    impulse_[count_] = S(0);
    free_[count_] = row.sign * (dq_[body] + dt_ * ddq);
    ++count_;
  }

  void take_back(Workspace<R, S>& work) noexcept {
    for (int r = 0; r < count_; ++r) apply(work, r, -impulse_[r]);
    for (int r = 0; r < count_; ++r) impulse_[r] = S(0);
  }
  void apply(Workspace<R, S>& work, int r, S impulse) noexcept {
    const S size = row_[static_cast<std::size_t>(r)].sign * impulse / dt_;
    torque_[static_cast<std::size_t>(row_[static_cast<std::size_t>(r)].body)] += size;
    for (int i = 0; i <= row_[static_cast<std::size_t>(r)].body; ++i) {
      Hinge<S>& hinge = work.hinges[static_cast<std::size_t>(i)];
      hinge.own_acceleration += size * u_[r][i] * hinge.inverse_D;
    }
  }
  // The velocity of row r that a unit impulse of row s causes, without the signs of the stops.
  [[nodiscard]] S coupling(const Workspace<R, S>& work, int r, int s) const noexcept {
    const int end = std::min(row_[static_cast<std::size_t>(r)].body, row_[static_cast<std::size_t>(s)].body);
    S sum = S(0);
    for (int i = 0; i <= end; ++i) sum += u_[r][i] * u_[s][i] * work.hinges[static_cast<std::size_t>(i)].inverse_D;
    return sum;
  }
  [[nodiscard]] S relaxed(int r, S mobility) const noexcept {
    const LimitRow<S>& row = row_[static_cast<std::size_t>(r)];
    return row.soft_mobility > S(0) ? mobility + row.soft_mobility : mobility + parameters_.relaxation * mobility;
  }

  [[nodiscard]] Status solve(Workspace<R, S>& work) noexcept {
    if (kMost == 1 || count_ == 1) {
      const S A = relaxed(0, mobility_[0]);
      const S lack = -(free_[0] + row_[0].offset);
      impulse_[0] = lack > S(0) && A > S(0) ? lack / A : S(0);
      apply(work, 0, impulse_[0]);
      return Status::ok;
    }
    if constexpr (kMost > 1) return solve_many(work);
    return Status::ok;
  }
  [[nodiscard, gnu::noinline]] Status solve_many(Workspace<R, S>& work) noexcept {
    Lcp<S, kMost> lcp;
    LcpSolution<S, kMost> solution;
    lcp.size = count_;
    for (int r = 0; r < count_; ++r) {
      const S sign = row_[static_cast<std::size_t>(r)].sign;
      for (int s = 0; s < r; ++s)
        lcp.M[r][s] = lcp.M[s][r] = sign * row_[static_cast<std::size_t>(s)].sign * coupling(work, r, s);
      lcp.M[r][r] = relaxed(r, mobility_[r]);
      lcp.q[r] = free_[r] + row_[static_cast<std::size_t>(r)].offset;
    }
    if (const Status status = solve_lcp(lcp, solution); !ok(status)) return status;
    for (int r = 0; r < count_; ++r) {
      impulse_[r] = solution.z[r];
      apply(work, r, impulse_[r]);
    }
    return Status::ok;
  }

  const Model<R, S>& model_;
  const RowParameters<S>& parameters_;
  const Position<R, S>& q_;
  const Velocity<R, S>& dq_;
  S dt_;
  Torques& torque_;
  int count_{0};
  std::array<LimitRow<S>, static_cast<std::size_t>(kMost)> row_;
  S u_[static_cast<std::size_t>(kMost)][static_cast<std::size_t>(Shape::kDofs)];
  S mobility_[static_cast<std::size_t>(kMost)];
  S free_[static_cast<std::size_t>(kMost)];  // velocity along the row without the stops
  S impulse_[static_cast<std::size_t>(kMost)];
};

}  // namespace kinecast
