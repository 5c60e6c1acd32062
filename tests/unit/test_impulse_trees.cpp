// SPDX-License-Identifier: MIT
// Impulses on trees that float, with joints of every kind: velocity change, collision matrix and coupling against the dense
// formulas, momentum, energy; two robots.
#include "../robots/humanoid.hpp"
#include "../robots/zoo.hpp"
#include "impulse_checks.hpp"
#include "unity_main.hpp"

namespace unit_impulse_trees {
namespace {

using namespace impulses;

// Two trees in one robot: an arm on the world, and a box that flies with a slider on it.
constexpr auto make_crowd() {
  using namespace kinecast;
  constexpr auto kBox = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
  return kinecast::robot(
      "crowd", link("upper", on("world"), revolute(kAxisY), at(0, 0, 1), body(1, com(0, 0.1, -0.2), kBox)),
      link("lower", on("upper"), revolute(kAxisX), at(0, 0, -0.4), body(0.5, com(0.1, 0, -0.1), kBox)),
      link("box", on("world"), floating(), body(2, com(0.01, 0.02, 0.03), kBox)),
      link("slider", on("box"), prismatic({0.6, 0, 0.8}), at(0.1, 0, 0), rpy(0.3, 0.4, 0.5),
           body(0.7, com(0.1, 0, 0.1), kBox)));
}
constexpr auto kCrowd = make_crowd();

// As for the contact map (test_dynamics_zoo, _humanoid).
template <class S>
constexpr Limits kZooLimits{40 * kEps<S>, 80 * kEps<S>};
template <class S>
constexpr Limits kHumanoidLimits{100 * kEps<S>, measure::bound<S>(2e-5, 1e-11)};

// Across branches, past the ball, along one branch, to the base, to the world, both on welded links.
constexpr std::array<Pair, 7> kZooPairs{{{{9, {{0.01, 0.2, 0.03}}}, {2, {{0, 0.1, 0}}}},
                                         {{8, {{0.01, 0.2, 0.03}}}, {5, {{0.1, 0.1, 0}}}},
                                         {{6, {{0.1, 0.1, 0}}}, {8, {{0.05, 0, 0.1}}}},
                                         {{2, {{0, 0.1, 0}}}, {1, {{0, 0.1, 0.1}}}},
                                         {{0, {{0.1, -0.1, -0.2}}}, {9, {{0.1, 0, 0.1}}}},
                                         {{-1, {{0.3, 0, 0}}}, {7, {{0.1, 0, 0.1}}}},
                                         {{4, {{0.05, 0.02, -0.03}}}, {3, {{0.1, 0.02, -0.03}}}}}};
// Foot and foot, hand and foot, hand and pelvis, hand and its own forearm.
constexpr std::array<Pair, 4> kHumanoidPairs{{{{22, {{0.15, 0.04, -0.06}}}, {28, {{0.15, -0.04, -0.06}}}},
                                              {{10, {{0, 0, -0.1}}}, {22, {{-0.07, 0, -0.06}}}},
                                              {{16, {{0, 0, -0.1}}}, {0, {{0.1, 0, 0}}}},
                                              {{10, {{0, 0, -0.1}}}, {8, {{0.03, 0, -0.1}}}}}};

// Between the trees, within one, with the world.
constexpr std::array<Pair, 3> kCrowdPairs{{{{1, {{0.01, 0.2, 0.03}}}, {3, {{0, 0.1, 0}}}},
                                           {{3, {{0.01, 0.2, 0.03}}}, {2, {{0.1, 0.1, 0}}}},
                                           {{2, {{0.1, 0.1, 0}}}, {-1, {{0.05, 0, 0.1}}}}}};

void test_two_trees() { check<kCrowd, double>("crowd", 3 * kStates, kCrowdPairs, kZooLimits<double>); }
void test_zoo() {
  check<robots::zoo, float>("zoo", 7 * kStates, kZooPairs, kZooLimits<float>);
  if constexpr (measure::kInDouble) check<robots::zoo, double>("zoo", 7 * kStates, kZooPairs, kZooLimits<double>);
}
void test_humanoid() {
  check<robots::humanoid, float>("humanoid", kStates, kHumanoidPairs, kHumanoidLimits<float>);
  if constexpr (measure::kInDouble)
    check<robots::humanoid, double>("humanoid", kStates, kHumanoidPairs, kHumanoidLimits<double>);
}
// Held joints: a robot without those degrees of freedom.
void test_held() {
  check<robots::zoo, double>("zoo, the slider held", kStates, kZooPairs, kZooLimits<double>, 2);
  check<robots::zoo, double>("zoo, the tilted hinge held", kStates, kZooPairs, kZooLimits<double>, 3);
}
// Momenta of the single links, which add up to the impulse, are of its size: limits as for the velocity change of the zoo.
void test_momentum() {
  check_momentum<robots::zoo, float>("zoo", kZooPairs, kZooLimits<float>.response);
  if constexpr (measure::kInDouble) check_momentum<robots::zoo, double>("zoo", kZooPairs, kZooLimits<double>.response);
  check_momentum<robots::humanoid, float>("humanoid", kHumanoidPairs, kZooLimits<float>.response);
  if constexpr (measure::kInDouble)
    check_momentum<robots::humanoid, double>("humanoid", kHumanoidPairs, kZooLimits<double>.response);
}
void test_energy() {
  check_energy<robots::zoo, float>("zoo", kZooPairs, kZooLimits<float>.response);
  if constexpr (measure::kInDouble)
    check_energy<robots::humanoid, double>("humanoid", kHumanoidPairs, kHumanoidLimits<double>.response);
}

// Two robots: each yields for itself.
template <class S>
[[gnu::noinline]] void check_two(double limit) noexcept {
  Rows<robots::arm6>& a = rows<robots::arm6, 0>();
  Rows<robots::zoo>& b = rows<robots::zoo, 0>();
  Random random(64);
  Worst worst;
  auto& arm = robot<robots::arm6, S>();
  auto& zoo = robot<robots::zoo, S>();
  for (int n = 0; n < kStates; ++n) {
    arm.draw(random, kNone);
    zoo.draw(random, kNone);
    const Place& on_arm = kArmPairs[static_cast<std::size_t>(n) % kArmPairs.size()].a;
    const Place& on_zoo = kZooPairs[static_cast<std::size_t>(n) % kZooPairs.size()].a;
    a.find(arm.exact, on_arm, kNone);
    b.find(zoo.exact, on_zoo, kNone);
    dense::Mat expected = product(a, a);
    const dense::Mat of_zoo = product(b, b);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) expected[i][j] += of_zoo[i][j];
    Sym3<S> K{};
    assert_ok(collision_matrix(kinecast::model<robots::arm6, S>, arm.work, arm.poses,
                               library_point<robots::arm6, S>(on_arm), kinecast::model<robots::zoo, S>, zoo.work,
                               zoo.poses, library_point<robots::zoo, S>(on_zoo), K));
    compare(expected, full(K), largest(expected), worst);
    const kinecast::Matrix<S, 3, 3> matrix = kinecast::to_matrix(K);
    const Mat3<double> same = full(K);
    for (int j = 0; j < 3; ++j) {
      const Vec3<double> entries = column(same, j);
      TEST_ASSERT_TRUE(
          bad_input::same_bits(kinecast::to_vector(entries.template cast<S>()), kinecast::Vector<S, 3>(matrix.col(j))));
    }
  }
  measure::assert_below<S>(limit, worst, "arm6 and zoo", "collision matrix");
}
void test_two_robots() {
  check_two<float>(kArm<float>);
  if constexpr (measure::kInDouble) check_two<double>(kArm<double>);
}
void test_nothing() {
  check_nothing<robots::zoo, float>(kZooPairs[0].a);
  if constexpr (measure::kInDouble) check_nothing<robots::zoo, double>(kZooPairs[1].a);
}
void test_bad_input() { check_bad_input<robots::zoo, double>(); }

}  // namespace

KINECAST_SUITE(impulse_trees, test_two_trees, test_zoo, test_humanoid, test_held, test_momentum, test_energy,
               test_two_robots, test_nothing, test_bad_input)

}  // namespace unit_impulse_trees
