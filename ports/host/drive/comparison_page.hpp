// SPDX-License-Identifier: MIT
// The result of a comparison as one HTML page that needs nothing else: no network, no second file, and
// no script unless scenes are in it.
#pragma once

#include "drive_file.hpp"
#include "scores.hpp"

#include <string>
#include <vector>

namespace kinecast::host {

struct Comparison {
  const DriveFile& drive;
  const Log& log;
  std::vector<Score> scores;
  std::vector<std::string> notes;
  std::string command_line;
  std::string svg;
  std::string scenes;  // HTML from scenes_html(), or empty
};

[[nodiscard]] std::string comparison_page(const Comparison& comparison);

}  // namespace kinecast::host
