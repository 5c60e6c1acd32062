// SPDX-License-Identifier: MIT
// The quadruped for the emulator. It is not quite the one that the predictor knows: its trunk is heavier, its gears
// have more friction, the ground has less, and somebody pushes it, of which the predictor is not told. On a board
// encoders and an estimator of the trunk's motion take its place.
#pragma once

#include <kinecast/predict/predictor.hpp>

#include "quadruped.hpp"

namespace plant {

using namespace kinecast;

inline constexpr auto true_quadruped = example::make_quadruped(
    1.03 * example::kTrunk_kg, at_motor(rotor_inertia(3e-5), coulomb(0.021), stiction(0.026), viscous(5e-4)));
inline constexpr auto true_world = example::make_world(0.75, 0.65);

class Quadruped {
 public:
  using RobotPredictor = Predictor<true_quadruped, float, Contacts<true_world, 6>>;

  Status start(const State<example::quadruped, float>& state) noexcept {
    return simulation_.reset({state.q, state.dq});
  }

  // A millisecond under these torques, N.m at the joints, and a push of so many N on the trunk, forward.
  Status live(const Command<example::quadruped, float>& torques, float push_N) noexcept {
    Velocity<true_quadruped, float> external = Velocity<true_quadruped, float>::Zero();
    external[0] = push_N;
    return simulation_.step(torques, external, 1e-3F);
  }

  State<example::quadruped, float> measure() const noexcept { return {simulation_.state().q, simulation_.state().dq}; }

  // What the feet stand on and bear. No real robot tells this: it is here to be compared with.
  const RobotPredictor::ContactReport& contacts() const noexcept { return simulation_.contact_report(); }

 private:
  RobotPredictor simulation_;
};

}  // namespace plant
