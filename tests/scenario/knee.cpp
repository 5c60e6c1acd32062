// SPDX-License-Identifier: MIT
// A knee at its stop with the foot on the ground: a leg under a trunk that slides down a post lands with its knee straightening into a
// stop a little beyond straight, so that the load locks it there. Stop and ground act in one step (method 1.6, 2.7). Claims: the foot does
// not sink, the knee does not pass its stop, and at rest all forces are those of statics, by hand, without and with drives' friction,
// on a point and on a volume.
#include <kinecast/kinecast.hpp>

#include <kinecast/contact/volume/volume.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <string>

#include "steps.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;

constexpr double kGravity = 9.80665;
constexpr double kTrunk_kg = 3;
constexpr double kLimb_kg = 1;
constexpr double kLimb_m = 0.4;
constexpr double kLock_rad = -0.1;
constexpr double kWeight_N = (kTrunk_kg + 2 * kLimb_kg) * kGravity;
constexpr double kDt = 1e-3;
constexpr double kCoulomb_Nm = 0.3;

constexpr auto limb() {
  constexpr double kInertia = kLimb_kg * kLimb_m * kLimb_m / 12;
  return body(kLimb_kg, com(0, 0, -kLimb_m / 2), inertia(kInertia, kInertia, 1e-4));
}
template <class... Words>
constexpr auto make_leg(const Words&... drive) {
  return robot(
      "leg", link("trunk", prismatic(kAxisZ), body(kTrunk_kg, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
      link("thigh", on("trunk"), revolute(kAxisY), drive..., limb()),
      link("shank", on("thigh"), at(0, 0, -kLimb_m), revolute(kAxisY), drive..., limb(), limits(kLock_rad, 2.5)),
      contact_point("foot", on("shank"), at(0, 0, -kLimb_m)));
}
inline constexpr auto leg = make_leg();
inline constexpr auto driven_leg =
    make_leg(torque_driven(), at_joint(rotor_inertia(0.01), stiction(1.2 * kCoulomb_Nm), coulomb(kCoulomb_Nm)));
inline constexpr auto ground = environment(half_space("ground", material(friction(0.8, 0.6))));
// The foot as a small box, its lower side where the point is.
inline constexpr auto ground_and_foot = environment(
    half_space("ground", material(friction(0.8, 0.6))),
    box("foot", on("shank"), at(0, 0, -kLimb_m + 0.01), size(0.06, 0.06, 0.02), material(friction(0.8, 0.6))));

// Per unit of (trunk, hip, knee): how a point of the leg moves, x and z. A turn about y takes x to -z.
Eigen::Matrix<double, 2, 3> jacobian(const Eigen::Vector3d& q, bool is_on_shank, const Eigen::Vector2d& point) {
  const Eigen::Vector2d hip{0, q[0]};
  const Eigen::Vector2d knee = hip - kLimb_m * Eigen::Vector2d{std::sin(q[1]), std::cos(q[1])};
  const auto turned = [&](const Eigen::Vector2d& from) {
    return Eigen::Vector2d{point[1] - from[1], from[0] - point[0]};
  };
  Eigen::Matrix<double, 2, 3> J;
  J.col(0) << 0, 1;
  J.col(1) = turned(hip);
  J.col(2) = is_on_shank ? turned(knee) : Eigen::Vector2d{0, 0};
  return J;
}
Eigen::Vector2d along(const Eigen::Vector3d& q, double thigh_m, double shank_m) {
  return Eigen::Vector2d{0, q[0]} - thigh_m * Eigen::Vector2d{std::sin(q[1]), std::cos(q[1])} -
         shank_m * Eigen::Vector2d{std::sin(q[1] + q[2]), std::cos(q[1] + q[2])};
}

// The largest of both landings.
struct Outcome {
  double sinks_m{0};     // how deep the foot was
  double rests_m{0};     // how deep it is at the end
  double passes_rad{0};  // the knee beyond its stop
  double left_radps{0};  // the fastest joint at the end
  double ground{0};      // the ground's force at the end against the weight
  double stop{0};        // the stop's torque against statics
  double unbalanced{0};  // of all three joints, over weight times a limb
  bool locks_in_air{false}, locks_on_ground{false};
};

// From `height` of the hip on: from the lower one the foot lands before the knee meets its stop, from the higher one after it.
template <const auto& Leg, class S, class Contact>
void land(const std::string& title, double height_m, Outcome& out, support::Report& report, support::Figure& figure) {
  static Predictor<Leg, S, Contact> p;
  scenario::Steps steps;
  State<Leg, S> state = zero_state<Leg, S>();
  state.q << static_cast<S>(height_m), S(-0.05), S(0.12);
  state.dq << S(-0.3), S(0), S(-4);
  steps.require(p.reset(state), "reset");
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();
  bool has_landed = false;
  for (int ms = 0; ms < 3000; ++ms) {
    // The hip holds the leg upright, both joints are damped.
    const auto& now = p.state();
    torque << 0, -40 * (static_cast<double>(now.q[1]) - 0.05) - 2 * static_cast<double>(now.dq[1]),
        -0.3 * static_cast<double>(now.dq[2]);
    steps.require(p.step(torque.template cast<S>(), static_cast<S>(kDt)), title.c_str());
    const Eigen::Vector3d q = p.state().q.template cast<double>();
    const double foot_m = along(q, kLimb_m, kLimb_m)[1];
    const double stop = static_cast<double>(p.report().limit_Nm[2]);
    const auto& contacts = p.contact_report();
    for (int i = 0; i < contacts.count; ++i) {
      has_landed = has_landed || contacts[i].normal_N > S(0);
      out.sinks_m = std::max(out.sinks_m, static_cast<double>(contacts[i].depth_m));
    }
    if (stop > 0) (has_landed ? out.locks_on_ground : out.locks_in_air) = true;
    out.sinks_m = std::max(out.sinks_m, -foot_m);
    out.passes_rad = std::max(out.passes_rad, kLock_rad - q[2]);
    figure.curve("foot, mm", title).add(kDt * (ms + 1), std::min(20.0, 1e3 * foot_m));
    figure.curve("knee, rad", title).add(kDt * (ms + 1), q[2]);
    figure.curve("stop, Nm", title).add(kDt * (ms + 1), std::min(stop, 20.0));
  }
  // Statics.
  const Eigen::Vector3d q = p.state().q.template cast<double>();
  Eigen::Vector3d known = torque + p.report().friction_Nm.template cast<double>();
  known[0] -= kTrunk_kg * kGravity;
  const Eigen::Vector2d down{0, -kLimb_kg * kGravity};
  known += jacobian(q, false, along(q, kLimb_m / 2, 0)).transpose() * down;
  known += jacobian(q, true, along(q, kLimb_m, kLimb_m / 2)).transpose() * down;
  const auto& contacts = p.contact_report();
  double ground_N = 0;
  for (int i = 0; i < contacts.count; ++i) {
    const Eigen::Vector2d force{static_cast<double>(contacts[i].force_N.x), static_cast<double>(contacts[i].force_N.z)};
    const Eigen::Vector2d at{static_cast<double>(contacts[i].point_m.x), static_cast<double>(contacts[i].point_m.z)};
    known += jacobian(q, true, at).transpose() * force;
    if constexpr (std::is_same_v<Contact, Contacts<ground_and_foot, 1, Volume<>>>) {
      const double moment = static_cast<double>(contacts[i].moment_Nm.y);
      known[1] += moment, known[2] += moment;
    }
    ground_N += force[1];
    out.rests_m = std::max(out.rests_m, static_cast<double>(contacts[i].depth_m));
  }
  const double stop_Nm = static_cast<double>(p.report().limit_Nm[2]);
  const double by_hand_Nm = -known[2];
  known[2] += stop_Nm;
  out.ground = std::max(out.ground, std::abs(ground_N / kWeight_N - 1));
  out.stop = std::max(out.stop, std::abs(stop_Nm / by_hand_Nm - 1));
  out.unbalanced = std::max(out.unbalanced, known.cwiseAbs().maxCoeff() / (kWeight_N * kLimb_m));
  out.left_radps = std::max(out.left_radps, p.state().dq.template cast<double>().cwiseAbs().maxCoeff());
  steps.report(report, "knee_warnings", title.c_str(), support::scalar_name<S>());
  char text[200];
  std::snprintf(text, sizeof text,
                "knee, %s, %s, from %.2f m: stop %.4f Nm (by hand %.4f), friction %.4f Nm, ground %.3f N",
                title.c_str(), support::scalar_name<S>(), height_m, stop_Nm, by_hand_Nm,
                static_cast<double>(p.report().friction_Nm[2]), ground_N);
  support::Report::remark(text);
}

template <const auto& Leg, class S, class Contact>
void score(const std::string& name, bool is_predictive, support::Report& report, support::Figure& figure) {
  const char* scalar = support::scalar_name<S>();
  Outcome o;
  support::Figure unseen("");
  land<Leg, S, Contact>(name, 0.82, o, report, unseen);
  land<Leg, S, Contact>(name, 0.9, o, report, figure);
  const auto add = [&](const char* protocol, double value, double bound, const char* unit) {
    report.add({"scenario", protocol, name, scalar, value, bound, unit});
  };
  // The bound. Volumes find the ground when they are in it: by the way of a step then, and from there on they rest.
  add("knee_foot_sinks", o.sinks_m, is_predictive ? 5e-5 : 2e-3, "m");
  add("knee_foot_depth_at_rest", o.rests_m, 5e-5, "m");
  // A pendulum's bound (issue).
  add("knee_passes_stop", o.passes_rad, 1e-5, "rad");
  add("knee_moves_at_rest", o.left_radps, 1e-4, "rad/s");
  // Statics to a thousandth: what moves at rest at 1e-4 rad/s and 1 ms could still change.
  add("knee_ground_at_rest", o.ground, 1e-3, "relative");
  add("knee_stop_at_rest", o.stop, 1e-3, "relative");
  add("knee_unbalanced_at_rest", o.unbalanced, 1e-3, "relative");
  report.expect(o.locks_in_air && o.locks_on_ground, name + ": not both ways of landing were seen");
}

void measure(support::Report& report, support::Figure& figure) {
  support::Figure unseen("");
  using OnPoint = Contacts<ground, 1>;
  using OnVolume = Contacts<ground_and_foot, 1, Volume<>>;
  score<leg, double, OnPoint>("point", true, report, unseen);
  score<leg, float, OnPoint>("point", true, report, figure);
  score<driven_leg, double, OnPoint>("point_drives", true, report, unseen);
  score<driven_leg, float, OnPoint>("point_drives", true, report, figure);
  score<leg, float, OnVolume>("volume", false, report, figure);
}

}  // namespace

const support::Program support::program{"knee", measure};
