// SPDX-License-Identifier: MIT
// A URDF as MuJoCo is to read it: the same text without shapes, meshes and what other programs keep there, MuJoCo's compiler told
// to leave every number as it is, and for a floating base a free joint on the root. Joints and links keep their names.
#pragma once

#include <Eigen/Core>

#include <map>
#include <string>
#include <vector>

namespace oracle {

struct MujocoUrdf {
  std::string text;
  std::map<std::string, Eigen::Matrix3d> inertias;  // of links by name: about the centre of mass, link axes
  // Links that move and have no mass but what fixed joints hold to them, which MuJoCo refuses: the text lends them one.
  std::vector<std::string> lent_mass;
  // A link has principal moments that no mass can have, which MuJoCo takes only to change them.
  bool breaks_triangle{false};
};

inline constexpr const char* kFreeJoint = "floating base of the comparison";

// Throws std::runtime_error.
[[nodiscard]] MujocoUrdf mujoco_urdf(const std::string& file, bool floats);

}  // namespace oracle
