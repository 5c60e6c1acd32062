// SPDX-License-Identifier: MIT
// Reads golden/*.csv: lines of parameters behind '#', a line of column names, numbers. Every surprise is an exception
// with a sentence.
#pragma once

#include <cstddef>
#include <fstream>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace oracle {

struct GoldenPoint {
  int link{};
  double position_m[3]{};
};

struct GoldenTable {
  std::string file;
  double gravity_down{};
  std::vector<int> wrench_links;
  std::vector<GoldenPoint> points;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  // The column that starts a block, e.g. "dq0", "H0_0"; the block's last column must be where its size says.
  [[nodiscard]] std::size_t block(const std::string& first, const std::string& last, std::size_t size) const {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] != first) continue;
      if (i + size <= columns.size() && columns[i + size - 1] == last) return i;
      throw std::runtime_error(file + ": another robot? Its columns " + first + "... are not " + std::to_string(size));
    }
    throw std::runtime_error(file + ": no column " + first);
  }
};

namespace detail {

// The numbers in a text, whatever is between them.
inline std::vector<double> numbers_in(std::string text) {
  for (char& c : text)
    if (std::string("0123456789+-.e").find(c) == std::string::npos) c = ' ';
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  std::vector<double> found;
  for (double x = 0; in >> x;) found.push_back(x);
  return found;
}

inline std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream in(line);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

// The text between two marks; empty if the first is absent.
inline std::string between(const std::string& line, const std::string& from, const std::string& to) {
  const std::size_t start = line.find(from);
  if (start == std::string::npos) return {};
  const std::size_t begin = start + from.size();
  return line.substr(begin, line.find(to, begin) - begin);
}

inline void read_parameters(const std::string& line, GoldenTable& out) {
  if (const auto g = numbers_in(between(line, ", g=", " down z")); g.size() == 1) out.gravity_down = g[0];
  for (const double link : numbers_in(between(line, "ext wrenches on links [", "]")))
    out.wrench_links.push_back(static_cast<int>(link));
  const std::vector<double> p = numbers_in(between(line, "contact points: [", ")] ("));
  for (std::size_t i = 0; i + 3 < p.size(); i += 4)
    out.points.push_back({static_cast<int>(p[i]), {p[i + 1], p[i + 2], p[i + 3]}});
}

}  // namespace detail

// Any golden file.
inline GoldenTable read_table(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot be read");
  GoldenTable table;
  table.file = path;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    if (line[0] == '#') {
      detail::read_parameters(line, table);
    } else if (table.columns.empty()) {
      table.columns = detail::split(line);
    } else {
      table.rows.push_back(detail::numbers_in(line));
      if (table.rows.back().size() != table.columns.size())
        throw std::runtime_error(path + ": row " + std::to_string(table.rows.size()) + " has " +
                                 std::to_string(table.rows.back().size()) + " numbers, not " +
                                 std::to_string(table.columns.size()));
    }
  }
  if (table.rows.empty()) throw std::runtime_error(path + ": no rows");
  return table;
}

// golden/f_fd_*.csv, whose parameters say more.
inline GoldenTable read_golden(const std::string& path) {
  GoldenTable table = read_table(path);
  if (table.wrench_links.size() != 2 || table.points.size() != 2 || !(table.gravity_down > 0))
    throw std::runtime_error(path + ": gravity, two wrenches, or two contact points are missing");
  return table;
}

}  // namespace oracle
