// SPDX-License-Identifier: MIT
#include "joints.hpp"

namespace kinecast::host {
namespace {

using Kind = LinkDescription::Joint;

std::string command_unit(const LinkDescription& link) {
  const bool slides = link.joint == Kind::prismatic;
  switch (link.drive.actuator) {
    case Actuator::torque:
      return slides ? "N" : "N.m";
    case Actuator::dc_motor:
      return "V";
    case Actuator::velocity:
      return slides ? "m/s" : "rad/s";
    case Actuator::none:
      return "";
  }
  return "";
}

void add_quaternion(const std::string& name, Joints& out) {
  for (const char* part : {".qw", ".qx", ".qy", ".qz"}) out.positions.push_back({name + part, ""});
}
void add_rates(const std::string& name, const std::vector<const char*>& parts, const std::string& unit, Joints& out) {
  for (const char* part : parts) out.velocities.push_back({name + part, unit});
}

void add_joint(const LinkDescription& link, const std::string& name, Joints& out) {
  const bool slides = link.joint == Kind::prismatic;
  if (link.joint == Kind::revolute || slides) {
    out.positions.push_back({name, slides ? "m" : "rad"});
    out.velocities.push_back({name, slides ? "m/s" : "rad/s"});
    out.command_units.push_back(command_unit(link));
    out.torque_units.emplace_back(slides ? "N" : "N.m");
    return;
  }
  if (link.joint == Kind::floating) {
    for (const char* part : {".x", ".y", ".z"}) out.positions.push_back({name + part, "m"});
    add_rates(name, {".vx", ".vy", ".vz"}, "m/s", out);
    out.torque_units.insert(out.torque_units.end(), 3, "N");
  }
  add_quaternion(name, out);
  add_rates(name, {".wx", ".wy", ".wz"}, "rad/s", out);
  out.torque_units.insert(out.torque_units.end(), 3, "N.m");
  out.command_units.resize(out.velocities.size());
}

}  // namespace

Joints joints_of(const Description& robot) {
  Joints out;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const LinkDescription& link = robot.links[i];
    if (link.joint == Kind::fixed) continue;
    const bool is_base = link.joint == Kind::floating && out.places.empty();  // others have names of their own
    const std::string own = link.joint_name.empty() ? link.name : link.joint_name;
    out.places.push_back({static_cast<int>(i), static_cast<int>(out.positions.size()),
                          static_cast<int>(out.velocities.size()), is_base ? "base" : own});
    add_joint(link, out.places.back().name, out);
  }
  return out;
}

}  // namespace kinecast::host
