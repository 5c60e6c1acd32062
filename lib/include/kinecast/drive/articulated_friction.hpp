// SPDX-License-Identifier: MIT
// Gear friction, semi-implicit, in the articulated-inertia form (method 5.5): the default. The inward sweep knows a
// joint's articulated inertia D and load p. The torque that would stop the joint within the step is then
//
//   T~ = p + Uᵀa - t - D dq/dt       t: effort; Uᵀa: what the parent's acceleration asked of the joint in the last step
//
// If static friction can bring T~, the joint sticks: the sweep itself holds it (its acceleration is -dq/dt). Otherwise
// it slides and will end the step with a velocity of about
//
//   v = dt (F - |T~|) / (D + dt C), opposite in sign to T~          F: dry friction; C: viscous friction and back-EMF
//
// Friction then acts on the velocity at the end of the step as a damper F / |v|, as C does: dt times both
// adds to D. The damper gives F exactly if the joint reaches v; whatever it reaches, friction takes
// energy and drives nothing (method
// 5.2, CHOICE 15 and 16 are cases of this), and every coefficient is stable. No rotor is needed: passive joints and
// direct drives work alike.
//
// T~ is not used as a torque (method 5.5, as first written), because it assumes a parent that does not give way. Where
// the parent does (a stuck elbow on a swinging shoulder), the Uᵀa of the last step comes back with a gain above one,
// and the joint chatters at its static limit (tests/unit/test_stuck_elbow.cpp).
#pragma once

#include <kinecast/core/option.hpp>
#include <kinecast/core/scalar.hpp>
#include <kinecast/drive/effort.hpp>
#include <kinecast/drive/friction_law.hpp>
#include <kinecast/drive/joint_action.hpp>

#include <cmath>

namespace kinecast {

struct ArticulatedFriction {
  static constexpr OptionSort kSort = OptionSort::friction;
  // Dry friction and contact forces are found together (drive/open_joints.hpp).
  static constexpr bool kMeetsContact = true;
  template <class S>
  struct Parameters {};

  // What the friction remembers from step to step.
  template <const auto& R, class S>
  struct Memory {
    std::array<S, static_cast<std::size_t>(Shape<R>::kBodies)> carried{};      // Uᵀa of the last step
    std::array<S, static_cast<std::size_t>(Shape<R>::kBodies)> transmitted{};  // torque that the gear passed on

    template <class Carried>
    void keep_carried(const Carried& now) noexcept {
      carried = now;
    }
    template <class Held>
    void keep_positions(const Held& /*held*/, const Position<R, S>& /*q*/) noexcept {}
  };
};

// The velocity at which viscous friction and back-EMF act.
enum class Damping : std::uint8_t {
  implicit,  // that at the end of the step: Euler
  // The given one: stages of Runge-Kutta. Viscous friction that would take a tenth of the momentum in a step or more is
  // implicit here too, because it could be unstable otherwise.
  at_present,
};

// Finds the action of one joint with friction. `load`: p + Uᵀa; `loss`: friction that the transmitted torque adds.
template <Damping damping, class S>
[[nodiscard, gnu::always_inline]] inline JointAction<S> find_action(const DriveConstants<S>& drive, S dq, S effort,
                                                                    S inertia, S load, S loss, S dt,
                                                                    S inverse_dt) noexcept {
  const S stopping = load - effort - inertia * (dq * inverse_dt);
  const FrictionConstants<S>& side = resisting(drive, stopping);
  const S limit = static_friction(side, loss);
  const S viscosity = moving(drive, dq).viscous + drive.back_emf;
  const S viscous = dt * viscosity;
  const S implicit_part =
      damping == Damping::implicit || viscous > Tolerance<S>::kStiffDamping * inertia ? viscous : S(0);
  if (limit > S(0)) {
    if (std::abs(stopping) <= limit) return JointAction<S>::held_to(-dq * inverse_dt);
    const S dry = dry_friction(drive, side, std::abs(dq), loss);
    if constexpr (damping == Damping::implicit) {
      const S total = viscous + dry * (inertia + viscous) / (std::abs(stopping) - dry);
      return JointAction<S>::moved_by(effort - total * (dq * inverse_dt), total);
    }
    return JointAction<S>::moved_by(effort + std::copysign(dry, stopping) - viscosity * dq, implicit_part);
  }
  return JointAction<S>::moved_by(effort - viscosity * dq, implicit_part);
}

// The source of all joints' actions, which the inward sweep asks.
template <const auto& R, class S, Damping damping>
struct ArticulatedSource {
  static constexpr bool kIsPlain = false;
  using Shape = kinecast::Shape<R>;

  const Model<R, S>& model;
  const Velocity<R, S>& dq;
  const Effort<R, S>& effort;
  const ArticulatedFriction::Memory<R, S>& memory;
  S dt;
  S inverse_dt;
  std::array<JointAction<S>, static_cast<std::size_t>(Shape::kBodies)>& actions;

  [[nodiscard, gnu::always_inline]] S torque(int v) const noexcept { return effort.torque[v]; }

  [[nodiscard, gnu::always_inline]] JointAction<S> act(int body, int v, S inertia, S load) const noexcept {
    const std::size_t at = static_cast<std::size_t>(body);
    const DriveConstants<S>& drive = model.drive(body);
    const S needed = load + memory.carried[at];
    if (Shape::kHas.velocity_drives > 0 && drive.actuator == Actuator::velocity) {
      const S acceleration = (effort.velocity[v] - dq[v]) * inverse_dt;
      return actions[at] = JointAction<S>::held_to(acceleration);
    }
    const S loss = Shape::kHas.load_losses > 0 ? drive.load_loss * std::abs(memory.transmitted[at]) : S(0);
    return actions[at] = find_action<damping>(drive, dq[v], effort.torque[v], inertia, needed, loss, dt, inverse_dt);
  }
  [[gnu::always_inline]] void carry(int body, S torque) const noexcept {
    actions[static_cast<std::size_t>(body)].torque = torque;
  }
};

}  // namespace kinecast
