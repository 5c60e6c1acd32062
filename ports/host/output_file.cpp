// SPDX-License-Identifier: MIT
#include "output_file.hpp"

#include "failure.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace kinecast::host {

void write_file(const std::string& file, const std::string& contents) {
  const std::string unfinished = file + "." + std::to_string(getpid()) + ".part";
  std::error_code error;
  {
    std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
    out << contents;
    out.flush();
    if (out) {
      out.close();
      std::filesystem::rename(unfinished, file, error);
      if (!error) return;
    }
  }
  const std::string why = error ? error.message() : "no such folder, no right to write there, or no space";
  std::filesystem::remove(unfinished, error);
  throw Failure(ExitCode::environment, file + ": cannot be written: " + why);
}

void expect_other_file(const std::string& result, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const std::string& input : inputs)
    if (std::filesystem::equivalent(result, input, ignored))
      throw Failure(ExitCode::usage, result + ": the result would overwrite an input; name another file with -o");
}

}  // namespace kinecast::host
