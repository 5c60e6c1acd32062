// SPDX-License-Identifier: MIT
// What a scenario shows: curves over time, or over another quantity, in panels below each other. With `--figure DIR` on the
// command line they are written as DIR/<name>.csv (panel, curve, time, value) and drawn as DIR/<name>.svg; without it they
// cost nothing but memory.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "host/text/plot.hpp"

namespace support {

class Figure {
 public:
  struct Curve {
    std::string title;
    std::vector<double> time_s, value;  // or whatever the figure is over
    kinecast::host::Stroke stroke{kinecast::host::Stroke::line};
    void add(double t, double y) { time_s.push_back(t), value.push_back(y); }
  };

  explicit Figure(std::string name) : name_(std::move(name)) {}

  // Not over time; `column` names it in the file. Panels of this height, on a width of 1000.
  void set_axis(const std::string& title, const std::string& column, int panel_height) {
    axis_.title = title;
    axis_.panel_height = panel_height;
    column_ = column;
  }

  // The curve of this title in the panel with this axis; new ones are added at the end. The reference stays good.
  [[nodiscard]] Curve& curve(const std::string& axis, const std::string& title);

  // A figure with a time axis of its own, written together with this one.
  [[nodiscard]] Figure& another(const std::string& name) { return others_.emplace_back(name); }

  // Says where. Throws with a sentence if gnuplot or the folder is missing.
  void write(const std::string& folder) const;

 private:
  struct Panel {
    std::string axis;
    std::deque<Curve> curves;
  };
  std::string name_;
  std::string column_{"t_s"};
  kinecast::host::Axis axis_;
  std::deque<Panel> panels_;
  std::deque<Figure> others_;
};

}  // namespace support
