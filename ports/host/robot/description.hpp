// SPDX-License-Identifier: MIT
// A robot as a file described it, whatever file that was: what the emitter writes as a header, what `info` prints and what the page
// of a simulation draws. Host only; SI units.
#pragma once

#include <kinecast/model/drive.hpp>
#include <kinecast/model/limits.hpp>

#include <array>
#include <string>
#include <vector>

namespace kinecast::host {

using Triple = std::array<double, 3>;
using Rows = std::array<Triple, 3>;  // of a 3 x 3 matrix
inline constexpr Rows kIdentityRows{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

struct LinkDescription {
  enum class Joint { revolute, prismatic, spherical, floating, fixed };
  std::string name;
  std::string joint_name{};  // of the joint that carries it; empty: nobody named it
  int parent{-1};            // index among the links listed before it; -1: the world
  Joint joint{Joint::fixed};
  Triple axis{0, 0, 1};          // unit vector, link frame
  Rows rotation{kIdentityRows};  // link axes to parent axes at q = 0
  Triple position_m{};           // link origin in the parent frame
  double mass_kg{0};             // 0: no inertia at all
  Triple com_m{};                // link frame
  Rows inertia_kgm2{};           // about the centre of mass, link axes
  Drive drive{};                 // what moves the joint and what holds it back, as the library has it
  JointLimits limits{};
};

struct PointDescription {
  std::string name;
  int link{-1};
  Triple position_m{};
  double radius_m{0};  // of a sphere about it; 0: the point itself touches
  int kind{0};         // of its material
};

// What a page draws of a link; nothing of it reaches the header.
struct ShapeDescription {
  enum class Form { box, sphere, cylinder, mesh };
  Form form{Form::box};
  int link{-1};
  Rows rotation{kIdentityRows};   // shape axes to link axes
  Triple position_m{};            // its centre, link frame
  Triple size_m{};                // box: edges; sphere: radius first; cylinder (along its z): radius, length
  std::vector<Triple> corners{};  // mesh: of its hull, shape frame
  std::vector<std::array<int, 3>> triangles{};  // mesh: of its hull, outward by the right hand
};

struct Description {
  std::string name;
  Triple gravity_mps2{0, 0, -9.80665};
  std::vector<LinkDescription> links;
  std::vector<PointDescription> points;
  std::vector<ShapeDescription> shapes{};
};

}  // namespace kinecast::host
