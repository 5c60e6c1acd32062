// SPDX-License-Identifier: MIT
// How fast the integrators approach the truth: fourth order of Runge-Kutta-Gill, first of symplectic Euler, on every kind of
// coordinate; and that q (+) t dq moves points with the velocities that kinematics says.
#include <kinecast/kinecast.hpp>

#include "../robots/chain.hpp"
#include "measure.hpp"
#include "robot_checks.hpp"
#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_integrators {
namespace {

using kinecast::State;
using measure::assert_below;
using measure::Worst;

enum class Method { gill, symplectic };

// Final state after some time in `steps` steps, from a fixed start.
template <const auto& R>
[[gnu::noinline]] State<R, double> run(Method method, double duration, int steps) {
  State<R, double> state = kinecast::zero_state<R, double>();
  for (int i = 0; i < state.dq.size(); ++i) state.dq[i] = 1.0 + 0.3 * i;
  checks::Vel<R, double> tau;
  for (int i = 0; i < tau.size(); ++i) tau[i] = 0.2 - 0.1 * i;
  for (int i = 0; i < steps; ++i) {
    const double dt = duration / steps;
    if (method == Method::gill)
      checks::assert_ok(
          kinecast::step_gill(kinecast::model<R, double>, tau, dt, checks::workspace<R, double>(), state));
    else
      checks::assert_ok(
          kinecast::step_symplectic(kinecast::model<R, double>, tau, dt, checks::workspace<R, double>(), state));
  }
  return state;
}
template <const auto& R>
double distance(const State<R, double>& a, const State<R, double>& b) {
  double sum = 0;
  for (int i = 0; i < a.q.size(); ++i) sum += (a.q[i] - b.q[i]) * (a.q[i] - b.q[i]);
  for (int i = 0; i < a.dq.size(); ++i) sum += (a.dq[i] - b.dq[i]) * (a.dq[i] - b.dq[i]);
  return std::sqrt(sum);
}
// Halving the step divides the error by 2^order: asymptotically, so 15 % is allowed in the exponent.
template <const auto& R>
void check_order(const char* name, double duration, int steps) {
  const State<R, double> truth = run<R>(Method::gill, duration, 16 * steps);
  const double rough = distance<R>(run<R>(Method::gill, duration, steps), truth);
  const double fine = distance<R>(run<R>(Method::gill, duration, 2 * steps), truth);
  TEST_ASSERT_TRUE(fine > 1e-13);  // else rounding is compared
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.6, 4.0, std::log2(rough / fine), name);
  const double rough1 = distance<R>(run<R>(Method::symplectic, duration, steps), truth);
  const double fine1 = distance<R>(run<R>(Method::symplectic, duration, 2 * steps), truth);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.15, 1.0, std::log2(rough1 / fine1), name);
}
void test_order() {
  check_order<robots::chain<1>>("chain1", 0.2, 64);
  check_order<small::ball_pendulum>("ball pendulum", 1, 64);
  check_order<small::free_body>("free body", 1, 64);
  check_order<small::two_roots>("two roots", 0.2, 64);
}

// The velocity of a point is the derivative of its position along q (+) t dq: kinematics and advance() agree on what dq is.
template <const auto& R>
void check_advance(const char* name) {
  constexpr double h = 1e-5;
  measure::Random random(61);
  checks::Sample<R, double> s;
  static kinecast::Kinematics<R, double> k;
  Worst worst;
  const kinecast::PointOnBody<double> point = kinecast::model<R, double>.points[0];
  for (int n = 0; n < measure::kEffort; ++n) {
    checks::draw(random, {}, s);
    checks::assert_ok((checks::kinematics<R, double>(s.q, s.dq, k)));
    const kinecast::Vector<double, 3> velocity = kinecast::point_velocity(k, point);
    const kinecast::PointJacobian<R, double> J = kinecast::point_jacobian(k, point);
    kinecast::Vector<double, 3> ends[2];
    for (int side = 0; side < 2; ++side) {
      checks::Pos<R, double> q = s.q;
      kinecast::advance<R, double>(s.dq, side == 0 ? -h : h, q);
      checks::assert_ok((checks::kinematics<R, double>(q, s.dq, k)));
      ends[side] = kinecast::point_position(k, point);
    }
    for (int i = 0; i < 3; ++i) {
      worst.see(velocity[i], (ends[1][i] - ends[0][i]) / (2 * h), 1);
      double sum = 0;
      for (int c = 0; c < s.kDofs; ++c) sum += J(3 + i, c) * s.dq[c];
      worst.see(velocity[i], sum, 1);
    }
  }
  // h² times a third derivative (100), and rounding over h.
  assert_below<double>(1e-8 + 1e-14 / h, worst, name, "derivative of positions");
}
void test_velocities_are_derivatives() {
  check_advance<small::free_body>("free body");
  check_advance<small::ball_pendulum>("ball pendulum");
  check_advance<small::two_roots>("two roots");
}

}  // namespace

KINECAST_SUITE(integrators, test_order, test_velocities_are_derivatives)

}  // namespace unit_integrators
