// SPDX-License-Identifier: MIT
// An oracle, a scenario or a validation is a source that defines `support::program`; main.cpp has the one main() of all:
//
//   const support::Program support::program{"stance", measure};
//
// where measure takes a Report, or a Report and a Figure. `--scores file`, `--figure DIR` and `--long` are the main's options,
// an exception is a failure with its sentence, and the exit code is the report's.
#pragma once

#include "figure.hpp"
#include "report.hpp"

namespace support {

struct Program {
  using Measure = void (*)(Report&);
  using Draw = void (*)(Report&, Figure&);

  Program(const char* its_name, Measure its_measure) : name(its_name), measure(its_measure) {}
  Program(const char* its_name, Draw its_draw) : name(its_name), draw(its_draw) {}

  const char* name;
  Measure measure{nullptr};
  Draw draw{nullptr};
};

extern const Program program;

// Set by `--long`: programs that draw their cases at random take more of them.
inline bool runs_long{false};

}  // namespace support
