// SPDX-License-Identifier: MIT
// Joints that move nothing: a Status, never a division by zero.
#include "bad_input.hpp"

#include "unity_main.hpp"

namespace unit_singular {
namespace {

using bad_input::assert_status;
using bad_input::fill;
using bad_input::is_filled;
using kinecast::Status;

constexpr auto make_singular(bool rotor, bool welded_mass) {
  using namespace kinecast;
  constexpr auto kBody = body(1.0, com(0.1, 0, 0), inertia(0.01, 0.01, 0.01));
  return robot(
      "singular", link("arm", revolute(kAxisY), kBody),
      link("leaf", on("arm"), revolute(kAxisX), at(0, 0, 0.1), massless(), at_joint(rotor_inertia(rotor ? 0.1 : 0))),
      link("tag", on("leaf"), fixed(), welded_mass ? kBody : massless()));
}
constexpr auto kMasslessLeaf = make_singular(false, false);
constexpr auto kLeafWithRotor = make_singular(true, false);
constexpr auto kLeafWithTag = make_singular(false, true);

// A massless link whose child turns about the same axis: nothing resists it, although there is a mass further out.
constexpr auto make_coaxial(double tilt, bool rotor_elsewhere) {
  using namespace kinecast;
  const Mat3<double> seat = rotation_from_rpy(0.3, 0.5 + tilt, 0.7);
  const Vec3<double> axis = transpose_times(seat, kAxisZ);
  const Vec3<double> along = 0.2 * axis;
  constexpr auto kBody = body(1.0, com(0.1, 0.05, 0.2), inertia(0.01, 0.011, 0.012, 0.001, 0.002, 0.0005));
  return robot("coaxial", link("base", prismatic(kAxisX), kBody, at_joint(rotor_inertia(rotor_elsewhere ? 0.5 : 0))),
               link("sleeve", on("base"), revolute(axis), at(0.1, 0.2, 0.3), turned(seat), massless()),
               link("shaft", on("sleeve"), revolute(axis), at(along.x, along.y, along.z), kBody),
               link("blade", on("shaft"), revolute(kAxisX), at(0.1, 0, 0.1), kBody));
}
constexpr auto kCoaxial = make_coaxial(0, false);
constexpr auto kCoaxialGeared = make_coaxial(0.2, true);

// A ball joint that carries nothing.
constexpr auto make_empty_ball() {
  using namespace kinecast;
  return robot("empty_ball", link("base", floating(), body(1.0, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
               link("ball", on("base"), spherical(), at(0, 0, 0.1), massless()));
}
constexpr auto kEmptyBall = make_empty_ball();

// A floating frame without any mass.
constexpr auto make_ghost() {
  using namespace kinecast;
  return robot("ghost", link("ghost", floating(), massless()));
}
constexpr auto kGhost = make_ghost();

template <const auto& R, class S>
void check_singular(Status expected, const char* name) {
  measure::Random random(82);
  checks::Sample<R, S> s;
  for (int n = 0; n < 2 * measure::kEffort; ++n) {
    checks::draw(random, {}, s);
    checks::Vel<R, S> ddq;
    fill(ddq);
    assert_status(expected, checks::forward<R, S>(s.q, s.dq, s.tau, ddq), name);
    TEST_ASSERT_TRUE_MESSAGE(is_filled(ddq) == (expected != Status::ok), name);
  }
}
void test_joints_that_move_nothing() {
  check_singular<kMasslessLeaf, float>(Status::singular_inertia, "massless leaf");
  if constexpr (measure::kInDouble) check_singular<kMasslessLeaf, double>(Status::singular_inertia, "massless leaf");
  check_singular<kCoaxial, float>(Status::singular_inertia, "coaxial");
  if constexpr (measure::kInDouble) check_singular<kCoaxial, double>(Status::singular_inertia, "coaxial");
  check_singular<kCoaxialGeared, float>(Status::singular_inertia, "coaxial, rotor elsewhere");
  if constexpr (measure::kInDouble)
    check_singular<kCoaxialGeared, double>(Status::singular_inertia, "coaxial, rotor elsewhere");
  check_singular<kEmptyBall, float>(Status::singular_inertia, "empty ball");
  check_singular<kGhost, float>(Status::singular_inertia, "ghost");
  // And joints that do move something: a rotor, or a mass that is welded on.
  check_singular<kLeafWithRotor, float>(Status::ok, "leaf with rotor");
  check_singular<kLeafWithTag, float>(Status::ok, "leaf with welded mass");
}

}  // namespace

KINECAST_SUITE(singular, test_joints_that_move_nothing)

}  // namespace unit_singular
