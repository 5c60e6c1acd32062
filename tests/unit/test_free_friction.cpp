// SPDX-License-Identifier: MIT
// Friction between two bodies that fly freely: it is an inner torque, and must not touch the momentum of the whole while the
// joint sticks, breaks away, slips and is captured.
#include "drive_checks.hpp"
#include "unity_main.hpp"

namespace unit_free_friction {
namespace {

using namespace driven;
using measure::assert_below;
using measure::kEps;
using measure::Worst;

constexpr double kDt = 1e-3;

// A body and a flap on a tilted hinge off its centre, moved by a motor inside.
inline constexpr auto flyer = kinecast::robot(
    "flyer", kinecast::gravity(0, 0, 0),
    kinecast::link("hull", kinecast::floating(),
                   kinecast::body(2, kinecast::com(0.02, -0.01, 0.03), kinecast::inertia(0.02, 0.03, 0.04))),
    kinecast::link("flap", kinecast::on("hull"), kinecast::revolute({0.6, 0, 0.8}), kinecast::at(0.1, 0.05, 0),
                   kinecast::torque_driven(),
                   kinecast::at_joint(kinecast::stiction(0.05), kinecast::coulomb(0.04), kinecast::viscous(0.002),
                                      kinecast::stribeck(20)),
                   kinecast::body(1, kinecast::com(0.1, 0.02, 0), kinecast::inertia(0.01, 0.011, 0.012))));
// The same with the flap as a wheel on the hull's centre, all about z: then the momentum is linear in the velocities, and the
// sum of steps keeps it too.
inline constexpr auto spinner = kinecast::robot(
    "spinner", kinecast::gravity(0, 0, 0),
    kinecast::link("hull", kinecast::floating(),
                   kinecast::body(2, kinecast::com(0, 0, 0), kinecast::inertia(0.02, 0.03, 0.04))),
    kinecast::link("wheel", kinecast::on("hull"), kinecast::revolute(kinecast::kAxisZ), kinecast::torque_driven(),
                   kinecast::at_joint(kinecast::stiction(0.05), kinecast::coulomb(0.04)),
                   kinecast::body(1, kinecast::com(0, 0, 0), kinecast::inertia(0.006, 0.006, 0.012))));

// Slides at first, is captured, breaks away when the motor pushes, is captured again. `see(before, after)` at each step.
template <const auto& R, class S, class See>
void fly(int steps, See&& see) {
  Predictor<R, S> p;
  State<R, S> start = zero_state<R, S>();
  start.dq[0] = S(0.3), start.dq[3] = S(R.link(1).com_m.x > 0 ? 0.4 : 0), start.dq[5] = S(0.5), start.dq[6] = S(-2);
  assert_ok(p.reset(start));
  int stuck = 0;
  int captures = 0;
  Command<R, S> command = all<R, S>(0);
  bool was_held = false;
  for (int i = 0; i < steps; ++i) {
    command[6] = S(i > steps / 2 && i < steps / 2 + steps / 20 ? 0.2 : 0);
    const State<R, S> before = p.state();
    assert_ok(p.step(command, static_cast<S>(kDt)));
    const bool held = p.report().held(6);
    if (held) ++stuck;
    if (held && !was_held) ++captures;
    was_held = held;
    see(before, p.state());
  }
  TEST_ASSERT_TRUE(stuck > steps / 5 && stuck < steps - steps / 20);
  TEST_ASSERT_TRUE_MESSAGE(captures >= 2, "captured twice");
}

// No force acts on the whole: the base's entries of M ddq + b vanish in every step.
template <class S>
void check_free_flight(int steps) {
  Worst worst;
  fly<flyer, S>(steps, [&](const State<flyer, S>& before, const State<flyer, S>& after) {
    const checks::Vel<flyer, S> ddq = (after.dq - before.dq) / static_cast<S>(kDt);
    checks::Vel<flyer, S> force = checks::unset<flyer, S>();
    assert_ok((checks::inverse<flyer, S>(before.q, before.dq, ddq, force)));
    for (int i = 0; i < 6; ++i) worst.see(static_cast<double>(force[i]));
  });
  // Velocities of 2 rad/s are stored with eps, so ddq is off by 2 eps / dt, times 3 kg and 0.1 m.
  assert_below<S>(3 * 2 * kEps<S> / kDt, worst, "flyer", "force on the whole");
}
template <class S>
void check_spinner(int steps) {
  Worst worst;
  fly<spinner, S>(steps, [&](const State<spinner, S>& /*before*/, const State<spinner, S>& after) {
    const auto& dq = after.dq;
    worst.see(3 * static_cast<double>(dq[0]) - 3 * 0.3), worst.see(static_cast<double>(dq[1])),
        worst.see(static_cast<double>(dq[2]));
    worst.see(0.04 * static_cast<double>(dq[5]) + 0.012 * static_cast<double>(dq[5] + dq[6]) -
              (0.04 * 0.5 + 0.012 * (0.5 - 2)));
  });
  assert_below<S>(steps * kEps<S> * 0.05 + 4 * kEps<S>, worst, "spinner",
                  "momentum");  // one rounding per step of 0.05 kg m² rad/s
}
void test_momentum_is_kept() {
  check_free_flight<float>(1000);
  if constexpr (measure::kInDouble) check_free_flight<double>(1000);
  check_spinner<float>(2000);
}

}  // namespace

KINECAST_SUITE(free_friction, test_momentum_is_kept)

}  // namespace unit_free_friction
