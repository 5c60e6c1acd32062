// SPDX-License-Identifier: MIT
// The boards that kinecast has start-up code for, as `kinecast new --board` names them.
#pragma once

#include <string>
#include <vector>

namespace kinecast::host {

struct Board {
  const char* name;       // as --board takes it
  const char* folder;     // under ports/
  const char* toolchain;  // file under toolchains/
  const char* chip;       // for people
};

[[nodiscard]] const std::vector<Board>& boards();
[[nodiscard]] std::vector<std::string> board_names();

// Throws Failure (usage) that tells the nearest name and all of them.
[[nodiscard]] const Board& find_board(const std::string& name);

}  // namespace kinecast::host
