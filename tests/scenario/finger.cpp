// SPDX-License-Identifier: MIT
// A gripper's finger on a slide with stops pushes a box by volume contact. A push that friction below the box holds rests on the
// box alone; a stronger one moves the box until the finger is at its stop, which then carries the push: the box slides on and
// comes to rest by itself. Every figure in float and double.
#include <kinecast/kinecast.hpp>

#include <kinecast/contact/volume/volume.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "steps.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;

constexpr double kGravity = 9.80665;
constexpr double kBox_kg = 0.5;
constexpr double kSide_m = 0.1;
constexpr double kMoment = kBox_kg * kSide_m * kSide_m / 6;
constexpr double kStatic = 0.5;
constexpr double kKinetic = 0.3;
constexpr double kStop_m = 0.03;
constexpr double kGap_m = 0.005;  // between the pad and the box at the start
constexpr Material kWood = material(friction(kStatic, kKinetic));
constexpr Material kSmooth = material(friction(0, 0));

inline constexpr auto gripper =
    robot("gripper",
          link("finger", on("world"), at(0, 0, 0.5 * kSide_m), prismatic(kAxisX),
               body(0.2, com(0, 0, 0), inertia(1e-4, 1e-4, 1e-4)), limits(0, kStop_m)),
          link("box", floating(), body(kBox_kg, com(0, 0, 0), inertia(kMoment, kMoment, kMoment))));
inline constexpr auto table =
    environment(half_space("table", kWood), box("pad", on("finger"), size(0.02, 0.04, 0.04), kSmooth),
                box("box", on("box"), size(kSide_m, kSide_m, kSide_m), kSmooth));

struct Seen {
  double finger_m{0};
  double farthest_m{0};
  double box_m{0};  // moved
  double box_mps{0};
  double stop_N{0};
  double pad_N{0};
};

// Pushes for a second, from the start.
template <class S>
Seen push(double force_N, scenario::Steps& steps, support::Figure::Curve* finger, support::Figure::Curve* moved) {
  static Predictor<gripper, S, Contacts<table, 3, Volume<>>> predictor;
  State<gripper, S> state = zero_state<gripper, S>();
  const double start_m = 0.01 + kGap_m + 0.5 * kSide_m;
  state.q[1] = static_cast<S>(start_m);
  state.q[3] = static_cast<S>(0.5 * kSide_m);
  steps.require(predictor.reset(state), "reset");
  Seen seen;
  Command<gripper, S> command = Command<gripper, S>::Zero();
  command[0] = static_cast<S>(force_N);
  for (int ms = 1; ms <= 1000; ++ms) {
    steps.require(predictor.step(command, S(1e-3)), "step");
    seen.finger_m = static_cast<double>(predictor.state().q[0]);
    seen.farthest_m = std::max(seen.farthest_m, seen.finger_m);
    seen.box_m = static_cast<double>(predictor.state().q[1]) - start_m;
    if (finger != nullptr) finger->add(1e-3 * ms, seen.finger_m);
    if (moved != nullptr) moved->add(1e-3 * ms, seen.box_m);
  }
  seen.box_mps = std::abs(static_cast<double>(predictor.state().dq[1]));
  seen.stop_N = static_cast<double>(predictor.report().limit_Nm[0]);
  const auto& contacts = predictor.contact_report();
  for (int i = 0; i < contacts.count; ++i)
    if (std::abs(static_cast<double>(contacts[i].normal.x)) > 0.5)
      seen.pad_N += static_cast<double>(contacts[i].normal_N);
  return seen;
}

template <class S>
void measure_push(support::Report& report, support::Figure* figure) {
  const char* scalar = support::scalar_name<S>();
  scenario::Steps steps;
  const char* const axis = "m";
  const auto curve = [&](const char* title) { return figure == nullptr ? nullptr : &figure->curve(axis, title); };
  const double hold_N = kStatic * kBox_kg * kGravity;
  // The finger arrives with 0.25 m/s and moves the box some millimetres; less than kinetic friction, the push does not keep it
  // moving. Then all rests on the box.
  const Seen weak = push<S>(0.5 * hold_N, steps, curve("finger, weak push"), curve("box, weak push"));
  report.add({"scenario", "finger_rests_on_box", "0.5 mu m g", scalar, std::abs(weak.pad_N / (0.5 * hold_N) - 1), 1e-2,
              "relative"});
  report.add({"scenario", "finger_stop_unloaded", "0.5 mu m g", scalar, std::abs(weak.stop_N), 1e-9, "N"});
  report.expect(weak.finger_m > kGap_m - 1e-4 && weak.finger_m < kStop_m - 1e-3,
                std::string(scalar) + ": the weak finger stands at the box, before its stop");

  const Seen strong = push<S>(3 * hold_N, steps, curve("finger, strong push"), curve("box, strong push"));
  steps.report(report, "finger_warnings", "both", scalar);
  // The bound for a stop is 1e-5 rad.
  report.add(
      {"scenario", "finger_beyond_stop", "3 mu m g", scalar, std::max(0.0, strong.farthest_m - kStop_m), 1e-5, "m"});
  report.add({"scenario", "finger_stop_carries", "3 mu m g", scalar, std::abs(-strong.stop_N / (3 * hold_N) - 1), 1e-3,
              "relative"});
  report.add({"scenario", "finger_box_rests", "3 mu m g", scalar, strong.box_mps, 1e-5, "m/s"});
  report.expect(strong.box_m > kStop_m - kGap_m - 1e-4,
                std::string(scalar) + ": the box was pushed as far as the finger goes, and slid on");
}

void measure(support::Report& report, support::Figure& figure) {
  measure_push<float>(report, &figure);
  measure_push<double>(report, nullptr);
}

}  // namespace

const support::Program support::program{"finger", measure};
