// SPDX-License-Identifier: MIT
// One control period of the drive unit: where is the joint, what voltage does it get, and where will it be in 20 ms? The
// predictor serves twice: it carries the state from one measurement to the next, which gives a speed without the noise of
// differences, and it forecasts. What the predictor refuses, or an encoder that says what cannot be, stops the controller for
// good: 0 V from then on.
#pragma once

#include <kinecast/predict/predictor.hpp>

#include <array>

#include "pid.hpp"
#include "unit.hpp"

namespace example {

inline constexpr float kPeriod_s = 1e-3F;
inline constexpr int kHorizon = 20;  // steps of one period

// Stiffer than the published drive unit's (0.025448, 0.046742, 0.005771), which take half a minute to settle.
inline constexpr PidGains kGains{120.0F, 0.2F, 0.3F, 0.005F, 24.0F};

class Controller {
 public:
  // The measured angle in, the voltage out.
  float control(float measured_rad, float target_rad) noexcept {
    if (is_running()) observe(measured_rad);
    const State<unit, float>& now = predictor_.state();
    volts_[0] = is_running() ? pid_.volts(target_rad, now.q[0], now.dq[0], kPeriod_s) : 0.0F;
    return volts_[0];
  }

  // Where the joint will be at the horizon if the voltage stays. The state does not change.
  float forecast() noexcept {
    if (!is_running()) return predictor_.state().q[0];
    commands_.fill(volts_);
    const Rollout rollout = predictor_.rollout(commands_.data(), kHorizon, kPeriod_s, states_.data());
    if (!require(rollout.status)) return predictor_.state().q[0];
    return states_[kHorizon - 1].q[0];
  }

  float speed_rad_s() const noexcept { return predictor_.state().dq[0]; }

  bool is_running() const noexcept { return reason_ == nullptr; }

  // Why it stopped, in a sentence.
  const char* reason() const noexcept { return is_running() ? "it runs" : reason_; }

 private:
  // Predict, compare, correct: a part of the surprise goes to the angle, a part to the speed. Small parts believe the model,
  // large ones the encoder, whose steps they pass on.
  void observe(float measured_rad) noexcept {
    constexpr float kToAngle = 0.4F;
    constexpr float kToSpeed = 0.08F;
    constexpr float kImpossible_rad = 0.05F;  // in one period: ten times what the unit does at 24 V
    if (!require(predictor_.step(volts_, kPeriod_s))) return;
    State<unit, float> state = predictor_.state();
    const float surprise = measured_rad - state.q[0];
    state.q[0] += kToAngle * surprise;
    state.dq[0] += kToSpeed * surprise / kPeriod_s;
    if (!require(predictor_.correct(state))) return;  // a NaN ends here
    if (surprise > kImpossible_rad || surprise < -kImpossible_rad)
      reason_ = "the encoder jumps further than the joint can";
  }

  bool require(Status status) noexcept {
    if (!ok(status)) reason_ = sentence(status);
    return ok(status);
  }

  Predictor<unit, float> predictor_;
  Pid pid_{kGains};
  Command<unit, float> volts_ = Command<unit, float>::Zero();
  std::array<Command<unit, float>, kHorizon> commands_{};
  std::array<State<unit, float>, kHorizon> states_{};
  const char* reason_ = nullptr;
};

}  // namespace example
