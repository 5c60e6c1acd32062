// SPDX-License-Identifier: MIT
// The arm for the emulator. It is not quite the one that the predictor knows: a little heavier, with more friction in the gears
// and less on the ground, computed four times as finely, and seen through encoders that count whole edges. So the forecast has
// something to be wrong about. On a board two encoder timers and two bridges take its place.
#pragma once

#include <kinecast/predict/predictor.hpp>

#include <array>
#include <cstdint>

#include "arm.hpp"

namespace plant {

using namespace kinecast;

inline constexpr auto true_rotor = at_motor(rotor_inertia(7.03e-6), stiction(0.0425), coulomb(0.0370));

inline constexpr auto true_arm = [] {
  auto arm = example::arm;
  for (Link& link : arm.links) true_rotor.apply(link);
  arm.links[1].mass_kg = 1.02;
  return arm;
}();
inline constexpr auto true_ground = environment(half_space("ground", material(friction(0.48, 0.28))));

// 500 lines on each motor's shaft, four edges each, before a gear of 120.
inline constexpr float kRadPerCount = 2.0F * 3.14159265F / (500.0F * 4.0F * 120.0F);

class Arm {
 public:
  using Angles = std::array<float, 2>;

  Status start(const Angles& angles_rad) noexcept {
    State<true_arm, float> state = zero_state<true_arm, float>();
    state.q << angles_rad[0], angles_rad[1];
    return simulation_.reset(state);
  }

  // A millisecond under these voltages.
  Status live(const Angles& volts) noexcept {
    constexpr int kSteps = 4;
    constexpr float kStep_s = 1e-3F / kSteps;
    const Command<true_arm, float> command{volts[0], volts[1]};
    impulse_Ns_ = 0;
    for (int i = 0; i < kSteps; ++i) {
      if (const Status status = simulation_.step(command, kStep_s); status != Status::ok) return status;
      const auto& contacts = simulation_.contact_report();
      for (int c = 0; c < contacts.count; ++c) impulse_Ns_ += contacts[c].normal_N * kStep_s;
    }
    return Status::ok;
  }

  // The middle of the count that each joint is in.
  Angles read_encoders_rad() const noexcept {
    constexpr std::int32_t kTurn = 240'000;  // counts; keeps the number positive, so that the cast rounds down
    Angles angles{};
    for (int i = 0; i < 2; ++i) {
      const auto counts = static_cast<std::int32_t>(simulation_.state().q[i] / kRadPerCount + kTurn) - kTurn;
      angles[static_cast<std::size_t>(i)] = (static_cast<float>(counts) + 0.5F) * kRadPerCount;
    }
    return angles;
  }

  // What the ground gave in the last millisecond, all corners together. No real arm tells this: it is here to be compared with.
  float impulse_Ns() const noexcept { return impulse_Ns_; }

 private:
  Predictor<true_arm, float, Contacts<true_ground, 4>> simulation_;
  float impulse_Ns_ = 0;
};

}  // namespace plant
