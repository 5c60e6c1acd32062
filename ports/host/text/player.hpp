// SPDX-License-Identifier: MIT
// Recordings that play on a page: player.js gives each of them a stage, controls and cursors on its plots, and a view
// draws the stage. No names of robots can break out of the page.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace kinecast::host {

// What draws a stage: a class in kinecast.views (player.js says what it has).
struct View {
  std::string name;
  std::string style;                 // CSS
  std::vector<std::string> scripts;  // the last one defines it, those before are what it needs
};

struct Played {
  std::string name;             // one in a page
  std::string above;            // HTML before the stage
  std::string below;            // HTML after the controls; plot_over_time() is one with a cursor
  nlohmann::ordered_json data;  // what the view draws; duration_s, and frames that begin with their time
};

// Sections, data, style and scripts; goes into a page once.
[[nodiscard]] std::string played_html(const View& view, const std::vector<Played>& recordings);

// A plot of plot_svg() over the time of its recording, which a cursor follows.
[[nodiscard]] std::string plot_over_time(const std::string& svg);

// To 1e-5 of the unit (0.01 mm, 0.01 mN): finer than a pixel, and short in the page. Adding zero makes -0 a 0.
[[nodiscard]] double short_form(double value);

}  // namespace kinecast::host
