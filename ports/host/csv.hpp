// SPDX-License-Identifier: MIT
// A table of numbers in text: a header with the columns' names, then rows; separated by commas, semicolons or tabs; lines
// that begin with # and empty lines do not count. Only the columns asked for must be numbers.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace kinecast::host {

class Csv {
 public:
  Csv(const std::string& file, const std::vector<std::string>& needed);
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const { return columns_.at(name); }
  [[nodiscard]] const std::vector<int>& lines() const { return lines_; }

 private:
  std::map<std::string, std::vector<double>> columns_;
  std::vector<int> lines_;  // of each row in the file
};

// "file:line: sentence", as editors and compilers have it.
[[noreturn]] void refuse_line(const std::string& file, int line, const std::string& sentence);

}  // namespace kinecast::host
