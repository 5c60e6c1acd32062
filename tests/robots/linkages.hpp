// SPDX-License-Identifier: MIT
// Linkages that a loop closes, in the plane of x and z, all hinges about y: a Grashof four-bar whose crank turns all the way
// round, and a parallelogram whose coupler stays level. Closed at q = 0.
#pragma once

#include <kinecast/model/robot.hpp>

namespace robots {

// A bar of this mass and length along its z axis; thin in the other directions.
[[nodiscard]] constexpr auto bar_body(double mass, double length) noexcept {
  const double moment = mass * length * length / 12 + 1e-5;
  return kinecast::body(mass, kinecast::com(0, 0, 0.5 * length), kinecast::inertia(moment, moment, 1e-5));
}

// The crank's pivot is the origin, the rocker's lies 0.4 m beside it. What the crank's hinge has besides, and whatever else.
struct FourBarSizes {
  double crank_m{0.1};
  double ground_m{0.4};
  double coupler_x_m{0.4};  // from the crank's end to the pin, in the coupler
  double coupler_z_m{0.2};
  double rocker_m{0.3};
  double crank_kg{0.3};
  double coupler_kg{0.5};
  double rocker_kg{0.4};
  double coupler_kgm2{0.5 * 0.45 * 0.45 / 12 + 1e-5};
};
inline constexpr FourBarSizes kFourBar{};

template <class... Words>
[[nodiscard]] constexpr auto four_bar_with(const Words&... at_crank) noexcept {
  using namespace kinecast;
  constexpr FourBarSizes s{};
  return robot(
      "four-bar", link("crank", on("world"), revolute(kAxisY), bar_body(s.crank_kg, s.crank_m), at_crank...),
      link("coupler", on("crank"), at(0, 0, s.crank_m), revolute(kAxisY),
           body(s.coupler_kg, com(0.5 * s.coupler_x_m, 0, 0.5 * s.coupler_z_m),
                inertia(s.coupler_kgm2, s.coupler_kgm2, 1e-3))),
      link("rocker", on("world"), at(s.ground_m, 0, 0), revolute(kAxisY), bar_body(s.rocker_kg, s.rocker_m)),
      closure("pin", point_of("coupler", s.coupler_x_m, 0, s.coupler_z_m), point_of("rocker", 0, 0, s.rocker_m)));
}
inline constexpr auto four_bar = four_bar_with();

// Two upright bars of 0.2 m, 0.3 m apart, and a coupler on them that stays level: x of its centre of mass does not matter to the
// motion, for all its points move alike. A foot below the coupler. The rocker's words.
inline constexpr double kParallelBar_m = 0.2;
inline constexpr double kParallelCoupler_m = 0.3;
inline constexpr double kParallelBar_kg = 0.4;
inline constexpr double kParallelCoupler_kg = 0.7;
template <class... Words>
[[nodiscard]] constexpr auto parallelogram_with(const Words&... at_rocker) noexcept {
  using namespace kinecast;
  return robot("parallelogram", link("crank", on("world"), revolute(kAxisY), bar_body(kParallelBar_kg, kParallelBar_m)),
               link("coupler", on("crank"), at(0, 0, kParallelBar_m), revolute(kAxisY),
                    body(kParallelCoupler_kg, com(0.1, 0, 0.02), inertia(0.002, 0.006, 0.006))),
               link("rocker", on("world"), at(kParallelCoupler_m, 0, 0), revolute(kAxisY),
                    bar_body(kParallelBar_kg, kParallelBar_m), at_rocker...),
               closure("pin", point_of("coupler", kParallelCoupler_m, 0, 0), point_of("rocker", 0, 0, kParallelBar_m)),
               contact_point("foot", on("coupler"), at(0.2, 0, -0.05)));
}

}  // namespace robots
