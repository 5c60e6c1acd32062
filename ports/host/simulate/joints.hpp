// SPDX-License-Identifier: MIT
// Where each joint of a description stands in q and in dq, as the library orders them, with names and units for people.
#pragma once

#include "../robot/description.hpp"

#include <string>
#include <vector>

namespace kinecast::host {

struct JointPlace {
  int link{-1};  // that it carries
  int q{0};      // its first entry
  int v{0};
  std::string name{};

  [[nodiscard]] bool is_single(const Description& robot) const {
    const auto kind = robot.links[static_cast<std::size_t>(link)].joint;
    return kind == LinkDescription::Joint::revolute || kind == LinkDescription::Joint::prismatic;
  }
};

struct Coordinate {
  std::string name;
  std::string unit;
};

struct Joints {
  std::vector<JointPlace> places;          // those that move, in order
  std::vector<Coordinate> positions;       // one an entry of q
  std::vector<Coordinate> velocities;      // one a degree of freedom
  std::vector<std::string> command_units;  // empty: cannot be commanded
  std::vector<std::string> torque_units;
};

[[nodiscard]] Joints joints_of(const Description& robot);

}  // namespace kinecast::host
