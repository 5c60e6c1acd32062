// SPDX-License-Identifier: MIT
// kinecast simulate: a URDF in a scenario, computed by the library as the firmware would.
#include "../failure.hpp"
#include "../subcommands.hpp"
#include "../text/output_file.hpp"
#include "../text/text.hpp"
#include "run.hpp"
#include "run_csv.hpp"
#include "scenario.hpp"
#include "simulation_page.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

namespace kinecast::host {
namespace {

struct SimulateArguments {
  std::string urdf;
  std::string scenario;
  std::string csv;
  std::string page;
  std::string scalar{"float"};
  ScenarioOverrides overrides{};
};

constexpr const char* kSimulateExample =
    R"(Example: kinecast simulate hopper.urdf drop.json -o drop.csv --html drop.html
drop.json:
  {"base": "floating",                       or "fixed", the default; "drives" and "contacts": files, as of `kinecast import`
   "duration_s": 1.5, "step_s": 0.001,       "output_s": seconds between rows of the CSV
   "start": {"q": {"knee": 0.6}, "dq": {},   rad or m by joint; what is not named starts at 0
             "base": {"position_m": [0, 0, 0.6], "rpy": [0, 0, 0]}},      or "quaternion_wxyz"; "linear_mps", "angular_radps"
   "commands": {"knee": {"pd": {"kp": 60, "kd": 2, "target": [[0, 0.6], [1, 1.0]]}},
                "hip": {"torque_Nm": 0.5}},  "force_N" at a slide, "voltage_V" at a DC motor, "velocity" where it is driven so,
                                             {"csv": {"file": "log.csv", "column": "u", "time": "t"}} in the joint's own unit
   "environment": [{"ground": {"height_m": 0, "friction": [0.8, 0.6], "restitution": 0}},
                   {"box": {"at_m": [0.5, 0, 0.05], "size_m": [0.2, 1, 0.1], "friction": 0.8}}]}
Also: "gravity_mps2": [x, y, z]; "contacts_at_once": room in the solver; "name", "rpy", "compensation_per_s" and "relaxation"
of a ground or a box. Paths are relative to the scenario. A value is a number, or points [[t, v], ...] with lines between
them (a jump: two points of one time), or {"file", "column", "time"} of a CSV, whose rows hold until the next and whose last
one holds to the end; until its first time the first one holds. A PD gives kp (target - q) - kd dq in the unit of its joint's command, once a step.
The robot is compiled once, with $CXX or c++, and kept in $KINECAST_CACHE, else $XDG_CACHE_HOME/kinecast, else
~/.cache/kinecast, which may be deleted at any time. A row of the CSV has the state at its time, the commands from then on (as
`compare` and `fit` read a log), and torques and contact forces of the step that led there (the first row: of the first step). If
a step fails, nothing is written.)";

std::string seconds(double value) { return rounded(value, 4) + " s"; }

std::string energy(const Sample& s) {
  return rounded(s.kinetic_J + s.potential_J, 6) + " J (kinetic " + rounded(s.kinetic_J, 4) + ")";
}

using Figures = std::vector<std::pair<std::string, std::string>>;

// The joint with the largest value, among those of one unit.
void add_largest(const Run& run, const Joints& joints, const std::string& unit, const std::string& name, Figures& out) {
  double largest = -1;
  std::string who;
  for (const JointPlace& place : joints.places) {
    const auto q = static_cast<std::size_t>(place.q);
    const bool is_one_of_several = joints.positions[q].name != place.name;  // "base.x"
    if (is_one_of_several || joints.positions[q].unit != unit) continue;
    for (const Sample& s : run.samples)
      if (std::abs(s.q[q]) > largest)
        largest = std::abs(s.q[q]),
        who = printable(place.name) + ", " + rounded(s.q[q], 4) + " " + unit + " at " + seconds(s.time_s);
  }
  if (!who.empty()) out.emplace_back(name, who);
}

Figures figures_of(const Run& run, const Joints& joints, const Scenario& scenario) {
  Figures out;
  const double simulated_s = static_cast<double>(scenario.steps) * scenario.step_s;
  out.emplace_back("steps", std::to_string(scenario.steps) + " of " + seconds(scenario.step_s));
  out.emplace_back("simulated", seconds(simulated_s) + " in " + rounded(run.wall_s, 2) + " s");
  add_largest(run, joints, "rad", "largest angle", out);
  add_largest(run, joints, "m", "largest slide", out);
  if (scenario.contacts_at_once > 0)
    out.emplace_back("largest normal force",
                     run.peak_N > 0 ? rounded(run.peak_N, 4) + " N, all points together, at " + seconds(run.peak_s)
                                    : "none: nothing touched");
  out.emplace_back("energy at the start", energy(run.samples.front()));
  out.emplace_back("energy at the end", energy(run.samples.back()));
  return out;
}

std::vector<std::string> notes_of(const Run& run, const ImportedRobot& robot, const Joints& joints,
                                  const Scenario& scenario) {
  std::vector<std::string> out = robot.notes;
  out.insert(out.end(), scenario.notes.begin(), scenario.notes.end());
  constexpr double kDeep_m = 1e-3;  // deeper than any resting contact
  if (run.start_depth_m > kDeep_m)
    out.push_back("at the start, point " +
                  printable(robot.robot.points.at(static_cast<std::size_t>(run.start_point)).name) + " is " +
                  rounded(run.start_depth_m, 3) + " m inside of " +
                  printable(scenario.surfaces.at(static_cast<std::size_t>(run.start_surface)).shape.name) +
                  " and is pushed out: lift \"start.base.position_m\", or bend the joints");
  for (const SeenWarning& w : run.warnings)
    out.push_back("warning in " + std::to_string(w.steps) + " step(s), first at " + seconds(w.first_s) + ": " +
                  w.sentence);
  if (run.fast_joint >= 0)
    out.push_back("the first joint faster than its limit was " +
                  printable(joints.velocities[static_cast<std::size_t>(run.fast_joint)].name));
  for (std::size_t i = 0; i < joints.velocities.size(); ++i) {
    const std::string name = printable(joints.velocities[i].name);
    if (run.saturated[i] > 0)
      out.push_back("joint " + name + ": its command was clipped to the drive's limit in " +
                    std::to_string(run.saturated[i]) + " of " + std::to_string(scenario.steps) + " steps");
    if (run.stop_torque[i] > 0)
      out.push_back("joint " + name + ": reached a stop, which pushed back with up to " +
                    rounded(run.stop_torque[i], 3) + " " + joints.torque_units[i]);
  }
  return out;
}

Record record_of(const SimulateArguments& options, const std::string& command_line, const ImportedRobot& robot,
                 const Joints& joints, const Scenario& scenario, Run run) {
  Record out;
  out.title = robot.robot.name + ": " + std::filesystem::path(options.scenario).stem().string();
  out.command_line = command_line;
  out.robot = robot.robot;
  for (const Coordinate& c : joints.positions) out.q_names.push_back(c.name), out.q_units.push_back(c.unit);
  for (const Coordinate& c : joints.velocities) out.dq_names.push_back(c.name);
  out.command_units = joints.command_units;
  for (const ScenarioSurface& s : scenario.surfaces) out.surfaces.push_back(s.shape);
  out.step_s = scenario.step_s;
  out.figures = figures_of(run, joints, scenario);
  out.notes = notes_of(run, robot, joints, scenario);
  out.samples = std::move(run.samples);
  return out;
}

void expect_outputs(const SimulateArguments& options, const std::string& csv, const std::vector<std::string>& inputs) {
  expect_other_file(csv, inputs);
  expect_writable(csv);
  if (options.page.empty()) return;
  expect_other_file(options.page, inputs);
  expect_writable(options.page);
  if (std::filesystem::path(csv).lexically_normal() == std::filesystem::path(options.page).lexically_normal())
    throw Failure(ExitCode::usage, csv + ": the CSV and the page cannot be the same file");
}

void simulate(const SimulateArguments& options, const std::string& command_line) {
  const ScenarioFile file(options.scenario);
  const ImportOptions import = file.import_options(options.urdf, options.overrides);
  ImportedRobot robot = import_robot(import);
  if (const std::optional<Triple> gravity = file.gravity_mps2()) robot.robot.gravity_mps2 = *gravity;
  const Joints joints = joints_of(robot.robot);
  const Scenario scenario = file.scenario_of(robot.robot, joints);
  const std::string csv =
      options.csv.empty() ? std::filesystem::path(options.scenario).stem().string() + ".csv" : options.csv;
  std::vector<std::string> inputs{options.urdf, options.scenario, import.drives, import.contacts};
  inputs.insert(inputs.end(), scenario.inputs.begin(), scenario.inputs.end());
  expect_outputs(options, csv, inputs);
  const Record record =
      record_of(options, command_line, robot, joints, scenario, run_scenario(robot, options.scalar, joints, scenario));
  const std::string table = csv_of(record, joints);
  const std::string page = options.page.empty() ? "" : simulation_page(record);
  std::vector<ResultFile> results{{csv, table}};
  if (!options.page.empty()) results.push_back({options.page, page});
  write_files(results);
  std::printf("%s: %zu degrees of freedom, %s\n", printable(robot.robot.name).c_str(), joints.velocities.size(),
              options.scalar.c_str());
  for (const auto& [name, value] : record.figures) std::printf("  %-24s%s\n", name.c_str(), value.c_str());
  for (const std::string& note : record.notes) std::printf("note: %s\n", note.c_str());
  std::printf("csv: %s, %zu rows\n", csv.c_str(), record.samples.size());
  if (!options.page.empty()) std::printf("page: %s\n", options.page.c_str());
}

}  // namespace

void add_simulate(CLI::App& app, const std::string& command_line) {
  CLI::App* command =
      app.add_subcommand("simulate", "Run a URDF in a scenario: CSV, and a page with plots and a 3-D view");
  const auto options = std::make_shared<SimulateArguments>();
  command->add_option("urdf", options->urdf, "the robot")->required();
  command->add_option("scenario", options->scenario, "JSON: start, commands, environment, duration (see below)")
      ->required();
  command->add_option("-o,--output", options->csv, "CSV to write; default: the scenario's name with .csv, here");
  command->add_option("--html", options->page, "page to write: plots and an animated 3-D view; it needs nothing else");
  command->add_option("--base", options->overrides.base, "instead of the scenario's \"base\"")
      ->check(CLI::IsMember({"floating", "fixed"}));
  command->add_option("--drives", options->overrides.drives, "instead of the scenario's \"drives\"");
  command->add_option("--contacts", options->overrides.contacts,
                      "instead of the scenario's \"contacts\": auto, none or a file");
  command->add_option("--scalar", options->scalar, "what computes; float is what most boards do")
      ->check(CLI::IsMember({"float", "double"}))
      ->capture_default_str();
  command->footer(kSimulateExample);
  command->callback([options, command_line] { simulate(*options, command_line); });
}

}  // namespace kinecast::host
