// SPDX-License-Identifier: MIT
// kinecast against MuJoCo, an independent implementation in another formulation (composite inertias and a sparse
// factorisation of the mass matrix): same robot, same state, same acceleration, also under a wrench on any link, and the same
// mass matrix, bias, energies, centre of mass, point Jacobians and contact matrix.
#include <kinecast/kinecast.hpp>

#include <stdexcept>
#include <string>

#include "mjcf.hpp"
#include "mujoco_model.hpp"
#include "robots/arm6.hpp"
#include "robots/chain.hpp"
#include "robots/humanoid.hpp"
#include "robots/zoo.hpp"
#include "states.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/require.hpp"

namespace {

using kinecast::ok;
using support::Maximum;
using support::relative_error;

// Two exact methods rounded differently in double: 1e-16 times the condition of the mass matrix, up to some 1e5 here, and
// two digits of margin.
constexpr double kBound = 1e-9;
constexpr int kStates = 1000;

// One robot in both programs. MuJoCo's velocities differ from ours: the angular velocity of a free body is in body axes
// there, in world axes here. v_theirs = turn v_ours, turn orthogonal; forces turn likewise.
template <const auto& R>
class Match {
 public:
  using Shape = kinecast::Shape<R>;
  static constexpr int kDofs = Shape::kDofs;
  // Sized at run time: the compiler would unroll 34 x 34.
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Column = Eigen::VectorXd;

  Match() : model_(oracle::load(oracle::to_mjcf(R))), data_(mj_makeData(model_.get())) {
    if (model_->nv != kDofs || model_->nq != Shape::kPositions) throw std::runtime_error("not the same robot");
    for (int b = 0; b < Shape::kBodies; ++b) {
      const std::string name = "j" + std::to_string(Shape::kTree.link_of_body[static_cast<std::size_t>(b)]);
      const int joint = mj_name2id(model_.get(), mjOBJ_JOINT, name.c_str());
      if (joint < 0) throw std::runtime_error("no joint " + name);
      for (int k = 0; k < kinecast::positions_of(Shape::index(b).kind); ++k)
        their_q_[Shape::q_of(b) + k] = model_->jnt_qposadr[joint] + k;
      for (int k = 0; k < kinecast::dofs_of(Shape::index(b).kind); ++k)
        their_v_[Shape::v_of(b) + k] = model_->jnt_dofadr[joint] + k;
    }
  }

  void run(const std::string& name, support::Report& report) {
    support::Random random(1905);
    for (int i = 0; i < kStates; ++i) compare(oracle::random_sample<R>(random, {}));
    const auto add = [&](const char* protocol, const Maximum& error) {
      report.add({"mujoco", protocol, name, "double", error.value(), kBound});
    };
    add("forward_dynamics", forward_);
    add("forward_dynamics_wrench", wrench_);
    add("mass_matrix", mass_);
    add("bias_torque", bias_);
    add("energy", energy_);
    add("centre_of_mass", com_);
    add("point_jacobian", jacobian_);
    add("contact_matrix", contact_);
  }

 private:
  void compare(const oracle::Sample<R, double>& s) {
    const auto& model = kinecast::model<R, double>;
    kinecast::Velocity<R, double> ddq;
    kinecast::Velocity<R, double> b;
    kinecast::JointMatrix<R, double> H;
    kinecast::Kinematics<R, double> k;
    support::require(kinecast::bias_torque(model, s.q, s.dq, work_, b), "bias_torque");
    support::require(kinecast::mass_matrix(model, s.q, work_, H), "mass_matrix");
    support::require(kinecast::update_kinematics(model, s.q, s.dq, k), "update_kinematics");
    support::require(kinecast::forward_dynamics(model, s.q, s.dq, s.tau, work_, ddq), "forward_dynamics");

    set_turn(k);
    for (int i = 0; i < Shape::kPositions; ++i) data_->qpos[their_q_[i]] = s.q[i];
    mju_copy(data_->qvel, in_their_order(turn_ * s.dq).data(), kDofs);
    mju_copy(data_->qfrc_applied, in_their_order(turn_ * s.tau).data(), kDofs);
    mju_zero(data_->xfrc_applied, 6 * model_->nbody);
    mj_forward(model_.get(), data_.get());
    forward_.see(relative_error(ddq, turned_back(data_->qacc)));
    bias_.see(relative_error(b, turned_back(data_->qfrc_bias)));
    mass_.see(relative_error(H, their_mass_matrix()));
    const Eigen::Vector2d energy{kinecast::potential_energy(model, k), kinecast::kinetic_energy(model, k, s.dq)};
    energy_.see(relative_error(energy, Eigen::Vector2d(data_->energy[0], data_->energy[1])));
    com_.see(relative_error(kinecast::momentum(model, k).com, Eigen::Vector3d(data_->subtree_com)));

    compare_points(k);
    compare_wrench(s, k);
  }

  // Jacobians of the robot's points, and A = J H⁻¹ Jᵀ for all of them with MuJoCo's J and H. Expects forward_dynamics().
  void compare_points(const kinecast::Kinematics<R, double>& k) {
    constexpr int kRows = 3 * R.kPoints;
    const auto& model = kinecast::model<R, double>;
    Eigen::MatrixXd J(kRows, kDofs);
    for (int p = 0; p < R.kPoints; ++p) {
      const kinecast::ContactPoint& point = R.point(p);
      const int body = mj_name2id(model_.get(), mjOBJ_BODY, ("b" + std::to_string(point.link)).c_str());
      const mjtNum local[3] = {point.position_m.x, point.position_m.y, point.position_m.z};
      mjtNum place[3];
      mju_rotVecMat(place, local, data_->xmat + 9 * body);
      mju_addTo3(place, data_->xpos + 3 * body);
      Square theirs(6, kDofs);  // [linear; angular], their order of joints
      mj_jac(model_.get(), data_.get(), theirs.data(), theirs.data() + 3 * kDofs, place, body);
      Eigen::MatrixXd ordered(6, kDofs);  // [angular; linear]
      for (int i = 0; i < kDofs; ++i) {
        ordered.col(i).template head<3>() = theirs.col(their_v_[i]).template tail<3>();
        ordered.col(i).template tail<3>() = theirs.col(their_v_[i]).template head<3>();
      }
      ordered = (ordered * turn_).eval();
      J.template middleRows<3>(3 * p) = ordered.template bottomRows<3>();
      jacobian_.see(relative_error(point_jacobian(k, model.points[static_cast<std::size_t>(p)]), ordered));
    }
    kinecast::ContactFactor<R, double, R.kPoints> Y;
    support::require(kinecast::contact_map(model, work_, k, model.points, R.kPoints, Y), "contact_map");
    kinecast::Matrix<double, kRows, kRows> A;
    kinecast::contact_matrix(Y, A);
    const Eigen::MatrixXd dense = J * their_mass_matrix().llt().solve(J.transpose());
    contact_.see(relative_error(A, dense));
  }

  // Each link in turn is pushed at its origin and twisted; MuJoCo takes the force at the link's centre of mass.
  void compare_wrench(const oracle::Sample<R, double>& s, const kinecast::Kinematics<R, double>& k) {
    const auto& model = kinecast::model<R, double>;
    const int link = next_link_++ % R.kLinks;
    kinecast::LinkWrenches<R, double> wrenches = kinecast::LinkWrenches<R, double>::Zero();
    wrenches.col(link) << 3, -4, 5, 0.6, 0.7, -0.8;
    kinecast::Velocity<R, double> ddq;
    support::require(kinecast::forward_dynamics(model, s.q, s.dq, s.tau, wrenches, work_, ddq), "forward_dynamics");

    const kinecast::Pose<double> pose = kinecast::link_pose(model, k, link);
    const Eigen::Vector3d force = pose.rotation * wrenches.col(link).template head<3>();
    const Eigen::Vector3d moment = pose.rotation * wrenches.col(link).template tail<3>();
    const int body = mj_name2id(model_.get(), mjOBJ_BODY, ("b" + std::to_string(link)).c_str());
    const Eigen::Vector3d arm = Eigen::Vector3d(data_->xipos + 3 * body) - Eigen::Vector3d(data_->xpos + 3 * body);
    const Eigen::Vector3d about_com = moment - arm.cross(force);
    for (int i = 0; i < 3; ++i) {
      data_->xfrc_applied[6 * body + i] = force[i];
      data_->xfrc_applied[6 * body + 3 + i] = about_com[i];
    }
    mj_forward(model_.get(), data_.get());
    wrench_.see(relative_error(ddq, turned_back(data_->qacc)));
  }

  void set_turn(const kinecast::Kinematics<R, double>& k) {
    turn_.setIdentity();
    if constexpr (Shape::kHas.floating > 0) {
      for (int b = 0; b < Shape::kBodies; ++b) {
        if (!Shape::is_floating(b)) continue;
        const int link = Shape::kTree.link_of_body[static_cast<std::size_t>(b)];
        turn_.template block<3, 3>(Shape::v_of(b) + 3, Shape::v_of(b) + 3) =
            kinecast::link_pose(kinecast::model<R, double>, k, link).rotation.transpose();
      }
    }
  }

  Column in_their_order(const Column& ours) const {
    Column theirs(kDofs);
    for (int i = 0; i < kDofs; ++i) theirs[their_v_[i]] = ours[i];
    return theirs;
  }
  Column turned_back(const mjtNum* from) const {
    Column out(kDofs);
    for (int i = 0; i < kDofs; ++i) out[i] = from[their_v_[i]];
    return turn_.transpose() * out;
  }
  Square their_mass_matrix() const {
    Square full(kDofs, kDofs);
    mj_fullM(model_.get(), full.data(), data_->qM);
    Square ordered(kDofs, kDofs);
    for (int i = 0; i < kDofs; ++i)
      for (int j = 0; j < kDofs; ++j) ordered(i, j) = full(their_v_[i], their_v_[j]);
    return turn_.transpose() * ordered * turn_;
  }

  oracle::MujocoModel model_;
  oracle::MujocoData data_;
  int their_q_[static_cast<std::size_t>(Shape::kPositions)]{};
  int their_v_[static_cast<std::size_t>(kDofs)]{};
  Square turn_{Square::Identity(kDofs, kDofs)};
  kinecast::Workspace<R, double> work_{};
  int next_link_{0};
  Maximum forward_, wrench_, mass_, bias_, energy_, com_, jacobian_, contact_;
};

template <const auto& R>
void match(const std::string& name, support::Report& report) {
  try {
    Match<R>().run(name, report);
  } catch (const std::exception& error) {
    report.fail(name + ": " + error.what());
  }
}

void measure(support::Report& report) {
  mju_user_error = oracle::end_on_mujoco_error;
  mju_user_warning = oracle::end_on_mujoco_error;
  match<robots::arm6>("arm6", report);
  match<robots::arm6_geared>("arm6_geared", report);
  match<robots::chain<20>>("chain20", report);
  match<robots::humanoid>("humanoid", report);
  match<robots::zoo>("zoo", report);
}

}  // namespace

const support::Program support::program{"oracle.mujoco", measure};
