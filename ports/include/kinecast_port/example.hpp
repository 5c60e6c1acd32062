// SPDX-License-Identifier: MIT
// What complete firmwares repeat: a Status that is not ok ends the run with its sentence, one more step is measured
// without being kept, an expectation that fails is told, and the costs are printed as one table. The board examples and
// the firmware that `kinecast new` writes use it; a product will want a reaction of its own to a wrong Status.
#pragma once

#include <kinecast/core/status.hpp>

#include "kinecast_port/text.hpp"

namespace kinecast::port {

// ---- errors are values ------------------------------------------------------------------------------------------------

[[noreturn]] inline void stop(const char* why) noexcept {
  put("stopped: ");
  put(why);
  put("\n");
  exit(kStopped);
}

// Also a warning stops: contacts that found no room, a solver that ran out of iterations.
inline void require(Status status) noexcept {
  if (status != Status::ok) stop(sentence(status));
}

// The sentence ends with its line; the result is for the exit code.
[[nodiscard]] inline bool expect(bool holds, const char* sentence_of_failure) noexcept {
  if (!holds) put("not as expected: "), put(sentence_of_failure);
  return holds;
}
[[nodiscard]] inline bool is_near(float a, float b, float tolerance) noexcept {
  const float difference = a < b ? b - a : a - b;
  return difference < tolerance;
}

// ---- one step, and what it costs --------------------------------------------------------------------------------------

inline void raise(std::uint32_t value, std::uint32_t& most) noexcept {
  if (value > most) most = value;
}

// Instructions of a step that is kept. `step` returns a Status.
template <class Step>
[[gnu::always_inline]] inline std::uint32_t count_step(Step&& step) noexcept {
  Status status = Status::ok;
  const std::uint32_t instructions = count([&] { status = step(); });
  require(status);
  return instructions;
}

// Bytes of stack of one more step from here; the predictor stays where it is. `step` calls a function that is not
// inlined, or its frame belongs to the caller.
template <class Predictor, class Step>
[[gnu::always_inline]] inline std::uint32_t stack_of_step(Predictor& predictor, Step&& step) noexcept {
  const typename Predictor::Snapshot now = predictor.snapshot();
  Status status = Status::ok;
  const std::uint32_t bytes = stack_of([&] { status = step(); });
  require(status);
  predictor.restore(now);
  return bytes;
}

// Instructions of one more step from here; the predictor stays where it is.
template <class Predictor, class Step>
[[gnu::always_inline]] inline std::uint32_t instructions_of_step(Predictor& predictor, Step&& step) noexcept {
  const typename Predictor::Snapshot now = predictor.snapshot();
  const std::uint32_t instructions = count_step(step);
  predictor.restore(now);
  return instructions;
}

// ---- text -------------------------------------------------------------------------------------------------------------

inline void print(const char* before, const Field& number, const char* after) noexcept {
  put(before);
  put(number);
  put(after);
}

// The title of the table of costs, or why there is none; `counts` is what counter_start() said.
[[nodiscard]] inline bool begin_costs(bool counts) noexcept {
  put(counts ? "\nWhat it cost:\n" : "\nThis machine does not count instructions.\n");
  return counts;
}
// A row of it. tests/board_examples/run_example.py reads them and holds them against the example's README.
inline void print_cost(const char* what, std::uint32_t value, const char* unit = "") noexcept {
  put("  ");
  put_left(what, 74);
  put_right(integer(value), 8);
  put(unit);
  put("\n");
}
inline void print_bytes(const char* what, std::uint32_t bytes) noexcept { print_cost(what, bytes, " B"); }

}  // namespace kinecast::port
