// SPDX-License-Identifier: MIT
#include "run_csv.hpp"

#include "../robot/emit_robot.hpp"
#include "../text/text.hpp"

#include <algorithm>
#include <map>

namespace kinecast::host {
namespace {

constexpr int kTimeDigits = 12;  // 0.3, not 0.30000000000000004

// "rad/s" is "_rad_s" in a column's name, "N.m" is "_Nm".
std::string column(const std::string& name, const std::string& unit) {
  std::string out = printable(name);
  if (!unit.empty()) out += "_";
  for (const char c : unit)
    if (c != '.') out += c == '/' ? '_' : c;
  if (out.find_first_of(",\"") == std::string::npos) return out;
  std::string quoted = "\"";
  for (const char c : out) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string header_of(const Record& r, const Joints& joints) {
  std::string out = "t_s";
  const auto add = [&](const std::string& name, const std::string& unit) { out += "," + column(name, unit); };
  for (std::size_t i = 0; i < r.q_names.size(); ++i) add("q." + r.q_names[i], r.q_units[i]);
  for (std::size_t i = 0; i < r.dq_names.size(); ++i) add("dq." + r.dq_names[i], joints.velocities[i].unit);
  for (std::size_t i = 0; i < r.dq_names.size(); ++i)
    if (!r.command_units[i].empty()) add("command." + r.dq_names[i], r.command_units[i]);
  for (std::size_t i = 0; i < r.dq_names.size(); ++i) add("torque." + r.dq_names[i], joints.torque_units[i]);
  if (!r.surfaces.empty())
    for (const PointDescription& point : r.robot.points) add("contact." + point.name, "N");
  return out + ",kinetic_J,potential_J,energy_J\n";
}

}  // namespace

std::string csv_of(const Record& record, const Joints& joints) {
  std::map<std::string, std::size_t> points;
  for (const PointDescription& point : record.robot.points) points.emplace(point.name, points.size());
  std::string out = header_of(record, joints);
  for (const Sample& s : record.samples) {
    out += rounded(s.time_s, kTimeDigits);
    const auto add = [&](double value) { out += "," + number(value); };
    for (const double x : s.q) add(x);
    for (const double x : s.dq) add(x);
    for (std::size_t i = 0; i < s.command.size(); ++i)
      if (!record.command_units[i].empty()) add(s.command[i]);
    for (const double x : s.torque_Nm) add(x);
    if (!record.surfaces.empty()) {
      std::vector<double> normal_N(record.robot.points.size());
      for (const ContactSample& c : s.contacts) normal_N[points.at(c.point)] += c.normal_N;
      for (const double x : normal_N) add(x);
    }
    add(s.kinetic_J);
    add(s.potential_J);
    add(s.kinetic_J + s.potential_J);
    out += "\n";
  }
  return out;
}

}  // namespace kinecast::host
