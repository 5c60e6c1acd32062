// SPDX-License-Identifier: MIT
// Joints that hardly move may become rigid at run time (dynamics/adaptive/rigidify.hpp), as an option of Predictor:
//
//   Predictor<arm, float, Adaptive> predictor;      predictor.rigidify(joints), predictor.adapt(rule, …)
#pragma once

#include <kinecast/drive/effort.hpp>
#include <kinecast/dynamics/adaptive/rigidified_drives.hpp>
#include <kinecast/dynamics/adaptive/rigidity_rule.hpp>

namespace kinecast {

struct Adaptive {
  static constexpr OptionSort kSort = OptionSort::rigidity;
  static constexpr bool kIsAdaptive = true;
  template <const auto& R, class S>
  using Rigidity = RigidJoints<R, S>;

  template <const auto& R, class S>
  [[nodiscard]] static bool is_hybrid(const RigidJoints<R, S>& rigidity) noexcept {
    return rigidity.ready && rigidity.active < Shape<R>::kBodies;
  }
  // The accelerations of a robot that nothing holds.
  template <bool can_open, const auto& R, class S, class Parameters, class Drives>
  [[nodiscard]] static Status accelerations(const Parameters& parameters, const DrivenInput<R, S>& in,
                                            const RigidJoints<R, S>& rigidity, const Drives& drives, DryFriction dry,
                                            Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
    if (!is_hybrid(rigidity)) return free_accelerations<can_open>(parameters, in, drives, dry, work, ddq);
    Status status;
    if constexpr (Shape<R>::kHas.drives == 0)
      status = forward_dynamics(in.model, rigidity, in.q, in.dq, in.effort.torque, work, ddq);
    else
      status = dry == DryFriction::open ? open_dynamics(in, rigidity, work, ddq)
                                        : driven_dynamics(in, rigidity, drives, work, ddq);
    if (ok(status)) complete_motions(in.model, rigidity, work);
    return status;
  }

  // The calls that a Predictor gets.
  template <class Base>
  class Calls : public Base {
    static constexpr const auto& R = Base::kRobot;
    using S = typename Base::Scalar;

   public:
    using Base::Base;

    // Makes these joints rigid where they stand, and all others free; the rigid ones lose their velocities as if brakes
    // closed at once. An empty set frees the whole robot.
    [[nodiscard]] Status rigidify(const JointSet<R>& joints) noexcept {
      auto& now = this->now_;
      auto& work = this->evaluation_.work;
      const Model<R, S>& model = *this->evaluation_.model;
      RigidJoints<R, S> next;
      if (const Status status = kinecast::rigidify(model, now.state.q, joints, work, next); !ok(status)) return status;
      Velocity<R, S> dq = now.state.dq;
      if (const Status status = stop_rigid_joints(model, next, now.state.q, work, dq); !ok(status)) return status;
      now.state.dq = dq;
      now.rigidity = next;
      return Status::ok;
    }
    // Chooses which joints are rigid by how much they would move under this command if all were free. It costs the
    // dynamics of a full step: call it every ten or twenty steps. `changed` counts the joints that became rigid or
    // free.
    [[nodiscard]] Status adapt(const RigidityRule<R, S>& rule, const Command<R, S>& command, S dt,
                               int& changed) noexcept {
      Effort<R, S> effort;
      if (const Status status = this->check(command, dt, effort); !ok(status)) return status;
      auto& now = this->now_;
      const DrivenInput<R, S> in{*this->evaluation_.model,  now.state.q, now.state.dq, effort, dt,
                                 Base::Integrator::kDamping};
      const JointSet<R> before = rigid_joints();
      const bool was_ready = now.rigidity.ready;
      now.rigidity.ready = false;  // all joints move
      Velocity<R, S> ddq;
      Velocity<R, S> dq;
      Status status = this->evaluation_.find(in, now, ddq, dq);
      now.rigidity.ready = was_ready;
      JointSet<R> joints = before;
      int found = 0;
      if (ok(status)) status = choose_rigid(rule, now.state.dq, ddq, joints, found);
      if (ok(status) && found > 0) status = rigidify(joints);
      if (ok(status)) changed = found;
      return status;
    }
    [[nodiscard]] JointSet<R> rigid_joints() const noexcept {
      const RigidJoints<R, S>& rigidity = this->now_.rigidity;
      JointSet<R> joints;
      for (int b = 0; rigidity.ready && b < Shape<R>::kBodies; ++b)
        if (rigidity.is_rigid(b)) (void)joints.add(b);
      return joints;
    }

    // Rigid joints are rigid at their measured positions.
    template <class State>
    [[nodiscard]] Status correct(const State& state) noexcept {
      const auto before = this->now_;
      const Status status = Base::correct(state);
      if (!ok(status) || !is_hybrid(this->now_.rigidity)) return status;
      if (const Status rigid = rigidify(rigid_joints()); !ok(rigid)) {
        this->now_ = before;
        return rigid;
      }
      return status;
    }
  };
};

}  // namespace kinecast
