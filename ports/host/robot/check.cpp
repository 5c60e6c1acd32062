// SPDX-License-Identifier: MIT
#include "check.hpp"

#include "../failure.hpp"
#include "../simulate/compiled_program.hpp"
#include "../simulate/joints.hpp"
#include "../simulate/number_program.hpp"
#include "../text/text.hpp"
#include "dense_dynamics.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <random>

namespace kinecast::host {
namespace {

constexpr int kStates = 1000;

// Sizes first, then for each state of stdin the accelerations in double and in float; all as doubles of this machine.
constexpr const char* kProgram = R"(
#include <kinecast/dynamics/forward_dynamics.hpp>

#include <array>
#include <cstdio>

template <const auto& R, class S>
bool evaluate(const double* state, double* out) {
  using namespace kinecast;
  using Shape = kinecast::Shape<R>;
  static Workspace<R, S> work;
  Position<R, S> q;
  Velocity<R, S> dq, tau, ddq;
  for (int i = 0; i < Shape::kPositions; ++i) q[i] = static_cast<S>(*state++);
  for (int i = 0; i < Shape::kDofs; ++i) dq[i] = static_cast<S>(*state++);
  for (int i = 0; i < Shape::kDofs; ++i) tau[i] = static_cast<S>(*state++);
  if (!ok(forward_dynamics(model<R, S>, q, dq, tau, work, ddq))) return false;
  for (int i = 0; i < Shape::kDofs; ++i) out[i] = static_cast<double>(ddq[i]);
  return true;
}

template <const auto& R>
int check() {
  using Shape = kinecast::Shape<R>;
  constexpr std::size_t kDofs = static_cast<std::size_t>(Shape::kDofs);
  const double sizes[] = {static_cast<double>(Shape::kPositions), static_cast<double>(Shape::kDofs)};
  std::fwrite(sizes, sizeof(double), 2, stdout);
  std::array<double, static_cast<std::size_t>(Shape::kPositions) + 2 * kDofs> state;
  std::array<double, 2 * kDofs> out;
  while (std::fread(state.data(), sizeof(double), state.size(), stdin) == state.size()) {
    if (!evaluate<R, double>(state.data(), out.data()) || !evaluate<R, float>(state.data(), out.data() + kDofs)) return 3;
    std::fwrite(out.data(), sizeof(double), out.size(), stdout);
  }
  return 0;
}
)";

// The C++ name that the header gives its robot: "// kinecast robot: robots::panda, float".
std::string robot_of(const std::string& name, const std::string& header) {
  const std::string before = "// kinecast robot: ";
  const std::size_t at = header.find(before);
  const std::size_t end = at == std::string::npos ? at : header.find(',', at);
  if (end == std::string::npos)
    throw Failure(ExitCode::bad_input,
                  name + ": is no header of `kinecast import`: its line \"" + before + "…\" is missing");
  const std::string found = header.substr(at + before.size(), end - at - before.size());
  for (const char c : found)
    if (!(std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'))
      throw Failure(ExitCode::bad_input, name + ": \"" + printable(found) + "\" is no C++ name of a robot");
  return found;
}

struct ProgramRun {
  std::vector<double> output;
  int exit_code;
};
ProgramRun run_program(const std::filesystem::path& program, const std::vector<double>& input) {
  NumberProgram running(program, input);
  ProgramRun out{};
  for (double value = 0; running.read(value);) out.output.push_back(value);
  out.exit_code = running.exit_code();
  return out;
}

struct States {
  std::vector<double> all;  // q, dq and tau of each
  std::size_t positions;
  std::size_t dofs;

  [[nodiscard]] Eigen::VectorXd part(int state, std::size_t first, std::size_t count) const {
    const std::size_t start = static_cast<std::size_t>(state) * (positions + 2 * dofs) + first;
    return Eigen::Map<const Eigen::VectorXd>(all.data() + start, static_cast<Eigen::Index>(count));
  }
};

// All angles, moderate speeds and torques: every term of the dynamics counts.
States random_states(const Description& robot, const Joints& joints) {
  std::mt19937 bits(7);  // the same states every time
  const auto within = [&](double size) { return size * (2 * (static_cast<double>(bits()) / 4294967296.0) - 1); };
  States out{{}, joints.positions.size(), joints.velocities.size()};
  constexpr double kPi = 3.14159265358979323846;
  for (int i = 0; i < kStates; ++i) {
    std::vector<double> q(joints.positions.size());
    for (const JointPlace& place : joints.places) {
      const auto at = static_cast<std::size_t>(place.q);
      const LinkDescription::Joint kind = robot.links[static_cast<std::size_t>(place.link)].joint;
      std::size_t turn = at;
      if (kind == LinkDescription::Joint::floating)
        for (; turn < at + 3; ++turn) q[turn] = within(1);
      if (place.is_single(robot)) {
        q[at] = kind == LinkDescription::Joint::revolute ? within(kPi) : within(0.5);
        continue;
      }
      const Eigen::Vector4d quaternion = Eigen::Vector4d(within(1), within(1), within(1), within(1)).normalized();
      for (std::size_t k = 0; k < 4; ++k) q[turn + k] = quaternion[static_cast<Eigen::Index>(k)];
    }
    out.all.insert(out.all.end(), q.begin(), q.end());
    for (std::size_t k = 0; k < out.dofs; ++k) out.all.push_back(within(2));
    for (std::size_t k = 0; k < out.dofs; ++k) out.all.push_back(within(2));
  }
  return out;
}

std::map<std::string, DenseDynamics::Place> places_of(const Description& robot, const Joints& joints) {
  std::map<std::string, DenseDynamics::Place> out;
  for (const JointPlace& place : joints.places) {
    const LinkDescription& link = robot.links[static_cast<std::size_t>(place.link)];
    const Drive& drive = link.drive;
    out[link.joint_name] = {
        place.q, place.v,
        drive.at_joint.rotor_inertia_kgm2 + drive.gear_ratio * drive.gear_ratio * drive.at_motor.rotor_inertia_kgm2};
  }
  return out;
}

}  // namespace

CheckResult check_header(const std::string& name, const std::string& header, const ImportOptions& options,
                         const ImportedRobot& imported) {
  const Joints joints = joints_of(imported.robot);
  const std::string main = "#include \"robot.hpp\"\n" + std::string(kProgram) + "\nint main() { return check<" +
                           robot_of(name, header) + ">(); }\n";
  const std::filesystem::path program =
      compiled_program({imported.robot.name + " to check it", main, {{"robot.hpp", header}}});
  const States states = random_states(imported.robot, joints);
  const ProgramRun run = run_program(program, states.all);
  const auto dofs = static_cast<std::size_t>(states.dofs);
  if (run.output.size() >= 2 && (std::abs(run.output[0] - static_cast<double>(states.positions)) > 0 ||
                                 std::abs(run.output[1] - static_cast<double>(dofs)) > 0))
    throw Failure(ExitCode::bad_input, name + ": its robot has " + rounded(run.output[1], 6) +
                                           " degrees of freedom, and " + options.urdf + " has " + std::to_string(dofs) +
                                           "; import it again");
  if (run.exit_code != 0 || run.output.size() != 2 + static_cast<std::size_t>(kStates) * 2 * dofs)
    throw Failure(ExitCode::bad_input, name + ": its accelerations cannot be computed (exit code " +
                                           std::to_string(run.exit_code) + "); has every joint a mass to move?");
  const DenseDynamics dense(options.urdf, options.base, places_of(imported.robot, joints), imported.robot.gravity_mps2);
  CheckResult out{kStates, static_cast<int>(dofs)};
  for (int i = 0; i < kStates; ++i) {
    const Eigen::VectorXd truth =
        dense.accelerations(states.part(i, 0, states.positions), states.part(i, states.positions, dofs),
                            states.part(i, states.positions + dofs, dofs));
    const double* found = run.output.data() + 2 + static_cast<std::size_t>(i) * 2 * dofs;
    const auto difference = [&](const double* from) {
      const Eigen::Map<const Eigen::VectorXd> ours(from, truth.size());
      const double relative = (ours - truth).lpNorm<Eigen::Infinity>() / truth.lpNorm<Eigen::Infinity>();
      return std::isfinite(relative) ? relative : std::numeric_limits<double>::infinity();
    };
    out.in_double = std::max(out.in_double, difference(found));
    out.in_float = std::max(out.in_float, difference(found + dofs));
  }
  if (!(out.in_double <= kLargestDifference))
    throw Failure(ExitCode::bad_input, name + ": its accelerations differ from those of " + options.urdf +
                                           " by up to " + rounded(out.in_double, 3) + " of the largest one (limit " +
                                           rounded(kLargestDifference, 3) + "): it is not this robot; import it again");
  return out;
}

}  // namespace kinecast::host
