// SPDX-License-Identifier: MIT
// The drive unit as its predictor knows it: a motor with a 120:1 gear turns a small horn about a vertical axis. The
// numbers of a data sheet and of a friction measurement; drive_unit.json says the same to the host tool.
#pragma once

#include <kinecast/model/robot.hpp>

namespace example {

using namespace kinecast;

inline constexpr auto unit = robot(
    "drive unit", gravity(0, 0, 0),
    link("horn", on("world"), revolute(kAxisZ), body(0.0356, com(0.05, 0, 0), inertia(2.74e-6, 2.974e-5, 3.234e-5)),
         dc_motor(torque_constant(2.58e-2), resistance(2.36), voltage_limit(24)), gear(ratio(120)),
         at_motor(rotor_inertia(7.03e-6), stiction(0.041), coulomb(0.036)), at_joint(viscous(1.53), stribeck(100))));

}  // namespace example
