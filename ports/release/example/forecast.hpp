// SPDX-License-Identifier: MIT
// What the example of every ecosystem forecasts: where the joints of a two-link arm will be in 100 ms if the commands stay, from
// what the encoders say now. The robot is in flash, the predictor is all the RAM. A forecast leaves the predictor at now.
#pragma once

#include <kinecast/predict/predictor.hpp>

namespace example {

using namespace kinecast;

inline constexpr auto arm = robot(
    "arm",
    link("upper", on("world"), revolute(kAxisY), at(0, 0, 0.1), body(1.2, com(0, 0, 0.15), inertia(0.01, 0.01, 0.001)),
         dc_motor(torque_constant(0.0258), resistance(2.36), voltage_limit(24)), gear(ratio(120)),
         at_motor(rotor_inertia(7e-6), stiction(0.041), coulomb(0.036)), at_joint(viscous(1.5), stribeck(100))),
    link("fore", on("upper"), revolute(kAxisY), at(0, 0, 0.3),
         body(0.8, com(0, 0, 0.12), inertia(0.006, 0.006, 0.0008)), torque_driven(), at_joint(coulomb(0.9))));

using ArmState = State<arm, float>;

inline Predictor<arm, float> predictor;

[[nodiscard]] inline Status forecast_100ms(const ArmState& measured, float upper_V, float fore_Nm, ArmState& in_100ms) {
  if (const Status status = predictor.correct(measured); !ok(status)) return status;
  const auto now = predictor.snapshot();
  const Command<arm, float> command(upper_V, fore_Nm);
  Status status = Status::ok;
  for (int ms = 0; ms < 100 && ok(status); ++ms) status = predictor.step(command, 1e-3F);
  if (ok(status)) in_100ms = predictor.state();
  predictor.restore(now);
  return status;
}

}  // namespace example
