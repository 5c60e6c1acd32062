// SPDX-License-Identifier: MIT
// kinecast show: robots that touch the ground, computed by the library and animated on a page.
#include "../failure.hpp"
#include "../subcommands.hpp"
#include "../text/output_file.hpp"
#include "../text/text.hpp"
#include "scene_page.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

namespace kinecast::host {
namespace {

struct ShowArguments {
  std::vector<std::string> scenes;
  std::string page{"scenes.html"};
};

constexpr const char* kShowExample = R"(Example: kinecast show pendulum arm -o scenes.html
  pendulum  six links, 48 corners that can touch, no motor: falls, slides, comes to rest
  arm       two links with geared motors, which drive it into the ground
  grip      two fingers lift a box, hold it and let go: faces touch; with its forces as a plot
  cube      pushed until it slips; with a plot of the forces and torques that friction holds
  quadruped four legs with geared motors: pushed, then up on a plate with its front feet
The page needs nothing else. page.html#t=0.45 in the browser's address shows the scenes at 0.45 s.)";

void expect_known(const std::vector<std::string>& scenes) {
  for (auto scene = scenes.begin(); scene != scenes.end(); ++scene) {
    const std::vector<std::string>& known = scene_names();
    if (std::find(known.begin(), known.end(), *scene) == known.end()) {
      const std::string meant = nearest(*scene, known);
      throw Failure(ExitCode::usage, "scene " + listed({*scene}) + " is not known" +
                                         (meant.empty() ? "." : "; did you mean " + listed({meant}) + "?") +
                                         " There are " + listed(known));
    }
    if (std::find(scenes.begin(), scene, *scene) != scene)
      throw Failure(ExitCode::usage, "scene " + listed({*scene}) + " is given twice");
  }
}

void show(const ShowArguments& options, const std::string& command_line) {
  expect_known(options.scenes);
  const std::vector<Recording> recordings = record_scenes(options.scenes.empty() ? scene_names() : options.scenes);
  for (const Recording& recording : recordings) {
    std::printf("%s: %zu steps, %s s\n", recording.name.c_str(), recording.normal_N.size(),
                rounded(recording.duration_s(), 4).c_str());
    for (const auto& [name, value] : figures_of(recording)) std::printf("  %-30s%s\n", name.c_str(), value.c_str());
  }
  std::fflush(stdout);
  write_file(options.page, scenes_page(recordings, command_line));
  std::printf("page: %s\n", options.page.c_str());
}

}  // namespace

void add_show(CLI::App& app, const std::string& command_line) {
  CLI::App* command = app.add_subcommand("show", "Animate robots that touch the ground, with their contact forces");
  const auto options = std::make_shared<ShowArguments>();
  command->add_option("scenes", options->scenes, "pendulum, arm, grip, cube, quadruped; default: all");
  command->add_option("-o,--output,--out", options->page, "HTML page to write; default: scenes.html, here");
  command->footer(kShowExample);
  command->callback([options, command_line] { show(*options, command_line); });
}

}  // namespace kinecast::host
