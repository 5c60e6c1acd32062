// SPDX-License-Identifier: MIT
#include "c_shim.hpp"

#include "../robot/emit_robot.hpp"
#include "../text/text.hpp"
#include "carried_template.hpp"
#include "filled_text.hpp"

#include <kinecast/core/status.hpp>

#include <algorithm>
#include <filesystem>

namespace kinecast::host {
namespace {

using Joint = LinkDescription::Joint;

std::string upper_case(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

struct Entry {
  const LinkDescription* link;
  int q;
  int dq;
};
struct Entries {
  std::vector<Entry> joints;
  int positions{0};
  int dofs{0};
  int floating{0};
};

// Bodies keep the order of their links (model/tree.hpp).
Entries entries_of(const Description& robot) {
  Entries all;
  for (const LinkDescription& l : robot.links) {
    if (dofs_of(l.joint) == 0) continue;
    all.joints.push_back({&l, all.positions, all.dofs});
    all.floating += l.joint == Joint::floating ? 1 : 0;
    all.positions += dofs_of(l.joint) + (dofs_of(l.joint) > 1 ? 1 : 0);  // a quaternion has one number more
    all.dofs += dofs_of(l.joint);
  }
  return all;
}

std::string position_unit(Joint joint) {
  switch (joint) {
    case Joint::floating:
      return "7 entries: position in m, unit quaternion w x y z";
    case Joint::spherical:
      return "4 entries: unit quaternion w x y z";
    case Joint::prismatic:
      return "m";
    default:
      return "rad";
  }
}

std::string command_unit(const LinkDescription& l) {
  const bool slides = l.joint == Joint::prismatic;
  switch (l.drive.actuator) {
    case Actuator::torque:
      return l.joint == Joint::floating ? "force in N, torque in N.m, world axes; usually 0" : slides ? "N" : "N.m";
    case Actuator::dc_motor:
      return "V";
    case Actuator::velocity:
      return slides ? "m/s" : "rad/s";
    case Actuator::none:
      break;
  }
  return "none: must be 0";
}

std::string velocity_unit(Joint joint) {
  switch (joint) {
    case Joint::floating:
      return "6 entries: m/s and rad/s, world axes";
    case Joint::spherical:
      return "3 entries: rad/s, axes of the moving link";
    case Joint::prismatic:
      return "m/s";
    default:
      return "rad/s";
  }
}

// A comment's text must not end it.
std::string in_comment(const std::string& text) {
  std::string out = printable(text);
  for (std::size_t i = 0; i + 1 < out.size(); ++i)
    if ((out[i] == '*' && out[i + 1] == '/') || (out[i] == '/' && out[i + 1] == '*')) out[i] = '?';
  return out;
}

std::string enumerators(const Entries& entries, const std::string& prefix, int Entry::*index,
                        std::string (*comment)(const LinkDescription&)) {
  const auto own_name = [](const Entry& e) { return identifier(e.link->joint_name, "joint_"); };
  std::string base = "FLOATING_BASE";  // its joint has no name; another one may be called so
  while (std::any_of(entries.joints.begin(), entries.joints.end(), [&](const Entry& e) { return own_name(e) == base; }))
    base += '_';
  std::string out = "enum {\n";
  std::size_t left = entries.joints.size();
  for (const Entry& e : entries.joints) {
    out += "  " + prefix + (e.link->joint_name.empty() ? base : own_name(e)) + " = " + std::to_string(e.*index) +
           (--left > 0 ? "," : "") + " /* " + comment(*e.link) + " */\n";
  }
  return out + "};\n";
}

std::string joint_enums(const Entries& entries, const std::string& upper) {
  if (entries.joints.empty()) return "";
  return "\n/* Where a joint's first entry stands in q, and its unit. */\n" +
         enumerators(entries, upper + "_Q_", &Entry::q,
                     [](const LinkDescription& l) { return position_unit(l.joint); }) +
         "\n/* Where it stands in dq and in a command; the units of both. */\n" +
         enumerators(entries, upper + "_DQ_", &Entry::dq,
                     [](const LinkDescription& l) { return velocity_unit(l.joint) + "; command: " + command_unit(l); });
}

// An upper bound of sizeof(Predictor::Snapshot); the generated source asserts that it is one.
int snapshot_words(const Entries& entries, int contacts) {
  const int bodies = static_cast<int>(entries.joints.size());
  const int state = entries.positions + entries.dofs;
  const int memory = 2 * bodies + (bodies + 3) / 4 + 9 * contacts + 4;
  const int report = 3 * entries.dofs + (entries.dofs + 1) / 2 + 15 * contacts + 6;
  return state + memory + report;
}

}  // namespace

CShim c_shim_of(const ImportedRobot& imported, const std::string& scalar, const std::string& robot_header,
                const std::string& command_line) {
  constexpr int kMostContacts = 8;
  const Entries entries = entries_of(imported.robot);
  const std::string upper = upper_case(imported.identifier);
  const std::filesystem::path header(robot_header);
  // What stands on a base of its own reaches no ground unless it is told so; what floats falls on it.
  const int contacts =
      entries.floating == 0 ? 0 : std::min(static_cast<int>(imported.robot.points.size()), kMostContacts);
  Words words{
      {"command", in_comment(command_line)},
      {"robot", "robots::" + imported.identifier},
      {"id", imported.identifier},
      {"ID", upper},
      {"stem", header.stem().string()},
      {"header", header.filename().string()},
      {"scalar", scalar},
      {"positions", std::to_string(entries.positions)},
      {"dofs", std::to_string(entries.dofs)},
      {"contacts", std::to_string(contacts)},
      {"first_error", std::to_string(static_cast<int>(Status::non_finite_input))},
      {"snapshot_words", std::to_string(snapshot_words(entries, contacts))},
      {"joints", joint_enums(entries, upper)},
      {"contact_declarations", ""},
      {"contact_functions", ""},
      {"contact_world", ""},
      {"contact_option", ""},
  };
  if (contacts > 0) {
    words["contact_declarations"] = filled(kShimContactsHeader, words);
    words["contact_functions"] = filled(kShimContactsSource, words);
    words["contact_world"] =
        "\nconstexpr auto ground =\n"
        "    kinecast::environment(kinecast::half_space(\"ground\", "
        "kinecast::material(kinecast::friction(0.8, 0.6))));\n";
    words["contact_option"] = ", kinecast::Contacts<ground, " + upper + "_CONTACTS>";
  }
  return {filled(kShimHeader, words), filled(kShimSource, words)};
}

}  // namespace kinecast::host
