// SPDX-License-Identifier: MIT
// The integrators of Predictor (method 7): each takes an evaluation from here to the end of the step, and commits it in
// `now`, or leaves that as it was. Symplectic Euler evaluates once, Runge-Kutta-Gill four times; event-driven steps are
// predict/events/event_driven.hpp.
#pragma once

#include <kinecast/predict/evaluation.hpp>
#include <kinecast/predict/integrate.hpp>

namespace kinecast {

namespace detail {

// What an integrator keeps, reports and offers that looks for no events.
struct IgnoresEvents {
  static constexpr OptionSort kSort = OptionSort::integrator;
  static constexpr bool kLocatesEvents = false;
  template <const auto& R, class S, class Holders>
  struct Numbers {};
  template <class S>
  struct Report {};

  // Calls that a Predictor with such an integrator does not have: sentences of the compiler.
  template <class Base>
  class Calls : public Base {
   public:
    using Base::Base;
    template <class Parameters>
    void set_event_parameters(const Parameters& /*parameters*/) noexcept {
      static_assert(sizeof(Parameters) == 0, "kinecast: only an event-driven step has events");
    }
    template <class... Arguments>
    void events(const Arguments&... /*arguments*/) const noexcept {
      static_assert(sizeof...(Arguments) == static_cast<std::size_t>(-1),
                    "kinecast: only an event-driven step has events");
    }
  };
};

// Commits where a step led: positions, velocities, and the surfaces that moved meanwhile.
template <class Evaluation, class S, class Now, class Position, class Velocity>
[[gnu::always_inline]] inline void arrive(Evaluation& evaluation, S dt, const Position& q, const Velocity& dq,
                                          Now& now) noexcept {
  now.state.q = q;
  now.state.dq = dq;
  now.drives.keep_positions(now.report.is_held, q);
  evaluation.holders.carry_surfaces(dt, now.contacts);
}

}  // namespace detail

// dq+ is what the evaluation finds; q+ = q (+) dt dq+.
struct SymplecticEuler : detail::IgnoresEvents {
  static constexpr Damping kDamping = Damping::implicit;

  template <const auto& R, class S, class Evaluation, class Now>
  [[nodiscard]] static Status advance(Evaluation& evaluation, const Effort<R, S>& effort, S dt, Now& now) noexcept {
    const DrivenInput<R, S> in{*evaluation.model, now.state.q, now.state.dq, effort, dt, kDamping};
    Velocity<R, S> ddq;
    Velocity<R, S> dq;
    const Status status = evaluation.find(in, now, ddq, dq);
    if (!ok(status)) return status;
    Position<R, S> q = now.state.q;
    if (const Status moved = move<R, S>(dq, dt, q); !ok(moved)) return moved;
    evaluation.keep(in, ddq, now);
    detail::arrive(evaluation, dt, q, dq, now);
    return status;
  }
};

// Contacts keep their references, and drives their memories, during the step: those of the first evaluation, which
// stands at its start, are committed (method 7).
struct RungeKuttaGill : detail::IgnoresEvents {
  static constexpr Damping kDamping = Damping::at_present;

  template <const auto& R, class S, class Evaluation, class Now>
  [[nodiscard]] static Status advance(Evaluation& evaluation, const Effort<R, S>& effort, S dt, Now& now) noexcept {
    Now next = now;
    State<R, S> state = now.state;
    Status warning = Status::ok;
    bool is_first = true;
    const auto accelerations = [&](const Position<R, S>& q, const Velocity<R, S>& dq, Velocity<R, S>& ddq) {
      const DrivenInput<R, S> in{*evaluation.model, q, dq, effort, dt, kDamping};
      Velocity<R, S> end_dq;
      const Status status = evaluation.find(in, now, ddq, end_dq);
      if (ok(status) && is_first) evaluation.keep(in, ddq, next);
      if (is_warning(status)) warning = status;
      is_first = false;
      return status;
    };
    if (const Status status = advance_gill<R, S>(accelerations, dt, state); !ok(status)) return status;
    now = next;
    detail::arrive(evaluation, dt, state.q, state.dq, now);
    return warning;
  }
};

}  // namespace kinecast
