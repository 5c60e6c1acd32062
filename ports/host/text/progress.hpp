// SPDX-License-Identifier: MIT
// A line on stderr while work takes long: nothing in the first second, then one line that rewrites itself on a terminal,
// or a plain line every few seconds elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace kinecast::host {

class Progress {
 public:
  explicit Progress(std::string what) : what_(std::move(what)) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& state);
  void show_share(double share);  // 0 to 1

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  Clock::time_point start_{Clock::now()};
  Clock::time_point next_{start_ + std::chrono::seconds(1)};
  bool line_is_open_{false};
};

}  // namespace kinecast::host
