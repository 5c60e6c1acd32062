// SPDX-License-Identifier: MIT
// A simulation as one HTML page that needs nothing else: an animated three-dimensional view (three.js, inside the page) and plots
// of joint positions, torques, contact forces and energies.
#pragma once

#include "record.hpp"

#include <string>

namespace kinecast::host {

[[nodiscard]] std::string simulation_page(const Record& record);

}  // namespace kinecast::host
