// SPDX-License-Identifier: MIT
// From a robot description, whatever file it came from, to the C++ header that a firmware includes: a readable constexpr
// robot with the names as given and the units beside the numbers. Host only.
#pragma once

#include "description.hpp"

#include <string>
#include <vector>

namespace kinecast::host {

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
