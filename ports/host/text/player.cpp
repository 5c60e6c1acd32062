// SPDX-License-Identifier: MIT
#include "player.hpp"

#include "carried_player.hpp"
#include "html.hpp"
#include "plot.hpp"
#include "text.hpp"

#include <cmath>

namespace kinecast::host {
namespace {

std::string script(const std::string& text) { return "<script>\n" + text + "\n</script>\n"; }

// JSON may stand in a script element where no "<" can end the element.
std::string json_script(const nlohmann::ordered_json& data) {
  std::string out;
  for (const char c : data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace))
    c == '<' ? out += "\\u003c" : out += c;
  return "<script type=\"application/json\">" + out + "</script>\n";
}

}  // namespace

std::string played_html(const View& view, const std::vector<Played>& recordings) {
  std::string out = "<style>\n" + std::string(kPlayerStyle) + view.style + "</style>\n";
  for (const Played& recording : recordings)
    out += "<section class=\"player\" data-recording=\"" + escaped(recording.name) + "\" data-view=\"" + view.name +
           "\">\n" + recording.above +
           "<div class=\"stage\"><noscript><p>The animation needs JavaScript; the figures below do not.</p></noscript>"
           "</div>\n<div class=\"panel\"></div>\n" +
           recording.below + json_script(recording.data) + "</section>\n";
  out += script(kPlayerScript);
  for (const std::string& text : view.scripts) out += script(text);
  return out;
}

std::string plot_over_time(const std::string& svg) {
  return "<div class=\"wide\"><div class=\"plot\">\n" + svg +
         "\n<div class=\"axis\" style=\"left: " + rounded(100 * kPlotLeft, 4) +
         "%; right: " + rounded(100 * (1 - kPlotRight), 4) + "%\"></div></div></div>\n";
}

double short_form(double value) { return std::round(value * 1e5) / 1e5 + 0.0; }

}  // namespace kinecast::host
