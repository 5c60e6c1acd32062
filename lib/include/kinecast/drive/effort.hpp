// SPDX-License-Identifier: MIT
// The effort of the drives (method 5.1): each command is clipped to its drive's limit and turned into the torque at the
// joint that the motor would bring at standstill, E_M e, less the constant friction. Back-EMF and the rest of the
// friction are added where the joint's inertia is known.
#pragma once

#include <kinecast/core/status.hpp>
#include <kinecast/model/model.hpp>

#include <cmath>

namespace kinecast {

// A command has one number per degree of freedom: V for a DC motor, rad/s for a velocity-driven joint, N.m otherwise
// (m for rad and N for N.m on a slide).
template <const auto& R, class S>
using Command = Velocity<R, S>;

template <const auto& R, class S>
struct Effort {
  Velocity<R, S> torque;                    // at the joint; an external torque is included
  const Velocity<R, S>* external{nullptr};  // the external torque, which no gear transmits; null: none
  Vector<S, (Shape<R>::kHas.velocity_drives > 0 ? Shape<R>::kDofs : 0)> velocity;  // of velocity-driven joints
  std::array<bool, static_cast<std::size_t>(Shape<R>::kDofs)> saturated{};         // the command was clipped

  [[nodiscard]] S from_outside(int v) const noexcept { return external == nullptr ? S(0) : (*external)[v]; }
};

// Finds the effort of a command. `out` is scratch of the caller and may be written when this fails; then `refused` is
// the degree of freedom whose command was refused.
template <const auto& R, class S>
[[nodiscard]] inline Status find_effort(const Model<R, S>& model, const Command<R, S>& command, Effort<R, S>& out,
                                        int& refused) noexcept {
  using Shape = kinecast::Shape<R>;
  for (int i = 0; i < Shape::kDofs; ++i) {
    if (!(std::abs(command[i]) <= Tolerance<S>::kLargestInput)) {
      refused = i;
      return is_finite(command[i]) ? Status::input_out_of_range : Status::non_finite_input;
    }
    out.torque[i] = command[i];
  }
  if constexpr (Shape::kHas.velocity_drives > 0) out.velocity = command;
  if constexpr (Shape::kHas.drives > 0) {
    for (int b = 0; b < Shape::kBodies; ++b) {
      if (!(Shape::is_revolute(b) || Shape::is_prismatic(b))) continue;
      const int v = Shape::v_of(b);
      const DriveConstants<S>& drive = model.drive(b);
      if (Shape::kHas.passive > 0 && drive.actuator == Actuator::none && std::abs(command[v]) > S(0)) {
        refused = v;
        return Status::passive_joint_commanded;
      }
      const bool over = std::abs(command[v]) > drive.command_limit;
      const S clipped = over ? std::copysign(drive.command_limit, command[v]) : command[v];
      out.torque[v] = drive.torque_per_command * clipped - drive.offset;
      out.saturated[static_cast<std::size_t>(v)] = over;
    }
  }
  return Status::ok;
}

}  // namespace kinecast
