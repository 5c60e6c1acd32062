// SPDX-License-Identifier: MIT
// The arm and the ground of the main README's example, word by word (test readme.predict_arm compares).
#pragma once

#include <kinecast/model/environment/environment.hpp>
#include <kinecast/model/robot.hpp>

namespace example {

using namespace kinecast;

inline constexpr auto arm =
    robot("arm",  // a value, checked by the compiler; SI units; by hand, or `kinecast import arm.urdf`
          link("upper", revolute(kAxisY), at(0, 0, 0.1), body(1.2, com(0, 0, 0.15), inertia(0.01, 0.01, 0.001)),
               dc_motor(torque_constant(0.0258), resistance(2.36), voltage_limit(24)), gear(ratio(120)),
               at_motor(rotor_inertia(7e-6), stiction(0.041), coulomb(0.036)), at_joint(viscous(1.5), stribeck(100))),
          link("fore", on("upper"), revolute(kAxisY), at(0, 0, 0.3),
               body(0.8, com(0, 0, 0.12), inertia(0.006, 0.006, 0.0008))),
          contact_sphere("tip", on("fore"), at(0, 0, 0.25), radius(0.02)));
inline constexpr auto world = environment(half_space("ground", material(friction(0.8, 0.6))));

}  // namespace example
