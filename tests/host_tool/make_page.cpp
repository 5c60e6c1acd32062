// SPDX-License-Identifier: MIT
// Pages of two motions that a few lines can compute, for the test of the page in a browser:
// make_page pendulum|box|hostile FILE. pendulum: two links and no surface; box: it drops beside a step, slides and comes to rest;
// hostile: the pendulum without shapes, under names that try to break out of the page.
#include "simulate/simulation_page.hpp"
#include "text/output_file.hpp"

#include <cmath>
#include <iostream>

namespace {

using namespace kinecast::host;
using Joint = LinkDescription::Joint;
using Form = ShapeDescription::Form;

constexpr double kGravity_mps2 = 9.80665;
constexpr double kStep_s = 1e-3;

std::array<double, 4> about_y(double angle_rad) { return {std::cos(angle_rad / 2), 0, std::sin(angle_rad / 2), 0}; }

LinkDescription rod(const std::string& name, int parent, double hinge_m) {
  LinkDescription link;
  link.name = name;
  link.joint_name = name + "_joint";
  link.parent = parent;
  link.joint = Joint::revolute;
  link.axis = {0, 1, 0};
  link.position_m = {0, 0, hinge_m};
  link.mass_kg = 1;
  link.com_m = {0, 0, -0.25};
  link.inertia_kgm2 = {{{0.0209, 0, 0}, {0, 0.0209, 0}, {0, 0, 1.7e-4}}};
  return link;
}

// Two uniform rods of 1 kg and 0.5 m with viscous hinges; angles from hanging down, the second relative to the first.
Record pendulum() {
  Record out;
  out.title = "Double pendulum";
  out.command_line = "make_page pendulum";
  out.step_s = kStep_s;
  out.robot.name = "pendulum";
  out.robot.links = {rod("upper", -1, 1.2), rod("lower", 0, -0.5)};
  out.robot.shapes = {{Form::box, 0, kIdentityRows, {0, 0, -0.25}, {0.04, 0.04, 0.5}},
                      {Form::cylinder, 1, kIdentityRows, {0, 0, -0.25}, {0.025, 0.5, 0}},
                      {Form::sphere, 1, kIdentityRows, {0, 0, -0.5}, {0.05, 0, 0}}};
  out.q_names = {"upper_joint", "lower_joint"};
  out.dq_names = out.q_names;
  out.q_units = {"rad", "rad"};
  out.command_units = {"N.m", ""};
  constexpr double kLength_m = 0.5, kInertia_kgm2 = 0.25 / 3;
  double a = 1.9, b = 0.4, da = 0, db = 0;  // absolute angles of the two rods
  for (int i = 0; i <= 4000; ++i) {
    const double torque[2] = {-0.15 * da, -0.05 * (db - da)};
    Sample sample;
    sample.time_s = i * kStep_s;
    sample.q = {a, b - a};
    sample.dq = {da, db - da};
    sample.command = {0, 0};
    sample.torque_Nm = {torque[0], torque[1]};
    const Triple elbow{-kLength_m * std::sin(a), 0, 1.2 - kLength_m * std::cos(a)};
    sample.links = {{{0, 0, 1.2}, about_y(a)}, {elbow, about_y(b)}};
    sample.kinetic_J =
        0.5 * (kInertia_kgm2 + 0.25) * da * da + 0.5 * kInertia_kgm2 * db * db + 0.125 * std::cos(a - b) * da * db;
    sample.potential_J = kGravity_mps2 * (2.4 - 0.75 * std::cos(a) - 0.25 * std::cos(b));
    out.samples.push_back(sample);
    const double coupling = 0.125 * std::cos(a - b), spin = 0.125 * std::sin(a - b);
    const double first = torque[0] - torque[1] - spin * db * db - 0.75 * kGravity_mps2 * std::sin(a);
    const double second = torque[1] + spin * da * da - 0.25 * kGravity_mps2 * std::sin(b);
    const double whole = (kInertia_kgm2 + 0.25) * kInertia_kgm2 - coupling * coupling;
    da += kStep_s * (kInertia_kgm2 * first - coupling * second) / whole;
    db += kStep_s * ((kInertia_kgm2 + 0.25) * second - coupling * first) / whole;
    a += kStep_s * da;
    b += kStep_s * db;
  }
  out.figures = {{"energy at the start", "what it was"}, {"steps", "4000"}};
  out.notes = {"Integrated by the test itself."};
  return out;
}

constexpr double kHalf_m = 0.1;
constexpr double kBoxMass_kg = 2;

Description box_robot() {
  Description robot;
  robot.name = "box";
  LinkDescription link;
  link.name = "box";
  link.joint = Joint::floating;
  link.mass_kg = kBoxMass_kg;
  robot.links = {link};
  for (const double x : {-kHalf_m, kHalf_m})
    for (const double y : {-kHalf_m, kHalf_m})
      robot.points.push_back({"corner" + std::to_string(robot.points.size()), 0, {x, y, -kHalf_m}, 0, 0});
  robot.shapes = {{Form::box, 0, kIdentityRows, {0, 0, 0}, {2 * kHalf_m, 2 * kHalf_m, 2 * kHalf_m}}};
  ShapeDescription roof{Form::mesh, 0, kIdentityRows, {0, 0, kHalf_m}, {}};
  roof.corners = {{-0.1, -0.1, 0}, {0.1, -0.1, 0}, {0.1, 0.1, 0}, {-0.1, 0.1, 0}, {0, 0, 0.08}};
  roof.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  robot.shapes.push_back(roof);
  return robot;
}

// Level all the time: a soft ground below four corners, Coulomb friction 0.3.
Record box() {
  Record out;
  out.title = "A box drops, slides and rests";
  out.command_line = "make_page box";
  out.step_s = kStep_s;
  out.robot = box_robot();
  out.surfaces = {{SurfaceDescription::Form::half_space, "ground", kIdentityRows, {0, 0, 0}, {}},
                  {SurfaceDescription::Form::box, "step", kIdentityRows, {0.9, 0, 0.06}, {0.3, 0.6, 0.12}}};
  out.q_names = {"base.x", "base.y", "base.z", "base.qw", "base.qx", "base.qy", "base.qz"};
  out.q_units = {"m", "m", "m", "", "", "", ""};
  out.dq_names = {"base.vx", "base.vy", "base.vz", "base.wx", "base.wy", "base.wz"};
  out.command_units.assign(6, "");
  double x = 0, z = 0.35, vx = 0.9, vz = 0;
  for (int i = 0; i <= 1500; ++i) {
    const double depth_m = kHalf_m - z;
    const double normal_N = depth_m > 0 ? std::max(0.0, 2e4 * depth_m - 150 * vz) : 0;
    const bool slides = std::abs(vx) > 1e-3;
    const double friction_N = slides ? -0.3 * normal_N * (vx > 0 ? 1 : -1) : 0;
    Sample sample;
    sample.time_s = i * kStep_s;
    sample.q = {x, 0, z, 1, 0, 0, 0};
    sample.dq = {vx, 0, vz, 0, 0, 0};
    sample.command.assign(6, 0);
    sample.torque_Nm.assign(6, 0);
    sample.links = {{{x, 0, z}, {1, 0, 0, 0}}};
    if (normal_N > 0)
      for (const PointDescription& point : out.robot.points)
        sample.contacts.push_back({point.name,
                                   {x + point.position_m[0], point.position_m[1], z + point.position_m[2]},
                                   {friction_N / 4, 0, normal_N / 4},
                                   slides,
                                   normal_N / 4});
    sample.kinetic_J = 0.5 * kBoxMass_kg * (vx * vx + vz * vz);
    sample.potential_J = kBoxMass_kg * kGravity_mps2 * z;
    out.samples.push_back(sample);
    vx += kStep_s * friction_N / kBoxMass_kg;
    if (!slides) vx = 0;
    vz += kStep_s * (normal_N / kBoxMass_kg - kGravity_mps2);
    x += kStep_s * vx;
    z += kStep_s * vz;
  }
  out.figures = {{"weight", "19.6 N"}, {"steps", "1500"}};
  return out;
}

Record hostile() {
  Record out = pendulum();
  const std::string bad = "</script><script>document.title='broken'</script>";
  out.title = "<b>bad</b> & \"names\"";
  out.command_line = "make_page hostile <!-- " + bad;
  out.robot.name = bad;
  out.robot.links[0].name = bad;
  out.robot.links[1].name = "<!-- <script> \xff `touch broken` 'x' \"y\" \\ $(z) \n\xe2\x80\xa8";
  out.robot.shapes.clear();
  out.q_names = {"'; system('touch broken') #", "`touch broken`17 \"\\\\140 @x </svg></script>"};
  out.dq_names = out.q_names;
  out.figures = {{bad, bad}};
  out.notes = {bad};
  return out;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string name = count == 3 ? arguments[1] : "";
  if (name != "pendulum" && name != "box" && name != "hostile") {
    std::cerr << "make_page pendulum|box|hostile FILE\n";
    return 2;
  }
  write_file(arguments[2], simulation_page(name == "box" ? box() : name == "hostile" ? hostile() : pendulum()));
  return 0;
}
