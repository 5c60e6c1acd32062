// SPDX-License-Identifier: MIT
// The same robot for MuJoCo: an MJCF text from a kinecast robot. Body i is named "b<i>" after the link's index, its joint
// "j<i>"; MuJoCo orders bodies by depth, kinecast as listed, so look joints up by name.
#pragma once

#include <kinecast/model/robot.hpp>

#include <Eigen/Dense>
#include <charconv>
#include <string>

namespace oracle {

namespace detail {

inline std::string text(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}
inline std::string text(const kinecast::Vec3<double>& v) { return text(v.x) + " " + text(v.y) + " " + text(v.z); }
inline std::string text(const Eigen::Quaterniond& q) {
  return text(q.w()) + " " + text(q.x()) + " " + text(q.y()) + " " + text(q.z());
}

inline Eigen::Quaterniond to_quaternion(const kinecast::Mat3<double>& m) {
  Eigen::Matrix3d r;
  r << m.row_x.x, m.row_x.y, m.row_x.z, m.row_y.x, m.row_y.y, m.row_y.z, m.row_z.x, m.row_z.y, m.row_z.z;
  return Eigen::Quaterniond(r).normalized();
}

// Principal axes found here: MuJoCo's own diagonalisation stops at fewer digits than we compare.
inline std::string inertial(const kinecast::Link& l) {
  const auto& i = l.inertia_kgm2;
  Eigen::Matrix3d full;
  full << i.xx, i.xy, i.xz, i.xy, i.yy, i.yz, i.xz, i.yz, i.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solved(full);
  Eigen::Matrix3d axes = solved.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  const Eigen::Vector3d& principal = solved.eigenvalues();
  return "<inertial pos=\"" + text(l.com_m) + "\" quat=\"" + text(Eigen::Quaterniond(axes).normalized()) +
         "\" mass=\"" + text(l.mass_kg) + "\" diaginertia=\"" + text(principal[0]) + " " + text(principal[1]) + " " +
         text(principal[2]) + "\"/>";
}

inline std::string joint(const kinecast::Link& l, const std::string& name) {
  const std::string start = "<joint name=\"" + name + "\" type=\"";
  const std::string axis =
      "\" axis=\"" + text(l.axis) + "\" armature=\"" + text(l.drive.at_joint.rotor_inertia_kgm2) + "\"/>";
  switch (l.joint) {
    case kinecast::JointKind::revolute:
      return start + "hinge" + axis;
    case kinecast::JointKind::prismatic:
      return start + "slide" + axis;
    case kinecast::JointKind::spherical:
      return start + "ball\"/>";
    case kinecast::JointKind::floating:
      return start + "free\"/>";
    case kinecast::JointKind::fixed:
      break;
  }
  return {};
}

// A link and all that hangs on it.
template <class Robot>
std::string subtree(const Robot& robot, int index) {
  const kinecast::Link& l = robot.link(index);
  const std::string number = std::to_string(index);
  std::string out = "<body name=\"b" + number + "\" pos=\"" + text(l.position_m) + "\" quat=\"" +
                    text(to_quaternion(l.rotation)) + "\">" + joint(l, "j" + number) + inertial(l) + "\n";
  for (int child = index + 1; child < Robot::kLinks; ++child)
    if (robot.link(child).parent == index) out += subtree(robot, child);
  return out + "</body>\n";
}

}  // namespace detail

// No contact, no constraint, no damping: forward dynamics alone.
template <class Robot>
[[nodiscard]] std::string to_mjcf(const Robot& robot) {
  std::string out =
      "<mujoco model=\"robot\">\n"
      "<compiler angle=\"radian\" inertiafromgeom=\"false\" balanceinertia=\"false\" boundmass=\"0\" "
      "boundinertia=\"0\"/>\n"
      "<option gravity=\"" +
      detail::text(robot.gravity_mps2) +
      "\"><flag contact=\"disable\" constraint=\"disable\" energy=\"enable\"/></option>\n<worldbody>\n";
  for (int i = 0; i < Robot::kLinks; ++i)
    if (robot.link(i).parent == kinecast::kWorld) out += detail::subtree(robot, i);
  return out + "</worldbody>\n</mujoco>\n";
}

}  // namespace oracle
