// SPDX-License-Identifier: MIT
#include "csv.hpp"

#include "../failure.hpp"
#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace kinecast::host {

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  std::size_t start = 0;
  bool is_quoted = false;  // a separator between quotes is a letter
  for (std::size_t at = 0; at <= line.size(); ++at) {
    const bool is_quote = at < line.size() && line[at] == '"';
    if (is_quote && (is_quoted || trimmed(line.substr(start, at - start)).empty())) is_quoted = !is_quoted;
    if (at < line.size() && (is_quoted || line[at] != separator)) continue;
    std::string_view field = trimmed(line.substr(start, at - start));
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
    fields.push_back(field);
    start = at + 1;
  }
  return fields;
}

char separator_of(std::string_view first_row) {
  for (const char candidate : {',', ';', '\t'})
    if (first_row.find(candidate) != std::string_view::npos) return candidate;
  return ',';
}

namespace {

struct Wanted {
  std::string name;
  std::size_t place;
};

std::vector<Wanted> find_columns(const std::string& file, int line, const std::vector<std::string_view>& header,
                                 const std::vector<std::string>& needed, const CsvUse& use) {
  const std::vector<std::string> names(header.begin(), header.end());
  std::vector<Wanted> wanted;
  for (const std::string& name : needed) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      refuse_line(file, line,
                  "there is no column \"" + printable(name) + "\"; the columns here are " + listed(names) +
                      ". Name one of them in " + use.where_named);
    if (std::count(names.begin(), names.end(), name) > 1)
      refuse_line(file, line, "two columns are called \"" + printable(name) + "\"; rename one");
    wanted.push_back({name, static_cast<std::size_t>(found - names.begin())});
  }
  return wanted;
}

double read_field(const std::string& file, int line, const std::string& column, std::string_view field) {
  const auto value = parse_number(field);
  const std::string where = "column \"" + printable(column) + "\"";
  if (!value)
    refuse_line(file, line,
                where + " holds \"" + printable(field) + "\", which is not a number (a decimal point, not a comma); " +
                    "mend or remove the row");
  if (!std::isfinite(*value))
    refuse_line(file, line, where + " is " + printable(field) + "; cut the log there, or repair the row");
  return *value;
}

}  // namespace

void refuse_line(const std::string& file, int line, const std::string& sentence) {
  throw Failure(ExitCode::bad_input, file + ":" + std::to_string(line) + ": " + sentence);
}

Csv::Csv(const std::string& file, const std::vector<std::string>& needed, const CsvUse& use) {
  std::ifstream in(file, std::ios::binary);
  if (!in.is_open()) throw Failure(ExitCode::bad_input, file + ": cannot be read");
  std::vector<Wanted> wanted;
  std::vector<std::string> used(needed);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::size_t width = 0;
  char separator = ',';
  int line = 0;
  std::string text;
  while (std::getline(in, text)) {
    ++line;
    if (line == 1 && text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);  // a spreadsheet's byte order mark
    const std::string_view bare = trimmed(text);
    if (bare.empty() || bare.front() == '#') continue;
    if (width == 0) {
      separator = separator_of(text);
      const auto header = split(text, separator);
      width = header.size();
      wanted = find_columns(file, line, header, used, use);
      continue;
    }
    const auto fields = split(text, separator);
    if (fields.size() != width)
      refuse_line(file, line,
                  "this row has " + std::to_string(fields.size()) + " fields and the header has " +
                      std::to_string(width) + "; a line was cut or joined: mend or remove it");
    for (const Wanted& column : wanted)
      columns_[column.name].push_back(read_field(file, line, column.name, fields[column.place]));
    lines_.push_back(line);
  }
  if (in.bad()) throw Failure(ExitCode::bad_input, file + ": reading failed after line " + std::to_string(line));
  if (width == 0) refuse_line(file, std::max(line, 1), "the file is empty: there is no header with column names");
  if (lines_.size() < use.fewest_rows)
    refuse_line(file, line,
                "the log has only " + std::to_string(lines_.size()) + " row(s) of numbers; at least " +
                    std::to_string(use.fewest_rows) + " " + use.why_so_many);
}

}  // namespace kinecast::host
