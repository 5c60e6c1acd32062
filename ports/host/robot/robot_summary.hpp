// SPDX-License-Identifier: MIT
// What a user wants to see of a robot before anything is compiled: its tree with masses, what the library will do with each joint,
// and the totals. Plain text.
#pragma once

#include "description.hpp"

#include <string>

namespace kinecast::host {

// Counts that decide what a step of the robot costs.
struct RobotCounts {
  int links{0};
  int bodies{0};  // what is left of the links when fixed joints are merged
  int dofs{0};
  int single_axis{0};
  int slides{0};  // those of them that slide
  int floating{0};
  int roots{0};            // bodies on the world
  int branches{0};         // bodies that are not the first on the one that carries them
  int drives{0};           // joints that are more than a torque as commanded
  int other_drives{0};     // those of them that take volts or a velocity
  int frictions{0};        // those of them with friction
  int dry{0};              // those of them with dry friction
  int limited{0};          // joints with stops
  int points{0};           // where it can touch
  int touching_bodies{0};  // those with points
  double mass_kg{0};
  double reach_m{0};  // along the links, from the root to the farthest joint or contact point
};

[[nodiscard]] RobotCounts count_parts(const Description& robot);

// "revolute about z, torque-driven up to 87 N.m, stops at -2.9 and 2.9 rad, …"; `dof` is its first index in dq.
[[nodiscard]] std::string joint_sentence(const Description& robot, std::size_t link, int dof);

// One line per link, children below their parents.
[[nodiscard]] std::string robot_tree(const Description& robot);

}  // namespace kinecast::host
