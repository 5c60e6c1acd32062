// SPDX-License-Identifier: MIT
// Gear friction, semi-implicit, in the articulated-inertia form (method 5.5): the default. In the inward sweep, where a
// joint's articulated inertia D and load p are known, the torque that would stop the joint within the step is
//
//   T~ = p + Uᵀa - t - D dq/dt       t: effort; Uᵀa: what the parent's acceleration asked of the joint in the last step
//
// If static friction can bring it, the joint sticks: the sweep itself holds it (its acceleration is -dq/dt). Otherwise
// it slides and will end the step with a velocity of about
//
//   v = dt (F - |T~|) / (D + dt C), opposite in sign to T~          F: dry friction; C: viscous friction and back-EMF
//
// The friction then acts on the velocity at the end of the step as a damper F / |v|, as C does: dt times both adds to
// D. It is F where v is what the joint really reaches; whatever it reaches, friction takes energy and drives nothing
// (method 5.2, CHOICE 15 and 16 are cases of this), and every coefficient is stable. No rotor is needed: passive
// joints and direct drives work alike.
//
// Why not T~ as a torque (method 5.5 as written): it is computed for a parent that does not give way. Where the parent
// does (a stuck elbow on a swinging shoulder), last step's Uᵀa comes back with a gain above one, and the joint chatters
// at its static limit (tests/unit/test_stuck_elbow.cpp).
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
  static constexpr bool kMeetsContact =
      true;  // dry friction and contact forces are found together (drive/open_joints.hpp)
  template <class S>
  struct Parameters {};

  // What survives a step.
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

// How friction and back-EMF enter a step.
enum class Damping : std::uint8_t {
  implicit,  // at the velocity at the end of the step: Euler
  // At the velocity given: stages of Runge-Kutta. Viscous friction that would take a tenth of the momentum in a step or
  // more is implicit here too: explicit it could be unstable.
  at_present,
};

// The friction stage of one joint. `load`: p + Uᵀa; `loss`: friction that the transmitted torque adds.
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
    if (std::abs(stopping) <= limit) return {S(0), S(0), -dq * inverse_dt, true, false};
    const S dry = dry_friction(drive, side, std::abs(dq), loss);
    if constexpr (damping == Damping::implicit) {
      const S total = viscous + dry * (inertia + viscous) / (std::abs(stopping) - dry);
      return {effort - total * (dq * inverse_dt), total, S(0), false, false};
    }
    return {effort + std::copysign(dry, stopping) - viscosity * dq, implicit_part, S(0), false, false};
  }
  return {effort - viscosity * dq, implicit_part, S(0), false, false};
}

// The friction stage of all joints, inside the inward sweep.
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
      return actions[at] = {S(0), S(0), acceleration, true, false};
    }
    const S loss = Shape::kHas.load_losses > 0 ? drive.load_loss * std::abs(memory.transmitted[at]) : S(0);
    return actions[at] = find_action<damping>(drive, dq[v], effort.torque[v], inertia, needed, loss, dt, inverse_dt);
  }
  [[gnu::always_inline]] void carry(int body, S torque) const noexcept {
    actions[static_cast<std::size_t>(body)].torque = torque;
  }
};

}  // namespace kinecast
