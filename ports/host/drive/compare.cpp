// SPDX-License-Identifier: MIT
// kinecast compare: a user's bench. The unit's parameters predict a recording of it; scores, and a page to look at.
#include "../show/scene_page.hpp"
#include "../subcommands.hpp"
#include "../text/output_file.hpp"
#include "../text/plot.hpp"
#include "../text/text.hpp"
#include "comparison_page.hpp"
#include "drive_file.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

namespace kinecast::host {
namespace {

struct CompareArguments {
  std::string drive;
  std::string log;
  std::string page;
  bool scenes{false};
};

constexpr const char* kCompareExample = R"(Example: kinecast compare drive.json log.csv -o page.html
drive.json, with the unit of every parameter in its name; a key that is not known is an error:
  {"name": "my drive", "joint": "revolute", "drive": "voltage",
   "inertia_kgm2": 0.002,                                              // at the joint, without the rotor
   "pendulum": {"mass_kg": 0.4, "length_m": 0.1, "hangs_at_rad": 0},   // optional: a load that swings
   "motor": {"torque_constant_Nm_per_A": 0.0258, "resistance_ohm": 2.36, "voltage_limit_V": 24,
             "rotor_inertia_kgm2": 7e-6},
   "gear": {"ratio": 120, "efficiency": 0.9},                          // optional; or load_loss instead of efficiency
   "friction": {"at_motor": {"stiction_Nm": 0.041, "coulomb_Nm": {"forward": 0.036, "backward": 0.037}},
                "at_joint": {"viscous_Nms_per_rad": 1.53, "stribeck_s_per_rad": 100, "offset_Nm": 0}},
   "log": {"time": {"column": "t", "unit": "s"},                       // s, ms, us
           "voltage": {"column": "u", "unit": "V", "scale": 1},        // V, mV; scale: optional in every column
           "angle": {"column": "q", "unit": "counts", "counts_per_turn": 4096, "wraps": true},  // rad, deg, turns
           "velocity": {"column": "w", "unit": "rpm"}},                // optional; rad/s, deg/s, counts/s
   "windows_s": [0.05, 0.2, 0.5, 1]}                                   // optional
Instead of "voltage": "duty": {"column": "pwm", "full_scale": 885, "supply_V": 7.4}, or, if the supply was logged,
  "supply": {"column": "vin", "unit": "V"}. With "drive": "torque": "torque": {"column": "tau", "unit": "Nm"}, at the
  joint; then "motor" holds only rotor_inertia_kgm2, and "torque_limit_Nm" is optional. Also "external_torque".
A slide: "joint": "prismatic", "mass_kg"; at_joint in N and m: coulomb_N, viscous_Ns_per_m, stribeck_s_per_m, offset_N;
  gear ratio_rad_per_m; in the log "position" (m, mm, counts with counts_per_m), "force", "external_force".
log.csv: a header with the columns' names, then numbers; commas, semicolons or tabs; lines with # are comments.)";

std::vector<std::string> notes_on(const DriveFile& drive, const Log& log) {
  std::vector<std::string> notes;
  for (const Unknown& unknown : drive.unknowns)
    notes.push_back(unknown.path + " is marked as unknown; this uses its guess, " + rounded(unknown.guess, 6) +
                    " (kinecast fit finds it)");
  int fewest = inner_steps(log.time_s[1] - log.time_s[0]);
  int most = fewest;
  for (std::size_t i = 1; i < log.size(); ++i) {
    const int steps = inner_steps(log.time_s[i] - log.time_s[i - 1]);
    fewest = std::min(fewest, steps);
    most = std::max(most, steps);
  }
  notes.push_back("predictor steps per sample: " + std::to_string(fewest) +
                  (most > fewest ? " to " + std::to_string(most) : "") + " (a step is at most 1 ms)");
  for (const double window : drive.windows_s)
    if (windows(log, window).empty())
      notes.push_back("the log is too short for windows of " + rounded(window, 4) + " s: left out");
  if (log.velocity.empty()) notes.emplace_back("start velocity: slope of the ten samples that end at the start");
  return notes;
}

// Runs of true, as times.
std::vector<std::pair<double, double>> runs(const Log& log, std::size_t first, const std::vector<bool>& flags) {
  std::vector<std::pair<double, double>> out;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (!flags[i]) continue;
    const double from = log.time_s[first + i];
    while (i + 1 < flags.size() && flags[i + 1]) ++i;
    out.emplace_back(from, log.time_s[first + i]);
  }
  return out;
}

// Within ten samples the position moves by no more than its resolution (or a ten-thousandth of the whole motion).
std::vector<bool> measured_rest(const Log& log) {
  const auto [low, high] = std::minmax_element(log.position.begin(), log.position.end());
  double resolution = *high - *low;
  for (std::size_t i = 1; i < log.size(); ++i) {
    const double step = std::abs(log.position[i] - log.position[i - 1]);
    if (step > 0) resolution = std::min(resolution, step);
  }
  const double still = std::max(1.01 * resolution, 1e-4 * (*high - *low));
  std::vector<bool> rests(log.size(), false);
  for (std::size_t i = 5; i + 5 < log.size(); ++i)
    rests[i] = std::abs(log.position[i + 5] - log.position[i - 5]) <= still;
  return rests;
}

Curve::Piece piece_of(const Log& log, const Trace& trace, bool as_error) {
  Curve::Piece piece;
  for (std::size_t i = 0; i < trace.position.size(); ++i) {
    const std::size_t sample = trace.span.first + i;
    piece.time_s.push_back(log.time_s[sample]);
    piece.value.push_back(trace.position[i] - (as_error ? log.position[sample] : 0));
  }
  return piece;
}

std::string draw(const DriveFile& drive, const DriveUnit& unit, const Log& log) {
  const auto replay = make_replay(unit, Precision::single);
  const Trace open_loop = replay->trace(log, whole(log), StartVelocity::causal);
  // The longest windows, end to start, so that the eye can follow them.
  double length = 0;
  for (const double window : drive.windows_s)
    if (!windows(log, window).empty()) length = std::max(length, window);
  const std::string in_windows = "predicted, restarted every " + rounded(length, 4) + " s";
  Curve restarted{in_windows, "#2060c0", {}};
  Curve restarted_error{in_windows, "#2060c0", {}};
  std::size_t last_end = 0;
  for (const Span& span : length > 0 ? windows(log, length) : std::vector<Span>{}) {
    if (span.first < last_end) continue;
    last_end = span.last;
    const Trace trace = replay->trace(log, span, StartVelocity::causal);
    restarted.pieces.push_back(piece_of(log, trace, false));
    restarted_error.pieces.push_back(piece_of(log, trace, true));
  }
  const std::string unit_name = drive.log.position_unit();
  const std::string position = drive.log.slides ? "position" : "angle";
  Panel motion{position + ", " + unit_name, {{"measured", "#202020", {{log.time_s, log.position}}}}, {}};
  motion.curves.push_back({"predicted, open loop", "#d05020", {piece_of(log, open_loop, false)}});
  Panel error{"error, " + unit_name, {{"open loop", "#d05020", {piece_of(log, open_loop, true)}}}, {}};
  if (!restarted.pieces.empty()) {
    motion.curves.push_back(restarted);
    error.curves.push_back(restarted_error);
  }
  Curve::Piece friction = piece_of(log, open_loop, false);
  friction.value = open_loop.friction;
  const Panel torque{"friction, " + std::string(drive.log.effort_unit()), {{"open loop", "#d05020", {friction}}}, {}};
  std::vector<bool> slips = open_loop.held;
  slips.flip();
  const std::size_t first = open_loop.span.first;
  const Panel sticking{"open loop",
                       {},
                       {{"slips", "#d05020", runs(log, first, slips)},
                        {"sticks", "#2060c0", runs(log, first, open_loop.held)},
                        {"measured rest", "#202020", runs(log, 0, measured_rest(log))}}};
  return plot_svg({motion, error, torque, sticking}, log.duration_s());
}

void compare(const CompareArguments& options, const std::string& command_line) {
  const DriveFile drive = read_drive_file(options.drive);
  const DriveUnit unit = drive.unit();
  const Log log = read_log(options.log, drive.log, unit.links[0].drive.voltage_limit_V);
  const std::string page =
      options.page.empty() ? std::filesystem::path(options.log).stem().string() + ".html" : options.page;
  expect_other_file(page, {options.drive, options.log});
  const std::vector<std::string> notes = notes_on(drive, log);
  std::vector<Score> scores;
  {
    Progress progress("predicting");
    scores = find_scores(unit, log, drive.windows_s, progress);
  }
  std::printf("%s, %s: %zu samples, %s s\n%s", printable(drive.name).c_str(), log.file.c_str(), log.size(),
              rounded(log.duration_s(), 4).c_str(), score_table(scores, drive.log.position_unit()).c_str());
  for (const std::string& note : notes) std::printf("note: %s\n", note.c_str());
  std::fflush(stdout);
  const std::string scenes = options.scenes ? scenes_html(record_scenes(scene_names())) : "";
  write_file(page, comparison_page({drive, log, scores, notes, command_line, draw(drive, unit, log), scenes}));
  std::printf("page: %s\n", page.c_str());
}

}  // namespace

void add_compare(CLI::App& app, const std::string& command_line) {
  CLI::App* command = app.add_subcommand("compare", "Predict a recording of a drive unit and show how well");
  const auto options = std::make_shared<CompareArguments>();
  command->add_option("drive", options->drive, "JSON: the unit's parameters, and the log's columns and units")
      ->required();
  command->add_option("log", options->log, "CSV: the recording")->required();
  command->add_option("-o,--output", options->page, "HTML page to write; default: the log's name with .html, here");
  command->add_flag("--scenes", options->scenes, "Also on the page: the animated scenes of kinecast show");
  command->footer(kCompareExample);
  command->callback([options, command_line] { compare(*options, command_line); });
}

}  // namespace kinecast::host
