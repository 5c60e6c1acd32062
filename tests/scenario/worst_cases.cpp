// SPDX-License-Identifier: MIT
// The most expensive steps that the search of the bench found (tests/bench/worst_cases.hpp) are steps as any other:
// the steps of each kept case, in float and in double, succeed or warn, are finite, keep friction in its cones, and
// give no energy (energy_balance.hpp).
#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "bench/worst_cases.hpp"
#include "energy_balance.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace {

using namespace kinecast;

constexpr double kGain = 1e-4;  // of the kinetic energy, in a step; as contact_energy has it
constexpr double kStep_s = 1e-3;

template <class S>
constexpr double kCone = sizeof(S) == sizeof(float) ? 1e-5 : 1e-12;  // of mu times the normal force: rounding

inline constexpr auto free_pendulum = scenario::freed(robots::pendulum6);
inline constexpr auto free_arm = scenario::freed(robots::arm2_ground);
inline constexpr auto free_bare_quadruped = scenario::freed(robots::quadruped_stance);
inline constexpr auto free_quadruped = scenario::freed(robots::quadruped_drives);
inline constexpr auto free_biped = scenario::freed(robots::biped_stance);
inline constexpr auto free_humanoid = scenario::freed(robots::humanoid_stance);
inline constexpr auto free_box = scenario::freed(robots::box);

// How far friction is beyond its cone, of what the cone holds; infinite if a normal force pulls.
template <class Contacts>
double beyond_cone(const Contacts& contacts, double mu) {
  double most = 0;
  for (int i = 0; i < contacts.count; ++i) {
    const auto normal = static_cast<double>(contacts[i].normal_N);
    const auto tangential = static_cast<double>(contacts[i].tangential_N);
    if (!(normal >= 0)) return HUGE_VAL;
    if (tangential > mu * normal) most = std::max(most, normal > 0 ? tangential / (mu * normal) - 1 : HUGE_VAL);
  }
  return most;
}

template <const auto& R, const auto& Free, const auto& World, class S>
void replay(const char* name, support::Report& report) {
  static scenario::Watched<R, Free, World, S, typename bench::GroundScene<R>::Contacts> watched;
  const double mu = std::get<0>(World.surfaces).materials.front().static_friction;
  const Velocity<R, S> none = Velocity<R, S>::Zero();
  support::Maximum gain;
  support::Maximum cone;
  int warnings = 0;
  int touching = 0;
  for (const auto& one : bench::WorstCases<R>::all) {
    watched.start(one.template state<S>());
    for (int step = 0; step <= bench::kWorstLead; ++step) {
      const scenario::Balance balance = watched.step(one.template command<S>(step), none, kStep_s);
      const auto& state = watched.state();
      report.expect(state.q.allFinite() && state.dq.allFinite(), std::string(name) + ": the state is finite");
      gain.see(balance.gain_J / balance.kinetic_J);
      cone.see(beyond_cone(watched.predictor().contact_report(), mu));
      touching += balance.touches ? 1 : 0;
    }
    warnings += is_warning(watched.last()) ? 1 : 0;
  }
  const char* scalar = support::scalar_name<S>();
  report.add({"scenario", "worst_case_gain", name, scalar, gain.value(), kGain, "of the kinetic"});
  report.add({"scenario", "worst_case_cone", name, scalar, cone.value(), kCone<S>, "of the cone"});
  // A warning is allowed: the search seeks the solver's limits.
  report.add({"scenario", "worst_case_warnings", name, scalar, static_cast<double>(warnings), support::kNone, "cases"});
  report.expect(touching > 0, std::string(name) + ": something touches");
}

template <const auto& R, const auto& Free, const auto& World>
void replay_both(const char* name, support::Report& report) {
  report.attempt([&] { replay<R, Free, World, float>(name, report); });
  report.attempt([&] { replay<R, Free, World, double>(name, report); });
}

void measure(support::Report& report) {
  replay_both<robots::pendulum6, free_pendulum, bench::detail::pendulum_ground>("pendulum6", report);
  replay_both<robots::arm2_ground, free_arm, bench::detail::arm_ground>("arm2_ground", report);
  replay_both<robots::quadruped_stance, free_bare_quadruped, bench::detail::stance_ground>("quadruped_stance", report);
  replay_both<robots::quadruped_drives, free_quadruped, bench::detail::stance_ground>("quadruped_drives", report);
  replay_both<robots::biped_stance, free_biped, bench::detail::stance_ground>("biped_stance", report);
  replay_both<robots::humanoid_stance, free_humanoid, example::ground>("humanoid_stance", report);
  replay_both<robots::box, free_box, bench::detail::box_table>("box", report);
}

}  // namespace

const support::Program support::program{"worst_cases", measure};
