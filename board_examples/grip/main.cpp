// SPDX-License-Identifier: MIT
// Will the grip hold if I lift now? A thousand times a second the firmware reads the encoders of a lift and two
// fingers, corrects its predictor, sets the voltages and forecasts the next 30 ms of its plan, with the box between the
// pads. First it lifts as planned with too weak a squeeze, and the forecast tells that the box will slip before it
// does. Then it asks before it lifts, and squeezes harder until the answer is that the grip holds: the box is lifted,
// held and let go. Float only, no heap.
#include "kinecast_port/example.hpp"
#include "story.hpp"

namespace {

using namespace kinecast;
using namespace example;
using port::expect;
using port::is_near;
using port::print;

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

void print_costs(const Cost& cost) {
  using port::print_bytes;
  using port::print_cost;
  print_cost("instructions per step, pads open, mean", cost.open.mean());
  print_cost("instructions per step, holding, mean", cost.holding.mean());
  print_cost("instructions per step, holding, at most", cost.holding.most);
  print_cost("instructions per step, slipping, mean", cost.slipping.mean());
  print_cost("instructions per step, slipping, at most", cost.slipping.most);
  print_cost("instructions per control period that foresees the grip to hold, mean", cost.yes.mean());
  print_cost("the same in per cent of 480 000: 1 ms at 480 MHz, one per cycle", (cost.yes.mean() + 2400) / 4800);
  print_cost("instructions per control period that foresees the grip to hold, at most", cost.yes.most);
  print_cost("instructions per control period that foresees a slip, mean", cost.no.mean());
  print_cost("instructions per control period that foresees a slip, at most", cost.no.most);
  print_bytes("stack of a step, at most", cost.stack);
  print_bytes("RAM of the predictor", sizeof predictor);
  print_bytes("RAM of a snapshot", sizeof(GripPredictor::Snapshot));
  print_bytes("RAM of the firmware without stack, simulated gripper included", port::ram_static_bytes());
  print_bytes("flash of the firmware, simulated gripper included", port::flash_used_bytes());
}

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
  if (port::begin_costs(counts)) print_costs(cost);
  return is_good ? 0 : 1;
}
