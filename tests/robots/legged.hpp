// SPDX-License-Identifier: MIT
// Robots that stand on the ground: a biped of 14 degrees of freedom on the corners of its soles, whose knees have stops and
// whose hips and ankles have dry friction; a quadruped of 18 on spherical feet, with stops and a geared drive with friction at
// every joint, or with neither. x is forward, y to the left.
#pragma once

#include <kinecast/model/robot.hpp>

namespace robots {

namespace detail {
// A rod-like limb of mass m and length l that hangs below its joint.
constexpr auto hanging(double m, double l) {
  using namespace kinecast;
  return body(m, com(0, 0, -0.5 * l), inertia(m * (l * l / 12 + 2e-4), m * (l * l / 12 + 2e-4), m * 4e-4));
}
}  // namespace detail

struct BipedSizes {
  double thigh_m{0.3};
  double shank_m{0.3};
  double sole_m{0.06};  // below the ankle
};
constexpr auto make_biped() {
  using namespace kinecast;
  constexpr BipedSizes kSizes{};
  const auto dry = at_joint(coulomb(0.5), stiction(0.7));
  const auto hip = [&](std::string_view name, double side) {
    return link(name, on("pelvis"), revolute(kAxisX), at(0, 0.1 * side, 0), detail::hanging(1, 0.1), dry);
  };
  const auto thigh = [&](std::string_view name, std::string_view parent) {
    return link(name, on(parent), revolute(kAxisY), detail::hanging(3, kSizes.thigh_m));
  };
  const auto shank = [&](std::string_view name, std::string_view parent) {
    return link(name, on(parent), revolute(kAxisY), at(0, 0, -kSizes.thigh_m), detail::hanging(2, kSizes.shank_m),
                limits(0.05, 2.3));
  };
  const auto foot = [&](std::string_view name, std::string_view parent) {
    return link(name, on(parent), revolute(kAxisY), at(0, 0, -kSizes.shank_m),
                body(0.8, com(0.02, 0, -0.03), inertia(0.0008, 0.002, 0.0022)), dry, limits(-1, 1));
  };
  const auto sole = [&](std::string_view parent) {  // its upper corners touch the ground when the robot has fallen
    return contact_box(on(parent), at(0.03, 0, -0.5 * kSizes.sole_m), size(0.2, 0.1, kSizes.sole_m));
  };
  return robot("biped", link("pelvis", floating(), body(12, com(0, 0, 0.15), inertia(0.3, 0.25, 0.15))),
               hip("left hip", 1), thigh("left thigh", "left hip"), shank("left shank", "left thigh"),
               foot("left foot", "left shank"), hip("right hip", -1), thigh("right thigh", "right hip"),
               shank("right shank", "right thigh"), foot("right foot", "right shank"), sole("left foot"),
               sole("right foot"));
}
inline constexpr auto biped = make_biped();

struct QuadrupedSizes {
  double hip_x_m{0.2};
  double hip_y_m{0.12};
  double thigh_m{0.2};
  double shank_m{0.2};
  double foot_m{0.02};  // radius
};
// Legs in the order front left, front right, hind left, hind right; the feet are contact points 0 to 3 in this order, the lower
// corners of the trunk 4 to 7. `joint(lower, upper, make_link)` calls
// make_link() with what a joint has beside its axis: drive and stops.
template <class Joint>
constexpr auto make_quadruped(const Joint& joint) {
  using namespace kinecast;
  constexpr QuadrupedSizes kSizes{};
  const auto hip = [&](std::string_view name, double x, double y) {
    return joint(-0.8, 0.8, [&](const auto&... drive) {
      return link(name, on("trunk"), revolute(kAxisX), at(x * kSizes.hip_x_m, y * kSizes.hip_y_m, 0),
                  body(0.5, com(0, 0, 0), inertia(6e-4, 6e-4, 6e-4)), drive...);
    });
  };
  const auto thigh = [&](std::string_view name, std::string_view parent) {
    return joint(-1, 2.5, [&](const auto&... drive) {
      return link(name, on(parent), revolute(kAxisY), detail::hanging(0.8, kSizes.thigh_m), drive...);
    });
  };
  const auto shank = [&](std::string_view name, std::string_view parent) {
    return joint(-2.6, -0.4, [&](const auto&... drive) {
      return link(name, on(parent), revolute(kAxisY), at(0, 0, -kSizes.thigh_m), detail::hanging(0.2, kSizes.shank_m),
                  drive...);
    });
  };
  const auto foot = [&](std::string_view name, std::string_view parent) {
    return contact_sphere(name, on(parent), at(0, 0, -kSizes.shank_m), radius(kSizes.foot_m));
  };
  return robot("quadruped", link("trunk", floating(), body(8, com(0, 0, 0), inertia(0.04, 0.12, 0.14))),  //
               hip("fl hip", 1, 1), thigh("fl thigh", "fl hip"), shank("fl shank", "fl thigh"),           //
               hip("fr hip", 1, -1), thigh("fr thigh", "fr hip"), shank("fr shank", "fr thigh"),          //
               hip("hl hip", -1, 1), thigh("hl thigh", "hl hip"), shank("hl shank", "hl thigh"),          //
               hip("hr hip", -1, -1), thigh("hr thigh", "hr hip"), shank("hr shank", "hr thigh"),         //
               foot("fl foot", "fl shank"), foot("fr foot", "fr shank"), foot("hl foot", "hl shank"),
               foot("hr foot", "hr shank"), contact_point("fl corner", on("trunk"), at(0.25, 0.1, -0.06)),
               contact_point("fr corner", on("trunk"), at(0.25, -0.1, -0.06)),
               contact_point("hl corner", on("trunk"), at(-0.25, 0.1, -0.06)),
               contact_point("hr corner", on("trunk"), at(-0.25, -0.1, -0.06)));
}
inline constexpr auto quadruped = make_quadruped([](double lower, double upper, const auto& make_link) {
  using namespace kinecast;
  return make_link(gear(ratio(9)), at_motor(rotor_inertia(3e-5), coulomb(0.02), stiction(0.025), viscous(5e-4)),
                   limits(lower, upper));
});
// The same body with nothing at its joints.
inline constexpr auto bare_quadruped =
    make_quadruped([](double /*lower*/, double /*upper*/, const auto& make_link) { return make_link(); });

}  // namespace robots
