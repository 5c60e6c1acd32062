// SPDX-License-Identifier: MIT
#include "given_robot.hpp"

#include "../failure.hpp"
#include "../text.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace kinecast::host {
namespace {

std::string read_text(const std::string& file) {
  std::error_code ignored;
  std::ifstream in(file, std::ios::binary);
  if (!in.is_open() || std::filesystem::is_directory(file, ignored))
    throw Failure(ExitCode::bad_input, file + ": cannot be read; is it the header that `kinecast import` wrote?");
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (text.empty()) throw Failure(ExitCode::bad_input, file + ": is empty");
  return text;
}

bool is_cpp_name(const std::string& name) {
  static const std::regex kName("(::)?[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*");
  return std::regex_match(name, kName);
}

}  // namespace

GivenRobot read_given_robot(const std::string& file, const std::string& robot_name) {
  GivenRobot header;
  header.text = read_text(file);
  static const std::regex kLine("(^|\\n)// kinecast robot: ([A-Za-z0-9_:]+), (float|double)\\r?\\n");
  // The line is among the first ones; std::regex recurses over long texts.
  const std::string head = header.text.substr(0, 4096);
  std::smatch found;
  if (std::regex_search(head, found, kLine)) {
    header.name = found[2];
    header.scalar = found[3];
  }
  if (!robot_name.empty()) header.name = robot_name;
  if (header.name.empty())
    throw Failure(ExitCode::usage,
                  file +
                      ": has no line \"// kinecast robot: <name>, <scalar>\", so it was not written by "
                      "`kinecast import`; say the robot's C++ name with --robot-name, e.g. example::arm");
  if (!is_cpp_name(header.name))
    throw Failure(ExitCode::usage, "\"" + printable(header.name) +
                                       "\" is no C++ name of a robot; say it with its namespace, e.g. example::arm");
  return header;
}

}  // namespace kinecast::host
