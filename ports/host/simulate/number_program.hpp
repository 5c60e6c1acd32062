// SPDX-License-Identifier: MIT
// A program that reads numbers from stdin and writes numbers to stdout, both as doubles of this machine, while it runs.
#pragma once

#include "process.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

namespace kinecast::host {

class NumberProgram {
 public:
  // Starts it. Throws Failure (environment) if it cannot be started.
  NumberProgram(const std::filesystem::path& program, const std::vector<double>& input);

  // The next number; false at the end of the output.
  [[nodiscard]] bool read(double& value) { return std::fread(&value, sizeof value, 1, output_.get()) == 1; }
  [[nodiscard]] int exit_code() const { return exit_code_of(running_); }  // waits for its end; once

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  File input_;
  File output_;
  pid_t running_{0};
};

}  // namespace kinecast::host
