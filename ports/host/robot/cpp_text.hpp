// SPDX-License-Identifier: MIT
// Numbers, names and texts as C++ source has them, the same in every locale.
#pragma once

#include <string>

namespace kinecast::host {

// The shortest decimal text that reads back as the same double (at most 17 digits), in every locale with a point.
[[nodiscard]] std::string number(double value);

// A valid C++ name close to the given one: "7R" becomes "robot_7R", "left arm" becomes "left_arm", "class" becomes "class_".
[[nodiscard]] std::string identifier(const std::string& name, const std::string& prefix = "robot_");

// A string literal.
[[nodiscard]] std::string quoted(const std::string& text);

}  // namespace kinecast::host
