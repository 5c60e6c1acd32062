// SPDX-License-Identifier: MIT
// Flat bodies that slide and spin to rest on volume contact. A cube without spin stops after v²/2 mu g; one that only spins is
// braked by mu m g at its corners' distance. With both, friction turns away from the slide, which lasts longer and goes further;
// spin lasts as long as the slide does. A puck whose mass lies outside of its foot ends both at the same instant, as flat pucks do
// (a cube's spin dies away before: towards the end it falls about as the square of the speed).
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
constexpr double kKinetic = 0.3;
constexpr double kCorner_m = kSide_m * 0.70710678118654752;  // from the middle of the base
constexpr double kResting_mps = 1e-3;                        // the library's slip_mps: slower is at rest

// A body on a square foot of the cube's size, its centre of mass so far above the ground.
constexpr auto make_slider(double height, double moment_across, double moment_up) {
  return robot("slider", link("slider", floating(),
                              body(kMass_kg, com(0, 0, height - 0.5 * kSide_m),
                                   inertia(moment_across, moment_across, moment_up))));
}
constexpr double kCubeMoment = kMass_kg * kSide_m * kSide_m / 6;
inline constexpr auto cube = make_slider(0.5 * kSide_m, kCubeMoment, kCubeMoment);
constexpr double kPuckMoment = kMass_kg * 0.08 * 0.08;  // radius of gyration 80 mm
inline constexpr auto puck = make_slider(0.01, 0.6 * kPuckMoment, kPuckMoment);

inline constexpr auto ground = environment(half_space("ground", material(friction(0.5, kKinetic))),
                                           box("foot", on("slider"), size(kSide_m, kSide_m, kSide_m)));

scenario::Steps steps;  // of all runs

struct Ride {
  double went_m{0};
  double turned_rad{0};
  double slid_s{0};     // how long the middle was faster than kResting_mps
  double spun_s{0};     // how long the corners turned faster than that
  double rise_J{0};     // largest rise of the kinetic energy in a step
  double largest_N{0};  // normal force
};

// Settles for 0.2 s, then has these velocities.
template <const auto& Slider, class S>
Ride ride(double speed, double spin, double step_s, support::Figure& figure, const std::string& title) {
  static Predictor<Slider, S, Contacts<ground, 1, Volume<>>> predictor;
  State<Slider, S> state = zero_state<Slider, S>();
  state.q[2] = S(0.5 * kSide_m);
  steps.require(predictor.reset(state), "reset");
  const auto dt = static_cast<S>(step_s);
  for (int i = 0; i < static_cast<int>(0.2 / step_s); ++i)
    steps.require(predictor.step(Command<Slider, S>::Zero(), dt), "step");
  state = predictor.state();
  state.dq[0] = static_cast<S>(speed);
  state.dq[5] = static_cast<S>(spin);
  steps.require(predictor.correct(state), "correct");
  const double moment = Slider.link(0).inertia_kgm2.zz;
  const auto energy = [&] {
    const auto dq = predictor.state().dq.template cast<double>().eval();
    return 0.5 * kMass_kg * dq.template head<3>().squaredNorm() + 0.5 * moment * dq[5] * dq[5];
  };
  Ride out;
  double before_J = energy();
  for (int i = 1; i <= static_cast<int>(1.0 / step_s); ++i) {
    steps.require(predictor.step(Command<Slider, S>::Zero(), dt), "step");
    const auto dq = predictor.state().dq.template cast<double>().eval();
    const double t = step_s * i;
    const double now_J = energy();
    out.rise_J = std::max(out.rise_J, now_J - before_J);
    before_J = now_J;
    out.turned_rad += step_s * dq[5];
    if (dq.template head<2>().norm() > kResting_mps) out.slid_s = t;
    if (std::abs(dq[5]) * kCorner_m > kResting_mps) out.spun_s = t;
    const auto& contacts = predictor.contact_report();
    for (int k = 0; k < contacts.count; ++k)
      out.largest_N = std::max(out.largest_N, static_cast<double>(contacts[k].normal_N));
    if (title.empty() || t > 0.5) continue;
    figure.curve("slide, m/s", title).add(t, dq.template head<2>().norm());
    figure.curve("turn, at the corners, m/s", title).add(t, std::abs(dq[5]) * kCorner_m);
  }
  const auto q = predictor.state().q.template cast<double>().eval();
  out.went_m = std::hypot(q[0] - static_cast<double>(state.q[0]), q[1] - static_cast<double>(state.q[1]));
  return out;
}

template <class S>
void measure_all(support::Report& report, support::Figure& figure) {
  const char* scalar = support::scalar_name<S>();
  const double braked = kKinetic * kGravity;
  const double weight_N = kMass_kg * kGravity;

  // Without spin. A step takes the velocity at its end: v dt / 2 less of a way.
  const Ride slide = ride<cube, S>(1, 0, 1e-3, figure, "cube, slides");
  const double way_m = 1 / (2 * braked);
  report.add(
      {"scenario", "cube_slides", "1 ms", scalar, std::abs(slide.went_m / (way_m - 0.5e-3) - 1), 1e-3, "relative"});
  const Ride fine = ride<cube, S>(1, 0, 0.25e-3, figure, "");
  report.add({"scenario", "cube_slides", "0.25 ms", scalar, std::abs(fine.went_m / way_m - 1), 1e-3, "relative"});
  // Counted in whole steps, until it is slower than kResting_mps.
  report.add({"scenario", "cube_slides_for", "1 ms", scalar, std::abs(slide.slid_s - 1 / braked),
              1e-3 + kResting_mps / braked, "s"});
  report.add({"scenario", "cube_slides_force", "1 ms", scalar, slide.largest_N / weight_N, 1.01, "of the weight"});

  // Spin alone: all corners slip at the same speed, and whatever each carries, the torque is mu m g times their distance.
  constexpr double kSpin = 8;
  const double braked_spin = braked * kMass_kg * kCorner_m / kCubeMoment;
  const Ride spins = ride<cube, S>(0, kSpin, 1e-3, figure, "");
  const double angle = kSpin * kSpin / (2 * braked_spin) - 0.5e-3 * kSpin;
  report.add({"scenario", "cube_spins", "8 rad/s", scalar, std::abs(spins.turned_rad / angle - 1), 5e-3, "relative"});
  report.add({"scenario", "cube_spins_for", "8 rad/s", scalar, std::abs(spins.spun_s - kSpin / braked_spin),
              1e-3 + kResting_mps / (kCorner_m * braked_spin), "s"});

  // Both.
  const Ride both = ride<cube, S>(1, kSpin, 1e-3, figure, "cube, slides and spins");
  report.expect(both.went_m > slide.went_m && both.slid_s > slide.slid_s,
                std::string(scalar) + ": with spin the cube slides longer and further");
  report.expect(both.spun_s > 3 * spins.spun_s && both.spun_s <= both.slid_s,
                std::string(scalar) + ": the slide keeps the cube's spin alive, and outlives it");
  report.add({"scenario", "cube_both_force", "1 ms", scalar, both.largest_N / weight_N, 1.01, "of the weight"});
  double rise = std::max({slide.rise_J, spins.rise_J, both.rise_J});

  // The puck, from slides that spin little to spins that slide little.
  double apart_s = 0;
  const Ride straight = ride<puck, S>(0.5, 0, 1e-3, figure, "");
  for (const double spin : {2.0, 5.0, 10.0}) {
    const Ride puck_rides =
        ride<puck, S>(0.5, spin, 1e-3, figure, spin > 4 && spin < 6 ? "puck, slides and spins" : "");
    apart_s = std::max(apart_s, std::abs(puck_rides.slid_s - puck_rides.spun_s));
    rise = std::max(rise, puck_rides.rise_J);
    report.expect(puck_rides.went_m > straight.went_m && puck_rides.slid_s > straight.slid_s,
                  std::string(scalar) + ": with spin the puck slides longer and further");
  }
  // A few steps: each brakes by mu g dt, three times what counts as rest.
  report.add({"scenario", "puck_ends_together", "2..10 rad/s", scalar, apart_s, 3e-3, "s"});
  // What the compressed contact gives back when a body stops: it stores up to the weight times the depth, 1e-5 J.
  report.add({"scenario", "slider_energy_rise", "all", scalar, rise, 1e-8, "J"});
  steps.report(report, "slider_warnings", "all", scalar);
}

void measure(support::Report& report, support::Figure& figure) {
  support::Figure unseen("");  // looks the same
  measure_all<float>(report, figure);
  measure_all<double>(report, unseen);
}

}  // namespace

const support::Program support::program{"sliding_cube", measure};
