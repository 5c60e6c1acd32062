// SPDX-License-Identifier: MIT
#include "robot_rules.hpp"

#include "../failure.hpp"
#include "../text/text.hpp"

#include <kinecast/model/validate.hpp>

#include <Eigen/Eigenvalues>

#include <cmath>

namespace kinecast::host {
namespace {

using Joint = LinkDescription::Joint;

// A body whose mass lies closer to an axis than this has no size: a tenth of a millimetre.
constexpr double kThinnestBody_m = 1e-4;

Vec3<double> vector(const Triple& v) { return {v[0], v[1], v[2]}; }

JointKind kind_of(Joint joint) {
  constexpr JointKind kKindsOf[] = {JointKind::revolute, JointKind::prismatic, JointKind::spherical,
                                    JointKind::floating, JointKind::fixed};
  return kKindsOf[static_cast<std::size_t>(joint)];
}

Eigen::Vector3d principal_moments(const Rows& i) {
  Eigen::Matrix3d m;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) m(a, b) = i[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m, Eigen::EigenvaluesOnly).eigenvalues();
}

std::string written(const Eigen::Vector3d& moments) {
  return rounded(moments[0], 4) + ", " + rounded(moments[1], 4) + " and " + rounded(moments[2], 4) + " kg m²";
}

bool is_about_the_joint(Rule rule) {
  return rule == Rule::axis_unit || rule == Rule::floating_on_world || rule == Rule::limits_in_order ||
         rule == Rule::limit_values || rule == Rule::limits_on_single_axis ||
         (rule >= Rule::drive_on_single_axis && rule <= Rule::value_is_said_to_be_given) ||
         rule == Rule::rotor_on_single_axis || rule == Rule::rotor_not_negative;
}

[[noreturn]] void refuse(const UrdfRobot& urdf, std::size_t index, Rule rule) {
  const LinkDescription& l = urdf.robot.links[index];
  std::string say = sentence(rule);
  const bool has_mass = std::abs(l.mass_kg) > 0;
  if (rule == Rule::mass_positive)
    say = "its mass is " + rounded(l.mass_kg, 6) + " kg; a mass must be positive (a mere frame has no <inertial>)";
  if (rule == Rule::inertia_positive_definite && !has_mass)
    say = "it has an inertia but no mass; give it a mass, or remove its <inertial> if it is a mere frame";
  else if (rule == Rule::inertia_positive_definite)
    say = "its inertia is not positive definite: the principal moments are " +
          written(principal_moments(l.inertia_kgm2)) +
          ", and all must be positive (a solid ball has 0.4 m r² in ixx, iyy and izz)";
  if (rule == Rule::inertia_triangle)
    say = "its inertia breaks the triangle inequality: the principal moments are " +
          written(principal_moments(l.inertia_kgm2)) +
          ", and of no body one is above the sum of the two others; "
          "take them from CAD again, or of a box of its size";
  if (is_about_the_joint(rule) && !l.joint_name.empty())
    refuse_part(urdf.file, urdf.joint_lines[index], joint_part(l.joint_name), say);
  refuse_part(urdf.file, urdf.link_lines[index], link_part(l.name), say);
}

// A joint that nothing resists could not be computed: inertia of what it moves, or of a rotor.
void expect_inertia_outboard(const UrdfRobot& urdf) {
  const std::vector<LinkDescription>& links = urdf.robot.links;
  std::vector<bool> moves(links.size(), false);   // the link, or something that it carries, has a mass
  std::vector<bool> welded(links.size(), false);  // the same, of what is fixed to it alone
  for (std::size_t i = links.size(); i-- > 0;) {
    const bool has_mass = links[i].mass_kg > 0;
    moves[i] = moves[i] || has_mass;
    welded[i] = welded[i] || has_mass;
    if (links[i].parent < 0) continue;
    const std::size_t parent = static_cast<std::size_t>(links[i].parent);
    moves[parent] = moves[parent] || moves[i];
    if (links[i].joint == Joint::fixed) welded[parent] = welded[parent] || welded[i];
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkDescription& l = links[i];
    if (l.joint == Joint::floating && !welded[i])
      refuse_part(
          urdf.file, urdf.link_lines[i], link_part(l.name),
          "floats, but neither it nor what is fixed to it has a mass; give it an <inertial>, or use --base fixed");
    if (l.joint != Joint::fixed && !moves[i] && !(detail::reflected_rotor(l.drive) > 0))
      refuse_part(urdf.file, urdf.joint_lines[i], joint_part(l.joint_name),
                  "moves nothing that has a mass; give " + link_part(l.name) +
                      " an <inertial>, make the joint fixed, or give it a rotor with --drives");
  }
}

void note_odd_inertias(const UrdfRobot& urdf, Notes& notes) {
  const std::vector<LinkDescription>& links = urdf.robot.links;
  for (const LinkDescription& l : links) {
    if (!(l.mass_kg > 0)) {
      const bool turns = l.joint == Joint::revolute || l.joint == Joint::prismatic;
      if (turns) notes.add("link", l.name, "it moves but has no mass: only what it carries resists its joint");
      continue;
    }
    const Eigen::Vector3d moments = principal_moments(l.inertia_kgm2);
    if ((moments - Eigen::Vector3d::Ones()).cwiseAbs().maxCoeff() < 1e-12)
      notes.add("link", l.name, "its inertia is 1, 1, 1 kg m², which some programs write if they know none");
    if (moments[0] < l.mass_kg * kThinnestBody_m * kThinnestBody_m)
      notes.add("link", l.name,
                "tiny inertia: its mass would lie within " + rounded(kThinnestBody_m * 1000, 2) +
                    " mm of an axis; is the unit kg m²?");
  }
}

}  // namespace

Link library_link(const LinkDescription& from) {
  Link l;
  l.parent = from.parent;
  l.joint = kind_of(from.joint);
  l.axis = vector(from.axis);
  l.rotation = {vector(from.rotation[0]), vector(from.rotation[1]), vector(from.rotation[2])};
  l.position_m = vector(from.position_m);
  l.mass_kg = from.mass_kg;
  l.com_m = vector(from.com_m);
  const Rows& i = from.inertia_kgm2;
  l.inertia_kgm2 = {i[0][0], i[0][1], i[0][2], i[1][1], i[1][2], i[2][2]};
  l.is_massless = from.joint != Joint::fixed && !(std::abs(from.mass_kg) > 0);
  l.drive = from.drive;
  l.limits = from.limits;
  return l;
}

void expect_rules_kept(const UrdfRobot& urdf, Notes& notes) {
  bool moves = false;
  for (std::size_t i = 0; i < urdf.robot.links.size(); ++i) {
    const Link link = library_link(urdf.robot.links[i]);
    if (const Rule rule = broken_rule(link); rule != Rule::none) refuse(urdf, i, rule);
    moves = moves || link.joint != JointKind::fixed;
  }
  if (!moves)
    throw Failure(ExitCode::bad_input,
                  urdf.file + ": the robot has no moving joint; is it meant to float? Then say --base floating");
  expect_inertia_outboard(urdf);
  note_odd_inertias(urdf, notes);
}

}  // namespace kinecast::host
