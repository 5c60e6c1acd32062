// SPDX-License-Identifier: MIT
// A URDF, a drives file and the choice of contact points become one description of a robot, with everything that its user should
// know about it. Throws Failure, which names the file, the line and the link or joint, for what cannot be a robot.
#pragma once

#include "description.hpp"

#include <string>
#include <vector>

namespace kinecast::host {

enum class Base { fixed, floating };

struct ImportOptions {
  std::string urdf;
  Base base{Base::fixed};
  std::string drives{};          // a drives.json; empty: what the URDF says of its joints
  std::string contacts{"auto"};  // "auto", "none" or a contacts.json
};

struct ImportedRobot {
  Description robot;
  std::string identifier;  // its C++ name: robots::<identifier>
  std::vector<std::string>
      notes{};         // what was taken over otherwise than a reader of the URDF might expect; a sentence each
  std::string hash{};  // FNV-1a of all files that it was made of, 16 hexadecimal digits
};

[[nodiscard]] ImportedRobot import_robot(const ImportOptions& options);

// The header that a firmware includes: robots::<identifier>, robots::<identifier>_joint::<joint> (the joint's index in dq),
// robots::<identifier>_scalar. Its line "// kinecast robot: robots::<identifier>, <scalar>" is for `kinecast new`.
[[nodiscard]] std::string header_of(const ImportedRobot& imported, const std::string& scalar,
                                    const std::string& command_line);

}  // namespace kinecast::host
