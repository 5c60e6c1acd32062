// SPDX-License-Identifier: MIT
// Every word that a drive, a limit and a contact point can be given, for the generator's test.
#pragma once

#include <kinecast/model/robot.hpp>

namespace robots {

namespace detail {
constexpr auto make_driven() {
  using namespace kinecast;
  constexpr auto kBody = body(0.7, com(0.01, 0, 0.1), inertia(0.01, 0.011, 0.002));
  return robot("driven",
               link("motor", on("world"), revolute(kAxisZ), kBody, limits(-2.1, 1.9, rebound(0.3)), speed_limit(6.1),
                    dc_motor(torque_constant(2.58e-2), resistance(2.36), voltage_limit(24)),
                    gear(ratio(-120.5), efficiency(0.83)),
                    at_motor(rotor_inertia(7.03e-6), stiction(forward(0.041), backward(0.042)), coulomb(0.036),
                             viscous(forward(1e-5), backward(2e-5)), offset(-0.001)),
                    at_joint(rotor_inertia(0.01), coulomb(forward(0), backward(0.1)), viscous(1.53), stribeck(100))),
               link("torque", on("motor"), prismatic(kAxisX), kBody, limits(0, 0.04, soft(4000, 3)),
                    torque_driven(torque_limit(17.5)), at_joint(stiction(0.2), coulomb(0.1), offset(0.05))),
               link("velocity", on("torque"), revolute(kAxisY), kBody, velocity_driven(), speed_limit(2)),
               link("passive", on("velocity"), revolute(kAxisY), kBody, undriven(), limits(-0.5, -0.25),
                    at_joint(viscous(0.01))),
               contact_point("tip", on("passive"), at(0, 0, 0.25), of_kind(3)),
               contact_sphere("ball", on("passive"), at(0, 0.1, 0.2), radius(0.015)),
               contact_sphere("both", on("motor"), at(0.1, 0, 0), radius(0.5), of_kind(7)));
}
}  // namespace detail

inline constexpr auto driven = detail::make_driven();

}  // namespace robots
