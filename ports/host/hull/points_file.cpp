// SPDX-License-Identifier: MIT
#include "points_file.hpp"

#include "../failure.hpp"
#include "../text/csv.hpp"
#include "../text/input_file.hpp"
#include "../text/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace kinecast::host {
namespace {

using Fields = std::vector<std::string_view>;

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

Fields words_of(std::string_view line) {
  Fields words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// Reads one kind of file, row after row.
class Reader {
 public:
  Reader(const std::string& file, double scale) : file_(file), scale_(scale) {}

  // Three numbers per row, or a header that names x, y and z.
  void csv_row(std::string_view row) {
    const std::string_view bare = trimmed(row);
    if (bare.empty() || bare.front() == '#') return;
    if (width_ == 0) separator_ = bare.find_first_of(",;\t") == std::string_view::npos ? ' ' : separator_of(bare);
    const Fields fields = separator_ == ' ' ? words_of(bare) : split(row, separator_);
    if (width_ == 0) {
      width_ = fields.size();
      const auto is_number = [](std::string_view field) { return parse_number(field).has_value(); };
      if (!(width_ == 3 && std::all_of(fields.begin(), fields.end(), is_number))) {
        find_columns(fields);
        return;
      }
    }
    if (fields.size() != width_)
      refuse("this row has " + std::to_string(fields.size()) + " fields and the first one has " +
             std::to_string(width_) + "; mend or remove it");
    add(fields[columns_[0]], fields[columns_[1]], fields[columns_[2]]);
  }

  // "v x y z", perhaps with a weight or a colour behind; all else is about faces.
  void obj_row(std::string_view row) {
    const Fields words = words_of(row);
    if (words.empty() || words[0] != "v") return;
    if (words.size() < 4) refuse("a vertex needs three numbers");
    add(words[1], words[2], words[3]);
  }

  void stl_row(std::string_view row) {
    constexpr std::array<std::string_view, 6> kKnown = {"solid", "facet", "outer", "endloop", "endfacet", "endsolid"};
    const Fields words = words_of(row);
    if (words.empty()) return;
    if (words[0] == "vertex") {
      if (words.size() != 4) refuse("a vertex needs three numbers");
      add(words[1], words[2], words[3]);
    } else if (std::find(kKnown.begin(), kKnown.end(), words[0]) == kKnown.end()) {
      refuse("\"" + printable(words[0].substr(0, 20)) + "\" is no word of an ASCII STL file");
    }
  }

  void read(const std::string& text, void (Reader::*row)(std::string_view)) {
    std::size_t at = text.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0;  // a spreadsheet's byte order mark
    while (at < text.size()) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      ++line_;
      (this->*row)(std::string_view(text).substr(at, end - at));
      at = end + 1;
    }
  }

  std::vector<Vec3<double>> points;

 private:
  [[noreturn]] void refuse(const std::string& sentence) const { refuse_line(file_, line_, sentence); }

  void find_columns(const Fields& header) {
    constexpr std::array<const char*, 3> kNames = {"x", "y", "z"};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto is_it = [&](std::string_view field) { return lower_case(field) == kNames[k]; };
      const auto found = std::find_if(header.begin(), header.end(), is_it);
      if (found == header.end())
        refuse(
            "neither three numbers nor a header with the columns \"x\", \"y\" and \"z\" (a decimal point, not a "
            "comma)");
      columns_[k] = static_cast<std::size_t>(found - header.begin());
    }
  }

  double number(std::string_view field) const {
    const auto value = parse_number(field);
    if (!value) refuse("\"" + printable(field.substr(0, 40)) + "\" is not a number (a decimal point, not a comma)");
    if (!std::isfinite(*value)) refuse(printable(field) + " is no place");
    const double scaled = *value * scale_;
    if (!(std::abs(scaled) <= 1e6))
      refuse(printable(field) + " is beyond a million metres; is it in mm? Then say --scale 0.001");
    return parse_number(rounded(scaled, kPointDigits)).value_or(scaled);
  }

  void add(std::string_view x, std::string_view y, std::string_view z) {
    points.push_back({number(x), number(y), number(z)});
  }

  const std::string& file_;
  double scale_;
  int line_{0};
  std::size_t width_{0};  // fields of a row; 0: no row was read
  char separator_{','};
  std::array<std::size_t, 3> columns_{0, 1, 2};
};

}  // namespace

PointsFile read_points(const std::string& file, double scale) {
  const std::string text = contents_of(file);
  const std::string kind = lower_case(std::filesystem::path(file).extension().string());
  Reader reader(file, scale);
  if (text.find('\0') != std::string::npos)
    throw Failure(ExitCode::bad_input, file + ": is a binary file; export the shape as ASCII STL, OBJ or CSV");
  reader.read(text, kind == ".obj" ? &Reader::obj_row : kind == ".stl" ? &Reader::stl_row : &Reader::csv_row);
  return {reader.points, fnv1a(text)};
}

}  // namespace kinecast::host
