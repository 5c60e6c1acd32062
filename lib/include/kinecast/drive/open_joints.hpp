// SPDX-License-Identifier: MIT
// Drives whose dry friction is left open, to be found together with the contact forces (method 5.3): the
// sweep takes effort, back-EMF and viscous friction, and a row per joint (JointFriction) says what its dry
// friction can hold and brings when sliding. A stuck joint that the sweep held would be rigid for the contact
// too, whatever its static friction.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/drive/articulated_friction.hpp>
#include <kinecast/drive/rotor_friction.hpp>

namespace kinecast {

// Which part of the friction the sweep of open joints takes.
enum class OpenViscosity : std::uint8_t {
  in_sweep,  // viscous friction acts always, implicitly
  with_dry,  // it belongs to the kinetic friction: a joint that sticks has none (the papers)
};

template <const auto& R, class S, Damping damping, OpenViscosity viscosity>
struct OpenSource {
  static constexpr bool kIsPlain = false;
  using Shape = kinecast::Shape<R>;

  const Model<R, S>& model;
  const Velocity<R, S>& dq;
  const Effort<R, S>& effort;
  S dt;
  S inverse_dt;
  std::array<JointAction<S>, static_cast<std::size_t>(Shape::kBodies)>& actions;

  [[nodiscard]] S torque(int v) const noexcept { return effort.torque[v]; }

  [[nodiscard]] JointAction<S> act(int body, int v, S inertia, S /*load*/) const noexcept {
    const std::size_t at = static_cast<std::size_t>(body);
    const DriveConstants<S>& drive = model.drive(body);
    if (Shape::kHas.velocity_drives > 0 && drive.actuator == Actuator::velocity)
      return actions[at] = {S(0), S(0), (effort.velocity[v] - dq[v]) * inverse_dt, true, false};
    if (viscosity == OpenViscosity::with_dry)
      return actions[at] = {effort.torque[v] - drive.back_emf * dq[v], S(0), S(0), false, false};
    const S rate = moving(drive, dq[v]).viscous + drive.back_emf;
    const bool is_implicit = damping == Damping::implicit || dt * rate > Tolerance<S>::kStiffDamping * inertia;
    return actions[at] = {effort.torque[v] - rate * dq[v], is_implicit ? dt * rate : S(0), S(0), false, false};
  }
  void carry(int body, S torque) const noexcept { actions[static_cast<std::size_t>(body)].torque = torque; }
};

// The dry friction of one joint in a step, as impulses (torque times dt). Index 0: the friction
// torque is negative, 1: positive.
template <class S>
struct JointFriction {
  int body;
  int dof;
  S dq;           // before the step
  int last_sign;  // of the friction in the last step, if it slid; 0: it did not
  S holds[2];     // what static friction can bring
  S slides[2];    // what kinetic friction brings
  S viscous;      // the part of the sliding friction that has its own sign
  S offset;       // k (q - q_r) of a friction with a reference
  S relaxation;   // of the joint's row, relative to A_ii²
  bool stops;     // sticks without creep: its velocity is zero then
};

// False: the joint has no dry friction.
template <OpenViscosity viscosity, const auto& R, class S>
[[nodiscard]] inline bool find_joint_friction(const Model<R, S>& model, int body, S dq, S transmitted, S dt,
                                              JointFriction<S>& out) noexcept {
  if (!(Shape<R>::is_revolute(body) || Shape<R>::is_prismatic(body))) return false;
  const DriveConstants<S>& drive = model.drive(body);
  if (drive.actuator == Actuator::velocity) return false;
  const S loss = drive.load_loss * std::abs(transmitted);
  out.body = body;
  out.dof = Shape<R>::v_of(body);
  out.dq = dq;
  out.last_sign = 0;
  for (int side = 0; side < 2; ++side) {
    const FrictionConstants<S>& resists = side == 0 ? drive.forward : drive.backward;
    out.holds[side] = dt * static_friction(resists, loss);
    out.slides[side] = dt * dry_friction(drive, resists, std::abs(dq), loss);
  }
  out.viscous = viscosity == OpenViscosity::with_dry ? -dt * moving(drive, dq).viscous * dq : S(0);
  out.offset = S(0);
  const S any = out.holds[0] + out.holds[1] + std::abs(out.viscous);
  return any > S(0);
}

}  // namespace kinecast
