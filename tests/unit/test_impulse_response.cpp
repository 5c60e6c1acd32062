// SPDX-License-Identifier: MIT
// Impulses on arms: velocity change, collision matrix and coupling against the dense formulas, energy, bad input.
#include "../robots/chain.hpp"
#include "impulse_checks.hpp"
#include "unity_main.hpp"

namespace unit_impulse_response {
namespace {

using namespace impulses;

template <class S>
constexpr Limits kChainLimits{10 * kArm<S>, 10 * kArm<S>};  // light links on long arms: as in test_dynamics_arm
constexpr std::array<Pair, 1> kChainPairs{{{{5, {{0.01, 0, -0.1}}}, {3, {{0, 0.02, -0.1}}}}}};

void test_arm() {
  check<robots::arm6, float>("arm6", 5 * kStates, kArmPairs, kArmLimits<float>);
  if constexpr (measure::kInDouble) check<robots::arm6, double>("arm6", 5 * kStates, kArmPairs, kArmLimits<double>);
}
// With rotors a moment about the axis passes a joint.
void test_geared_arm() { check<robots::arm6_geared, float>("arm6_geared", 5 * kStates, kArmPairs, kArmLimits<float>); }
void test_chain() {
  check<robots::chain<6>, float>("chain6", 2 * kStates, kChainPairs, kChainLimits<float>);
  if constexpr (measure::kInDouble)
    check<robots::chain<6>, double>("chain6", 2 * kStates, kChainPairs, kChainLimits<double>);
}
// A held joint passes everything on and keeps its velocity: a robot without that degree of freedom.
void test_held() {
  for (int body = 0; body < 6; ++body)
    check<robots::arm6, double>("arm6, a joint held", kStates, kArmPairs, kArmLimits<double>, body);
  check<robots::arm6, float>("arm6, the elbow held", kStates, kArmPairs, kArmLimits<float>, 2);
}
void test_energy() {
  check_energy<robots::arm6, float>("arm6", kArmPairs, kArm<float>);
  if constexpr (measure::kInDouble) check_energy<robots::arm6, double>("arm6", kArmPairs, kArm<double>);
}
void test_nothing() { check_nothing<robots::arm6, float>(kArmPairs[0].a); }
void test_bad_input() { check_bad_input<robots::arm6, float>(); }

}  // namespace

KINECAST_SUITE(impulse_response, test_arm, test_geared_arm, test_chain, test_held, test_energy, test_nothing,
               test_bad_input)

}  // namespace unit_impulse_response
