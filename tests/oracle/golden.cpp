// SPDX-License-Identifier: MIT
// kinecast against results of an independent implementation in another formulation (golden/f_fd_*.csv: dense Jacobians,
// explicit inverse): mass matrix, bias, accelerations under wrenches on links, contact matrix, point velocities and
// accelerations, for every robot of f_robots.json and every file of it.
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "golden_robots.hpp"
#include "golden_table.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/require.hpp"

namespace {

using oracle::GoldenPoint;
using oracle::GoldenTable;
using support::Maximum;
using support::relative_error;
using support::require;

// Both sides are exact formulas rounded in double; ten digits leave five for the conditioning of H.
constexpr double kDoubleBound = 1e-10;

// The truth has unrounded inputs. Per joint on the way to the world float adds: the rounding of the angle (1.3 epsilon at
// 2.5 rad), of its sine and cosine (1), of the constants (0.5), of the products that carry a vector across (1).
constexpr double kFloatEpsilon = 1.1920929e-7;
constexpr double kFloatPerJoint = 4 * kFloatEpsilon;
// What solves with H loses two bits more per joint: a hinge hands on IA - U Uᵀ / D, the difference of two larger numbers.
// (oracle.float_error holds the promised bounds, over far more states.)
// The factor was set with the measured figures at hand (at most a third of it is used): it guards against change.
constexpr double kFloatPerJointSolved = 16 * kFloatEpsilon;

struct Errors {
  Maximum mass_matrix;
  Maximum bias_torque;
  Maximum forward_dynamics;
  Maximum contact_matrix;
  Maximum point_velocity;
  Maximum point_jacobian;
  Maximum point_acceleration;
};

template <int Size, class V>
auto column(const std::vector<double>& row, std::size_t first) {
  kinecast::Vector<V, Size> out;
  for (int i = 0; i < Size; ++i) out[i] = static_cast<V>(row[first + static_cast<std::size_t>(i)]);
  return out;
}
template <int Rows, int Columns>
auto matrix(const std::vector<double>& row, std::size_t first) {
  kinecast::Matrix<double, Rows, Columns> out;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j) out(i, j) = row[first + static_cast<std::size_t>(i * Columns + j)];
  return out;
}

// One file against one robot.
template <const auto& R, class S>
class Comparison {
 public:
  using Shape = kinecast::Shape<R>;
  static constexpr int kDofs = Shape::kDofs;
  using Points6 = kinecast::Vector<double, 6>;

  explicit Comparison(const GoldenTable& table) : table_(table) {
    if (std::abs(R.gravity_mps2.z + table.gravity_down) > 0) throw std::runtime_error(table.file + ": other gravity");
    const auto last = [](const char* name, int count) { return name + std::to_string(count - 1); };
    const auto corner = [](const char* name, int count) {
      return name + std::to_string(count - 1) + "_" + std::to_string(count - 1);
    };
    const auto dofs = static_cast<std::size_t>(kDofs);
    q_ = table.block("q0", last("q", Shape::kPositions), static_cast<std::size_t>(Shape::kPositions));
    dq_ = table.block("dq0", last("dq", kDofs), dofs);
    tau_ = table.block("tau0", last("tau", kDofs), dofs);
    ext_ = table.block("ext0", "ext11", 12);
    H_ = table.block("H0_0", corner("H", kDofs), dofs * dofs);
    b_ = table.block("b0", last("b", kDofs), dofs);
    qdd_ = table.block("qdd0", last("qdd", kDofs), dofs);
    Ac_ = table.block("Ac0_0", "Ac5_5", 36);
    a0_ = table.block("a0_0", "a0_5", 6);
    vc_ = table.block("vc0", "vc5", 6);
    for (std::size_t i = 0; i < 2; ++i) {
      const GoldenPoint& p = table.points[i];
      if (p.link >= R.kLinks || table.wrench_links[i] >= R.kLinks)
        throw std::runtime_error(table.file + ": no such link");
      points_[i] = kinecast::point_on_link<R, S>(
          kModel, p.link,
          {static_cast<S>(p.position_m[0]), static_cast<S>(p.position_m[1]), static_cast<S>(p.position_m[2])});
    }
  }

  Errors run() {
    for (const std::vector<double>& row : table_.rows) compare(row);
    return errors_;
  }

 private:
  static constexpr const kinecast::Model<R, S>& kModel = kinecast::model<R, S>;

  void compare(const std::vector<double>& row) {
    const auto q = column<Shape::kPositions, S>(row, q_);
    const auto dq = column<kDofs, S>(row, dq_);
    const auto tau = column<kDofs, S>(row, tau_);

    kinecast::JointMatrix<R, S> H;
    require(mass_matrix(kModel, q, work_, H), "mass_matrix");
    errors_.mass_matrix.see(relative_error(H, matrix<kDofs, kDofs>(row, H_)));

    kinecast::Velocity<R, S> b;
    require(bias_torque(kModel, q, dq, work_, b), "bias_torque");
    errors_.bias_torque.see(relative_error(b, column<kDofs, double>(row, b_)));

    kinecast::Kinematics<R, S> k;
    require(update_kinematics(kModel, q, dq, k), "update_kinematics");
    kinecast::Velocity<R, S> ddq;
    require(forward_dynamics(kModel, q, dq, tau, wrenches(row, k), work_, ddq), "forward_dynamics");
    errors_.forward_dynamics.see(relative_error(ddq, column<kDofs, double>(row, qdd_)));

    kinecast::ContactFactor<R, S, 2> Y;
    require(contact_map(kModel, work_, k, points_, 2, Y), "contact_map");
    kinecast::Matrix<S, 6, 6> A;
    kinecast::contact_matrix(Y, A);
    errors_.contact_matrix.see(relative_error(A, matrix<6, 6>(row, Ac_)));

    const auto vc = column<6, double>(row, vc_);
    kinecast::Matrix<double, 6, kDofs> J;
    for (int i = 0; i < 2; ++i)
      J.template middleRows<3>(3 * i) =
          point_jacobian(k, points_[static_cast<std::size_t>(i)]).template bottomRows<3>().template cast<double>();
    errors_.point_velocity.see(relative_error(velocities(k), vc));
    errors_.point_jacobian.see(relative_error(Points6(J.lazyProduct(dq.template cast<double>())), vc));

    // a0 = J ddq + dJ/dt dq. The library has no call for point accelerations; the second term is the derivative of the
    // points' velocities along q (+) t dq at constant dq, by differences of eighth order: with t = 1 ms the links turn by
    // some 0.05 rad per step, which leaves 1e-13 of truncation and 1e-12 of rounding. Too coarse a tool for float.
    if constexpr (std::is_same_v<S, double>) {
      const Points6 a0 = J.lazyProduct(ddq) + velocity_slope(q, dq);
      errors_.point_acceleration.see(relative_error(a0, column<6, double>(row, a0_)));
    }
  }

  // World axes, moment about the link's origin, to link axes.
  kinecast::LinkWrenches<R, S> wrenches(const std::vector<double>& row, const kinecast::Kinematics<R, S>& k) const {
    kinecast::LinkWrenches<R, S> out = kinecast::LinkWrenches<R, S>::Zero();
    for (std::size_t i = 0; i < 2; ++i) {
      const int link = table_.wrench_links[i];
      const kinecast::Matrix<S, 3, 3> axes = link_pose(kModel, k, link).rotation.transpose();
      const auto world = column<6, S>(row, ext_ + 6 * i);
      out.template block<3, 1>(0, link) += axes.lazyProduct(world.template head<3>());
      out.template block<3, 1>(3, link) += axes.lazyProduct(world.template tail<3>());
    }
    return out;
  }

  Points6 velocities(const kinecast::Kinematics<R, S>& k) const {
    Points6 out;
    for (int i = 0; i < 2; ++i)
      out.template segment<3>(3 * i) =
          kinecast::point_velocity(k, points_[static_cast<std::size_t>(i)]).template cast<double>();
    return out;
  }

  Points6 velocity_slope(const kinecast::Position<R, S>& q, const kinecast::Velocity<R, S>& dq) const {
    constexpr S kStep = S(1e-3);
    constexpr double kWeights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    Points6 slope = Points6::Zero();
    for (int n = 1; n <= 4; ++n) {
      for (const S side : {S(1), S(-1)}) {
        kinecast::Position<R, S> there = q;
        kinecast::advance<R, S>(dq, side * S(n) * kStep, there);
        kinecast::Kinematics<R, S> k;
        require(update_kinematics(kModel, there, dq, k), "update_kinematics");
        slope += (static_cast<double>(side) * kWeights[n - 1] / static_cast<double>(kStep)) * velocities(k);
      }
    }
    return slope;
  }

  const GoldenTable& table_;
  std::size_t q_, dq_, tau_, ext_, H_, b_, qdd_, Ac_, a0_, vc_;
  std::array<kinecast::PointOnBody<S>, 2> points_{};
  kinecast::Workspace<R, S> work_{};
  Errors errors_{};
};

// Joints between the world and the outermost body.
template <const auto& R>
constexpr int longest_path() {
  using Shape = kinecast::Shape<R>;
  int longest = 0;
  for (int leaf = 0; leaf < Shape::kBodies; ++leaf) {
    int length = 0;
    for (int b = leaf; b >= 0; b = Shape::index(b).parent) ++length;
    longest = std::max(longest, length);
  }
  return longest;
}

template <const auto& R, class S>
void compare_file(const GoldenTable& table, const std::string& name, support::Report& report) {
  const Errors e = Comparison<R, S>(table).run();
  constexpr bool kFloat = std::is_same_v<S, float>;
  constexpr int kJoints = longest_path<R>();
  const auto add = [&](const char* protocol, const Maximum& error, double float_per_joint) {
    report.add({"golden", protocol, name, support::scalar_name<S>(), error.value(),
                kFloat ? kJoints * float_per_joint : kDoubleBound});
  };
  add("mass_matrix", e.mass_matrix, kFloatPerJoint);
  add("bias_torque", e.bias_torque, kFloatPerJoint);
  add("forward_dynamics", e.forward_dynamics, kFloatPerJointSolved);
  add("contact_matrix", e.contact_matrix, kFloatPerJointSolved);
  add("point_velocity", e.point_velocity, kFloatPerJoint);
  add("point_jacobian", e.point_jacobian, kFloatPerJoint);
  if (!kFloat) add("point_acceleration", e.point_acceleration, 0);
}

// f_fd_<robot>.csv, f_fd_<robot>_first10.csv, …
std::vector<std::filesystem::path> files_of(std::string_view robot) {
  std::vector<std::filesystem::path> found;
  const std::string start = "f_fd_" + std::string(robot);
  for (const auto& entry : std::filesystem::directory_iterator(KINECAST_GOLDEN_DIR)) {
    const std::string stem = entry.path().stem().string();
    const bool ours = stem == start || stem.rfind(start + "_", 0) == 0;
    if (ours && entry.path().extension() == ".csv") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

template <const auto& R>
void compare_robot(support::Report& report) {
  const auto files = files_of(R.name);
  if (files.empty()) std::printf("golden    robot %s has no f_fd file here\n", std::string(R.name).c_str());
  for (const auto& path : files) {
    const GoldenTable table = oracle::read_golden(path.string());
    const std::string name = path.stem().string().substr(5);
    std::printf("golden    %s: %zu states\n", path.filename().c_str(), table.rows.size());
    compare_file<R, double>(table, name, report);
    compare_file<R, float>(table, name, report);
  }
}

struct CompareEach {
  support::Report& report;
  template <const auto& R>
  void operator()(golden::Visited<R> /*robot*/) const {
    try {
      compare_robot<R>(report);
    } catch (const std::exception& error) {
      report.fail(error.what());
    }
  }
};

void measure(support::Report& report) { golden::for_each_robot(CompareEach{report}); }

}  // namespace

const support::Program support::program{"oracle.golden", measure};
