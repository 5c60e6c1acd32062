// SPDX-License-Identifier: MIT
// A two-link arm on a bench, and the ground that it reaches: horizontal joint axes, the first one 0.15 m above the ground, a
// geared motor at each. Straight up at zero; positive angles lean towards +y. The corners of the forearm's end can touch.
#pragma once

#include <kinecast/model/environment/environment.hpp>
#include <kinecast/model/robot.hpp>

namespace example {

using namespace kinecast;

inline constexpr auto motor = dc_motor(torque_constant(2.58e-2), resistance(2.36), voltage_limit(24));
inline constexpr auto rotor = at_motor(rotor_inertia(7.03e-6), stiction(0.041), coulomb(0.036));
inline constexpr auto bearing = at_joint(viscous(1.53), stribeck(100));

// The links' frames: x along the link, z along the joint's axis, which is the world's -x.
inline constexpr auto arm =
    robot("arm on ground",
          link("upper", on("world"), at(0, 0, 0.15), turned({{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}), revolute(kAxisZ),  //
               motor, gear(ratio(120)), rotor, bearing,                                                             //
               body(1.5, com(0.266667, 0, 0), inertia(0.02, 0.02, 0.02229167))),
          link("fore", on("upper"), at(0.4, 0, 0), revolute(kAxisZ),  //
               motor, gear(ratio(120)), rotor, bearing,               //
               body(1.0, com(0.2, 0, 0), inertia(0.005, 0.005, 0.0083333))),
          contact_point("upper left", on("fore"), at(0.35, -0.05, -0.05)),
          contact_point("upper right", on("fore"), at(0.35, -0.05, 0.05)),
          contact_point("lower left", on("fore"), at(0.35, 0.05, -0.05)),
          contact_point("lower right", on("fore"), at(0.35, 0.05, 0.05)));

inline constexpr auto ground = environment(half_space("ground", material(friction(0.5, 0.3))));

}  // namespace example
