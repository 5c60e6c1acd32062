// SPDX-License-Identifier: MIT
// Two fingers grip a box between their pads, lift it, hold it and let go (lib/docs/examples/gripper.hpp, all of it
// in one prediction with drives and their friction). Flat pads hold m g while 2 mu_s N exceeds it, without slip; a weaker squeeze lets the box slide down with
// g - 2 mu_k N / m, or leaves it on the ground, which then carries what friction of the pads does not. After letting go it falls
// freely and rests where it stood.
#include <kinecast/kinecast.hpp>

#include <kinecast/contact/volume/volume.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "host/show/grip_story.hpp"
#include "steps.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;
using namespace example;
using host::GripStory;

constexpr double kGravity = 9.80665;
constexpr double kWeight_N = kBoxMass_kg * kGravity;
constexpr double kPadKinetic = 0.5;
constexpr double kStep_s = 1e-3;

scenario::Steps steps;  // of all runs

// What is seen after a step.
struct Sight {
  double t_s{0};
  double lift_m{0};
  double height_m{0};                // of the box above its place on the ground
  double speed_mps{0};               // of the box, up
  double aside_m{0};                 // the box from the middle
  double tilt_rad{0};                // of the box
  std::array<double, 3> normal_N{};  // of the ground and the pads
  std::array<double, 3> friction_N{};
  bool slides{false};  // a pad on the box

  [[nodiscard]] double slip_m() const { return lift_m - height_m; }
  [[nodiscard]] double squeeze_N() const { return std::min(normal_N[kLeftPad], normal_N[kRightPad]); }
};

using Film = std::vector<Sight>;
[[nodiscard]] std::size_t steps_in(double time_s) { return static_cast<std::size_t>(time_s / kStep_s + 0.5); }
// After this time.
[[nodiscard]] const Sight& at(const Film& film, double t_s) { return film.at(steps_in(t_s) - 1); }

template <class S>
Film play(const GripStory& story, double end_s) {
  static Predictor<gripper, S, Contacts<grip_world, 3, Volume<>>> predictor;
  steps.require(predictor.reset(standing_box<S>()), "reset");
  Film film;
  for (std::size_t i = 0; i < steps_in(end_s); ++i) {
    const double t_s = kStep_s * static_cast<double>(i);
    const Status status = predictor.step(volts_for(predictor.state(), host::grip_targets<S>(story, t_s)), S(kStep_s));
    steps.require(status, "step");
    const auto q = predictor.state().q.template cast<double>().eval();
    Sight now;
    now.t_s = t_s + kStep_s;
    now.lift_m = q[kLift];
    now.height_m = q[kBox + 2] - kMiddle_m;
    now.speed_mps = static_cast<double>(predictor.state().dq[kBox + 2]);
    now.aside_m = std::hypot(q[kBox], q[kBox + 1]);
    now.tilt_rad = 2 * std::hypot(q[kBox + 4], q[kBox + 5]);
    const auto& contacts = predictor.contact_report();
    for (int k = 0; k < contacts.count; ++k) {
      const auto of = static_cast<std::size_t>(contacts[k].pair.surface);
      now.normal_N[of] = static_cast<double>(contacts[k].normal_N);
      now.friction_N[of] = static_cast<double>(contacts[k].tangential_N);
      now.slides = now.slides || (of != kGround && contacts[k].is_sliding);
    }
    film.push_back(now);
  }
  return film;
}

// `slip`: its panel, "…, um" or "…, mm".
void draw(support::Figure& figure, const Film& film, const char* slip, double slip_per_m) {
  constexpr double kShown_N = 12;
  for (const Sight& now : film) {
    figure.curve("height, mm", "gripper").add(now.t_s, 1e3 * now.lift_m);
    figure.curve("height, mm", "box").add(now.t_s, 1e3 * now.height_m);
    figure.curve("normal force, N", "left pad").add(now.t_s, std::min(now.normal_N[kLeftPad], kShown_N));
    figure.curve("normal force, N", "right pad").add(now.t_s, std::min(now.normal_N[kRightPad], kShown_N));
    figure.curve("normal force, N", "ground (impacts cut off)").add(now.t_s, std::min(now.normal_N[kGround], kShown_N));
    figure.curve("friction of a pad, N", "used").add(now.t_s, now.friction_N[kLeftPad]);
    figure.curve("friction of a pad, N", "static limit")
        .add(now.t_s, std::min(kPadFriction * now.normal_N[kLeftPad], 5.0));
    figure.curve("friction of a pad, N", "half the box's weight").add(now.t_s, 0.5 * kWeight_N);
    if (now.squeeze_N() > 0) figure.curve(slip, "box down").add(now.t_s, slip_per_m * now.slip_m());
  }
}

// ---- holds --------------------------------------------------------------------------------------------------------------------

template <class S>
void measure_strong(support::Report& report, support::Figure& figure) {
  constexpr bool is_float = std::is_same_v<S, float>;
  const char* scalar = support::scalar_name<S>();
  const GripStory story;
  const Film film = play<S>(story, 3);
  draw(figure, film, "slip in the grip, um", 1e6);
  steps.report(report, "grip_warnings", "strong", scalar);
  const Sight& squeezed = at(film, story.lift_at_s);
  const Sight& lifted = at(film, story.let_go_at_s - 1);
  const Sight& held = at(film, story.let_go_at_s);
  double slip_m = 0;
  bool slides = false;
  double used = 0;  // of what friction can hold
  for (const Sight& now : film) {
    if (now.t_s < squeezed.t_s + 0.5 * kStep_s || now.t_s > held.t_s + 0.5 * kStep_s) continue;
    slip_m = std::max(slip_m, std::abs(now.slip_m() - squeezed.slip_m()));
    slides = slides || now.slides;
    used = std::max(used, now.friction_N[kLeftPad] / (kPadFriction * now.normal_N[kLeftPad]));
  }
  report.expect(used < 1 && !slides, std::string(scalar) + ": the box does not slide in a strong grip");
  report.add({"scenario", "grip_lifts", "strong", scalar, std::abs(held.height_m - story.lift_m), 1e-3, "m"});
  // Its reference gives way by lambda A W dt / k when the load comes on, less than a micrometre.
  report.add({"scenario", "grip_slip", "strong", scalar, slip_m, 1e-6, "m"});
  // Method 15.
  report.add({"scenario", "grip_creep", "strong", scalar, std::abs(held.slip_m() - lifted.slip_m()),
              is_float ? 3e-6 : 1e-10, "m/s"});
  report.add({"scenario", "grip_friction", "strong", scalar,
              std::abs((held.friction_N[kLeftPad] + held.friction_N[kRightPad]) / kWeight_N - 1), 1e-3, "relative"});

  // Let go: free fall, and rest where it stood.
  const double fall_mps2 =
      (at(film, story.let_go_at_s + 0.11).speed_mps - at(film, story.let_go_at_s + 0.06).speed_mps) / 0.05;
  report.add({"scenario", "grip_falls", "let go", scalar, std::abs(fall_mps2 / -kGravity - 1), 1e-3, "relative"});
  const Sight& end = film.back();
  report.add({"scenario", "grip_box_depth", "at the end", scalar, std::abs(end.height_m), 1e-6, "m"});
  report.add({"scenario", "grip_box_aside", "at the end", scalar, end.aside_m, 1e-6, "m"});
  report.add({"scenario", "grip_box_tilt", "at the end", scalar, end.tilt_rad, 1e-5, "rad"});
  // In float its speed is rounding: less than what would move its height.
  report.add(
      {"scenario", "grip_box_speed", "at the end", scalar, std::abs(end.speed_mps), is_float ? 4e-6 : 1e-9, "m/s"});
  report.add({"scenario", "grip_box_carried", "at the end", scalar, std::abs(end.normal_N[kGround] / kWeight_N - 1),
              1e-3, "relative"});
}

// ---- slips --------------------------------------------------------------------------------------------------------------------

// Lifted well, then loosened.
template <class S>
void measure_loosened(support::Report& report, support::Figure& figure) {
  const char* scalar = support::scalar_name<S>();
  GripStory story;
  story.loosen_at_s = 1.2;
  story.let_go_at_s = 1e3;
  story.loosened_V = 1.5;
  const Film film = play<S>(story, 2);
  draw(figure, film, "slip in the grip, mm", 1e3);
  const Sight& from = at(film, story.loosen_at_s + 0.01);
  const Sight& to = at(film, story.loosen_at_s + 0.15);
  report.expect(2 * kPadFriction * from.squeeze_N() < kWeight_N, "loosened so much that friction cannot hold");
  report.expect(from.slides && to.slides, std::string(scalar) + ": then the box slides");
  // Within what the drives' friction holds, the squeeze changes as the pads come nearer to the box's end.
  double expected_mps = 0;
  for (const Sight& now : film)
    if (now.t_s > from.t_s + 0.5 * kStep_s && now.t_s < to.t_s + 0.5 * kStep_s)
      expected_mps += kStep_s * (kGravity - 2 * kPadKinetic * now.squeeze_N() / kBoxMass_kg);
  const double gained_mps = from.speed_mps - to.speed_mps;
  report.add(
      {"scenario", "grip_slides_down", "1.5 V", scalar, std::abs(gained_mps / expected_mps - 1), 1e-3, "relative"});
  report.add({"scenario", "grip_box_tilt", "1.5 V", scalar, film.back().tilt_rad, 1e-3, "rad"});
  report.add({"scenario", "grip_box_depth", "1.5 V", scalar, std::abs(film.back().height_m), 1e-6, "m"});

  // The weakest squeeze that holds: what it makes of friction is the weight.
  double low = 1;
  double high = 3;
  double weakest_N = 0;
  for (int turn = 0; turn < 12; ++turn) {
    story.loosened_V = 0.5 * (low + high);
    const Film trial = play<S>(story, 1.3);
    const bool holds = trial.back().slip_m() < 1e-4;
    if (holds) weakest_N = trial.back().squeeze_N();
    (holds ? high : low) = story.loosened_V;
  }
  steps.report(report, "grip_warnings", "loosened", scalar);
  // The squeeze itself swings by a few tenths of a percent when it is loosened.
  report.add({"scenario", "grip_weakest", "2 mu N = m g", scalar,
              std::abs(2 * kPadFriction * weakest_N / kWeight_N - 1), 1e-2, "relative"});
}

// Too weak from the start: the pads slide up along the box, which stays on the ground.
template <class S>
void measure_weak(support::Report& report) {
  const char* scalar = support::scalar_name<S>();
  GripStory story;
  story.squeeze_V = 1.5;
  const Film film = play<S>(story, story.lifted_at_s());
  double left_behind_m = 0;
  double carried = 0;
  int counted = 0;
  for (const Sight& now : film) {
    if (now.t_s < story.lift_at_s) continue;
    left_behind_m = std::max(left_behind_m, std::abs(now.height_m - at(film, story.lift_at_s).height_m));
    // The pads' middles are within the box's side.
    if (now.t_s < story.lift_at_s + 0.05 || now.lift_m > 0.5 * (kBoxSize_m.z - kPadSize_m.z)) continue;
    const double pads_N = now.friction_N[kLeftPad] + now.friction_N[kRightPad];
    carried = std::max(carried, std::abs((now.normal_N[kGround] + pads_N) / kWeight_N - 1));
    carried = std::max(carried, std::abs(pads_N / (2 * kPadKinetic * now.squeeze_N()) - 1));
    ++counted;
  }
  steps.report(report, "grip_warnings", "weak", scalar);
  report.expect(counted > 50, "the pads slide along the box for a while");
  report.add({"scenario", "grip_left_behind", "1.5 V", scalar, left_behind_m, 1e-6, "m"});
  report.add({"scenario", "grip_shares_weight", "1.5 V", scalar, carried, 1e-2, "relative"});
}

template <class S>
void measure_all(support::Report& report, support::Figure& strong, support::Figure& loosened) {
  measure_strong<S>(report, strong);
  measure_loosened<S>(report, loosened);
  measure_weak<S>(report);
}

void measure(support::Report& report, support::Figure& figure) {
  support::Figure unseen("");  // looks the same
  measure_all<float>(report, figure, figure.another("grip_loosened"));
  measure_all<double>(report, unseen, unseen);
}

}  // namespace

const support::Program support::program{"grip", measure};
