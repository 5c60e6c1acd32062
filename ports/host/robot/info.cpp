// SPDX-License-Identifier: MIT
// kinecast info: what a URDF holds and what the library will make of it.
#include "../failure.hpp"
#include "../json_table.hpp"
#include "../subcommands.hpp"
#include "../text.hpp"
#include "cost_model.hpp"
#include "imported_robot.hpp"
#include "robot_summary.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace kinecast::host {
namespace {

struct Options {
  ImportOptions import;
  bool floating{false};
  bool as_json{false};
};

constexpr const char* kExample =
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

Json json_of(const ImportedRobot& imported, const RobotCounts& c) {
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
  out["cost_features"] = {{"without_contacts", features_of(c, Touching::nothing)}};
  if (c.points > 0) out["cost_features"]["with_contacts"] = features_of(c, Touching::ground);
  return out;
}

void print_info(const Options& options) {
  const ImportedRobot imported = import_robot(options.import);
  const RobotCounts counts = count_parts(imported.robot);
  if (options.as_json) {
    std::printf("%s\n", json_of(imported, counts).dump(2).c_str());
    return;
  }
  std::string out = totals(imported, counts, options.import.base) + "\n" + robot_tree(imported.robot);
  if (!imported.notes.empty()) out += "\n";
  for (const std::string& note : imported.notes) out += "note: " + note + "\n";
  std::fputs(out.c_str(), stdout);
}

}  // namespace

void add_info(CLI::App& app, const std::string& /*command_line*/) {
  CLI::App* command = app.add_subcommand("info", "Show a robot's tree and what it will cost on each core");
  const auto options = std::make_shared<Options>();
  command->add_option("urdf", options->import.urdf, "the robot")->required();
  command
      ->add_option_function<std::string>(
          "--base",
          [options](const std::string& word) {
            options->import.base = word == "floating" ? Base::floating : Base::fixed;
          },
          "fixed (default) or floating")
      ->check(CLI::IsMember({"fixed", "floating"}));
  command->add_option("--drives", options->import.drives, "JSON file of the joints' drives");
  command->add_option("--contacts", options->import.contacts, "auto, none or a JSON file of contact points")
      ->capture_default_str();
  command->add_flag("--json", options->as_json, "the same for a program, as JSON");
  command->footer(kExample);
  command->callback([options] { print_info(*options); });
}

}  // namespace kinecast::host
