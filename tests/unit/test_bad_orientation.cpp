// SPDX-License-Identifier: MIT
// Bad numbers for floating and spherical joints, and quaternions that are not unit.
#include "bad_input.hpp"

#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_bad_orientation {
namespace {

using bad_input::Argument;
using bad_input::Arguments;
using bad_input::Calls;
using bad_input::check_every_entry;
using bad_input::good_arguments;
using kinecast::State;
using kinecast::Status;

void test_free_body() {
  check_every_entry<small::free_body, float>("free body");
  if constexpr (measure::kInDouble) check_every_entry<small::free_body, double>("free body");
}
void test_ball_pendulum() { check_every_entry<small::ball_pendulum, float>("ball pendulum"); }

template <const auto& R, class S>
void check_quaternion(int first) {
  static Calls<R, S> calls;
  const Arguments<R, S> good = good_arguments<R, S>();
  for (const double length : {0.0, 0.5, 0.99, 1.01, 2.0, 1e3}) {
    Arguments<R, S> a = good;
    for (int i = 0; i < 4; ++i) a.q[first + i] *= static_cast<S>(length);
    calls.expect(Status::quaternion_not_unit, Argument::q, a, "not unit");
  }
  // Rounding is forgiven.
  Arguments<R, S> a = good;
  for (int i = 0; i < 4; ++i) a.q[first + i] *= S(1) + S(50) * std::numeric_limits<S>::epsilon();
  calls.expect(Status::ok, Argument::q, a, "unit but for rounding");
}
void test_quaternions() {
  check_quaternion<small::free_body, float>(3);
  if constexpr (measure::kInDouble) check_quaternion<small::ball_pendulum, double>(0);
}

// A turn per step that sincos() cannot reduce is no orientation: the step must say so.
void test_spin_beyond_reason() {
  using S = float;
  State<small::free_body, S> state = kinecast::zero_state<small::free_body, S>();
  state.dq[5] = S(1e6);
  const State<small::free_body, S> before = state;
  const checks::Vel<small::free_body, S> none = checks::Vel<small::free_body, S>::Zero();
  const Status status = kinecast::step_symplectic(kinecast::model<small::free_body, S>, none, S(1),
                                                  checks::workspace<small::free_body, S>(), state);
  TEST_ASSERT_FALSE(kinecast::ok(status));
  TEST_ASSERT_TRUE(bad_input::same_bits(before, state));
}

}  // namespace

KINECAST_SUITE(bad_orientation, test_free_body, test_ball_pendulum, test_quaternions, test_spin_beyond_reason)

}  // namespace unit_bad_orientation
