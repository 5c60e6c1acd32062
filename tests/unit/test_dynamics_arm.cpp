// SPDX-License-Identifier: MIT
// Six-axis arms against the dense formulas: the UR5-like arm with and without rotors, and the x, y, z, x, … chain.
#include "../robots/arm6.hpp"
#include "../robots/chain.hpp"
#include "robot_checks.hpp"
#include "unity_main.hpp"

namespace unit_dynamics_arm {
namespace {

constexpr int kStates = 5 * measure::kEffort;

// Forward dynamics of a 6R arm in float: 2e-6 of the largest acceleration is what the project promises. In double the
// dense truth itself loses cond(M), 1e4 (a 0.2 kg wrist on a 17 kg arm), to rounding. Inverse dynamics, mass matrix and
// kinematics solve nothing: a few tens of eps. A round trip passes M twice.
template <class S>
constexpr double kPromise = measure::bound<S>(2e-6, 1e-12);
template <class S>
constexpr double kRounding = 40 * measure::kEps<S>;
template <class S>
constexpr checks::Limits kLimits{kPromise<S>,  kRounding<S>, kRounding<S>,     kPromise<S>,
                                 kRounding<S>, kRounding<S>, 50 * kRounding<S>};

void test_arm() {
  checks::check_robot<robots::arm6, float>("arm6", kStates, kLimits<float>);
  if constexpr (measure::kInDouble) checks::check_robot<robots::arm6, double>("arm6", kStates, kLimits<double>);
}
// With rotors the general path runs (no z row vanishes).
void test_geared_arm() {
  checks::check_robot<robots::arm6_geared, float>("arm6_geared", kStates, kLimits<float>);
  if constexpr (measure::kInDouble)
    checks::check_robot<robots::arm6_geared, double>("arm6_geared", kStates, kLimits<double>);
}
// The project's promise is made for 10 000 states (on the host; boards run fewer). The chain's light links
// swing on long arms and its x and z axes come close to each other: a third digit is lost.
void test_promise() {
  constexpr int kMany = 100 * measure::kEffort;
  measure::assert_below<float>(kPromise<float>, checks::forward_dynamics_error<robots::arm6, float>(kMany), "arm6",
                               "forward dynamics, many states");
  measure::assert_below<float>(
      10 * kPromise<float>, checks::forward_dynamics_error<robots::chain<6>, float>(kMany, checks::Ranges{5, 50, 0.02}),
      "chain6", "forward dynamics, many states");
  measure::assert_below<double>(
      10 * kPromise<double>,
      checks::forward_dynamics_error<robots::chain<6>, double>(kStates, checks::Ranges{5, 50, 0.02}), "chain6",
      "forward dynamics");
}

// Four points of the flange: twelve rows of rank six.
void test_contacts() {
  constexpr std::array<checks::Place, 4> kFlange{
      {{5, {{0.04, 0.0823, 0.04}}}, {5, {{-0.04, 0.0823, 0.04}}}, {5, {{-0.04, 0.0823, -0.04}}}, {3, {{0, 0.1, 0}}}}};
  checks::check_contacts<robots::arm6, float>("arm6", kStates, kPromise<float>, kPromise<float>, kFlange);
  if constexpr (measure::kInDouble)
    checks::check_contacts<robots::arm6, double>("arm6", kStates, kPromise<double>, kPromise<double>, kFlange);
  checks::check_contacts<robots::arm6_geared, float>("arm6_geared", kStates, kPromise<float>, kPromise<float>, kFlange);
}

}  // namespace

KINECAST_SUITE(dynamics_arm, test_arm, test_geared_arm, test_promise, test_contacts)

}  // namespace unit_dynamics_arm
