// SPDX-License-Identifier: MIT
#include "comparison_page.hpp"

#include "../text/html.hpp"
#include "../text/text.hpp"

namespace kinecast::host {
namespace {

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
  return document(
      title,
      "<p>Log " + escaped(comparison.log.file) + ": " + std::to_string(comparison.log.size()) + " samples, " +
          rounded(comparison.log.duration_s(), 4) +
          " s.</p>\n<h2>Scores</h2>\n<p>Root mean square error of the predicted position. Windows: at the end of "
          "predictions of this length that restart along the log; whole log: one prediction of all of it, judged at "
          "every sample. Null: the same unit without static and Coulomb friction; a score that the null reaches too "
          "says nothing about the friction.</p>\n" +
          table(score_rows(comparison.scores, comparison.drive.log.position_unit())) + "<h2>Motion</h2>\n" +
          comparison.svg + "\n" + comparison.scenes + "<h2>Parameters</h2>\n" + table(parameters) +
          "<h2>Notes</h2>\n<ul>\n" + notes + "</ul>\n<h2>Made by</h2>\n<pre>" + escaped(comparison.command_line) +
          "</pre>\n");
}

}  // namespace kinecast::host
