// SPDX-License-Identifier: MIT
// A drive.json as a whole: the unit, with the numbers that the user marked as unknown, and the description of its log.
#pragma once

#include "drive_unit.hpp"
#include "log_description.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace kinecast::host {

// {"unknown": true, "guess": 0.2, "min": 0.01, "max": 2} in the place of a number.
struct Unknown {
  std::string path;          // "friction.at_joint.coulomb_Nm"
  Json::json_pointer where;  // the same, for the document
  double guess{0};
  double min{0};
  double max{0};
};

struct DriveFile {
  std::string file;
  std::string name;
  Json document;                  // with the guesses in the unknowns' places
  std::vector<Unknown> unknowns;  // in the file's order
  LogDescription log;
  std::vector<double> windows_s;

  [[nodiscard]] DriveUnit unit() const { return read_drive_unit(file, document); }  // keeps the library's rules
};

[[nodiscard]] DriveFile read_drive_file(const std::string& file);

}  // namespace kinecast::host
