// SPDX-License-Identifier: MIT
// When will the arm touch the ground, and how hard? A thousand times a second the firmware reads two encoders, corrects its
// predictor, sets the voltages (PD) and forecasts the next 20 ms, ground and controller included. The arm swings down, lands,
// is dragged along the ground and comes to rest; the firmware prints what it foresaw, what happened, and what that cost.
// Float only, no heap.
#include <kinecast/kinecast.hpp>

#include "arm.hpp"
#include "kinecast_port/example.hpp"
#include "plant.hpp"

namespace {

using namespace kinecast;
using example::arm;
using example::ground;
using port::expect;
using port::print;
using port::raise;
using port::require;

using Angles = plant::Arm::Angles;
using ArmPredictor = Predictor<arm, float, Contacts<ground, 4>>;

constexpr float kPeriod_s = 1e-3F;
constexpr int kHorizon = 20;       // steps of one period
constexpr int kImpact = 5;         // an impact is what the ground gives in this many periods from the first touch
constexpr int kControlled = 2500;  // periods under control; then the motors get 0 V
constexpr int kPeriods = 3000;
constexpr float kRight = 1.57079633F;

constexpr Angles kStart{kRight, -kRight};  // upper arm level, forearm up
constexpr Angles kTarget{kRight, kRight};  // forearm down: into the ground
constexpr float kVoltsPerRad = 240;
constexpr float kVoltsPerRad_s = 12;

ArmPredictor predictor;  // all the RAM that the forecast needs
plant::Arm real_arm;

// ---- one control period -----------------------------------------------------------------------------------------------------

Command<arm, float> volts_for(const State<arm, float>& state) {
  Command<arm, float> volts;
  for (int i = 0; i < 2; ++i) {
    const float error = kTarget[static_cast<std::size_t>(i)] - state.q[i];
    const float wanted = kVoltsPerRad * error - kVoltsPerRad_s * state.dq[i];
    volts[i] = wanted > 24 ? 24 : wanted < -24 ? -24 : wanted;
  }
  return volts;
}

// Not inlined, so that its stack can be measured.
[[gnu::noinline]] Status step(const Command<arm, float>& volts) { return predictor.step(volts, kPeriod_s); }

// Predict, compare, correct: a part of the surprise goes to the angle, a part to the speed. Within its count an encoder cannot
// surprise: at rest the predictor lies still.
void observe(const Command<arm, float>& volts, const Angles& measured_rad) {
  constexpr float kToAngle = 0.4F;
  constexpr float kToSpeed = 0.08F;
  require(step(volts));
  State<arm, float> state = predictor.state();
  for (int i = 0; i < 2; ++i) {
    const float difference = measured_rad[static_cast<std::size_t>(i)] - state.q[i];
    const float surprise = std::abs(difference) > 0.5F * plant::kRadPerCount ? difference : 0;
    state.q[i] += kToAngle * surprise;
    state.dq[i] += kToSpeed * surprise / kPeriod_s;
  }
  require(predictor.correct(state));
}

float ground_force_N() {
  float sum = 0;
  const auto& contacts = predictor.contact_report();
  for (int i = 0; i < contacts.count; ++i) sum += contacts[i].normal_N;
  return sum;
}

struct Foreseen {
  int touchdown = -1;    // periods from now; -1: none within the horizon
  float impulse_Ns = 0;  // of the impact
};

// The controller goes on in the forecast as it would: it sees the predicted angles.
Foreseen forecast(bool is_controlled) {
  const ArmPredictor::Snapshot now = predictor.snapshot();
  Foreseen foreseen;
  for (int i = 0; i < kHorizon; ++i) {
    require(step(is_controlled ? volts_for(predictor.state()) : Command<arm, float>{0, 0}));
    const float force = ground_force_N();
    if (foreseen.touchdown < 0 && force > 0) foreseen.touchdown = i + 1;
    if (foreseen.touchdown >= 0 && i + 1 < foreseen.touchdown + kImpact) foreseen.impulse_Ns += force * kPeriod_s;
  }
  predictor.restore(now);
  return foreseen;
}

// ---- what happened ----------------------------------------------------------------------------------------------------------

// The first forecast of a touchdown, and the first one that held the whole impact.
struct Story {
  int foreseen_at = -1;  // period
  int foreseen_in = 0;
  int impact_at = -1;
  Foreseen impact;
  int touchdown = -1;  // the real one
  float impulse_Ns = 0;
};

void note(int period, const Foreseen& foreseen, Story& story) {
  if (story.touchdown < 0 && foreseen.touchdown > 0) {
    if (story.foreseen_at < 0) story.foreseen_at = period, story.foreseen_in = foreseen.touchdown;
    if (story.impact_at < 0 && foreseen.touchdown + kImpact - 1 <= kHorizon)
      story.impact_at = period, story.impact = foreseen;
  }
}
void note_real(int period, float impulse_Ns, Story& story) {
  if (story.touchdown < 0 && impulse_Ns > 0) story.touchdown = period;
  if (story.touchdown >= 0 && period < story.touchdown + kImpact) story.impulse_Ns += impulse_Ns;
}

struct Cost {
  std::uint32_t in_the_air = 0;   // instructions of a step, at most
  std::uint32_t on_an_edge = 0;   // with two corners down
  std::uint32_t on_the_face = 0;  // with four, which does not happen in this run
  std::uint32_t at_rest = 0;      // the last one
  std::uint32_t period = 0;       // all that a control period computes, at most
  std::uint32_t stack = 0;        // bytes, of a step, at most
};

// Two more steps from here, only to be measured.
void measure_step(const Command<arm, float>& volts, Cost& cost) {
  raise(port::stack_of_step(predictor, [&] { return step(volts); }), cost.stack);
  cost.at_rest = port::instructions_of_step(predictor, [&] { return step(volts); });
  const int count = predictor.contact_report().count;
  raise(cost.at_rest, count == 0 ? cost.in_the_air : count <= 2 ? cost.on_an_edge : cost.on_the_face);
}

// ---- text -------------------------------------------------------------------------------------------------------------------

void print_story(const Story& story) {
  print("foreseen  at ", port::integer(story.foreseen_at), " ms: ");
  print("touchdown in ", port::integer(story.foreseen_in), " ms\n");
  print("foreseen  at ", port::integer(story.impact_at), " ms: ");
  print("touchdown at ", port::integer(story.impact_at + story.impact.touchdown), " ms, ");
  print("impact ", port::fixed(story.impact.impulse_Ns, 3), " N.s, ");
  print("mean force ", port::fixed(story.impact.impulse_Ns / (kImpact * kPeriod_s), 0), " N\n");
  print("happened:            touchdown at ", port::integer(story.touchdown), " ms, ");
  print("impact ", port::fixed(story.impulse_Ns, 3), " N.s, ");
  print("mean force ", port::fixed(story.impulse_Ns / (kImpact * kPeriod_s), 0), " N\n\n");
}

void print_rest() {
  const State<arm, float>& state = predictor.state();
  print("At rest, q = ", port::fixed(state.q[0], 4), ", ");
  print("", port::fixed(state.q[1], 4), " rad:\n");
  port::put("  corner          y/mm   normal/N  friction/N  depth/um  slip/(mm/s)\n");
  const auto& contacts = predictor.contact_report();
  for (int i = 0; i < contacts.count; ++i) {
    const auto& contact = contacts[i];
    port::put("  ");
    port::put_left(arm.point(contact.pair.point).name.data(), 12);
    port::put_right(port::fixed(1e3F * contact.point_m.y, 1), 8);
    port::put_right(port::fixed(contact.normal_N, 2), 11);
    port::put_right(port::fixed(contact.tangential_N, 2), 12);
    port::put_right(port::fixed(1e6F * contact.depth_m, 1), 10);
    port::put_right(port::fixed(1e3F * contact.slip_mps, 2), 13);
    port::put("\n");
  }
}

// What must hold for a forecast worth its name, and for an arm that lies still.
bool is_as_expected(const Story& story) {
  const int early = story.impact_at + story.impact.touchdown - story.touchdown;
  const float off = story.impact.impulse_Ns / story.impulse_Ns - 1;
  bool good = expect(story.touchdown - story.foreseen_at >= kHorizon - 2, "the touchdown is foreseen late\n");
  good = expect(early >= -1 && early <= 1, "the touchdown is foreseen for another time\n") && good;
  // The real arm's forearm is 2 % heavier, and its friction differs by 4 %.
  good = expect(off > -0.05F && off < 0.05F, "the impact is foreseen with another impulse\n") && good;

  // Half a count of the shoulder's encoder lifts or sinks a corner by 7 um, which the ground works off at 200/s: 1.4 mm/s.
  const auto& contacts = predictor.contact_report();
  good = expect(contacts.touching(), "the arm does not lie on the ground\n") && good;
  for (int i = 0; i < contacts.count; ++i) {
    good = expect(contacts[i].slip_mps < 2e-3F, "a corner slides at rest\n") && good;
    good = expect(std::abs(contacts[i].depth_m) < 2e-5F, "a corner is not at the ground's height\n") && good;
    good = expect(contacts[i].tangential_N <= 0.5F * contacts[i].normal_N, "friction beyond the cone\n") && good;
  }
  return good;
}

void print_costs(const Cost& cost) {
  using port::print_bytes;
  using port::print_cost;
  print_cost("instructions per step in the air, at most", cost.in_the_air);
  print_cost("instructions per step with two corners down, at most", cost.on_an_edge);
  if (cost.on_the_face > 0) print_cost("instructions per step with four corners down, at most", cost.on_the_face);
  print_cost("instructions per step at rest", cost.at_rest);
  print_cost("instructions per control period with its 21 steps, at most", cost.period);
  print_bytes("stack of a step, at most", cost.stack);
  print_bytes("RAM of the predictor", sizeof predictor);
  print_bytes("RAM of a snapshot", sizeof(ArmPredictor::Snapshot));
  print_bytes("RAM of the firmware without stack, simulated arm included", port::ram_static_bytes());
  print_bytes("flash of the firmware, simulated arm included", port::flash_used_bytes());
}

}  // namespace

int main() {
  const bool counts = port::counter_start();
  State<arm, float> start = zero_state<arm, float>();
  start.q << kStart[0], kStart[1];
  require(predictor.reset(start));
  require(real_arm.start(kStart));

  Story story;
  Cost cost;
  Command<arm, float> volts{0, 0};
  for (int period = 1; period <= kPeriods; ++period) {
    require(real_arm.live({volts[0], volts[1]}));
    const Angles measured = real_arm.read_encoders_rad();

    const bool is_controlled = period < kControlled;
    Foreseen foreseen;
    raise(port::count([&] {
            observe(volts, measured);
            volts = is_controlled ? volts_for(predictor.state()) : Command<arm, float>{0, 0};
            foreseen = forecast(is_controlled);
          }),
          cost.period);

    note_real(period, real_arm.impulse_Ns(), story);
    note(period, foreseen, story);
    measure_step(volts, cost);
  }

  print_story(story);
  print_rest();
  const bool is_good = is_as_expected(story);
  if (port::begin_costs(counts)) print_costs(cost);
  return is_good ? 0 : 1;
}
