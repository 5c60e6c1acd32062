// SPDX-License-Identifier: MIT
// A table of numbers in text: a header with the columns' names, then rows; separated by commas, semicolons or tabs; lines
// that begin with # and empty lines do not count. Only the columns asked for must be numbers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kinecast::host {

// What is said of a file that cannot be used.
struct CsvUse {
  std::size_t fewest_rows{12};
  const char* why_so_many{"are needed to see a motion"};  // "at least 12 …": the start velocity alone takes ten
  const char* where_named{"the drive file's \"log\" section"};
};

class Csv {
 public:
  Csv(const std::string& file, const std::vector<std::string>& needed, const CsvUse& use = {});
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const { return columns_.at(name); }
  [[nodiscard]] const std::vector<int>& lines() const { return lines_; }

 private:
  std::map<std::string, std::vector<double>> columns_;
  std::vector<int> lines_;  // of each row in the file
};

// A row's fields, spaces and quotes around them removed, and what separates the fields of a file with this first row.
[[nodiscard]] std::vector<std::string_view> split(std::string_view line, char separator);
[[nodiscard]] char separator_of(std::string_view first_row);

// "file:line: sentence", as editors and compilers have it.
[[noreturn]] void refuse_line(const std::string& file, int line, const std::string& sentence);

}  // namespace kinecast::host
