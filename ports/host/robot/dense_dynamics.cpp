// SPDX-License-Identifier: MIT
#include "dense_dynamics.hpp"

#include "../failure.hpp"
#include "../text/input_file.hpp"
#include "urdf_values.hpp"

#include <urdf_model/model.h>
#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <cmath>
#include <utility>

namespace kinecast::host {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Vector3d vector_of(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
Matrix3d matrix_of(const urdf::Rotation& r) {
  return Eigen::Quaterniond(r.w, r.x, r.y, r.z).normalized().toRotationMatrix();
}

// [r]x J, column by column.
MatrixXd crossed(const MatrixXd& J, const Vector3d& r) {
  Matrix3d skew;
  skew << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return -skew * J;  // omega x r = -[r]x omega
}

// A body in the world: where it is, how it moves, and how it accelerates while ddq = 0.
struct Motion {
  Matrix3d turn;
  Vector3d place;
  MatrixXd J_linear;  // of its origin
  MatrixXd J_angular;
  Vector3d angular;
  Vector3d linear_acceleration;
  Vector3d angular_acceleration;
};

Motion floating(const Motion& world, const DenseDynamics::Place& at, const VectorXd& q, const VectorXd& dq) {
  Motion m = world;
  m.turn = Eigen::Quaterniond(q[at.q + 3], q[at.q + 4], q[at.q + 5], q[at.q + 6]).toRotationMatrix();
  m.place = q.segment<3>(at.q);
  m.J_linear.middleCols<3>(at.v).setIdentity();
  m.J_angular.middleCols<3>(at.v + 3).setIdentity();
  m.angular = dq.segment<3>(at.v + 3);
  return m;
}

// The file without what does not enter the dynamics: urdfdom refuses a <capsule>, a <limit> without effort and others that the
// import accepts.
std::string with_dynamics_only(const std::string& text) {
  tinyxml2::XMLDocument file;
  (void)file.Parse(text.c_str(), text.size());  // the import has read it before
  for (auto* part = file.RootElement()->FirstChildElement(); part != nullptr; part = part->NextSiblingElement()) {
    for (const char* name : {"visual", "collision", "limit", "dynamics", "mimic", "safety_controller", "calibration"})
      while (auto* child = part->FirstChildElement(name)) part->DeleteChild(child);
    if (std::string(part->Name()) != "joint") continue;
    auto* limit = part->InsertNewChildElement("limit");
    for (const char* name : {"lower", "upper", "effort", "velocity"}) limit->SetAttribute(name, "0");
  }
  tinyxml2::XMLPrinter printer;
  file.Print(&printer);
  std::string out = printer.CStr();
  for (char& c : out)
    if (c == '\t' || c == '\r' || c == '\n') c = ' ';  // between numbers urdfdom knows spaces only
  return out;
}

}  // namespace

DenseDynamics::DenseDynamics(const std::string& urdf, Base base, const std::map<std::string, Place>& joints,
                             const Triple& gravity_mps2)
    : gravity_(gravity_mps2[0], gravity_mps2[1], gravity_mps2[2]) {
  const urdf::ModelInterfaceSharedPtr model = read_by_urdfdom(urdf, with_dynamics_only(contents_of(urdf)));
  if (!model->getRoot()) throw Failure(ExitCode::bad_input, urdf + ": urdfdom finds no root in it");
  const bool on_world = model->getRoot()->name == "world";
  std::vector<std::pair<urdf::LinkConstSharedPtr, int>> open{{model->getRoot(), -1}};
  while (!open.empty()) {
    const auto [link, parent] = open.back();
    open.pop_back();
    Body b;
    b.parent = parent;
    b.floats = base == Base::floating && parent == (on_world ? 0 : -1);
    if (const auto& inertial = link->inertial) {
      const Matrix3d turn = matrix_of(inertial->origin.rotation);
      Matrix3d own;
      own << inertial->ixx, inertial->ixy, inertial->ixz, inertial->ixy, inertial->iyy, inertial->iyz, inertial->ixz,
          inertial->iyz, inertial->izz;
      b.mass = inertial->mass;
      b.com = vector_of(inertial->origin.position);
      b.inertia = turn * own * turn.transpose();
    }
    if (const auto& joint = link->parent_joint; joint && parent >= 0) {
      b.turn_in_parent = matrix_of(joint->parent_to_joint_origin_transform.rotation);
      b.place_in_parent = vector_of(joint->parent_to_joint_origin_transform.position);
      if (const auto found = joints.find(joint->name); found != joints.end()) {
        b.place = found->second;
        b.axis = vector_of(joint->axis).normalized();
        b.floats = joint->type == urdf::Joint::FLOATING;
        b.slides = joint->type == urdf::Joint::PRISMATIC;
        b.turns = !b.slides && !b.floats;
      }
    }
    const int index = static_cast<int>(bodies_.size());
    bodies_.push_back(b);
    for (const urdf::LinkSharedPtr& child : link->child_links) open.emplace_back(child, index);
  }
}

VectorXd DenseDynamics::accelerations(const VectorXd& q, const VectorXd& dq, const VectorXd& tau) const {
  const Eigen::Index n = dq.size();
  MatrixXd M = MatrixXd::Zero(n, n);
  VectorXd bias = VectorXd::Zero(n);
  std::vector<Motion> motions;
  motions.reserve(bodies_.size());
  const Motion world{Matrix3d::Identity(), Vector3d::Zero(), MatrixXd::Zero(3, n), MatrixXd::Zero(3, n),
                     Vector3d::Zero(),     Vector3d::Zero(), Vector3d::Zero()};
  for (const Body& b : bodies_) {
    const Motion p = b.floats       ? floating(world, b.place, q, dq)
                     : b.parent < 0 ? world
                                    : motions[static_cast<std::size_t>(b.parent)];
    Motion m = p;
    const Matrix3d before = b.floats ? p.turn : Matrix3d(p.turn * b.turn_in_parent);
    const Vector3d axis = before * b.axis;
    Vector3d r = b.floats ? Vector3d(Vector3d::Zero()) : Vector3d(p.turn * b.place_in_parent);
    if (b.slides) r += q[b.place.q] * axis;
    m.turn = b.turns ? Matrix3d(before * Eigen::AngleAxisd(q[b.place.q], b.axis)) : before;
    m.place += r;
    m.J_linear += crossed(p.J_angular, r);
    m.linear_acceleration += p.angular_acceleration.cross(r) + p.angular.cross(p.angular.cross(r));
    if (b.turns) {
      const Vector3d rate = dq[b.place.v] * axis;
      m.J_angular.col(b.place.v) += axis;
      m.angular += rate;
      m.angular_acceleration += p.angular.cross(rate);
    }
    if (b.slides) {
      m.J_linear.col(b.place.v) += axis;
      m.linear_acceleration += 2 * p.angular.cross(dq[b.place.v] * axis);
    }
    const Vector3d c = m.turn * b.com;
    const MatrixXd J = m.J_linear + crossed(m.J_angular, c);
    const Matrix3d I = m.turn * b.inertia * m.turn.transpose();
    const Vector3d a = m.linear_acceleration + m.angular_acceleration.cross(c) + m.angular.cross(m.angular.cross(c));
    M += b.mass * J.transpose() * J + m.J_angular.transpose() * I * m.J_angular;
    bias += b.mass * J.transpose() * (a - gravity_) +
            m.J_angular.transpose() * (I * m.angular_acceleration + m.angular.cross(I * m.angular));
    if (b.turns || b.slides) M(b.place.v, b.place.v) += b.place.rotor_kgm2;
    motions.push_back(std::move(m));
  }
  return M.ldlt().solve(tau - bias);
}

}  // namespace kinecast::host
