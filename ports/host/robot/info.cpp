// SPDX-License-Identifier: MIT
// kinecast info: what a URDF holds and what the library will make of it.
#include "../failure.hpp"
#include "../firmware/boards.hpp"
#include "../firmware/measured_firmware.hpp"
#include "../subcommands.hpp"
#include "../text/json_table.hpp"
#include "../text/text.hpp"
#include "cost_report.hpp"
#include "import_options.hpp"
#include "robot_summary.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <map>
#include <memory>

namespace kinecast::host {
namespace {

struct InfoArguments {
  ImportOptions import;
  std::vector<std::string> boards{};  // empty: all
  bool measures{false};
  bool as_json{false};
};

constexpr const char* kInfoExample =
    "Example: kinecast info anymal.urdf --base floating\n"
    "prints the tree with masses and what becomes of each joint, the totals and what a reader of the URDF might not "
    "expect.";

std::string plural(int count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string totals(const ImportedRobot& imported, const RobotCounts& c, Base base) {
  return printable(imported.robot.name) + ": " + plural(c.links, "link") + ", " + std::to_string(c.bodies) +
         (c.bodies == 1 ? " body that moves, " : " bodies that move, ") +
         (c.dofs == 1 ? "1 degree of freedom" : std::to_string(c.dofs) + " degrees of freedom") + ", " +
         rounded(c.mass_kg, 4) + " kg, at most " + rounded(c.reach_m, 3) + " m from the root along its links; " +
         (base == Base::floating ? "floating" : "fixed") + " base; " + plural(c.points, "contact point") +
         ".\nIn a header: robots::" + imported.identifier + "; content " + imported.hash + "\n";
}

Json features_of(const RobotCounts& counts, Touching touching) {
  Json out;
  for (const auto& [name, value] : cost_features(counts, touching)) out[name] = value;
  return out;
}

Json json_of(const ImportedRobot& imported, const RobotCounts& c, const std::vector<Core>& cores,
             const MeasuredCosts& measured) {
  Json out;
  out["robot"] = imported.robot.name;
  out["identifier"] = imported.identifier;
  out["content"] = imported.hash;
  out["links"] = c.links;
  out["bodies"] = c.bodies;
  out["degrees_of_freedom"] = c.dofs;
  out["mass_kg"] = c.mass_kg;
  out["reach_m"] = c.reach_m;
  out["contact_points"] = c.points;
  out["notes"] = imported.notes;
  out["predicted"] = Json::array();
  for (const Core& core : cores) {
    Json row{{"core", core.name}, {"board", core.board}};
    const Cost cost = predict_cost(cost_features(c, touching_of(c)), core);
    for (std::size_t i = 0; i < kMetrics; ++i) row[metric_name(static_cast<Metric>(i))] = std::round(cost[i]);
    out["predicted"].push_back(std::move(row));
  }
  for (std::size_t i = 0; i < kMetrics; ++i)
    out["predicted_within"][metric_name(static_cast<Metric>(i))] = fit_errors()[i];
  if (!measured.empty()) out["measured"] = measured;
  out["cost_features"] = {{"without_contacts", features_of(c, Touching::nothing)}};
  if (c.points > 0) out["cost_features"]["with_contacts"] = features_of(c, Touching::ground);
  return out;
}

std::vector<Core> chosen_cores(const std::vector<std::string>& boards) {
  if (boards.empty()) return supported_cores();
  std::vector<Core> out;
  for (const std::string& board : boards)
    for (const Core& core : supported_cores())
      if (find_board(board).name == std::string(core.board)) out.push_back(core);
  return out;
}

void print_info(const InfoArguments& options, const std::string& command_line) {
  if (options.measures && options.boards.empty())
    throw Failure(ExitCode::usage, "--measure builds a firmware: say for which board, e.g. --board stm32f405");
  const std::vector<Core> cores = chosen_cores(options.boards);
  const ImportedRobot imported = import_robot(options.import);
  const RobotCounts counts = count_parts(imported.robot);
  MeasuredCosts measured;
  if (options.measures)
    for (const Core& core : cores)
      measured[core.board] = measured_firmware(header_of(imported, "float", command_line), core.board);
  if (options.as_json) {
    std::printf("%s\n", json_of(imported, counts, cores, measured).dump(2).c_str());
    return;
  }
  std::string out = totals(imported, counts, options.import.base) + "\n" + robot_tree(imported.robot);
  if (!imported.notes.empty()) out += "\n";
  for (const std::string& note : imported.notes) out += "note: " + printable(note) + "\n";
  out += "\n" + cost_report(counts, cores, measured);
  std::fputs(out.c_str(), stdout);
}

}  // namespace

void add_info(CLI::App& app, const std::string& command_line) {
  CLI::App* command = app.add_subcommand("info", "Show a robot's tree and what it will cost on each core");
  const auto options = std::make_shared<InfoArguments>();
  add_import_options(*command, options->import);
  command->add_option("--board", options->boards, "costs on these boards only: " + listed(board_names()));
  command->add_flag("--measure", options->measures, "build the firmware for these boards and count");
  command->add_flag("--json", options->as_json, "the same for a program, as JSON");
  command->footer(kInfoExample);
  command->callback([options, command_line] { print_info(*options, command_line); });
}

}  // namespace kinecast::host
