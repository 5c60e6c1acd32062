// SPDX-License-Identifier: MIT
#include "scenario_commands.hpp"

#include "../text/csv.hpp"
#include "../text/text.hpp"
#include "json_values.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace kinecast::host {
namespace {

constexpr const char* kTorque = "torque_Nm";
constexpr const char* kForce = "force_N";
constexpr const char* kVoltage = "voltage_V";
constexpr const char* kVelocity = "velocity";
const std::vector<std::string> kCommandKeys{kTorque, kForce, kVoltage, kVelocity, "pd", "csv"};

class CommandReader {
 public:
  CommandReader(const CommandContext& context, Scenario& out) : context_(context), out_(out) {}

  void read(const JsonTable& commands, int joint) {
    const JointPlace& place = context_.joints.places[static_cast<std::size_t>(joint)];
    const JsonTable words = commands.table(place.name, kCommandKeys);
    const std::optional<std::string> key = words.one_of(kCommandKeys);
    const LinkDescription& link = context_.robot.links[static_cast<std::size_t>(place.link)];
    expect_fits(commands, place.name, link, key ? *key : "");
    JointCommand command{joint};
    if (*key == "pd") {
      const JsonTable pd = words.table("pd", {"kp", "kd", "target"});
      command.is_pd = true;
      command.kp = pd.number("kp");
      command.kd = pd.number("kd", 0);
      command.value = value(pd, "target");
    } else {
      command.value = *key == "csv" ? csv(words, "csv") : value(words, *key);
    }
    out_.commands.push_back(command);
  }

 private:
  // What moves the joint decides what it can be told.
  static void expect_fits(const JsonTable& commands, const std::string& joint, const LinkDescription& link,
                          const std::string& key) {
    const bool slides = link.joint == LinkDescription::Joint::prismatic;
    const auto [what, own] = [&]() -> std::pair<std::string, std::string> {
      switch (link.drive.actuator) {
        case Actuator::dc_motor:
          return {"is driven by a DC motor", kVoltage};
        case Actuator::velocity:
          return {"is velocity-driven", kVelocity};
        case Actuator::none:
          return {"is passive: nothing drives it", ""};
        case Actuator::torque:
          break;
      }
      return {slides ? "is a slide that takes a force" : "takes a torque", slides ? kForce : kTorque};
    }();
    if (own.empty())
      commands.refuse(joint, "the joint " + what + ". Remove its command, or give it an actuator in the drives file");
    const bool fits = key == own || key == "csv" || (key == "pd" && own != kVelocity);
    if (fits) return;
    const std::string instead =
        listed(own == kVelocity ? std::vector<std::string>{own, "csv"} : std::vector<std::string>{own, "pd", "csv"});
    commands.refuse(joint, key.empty() ? "says no command; one of " + instead + " is needed"
                                       : "\"" + key + "\" does not fit: the joint " + what + ". Known for it: " +
                                             instead + "; a drives file can give it another actuator");
  }

  ValueOverTime value(const JsonTable& table, const std::string& key) {
    const Json& raw = table.raw(key);
    if (raw.is_object()) return csv(table, key);
    if (!raw.is_array()) return {false, {{0.0, table.number(key)}}};
    ValueOverTime out;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const Json& point = raw[i];
      const std::string where = key + "[" + std::to_string(i) + "]";
      if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number() ||
          !std::isfinite(point[0].get<double>()) || !std::isfinite(point[1].get<double>()))
        table.refuse(where, "must be a point [t, v]: a time in s and a value");
      const double time = point[0].get<double>();
      if (!out.points.empty() && time < out.points.back().first)
        table.refuse(where, "its time " + rounded(time, 6) + " s is before that of the point before it");
      out.points.emplace_back(time, point[1].get<double>());
    }
    if (out.points.empty()) table.refuse(key, "is an empty list; give a number or points [[t, v], …]");
    return out;
  }

  ValueOverTime csv(const JsonTable& table, const std::string& key) {
    const JsonTable words = table.table(key, {"file", "column", "time"});
    const std::string file = context_.beside(words.text("file"));
    const std::string column = words.text("column");
    const std::string time = words.has("time") ? words.text("time") : "t";
    const Csv rows(file, {column, time},
                   {1, "is needed for a command", "the scenario's \"column\" and \"time\" (default: t)"});
    if (std::find(out_.inputs.begin(), out_.inputs.end(), file) == out_.inputs.end()) out_.inputs.push_back(file);
    ValueOverTime out{true, {}};
    const std::vector<double>& times = rows.column(time);
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (i > 0 && !(times[i] > times[i - 1]))
        refuse_line(file, rows.lines()[i],
                    "the time " + rounded(times[i], 9) + " s is not after that of the row before");
      out.points.emplace_back(times[i], rows.column(column)[i]);
    }
    constexpr double kAlmost_s = 1e-9;  // decimal times of steps are not exact
    const std::string begin = "column \"" + printable(column) + "\" begins at " + rounded(times.front(), 6) + " s";
    if (times.front() >= context_.duration_s)
      refuse_line(file, rows.lines()[0],
                  begin + ", and the scenario ends at " + rounded(context_.duration_s, 6) + " s: shift its times to 0");
    if (times.front() > kAlmost_s) out_.notes.push_back(file + ": " + begin + ": until then its first value is held");
    if (times.back() < context_.duration_s - out_.step_s - kAlmost_s)
      out_.notes.push_back(file + ": column \"" + printable(column) + "\" ends at " + rounded(times.back(), 6) +
                           " s and the scenario at " + rounded(context_.duration_s, 6) +
                           " s: its last value is held to the end");
    return out;
  }

  const CommandContext& context_;
  Scenario& out_;
};

}  // namespace

void read_commands(const JsonTable& top, const CommandContext& context, Scenario& out) {
  if (!top.has("commands")) return;
  std::vector<std::string> names;
  for (const JointPlace& place : context.joints.places)
    if (place.is_single(context.robot)) names.push_back(place.name);
  const JsonTable commands = top.table("commands", names);
  CommandReader reader(context, out);
  for (std::size_t i = 0; i < context.joints.places.size(); ++i)
    if (context.joints.places[i].is_single(context.robot) && commands.has(context.joints.places[i].name))
      reader.read(commands, static_cast<int>(i));
}

}  // namespace kinecast::host
