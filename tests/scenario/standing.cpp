// SPDX-License-Identifier: MIT
// A minute of standing still in float: a quadruped whose geared joints are held by PD control, on four spheres, and a stack of
// four cubes on their corners. What rests does not drift, what is symmetric carries symmetric loads, and forces that nothing
// changes do not chatter. The humanoid's minute is in stance.cpp.
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "contact_models.hpp"
#include "resting.hpp"
#include "robots/legged.hpp"
#include "steps.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;
using robots::quadruped;

constexpr double kGravity = 9.80665;
constexpr double kStep_s = 1e-3;
constexpr int kSteps = 60000;
constexpr double kFrom_s = 5;  // before it, drives and contacts take up their loads

inline constexpr auto ground = environment(half_space("ground", material(friction(0.8))));

template <class R>
constexpr double mass_of(const R& robot) {
  double sum = 0;
  for (const Link& l : robot.links) sum += l.mass_kg;
  return sum;
}

// Loads of the ground by side, summed over time.
class Sides {
 public:
  template <class ContactReport>
  void see(double t, const ContactReport& report) {
    last_N_ = 0;
    for (int i = 0; i < report.count; ++i) {
      const auto& c = report[i];
      if (c.pair.surface != 0) continue;
      const double f = static_cast<double>(c.normal_N);
      last_N_ += f;
      if (t <= kFrom_s) continue;
      (c.point_m.y > 0 ? left_ : right_) += f;
      (c.point_m.x > 0 ? front_ : hind_) += f;
    }
  }
  [[nodiscard]] double left_over_right() const { return left_ / right_; }
  [[nodiscard]] double front_over_hind() const { return front_ / hind_; }
  [[nodiscard]] double last_N() const { return last_N_; }

 private:
  double left_{0}, right_{0}, front_{0}, hind_{0};
  double last_N_{0};
};

void add(const char* name, const char* scalar, const scenario::Resting& resting, const Sides& sides, double mass_kg,
         support::Report& report) {
  report.add({"scenario", "stand_drift", name, scalar, resting.drift_mps(), 1e-6, "m/s"});
  report.add(
      {"scenario", "stand_uneven", name, scalar, std::abs(sides.left_over_right() - 1), 1e-3, "left over right"});
  report.add({"scenario", "stand_chatter", name, scalar, resting.chatter(), 2e-3, "per ms"});
  report.add({"scenario", "stand_weight", name, scalar, std::abs(sides.last_N() / (mass_kg * kGravity) - 1), 1e-3,
              "relative"});
  report.expect(!resting.slides(), std::string(name) + ": nothing slides");
}

// ---- quadruped ------------------------------------------------------------------------------------------------------

// PD at every joint, 80 Nm/rad and 2 Nms/rad, about legs that stand with their feet below their hips.
template <class S>
void measure_quadruped(support::Report& report) {
  static Predictor<quadruped, S, scenario::PointContacts<ground, 8>> predictor;
  constexpr robots::QuadrupedSizes kSizes{};
  constexpr double kThigh = 0.7;
  const char* scalar = support::scalar_name<S>();
  scenario::Steps steps;
  State<quadruped, S> desired = zero_state<quadruped, S>();
  for (int leg = 0; leg < 4; ++leg) {
    desired.q[7 + 3 * leg + 1] = S(kThigh);
    desired.q[7 + 3 * leg + 2] = S(-2 * kThigh);
  }
  desired.q[2] = static_cast<S>((kSizes.thigh_m + kSizes.shank_m) * std::cos(kThigh) + kSizes.foot_m);
  steps.require(predictor.reset(desired), "reset");
  scenario::Resting resting(0, 4, kFrom_s);
  Sides sides;
  for (int step = 1; step <= kSteps; ++step) {
    const State<quadruped, S>& now = predictor.state();
    Command<quadruped, S> torque = Command<quadruped, S>::Zero();
    for (int i = 0; i < 12; ++i) torque[6 + i] = S(80) * (desired.q[7 + i] - now.q[7 + i]) - S(2) * now.dq[6 + i];
    steps.require(predictor.step(torque, S(kStep_s)), "step");
    resting.see(kStep_s * step, predictor.contact_report());
    sides.see(kStep_s * step, predictor.contact_report());
  }
  add("quadruped", scalar, resting, sides, mass_of(quadruped), report);
  report.expect(resting.fewest() == 4, "quadruped: four feet carry");
  steps.report(report, "stand_warnings", "quadruped", scalar);
}

// ---- stack ----------------------------------------------------------------------------------------------------------

constexpr double kSide_m = 0.1;
constexpr double kGap_m = 2e-4;  // each cube falls so far on the one below it,
constexpr double kTurn = 0.1;    // and is turned against it, so that corners stand on faces
constexpr Material kWood = material(friction(0.5, 0.3));
inline constexpr auto stack = [] {
  constexpr double kMoment = 0.5 * kSide_m * kSide_m / 6;
  const auto solid = body(0.5, com(0, 0, 0), inertia(kMoment, kMoment, kMoment));
  const auto corners = [](std::string_view name) { return contact_box(on(name), size(kSide_m, kSide_m, kSide_m)); };
  return robot("stack", link("first", floating(), solid), link("second", floating(), solid),
               link("third", floating(), solid), link("fourth", floating(), solid), corners("first"), corners("second"),
               corners("third"), corners("fourth"));
}();
inline constexpr auto pile =
    environment(half_space("ground", kWood), box("first box", on("first"), size(kSide_m, kSide_m, kSide_m), kWood),
                box("second box", on("second"), size(kSide_m, kSide_m, kSide_m), kWood),
                box("third box", on("third"), size(kSide_m, kSide_m, kSide_m), kWood),
                box("fourth box", on("fourth"), size(kSide_m, kSide_m, kSide_m), kWood));

template <class S>
void measure_stack(support::Report& report) {
  static Predictor<stack, S, scenario::PointContacts<pile, 32>> predictor;
  const char* scalar = support::scalar_name<S>();
  scenario::Steps steps;
  State<stack, S> start = zero_state<stack, S>();
  for (int i = 0; i < 4; ++i) {
    start.q[7 * i + 2] = static_cast<S>((0.5 + i) * kSide_m + kGap_m * (i + 1));
    start.q[7 * i + 3] = static_cast<S>(std::cos(0.5 * kTurn * i));
    start.q[7 * i + 6] = static_cast<S>(std::sin(0.5 * kTurn * i));
  }
  steps.require(predictor.reset(start), "reset");
  scenario::Resting resting(0, stack.kPoints, kFrom_s);
  Sides sides;
  for (int step = 1; step <= kSteps; ++step) {
    steps.require(predictor.step(Command<stack, S>::Zero(), S(kStep_s)), "step");
    resting.see(kStep_s * step, predictor.contact_report());
    sides.see(kStep_s * step, predictor.contact_report());
  }
  add("stack", scalar, resting, sides, mass_of(stack), report);
  report.add(
      {"scenario", "stand_uneven", "stack", scalar, std::abs(sides.front_over_hind() - 1), 1e-3, "front over hind"});
  steps.report(report, "stand_warnings", "stack", scalar);
}

void measure(support::Report& report) {
  measure_quadruped<float>(report);
  measure_stack<float>(report);
}

}  // namespace

const support::Program support::program{"standing", measure};
