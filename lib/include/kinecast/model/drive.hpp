// SPDX-License-Identifier: MIT
// A joint's drive as constexpr words: what actuates it, its gear, its friction (method 5.1).
//
//   dc_motor(torque_constant(0.0258), resistance(2.36), voltage_limit(24)), gear(ratio(120)),
//   at_motor(rotor_inertia(7.03e-6), stiction(0.041), coulomb(0.036)), at_joint(viscous(1.53), stribeck(100))
//
// Friction, damping and rotor inertia mean other numbers on the two sides of a gear (the papers themselves mixed them
// up), so these words exist only inside at_motor(...) and at_joint(...): without a side they do not compile. SI units;
// for a slide read N for N.m and m for rad.
#pragma once

#include <kinecast/core/constexpr_math.hpp>
#include <kinecast/model/word.hpp>

#include <cstdint>
#include <tuple>

namespace kinecast {

enum class Actuator : std::uint8_t {
  torque,    // the command is the torque at the joint, N.m
  dc_motor,  // the command is the motor's voltage, V
  velocity,  // the command is the joint's velocity, rad/s, which it has at the end of the step, whatever that takes
  none,      // a passive joint: its command must be zero
};

// One number for each direction of motion.
struct Directions {
  double forward{0};
  double backward{0};
};

// Inertia and friction on one side of the gear, in torque and speed of that side.
struct DriveSide {
  double rotor_inertia_kgm2{0};
  Directions stiction_Nm{};
  Directions coulomb_Nm{};
  Directions viscous_Nms_per_rad{};
  double stribeck_s_per_rad{0};  // the friction above Coulomb's falls as exp(-stribeck |speed|)
  double offset_Nm{0};           // friction that is there in both directions and at rest: it opposes forward motion
  bool has_stiction{false};      // otherwise it equals the Coulomb friction
  bool has_stribeck{false};      // otherwise a moving joint has Coulomb friction at once
};

struct Drive {
  Actuator actuator{Actuator::torque};
  double torque_constant_Nm_per_A{0};
  double resistance_ohm{0};
  double voltage_limit_V{0};
  double torque_limit_Nm{0};  // largest torque at the joint; 0: it has no limit
  double gear_ratio{1};       // motor turns per joint turn
  double load_loss{0};        // friction per transmitted torque, beside the rest
  bool has_gear{false};
  DriveSide at_motor{};
  DriveSide at_joint{};
};

// ---- words ----------------------------------------------------------------------------------------------------------

namespace detail {
struct Forward {
  double value;
};
struct Backward {
  double value;
};
using RotorInertia = Sets<&DriveSide::rotor_inertia_kgm2>;
using Stiction = SetsGiven<&DriveSide::stiction_Nm, &DriveSide::has_stiction>;
using Coulomb = Sets<&DriveSide::coulomb_Nm>;
using Viscous = Sets<&DriveSide::viscous_Nms_per_rad>;
using Stribeck = SetsGiven<&DriveSide::stribeck_s_per_rad, &DriveSide::has_stribeck>;
using Offset = Sets<&DriveSide::offset_Nm>;
// Words of one side of the gear; a link may have several such groups for the same side.
template <DriveSide Drive::*Side, class... Words>
struct AtSide {
  std::tuple<Words...> words;
  template <class L>
  constexpr void apply(L& link) const noexcept {
    std::apply([&](const Words&... word) { (word.apply(link.drive.*Side), ...); }, words);
  }
};

struct TorqueConstant {
  double value;
};
struct Resistance {
  double value;
};
struct VoltageLimit {
  double value;
};
struct TorqueLimit {
  double value;
};
struct DcMotor {
  double torque_constant;
  double resistance;
  double voltage_limit;
  template <class L>
  constexpr void apply(L& link) const noexcept {
    link.drive.actuator = Actuator::dc_motor;
    link.drive.torque_constant_Nm_per_A = torque_constant;
    link.drive.resistance_ohm = resistance;
    link.drive.voltage_limit_V = voltage_limit;
  }
};
struct Actuated {
  Actuator actuator;
  double torque_limit;
  template <class L>
  constexpr void apply(L& link) const noexcept {
    link.drive.actuator = actuator;
    link.drive.torque_limit_Nm = torque_limit;
  }
};
struct Ratio {
  double value;
};
struct LoadLoss {
  double value;
};
struct Gear {
  double ratio;
  double load_loss;
  template <class L>
  constexpr void apply(L& link) const noexcept {
    link.drive.gear_ratio = ratio, link.drive.has_gear = true;
    link.drive.load_loss = load_loss;
  }
};
}  // namespace detail

[[nodiscard]] constexpr detail::Forward forward(double value) noexcept { return {value}; }
[[nodiscard]] constexpr detail::Backward backward(double value) noexcept { return {value}; }

[[nodiscard]] constexpr detail::RotorInertia rotor_inertia(double kgm2) noexcept { return {kgm2}; }
[[nodiscard]] constexpr detail::Stiction stiction(double Nm) noexcept { return {{Nm, Nm}}; }
[[nodiscard]] constexpr detail::Stiction stiction(detail::Forward f, detail::Backward b) noexcept {
  return {{f.value, b.value}};
}
[[nodiscard]] constexpr detail::Coulomb coulomb(double Nm) noexcept { return {{Nm, Nm}}; }
[[nodiscard]] constexpr detail::Coulomb coulomb(detail::Forward f, detail::Backward b) noexcept {
  return {{f.value, b.value}};
}
[[nodiscard]] constexpr detail::Viscous viscous(double Nms_per_rad) noexcept { return {{Nms_per_rad, Nms_per_rad}}; }
[[nodiscard]] constexpr detail::Viscous viscous(detail::Forward f, detail::Backward b) noexcept {
  return {{f.value, b.value}};
}
[[nodiscard]] constexpr detail::Stribeck stribeck(double s_per_rad) noexcept { return {s_per_rad}; }
[[nodiscard]] constexpr detail::Offset offset(double Nm) noexcept { return {Nm}; }

template <class... Words>
[[nodiscard]] constexpr detail::AtSide<&Drive::at_motor, Words...> at_motor(const Words&... words) noexcept {
  return {std::tuple<Words...>(words...)};
}
template <class... Words>
[[nodiscard]] constexpr detail::AtSide<&Drive::at_joint, Words...> at_joint(const Words&... words) noexcept {
  return {std::tuple<Words...>(words...)};
}

[[nodiscard]] constexpr detail::TorqueConstant torque_constant(double Nm_per_A) noexcept { return {Nm_per_A}; }
[[nodiscard]] constexpr detail::Resistance resistance(double ohm) noexcept { return {ohm}; }
[[nodiscard]] constexpr detail::VoltageLimit voltage_limit(double V) noexcept { return {V}; }
[[nodiscard]] constexpr detail::TorqueLimit torque_limit(double at_joint_Nm) noexcept { return {at_joint_Nm}; }
[[nodiscard]] constexpr detail::DcMotor dc_motor(detail::TorqueConstant k, detail::Resistance r,
                                                 detail::VoltageLimit v) noexcept {
  return {k.value, r.value, v.value};
}
[[nodiscard]] constexpr detail::Actuated torque_driven() noexcept { return {Actuator::torque, 0}; }
[[nodiscard]] constexpr detail::Actuated torque_driven(detail::TorqueLimit limit) noexcept {
  return {Actuator::torque, limit.value};
}
[[nodiscard]] constexpr detail::Actuated velocity_driven() noexcept { return {Actuator::velocity, 0}; }
[[nodiscard]] constexpr detail::Actuated undriven() noexcept { return {Actuator::none, 0}; }

// The ratio of a gear is motor turns per joint turn; that of a coupling is in model/robot.hpp, as is its offset.
[[nodiscard]] constexpr detail::Ratio ratio(double turns_per_turn) noexcept { return {turns_per_turn}; }
// The load loss is a friction that grows with the torque that the gear passes on: this fraction of it.
[[nodiscard]] constexpr detail::LoadLoss load_loss(double fraction) noexcept { return {fraction}; }
// The efficiency is the share of the torque that a driving gear passes on: load_loss = 1 / efficiency - 1.
[[nodiscard]] constexpr detail::LoadLoss efficiency(double share) noexcept { return {1 / share - 1}; }
[[nodiscard]] constexpr detail::Gear gear(detail::Ratio r, detail::LoadLoss loss = {0}) noexcept {
  return {r.value, loss.value};
}

// ---- the same drive, all of it at the joint -------------------------------------------------------------------------

namespace detail {

// From the motor to the joint a torque grows by the ratio and a speed falls by it, so that inertia grows by its square.
[[nodiscard]] constexpr double reflected_rotor(const Drive& d) noexcept {
  return d.at_joint.rotor_inertia_kgm2 + d.gear_ratio * d.gear_ratio * d.at_motor.rotor_inertia_kgm2;
}

// A negative ratio exchanges the motor's directions.
[[nodiscard]] constexpr Directions at_joint_of(const Directions& motor, const Directions& joint, double ratio,
                                               double scale) noexcept {
  const double f = ratio < 0 ? motor.backward : motor.forward;
  const double b = ratio < 0 ? motor.forward : motor.backward;
  return {joint.forward + scale * f, joint.backward + scale * b};
}

[[nodiscard]] constexpr DriveSide seen_at_joint(const Drive& d) noexcept {
  const double n = constant::abs(d.gear_ratio);
  const DriveSide& m = d.at_motor;
  const DriveSide& j = d.at_joint;
  DriveSide s{};
  s.rotor_inertia_kgm2 = reflected_rotor(d);
  s.coulomb_Nm = at_joint_of(m.coulomb_Nm, j.coulomb_Nm, d.gear_ratio, n);
  s.stiction_Nm = at_joint_of(m.has_stiction ? m.stiction_Nm : m.coulomb_Nm,
                              j.has_stiction ? j.stiction_Nm : j.coulomb_Nm, d.gear_ratio, n);
  s.viscous_Nms_per_rad = at_joint_of(m.viscous_Nms_per_rad, j.viscous_Nms_per_rad, d.gear_ratio, n * n);
  s.stribeck_s_per_rad = j.stribeck_s_per_rad + n * m.stribeck_s_per_rad;
  s.offset_Nm = j.offset_Nm + d.gear_ratio * m.offset_Nm;
  s.has_stiction = m.has_stiction || j.has_stiction;
  s.has_stribeck = m.has_stribeck || j.has_stribeck;
  return s;
}

[[nodiscard]] constexpr bool any(const Directions& d) noexcept {
  return constant::abs(d.forward) > 0 || constant::abs(d.backward) > 0;
}
[[nodiscard]] constexpr bool has_friction(const DriveSide& s) noexcept {
  return any(s.stiction_Nm) || any(s.coulomb_Nm) || any(s.viscous_Nms_per_rad) || constant::abs(s.offset_Nm) > 0 ||
         s.has_stiction || s.has_stribeck;
}
[[nodiscard]] constexpr bool has_friction(const Drive& d) noexcept {
  return has_friction(d.at_motor) || has_friction(d.at_joint) || d.load_loss > 0;
}
// Tells whether a joint can stick.
[[nodiscard]] constexpr bool has_dry_friction(const DriveSide& s) noexcept {
  return any(s.stiction_Nm) || any(s.coulomb_Nm);
}
[[nodiscard]] constexpr bool has_dry_friction(const Drive& d) noexcept {
  return has_dry_friction(d.at_motor) || has_dry_friction(d.at_joint) || d.load_loss > 0;
}
// Tells whether a drive is more than a torque that acts as commanded.
[[nodiscard]] constexpr bool is_more_than_torque(const Drive& d) noexcept {
  return d.actuator != Actuator::torque || d.torque_limit_Nm > 0 || has_friction(d);
}

}  // namespace detail
}  // namespace kinecast
