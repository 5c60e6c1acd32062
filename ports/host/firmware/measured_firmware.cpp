// SPDX-License-Identifier: MIT
#include "measured_firmware.hpp"

#include "../failure.hpp"
#include "../simulate/process.hpp"
#include "../text/input_file.hpp"
#include "../text/output_file.hpp"
#include "../text/text.hpp"
#include "firmware_project.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

namespace kinecast::host {
namespace {

namespace fs = std::filesystem;

// Goes away with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "kinecast-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr)
      throw Failure(ExitCode::environment, "no temporary folder can be made; name another place for it in TMPDIR");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool is_installed(const std::string& program) {
  const char* const folders = std::getenv("PATH");
  std::istringstream list(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(list, folder, ':');)
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

void expect_programs() {
  std::vector<std::string> missing;
  for (const char* program : {"cmake", "ninja", "arm-none-eabi-g++", "qemu-system-arm"})
    if (!is_installed(program)) missing.emplace_back(program);
  if (missing.empty()) return;
  throw Failure(ExitCode::environment,
                "--measure builds and runs a firmware, and " + listed(missing) +
                    (missing.size() == 1 ? " is" : " are") +
                    " not installed (sh toolchains/setup.sh); without --measure the costs are only predicted");
}

// The line that says what went wrong, or the last one.
std::string reason(const std::string& log) {
  std::istringstream lines(log);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    for (const char* sign : {"overflowed by", "error:", "stopped: ", "CMake Error"})
      if (line.find(sign) != std::string::npos) return printable(line);
    if (!trimmed(line).empty()) last = line;
  }
  return printable(last);
}

std::map<std::string, double> costs_in(const std::string& log, const std::string& board) {
  const std::string start = "kinecast cost: ";
  const std::size_t at = log.find(start);
  if (at == std::string::npos)
    throw Failure(ExitCode::environment, board + ": the firmware printed no costs: " + reason(log));
  std::istringstream words(log.substr(at + start.size(), log.find('\n', at) - at - start.size()));
  std::map<std::string, double> costs;
  for (std::string word; words >> word;)
    if (const std::size_t equal = word.find('='); equal != std::string::npos)
      if (const auto value = parse_number(word.substr(equal + 1))) costs[word.substr(0, equal)] = *value;
  return costs;
}

}  // namespace

std::map<std::string, double> measured_firmware(const std::string& header_text, const std::string& board) {
  expect_programs();
  const TemporaryFolder folder;
  const std::string header = (folder.path() / "robot.hpp").string();
  const std::string project = (folder.path() / "firmware").string();
  const std::string log = (folder.path() / "log").string();
  write_file(header, header_text);
  (void)write_firmware_project({project, header, "", board, "float"}, "kinecast info --measure");
  const Descriptor output(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  const pid_t program = start_program({"cmake", "-E", "chdir", project, "cmake", "--workflow", "--preset", "run"},
                                      {-1, output.get(), output.get()});
  if (program == 0) throw Failure(ExitCode::environment, "cmake cannot be started");
  const int code = exit_code_with_progress(program, "building and running a firmware for " + board);
  if (code != 0)
    throw Failure(ExitCode::environment, board + ": the firmware does not build or run: " + reason(contents_of(log)));
  return costs_in(contents_of(log), board);
}

}  // namespace kinecast::host
