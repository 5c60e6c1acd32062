// SPDX-License-Identifier: MIT
// The 34-degree-of-freedom humanoid against the dense formulas.
#include "../robots/humanoid.hpp"
#include "robot_checks.hpp"
#include "unity_main.hpp"

namespace unit_dynamics_humanoid {
namespace {

constexpr int kStates = measure::kEffort;

// Forward dynamics in float: 2e-5 of the largest acceleration is what the project promises. Masses from 0.3 to 14 kg,
// ten joints deep: cond(M) is 1e5, which the dense truth loses in double, and a round trip in any scalar.
template <class S>
constexpr double kPromise = measure::bound<S>(2e-5, 1e-11);
template <class S>
constexpr checks::Limits kLimits{kPromise<S>,           40 * measure::kEps<S>,  20 * measure::kEps<S>,   kPromise<S>,
                                 40 * measure::kEps<S>, 100 * measure::kEps<S>, 20000 * measure::kEps<S>};

void test_dynamics() {
  checks::check_robot<robots::humanoid, float>("humanoid", kStates, kLimits<float>);
  if constexpr (measure::kInDouble) checks::check_robot<robots::humanoid, double>("humanoid", kStates, kLimits<double>);
}

// Both feet and a hand.
void test_contacts() {
  constexpr std::array<checks::Place, 4> kPlaces{
      {{22, {{0.15, 0.04, -0.06}}}, {22, {{-0.07, 0, -0.06}}}, {28, {{0.15, -0.04, -0.06}}}, {10, {{0, 0, -0.1}}}}};
  checks::check_contacts<robots::humanoid, float>("humanoid", kStates, 100 * measure::kEps<float>, kPromise<float>,
                                                  kPlaces);
  if constexpr (measure::kInDouble)
    checks::check_contacts<robots::humanoid, double>("humanoid", kStates, 100 * measure::kEps<double>, kPromise<double>,
                                                     kPlaces);
}

}  // namespace

KINECAST_SUITE(dynamics_humanoid, test_dynamics, test_contacts)

}  // namespace unit_dynamics_humanoid
