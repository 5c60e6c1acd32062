// SPDX-License-Identifier: MIT
// Will the grip hold if I lift now? A thousand times a second the firmware reads the encoders of a lift and two
// fingers, corrects its predictor, sets the voltages and forecasts the next 30 ms of its plan, with the box between the
// pads. First it lifts as planned with too weak a squeeze, and the forecast tells that the box will slip before it
// does. Then it asks before it lifts, and squeezes harder until the answer is that the grip holds: the box is lifted,
// held and let go. Float only, no heap.
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cstdint>

#include "gripper.hpp"
#include "kinecast_port/text.hpp"
#include "plant.hpp"

namespace {

using namespace kinecast;
using namespace example;

// Room for all that the box can touch: the ground and two pads.
using GripPredictor = Predictor<gripper, float, Contacts<grip_world, 3, Volume<8>>>;

constexpr float kPeriod_s = 1e-3F;
constexpr int kHorizon = 30;       // periods
constexpr int kForecastStep = 10;  // periods per step of the forecast
constexpr float kHeight_m = 0.1F;
constexpr float kLift_mps2 = 6;
constexpr float kMargin = 1.5F;     // the question is asked with that much more acceleration than the lift will have
constexpr float kApproach_V = 2;    // until the fingers have closed
constexpr float kWeak_V = 2.5F;     // holds the box at rest, but not while it is lifted so fast
constexpr float kHarder_V = 0.02F;  // per period, while the answer is no
constexpr float kClosed_s = 0.15F;  // the fingers have closed
constexpr float kSettled_s = 0.2F;  // and are at rest
constexpr float kPlannedLift_s = 0.3F;
constexpr int kSliding = 60;  // periods that are watched from then on
constexpr float kNever_s = 1e3F;

GripPredictor predictor;  // all the RAM that the forecast needs
plant::Gripper real_gripper;

[[noreturn]] void stop(const char* why) {
  port::put("stopped: ");
  port::put(why);
  port::put("\n");
  port::exit(port::kStopped);
}
// Also a warning stops: contacts that found no room, a solver that ran out of iterations.
void require(Status status) {
  if (status != Status::ok) stop(sentence(status));
}

// ---- one control period -----------------------------------------------------------------------------------------------------

struct Plan {
  float squeeze_V;
  float lift_s;     // when the lift begins
  float lift_mps2;  // it speeds up and slows down at this rate
  float let_go_s = kNever_s;
};

Targets<float> targets_at(const Plan& plan, float t_s) {
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
[[gnu::noinline]] Status step(const Command<gripper, float>& volts, float dt_s) { return predictor.step(volts, dt_s); }

// Predict, compare, correct: a part of the surprise goes to the position, a part to the speed. Within its count an
// encoder cannot surprise. Nothing measures the box: it is where the predictor says.
void observe(const Command<gripper, float>& volts, const plant::Gripper::Positions& measured_m) {
  constexpr float kToPosition = 0.4F;
  constexpr float kToSpeed = 0.08F;
  require(step(volts, kPeriod_s));
  State<gripper, float> state = predictor.state();
  for (std::size_t i = 0; i < measured_m.size(); ++i) {
    const int dof = static_cast<int>(i);
    const float difference = measured_m[i] - state.q[dof];
    const float surprise = std::abs(difference) > 0.5F * plant::kMeterPerCount[i] ? difference : 0;
    state.q[dof] += kToPosition * surprise;
    state.dq[dof] += kToSpeed * surprise / kPeriod_s;
  }
  require(predictor.correct(state));
}

struct Grip {
  int pads = 0;  // that touch the box
  bool slips = false;
  float squeeze_N = 0;  // the weaker pad's
  bool holds() const { return pads == 2 && !slips; }
};
Grip grip_of(const GripPredictor::ContactReport& contacts) {
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
int slips_in(const Plan& plan, int period) {
  const GripPredictor::Snapshot now = predictor.snapshot();
  int answer = 0;
  for (int ahead = 0; ahead < kHorizon && answer == 0; ahead += kForecastStep) {
    const float t_s = static_cast<float>(period + ahead) * kPeriod_s;
    require(step(volts_for(predictor.state(), targets_at(plan, t_s)), kForecastStep * kPeriod_s));
    if (!grip_of(predictor.contact_report()).holds()) answer = ahead + kForecastStep;
  }
  predictor.restore(now);
  return answer;
}

// ---- costs ------------------------------------------------------------------------------------------------------------------

struct Tally {
  std::uint32_t most = 0;
  std::uint32_t count = 0;
  std::uint64_t sum = 0;
  void add(std::uint32_t value) {
    most = std::max(most, value);
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
void measure_step(const Command<gripper, float>& volts, Cost& cost) {
  const GripPredictor::Snapshot now = predictor.snapshot();
  Status status = Status::ok;
  cost.stack = std::max(cost.stack, port::stack_of([&] { status = step(volts, kPeriod_s); }));
  require(status);
  predictor.restore(now);
  const std::uint32_t instructions = port::count([&] { status = step(volts, kPeriod_s); });
  require(status);
  predictor.restore(now);
  const Grip grip = grip_of(predictor.contact_report());
  (grip.holds() ? cost.holding : grip.pads > 0 ? cost.slipping : cost.open).add(instructions);
}

// ---- what happened ----------------------------------------------------------------------------------------------------------

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
    require(predictor.reset(standing_box<float>()));
    require(real_gripper.start());
    volts_ = Command<gripper, float>::Zero();
  }
  // One period: the world lives, the firmware observes, decides and commands. `decide(period)` may forecast and change
  // the plan.
  template <class Decide>
  void live(int period, const Plan& plan, Cost& cost, Decide&& decide) {
    require(real_gripper.live(volts_));
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
Answer ask(const Plan& plan, int period, Story& story) {
  const int slip = slips_in(plan, period);
  if (slip == 0) return Answer::holds;
  if (story.foreseen_at < 0) story.foreseen_at = period, story.foreseen_in = slip;
  return Answer::slips;
}

constexpr int periods(float seconds) { return static_cast<int>(seconds / kPeriod_s + 0.5F); }

// As planned, whatever the forecast says.
Story lift_unasked(Run& run, Cost& cost) {
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
Lift lift_asking(Run& run, Cost& cost) {
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

// ---- text -------------------------------------------------------------------------------------------------------------------

void print(const char* before, const port::Field& number, const char* after) {
  port::put(before);
  port::put(number);
  port::put(after);
}

void print_unasked(const Story& story) {
  print("Squeeze ", port::fixed(kWeak_V, 2), " V, ");
  print("lift with ", port::fixed(kLift_mps2, 1), " m/s2 planned ");
  print("for ", port::integer(periods(kPlannedLift_s)), " ms, whatever the forecast says:\n");
  print("  foreseen at ", port::integer(story.foreseen_at), " ms: ");
  print("it slips within ", port::integer(story.foreseen_in), " ms\n");
  print("  happened at ", port::integer(story.slipped_at), " ms: it slips, ");
  print("and slides by ", port::fixed(1e3F * story.slid_m, 1), " mm ");
  print("in ", port::integer(kSliding), " ms\n\n");
}

void print_asking(const Lift& lift) {
  print("Asked before: does it hold for ", port::integer(kHorizon), " ms ");
  print("with ", port::fixed(kMargin * kLift_mps2, 1), " m/s2?\n");
  print("  no from ", port::fixed(kWeak_V, 2), " V on, ");
  print("yes at ", port::fixed(lift.plan.squeeze_V, 2), " V");
  print(" (", port::fixed(lift.squeeze_N, 2), " N per pad), ");
  print("lift at ", port::fixed(1e3F * lift.plan.lift_s, 0), " ms\n");
  print("  box ", port::fixed(1e3F * lift.held_m, 2), " mm above the ground, ");
  print("slid by ", port::fixed(1e6F * lift.story.slid_m, 0), " um, ");
  port::put(lift.story.foreseen_at < 0 && lift.story.slipped_at < 0 ? "no slip foreseen, none happened\n"
                                                                    : "slipped\n");
  print("  let go: box ", port::fixed(1e6F * lift.dropped_m, 1), " um above the ground\n");
}

void print_cost(const char* what, std::uint32_t value, const char* unit) {
  port::put("  ");
  port::put_left(what, 74);
  port::put_right(port::integer(value), 7);
  port::put(unit);
}

void print_costs(const Cost& cost) {
  port::put("\nWhat it cost:\n");
  print_cost("instructions per step, pads open, mean", cost.open.mean(), "\n");
  print_cost("instructions per step, holding, mean", cost.holding.mean(), "\n");
  print_cost("instructions per step, holding, at most", cost.holding.most, "\n");
  print_cost("instructions per step, slipping, mean", cost.slipping.mean(), "\n");
  print_cost("instructions per step, slipping, at most", cost.slipping.most, "\n");
  print_cost("instructions per control period that foresees the grip to hold, mean", cost.yes.mean(), "\n");
  print_cost("the same in per cent of 480 000: 1 ms at 480 MHz, one per cycle", (cost.yes.mean() + 2400) / 4800, "\n");
  print_cost("instructions per control period that foresees the grip to hold, at most", cost.yes.most, "\n");
  print_cost("instructions per control period that foresees a slip, mean", cost.no.mean(), "\n");
  print_cost("instructions per control period that foresees a slip, at most", cost.no.most, "\n");
  print_cost("stack of a step, at most", cost.stack, " B\n");
  print_cost("RAM of the predictor", sizeof predictor, " B\n");
  print_cost("RAM of a snapshot", sizeof(GripPredictor::Snapshot), " B\n");
  print_cost("RAM of the firmware without stack, simulated gripper included", port::ram_static_bytes(), " B\n");
  print_cost("flash of the firmware, simulated gripper included", port::flash_used_bytes(), " B\n");
}

bool expect(bool holds, const char* what) {
  if (!holds) port::put("not as expected: "), port::put(what);
  return holds;
}
bool is_near(float a, float b, float tolerance) { return std::abs(a - b) < tolerance; }

bool is_as_expected(const Story& unasked, const Lift& lift) {
  // A lift that begins within the horizon, at the start of its last step or before, is in the forecast.
  const int early = unasked.slipped_at - unasked.foreseen_at;
  bool good = expect(unasked.slipped_at > 0 && unasked.slid_m > 5e-3F, "the weak squeeze does not slip\n");
  good = expect(unasked.foreseen_at > 0 && early >= kHorizon - kForecastStep, "the slip is foreseen late\n") && good;
  good = expect(early <= unasked.foreseen_in, "a slip is foreseen that does not happen\n") && good;
  good = expect(lift.plan.squeeze_V > kWeak_V, "the weak squeeze is not refused\n") && good;
  good = expect(lift.story.foreseen_at < 0, "a slip of the strong squeeze is foreseen\n") && good;
  // What sticks creeps by micrometres; what slips slides by millimetres.
  good = expect(lift.story.slipped_at < 0 && std::abs(lift.story.slid_m) < 1e-4F, "the grip slips\n") && good;
  // Friction of the lift's drive over its gain: 2 N / (6000 N/m).
  good = expect(is_near(lift.held_m, kHeight_m, 1e-3F), "the box is not lifted\n") && good;
  // Penetration at rest is less than a micrometre.
  good = expect(is_near(lift.dropped_m, 0, 1e-5F), "the box does not stand on the ground again\n") && good;
  return good;
}

}  // namespace

int main() {
  const bool counts = port::counter_start();
  Cost cost;
  Run run;
  const Story unasked = lift_unasked(run, cost);
  print_unasked(unasked);
  const Lift lift = lift_asking(run, cost);
  print_asking(lift);
  const bool is_good = is_as_expected(unasked, lift);
  if (counts)
    print_costs(cost);
  else
    port::put("\nThis machine does not count instructions.\n");
  return is_good ? 0 : 1;
}
