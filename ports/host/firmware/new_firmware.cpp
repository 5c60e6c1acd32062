// SPDX-License-Identifier: MIT
// kinecast new: a complete firmware project around a robot, which builds and runs in the emulator at once.
#include "../failure.hpp"
#include "../home.hpp"
#include "../robot/emit_robot.hpp"
#include "../subcommands.hpp"
#include "../text/text.hpp"
#include "boards.hpp"
#include "carried_template.hpp"
#include "filled_text.hpp"
#include "firmware_project.hpp"
#include "given_robot.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

namespace kinecast::host {
namespace {

// The project's files; {{words}} are filled in.
constexpr std::pair<const char*, const char*> kTemplate[] = {{"CMakeLists.txt", kTemplateCMakeLists},
                                                             {"CMakePresets.json", kTemplatePresets},
                                                             {"main.cpp", kTemplateMain},
                                                             {"README.md", kTemplateReadme},
                                                             {".gitignore", kTemplateGitignore}};

namespace fs = std::filesystem;

using Options = FirmwareOptions;

constexpr const char* kNewFirmwareExample = R"(Example: kinecast new panda_firmware --robot panda.hpp --board stm32f405
         cd panda_firmware && cmake --workflow --preset run
The header is what `kinecast import` wrote, or one by hand: then --robot-name says which robot, e.g. --robot-name example::arm.
The folder must not exist, or be empty. In it: main.cpp, robot.hpp (a copy), CMakeLists.txt, CMakePresets.json, README.md.)";

// A text as a string of CMakePresets.json, which takes ${...} for a macro. Bytes beyond ASCII stay as the file system has them.
std::string preset_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '$' ? std::string("${dollar}") : std::string(1, c);
  }
  return out + "\"";
}

Words words_for(const Options& options, const GivenRobot& header, const Board& board, const std::string& project,
                const std::string& command_line) {
  const bool is_stm32 = std::string(board.name) == "stm32f405";
  return {
      {"project", project},
      {"robot", header.name},
      {"scalar", options.scalar.empty() ? header.scalar : options.scalar},
      {"board", board.name},
      {"board_folder", board.folder},
      {"chip", board.chip},
      {"version", KINECAST_VERSION},
      {"command", printable(command_line)},
      {"ports", home().ports.string()},
      {"toolchain", preset_text((home().toolchains / board.toolchain).string())},
      {"package", preset_text(home().package.string())},
      {"display_name", preset_text(std::string(board.name) + ": " + board.chip)},
      {"timer", is_stm32 ? "`kinecast_port/stm32f405/control_timer.hpp` has one of the chip's own."
                         : "Take one of your chip's timers; `kinecast_port/interrupts.hpp` has the vector table."},
      {"flash", is_stm32
                    ? "`openocd -f interface/stlink.cfg -f target/stm32f4x.cfg -c \"program build/firmware.elf verify "
                      "reset exit\"`, or `st-flash write build/firmware.bin 0x8000000`."
                    : "`build/firmware.elf` carries its addresses; give it to the programmer of your board."},
  };
}

// The folder, without a slash at its end. Refuses what is there already, before anything is read.
fs::path free_folder(const std::string& given) {
  std::error_code error;
  fs::path folder = fs::absolute(given, error).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  if (fs::equivalent(folder, fs::current_path(error), error))
    throw Failure(ExitCode::usage, given + ": is the current folder; name a new one");
  if (fs::exists(folder, error)) {
    if (!fs::is_directory(folder, error)) throw Failure(ExitCode::usage, given + ": is a file; name a new folder");
    if (!fs::is_empty(folder, error) || error)
      throw Failure(ExitCode::usage, given + ": is not empty; name a new folder, nothing is overwritten");
  } else if (!fs::is_directory(folder.parent_path(), error)) {
    throw Failure(ExitCode::environment,
                  given + ": cannot be made: there is no folder " + folder.parent_path().string());
  }
  return folder;
}

using Files = std::map<std::string, std::string>;  // name to contents

// Written under another name beside its place, then renamed: the folder is complete or not there.
void write_folder(const fs::path& folder, const Files& files) {
  const fs::path unfinished = folder.string() + "." + std::to_string(getpid()) + ".part";
  std::error_code error;
  bool is_written = fs::create_directory(unfinished, error);
  for (const auto& [name, contents] : files) {
    if (!is_written) break;
    std::ofstream out(unfinished / name, std::ios::binary | std::ios::trunc);
    out << contents;
    out.close();
    is_written = static_cast<bool>(out);
  }
  if (is_written) {
    fs::rename(unfinished, folder, error);
    if (!error) return;
  }
  const std::string why = error ? error.message() : "no right to write there, or no space";
  fs::remove_all(unfinished, error);
  throw Failure(ExitCode::environment, folder.string() + ": cannot be written: " + why);
}

}  // namespace

std::string write_firmware_project(const FirmwareOptions& options, const std::string& command_line) {
  const Board& board = find_board(options.board);
  const fs::path folder = free_folder(options.folder);
  const GivenRobot header = read_given_robot(options.header, options.robot_name);
  const Words words = words_for(options, header, board, identifier(folder.filename().string()), command_line);
  Files files{{"robot.hpp", header.text}};
  for (const auto& [name, text] : kTemplate) files[name] = filled(text, words);
  write_folder(folder, files);
  return options.folder + ": firmware for " + board.name + " (" + board.chip + ") around " + header.name + ", " +
         words.at("scalar");
}

void add_new(CLI::App& app, const std::string& command_line) {
  CLI::App* command = app.add_subcommand("new", "Start a firmware project that forecasts a robot");
  const auto options = std::make_shared<Options>();
  command->add_option("folder", options->folder, "folder to make")->required();
  command->add_option("--robot", options->header, "header of the robot, as `kinecast import` writes it")->required();
  command->add_option("--robot-name", options->robot_name,
                      "the robot's C++ name with its namespace; default: as the header says");
  command->add_option("--board", options->board, "one of " + listed(board_names()))->required();
  command->add_option("--scalar", options->scalar, "float or double; default: as the header says, else float")
      ->check(CLI::IsMember({"float", "double"}));
  command->footer(kNewFirmwareExample);
  command->callback([options, command_line] {
    std::printf("%s\nBuild it and run it in the emulator:\n  cd '%s' && cmake --workflow --preset run\n",
                write_firmware_project(*options, command_line).c_str(), options->folder.c_str());
  });
}

}  // namespace kinecast::host
