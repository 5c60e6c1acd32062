// SPDX-License-Identifier: MIT
// A cube put down half over a table's edge: while its centre of mass is above the table it rests, from the edge on it tips. The
// volume that it shares with the table then is a wedge over the edge, whose restitution direction leans with the cube's base: the
// cube turns about the edge as a rigid body would whose force is normal to its own face, and slips there when friction ends,
//
//   (k² + h² + d²) a = g (d cos th + h sin th),   |a h - d w² - g sin th| > mu (g cos th - a d - h w²)
//
// h, d: height and overhang of the centre of mass, th: tilt, w and a: its rates, k: radius of gyration.
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
constexpr double kMass_kg = 0.5;
constexpr double kSide_m = 0.1;
constexpr double kMoment = kMass_kg * kSide_m * kSide_m / 6;
constexpr double kStatic = 0.5;
constexpr double kStep_s = 1e-3;
constexpr double kShown = 0.8;  // rad: it slips before

constexpr Material kWood = material(friction(kStatic, 0.3));
inline constexpr auto cube =
    robot("cube", link("cube", floating(), body(kMass_kg, com(0, 0, 0), inertia(kMoment, kMoment, kMoment))));
inline constexpr auto table = environment(box("table", at(-0.5, 0, -0.15), size(1, 1, 0.3), kWood),
                                          box("cube", on("cube"), size(kSide_m, kSide_m, kSide_m)));

scenario::Steps steps;  // of all runs

// ---- theory -----------------------------------------------------------------------------------------------------------------

struct Tipping {
  double overhang_m;
  double tilt{0};
  double rate{0};

  [[nodiscard]] double acceleration(double angle) const {
    constexpr double kHeight = 0.5 * kSide_m;
    constexpr double kGyration2 = kSide_m * kSide_m / 6;
    return kGravity * (overhang_m * std::cos(angle) + kHeight * std::sin(angle)) /
           (kGyration2 + kHeight * kHeight + overhang_m * overhang_m);
  }
  // Leapfrog: good to the square of the step.
  void move(double dt) {
    rate += 0.5 * dt * acceleration(tilt);
    tilt += dt * rate;
    rate += 0.5 * dt * acceleration(tilt);
  }
  [[nodiscard]] bool slips() const {
    constexpr double kHeight = 0.5 * kSide_m;
    const double a = acceleration(tilt);
    const double along = a * kHeight - overhang_m * rate * rate - kGravity * std::sin(tilt);
    const double against = kGravity * std::cos(tilt) - a * overhang_m - kHeight * rate * rate;
    return std::abs(along) > kStatic * against;
  }
};

// Tilt after so long.
double tilt_in_theory(double overhang_m, double time_s) {
  Tipping body{overhang_m};
  constexpr int kParts = 2000;
  for (int i = 0; i < kParts; ++i) body.move(time_s / kParts);
  return body.tilt;
}
double slip_angle_in_theory(double overhang_m) {
  Tipping body{overhang_m};
  while (!body.slips()) body.move(1e-5);
  return body.tilt;
}

// ---- the cube ---------------------------------------------------------------------------------------------------------------

struct Fate {
  double tilt{0};     // at the end
  double moved_m{0};  // in the last half of the time
  double tilt_at_200ms{0};
  double slips_at{0};  // tilt when it begins to slip over the edge, or 0
  double leans{0};     // largest difference of the contact's normal from that of the cube's base until then, rad
};

template <class S>
Fate put_down(double overhang_m, double time_s, support::Figure& figure, const std::string& title) {
  static Predictor<cube, S, Contacts<table, 1, Volume<>>> predictor;
  State<cube, S> state = zero_state<cube, S>();
  state.q[0] = static_cast<S>(overhang_m);
  state.q[2] = S(0.5 * kSide_m);
  steps.require(predictor.reset(state), "reset");
  Fate out;
  Eigen::Vector3d halfway{0, 0, 0};
  const int last = static_cast<int>(time_s / kStep_s);
  for (int i = 1; i <= last; ++i) {
    const double before = out.tilt;  // where the step's contact was found
    steps.require(predictor.step(Command<cube, S>::Zero(), S(kStep_s)), "step");
    const auto q = predictor.state().q.template cast<double>().eval();
    const double t = kStep_s * i;
    out.tilt = 2 * std::atan2(q[5], q[3]);
    if (i == 200) out.tilt_at_200ms = out.tilt;
    if (2 * i == last) halfway = q.template head<3>();
    out.moved_m = (q.template head<3>() - halfway).norm();
    if (overhang_m > 0 && t <= 0.5 && out.tilt < kShown)
      figure.curve("tips: tilt, deg", title).add(t, out.tilt * 180 / constant::kPi);
    if (overhang_m < 0 && t <= 0.5) figure.curve("rests: tilt, urad", title).add(t, 1e6 * out.tilt);
    const auto& contacts = predictor.contact_report();
    if (contacts.count == 0 || out.slips_at > 0) continue;
    const auto& contact = contacts[0];
    // Beyond a tenth of a radian the wedge is a wedge, not the compressed face.
    if (before < 0.1) continue;
    if (contact.is_sliding) out.slips_at = before;
    const double lean = std::atan2(static_cast<double>(contact.normal.x), static_cast<double>(contact.normal.z));
    out.leans = std::max(out.leans, std::abs(lean - before));
  }
  return out;
}

template <class S>
void measure_all(support::Report& report, support::Figure& figure) {
  const char* scalar = support::scalar_name<S>();
  const auto in_mm = [](double overhang_m) {
    std::string text = std::to_string(1e3 * overhang_m);
    return (overhang_m > 0 ? "+" : "") + text.substr(0, text.find('.') + 2) + " mm";
  };
  // Relaxation gives way: 2 lambda m g e dt / (k J) rad for a load e = 25 mm off the middle of the base; more where the far side of
  // the base is not pressed any more: never twice that.
  constexpr double kGivesWay =
      2 * (2 * kWood.volume_relaxation * kMass_kg * kGravity * 0.025 * kStep_s / (kWood.compensation_per_s * kMoment));
  for (const double overhang : {-5e-3, -2e-3, -1e-3, -0.5e-3, -0.1e-3}) {
    const Fate fate = put_down<S>(overhang, 2, figure, in_mm(overhang));
    report.add({"scenario", "edge_rests_tilt", in_mm(overhang), scalar, std::abs(fate.tilt), kGivesWay, "rad"});
    report.add({"scenario", "edge_rests_creep", in_mm(overhang), scalar, fate.moved_m, 3e-6, "m/s"});
  }
  for (const double overhang : {0.1e-3, 0.5e-3, 1e-3, 2e-3, 5e-3}) {
    const Fate fate = put_down<S>(overhang, 0.8, figure, in_mm(overhang));
    for (double t = 0; tilt_in_theory(overhang, t) < slip_angle_in_theory(overhang) && t < 0.5; t += 0.02)
      figure.curve("tips: tilt, deg", "theory until it slips")
          .add(t, tilt_in_theory(overhang, t) * 180 / constant::kPi);
    figure.curve("tips: tilt, deg", "theory until it slips").stroke = host::Stroke::full_marks;
    // As the arm that would explain the tilt. A step takes the velocity at its end: the tilt is half a step early, half a percent at
    // its rate of growth, 11 1/s. And while the tilt is as small as the depth over the side, the load sits inside of the edge:
    // micrometres.
    const double longer = 1e-5;
    const double per_m = (tilt_in_theory(overhang + longer, 0.2) - tilt_in_theory(overhang, 0.2)) / longer;
    const double arm_error = std::abs(fate.tilt_at_200ms - tilt_in_theory(overhang, 0.2)) / per_m;
    report.add({"scenario", "edge_tips_arm", in_mm(overhang), scalar, arm_error, 1e-2 * overhang + 5e-6, "m"});
    // Found out once per step, in which it turns by 0.008 rad.
    report.add({"scenario", "edge_slips_at", in_mm(overhang), scalar,
                std::abs(fate.slips_at - slip_angle_in_theory(overhang)), 0.01, "rad"});
    // In float a wedge some micrometres thick is told to a thousandth or so.
    report.add({"scenario", "edge_normal", in_mm(overhang), scalar, fate.leans, 1e-3, "rad"});
  }
  steps.report(report, "edge_warnings", "all", scalar);
}

void measure(support::Report& report, support::Figure& figure) {
  support::Figure unseen("");  // looks the same
  measure_all<float>(report, figure);
  measure_all<double>(report, unseen);
}

}  // namespace

const support::Program support::program{"table_edge", measure};
