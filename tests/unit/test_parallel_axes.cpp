// SPDX-License-Identifier: MIT
// Axes that are nearly parallel keep every digit, in float and in double: their common normal may run away from the robot,
// and where it does not, its foot is ill defined.
#include "robot_checks.hpp"
#include "unity_main.hpp"

namespace unit_parallel_axes {
namespace {

using measure::assert_below;

constexpr int kStates = measure::kEffort;

// Three hinges; the second axis is tilted against the first by 10^-Digits, the third against the second, each about another
// direction, with offsets along and across.
template <int Digits>
constexpr auto make_tilted() {
  using namespace kinecast;
  double tilt = 1;
  for (int i = 0; i < Digits; ++i) tilt /= 10;
  const double s = constant::sin(tilt);
  const double c = constant::cos(tilt);
  constexpr auto kBody = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
  return robot(
      "tilted", link("a", revolute(kAxisZ), body(1.0, com(0.1, 0.02, 0.03), kBody)),
      link("b", on("a"), revolute({0.6 * s, 0.8 * s, c}), at(0.3, 0.1, 0.2), body(0.8, com(0.05, 0.1, -0.1), kBody)),
      link("c", on("b"), revolute({-0.8 * s, 0, constant::sqrt(1 - 0.64 * s * s)}), at(0.2, -0.1, 0.15),
           body(0.5, com(0.1, 0.03, 0.1), kBody)));
}
template <int Digits>
constexpr auto kTilted = make_tilted<Digits>();

// As a calibrated arm's "parallel" axes are: twisted by 10^-Digits, in frames where no coordinate is zero. The twist is about
// the common normal, which therefore stays near the robot, or about another direction.
template <int Digits, bool AboutNormal>
constexpr auto make_twisted() {
  using namespace kinecast;
  double twist = 1;
  for (int i = 0; i < Digits; ++i) twist /= 10;
  const Mat3<double> turn = rotation_from_rpy(0, 0, 0.3);
  const Mat3<double> tilt = rotation_from_rpy(twist, 0, 0);
  const Mat3<double> seat = rotation_from_rpy(0.4, 0.5, 0.6);
  const Mat3<double> placed = seat * (AboutNormal ? tilt * turn : turn * tilt) * transpose(seat);
  constexpr auto kBody = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
  const Vec3<double> axis = seat * kAxisZ;
  const Vec3<double> offset = seat * Vec3<double>{0.4, 0, 0.1};
  return robot("twisted", link("a", revolute(axis), body(1.0, com(0.1, 0.02, 0.03), kBody)),
               link("b", on("a"), revolute(axis), at(offset.x, offset.y, offset.z), turned(placed),
                    body(0.8, com(0.05, 0.1, -0.1), kBody)),
               link("c", on("b"), revolute(axis), at(offset.x, offset.y, offset.z), turned(placed),
                    body(0.5, com(0.1, 0.03, 0.1), kBody)));
}
template <int Digits>
constexpr auto kTwisted = make_twisted<Digits, true>();
template <int Digits>
constexpr auto kSkewed = make_twisted<Digits, false>();

// Joint positions, in metres.
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] measure::Worst position_error(int states) {
  measure::Random random(91);
  checks::Sample<R, S> s;
  measure::Worst worst;
  static kinecast::Kinematics<R, S> k;
  checks::Truth<R>& exact = checks::truth<R>();
  for (int n = 0; n < states; ++n) {
    checks::draw(random, {}, s);
    exact.place(s.q64);
    checks::assert_ok((checks::kinematics<R, S>(s.q, s.dq, k)));
    for (int i = 0; i < R.kLinks; ++i) {
      const kinecast::Pose<S> pose = kinecast::link_pose(kinecast::model<R, S>, k, i);
      for (int r = 0; r < 3; ++r) {
        worst.see(exact.at.pos[i][r], static_cast<double>(pose.position[r]), 1);
        for (int c = 0; c < 3; ++c) worst.see(exact.at.rot[i][r][c], static_cast<double>(pose.rotation(r, c)), 1);
      }
    }
  }
  return worst;
}

// A few roundings per joint of lengths below a metre, whatever the tilt. Axes that are parallel to 1e-12 count as parallel:
// then the tilt itself is the error in double.
template <const auto& R>
void check_tilted(const char* name, double tilt) {
  const double lost = tilt < 1e-12 ? 10 * tilt : 0;
  assert_below<float>(10 * measure::kEps<float>, position_error<R, float>(kStates), name, "poses");
  assert_below<float>(40 * measure::kEps<float>, checks::forward_dynamics_error<R, float>(kStates), name,
                      "forward dynamics");
  assert_below<double>(40 * measure::kEps<double> + lost, position_error<R, double>(kStates), name, "poses");
  assert_below<double>(200 * measure::kEps<double> + lost, checks::forward_dynamics_error<R, double>(kStates), name,
                       "forward dynamics");
}
void test_tilt_1e3() { check_tilted<kTilted<3>>("tilt 1e-3", 1e-3); }
void test_tilt_1e6() { check_tilted<kTilted<6>>("tilt 1e-6", 1e-6); }
void test_tilt_1e9() { check_tilted<kTilted<9>>("tilt 1e-9", 1e-9); }
void test_tilt_1e13() { check_tilted<kTilted<13>>("tilt 1e-13", 1e-13); }
void test_twist_1e3() { check_tilted<kTwisted<3>>("twist 1e-3", 1e-3); }
void test_twist_1e7() { check_tilted<kTwisted<7>>("twist 1e-7", 1e-7); }
void test_skew_1e3() { check_tilted<kSkewed<3>>("skew 1e-3", 1e-3); }
void test_skew_1e7() { check_tilted<kSkewed<7>>("skew 1e-7", 1e-7); }

}  // namespace

KINECAST_SUITE(parallel_axes, test_tilt_1e3, test_tilt_1e6, test_tilt_1e9, test_tilt_1e13, test_twist_1e3,
               test_twist_1e7, test_skew_1e3, test_skew_1e7)

}  // namespace unit_parallel_axes
