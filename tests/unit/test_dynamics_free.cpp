// SPDX-License-Identifier: MIT
// A free body and a pendulum on a ball against the dense formulas: forward and inverse dynamics, mass matrix, wrenches,
// kinematics.
#include "robot_checks.hpp"
#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_dynamics_free {
namespace {

constexpr int kStates = 5 * measure::kEffort;

// Some tens of roundings per body, added up at random: 10 to 20 eps. Solving with M multiplies them by the spread of the
// inertias, 60 for a thin bob on a long arm, where the largest entry does not hide it.
template <class S>
constexpr double kRounding = 100 * measure::kEps<S>;
template <class S>
constexpr checks::Limits kLimits{kRounding<S>, kRounding<S>, kRounding<S>,     kRounding<S>,
                                 kRounding<S>, kRounding<S>, 10 * kRounding<S>};

void test_free_body() {
  checks::check_robot<small::free_body, float>("free body", kStates, kLimits<float>);
  if constexpr (measure::kInDouble)
    checks::check_robot<small::free_body, double>("free body", kStates, kLimits<double>);
}
void test_ball_pendulum() {
  checks::check_robot<small::ball_pendulum, float>("ball pendulum", kStates, kLimits<float>);
  if constexpr (measure::kInDouble)
    checks::check_robot<small::ball_pendulum, double>("ball pendulum", kStates, kLimits<double>);
}

}  // namespace

KINECAST_SUITE(dynamics_free, test_free_body, test_ball_pendulum)

}  // namespace unit_dynamics_free
