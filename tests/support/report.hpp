// SPDX-License-Identifier: MIT
// What an oracle, a scenario or a recording measured: one line per figure on stdout, and with `--scores file` one row per
// figure appended to the table that tests/validation collects. A figure above its gate makes finish() non-zero, and so
// does a null model that passes the gate: such a gate proves nothing.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <string>

namespace support {

// What ctest takes for "skipped".
inline constexpr int kSkipped = 77;

// "none" where a column has no meaning for the row.
inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// A row of scores.csv.
struct Score {
  std::string set;          // where the truth comes from
  std::string protocol;     // what is compared, and how
  std::string robot;        // column "case"
  std::string scalar;       // float or double
  double ours{kNone};       // our figure; smaller is better
  double reference{kNone};  // the bound, or another implementation's figure
  std::string unit{"relative"};
  double published{kNone};
  double null{kNone};  // the same figure for a model that must fail
  double gate{kNone};  // our figure must not exceed it and the null's must; none: printed only
};

template <class S>
[[nodiscard]] constexpr const char* scalar_name() noexcept {
  return sizeof(S) == sizeof(float) ? "float" : "double";
}

class Report {
 public:
  Report(const char* name, int argc, char** argv) : name_(name) {
    for (int i = 1; i + 1 < argc; ++i)
      if (std::strcmp(argv[i], "--scores") == 0) scores_.open(argv[i + 1], std::ios::app);
    if (argc > 1 && !scores_.is_open()) fail("usage: [--scores file], and the file can be written");
  }

  // An oracle's figure: the reference, if there is one, is the gate. `note` may add what the row has no column for.
  void add(Score s, const char* note = "") {
    s.gate = s.reference;
    take(s, note);
  }

  // A recording's figure: the reference is only somebody else's, the row brings its gate and its null.
  void add_recording(const Score& s) {
    if (!std::isnan(s.gate) && std::isnan(s.null)) fail(s.set + ' ' + s.robot + ": a gate without a null to fail it");
    take(s, "");
  }

  // What no row has a column for; tests/validation repeats it below its table.
  static void remark(const std::string& sentence) { std::printf("remark: %s\n", sentence.c_str()); }

  void fail(const std::string& sentence) {
    std::printf("%s: FAILED: %s\n", name_, sentence.c_str());
    ++failures_;
  }

  // A claim that has no figure to compare: the sentence says what should have been.
  void expect(bool is_so, const std::string& sentence) {
    if (!is_so) fail(sentence);
  }

  // A part of the program: an exception is a failure with its sentence, and what comes after the part still runs.
  template <class Part>
  void attempt(Part part) {
    try {
      part();
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }

  // The program's exit code. To have measured nothing is a failure.
  [[nodiscard]] int finish() {
    if (figures_ == 0) fail("nothing was measured");
    if (scores_.is_open() && !scores_.flush()) fail("the scores cannot be written");
    std::printf("%s: %d figures, %d failed\n", name_, figures_, failures_);
    return failures_ == 0 ? 0 : 1;
  }

 private:
  // Prints, appends, and compares with the gate if there is one.
  void take(const Score& s, const char* note) {
    const bool gated = !std::isnan(s.gate);
    const bool good = gated ? s.ours <= s.gate : std::isfinite(s.ours);  // a NaN is never good
    const bool null_passes = gated && s.null <= s.gate;
    std::printf("%-9s %-24s %-12s %-6s %10.3g", s.set.c_str(), s.protocol.c_str(), s.robot.c_str(), s.scalar.c_str(),
                s.ours);
    if (gated) std::printf("  (bound %.3g)", s.gate);
    if (!std::isnan(s.null)) std::printf("  null %.3g", s.null);
    std::printf("%s%s%s%s\n", good ? "" : "  FAILED", null_passes ? "  FAILED: the null passes" : "",
                *note != '\0' ? "  " : "", note);
    if (!good || null_passes) ++failures_;
    ++figures_;
    if (scores_.is_open()) {
      scores_ << s.set << ',' << s.protocol << ',' << s.robot << ',' << s.scalar;
      for (const double value : {s.ours, s.published, s.reference, s.null}) scores_ << ',' << field(value);
      scores_ << ',' << s.unit << '\n';
    }
  }

  static std::string field(double value) {
    if (std::isnan(value)) return {};
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr;
    return {text, end};
  }

  const char* name_;
  std::ofstream scores_;
  int figures_{0};
  int failures_{0};
};

}  // namespace support
