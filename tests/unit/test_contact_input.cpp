// SPDX-License-Identifier: MIT
// Bad input to the contact map and to the response: counts, bodies, points, forces, a workspace that is not ready.
#include "bad_input.hpp"

#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_contact_input {
namespace {

using bad_input::Arguments;
using bad_input::assert_status;
using bad_input::fill;
using bad_input::good_arguments;
using bad_input::is_filled;
using kinecast::Status;

template <const auto& R, class S>
void check_contacts() {
  const auto& model = kinecast::model<R, S>;
  static kinecast::Workspace<R, S> work;
  static kinecast::Kinematics<R, S> k;
  const Arguments<R, S> a = good_arguments<R, S>();
  std::array<kinecast::PointOnBody<S>, 3> points{model.points[0], model.points[1], model.points[2]};
  static kinecast::ContactFactor<R, S, 3> Y;
  checks::assert_ok((checks::kinematics<R, S>(a.q, a.dq, k)));
  checks::Vel<R, S> ddq;
  kinecast::Vector<S, 9> f = kinecast::Vector<S, 9>::Ones();

  // Nobody has run forward dynamics yet; inverse dynamics and the mass matrix are no substitute.
  fill(Y), fill(ddq);
  assert_status(Status::not_ready, kinecast::contact_map(model, work, k, points, 3, Y), "no forward dynamics");
  TEST_ASSERT_TRUE(is_filled(Y));
  checks::assert_ok(kinecast::forward_dynamics(model, a.q, a.dq, a.tau, work, ddq));
  checks::assert_ok(kinecast::contact_map(model, work, k, points, 3, Y));
  static kinecast::JointMatrix<R, S> H;
  checks::assert_ok(kinecast::mass_matrix(model, a.q, work, H));
  fill(ddq);
  assert_status(Status::not_ready, kinecast::response(model, Y, f, work, ddq), "mass matrix in between");
  TEST_ASSERT_TRUE(is_filled(ddq));

  checks::assert_ok(kinecast::forward_dynamics(model, a.q, a.dq, a.tau, work, ddq));
  for (const int count : {-1, 4, 1000}) {
    fill(Y);
    assert_status(Status::index_out_of_range, kinecast::contact_map(model, work, k, points, count, Y), "count");
    TEST_ASSERT_TRUE(is_filled(Y));
  }
  for (const int body : {-2, -1000, kinecast::Shape<R>::kBodies, 1000}) {
    auto wrong = points;
    wrong[1].body = body;
    fill(Y);
    assert_status(Status::index_out_of_range, kinecast::contact_map(model, work, k, wrong, 3, Y), "body");
    TEST_ASSERT_TRUE(is_filled(Y));
    // What lies beyond the count is not looked at.
    checks::assert_ok(kinecast::contact_map(model, work, k, wrong, 1, Y));
  }
  // Rows beyond the count, and of points on the world, are zero.
  fill(Y);
  checks::assert_ok(kinecast::contact_map(model, work, k, points, 1, Y));
  for (int i = 3; i < 9; ++i)
    for (int j = 0; j < Y.cols(); ++j) TEST_ASSERT_TRUE(Y(i, j) <= S(0) && Y(i, j) >= S(0));
  fill(Y);
  checks::assert_ok(kinecast::contact_map(model, work, k, points, 0, Y));
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < Y.cols(); ++j) TEST_ASSERT_TRUE(Y(i, j) <= S(0) && Y(i, j) >= S(0));

  checks::assert_ok(kinecast::contact_map(model, work, k, points, 3, Y));
  for (int i = 0; i < 9; ++i) {
    for (const S bad :
         {std::numeric_limits<S>::quiet_NaN(), std::numeric_limits<S>::infinity(), std::numeric_limits<S>::max()}) {
      f.setOnes();
      f[i] = bad;
      fill(ddq);
      const Status status = kinecast::response(model, Y, f, work, ddq);
      TEST_ASSERT_TRUE(status == Status::non_finite_input || status == Status::input_out_of_range);
      TEST_ASSERT_TRUE(is_filled(ddq));
    }
  }
  // A failed forward dynamics leaves nothing to build on.
  Arguments<R, S> bad = a;
  bad.q[0] = std::numeric_limits<S>::quiet_NaN();
  Status status = kinecast::forward_dynamics(model, bad.q, bad.dq, bad.tau, work, ddq);
  assert_status(Status::non_finite_input, status, "spoilt");
  fill(Y);
  assert_status(Status::not_ready, kinecast::contact_map(model, work, k, points, 3, Y), "after a failure");
  TEST_ASSERT_TRUE(is_filled(Y));
}
void test_contacts() {
  check_contacts<small::two_roots, float>();
  if constexpr (measure::kInDouble) check_contacts<small::two_roots, double>();
}

// A point far beyond any robot, or not a number: whoever gives it must hear of it, and not get NaN for an answer.
void test_contact_point_not_finite() {
  using S = float;
  const auto& model = kinecast::model<small::free_body, S>;
  static kinecast::Workspace<small::free_body, S> work;
  static kinecast::Kinematics<small::free_body, S> k;
  const Arguments<small::free_body, S> a = good_arguments<small::free_body, S>();
  checks::Vel<small::free_body, S> ddq;
  checks::assert_ok((checks::kinematics<small::free_body, S>(a.q, a.dq, k)));
  checks::assert_ok(kinecast::forward_dynamics(model, a.q, a.dq, a.tau, work, ddq));
  std::array<kinecast::PointOnBody<S>, 1> points{model.points[0]};
  points[0].position.y = std::numeric_limits<S>::quiet_NaN();
  kinecast::ContactFactor<small::free_body, S, 1> Y;
  fill(Y);
  assert_status(Status::non_finite_input, kinecast::contact_map(model, work, k, points, 1, Y), "NaN point");
  TEST_ASSERT_TRUE(is_filled(Y));
}

}  // namespace

KINECAST_SUITE(contact_input, test_contacts, test_contact_point_not_finite)

}  // namespace unit_contact_input
