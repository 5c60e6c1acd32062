// SPDX-License-Identifier: MIT
// Time-stepping and the event-driven step where the truth is known: a mass that bounces with e = 0.8 for two seconds, at
// steps from 1.25 to 20 ms; boxes that fall on their corners, where no impact may gain energy; a four-bar linkage whose
// rocker strikes its stop and whose loop must not feel it. What it costs: sub-steps tried per step.
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "robots/boxes.hpp"
#include "steps.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;

constexpr double kGravity = 9.80665;
constexpr double kHeight_m = 0.5;
constexpr double kRestitution = 0.8;
constexpr double kDepth_m = 1e-5;  // of EventParameters

inline constexpr auto mass = robot("mass", link("mass", floating(), body(1, com(0, 0, 0), inertia(1e-3, 1e-3, 1e-3))),
                                   contact_point("tip", on("mass"), at(0, 0, 0)));
// Relaxation takes a part of a time-stepped rebound, whatever the step: here it takes little.
inline constexpr auto springy =
    environment(half_space("floor", material(friction(0.5), restitution(kRestitution), relaxation(1e-6))));
inline constexpr auto half_springy = environment(half_space("floor", material(friction(0.5), restitution(0.5))));

// Free flight, and e at every impact.
[[nodiscard]] double exact_height(double from_m, double t) {
  double v = std::sqrt(2 * kGravity * from_m);
  const double first = v / kGravity;
  if (t < first) return from_m - 0.5 * kGravity * t * t;
  t -= first;
  for (v *= kRestitution; t > 2 * v / kGravity; v *= kRestitution) t -= 2 * v / kGravity;
  return v * t - 0.5 * kGravity * t * t;
}

template <class Integrator>
constexpr bool kFindsEvents = Integrator::kLocatesEvents;

struct Bounce {
  double error_m{0};       // the largest of a run at the ends of its steps, mean of all runs …
  double most_error_m{0};  // … and the largest of all
  double tries{0};         // sub-steps per step, those taken back included
  int most_tries{0};       // in a step
};
constexpr int kRuns = 16;  // from heights around kHeight_m, so that impacts fall anywhere into the steps

template <class S, class Integrator>
[[nodiscard]] Bounce bounce(double dt, const char* name, support::Figure& figure, scenario::Steps& steps) {
  static Predictor<mass, S, Contacts<springy, 1>, Integrator> predictor;
  Bounce out;
  const int count = static_cast<int>(std::lround(2 / dt));
  for (int run = 0; run < kRuns; ++run) {
    const double from_m = kHeight_m + 0.01 * run;
    State<mass, S> start = zero_state<mass, S>();
    start.q[2] = static_cast<S>(from_m);
    steps.require(predictor.reset(start), "reset");
    double error_m = 0;
    for (int k = 1; k <= count; ++k) {
      steps.require(predictor.step(Command<mass, S>::Zero(), static_cast<S>(dt)), name);
      const double z = static_cast<double>(predictor.state().q[2]);
      const double exact = exact_height(from_m, k * dt);
      error_m = std::max(error_m, std::abs(z - exact));
      int tries = 1;
      if constexpr (kFindsEvents<Integrator>) tries = predictor.events().substeps + predictor.events().halvings;
      out.tries += static_cast<double>(tries) / (count * kRuns);
      out.most_tries = std::max(out.most_tries, tries);
      if (dt > 15e-3 && run == 0) {
        figure.curve("height, m (20 ms)", name).add(k * dt, z);
        if (kFindsEvents<Integrator>) figure.curve("height, m (20 ms)", "exact").add(k * dt, exact);
      }
    }
    out.error_m += error_m / kRuns;
    out.most_error_m = std::max(out.most_error_m, error_m);
  }
  return out;
}

template <class S>
void measure_bounces(support::Report& report, support::Figure& figure) {
  scenario::Steps steps;
  double coarser_event = 0;
  double coarser_stepped = 0;
  for (const double dt : {20e-3, 10e-3, 5e-3, 2.5e-3, 1.25e-3}) {
    const Bounce event = bounce<S, EventDriven<>>(dt, "event-driven", figure, steps);
    const Bounce stepped = bounce<S, SymplecticEuler>(dt, "time-stepping", figure, steps);
    const std::string which = "dt_" + std::to_string(static_cast<int>(std::lround(dt * 1e6))) + "us";
    // Five impacts, each found within the depth: what is left is 2 (1 + e²) of it each at the most. Float: up to 1600 steps
    // of half a metre.
    const double rounding = sizeof(S) == sizeof(float) ? 5e-5 : 0;
    report.add({"scenario", "bounce_height", which, support::scalar_name<S>(), event.most_error_m,
                10 * (1 + kRestitution * kRestitution) * kDepth_m + rounding, "m", support::kNone, stepped.error_m});
    report.add({"scenario", "bounce_mean_event", which, support::scalar_name<S>(), event.error_m, support::kNone, "m"});
    report.add(
        {"scenario", "bounce_mean_stepped", which, support::scalar_name<S>(), stepped.error_m, support::kNone, "m"});
    report.add(
        {"scenario", "bounce_tries_per_step", which, support::scalar_name<S>(), event.tries, support::kNone, ""});
    report.add({"scenario", "bounce_most_tries", which, support::scalar_name<S>(), double(event.most_tries), 64, ""});
    if (coarser_stepped > 0) {
      report.add({"scenario", "bounce_order_event", which, support::scalar_name<S>(),
                  std::log2(coarser_event / event.error_m), support::kNone, "of dt"});
      report.add({"scenario", "bounce_order_stepped", which, support::scalar_name<S>(),
                  std::log2(coarser_stepped / stepped.error_m), support::kNone, "of dt"});
    }
    coarser_event = event.error_m;
    coarser_stepped = stepped.error_m;
  }
  steps.report(report, "bounce_warnings", "mass", support::scalar_name<S>());
}

// ---- boxes
// ------------------------------------------------------------------------------------------------------------------------

using robots::cube;
constexpr double kCube_kg = 0.5;

template <class S>
[[nodiscard]] double energy(const State<cube, S>& s) {
  const auto v = s.dq.template cast<double>();
  const double moment = kCube_kg * 0.02 / 12;  // of a cube: about any axis
  return 0.5 * kCube_kg * v.template head<3>().squaredNorm() + 0.5 * moment * v.template tail<3>().squaredNorm() +
         kCube_kg * kGravity * static_cast<double>(s.q[2]);
}

// The most energy that a step gained, of 40 drops with random turns.
template <class S, class Integrator>
[[nodiscard]] double most_gain(double dt, scenario::Steps& steps) {
  static Predictor<cube, S, Contacts<half_springy, 8>, Integrator> predictor;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  double most = 0;
  for (int drop = 0; drop < 40; ++drop) {
    State<cube, S> start = zero_state<cube, S>();
    Eigen::Vector4d turn;
    for (double& x : turn) x = normal(random);
    turn.normalize();
    start.q[2] = S(0.3);
    for (int i = 0; i < 4; ++i) start.q[3 + i] = static_cast<S>(turn[i]);
    for (int i = 0; i < 6; ++i) start.dq[i] = static_cast<S>((i < 3 ? 0.5 : 3) * normal(random));
    steps.require(predictor.reset(start), "reset");
    double before = energy(start);
    for (int k = 0; k < static_cast<int>(std::lround(1 / dt)); ++k) {
      steps.require(predictor.step(Command<cube, S>::Zero(), static_cast<S>(dt)), "box");
      const double now = energy(predictor.state());
      most = std::max(most, now - before);
      before = now;
    }
  }
  return most;
}
template <class S>
void measure_boxes(support::Report& report) {
  scenario::Steps steps;
  for (const double dt : {1e-3, 5e-3}) {
    const double event = most_gain<S, EventDriven<>>(dt, steps);
    const double stepped = most_gain<S, SymplecticEuler>(dt, steps);
    // A depth that is worked off, m g times it: one that an impact ends with, and as much of a corner that turns under.
    const double allowed = 2 * kCube_kg * kGravity * kDepth_m;
    report.add({"scenario", "box_energy_gained", "dt_" + std::to_string(static_cast<int>(std::lround(dt * 1e6))) + "us",
                support::scalar_name<S>(), event, allowed, "J", support::kNone, stepped});
  }
  steps.report(report, "box_warnings", "cube", support::scalar_name<S>());
}

// ---- a loop
// ---------------------------------------------------------------------------------------------------------------------

constexpr auto rod(double m, double l) { return inertia(m * l * l / 12 + 1e-5, m * l * l / 12 + 1e-5, 1e-5); }
inline constexpr auto four_bar =
    robot("four-bar", link("crank", revolute(kAxisY), body(0.3, com(0, 0, 0.05), rod(0.3, 0.1))),
          link("coupler", on("crank"), at(0, 0, 0.1), revolute(kAxisY), body(0.5, com(0.2, 0, 0.1), rod(0.5, 0.45))),
          link("rocker", at(0.4, 0, 0), revolute(kAxisY), body(0.4, com(0, 0, 0.15), rod(0.4, 0.3)),
               limits(-0.3, 0.2, rebound(0.6))),
          closure("pin", point_of("coupler", 0.4, 0, 0.2), point_of("rocker", 0, 0, 0.3)));

template <class S>
void measure_loop(support::Report& report) {
  constexpr double kDt = 1e-3;
  static Predictor<four_bar, S, EventDriven<>> predictor;
  scenario::Steps steps;
  steps.require(predictor.reset(zero_state<four_bar, S>()), "reset");
  Command<four_bar, S> push = Command<four_bar, S>::Zero();
  push[0] = S(-0.05);  // the start is an equilibrium, nearly: this says to which side it falls
  double apart_m = 0;
  double speed_mps = 0;
  double violation = 0;
  double struck = 0;    // speed of the rocker at its first impact …
  double rebounds = 0;  // … and after it, from the accelerations of the steps before and after
  double last_change = 0;
  double left = 0;
  double left_at = 0;
  int impacts = 0;
  for (int k = 0; k < 3000; ++k) {
    const double before = static_cast<double>(predictor.state().dq[2]);
    steps.require(predictor.step(push, static_cast<S>(kDt)), "four-bar");
    const State<four_bar, S>& now = predictor.state();
    Kinematics<four_bar, S> k_now;
    steps.require(update_kinematics(model<four_bar, S>, now.q, now.dq, k_now), "kinematics");
    const auto& pin = model<four_bar, S>.loops[0];
    const Vector<S, 3> apart =
        point_position<four_bar, S>(k_now, pin.first) - point_position<four_bar, S>(k_now, pin.second);
    const Vector<S, 3> parting =
        point_velocity<four_bar, S>(k_now, pin.first) - point_velocity<four_bar, S>(k_now, pin.second);
    apart_m = std::max(apart_m, static_cast<double>(apart.norm()));
    speed_mps = std::max(speed_mps, static_cast<double>(parting.norm()));
    violation = std::max({violation, static_cast<double>(now.q[2]) - 0.2, -0.3 - static_cast<double>(now.q[2])});
    const double after = static_cast<double>(now.dq[2]);
    const double at = static_cast<double>(predictor.events().first_impact_s) / kDt;
    if (predictor.events().impacts == 0) {
      if (impacts == 1 && !(rebounds > 0)) rebounds = std::abs(left - (after - before) * (1 - left_at));
      last_change = after - before;
    } else if (impacts++ == 0) {
      struck = std::abs(before + last_change * at);
      left = after, left_at = at;
    }
  }
  report.expect(impacts > 3, "the rocker strikes its stop several times");
  // Of a pin 1e-4 m are asked; an impact that did not know the loop would part its sides by a part of 1 m/s. A stop is
  // passed by the depth, and by what its relaxation gives way.
  report.add({"scenario", "bounce_pin_apart", "four_bar", support::scalar_name<S>(), apart_m, 1e-5, "m"});
  report.add({"scenario", "bounce_pin_speed", "four_bar", support::scalar_name<S>(), speed_mps, 1e-3, "m/s"});
  report.add(
      {"scenario", "bounce_stop_violation", "four_bar", support::scalar_name<S>(), violation, 1.2 * kDepth_m, "rad"});
  // Accelerations change by some 1 % in a step, and they are some 2 % of the speed over dt. Float: that of 1 rad/s twice.
  report.add({"scenario", "bounce_stop_rebound", "four_bar", support::scalar_name<S>(),
              std::abs(rebounds / struck - 0.6), 1e-3, ""});
  steps.report(report, "bounce_warnings", "four_bar", support::scalar_name<S>());
}

void measure(support::Report& report, support::Figure& figure) {
  measure_bounces<double>(report, figure);
  support::Figure unseen("");
  measure_bounces<float>(report, unseen);
  measure_boxes<double>(report);
  measure_boxes<float>(report);
  measure_loop<double>(report);
  measure_loop<float>(report);
}

}  // namespace

const support::Program support::program{"bounce", measure};
