// SPDX-License-Identifier: MIT
// Rows along the paths of a tree, and what a change of the coordinates makes of the velocities, against the dense mass matrix and
// against the rows with one entry per degree of freedom: a floating tree with joints of every kind, two trees on the world.
#include <kinecast/contact/supports.hpp>

#include <array>
#include <cmath>
#include <limits>

#include "../robots/zoo.hpp"
#include "robot_truth.hpp"
#include "unity_main.hpp"

namespace unit_supports {
namespace {

using kinecast::RowSupport;
using kinecast::Shape;
using measure::f64;

// Two trees in one robot: an arm on the world, and a box that flies with a slider on it.
constexpr auto make_crowd() {
  using namespace kinecast;
  constexpr auto kBox = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
  return robot("crowd", link("upper", on("world"), revolute(kAxisY), at(0, 0, 1), body(1, com(0, 0.1, -0.2), kBox)),
               link("lower", on("upper"), revolute(kAxisX), at(0, 0, -0.4), body(0.5, com(0.1, 0, -0.1), kBox)),
               link("box", on("world"), floating(), body(2, com(0.01, 0.02, 0.03), kBox)),
               link("slider", on("box"), prismatic({0.6, 0, 0.8}), at(0.1, 0, 0), rpy(0.3, 0.4, 0.5),
                    body(0.7, com(0.1, 0, 0.1), kBox)));
}
constexpr auto kCrowd = make_crowd();

// The degree of freedom that the entry of a row belongs to.
template <const auto& R>
int dof_of(const RowSupport<R>& support, int entry) {
  return Shape<R>::kDofs - 1 - support.place[static_cast<std::size_t>(entry)];
}
template <const auto& R>
bool has(const RowSupport<R>& support, int dof) {
  for (int k = 0; k < support.count; ++k)
    if (dof_of<R>(support, k) == dof) return true;
  return false;
}

// A path has the degrees of freedom between the body and the world, and no others, in ascending order of the coordinates; that
// of two bodies has what either has.
template <const auto& R>
void check_paths() {
  for (int body = 0; body < Shape<R>::kBodies; ++body) {
    const RowSupport<R>& path = kinecast::detail::path_of<R>(body);
    for (int k = 1; k < path.count; ++k) TEST_ASSERT_TRUE(dof_of<R>(path, k) < dof_of<R>(path, k - 1));
    int count = 0;
    for (int b = body; b >= 0; b = Shape<R>::index(b).parent) {
      const int axes = Shape<R>::is_floating(b) ? 6 : Shape<R>::is_spherical(b) ? 3 : 1;
      for (int i = 0; i < axes; ++i) TEST_ASSERT_TRUE(has<R>(path, Shape<R>::v_of(b) + i));
      count += axes;
    }
    TEST_ASSERT_EQUAL_INT(count, path.count);
    for (int other = -1; other < Shape<R>::kBodies; ++other) {
      RowSupport<R> both = path;
      kinecast::detail::add_path<R>(other, both);
      int joined = 0;
      for (int dof = 0; dof < Shape<R>::kDofs; ++dof) {
        const bool is_in = has<R>(path, dof) || (other >= 0 && has<R>(kinecast::detail::path_of<R>(other), dof));
        TEST_ASSERT_TRUE(has<R>(both, dof) == is_in);
        joined += is_in ? 1 : 0;
      }
      TEST_ASSERT_EQUAL_INT(joined, both.count);
      for (int k = 1; k < both.count; ++k) TEST_ASSERT_TRUE(dof_of<R>(both, k) < dof_of<R>(both, k - 1));
    }
  }
}
void test_paths() {
  check_paths<robots::zoo>();
  check_paths<kCrowd>();
}

template <const auto& R, class S>
void fill_with_nan(kinecast::Row<S, Shape<R>::kDofs>& row) {
  for (S& y : row.y) y = std::numeric_limits<S>::quiet_NaN();
}
// Entries behind the last one, up to the next tile of three, are zero.
template <const auto& R, class S>
void check_end(const kinecast::Row<S, Shape<R>::kDofs>& row) {
  for (int k = row.support->count; k % 3 != 0; ++k) TEST_ASSERT_TRUE(row.y[k] >= S(0) && row.y[k] <= S(0));
}

template <const auto& R, class S>
void check_rows(const char* name, double limit) {
  constexpr int kDofs = Shape<R>::kDofs;
  using Row = kinecast::Row<S, kDofs>;
  static checks::Sample<R, S> s;
  const kinecast::Model<R, S>& model = kinecast::model<R, S>;
  kinecast::Workspace<R, S>& work = checks::workspace<R, S>();
  checks::Truth<R>& exact = checks::truth<R>();
  measure::Random random(1);
  measure::Worst same;
  measure::Worst mobility;
  measure::Worst velocity;
  measure::Worst outside;
  for (int n = 0; n < measure::kEffort; ++n) {
    checks::draw(random, {}, s);
    exact.place(s.q64);
    exact.factor_mass_matrix();
    checks::Vel<R, S> ddq;
    checks::assert_ok((checks::forward<R, S>(s.q, s.dq, s.tau, ddq)));
    for (int body = 0; body < Shape<R>::kBodies; ++body) {
      const RowSupport<R>& path = kinecast::detail::path_of<R>(body);
      Row row;
      // A force on the body: the path has all that the robot feels of it.
      const auto draw = [&] { return static_cast<S>(random.within(1)); };
      const kinecast::Force<S> force{{draw(), draw(), draw()}, {draw(), draw(), draw()}};
      kinecast::FactorRow<R, S> dense = {};
      kinecast::Factor{model, work}.rows(body, force, dense);
      double square = 0;
      for (const S y : dense) square += f64(y) * f64(y);
      fill_with_nan<R, S>(row);
      kinecast::detail::fill_row<R, S>(dense, path, row);
      check_end<R, S>(row);
      outside.see(square, f64(row.mobility), square);

      // Three forces: each has the row that it has by itself.
      const kinecast::ForceTriple<S> forces{force,
                                            {{draw(), draw(), draw()}, {draw(), draw(), draw()}},
                                            {{draw(), draw(), draw()}, {draw(), draw(), draw()}}};
      const kinecast::Force<S>* const each[3] = {&forces.x, &forces.y, &forces.z};
      Row rows[3];
      for (Row& one : rows) fill_with_nan<R, S>(one);
      kinecast::detail::fill_force_rows(model, work, body, forces, rows);
      for (int axis = 0; axis < 3; ++axis) {
        for (S& y : dense) y = S(0);
        kinecast::Factor{model, work}.rows(body, *each[axis], dense);
        TEST_ASSERT_TRUE(rows[axis].support == &path);
        check_end<R, S>(rows[axis]);
        square = 0;
        for (const S y : dense) square += f64(y) * f64(y);
        outside.see(square, f64(rows[axis].mobility), square);
        for (int k = 0; k < path.count; ++k)
          same.see(f64(dense[dof_of<R>(path, k)]), f64(rows[axis].y[k]), std::sqrt(square));
      }

      if (!Shape<R>::has_one_axis(body)) continue;
      // A torque at the joint, of size -2: its own row equals the dense one, and its mobility is 4 (M⁻¹)_vv.
      const int v = Shape<R>::v_of(body);
      for (S& y : dense) y = S(0);
      kinecast::Factor{model, work}.joint_row(body, S(-2), dense);
      fill_with_nan<R, S>(row);
      kinecast::detail::fill_joint_row(model, work, body, S(-2), row);
      // Its support may begin with joints further out in the limb, by two at most, which feel nothing.
      const RowSupport<R>& support = *row.support;
      const int further_out = support.count - path.count;
      TEST_ASSERT_TRUE(further_out >= 0 && further_out <= 2);
      for (int k = 0; k < path.count; ++k) TEST_ASSERT_TRUE(dof_of<R>(support, k + further_out) == dof_of<R>(path, k));
      check_end<R, S>(row);
      double solved[static_cast<std::size_t>(kDofs)] = {};
      solved[v] = 1;
      dense::solve(exact.L, solved);
      const double size = 2 * std::sqrt(solved[v]);
      std::array<S, static_cast<std::size_t>(kDofs)> change{};
      for (int k = 0; k < support.count; ++k) {
        same.see(f64(dense[dof_of<R>(support, k)]), f64(row.y[k]), size);
        change[static_cast<std::size_t>(support.place[static_cast<std::size_t>(k)])] = row.y[k];
      }
      mobility.see(4 * solved[v], f64(row.mobility), 4 * solved[v]);

      // An impulse 1 along the row changes the velocities by M⁻¹ of it.
      checks::Vel<R, S> dq = s.dq;
      kinecast::add_velocity(model, change, work, dq);
      double expected[static_cast<std::size_t>(kDofs)];
      for (int i = 0; i < kDofs; ++i) expected[i] = s.dq64[i] - 2 * solved[i];
      measure::compare(expected, dq, kDofs, velocity);
    }
  }
  measure::assert_below<S>(limit, outside, "force", name);
  measure::assert_below<S>(limit, same, "row", name);
  measure::assert_below<S>(limit, mobility, "mobility", name);
  measure::assert_below<S>(limit, velocity, "velocity", name);
}
// Rounding along the tree, as for the contact map (test_dynamics_zoo).
template <class S>
constexpr double kLimit = 80 * measure::kEps<S>;

void test_zoo() {
  check_rows<robots::zoo, float>("zoo", kLimit<float>);
  if constexpr (measure::kInDouble) check_rows<robots::zoo, double>("zoo", kLimit<double>);
}
void test_crowd() {
  check_rows<kCrowd, float>("crowd", kLimit<float>);
  if constexpr (measure::kInDouble) check_rows<kCrowd, double>("crowd", kLimit<double>);
}

}  // namespace

KINECAST_SUITE(supports, test_paths, test_zoo, test_crowd)

}  // namespace unit_supports
