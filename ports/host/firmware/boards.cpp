// SPDX-License-Identifier: MIT
#include "boards.hpp"

#include "../failure.hpp"
#include "../text/text.hpp"

namespace kinecast::host {

const std::vector<Board>& boards() {
  static const std::vector<Board> all{
      {"stm32f405", "stm32f405", "stm32f405.cmake", "STM32F405, Cortex-M4F, 1 MB of flash, 128 KB of RAM"},
      {"mps2-an386", "mps2_an386", "m4.cmake", "Cortex-M4F, 4 MB of flash, 4 MB of RAM"},
      {"mps2-an500", "mps2_an500", "m7.cmake", "Cortex-M7, 4 MB of flash, 4 MB of RAM"},
      {"mps2-an505", "mps2_an505", "m33.cmake", "Cortex-M33, 4 MB of flash, 2 MB of RAM"},
      {"mps3-an547", "mps3_an547", "m55.cmake", "Cortex-M55, 512 KB of flash, 512 KB of RAM"},
      {"microbit", "microbit", "m0.cmake",
       "nRF51822, Cortex-M0 without floating-point unit, 256 KB of flash, 16 KB of RAM"},
  };
  return all;
}

std::vector<std::string> board_names() {
  std::vector<std::string> names;
  for (const Board& board : boards()) names.emplace_back(board.name);
  return names;
}

const Board& find_board(const std::string& name) {
  for (const Board& board : boards())
    if (name == board.name) return board;
  const std::string near = nearest(name, board_names());
  throw Failure(ExitCode::usage, "no board \"" + printable(name) + "\"" +
                                     (near.empty() ? "." : "; did you mean \"" + near + "\"?") + " The boards are " +
                                     listed(board_names()));
}

}  // namespace kinecast::host
