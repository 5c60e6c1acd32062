// SPDX-License-Identifier: MIT
// The gripper that board_examples/grip forecasts, `kinecast show grip` animates and tests/scenario/grip.cpp measures.
// A two-finger gripper on a lift, and the box that it grips: one robot value with two roots, since the box is a link
// that floats. Geared motors (their command is a voltage) with dry friction drive a vertical slide and two fingers that
// close along x; a rubber pad on each finger, the box and the ground are solids that touch by volume. z points up.
//
//   degree of freedom   q          dq         command
//   lift                q[0] m     dq[0]      V, up
//   left finger         q[1] m     dq[1]      V, closing (+x)
//   right finger        q[2] m     dq[2]      V, closing (-x)
//   box                 q[3..9]    dq[3..8]   0: position, quaternion wxyz; linear and angular velocity, world axes
//
// At zero the fingers are open by 0.1 m, their pads at the height of the box's middle when the box stands on the
// ground.
#pragma once

#include <kinecast/model/environment/environment.hpp>
#include <kinecast/model/model.hpp>
#include <kinecast/model/robot.hpp>

#include <algorithm>

namespace example {

using namespace kinecast;

inline constexpr int kLift = 0;
inline constexpr int kLeftFinger = 1;
inline constexpr int kRightFinger = 2;
inline constexpr int kBox = 3;  // the first of its 7 positions, and of its 6 velocities

inline constexpr double kBoxMass_kg = 0.3;
inline constexpr Vec3<double> kBoxSize_m{0.06, 0.05, 0.08};
inline constexpr Vec3<double> kPadSize_m{0.01, 0.02, 0.03};
inline constexpr double kOpen_m = 0.05;                           // from the middle to each pad's face, at zero
inline constexpr double kTouch_m = kOpen_m - 0.5 * kBoxSize_m.x;  // a finger's position when its pad reaches the box
inline constexpr double kMiddle_m = 0.5 * kBoxSize_m.z;           // height of the box's middle, and of the pads
inline constexpr double kPadFriction = 0.6;                       // static; kinetic below

// A solid block about its frame's origin.
constexpr auto block(double kg, const Vec3<double>& size) noexcept {
  const double xx = size.x * size.x;
  const double yy = size.y * size.y;
  const double zz = size.z * size.z;
  return body(kg, com(0, 0, 0), inertia(kg * (yy + zz) / 12, kg * (xx + zz) / 12, kg * (xx + yy) / 12));
}

// A pinion makes a slide of a motor: its gear ratio is in rad per m.
inline constexpr double kLiftNewtonPerVolt = 0.0258 / 2.36 * 400;
inline constexpr double kFingerNewtonPerVolt = 0.01 / 5.0 * 600;
inline constexpr double kLiftVolts = 24;
inline constexpr double kFingerVolts = 12;

inline constexpr auto gripper = [] {
  const auto lift_motor = dc_motor(torque_constant(0.0258), resistance(2.36), voltage_limit(kLiftVolts));
  const auto finger_motor = dc_motor(torque_constant(0.01), resistance(5), voltage_limit(kFingerVolts));
  const auto lift_rotor = at_motor(rotor_inertia(7.03e-6), coulomb(5e-3));
  const auto finger_rotor = at_motor(rotor_inertia(1e-6), coulomb(8e-4));
  const auto finger_body = block(0.1, {0.02, 0.02, 0.06});
  return robot("gripper",
               link("lift", on("world"), at(0, 0, kMiddle_m), prismatic(kAxisZ),  //
                    lift_motor, gear(ratio(400)), lift_rotor, at_joint(viscous(10)), block(0.8, {0.15, 0.06, 0.06})),
               link("left finger", on("lift"), at(-kOpen_m, 0, 0), prismatic(kAxisX),  //
                    finger_motor, gear(ratio(600)), finger_rotor, at_joint(viscous(2)), finger_body),
               link("right finger", on("lift"), at(kOpen_m, 0, 0), prismatic({-1, 0, 0}),  //
                    finger_motor, gear(ratio(600)), finger_rotor, at_joint(viscous(2)), finger_body),
               link("box", on("world"), floating(), block(kBoxMass_kg, kBoxSize_m)));
}();

// What is what: the ground is of kind 0, the box of kind 1, the pads of kind 2. Only the box touches anything.
constexpr auto make_grip_world(const Material& pads) noexcept {
  return environment(
      half_space("ground", material(friction(0.5, 0.4)), touched_by(1)),
      box("left pad", on("left finger"), at(-0.5 * kPadSize_m.x, 0, 0), size(kPadSize_m.x, kPadSize_m.y, kPadSize_m.z),
          pads, of_kind(2), touched_by(1)),
      box("right pad", on("right finger"), at(0.5 * kPadSize_m.x, 0, 0), size(kPadSize_m.x, kPadSize_m.y, kPadSize_m.z),
          pads, of_kind(2), touched_by(1)),
      box("box", on("box"), size(kBoxSize_m.x, kBoxSize_m.y, kBoxSize_m.z), of_kind(1), touched_by(0, 2)));
}
inline constexpr auto grip_world = make_grip_world(material(friction(kPadFriction, 0.5)));

// Surfaces by index, as contact_report() names them: a pair is {box, what it touches}.
inline constexpr int kGround = 0;
inline constexpr int kLeftPad = 1;
inline constexpr int kRightPad = 2;
inline constexpr int kBoxSolid = 3;

// The box on the ground between open fingers.
template <class S>
[[nodiscard]] State<gripper, S> standing_box() noexcept {
  State<gripper, S> state = zero_state<gripper, S>();
  state.q[kBox + 2] = S(kMiddle_m);
  return state;
}

// ---- control --------------------------------------------------------------------------------------------------------

// Where lift and fingers shall be, and how much voltage the fingers may take for it: a target inside the box squeezes
// it with just that voltage, kFingerNewtonPerVolt each, less the friction of the drive.
template <class S>
struct Targets {
  S lift_m{0};
  S lift_mps{0};
  S lift_mps2{0};
  S finger_m{0};
  S squeeze_V{S(kFingerVolts)};
  S load_kg{0};  // that the lift carries besides itself
};

// PD for each motor. The lift's also knows the weight, the inertia and the friction that it works against.
template <class S>
[[nodiscard]] Command<gripper, S> volts_for(const State<gripper, S>& state, const Targets<S>& wanted) noexcept {
  constexpr S kLiftMass_kg = S(1.0);
  constexpr S kRotor_kg = S(7.03e-6 * 400 * 400);
  constexpr S kGravity_mps2 = S(9.80665);
  constexpr S kFriction_N = S(5e-3 * 400);
  constexpr S kLiftN_per_m = S(6000);
  constexpr S kLiftNs_per_m = S(150);
  constexpr S kFingerV_per_m = S(2000);
  constexpr S kFingerVs_per_m = S(30);
  Command<gripper, S> volts = Command<gripper, S>::Zero();
  const S friction_N = wanted.lift_mps > S(0) ? kFriction_N : wanted.lift_mps < S(0) ? -kFriction_N : S(0);
  const S mass_kg = kLiftMass_kg + wanted.load_kg;
  const S force_N = kLiftN_per_m * (wanted.lift_m - state.q[kLift]) +
                    kLiftNs_per_m * (wanted.lift_mps - state.dq[kLift]) + mass_kg * kGravity_mps2 +
                    (mass_kg + kRotor_kg) * wanted.lift_mps2 + friction_N;
  const S back_V = S(0.0258 * 400) * state.dq[kLift];
  volts[kLift] = std::clamp(S(1 / kLiftNewtonPerVolt) * force_N + back_V, S(-kLiftVolts), S(kLiftVolts));
  for (const int i : {kLeftFinger, kRightFinger})
    volts[i] = std::clamp(kFingerV_per_m * (wanted.finger_m - state.q[i]) - kFingerVs_per_m * state.dq[i],
                          -wanted.squeeze_V, wanted.squeeze_V);
  return volts;
}

}  // namespace example
