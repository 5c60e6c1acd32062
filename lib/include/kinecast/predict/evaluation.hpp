// SPDX-License-Identifier: MIT
// One evaluation of a step (method 5.4), top to bottom: drives and articulated inertias give the free motion, the
// constraints say who holds the robot in it, and one solver gives the velocities at the end of the step. It writes
// scratch only; keep() then puts what constraints and drives remember, and what they report, where the step commits it.
#pragma once

#include <kinecast/contact/constraint.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>

namespace kinecast {

// Every joint moves: the default. (Joints that can become rigid: dynamics/adaptive/adaptive.hpp.)
struct AllJointsMove {
  static constexpr OptionSort kSort = OptionSort::rigidity;
  static constexpr bool kIsAdaptive = false;
  template <const auto& R, class S>
  struct Rigidity {};

  template <bool can_open, const auto& R, class S, class Parameters, class Drives>
  [[nodiscard, gnu::always_inline]] static Status accelerations(const Parameters& parameters,
                                                                const DrivenInput<R, S>& in,
                                                                const Rigidity<R, S>& /*rigidity*/,
                                                                const Drives& drives, DryFriction dry,
                                                                Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
    return free_accelerations<can_open>(parameters, in, drives, dry, work, ddq);
  }

  // Calls that a Predictor of such joints does not have: sentences of the compiler.
  template <class Base>
  class Calls : public Base {
   public:
    using Base::Base;
    template <class... Arguments>
    void rigidify(const Arguments&... /*arguments*/) noexcept {
      static_assert(sizeof...(Arguments) == kNever, "kinecast: a Predictor without Adaptive has no rigid joints");
    }
    template <class... Arguments>
    void adapt(const Arguments&... /*arguments*/) noexcept {
      static_assert(sizeof...(Arguments) == kNever, "kinecast: a Predictor without Adaptive has no rigid joints");
    }
  };

 private:
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
};

// Holders: the list of constraints (contact/constraint.hpp). Numbers: what the integrator keeps beside the state.
template <const auto& R, class S, class Friction, class Joints, class Holders, class Numbers>
struct Evaluation : Numbers {
  static constexpr const auto& kRobot = R;
  using Scalar = S;
  using Shape = kinecast::Shape<R>;
  using List = Holders;
  using JointsOption = Joints;
  // The solver finds the dry friction of the joints where something else holds the robot.
  static constexpr bool kOpensJoints = Holders::kOpensJoints;

  const Model<R, S>* model;
  typename Friction::template Parameters<S> friction;
  Workspace<R, S> work{};
  Holders holders{};

  // Finds the velocities `dq` at the end of a step, and the mean accelerations until then. `now` has the memories.
  template <class Now>
  [[nodiscard, gnu::always_inline]] Status find(const DrivenInput<R, S>& in, const Now& now, Velocity<R, S>& ddq,
                                                Velocity<R, S>& dq) noexcept {
    return find_where([&](const FreeStep<R, S>& step) { return holders.find(step, now.contacts); }, in, now, ddq, dq);
  }
  // The same, where find_holders(step) says who holds.
  template <class FindHolders, class Now>
  [[nodiscard]] Status find_where(FindHolders&& find_holders, const DrivenInput<R, S>& in, const Now& now,
                                  Velocity<R, S>& ddq, Velocity<R, S>& dq) noexcept {
    holders.meet(friction, now.drives);
    DryFriction dry = holders.opens_joints(now.contacts) ? DryFriction::open : DryFriction::in_sweep;
    constexpr int kMostSweeps = 2;  // the second one where something begins to hold the robot
    for (int sweeps = 0; sweeps < kMostSweeps; ++sweeps) {
      if (const Status status = free_motion(in, now, dry, ddq); !ok(status)) return status;
      dq = in.dq + in.dt * ddq;
      const FreeStep<R, S> step{in, ddq, dq, work, holders.find_motion(in, dq, work)};
      if (const Status status = find_holders(step); !ok(status)) return status;
      const bool is_open = !kOpensJoints || dry == DryFriction::open;
      if (!holders.is_needed() && (!kOpensJoints || !is_open)) return Status::ok;
      if (is_open) return solve(step, now, ddq, dq);
      dry = DryFriction::open;
    }
    return Status::ok;
  }
  // Finds the accelerations that drives and inertia give where nothing holds.
  template <class Now>
  [[nodiscard, gnu::always_inline]] Status free_motion(const DrivenInput<R, S>& in, const Now& now, DryFriction dry,
                                                       Velocity<R, S>& ddq) noexcept {
    return Joints::template accelerations<kOpensJoints>(friction, in, now.rigidity, now.drives, dry, work, ddq);
  }

  // Writes what drives and constraints remember of the step that was found last, and what they report of it.
  template <class Now>
  void keep(const DrivenInput<R, S>& in, const Velocity<R, S>& ddq, Now& now) noexcept {
    find_outcome(in, work, ddq, now.drives, now.report);
    holders.keep(in.dt, now.contacts);
    holders.report(in.dt, now.report, now.contact_report);
  }

 private:
  template <class Now>
  [[nodiscard]] Status solve(const FreeStep<R, S>& step, const Now& now, Velocity<R, S>& ddq,
                             Velocity<R, S>& dq) noexcept {
    Velocity<R, S> held;
    const Status status = holders.solve(step, now.contacts, held);
    if (!ok(status)) return status;
    dq = held;
    ddq = (held - step.in.dq) * (S(1) / step.in.dt);
    return status;
  }
};

}  // namespace kinecast
