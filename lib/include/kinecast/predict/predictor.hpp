// SPDX-License-Identifier: MIT
// The whole step: commands in, next state out (spec 5.4). A Predictor is all the RAM a forecast needs; what survives a step is
// its snapshot, a plain copy. A step either succeeds and commits, or returns a Status and leaves everything as it was.
// Float: a drive unit's angle differs from double's by 1e-4 degrees after 30 s of sticking and sliding (oracle.golden_drive).
#pragma once

#include <kinecast/drive/effort.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/dynamics/implicit_friction.hpp>
#include <kinecast/predict/integrate.hpp>

namespace kinecast {

// Integrators (spec 7).
struct SymplecticEuler {
  static constexpr Damping kDamping = Damping::implicit;
  template <const auto& R, class S, class Accelerations>
  [[nodiscard]] static Status advance(Accelerations&& accelerations, S dt, State<R, S>& state) noexcept {
    return advance_symplectic<R, S>(accelerations, dt, state);
  }
};
struct RungeKuttaGill {
  static constexpr Damping kDamping = Damping::at_present;
  template <const auto& R, class S, class Accelerations>
  [[nodiscard]] static Status advance(Accelerations&& accelerations, S dt, State<R, S>& state) noexcept {
    return advance_gill<R, S>(accelerations, dt, state);
  }
};

// What a rollout reached.
struct [[nodiscard]] Rollout {
  Status status;  // of the step that failed, or ok
  int steps;      // states written
};

template <const auto& R, class S = float, class Friction = ArticulatedFriction, class Integrator = SymplecticEuler>
class Predictor {
 public:
  using Shape = kinecast::Shape<R>;
  using Parameters = typename Friction::template Parameters<S>;

  // Everything that survives from one step to the next, trivially copyable (Eigen's vectors are not).
  struct Snapshot {
    std::array<S, static_cast<std::size_t>(Shape::kPositions)> q;
    std::array<S, static_cast<std::size_t>(Shape::kDofs)> dq;
    typename Friction::template Memory<R, S> memory;
  };

  Predictor() noexcept : Predictor(model<R, S>) {}
  // The model is kept by reference: it must live as long as the predictor.
  explicit Predictor(const Model<R, S>& robot, const Parameters& parameters = {}) noexcept
      : model_(&robot), parameters_(parameters) {
    (void)reset(zero_state<R, S>());
  }
  explicit Predictor(const Parameters& parameters) noexcept : Predictor(model<R, S>, parameters) {}

  // Starts here, with drives that remember nothing.
  [[nodiscard]] Status reset(const State<R, S>& state) noexcept {
    if (const Status status = check(state); !ok(status)) return status;
    now_ = {state, {}};
    report_ = {};
    now_.memory.keep_positions(report_.is_held, state.q);
    return Status::ok;
  }

  // A measurement: the drives keep their memory.
  [[nodiscard]] Status correct(const State<R, S>& state) noexcept {
    if (const Status status = check(state); !ok(status)) return status;
    now_.state = state;
    return Status::ok;
  }

  [[nodiscard]] Status step(const Command<R, S>& command, S dt) noexcept {
    Effort<R, S> effort;
    if (const Status status = check(command, dt, effort); !ok(status)) return status;
    return advance(effort, dt);
  }

  // With torques from outside at the joints (a hand, a load), which no gear transmits.
  [[nodiscard]] Status step(const Command<R, S>& command, const Velocity<R, S>& external, S dt) noexcept {
    Effort<R, S> effort;
    if (const Status status = check(command, dt, effort); !ok(status)) return status;
    if (const Status status = check_input(external); !ok(status)) {
      for (int i = 0; i < Shape::kDofs && refused_ < 0; ++i)
        if (!(std::abs(external[i]) <= Tolerance<S>::kLargestInput)) refused_ = i;
      return status;
    }
    effort.torque += external;
    effort.external = &external;
    return advance(effort, dt);
  }

  // Forecasts `count` steps into the caller's buffer. The predictor itself stays where it is.
  Rollout rollout(const Command<R, S>* commands, int count, S dt, State<R, S>* states) noexcept {
    const Now start = now_;
    const Report<R, S> report = report_;
    Rollout reached{Status::ok, 0};
    for (int i = 0; i < count; ++i) {
      reached.status = step(commands[i], dt);
      if (!ok(reached.status)) break;
      states[i] = now_.state;
      ++reached.steps;
    }
    now_ = start;
    report_ = report;
    return reached;
  }

  [[nodiscard]] Snapshot snapshot() const noexcept {
    Snapshot copy{{}, {}, now_.memory};
    for (int i = 0; i < Shape::kPositions; ++i) copy.q[static_cast<std::size_t>(i)] = now_.state.q[i];
    for (int i = 0; i < Shape::kDofs; ++i) copy.dq[static_cast<std::size_t>(i)] = now_.state.dq[i];
    return copy;
  }
  void restore(const Snapshot& snapshot) noexcept {
    for (int i = 0; i < Shape::kPositions; ++i) now_.state.q[i] = snapshot.q[static_cast<std::size_t>(i)];
    for (int i = 0; i < Shape::kDofs; ++i) now_.state.dq[i] = snapshot.dq[static_cast<std::size_t>(i)];
    now_.memory = snapshot.memory;
  }
  [[nodiscard]] const State<R, S>& state() const noexcept { return now_.state; }
  [[nodiscard]] const Report<R, S>& report() const noexcept { return report_; }
  // The degree of freedom whose command or torque from outside the last call refused; -1: none.
  [[nodiscard]] int refused_joint() const noexcept { return refused_; }

 private:
  struct Now {
    State<R, S> state;
    typename Friction::template Memory<R, S> memory;
  };

  // Also refuses what a step would refuse later: angles beyond sincos(), quaternions that are not unit.
  [[nodiscard]] Status check(const State<R, S>& state) noexcept {
    refused_ = -1;
    if (const Status status = check_input(state.dq); !ok(status)) return status;
    return update_screws(*model_, state.q, work_.screws);
  }

  [[nodiscard]] Status check(const Command<R, S>& command, S dt, Effort<R, S>& effort) noexcept {
    refused_ = -1;
    if (!(dt >= Tolerance<S>::kShortestStep && dt <= Tolerance<S>::kLongestStep)) return Status::bad_time_step;
    return find_effort(*model_, command, effort, refused_);
  }

  // Drives, free motion and integration (spec 5.4), and the commit.
  [[nodiscard]] Status advance(const Effort<R, S>& effort, S dt) noexcept {
    Now next = now_;
    Report<R, S> report = report_;
    bool at_start = true;  // the drives' memory and the report are those of the step's first evaluation
    const auto accelerations = [&](const Position<R, S>& q, const Velocity<R, S>& dq, Velocity<R, S>& ddq) {
      if constexpr (Shape::kHas.drives == 0) {
        const Status status = forward_dynamics(*model_, q, dq, effort.torque, work_, ddq);
        if (at_start && ok(status)) find_outcome(*model_, effort, ddq, report);
        at_start = false;
        return status;
      } else {
        const DrivenInput<R, S> in{*model_, q, dq, effort, dt, Integrator::kDamping};
        const Status status = driven_dynamics(parameters_, in, now_.memory, work_, ddq);
        if (at_start && ok(status)) find_outcome(in, work_, ddq, next.memory, report);
        at_start = false;
        return status;
      }
    };
    if (const Status status = Integrator::template advance<R, S>(accelerations, dt, next.state); !ok(status))
      return status;
    next.memory.keep_positions(report.is_held, next.state.q);
    now_ = next;
    report_ = report;
    return Status::ok;
  }

  const Model<R, S>* model_;
  Parameters parameters_;
  Now now_;
  Report<R, S> report_{};
  int refused_{-1};
  Workspace<R, S> work_{};
};

}  // namespace kinecast
