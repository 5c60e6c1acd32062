// SPDX-License-Identifier: MIT
// A four-bar linkage, closed by a loop, swings and turns for ten seconds: its pin stays together to 1e-4 m, and the crank goes where the
// linkage's own equation of one degree of freedom, integrated finely, says, to first order in the step (support/four_bar_truth.hpp).
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "robots/linkages.hpp"
#include "steps.hpp"
#include "support/four_bar_truth.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;
using robots::four_bar;
using robots::FourBarTruth;

constexpr double kEnd_s = 10;
constexpr double kFine_s = 1e-4;

struct Start {
  const char* name;
  double angle;
  double rate;
};
// Released at rest it swings; pushed it turns round and round.
constexpr Start kSwings{"swings", 1.2, 0};
constexpr Start kTurns{"turns", 0, 12};

FourBarTruth start_of(const Start& start) {
  FourBarTruth truth;
  // From the position that is closed as written, in small steps, so that the branch stays.
  for (int i = 1; i <= 100; ++i) {
    truth.angle = start.angle * i / 100;
    truth.close();
  }
  truth.rate = start.rate;
  return truth;
}

struct Seen {
  double apart_m{0};
  double angle_after_1s_rad{0};
  double angle_rad{0};     // farthest from the truth
  double lost_in_1s_J{0};  // mean of the first second against the truth
  double lost_J{0};        // mean of the last one
  double largest_kinetic_J{0};
  double truth_J{0};  // the truth's own error
};

template <class S, class Integrator>
Seen run(const Start& start, double dt, scenario::Steps& steps, support::Figure* figure) {
  static Predictor<four_bar, S, Integrator> predictor;
  FourBarTruth truth = start_of(start);
  State<four_bar, S> state = zero_state<four_bar, S>();
  const FourBarTruth::Rates rates = truth.rates();
  state.q << static_cast<S>(truth.angle), static_cast<S>(truth.coupler - truth.angle), static_cast<S>(truth.rocker);
  state.dq << static_cast<S>(truth.rate), static_cast<S>((rates.coupler - 1) * truth.rate),
      static_cast<S>(rates.rocker * truth.rate);
  steps.require(predictor.reset(state), "reset");
  const double whole_J = truth.kinetic() + truth.potential();
  Seen seen;
  const int count = static_cast<int>(std::lround(kEnd_s / dt));
  const int fine = static_cast<int>(std::lround(dt / kFine_s));
  const int second = static_cast<int>(std::lround(1 / dt));
  const Model<four_bar, double>& exact = model<four_bar, double>;
  Kinematics<four_bar, double> k;
  for (int i = 1; i <= count; ++i) {
    steps.require(predictor.step(Command<four_bar, S>::Zero(), static_cast<S>(dt)), "step");
    for (int n = 0; n < fine; ++n) truth.step(kFine_s);
    const Position<four_bar, double> q = predictor.state().q.template cast<double>();
    const Velocity<four_bar, double> dq = predictor.state().dq.template cast<double>();
    steps.require(update_kinematics(exact, q, dq, k), "kinematics");
    const Vector<double, 3> apart = point_position<four_bar, double>(k, exact.loops[0].first) -
                                    point_position<four_bar, double>(k, exact.loops[0].second);
    seen.apart_m = std::max(seen.apart_m, apart.norm());
    const double kinetic_J = kinetic_energy(exact, k, dq);
    const double lost_J = whole_J - kinetic_J - potential_energy(exact, k);
    seen.largest_kinetic_J = std::max(seen.largest_kinetic_J, kinetic_J);
    if (i <= second) seen.lost_in_1s_J += lost_J / second;
    if (i > count - second) seen.lost_J += lost_J / second;
    seen.angle_rad = std::max(seen.angle_rad, std::abs(q[0] - truth.angle));
    if (i == second) seen.angle_after_1s_rad = q[0] - truth.angle;
    if (figure != nullptr && i % 4 == 0) {
      const double t = dt * i;
      figure->curve("crank, rad", "equation of one degree of freedom").add(t, truth.angle);
      figure->curve("crank, rad", "forecast").add(t, q[0]);
      figure->curve("pin apart, m", "forecast").add(t, apart.norm());
      figure->curve("energy lost, J", "forecast").add(t, lost_J);
    }
  }
  seen.truth_J = std::abs(truth.kinetic() + truth.potential() - whole_J);
  return seen;
}

template <class S>
void measure_start(const Start& start, support::Report& report, support::Figure* figure) {
  scenario::Steps steps;
  const char* scalar = support::scalar_name<S>();
  const Seen rough = run<S, SymplecticEuler>(start, 2e-3, steps, nullptr);
  const Seen seen = run<S, SymplecticEuler>(start, 1e-3, steps, figure);
  const Seen gill = run<S, RungeKuttaGill>(start, 1e-3, steps, nullptr);
  steps.report(report, "four_bar_warnings", start.name, scalar);
  // The equation itself is a truth only if it keeps its energy, far better than what is compared with it.
  report.add({"scenario", "four_bar_truth_energy", start.name, scalar, seen.truth_J, 1e-9, "J"});
  // The bound.
  report.add({"scenario", "four_bar_apart", start.name, scalar, seen.apart_m, 1e-4, "m"});
  report.add({"scenario", "four_bar_apart_2ms", start.name, scalar, rough.apart_m, 1e-4, "m"});
  // A step of first order: half of it, half of the error, but for terms of second order.
  report.add({"scenario", "four_bar_order", start.name, scalar,
              std::abs(seen.angle_after_1s_rad / rough.angle_after_1s_rad - 0.5), 0.1, "of 2 ms's"});
  report.add({"scenario", "four_bar_loss_order", start.name, scalar,
              std::abs(seen.lost_in_1s_J / rough.lost_in_1s_J - 0.5), 0.1, "of 2 ms's"});
  // No bounds: the step takes the velocity products of the start, with loops and without, and loses or gains by them.
  report.add(
      {"scenario", "four_bar_angle_1s", start.name, scalar, std::abs(seen.angle_after_1s_rad), support::kNone, "rad"});
  report.add({"scenario", "four_bar_angle", start.name, scalar, seen.angle_rad, support::kNone, "rad"});
  report.add({"scenario", "four_bar_lost", start.name, scalar, seen.lost_J / seen.largest_kinetic_J, support::kNone,
              "of largest"});
  // Runge-Kutta keeps angle and energy far better and the pin worse.
  report.add({"scenario", "four_bar_gill_apart", start.name, scalar, gill.apart_m, support::kNone, "m"});
  report.add(
      {"scenario", "four_bar_gill_angle", start.name, scalar, gill.angle_rad / seen.angle_rad, 0.1, "of Euler's"});
  report.add(
      {"scenario", "four_bar_gill_lost", start.name, scalar, std::abs(gill.lost_J / seen.lost_J), 0.1, "of Euler's"});
}

void measure(support::Report& report, support::Figure& figure) {
  measure_start<float>(kSwings, report, &figure);
  measure_start<double>(kSwings, report, nullptr);
  measure_start<float>(kTurns, report, &figure.another("four_bar_turns"));
  measure_start<double>(kTurns, report, nullptr);
}

}  // namespace

const support::Program support::program{"four_bar", measure};
