// SPDX-License-Identifier: MIT
#include "given_robot.hpp"

#include "../failure.hpp"
#include "../text/text.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

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

bool is_word(const std::string& word) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  for (const char c : word)
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  return !word.empty() && is_letter(word[0]);
}

// Words with :: between them.
bool is_cpp_name(const std::string& name) {
  const std::size_t colons = name.find("::");
  if (colons == std::string::npos) return is_word(name);
  return is_word(name.substr(0, colons)) && is_cpp_name(name.substr(colons + 2));
}

// "// kinecast robot: robots::panda, float"
void read_line(const std::string& line, GivenRobot& robot) {
  constexpr std::string_view kBegins = "// kinecast robot: ";
  const std::size_t comma = line.find(", ");
  if (line.compare(0, kBegins.size(), kBegins) != 0 || comma == std::string::npos) return;
  const std::string scalar(trimmed(line.substr(comma + 2)));
  if (scalar != "float" && scalar != "double") return;
  robot.name = line.substr(kBegins.size(), comma - kBegins.size());
  robot.scalar = scalar;
}

}  // namespace

GivenRobot read_given_robot(const std::string& file, const std::string& robot_name) {
  GivenRobot header;
  header.text = read_text(file);
  std::istringstream lines(header.text);
  for (std::string line; header.name.empty() && std::getline(lines, line);) read_line(line, header);
  if (!robot_name.empty()) header.name = robot_name;
  if (header.name.empty() && header.text.find("<robot") != std::string::npos)
    throw Failure(ExitCode::usage,
                  file + ": is a URDF; make a header of it first: kinecast import " + file + " -o robot.hpp");
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
