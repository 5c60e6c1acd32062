// SPDX-License-Identifier: MIT
#include "log_description.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace kinecast::host {
namespace {

constexpr double kPi = 3.14159265358979323846;

struct Unit {
  const char* name;
  double factor;
};
using Units = std::vector<Unit>;

const Units time_units{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};
const Units voltage_units{{"V", 1}, {"mV", 1e-3}};
const Units torque_units{{"Nm", 1}, {"mNm", 1e-3}};
const Units force_units{{"N", 1}, {"mN", 1e-3}};
const Units angle_units{{"rad", 1}, {"deg", kPi / 180}, {"turns", 2 * kPi}, {"counts", 2 * kPi}};
const Units length_units{{"m", 1}, {"mm", 1e-3}, {"counts", 1}};
const Units angular_velocity_units{{"rad/s", 1}, {"deg/s", kPi / 180}, {"rpm", 2 * kPi / 60}, {"counts/s", 2 * kPi}};
const Units linear_velocity_units{{"m/s", 1}, {"mm/s", 1e-3}, {"counts/s", 1}};

double non_zero(const JsonTable& table, const std::string& key) {
  const double value = table.number(key);
  if (!(std::abs(value) > 0)) table.refuse(key, "must not be zero");
  return value;
}

// "scale": an own factor before the unit's, such as -1 for an encoder that counts the other way.
Column read_column(const JsonTable& log, const std::string& key, const Units& units, const std::string& per_count,
                   std::vector<std::string> more_keys = {}) {
  more_keys.insert(more_keys.end(), {"column", "unit", "scale"});
  if (!per_count.empty()) more_keys.push_back(per_count);
  const JsonTable table = log.table(key, more_keys);
  std::vector<std::string> names;
  for (const Unit& unit : units) names.emplace_back(unit.name);
  Column column;
  column.name = table.text("column");
  column.unit = table.choice("unit", names);
  column.factor = table.has("scale") ? non_zero(table, "scale") : 1;
  for (const Unit& unit : units)
    if (column.unit == unit.name) column.factor *= unit.factor;
  const bool counts = column.unit.compare(0, 6, "counts") == 0;
  if (counts) column.factor /= non_zero(table, per_count);
  if (!counts && !per_count.empty() && table.has(per_count))
    table.refuse(per_count, "is for the unit \"counts\", and this one is \"" + column.unit + "\"");
  return column;
}

void read_duty(const JsonTable& log, LogDescription& out) {
  const JsonTable duty = log.table("duty", {"column", "full_scale", "supply_V", "supply"});
  out.command = {duty.text("column"), "full scale", 1 / non_zero(duty, "full_scale")};
  const auto supply = duty.one_of({"supply_V", "supply"});
  if (!supply) duty.refuse("supply_V", "is missing; a supply that was logged: \"supply\": {\"column\", \"unit\"}");
  if (*supply == "supply_V")
    out.supply_V = non_zero(duty, "supply_V");
  else
    out.supply = read_column(duty, "supply", voltage_units, "");
}

}  // namespace

std::vector<std::string> log_keys(bool slides, bool has_voltage) {
  std::vector<std::string> keys{"time", slides ? "position" : "angle", "velocity",
                                slides ? "external_force" : "external_torque"};
  if (has_voltage)
    keys.insert(keys.end(), {"voltage", "duty"});
  else
    keys.emplace_back(slides ? "force" : "torque");
  return keys;
}

LogDescription read_log_description(const JsonTable& log, bool slides, bool has_voltage) {
  LogDescription out;
  out.slides = slides;
  out.time = read_column(log, "time", time_units, "");
  const std::string per_count = slides ? "counts_per_m" : "counts_per_turn";
  const std::string position = slides ? "position" : "angle";
  const Units& efforts = slides ? force_units : torque_units;
  std::vector<std::string> more;
  if (!slides) more.emplace_back("wraps");
  out.position = read_column(log, position, slides ? length_units : angle_units, per_count, more);
  if (!slides && log.raw(position).contains("wraps")) {
    more.insert(more.end(), {"column", "unit", "scale", per_count});
    out.wraps = log.table(position, more).flag("wraps", false);
  }
  if (log.has("velocity"))
    out.velocity = read_column(log, "velocity", slides ? linear_velocity_units : angular_velocity_units, per_count);
  const std::string external = slides ? "external_force" : "external_torque";
  if (log.has(external)) out.external = read_column(log, external, efforts, "");
  if (!has_voltage) {
    out.command_kind = slides ? "force" : "torque";
    out.command = read_column(log, out.command_kind, efforts, "");
    return out;
  }
  const auto kind = log.one_of({"voltage", "duty"});
  if (!kind) log.refuse("voltage", "is missing: a unit driven by voltage needs \"voltage\" or \"duty\"");
  out.command_kind = *kind;
  if (*kind == "duty")
    read_duty(log, out);
  else
    out.command = read_column(log, "voltage", voltage_units, "");
  return out;
}

}  // namespace kinecast::host
