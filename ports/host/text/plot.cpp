// SPDX-License-Identifier: MIT
#include "plot.hpp"

#include "../failure.hpp"
#include "text.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <regex>

namespace kinecast::host {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, Close>;

TemporaryFile temporary_file() {
  TemporaryFile file(std::tmpfile());
  if (!file) throw Failure(ExitCode::environment, "no temporary file can be made for the plots (is the disk full?)");
  return file;
}

std::string contents_of(std::FILE* file) {
  std::string out;
  char part[4096];
  std::rewind(file);
  for (std::size_t got = 0; (got = std::fread(part, 1, sizeof part, file)) > 0;) out.append(part, got);
  return out;
}

// Without a shell: no quoting, and no file names of ours.
std::string run_gnuplot(const std::string& script) {
  const TemporaryFile in = temporary_file();
  const TemporaryFile out = temporary_file();
  const TemporaryFile errors = temporary_file();
  const bool written = std::fwrite(script.data(), 1, script.size(), in.get()) == script.size();
  if (!written || std::fflush(in.get()) != 0)
    throw Failure(ExitCode::environment, "the plots' data cannot be written (is the disk full?)");
  lseek(fileno(in.get()), 0, SEEK_SET);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(errors.get()), STDERR_FILENO);
  std::string program = "gnuplot";
  std::string no_user_settings = "--default-settings";
  char* arguments[] = {program.data(), no_user_settings.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "gnuplot", &files, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  int ended = 0;
  const bool ran = failed == 0 && waitpid(child, &ended, 0) == child;
  if (!ran || (WIFEXITED(ended) && WEXITSTATUS(ended) == 127))
    throw Failure(ExitCode::environment,
                  "gnuplot cannot be started; install it (Debian: gnuplot-nox). No page was written");
  const std::string svg = contents_of(out.get());
  const std::size_t start = svg.find("<svg");
  const bool complete = start != std::string::npos && svg.find("</svg>") != std::string::npos;
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0 || !complete)
    throw Failure(ExitCode::environment,
                  "gnuplot failed, no page was written: " + contents_of(errors.get()).substr(0, 500));
  return svg.substr(start, svg.rfind("</svg>") + 6 - start);  // without the XML prologue: it goes into an HTML page
}

// More points than pixels only make the page large: each bucket leaves its first, lowest and highest point.
std::string data_of(const Curve::Piece& piece, std::size_t bucket) {
  std::string out;
  for (std::size_t start = 0; start < piece.value.size(); start += bucket) {
    const auto from = piece.value.begin() + static_cast<std::ptrdiff_t>(start);
    const auto to = piece.value.begin() + static_cast<std::ptrdiff_t>(std::min(start + bucket, piece.value.size()));
    const auto place = [&](auto it) { return static_cast<std::size_t>(it - piece.value.begin()); };
    std::vector<std::size_t> kept{start};
    if (bucket > 1)
      kept.push_back(place(std::min_element(from, to))), kept.push_back(place(std::max_element(from, to)));
    if (place(to) == piece.value.size()) kept.push_back(piece.value.size() - 1);
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    for (const std::size_t i : kept) out += rounded(piece.time_s[i], 8) + " " + rounded(piece.value[i], 7) + "\n";
  }
  return out;
}

std::string curve_data(const Curve& curve, std::size_t buckets) {
  std::size_t points = 0;
  for (const Curve::Piece& piece : curve.pieces) points += piece.value.size();
  const std::size_t bucket = points <= 3 * buckets ? 1 : points / buckets;
  std::string out;
  for (const Curve::Piece& piece : curve.pieces) out += data_of(piece, bucket) + "\n";
  return out;
}

std::string bar_data(const Bars& bars, std::size_t lane, double duration_s) {
  const double narrowest = duration_s / 2000;  // a pixel
  std::string out;
  const std::string bottom = rounded(static_cast<double>(lane) + 0.15, 4);
  const std::string top = rounded(static_cast<double>(lane) + 0.85, 4);
  for (std::size_t i = 0; i < bars.from_to_s.size(); ++i) {
    const double from = bars.from_to_s[i].first;
    double to = bars.from_to_s[i].second;
    while (i + 1 < bars.from_to_s.size() && bars.from_to_s[i + 1].first - to < narrowest)
      to = bars.from_to_s[++i].second;
    const std::string a = rounded(from, 7);
    const std::string b = rounded(std::max(to, from + narrowest), 7);
    out += a + " " + bottom + "\n" + a + " " + top + "\n" + b + " " + top + "\n" + b + " " + bottom + "\n\n";
  }
  return out.empty() ? "-1 0\n-1 0\n" : out;  // gnuplot refuses to plot nothing
}

// gnuplot's own names for what it defines, in quotes or behind a '#'.
std::string with_names(const std::string& svg, const std::string& name) {
  return std::regex_replace(svg, std::regex("(['\"#])(gp[A-Z]|gnuplot_|greybox|textbox)"), "$1" + name + "_$2");
}

// Names come from users' files, and gnuplot runs what stands in `backquotes`, even in a string: they are octal escapes. It takes
// all octal digits that follow for a part of such an escape, so that these are escaped too.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  bool is_after_escape = false;
  for (const char c : printable(text)) {
    is_after_escape = c == '`' || (is_after_escape && c >= '0' && c <= '7');
    if (is_after_escape) {
      out += '\\';
      for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + ((c >> shift) & 7));
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

std::string style_of(Stroke stroke) {
  if (stroke == Stroke::line) return "lines lw 1.3";
  return stroke == Stroke::full_marks ? "points pt 7 ps 0.8" : "points pt 6 ps 0.8 lw 1.5";
}

}  // namespace

std::string plot_svg(const std::vector<Panel>& panels, const Axis& axis) {
  std::string data;
  std::string drawing;
  int block = 0;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const Panel& panel = panels[p];
    const bool is_last = p + 1 == panels.size();
    drawing += "set ylabel " + quoted(panel.axis) + "\n";
    drawing += is_last ? "set xlabel " + quoted(axis.title) + "\nset format x \"%g\"\n" : "set format x \"\"\n";
    std::string plots;
    const auto add = [&](const std::string& points, const std::string& style) {
      const std::string name = "$block" + std::to_string(block++);
      data += name + " << END\n" + points + "END\n";
      plots += (plots.empty() ? "plot " : ", ") + name + " " + style;
    };
    for (const Curve& curve : panel.curves)
      add(curve_data(curve, axis.buckets),
          "with " + style_of(curve.stroke) + " lc rgb \"" + curve.colour + "\" title " + quoted(curve.title));
    if (!panel.lanes.empty()) {
      drawing += "unset key\nset yrange [0:" + std::to_string(panel.lanes.size()) + "]\nset ytics (";
      for (std::size_t lane = 0; lane < panel.lanes.size(); ++lane)
        drawing += std::string(lane > 0 ? ", " : "") + quoted(panel.lanes[lane].title) + " " +
                   rounded(static_cast<double>(lane) + 0.5, 4);
      drawing += ")\n";
      for (std::size_t lane = 0; lane < panel.lanes.size(); ++lane)
        add(bar_data(panel.lanes[lane], lane, axis.end),
            "with filledcurves closed fs solid noborder lc rgb \"" + panel.lanes[lane].colour + "\"");
    }
    drawing += plots + "\n";
  }
  const std::string height = std::to_string(panels.size() * static_cast<std::size_t>(axis.panel_height));
  const std::string svg =
      run_gnuplot("set terminal svg size 1000," + height + " dynamic font \"sans-serif,12\" noenhanced\n" +
                  "set encoding utf8\n" + data + "set grid lc rgb \"#d0d0d0\"\nset lmargin at screen " +
                  rounded(kPlotLeft, 4) + "\nset rmargin at screen " + rounded(kPlotRight, 4) +
                  "\nset key above horizontal\nset xrange [0:" + rounded(axis.end, 8) + "]\nset multiplot layout " +
                  std::to_string(panels.size()) + ",1\n" + drawing + "unset multiplot\n");
  return axis.name.empty() ? svg : with_names(svg, axis.name);
}

}  // namespace kinecast::host
