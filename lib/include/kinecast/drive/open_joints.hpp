// SPDX-License-Identifier: MIT
// Drives whose dry friction is left open, to be found together with the contact forces (method 5.3): the sweep takes
// effort, back-EMF and viscous friction, and JointFriction says how much dry friction a joint can hold and brings when
// it slides. (A joint that the sweep held would be rigid for the contact too, whatever its static friction.)
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/drive/articulated_friction.hpp>

namespace kinecast {

// Where viscous friction of open joints acts.
enum class OpenViscosity : std::uint8_t {
  in_sweep,  // in the sweep: always, implicitly
  with_dry,  // with the kinetic friction: a joint that sticks has none (the papers)
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
      return actions[at] = JointAction<S>::held_to((effort.velocity[v] - dq[v]) * inverse_dt);
    if (viscosity == OpenViscosity::with_dry)
      return actions[at] = JointAction<S>::moved_by(effort.torque[v] - drive.back_emf * dq[v], S(0));
    const S rate = moving(drive, dq[v]).viscous + drive.back_emf;
    const bool is_implicit = damping == Damping::implicit || dt * rate > Tolerance<S>::kStiffDamping * inertia;
    return actions[at] = JointAction<S>::moved_by(effort.torque[v] - rate * dq[v], is_implicit ? dt * rate : S(0));
  }
  void carry(int body, S torque) const noexcept { actions[static_cast<std::size_t>(body)].torque = torque; }
};

// The dry friction of one joint in a step, as impulses (torque times dt). Index 0 is for a negative friction torque, 1
// for a positive one.
template <class S>
struct JointFriction {
  std::int16_t body;
  std::int16_t dof;
  S dq;           // velocity before the step
  int last_sign;  // sign of the friction in the last step if the joint slid, else 0
  S holds[2];     // the largest impulse of static friction
  S loss;         // what the transmitted torque adds to the friction torque
  S slides[2];    // the impulse of kinetic friction; by find_kinetic_friction()
  S viscous;      // the part of the sliding friction that has its own sign
  S offset;       // k (q - q_r) of a friction with a reference
  S relaxation;   // of the joint's row, relative to A_ii²
  bool stops;     // whether it sticks without creep: its velocity is then zero
};

// Finds the dry friction of a joint. False: the joint has none.
template <OpenViscosity viscosity, const auto& R, class S>
[[nodiscard]] inline bool find_joint_friction(const Model<R, S>& model, int body, S dq, S transmitted, S dt,
                                              JointFriction<S>& out) noexcept {
  if (!(Shape<R>::is_revolute(body) || Shape<R>::is_prismatic(body))) return false;
  const DriveConstants<S>& drive = model.drive(body);
  if (drive.actuator == Actuator::velocity) return false;
  out.loss = drive.load_loss * std::abs(transmitted);
  out.body = static_cast<std::int16_t>(body);
  out.dof = static_cast<std::int16_t>(Shape<R>::v_of(body));
  out.dq = dq;
  out.last_sign = 0;
  out.holds[0] = dt * static_friction(drive.forward, out.loss);
  out.holds[1] = dt * static_friction(drive.backward, out.loss);
  out.viscous = viscosity == OpenViscosity::with_dry ? -dt * moving(drive, dq).viscous * dq : S(0);
  out.offset = S(0);
  const S any = out.holds[0] + out.holds[1] + std::abs(out.viscous);
  return any > S(0);
}
// The kinetic friction of a joint that slides: its exponential is not paid for where joints stick.
template <const auto& R, class S>
inline void find_kinetic_friction(const Model<R, S>& model, S dt, JointFriction<S>& f) noexcept {
  const DriveConstants<S>& drive = model.drive(f.body);
  f.slides[0] = dt * dry_friction(drive, drive.forward, std::abs(f.dq), f.loss);
  f.slides[1] = dt * dry_friction(drive, drive.backward, std::abs(f.dq), f.loss);
}

}  // namespace kinecast
