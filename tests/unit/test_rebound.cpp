// SPDX-License-Identifier: MIT
// The bound on rebounds (method 16.6), on rows without any robot: what rebounds returns the energy that was taken on arrival and no
// more. One row with mobility A is a mass 1/A: a target u from rest costs u²/2A, so the bound is a closed formula.
#include <kinecast/contact/rebound.hpp>
#include <kinecast/solve/newton.hpp>

#include <cmath>

#include "measure.hpp"
#include "unity_main.hpp"

namespace unit_rebound {
namespace {

using kinecast::SolverEffort;
using kinecast::Status;
using measure::f64;

constexpr int kRank = 9;  // more than rows of few coordinates have: each row has a support
using Rows = kinecast::Rows<double, kRank, 1, 1>;
constexpr double kCompliance = 1e-9;

// A cone along the first three coordinates and a line along the last one, of other mobilities, that arrive with the velocities v and
// are to leave with u.
struct Scene {
  kinecast::Support<kRank> support[2];
  Rows rows{};
  kinecast::NewtonWork<double, kRank, 1> work{};

  Scene(double cone_v, double cone_u, double line_v, double line_u) {
    support[0].count = 3, support[0].place = {0, 1, 2};
    support[1].count = 1, support[1].place = {3};
    rows.cones = rows.lines = 1;
    for (int i = 0; i < 4; ++i) {
      auto& row = rows.row[static_cast<std::size_t>(i)];
      row = {};
      row.support = &support[i / 3];
      row.y[i % 3] = i < 3 ? 2 : 0.5;
      row.mobility = i < 3 ? 4 : 0.25;
      row.soften(kCompliance * row.mobility);
    }
    rows.row[0].free = cone_v, rows.row[0].bias = cone_v - cone_u;
    rows.row[3].free = line_v, rows.row[3].bias = line_v - line_u;
    rows.cone[0] = {};
    rows.cone[0].sliding_stiffness = rows.row[0].stiffness;
    rows.cone[0].rebound = cone_u;
    rows.line[0] = kinecast::Line<double>::pushing(line_u);
  }
  void solve() {
    SolverEffort effort;
    TEST_ASSERT_TRUE(solve_rows(rows, work, effort) == Status::ok);
  }
  bool bound(double arrived) {
    if (!bound_rebounds(rows, arrived)) return false;
    SolverEffort effort;
    TEST_ASSERT_TRUE(resume_rows(rows, work, effort) == Status::ok);
    return true;
  }
  // The velocity at the end, of the contact's normal and of the line.
  double leaves(int row) const {
    return f64(rows.row[static_cast<std::size_t>(row)].free) +
           f64(rows.row[static_cast<std::size_t>(row)].y[0]) * f64(rows.change[row == 0 ? 0 : 3]);
  }
};
constexpr double kRounding = 1e-6;  // the compliance

// From the surface with u = 2 and A = 4: 0.5 J. With 0.125 J it is half as fast; with 0 it stays; with 0.6 it is as it was.
void test_contact() {
  for (const double arrived : {0.125, 0.0, 0.6}) {
    Scene s(0, 2, 0, 0);
    s.solve();
    TEST_ASSERT_DOUBLE_WITHIN(kRounding, 0.5, s.rows.energy());
    TEST_ASSERT_TRUE(s.bound(arrived) == (arrived < 0.5));
    const double speed = arrived < 0.5 ? 2 * std::sqrt(arrived / 0.5) : 2;
    TEST_ASSERT_DOUBLE_WITHIN(kRounding, speed, s.leaves(0));
    // Bound again, it is content.
    TEST_ASSERT_FALSE(s.bound(arrived + kRounding));
  }
}
// A stop does both in one step: it takes v²/2A and brings u²/2A, so that a rebound with u <= v is never too fast. u = 3 from v = -2
// brings (9 - 4)/2A = 10 J for A = 1/4.
void test_stop() {
  Scene slower(0, 0, -2, 1.5);
  slower.solve();
  TEST_ASSERT_FALSE(slower.bound(0));
  TEST_ASSERT_DOUBLE_WITHIN(kRounding, 1.5, slower.leaves(3));
  Scene faster(0, 0, -2, 3);
  faster.solve();
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 10, faster.rows.energy());
  TEST_ASSERT_TRUE(faster.bound(2.5));
  TEST_ASSERT_DOUBLE_WITHIN(kRounding, 1.5, faster.leaves(3));
  // What is left of the rebound is lowered again, by what it is now.
  TEST_ASSERT_DOUBLE_WITHIN(kRounding, 1.5, f64(faster.rows.line[0].rebound));
}
// Both at once are lowered alike: 0.5 J and 2 J, of which 0.625 J are there: a quarter of the energy, half of the speeds.
void test_both() {
  Scene s(0, 2, 0, 1);
  s.solve();
  TEST_ASSERT_DOUBLE_WITHIN(kRounding, 2.5, s.rows.energy());
  TEST_ASSERT_TRUE(s.bound(0.625));
  TEST_ASSERT_DOUBLE_WITHIN(kRounding, 1, s.leaves(0));
  TEST_ASSERT_DOUBLE_WITHIN(kRounding, 0.5, s.leaves(3));
  TEST_ASSERT_DOUBLE_WITHIN(kRounding, 0.625, s.rows.energy());
}
// Without a rebound there is nothing to lower, whatever the targets bring: a depth that is worked off.
void test_no_rebound() {
  Scene s(0, 2, 0, 1);
  s.rows.cone[0].rebound = s.rows.line[0].rebound = 0;
  s.solve();
  TEST_ASSERT_FALSE(s.bound(0));
  TEST_ASSERT_DOUBLE_WITHIN(kRounding, 2, s.leaves(0));
}

}  // namespace

KINECAST_SUITE(rebound, test_contact, test_stop, test_both, test_no_rebound)

}  // namespace unit_rebound
