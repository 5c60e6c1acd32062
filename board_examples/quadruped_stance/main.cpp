// SPDX-License-Identifier: MIT
// A quadruped of 18 degrees of freedom stands on four feet, is pushed, and puts its front feet on a plate. A thousand
// times a second the firmware corrects its predictor, sets the torques of twelve drives (PD) and forecasts as many
// steps of 1 ms, ground, plate and controller included, as fit into the millisecond. Exit code 1 if the robot falls
// or slides, if it does not stand on the plate at the end, or if a forecast is wrong. Float only, no heap.
#include <kinecast/kinecast.hpp>

#include <algorithm>

#include "kinecast_port/example.hpp"
#include "plant.hpp"
#include "quadruped.hpp"
#include "quadruped_gait.hpp"

namespace {

using namespace kinecast;
using namespace example;
using port::expect;
using port::is_near;
using port::print;
using port::raise;
using port::require;

constexpr float kPeriod_s = 1e-3F;
constexpr int kPeriods = kEnd_ms;
constexpr float kFallen_m = 0.2F;  // height of the trunk

// What a millisecond of this chip holds, an estimate: 168 MHz, and the cycles that a model of its pipeline and of its
// flash gives an instruction of such steps. Nobody has measured them on a chip. There the cycle counter of the debug
// unit takes the place of this estimate, and of the emulator's count of instructions.
constexpr float kClock_Hz = 168e6F;
constexpr float kCyclesPerInstruction = 1.55F;
constexpr auto kBudget = static_cast<std::uint32_t>(kPeriod_s * kClock_Hz / kCyclesPerInstruction);
constexpr int kMostSteps = 20;  // of a forecast; a machine that does not count takes them all

constexpr int kRecovered = 1100;  // period

using QuadrupedPredictor = Predictor<quadruped, float, Contacts<world, 6>>;

QuadrupedPredictor predictor;  // all the RAM that the forecast needs
plant::Quadruped real_robot;

float time_of(int period) { return static_cast<float>(period) * kPeriod_s; }

// ---- one control period ---------------------------------------------------------------------------------------------

// Not inlined, so that its stack can be measured.
[[gnu::noinline]] Status step(const Command<quadruped, float>& torques) { return predictor.step(torques, kPeriod_s); }

struct Forecast {
  int steps = 0;                 // that were computed within the period
  std::uint32_t first = 0;       // instructions of the first step
  std::uint32_t period = 0;      // of the whole period
  State<quadruped, float> next;  // after the first step
};

// Corrects the predictor and forecasts until the next step would not fit. The first step is also the one by which the
// predictor comes to the next period: it is always taken, and may be late.
Forecast control(const State<quadruped, float>& measured, int period, Command<quadruped, float>& torques) {
  Forecast out;
  out.period = port::count([&] {
    const Status status = predictor.correct(measured);
    if (status != Status::limit_crossed) require(status);  // by rounding: a joint that leans on its stop
    torques = torques_for(measured, time_of(period));
  });
  out.first = port::count_step([&] { return step(torques); });
  out.period += out.first;
  out.next = predictor.state();
  const QuadrupedPredictor::Snapshot next = predictor.snapshot();
  std::uint32_t dearest = out.first;
  if (out.period <= kBudget) out.steps = 1;
  while (out.period + dearest <= kBudget && out.steps < kMostSteps) {
    const std::uint32_t cost =
        port::count_step([&] { return step(torques_for(predictor.state(), time_of(period + out.steps))); });
    raise(cost, dearest);
    out.period += cost;
    if (out.period <= kBudget) ++out.steps;
  }
  predictor.restore(next);
  return out;
}

// ---- what happened --------------------------------------------------------------------------------------------------

struct Feet {
  std::array<float, kLegs> load_N{};
  std::array<bool, kLegs> on_plate{};
  float sum_N = 0;
};

Feet feet_now() {
  Feet feet;
  const auto& contacts = real_robot.contacts();
  for (int i = 0; i < contacts.count; ++i) {
    const auto foot = static_cast<std::size_t>(contacts[i].pair.point);
    feet.load_N[foot] += contacts[i].normal_N;
    feet.sum_N += contacts[i].normal_N;
    if (contacts[i].pair.surface == kPlate && contacts[i].normal_N > 0) feet.on_plate[foot] = true;
  }
  return feet;
}

struct Story {
  float lowest_m = kStandingHeight_m;  // the trunk
  float before_m = 0;                  // where the trunk is when it is pushed
  float moved_m = 0;                   // by the push
  float left_m = 0;                    // of that, when it has recovered
  float wrong_m = 0;                   // a forecast of the trunk's place, at most; without the push
  int few = kMostSteps;                // steps of a forecast, fewest
  int many = 0;                        // most
  int late = 0;                        // periods in which not one step fits
  long steps = 0;                      // of all forecasts
  std::uint32_t most = 0;              // instructions of a step
  std::uint32_t period = 0;            // of a control period, at most
  std::uint32_t stack = 0;             // bytes
  Forecast standing;                   // the last one
};

void note(int period, const Forecast& forecast, const State<quadruped, float>& real, Story& story) {
  story.few = std::min(story.few, forecast.steps);
  story.many = std::max(story.many, forecast.steps);
  story.steps += forecast.steps;
  if (forecast.steps == 0) ++story.late;
  raise(forecast.first, story.most);
  raise(forecast.period, story.period);
  story.lowest_m = std::min(story.lowest_m, real.q[2]);
  story.standing = forecast;
  if (period < kPushed_ms || period >= kPushed_ms + kPushLasts_ms) {
    const Vector<float, 3> off = (forecast.next.q - real.q).template head<3>();
    story.wrong_m = std::max(story.wrong_m, std::sqrt(off.dot(off)));
  }
  if (period == kPushed_ms) story.before_m = real.q[0];
  if (period >= kPushed_ms && period <= kRecovered) {
    story.left_m = std::abs(real.q[0] - story.before_m);
    story.moved_m = std::max(story.moved_m, story.left_m);
  }
}

// ---- text -----------------------------------------------------------------------------------------------------------

void print_row(int period, const Feet& feet, const Forecast& forecast) {
  const State<quadruped, float> real = real_robot.measure();
  port::put_right(port::fixed(time_of(period), 2), 5);
  for (int i = 0; i < 3; ++i) port::put_right(port::fixed(1e3F * real.q[i], 1), 9);
  for (std::size_t leg = 0; leg < kLegs; ++leg) {
    port::put_right(port::fixed(feet.load_N[leg], 1), 8);
    port::put(feet.on_plate[leg] ? " p" : "  ");
  }
  port::put_right(port::integer(forecast.steps), 6);
  port::put("\n");
}

void print_story(const Story& story) {
  print("\nThe push moved the trunk by ", port::fixed(1e3F * story.moved_m, 1), " mm; ");
  print("half a second later ", port::fixed(1e3F * story.left_m, 1), " mm were left.\n");
  print("A forecast of 1 ms was wrong by ", port::fixed(1e6F * story.wrong_m, 1), " um at most, the push apart.\n");
  print("Into a millisecond fit ", port::integer(story.few), " to ");
  print("", port::integer(story.many), " steps, ");
  print("on the average ", port::fixed(static_cast<float>(story.steps) / kPeriods, 2), "; ");
  print("not one fits in ", port::integer(story.late), " of ");
  print("", port::integer(kPeriods), " periods. (An estimate: ");
  print("", port::fixed(kCyclesPerInstruction, 2), " cycles per instruction at 168 MHz.)\n");
}

void print_costs(const Story& story) {
  using port::print_bytes;
  using port::print_cost;
  print_cost("instructions per step, standing", story.standing.first);
  print_cost("instructions per step, at most", story.most);
  print_cost("instructions per control period with its forecast, at most", story.period);
  print_cost("instructions that fit into a millisecond, an estimate", kBudget);
  print_cost("steps forecast per control period, standing", static_cast<std::uint32_t>(story.standing.steps));
  print_cost("steps forecast per control period, fewest", static_cast<std::uint32_t>(story.few));
  print_cost("steps forecast in the 4 000 control periods", static_cast<std::uint32_t>(story.steps));
  print_cost("control periods in which not one step fits", static_cast<std::uint32_t>(story.late));
  print_bytes("stack of a step, at most", story.stack);
  print_bytes("RAM of the predictor", sizeof predictor);
  print_bytes("RAM of a snapshot", sizeof(QuadrupedPredictor::Snapshot));
  print_bytes("RAM of the firmware without stack, simulated robot included", port::ram_static_bytes());
  print_bytes("flash of the firmware, simulated robot included", port::flash_used_bytes());
}

bool is_as_expected(const Story& story, const Feet& feet) {
  const State<quadruped, float> real = real_robot.measure();
  Kinematics<plant::true_quadruped, float> kinematics;
  require(update_kinematics(model<plant::true_quadruped, float>, real.q, real.dq, kinematics));
  const float weight_N = momentum(model<plant::true_quadruped, float>, kinematics).mass * 9.80665F;
  // The friction of the gears keeps a part of what the push moved.
  bool good = expect(story.moved_m > 5e-3F && story.left_m < 0.5F * story.moved_m, "the push is not withstood\n");
  good = expect(feet.on_plate[0] && feet.on_plate[1] && !feet.on_plate[2] && !feet.on_plate[3],
                "the front feet, and these alone, are not on the plate\n") &&
         good;
  good = expect(is_near(feet.sum_N, weight_N, 0.02F * weight_N), "the ground does not carry the weight\n") && good;
  // The real robot's trunk is 3 % heavier, and it moves by 400 um in a millisecond.
  good = expect(story.wrong_m < 5e-6F, "a forecast is wrong\n") && good;
  return good;
}

}  // namespace

int main() {
  const bool counts = port::counter_start();
  const State<quadruped, float> start = standing();
  require(predictor.reset(start));
  require(real_robot.start(start));

  port::put("  t/s     x/mm     y/mm     z/mm    load of the feet/N, p: on the plate          steps\n");
  Story story;
  Feet feet;
  for (int period = 0; period < kPeriods; ++period) {
    Command<quadruped, float> torques;
    const Forecast forecast = control(real_robot.measure(), period, torques);
    const bool is_pushed = period >= kPushed_ms && period < kPushed_ms + kPushLasts_ms;
    require(real_robot.live(torques, is_pushed ? kPush_N : 0));

    const State<quadruped, float> real = real_robot.measure();
    note(period, forecast, real, story);
    feet = feet_now();
    if (!expect(real.q[2] > kFallen_m, "it fell\n")) return 1;
    if (period % 200 == 199) {
      print_row(period + 1, feet, forecast);
      raise(port::stack_of_step(predictor, [&] { return step(torques); }), story.stack);
    }
  }

  print_story(story);
  const bool is_good = is_as_expected(story, feet);
  if (port::begin_costs(counts)) print_costs(story);
  return is_good ? 0 : 1;
}
