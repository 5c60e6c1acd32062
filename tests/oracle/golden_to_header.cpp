// SPDX-License-Identifier: MIT
// usage: golden_to_header f_robots.json golden_robots.hpp
// Reads the robots of the independent reference results and writes them as constexpr kinecast robots, together with
// for_each_robot(), so that a test visits whatever robots the file has.
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/robot/emit_robot.hpp"

namespace {

using kinecast::host::Description;
using kinecast::host::LinkDescription;
using nlohmann::json;

LinkDescription::Joint joint_of(const std::string& type) {
  using Joint = LinkDescription::Joint;
  if (type == "revolute") return Joint::revolute;
  if (type == "prismatic") return Joint::prismatic;
  if (type == "spherical") return Joint::spherical;
  if (type == "floating") return Joint::floating;
  if (type == "fixed") return Joint::fixed;
  throw std::invalid_argument("unknown joint type \"" + type + "\"");
}

Description read_robot(const json& in) {
  Description robot;
  robot.name = in.at("name").get<std::string>();
  for (const json& from : in.at("links")) {
    LinkDescription l;
    from.at("name").get_to(l.name);
    from.at("parent").get_to(l.parent);
    l.joint = joint_of(from.at("type").get<std::string>());
    from.at("axis").get_to(l.axis);
    from.at("R").get_to(l.rotation);
    from.at("p").get_to(l.position_m);
    from.at("mass").get_to(l.mass_kg);
    from.at("com").get_to(l.com_m);
    from.at("I").get_to(l.inertia_kgm2);
    robot.links.push_back(l);
  }
  return robot;
}

// Calls visit(Visited<robot>{}) for each: `template <const auto& R> struct Visited`.
std::string emit_visitor(const std::vector<Description>& robots, const std::string& name_space) {
  std::string out = "\nnamespace " + name_space +
                    " {\n\ntemplate <const auto& R>\nstruct Visited {};\n\ntemplate <class Visit>\n"
                    "void for_each_robot(Visit&& visit) {\n";
  for (const Description& robot : robots)
    out += "  visit(Visited<" + kinecast::host::identifier(robot.name) + ">{});\n";
  return out + "}\n\n}  // namespace " + name_space + "\n";
}

void convert(const char* from, const char* to) {
  std::ifstream input(from);
  if (!input) throw std::runtime_error("cannot be read");
  std::vector<Description> robots;
  for (const json& robot : json::parse(input)) robots.push_back(read_robot(robot));
  std::ofstream output(to);
  output << kinecast::host::emit_header(robots, "golden", "golden/f_robots.json") << emit_visitor(robots, "golden");
  output.close();
  if (!output) throw std::runtime_error("cannot write the header");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: golden_to_header f_robots.json golden_robots.hpp\n";
    return 2;
  }
  try {
    convert(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << argv[1] << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}
