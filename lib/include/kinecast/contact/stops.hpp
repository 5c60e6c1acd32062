// SPDX-License-Identifier: MIT
// Joints at their stops as constraints (method 1.6): a line that pushes, for every stop that the free motion would pass
// within the step (contact/joint_limits.hpp), and for stops near by, which contacts, loops and other stops may push a
// joint to. A joint that is pushed through a stop further away gets its line when that is found.
#pragma once

#include <kinecast/contact/constraint.hpp>
#include <kinecast/contact/joint_limits.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace kinecast {

template <const auto& R, class S>
struct Stops : Constraint<R, S> {
  using Shape = kinecast::Shape<R>;
  static constexpr int kLines = Shape::kHas.limits;
  struct Memory {};

  RowParameters<S> stop_parameters{};
  int stops{0};
  bool is_passed{false};    // the free motion would pass a stop
  bool is_complete{false};  // a joint that others push through a stop gets no line in this step
  std::array<LimitRow<S>, static_cast<std::size_t>(kLines)> stop;
  std::array<std::int16_t, static_cast<std::size_t>(kLines)> stop_line;

  using Constraint<R, S>::set;
  void set(const RowParameters<S>& other) noexcept { stop_parameters = other; }

  [[nodiscard]] Status find(const FreeStep<R, S>& step, const Memory& /*memory*/) noexcept {
    stops = 0;
    is_passed = false;
    is_complete = false;
    for (int b = 0; b < Shape::kBodies; ++b) {
      if (!Shape::has_stops(b)) continue;
      const int v = Shape::v_of(b);
      const S reach = step.in.dt * (std::abs(step.in.dq[v]) + Tolerance<S>::kPushedSpeed);
      if (is_far(step.in.model.limit(b), step.in.q[Shape::q_of(b)], step.in.dt * step.dq[v], reach)) continue;
      if (!find_stop(step, b, step.dq, reach)) continue;
      is_passed = is_passed || stop[static_cast<std::size_t>(stops)].is_passed;
      ++stops;
    }
    return Status::ok;
  }
  [[nodiscard]] bool is_needed() const noexcept { return is_passed; }

  template <class AllRows>
  void add_rows(const FreeStep<R, S>& step, const Memory& /*memory*/, AllRows& rows) noexcept {
    for (int i = 0; i < stops; ++i) add_row(step, i, rows);
  }

  template <class AllRows>
  [[nodiscard]] bool revise(const FreeStep<R, S>& step, const Velocity<R, S>& dq, AllRows& rows) noexcept {
    if (is_complete) return false;
    const int before = stops;
    for (int b = 0; b < Shape::kBodies; ++b) {
      if (!Shape::has_stops(b)) continue;
      if (!detail::passes(step.in.model.limit(b), step.in.q[Shape::q_of(b)], step.in.dt * dq[Shape::v_of(b)])) continue;
      bool has_row = false;
      for (int i = 0; i < before; ++i) has_row = has_row || stop[static_cast<std::size_t>(i)].body == b;
      if (has_row || !find_stop(step, b, dq, S(0))) continue;
      add_row(step, stops++, rows);
    }
    return stops > before;
  }

  template <class AllRows, class Report, class Contacts>
  void report(S dt, const StepMotion<R, S>* /*motion*/, const AllRows& rows, Report& out,
              Contacts& /*contacts*/) const noexcept {
    for (S& torque : out.limit_Nm) torque = S(0);
    for (int i = 0; rows.lines > 0 && i < stops; ++i) {
      const LimitRow<S>& s = stop[static_cast<std::size_t>(i)];
      out.limit_Nm[static_cast<std::size_t>(Shape::v_of(s.body))] =
          s.sign * rows.row_of_line(stop_line[static_cast<std::size_t>(i)]).impulse / dt;
    }
  }

 private:
  // Whether a joint is further away from its stops than `reach`, and does not pass them either: most joints.
  [[nodiscard, gnu::always_inline]] static bool is_far(const LimitConstants<S>& limit, S q, S ahead, S reach) noexcept {
    const S above = q - limit.lower;
    const S below = limit.upper - q;
    return above > reach && below > reach && above + ahead > S(0) && below - ahead > S(0);
  }

  // The part of a stop's target that restitution asks for: without it the offset is larger by that much.
  [[nodiscard]] S rebound_of(const FreeStep<R, S>& step, const LimitRow<S>& s) const noexcept {
    LimitConstants<S> plain = step.in.model.limit(s.body);
    if (!(plain.rebound > S(0))) return S(0);
    plain.rebound = S(0);
    const int v = Shape::v_of(s.body);
    const S dt = step.in.dt;
    LimitRow<S> without;
    const detail::JointBeforeStep<S> joint{step.in.q[Shape::q_of(s.body)], step.in.dq[v],
                                           (step.dq[v] - step.in.dq[v]) / dt, dt * step.dq[v]};
    if (!detail::find_limit_row(plain, stop_parameters, joint, Tolerance<S>::kLargestInput, dt, without)) return S(0);
    return std::max(without.offset - s.offset, S(0));
  }

  // Finds the stop that a joint would pass with the velocity `dq`, or that is nearer than `reach`, as the next one.
  [[nodiscard]] bool find_stop(const FreeStep<R, S>& step, int b, const Velocity<R, S>& dq, S reach) noexcept {
    const int v = Shape::v_of(b);
    const S dt = step.in.dt;
    LimitRow<S>& row = stop[static_cast<std::size_t>(stops)];
    const detail::JointBeforeStep<S> joint{step.in.q[Shape::q_of(b)], step.in.dq[v], (step.dq[v] - step.in.dq[v]) / dt,
                                           dt * dq[v]};
    row.body = static_cast<std::int16_t>(b);
    return detail::find_limit_row(step.in.model.limit(b), stop_parameters, joint, reach, dt, row);
  }

  template <class AllRows>
  void add_row(const FreeStep<R, S>& step, int i, AllRows& rows) noexcept {
    const LimitRow<S>& s = stop[static_cast<std::size_t>(i)];
    const int at = rows.lines++;
    stop_line[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(at);
    auto& row = rows.row_of_line(at);
    detail::fill_joint_row(step.in.model, step.work, s.body, s.sign, row);
    const S rebound = rebound_of(step, s);
    row.free = s.sign * step.dq[Shape::v_of(s.body)];
    row.bias = row.free + s.offset;
    row.free += std::min(s.offset + rebound, S(0));  // bringing a joint back brings energy
    // A joint whose acceleration is given does not feel its stop.
    const S relaxation = std::max(stop_parameters.relaxation, Tolerance<S>::kLeastRelaxation);
    row.soften(!(row.mobility > S(0)) ? S(0) : s.soft_mobility > S(0) ? s.soft_mobility : relaxation * row.mobility);
    row.impulse = S(0);
    rows.line[static_cast<std::size_t>(at)] = Line<S>::pushing(rebound);
  }
};

}  // namespace kinecast
