// SPDX-License-Identifier: MIT
// A small humanoid of 5 kg and half a metre: a trunk that floats, legs of six joints, arms of four, 26 degrees of freedom in all.
// A servo at each joint: a torque, and its rotor's inertia behind the gear. Four contact points under each foot.
// x points forward, y to the left, z up; at zero it stands straight with hanging arms. Positive pitch moves what is above the
// joint forward; a knee bends with positive angles.
#pragma once

#include <kinecast/model/environment/environment.hpp>
#include <kinecast/model/robot.hpp>

#include <array>
#include <cstddef>

namespace example {

using namespace kinecast;

// Heights in the straight leg, m.
inline constexpr double kHipBelowTrunk = 0.04;  // from the trunk's origin
inline constexpr double kThigh = 0.10;
inline constexpr double kShank = 0.10;
inline constexpr double kAnkleAboveSole = 0.037;

// A part as a solid block: its mass, where its middle is, how large it is.
constexpr auto block(double kg, double x, double y, double z, double size_x, double size_y, double size_z) noexcept {
  const double xx = size_x * size_x;
  const double yy = size_y * size_y;
  const double zz = size_z * size_z;
  return body(kg, com(x, y, z), inertia(kg * (yy + zz) / 12, kg * (xx + zz) / 12, kg * (xx + yy) / 12));
}

// `servo`: the words for every joint's drive.
template <class Servo>
constexpr auto make_humanoid(const Servo& servo) noexcept {
  const auto yaw = revolute(kAxisZ);
  const auto roll = revolute(kAxisX);
  const auto pitch = revolute(kAxisY);
  const auto hip_part = block(0.12, 0, 0, 0.015, 0.04, 0.04, 0.03);
  const auto hip_cross = block(0.20, -0.005, 0, 0, 0.05, 0.04, 0.04);
  const auto thigh = block(0.30, 0, 0, -0.5 * kThigh, 0.05, 0.05, kThigh);
  const auto shank = block(0.25, 0, 0, -0.5 * kShank, 0.04, 0.04, kShank);
  const auto ankle_cross = block(0.12, 0, 0, 0, 0.04, 0.04, 0.03);
  const auto foot = block(0.20, 0.01, 0, -0.025, 0.10, 0.06, 0.024);
  const auto shoulder_part = block(0.08, 0, 0, 0, 0.03, 0.03, 0.03);
  const auto shoulder_cross = block(0.10, 0, 0, -0.015, 0.03, 0.03, 0.05);
  const auto upper_arm = block(0.12, 0, 0, -0.02, 0.035, 0.035, 0.05);
  const auto forearm = block(0.10, 0, 0, -0.05, 0.03, 0.03, 0.11);
  constexpr double kSole = -kAnkleAboveSole;
  return robot("humanoid", link("trunk", on("world"), floating(), block(1.90, 0.005, 0, 0.06, 0.09, 0.14, 0.18)),

               link("left hip yaw", on("trunk"), yaw, at(0, 0.039, -kHipBelowTrunk), servo, hip_part),
               link("left hip roll", on("left hip yaw"), roll, servo, hip_cross),
               link("left thigh", on("left hip roll"), pitch, servo, thigh),
               link("left shank", on("left thigh"), pitch, at(0, 0, -kThigh), servo, shank),
               link("left ankle", on("left shank"), pitch, at(0, 0, -kShank), servo, ankle_cross),
               link("left foot", on("left ankle"), roll, servo, foot),

               link("right hip yaw", on("trunk"), yaw, at(0, -0.039, -kHipBelowTrunk), servo, hip_part),
               link("right hip roll", on("right hip yaw"), roll, servo, hip_cross),
               link("right thigh", on("right hip roll"), pitch, servo, thigh),
               link("right shank", on("right thigh"), pitch, at(0, 0, -kThigh), servo, shank),
               link("right ankle", on("right shank"), pitch, at(0, 0, -kShank), servo, ankle_cross),
               link("right foot", on("right ankle"), roll, servo, foot),

               link("left shoulder", on("trunk"), pitch, at(0, 0.085, 0.10), servo, shoulder_part),
               link("left arm side", on("left shoulder"), roll, at(0, 0.02, 0), servo, shoulder_cross),
               link("left upper arm", on("left arm side"), yaw, at(0, 0, -0.05), servo, upper_arm),
               link("left forearm", on("left upper arm"), pitch, at(0, 0, -0.05), servo, forearm),

               link("right shoulder", on("trunk"), pitch, at(0, -0.085, 0.10), servo, shoulder_part),
               link("right arm side", on("right shoulder"), roll, at(0, -0.02, 0), servo, shoulder_cross),
               link("right upper arm", on("right arm side"), yaw, at(0, 0, -0.05), servo, upper_arm),
               link("right forearm", on("right upper arm"), pitch, at(0, 0, -0.05), servo, forearm),

               contact_point("left heel, right", on("left foot"), at(-0.04, -0.03, kSole)),
               contact_point("left heel, left", on("left foot"), at(-0.04, 0.03, kSole)),
               contact_point("left toe, right", on("left foot"), at(0.06, -0.03, kSole)),
               contact_point("left toe, left", on("left foot"), at(0.06, 0.03, kSole)),
               contact_point("right heel, right", on("right foot"), at(-0.04, -0.03, kSole)),
               contact_point("right heel, left", on("right foot"), at(-0.04, 0.03, kSole)),
               contact_point("right toe, right", on("right foot"), at(0.06, -0.03, kSole)),
               contact_point("right toe, left", on("right foot"), at(0.06, 0.03, kSole)));
}

inline constexpr auto humanoid = make_humanoid(at_joint(rotor_inertia(0.005)));
inline constexpr auto ground = environment(half_space("ground", material(friction(0.8, 0.6))));

// Angles of the 20 joints, in the order above, and how firmly they are held: N.m per rad and per rad/s.
inline constexpr int kJoints = 20;
using JointAngles = std::array<float, kJoints>;

inline constexpr float kProportional = 60;
inline constexpr float kDerivative = 1;

// Knees bent by twice `bend`, trunk upright above the feet, forearms forward.
constexpr JointAngles pose_with(float bend) noexcept {
  return {0, 0, -bend, 2 * bend, -bend, 0,  //
          0, 0, -bend, 2 * bend, -bend, 0,  //
          0, 0, 0,     -0.5F,               //
          0, 0, 0,     -0.5F};
}
inline constexpr float kStandingBend = 0.3F;
inline constexpr float kCrouchingBend = 0.7F;
inline constexpr JointAngles standing_pose = pose_with(kStandingBend);
inline constexpr JointAngles crouching_pose = pose_with(kCrouchingBend);

// Height of the trunk's origin above the ground in these poses: (kThigh + kShank) cos(bend) + 0.077.
inline constexpr float kStandingHeight = 0.2680673F;
inline constexpr float kCrouchingHeight = 0.2299684F;

}  // namespace example
