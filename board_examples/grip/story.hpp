// SPDX-License-Identifier: MIT
// What the gripper does and what that costs: a lift as planned, whatever the forecast says, and one that asks its
// forecast first. The simulated gripper lives through both.
#pragma once

#include <cstdint>

#include "control.hpp"
#include "plant.hpp"

namespace example {

inline constexpr float kLift_mps2 = 6;
inline constexpr float kMargin = 1.5F;     // of the acceleration that is asked about over that of the lift
inline constexpr float kWeak_V = 2.5F;     // holds the box at rest, but not while it is lifted so fast
inline constexpr float kHarder_V = 0.02F;  // per period, while the answer is no
inline constexpr float kSettled_s = 0.2F;  // the fingers have closed and are at rest
inline constexpr float kPlannedLift_s = 0.3F;
inline constexpr int kSliding = 60;  // periods that are watched from then on

inline plant::Gripper real_gripper;

// ---- costs ------------------------------------------------------------------------------------------------------------

struct Tally {
  std::uint32_t most = 0;
  std::uint32_t count = 0;
  std::uint64_t sum = 0;
  void add(std::uint32_t value) {
    port::raise(value, most);
    sum += value;
    ++count;
  }
  std::uint32_t mean() const { return count > 0 ? static_cast<std::uint32_t>(sum / count) : 0; }
};
struct Cost {
  Tally open;               // instructions of a step without a pad at the box
  Tally holding;            // with two pads that stick
  Tally slipping;           // with pads that slide
  Tally yes;                // of a control period whose forecast says that the grip holds
  Tally no;                 // and of one whose forecast says that it slips
  std::uint32_t stack = 0;  // bytes, of a step, at most
};

// Two more steps from here, only to be measured.
inline void measure_step(const Command<gripper, float>& volts, Cost& cost) {
  const auto again = [&] { return step(volts, kPeriod_s); };
  port::raise(port::stack_of_step(predictor, again), cost.stack);
  const std::uint32_t instructions = port::instructions_of_step(predictor, again);
  const Grip grip = grip_of(predictor.contact_report());
  (grip.holds() ? cost.holding : grip.pads > 0 ? cost.slipping : cost.open).add(instructions);
}

// ---- what happens -----------------------------------------------------------------------------------------------------

// The first slip that the forecast told of, and the first one that happened. Periods; -1: none.
struct Story {
  int foreseen_at = -1;
  int foreseen_in = 0;
  int slipped_at = -1;
  float slid_m = 0;  // at the end
};

enum class Answer { not_asked, holds, slips };

class Run {
 public:
  void start() {
    port::require(predictor.reset(standing_box<float>()));
    port::require(real_gripper.start());
    volts_ = Command<gripper, float>::Zero();
  }
  // One period: the world lives, the firmware observes, decides and commands. `decide(period)` may forecast and change
  // the plan.
  template <class Decide>
  void live(int period, const Plan& plan, Cost& cost, Decide&& decide) {
    port::require(real_gripper.live(volts_));
    const auto measured = real_gripper.read_encoders_m();
    Answer answer = Answer::not_asked;
    const std::uint32_t instructions = port::count([&] {
      observe(volts_, measured);
      answer = decide(period);
      volts_ = volts_for(predictor.state(), targets_at(plan, static_cast<float>(period) * kPeriod_s));
    });
    if (answer != Answer::not_asked) (answer == Answer::holds ? cost.yes : cost.no).add(instructions);
    if (period % 5 == 0) measure_step(volts_, cost);
  }

 private:
  Command<gripper, float> volts_ = Command<gripper, float>::Zero();
};

// Will the plan's grip hold? The first time that it will not is a part of the story.
inline Answer ask(const Plan& plan, int period, Story& story) {
  const int slip = slips_in(plan, period);
  if (slip == 0) return Answer::holds;
  if (story.foreseen_at < 0) story.foreseen_at = period, story.foreseen_in = slip;
  return Answer::slips;
}

constexpr int periods(float seconds) { return static_cast<int>(seconds / kPeriod_s + 0.5F); }

// As planned, whatever the forecast says.
inline Story lift_unasked(Run& run, Cost& cost) {
  Story story;
  const Plan plan{kWeak_V, kPlannedLift_s, kLift_mps2};
  run.start();
  for (int period = 1; period <= periods(kPlannedLift_s) + kSliding; ++period) {
    run.live(period, plan, cost,
             [&](int now) { return now < periods(kSettled_s) ? Answer::not_asked : ask(plan, now, story); });
    const bool slips = period >= periods(kSettled_s) && grip_of(real_gripper.contacts()).slips;
    if (slips && story.slipped_at < 0) story.slipped_at = period;
  }
  story.slid_m = real_gripper.slid_m();
  return story;
}

// Asks before it lifts, squeezes harder until the answer is yes, and goes on asking.
struct Lift {
  Plan plan{kWeak_V, kNever_s, kLift_mps2};
  Story story;
  float squeeze_N = 0;  // of the real pads when the lift began
  float held_m = 0;     // at the end of holding
  float dropped_m = 0;  // at the end
};
inline Lift lift_asking(Run& run, Cost& cost) {
  constexpr int kLifting = 300;  // periods, at rest at its end
  constexpr int kHolding = 300;
  constexpr int kFalling = 300;
  Lift lift;
  run.start();
  int last = 2000;
  for (int period = 1; period <= last; ++period) {
    run.live(period, lift.plan, cost, [&](int now) {
      if (now < periods(kSettled_s) || lift.plan.let_go_s < static_cast<float>(now + kHorizon) * kPeriod_s)
        return Answer::not_asked;
      if (lift.plan.lift_s < kNever_s) return ask(lift.plan, now, lift.story);  // under way
      const float now_s = static_cast<float>(now) * kPeriod_s;
      if (slips_in({lift.plan.squeeze_V, now_s, kMargin * kLift_mps2}, now) > 0) {
        lift.plan.squeeze_V += kHarder_V;
        return Answer::slips;
      }
      lift.plan.lift_s = now_s;
      lift.plan.let_go_s = static_cast<float>(now + kLifting + kHolding) * kPeriod_s;
      last = now + kLifting + kHolding + kFalling;
      lift.squeeze_N = grip_of(real_gripper.contacts()).squeeze_N;
      return Answer::holds;
    });
    const bool is_held = period >= periods(kSettled_s) && period < last - kFalling;
    if (is_held) lift.held_m = real_gripper.height_m(), lift.story.slid_m = real_gripper.slid_m();
    if (is_held && grip_of(real_gripper.contacts()).slips && lift.story.slipped_at < 0) lift.story.slipped_at = period;
    lift.dropped_m = real_gripper.height_m();
  }
  return lift;
}

}  // namespace example
