// SPDX-License-Identifier: MIT
// The quadruped of board_examples/quadruped_stance and of `kinecast show quadruped`: 14 kg, a trunk that floats and
// four legs of three joints, 18 degrees of freedom, on spherical feet. Each joint has a motor with a gear of 9, with
// friction, and stops. x points forward, y to the left, z up; at zero the legs are straight down, positive pitch
// swings a leg backward, knees bend with negative angles. In front of it lies a plate of 20 mm.
#pragma once

#include <kinecast/model/environment/environment.hpp>
#include <kinecast/model/robot.hpp>

namespace example {

using namespace kinecast;

inline constexpr int kLegs =
    4;  // front left, front right, hind left, hind right; a foot is the contact point of this number
inline constexpr int kJoints = 3;  // of a leg: hip, thigh, shank

inline constexpr double kHipX_m = 0.2;
inline constexpr double kHipY_m = 0.12;
inline constexpr double kThigh_m = 0.2;
inline constexpr double kShank_m = 0.2;
inline constexpr double kFoot_m = 0.02;  // radius

inline constexpr double kTrunk_kg = 8;

// A rod-like limb that hangs below its joint.
constexpr auto limb(double kg, double length_m) noexcept {
  const double across = kg * (length_m * length_m / 12 + 2e-4);
  return body(kg, com(0, 0, -0.5 * length_m), inertia(across, across, kg * 4e-4));
}

// `motor`: the words for every joint's drive.
template <class Motor>
constexpr auto make_quadruped(double trunk_kg, const Motor& motor) noexcept {
  const auto drive = gear(ratio(9));
  const auto hip = [&](std::string_view name, double front, double left) {
    return link(name, on("trunk"), revolute(kAxisX), at(front * kHipX_m, left * kHipY_m, 0), drive, motor,
                body(0.5, com(0, 0, 0), inertia(6e-4, 6e-4, 6e-4)), limits(-0.8, 0.8));
  };
  const auto thigh = [&](std::string_view name, std::string_view parent) {
    return link(name, on(parent), revolute(kAxisY), drive, motor, limb(0.8, kThigh_m), limits(-1, 2.5));
  };
  const auto shank = [&](std::string_view name, std::string_view parent) {
    return link(name, on(parent), revolute(kAxisY), at(0, 0, -kThigh_m), drive, motor, limb(0.2, kShank_m),
                limits(-2.6, -0.4));
  };
  const auto foot = [](std::string_view name, std::string_view parent) {
    return contact_sphere(name, on(parent), at(0, 0, -kShank_m), radius(kFoot_m));
  };
  return robot("quadruped", link("trunk", floating(), body(trunk_kg, com(0, 0, 0), inertia(0.04, 0.12, 0.14))),
               hip("front left hip", 1, 1), thigh("front left thigh", "front left hip"),
               shank("front left shank", "front left thigh"),  //
               hip("front right hip", 1, -1), thigh("front right thigh", "front right hip"),
               shank("front right shank", "front right thigh"),  //
               hip("hind left hip", -1, 1), thigh("hind left thigh", "hind left hip"),
               shank("hind left shank", "hind left thigh"),  //
               hip("hind right hip", -1, -1), thigh("hind right thigh", "hind right hip"),
               shank("hind right shank", "hind right thigh"),  //
               foot("front left", "front left shank"), foot("front right", "front right shank"),
               foot("hind left", "hind left shank"), foot("hind right", "hind right shank"));
}

inline constexpr auto quadruped =
    make_quadruped(kTrunk_kg, at_motor(rotor_inertia(3e-5), coulomb(0.02), stiction(0.025), viscous(5e-4)));

inline constexpr int kPlate = 1;           // number of the surface
inline constexpr double kPlateX_m = 0.37;  // its middle
inline constexpr double kPlateLength_m = 0.2;
inline constexpr double kPlateHeight_m = 0.02;
constexpr auto make_world(double at_rest, double sliding) noexcept {
  const auto grip = material(friction(at_rest, sliding));
  return environment(half_space("ground", grip), box("plate", at(kPlateX_m, 0, 0.5 * kPlateHeight_m),
                                                     size(kPlateLength_m, 0.6, kPlateHeight_m), grip));
}
inline constexpr auto world = make_world(0.8, 0.7);

}  // namespace example
