// SPDX-License-Identifier: MIT
#include "emit_robot.hpp"

#include <cmath>
#include <set>
#include <stdexcept>

namespace kinecast::host {
namespace {

[[noreturn]] void refuse(const Description& robot, const std::string& part, const std::string& sentence) {
  throw std::invalid_argument("robot \"" + robot.name + "\", " + part + ": " + sentence);
}

std::string list(const Triple& v) { return number(v[0]) + ", " + number(v[1]) + ", " + number(v[2]); }
std::string braced(const Triple& v) { return "{" + list(v) + "}"; }

bool is_zero(const Triple& v) { return !(std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]) > 0); }

bool is_finite(const Triple& v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

bool is_finite(const Directions& d) { return std::isfinite(d.forward) && std::isfinite(d.backward); }

bool is_finite(const DriveSide& s) {
  return std::isfinite(s.rotor_inertia_kgm2) && is_finite(s.stiction_Nm) && is_finite(s.coulomb_Nm) &&
         is_finite(s.viscous_Nms_per_rad) && std::isfinite(s.stribeck_s_per_rad) && std::isfinite(s.offset_Nm);
}

bool is_finite(const Drive& d) {
  return is_finite(Triple{d.torque_constant_Nm_per_A, d.resistance_ohm, d.voltage_limit_V}) &&
         is_finite(Triple{d.torque_limit_Nm, d.gear_ratio, d.load_loss}) && is_finite(d.at_motor) &&
         is_finite(d.at_joint);
}

bool is_finite(const JointLimits& l) {
  return is_finite(Triple{l.lower, l.upper, l.rebound}) &&
         is_finite(Triple{l.spring_Nm_per_rad, l.damper_Nms_per_rad, l.speed});
}

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
                is_finite(l.drive) && is_finite(l.limits);
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
    if (!is_finite(p.position_m) || !std::isfinite(p.radius_m)) refuse(robot, part, "a value is NaN or infinite");
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

using Words = std::vector<std::string>;

std::string call(const std::string& word, const Words& arguments) {
  std::string out = word + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) out += (i > 0 ? ", " : "") + arguments[i];
  return out + ")";
}
std::string call(const std::string& word, double value) { return word + "(" + number(value) + ")"; }
std::string call(const std::string& word, const Directions& d) {
  if (!(std::abs(d.forward - d.backward) > 0)) return call(word, d.forward);
  return call(word, {call("forward", d.forward), call("backward", d.backward)});
}

// What is said only if it is more than nothing.
void say(Words& words, const std::string& word, double value) {
  if (std::abs(value) > 0) words.push_back(call(word, value));
}
void say(Words& words, const std::string& word, const Directions& d) {
  if (detail::any(d)) words.push_back(call(word, d));
}

void say_side(Words& words, const std::string& side, const DriveSide& s) {
  Words inside;
  say(inside, "rotor_inertia", s.rotor_inertia_kgm2);
  if (s.has_stiction) inside.push_back(call("stiction", s.stiction_Nm));
  say(inside, "coulomb", s.coulomb_Nm);
  say(inside, "viscous", s.viscous_Nms_per_rad);
  if (s.has_stribeck) inside.push_back(call("stribeck", s.stribeck_s_per_rad));
  say(inside, "offset", s.offset_Nm);
  if (!inside.empty()) words.push_back(call(side, inside));
}

Words drive_words(const Drive& d) {
  Words words;
  if (d.actuator == Actuator::dc_motor)
    words.push_back(call("dc_motor", {call("torque_constant", d.torque_constant_Nm_per_A),
                                      call("resistance", d.resistance_ohm), call("voltage_limit", d.voltage_limit_V)}));
  if (d.actuator == Actuator::velocity) words.push_back("velocity_driven()");
  if (d.actuator == Actuator::none) words.push_back("undriven()");
  if (d.actuator == Actuator::torque && std::abs(d.torque_limit_Nm) > 0)
    words.push_back(call("torque_driven", {call("torque_limit", d.torque_limit_Nm)}));
  if (d.has_gear) {
    Words inside{call("ratio", d.gear_ratio)};
    say(inside, "load_loss", d.load_loss);
    words.push_back(call("gear", inside));
  }
  say_side(words, "at_motor", d.at_motor);
  say_side(words, "at_joint", d.at_joint);
  return words;
}

Words limit_words(const JointLimits& l) {
  Words words;
  if (l.has_stops) {
    Words inside{number(l.lower), number(l.upper)};
    say(inside, "rebound", l.rebound);
    if (std::abs(l.spring_Nm_per_rad) > 0 || std::abs(l.damper_Nms_per_rad) > 0)
      inside.push_back(call("soft", {number(l.spring_Nm_per_rad), number(l.damper_Nms_per_rad)}));
    words.push_back(call("limits", inside));
  }
  if (l.has_speed) words.push_back(call("speed_limit", l.speed));
  return words;
}

// One link as lines of a call; `gap` starts each line.
std::string link_words(const Description& robot, const LinkDescription& l, const std::string& gap) {
  std::string out = gap + "link(" + quoted(l.name) + ", on(" + parent_name(robot, l.parent) + "), " + joint_words(l);
  const std::string next = ",\n" + gap + "     ";
  if (!is_zero(l.position_m)) out += next + "at(" + list(l.position_m) + ")";
  if (!is_identity(l.rotation))
    out += next + "turned({" + braced(l.rotation[0]) + "," + "\n" + gap + "             " + braced(l.rotation[1]) +
           "," + "\n" + gap + "             " + braced(l.rotation[2]) + "})";
  for (const std::string& word : drive_words(l.drive)) out += next + word;
  for (const std::string& word : limit_words(l.limits)) out += next + word;
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

std::string point_words(const Description& robot, const PointDescription& p) {
  Words words{quoted(p.name), "on(" + parent_name(robot, p.link) + ")", "at(" + list(p.position_m) + ")"};
  const bool is_sphere = std::abs(p.radius_m) > 0;
  if (is_sphere) words.push_back(call("radius", p.radius_m));
  if (p.kind != 0) words.push_back("of_kind(" + std::to_string(p.kind) + ")");
  return call(is_sphere ? "contact_sphere" : "contact_point", words);
}

// joint "elbow": dq[3]
std::string joint_comment(const LinkDescription& l, int dof) {
  if (l.joint_name.empty()) return "";
  const int last = dof + dofs_of(l.joint) - 1;
  std::string out = "// joint \"" + l.joint_name + "\"";
  if (last == dof) out += ": dq[" + std::to_string(dof) + "]";
  if (last > dof) out += ": dq[" + std::to_string(dof) + "] to dq[" + std::to_string(last) + "]";
  return out;
}

}  // namespace

int dofs_of(LinkDescription::Joint joint) {
  constexpr int kDofs[] = {1, 1, 3, 6, 0};
  return kDofs[static_cast<std::size_t>(joint)];
}

std::string units_comment() {
  return "// Units: at and com in m, body in kg, inertia(xx, yy, zz, xy, xz, yz) in kg m² about the centre of mass in "
         "link\n"
         "// axes, gravity in m/s². turned: rows of the rotation from link axes to parent axes at q = 0. Axes are unit "
         "vectors in\n"
         "// the link's frame. limits in rad (a slide: m), speed_limit in rad/s (m/s), torque_limit, stiction, coulomb "
         "and offset\n"
         "// in N m (N), viscous in N m s/rad (N s/m), stribeck in s/rad (s/m), rotor_inertia in kg m² (kg); at_motor: "
         "at the\n"
         "// motor's shaft. gear ratio: motor turns per joint turn (a slide: rad/m).\n";
}

std::string emit_robot(const Description& robot) { return emit_robot(robot, identifier(robot.name)); }

std::string emit_robot(const Description& robot, const std::string& name) {
  check(robot);
  const std::string gap(6, ' ');
  std::string out = "// \"" + robot.name + "\": " + std::to_string(robot.links.size()) + " links.\n";
  out += "constexpr auto make_" + name + "() {\n  using namespace kinecast;\n  return robot(\n" + gap +
         quoted(robot.name) + ",\n" + gap + "gravity(" + list(robot.gravity_mps2) + ")";
  int dof = 0;
  for (const LinkDescription& l : robot.links) {
    const std::string comment = joint_comment(l, dof);
    out += ",\n" + (comment.empty() ? "" : gap + comment + "\n") + link_words(robot, l, gap);
    dof += dofs_of(l.joint);
  }
  for (const PointDescription& p : robot.points) out += ",\n" + gap + point_words(robot, p);
  out += ");\n}\ninline constexpr auto " + name + " = make_" + name + "();\n";
  return out;
}

std::string emit_header(const std::vector<Description>& robots, const std::string& name_space,
                        const std::string& origin) {
  std::string out = "// Generated from " + origin + "; do not edit.\n" + units_comment() +
                    "#pragma once\n\n"
                    "#include <kinecast/model/robot.hpp>\n\n"
                    "namespace " +
                    name_space + " {\n";
  for (const Description& robot : robots) out += "\n" + emit_robot(robot);
  return out + "\n}  // namespace " + name_space + "\n";
}

}  // namespace kinecast::host
