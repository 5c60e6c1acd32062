// SPDX-License-Identifier: MIT
#include "figure.hpp"

#include <algorithm>
#include <cstdio>

#include "host/text/output_file.hpp"
#include "host/text/plot.hpp"
#include "host/text/text.hpp"

namespace support {
namespace {

// Told apart by people who see no red or no green.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#000000", "#999999"};

}  // namespace

Figure::Curve& Figure::curve(const std::string& axis, const std::string& title) {
  auto panel = std::find_if(panels_.begin(), panels_.end(), [&](const Panel& p) { return p.axis == axis; });
  if (panel == panels_.end()) panel = panels_.insert(panels_.end(), Panel{axis, {}});
  std::deque<Curve>& curves = panel->curves;
  auto found = std::find_if(curves.begin(), curves.end(), [&](const Curve& c) { return c.title == title; });
  if (found == curves.end()) found = curves.insert(curves.end(), Curve{title, {}, {}, kinecast::host::Stroke::line});
  return *found;
}

void Figure::write(const std::string& folder) const {
  using kinecast::host::rounded;
  std::string table = "panel,curve," + column_ + ",value\n";
  std::vector<kinecast::host::Panel> panels;
  kinecast::host::Axis axis = axis_;
  for (const Panel& from : panels_) {
    kinecast::host::Panel to{from.axis, {}, {}};
    for (const Curve& c : from.curves) {
      if (c.time_s.empty()) continue;
      for (std::size_t i = 0; i < c.value.size(); ++i)
        table +=
            '"' + from.axis + "\",\"" + c.title + "\"," + rounded(c.time_s[i], 9) + ',' + rounded(c.value[i], 9) + '\n';
      axis.end = std::max(axis.end, *std::max_element(c.time_s.begin(), c.time_s.end()));
      to.curves.push_back({c.title, kColours[to.curves.size() % std::size(kColours)], {{c.time_s, c.value}}, c.stroke});
    }
    panels.push_back(to);
  }
  const std::string file = folder + '/' + name_;
  kinecast::host::write_file(file + ".csv", table);
  kinecast::host::write_file(file + ".svg", kinecast::host::plot_svg(panels, axis) + '\n');
  std::printf("figure: %s.svg (data: %s.csv)\n", file.c_str(), file.c_str());
  for (const Figure& other : others_) other.write(folder);
}

}  // namespace support
