// SPDX-License-Identifier: MIT
// Two trees side by side on the world against the dense formulas: a welded stand, tilted axes, a slider with a motor, a
// massless cross. And the contact maps of a free body and of a pendulum on a ball.
#include "robot_checks.hpp"
#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_dynamics_trees {
namespace {

constexpr int kStates = 5 * measure::kEffort;

// Three bodies deep: 10 to 20 eps, and a round trip through M (condition 100) multiplies that by ten.
template <class S>
constexpr double kRounding = 40 * measure::kEps<S>;
template <class S>
constexpr checks::Limits kLimits{kRounding<S>, kRounding<S>, kRounding<S>,     kRounding<S>,
                                 kRounding<S>, kRounding<S>, 10 * kRounding<S>};

void test_dynamics() {
  checks::check_robot<small::two_roots, float>("two roots", kStates, kLimits<float>);
  if constexpr (measure::kInDouble)
    checks::check_robot<small::two_roots, double>("two roots", kStates, kLimits<double>);
}

// Several links of both trees, the world, a link that is welded to it, a massless link, and the same point twice.
void test_contacts() {
  constexpr std::array<checks::Place, 7> kPlaces{{{4, {{0, 0.01, -0.3}}},
                                                  {4, {{0, 0.01, -0.3}}},
                                                  {-1, {{1, 2, 3}}},
                                                  {5, {{0.25, 0, 0}}},
                                                  {3, {{0.1, 0.1, 0.1}}},
                                                  {0, {{0.1, 0, 0}}},
                                                  {6, {{0, 0.1, 0}}}}};
  checks::check_contacts<small::two_roots, float>("two roots", kStates, kRounding<float>, 2 * kRounding<float>,
                                                  kPlaces);
  if constexpr (measure::kInDouble)
    checks::check_contacts<small::two_roots, double>("two roots", kStates, kRounding<double>, 2 * kRounding<double>,
                                                     kPlaces);
}

// Two corners of one body: six rows of rank six and of rank three. The thin bob's response to a pair of forces that
// twist it is the small difference of large ones.
void test_contacts_of_one_body() {
  constexpr std::array<checks::Place, 2> kCorners{{{0, {{0.1, 0.1, -0.1}}}, {0, {{-0.1, 0.1, -0.1}}}}};
  checks::check_contacts<small::free_body, float>("free body", kStates, kRounding<float>, kRounding<float>, kCorners);
  if constexpr (measure::kInDouble)
    checks::check_contacts<small::free_body, double>("free body", kStates, kRounding<double>, kRounding<double>,
                                                     kCorners);
  constexpr std::array<checks::Place, 2> kEnds{{{0, {{0, 0, -0.8}}}, {0, {{0.1, 0, -0.8}}}}};
  checks::check_contacts<small::ball_pendulum, float>("ball pendulum", kStates, 2 * kRounding<float>,
                                                      20 * kRounding<float>, kEnds);
  if constexpr (measure::kInDouble)
    checks::check_contacts<small::ball_pendulum, double>("ball pendulum", kStates, kRounding<double>,
                                                         20 * kRounding<double>, kEnds);
}

}  // namespace

KINECAST_SUITE(dynamics_trees, test_dynamics, test_contacts, test_contacts_of_one_body)

}  // namespace unit_dynamics_trees
