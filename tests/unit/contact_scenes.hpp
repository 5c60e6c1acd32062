// SPDX-License-Identifier: MIT
// What the tests of contact share: small bodies, scenes with other values than the compiled ones, and the one truth that holds in
// every step of every robot: M ddq + b = tau + Jᵀ f with the forces that were reported, found with dense_reference.hpp.
#pragma once

#include <kinecast/kinecast.hpp>

#include <new>

#include "../robots/boxes.hpp"
#include "bad_input.hpp"
#include "measure.hpp"
#include "robot_checks.hpp"

namespace touching {

using bad_input::assert_status;
using bad_input::same_bits;
using checks::assert_ok;
using kinecast::Command;
using kinecast::Contacts;
using kinecast::Predictor;
using kinecast::State;
using kinecast::Status;
using kinecast::zero_state;
using measure::assert_below;
using measure::kEffort;
using measure::kEps;
using measure::Worst;

constexpr double kGravity = 9.80665;
constexpr double kPi = 3.14159265358979323846;

// An environment's or a robot's description, to be changed and built.
template <const auto& Described>
using Values = std::decay_t<decltype(Described)>;

template <const auto& R, const auto& World, class S>
[[nodiscard]] kinecast::Scene<R, World, S> built_scene(const Values<World>& world) {
  kinecast::Scene<R, World, S> scene{};
  assert_ok(kinecast::build_scene<R, World, S>(R, world, scene));
  return scene;
}

template <const auto& R, class S>
[[nodiscard]] Command<R, S> nothing() {
  return Command<R, S>::Zero();
}

// A free body with its origin here, turned by this rotation vector.
template <const auto& R, class S>
void place(State<R, S>& state, int first, const kinecast::Vec3<double>& position, const kinecast::Vec3<double>& turn) {
  state.q[first] = static_cast<S>(position.x), state.q[first + 1] = static_cast<S>(position.y);
  state.q[first + 2] = static_cast<S>(position.z);
  const double angle = std::sqrt(dot(turn, turn));
  const double size = angle > 0 ? std::sin(angle / 2) / angle : 0;
  const double q[4] = {std::cos(angle / 2), size * turn.x, size * turn.y, size * turn.z};
  for (int i = 0; i < 4; ++i) state.q[first + 3 + i] = static_cast<S>(q[i]);
}
template <const auto& R, class S>
[[nodiscard]] State<R, S> placed(const kinecast::Vec3<double>& position, const kinecast::Vec3<double>& turn = {}) {
  State<R, S> state = zero_state<R, S>();
  place(state, 0, position, turn);
  return state;
}

template <class Report>
[[nodiscard]] kinecast::Vec3<double> total_force(const Report& report) {
  kinecast::Vec3<double> sum{};
  for (int i = 0; i < report.count; ++i) sum = sum + report[i].force_N.template cast<double>();
  return sum;
}

// The largest entry of M ddq + b - tau - Jᵀ f over a step from `before` to `after`, relative to what is added up: forces, and
// momentum over dt, for velocities are stored with eps. surface_links: the link that each surface sits on, -1 is the world.
template <const auto& R, class S, class Report, std::size_t Surfaces>
[[gnu::noinline]] void see_balance(const State<R, S>& before, const State<R, S>& after, const Command<R, S>& tau,
                                   double dt, const Report& report, const int (&surface_links)[Surfaces],
                                   Worst& worst) {
  constexpr std::size_t kDofs = static_cast<std::size_t>(kinecast::Shape<R>::kDofs);
  auto& exact = checks::truth<R>();
  double scale = checks::begin_balance<R, S>(before, after, dt);
  for (int c = 0; c < report.count; ++c) {
    const auto& contact = report[c];
    const auto point = contact.point_m.template cast<double>();
    const double force[3] = {static_cast<double>(contact.force_N.x), static_cast<double>(contact.force_N.y),
                             static_cast<double>(contact.force_N.z)};
    scale += std::abs(force[0]) + std::abs(force[1]) + std::abs(force[2]);
    const auto push = [&](int link, double sign) {
      exact.at.jacobian(link, {point.x, point.y, point.z}, exact.jacobian);
      for (std::size_t i = 0; i < kDofs; ++i)
        for (int r = 0; r < 3; ++r) exact.force[i] -= sign * exact.jacobian[3 + r][i] * force[r];
    };
    push(R.point(contact.pair.point).link, 1);
    push(surface_links[contact.pair.surface], -1);
  }
  for (std::size_t i = 0; i < kDofs; ++i)
    worst.see((exact.force[i] - static_cast<double>(tau[static_cast<int>(i)])) / scale);
}

// What a plastic contact may not do: work, beyond lifting its depth off at rate k, J. Forces times the mean of the velocities of the
// points that touched, relative to the surface: as they were before the step, and as they are after it.
template <const auto& R, class S, class Report, std::size_t Surfaces>
[[gnu::noinline]] void see_work(const State<R, S>& before, const State<R, S>& after, double dt, double k,
                                const Report& report, const int (&surface_links)[Surfaces], Worst& gained) {
  constexpr int kMost = 16;
  constexpr int kDofs = kinecast::Shape<R>::kDofs;
  auto& exact = checks::truth<R>();
  const auto place = [&](const State<R, S>& state) {
    double q[static_cast<std::size_t>(kinecast::Shape<R>::kPositions)];
    for (int i = 0; i < kinecast::Shape<R>::kPositions; ++i) q[i] = static_cast<double>(state.q[i]);
    exact.place(q);
  };
  if (report.count == 0) return;
  TEST_ASSERT_TRUE(report.count <= kMost);
  double work = 0;
  dense::Vec in_link[kMost][2];
  const auto link_of = [&](int c, int side) {
    return side == 0 ? R.point(report[c].pair.point).link : surface_links[report[c].pair.surface];
  };
  place(before);
  for (int c = 0; c < report.count; ++c) {
    const auto p = report[c].point_m.template cast<double>();
    for (int side = 0; side < 2; ++side) {
      const int link = link_of(c, side);
      if (link >= 0)
        in_link[c][side] = transposed(exact.at.rot[link]) * (dense::Vec{{p.x, p.y, p.z}} - exact.at.pos[link]);
    }
  }
  for (const State<R, S>* state : {&before, &after}) {
    place(*state);
    for (int c = 0; c < report.count; ++c) {
      const double force[3] = {static_cast<double>(report[c].force_N.x), static_cast<double>(report[c].force_N.y),
                               static_cast<double>(report[c].force_N.z)};
      for (int side = 0; side < 2; ++side) {
        const int link = link_of(c, side);
        if (link < 0) continue;
        exact.at.jacobian(link, exact.at.point(link, in_link[c][side]), exact.jacobian);
        for (int i = 0; i < kDofs; ++i)
          for (int r = 0; r < 3; ++r)
            work +=
                (side == 0 ? 0.5 : -0.5) * dt * force[r] * exact.jacobian[3 + r][i] * static_cast<double>(state->dq[i]);
      }
    }
  }
  for (int c = 0; c < report.count; ++c)
    work -= dt * static_cast<double>(report[c].normal_N) * k * std::fmax(0.0, static_cast<double>(report[c].depth_m));
  gained.see(std::fmax(0.0, work));
}

// All materials of these tests are relaxed by this. An impulse is a residual velocity over lambda, so it is known to eps over it,
// and so is the balance.
constexpr double kRelaxation = 1e-2;
template <class S>
constexpr double kBalance = 2 * kEps<S> / kRelaxation;

// The same for what is no rounding error: in double, too many of its units to print.
template <class S>
void assert_small(double limit, const Worst& worst, const char* name, const char* what) {
  if constexpr (measure::kIsFloat<S>)
    assert_below<S>(limit, worst, name, what);
  else
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(limit, 0.0, worst.value, what);
}

// One predictor after the other in the same memory: boards have 128 KB.
constexpr std::size_t kRoomSize = 24 * 1024;
template <int Room>
alignas(16) inline unsigned char room[kRoomSize];
template <class P, int Room = 0>
[[nodiscard]] P& fresh() {
  static_assert(sizeof(P) <= kRoomSize && std::is_trivially_destructible_v<P>);
  return *new (room<Room>) P;
}

// What holds in every step: forces push, and the report agrees with itself.
template <class Report>
void check_report(const Report& report, double eps) {
  for (int i = 0; i < report.count; ++i) {
    const auto& c = report[i];
    const auto n = c.normal.template cast<double>();
    const auto f = c.force_N.template cast<double>();
    const double along = dot(n, f);
    const auto rest = f - along * n;
    const double across = std::sqrt(dot(rest, rest));
    // The axes were turned into the body's and back with a matrix that is a rotation to some eps: eight eps for each turn, for
    // the normal and for the force.
    const double rounding = 32 * eps * (1 + std::sqrt(dot(f, f)));
    TEST_ASSERT_TRUE(static_cast<double>(c.normal_N) >= 0);
    TEST_ASSERT_DOUBLE_WITHIN(rounding, static_cast<double>(c.normal_N), along);
    TEST_ASSERT_DOUBLE_WITHIN(rounding, static_cast<double>(c.tangential_N), across);
    TEST_ASSERT_DOUBLE_WITHIN(16 * eps, 1, std::sqrt(dot(n, n)));
  }
}

}  // namespace touching
