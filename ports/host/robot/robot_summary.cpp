// SPDX-License-Identifier: MIT
#include "robot_summary.hpp"

#include "../text/text.hpp"
#include "emit_robot.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace kinecast::host {
namespace {

using Joint = LinkDescription::Joint;

std::string short_number(double value) { return rounded(value, 4); }

const LinkDescription& link_at(const Description& robot, int index) {
  return robot.links[static_cast<std::size_t>(index)];
}

// The link that moves with it and carries it; -1: the world.
int body_of(const Description& robot, int link) {
  while (link >= 0 && link_at(robot, link).joint == Joint::fixed) link = link_at(robot, link).parent;
  return link;
}

double length(const Triple& v) { return std::hypot(v[0], v[1], v[2]); }

// x, -y, or the three numbers.
std::string axis_name(const Triple& axis) {
  constexpr double kSame = 1e-6;  // as the numbers in a URDF are written
  const char* const names = "xyz";
  for (std::size_t i = 0; i < 3; ++i)
    if (1 - std::abs(axis[i]) < kSame) return std::string(axis[i] < 0 ? "-" : "") + names[i];
  return "(" + short_number(axis[0]) + ", " + short_number(axis[1]) + ", " + short_number(axis[2]) + ")";
}

struct Units {
  const char* driven;
  const char* position;
  const char* effort;
  const char* viscous;
};
constexpr Units kTurn{"torque-driven", "rad", "N.m", "N.m.s/rad"};
constexpr Units kSlide{"force-driven", "m", "N", "N.s/m"};

std::string both_ways(const Directions& d) {
  if (!(std::abs(d.forward - d.backward) > 0)) return short_number(d.forward);
  return short_number(d.forward) + " forward and " + short_number(d.backward) + " backward";
}

std::string actuator_words(const Drive& drive, const Units& units) {
  std::string out;
  switch (drive.actuator) {
    case Actuator::torque:
      out = drive.torque_limit_Nm > 0
                ? std::string(units.driven) + " up to ±" + short_number(drive.torque_limit_Nm) + " " + units.effort
                : units.driven;
      break;
    case Actuator::dc_motor:
      out = "driven by a DC motor of " + short_number(drive.voltage_limit_V) + " V";
      break;
    case Actuator::velocity:
      out = "velocity-driven";
      break;
    case Actuator::none:
      out = "not driven";
      break;
  }
  if (drive.has_gear) out += ", gear 1:" + short_number(drive.gear_ratio);
  return out;
}

std::string friction_words(const Drive& drive, const Units& units) {
  const DriveSide side = detail::seen_at_joint(drive);
  std::string out;
  if (detail::any(side.viscous_Nms_per_rad))
    out += ", viscous " + both_ways(side.viscous_Nms_per_rad) + " " + units.viscous;
  if (detail::any(side.coulomb_Nm)) out += ", dry friction " + both_ways(side.coulomb_Nm) + " " + units.effort;
  if (side.has_stiction) out += ", stiction " + both_ways(side.stiction_Nm) + " " + units.effort;
  if (side.rotor_inertia_kgm2 > 0) out += ", rotor " + short_number(side.rotor_inertia_kgm2) + " kg m² at the joint";
  return out;
}

std::string limit_words(const JointLimits& limits, const Units& units) {
  std::string out = limits.has_stops
                        ? std::string(limits.spring_Nm_per_rad > 0 ? ", soft stops at " : ", stops at ") +
                              short_number(limits.lower) + " and " + short_number(limits.upper) + " " + units.position
                        : ", no stops";
  if (limits.has_speed) out += ", a warning above " + short_number(limits.speed) + " " + units.position + "/s";
  return out;
}

std::string dof_words(int first, int count) {
  return count == 1 ? "; dof " + std::to_string(first)
                    : "; dofs " + std::to_string(first) + " to " + std::to_string(first + count - 1);
}

// First index in dq of each link's joint: the library numbers joints as they are listed.
std::vector<int> first_dofs(const Description& robot) {
  std::vector<int> first;
  int next = 0;
  for (const LinkDescription& l : robot.links) {
    first.push_back(next);
    next += dofs_of(l.joint);
  }
  return first;
}

class Tree {
 public:
  explicit Tree(const Description& robot) : robot_(robot), dofs_(first_dofs(robot)), children_(robot.links.size() + 1) {
    for (std::size_t i = 0; i < robot.links.size(); ++i)
      children_[static_cast<std::size_t>(robot.links[i].parent + 1)].push_back(i);
  }

  // Without recursion: an imported robot may be a chain of many links.
  [[nodiscard]] std::string text() const {
    struct Open {
      std::size_t link;
      int depth;
    };
    std::string out;
    std::vector<Open> open;
    const auto add_children = [&](std::size_t of, int depth) {
      for (auto child = children_[of].rbegin(); child != children_[of].rend(); ++child) open.push_back({*child, depth});
    };
    add_children(0, 0);
    while (!open.empty()) {
      const Open next = open.back();
      open.pop_back();
      out += line(next.link, next.depth);
      add_children(next.link + 1, next.depth + 1);
    }
    return out;
  }

 private:
  [[nodiscard]] std::string line(std::size_t link, int depth) const {
    const LinkDescription& l = robot_.links[link];
    const std::string mass = l.mass_kg > 0 ? short_number(l.mass_kg) + " kg" : "no mass";
    std::string out = std::string(2 * static_cast<std::size_t>(depth), ' ') + printable(l.name) + "  " + mass;
    out += "  " + (l.joint_name.empty() ? std::string() : printable(l.joint_name) + ": ") +
           joint_sentence(robot_, link, dofs_[link]);
    int points = 0;
    for (const PointDescription& p : robot_.points) points += p.link == static_cast<int>(link) ? 1 : 0;
    if (points > 0) out += "; " + std::to_string(points) + (points == 1 ? " contact point" : " contact points");
    return out + "\n";
  }

  const Description& robot_;
  std::vector<int> dofs_;
  std::vector<std::vector<std::size_t>> children_;  // of the world, then of each link
};

}  // namespace

RobotCounts count_parts(const Description& robot) {
  RobotCounts c;
  c.links = static_cast<int>(robot.links.size());
  c.points = static_cast<int>(robot.points.size());
  std::vector<double> reach;
  std::vector<bool> carries(robot.links.size(), false);
  for (const LinkDescription& l : robot.links) {
    const double before = l.parent < 0 ? 0 : reach[static_cast<std::size_t>(l.parent)];
    reach.push_back(before + (l.parent < 0 ? 0 : length(l.position_m)));
    c.reach_m = std::max(c.reach_m, reach.back());
    c.mass_kg += l.mass_kg;
    if (l.joint == Joint::fixed) continue;
    const int parent = body_of(robot, l.parent);
    if (parent < 0)
      ++c.roots;
    else if (carries[static_cast<std::size_t>(parent)])
      ++c.branches;
    else
      carries[static_cast<std::size_t>(parent)] = true;
    ++c.bodies;
    c.dofs += dofs_of(l.joint);
    c.single_axis += dofs_of(l.joint) == 1 ? 1 : 0;
    c.slides += l.joint == Joint::prismatic ? 1 : 0;
    c.floating += l.joint == Joint::floating ? 1 : 0;
    c.drives += detail::is_more_than_torque(l.drive) ? 1 : 0;
    c.other_drives += l.drive.actuator == Actuator::dc_motor || l.drive.actuator == Actuator::velocity ? 1 : 0;
    c.frictions += detail::has_friction(l.drive) ? 1 : 0;
    const DriveSide side = detail::seen_at_joint(l.drive);
    c.dry += detail::any(side.coulomb_Nm) || detail::any(side.stiction_Nm) ? 1 : 0;
    c.limited += l.limits.has_stops ? 1 : 0;
  }
  std::set<int> touching;
  for (const PointDescription& p : robot.points)
    if (const int body = body_of(robot, p.link); body >= 0) touching.insert(body);
  c.touching_bodies = static_cast<int>(touching.size());
  for (const PointDescription& p : robot.points)
    c.reach_m = std::max(c.reach_m, (p.link < 0 ? 0 : reach[static_cast<std::size_t>(p.link)]) + length(p.position_m));
  return c;
}

std::string joint_sentence(const Description& robot, std::size_t link, int dof) {
  const LinkDescription& l = robot.links[link];
  const int count = dofs_of(l.joint);
  switch (l.joint) {
    case Joint::fixed: {
      const int body = body_of(robot, static_cast<int>(link));
      return "fixed, merged into " + (body < 0 ? std::string("the world") : printable(link_at(robot, body).name));
    }
    case Joint::floating:
      return "floats freely" + dof_words(dof, count);
    case Joint::spherical:
      return "spherical" + dof_words(dof, count);
    case Joint::revolute:
    case Joint::prismatic:
      break;
  }
  const bool turns = l.joint == Joint::revolute;
  const Units& units = turns ? kTurn : kSlide;
  return (turns ? "revolute about " : "prismatic along ") + axis_name(l.axis) + ", " + actuator_words(l.drive, units) +
         friction_words(l.drive, units) + limit_words(l.limits, units) + dof_words(dof, count);
}

std::string robot_tree(const Description& robot) { return Tree(robot).text(); }

}  // namespace kinecast::host
