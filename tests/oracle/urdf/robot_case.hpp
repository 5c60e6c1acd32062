// SPDX-License-Identifier: MIT
// One imported robot as the comparison with MuJoCo needs it: its sizes, its joints by their names in the URDF, and its forward
// dynamics behind plain pointers, so that a translation unit with many robots compiles nothing else of theirs.
#pragma once

#include <kinecast/dynamics/forward_dynamics.hpp>
#include <kinecast/model/model.hpp>

#include <string>
#include <utility>
#include <vector>

namespace oracle {

struct RobotCase {
  using Accelerate = kinecast::Status (*)(const double* q, const double* dq, const double* tau, double* ddq);
  using Joints = std::vector<std::pair<std::string, int>>;

  std::string name;
  std::string urdf;
  bool floats{false};
  Joints joints;  // name in the URDF, index in dq as the header's constants have it
  int positions{0};
  int dofs{0};
  int links{0};
  std::vector<int> position_of_dof;  // index in q of a single-axis joint's dq
  double gravity_mps2[3]{};
  Accelerate accelerate{nullptr};
  Accelerate accelerate_float{nullptr};
};

// Both defined in the translation units that make_cases.py writes.
[[nodiscard]] std::vector<RobotCase> given_fixed();
[[nodiscard]] std::vector<RobotCase> given_floating();
[[nodiscard]] std::vector<RobotCase> random_robots();

namespace detail {

template <const auto& R, class S>
kinecast::Status accelerate(const double* q, const double* dq, const double* tau, double* ddq) {
  using Shape = kinecast::Shape<R>;
  static kinecast::Workspace<R, S> work;
  kinecast::Position<R, S> position;
  kinecast::Velocity<R, S> velocity;
  kinecast::Velocity<R, S> torque;
  kinecast::Velocity<R, S> result;
  for (int i = 0; i < Shape::kPositions; ++i) position[i] = static_cast<S>(q[i]);
  for (int i = 0; i < Shape::kDofs; ++i) velocity[i] = static_cast<S>(dq[i]), torque[i] = static_cast<S>(tau[i]);
  const kinecast::Status status = forward_dynamics(kinecast::model<R, S>, position, velocity, torque, work, result);
  if (!ok(status)) return status;
  for (int i = 0; i < Shape::kDofs; ++i) ddq[i] = static_cast<double>(result[i]);
  return status;
}

}  // namespace detail

template <const auto& R>
[[nodiscard]] RobotCase robot_case(const char* name, const char* urdf, bool floats, RobotCase::Joints joints) {
  using Shape = kinecast::Shape<R>;
  RobotCase c;
  c.name = name, c.urdf = urdf, c.floats = floats, c.joints = std::move(joints);
  c.positions = Shape::kPositions, c.dofs = Shape::kDofs, c.links = R.kLinks;
  c.position_of_dof.assign(static_cast<std::size_t>(Shape::kDofs), -1);
  for (int b = 0; b < Shape::kBodies; ++b)
    if (kinecast::dofs_of(Shape::index(b).kind) == 1)
      c.position_of_dof[static_cast<std::size_t>(Shape::v_of(b))] = Shape::q_of(b);
  c.gravity_mps2[0] = R.gravity_mps2.x, c.gravity_mps2[1] = R.gravity_mps2.y, c.gravity_mps2[2] = R.gravity_mps2.z;
  c.accelerate = detail::accelerate<R, double>;
  c.accelerate_float = detail::accelerate<R, float>;
  return c;
}

}  // namespace oracle
