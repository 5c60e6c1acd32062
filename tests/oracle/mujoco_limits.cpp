// SPDX-License-Identifier: MIT
// Joint limits against MuJoCo's: the same pendulum and the same two-link arm fall into their stops, 1 ms, symplectic Euler in both. How
// far a joint passes its stop, how much of its speed comes back, and the torque at rest against statics. MuJoCo's limits are springs
// and dampers of a time constant: 20 ms by default, 2 ms as the hardest that it advises at this step. The table is printed as remarks.
#include <kinecast/kinecast.hpp>

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "bench/rival.hpp"
#include "mjcf.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;

constexpr double kGravity = 9.80665;
constexpr double kDt = 1e-3;
constexpr double kViscosity = 0.3;  // of the arm's joints, as a torque from outside in both

constexpr double kLength_m = 0.5;
inline constexpr auto pendulum =
    robot("pendulum",
          link("rod", revolute({0, -1, 0}), body(1, com(0, 0, -kLength_m), inertia(1e-4, 1e-4, 1e-4)), limits(0.2, 3)));
constexpr double kRod_m = 0.3;
constexpr auto rod() {
  constexpr double kInertia = kRod_m * kRod_m / 12;
  return body(1, com(0, 0, -kRod_m / 2), inertia(kInertia, kInertia, 1e-3));
}
inline constexpr auto arm =
    robot("arm", link("upper", revolute({0, -1, 0}), rod()),
          link("fore", on("upper"), at(0, 0, -kRod_m), revolute({0, -1, 0}), rod(), limits(1.2, 3)));

// What a run shows of the joint with the stop.
struct Sight {
  double passes_rad{0};
  double approach_radps{0};  // before the stop's first step
  double rebound_radps{0};   // the fastest after it
  double torque_Nm{0};       // at the end
  double statics_Nm{0};      // what the end's angles ask for
  void see(double before_radps, double q, double dq, double torque, double stop) {
    if (torque > 0 && !(approach_radps > 0)) approach_radps = -before_radps;
    if (approach_radps > 0) rebound_radps = std::max(rebound_radps, dq);
    passes_rad = std::max(passes_rad, stop - q);
    torque_Nm = torque;
  }
  [[nodiscard]] double rebound() const { return rebound_radps / approach_radps; }
  [[nodiscard]] double torque_error() const { return std::abs(torque_Nm / statics_Nm - 1); }
};

// Angles from the downward vertical; the gravity that the last joint holds.
template <const auto& R>
double statics(const double* q) {
  if constexpr (Shape<R>::kDofs == 1)
    return kGravity * kLength_m * std::sin(q[0]);
  else
    return kGravity * kRod_m / 2 * std::sin(q[0] + q[1]);
}
// The start's angles, the steps of the run.
template <const auto& R>
struct Fall {
  static constexpr bool kIsArm = Shape<R>::kDofs == 2;
  static constexpr int kLast = Shape<R>::kDofs - 1;
  static constexpr double kStart[2] = {kIsArm ? 0.3 : 1.0, 1.5};
  static constexpr int kSteps = kIsArm ? 12000 : 3000;
  static constexpr double kStop = R.link(kLast).limits.lower;
};

template <const auto& R, class S>
Sight ours() {
  using F = Fall<R>;
  Predictor<R, S> p;
  State<R, S> state = zero_state<R, S>();
  for (int i = 0; i <= F::kLast; ++i) state.q[i] = static_cast<S>(F::kStart[i]);
  if (p.reset(state) != Status::ok) throw std::runtime_error("reset");
  Sight sight;
  for (int k = 0; k < F::kSteps; ++k) {
    const double before = static_cast<double>(p.state().dq[F::kLast]);
    Command<R, S> command = Command<R, S>::Zero();
    if (F::kIsArm) command = static_cast<S>(-kViscosity) * p.state().dq;
    if (p.step(command, static_cast<S>(kDt)) != Status::ok) throw std::runtime_error("a step failed");
    sight.see(before, static_cast<double>(p.state().q[F::kLast]), static_cast<double>(p.state().dq[F::kLast]),
              static_cast<double>(p.report().limit_Nm[static_cast<std::size_t>(F::kLast)]), F::kStop);
  }
  double q[2] = {};
  for (int i = 0; i <= F::kLast; ++i) q[i] = static_cast<double>(p.state().q[i]);
  sight.statics_Nm = statics<R>(q);
  return sight;
}

// The robot's MJCF, in which constraints act and the last joint has its range.
template <const auto& R>
std::string with_range() {
  std::string xml = oracle::to_mjcf(R);
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = xml.find(from);
    if (at == std::string::npos) throw std::runtime_error("the MJCF has no " + from);
    xml.replace(at, from.size(), to);
  };
  const std::string joint = "<joint name=\"j" + std::to_string(Fall<R>::kLast) + "\"";
  replace("constraint=\"disable\"", "constraint=\"enable\"");
  replace(joint, joint + " limited=\"true\" range=\"" + std::to_string(Fall<R>::kStop) + " 3\"");
  return xml;
}
template <const auto& R>
Sight theirs(double softness_s) {
  using F = Fall<R>;
  const bench::MujocoModel model = bench::load_mujoco(with_range<R>());
  if (!model) throw std::runtime_error("MuJoCo does not take the robot");
  model->opt.timestep = kDt;
  model->opt.integrator = mjINT_EULER;
  model->opt.solver = mjSOL_NEWTON;
  for (int j = 0; j < model->njnt; ++j) model->jnt_solref[mjNREF * j] = softness_s;
  const bench::MujocoData data(mj_makeData(model.get()));
  for (int i = 0; i <= F::kLast; ++i) data->qpos[i] = F::kStart[i];
  Sight sight;
  for (int k = 0; k < F::kSteps; ++k) {
    const double before = data->qvel[F::kLast];
    for (int i = 0; i <= F::kLast; ++i) data->qfrc_applied[i] = F::kIsArm ? -kViscosity * data->qvel[i] : 0;
    mj_step(model.get(), data.get());
    sight.see(before, data->qpos[F::kLast], data->qvel[F::kLast], data->qfrc_constraint[F::kLast], F::kStop);
  }
  sight.statics_Nm = statics<R>(data->qpos);
  return sight;
}

void remark(const char* robot, const char* who, const Sight& s) {
  char text[200];
  std::snprintf(text, sizeof text,
                "%-8s %-14s passes %.3g rad, comes back with %.3g of %.3g rad/s, rests with %.6f Nm (statics %.6f)",
                robot, who, s.passes_rad, s.rebound_radps, s.approach_radps, s.torque_Nm, s.statics_Nm);
  support::Report::remark(text);
}

template <const auto& R>
void match(const char* robot, support::Report& report) {
  const Sight by_default = theirs<R>(0.02);
  const Sight hardest = theirs<R>(0.002);
  remark(robot, "MuJoCo", by_default);
  remark(robot, "MuJoCo, 2 ms", hardest);
  const auto score = [&](const Sight& s, const char* scalar) {
    remark(robot, scalar, s);
    const auto add = [&](const char* protocol, double value, double bound, const char* unit, double null) {
      report.add({"mujoco", protocol, robot, scalar, value, bound, unit, support::kNone, null});
    };
    // A spring of 20 ms stops 4 rad/s within hundredths of a radian; an arrival at the stop leaves what relaxation and rounding make
    // of it: less than a thousandth of that, and than a hundredth of the hardest.
    add("limit passes", s.passes_rad / by_default.passes_rad, 1e-3, "of MuJoCo's", 1);
    add("limit passes (2 ms)", s.passes_rad / hardest.passes_rad, 1e-2, "of MuJoCo's", 1);
    // No rebound; MuJoCo's spring gives some back.
    add("limit rebound", s.rebound(), 1e-3, "of the approach", by_default.rebound());
    // Statics at our angles (the arm still swings a little), and MuJoCo's torque, which rests at other ones: up to 2e-3 rad deep.
    add("limit torque at rest", s.torque_error(), 1e-4, "relative", 1);
    add("limit torque at rest (MuJoCo)", std::abs(s.torque_Nm / by_default.torque_Nm - 1), 1e-2, "relative", 1);
  };
  score(ours<R, double>(), "double");
  score(ours<R, float>(), "float");
}

void measure(support::Report& report) {
  match<pendulum>("pendulum", report);
  match<arm>("arm", report);
}

}  // namespace

const support::Program support::program{"mujoco_limits", measure};
