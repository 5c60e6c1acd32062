// SPDX-License-Identifier: MIT
// A header with a robot in it, as `kinecast import` writes it or a person: its text, and what the robot in it is called.
#pragma once

#include <string>

namespace kinecast::host {

struct GivenRobot {
  std::string text;
  std::string name;             // "robots::panda"
  std::string scalar{"float"};  // that the header was made for
};

// The name is `robot_name`, or if that is empty the one in the header's line "// kinecast robot: robots::panda, float". Throws
// Failure for a file that cannot be read (bad_input), that has no such line, or for what is no C++ name (usage).
[[nodiscard]] GivenRobot read_given_robot(const std::string& file, const std::string& robot_name);

}  // namespace kinecast::host
