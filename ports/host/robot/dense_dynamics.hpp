// SPDX-License-Identifier: MIT
// Accelerations of a URDF's robot by the textbook, in double, from urdfdom's own reading of the file: Jacobians of all links in
// world axes, M = sum of m Jᵀ J + Jᵀ I J, a dense solve. It shares neither a frame nor a formula with the library, so that the two
// can check each other. O(n³) and in no hurry.
#pragma once

#include "imported_robot.hpp"

#include <Eigen/Core>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kinecast::host {

class DenseDynamics {
 public:
  // joints: the degree of freedom and the place in q of each joint that moves, by its name in the URDF. Others do not move.
  // With a floating base the root floats, with its entries first; of a root "world" the link that it carries.
  struct Place {
    int q{0};
    int v{0};
    double rotor_kgm2{0};  // reflected, at the joint: no URDF says it
  };
  DenseDynamics(const std::string& urdf, Base base, const std::map<std::string, Place>& joints,
                const Triple& gravity_mps2);

  // q, dq, tau and the result as the library orders them: of what floats position, quaternion wxyz; velocity and
  // acceleration of that link's origin, then angular, in world axes.
  [[nodiscard]] Eigen::VectorXd accelerations(const Eigen::VectorXd& q, const Eigen::VectorXd& dq,
                                              const Eigen::VectorXd& tau) const;

 private:
  struct Body {
    int parent{-1};  // among the bodies; -1: the base
    Eigen::Matrix3d turn_in_parent{Eigen::Matrix3d::Identity()};
    Eigen::Vector3d place_in_parent{Eigen::Vector3d::Zero()};
    bool turns{false};
    bool slides{false};
    bool floats{false};  // on the world, whatever its parent is
    Eigen::Vector3d axis{Eigen::Vector3d::UnitZ()};
    Place place{};
    double mass{0};
    Eigen::Vector3d com{Eigen::Vector3d::Zero()};
    Eigen::Matrix3d inertia{Eigen::Matrix3d::Zero()};  // about the centre of mass, link axes
  };
  std::vector<Body> bodies_;  // parents first; the root is the first
  Eigen::Vector3d gravity_;
};

}  // namespace kinecast::host
