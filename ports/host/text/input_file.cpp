// SPDX-License-Identifier: MIT
#include "input_file.hpp"

#include "../failure.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace kinecast::host {

std::string contents_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  std::error_code ignored;  // a name too long is no folder, and is not open either
  if (std::filesystem::is_directory(file, ignored))
    throw Failure(ExitCode::bad_input, file + ": cannot be read: it is a folder");
  if (!in.is_open()) throw Failure(ExitCode::bad_input, file + ": cannot be read");
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (in.bad() || text.bad()) throw Failure(ExitCode::bad_input, file + ": reading failed");
  return text.str();
}

std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
  return hash;
}

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace kinecast::host
