// SPDX-License-Identifier: MIT
// `kinecast import` against MuJoCo's own reading of the same URDF: same state, same acceleration, fixed and floating base, for the
// robots that users have and for random ones. Float is compared with double at the same states.
#include <Eigen/Dense>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "../mujoco_model.hpp"
#include "../states.hpp"
#include "mujoco_urdf.hpp"
#include "robot_case.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/require.hpp"

namespace {

using Eigen::VectorXd;
using support::Maximum;
using support::relative_error;

// Two exact methods rounded differently in double, as in oracle.mujoco.
constexpr double kBound = 1e-9;
// MuJoCo's own search for principal axes (mju_eig3) leaves them wrong by up to 1.4e-6 rad, whence a relative 1e-6 in
// accelerations and a digit of margin. That bound says that both read the same numbers; kBound, with exact axes, that both compute the same.
constexpr double kBoundOfItsAxes = 1e-5;
constexpr int kStates = 1000;

// One robot in both programs. MuJoCo turns the angular velocity of a free body into the body's axes; ours is in world axes.
class Match {
 public:
  explicit Match(const oracle::RobotCase& robot)
      : robot_(robot), urdf_(oracle::mujoco_urdf(robot.urdf, robot.floats)), model_(oracle::load(urdf_.text)) {
    if (model_->nv != robot_.dofs || model_->nq != robot_.positions)
      throw std::runtime_error("MuJoCo has " + std::to_string(model_->nv) + " degrees of freedom, the header " +
                               std::to_string(robot_.dofs));
    // Forward dynamics alone.
    model_->opt.disableflags |=
        mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_PASSIVE;
    mju_copy3(model_->opt.gravity, robot_.gravity_mps2);
    match_joints();
    data_.reset(mj_makeData(model_.get()));
    take_back_masses();
  }

  void run(support::Report& report) {
    const std::string name = robot_.name + (robot_.floats ? " floating" : " fixed");
    if (!urdf_.breaks_triangle)
      report.add({"mujoco", "urdf_as_mujoco_reads_it", name, "double", largest_difference(), kBoundOfItsAxes});
    set_principal_axes();
    report.add({"mujoco", "urdf_forward_dynamics", name, "double", largest_difference(), kBound},
               urdf_.breaks_triangle ? "(an inertia breaks the triangle inequality)" : "");
    report.add({"double", "urdf_forward_dynamics", name, "float", float_.value()});
  }

 private:
  void match_joints() {
    their_q_.assign(static_cast<std::size_t>(robot_.positions), -1);
    their_v_.assign(static_cast<std::size_t>(robot_.dofs), -1);
    if (robot_.floats) take_joint(oracle::kFreeJoint, 0, 0, 7, 6);
    for (const auto& [name, dof] : robot_.joints) {
      if (dof < 0 || dof >= robot_.dofs) throw std::runtime_error("joint " + name + " has no degree of freedom");
      take_joint(name, robot_.position_of_dof[static_cast<std::size_t>(dof)], dof, 1, 1);
    }
    for (const int address : their_v_)
      if (address < 0) throw std::runtime_error("a degree of freedom has no joint in the header's list");
  }
  void take_joint(const std::string& name, int q, int v, int positions, int dofs) {
    const int joint = mj_name2id(model_.get(), mjOBJ_JOINT, name.c_str());
    if (joint < 0) throw std::runtime_error("MuJoCo knows no joint " + name);
    for (int k = 0; k < positions; ++k) their_q_.at(static_cast<std::size_t>(q + k)) = model_->jnt_qposadr[joint] + k;
    for (int k = 0; k < dofs; ++k) their_v_.at(static_cast<std::size_t>(v + k)) = model_->jnt_dofadr[joint] + k;
    slides_.resize(their_v_.size());
    slides_[static_cast<std::size_t>(v)] = model_->jnt_type[joint] == mjJNT_SLIDE;
  }

  void take_back_masses() {
    for (const std::string& link : urdf_.lent_mass) {
      const int body = mj_name2id(model_.get(), mjOBJ_BODY, link.c_str());
      model_->body_mass[body] = 0;
      mju_zero3(model_->body_inertia + 3 * body);
    }
    if (!urdf_.lent_mass.empty()) mj_setConst(model_.get(), data_.get());
  }

  // Exact axes and moments of the URDF's numbers instead of those that MuJoCo found, or made up for an inertia that no mass can
  // have. Masses, centres of mass and all frames stay as MuJoCo read them.
  void set_principal_axes() {
    for (const auto& [link, inertia] : urdf_.inertias) {
      const int body = mj_name2id(model_.get(), mjOBJ_BODY, link.c_str());
      if (body < 0) throw std::runtime_error("MuJoCo knows no link " + link);
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solved(inertia);
      Eigen::Matrix3d axes = solved.eigenvectors();
      if (axes.determinant() < 0) axes.col(0) *= -1;
      const Eigen::Quaterniond turn = Eigen::Quaterniond(axes).normalized();
      const mjtNum quaternion[4] = {turn.w(), turn.x(), turn.y(), turn.z()};
      mju_copy4(model_->body_iquat + 4 * body, quaternion);
      mju_copy3(model_->body_inertia + 3 * body, solved.eigenvalues().data());
      // What MuJoCo noted to save itself work holds no more.
      model_->body_sameframe[body] = 0;
      model_->body_simple[body] = 0;
    }
    for (int i = 0; i < model_->nv; ++i) model_->dof_simplenum[i] = 0;
  }

  double largest_difference() {
    support::Random random(1905);
    Maximum error;
    for (int i = 0; i < kStates; ++i) {
      draw(random);
      VectorXd ours(robot_.dofs);
      VectorXd in_float(robot_.dofs);
      support::require(robot_.accelerate(q_.data(), dq_.data(), tau_.data(), ours.data()), "accelerate");
      support::require(robot_.accelerate_float(q_.data(), dq_.data(), tau_.data(), in_float.data()),
                       "accelerate_float");
      error.see(relative_error(ours, theirs()));
      float_.see(relative_error(in_float, ours));
    }
    return error.value();
  }

  void draw(support::Random& random) {
    const oracle::Ranges ranges;
    q_.resize(robot_.positions), dq_.resize(robot_.dofs), tau_.resize(robot_.dofs);
    for (int i = 0; i < robot_.dofs; ++i) {
      dq_[i] = random.within(robot_.floats && i < 3 ? ranges.base_mps : ranges.rate);
      tau_[i] = random.within(ranges.torque);
      const int q = robot_.position_of_dof[static_cast<std::size_t>(i)];
      if (q >= 0) q_[q] = random.within(slides_[static_cast<std::size_t>(i)] ? ranges.slide_m : ranges.angle_rad);
    }
    if (!robot_.floats) return;
    for (int i = 0; i < 3; ++i) q_[i] = random.within(ranges.base_m);
    double turn[4];
    oracle::random_quaternion(random, turn);
    for (int i = 0; i < 4; ++i) q_[3 + i] = turn[i];
  }

  // MuJoCo's accelerations at the state, in our order and axes.
  VectorXd theirs() {
    Eigen::Matrix3d to_body = Eigen::Matrix3d::Identity();
    if (robot_.floats) to_body = Eigen::Quaterniond(q_[3], q_[4], q_[5], q_[6]).toRotationMatrix().transpose();
    const auto turned = [&](VectorXd v, const Eigen::Matrix3d& by) {
      if (robot_.floats) v.segment<3>(3) = (by * v.segment<3>(3)).eval();
      return v;
    };
    const VectorXd dq = turned(dq_, to_body);
    const VectorXd tau = turned(tau_, to_body);
    for (int i = 0; i < robot_.positions; ++i) data_->qpos[their_q_[static_cast<std::size_t>(i)]] = q_[i];
    for (int i = 0; i < robot_.dofs; ++i) {
      const int at = their_v_[static_cast<std::size_t>(i)];
      data_->qvel[at] = dq[i], data_->qfrc_applied[at] = tau[i];
    }
    mj_forward(model_.get(), data_.get());
    VectorXd ddq(robot_.dofs);
    for (int i = 0; i < robot_.dofs; ++i) ddq[i] = data_->qacc[their_v_[static_cast<std::size_t>(i)]];
    return turned(ddq, to_body.transpose());
  }

  const oracle::RobotCase& robot_;
  oracle::MujocoUrdf urdf_;
  oracle::MujocoModel model_;
  oracle::MujocoData data_;
  std::vector<int> their_q_, their_v_;
  std::vector<bool> slides_;
  VectorXd q_, dq_, tau_;
  Maximum float_;
};

void measure(support::Report& report) {
  mju_user_error = oracle::end_on_mujoco_error;
  mju_user_warning = oracle::end_on_mujoco_error;
  for (const auto& cases : {oracle::given_fixed(), oracle::given_floating(), oracle::random_robots()})
    for (const oracle::RobotCase& robot : cases) {
      try {
        Match(robot).run(report);
      } catch (const std::exception& error) {
        report.fail(robot.name + ": " + error.what());
      }
    }
}

}  // namespace

const support::Program support::program{"oracle.urdf_mujoco", measure};
