// SPDX-License-Identifier: MIT
// A 34-degree-of-freedom humanoid: floating pelvis, two legs of six, a waist of three, two arms of six, a neck of one.
// 28 joints; feet and hands carry contact points.
#pragma once

#include <kinecast/model/robot.hpp>

namespace robots {

namespace detail {
constexpr auto make_humanoid() {
  using namespace kinecast;
  // A solid rod-like limb of mass m and length l hanging below its joint, slightly off axis.
  const auto limb = [](double m, double l) {
    return body(m, com(0.003, -0.002, -0.5 * l),
                inertia(m * (l * l + 0.005) / 12, m * (l * l + 0.006) / 12, m * 0.009 / 12, 0.0001 * m, -0.0002 * m,
                        0.0001 * m));
  };
  return robot("humanoid",
               link("pelvis", on("world"), floating(), body(9.0, com(0, 0, 0.05), inertia(0.08, 0.06, 0.07, 0.001))),
               link("waist_yaw", on("pelvis"), revolute(kAxisZ), at(0, 0, 0.1), limb(1.5, 0.08)),
               link("waist_roll", on("waist_yaw"), revolute(kAxisX), at(0, 0, 0.05), limb(1.5, 0.08)),
               link("torso", on("waist_roll"), revolute(kAxisY), at(0, 0, 0.02),
                    body(14.0, com(0.01, 0, 0.2), inertia(0.35, 0.30, 0.18, 0.002, 0.003, 0.001))),
               link("head", on("torso"), revolute(kAxisZ), at(0, 0, 0.45),
                    body(4.0, com(0.02, 0, 0.1), inertia(0.02, 0.02, 0.015))),
               link("l_shoulder_pitch", on("torso"), revolute(kAxisY), at(0, 0.2, 0.4), limb(0.8, 0.06)),
               link("l_shoulder_roll", on("l_shoulder_pitch"), revolute(kAxisX), at(0, 0.05, 0), limb(0.8, 0.06)),
               link("l_upper_arm", on("l_shoulder_roll"), revolute(kAxisZ), at(0, 0, -0.05), limb(2.0, 0.25)),
               link("l_forearm", on("l_upper_arm"), revolute(kAxisY), at(0, 0, -0.25), limb(1.2, 0.22)),
               link("l_wrist_yaw", on("l_forearm"), revolute(kAxisZ), at(0, 0, -0.2), limb(0.3, 0.05)),
               link("l_hand", on("l_wrist_yaw"), revolute(kAxisX), at(0, 0, -0.03), limb(0.5, 0.12)),
               link("r_shoulder_pitch", on("torso"), revolute(kAxisY), at(0, -0.2, 0.4), limb(0.8, 0.06)),
               link("r_shoulder_roll", on("r_shoulder_pitch"), revolute(kAxisX), at(0, -0.05, 0), limb(0.8, 0.06)),
               link("r_upper_arm", on("r_shoulder_roll"), revolute(kAxisZ), at(0, 0, -0.05), limb(2.0, 0.25)),
               link("r_forearm", on("r_upper_arm"), revolute(kAxisY), at(0, 0, -0.25), limb(1.2, 0.22)),
               link("r_wrist_yaw", on("r_forearm"), revolute(kAxisZ), at(0, 0, -0.2), limb(0.3, 0.05)),
               link("r_hand", on("r_wrist_yaw"), revolute(kAxisX), at(0, 0, -0.03), limb(0.5, 0.12)),
               link("l_hip_yaw", on("pelvis"), revolute(kAxisZ), at(0, 0.1, -0.05), limb(1.0, 0.06)),
               link("l_hip_roll", on("l_hip_yaw"), revolute(kAxisX), at(0, 0, -0.03), limb(1.0, 0.06)),
               link("l_thigh", on("l_hip_roll"), revolute(kAxisY), at(0, 0, -0.03), limb(5.0, 0.38)),
               link("l_shank", on("l_thigh"), revolute(kAxisY), at(0, 0, -0.38), limb(3.0, 0.36)),
               link("l_ankle", on("l_shank"), revolute(kAxisY), at(0, 0, -0.36), limb(0.5, 0.04)),
               link("l_foot", on("l_ankle"), revolute(kAxisX), at(0, 0, -0.02),
                    body(1.0, com(0.04, 0, -0.03), inertia(0.001, 0.004, 0.0045))),
               link("r_hip_yaw", on("pelvis"), revolute(kAxisZ), at(0, -0.1, -0.05), limb(1.0, 0.06)),
               link("r_hip_roll", on("r_hip_yaw"), revolute(kAxisX), at(0, 0, -0.03), limb(1.0, 0.06)),
               link("r_thigh", on("r_hip_roll"), revolute(kAxisY), at(0, 0, -0.03), limb(5.0, 0.38)),
               link("r_shank", on("r_thigh"), revolute(kAxisY), at(0, 0, -0.38), limb(3.0, 0.36)),
               link("r_ankle", on("r_shank"), revolute(kAxisY), at(0, 0, -0.36), limb(0.5, 0.04)),
               link("r_foot", on("r_ankle"), revolute(kAxisX), at(0, 0, -0.02),
                    body(1.0, com(0.04, 0, -0.03), inertia(0.001, 0.004, 0.0045))),
               contact_point("l_toe", on("l_foot"), at(0.15, 0.04, -0.06)),
               contact_point("l_heel", on("l_foot"), at(-0.07, 0, -0.06)),
               contact_point("r_toe", on("r_foot"), at(0.15, -0.04, -0.06)),
               contact_point("r_heel", on("r_foot"), at(-0.07, 0, -0.06)));
}
}  // namespace detail

inline constexpr auto humanoid = detail::make_humanoid();

}  // namespace robots
