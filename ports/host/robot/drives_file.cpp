// SPDX-License-Identifier: MIT
#include "drives_file.hpp"

#include "../drive/drive_parts.hpp"
#include "../text/text.hpp"

#include <kinecast/model/validate.hpp>

#include <nlohmann/json.hpp>

namespace kinecast::host {
namespace {

using Joint = LinkDescription::Joint;

LinkDescription& link_of(UrdfRobot& urdf, const JsonTable& joints, const std::string& name) {
  std::vector<std::string> known;
  for (LinkDescription& l : urdf.robot.links) {
    const bool can_be_driven = l.joint == Joint::revolute || l.joint == Joint::prismatic;
    if (l.joint_name == name && !name.empty()) {
      if (!can_be_driven) joints.refuse(name, "this joint does not turn or slide: it takes no drive");
      return l;
    }
    if (can_be_driven && !l.joint_name.empty()) known.push_back(l.joint_name);
  }
  const std::string guess = nearest(name, known);
  joints.refuse(name, "the robot has no such joint; " + (guess.empty() ? "its moving joints are " + listed(known)
                                                                       : "did you mean \"" + guess + "\"?"));
}

Actuator actuator_of(const JsonTable& joint) {
  const std::string word =
      joint.has("drive") ? joint.choice("drive", {"voltage", "torque", "velocity", "none"}) : "torque";
  return word == "voltage"    ? Actuator::dc_motor
         : word == "velocity" ? Actuator::velocity
         : word == "none"     ? Actuator::none
                              : Actuator::torque;
}

bool has_friction_at_joint(const JsonTable& joint) {
  return joint.has("friction") && joint.raw("friction").is_object() && joint.raw("friction").contains("at_joint");
}

Drive drive_of(const JsonTable& joint, const LinkDescription& link) {
  const bool slides = link.joint == Joint::prismatic;
  Drive drive;
  drive.actuator = actuator_of(joint);
  const std::string limit = slides ? "force_limit_N" : "torque_limit_Nm";
  const bool takes_torque = drive.actuator == Actuator::torque;
  if (joint.has(limit) && !takes_torque)
    joint.refuse(limit, "is for \"drive\": \"torque\"; a motor has voltage_limit_V");
  if (takes_torque) drive.torque_limit_Nm = joint.number(limit, link.drive.torque_limit_Nm);
  if (!has_friction_at_joint(joint)) drive.at_joint = link.drive.at_joint;
  read_drive_parts(joint, slides, drive.actuator == Actuator::dc_motor, drive);
  return drive;
}

}  // namespace

void apply_drives(const std::string& file, UrdfRobot& urdf, Notes& notes) {
  const Json document = read_json(file);
  const JsonTable top(file, "", document, {"joints"});
  const Json& list = top.raw("joints");
  if (!list.is_object()) top.refuse("joints", "must be an object: a joint's name, then its drive");
  std::vector<std::string> names;
  for (const auto& [name, ignored] : list.items()) names.push_back(name);
  const JsonTable joints = top.table("joints", names);
  for (const std::string& name : names) {
    LinkDescription& link = link_of(urdf, joints, name);
    const bool slides = link.joint == Joint::prismatic;
    const JsonTable joint =
        joints.table(name, {"drive", slides ? "force_limit_N" : "torque_limit_Nm", "motor", "gear", "friction"});
    const double urdf_limit = link.drive.torque_limit_Nm;
    const bool had_losses = detail::has_friction(link.drive.at_joint);
    link.drive = drive_of(joint, link);
    if (had_losses && has_friction_at_joint(joint))
      notes.add("joint", name, "at_joint of the drives file replaces the URDF's damping and friction");
    if (urdf_limit > 0 && link.drive.actuator == Actuator::dc_motor)
      notes.add("joint", name, "the URDF's effort is not taken over: its motor is limited by its voltage");
    if (const Rule rule = broken_rule(link.drive, JointKind::revolute); rule != Rule::none)
      joints.refuse(name, sentence(rule));
    if (!detail::sane(link.drive)) joints.refuse(name, sentence(Rule::values_sane));
  }
}

}  // namespace kinecast::host
