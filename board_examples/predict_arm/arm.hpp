// SPDX-License-Identifier: MIT
// A small six-axis arm, written by hand: 4.3 kg, 0.6 m of reach, geared joints. SI units; the compiler checks every rule.
#pragma once

#include <kinecast/model/robot.hpp>

namespace example {

using namespace kinecast;

inline constexpr auto arm =
    robot("desk arm",
          link("turntable", on("world"), revolute(kAxisZ), at(0, 0, 0.05), at_joint(rotor_inertia(0.02)),
               body(1.2, com(0, 0, 0.03), inertia(2.0e-3, 2.0e-3, 1.6e-3))),
          link("upper arm", on("turntable"), revolute(kAxisY), at(0, 0.03, 0.09), at_joint(rotor_inertia(0.02)),
               body(1.4, com(0, 0.01, 0.12), inertia(8.0e-3, 8.0e-3, 1.1e-3))),
          link("forearm", on("upper arm"), revolute(kAxisY), at(0, 0, 0.25), at_joint(rotor_inertia(0.01)),
               body(0.9, com(0, -0.01, 0.09), inertia(3.5e-3, 3.5e-3, 5.0e-4))),
          link("roll", on("forearm"), revolute(kAxisZ), at(0, 0, 0.16), at_joint(rotor_inertia(0.003)),
               body(0.4, com(0, 0, 0.03), inertia(4.0e-4, 4.0e-4, 2.0e-4))),
          link("pitch", on("roll"), revolute(kAxisY), at(0, 0, 0.06), at_joint(rotor_inertia(0.003)),
               body(0.3, com(0, 0, 0.02), inertia(2.0e-4, 2.0e-4, 1.0e-4))),
          link("tool", on("pitch"), revolute(kAxisZ), at(0, 0, 0.04), at_joint(rotor_inertia(0.001)),
               body(0.1, com(0.01, 0, 0.05), inertia(1.0e-4, 1.0e-4, 4.0e-5))),
          contact_point("tip", on("tool"), at(0, 0, 0.1)));

}  // namespace example
