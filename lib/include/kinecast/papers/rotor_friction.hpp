// SPDX-License-Identifier: MIT
// Gear friction, semi-implicit, in the papers' rotor form (method 5.2): the friction torque is what would stop the
// rotor alone against the torque transmitted in the last step, relaxed by lambda_q and pulled to a reference angle
// by k_q; S003 eq. 21 decides whether the joint can stick. Good where the reflected rotor outweighs the link;
// where it does not, a sticking joint rings (method 5.5). It needs a rotor: Predictor refuses to compile without
// one at every joint with friction.
#pragma once

#include <kinecast/core/option.hpp>
#include <kinecast/core/scalar.hpp>
#include <kinecast/drive/effort.hpp>
#include <kinecast/drive/friction_law.hpp>
#include <kinecast/drive/joint_action.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>

#include <cmath>

namespace kinecast {

enum class Equation21 : std::uint8_t {
  corrected,  // method 5.2, CHOICE 15 and 16: defined at rest, and friction does not exceed the stopping torque
  literal,    // as printed
};

struct RotorFriction {
  static constexpr OptionSort kSort = OptionSort::friction;
  static constexpr bool kMeetsContact = false;  // the friction torque is known before the contact (method 5.2)
  // k_q = relaxation = 0 is what the authors' program computes.
  template <class S>
  struct Parameters {
    S k_q{100};              // 1/s
    S relaxation{S(0.007)};  // lambda_q / A_q², which is what matters (method 5.2): the same for every motor and step
    Equation21 law{Equation21::corrected};
  };

  template <const auto& R, class S>
  struct Memory {
    std::array<S, static_cast<std::size_t>(Shape<R>::kBodies)> transmitted{};
    std::array<S, static_cast<std::size_t>(Shape<R>::kBodies)> reference{};  // q_r

    template <class Carried>
    void keep_carried(const Carried& /*now*/) noexcept {}
    // The reference of a joint that slides follows it (S003 eq. 24).
    template <class Held>
    void keep_positions(const Held& held, const Position<R, S>& q) noexcept {
      for (int b = 0; b < Shape<R>::kBodies; ++b)
        if (!held[static_cast<std::size_t>(Shape<R>::v_of(b))])
          reference[static_cast<std::size_t>(b)] = q[Shape<R>::q_of(b)];
    }
  };
};

namespace detail {

// The kinetic friction torque -fric(dq), S003 eq. 7.
template <class S>
[[nodiscard]] inline S kinetic_friction(const DriveConstants<S>& drive, S dq, S loss) noexcept {
  const FrictionConstants<S>& side = moving(drive, dq);
  return -side.viscous * dq - std::copysign(dry_friction(drive, side, std::abs(dq), loss), dq);
}

// The result of S003 eq. 21 for a joint that the torque `stopping` would hold.
template <class S>
struct Friction {
  S torque;
  bool sticks;
};
template <class S>
[[nodiscard]] inline Friction<S> stick_or_slip(const DriveConstants<S>& drive, S stopping, S dq, S loss,
                                               Equation21 law) noexcept {
  const S limit = static_friction(resisting(drive, stopping), loss);
  if (std::abs(stopping) <= limit) return {stopping, true};
  if (law == Equation21::corrected && std::abs(dq) < Tolerance<S>::kRestingRotor)
    return {std::copysign(limit, stopping), false};
  const S kinetic = kinetic_friction(drive, dq, loss);
  if (law == Equation21::corrected && std::abs(kinetic) > std::abs(stopping)) return {stopping, false};
  return {kinetic, false};
}

}  // namespace detail

template <const auto& R, class S>
struct RotorSource {
  static constexpr bool kIsPlain = false;
  using Shape = kinecast::Shape<R>;

  const Model<R, S>& model;
  const Position<R, S>& q;
  const Velocity<R, S>& dq;
  const Effort<R, S>& effort;
  const RotorFriction::Parameters<S>& parameters;
  const RotorFriction::Memory<R, S>& memory;
  S dt;
  S inverse_dt;
  std::array<JointAction<S>, static_cast<std::size_t>(Shape::kBodies)>& actions;

  [[nodiscard]] S torque(int v) const noexcept { return effort.torque[v]; }

  [[nodiscard]] JointAction<S> act(int body, int v, S /*inertia*/, S /*load*/) const noexcept {
    const std::size_t at = static_cast<std::size_t>(body);
    const DriveConstants<S>& drive = model.drive(body);
    if (Shape::kHas.velocity_drives > 0 && drive.actuator == Actuator::velocity)
      return actions[at] = JointAction<S>::held_to((effort.velocity[v] - dq[v]) * inverse_dt);
    const S applied = effort.torque[v] - drive.back_emf * dq[v];
    const S loss = drive.load_loss * std::abs(memory.transmitted[at]);
    const S rotor = model.joint(body).rotor;
    detail::Friction<S> friction{S(0), false};
    if (rotor > S(0)) {
      // S003 eq. 27 at the joint: T = gamma tau_f, A_T = dt / (gamma² I_M), lambda_T = relaxation A_T².
      const S A = dt / rotor;
      const S c = A * (applied - effort.from_outside(v) - memory.transmitted[at]) + dq[v];
      const S deflection = q[Shape::q_of(body)] - memory.reference[at];
      const S stopping = -(c + parameters.k_q * deflection) / (A * (S(1) + parameters.relaxation));
      friction = detail::stick_or_slip(drive, stopping, dq[v], loss, parameters.law);
    }
    return actions[at] = JointAction<S>::rubbed_by(applied + friction.torque, friction.sticks);
  }
  void carry(int body, S torque) const noexcept { actions[static_cast<std::size_t>(body)].torque = torque; }
};

namespace detail {

// Of a model that was built at run time, and of the robot as compiled.
template <const auto& R, class S>
[[nodiscard]] inline bool every_friction_has_a_rotor(const Model<R, S>& model) noexcept {
  for (int b = 0; b < Shape<R>::kBodies; ++b) {
    const DriveConstants<S>& d = model.drive(b);
    const S friction = d.forward.coulomb + d.forward.drop + d.forward.viscous + d.backward.coulomb + d.backward.drop +
                       d.backward.viscous + d.load_loss;
    if (friction > S(0) && !(model.joint(b).rotor > S(0))) return false;
  }
  return true;
}
template <const auto& R>
[[nodiscard]] constexpr bool every_friction_has_a_rotor() noexcept {
  for (int i = 0; i < R.kLinks; ++i)
    if (has_friction(R.link(i).drive) && !(reflected_rotor(R.link(i).drive) > 0)) return false;
  return true;
}

}  // namespace detail

// This driven_dynamics() gives the accelerations in the papers' rotor form.
template <const auto& R, class S>
[[nodiscard]] inline Status driven_dynamics(const RotorFriction::Parameters<S>& parameters, const DrivenInput<R, S>& in,
                                            const RotorFriction::Memory<R, S>& memory, Workspace<R, S>& work,
                                            Velocity<R, S>& ddq) noexcept {
  static_assert(detail::every_friction_has_a_rotor<R>(),
                "kinecast: the rotor form needs a rotor inertia at every joint with friction; use ArticulatedFriction");
  if (!detail::every_friction_has_a_rotor<R, S>(in.model)) return Status::rotor_missing;
  RotorSource<R, S> source{in.model, in.q, in.dq, in.effort, parameters, memory, in.dt, S(1) / in.dt, work.actions};
  return detail::sweep_driven(in, source, work, ddq);
}

}  // namespace kinecast
