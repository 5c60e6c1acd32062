// SPDX-License-Identifier: MIT
// A whole robot against dense_reference.hpp: every check with its limit, for any robot and scalar.
#pragma once

#include "contact_checks.hpp"
#include "dynamics_checks.hpp"
#include "kinematics_checks.hpp"

namespace checks {

// What a robot is allowed, all relative: see the checks.
struct Limits {
  double forward;
  double inverse;
  double mass;
  double wrench;
  double kinematics;
  double trip_torque;
  double trip_acceleration;
};

template <const auto& R, class S>
[[gnu::noinline]] void check_robot(const char* name, int states, const Limits& limit,
                                   const Ranges& ranges = {}) noexcept {
  using measure::assert_below;
  assert_below<S>(limit.forward, forward_dynamics_error<R, S>(states, ranges), name, "forward dynamics");
  assert_below<S>(limit.inverse, inverse_dynamics_error<R, S>(states, ranges), name, "inverse dynamics");
  assert_below<S>(limit.mass, mass_matrix_error<R, S>(states), name, "mass matrix");
  assert_below<S>(limit.wrench, wrench_error<R, S>(states, ranges), name, "wrenches");
  assert_below<S>(limit.kinematics, kinematics_error<R, S>(states), name, "kinematics");
  const RoundTrip trip = round_trip_error<R, S>(states, ranges);
  assert_below<S>(limit.trip_torque, trip.torque, name, "torque to torque");
  assert_below<S>(limit.trip_acceleration, trip.acceleration, name, "acceleration to acceleration");
}

template <const auto& R, class S, std::size_t Count>
[[gnu::noinline]] void check_contacts(const char* name, int states, double matrix, double response,
                                      const std::array<Place, Count>& places) noexcept {
  using measure::assert_below;
  const ContactErrors errors = contact_map_error<R, S>(states, places);
  assert_below<S>(matrix, errors.matrix, name, "contact map");
  assert_below<S>(response, errors.response, name, "response to contact forces");
  assert_below<S>(4 * measure::kEps<S>, errors.negative, name, "negative part of A");  // squares, added up
}

}  // namespace checks
