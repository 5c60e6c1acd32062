// SPDX-License-Identifier: MIT
// The dense reference itself: its velocities and accelerations are the derivatives of its positions, its mass matrix gives
// its kinetic energy, its bias is what Lagrange's equation says.
#include "../support/dense_reference.hpp"

#include "measure.hpp"
#include "robot_checks.hpp"
#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_reference {
namespace {

using dense::Vec;
using measure::assert_below;
using measure::Worst;

constexpr int kStates = measure::kEffort;

// q after time t with constant dq: exact for every joint kind.
template <const auto& R>
void drift(const double* q, const double* dq, double t, double* out) {
  int at = 0;
  int v = 0;
  for (const kinecast::Link& l : R.links) {
    const bool floats = l.joint == kinecast::JointKind::floating;
    if (floats)
      for (int i = 0; i < 3; ++i, ++at, ++v) out[at] = q[at] + t * dq[v];
    if (floats || l.joint == kinecast::JointKind::spherical) {
      const Vec w{{t * dq[v], t * dq[v + 1], t * dq[v + 2]}};
      const double angle = std::sqrt(dense::dot(w, w));
      const double k = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
      const double turn[4] = {std::cos(angle / 2), k * w[0], k * w[1], k * w[2]};
      const double* a = floats ? turn : q + at;  // world axes: from the left; body axes: from the right
      const double* b = floats ? q + at : turn;
      out[at] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
      out[at + 1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
      out[at + 2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
      out[at + 3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
      at += 4, v += 3;
    }
    if (l.joint == kinecast::JointKind::revolute || l.joint == kinecast::JointKind::prismatic)
      out[at] = q[at] + t * dq[v], ++at, ++v;
  }
}

// Central differences: an error of h² times a third derivative (below 100) plus rounding over h.
template <const auto& R>
void check_derivatives(const char* name) {
  constexpr double h = 1e-5;
  constexpr double kTolerance = 1e-8 + 1e-15 / h * 10;
  measure::Random random(31);
  checks::Sample<R, double> s;
  Worst worst;
  static dense::Reference<R> now;
  static dense::Reference<R> before;
  static dense::Reference<R> after;
  double moved[static_cast<std::size_t>(dense::Reference<R>::kPositions)];
  for (int n = 0; n < kStates; ++n) {
    checks::draw(random, {}, s);
    now.place(R, s.q64);
    now.move(s.dq64, nullptr);
    drift<R>(s.q64, s.dq64, -h, moved);
    before.place(R, moved);
    before.move(s.dq64, nullptr);
    drift<R>(s.q64, s.dq64, h, moved);
    after.place(R, moved);
    after.move(s.dq64, nullptr);
    for (int i = 0; i < R.kLinks; ++i) {
      const dense::Mat turned = after.rot[i] * dense::transposed(before.rot[i]);  // 1 + 2 h [w x]
      const Vec w{{turned[2][1] - turned[1][2], turned[0][2] - turned[2][0], turned[1][0] - turned[0][1]}};
      for (int k = 0; k < 3; ++k) {
        worst.see(now.v[i][k], (after.pos[i][k] - before.pos[i][k]) / (2 * h), 1);
        worst.see(now.w[i][k], w[k] / (4 * h), 1);
        worst.see(now.acc[i][k], (after.v[i][k] - before.v[i][k]) / (2 * h), 1);
        worst.see(now.alpha[i][k], (after.w[i][k] - before.w[i][k]) / (2 * h), 1);
      }
    }
    // ½ dqᵀ M dq is the kinetic energy.
    now.find_mass_matrix();
    double twice = 0;
    for (int i = 0; i < s.kDofs; ++i)
      for (int j = 0; j < s.kDofs; ++j) twice += s.dq64[i] * now.M[i][j] * s.dq64[j];
    TEST_ASSERT_DOUBLE_WITHIN(1e-13 * twice, now.kinetic(s.dq64), 0.5 * twice);
    // J dq is the velocity of a point.
    double J[6][dense::Reference<R>::kDofSize];
    const int last = R.kLinks - 1;
    const Vec p = now.point(last, {{0.1, 0.2, 0.3}});
    const Vec v = now.v[last] + dense::cross(now.w[last], p - now.pos[last]);
    now.jacobian(last, p, J);
    for (int k = 0; k < 3; ++k) {
      double sum = 0;
      for (int i = 0; i < s.kDofs; ++i) sum += J[3 + k][i] * s.dq64[i];
      TEST_ASSERT_DOUBLE_WITHIN(1e-13, v[k], sum);
    }
  }
  measure::assert_below<double>(kTolerance, worst, name, "derivatives");
}
void test_derivatives() {
  check_derivatives<small::free_body>("free body");
  check_derivatives<small::ball_pendulum>("ball pendulum");
  check_derivatives<small::two_roots>("two roots");
}

// b_i = Sum_jk (dM_ij/dq_k - ½ dM_jk/dq_i) dq_j dq_k + slope_V/dq_i, by central differences with Richardson's extrapolation
// (error h⁴). For robots whose coordinates are all plain numbers.
template <const auto& R>
void check_lagrange() {
  constexpr int N = dense::Reference<R>::kDofs;
  constexpr std::size_t kSize = dense::Reference<R>::kDofSize;
  constexpr double h = 1e-3;
  measure::Random random(32);
  checks::Sample<R, double> s;
  static dense::Reference<R> at;
  static double slope_M[kSize][kSize][kSize];  // [k][i][j]: by q_k
  double slope_V[kSize];
  Worst worst;
  for (int n = 0; n < kStates; ++n) {
    checks::draw(random, {}, s);
    for (int k = 0; k < N; ++k) {
      const double weights[] = {4.0 / 3 / (2 * h), -4.0 / 3 / (2 * h), -1.0 / 3 / (4 * h), 1.0 / 3 / (4 * h)};
      const double steps[] = {h, -h, 2 * h, -2 * h};
      slope_V[k] = 0;
      for (auto& row : slope_M[k])
        for (double& x : row) x = 0;
      for (int m = 0; m < 4; ++m) {
        double q[kSize];
        for (int i = 0; i < N; ++i) q[i] = s.q64[i] + (i == k ? steps[m] : 0);
        at.place(R, q);
        at.find_mass_matrix();
        slope_V[k] += weights[m] * at.potential();
        for (int i = 0; i < N; ++i)
          for (int j = 0; j < N; ++j) slope_M[k][i][j] += weights[m] * at.M[i][j];
      }
    }
    double b[kSize];
    at.place(R, s.q64);
    at.move(s.dq64, nullptr);
    at.find_force(b);
    for (int i = 0; i < N; ++i) {
      double expected = slope_V[i];
      for (int j = 0; j < N; ++j)
        for (int k = 0; k < N; ++k) expected += (slope_M[k][i][j] - 0.5 * slope_M[i][j][k]) * s.dq64[j] * s.dq64[k];
      worst.see(expected, b[i], 1);
    }
  }
  assert_below<double>(1e-9, worst, "Lagrange");
}
void test_lagrange() { check_lagrange<small::two_roots>(); }

}  // namespace

KINECAST_SUITE(reference, test_derivatives, test_lagrange)

}  // namespace unit_reference
