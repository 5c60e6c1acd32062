// SPDX-License-Identifier: MIT
// What a firmware's exit code means. Semihosting passes eight bits to the shell, so every
// meaning needs its own number there, and a count of failures must never wrap to 0.
// ports/cortex_m/qemu_run.sh turns the numbers back into sentences.
#pragma once

namespace kinecast::port {

inline constexpr int kSuccess = 0;
inline constexpr int kMostFailures = 99;  // 1..99: that many failed tests, 99 meaning "99 or more"
inline constexpr int kFault = 100;
inline constexpr int kStackOverflow = 101;
inline constexpr int kAbort = 102;
inline constexpr int kAssertion = 103;
inline constexpr int kUnexpectedInterrupt = 104;
inline constexpr int kPureVirtualCall = 105;
inline constexpr int kStopped = 106;  // the program stopped itself in a safe state and said why
// Not ours to give: 124 is a hang (the runner's time-out), 134 QEMU's own abort on a CPU lock-up.

// What main returns, or a number of failures, as an exit code: non-zero stays non-zero.
constexpr int failure_code(int failures) noexcept {
  if (failures == 0) return kSuccess;
  return (failures < 0 || failures > kMostFailures) ? kMostFailures : failures;
}

// Any code as the eight bits that survive: out of range becomes 255, never 0.
constexpr int exit_byte(int code) noexcept { return (code < 0 || code > 255) ? 255 : code; }

}  // namespace kinecast::port
