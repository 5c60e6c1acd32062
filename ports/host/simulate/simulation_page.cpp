// SPDX-License-Identifier: MIT
#include "simulation_page.hpp"

#include "../text/html.hpp"
#include "../text/player.hpp"
#include "carried_space_view.hpp"
#include "simulation_data.hpp"
#include "simulation_plots.hpp"

namespace kinecast::host {
namespace {

constexpr char kThreeLicence[] = R"(/*
@license three.js and its OrbitControls, https://threejs.org, MIT licence:
Copyright © 2010-2019 three.js authors

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
*/
)";

std::string plots_html(const Record& record) {
  std::string out;
  for (const Plot& plot : simulation_plots(record)) {
    out += "<h2>" + plot.title + "</h2>\n";
    if (!plot.says.empty()) out += "<p>" + plot.says + "</p>\n";
    out += plot_over_time(plot.svg);
  }
  return out;
}

std::string tables_html(const Record& record) {
  std::string out;
  if (!record.figures.empty()) {
    std::string rows;
    for (const auto& [name, value] : record.figures) rows += row({name, value}, "td");
    out += "<h2>Figures</h2>\n" + table(rows);
  }
  if (!record.notes.empty()) {
    out += "<h2>Notes</h2>\n<ul>\n";
    for (const std::string& note : record.notes) out += "<li>" + escaped(note) + "</li>\n";
    out += "</ul>\n";
  }
  return out;
}

}  // namespace

std::string simulation_page(const Record& record) {
  const View space{"space", kSpaceViewStyle, {std::string(kThreeLicence) + kThree, kOrbitControls, kSpaceViewScript}};
  return document(
      record.title,
      played_html(space, {{"simulation", "", tables_html(record) + plots_html(record), simulation_data(record)}}) +
          "<h2>Made by</h2>\n<pre>" + escaped(record.command_line) +
          "</pre>\n<p>The view is drawn by three.js (MIT licence, in this page).</p>\n");
}

}  // namespace kinecast::host
