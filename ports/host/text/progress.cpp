// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace kinecast::host {

void Progress::show(const std::string& state) {
  const auto now = Clock::now();
  if (now < next_) return;
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  next_ = now + (is_terminal ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000));
  // The escape clears what a longer line left behind.
  std::fprintf(stderr, is_terminal ? "\r%s: %s\033[K" : "%s: %s\n", what_.c_str(), state.c_str());
  std::fflush(stderr);
  line_is_open_ = is_terminal;
}

void Progress::show_share(double share) {
  show(std::to_string(static_cast<int>(100 * std::clamp(share, 0.0, 1.0))) + " %");
}

Progress::~Progress() {
  if (line_is_open_) std::fputs("\r\033[K", stderr);
}

}  // namespace kinecast::host
