// SPDX-License-Identifier: MIT
// A C++ program for this machine, compiled once: the same source, headers, library, compiler and flags give the program of last
// time, out of a cache in the user's folder ($XDG_CACHE_HOME/kinecast, else ~/.cache/kinecast; $KINECAST_CACHE overrides both).
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace kinecast::host {

struct ProgramSource {
  std::string name;                          // for messages and file names: "panda"
  std::string main;                          // C++17 text
  std::map<std::string, std::string> files;  // what main includes with "": name to text
};

// The executable. Throws Failure (environment) with the compiler's first error if it does not compile or there is no compiler
// ($CXX, else c++). A progress line tells that it compiles.
[[nodiscard]] std::filesystem::path compiled_program(const ProgramSource& source);

}  // namespace kinecast::host
