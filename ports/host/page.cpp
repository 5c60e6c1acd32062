// SPDX-License-Identifier: MIT
#include "page.hpp"

#include "text.hpp"

namespace kinecast::host {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string row(const std::vector<std::string>& cells, const std::string& element) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += "<" + element + ">" + escaped(cell) + "</" + element + ">";
  return out + "</tr>\n";
}

std::string score_rows(const std::vector<Score>& scores, const std::string& unit) {
  std::string out =
      row({"window", "count", "error, float (" + unit + ")", "error, double", "null", "null / error"}, "th");
  for (const Score& score : scores)
    out += row({window_name(score), std::to_string(score.count), rounded(score.single, 4), rounded(score.twofold, 4),
                rounded(score.null, 4), rounded(score.null / score.single, 3)},
               "td");
  return out;
}

// Every number of the unit with its path, as in the drive file.
void parameter_rows(const Json& value, const std::string& path, std::string& out) {
  if (value.is_object()) {
    for (const auto& [key, below] : value.items())
      if (!path.empty() || (key != "log" && key != "fit"))
        parameter_rows(below, path.empty() ? key : path + "." + key, out);
    return;
  }
  out += row({path, value.is_string() ? value.get<std::string>() : value.dump()}, "td");
}

}  // namespace

std::string comparison_page(const Comparison& comparison) {
  const std::string title = comparison.drive.name + ": prediction against recording";
  std::string parameters = row({"parameter", "value"}, "th");
  parameter_rows(comparison.drive.document, "", parameters);
  std::string notes;
  for (const std::string& note : comparison.notes) notes += "<li>" + escaped(note) + "</li>\n";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + escaped(title) +
         "</title>\n<style>\n"
         "body { font-family: sans-serif; max-width: 1040px; margin: 1em auto; padding: 0 1em; color: #202020; }\n"
         "table { border-collapse: collapse; margin: 0.5em 0; }\n"
         "th, td { border-bottom: 1px solid #d0d0d0; padding: 0.25em 0.8em; text-align: right; }\n"
         "th:first-child, td:first-child { text-align: left; }\n"
         "svg { width: 100%; height: auto; }\n"
         "pre { background: #f2f2f2; padding: 0.6em; overflow-x: auto; }\n"
         "</style>\n</head>\n<body>\n<h1>" +
         escaped(title) + "</h1>\n<p>Log " + escaped(comparison.log.file) + ": " +
         std::to_string(comparison.log.size()) + " samples, " + rounded(comparison.log.duration_s(), 4) +
         " s.</p>\n<h2>Scores</h2>\n<p>Root mean square error of the predicted position. Windows: at the end of " +
         "predictions of this length that restart along the log; whole log: one prediction of all of it, judged at "
         "every " +
         "sample. Null: the same unit without static and Coulomb friction; a score that the null reaches too says "
         "nothing " +
         "about the friction.</p>\n<table>\n" + score_rows(comparison.scores, comparison.drive.log.position_unit()) +
         "</table>\n<h2>Motion</h2>\n" + comparison.svg + "\n<h2>Parameters</h2>\n<table>\n" + parameters +
         "</table>\n<h2>Notes</h2>\n<ul>\n" + notes + "</ul>\n<h2>Made by</h2>\n<pre>" +
         escaped(comparison.command_line) + "</pre>\n</body>\n</html>\n";
}

}  // namespace kinecast::host
