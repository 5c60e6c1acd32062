// SPDX-License-Identifier: MIT
// The gripper for the emulator. It is not quite the one that the predictor knows: the box is heavier, the pads are
// smoother, the fingers' drives have more friction, it is computed twice as finely, and it is seen through encoders
// that count whole edges, on lift and fingers only. So the forecast has something to be wrong about. On a board three
// encoder timers and three bridges take its place.
#pragma once

#include <kinecast/papers/wrench_programs.hpp>
#include <kinecast/predict/predictor.hpp>

#include <array>
#include <cstdint>

#include "gripper.hpp"

namespace plant {

using namespace kinecast;
using example::kBox;
using example::kLift;
using example::kMiddle_m;

inline constexpr auto true_gripper = [] {
  auto robot = example::gripper;
  for (const int finger : {example::kLeftFinger, example::kRightFinger})
    robot.links[static_cast<std::size_t>(finger)].drive.at_motor.coulomb_Nm = {9e-4, 9e-4};
  example::block(1.04 * example::kBoxMass_kg, example::kBoxSize_m).apply(robot.links[kBox]);
  return robot;
}();
inline constexpr auto true_world = example::make_grip_world(material(friction(0.95 * example::kPadFriction, 0.48)));

// 500 lines on each motor's shaft, four edges each, before gears of 400 and 600 rad per m.
inline constexpr std::array<float, 3> kMeterPerCount{6.2831853F / (2000 * 400.0F), 6.2831853F / (2000 * 600.0F),
                                                     6.2831853F / (2000 * 600.0F)};

class Gripper {
 public:
  using Simulation = Predictor<true_gripper, float, Contacts<true_world, 3, WrenchPrograms<8>>>;
  using Volts = Command<true_gripper, float>;
  using Positions = std::array<float, 3>;

  // The box stands on the ground between open fingers.
  Status start() noexcept {
    State<true_gripper, float> state = zero_state<true_gripper, float>();
    state.q[kBox + 2] = static_cast<float>(kMiddle_m);
    return simulation_.reset(state);
  }

  // A millisecond under these voltages.
  Status live(const Volts& volts) noexcept {
    constexpr int kSteps = 2;
    constexpr float kStep_s = 1e-3F / kSteps;
    for (int i = 0; i < kSteps; ++i)
      if (const Status status = simulation_.step(volts, kStep_s); status != Status::ok) return status;
    return Status::ok;
  }

  // The middle of the count that each axis is in.
  Positions read_encoders_m() const noexcept {
    constexpr std::int32_t kMetre = 200'000;  // counts; keeps the number positive, so that the cast rounds down
    Positions positions{};
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const float q = simulation_.state().q[static_cast<int>(i)];
      const auto counts = static_cast<std::int32_t>(q / kMeterPerCount[i] + kMetre) - kMetre;
      positions[i] = (static_cast<float>(counts) + 0.5F) * kMeterPerCount[i];
    }
    return positions;
  }

  // No real gripper tells these: they are here to be compared with.
  const Simulation::ContactReport& contacts() const noexcept { return simulation_.contact_report(); }
  // The box above the ground, and how far it slid down between the pads.
  float height_m() const noexcept { return simulation_.state().q[kBox + 2] - static_cast<float>(kMiddle_m); }
  float slid_m() const noexcept { return simulation_.state().q[kLift] - height_m(); }

 private:
  Simulation simulation_;
};

}  // namespace plant
