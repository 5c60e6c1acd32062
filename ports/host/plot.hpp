// SPDX-License-Identifier: MIT
// Curves over time, drawn by gnuplot as SVG text: panels below each other with one time axis.
#pragma once

#include <string>
#include <vector>

namespace kinecast::host {

struct Curve {
  std::string title;
  std::string colour;  // "#c03030"
  // Separate pieces: a line is not drawn from the end of one to the start of the next.
  struct Piece {
    std::vector<double> time_s, value;
  };
  std::vector<Piece> pieces;
};

// Times between two instants, drawn as bars in one lane.
struct Bars {
  std::string title;
  std::string colour;
  std::vector<std::pair<double, double>> from_to_s;
};

struct Panel {
  std::string axis;  // "angle, rad"
  std::vector<Curve> curves;
  std::vector<Bars> lanes;  // instead of curves
};

// Throws Failure if gnuplot is missing or fails.
[[nodiscard]] std::string plot_svg(const std::vector<Panel>& panels, double duration_s);

}  // namespace kinecast::host
