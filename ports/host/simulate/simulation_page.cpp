// SPDX-License-Identifier: MIT
#include "simulation_page.hpp"

namespace kinecast::host {

std::string simulation_page(const Record& record) { return record.title; }

}  // namespace kinecast::host
