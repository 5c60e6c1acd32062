// SPDX-License-Identifier: MIT
#include "simulation_plots.hpp"

#include "../text/plot.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace kinecast::host {
namespace {

constexpr std::size_t kMostCurves = 7;   // of a panel
constexpr std::size_t kBuckets = 400;    // many curves, and every one in each page
constexpr std::size_t kMostPoints = 28;  // contact points with a curve of their own
constexpr std::array<const char*, kMostCurves> kColours{"#1f5fb4", "#d0501e", "#2a8a3a", "#9038a8",
                                                        "#b8860b", "#0f8f96", "#c02060"};

using Values = std::function<double(const Sample&)>;

struct Named {
  std::string name;
  Values values;
};

double value_at(const std::vector<double>& values, std::size_t index) {
  return index < values.size() ? values[index] : std::numeric_limits<double>::quiet_NaN();
}

Curve curve_of(const Record& record, const Named& named, std::size_t colour) {
  Curve::Piece piece;
  for (const Sample& sample : record.samples) {
    piece.time_s.push_back(sample.time_s);
    piece.value.push_back(named.values(sample));
  }
  return {named.name, kColours[colour], {piece}};
}

// Panels of about as many curves each.
std::vector<Panel> panels_of(const Record& record, const std::string& axis, const std::vector<Named>& all) {
  std::vector<Panel> out;
  const std::size_t panels = (all.size() + kMostCurves - 1) / kMostCurves;
  for (std::size_t p = 0; p < panels; ++p) {
    Panel panel{axis, {}, {}};
    for (std::size_t i = p * all.size() / panels; i < (p + 1) * all.size() / panels; ++i)
      panel.curves.push_back(curve_of(record, all[i], panel.curves.size()));
    out.push_back(panel);
  }
  return out;
}

// One group an axis ("position, rad"), in the order in which they first appear.
struct AxisGroups {
  std::vector<std::pair<std::string, std::vector<Named>>> groups;

  void add(const std::string& axis, Named named) {
    auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == axis; });
    if (found == groups.end()) found = groups.insert(groups.end(), {axis, {}});
    found->second.push_back(std::move(named));
  }

  [[nodiscard]] std::vector<Panel> panels(const Record& record) const {
    std::vector<Panel> out;
    for (const auto& [axis, all] : groups) {
      const std::vector<Panel> more = panels_of(record, axis, all);
      out.insert(out.end(), more.begin(), more.end());
    }
    return out;
  }
};

std::vector<Panel> positions(const Record& record) {
  AxisGroups groups;
  for (std::size_t i = 0; i < record.q_names.size(); ++i) {
    const std::string unit = i < record.q_units.size() ? record.q_units[i] : "";
    groups.add(unit.empty() ? "quaternion" : "position, " + unit,
               {record.q_names[i], [i](const Sample& sample) { return value_at(sample.q, i); }});
  }
  return groups.panels(record);
}

// One a degree of freedom: true where a force moves it and not a torque.
std::vector<bool> slides_along(const Description& robot) {
  using Joint = LinkDescription::Joint;
  std::vector<bool> out;
  for (const LinkDescription& link : robot.links) {
    if (link.joint == Joint::revolute || link.joint == Joint::prismatic) out.push_back(link.joint == Joint::prismatic);
    if (link.joint == Joint::spherical) out.insert(out.end(), 3, false);
    if (link.joint == Joint::floating) out.insert(out.end(), 6, false);
  }
  return out;
}

// Degrees of freedom that nothing drives and nothing brakes (a free base) have no curve.
std::vector<Panel> torques(const Record& record) {
  const std::vector<bool> along = slides_along(record.robot);
  AxisGroups groups;
  for (std::size_t i = 0; i < record.dq_names.size(); ++i) {
    const Values values = [i](const Sample& sample) { return value_at(sample.torque_Nm, i); };
    const bool acts = std::any_of(record.samples.begin(), record.samples.end(),
                                  [&](const Sample& sample) { return std::abs(values(sample)) > 0; });
    const bool is_driven = i < record.command_units.size() && !record.command_units[i].empty();
    if (acts || is_driven)
      groups.add(i < along.size() && along[i] ? "force, N" : "torque, N.m", {record.dq_names[i], values});
  }
  return groups.panels(record);
}

std::vector<Panel> commands(const Record& record) {
  AxisGroups groups;
  for (std::size_t i = 0; i < std::min(record.dq_names.size(), record.command_units.size()); ++i)
    if (!record.command_units[i].empty())
      groups.add("command, " + record.command_units[i],
                 {record.dq_names[i], [i](const Sample& sample) { return value_at(sample.command, i); }});
  return groups.panels(record);
}

double normal_N(const ContactSample& contact) { return contact.normal_N; }

std::vector<std::string> contact_names(const Record& record) {
  std::vector<std::string> out;
  for (const Sample& sample : record.samples)
    for (const ContactSample& contact : sample.contacts)
      if (std::find(out.begin(), out.end(), contact.point) == out.end()) out.push_back(contact.point);
  return out;
}

std::vector<Panel> contact_forces(const Record& record) {
  const std::vector<std::string> names = contact_names(record);
  if (names.empty()) return {};
  const auto sum = [](const Sample& sample, const auto& part) {
    double out = 0;
    for (const ContactSample& contact : sample.contacts) out += part(contact);
    return out;
  };
  const std::vector<Named> sums{{"normal", [=](const Sample& sample) { return sum(sample, normal_N); }},
                                {"total", [=](const Sample& sample) { return sum(sample, total_N); }}};
  std::vector<Panel> out = panels_of(record, "sum over contacts, N", sums);
  if (names.size() == 1 || names.size() > kMostPoints) return out;
  std::vector<Named> points;
  for (const std::string& name : names)
    points.push_back({name, [=](const Sample& sample) {
                        return sum(sample, [&](const ContactSample& contact) {
                          return contact.point == name ? contact.normal_N : 0.0;
                        });
                      }});
  const std::vector<Panel> more = panels_of(record, "normal force, N", points);
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

std::vector<Panel> energies(const Record& record) {
  return panels_of(record, "energy, J",
                   {{"kinetic", [](const Sample& sample) { return sample.kinetic_J; }},
                    {"potential", [](const Sample& sample) { return sample.potential_J; }},
                    {"total", [](const Sample& sample) { return sample.kinetic_J + sample.potential_J; }}});
}

}  // namespace

std::vector<Plot> simulation_plots(const Record& record) {
  if (record.samples.size() < 2) return {};
  const struct {
    const char* title;
    const char* says;
    const char* name;
    std::vector<Panel> panels;
  } all[] = {
      {"Joint positions", "", "positions", positions(record)},
      {"Joint torques", "As transmitted to the joint: after the gear and its friction.", "torques", torques(record)},
      {"Commands", "", "commands", commands(record)},
      {"Contact forces", "On the robot. Total: with friction.", "contacts", contact_forces(record)},
      {"Energies", "", "energies", energies(record)}};
  std::vector<Plot> out;
  for (const auto& plot : all)
    if (!plot.panels.empty())
      out.push_back({plot.title, plot.says,
                     plot_svg(plot.panels, Axis{"time, s", record.samples.back().time_s, 230, plot.name, kBuckets})});
  return out;
}

}  // namespace kinecast::host
