// SPDX-License-Identifier: MIT
#include "scenario.hpp"

#include "../text/text.hpp"
#include "json_values.hpp"
#include "scenario_commands.hpp"

#include <kinecast/core/scalar.hpp>
#include <kinecast/model/environment/material.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace kinecast::host {
namespace {

constexpr double kMostSteps = 1e8;
constexpr long kMostRows = 20000;  // unless "output_s" asks for more
constexpr double kMostAsked = 2e6;
constexpr int kMostContactsAtOnce = 64;
constexpr int kContactsByDefault = 12;
constexpr double kLargestTurn = 100;  // rad; more is a unit mistaken

// How far, how finely, and how many rows of it are kept.
void read_time(const JsonTable& top, Scenario& out) {
  out.step_s = top.number("step_s", 1e-3);
  constexpr double kShortest = Tolerance<double>::kShortestStep;
  constexpr double kLongest = Tolerance<double>::kLongestStep;
  if (out.step_s < kShortest || out.step_s > kLongest)
    top.refuse("step_s", "is " + rounded(out.step_s, 6) + " s; it must be within " + rounded(kShortest, 3) + " and " +
                             rounded(kLongest, 3));
  const double steps = std::round(top.number("duration_s") / out.step_s);
  if (!(steps >= 1)) top.refuse("duration_s", "must be at least one step of " + rounded(out.step_s, 6) + " s");
  if (steps > kMostSteps)
    top.refuse("duration_s",
               "takes " + rounded(steps, 6) + " steps; at most " + rounded(kMostSteps, 6) + " are possible");
  out.steps = static_cast<long>(steps);
  out.steps_per_row = 1 + (out.steps - 1) / kMostRows;
  if (top.has("output_s")) {
    const double rows = std::max(1.0, std::round(top.number("output_s") / out.step_s));
    if (top.number("output_s") <= 0) top.refuse("output_s", "must be above 0");
    if (steps / rows > kMostAsked)
      top.refuse("output_s",
                 "gives " + rounded(steps / rows, 3) + " rows; at most " + rounded(kMostAsked, 3) + " are possible");
    out.steps_per_row = static_cast<long>(std::min(rows, steps));
  } else if (out.steps_per_row > 1) {
    out.notes.push_back("the CSV has every " + std::to_string(out.steps_per_row) +
                        "th step; \"output_s\" changes that");
  }
}

Rows rotation(const JsonTable& table) {
  const Triple rpy = triple(table, "rpy", {0, 0, 0});
  for (const double angle : rpy)
    if (std::abs(angle) > kLargestTurn) table.refuse("rpy", "must be angles in rad, not degrees");
  return rows_from_rpy(rpy);
}

void read_base(const JsonTable& start, const JointPlace& base, Scenario& out) {
  const JsonTable table = start.table("base", {"position_m", "rpy", "quaternion_wxyz", "linear_mps", "angular_radps"});
  const auto put = [](const auto& values, std::vector<double>& to, int first) {
    std::copy(values.begin(), values.end(), to.begin() + first);
  };
  put(triple(table, "position_m", {0, 0, 0}), out.q, base.q);
  (void)table.one_of({"rpy", "quaternion_wxyz"});
  if (table.has("quaternion_wxyz")) {
    std::vector<double> turn = numbers(table, "quaternion_wxyz", 4);
    double size = 0;
    for (const double x : turn) size += x * x;
    constexpr double kNearlyUnit = 1e-2;  // digits cut by hand are mended, another order or unit is not
    if (std::abs(std::sqrt(size) - 1) > kNearlyUnit)
      table.refuse("quaternion_wxyz", "has the length " + rounded(std::sqrt(size), 6) + "; it must be 1");
    for (double& x : turn) x /= std::sqrt(size);
    put(turn, out.q, base.q + 3);
  } else {
    put(quaternion_of(rotation(table)), out.q, base.q + 3);
  }
  put(triple(table, "linear_mps", {0, 0, 0}), out.dq, base.v);
  put(triple(table, "angular_radps", {0, 0, 0}), out.dq, base.v + 3);
}

void note_stops(const Description& robot, const Joints& joints, Scenario& out) {
  for (const JointPlace& place : joints.places) {
    const JointLimits& limits = robot.links[static_cast<std::size_t>(place.link)].limits;
    const double q = out.q[static_cast<std::size_t>(place.q)];
    if (place.is_single(robot) && limits.has_stops && (q < limits.lower || q > limits.upper))
      out.notes.push_back("joint " + printable(place.name) + " starts at " + rounded(q, 4) + ", beyond its stops at " +
                          rounded(limits.lower, 4) + " and " + rounded(limits.upper, 4) +
                          ": the first steps bring it back; give it a place in \"start.q\"");
  }
}

void read_start(const JsonTable& top, const Description& robot, const Joints& joints, Scenario& out) {
  out.q.assign(joints.positions.size(), 0);
  out.dq.assign(joints.velocities.size(), 0);
  std::vector<std::string> names;
  for (const JointPlace& place : joints.places) {
    const LinkDescription::Joint kind = robot.links[static_cast<std::size_t>(place.link)].joint;
    if (place.is_single(robot)) names.push_back(place.name);
    if (kind == LinkDescription::Joint::floating) out.q[static_cast<std::size_t>(place.q) + 3] = 1;
    if (kind == LinkDescription::Joint::spherical) out.q[static_cast<std::size_t>(place.q)] = 1;
  }
  if (top.has("start")) {
    const JsonTable start = top.table("start", {"q", "dq", "base"});
    for (const JointPlace& place : joints.places) {
      if (!place.is_single(robot)) continue;
      if (start.has("q")) {
        const JsonTable q = start.table("q", names);
        out.q[static_cast<std::size_t>(place.q)] = q.number(place.name, 0);
      }
      if (start.has("dq")) {
        const JsonTable dq = start.table("dq", names);
        out.dq[static_cast<std::size_t>(place.v)] = dq.number(place.name, 0);
      }
    }
    if (start.has("base")) {
      const bool floats =
          !joints.places.empty() && joints.places[0].name == "base" && !joints.places[0].is_single(robot);
      if (!floats) start.refuse("base", "the base is fixed; say \"base\": \"floating\" at the top of the file");
      read_base(start, joints.places[0], out);
    }
  }
  note_stops(robot, joints, out);
}

void read_material(const JsonTable& table, ScenarioSurface& s) {
  if (table.has("friction") && table.raw("friction").is_array()) {
    const std::vector<double> both = numbers(table, "friction", 2);
    s.static_friction = both[0], s.kinetic_friction = both[1];
  } else {
    s.static_friction = s.kinetic_friction = table.number("friction", s.static_friction);
  }
  if (s.kinetic_friction < 0 || s.static_friction < s.kinetic_friction)
    table.refuse("friction", "must be a number from 0, or [static, kinetic] with static not below kinetic");
  s.restitution = at_least(table, "restitution", 0, s.restitution);
  if (s.restitution > 1) table.refuse("restitution", "must be within 0 and 1");
  s.compensation_per_s = at_least(table, "compensation_per_s", 0, s.compensation_per_s);
  s.relaxation = table.number("relaxation", s.relaxation);
  if (!(s.relaxation > 0)) table.refuse("relaxation", "must be above 0");
}

ScenarioSurface read_surface(const std::string& file, const Json& entry, std::size_t index) {
  const std::string path = "environment[" + std::to_string(index) + "]";
  const JsonTable chosen(file, path, entry, {"ground", "box"});
  const std::optional<std::string> key = chosen.one_of({"ground", "box"});
  if (!key) throw Failure(ExitCode::bad_input, file + ": " + path + " must hold a \"ground\" or a \"box\"");
  std::vector<std::string> known{"name", "rpy", "friction", "restitution", "compensation_per_s", "relaxation"};
  const std::vector<std::string> own =
      *key == "box" ? std::vector<std::string>{"at_m", "size_m"} : std::vector<std::string>{"height_m"};
  known.insert(known.end(), own.begin(), own.end());
  const JsonTable table = chosen.table(*key, known);
  ScenarioSurface out;
  out.shape.name = table.has("name") ? table.text("name") : index == 0 ? *key : *key + " " + std::to_string(index + 1);
  out.shape.rotation = rotation(table);
  if (*key == "box") {
    out.shape.form = SurfaceDescription::Form::box;
    out.shape.position_m = triple(table, "at_m", {0, 0, 0});
    const std::vector<double> size = numbers(table, "size_m", 3);
    for (const double x : size)
      if (!(x > 0)) table.refuse("size_m", "must be three edges above 0");
    out.shape.size_m = {size[0], size[1], size[2]};
  } else {
    out.shape.position_m = {0, 0, table.number("height_m", 0)};
  }
  read_material(table, out);
  return out;
}

void read_environment(const JsonTable& top, const std::string& file, const Description& robot, Scenario& out) {
  if (top.has("environment")) {
    const Json& list = top.raw("environment");
    if (!list.is_array()) top.refuse("environment", "must be a list of surfaces: [{\"ground\": {}}]");
    for (std::size_t i = 0; i < list.size(); ++i) out.surfaces.push_back(read_surface(file, list[i], i));
  }
  const std::size_t most = robot.points.size() * out.surfaces.size();
  if (!out.surfaces.empty() && robot.points.empty())
    out.notes.emplace_back("the robot has no contact points: it passes through the environment (see \"contacts\")");
  out.contacts_at_once = static_cast<int>(std::min<std::size_t>(most, kContactsByDefault));
  if (!top.has("contacts_at_once")) return;
  const double asked = top.number("contacts_at_once");
  if (asked < 1 || asked > kMostContactsAtOnce || std::abs(asked - std::round(asked)) > 0)
    top.refuse("contacts_at_once", "must be a whole number from 1 to " + std::to_string(kMostContactsAtOnce));
  if (most > 0)
    out.contacts_at_once = static_cast<int>(asked);
  else
    out.notes.emplace_back(
        "\"contacts_at_once\" has no effect: there is no environment, or the robot has no contact points");
}

}  // namespace

ScenarioFile::ScenarioFile(const std::string& file)
    : file_(file), document_(std::make_shared<const Json>(read_json(file))) {
  (void)top();
}

JsonTable ScenarioFile::top() const {
  return {file_,
          "",
          *document_,
          {"base", "drives", "contacts", "gravity_mps2", "duration_s", "step_s", "output_s", "contacts_at_once",
           "start", "commands", "environment"}};
}

std::string ScenarioFile::beside(const std::string& path) const {
  return (std::filesystem::path(file_).parent_path() / path).string();
}

ImportOptions ScenarioFile::import_options(const std::string& urdf, const ScenarioOverrides& overrides) const {
  const JsonTable table = top();
  ImportOptions out;
  out.urdf = urdf;
  std::string base = table.has("base") ? table.choice("base", {"floating", "fixed"}) : "fixed";
  if (!overrides.base.empty()) base = overrides.base;
  out.base = base == "floating" ? Base::floating : Base::fixed;
  if (table.has("drives")) out.drives = beside(table.text("drives"));
  if (!overrides.drives.empty()) out.drives = overrides.drives;
  if (table.has("contacts")) {
    const std::string word = table.text("contacts");
    out.contacts = word == "auto" || word == "none" ? word : beside(word);
  }
  if (!overrides.contacts.empty()) out.contacts = overrides.contacts;
  return out;
}

std::optional<Triple> ScenarioFile::gravity_mps2() const {
  const JsonTable table = top();
  if (!table.has("gravity_mps2")) return std::nullopt;
  constexpr double kLargest = 1e6;  // as model/validate.hpp has it
  const Triple out = triple(table, "gravity_mps2", {});
  for (const double x : out)
    if (std::abs(x) > kLargest) table.refuse("gravity_mps2", "is beyond a million; it is in m/s²");
  return out;
}

Scenario ScenarioFile::scenario_of(const Description& robot, const Joints& joints) const {
  const JsonTable table = top();
  Scenario out;
  out.file = file_;
  read_time(table, out);
  read_start(table, robot, joints, out);
  read_environment(table, file_, robot, out);
  const double duration_s = static_cast<double>(out.steps) * out.step_s;
  read_commands(table, {robot, joints, duration_s, [this](const std::string& path) { return beside(path); }}, out);
  return out;
}

}  // namespace kinecast::host
