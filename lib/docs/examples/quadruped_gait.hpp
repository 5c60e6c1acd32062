// SPDX-License-Identifier: MIT
// What the quadruped of quadruped.hpp is to do: stand, then put its front feet on the plate one after the other, its
// trunk moved aside before each of these steps, so that three feet carry it; and the torques for that, PD control of
// the joints.
#pragma once

#include <kinecast/drive/effort.hpp>
#include <kinecast/model/model.hpp>

#include <array>
#include <cmath>
#include <cstddef>

#include "quadruped.hpp"

namespace example {

inline constexpr float kProportional = 200;  // N.m per rad
inline constexpr float kDerivative = 4;      // N.m per rad/s
inline constexpr int kBase = 6;              // degrees of freedom of the trunk, before the joints'; 7 positions

// Somebody pushes it from behind, at its trunk.
inline constexpr float kPush_N = 40;
inline constexpr int kPushed_ms = 500;
inline constexpr int kPushLasts_ms = 100;
inline constexpr int kEnd_ms = 4000;

inline constexpr float kStandingHeight_m = 0.32F;  // of the trunk's origin

struct Place {
  float x;
  float y;
  float z;
};

// 0 before the span, 1 after it, without a jump of velocity or acceleration.
inline float between(float t_s, float from_s, float to_s) noexcept {
  const float x = (t_s - from_s) / (to_s - from_s);
  return x < 0 ? 0.0F : x > 1 ? 1.0F : x * x * x * (10 + x * (6 * x - 15));
}

// Where the trunk is to be, less where it stands at the start.
inline Place trunk_at(float t_s) noexcept {
  constexpr float kBack_m = 0.05F;
  constexpr float kAside_m = 0.03F;
  const float back = between(t_s, 1.2F, 1.6F) - between(t_s, 3.2F, 3.7F);
  const float right = between(t_s, 1.2F, 1.6F) - 2 * between(t_s, 2.2F, 2.6F) + between(t_s, 3.2F, 3.7F);
  const float forward = between(t_s, 3.2F, 3.7F);
  return {-kBack_m * back + 0.03F * forward, -kAside_m * right, 0.5F * static_cast<float>(kPlateHeight_m) * forward};
}

// Where a foot is to be, less where it stands at the start.
inline Place foot_at(int leg, float t_s) noexcept {
  if (leg > 1) return {0, 0, 0};
  constexpr float kStride_m = 0.13F;
  constexpr float kLift_m = 0.06F;
  const float start_s = leg == 0 ? 1.7F : 2.7F;
  const float up = between(t_s, start_s, start_s + 0.15F);
  const float along = between(t_s, start_s + 0.1F, start_s + 0.3F);
  const float down = between(t_s, start_s + 0.25F, start_s + 0.45F);
  return {kStride_m * along, 0, kLift_m * up - (kLift_m - static_cast<float>(kPlateHeight_m)) * down};
}

// Angles that put a leg's foot there, seen from the hip.
inline std::array<float, kJoints> angles_for(const Place& foot) noexcept {
  constexpr auto kThigh = static_cast<float>(kThigh_m);
  constexpr auto kShank = static_cast<float>(kShank_m);
  const float down = std::sqrt(foot.y * foot.y + foot.z * foot.z);
  const float square = foot.x * foot.x + down * down;
  const float cosine = (square - kThigh * kThigh - kShank * kShank) / (2 * kThigh * kShank);
  const float bent = cosine > 0.9F ? 0.9F : cosine < -0.8F ? -0.8F : cosine;  // within the knee's stops
  const float sine = -std::sqrt(1 - bent * bent);
  const float knee = std::atan2(sine, bent);
  const float thigh = std::atan2(-foot.x, down) - std::atan2(kShank * sine, kThigh + kShank * bent);
  return {std::atan2(foot.y, -foot.z), thigh, knee};
}

inline std::array<float, kJoints> angles_at(int leg, float t_s) noexcept {
  const Place trunk = trunk_at(t_s);
  const Place foot = foot_at(leg, t_s);
  return angles_for(
      {foot.x - trunk.x, foot.y - trunk.y, foot.z - trunk.z - kStandingHeight_m + static_cast<float>(kFoot_m)});
}

// The trunk gets nothing: no hand holds it.
inline Command<quadruped, float> torques_for(const State<quadruped, float>& state, float t_s) noexcept {
  Command<quadruped, float> torques = Command<quadruped, float>::Zero();
  for (int leg = 0; leg < kLegs; ++leg) {
    const std::array<float, kJoints> wanted = angles_at(leg, t_s);
    for (int i = 0; i < kJoints; ++i) {
      const int joint = kBase + kJoints * leg + i;
      torques[joint] =
          kProportional * (wanted[static_cast<std::size_t>(i)] - state.q[joint + 1]) - kDerivative * state.dq[joint];
    }
  }
  return torques;
}

inline State<quadruped, float> standing() noexcept {
  State<quadruped, float> state = zero_state<quadruped, float>();
  state.q[2] = kStandingHeight_m;
  for (int leg = 0; leg < kLegs; ++leg) {
    const std::array<float, kJoints> wanted = angles_at(leg, 0);
    for (int i = 0; i < kJoints; ++i) state.q[kBase + 1 + kJoints * leg + i] = wanted[static_cast<std::size_t>(i)];
  }
  return state;
}

}  // namespace example
