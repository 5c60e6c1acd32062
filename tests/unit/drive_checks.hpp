// SPDX-License-Identifier: MIT
// What the tests of drives and friction share: small robots with drives, run-time variants of them, and steps that must succeed.
#pragma once

#include <kinecast/kinecast.hpp>

#include "../robots/drives.hpp"
#include "bad_input.hpp"
#include "measure.hpp"
#include "robot_checks.hpp"

namespace driven {

using bad_input::same_bits;
using bad_input::same_snapshot;
using checks::assert_ok;
using kinecast::ArticulatedFriction;
using kinecast::Command;
using kinecast::ImplicitFriction;
using kinecast::Model;
using kinecast::Predictor;
using kinecast::RotorFriction;
using kinecast::RungeKuttaGill;
using kinecast::State;
using kinecast::Status;
using kinecast::SymplecticEuler;
using kinecast::zero_state;

// One hinge about y with the friction of S003 at the joint, a rotor as heavy as the link, and no gravity.
inline constexpr auto hinge =
    kinecast::robot("hinge", kinecast::gravity(0, 0, 0),
                    kinecast::link("arm", kinecast::revolute(kinecast::kAxisY), kinecast::torque_driven(),
                                   kinecast::at_joint(kinecast::rotor_inertia(0.1), kinecast::stiction(4.92),
                                                      kinecast::coulomb(4.32), kinecast::stribeck(100)),
                                   kinecast::body(1, kinecast::com(0, 0, 0), kinecast::inertia(0.1, 0.1, 0.1))));

// A robot's description, to be changed and built.
template <const auto& R>
using Values = std::decay_t<decltype(R)>;

template <const auto& R, class S>
[[nodiscard]] Model<R, S> built(const Values<R>& values) {
  Model<R, S> model{};
  assert_ok(kinecast::build_model<R, S>(values, model));
  return model;
}

// A hinge whose link has this inertia about its axis (0: a massless link) beside the rotor's.
[[nodiscard]] inline Values<hinge> hinge_of(double link_inertia, double rotor) {
  Values<hinge> values = hinge;
  kinecast::Link& l = values.links[0];
  l.drive.at_joint.rotor_inertia_kgm2 = rotor;
  l.inertia_kgm2 = {link_inertia, 0, 0, link_inertia, 0, link_inertia};
  if (!(link_inertia > 0)) l.mass_kg = 0, l.is_massless = true;
  return values;
}

// The same for all degrees of freedom.
template <const auto& R, class S>
[[nodiscard]] Command<R, S> all(double value) {
  return Command<R, S>::Constant(static_cast<S>(value));
}

template <const auto& R, class S>
[[nodiscard]] State<R, S> moving_at(double dq) {
  State<R, S> state = zero_state<R, S>();
  state.dq.setConstant(static_cast<S>(dq));
  return state;
}

}  // namespace driven

// The equations of S003 with its numbers, as method 5.1 and 5.2 have them.
namespace s003 {

inline constexpr double kGamma = 120;
inline constexpr double kVolt = kGamma * 2.58e-2 / 2.36;
inline constexpr double kBackEmf = (kGamma * 2.58e-2) * (kGamma * 2.58e-2) / 2.36;
inline constexpr double kRotor = kGamma * kGamma * 7.03e-6;
inline constexpr double kStatic = 4.92;
inline constexpr double kCoulomb = 4.32;

// S003 eq. 7, 8
[[nodiscard]] inline double fric(double w) {
  return 1.53 * w + std::copysign(kCoulomb + (kStatic - kCoulomb) * std::exp(-100 * std::abs(w)), w);
}
struct Decision {
  double torque;
  bool sticks;
};
// S003 eq. 21 with method 5.2, CHOICE 15 and 16, or as printed.
[[nodiscard]] inline Decision decide(double stopping, double dq, bool literal) {
  if (std::abs(stopping) <= kStatic) return {stopping, true};
  if (!literal && std::abs(dq) < 1e-9) return {std::copysign(kStatic, stopping), false};
  if (!literal && std::abs(fric(dq)) > std::abs(stopping)) return {stopping, false};
  return {-fric(dq), false};
}

}  // namespace s003
