// SPDX-License-Identifier: MIT
// What a simulation produced: the CSV, the plots and the page are made of it.
#pragma once

#include "../robot/description.hpp"

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace kinecast::host {

struct LinkPose {
  Triple position_m{};
  std::array<double, 4> quaternion{1, 0, 0, 0};  // wxyz, link to world
};

struct ContactSample {
  std::string point;  // the contact point's name, or its link's
  Triple position_m{};
  Triple force_N{};  // on the robot, world axes
  bool slides{false};
  double normal_N{0};  // of force_N, along the touched surface's normal
};

[[nodiscard]] inline double total_N(const ContactSample& contact) {
  return std::hypot(contact.force_N[0], contact.force_N[1], contact.force_N[2]);
}

struct Sample {
  double time_s{0};
  std::vector<double> q;  // as the library orders them
  std::vector<double> dq;
  std::vector<double> command;    // one a degree of freedom, in its unit (V, N.m, N, rad/s)
  std::vector<double> torque_Nm;  // transmitted to the joint, one a degree of freedom
  std::vector<LinkPose> links;    // one a link of the description
  std::vector<ContactSample> contacts;
  double kinetic_J{0};
  double potential_J{0};
};

// A surface of the environment, for the picture.
struct SurfaceDescription {
  enum class Form { half_space, box };
  Form form{Form::half_space};
  std::string name;
  Rows rotation{kIdentityRows};  // half space: the third column is the normal
  Triple position_m{};
  Triple size_m{};  // box
};

struct Record {
  std::string title;
  std::string command_line;
  Description robot;
  std::vector<std::string> q_names;        // "panda_joint1", "base.x", "base.qw"; one an entry of q
  std::vector<std::string> q_units;        // "rad", "m", ""
  std::vector<std::string> dq_names;       // one a degree of freedom
  std::vector<std::string> command_units;  // "N.m", "V", "N", "rad/s"; empty: cannot be commanded
  std::vector<SurfaceDescription> surfaces;
  double step_s{0};
  std::vector<Sample> samples;                               // the first is the start
  std::vector<std::pair<std::string, std::string>> figures;  // what was measured: name and value, for a table
  std::vector<std::string> notes;
};

}  // namespace kinecast::host
