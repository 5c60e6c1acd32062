// SPDX-License-Identifier: MIT
// kinecast fit: the parameters that the user marked as unknown, from recordings; with their confidence, or a refusal that
// says which motion would show them.
#include "../subcommands.hpp"
#include "../text/output_file.hpp"
#include "../text/text.hpp"
#include "drive_file.hpp"
#include "identify.hpp"
#include "scores.hpp"
#include "search_space.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>

namespace kinecast::host {
namespace {

struct FitArguments {
  std::string drive;
  std::vector<std::string> logs;
  std::string result;
  double window_s{0.2};
};

constexpr const char* kFitExample = R"(Example: kinecast fit drive.json log.csv -o fitted.json
Mark what is to be found in drive.json (kinecast compare --help shows the whole file), min and max if you know them:
  "friction": {"at_joint": {"coulomb_Nm": {"unknown": true, "guess": 0.2, "min": 0.01, "max": 2}, …
The result is the same file with numbers, and a section "fit" with their standard errors. Nothing is written, and the exit
code is 3, if the logs cannot identify one of the unknowns.)";

struct Hint {
  const char* key;
  const char* motion;
};
// By the beginning of the parameter's last key.
constexpr Hint kHints[] = {
    {"stiction", "starts from rest: raise the command slowly from zero until it moves, several times, both ways"},
    {"stribeck", "slow motion just after the start: slow ramps from rest, with speeds down to a few rad/s / stribeck"},
    {"coulomb", "motion in both directions that coasts down to a stop"},
    {"viscous", "motion at clearly different steady speeds"},
    {"offset", "motion in both directions at like speeds"},
    {"inertia", "quick accelerations: steps or pulses of the command"},
    {"rotor_inertia", "quick accelerations, and a load inertia that is known: only their sum shows in the motion"},
    {"torque_constant", "a known load: a pendulum, or an inertia that is not unknown too"},
    {"resistance", "a known load and both standing and fast motion; better, measure it"},
    {"ratio", "nothing but counting: give it a value"},
    {"efficiency", "motion under a load that changes: a pendulum, or a recorded external torque"},
    {"load_loss", "motion under a load that changes: a pendulum, or a recorded external torque"},
    {"mass", "slow swings to large angles (a pendulum), quick accelerations (a slide)"},
    {"length", "slow swings to large angles, with a mass that is known"},
    {"hangs_at", "slow swings to both sides"},
};

std::string motion_for(std::string path) {
  for (const char* direction : {".forward", ".backward"})
    if (const std::size_t at = path.rfind(direction); at != std::string::npos) path.erase(at);
  const std::string key = path.substr(path.rfind('.') + 1);  // npos + 1 is 0
  for (const Hint& hint : kHints)
    if (key.compare(0, std::string(hint.key).size(), hint.key) == 0) return hint.motion;
  return "a motion that depends on it";
}

[[noreturn]] void refuse(const DriveFile& drive, const Identification& found) {
  std::string message = "the log cannot identify all unknowns; nothing was written.";
  for (const std::vector<std::size_t>& parts : found.blind) {
    std::vector<std::string> names;
    for (const std::size_t i : parts) names.push_back(drive.unknowns[i].path);
    if (parts.size() == 1)
      message += "\n  " + names[0] + ": around the best value found, " + rounded(found.estimates[parts[0]].value, 3) +
                 ", the motion hardly depends on it. What would show it: " + motion_for(names[0]) + ".";
    else
      message += "\n  " + listed(names) + ": only a combination shows in the motion. Give one of them a value.";
    for (std::size_t i = 0; parts.size() > 1 && i < parts.size(); ++i)
      message += "\n    what would show " + names[i] + ": " + motion_for(names[i]);
  }
  throw Failure(ExitCode::not_identifiable, message);
}

// Nobody believes the eighth digit of a friction.
double to_seven_digits(double value) { return parse_number(rounded(value, 7)).value_or(value); }

Json result_of(const DriveFile& drive, const Identification& found, const FitArguments& options) {
  std::vector<double> values;
  for (const Estimate& estimate : found.estimates) values.push_back(to_seven_digits(estimate.value));
  Json document = with_values(drive, values);
  Json& fit = document["fit"] = Json::object();
  fit["logs"] = options.logs;
  fit["window_s"] = options.window_s;
  fit["windows"] = found.windows;
  for (std::size_t i = 0; i < values.size(); ++i)
    fit["standard_errors"][drive.unknowns[i].path] = to_seven_digits(found.estimates[i].standard_error);
  return document;
}

void print_estimates(const DriveFile& drive, const Identification& found) {
  for (std::size_t i = 0; i < found.estimates.size(); ++i) {
    const Estimate& estimate = found.estimates[i];
    std::printf("%-40s %12s  ± %s (%s %%)%s, guess %s\n", drive.unknowns[i].path.c_str(),
                rounded(estimate.value, 5).c_str(), rounded(estimate.standard_error, 2).c_str(),
                rounded(100 * estimate.standard_error / std::abs(estimate.value), 2).c_str(),
                estimate.at_bound ? ", AT ITS BOUND" : "", rounded(drive.unknowns[i].guess, 5).c_str());
  }
  for (const Correlation& pair : found.correlations)
    std::printf("note: %s and %s are told apart badly (correlation %s)\n", drive.unknowns[pair.a].path.c_str(),
                drive.unknowns[pair.b].path.c_str(), rounded(pair.value, 4).c_str());
}

void fit(const FitArguments& options) {
  const DriveFile drive = read_drive_file(options.drive);
  if (drive.unknowns.empty())
    throw Failure(ExitCode::bad_input, options.drive + ": nothing is marked as unknown, e.g. \"coulomb_Nm\": " +
                                           "{\"unknown\": true, \"guess\": 0.2}");
  std::vector<Log> logs;
  std::vector<std::string> inputs = options.logs;
  inputs.push_back(options.drive);
  for (const std::string& log : options.logs)
    logs.push_back(read_log(log, drive.log, drive.unit().links[0].drive.voltage_limit_V));
  const std::string result =
      options.result.empty() ? std::filesystem::path(options.drive).stem().string() + "_fitted.json" : options.result;
  expect_other_file(result, inputs);

  Identification found;
  {
    Progress progress("fitting");
    found = identify(drive, logs, options.window_s, progress);
  }
  std::printf("%s: %zu windows of %s s, %d iterations\n", printable(drive.name).c_str(), found.windows,
              rounded(options.window_s, 4).c_str(), found.iterations);
  if (!found.blind.empty()) refuse(drive, found);
  print_estimates(drive, found);

  const Json document = result_of(drive, found, options);
  const DriveUnit fitted = read_drive_unit(options.drive + ", fitted", document);
  expect_rules_kept(options.drive + ", fitted", document, fitted);
  for (const Log& log : logs) {
    Progress progress("predicting");
    const std::string unit = drive.log.position_unit();
    const std::string before = score_table(find_scores(drive.unit(), log, drive.windows_s, progress), unit);
    const std::string after = score_table(find_scores(fitted, log, drive.windows_s, progress), unit);
    std::printf("%s, with the guesses:\n%swith the fitted values:\n%s", log.file.c_str(), before.c_str(),
                after.c_str());
  }
  write_file(result, document.dump(2) + "\n");
  std::printf("result: %s\n", result.c_str());
}

}  // namespace

void add_fit(CLI::App& app) {
  CLI::App* command = app.add_subcommand("fit", "Find parameters that are marked as unknown, from recordings");
  const auto options = std::make_shared<FitArguments>();
  command->add_option("drive", options->drive, "JSON: the unit, with its unknowns marked, and the logs' columns")
      ->required();
  command->add_option("logs", options->logs, "CSV: one or more recordings of the same unit")->required();
  command->add_option("-o,--output", options->result,
                      "JSON to write; default: the drive file's name with _fitted, here");
  command->add_option("--window", options->window_s, "length in s of the predictions whose errors are minimised")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->footer(kFitExample);
  command->callback([options] { fit(*options); });
}

}  // namespace kinecast::host
