// SPDX-License-Identifier: MIT
// The frames that the compiler chooses must not show: axes in any direction at any placement, coaxial, intersecting and
// antiparallel ones, against the dense formulas.
#include "robot_checks.hpp"
#include "unity_main.hpp"

namespace unit_frames {
namespace {

using measure::assert_below;

constexpr int kStates = measure::kEffort;

// Coaxial, antiparallel, intersecting at a point away from both origins, and perpendicular without meeting.
constexpr auto make_special() {
  using namespace kinecast;
  constexpr auto kBody = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
  return robot(
      "special", link("a", prismatic(kAxisZ), at(0.1, 0.2, 0.3), body(1.0, com(0.1, 0.02, 0.03), kBody)),
      link("coaxial", on("a"), revolute(kAxisZ), at(0, 0, 0.4), body(0.8, com(0.05, 0.1, -0.1), kBody)),
      link("antiparallel", on("coaxial"), revolute({0, 0, -1}), at(0.3, 0, -0.2),
           body(0.8, com(0.05, 0.1, -0.1), kBody)),
      link("meets", on("antiparallel"), revolute({0.6, 0, 0.8}), at(0.6, 0, 1.0),
           body(0.5, com(0.1, 0.03, 0.1), kBody)),
      link("skew", on("meets"), prismatic({-0.8, 0, 0.6}), at(0.1, 0.5, 0.2), body(0.5, com(0.1, 0.03, 0.1), kBody)),
      link("slides_along", on("skew"), prismatic({-0.8, 0, 0.6}), at(0, 0.1, 0),
           body(0.5, com(0.1, 0.03, 0.1), kBody)));
}
constexpr auto kSpecial = make_special();
void test_special_positions() {
  assert_below<float>(100 * measure::kEps<float>, checks::forward_dynamics_error<kSpecial, float>(kStates), "special");
  assert_below<double>(1000 * measure::kEps<double>, checks::forward_dynamics_error<kSpecial, double>(kStates),
                       "special");
  assert_below<double>(40 * measure::kEps<double>, checks::kinematics_error<kSpecial, double>(kStates), "special");
}

// Any direction, any placement: robots of five links drawn by the compiler; link i hangs on i - 1 or i - 2.
template <std::uint32_t Seed>
constexpr auto make_random() {
  using namespace kinecast;
  std::uint32_t state = Seed;
  const auto next = [&state]() {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 8U) / 8388608.0 - 1.0;
  };
  Robot<5, 0> r{};
  r.name = "random";
  for (int i = 0; i < 5; ++i) {
    Link& l = r.links[static_cast<std::size_t>(i)];
    const double x = next();
    const double y = next();
    const double z = next() + 1.5;
    const double k = 1 / constant::sqrt(x * x + y * y + z * z);
    l.axis = {k * x, k * y, k * z};
    l.joint = next() > 0.4 ? JointKind::prismatic : JointKind::revolute;
    l.parent = i == 0 ? kWorld : i - 1 - (i > 1 && next() > 0.4 ? 1 : 0);
    const double roll = 3 * next();
    const double pitch = 3 * next();
    l.rotation = rotation_from_rpy(roll, pitch, 3 * next());
    l.position_m = {0.4 * next(), 0.4 * next(), 0.4 * next()};
    l.mass_kg = 1 + 0.5 * next();
    l.com_m = {0.2 * next(), 0.2 * next(), 0.2 * next()};
    l.inertia_kgm2 = {0.02 + 0.002 * next(), 0.003 * next(), 0.003 * next(),
                      0.02 + 0.002 * next(), 0.003 * next(), 0.02 + 0.002 * next()};
  }
  return r;
}
template <std::uint32_t Seed>
constexpr auto kRandom = make_random<Seed>();

template <const auto& R>
void check_random() {
  assert_below<float>(100 * measure::kEps<float>, checks::forward_dynamics_error<R, float>(kStates), "random robot");
  assert_below<double>(1000 * measure::kEps<double>, checks::forward_dynamics_error<R, double>(kStates),
                       "random robot");
}
void test_any_direction() {
  check_random<kRandom<1>>();
  check_random<kRandom<2>>();
  check_random<kRandom<3>>();
  check_random<kRandom<4>>();
}

}  // namespace

KINECAST_SUITE(frames, test_special_positions, test_any_direction)

}  // namespace unit_frames
