// SPDX-License-Identifier: MIT
// The library against dense_reference.hpp, for any robot and scalar. Each check draws random states, finds the worst
// relative error and returns it; the test that calls it knows the robot, and so the tolerance.
// Big objects are static: a board's stack is 8 KB (Cortex-M0) to 64 KB.
#pragma once

#include <kinecast/kinecast.hpp>

#include <array>

#include "dense_reference.hpp"
#include "measure.hpp"

namespace checks {

using kinecast::JointKind;
using kinecast::Status;
using measure::compare;
using measure::Random;
using measure::Worst;

// Sizes of the random velocities and torques: chosen so that gravity, velocity and torque terms all matter.
struct Ranges {
  double dq{2};
  double ddq{5};
  double tau{5};
};

// A state in the scalar under test, and the same numbers, exactly, in double.
template <const auto& R, class S>
struct Sample {
  static constexpr int kDofs = dense::Reference<R>::kDofs;
  static constexpr int kPositions = dense::Reference<R>::kPositions;
  static constexpr std::size_t kDofSize = static_cast<std::size_t>(kDofs);
  kinecast::Position<R, S> q;
  kinecast::Velocity<R, S> dq;
  kinecast::Velocity<R, S> ddq;
  kinecast::Velocity<R, S> tau;
  double q64[static_cast<std::size_t>(kPositions)];
  double dq64[kDofSize];
  double ddq64[kDofSize];
  double tau64[kDofSize];
};

template <class S>
inline void draw_quaternion(Random& random, S* q) noexcept {
  double v[4];
  double square = 0;
  do {
    square = 0;
    for (double& x : v) x = random.within(1), square += x * x;
  } while (square < 0.1);
  for (int i = 0; i < 4; ++i) q[i] = static_cast<S>(v[i] / std::sqrt(square));
}

template <const auto& R, class S>
[[gnu::noinline]] void draw(Random& random, const Ranges& ranges, Sample<R, S>& out) noexcept {
  constexpr double kPi = 3.14159265358979323846;
  int at = 0;
  for (const kinecast::Link& l : R.links) {
    if (l.joint == JointKind::floating)
      for (int i = 0; i < 3; ++i) out.q[at++] = static_cast<S>(random.within(1));
    if (l.joint == JointKind::floating || l.joint == JointKind::spherical)
      draw_quaternion(random, out.q.data() + at), at += 4;
    if (l.joint == JointKind::revolute) out.q[at++] = static_cast<S>(random.within(kPi));
    if (l.joint == JointKind::prismatic) out.q[at++] = static_cast<S>(random.within(0.5));
  }
  for (int i = 0; i < out.kDofs; ++i) {
    out.dq[i] = static_cast<S>(random.within(ranges.dq));
    out.ddq[i] = static_cast<S>(random.within(ranges.ddq));
    out.tau[i] = static_cast<S>(random.within(ranges.tau));
  }
  for (int i = 0; i < out.kPositions; ++i) out.q64[i] = static_cast<double>(out.q[i]);
  for (int i = 0; i < out.kDofs; ++i) {
    out.dq64[i] = static_cast<double>(out.dq[i]);
    out.ddq64[i] = static_cast<double>(out.ddq[i]);
    out.tau64[i] = static_cast<double>(out.tau[i]);
  }
}

// The dense truth for one robot: reference, the factor of M, generalised forces.
template <const auto& R>
struct Truth {
  static constexpr int kDofs = dense::Reference<R>::kDofs;
  static constexpr std::size_t kDofSize = static_cast<std::size_t>(kDofs);
  dense::Reference<R> at;
  double L[kDofSize][kDofSize];  // Cholesky factor of M
  double force[kDofSize];        // result of the calls below
  double jacobian[6][kDofSize];

  void place(const double* q) noexcept { at.place(R, q); }
  void factor_mass_matrix() noexcept {
    at.find_mass_matrix();
    for (int i = 0; i < kDofs; ++i)
      for (int j = 0; j < kDofs; ++j) L[i][j] = at.M[i][j];
    TEST_ASSERT_TRUE_MESSAGE(dense::factor(L), "the dense mass matrix is not positive definite");
  }
  // force <- M ddq + b
  void find_torque(const double* dq, const double* ddq) noexcept {
    at.move(dq, ddq);
    at.find_force(force);
    if (ddq == nullptr) return;
    for (int i = 0; i < R.kLinks; ++i)
      if (at.dofs(i) == 1) force[at.entry(i).v] += R.link(i).drive.at_joint.rotor_inertia_kgm2 * ddq[at.entry(i).v];
  }
  // force <- M⁻¹ (tau + extra - b); extra may be null
  void find_acceleration(const double* dq, const double* tau, const double* extra) noexcept {
    find_torque(dq, nullptr);
    for (int i = 0; i < kDofs; ++i) force[i] = tau[i] - force[i] + (extra == nullptr ? 0 : extra[i]);
    factor_mass_matrix();
    dense::solve(L, force);
  }
};

template <const auto& R>
[[nodiscard]] inline Truth<R>& truth() noexcept {
  static Truth<R> one;
  return one;
}
template <const auto& R, class S>
[[nodiscard]] inline kinecast::Workspace<R, S>& workspace() noexcept {
  static kinecast::Workspace<R, S> one;
  return one;
}

// Never inlined: one copy of each algorithm per robot and scalar, or the tests take minutes to compile.
template <const auto& R, class S>
using Vel = kinecast::Velocity<R, S>;
template <const auto& R, class S>
using Pos = kinecast::Position<R, S>;

// An output that the library must fill.
template <const auto& R, class S>
[[nodiscard]] inline Vel<R, S> unset() noexcept {
  return Vel<R, S>::Constant(std::numeric_limits<S>::quiet_NaN());
}
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Status forward(const Pos<R, S>& q, const Vel<R, S>& dq, const Vel<R, S>& tau,
                                            Vel<R, S>& ddq) noexcept {
  return kinecast::forward_dynamics(kinecast::model<R, S>, q, dq, tau, workspace<R, S>(), ddq);
}
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Status inverse(const Pos<R, S>& q, const Vel<R, S>& dq, const Vel<R, S>& ddq,
                                            Vel<R, S>& tau) noexcept {
  return kinecast::inverse_dynamics(kinecast::model<R, S>, q, dq, ddq, workspace<R, S>(), tau);
}
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Status bias(const Pos<R, S>& q, const Vel<R, S>& dq, Vel<R, S>& tau) noexcept {
  return kinecast::bias_torque(kinecast::model<R, S>, q, dq, workspace<R, S>(), tau);
}
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Status kinematics(const Pos<R, S>& q, const Vel<R, S>& dq,
                                               kinecast::Kinematics<R, S>& k) noexcept {
  return kinecast::update_kinematics(kinecast::model<R, S>, q, dq, k);
}

inline void assert_ok(Status status) noexcept { TEST_ASSERT_EQUAL_STRING("ok", kinecast::sentence(status)); }

template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Worst forward_dynamics_error(int states, const Ranges& ranges = {}) noexcept {
  Random random(1);
  Sample<R, S> s;
  Worst worst;
  Truth<R>& exact = truth<R>();
  for (int n = 0; n < states; ++n) {
    draw(random, ranges, s);
    exact.place(s.q64);
    exact.find_acceleration(s.dq64, s.tau64, nullptr);
    Vel<R, S> ddq = unset<R, S>();
    assert_ok((forward<R, S>(s.q, s.dq, s.tau, ddq)));
    compare(exact.force, ddq, s.kDofs, worst);
  }
  return worst;
}

template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Worst inverse_dynamics_error(int states, const Ranges& ranges = {}) noexcept {
  Random random(2);
  Sample<R, S> s;
  Worst worst;
  Truth<R>& exact = truth<R>();
  Vel<R, S> tau = unset<R, S>();
  double rest[Sample<R, S>::kDofSize] = {};
  for (int n = 0; n < states; ++n) {
    draw(random, ranges, s);
    exact.place(s.q64);
    exact.find_torque(s.dq64, s.ddq64);
    assert_ok((inverse<R, S>(s.q, s.dq, s.ddq, tau)));
    compare(exact.force, tau, s.kDofs, worst);

    exact.find_torque(s.dq64, nullptr);
    assert_ok((bias<R, S>(s.q, s.dq, tau)));
    compare(exact.force, tau, s.kDofs, worst);
  }
  // Gravity alone; near an equilibrium it vanishes, so the scale is the largest torque of any state.
  double scale = 0;
  Worst absolute;
  for (int n = 0; n < states; ++n) {
    draw(random, ranges, s);
    exact.place(s.q64);
    exact.find_torque(rest, nullptr);
    assert_ok(kinecast::gravity_torque(kinecast::model<R, S>, s.q, workspace<R, S>(), tau));
    scale = std::fmax(scale, measure::largest(exact.force, s.kDofs));
    for (int i = 0; i < s.kDofs; ++i) absolute.see(exact.force[i], static_cast<double>(tau[i]), 1);
  }
  worst.see(scale > 0 ? absolute.value / scale : absolute.value);
  return worst;
}

template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Worst mass_matrix_error(int states) noexcept {
  Random random(3);
  Sample<R, S> s;
  Worst worst;
  Truth<R>& exact = truth<R>();
  static kinecast::JointMatrix<R, S> H;
  for (int n = 0; n < states; ++n) {
    draw(random, {}, s);
    exact.place(s.q64);
    exact.at.find_mass_matrix();
    H.setConstant(std::numeric_limits<S>::quiet_NaN());  // every entry must be written
    assert_ok(kinecast::mass_matrix(kinecast::model<R, S>, s.q, workspace<R, S>(), H));
    double scale = 0;
    for (int i = 0; i < s.kDofs; ++i) scale = std::fmax(scale, exact.at.M[i][i]);
    for (int i = 0; i < s.kDofs; ++i) {
      for (int j = 0; j < s.kDofs; ++j) {
        worst.see(exact.at.M[i][j], static_cast<double>(H(i, j)), scale);
        // Both triangles hold the same products, summed in another order at most.
        TEST_ASSERT_DOUBLE_WITHIN(4 * measure::kEps<S> * scale, static_cast<double>(H(i, j)),
                                  static_cast<double>(H(j, i)));
      }
    }
  }
  return worst;
}

// tau -> ddq -> tau and ddq -> tau -> ddq, relative to the largest torque and to the largest acceleration involved.
struct RoundTrip {
  Worst torque;
  Worst acceleration;
};
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] RoundTrip round_trip_error(int states, const Ranges& ranges = {}) noexcept {
  Random random(4);
  Sample<R, S> s;
  RoundTrip worst;
  for (int n = 0; n < states; ++n) {
    draw(random, ranges, s);
    Vel<R, S> ddq = unset<R, S>();
    Vel<R, S> tau = unset<R, S>();
    Vel<R, S> needed = unset<R, S>();
    assert_ok((forward<R, S>(s.q, s.dq, s.tau, ddq)));
    assert_ok((inverse<R, S>(s.q, s.dq, ddq, tau)));
    assert_ok((bias<R, S>(s.q, s.dq, needed)));
    const double torque = measure::largest(s.tau64, s.kDofs) + measure::largest(needed, s.kDofs);
    for (int i = 0; i < s.kDofs; ++i) worst.torque.see(s.tau64[i], static_cast<double>(tau[i]), torque);

    assert_ok((inverse<R, S>(s.q, s.dq, s.ddq, tau)));
    assert_ok((forward<R, S>(s.q, s.dq, tau, ddq)));
    compare(s.ddq64, ddq, s.kDofs, worst.acceleration);
  }
  return worst;
}

// Wrenches on all links at once: in forward dynamics as Jᵀ f on the dense right-hand side, in inverse dynamics likewise.
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Worst wrench_error(int states, const Ranges& ranges = {}) noexcept {
  Random random(5);
  Sample<R, S> s;
  Worst worst;
  Truth<R>& exact = truth<R>();
  kinecast::LinkWrenches<R, S> wrenches;
  double extra[Sample<R, S>::kDofSize];
  for (int n = 0; n < states; ++n) {
    draw(random, ranges, s);
    for (int i = 0; i < R.kLinks; ++i)
      for (int k = 0; k < 6; ++k) wrenches(k, i) = static_cast<S>(random.within(k < 3 ? 5 : 0.5));
    exact.place(s.q64);
    for (double& x : extra) x = 0;
    for (int i = 0; i < R.kLinks; ++i) {
      dense::Vec force{};
      dense::Vec moment{};
      for (int k = 0; k < 3; ++k) force[k] = static_cast<double>(wrenches(k, i));
      for (int k = 0; k < 3; ++k) moment[k] = static_cast<double>(wrenches(k + 3, i));
      exact.at.add_force(i, exact.at.pos[i], exact.at.rot[i] * force, exact.at.rot[i] * moment, extra);
    }
    Vel<R, S> got = unset<R, S>();
    exact.find_acceleration(s.dq64, s.tau64, extra);
    assert_ok(kinecast::forward_dynamics(kinecast::model<R, S>, s.q, s.dq, s.tau, wrenches, workspace<R, S>(), got));
    compare(exact.force, got, s.kDofs, worst);

    exact.find_torque(s.dq64, s.ddq64);
    for (int i = 0; i < s.kDofs; ++i) exact.force[i] -= extra[i];
    assert_ok(kinecast::inverse_dynamics(kinecast::model<R, S>, s.q, s.dq, s.ddq, wrenches, workspace<R, S>(), got));
    compare(exact.force, got, s.kDofs, worst);
  }
  return worst;
}

// Poses, velocities, Jacobians, energies, momentum. Lengths are of the order of a metre, so errors are absolute in m and
// m/s per m/s; energies and momenta are relative to their own size.
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Worst kinematics_error(int states) noexcept {
  Random random(6);
  Sample<R, S> s;
  Worst worst;
  Truth<R>& exact = truth<R>();
  static kinecast::Kinematics<R, S> k;
  const auto& model = kinecast::model<R, S>;
  for (int n = 0; n < states; ++n) {
    draw(random, {}, s);
    exact.place(s.q64);
    exact.at.move(s.dq64, nullptr);
    assert_ok((kinematics<R, S>(s.q, s.dq, k)));
    double speed = 1;
    for (int i = 0; i < R.kLinks; ++i)
      speed = std::fmax(speed, std::fmax(measure::largest(exact.at.w[i].at, 3), measure::largest(exact.at.v[i].at, 3)));
    for (int i = 0; i < R.kLinks; ++i) {
      const kinecast::Pose<S> pose = kinecast::link_pose(model, k, i);
      const kinecast::Twist<S> twist = kinecast::link_velocity(model, k, i);
      for (int r = 0; r < 3; ++r) {
        worst.see(exact.at.pos[i][r], static_cast<double>(pose.position[r]), 1);
        worst.see(exact.at.w[i][r], static_cast<double>(twist.angular[r]), speed);
        worst.see(exact.at.v[i][r], static_cast<double>(twist.linear[r]), speed);
        for (int c = 0; c < 3; ++c) worst.see(exact.at.rot[i][r][c], static_cast<double>(pose.rotation(r, c)), 1);
      }
      // A point away from the link's origin.
      const dense::Vec in_link{{0.1, -0.2, 0.3}};
      const dense::Vec p = exact.at.point(i, in_link);
      const kinecast::PointOnBody<S> point =
          kinecast::point_on_link(model, i, kinecast::Vector<S, 3>(S(0.1), S(-0.2), S(0.3)));
      const kinecast::Vector<S, 3> position = kinecast::point_position(k, point);
      const kinecast::Vector<S, 3> velocity = kinecast::point_velocity(k, point);
      const dense::Vec v = exact.at.v[i] + dense::cross(exact.at.w[i], p - exact.at.pos[i]);
      for (int r = 0; r < 3; ++r) {
        worst.see(p[r], static_cast<double>(position[r]), 1);
        worst.see(v[r], static_cast<double>(velocity[r]), speed);
      }
      exact.at.jacobian(i, p, exact.jacobian);
      const kinecast::PointJacobian<R, S> J = kinecast::point_jacobian(k, point);
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < s.kDofs; ++c) worst.see(exact.jacobian[r][c], static_cast<double>(J(r, c)), 1);
    }
    const double kinetic = exact.at.kinetic(s.dq64);
    worst.see(kinetic, static_cast<double>(kinecast::kinetic_energy(model, k, s.dq)), kinetic);
    // Momentum and centre of mass of the links that can move, from their definitions.
    double mass = 0;
    dense::Vec first{};
    dense::Vec linear{};
    dense::Vec angular{};
    for (int i = 0; i < R.kLinks; ++i) {
      if (!exact.at.moves(i)) continue;
      const double m = R.link(i).mass_kg;
      const dense::Vec c = exact.at.com(i);
      const dense::Vec push = m * (exact.at.v[i] + dense::cross(exact.at.w[i], c - exact.at.pos[i]));
      mass += m;
      first = first + m * c;
      linear = linear + push;
      angular = angular + dense::cross(c, push) + exact.at.inertia(i) * exact.at.w[i];
    }
    const dense::Vec com = (1 / mass) * first;
    angular = angular - dense::cross(com, linear);
    const double g = measure::largest(dense::vec(R.gravity_mps2).at, 3);
    worst.see(exact.at.potential(), static_cast<double>(kinecast::potential_energy(model, k)), mass * (g + 1));
    const kinecast::Momentum<S> got = kinecast::momentum(model, k);
    worst.see(mass, static_cast<double>(got.mass), mass);
    compare(linear.at, got.linear, 3, worst);
    for (int r = 0; r < 3; ++r) {
      worst.see(com[r], static_cast<double>(got.com[r]), 1);
      // About the centre of mass: what is left of terms as large as the linear momentum times a metre.
      worst.see(angular[r], static_cast<double>(got.angular_about_com[r]),
                measure::largest(linear.at, 3) + measure::largest(angular.at, 3));
    }
  }
  return worst;
}

// A place to push: a link (or kWorld) and a point in its frame.
struct Place {
  int link;
  dense::Vec in_link;
};

struct ContactErrors {
  Worst matrix;    // A against J M⁻¹ Jᵀ, relative to its largest entry
  Worst response;  // against M⁻¹ Jᵀ f
  Worst negative;  // how far vᵀ A v lies below zero for unit v, relative likewise
};

// Points on links, or on the world; forces and motions in world axes.
template <const auto& R, class S, std::size_t Count>
[[nodiscard, gnu::noinline]] ContactErrors contact_map_error(int states,
                                                             const std::array<Place, Count>& places) noexcept {
  constexpr int kCount = static_cast<int>(Count);
  constexpr int kRows = 3 * kCount;
  constexpr std::size_t kRowSize = 3 * Count;
  constexpr int kDofs = dense::Reference<R>::kDofs;
  constexpr std::size_t kDofSize = static_cast<std::size_t>(kDofs);
  Random random(7);
  Sample<R, S> s;
  ContactErrors worst;
  Truth<R>& exact = truth<R>();
  const auto& model = kinecast::model<R, S>;
  kinecast::Workspace<R, S>& work = workspace<R, S>();
  static kinecast::Kinematics<R, S> k;
  static kinecast::ContactFactor<R, S, kCount> Y;
  static kinecast::Matrix<S, kRows, kRows> A;
  static double J[kRowSize][kDofSize];
  static double solved[kRowSize][kDofSize];
  std::array<kinecast::PointOnBody<S>, Count> points;
  for (std::size_t c = 0; c < Count; ++c) {
    const dense::Vec& p = places[c].in_link;
    points[c] = kinecast::point_on_link(
        model, places[c].link,
        kinecast::Vector<S, 3>(static_cast<S>(p[0]), static_cast<S>(p[1]), static_cast<S>(p[2])));
  }
  for (int n = 0; n < states; ++n) {
    draw(random, {}, s);
    Vel<R, S> ddq = unset<R, S>();
    assert_ok((kinematics<R, S>(s.q, s.dq, k)));
    assert_ok((forward<R, S>(s.q, s.dq, s.tau, ddq)));
    Y.setConstant(std::numeric_limits<S>::quiet_NaN());  // every entry must be written
    A.setConstant(std::numeric_limits<S>::quiet_NaN());
    assert_ok(kinecast::contact_map(model, work, k, points, kCount, Y));
    kinecast::contact_matrix(Y, A);

    exact.place(s.q64);
    exact.factor_mass_matrix();
    double scale = 0;
    for (int c = 0; c < kCount; ++c) {
      const Place& place = places[static_cast<std::size_t>(c)];
      exact.at.jacobian(place.link, exact.at.point(place.link, place.in_link), exact.jacobian);
      for (int r = 0; r < 3; ++r) {
        double* row = J[3 * c + r];
        double* response = solved[3 * c + r];
        for (int i = 0; i < kDofs; ++i) row[i] = response[i] = exact.jacobian[3 + r][i];
        dense::solve(exact.L, response);
        double diagonal = 0;
        for (int i = 0; i < kDofs; ++i) diagonal += row[i] * response[i];
        scale = std::fmax(scale, diagonal);
      }
    }
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kRows; ++c) {
        double expected = 0;
        for (int i = 0; i < kDofs; ++i) expected += J[r][i] * solved[c][i];
        worst.matrix.see(expected, static_cast<double>(A(r, c)), scale);
        // The same products in the same order on both sides of the diagonal: equal to the bit.
        TEST_ASSERT_TRUE(A(r, c) <= A(c, r) && A(r, c) >= A(c, r));
      }
    }
    for (int trial = 0; trial < 4; ++trial) {
      double v[kRowSize];
      double square = 0;
      for (double& x : v) x = random.within(1), square += x * x;
      double sum = 0;
      for (int r = 0; r < kRows; ++r)
        for (int c = 0; c < kRows; ++c) sum += v[r] * static_cast<double>(A(r, c)) * v[c];
      if (sum < 0) worst.negative.see(sum / (square * scale));
    }
    kinecast::Vector<S, kRows> f;
    double expected[kDofSize] = {};
    double parts[kDofSize] = {};  // forces may cancel each other: errors are relative to what each does alone
    for (int r = 0; r < kRows; ++r) {
      f[r] = static_cast<S>(random.within(1));
      for (int i = 0; i < kDofs; ++i) {
        const double share = static_cast<double>(f[r]) * solved[r][i];
        expected[i] += share;
        parts[i] += std::abs(share);
      }
    }
    assert_ok(kinecast::response(model, Y, f, work, ddq));
    for (int i = 0; i < kDofs; ++i)
      worst.response.see(expected[i], static_cast<double>(ddq[i]), measure::largest(parts, kDofs));
  }
  return worst;
}

// What a robot is allowed, all relative: see the checks.
struct Limits {
  double forward;
  double inverse;
  double mass;
  double wrench;
  double kinematics;
  double trip_torque;
  double trip_acceleration;
};

template <const auto& R, class S>
[[gnu::noinline]] void check_robot(const char* name, int states, const Limits& limit,
                                   const Ranges& ranges = {}) noexcept {
  using measure::assert_below;
  assert_below<S>(limit.forward, forward_dynamics_error<R, S>(states, ranges), name, "forward dynamics");
  assert_below<S>(limit.inverse, inverse_dynamics_error<R, S>(states, ranges), name, "inverse dynamics");
  assert_below<S>(limit.mass, mass_matrix_error<R, S>(states), name, "mass matrix");
  assert_below<S>(limit.wrench, wrench_error<R, S>(states, ranges), name, "wrenches");
  assert_below<S>(limit.kinematics, kinematics_error<R, S>(states), name, "kinematics");
  const RoundTrip trip = round_trip_error<R, S>(states, ranges);
  assert_below<S>(limit.trip_torque, trip.torque, name, "torque to torque");
  assert_below<S>(limit.trip_acceleration, trip.acceleration, name, "acceleration to acceleration");
}

template <const auto& R, class S, std::size_t Count>
[[gnu::noinline]] void check_contacts(const char* name, int states, double matrix, double response,
                                      const std::array<Place, Count>& places) noexcept {
  using measure::assert_below;
  const ContactErrors errors = contact_map_error<R, S>(states, places);
  assert_below<S>(matrix, errors.matrix, name, "contact map");
  assert_below<S>(response, errors.response, name, "response to contact forces");
  assert_below<S>(4 * measure::kEps<S>, errors.negative, name, "negative part of A");  // squares, added up
}

}  // namespace checks
