// SPDX-License-Identifier: MIT
// From commands to torques at the joints (spec 5.1): clips each command to its drive's limit and gives what the motor would
// bring at standstill, E_M e, less the constant friction. Back-EMF and the rest of the friction come later, where the
// joint's inertia is known.
#pragma once

#include <kinecast/core/status.hpp>
#include <kinecast/model/model.hpp>

#include <cmath>

namespace kinecast {

// One number per degree of freedom: V for a DC motor, rad/s for a velocity-driven joint, N.m otherwise (m for rad on a slide).
template <const auto& R, class S>
using Command = Velocity<R, S>;

template <const auto& R, class S>
struct Effort {
  Velocity<R, S> torque;                    // at the joint; a torque from outside adds to it
  const Velocity<R, S>* external{nullptr};  // that part of it, which no gear transmits; null: none
  Vector<S, (Shape<R>::kHas.velocity_drives > 0 ? Shape<R>::kDofs : 0)> velocity;  // of velocity-driven joints
  std::array<bool, static_cast<std::size_t>(Shape<R>::kDofs)> saturated{};         // the command was clipped

  [[nodiscard]] S from_outside(int v) const noexcept { return external == nullptr ? S(0) : (*external)[v]; }
};

// `out` is written only if the command is good; otherwise `refused` is the degree of freedom that was not.
template <const auto& R, class S>
[[nodiscard]] inline Status find_effort(const Model<R, S>& model, const Command<R, S>& command, Effort<R, S>& out,
                                        int& refused) noexcept {
  using Shape = kinecast::Shape<R>;
  for (int i = 0; i < Shape::kDofs; ++i) {
    if (std::abs(command[i]) <= Tolerance<S>::kLargestInput) continue;
    refused = i;
    return is_finite(command[i]) ? Status::input_out_of_range : Status::non_finite_input;
  }
  if constexpr (Shape::kHas.velocity_drives > 0) out.velocity = command;
  if constexpr (Shape::kHas.drives == 0) {
    out.torque = command;
  } else {
    if constexpr (Shape::kHas.passive > 0) {
      for (int b = 0; b < Shape::kBodies; ++b) {
        if (model.drive(b).actuator != Actuator::none || !(std::abs(command[Shape::v_of(b)]) > S(0))) continue;
        refused = Shape::v_of(b);
        return Status::passive_joint_commanded;
      }
    }
    for (int b = 0; b < Shape::kBodies; ++b) {
      const int v = Shape::v_of(b);
      if (!(Shape::is_revolute(b) || Shape::is_prismatic(b))) {
        const int end = b + 1 < Shape::kBodies ? Shape::v_of(b + 1) : Shape::kDofs;
        for (int i = v; i < end; ++i) out.torque[i] = command[i], out.saturated[static_cast<std::size_t>(i)] = false;
        continue;
      }
      const DriveConstants<S>& drive = model.drive(b);
      const bool over = std::abs(command[v]) > drive.command_limit;
      const S clipped = over ? std::copysign(drive.command_limit, command[v]) : command[v];
      out.torque[v] = drive.torque_per_command * clipped - drive.offset;
      out.saturated[static_cast<std::size_t>(v)] = over;
    }
  }
  return Status::ok;
}

}  // namespace kinecast
