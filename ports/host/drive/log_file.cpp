// SPDX-License-Identifier: MIT
#include "log_file.hpp"

#include "../text/csv.hpp"
#include "../text/text.hpp"
#include "log_check.hpp"

#include <cmath>

namespace kinecast::host {
namespace {

constexpr double kTurn = 6.283185307179586;

std::vector<double> in_si(const Csv& csv, const Column& column) {
  std::vector<double> values = csv.column(column.name);
  for (double& value : values) value *= column.factor;
  return values;
}

void unwrap(std::vector<double>& angle) {
  double turns = 0;
  for (std::size_t i = 1; i < angle.size(); ++i) {
    const double step = angle[i] + turns - angle[i - 1];
    turns -= kTurn * std::round(step / kTurn);
    angle[i] += turns;
  }
}

}  // namespace

Log read_log(const std::string& file, const LogDescription& description, double voltage_limit_V) {
  std::vector<std::string> needed{description.time.name, description.command.name, description.position.name};
  for (const auto& optional : {description.velocity, description.external, description.supply})
    if (optional) needed.push_back(optional->name);
  const Csv csv(file, needed);
  Log log;
  log.file = file;
  log.line = csv.lines();
  log.time_s = in_si(csv, description.time);
  check_time(log, description.time);
  const double start = log.time_s.front();
  for (double& time : log.time_s) time -= start;
  log.command = in_si(csv, description.command);
  if (description.command_kind == "duty") {
    check_duty(log, description.command);
    const auto supply =
        description.supply ? in_si(csv, *description.supply) : std::vector<double>(log.size(), description.supply_V);
    for (std::size_t i = 0; i < log.size(); ++i) log.command[i] *= supply[i];
  } else if (description.command_kind == "voltage") {
    check_voltage(log, description.command, voltage_limit_V);
  }
  log.position = in_si(csv, description.position);
  if (description.wraps) unwrap(log.position);
  if (description.velocity) log.velocity = in_si(csv, *description.velocity);
  check_motion(log, description);
  if (description.external) log.external = in_si(csv, *description.external);
  return log;
}

}  // namespace kinecast::host
