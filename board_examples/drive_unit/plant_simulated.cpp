// SPDX-License-Identifier: MIT
// A drive unit for the emulator. It is not the one that the predictor knows: its friction differs, and between the two
// directions, it is computed ten times as finely and by the other integrator, and its encoder counts whole edges. So the
// forecast has something to be wrong about.
#include <kinecast/kinecast.hpp>
#include <limits>

#include "encoder.hpp"
#include "plant.hpp"

namespace plant {
namespace {

using namespace kinecast;

constexpr auto true_unit = robot(
    "true drive unit", gravity(0, 0, 0),
    link("horn", on("world"), revolute(kAxisZ), body(0.0356, com(0.05, 0, 0), inertia(2.74e-6, 2.974e-5, 3.234e-5)),
         dc_motor(torque_constant(2.56e-2), resistance(2.40), voltage_limit(24)), gear(ratio(120)),
         at_motor(rotor_inertia(7.1e-6), stiction(forward(0.0425), backward(0.0400)),
                  coulomb(forward(0.0370), backward(0.0352))),
         at_joint(viscous(1.60), stribeck(90))));

constexpr float kStep_s = 1e-4F;
constexpr int kStepsPerPeriod = 10;

Predictor<true_unit, float, ArticulatedFriction, RungeKuttaGill> simulation;
float volts_now = 0;

std::int32_t counts_of(float angle_rad) noexcept {
  const float counts = angle_rad / encoder::kRadPerCount;
  const auto towards_zero = static_cast<std::int32_t>(counts);
  return static_cast<float>(towards_zero) > counts ? towards_zero - 1 : towards_zero;
}

}  // namespace

bool has_console() noexcept { return true; }

port::stm32f405::Clocks start() noexcept { return port::stm32f405::kEmulatedClocks; }

// The drive unit lives through the period that has just passed, at the voltage that it had.
float read_angle_rad() noexcept {
  Command<true_unit, float> command;
  command[0] = volts_now;
  for (int i = 0; i < kStepsPerPeriod; ++i)
    if (!ok(simulation.step(command, kStep_s))) return std::numeric_limits<float>::quiet_NaN();
  return encoder::angle_rad(counts_of(simulation.state().q[0]));
}

void write_volts(float volts) noexcept { volts_now = volts; }

}  // namespace plant
