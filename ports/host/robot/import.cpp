// SPDX-License-Identifier: MIT
// kinecast import: a URDF becomes the header that a firmware includes.
#include "../failure.hpp"
#include "../firmware/c_shim.hpp"
#include "../subcommands.hpp"
#include "../text/input_file.hpp"
#include "../text/output_file.hpp"
#include "../text/text.hpp"
#include "check.hpp"
#include "emit_robot.hpp"
#include "import_options.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <optional>

namespace kinecast::host {
namespace {

struct ImportArguments {
  ImportOptions import;
  std::string header;
  std::string scalar{"float"};
  bool check{false};
  std::string checked_header{};
  bool with_c_shim{false};
};

constexpr const char* kImportExample = R"(Example: kinecast import panda.urdf -o panda.hpp --drives drives.json
Then, in a firmware:
  #include "panda.hpp"
  constexpr auto& kModel = kinecast::model<robots::panda, robots::panda_scalar>;
  tau[robots::panda_joint::panda_joint1] = 0.5F;
drives.json: {"joints": {"panda_joint1": {"drive": "voltage", "motor": {"torque_constant_Nm_per_A": 0.05, "resistance_ohm": 1,
  "voltage_limit_V": 48, "rotor_inertia_kgm2": 1e-5}, "gear": {"ratio": 100}, "friction": {"at_joint": {"coulomb_Nm": 0.4}}}}}
contacts.json: {"points": [{"name": "toe", "link": "foot", "at": [0.1, 0, -0.02]}], "boxes": [{"link": "foot", "at": [0, 0, 0],
  "size": [0.2, 0.1, 0.04]}], "hulls": [{"link": "hand", "lowest": 4}]}
A xacro file has to go through xacro first.)";

void print_summary(const ImportArguments& options, const ImportedRobot& imported) {
  int joints = 0;
  int dofs = 0;
  double mass = 0;
  for (const LinkDescription& l : imported.robot.links) {
    joints += dofs_of(l.joint) > 0 ? 1 : 0;
    dofs += dofs_of(l.joint);
    mass += l.mass_kg;
  }
  const std::size_t points = imported.robot.points.size();
  std::printf("%s: %zu links, %d moving joints, %d degrees of freedom, %s kg, %zu contact %s, %s base\n",
              options.import.urdf.c_str(), imported.robot.links.size(), joints, dofs, rounded(mass, 6).c_str(), points,
              points == 1 ? "point" : "points", options.import.base == Base::fixed ? "fixed" : "floating");
  for (const std::string& note : imported.notes) std::printf("note: %s\n", printable(note).c_str());
}

void print_check(const CheckResult& found) {
  std::printf(
      "check: the largest relative difference to a dense computation at %d random states is %s in double, %s in "
      "float\n",
      found.states, rounded(found.in_double, 2).c_str(), rounded(found.in_float, 2).c_str());
}

void check_only(const ImportArguments& options) {
  if (!options.header.empty() || options.check)
    throw Failure(ExitCode::usage, "--check-header writes nothing: leave -o and --check away");
  print_check(check_header(options.checked_header, contents_of(options.checked_header), options.import,
                           import_robot(options.import)));
}

void run(const ImportArguments& options, const std::string& command_line) {
  if (!options.checked_header.empty()) return check_only(options);
  const std::string header =
      options.header.empty() ? std::filesystem::path(options.import.urdf).stem().string() + ".hpp" : options.header;
  std::vector<ResultFile> results{{header, ""}};
  if (options.with_c_shim) {
    const std::string name = std::filesystem::path(header).filename().string();
    if (name.find_first_of("\"\\") != std::string::npos || printable(name) != name)
      throw Failure(ExitCode::usage, printable(header) +
                                         ": the files for C include this name: choose one without \", \\ "
                                         "and control characters, with -o");
    const std::string beside = std::filesystem::path(header).replace_extension().string();
    results.push_back({beside + "_c.h", ""});
    results.push_back({beside + "_c.cpp", ""});
  }
  for (const ResultFile& result : results)
    expect_other_file(result.name, {options.import.urdf, options.import.drives, options.import.contacts});
  const ImportedRobot imported = import_robot(options.import);
  results[0].contents = header_of(imported, options.scalar, command_line);
  std::optional<CheckResult> found;
  if (options.check) found = check_header(header, results[0].contents, options.import, imported);
  if (options.with_c_shim) {
    const CShim shim = c_shim_of(imported, options.scalar, header, command_line);
    results[1].contents = shim.header;
    results[2].contents = shim.source;
  }
  write_files(results);
  print_summary(options, imported);
  if (found) print_check(*found);
  std::printf("header: %s\n", header.c_str());
  if (options.with_c_shim) std::printf("for C: %s, %s\n", results[1].name.c_str(), results[2].name.c_str());
}

}  // namespace

void add_import(CLI::App& app, const std::string& command_line) {
  CLI::App* command = app.add_subcommand("import", "Turn a URDF into a robot that the compiler knows: a C++ header");
  const auto options = std::make_shared<ImportArguments>();
  add_import_options(*command, options->import);
  command->add_option("-o,--output", options->header, "C++ header to write; default: the URDF's name with .hpp, here");
  command->add_option("--scalar", options->scalar, "what the firmware computes in")
      ->check(CLI::IsMember({"float", "double"}))
      ->capture_default_str();
  command->add_flag(
      "--check", options->check,
      "compile the header and compare its accelerations at 1000 random states with a dense computation from "
      "the URDF; nothing is written if they differ");
  command->add_option(
      "--check-header", options->checked_header,
      "do the same with this header, made earlier, and write nothing: is it still the robot of the URDF?");
  command->add_flag("--c-shim", options->with_c_shim,
                    "also write <header>_c.h and <header>_c.cpp: the robot's predictor for firmware in C");
  command->footer(kImportExample);
  command->callback([options, command_line] { run(*options, command_line); });
}

}  // namespace kinecast::host
