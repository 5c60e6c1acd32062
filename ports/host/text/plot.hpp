// SPDX-License-Identifier: MIT
// Curves over time, or over something else, drawn by gnuplot as SVG text: panels below each other with one axis.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kinecast::host {

enum class Stroke {
  line,
  full_marks,   // a dot at every point, no line
  empty_marks,  // a ring
};

struct Curve {
  std::string title;
  std::string colour;  // "#c03030"
  // Separate pieces: a line is not drawn from the end of one to the start of the next.
  struct Piece {
    std::vector<double> time_s, value;
  };
  std::vector<Piece> pieces;
  Stroke stroke{Stroke::line};
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

struct Axis {
  std::string title{"time, s"};
  double end{0};              // it begins at zero
  int panel_height{210};      // of 1000 wide
  std::string name{};         // begins the names inside of the SVG: no two may be the same in a page
  std::size_t buckets{1200};  // of a longer curve, each leaves its first, lowest and highest point
};

// Where the axis begins and ends, in parts of the picture's width: a page that marks an instant needs it.
inline constexpr double kPlotLeft = 0.1;
inline constexpr double kPlotRight = 0.98;

// Throws Failure if gnuplot is missing or fails.
[[nodiscard]] std::string plot_svg(const std::vector<Panel>& panels, const Axis& axis);
[[nodiscard]] inline std::string plot_svg(const std::vector<Panel>& panels, double duration_s) {
  return plot_svg(panels, Axis{"time, s", duration_s, 210, ""});
}

}  // namespace kinecast::host
