// SPDX-License-Identifier: MIT
// The "log" section of a drive.json: which column of the CSV is what, and in which unit.
#pragma once

#include "../text/json_table.hpp"

#include <optional>
#include <string>

namespace kinecast::host {

struct Column {
  std::string name;  // in the CSV's header
  std::string unit;  // as the user wrote it
  double factor{1};  // to SI
};

struct LogDescription {
  Column time;
  std::string command_kind;        // "voltage", "duty", "torque" or "force"
  Column command;                  // to V, Nm or N; a duty to -1 … 1
  double supply_V{1};              // of a duty, unless it has a column
  std::optional<Column> supply;    // of a duty
  Column position;                 // to rad or m
  bool wraps{false};               // the encoder starts again after a turn
  std::optional<Column> velocity;  // to rad/s or m/s
  std::optional<Column> external;  // torque or force on the joint from outside, Nm or N
  bool slides{false};

  [[nodiscard]] const char* position_unit() const { return slides ? "m" : "rad"; }
  [[nodiscard]] const char* effort_unit() const { return slides ? "N" : "Nm"; }
};

[[nodiscard]] LogDescription read_log_description(const JsonTable& log, bool slides, bool has_voltage);
[[nodiscard]] std::vector<std::string> log_keys(bool slides, bool has_voltage);

}  // namespace kinecast::host
