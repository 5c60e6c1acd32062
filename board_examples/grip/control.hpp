// SPDX-License-Identifier: MIT
// One control period of the gripper: correct the predictor by the encoders, command what the plan wants, and forecast
// whether the grip holds while the plan goes on.
#pragma once

#include <kinecast/kinecast.hpp>

#include <algorithm>

#include "gripper.hpp"
#include "kinecast_port/example.hpp"
#include "plant.hpp"

namespace example {

// Room for all that the box can touch: the ground and two pads.
// S004's programs: the friction of the fingers' joints, implicit beside Volume<>'s cones, keeps a part of each correction by
// the encoders, and so a slip is foreseen that does not happen.
using GripPredictor = Predictor<gripper, float, Contacts<grip_world, 3, WrenchPrograms<8>>>;

inline constexpr float kPeriod_s = 1e-3F;
inline constexpr int kHorizon = 30;       // periods
inline constexpr int kForecastStep = 10;  // periods per step of the forecast
inline constexpr float kHeight_m = 0.1F;
inline constexpr float kApproach_V = 2;    // until the fingers have closed
inline constexpr float kClosed_s = 0.15F;  // the fingers have closed
inline constexpr float kNever_s = 1e3F;

inline GripPredictor predictor;  // all the RAM that the forecast needs

struct Plan {
  float squeeze_V;
  float lift_s;     // when the lift begins
  float lift_mps2;  // it speeds up and slows down at this rate
  float let_go_s = kNever_s;
};

inline Targets<float> targets_at(const Plan& plan, float t_s) {
  Targets<float> wanted;
  const bool is_open = t_s >= plan.let_go_s;
  wanted.finger_m = is_open ? 0 : static_cast<float>(kTouch_m) + 5e-3F;  // into the box: the voltage's limit decides
  wanted.squeeze_V = is_open ? static_cast<float>(kFingerVolts) : t_s < kClosed_s ? kApproach_V : plan.squeeze_V;
  const float half_s = std::sqrt(kHeight_m / plan.lift_mps2);
  const float since_s = t_s - plan.lift_s;
  if (since_s >= 0 && !is_open) wanted.load_kg = static_cast<float>(kBoxMass_kg);
  const float left_s = 2 * half_s - since_s;
  if (since_s >= 0 && since_s < half_s) {
    wanted.lift_mps2 = plan.lift_mps2;
    wanted.lift_mps = plan.lift_mps2 * since_s;
    wanted.lift_m = 0.5F * plan.lift_mps2 * since_s * since_s;
  } else if (since_s >= half_s) {
    wanted.lift_m = kHeight_m;
    if (left_s > 0) {
      wanted.lift_mps2 = -plan.lift_mps2;
      wanted.lift_mps = plan.lift_mps2 * left_s;
      wanted.lift_m -= 0.5F * plan.lift_mps2 * left_s * left_s;
    }
  }
  return wanted;
}

// Not inlined, so that its stack can be measured.
[[gnu::noinline]] inline Status step(const Command<gripper, float>& volts, float dt_s) {
  return predictor.step(volts, dt_s);
}

// Predict, compare, correct: a part of the surprise goes to the position, a part to the speed. Within its count an
// encoder cannot surprise. Nothing measures the box: it is where the predictor says.
inline void observe(const Command<gripper, float>& volts, const plant::Gripper::Positions& measured_m) {
  constexpr float kToPosition = 0.4F;
  constexpr float kToSpeed = 0.08F;
  port::require(step(volts, kPeriod_s));
  State<gripper, float> state = predictor.state();
  for (std::size_t i = 0; i < measured_m.size(); ++i) {
    const int dof = static_cast<int>(i);
    const float difference = measured_m[i] - state.q[dof];
    const float surprise = std::abs(difference) > 0.5F * plant::kMeterPerCount[i] ? difference : 0;
    state.q[dof] += kToPosition * surprise;
    state.dq[dof] += kToSpeed * surprise / kPeriod_s;
  }
  port::require(predictor.correct(state));
}

struct Grip {
  int pads = 0;  // that touch the box
  bool slips = false;
  float squeeze_N = 0;  // the weaker pad's
  bool holds() const { return pads == 2 && !slips; }
};
inline Grip grip_of(const GripPredictor::ContactReport& contacts) {
  Grip grip;
  for (int i = 0; i < contacts.count; ++i) {
    const auto& c = contacts[i];
    if (c.pair.surface == kGround) continue;
    grip.squeeze_N = grip.pads == 0 ? c.normal_N : std::min(grip.squeeze_N, c.normal_N);
    grip.slips = grip.slips || c.is_sliding;
    ++grip.pads;
  }
  return grip;
}

// Does the grip hold while the plan goes on? Periods from now until it does not; 0: it holds to the horizon. The
// controller goes on in the forecast as it would, and the first step that slips is the answer.
inline int slips_in(const Plan& plan, int period) {
  const GripPredictor::Snapshot now = predictor.snapshot();
  int answer = 0;
  for (int ahead = 0; ahead < kHorizon && answer == 0; ahead += kForecastStep) {
    const float t_s = static_cast<float>(period + ahead) * kPeriod_s;
    port::require(step(volts_for(predictor.state(), targets_at(plan, t_s)), kForecastStep * kPeriod_s));
    if (!grip_of(predictor.contact_report()).holds()) answer = ahead + kForecastStep;
  }
  predictor.restore(now);
  return answer;
}

}  // namespace example
