// SPDX-License-Identifier: MIT
#include "log_check.hpp"

#include "../text/csv.hpp"
#include "../text/text.hpp"

#include <algorithm>
#include <cmath>

namespace kinecast::host {
namespace {

std::string in_quotes(const std::string& name) { return "\"" + printable(name) + "\""; }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::size_t largest(const std::vector<double>& values) {
  const auto less = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end(), less) - values.begin());
}

}  // namespace

void check_time(const Log& log, const Column& time) {
  std::vector<double> intervals;
  for (std::size_t i = 1; i < log.size(); ++i) {
    intervals.push_back(log.time_s[i] - log.time_s[i - 1]);
    if (!(intervals.back() > 0))
      refuse_line(log.file, log.line[i],
                  "time does not increase: " + rounded(log.time_s[i], 9) + " s after " + rounded(log.time_s[i - 1], 9) +
                      " s; sort the rows, remove doubles, or cut the log here");
  }
  const double usual = median(intervals);
  for (std::size_t i = 0; i < intervals.size(); ++i)
    if (intervals[i] > 5 * usual)
      refuse_line(log.file, log.line[i + 1],
                  "a hole of " + rounded(intervals[i], 4) + " s before this line, where samples come every " +
                      rounded(usual, 4) + " s; cut the log here and compare the parts");
  // Between a 1 MHz and a 5 Hz logger; what lies outside is a unit that was taken for another.
  if (!(usual >= 1e-6 && usual <= 0.2))
    refuse_line(log.file, log.line[1],
                "samples come every " + rounded(usual, 4) + " s if column " + in_quotes(time.name) + " is in " +
                    time.unit + "; that is no log of a drive unit. Check the unit of \"time\" in the drive file");
}

void check_duty(const Log& log, const Column& duty) {
  const std::size_t at = largest(log.command);
  constexpr double kRounding = 1.01;
  if (std::abs(log.command[at]) > kRounding)
    refuse_line(log.file, log.line[at],
                "column " + in_quotes(duty.name) + " is " + rounded(std::abs(log.command[at]), 4) +
                    " times its full scale; check \"full_scale\" in the drive file");
}

void check_voltage(const Log& log, const Column& voltage, double limit_V) {
  const std::size_t at = largest(log.command);
  // A driver may clip what the controller asked for, but not by orders of magnitude.
  constexpr double kTooMuch = 10;
  if (std::abs(log.command[at]) > kTooMuch * limit_V)
    refuse_line(log.file, log.line[at],
                "column " + in_quotes(voltage.name) + " reaches " + rounded(log.command[at], 6) + " V in the unit " +
                    voltage.unit + ", and the motor's limit is " + rounded(limit_V, 4) +
                    " V; check the unit of \"voltage\" in the drive file");
}

namespace {

void check_velocity(const Log& log, const LogDescription& description) {
  // Over ten samples, so that the noise of an encoder's slope does not count: the least-squares factor from what the
  // position moved to what the velocity says it moved.
  constexpr std::size_t kApart = 10;
  double square = 0;
  double product = 0;
  for (std::size_t i = 0; i + kApart < log.size(); i += kApart) {
    double integral = 0;
    for (std::size_t k = i; k < i + kApart; ++k)
      integral += 0.5 * (log.velocity[k] + log.velocity[k + 1]) * (log.time_s[k + 1] - log.time_s[k]);
    const double moved = log.position[i + kApart] - log.position[i];
    square += moved * moved;
    product += moved * integral;
  }
  if (!(square > 0) || (product > 0.5 * square && product < 2 * square)) return;
  refuse_line(log.file, log.line.front(),
              "column " + in_quotes(description.velocity->name) + " in " + description.velocity->unit + " is " +
                  rounded(product / square, 3) + " times the slope of column " + in_quotes(description.position.name) +
                  " in " + description.position.unit + "; check both units and signs in the drive file");
}

}  // namespace

void check_motion(const Log& log, const LogDescription& description) {
  const std::string unit = description.position_unit();
  const double fastest = description.slides ? 100 : 2000;  // m/s; rad/s at the joint: 20 000 rpm
  constexpr double kHalfTurn = 3.1415;
  for (std::size_t i = 1; i < log.size(); ++i) {
    const double step = log.position[i] - log.position[i - 1];
    const double slope = step / (log.time_s[i] - log.time_s[i - 1]);
    const bool wraps = !description.slides && std::abs(step) > kHalfTurn;
    if (wraps || std::abs(slope) > fastest)
      refuse_line(log.file, log.line[i],
                  "column " + in_quotes(description.position.name) + " in " + description.position.unit + " jumps by " +
                      rounded(step, 4) + " " + unit + " from the row before (" + rounded(slope, 4) + " " + unit +
                      "/s); check its unit in the drive file" +
                      (wraps ? ", or say \"wraps\": true if the encoder starts again after a turn" : ""));
  }
  if (!log.velocity.empty()) check_velocity(log, description);
}

}  // namespace kinecast::host
