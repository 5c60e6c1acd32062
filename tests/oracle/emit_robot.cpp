// SPDX-License-Identifier: MIT
// The generator: what it emits is, bit for bit, the robot that it was given; what it cannot say it refuses with a sentence.
#include "host/robot/emit_robot.hpp"

#include <kinecast/model/validate.hpp>

#include <clocale>
#include <cstdio>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

#include "driven_robot.hpp"
#include "emitted_robots.hpp"
#include "robots/arm6.hpp"
#include "robots/humanoid.hpp"
#include "robots/zoo.hpp"

namespace {

int failures = 0;

void check(bool good, const std::string& what) {
  if (good) return;
  std::printf("oracle.emit_robot: FAILED: %s\n", what.c_str());
  ++failures;
}

// Equal as numbers: no rounding anywhere on the way through the text. (0 and -0 are equal.)
constexpr bool same(double a, double b) { return !(a < b) && !(a > b); }
constexpr bool same(const kinecast::Vec3<double>& a, const kinecast::Vec3<double>& b) {
  return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}
constexpr bool same(const kinecast::Directions& a, const kinecast::Directions& b) {
  return same(a.forward, b.forward) && same(a.backward, b.backward);
}
constexpr bool same(const kinecast::DriveSide& a, const kinecast::DriveSide& b) {
  return same(a.rotor_inertia_kgm2, b.rotor_inertia_kgm2) && same(a.stiction_Nm, b.stiction_Nm) &&
         same(a.coulomb_Nm, b.coulomb_Nm) && same(a.viscous_Nms_per_rad, b.viscous_Nms_per_rad) &&
         same(a.stribeck_s_per_rad, b.stribeck_s_per_rad) && same(a.offset_Nm, b.offset_Nm) &&
         a.has_stiction == b.has_stiction && a.has_stribeck == b.has_stribeck;
}
constexpr bool same(const kinecast::Drive& a, const kinecast::Drive& b) {
  return a.actuator == b.actuator && same(a.torque_constant_Nm_per_A, b.torque_constant_Nm_per_A) &&
         same(a.resistance_ohm, b.resistance_ohm) && same(a.voltage_limit_V, b.voltage_limit_V) &&
         same(a.torque_limit_Nm, b.torque_limit_Nm) && same(a.gear_ratio, b.gear_ratio) &&
         same(a.load_loss, b.load_loss) && a.has_gear == b.has_gear && same(a.at_motor, b.at_motor) &&
         same(a.at_joint, b.at_joint);
}
constexpr bool same(const kinecast::JointLimits& a, const kinecast::JointLimits& b) {
  return a.has_stops == b.has_stops && same(a.lower, b.lower) && same(a.upper, b.upper) && same(a.rebound, b.rebound) &&
         same(a.spring_Nm_per_rad, b.spring_Nm_per_rad) && same(a.damper_Nms_per_rad, b.damper_Nms_per_rad) &&
         a.has_speed == b.has_speed && same(a.speed, b.speed);
}
constexpr bool same(const kinecast::Link& a, const kinecast::Link& b) {
  using Vector = kinecast::Vec3<double>;
  const auto& i = a.inertia_kgm2;
  const auto& j = b.inertia_kgm2;
  return a.name == b.name && a.parent == b.parent && a.joint == b.joint && same(a.axis, b.axis) &&
         same(a.rotation.row_x, b.rotation.row_x) && same(a.rotation.row_y, b.rotation.row_y) &&
         same(a.rotation.row_z, b.rotation.row_z) && same(a.position_m, b.position_m) && same(a.mass_kg, b.mass_kg) &&
         same(a.com_m, b.com_m) && same(Vector{i.xx, i.xy, i.xz}, Vector{j.xx, j.xy, j.xz}) &&
         same(Vector{i.yy, i.yz, i.zz}, Vector{j.yy, j.yz, j.zz}) && same(a.drive, b.drive) &&
         same(a.limits, b.limits) && a.is_massless == b.is_massless;
}
template <class A, class B>
constexpr bool same_robot(const A& a, const B& b) {
  if (A::kLinks != B::kLinks || A::kPoints != B::kPoints || !same(a.gravity_mps2, b.gravity_mps2)) return false;
  for (int i = 0; i < A::kLinks; ++i)
    if (!same(a.link(i), b.link(i))) return false;
  for (int i = 0; i < A::kPoints; ++i)
    if (a.point(i).name != b.point(i).name || a.point(i).link != b.point(i).link ||
        !same(a.point(i).position_m, b.point(i).position_m) || !same(a.point(i).radius_m, b.point(i).radius_m) ||
        a.point(i).kind != b.point(i).kind)
      return false;
  return true;
}

static_assert(same_robot(robots::arm6_geared, emitted::arm6_geared));
static_assert(same_robot(robots::humanoid, emitted::humanoid));
static_assert(same_robot(robots::zoo, emitted::zoo));
static_assert(same_robot(robots::driven, emitted::driven));
static_assert(!same_robot(robots::driven, robots::zoo));
static_assert(kinecast::validate(emitted::driven).ok());
static_assert(kinecast::validate(emitted::robot_1_odd__robot_).ok());
static_assert(emitted::robot_1_odd__robot_.name == "1 odd \"robot\"");
static_assert(emitted::robot_1_odd__robot_.link(0).name == "cross \\ \"x\"");
static_assert(emitted::robot_1_odd__robot_.link(0).is_massless);
static_assert(emitted::robot_1_odd__robot_.link(1).name == "tip ?\?/");
static_assert(same(emitted::robot_1_odd__robot_.link(1).mass_kg, 1.0 / 3.0));

using kinecast::host::Description;
using kinecast::host::LinkDescription;

Description good_robot() {
  LinkDescription l;
  l.name = "arm";
  l.joint = LinkDescription::Joint::revolute;
  l.mass_kg = 1;
  l.inertia_kgm2 = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Description robot;
  robot.name = "good";
  robot.links = {l};
  return robot;
}

// The sentence names the robot and says `word`.
void refuses(const char* word, const std::function<void(Description&)>& spoil) {
  Description robot = good_robot();
  spoil(robot);
  try {
    (void)kinecast::host::emit_robot(robot);
    check(false, std::string("accepted, although: ") + word);
  } catch (const std::invalid_argument& error) {
    check(std::string(error.what()).find(word) != std::string::npos, std::string(word) + " is not in: " + error.what());
  }
}

}  // namespace

int main() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  (void)std::setlocale(LC_ALL, "");  // whatever the user has: numbers keep their point
  for (const char* comma : {"de_DE.UTF-8", "fr_FR.UTF-8"}) (void)std::setlocale(LC_ALL, comma);
  check(kinecast::host::number(0.1) == "0.1", "0.1 is written as 0.1");
  check(kinecast::host::number(1.0 / 3.0) == "0.3333333333333333", "1/3 keeps its digits");
  check(kinecast::host::number(-0.0) == "0", "no negative zero");
  check(kinecast::host::identifier("left arm-2") == "left_arm_2", "spaces and signs become underscores");
  check(!kinecast::host::emit_robot(good_robot()).empty(), "a good robot is emitted");
  refuses("NaN", [](Description& r) { r.links[0].com_m[1] = kNan; });
  check(kinecast::host::identifier("class") == "class_", "a keyword gets an underscore");
  check(kinecast::host::identifier("link") == "link_", "so does a word that robots are written in");
  check(kinecast::host::identifier("7", "joint_") == "joint_7", "a digit gets the prefix");
  check(kinecast::host::identifier("m\u00F6tor") == "m_tor", "a letter beyond ASCII is one underscore");
  refuses("NaN", [](Description& r) { r.links[0].drive.at_joint.coulomb_Nm.backward = kNan; });
  refuses("NaN", [](Description& r) { r.links[0].limits.upper = kNan; });
  refuses("NaN", [](Description& r) { r.points = {{"tip", 0, {}, kNan, 0}}; });
  refuses("NaN", [](Description& r) { r.links[0].rotation[2][0] = kNan; });
  refuses("gravity", [](Description& r) { r.gravity_mps2[2] = kNan; });
  refuses("parent", [](Description& r) { r.links[0].parent = 0; });
  refuses("symmetric", [](Description& r) { r.links[0].inertia_kgm2[0][1] = 0.1; });
  refuses("two links", [](Description& r) { r.links.push_back(r.links[0]); });
  refuses("name", [](Description& r) { r.links[0].name.clear(); });
  refuses("name", [](Description& r) { r.links[0].name = "a\nb"; });
  refuses("no link", [](Description& r) { r.points = {{"tip", 7, {}, 0, 0}}; });
  refuses("twice", [](Description& r) { r.points = {{"tip", 0, {}, 0, 0}, {"tip", 0, {}, 0, 0}}; });
  std::printf("oracle.emit_robot: 5 robots emitted and compared, %d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
