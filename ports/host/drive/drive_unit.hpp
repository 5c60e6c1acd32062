// SPDX-License-Identifier: MIT
// The physical half of a drive.json as values of a one-joint robot. Which of the four robots below it is, the joint and the
// command decide; all other numbers are the file's.
#pragma once

#include "../text/json_table.hpp"

#include <kinecast/model/robot.hpp>
#include <kinecast/model/validate.hpp>

namespace kinecast::host {

using DriveUnit = Robot<1, 0>;

namespace detail {
// One of everything, so that the compiled model has a place for every number. A pendulum swings about y and hangs at q = 0.
template <class Joint, class Command>
constexpr DriveUnit with_everything(Joint joint, Command command) noexcept {
  return robot(
      "drive unit", gravity(0, 0, -9.80665),
      link("load", on("world"), joint, body(1, com(0, 0, -1), inertia(1, 1, 1)), command,
           gear(ratio(2), load_loss(0.1)), at_motor(rotor_inertia(1), stiction(2), coulomb(1), viscous(1), offset(1)),
           at_joint(stiction(2), coulomb(1), viscous(1), stribeck(1), offset(1))));
}
inline constexpr auto kMotor = dc_motor(torque_constant(1), resistance(1), voltage_limit(1));
}  // namespace detail

inline constexpr DriveUnit turning_by_voltage = detail::with_everything(revolute(kAxisY), detail::kMotor);
inline constexpr DriveUnit sliding_by_voltage = detail::with_everything(prismatic(kAxisX), detail::kMotor);
inline constexpr DriveUnit turning_by_torque = detail::with_everything(revolute(kAxisY), torque_driven());
inline constexpr DriveUnit sliding_by_torque = detail::with_everything(prismatic(kAxisX), torque_driven());

// The file's outermost level; unknown keys are refused. Which keys there are depends on the joint: torques or forces.
[[nodiscard]] JsonTable top_table(const std::string& file, const Json& document);

// Every number must be given (fit and compare put the guesses in first). Throws Failure with the JSON path.
[[nodiscard]] DriveUnit read_drive_unit(const std::string& file, const Json& document);

// Throws Failure with the JSON path and the rule's sentence if the library refuses the unit.
void expect_rules_kept(const std::string& file, const Json& document, const DriveUnit& unit);

// The same unit without static and Coulomb friction: what a simulator without gear friction would predict.
[[nodiscard]] DriveUnit without_dry_friction(DriveUnit unit);

}  // namespace kinecast::host
