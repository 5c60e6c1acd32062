// SPDX-License-Identifier: MIT
// The zoo (floating base, branches, every joint kind) against the dense formulas.
#include "../robots/zoo.hpp"
#include "robot_checks.hpp"
#include "unity_main.hpp"

namespace unit_dynamics_zoo {
namespace {

constexpr int kStates = 2 * measure::kEffort;

// Sixteen degrees of freedom, up to six joints deep.
template <class S>
constexpr checks::Limits kLimits{40 * measure::kEps<S>,  40 * measure::kEps<S>, 20 * measure::kEps<S>,
                                 40 * measure::kEps<S>,  40 * measure::kEps<S>, 40 * measure::kEps<S>,
                                 1000 * measure::kEps<S>};

void test_dynamics() {
  checks::check_robot<robots::zoo, float>("zoo", kStates, kLimits<float>);
  if constexpr (measure::kInDouble) checks::check_robot<robots::zoo, double>("zoo", kStates, kLimits<double>);
}

// On five links, not sorted by link, one of them welded, on the world, and one point twice: rank deficient.
constexpr std::array<checks::Place, 7> kPlaces{{{4, {{0.05, 0.02, -0.03}}},
                                                {9, {{0.01, 0.2, 0.03}}},
                                                {0, {{0.1, -0.1, -0.2}}},
                                                {6, {{0.1, 0.1, 0}}},
                                                {4, {{0.05, 0.02, -0.03}}},
                                                {-1, {{0.3, 0, 0}}},
                                                {2, {{0, 0.1, 0}}}}};
void test_contacts() {
  checks::check_contacts<robots::zoo, float>("zoo", kStates, 40 * measure::kEps<float>, 80 * measure::kEps<float>,
                                             kPlaces);
  if constexpr (measure::kInDouble)
    checks::check_contacts<robots::zoo, double>("zoo", kStates, 40 * measure::kEps<double>, 80 * measure::kEps<double>,
                                                kPlaces);
}

}  // namespace

KINECAST_SUITE(dynamics_zoo, test_dynamics, test_contacts)

}  // namespace unit_dynamics_zoo
