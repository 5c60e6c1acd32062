// SPDX-License-Identifier: MIT
#include "urdf_file.hpp"

#include "../failure.hpp"
#include "../text/text.hpp"
#include "placing.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace kinecast::host {
namespace {

using Joint = LinkDescription::Joint;
using tinyxml2::XMLElement;

constexpr double kLargestLimit = 1e6;  // beyond it the library takes no value: it stands for "none"

Rows inertia_of(const urdf::Inertial& i) {
  return {{{i.ixx, i.ixy, i.ixz}, {i.ixy, i.iyy, i.iyz}, {i.ixz, i.iyz, i.izz}}};
}

Triple unit(const Triple& v) {
  const double length = std::hypot(v[0], v[1], v[2]);
  return {v[0] / length, v[1] / length, v[2] / length};
}

bool is_unplaced(const urdf::Pose& pose) {
  const auto any = [](double x) { return std::abs(x) > 0; };
  return !any(pose.position.x) && !any(pose.position.y) && !any(pose.position.z) && !any(pose.rotation.x) &&
         !any(pose.rotation.y) && !any(pose.rotation.z);
}

// Elements that are in the file but not in the robot, each kind once.
class LeftOut {
 public:
  void look_at(const XMLElement* of, const std::vector<std::string>& known) {
    for (const XMLElement* e = of->FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (std::find(known.begin(), known.end(), e->Name()) != known.end()) continue;
      const std::string kind = "<" + printable(e->Name()) + "> in <" + printable(of->Name()) + ">";
      ++kinds_.insert({kind, {0, e->GetLineNum()}}).first->second.count;
    }
  }

  void note(Notes& notes) const {
    constexpr std::size_t kMostKinds = 8;
    std::size_t said = 0;
    for (const auto& [kind, found] : kinds_)
      if (++said <= kMostKinds)
        notes.add(kind + ", line " + std::to_string(found.line) + (found.count > 1 ? " and others" : "") +
                  ": not known, left out");
    if (said > kMostKinds) notes.add(std::to_string(said - kMostKinds) + " more kinds of elements are left out");
  }

 private:
  struct Found {
    int count;
    int line;
  };
  std::map<std::string, Found> kinds_;
};

void note_transmissions(const XMLElement* robot, Notes& notes) {
  for (const XMLElement* t = robot->FirstChildElement("transmission"); t != nullptr;
       t = t->NextSiblingElement("transmission")) {
    const XMLElement* joint = t->FirstChildElement("joint");
    const char* name = joint == nullptr ? nullptr : joint->Attribute("name");
    for (const XMLElement* part = t->FirstChildElement(); part != nullptr; part = part->NextSiblingElement()) {
      const XMLElement* reduction = part->FirstChildElement("mechanicalReduction");
      if (std::string(part->Name()) == "mechanicalReduction") reduction = part;
      const char* text = reduction == nullptr ? nullptr : reduction->GetText();
      const auto ratio = text == nullptr ? std::nullopt : parse_number(text);
      if (ratio && std::abs(*ratio - 1) > 0)
        notes.add(
            "joint", name == nullptr ? "?" : name,
            "its transmission's mechanicalReduction is not taken over: without a motor it does nothing; give gear and "
            "motor with --drives");
    }
  }
}

class Builder {
 public:
  Builder(const UrdfTree& tree, const UrdfValues& values, Base base, Notes& notes)
      : tree_(tree), values_(values), base_(base), notes_(notes), place_(tree.links.size(), -1) {}

  UrdfRobot build() {
    out_.file = tree_.file;
    out_.robot.name = tree_.name;
    int first = tree_.root;
    for (std::size_t i = 0; i < tree_.links.size(); ++i)
      if (tree_.links[i].name == "world" && static_cast<int>(i) != tree_.root)
        refuse_part(tree_.file, tree_.links[i].line, link_part("world"),
                    "this name is the fixed world's, and the link is not the root; rename it");
    if (tree_.link(first).name == "world") {
      first = world_link();
      if (first < 0) {
        add_children(tree_.root);
        return finish();
      }
    }
    add_base(first);
    add_children(first);
    return finish();
  }

 private:
  UrdfRobot finish() {
    left_out_.look_at(tree_.document->RootElement(), {"link", "joint", "material", "gazebo", "transmission", "sensor"});
    left_out_.note(notes_);
    for (UrdfGeometry g : values_.geometries) {
      g.link = place_[static_cast<std::size_t>(g.link)];
      g.shape.link = g.link;
      out_.geometries.push_back(std::move(g));
    }
    return std::move(out_);
  }

  // The root is the world itself: -1, or the link that floats instead of it.
  int world_link() {
    const UrdfLink& world = tree_.link(tree_.root);
    const auto values = values_.link(tree_.root);
    if (values->inertial && values->inertial->mass > 0)
      notes_.add("link \"world\" is the fixed world: its mass has no effect");
    if (base_ == Base::fixed) return -1;
    const bool one = world.carries.size() == 1;
    if (one && tree_.joint(world.carries[0]).type == "floating") return -1;  // it floats by its own joint
    if (!one || tree_.joint(world.carries[0]).type != "fixed")
      refuse_part(tree_.file, world.line, link_part("world"),
                  "the root is the fixed world, and what hangs on it is not one link by a fixed joint, so nothing can "
                  "float; use --base fixed, or remove this link and its joints");
    const UrdfJoint& weld = tree_.joint(world.carries[0]);
    notes_.add(joint_part(weld.name) + " of line " + std::to_string(weld.line) +
               " is left out: " + link_part(tree_.link(weld.child).name) + " floats instead of standing on the world");
    return weld.child;
  }

  void add_base(int index) {
    LinkDescription link = bare_link(index);
    link.joint = base_ == Base::floating ? Joint::floating : Joint::fixed;
    add(index, std::move(link), tree_.link(index).line);
  }

  // Depth first, in the document's order, without recursion.
  void add_children(int of) {
    std::vector<int> next(tree_.link(of).carries.rbegin(), tree_.link(of).carries.rend());
    while (!next.empty()) {
      const int joint = next.back();
      next.pop_back();
      add_joint(joint);
      const std::vector<int>& more = tree_.link(tree_.joint(joint).child).carries;
      next.insert(next.end(), more.rbegin(), more.rend());
    }
  }

  void add_joint(int index) {
    const UrdfJoint& from = tree_.joint(index);
    const auto values = values_.joint(index);
    LinkDescription link = bare_link(from.child);
    link.joint_name = from.name;
    link.parent = place_[static_cast<std::size_t>(from.parent)];
    link.rotation = rows(values->parent_to_joint_origin_transform.rotation);
    link.position_m = triple(values->parent_to_joint_origin_transform.position);
    if (from.type == "floating") make_floating(from, values->parent_to_joint_origin_transform, link);
    if (from.type == "prismatic" || from.type == "revolute" || from.type == "continuous") {
      link.joint = from.type == "prismatic" ? Joint::prismatic : Joint::revolute;
      link.axis = unit(triple(values->axis));
      take_limits(from, *values->limits, link);
      take_losses(*values->dynamics, link);
    }
    if (from.element->FirstChildElement("mimic") != nullptr)
      notes_.add("joint", from.name, "mimic is not taken over: it moves as a joint of its own");
    left_out_.look_at(from.element, {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic",
                                     "safety_controller", "calibration", "hardwareInterface"});
    add(from.child, std::move(link), from.line);
  }

  void make_floating(const UrdfJoint& from, const urdf::Pose& origin, LinkDescription& link) {
    const bool on_world = link.parent < 0 || (from.parent == tree_.root && base_ == Base::fixed);
    if (!on_world)
      refuse_part(tree_.file, from.line, joint_part(from.name),
                  "a floating joint must hang on the root, with --base fixed: only the world can be floated on");
    if (!is_unplaced(origin))
      notes_.add("joint", from.name, "its origin is not taken over: a floating joint's q places the link");
    link.joint = Joint::floating;
    link.parent = -1;
    link.rotation = kIdentityRows;
    link.position_m = {};
  }

  void take_limits(const UrdfJoint& from, const urdf::JointLimits& values, LinkDescription& link) {
    const bool given = has_attribute(from.element, "limit", "lower") || has_attribute(from.element, "limit", "upper");
    const bool far = std::abs(values.lower) > kLargestLimit || std::abs(values.upper) > kLargestLimit;
    const bool wide = values.lower < values.upper;
    if (values.lower > values.upper && from.type != "continuous") {
      std::string absent;
      for (const char* name : {"lower", "upper"})
        if (!has_attribute(from.element, "limit", name)) absent = std::string(name) + " is not given and reads as 0: ";
      refuse_part(tree_.file, from.line, joint_part(from.name),
                  absent + "its lower limit lies above its upper one; " +
                      (absent.empty() ? "exchange them" : "give both") + ", or leave both out if there are no stops");
    }
    if (from.type == "continuous") {
      if (given && std::abs(values.upper - values.lower) > 0)
        notes_.add("joint", from.name, "it is continuous: lower and upper are not taken over");
    } else if (!given) {
      notes_.add("joint", from.name, "no stops: lower and upper are not given");
    } else if (!wide) {
      notes_.add("joint", from.name, "no stops: lower equals upper");
    } else if (far) {
      notes_.add("joint", from.name, "no stops: lower or upper is beyond a million");
    } else {
      link.limits.has_stops = true;
      link.limits.lower = values.lower;
      link.limits.upper = values.upper;
      if (values.lower > 0 || values.upper < 0)
        notes_.add("joint", from.name, "position zero lies beyond its stops: begin elsewhere");
    }
    if (taken(from, "velocity", values.velocity, "speed")) {
      link.limits.has_speed = true;
      link.limits.speed = values.velocity;
    }
    if (taken(from, "effort", values.effort, from.type == "prismatic" ? "force" : "torque"))
      link.drive.torque_limit_Nm = values.effort;
  }

  bool taken(const UrdfJoint& from, const char* attribute, double value, const std::string& what) {
    if (value < 0)
      refuse_part(tree_.file, from.line, joint_part(from.name),
                  std::string("its limit's ") + attribute + " is negative; leave it out if there is none");
    if (value > 0 && value <= kLargestLimit) return true;
    const char* why = value > 0                                         ? " is beyond a million"
                      : has_attribute(from.element, "limit", attribute) ? " is 0"
                                                                        : " is not given";
    notes_.add("joint", from.name, "no " + what + " limit: " + attribute + why);
    return false;
  }

  static void take_losses(const urdf::JointDynamics& values, LinkDescription& link) {
    link.drive.at_joint.viscous_Nms_per_rad = {values.damping, values.damping};
    link.drive.at_joint.coulomb_Nm = {values.friction, values.friction};
  }

  LinkDescription bare_link(int index) {
    const UrdfLink& from = tree_.link(index);
    left_out_.look_at(from.element, {"inertial", "visual", "collision", "sensor", "contact", "gazebo", "material"});
    LinkDescription link;
    link.name = from.name;
    const urdf::InertialSharedPtr inertial = values_.link(index)->inertial;
    if (!inertial) return link;
    link.mass_kg = inertial->mass;
    link.com_m = triple(inertial->origin.position);
    link.inertia_kgm2 = turned(rows(inertial->origin.rotation), inertia_of(*inertial));
    return link;
  }

  void add(int index, LinkDescription link, int joint_line) {
    place_[static_cast<std::size_t>(index)] = static_cast<int>(out_.robot.links.size());
    out_.robot.links.push_back(std::move(link));
    out_.link_lines.push_back(tree_.link(index).line);
    out_.joint_lines.push_back(joint_line);
  }

  const UrdfTree& tree_;
  const UrdfValues& values_;
  Base base_;
  Notes& notes_;
  std::vector<int> place_;  // of a link of the tree among those of the description
  LeftOut left_out_{};
  UrdfRobot out_{};
};

}  // namespace

UrdfRobot read_urdf_text(const std::string& file, const std::string& text, Base base, Notes& notes) {
  const UrdfTree tree = read_urdf_tree(file, text);
  const UrdfValues values = read_urdf_values(tree, notes);
  const XMLElement* robot = tree.document->RootElement();
  note_transmissions(robot, notes);
  return Builder(tree, values, base, notes).build();
}

}  // namespace kinecast::host
