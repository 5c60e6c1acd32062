// SPDX-License-Identifier: MIT
#include "emit_robot.hpp"

#include <charconv>
#include <cmath>
#include <set>
#include <stdexcept>

namespace kinecast::host {
namespace {

[[noreturn]] void refuse(const Description& robot, const std::string& part, const std::string& sentence) {
  throw std::invalid_argument("robot \"" + robot.name + "\", " + part + ": " + sentence);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string list(const Triple& v) { return number(v[0]) + ", " + number(v[1]) + ", " + number(v[2]); }
std::string braced(const Triple& v) { return "{" + list(v) + "}"; }

bool is_zero(const Triple& v) { return !(std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]) > 0); }

bool is_finite(const Triple& v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

bool is_identity(const Rows& m) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (std::abs(m[i][j] - (i == j ? 1.0 : 0.0)) > 0) return false;
  return true;
}

// A name inside a comment must not end it.
bool is_printable(const std::string& text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < ' ') return false;
  return !text.empty();
}

void check_link(const Description& robot, std::size_t index) {
  const LinkDescription& l = robot.links[index];
  const std::string part = "link " + std::to_string(index) + " \"" + l.name + "\"";
  if (!is_printable(l.name) || l.name == "world") refuse(robot, part, "the name is empty, reserved or not printable");
  if (l.parent < -1 || l.parent >= static_cast<int>(index)) refuse(robot, part, "its parent is not listed before it");
  bool finite = is_finite(l.axis) && is_finite(l.position_m) && is_finite(l.com_m) && std::isfinite(l.mass_kg) &&
                std::isfinite(l.drive.at_joint.rotor_inertia_kgm2);
  double size = 0;
  double skew = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    finite = finite && is_finite(l.rotation[i]) && is_finite(l.inertia_kgm2[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      size = std::fmax(size, std::abs(l.inertia_kgm2[i][j]));
      skew = std::fmax(skew, std::abs(l.inertia_kgm2[i][j] - l.inertia_kgm2[j][i]));
    }
  }
  if (!finite) refuse(robot, part, "a value is NaN or infinite");
  constexpr double kWrittenDigits = 1e-6;  // as in model/validate.hpp
  if (skew > kWrittenDigits * size) refuse(robot, part, "its inertia matrix is not symmetric");
}

void check(const Description& robot) {
  if (!is_printable(robot.name)) refuse(robot, "name", "it is empty or not printable");
  if (!is_finite(robot.gravity_mps2)) refuse(robot, "gravity", "a value is NaN or infinite");
  std::set<std::string> names;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    check_link(robot, i);
    if (!names.insert(robot.links[i].name).second)
      refuse(robot, "link \"" + robot.links[i].name + "\"", "two links have this name");
  }
  names.clear();
  for (const PointDescription& p : robot.points) {
    const std::string part = "contact point \"" + p.name + "\"";
    if (!is_printable(p.name) || !names.insert(p.name).second)
      refuse(robot, part, "the name is empty, not printable or used twice");
    if (p.link < -1 || p.link >= static_cast<int>(robot.links.size())) refuse(robot, part, "it sits on no link");
    if (!is_finite(p.position_m)) refuse(robot, part, "a value is NaN or infinite");
  }
}

std::string joint_words(const LinkDescription& l) {
  switch (l.joint) {
    case LinkDescription::Joint::revolute:
      return "revolute(" + braced(l.axis) + ")";
    case LinkDescription::Joint::prismatic:
      return "prismatic(" + braced(l.axis) + ")";
    case LinkDescription::Joint::spherical:
      return "spherical()";
    case LinkDescription::Joint::floating:
      return "floating()";
    case LinkDescription::Joint::fixed:
      return "fixed()";
  }
  throw std::invalid_argument("a joint of no known kind");
}

std::string parent_name(const Description& robot, int index) {
  return quoted(index < 0 ? "world" : robot.links[static_cast<std::size_t>(index)].name);
}

// One link as lines of a call; `gap` starts each line.
std::string link_words(const Description& robot, const LinkDescription& l, const std::string& gap) {
  std::string out = gap + "link(" + quoted(l.name) + ", on(" + parent_name(robot, l.parent) + "), " + joint_words(l);
  const std::string next = ",\n" + gap + "     ";
  if (!is_zero(l.position_m)) out += next + "at(" + list(l.position_m) + ")";
  if (!is_identity(l.rotation))
    out += next + "turned({" + braced(l.rotation[0]) + "," + "\n" + gap + "             " + braced(l.rotation[1]) +
           "," + "\n" + gap + "             " + braced(l.rotation[2]) + "})";
  if (std::abs(l.drive.at_joint.rotor_inertia_kgm2) > 0)
    out += next + "at_joint(rotor_inertia(" + number(l.drive.at_joint.rotor_inertia_kgm2) + "))";
  const auto& i = l.inertia_kgm2;
  const auto mean = [](double a, double b) { return 0.5 * (a + b); };  // exact for equal halves
  if (std::abs(l.mass_kg) > 0)
    out += next + "body(" + number(l.mass_kg) + ", com(" + list(l.com_m) + ")" + next + "     inertia(" +
           number(i[0][0]) + ", " + number(i[1][1]) + ", " + number(i[2][2]) + next + "             " +
           number(mean(i[0][1], i[1][0])) + ", " + number(mean(i[0][2], i[2][0])) + ", " +
           number(mean(i[1][2], i[2][1])) + "))";
  else if (l.joint != LinkDescription::Joint::fixed)
    out += next + "massless()";
  return out + ")";
}

}  // namespace

std::string number(double value) {
  if (!(std::abs(value) > 0)) return "0";  // -0 too
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

std::string identifier(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::string out;
  for (const char c : name) out += is_letter(c) || is_digit(c) ? c : '_';
  if (out.empty() || !is_letter(out[0])) out = "robot_" + out;
  return out;
}

std::string emit_robot(const Description& robot) {
  check(robot);
  const std::string gap(6, ' ');
  const std::string name = identifier(robot.name);
  std::string out = "// \"" + robot.name + "\": " + std::to_string(robot.links.size()) + " links.\n";
  out += "constexpr auto make_" + name + "() {\n  using namespace kinecast;\n  return robot(\n" + gap +
         quoted(robot.name) + ",\n" + gap + "gravity(" + list(robot.gravity_mps2) + ")";
  for (const LinkDescription& l : robot.links) out += ",\n" + link_words(robot, l, gap);
  for (const PointDescription& p : robot.points)
    out += ",\n" + gap + "contact_point(" + quoted(p.name) + ", on(" + parent_name(robot, p.link) + "), at(" +
           list(p.position_m) + "))";
  out += ");\n}\ninline constexpr auto " + name + " = make_" + name + "();\n";
  return out;
}

std::string emit_header(const std::vector<Description>& robots, const std::string& name_space,
                        const std::string& origin) {
  std::string out =
      "// Generated from " + origin +
      "; do not edit.\n"
      "// Units: at and com in m, body in kg, inertia(xx, yy, zz, xy, xz, yz) in kg m² about the centre of "
      "mass in link\n"
      "// axes, rotor_inertia in kg m² (kg on a slide) at the joint, gravity in m/s². turned: rows of the "
      "rotation from link\n"
      "// axes to parent axes at q = 0. Axes are unit vectors in the link's frame.\n"
      "#pragma once\n\n"
      "#include <kinecast/model/robot.hpp>\n\n"
      "namespace " +
      name_space + " {\n";
  for (const Description& robot : robots) out += "\n" + emit_robot(robot);
  return out + "\n}  // namespace " + name_space + "\n";
}

}  // namespace kinecast::host
