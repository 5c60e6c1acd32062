// SPDX-License-Identifier: MIT
// The command line tool `kinecast`: what a desk computer does for a robot that runs the library.
#include "failure.hpp"
#include "subcommands.hpp"
#include "text/text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>

namespace {

int exit_byte(kinecast::host::ExitCode code) { return static_cast<int>(code); }

// Arguments with a space or another letter that a shell would take for itself are put in quotes.
std::string command_line_of(int count, char** arguments) {
  std::string out = "kinecast";
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$&|;<>()*?[]{}#~`!") == std::string::npos;
    std::string inside;  // of '…', where only ' itself means something
    for (const char c : word) inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += plain ? " " + word : " '" + inside + "'";
  }
  return out;
}

}  // namespace

int main(int count, char** arguments) {
  using kinecast::host::ExitCode;
  try {
    CLI::App app{"kinecast: what a desk computer does for a robot that runs the library"};
    app.set_version_flag("--version", KINECAST_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 done; 1 bad input, the message names file and line or JSON path; 2 wrong usage;\n"
        "            3 fit: the log cannot identify an unknown; 4 gnuplot or a compiler is missing, or a file cannot "
        "be written.");
    const std::string command_line = command_line_of(count, arguments);
    kinecast::host::add_import(app, command_line);
    kinecast::host::add_info(app, command_line);
    kinecast::host::add_simulate(app, command_line);
    kinecast::host::add_new(app, command_line);
    kinecast::host::add_compare(app, command_line);
    kinecast::host::add_fit(app);
    kinecast::host::add_hull(app, command_line);
    kinecast::host::add_show(app, command_line);
    try {
      app.parse(count, arguments);
    } catch (const CLI::ParseError& error) {
      // CLI11 says only that a subcommand is required.
      const std::string first = count > 1 ? arguments[1] : "";
      std::vector<std::string> known;
      for (const CLI::App* each : app.get_subcommands([](CLI::App*) { return true; }))
        known.push_back(each->get_name());
      if (!first.empty() && first[0] != '-' && std::find(known.begin(), known.end(), first) == known.end())
        throw kinecast::host::Failure(ExitCode::usage, "no subcommand \"" + kinecast::host::printable(first) +
                                                           "\"; known are " + kinecast::host::listed(known));
      return app.exit(error) == 0 ? exit_byte(ExitCode::ok) : exit_byte(ExitCode::usage);
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw kinecast::host::Failure(ExitCode::environment, "the output cannot be written: is the disk full?");
    return exit_byte(ExitCode::ok);
  } catch (const kinecast::host::Failure& failure) {
    std::fprintf(stderr, "kinecast: %s\n", failure.what());
    return exit_byte(failure.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kinecast: unexpected: %s\n", error.what());
    return exit_byte(ExitCode::environment);
  }
}
