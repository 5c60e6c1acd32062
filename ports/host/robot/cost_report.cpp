// SPDX-License-Identifier: MIT
#include "cost_report.hpp"

#include "../text/text.hpp"

#include <cmath>

namespace kinecast::host {
namespace {

constexpr std::size_t kNameWidth = 12;
constexpr std::size_t kFigureWidth = 13;

std::string left(const std::string& text, std::size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text + " ";
}
std::string right(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : " " + text;
}

std::string whole(double value) { return std::to_string(static_cast<long long>(std::llround(value))); }

// More digits than the fit is good for would be no digits.
std::string about(double value) { return whole(parse_number(rounded(value, 3)).value_or(value)); }

std::string row(const std::string& first, const std::string& second, const std::vector<std::string>& figures) {
  std::string out = "  " + left(first, kNameWidth) + left(second, kNameWidth);
  for (const std::string& figure : figures) out += right(figure, kFigureWidth);
  return out;
}

double figure(const Cost& cost, Metric metric) { return cost[static_cast<std::size_t>(metric)]; }

std::string room(const Cost& cost, const Core& core) {
  std::string out;
  if (figure(cost, Metric::ram) + figure(cost, Metric::stack) > core.ram_B)
    out += "  does not fit: the board has " + whole(core.ram_B) + " B of RAM";
  if (figure(cost, Metric::flash) > core.flash_B)
    out += "  does not fit: the board has " + whole(core.flash_B) + " B of flash";
  return out;
}

std::vector<std::string> measured_figures(const std::map<std::string, double>& costs) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < kMetrics; ++i) {
    const auto found = costs.find(metric_name(static_cast<Metric>(i)));
    out.push_back(found == costs.end() ? "unknown" : whole(found->second));
  }
  return out;
}

std::string table(const Features& features, const std::vector<Core>& cores, const MeasuredCosts* measured) {
  std::string out = row("core", "board", {"instructions", "stack B", "RAM B", "flash B"}) + "\n";
  for (const Core& core : cores) {
    const Cost cost = predict_cost(features, core);
    std::vector<std::string> figures;
    for (const double value : cost) figures.push_back(about(value));
    out += row(core.name, core.board, figures) + room(cost, core) + "\n";
    if (measured == nullptr || measured->count(core.board) == 0) continue;
    figures = measured_figures(measured->at(core.board));
    out += row("", "measured", figures) + "\n";
  }
  return out;
}

// Rounded up: the error is no less than said.
std::string percent(Metric metric) { return rounded(std::ceil(1000 * figure(fit_errors(), metric)) / 10, 3) + " %"; }

std::string caution(const RobotCounts& c) {
  std::string out =
      "Predicted within ± " + percent(Metric::instructions) + " (instructions), " + percent(Metric::stack) +
      " (stack), " + percent(Metric::ram) + " (RAM) and " + percent(Metric::flash) +
      " (flash) on the robots that the prediction was fitted to; others, small ones above all, can be further off.";
  if (c.dofs > most_fitted_dofs())
    out += " They have at most " + std::to_string(most_fitted_dofs()) + " degrees of freedom; this one has " +
           std::to_string(c.dofs) + ".";
  if (c.other_drives > 0) out += " They are torque-driven; motors and given velocities cost somewhat more or less.";
  return out + " --measure builds the firmware and counts.\n";
}

}  // namespace

Touching touching_of(const RobotCounts& counts) {
  return counts.floating > 0 && counts.points > 0 ? Touching::ground : Touching::nothing;
}

std::string cost_report(const RobotCounts& c, const std::vector<Core>& cores, const MeasuredCosts& measured) {
  const bool touches = touching_of(c) == Touching::ground;
  std::string out = "A firmware of `kinecast new`, in float, per step; nothing touches:\n" +
                    table(cost_features(c, Touching::nothing), cores, touches ? nullptr : &measured);
  if (touches) {
    const TouchingRange range = touching_range();
    out += "\nWith contacts, up to " + std::to_string(most_contacts(c)) +
           " at once; instructions of a step before anything touches:\n" +
           table(cost_features(c, Touching::ground), cores, nullptr);
    out += "The most expensive step that touches took " + rounded(range.least, 2) + " to " + rounded(range.most, 2) +
           " times as many instructions on those robots: it depends on the motion.\n";
    if (!measured.empty()) {
      out += "Measured, the most expensive step of a fall to the ground:\n";
      for (const auto& [board, costs] : measured) {
        out += row("", board, measured_figures(costs)) + "\n";
      }
    }
  } else if (c.points > 0) {
    out +=
        "Its contact points cost nothing until the Predictor gets Contacts<...> (kTouches in the firmware's "
        "main.cpp).\n";
  }
  return out + caution(c);
}

}  // namespace kinecast::host
