// SPDX-License-Identifier: MIT
// How a subcommand ends when it cannot do its work: a message for the user, and the exit code that a script sees.
#pragma once

#include <stdexcept>
#include <string>

namespace kinecast::host {

enum class ExitCode {
  ok = 0,
  bad_input = 1,         // a file's contents: the message names the file and the line or the JSON path
  usage = 2,             // the command line
  not_identifiable = 3,  // fit: the log says too little about an unknown
  environment = 4,       // gnuplot or a compiler is missing, a file cannot be written
};

class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const noexcept { return code_; }

 private:
  ExitCode code_;
};

}  // namespace kinecast::host
