// SPDX-License-Identifier: MIT
#include <cstring>
#include <string>
#include <vector>

#include "program.hpp"

int main(int argc, char** argv) {
  const support::Program& program = support::program;
  std::vector<char*> others;
  std::string folder;
  for (int i = 0; i < argc; ++i) {
    if (std::strcmp(argv[i], "--figure") == 0 && i + 1 < argc)
      folder = argv[++i];
    else if (std::strcmp(argv[i], "--long") == 0)
      support::runs_long = true;
    else
      others.push_back(argv[i]);
  }
  support::Report report(program.name, static_cast<int>(others.size()), others.data());
  support::Figure figure(program.name);
  report.attempt([&] {
    if (program.draw != nullptr)
      program.draw(report, figure);
    else
      program.measure(report);
    if (!folder.empty()) figure.write(folder);
  });
  return report.finish();
}
