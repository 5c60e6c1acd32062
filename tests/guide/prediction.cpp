// SPDX-License-Identifier: MIT
// The figures of lib/docs/pictures/prediction.svg: the arm of board_examples/arm_on_ground swings down; at the first period in
// which its forecast sees the ground 150 ms ahead, the next 250 ms are forecast, and then lived by an arm that is a little heavier
// and has other friction. Prints CSV: which, milliseconds from that period on, both angles, the ground's impulse so far.
#include <kinecast/predict/predictor.hpp>

#include <array>
#include <cstddef>
#include <cstdio>

#include "arm_on_ground/arm.hpp"
#include "arm_on_ground/plant.hpp"
#include "support/require.hpp"

namespace {

using namespace kinecast;
using example::arm;
using example::ground;
using support::require;
using Angles = plant::Arm::Angles;

constexpr float kPeriod_s = 1e-3F;
constexpr int kHorizon = 250;  // steps of one period
constexpr int kAhead = 150;
constexpr int kLongestRun = 2000;
constexpr float kRight = 1.57079633F;
constexpr Angles kStart{kRight, -kRight};
constexpr Angles kTarget{kRight, kRight};

Predictor<arm, float, Contacts<ground, 4>> predictor;
plant::Arm real_arm;

struct Moment {
  Angles angles_rad;
  float impulse_Ns;
};
using Story = std::array<Moment, static_cast<std::size_t>(kHorizon + 1)>;

// The controller of the example: PD, clipped to the supply.
Command<arm, float> volts_for(const Angles& q, const Velocity<arm, float>& dq) {
  Command<arm, float> volts;
  for (int i = 0; i < 2; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    const float wanted = 240 * (kTarget[at] - q[at]) - 12 * dq[i];
    volts[i] = wanted > 24 ? 24 : wanted < -24 ? -24 : wanted;
  }
  return volts;
}
Angles angles() { return {predictor.state().q[0], predictor.state().q[1]}; }

float ground_impulse_Ns() {
  float sum = 0;
  for (int c = 0; c < predictor.contact_report().count; ++c) sum += predictor.contact_report()[c].normal_N * kPeriod_s;
  return sum;
}

// Fills the story from the present state on; the first period with a touch, or -1.
int forecast(Story& story) {
  const auto now = predictor.snapshot();
  int touch = -1;
  story[0] = {angles(), 0};
  for (int i = 1; i <= kHorizon; ++i) {
    require(predictor.step(volts_for(angles(), predictor.state().dq), kPeriod_s), "step");
    const float impulse = ground_impulse_Ns();
    if (touch < 0 && impulse > 0) touch = i;
    story[static_cast<std::size_t>(i)] = {angles(), story[static_cast<std::size_t>(i - 1)].impulse_Ns + impulse};
  }
  predictor.restore(now);
  return touch;
}

// One period of the real arm; the predictor follows its encoders, as in the example.
void live() {
  const Command<arm, float> volts = volts_for(angles(), predictor.state().dq);
  require(real_arm.live({volts[0], volts[1]}), "live");
  require(predictor.step(volts, kPeriod_s), "step");
  State<arm, float> state = predictor.state();
  const Angles measured = real_arm.read_encoders_rad();
  for (int i = 0; i < 2; ++i) {
    const float surprise = measured[static_cast<std::size_t>(i)] - state.q[i];
    state.q[i] += 0.4F * surprise;
    state.dq[i] += 0.08F * surprise / kPeriod_s;
  }
  require(predictor.correct(state), "correct");
}

void print(const char* which, const Story& story) {
  for (int i = 0; i <= kHorizon; ++i) {
    const Moment& m = story[static_cast<std::size_t>(i)];
    std::printf("%s,%d,%.5f,%.5f,%.4f\n", which, i, static_cast<double>(m.angles_rad[0]),
                static_cast<double>(m.angles_rad[1]), static_cast<double>(m.impulse_Ns));
  }
}

}  // namespace

int main() {
  static Story predicted;
  static Story happened;
  State<arm, float> start = zero_state<arm, float>();
  start.q << kStart[0], kStart[1];
  require(predictor.reset(start), "reset");
  require(real_arm.start(kStart), "start");
  for (int period = 0; period < kLongestRun; ++period) {
    if (const int touch = forecast(predicted); touch > 0 && touch <= kAhead) {
      happened[0] = {real_arm.read_encoders_rad(), 0};
      for (std::size_t i = 1; i < happened.size(); ++i) {
        live();
        happened[i] = {real_arm.read_encoders_rad(), happened[i - 1].impulse_Ns + real_arm.impulse_Ns()};
      }
      std::printf("which,ms,q0_rad,q1_rad,impulse_Ns\n");
      print("predicted", predicted);
      print("happened", happened);
      return 0;
    }
    live();
  }
  std::fprintf(stderr, "guide_prediction: the arm never comes near the ground\n");
  return 1;
}
