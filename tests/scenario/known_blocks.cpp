// SPDX-License-Identifier: MIT
// What any model of friction must keep, on points and on volumes, where blocks.cpp and sliding_cube.cpp do not look: a sliding
// cube stops after v²/2 mu g to 0.2 %; of the 2.45 N that friction holds, 2.44 N hold and 2.46 N slip; a cube that slides and
// spins never gains energy; a belt takes a cube along, and a lift carries it.
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "contact_models.hpp"
#include "robots/boxes.hpp"
#include "steps.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;
using robots::cube;

constexpr double kGravity = 9.80665;
constexpr double kMass_kg = 0.5;
constexpr double kSide_m = 0.1;
constexpr double kStatic = 0.5;
constexpr double kKinetic = 0.3;
constexpr Material kWood = material(friction(kStatic, kKinetic));

// One environment per contact model; the ground is belt and lift too.
inline constexpr auto ground = environment(half_space("ground", kWood, moves(), conveyor(0.3, 0, 0)));
inline constexpr auto ground_and_solid = environment(half_space("ground", kWood, moves(), conveyor(0.3, 0, 0)),
                                                     box("solid", on("box"), size(kSide_m, kSide_m, kSide_m), kWood));

enum class Belt { stands, runs };

template <class Scalar, const auto& World, class Contact>
class Cube {
 public:
  using S = Scalar;

  void put_down(Belt belt) {
    auto world = World;
    if (belt == Belt::stands) std::get<0>(world.surfaces).conveyor_mps = {};
    support::require(build_scene<cube, World, S>(cube, world, scene_), "build_scene");
    predictor_.set_scene(scene_);
    State<cube, S> start = zero_state<cube, S>();
    start.q[2] = S(0.5 * kSide_m);
    steps.require(predictor_.reset(start), "reset");
  }
  void settle(double dt) {
    for (int i = 0; i < static_cast<int>(std::lround(0.2 / dt)); ++i) step(0, dt);
  }
  // A push along x at the middle of the base.
  void step(double push_N, double dt) {
    Velocity<cube, S> external = Velocity<cube, S>::Zero();
    external[0] = static_cast<S>(push_N);
    external[4] = static_cast<S>(-0.5 * kSide_m * push_N);
    steps.require(predictor_.step(Command<cube, S>::Zero(), external, static_cast<S>(dt)), "step");
  }
  void start_moving(double speed, double spin) {
    State<cube, S> state = predictor_.state();
    state.dq[0] = static_cast<S>(speed);
    state.dq[5] = static_cast<S>(spin);
    steps.require(predictor_.correct(state), "correct");
  }
  void move_ground(double height_m, double speed_mps) {
    SurfaceMotion<S> motion{};
    motion.position.z = static_cast<S>(height_m);
    motion.linear.z = static_cast<S>(speed_mps);
    steps.require(predictor_.move_surface(0, motion), "move_surface");
  }
  [[nodiscard]] double q(int i) const { return static_cast<double>(predictor_.state().q[i]); }
  [[nodiscard]] double dq(int i) const { return static_cast<double>(predictor_.state().dq[i]); }
  [[nodiscard]] double kinetic_J() const {
    const auto v = predictor_.state().dq.template cast<double>().eval();
    return 0.5 * kMass_kg * v.template head<3>().squaredNorm() +
           0.5 * kMass_kg * kSide_m * kSide_m / 6 * v.template tail<3>().squaredNorm();
  }
  [[nodiscard]] double normal_N() const {
    double sum = 0;
    const auto& contacts = predictor_.contact_report();
    for (int i = 0; i < contacts.count; ++i) sum += static_cast<double>(contacts[i].normal_N);
    return sum;
  }

  scenario::Steps steps;

 private:
  typename Contact::template Scene<cube, S> scene_{};
  Predictor<cube, S, Contact> predictor_;
};

template <class Cube>
void measure_slide(Cube& block, const char* contact, support::Report& report) {
  const char* scalar = support::scalar_name<typename Cube::S>();
  for (const double dt : {1e-3, 0.25e-3}) {
    block.put_down(Belt::stands);
    block.settle(dt);
    block.start_moving(1, 0);
    const double start_m = block.q(0);
    for (int i = 0; i < static_cast<int>(std::lround(0.5 / dt)); ++i) block.step(0, dt);
    // A step takes the velocity at its end: v dt / 2 less of a way.
    const double way_m = 1 / (2 * kKinetic * kGravity) - 0.5 * dt;
    report.add({"scenario", "known_slide", std::string(contact) + (dt < 5e-4 ? " 0.25 ms" : " 1 ms"), scalar,
                std::abs((block.q(0) - start_m) / way_m - 1), 2e-3, "relative"});
  }
}

struct Pushed {
  double went_m;
  double acceleration_mps2;  // in the last 0.2 s
};
// A settled cube, pushed for 0.6 s with a force that grows within the first 0.1 s.
template <class Cube>
[[nodiscard]] Pushed push(Cube& block, double force_N) {
  constexpr double kStep_s = 1e-3;
  block.put_down(Belt::stands);
  block.settle(kStep_s);
  const double start_m = block.q(0);
  double speed_mps = 0;
  for (int ms = 1; ms <= 600; ++ms) {
    block.step(force_N * std::min(1.0, 0.01 * ms), kStep_s);
    if (ms == 400) speed_mps = block.dq(0);
  }
  return {block.q(0) - start_m, (block.dq(0) - speed_mps) / 0.2};
}
template <class Cube>
void measure_breakaway(Cube& block, const char* contact, support::Report& report) {
  const char* scalar = support::scalar_name<typename Cube::S>();
  // Deflections are some 1e-6 m.
  report.add({"scenario", "known_holds", std::string(contact) + " 2.44 N", scalar, std::abs(push(block, 2.44).went_m),
              1e-5, "m"});
  // A relaxed contact takes up the last part of its load late, so that it slips late: steady sliding is compared.
  const double expected = 2.46 / kMass_kg - kKinetic * kGravity;
  report.add({"scenario", "known_slips", std::string(contact) + " 2.46 N", scalar,
              std::abs(push(block, 2.46).acceleration_mps2 / expected - 1), 1e-3, "relative"});
}

template <class Cube>
void measure_spin(Cube& block, const char* contact, support::Report& report) {
  const char* scalar = support::scalar_name<typename Cube::S>();
  support::Maximum rise;
  for (const double spin : {2.0, 8.0, 20.0}) {
    block.put_down(Belt::stands);
    block.settle(1e-3);
    block.start_moving(0.7, spin);
    double before = block.kinetic_J();
    for (int ms = 0; ms < 500; ++ms) {
      block.step(0, 1e-3);
      rise.see(block.kinetic_J() - before);
      before = block.kinetic_J();
    }
    report.expect(std::abs(block.dq(0)) + std::abs(block.dq(5)) < 1e-3, std::string(contact) + ": the cube stops");
  }
  // The cube settles as it stops: its weight times the depth at rest, which is some 1e-7 m, is what may come back.
  report.add({"scenario", "known_spin_rise", contact, scalar, rise.value(), 1e-6, "J"});
}

// As in blocks.cpp, where the figures are derived.
template <class Cube>
void measure_moving_ground(Cube& block, const char* contact, support::Report& report) {
  const char* scalar = support::scalar_name<typename Cube::S>();
  constexpr double kStep_s = 1e-3;
  block.put_down(Belt::runs);
  for (int ms = 0; ms < 1000; ++ms) block.step(0, kStep_s);
  const double expected_m = 0.3 - 0.3 * 0.3 / (2 * kKinetic * kGravity);
  report.add({"scenario", "known_belt_place", contact, scalar, std::abs(block.q(0) - expected_m), 1e-3, "m"});
  report.add({"scenario", "known_belt_speed", contact, scalar, std::abs(block.dq(0) - 0.3), 1e-4, "m/s"});

  block.put_down(Belt::stands);
  const double w = 4 * constant::kPi;
  double lift_m = 0;
  support::Maximum apart_m;
  support::Maximum error_N;
  for (int ms = 1; ms <= 1000; ++ms) {
    const double t = kStep_s * ms;
    const double speed = 0.05 * w * std::sin(w * t);
    block.move_ground(lift_m, speed);
    block.step(0, kStep_s);
    lift_m += kStep_s * speed;
    apart_m.see(std::abs(block.q(2) - 0.5 * kSide_m - lift_m));
    if (ms > 100) error_N.see(std::abs(block.normal_N() - 0.5 * (kGravity + 0.05 * w * w * std::cos(w * (t - 5e-4)))));
  }
  report.add({"scenario", "known_lift_follows", contact, scalar, apart_m.value(), 1e-4, "m"});
  report.add({"scenario", "known_lift_force", contact, scalar, error_N.value(), 0.05, "N"});
}

template <class Cube>
void measure_all(const char* contact, support::Report& report) {
  static Cube block;
  measure_slide(block, contact, report);
  measure_breakaway(block, contact, report);
  measure_spin(block, contact, report);
  measure_moving_ground(block, contact, report);
  block.steps.report(report, "known_warnings", contact, support::scalar_name<typename Cube::S>());
}

template <class S>
using OnPoints = Cube<S, ground, scenario::PointContacts<ground, 8>>;
template <class S>
using OnVolume = Cube<S, ground_and_solid, scenario::VolumeContacts<ground_and_solid, 1>>;

void measure(support::Report& report) {
  measure_all<OnPoints<float>>("points", report);
  measure_all<OnPoints<double>>("points", report);
  measure_all<OnVolume<float>>("volume", report);
  measure_all<OnVolume<double>>("volume", report);
}

}  // namespace

const support::Program support::program{"known_blocks", measure};
