// SPDX-License-Identifier: MIT
// Contact gives no energy: random falls, slides and pushes of a box, a biped, a quadruped, a stack and a chain, at friction 0 to 5
// and steps of 0.1 to 10 ms. energy_balance.hpp has the balance of a step. With restitution, a burst of contact steps returns
// no more than it took.
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>

#include "contact_models.hpp"
#include "energy_balance.hpp"
#include "robots/boxes.hpp"
#include "robots/legged.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/random.hpp"
#include "support/require.hpp"

namespace {

using namespace kinecast;
using scenario::Balance;
using scenario::freed;
using support::require;

constexpr double kGain = 1e-4;       // of the kinetic energy, in a step
constexpr double kBurstGain = 1e-3;  // of the kinetic energy, in a burst with restitution
constexpr double kWarnings = 1e-4;   // of the steps
constexpr int kEpisode = 200;        // steps

// ---- robots ---------------------------------------------------------------------------------------------------------

inline constexpr auto& cube = robots::cube;

constexpr double kSide_m = 0.1;
inline constexpr auto stack = [] {
  constexpr double kMoment = 0.5 * kSide_m * kSide_m / 6;
  const auto solid = body(0.5, com(0, 0, 0), inertia(kMoment, kMoment, kMoment));
  const auto corners = [](std::string_view name) { return contact_box(on(name), size(kSide_m, kSide_m, kSide_m)); };
  return robot("stack", link("first", floating(), solid), link("second", floating(), solid),
               link("third", floating(), solid), link("fourth", floating(), solid), corners("first"), corners("second"),
               corners("third"), corners("fourth"));
}();

constexpr double kRung_m = 0.1;
inline constexpr auto chain = [] {
  const auto rung = body(0.3, com(0, 0, -0.5 * kRung_m), inertia(2.9e-4, 2.9e-4, 0.8e-4));
  const auto hinged = [&](std::string_view name, std::string_view parent, const Vec3<double>& axis) {
    return link(name, on(parent), at(0, 0, -kRung_m), revolute(axis), rung, limits(-1.2, 1.2));
  };
  const auto end = [](std::string_view link_name, double x) {
    return contact_point("", on(link_name), at(x, -x, -kRung_m));
  };
  return robot("chain", link("a", floating(), rung), hinged("b", "a", kAxisX), hinged("c", "b", kAxisY),
               hinged("d", "c", kAxisX), hinged("e", "d", kAxisY), hinged("f", "e", kAxisX), end("a", 0.02),
               end("a", -0.02), end("b", 0.02), end("b", -0.02), end("c", 0.02), end("c", -0.02), end("d", 0.02),
               end("d", -0.02), end("e", 0.02), end("e", -0.02), end("f", 0.02), end("f", -0.02));
}();

inline constexpr auto free_cube = freed(cube);
inline constexpr auto free_biped = freed(robots::biped);
inline constexpr auto free_quadruped = freed(robots::quadruped);
inline constexpr auto free_stack = freed(stack);
inline constexpr auto free_chain = freed(chain);

inline constexpr auto ground = environment(half_space("ground"));
inline constexpr auto pile =
    environment(half_space("ground"), box("first box", on("first"), size(kSide_m, kSide_m, kSide_m)),
                box("second box", on("second"), size(kSide_m, kSide_m, kSide_m)),
                box("third box", on("third"), size(kSide_m, kSide_m, kSide_m)),
                box("fourth box", on("fourth"), size(kSide_m, kSide_m, kSide_m)));

// ---- random motion --------------------------------------------------------------------------------------------------

class Chance : public support::Random {
 public:
  using support::Random::Random;
  [[nodiscard]] double between(double low, double high) { return 0.5 * (low + high) + within(0.5 * (high - low)); }
  [[nodiscard]] bool is(double probability) { return between(0, 1) < probability; }
};

enum class Attitude { any, upright };

// Joints anywhere between their stops, now and then a little beyond; velocities up to these.
template <const auto& R, class S>
State<R, S> random_state(Chance& random, Attitude attitude, double speed_mps, double rate) {
  using Shape = kinecast::Shape<R>;
  State<R, double> s = zero_state<R, double>();
  for (int l = 0; l < R.kLinks; ++l) {
    const Link& link = R.link(l);
    const int b = Shape::body_of_link(l);
    const int q = Shape::q_of(b);
    const int v = Shape::v_of(b);
    if (link.joint == JointKind::floating) {
      const double size = attitude == Attitude::any ? 1 : 0.1;
      for (int i = 1; i < 4; ++i) s.q[q + 3 + i] = random.within(size);
      if (attitude == Attitude::any) s.q[q + 3] = random.within(1);
      s.q.template segment<4>(q + 3).normalize();
      for (int i = 0; i < 3; ++i) s.dq[v + i] = random.within(speed_mps);
      for (int i = 3; i < 6; ++i) s.dq[v + i] = random.within(rate);
    } else {
      const bool stops = link.limits.has_stops;
      s.q[q] = stops ? random.between(link.limits.lower, link.limits.upper) : random.within(0.5);
      if (stops && random.is(0.1)) s.q[q] = link.limits.upper + random.within(0.01);
      s.dq[v] = random.within(rate);
    }
  }
  State<R, S> out;
  out.q = s.q.template cast<S>(), out.dq = s.dq.template cast<S>();
  return out;
}

// The first link's robot is lifted so that its lowest point is at this height.
template <const auto& R, class S>
void lift_to(double height_m, State<R, S>& state) {
  static Kinematics<R, double> k;
  Position<R, double> q = state.q.template cast<double>();
  advance<R, double>(Velocity<R, double>::Zero(), 0.0, q);
  require(update_kinematics(model<R, double>, q, k), "kinematics");
  double lowest = 1e9;
  for (int i = 0; i < R.kPoints; ++i)
    lowest = std::min(lowest, point_position<R, double>(k, model<R, double>.points[static_cast<std::size_t>(i)])[2] -
                                  R.point(i).radius_m);
  state.q[2] += static_cast<S>(height_m - lowest);
}

struct Worst {
  support::Maximum gain;   // of the kinetic energy, in a step
  support::Maximum burst;  // of the kinetic energy, in a burst
  support::Maximum apart;  // of the kinetic energy, between the two robots when nothing touches
  int bad{0};              // steps beyond the bound
  int touched{0};          // steps with contact
  int lost{0};             // episodes that end with an edge in a box
};

// `place` gives the start of an episode that lasts for a time; `push_N` and `push_Nm` are about what moves the robot.
template <const auto& R, const auto& Free, const auto& World, int Capacity, class S, class Place>
void measure_robot(const char* name, bool rebounds, double push_N, double torque_Nm, Place place,
                   support::Report& report) {
  static scenario::Watched<R, Free, World, S, scenario::PointContacts<World, Capacity>> watched;
  using Shape = kinecast::Shape<R>;
  const int taken = watched.steps();
  const int exhausted = watched.exhausted();
  const int wanted = support::runs_long ? 100000 : rebounds ? 10000 : 40000;
  const int episodes = wanted / kEpisode;
  Chance random(rebounds ? 90 : 16);
  Worst worst;
  for (int episode = 0; episode < episodes; ++episode) {
    const double dt = 1e-4 * std::pow(100, random.between(0, 1));
    const double mu = random.is(0.2) ? 0 : random.between(0, rebounds ? 1 : 5);
    const double e = rebounds ? (random.is(0.3) ? 1 : random.between(0.2, 1)) : 0;
    watched.start(place(random, kEpisode * dt), material(friction(mu), restitution(e)));
    Velocity<R, S> external = Velocity<R, S>::Zero();
    Command<R, S> command = Command<R, S>::Zero();
    double burst_J = 0;
    double burst_kinetic_J = 0;
    int quiet = 2;
    for (int step = 0; step < kEpisode; ++step) {
      if (!rebounds && step % 50 == 0) {
        for (int b = 0; b < Shape::kBodies; ++b) {
          const int v = Shape::v_of(b);
          if (Shape::is_floating(b)) {
            for (int i = 0; i < 3; ++i) external[v + i] = static_cast<S>(random.within(push_N));
            for (int i = 3; i < 6; ++i) external[v + i] = static_cast<S>(random.within(torque_Nm));
          } else {
            command[v] = static_cast<S>(random.within(torque_Nm));
          }
        }
      }
      // Turns of a third of a radian in a step are beyond what the integrator can do.
      if (watched.state().dq.cwiseAbs().maxCoeff() * static_cast<S>(dt) > S(0.3)) break;
      const Balance b = watched.step(command, external, dt);
      if (b.is_lost) {
        ++worst.lost;
        break;
      }
      if (!b.touches) {
        ++quiet;
        worst.apart.see(std::abs(b.gain_J) / b.kinetic_J);
        continue;
      }
      ++worst.touched;
      if (!rebounds) {
        worst.gain.see(b.gain_J / b.kinetic_J);
        worst.bad += b.gain_J / b.kinetic_J <= kGain ? 0 : 1;
      }
      if (quiet >= 2) burst_J = 0, burst_kinetic_J = b.kinetic_J;
      quiet = 0;
      burst_J += b.gain_J;
      burst_kinetic_J = std::max(burst_kinetic_J, b.kinetic_J);
      worst.burst.see(burst_J / burst_kinetic_J);
    }
  }
  const char* scalar = support::scalar_name<S>();
  const int steps = watched.steps() - taken;
  const std::string which = std::string(name) + (rebounds ? " e" : "");
  if (World.kSurfaces > 1)
    report.add({"scenario", "energy_lost", which, scalar, static_cast<double>(worst.lost) / episodes, support::kNone,
                "of the episodes"});
  report.expect(steps > wanted / 2, which + ": most episodes last to their end");
  report.expect(watched.dropped() == 0, which + ": the contacts fit");
  // The friction of joints is at work in the air too; without it the balance of a free step shows what float can tell.
  if (Shape::kHas.frictions == 0)
    report.add({"scenario", "energy_in_the_air", which, scalar, worst.apart.value(), 3e-5, "of the kinetic"});
  report.expect(worst.touched > steps / 20, which + ": something touches in a twentieth of the steps");
  if (rebounds) {
    report.add({"scenario", "energy_burst", which, scalar, worst.burst.value(), kBurstGain, "of the kinetic"});
  } else {
    report.add({"scenario", "energy_gain", which, scalar, worst.gain.value(), kGain, "of the kinetic"});
    report.add({"scenario", "energy_bad_steps", which, scalar, static_cast<double>(worst.bad), 0, "steps"});
  }
  report.add({"scenario", "energy_exhausted", which, scalar,
              static_cast<double>(watched.exhausted() - exhausted) / steps, kWarnings, "of the steps"});
}

template <class S>
void measure_all(bool rebounds, support::Report& report) {
  // A start just above the ground, or a millimetre inside it, so that it is reached within a third of the time.
  const auto falls = [](auto& random, auto& state, double time_s) {
    lift_to(random.is(0.2) ? random.between(-1e-3, 0) : random.between(0, 0.3) * time_s, state);
    if (state.dq[2] > 0) state.dq[2] = -state.dq[2];
    return state;
  };
  measure_robot<cube, free_cube, ground, 8, S>(
      "cube", rebounds, 5, 0.2,
      [&](Chance& random, double time_s) {
        auto s = random_state<cube, S>(random, Attitude::any, 1, 8);
        return falls(random, s, time_s);
      },
      report);
  measure_robot<chain, free_chain, ground, 12, S>(
      "chain", rebounds, 10, 0.2,
      [&](Chance& random, double time_s) {
        auto s = random_state<chain, S>(random, Attitude::any, 1, 4);
        return falls(random, s, time_s);
      },
      report);
  measure_robot<robots::biped, free_biped, ground, 16, S>(
      "biped", rebounds, 200, 15,
      [&](Chance& random, double time_s) {
        auto s = random_state<robots::biped, S>(random, Attitude::upright, 0.7, 2);
        return falls(random, s, time_s);
      },
      report);
  measure_robot<robots::quadruped, free_quadruped, ground, 8, S>(
      "quadruped", rebounds, 100, 8,
      [&](Chance& random, double time_s) {
        auto s = random_state<robots::quadruped, S>(random, Attitude::upright, 0.7, 2);
        return falls(random, s, time_s);
      },
      report);
  measure_robot<stack, free_stack, pile, 36, S>(
      "stack", rebounds, 1.5, 0.03,
      [&](Chance& random, double time_s) {
        auto s = random_state<stack, S>(random, Attitude::upright, 0.1, 0.3);
        for (int i = 0; i < 4; ++i) {
          for (int k = 0; k < 3; ++k) s.q[7 * i + 4 + k] *= S(0.01);
          s.q.template segment<4>(7 * i + 3).normalize();
          s.q[7 * i] = static_cast<S>(random.within(0.02));
          s.q[7 * i + 1] = static_cast<S>(random.within(0.02));
          s.q[7 * i + 2] =
              static_cast<S>((i + 0.5) * (kSide_m + 2e-4) + (i + 1) * random.between(0, 0.05) * std::min(time_s, 0.05));
        }
        return s;
      },
      report);
}

void measure(support::Report& report) {
  measure_all<float>(false, report);
  measure_all<float>(true, report);
}

}  // namespace

const support::Program support::program{"contact_energy", measure};
