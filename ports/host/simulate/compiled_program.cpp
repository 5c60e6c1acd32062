// SPDX-License-Identifier: MIT
#include "compiled_program.hpp"

#include "../failure.hpp"
#include "../home.hpp"
#include "../text/input_file.hpp"
#include "../text/text.hpp"
#include "process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace kinecast::host {
namespace {

namespace fs = std::filesystem;

// -O1 and not -O2 by the time until the result is there: a quadruped of 14 degrees of freedom with 8 contacts compiles in 3.5 s
// instead of 5 s, and 20 000 of its steps take 0.4 s instead of 0.2 s. The rest as in the library's own tests: results do not
// depend on the machine.
const std::vector<std::string>& flags() {
  static const std::vector<std::string> kFlags{
      "-std=c++17", "-O1", "-DNDEBUG", "-ffp-contract=off", "-fno-math-errno", "-DEIGEN_DONT_VECTORIZE"};
  return kFlags;
}

fs::path cache_folder() {
  const auto given = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string own = given("KINECAST_CACHE"); !own.empty()) return fs::absolute(own);
  const fs::path shared = given("XDG_CACHE_HOME");
  if (shared.is_absolute()) return shared / "kinecast";
  if (const std::string user = given("HOME"); !user.empty()) return fs::path(user) / ".cache" / "kinecast";
  throw Failure(ExitCode::environment, "there is no folder to compile in: set HOME or KINECAST_CACHE");
}

// $CXX may be a path with spaces, or a command with arguments ("ccache g++").
std::vector<std::string> compiler() {
  const char* given = std::getenv("CXX");
  const std::string command = given == nullptr || *given == '\0' ? "c++" : given;
  std::error_code ignored;
  if (fs::is_regular_file(command, ignored)) return {command};
  std::istringstream text(command);
  std::vector<std::string> words{std::istream_iterator<std::string>(text), std::istream_iterator<std::string>()};
  return words.empty() ? std::vector<std::string>{"c++"} : words;
}

std::string command_text(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

[[noreturn]] void refuse_compiler(const std::vector<std::string>& command) {
  throw Failure(ExitCode::environment,
                command_text(command) +
                    ": this compiler does not run; install g++ (sh toolchains/setup.sh) or name another one in CXX");
}

// What the compiler says of itself: another version is another program.
std::string version_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Failure(ExitCode::environment, "no pipe can be opened");
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  std::vector<std::string> arguments = command;
  arguments.emplace_back("--version");
  const pid_t program = start_program(arguments, {-1, to.get(), to.get()});
  to.close();
  if (program == 0) refuse_compiler(command);
  std::string out;
  char buffer[512];
  for (ssize_t count = 0; (count = read(from.get(), buffer, sizeof buffer)) > 0;)
    out.append(buffer, static_cast<std::size_t>(count));
  if (exit_code_of(program) != 0) refuse_compiler(command);
  return out;
}

std::uint64_t hash_of_library() {
  std::vector<fs::path> headers;
  for (const auto& entry : fs::recursive_directory_iterator(home().include / "kinecast"))
    if (entry.is_regular_file()) headers.push_back(entry.path());
  std::sort(headers.begin(), headers.end());
  std::uint64_t hash = fnv1a("");
  for (const fs::path& header : headers)
    hash = fnv1a(contents_of(header.string()), fnv1a(header.filename().string(), hash));
  return hash;
}

std::string key_of(const ProgramSource& source, const std::vector<std::string>& command) {
  std::string all = KINECAST_VERSION + ("\n" + command_text(command)) + "\n" + version_of(command) + "\n" +
                    command_text(flags()) + "\n" + home().eigen.string() + "\n" + hex(hash_of_library()) + "\n" +
                    source.main;
  for (const auto& [name, text] : source.files) {
    all += '\0' + name + '\0';
    all += text;
  }
  return hex(fnv1a(all));
}

// Only what every file system takes.
std::string file_name(const std::string& name) {
  std::string out;
  for (const char c : name.substr(0, 40))
    out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return out;
}

// A folder that goes away with everything in it, unless it was renamed.
class Workshop {
 public:
  explicit Workshop(fs::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error)
      throw Failure(ExitCode::environment, folder_.string() + ": cannot be written: " + error.message() +
                                               "; name another cache folder in KINECAST_CACHE");
  }
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  [[nodiscard]] fs::path operator/(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream out(folder_ / name, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw Failure(ExitCode::environment, (folder_ / name).string() + ": cannot be written");
  }
  // Somebody else may have compiled the same meanwhile: then theirs stays.
  void move_to(const fs::path& place) const {
    std::error_code error;
    fs::rename(folder_, place, error);
    if (error && !fs::exists(place / "program"))
      throw Failure(ExitCode::environment, place.string() + ": cannot be written: " + error.message());
  }

 private:
  fs::path folder_;
};

// The first error and what follows it: a template's error goes on for pages.
std::string first_error(const std::string& log) {
  std::istringstream lines(log);
  std::string out;
  int left = 0;
  for (std::string line; std::getline(lines, line);) {
    if (out.empty() && (line.find("error:") != std::string::npos || line.find("Error") != std::string::npos)) left = 3;
    if (left > 0) out += "\n  " + printable(line), --left;
  }
  return out.empty() ? "\n  " + printable(log.substr(0, 400)) : out;
}

void compile(const ProgramSource& source, std::vector<std::string> command, const Workshop& workshop) {
  workshop.write("main.cpp", source.main);
  for (const auto& [name, text] : source.files) workshop.write(name, text);
  const std::vector<std::string> asked = command;
  command.insert(command.end(), flags().begin(), flags().end());
  command.insert(command.end(), {"-isystem", home().eigen.string(), "-I", home().include.string(),
                                 (workshop / "main.cpp").string(), "-o", (workshop / "program").string()});
  const fs::path log = workshop / "compiler.log";
  Descriptor output(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  const pid_t program = start_program(command, {-1, output.get(), output.get()});
  if (program == 0) refuse_compiler(asked);
  const int code = exit_code_with_progress(program, "compiling " + source.name + " (once)");
  if (code != 0)
    throw Failure(ExitCode::environment, source.name + ": " + command_text(asked) + " does not compile it (exit code " +
                                             std::to_string(code) + "):" + first_error(contents_of(log.string())));
}

}  // namespace

std::filesystem::path compiled_program(const ProgramSource& source) {
  const std::vector<std::string> command = compiler();
  const std::string key = file_name(source.name) + "-" + key_of(source, command);
  const fs::path place = cache_folder() / key;
  std::error_code ignored;
  if (fs::exists(place / "program", ignored)) return place / "program";
  const Workshop workshop(cache_folder() / (key + "." + std::to_string(getpid()) + ".part"));
  compile(source, command, workshop);
  workshop.move_to(place);
  return place / "program";
}

}  // namespace kinecast::host
