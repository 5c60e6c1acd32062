// SPDX-License-Identifier: MIT
// From a robot description, whatever file it came from, to the C++ header that a firmware includes: a readable constexpr
// robot with the names as given and the units beside the numbers. Host only.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace kinecast::host {

using Triple = std::array<double, 3>;

struct LinkDescription {
  enum class Joint { revolute, prismatic, spherical, floating, fixed };
  std::string name;
  int parent{-1};  // index among the links listed before it; -1: the world
  Joint joint{Joint::fixed};
  Triple axis{0, 0, 1};                                               // unit vector, link frame
  std::array<Triple, 3> rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // rows; link axes to parent axes at q = 0
  Triple position_m{};                                                // link origin in the parent frame
  double mass_kg{0};                                                  // 0: no inertia at all
  Triple com_m{};                                                     // link frame
  std::array<Triple, 3> inertia_kgm2{};                               // about the centre of mass, link axes
  double rotor_inertia_kgm2{0};                                       // reflected to the joint
};

struct PointDescription {
  std::string name;
  int link{-1};
  Triple position_m{};
};

struct Description {
  std::string name;
  Triple gravity_mps2{0, 0, -9.80665};
  std::vector<LinkDescription> links;
  std::vector<PointDescription> points;
};

// The shortest decimal text that reads back as the same double (at most 17 digits), in every locale with a point.
[[nodiscard]] std::string number(double value);

// A valid C++ name close to the given one: "7R" becomes "robot_7R", "left arm" becomes "left_arm".
[[nodiscard]] std::string identifier(const std::string& name);

// `inline constexpr auto <identifier> = …`, to be placed in a namespace of its own. Throws std::invalid_argument, with a
// sentence that names the link, for what the text could not say: a number that is not finite, a parent that is not listed
// before its child, two links of one name, an inertia that is not symmetric. All other rules the compiler checks.
[[nodiscard]] std::string emit_robot(const Description& robot);

// A complete header with these robots in the given namespace; `origin` says in its first lines where they come from.
[[nodiscard]] std::string emit_header(const std::vector<Description>& robots, const std::string& name_space,
                                      const std::string& origin);

}  // namespace kinecast::host
