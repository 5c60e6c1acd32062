// SPDX-License-Identifier: MIT
// Recorded scenes as HTML: animated side views with their measured figures, by themselves or as a part of another page.
#pragma once

#include "scenes.hpp"

#include <string>
#include <utility>
#include <vector>

namespace kinecast::host {

// What was measured in a scene, as words and numbers.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> figures_of(const Recording& recording);

// Sections, data, style and script; goes into a page once.
[[nodiscard]] std::string scenes_html(const std::vector<Recording>& recordings);

[[nodiscard]] std::string scenes_page(const std::vector<Recording>& recordings, const std::string& command_line);

}  // namespace kinecast::host
