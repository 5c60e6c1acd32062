// SPDX-License-Identifier: MIT
// The two-link arm of S003 (method 9, sim 2): joint axes horizontal, the first one 0.15 m above the ground, straight up at q = 0,
// positive angles towards +y, the drive of S003 at both joints. The eight corners of the second link can touch; order:
// x in (0.05, 0.35), y in (-0.05, 0.05), z in (-0.05, 0.05), nested, z fastest.
#pragma once

#include <kinecast/model/robot.hpp>

#include "drives.hpp"

namespace robots {

// Only the moments about the joint axes matter: the others are any that a body can have.
inline constexpr auto arm2 = kinecast::robot(
    "arm2",
    kinecast::link("upper", kinecast::revolute(kinecast::kAxisZ), kinecast::at(0, 0, 0.15),
                   kinecast::turned({{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}), kS003Drive,
                   kinecast::body(1.5, kinecast::com(0.266667, 0, 0), kinecast::inertia(0.02, 0.02, 0.02229167))),
    kinecast::link("fore", kinecast::on("upper"), kinecast::revolute(kinecast::kAxisZ), kinecast::at(0.4, 0, 0),
                   kS003Drive,
                   kinecast::body(1.0, kinecast::com(0.2, 0, 0), kinecast::inertia(0.005, 0.005, 0.0083333))),
    kinecast::contact_box(kinecast::on("fore"), kinecast::at(0.2, 0, 0), kinecast::size(0.3, 0.1, 0.1)));

}  // namespace robots
