// SPDX-License-Identifier: MIT
// The drives of a robot some of whose joints are rigid (rigidify.hpp): as driven_dynamics.hpp, over the active joints.
// A rigid joint is held; the torque that holds it is not computed.
#pragma once

#include <kinecast/dynamics/adaptive/rigidified_dynamics.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>

namespace kinecast {

template <const auto& R, class S>
[[nodiscard]] inline Status driven_dynamics(const DrivenInput<R, S>& in, const RigidJoints<R, S>& rigid,
                                            const ArticulatedFriction::Memory<R, S>& memory, Workspace<R, S>& work,
                                            Velocity<R, S>& ddq) noexcept {
  return detail::with_articulated_source(in, memory, work, [&](auto& source) {
    return detail::sweep_hybrid<R, S>(in.model, rigid, in.q, in.dq, source, nullptr, work, ddq);
  });
}

// This open_dynamics() leaves the dry friction open, for steps with contact, stops or loops.
template <const auto& R, class S>
[[nodiscard]] inline Status open_dynamics(const DrivenInput<R, S>& in, const RigidJoints<R, S>& rigid,
                                          Workspace<R, S>& work, Velocity<R, S>& ddq) noexcept {
  return detail::with_open_source(in, work, [&](auto& source) {
    return detail::sweep_hybrid<R, S>(in.model, rigid, in.q, in.dq, source, nullptr, work, ddq);
  });
}

}  // namespace kinecast
