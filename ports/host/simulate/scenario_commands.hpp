// SPDX-License-Identifier: MIT
// The "commands" of a scenario: what each joint is told over time, in the unit of its drive.
#pragma once

#include "scenario.hpp"

#include <functional>

namespace kinecast::host {

struct CommandContext {
  const Description& robot;
  const Joints& joints;
  double duration_s;
  std::function<std::string(const std::string&)> beside;  // a path of the file as this program must open it
};

// Adds to out.commands, out.notes and out.inputs.
void read_commands(const JsonTable& top, const CommandContext& context, Scenario& out);

}  // namespace kinecast::host
