// SPDX-License-Identifier: MIT
// Bad numbers for a robot of hinges and sliders, and the ends of the allowed ranges.
#include "bad_input.hpp"

#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_bad_input {
namespace {

using bad_input::Argument;
using bad_input::Arguments;
using bad_input::Calls;
using bad_input::check_every_entry;
using bad_input::good_arguments;
using kinecast::Status;

void test_two_roots() {
  check_every_entry<small::two_roots, float>("two roots");
  if constexpr (measure::kInDouble) check_every_entry<small::two_roots, double>("two roots");
}
template <class S>
void check_ranges() {
  static Calls<small::two_roots, S> calls;
  const Arguments<small::two_roots, S> good = good_arguments<small::two_roots, S>();
  // A revolute angle that sincos() reduces exactly, before and after a step, and one beyond.
  Arguments<small::two_roots, S> a = good;
  a.q[0] = S(0.999) * kinecast::kMaxAngle<S>;
  calls.expect(Status::ok, Argument::q, a, "largest angle");
  a.q[0] = S(-0.999) * kinecast::kMaxAngle<S>;
  calls.expect(Status::ok, Argument::q, a, "largest angle");
  a.q[0] = S(1.001) * kinecast::kMaxAngle<S>;
  calls.expect(Status::input_out_of_range, Argument::q, a, "angle out of range");
  // A slider at the end of the range, and beyond.
  a = good;
  a.q[1] = S(0.999e6);
  calls.expect(Status::ok, Argument::q, a, "largest position");
  a.q[1] = S(1.001e6);
  calls.expect(Status::input_out_of_range, Argument::q, a, "position out of range");
  // Velocities and torques at the end of the range still give finite numbers.
  a = good;
  a.dq.setConstant(S(4e8));
  a.tau.setConstant(S(-4e8));
  a.ddq.setConstant(S(4e8));
  a.dt = S(1e-9);
  calls.expect(Status::ok, Argument::q, a, "largest velocities");
  a = good;
  a.dq[2] = S(1.01e9);
  calls.expect(Status::input_out_of_range, Argument::dq, a, "velocity out of range");
  a = good;
  a.ddq[2] = S(-1.01e9);
  calls.expect(Status::input_out_of_range, Argument::ddq, a, "acceleration out of range");
  a = good;
  a.tau[2] = S(1.01e9);
  calls.expect(Status::input_out_of_range, Argument::tau, a, "torque out of range");
}
void test_ranges() {
  check_ranges<float>();
  if constexpr (measure::kInDouble) check_ranges<double>();
}

void test_sentences() {
  for (int i = 0; i <= static_cast<int>(Status::unpaired); ++i) {
    const char* one = kinecast::sentence(static_cast<Status>(i));
    TEST_ASSERT_TRUE(std::strlen(one) >= 2 && std::strcmp(one, "unknown status") != 0);
    const bool warns = i > 0 && i <= static_cast<int>(Status::inconsistent);  // and is ok: it was done
    TEST_ASSERT_TRUE(kinecast::is_warning(static_cast<Status>(i)) == warns);
    TEST_ASSERT_TRUE(kinecast::ok(static_cast<Status>(i)) == (i == 0 || warns));
    for (int j = 0; j < i; ++j) TEST_ASSERT_TRUE(std::strcmp(one, kinecast::sentence(static_cast<Status>(j))) != 0);
  }
}

}  // namespace

KINECAST_SUITE(bad_input, test_two_roots, test_ranges, test_sentences)

}  // namespace unit_bad_input
