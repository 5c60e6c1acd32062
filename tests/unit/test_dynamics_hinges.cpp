// SPDX-License-Identifier: MIT
// One hinge and two hinges against the dense formulas: forward and inverse dynamics, mass matrix, wrenches, kinematics.
#include "../robots/chain.hpp"
#include "robot_checks.hpp"
#include "unity_main.hpp"

namespace unit_dynamics_hinges {
namespace {

constexpr int kStates = 5 * measure::kEffort;

// The chain's joints carry 1e-4 kg m²: torques of this size accelerate them by 100 rad/s².
constexpr checks::Ranges kChainRanges{5, 50, 0.02};

// Some tens of roundings per body, added up at random: 10 to 20 eps. Solving with M multiplies them by the spread of the
// inertias, 60 for a thin bob on a long arm, where the largest entry does not hide it.
template <class S>
constexpr double kRounding = 100 * measure::kEps<S>;
template <class S>
constexpr checks::Limits kLimits{kRounding<S>, kRounding<S>, kRounding<S>,     kRounding<S>,
                                 kRounding<S>, kRounding<S>, 10 * kRounding<S>};

void test_one_hinge() {
  checks::check_robot<robots::chain<1>, float>("chain1", kStates, kLimits<float>, kChainRanges);
  if constexpr (measure::kInDouble)
    checks::check_robot<robots::chain<1>, double>("chain1", kStates, kLimits<double>, kChainRanges);
}
void test_two_hinges() {
  checks::check_robot<robots::chain<2>, float>("chain2", kStates, kLimits<float>, kChainRanges);
  if constexpr (measure::kInDouble)
    checks::check_robot<robots::chain<2>, double>("chain2", kStates, kLimits<double>, kChainRanges);
}
}  // namespace

KINECAST_SUITE(dynamics_hinges, test_one_hinge, test_two_hinges)

}  // namespace unit_dynamics_hinges
