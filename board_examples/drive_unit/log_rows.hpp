// SPDX-License-Identifier: MIT
// Rows on their way from the control interrupt, which must not wait, to main, which turns them into text. One writer, one
// reader; a row that finds no room is counted, never waited for.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace example {

struct LogRow {
  std::uint32_t tick;
  float volts;
  float angle_rad;     // measured
  float speed_rad_s;   // observed
  float forecast_rad;  // what was forecast for this moment
};

class LogRows {
 public:
  void push(const LogRow& row) noexcept {
    const std::uint32_t written = written_.load(std::memory_order_relaxed);
    if (written - read_.load(std::memory_order_acquire) == kRows) {
      ++lost_;
      return;
    }
    rows_[written % kRows] = row;
    written_.store(written + 1, std::memory_order_release);
  }

  bool pop(LogRow& row) noexcept {
    const std::uint32_t read = read_.load(std::memory_order_relaxed);
    if (read == written_.load(std::memory_order_acquire)) return false;
    row = rows_[read % kRows];
    read_.store(read + 1, std::memory_order_release);
    return true;
  }

  std::uint32_t lost() const noexcept { return lost_; }

 private:
  static constexpr std::uint32_t kRows = 64;  // a power of two, so that the counters may wrap

  std::array<LogRow, kRows> rows_{};
  std::atomic<std::uint32_t> written_{0};
  std::atomic<std::uint32_t> read_{0};
  std::uint32_t lost_ = 0;
};

}  // namespace example
