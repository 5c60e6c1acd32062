// SPDX-License-Identifier: MIT
#include "drive_file.hpp"

#include <cmath>
#include <limits>

namespace kinecast::host {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Takes the unknowns out of a value and leaves their guesses.
void collect_unknowns(const std::string& file, const std::string& path, const Json::json_pointer& where, Json& value,
                      std::vector<Unknown>& out) {
  if (!value.is_object()) return;
  if (!value.contains("unknown")) {
    for (const auto& [key, below] : value.items())
      collect_unknowns(file, path.empty() ? key : path + "." + key, where / key, below, out);
    return;
  }
  const JsonTable table(file, path, value, {"unknown", "guess", "min", "max"});
  if (!table.flag("unknown", false)) table.refuse("unknown", "must be true; a known value is a plain number");
  Unknown unknown{path, where, table.number("guess"), table.number("min", -kInfinity), table.number("max", kInfinity)};
  if (!(unknown.min < unknown.max)) table.refuse("min", "must be below max");
  if (unknown.guess < unknown.min || unknown.guess > unknown.max) table.refuse("guess", "must lie between min and max");
  value = unknown.guess;
  out.push_back(std::move(unknown));
}

std::vector<double> read_windows(const JsonTable& top) {
  if (!top.has("windows_s")) return {0.05, 0.2, 0.5, 1};
  const Json& list = top.raw("windows_s");
  if (!list.is_array() || list.empty())
    top.refuse("windows_s", "must be a list of times in seconds, such as [0.05, 0.2]");
  std::vector<double> windows;
  for (const Json& entry : list) {
    if (!entry.is_number() || !(entry.get<double>() > 0) || !std::isfinite(entry.get<double>()))
      top.refuse("windows_s", "must hold only positive numbers");
    windows.push_back(entry.get<double>());
  }
  return windows;
}

}  // namespace

DriveFile read_drive_file(const std::string& file) {
  DriveFile out;
  out.file = file;
  out.document = read_json(file);
  if (out.document.is_object())
    for (const auto& [key, value] : out.document.items())
      if (key != "log" && key != "windows_s" && key != "fit")
        collect_unknowns(file, key, Json::json_pointer() / key, value, out.unknowns);
  expect_rules_kept(file, out.document, out.unit());
  const bool slides = out.document.at("joint") == "prismatic";
  const bool has_voltage = out.document.at("drive") == "voltage";
  const JsonTable top = top_table(file, out.document);
  out.name = top.text("name");
  out.log = read_log_description(top.table("log", log_keys(slides, has_voltage)), slides, has_voltage);
  out.windows_s = read_windows(top);
  return out;
}

}  // namespace kinecast::host
