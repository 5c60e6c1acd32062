// SPDX-License-Identifier: MIT
#include "output_file.hpp"

#include "../failure.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace kinecast::host {

namespace {

// Why a result cannot take this place; empty if nothing is known against it.
std::string obstacle(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::file_status there = fs::status(name, ignored);
  // A rename replaces a file, but not a folder.
  if (fs::is_directory(there)) return "is a folder";
  // It would also replace a device, and root's /dev/null is everybody's.
  if (fs::exists(there) && !fs::is_regular_file(there)) return "is no ordinary file";
  if (fs::exists(there) && access(name.c_str(), W_OK) != 0) return "is write-protected";
  const fs::path folder = fs::absolute(name, ignored).parent_path();
  if (!fs::is_directory(folder, ignored)) return "no such folder";
  if (access(folder.c_str(), W_OK) != 0) return "no right to write in its folder";
  return "";
}

std::string unfinished(const ResultFile& file) { return file.name + "." + std::to_string(getpid()) + ".part"; }

[[noreturn]] void give_up(const std::vector<ResultFile>& files, const std::string& name, const std::string& why) {
  std::error_code ignored;
  for (const ResultFile& file : files) std::filesystem::remove(unfinished(file), ignored);
  throw Failure(ExitCode::environment, name + ": cannot be written: " + why);
}

}  // namespace

void write_file(const std::string& file, const std::string& contents) { write_files({{file, contents}}); }

void write_files(const std::vector<ResultFile>& files) {
  std::error_code error;
  for (const ResultFile& file : files) {
    if (const std::string why = obstacle(file.name); !why.empty()) give_up(files, file.name, why);
    std::ofstream out(unfinished(file), std::ios::binary | std::ios::trunc);
    out << file.contents;
    out.close();
    if (!out) give_up(files, file.name, "no space, or no right to write there");
  }
  std::vector<std::string> fresh;  // results of this call where there was nothing before
  for (const ResultFile& file : files) {
    const bool was_there = std::filesystem::exists(file.name, error);
    std::filesystem::rename(unfinished(file), file.name, error);
    if (error) {
      const std::string why = error.message();
      for (const std::string& name : fresh) std::filesystem::remove(name, error);
      give_up(files, file.name, why);
    }
    if (!was_there) fresh.push_back(file.name);
  }
}

void expect_writable(const std::string& result) {
  if (const std::string why = obstacle(result); !why.empty()) give_up({}, result, why);
}

void expect_other_file(const std::string& result, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const std::string& input : inputs)
    if (std::filesystem::equivalent(result, input, ignored))
      throw Failure(ExitCode::usage, result + ": the result would overwrite an input; name another file with -o");
}

}  // namespace kinecast::host
