// SPDX-License-Identifier: MIT
// usage: emit_trial_robots header
// Takes robots that were written by hand apart into descriptions and emits them again; emit_robot.cpp compares.
#include <fstream>
#include <string>

#include "driven_robot.hpp"
#include "host/robot/emit_robot.hpp"
#include "robots/arm6.hpp"
#include "robots/humanoid.hpp"
#include "robots/zoo.hpp"

namespace {

using kinecast::host::Description;
using kinecast::host::LinkDescription;
using kinecast::host::Triple;

Triple triple(const kinecast::Vec3<double>& v) { return {v.x, v.y, v.z}; }

LinkDescription::Joint joint_of(kinecast::JointKind kind) {
  using Joint = LinkDescription::Joint;
  constexpr Joint kJoints[] = {Joint::revolute, Joint::prismatic, Joint::spherical, Joint::floating, Joint::fixed};
  return kJoints[static_cast<std::size_t>(kind)];
}

template <class Robot>
Description describe(const Robot& robot, const std::string& name) {
  Description out;
  out.name = name;
  out.gravity_mps2 = triple(robot.gravity_mps2);
  for (const kinecast::Link& from : robot.links) {
    LinkDescription l;
    l.name = from.name;
    l.parent = from.parent;
    l.joint = joint_of(from.joint);
    l.axis = triple(from.axis);
    l.rotation = {triple(from.rotation.row_x), triple(from.rotation.row_y), triple(from.rotation.row_z)};
    l.position_m = triple(from.position_m);
    l.mass_kg = from.mass_kg;
    l.com_m = triple(from.com_m);
    const auto& i = from.inertia_kgm2;
    l.inertia_kgm2 = {{{i.xx, i.xy, i.xz}, {i.xy, i.yy, i.yz}, {i.xz, i.yz, i.zz}}};
    l.drive = from.drive;
    l.limits = from.limits;
    out.links.push_back(l);
  }
  for (const kinecast::ContactPoint& p : robot.points)
    out.points.push_back({std::string(p.name), p.link, triple(p.position_m), p.radius_m, p.kind});
  return out;
}

// What no robot of the tests has: a massless link, a name with quotes, another gravity.
Description odd_robot() {
  Description out;
  out.name = "1 odd \"robot\"";
  out.gravity_mps2 = {0.1, -0.2, 1.62};
  LinkDescription cross;
  cross.joint_name = "joint \\";
  cross.name = "cross \\ \"x\"";
  cross.joint = LinkDescription::Joint::revolute;
  cross.axis = {1, 0, 0};
  LinkDescription tip = cross;
  tip.name = "tip ?\?/";
  tip.parent = 0;
  tip.axis = {0, 1, 0};
  tip.mass_kg = 1.0 / 3.0;
  tip.inertia_kgm2 = {{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 1e-21 + 0.1}}};
  out.links = {cross, tip};
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ofstream out(argv[1]);
  out << kinecast::host::emit_header(
      {describe(robots::arm6_geared, "arm6_geared"), describe(robots::humanoid, "humanoid"),
       describe(robots::zoo, "zoo"), describe(robots::driven, "driven"), odd_robot()},
      "emitted", "tests/robots");
  out.close();
  return out ? 0 : 1;
}
