// SPDX-License-Identifier: MIT
// Checks the rules of model/robot_rules.hpp: the compiler checks a constexpr robot, validate() one whose values come
// from outside at run time. Both name the link and the rule. It costs nothing at run time unless validate() is called.
#pragma once

#include <kinecast/core/constexpr_math.hpp>
#include <kinecast/core/scalar.hpp>
#include <kinecast/model/robot.hpp>
#include <kinecast/model/robot_rules.hpp>

namespace kinecast {

namespace detail {

// A sane value is neither NaN nor so large that a float model would overflow (core/scalar.hpp).
[[nodiscard]] constexpr bool sane(double x) noexcept { return constant::abs(x) <= 1e6; }
[[nodiscard]] constexpr bool sane(const Vec3<double>& v) noexcept { return sane(v.x) && sane(v.y) && sane(v.z); }
[[nodiscard]] constexpr bool sane(const Directions& d) noexcept { return sane(d.forward) && sane(d.backward); }
[[nodiscard]] constexpr bool sane(const DriveSide& s) noexcept {
  return sane(s.rotor_inertia_kgm2) && sane(s.stiction_Nm) && sane(s.coulomb_Nm) && sane(s.viscous_Nms_per_rad) &&
         sane(s.stribeck_s_per_rad) && sane(s.offset_Nm);
}
[[nodiscard]] constexpr bool sane(const Drive& d) noexcept {
  return sane(d.torque_constant_Nm_per_A) && sane(d.resistance_ohm) && sane(d.voltage_limit_V) &&
         sane(d.torque_limit_Nm) && sane(d.gear_ratio) && sane(d.load_loss) && sane(d.at_motor) && sane(d.at_joint) &&
         sane(seen_at_joint(d));
}
[[nodiscard]] constexpr bool sane(const JointLimits& l) noexcept {
  return sane(l.lower) && sane(l.upper) && sane(l.rebound) && sane(l.spring_Nm_per_rad) && sane(l.damper_Nms_per_rad) &&
         sane(l.speed);
}
[[nodiscard]] constexpr bool sane(const Link& l) noexcept {
  const Sym3<double>& i = l.inertia_kgm2;
  return sane(l.axis) && sane(l.rotation.row_x) && sane(l.rotation.row_y) && sane(l.rotation.row_z) &&
         sane(l.position_m) && sane(l.mass_kg) && sane(l.com_m) && sane(Vec3<double>{i.xx, i.xy, i.xz}) &&
         sane(Vec3<double>{i.yy, i.yz, i.zz}) && sane(l.drive) && sane(l.limits);
}

[[nodiscard]] constexpr bool near(double a, double b) noexcept {
  return constant::abs(a - b) <= Tolerance<double>::kWrittenDigits;
}

[[nodiscard]] constexpr bool is_rotation(const Mat3<double>& r) noexcept {
  return near(dot(r.row_x, r.row_x), 1) && near(dot(r.row_y, r.row_y), 1) && near(dot(r.row_z, r.row_z), 1) &&
         near(dot(r.row_x, r.row_y), 0) && near(dot(r.row_y, r.row_z), 0) && near(dot(r.row_z, r.row_x), 0) &&
         dot(cross(r.row_x, r.row_y), r.row_z) > 0;
}

// Tells whether a link is neither shifted nor turned in its parent. Values that were written as 0 are 0: no tolerance.
[[nodiscard]] constexpr bool is_unplaced(const Link& l) noexcept {
  const Vec3<double>& p = l.position_m;
  const double turned = (1 - l.rotation.row_x.x) + (1 - l.rotation.row_y.y) + (1 - l.rotation.row_z.z);
  return !(dot(p, p) > 0) && !(turned > 0);
}

[[nodiscard]] constexpr bool is_zero(const Sym3<double>& m) noexcept {
  return !(constant::abs(m.xx) + constant::abs(m.xy) + constant::abs(m.xz) + constant::abs(m.yy) + constant::abs(m.yz) +
               constant::abs(m.zz) >
           0);
}

// Compares the leading principal minors (Sylvester) with their own scales.
[[nodiscard]] constexpr bool is_positive_definite(const Sym3<double>& m, double slack) noexcept {
  const double s = constant::abs(m.xx) + constant::abs(m.yy) + constant::abs(m.zz);
  const double minor2 = m.xx * m.yy - m.xy * m.xy;
  const double minor3 =
      m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) + m.xz * (m.xy * m.yz - m.yy * m.xz);
  return m.xx > -slack * s && m.yy > -slack * s && m.zz > -slack * s && minor2 > -slack * s * s &&
         minor3 > -slack * s * s * s;
}

// The second moments of the mass are ∫ x xᵀ dm = ½ tr(I) 1 - I, positive semidefinite exactly if I obeys the triangle
// inequality.
[[nodiscard]] constexpr Sym3<double> second_moment(const Sym3<double>& i) noexcept {
  const double half_trace = 0.5 * (i.xx + i.yy + i.zz);
  return {half_trace - i.xx, -i.xy, -i.xz, half_trace - i.yy, -i.yz, half_trace - i.zz};
}

[[nodiscard]] constexpr bool negative(const Directions& d) noexcept { return d.forward < 0 || d.backward < 0; }
[[nodiscard]] constexpr bool negative(const DriveSide& s) noexcept {
  return negative(s.stiction_Nm) || negative(s.coulomb_Nm) || negative(s.viscous_Nms_per_rad) ||
         s.stribeck_s_per_rad < 0;
}
[[nodiscard]] constexpr bool below_coulomb(const DriveSide& s) noexcept {
  return s.has_stiction &&
         (s.stiction_Nm.forward < s.coulomb_Nm.forward || s.stiction_Nm.backward < s.coulomb_Nm.backward);
}
[[nodiscard]] constexpr bool denies_its_values(const DriveSide& s) noexcept {
  return (!s.has_stiction && any(s.stiction_Nm)) || (!s.has_stribeck && s.stribeck_s_per_rad > 0);
}
// A Stribeck value tells how stiction falls to Coulomb friction: without stiction, or on both sides, it is lost.
[[nodiscard]] constexpr bool stribeck_is_lost(const Drive& d) noexcept {
  const bool given = d.at_motor.has_stribeck || d.at_joint.has_stribeck;
  return (d.at_motor.has_stribeck && d.at_joint.has_stribeck) ||
         (given && !d.at_motor.has_stiction && !d.at_joint.has_stiction);
}

}  // namespace detail

[[nodiscard]] constexpr Rule broken_rule(const Drive& d, JointKind joint) noexcept {
  const bool single_axis = has_single_axis(joint);
  if (d.at_motor.rotor_inertia_kgm2 < 0 || d.at_joint.rotor_inertia_kgm2 < 0) return Rule::rotor_not_negative;
  if (detail::reflected_rotor(d) > 0 && !single_axis) return Rule::rotor_on_single_axis;
  if (!(constant::abs(d.gear_ratio) > 0)) return Rule::gear_ratio_not_zero;
  if (!single_axis && (d.has_gear || detail::is_more_than_torque(d))) return Rule::drive_on_single_axis;
  const bool has_motor = d.actuator == Actuator::dc_motor;
  if (has_motor && !(d.torque_constant_Nm_per_A > 0)) return Rule::motor_constant_positive;
  if (has_motor && !(d.resistance_ohm > 0)) return Rule::motor_resistance_positive;
  if (has_motor && !(d.voltage_limit_V > 0)) return Rule::motor_voltage_limit_positive;
  if (d.torque_limit_Nm < 0) return Rule::torque_limit_not_negative;
  if (detail::negative(d.at_motor) || detail::negative(d.at_joint) || d.load_loss < 0)
    return Rule::friction_not_negative;
  if (d.torque_limit_Nm > 0 && d.actuator != Actuator::torque) return Rule::torque_limit_on_torque_drive;
  if (detail::denies_its_values(d.at_motor) || detail::denies_its_values(d.at_joint))
    return Rule::value_is_said_to_be_given;
  const bool uses_motor_side = detail::has_friction(d.at_motor) || d.at_motor.rotor_inertia_kgm2 > 0;
  if (uses_motor_side && !has_motor && !d.has_gear) return Rule::motor_side_needs_motor;
  if (detail::below_coulomb(d.at_motor) || detail::below_coulomb(d.at_joint)) return Rule::stiction_not_below_coulomb;
  if (detail::stribeck_is_lost(d)) return Rule::stribeck_on_one_side;
  return Rule::none;
}

[[nodiscard]] constexpr Rule broken_rule(const JointLimits& l, JointKind joint) noexcept {
  if (!l.has_stops && !l.has_speed) return Rule::none;
  if (!has_single_axis(joint)) return Rule::limits_on_single_axis;
  if (l.lower > l.upper) return Rule::limits_in_order;
  const bool is_soft = l.spring_Nm_per_rad > 0 || l.damper_Nms_per_rad > 0;
  const bool negative = l.rebound < 0 || l.spring_Nm_per_rad < 0 || l.damper_Nms_per_rad < 0;
  if (negative || l.rebound > 1 || (is_soft && l.rebound > 0) || (l.has_speed && !(l.speed > 0)))
    return Rule::limit_values;
  return Rule::none;
}

[[nodiscard]] constexpr Rule broken_rule(const Link& l) noexcept {
  if (!detail::sane(l)) return Rule::values_sane;
  if (has_single_axis(l.joint) && !detail::near(dot(l.axis, l.axis), 1)) return Rule::axis_unit;
  if (!detail::is_rotation(l.rotation)) return Rule::rotation_orthonormal;
  if (l.joint == JointKind::floating && (l.parent != kWorld || !detail::is_unplaced(l))) return Rule::floating_on_world;
  if (const Rule rule = broken_rule(l.drive, l.joint); rule != Rule::none) return rule;
  if (const Rule rule = broken_rule(l.limits, l.joint); rule != Rule::none) return rule;
  const bool has_mass = l.mass_kg < 0 || l.mass_kg > 0;
  if (l.is_massless && has_mass) return Rule::mass_positive;
  if (!has_mass && (l.is_massless || l.joint == JointKind::fixed))  // a bare frame
    return detail::is_zero(l.inertia_kgm2) ? Rule::none : Rule::inertia_positive_definite;
  if (!(l.mass_kg > 0)) return Rule::mass_positive;
  if (!detail::is_positive_definite(l.inertia_kgm2, 0)) return Rule::inertia_positive_definite;
  if (!detail::is_positive_definite(detail::second_moment(l.inertia_kgm2), Tolerance<double>::kWrittenDigits))
    return Rule::inertia_triangle;
  return Rule::none;
}

namespace detail {

// The moving link that a link is welded to, or itself; kWorld if it is welded to the world. Parents are listed first.
template <int Links, int Points, int Loops, int Couplings>
[[nodiscard]] constexpr int moving_link(const Robot<Links, Points, Loops, Couplings>& r, int link) noexcept {
  int at = link;
  for (int i = 0; i < Links && at >= 0 && r.link(at).joint == JointKind::fixed; ++i) at = r.link(at).parent;
  return at;
}

// What a coupling breaks by itself.
template <int Links, int Points, int Loops, int Couplings>
[[nodiscard]] constexpr Rule broken_rule(const Robot<Links, Points, Loops, Couplings>& r, const Coupling& c) noexcept {
  const auto is_known = [](const JointOf& j) { return j.link >= 0 && j.link < Links; };
  if (c.leader_count < 1 || c.leader_count > kMostLeaders) return Rule::coupling_of_known_joints;
  if (!is_known(c.follower)) return Rule::coupling_of_known_joints;
  if (!sane(c.offset)) return Rule::values_sane;
  if (!has_single_axis(r.link(c.follower.link).joint)) return Rule::coupling_on_single_axis;
  for (int i = 0; i < c.leader_count; ++i) {
    const Leader& leader = c.leaders[static_cast<std::size_t>(i)];
    if (!is_known(leader.joint)) return Rule::coupling_of_known_joints;
    if (!sane(leader.ratio)) return Rule::values_sane;
    if (!has_single_axis(r.link(leader.joint.link).joint)) return Rule::coupling_on_single_axis;
    if (!(constant::abs(leader.ratio) > 0)) return Rule::coupling_ratio_not_zero;
    if (leader.joint.link == c.follower.link) return Rule::coupling_of_different_joints;
    if (i > 0 && leader.joint.link == c.leaders[0].joint.link) return Rule::coupling_of_different_joints;
  }
  return Rule::none;
}

// The first coupling whose joint follows itself through others; -1: there is none. Each turn strikes out the couplings
// whose leaders follow nobody that is left, and only those of a circle remain.
template <int Links, int Points, int Loops, int Couplings>
[[nodiscard]] constexpr int find_circle(const Robot<Links, Points, Loops, Couplings>& r) noexcept {
  std::array<bool, static_cast<std::size_t>(Links)> follows{};
  for (const Coupling& c : r.couplings) follows[static_cast<std::size_t>(c.follower.link)] = true;
  for (int turn = 0; turn < Couplings; ++turn) {
    for (const Coupling& c : r.couplings) {
      bool leaders_follow = false;
      for (int i = 0; i < c.leader_count; ++i)
        leaders_follow =
            leaders_follow || follows[static_cast<std::size_t>(c.leaders[static_cast<std::size_t>(i)].joint.link)];
      if (!leaders_follow) follows[static_cast<std::size_t>(c.follower.link)] = false;
    }
  }
  for (int i = 0; i < Couplings; ++i)
    if (follows[static_cast<std::size_t>(r.coupling(i).follower.link)]) return i;
  return -1;
}

}  // namespace detail

template <int Links, int Points, int Loops, int Couplings>
[[nodiscard]] constexpr Verdict validate(const Robot<Links, Points, Loops, Couplings>& r) noexcept {
  bool moves = false;
  if (!detail::sane(r.gravity_mps2)) return {Rule::values_sane, -1};
  for (int i = 0; i < Links; ++i) {
    const Link& l = r.link(i);
    if (l.parent < kWorld || l.parent >= i) return {Rule::parent_listed_first, i};
    for (int j = 0; j < i; ++j)
      if (!l.name.empty() && r.link(j).name == l.name) return {Rule::name_unique, i};
    if (const Rule rule = broken_rule(l); rule != Rule::none) return {rule, i};
    moves = moves || l.joint != JointKind::fixed;
  }
  if (!moves) return {Rule::no_moving_link, -1};
  for (int i = 0; i < Points; ++i) {
    const ContactPoint& p = r.point(i);
    if (p.link < kWorld || p.link >= Links) return {Rule::point_on_known_link, i};
    if (!detail::sane(p.position_m) || !detail::sane(p.radius_m)) return {Rule::values_sane, i};
    if (p.radius_m < 0 || p.kind < 0 || p.kind >= kKinds) return {Rule::point_radius_and_kind, i};
    for (int j = 0; j < i; ++j)
      if (!p.name.empty() && r.point(j).name == p.name) return {Rule::name_unique, i};
  }
  for (int i = 0; i < Loops; ++i) {
    const Closure& c = r.loop(i);
    for (const PointOf& p : {c.first, c.second}) {
      if (p.link < kWorld || p.link >= Links) return {Rule::loop_between_links, i};
      if (!detail::sane(p.position_m)) return {Rule::values_sane, i};
    }
    if (detail::moving_link(r, c.first.link) == detail::moving_link(r, c.second.link))
      return {Rule::loop_between_links, i};
  }
  for (int i = 0; i < Couplings; ++i) {
    if (const Rule rule = detail::broken_rule(r, r.coupling(i)); rule != Rule::none) return {rule, i};
    for (int j = 0; j < i; ++j)
      if (r.coupling(j).follower.link == r.coupling(i).follower.link) return {Rule::follower_in_one_coupling, i};
  }
  if (const int i = detail::find_circle(r); i >= 0) return {Rule::coupling_of_different_joints, i};
  return {};
}

// Asks for RobotKeepsItsRules with the verdict: a broken rule stops the compiler there, with its sentence.
template <const auto& R>
inline constexpr bool kRobotIsValid = RobotKeepsItsRules<R, validate(R).index, validate(R).rule>::kValue;

}  // namespace kinecast
