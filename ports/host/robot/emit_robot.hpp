// SPDX-License-Identifier: MIT
// From a robot description, whatever file it came from, to the C++ header that a firmware includes: a readable constexpr
// robot with the names as given and the units beside the numbers. Host only.
#pragma once

#include "cpp_text.hpp"
#include "description.hpp"

#include <string>
#include <vector>

namespace kinecast::host {

// `inline constexpr auto <identifier> = …`, to be placed in a namespace of its own. Throws std::invalid_argument, with a
// sentence that names the link, for what the text could not say: a number that is not finite, a parent that is not listed
// before its child, two links of one name, an inertia that is not symmetric. All other rules the compiler checks.
// Its name is that of the robot, or the one that is given.
[[nodiscard]] std::string emit_robot(const Description& robot);
[[nodiscard]] std::string emit_robot(const Description& robot, const std::string& cpp_name);

// Entries of dq that a joint takes.
[[nodiscard]] int dofs_of(LinkDescription::Joint joint);

// What the numbers of an emitted robot mean: comment lines.
[[nodiscard]] std::string units_comment();

// A complete header with these robots in the given namespace; `origin` says in its first lines where they come from.
[[nodiscard]] std::string emit_header(const std::vector<Description>& robots, const std::string& name_space,
                                      const std::string& origin);

}  // namespace kinecast::host
