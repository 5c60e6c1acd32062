// SPDX-License-Identifier: MIT
// Accelerations of a robot whose joints have drives: effort, gear friction and forward dynamics in one inward sweep
// (semi-implicit, O(n)). The papers' forms are papers/rotor_friction.hpp and papers/implicit_friction.hpp.
#pragma once

#include <kinecast/drive/articulated_friction.hpp>
#include <kinecast/drive/effort.hpp>
#include <kinecast/drive/open_joints.hpp>
#include <kinecast/dynamics/forward_dynamics.hpp>

namespace kinecast {

// DrivenInput is what the accelerations of a step are found from.
template <const auto& R, class S>
struct DrivenInput {
  const Model<R, S>& model;
  const Position<R, S>& q;
  const Velocity<R, S>& dq;
  const Effort<R, S>& effort;
  S dt;
  Damping damping;
};

// What a report has beside vectors: it is trivially copyable.
template <const auto& R, class S>
struct PlainReport {
  std::array<bool, static_cast<std::size_t>(Shape<R>::kDofs)> is_held{};
  std::array<bool, static_cast<std::size_t>(Shape<R>::kDofs)> is_saturated{};
  // The stops' torques are per degree of freedom, positive towards larger q; the loops' forces act on the loop's first
  // point, in world axes; the couplings' torques act on the follower, and minus the ratio of them on each leader.
  std::array<S, static_cast<std::size_t>(Shape<R>::kHas.limits > 0 ? Shape<R>::kDofs : 0)> limit_Nm{};
  std::array<Vec3<S>, static_cast<std::size_t>(Shape<R>::kLoops)> loop_N{};
  std::array<S, static_cast<std::size_t>(Shape<R>::kCouplings)> coupling_Nm{};
};

// Report says what the drives did in a step, per degree of freedom.
template <const auto& R, class S>
struct Report : PlainReport<R, S> {
  Velocity<R, S> friction_Nm = Velocity<R, S>::Zero();  // gear friction at the joint, viscous part and offset included
  Velocity<R, S> transmitted_Nm = Velocity<R, S>::Zero();  // torque that the gear passes on to the link

  // A joint is held if it sticks or is velocity-driven.
  [[nodiscard]] bool held(int i) const noexcept { return this->is_held[static_cast<std::size_t>(i)]; }
  // A joint is saturated if its command was clipped to the drive's limit.
  [[nodiscard]] bool saturated(int i) const noexcept { return this->is_saturated[static_cast<std::size_t>(i)]; }
};

namespace detail {

// sweep_driven() runs the three sweeps. `ddq` is scratch of the caller and may be written when this fails.
template <const auto& R, class S, class Source>
[[nodiscard]] inline Status sweep_driven(const DrivenInput<R, S>& in, Source& source, Workspace<R, S>& work,
                                         Velocity<R, S>& ddq) noexcept {
  if (const Status status = check_input(in.dq); !ok(status)) return status;
  work.swept = false;
  if (const Status status = update_screws(in.model, in.q, work.screws); !ok(status)) return status;
  const WholeTree<R, S> tree{in.model};
  sweep_motion_outward(tree, Rates<R, S>{in.dq, nullptr}, work);
  if (!sweep_inward(tree, source, work)) return Status::singular_inertia;
  work.swept = true;
  sweep_outward(tree, work, ddq);
  return all_finite(ddq) ? Status::ok : Status::non_finite_result;
}

// This calls sweep(source) with the damping that the integrator asks for.
template <const auto& R, class S, class Sweep>
[[nodiscard]] inline Status with_articulated_source(const DrivenInput<R, S>& in,
                                                    const ArticulatedFriction::Memory<R, S>& memory,
                                                    Workspace<R, S>& work, Sweep&& sweep) noexcept {
  const S inverse_dt = S(1) / in.dt;
  if (in.damping == Damping::implicit) {
    ArticulatedSource<R, S, Damping::implicit> source{in.model, in.dq,      in.effort,   memory,
                                                      in.dt,    inverse_dt, work.actions};
    return sweep(source);
  }
  ArticulatedSource<R, S, Damping::at_present> source{in.model, in.dq,      in.effort,   memory,
                                                      in.dt,    inverse_dt, work.actions};
  return sweep(source);
}
template <const auto& R, class S, class Sweep>
[[nodiscard]] inline Status with_open_source(const DrivenInput<R, S>& in, Workspace<R, S>& work,
                                             Sweep&& sweep) noexcept {
  const S inverse_dt = S(1) / in.dt;
  if (in.damping == Damping::implicit) {
    OpenSource<R, S, Damping::implicit, OpenViscosity::in_sweep> source{in.model, in.dq,      in.effort,
                                                                        in.dt,    inverse_dt, work.actions};
    return sweep(source);
  }
  OpenSource<R, S, Damping::at_present, OpenViscosity::in_sweep> source{in.model, in.dq,      in.effort,
                                                                        in.dt,    inverse_dt, work.actions};
  return sweep(source);
}

}  // namespace detail

// This driven_dynamics() gives the accelerations in the articulated-inertia form.
template <const auto& R, class S>
[[nodiscard]] inline Status driven_dynamics(const ArticulatedFriction::Parameters<S>& /*parameters*/,
                                            const DrivenInput<R, S>& in,
                                            const ArticulatedFriction::Memory<R, S>& memory, Workspace<R, S>& work,
                                            Velocity<R, S>& ddq) noexcept {
  return detail::with_articulated_source(in, memory, work,
                                         [&](auto& source) { return detail::sweep_driven(in, source, work, ddq); });
}

// open_dynamics() leaves the dry friction open, for steps with contact; below it stands what a joint's friction is
// then.
template <const auto& R, class S>
[[nodiscard]] inline Status open_dynamics(const ArticulatedFriction::Parameters<S>& /*parameters*/,
                                          const DrivenInput<R, S>& in, Workspace<R, S>& work,
                                          Velocity<R, S>& ddq) noexcept {
  return detail::with_open_source(in, work, [&](auto& source) { return detail::sweep_driven(in, source, work, ddq); });
}
template <const auto& R, class S>
[[nodiscard]] inline bool find_joint_friction(const ArticulatedFriction::Parameters<S>& /*parameters*/,
                                              const DrivenInput<R, S>& in,
                                              const ArticulatedFriction::Memory<R, S>& memory, int body,
                                              JointFriction<S>& out) noexcept {
  const std::size_t at = static_cast<std::size_t>(body);
  out.relaxation = Tolerance<S>::kStickingJoint;
  out.stops = true;
  return find_joint_friction<OpenViscosity::in_sweep>(in.model, body, in.dq[Shape<R>::v_of(body)],
                                                      memory.transmitted[at], in.dt, out);
}

// ---- without anything that holds the robot -------------------------------------------------------------------------

// Where the dry friction of the joints is found.
enum class DryFriction : std::uint8_t {
  in_sweep,  // in the inward sweep
  open,      // not yet: a solver finds it together with what else holds the robot
};

// The accelerations of a robot that nothing holds. can_open: whether the drives' friction can be left open.
template <bool can_open, const auto& R, class S, class Parameters, class Memory>
[[nodiscard]] inline Status free_accelerations(const Parameters& parameters, const DrivenInput<R, S>& in,
                                               const Memory& memory, [[maybe_unused]] DryFriction dry,
                                               Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
  if constexpr (Shape<R>::kHas.drives == 0) {
    return forward_dynamics(in.model, in.q, in.dq, in.effort.torque, work, ddq);
  } else {
    if constexpr (can_open)
      if (dry == DryFriction::open) return open_dynamics(parameters, in, work, ddq);
    return driven_dynamics(parameters, in, memory, work, ddq);
  }
}

// ---- after the accelerations ----------------------------------------------------------------------------------------

// find_outcome() tells from the actions and the accelerations what the drives did, and what they remember of it.
template <const auto& R, class S, class Memory>
inline void find_outcome(const DrivenInput<R, S>& in, [[maybe_unused]] const Workspace<R, S>& work,
                         const Velocity<R, S>& ddq, [[maybe_unused]] Memory& memory, Report<R, S>& out) noexcept {
  using Shape = kinecast::Shape<R>;
  if constexpr (Shape::kHas.drives == 0) {  // joints have nothing but given torques
    out.transmitted_Nm = in.effort.torque;
    if (in.effort.external != nullptr) out.transmitted_Nm -= *in.effort.external;
    if constexpr (Shape::kHas.rotors > 0) {
      for (int b = 0; b < Shape::kBodies; ++b)
        if (Shape::is_revolute(b) || Shape::is_prismatic(b))
          out.transmitted_Nm[Shape::v_of(b)] -= in.model.joint(b).rotor * ddq[Shape::v_of(b)];
    }
  } else {
    for (int b = 0; b < Shape::kBodies; ++b) {
      if (!(Shape::is_revolute(b) || Shape::is_prismatic(b))) continue;
      const std::size_t at = static_cast<std::size_t>(b);
      const int v = Shape::v_of(b);
      const JointAction<S>& action = work.actions[at];
      const S rotor_torque = Shape::kHas.rotors > 0 ? in.model.joint(b).rotor * ddq[v] : S(0);
      S transmitted = action.torque + work.carried[at];  // held
      S friction = transmitted + rotor_torque - in.effort.torque[v];
      if (!action.held) {
        // The velocity that the damping saw: implicit damping sees the one at the end of the step.
        const S seen = action.damping > S(0) ? in.dq[v] + in.dt * ddq[v] : in.dq[v];
        transmitted = action.torque - action.damping * ddq[v] - rotor_torque;
        friction = transmitted + rotor_torque - in.effort.torque[v] + in.model.drive(b).back_emf * seen;
      }
      out.friction_Nm[v] = friction - in.model.drive(b).offset;  // which the effort contains
      out.transmitted_Nm[v] = transmitted - in.effort.from_outside(v);
      out.is_held[static_cast<std::size_t>(v)] = action.held || action.sticks;
      memory.transmitted[at] = out.transmitted_Nm[v];
    }
    memory.keep_carried(work.carried);
    out.is_saturated = in.effort.saturated;
  }
}

}  // namespace kinecast
