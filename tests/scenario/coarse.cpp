// SPDX-License-Identifier: MIT
// A second of a 20-joint chain, predicted whole and with the joints rigid that hardly move (dynamics/adaptive/rigidity_rule.hpp): it swings
// down in a plane, where two joints of three do not move and the rule finds that out, and it hangs while its last two joints swing,
// where it is a matter of how much motion may be missing. What the rule means is its gate: with a rest of v (m/s, of the tip) the tip
// is never farther off than v times the second.
#include <kinecast/dynamics/adaptive/rigidity_rule.hpp>
#include <kinecast/kinecast.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "robots/chain.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;

constexpr int kJoints = 20;
inline constexpr auto chain = robots::make_chain<kJoints>();

constexpr int kSteps = 1000;
constexpr double kStep_s = 1e-3;
constexpr int kStepsPerChoice = 10;
constexpr double kLink_m = 0.1;
// Viscous, at every joint: a few per cent of critical for the last links, and far from the limit of the explicit step.
constexpr double kDamper_Nms = 0.002;

// Instructions on the Cortex-M4F, as the bench recorded them (tests/bench/recorded.csv): rows aba/chain20, rigidify/chain20,
// aba_rigidified/chain20 (5 active joints) and aba_all_rigid/chain20.
constexpr double kWhole = KINECAST_RECORDED_ABA;
constexpr double kChange = KINECAST_RECORDED_RIGIDIFY;
constexpr double kFiveActive = KINECAST_RECORDED_ABA_RIGIDIFIED;
constexpr double kNoneActive = KINECAST_RECORDED_ABA_ALL_RIGID;
constexpr double sweep_cost(double active) { return kNoneActive + active * (kFiveActive - kNoneActive) / 5; }

template <class S>
Vector<S, 3> tip_of(const Position<chain, S>& q) {
  static Kinematics<chain, S> k;
  if (!ok(update_kinematics(model<chain, S>, q, k))) std::abort();
  return point_position(k, model<chain, S>.points[0]);
}

template <class S>
struct Run {
  std::vector<Vector<S, 3>> tip;
  double active{kJoints};  // on average
  int changes{0};
  int joints_changed{0};
  double instructions{kWhole};  // per step, on average
};

template <class S>
void expect(Status status, support::Report& report) {
  if (!ok(status)) report.fail(sentence(status));
}

// `rule` null: the whole robot.
template <class S>
Run<S> predict(const Position<chain, S>& start, const RigidityRule<chain, S>* rule, support::Report& report) {
  static Workspace<chain, S> work;
  static RigidJoints<chain, S> rigid;
  JointSet<chain> chosen;
  Position<chain, S> q = start;
  Velocity<chain, S> dq = Velocity<chain, S>::Zero();
  Velocity<chain, S> ddq = dq;
  const auto viscosity = [&]() -> Velocity<chain, S> { return static_cast<S>(-kDamper_Nms) * dq; };
  Run<S> run;
  double active = 0;
  double instructions = 0;
  expect<S>(rigidify(model<chain, S>, q, chosen, work, rigid), report);
  for (int i = 0; i < kSteps; ++i) {
    if (rule != nullptr && i % kStepsPerChoice == 0) {
      int changed = 0;
      expect<S>(forward_dynamics(model<chain, S>, q, dq, viscosity(), work, ddq), report);
      expect<S>(choose_rigid(*rule, dq, ddq, chosen, changed), report);
      instructions += kWhole;
      if (changed > 0) {
        expect<S>(rigidify(model<chain, S>, q, chosen, work, rigid), report);
        expect<S>(stop_rigid_joints(model<chain, S>, rigid, q, work, dq), report);
        instructions += kChange + 0.5 * kWhole + sweep_cost(rigid.active);  // inverse dynamics costs half of forward
        ++run.changes;
        run.joints_changed += changed;
      }
    }
    if (rule != nullptr)
      expect<S>(forward_dynamics(model<chain, S>, rigid, q, dq, viscosity(), work, ddq), report);
    else
      expect<S>(forward_dynamics(model<chain, S>, q, dq, viscosity(), work, ddq), report);
    dq += static_cast<S>(kStep_s) * ddq;
    q += static_cast<S>(kStep_s) * dq;
    run.tip.push_back(tip_of<S>(q));
    active += rule != nullptr ? rigid.active : kJoints;
    instructions += rule != nullptr ? sweep_cost(rigid.active) : kWhole;
  }
  run.active = active / kSteps;
  run.instructions = instructions / kSteps;
  return run;
}

struct Error {
  double rms_m{0};
  double largest_m{0};
};
template <class S>
Error difference(const Run<S>& a, const std::vector<Vector<S, 3>>& b) {
  Error e;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double off = static_cast<double>((a.tip[i] - b[i]).norm());
    e.rms_m += off * off;
    e.largest_m = std::fmax(e.largest_m, off);
  }
  e.rms_m = std::sqrt(e.rms_m / static_cast<double>(b.size()));
  return e;
}

template <class S>
void check(const char* name, const Position<chain, S>& start, double largest_share, support::Report& report,
           support::Figure* figure) {
  const Run<S> whole = predict<S>(start, nullptr, report);
  const std::vector<Vector<S, 3>> still(static_cast<std::size_t>(kSteps), tip_of<S>(start));
  const double way = difference(whole, still).largest_m;
  std::printf("%s, %s: the tip moves %.3f m\n", name, support::scalar_name<S>(), way);
  std::printf("  rest m/s   joints active   changes   rms mm   max mm   instructions per step, of the whole's\n");
  for (const double rest : {0.001, 0.003, 0.01, 0.03}) {
    RigidityRule<chain, S> rule;
    rule.rest = static_cast<S>(rest);
    rule.wake = static_cast<S>(2 * rest);
    rule.horizon_s = S(0.01);
    // No point of the chain is farther away: motion is the speed of the tip at most.
    for (int b = 0; b < kJoints; ++b) rule.weight[b] = static_cast<S>(kLink_m * (kJoints - b));
    const Run<S> coarse = predict<S>(start, &rule, report);
    const Error error = difference(coarse, whole.tip);
    const double share = coarse.instructions / kWhole;
    std::printf("  %8.3f   %13.1f   %7d   %6.2f   %6.2f   %5.0f %%\n", rest, coarse.active, coarse.changes,
                1e3 * error.rms_m, 1e3 * error.largest_m, 100 * share);
    if (figure != nullptr) {
      char title[32];
      std::snprintf(title, sizeof title, "rest %g m/s", rest);
      auto& curve = figure->curve(std::string(name) + ", tip off by, mm", title);
      for (std::size_t i = 0; i < whole.tip.size(); ++i)
        curve.add(kStep_s * static_cast<double>(i + 1),
                  1e3 * static_cast<double>((coarse.tip[i] - whole.tip[i]).norm()));
    }
    char row[32];
    std::snprintf(row, sizeof row, "%s_%g", name, rest);
    // The null does not move at all.
    report.add({"scenario", "coarse_tip", row, support::scalar_name<S>(), error.largest_m, rest * kSteps * kStep_s, "m",
                support::kNone, way});
    // A joint that came and went would change at every choice: a tenth of that is far from it.
    constexpr double kChoices = kSteps / static_cast<double>(kStepsPerChoice);
    report.add({"scenario", "coarse_changes", row, support::scalar_name<S>(),
                static_cast<double>(coarse.joints_changed) / kJoints, kChoices / 10, "per joint", support::kNone,
                kChoices});
    report.add({"scenario", "coarse_instructions", row, support::scalar_name<S>(), share, largest_share, "of the whole",
                support::kNone, 1},
               "estimated");
  }
}

template <class S>
void check_both(support::Report& report, support::Figure* figure) {
  Position<chain, S> swing = Position<chain, S>::Zero();
  swing[0] = S(1.2), swing[3] = S(0.3);
  // Seven joints of twenty move in the plane; they and a whole sweep in every tenth step cost 0.60, and a few changes.
  check<S>("swing", swing, 0.65, report, figure);
  Position<chain, S> flick = Position<chain, S>::Zero();
  flick[kJoints - 2] = flick[kJoints - 1] = S(0.4);
  check<S>("flick", flick, support::kNone, report, figure);
}

void measure(support::Report& report, support::Figure& figure) {
  check_both<float>(report, &figure);
  check_both<double>(report, nullptr);
}

}  // namespace

const support::Program support::program{"coarse", measure};
