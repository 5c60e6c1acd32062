// SPDX-License-Identifier: MIT
// Rigid joints against the dense truth of the robot with these joints welded, M_aa ddq_a = tau_a - b_a, and against the full
// sweeps with these joints held.
#pragma once

#include <kinecast/dynamics/adaptive/rigidified_dynamics.hpp>
#include <kinecast/dynamics/adaptive/rigidity_rule.hpp>
#include <kinecast/dynamics/factor.hpp>
#include <kinecast/dynamics/impulse_response.hpp>
#include <kinecast/dynamics/step_motion.hpp>

#include "robot_truth.hpp"

namespace checks {

template <const auto& R, class S>
[[nodiscard]] inline kinecast::RigidJoints<R, S>& rigid_joints() noexcept {
  static kinecast::RigidJoints<R, S> one;
  return one;
}
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Status make_rigid(const Pos<R, S>& q, const kinecast::JointSet<R>& chosen) noexcept {
  return kinecast::rigidify(kinecast::model<R, S>, q, chosen, workspace<R, S>(), rigid_joints<R, S>());
}
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Status forward_rigid(const Pos<R, S>& q, const Vel<R, S>& dq, const Vel<R, S>& tau,
                                                  Vel<R, S>& ddq) noexcept {
  return kinecast::forward_dynamics(kinecast::model<R, S>, rigid_joints<R, S>(), q, dq, tau, workspace<R, S>(), ddq);
}

// About `share` of the joints that can be rigid.
template <const auto& R>
[[nodiscard, gnu::noinline]] kinecast::JointSet<R> draw_joints(Random& random, double share) noexcept {
  kinecast::JointSet<R> chosen;
  for (int b = 0; b < kinecast::Shape<R>::kBodies; ++b)
    if (kinecast::JointSet<R>::can_have(b) && random.within(1) < 2 * share - 1) assert_ok(chosen.add(b));
  return chosen;
}
template <const auto& R, class S>
[[gnu::noinline]] void stand_still(const kinecast::JointSet<R>& chosen, Sample<R, S>& s) noexcept {
  for (int b = 0; b < kinecast::Shape<R>::kBodies; ++b)
    if (chosen.has(b)) s.dq[kinecast::Shape<R>::v_of(b)] = S(0), s.dq64[kinecast::Shape<R>::v_of(b)] = 0;
}

// The dense mass matrix without the chosen joints' rows and columns: a one on their diagonal, so that what is zero stays zero.
template <const auto& R>
[[gnu::noinline]] void factor_welded(const kinecast::JointSet<R>& chosen, Truth<R>& exact) noexcept {
  using Shape = kinecast::Shape<R>;
  exact.at.find_mass_matrix();
  for (int i = 0; i < exact.kDofs; ++i)
    for (int j = 0; j < exact.kDofs; ++j) exact.L[i][j] = exact.at.M[i][j];
  for (int b = 0; b < Shape::kBodies; ++b) {
    if (!chosen.has(b)) continue;
    const int v = Shape::v_of(b);
    for (int i = 0; i < exact.kDofs; ++i) exact.L[i][v] = exact.L[v][i] = i == v ? 1 : 0;
  }
  TEST_ASSERT_TRUE_MESSAGE(dense::factor(exact.L), "the dense mass matrix is not positive definite");
}
template <const auto& R>
inline void drop_rigid(const kinecast::JointSet<R>& chosen, double* force) noexcept {
  for (int b = 0; b < kinecast::Shape<R>::kBodies; ++b)
    if (chosen.has(b)) force[kinecast::Shape<R>::v_of(b)] = 0;
}

// Accelerations, with and without wrenches on all links, relative to the largest.
template <const auto& R, class S>
[[nodiscard, gnu::noinline]] Worst welded_error(int states, double share) noexcept {
  Random random(11);
  static Sample<R, S> s;
  Worst worst;
  Truth<R>& exact = truth<R>();
  kinecast::LinkWrenches<R, S> wrenches;
  double extra[Sample<R, S>::kDofSize];
  for (int n = 0; n < states; ++n) {
    draw(random, {}, s);
    const kinecast::JointSet<R> chosen = draw_joints<R>(random, share);
    stand_still(chosen, s);
    assert_ok((make_rigid<R, S>(s.q, chosen)));
    exact.place(s.q64);
    for (double& x : extra) x = 0;
    for (int i = 0; i < R.kLinks; ++i) {
      for (int k = 0; k < 6; ++k) wrenches(k, i) = static_cast<S>(random.within(k < 3 ? 5 : 0.5));
      dense::Vec force{};
      dense::Vec moment{};
      for (int k = 0; k < 3; ++k) force[k] = static_cast<double>(wrenches(k, i));
      for (int k = 0; k < 3; ++k) moment[k] = static_cast<double>(wrenches(k + 3, i));
      exact.at.add_force(i, exact.at.pos[i], exact.at.rot[i] * force, exact.at.rot[i] * moment, extra);
    }
    factor_welded(chosen, exact);
    for (const bool pushed : {false, true}) {
      exact.find_torque(s.dq64, nullptr);
      for (int i = 0; i < s.kDofs; ++i) exact.force[i] = s.tau64[i] - exact.force[i] + (pushed ? extra[i] : 0);
      drop_rigid(chosen, exact.force);
      dense::solve(exact.L, exact.force);
      Vel<R, S> ddq = unset<R, S>();
      if (pushed)
        assert_ok(kinecast::forward_dynamics(kinecast::model<R, S>, rigid_joints<R, S>(), s.q, s.dq, s.tau, wrenches,
                                             workspace<R, S>(), ddq));
      else
        assert_ok((forward_rigid<R, S>(s.q, s.dq, s.tau, ddq)));
      if (chosen.count() < s.kDofs) compare(exact.force, ddq, s.kDofs, worst);
      for (int b = 0; b < kinecast::Shape<R>::kBodies; ++b)
        if (chosen.has(b)) TEST_ASSERT_TRUE(std::abs(ddq[kinecast::Shape<R>::v_of(b)]) <= S(0));
    }
  }
  return worst;
}

// Torques for the full sweeps, with the rigid joints held.
template <const auto& R, class S>
struct HeldJoints {
  static constexpr bool kIsPlain = false;
  const kinecast::JointSet<R>& rigid;
  const Vel<R, S>& tau;
  [[nodiscard]] S torque(int v) const noexcept { return tau[v]; }
  [[nodiscard]] kinecast::JointAction<S> act(int body, int v, S /*inertia*/, S /*load*/) const noexcept {
    return {tau[v], S(0), S(0), rigid.has(body), false};
  }
  void carry(int /*body*/, S /*torque*/) const noexcept {}
};

template <class S>
inline void see(const kinecast::Vec3<S>& expected, const kinecast::Vec3<S>& got, double scale, Worst& worst) noexcept {
  worst.see(static_cast<double>(expected.x), static_cast<double>(got.x), scale);
  worst.see(static_cast<double>(expected.y), static_cast<double>(got.y), scale);
  worst.see(static_cast<double>(expected.z), static_cast<double>(got.z), scale);
}
template <class S>
[[nodiscard]] inline double size_of(const kinecast::Vec3<S>& v) noexcept {
  return static_cast<double>(std::sqrt(dot(v, v)));
}

// After forward_dynamics() with the rigid joints: what it left for others to build on, against the full sweeps with them held.
template <const auto& R, class S>
[[gnu::noinline]] void see_held(const kinecast::JointSet<R>& chosen, const Sample<R, S>& s, const Vel<R, S>& ddq,
                                Worst& worst) noexcept {
  using Shape = kinecast::Shape<R>;
  static kinecast::Workspace<R, S> held;
  const auto& model = kinecast::model<R, S>;
  const kinecast::Workspace<R, S>& work = workspace<R, S>();
  Vel<R, S> ddq_held = unset<R, S>();
  HeldJoints<R, S> source{chosen, s.tau};
  assert_ok(kinecast::update_screws(model, s.q, held.screws));
  const kinecast::detail::WholeTree<R, S> tree{model};
  kinecast::detail::sweep_motion_outward(tree, kinecast::detail::Rates<R, S>{s.dq, nullptr}, held);
  TEST_ASSERT_TRUE(kinecast::detail::sweep_inward(tree, source, held));
  kinecast::detail::sweep_outward(tree, held, ddq_held);
  double expected[Sample<R, S>::kDofSize];
  for (int i = 0; i < s.kDofs; ++i) expected[i] = static_cast<double>(ddq_held[i]);
  if (chosen.count() < s.kDofs) compare(expected, ddq, s.kDofs, worst);
  for (int b = 0; b < Shape::kBodies; ++b) {
    const std::size_t at = static_cast<std::size_t>(b);
    TEST_ASSERT_TRUE((rigid_joints<R, S>()[b].slot < Shape::kHas.slots));
    const kinecast::Screw<S>& screw = work.screws[b];
    const kinecast::Screw<S>& same = held.screws[b];
    TEST_ASSERT_TRUE(
        std::abs(screw.cos - same.cos) + std::abs(screw.sin - same.sin) + std::abs(screw.slide - same.slide) <= S(0));
    if (kinecast::JointSet<R>::can_have(b)) {
      const kinecast::Hinge<S>& h = held.hinges[at];
      const double size = size_of(h.U.moment) + size_of(h.U.force);
      worst.see(static_cast<double>(h.inverse_D), static_cast<double>(work.hinges[at].inverse_D),
                chosen.has(b) ? 1 : static_cast<double>(h.inverse_D));
      if (!chosen.has(b)) {
        see(h.U.moment, work.hinges[at].U.moment, size, worst);
        see(h.U.force, work.hinges[at].U.force, size, worst);
      }
    }
    if constexpr (Shape::kPoints > 0) {
      // Accelerations within a body differ by alpha and omega² times its size: one scale for all.
      const kinecast::LinkMotion<S>& m = held.products[at];
      const double size = size_of(m.alpha) + size_of(m.acceleration) + 1;
      see(m.omega, work.products[at].omega, size, worst);
      see(m.alpha, work.products[at].alpha, size, worst);
      see(m.acceleration, work.products[at].acceleration, size, worst);
      const double largest = measure::largest(expected, s.kDofs) + 1;
      see(held.added[at].angular, work.added[at].angular, largest, worst);
      see(held.added[at].linear, work.added[at].linear, largest, worst);
    }
  }
}

struct HybridErrors {
  Worst left;     // U and 1/D in the workspace, and how all bodies move, against the full sweeps with held joints
  Worst matrix;   // A of points on all links against J M_aa⁻¹ Jᵀ
  Worst rows;     // the same from single rows, of forces and of joints
  Worst impulse;  // the velocities after an impulse, against M_aa⁻¹ Jᵀ
};

template <const auto& R, class S>
[[nodiscard, gnu::noinline]] HybridErrors hybrid_error(int states, double share) noexcept {
  using Shape = kinecast::Shape<R>;
  constexpr std::size_t kPlaces = 3;
  constexpr std::size_t kDofSize = Sample<R, S>::kDofSize;
  const auto& model = kinecast::model<R, S>;
  Random random(12);
  static Sample<R, S> s;
  static kinecast::Kinematics<R, S> k;
  static kinecast::ContactFactor<R, S, static_cast<int>(kPlaces)> Y;
  static double J[3 * kPlaces + 2][kDofSize];
  kinecast::Workspace<R, S>& work = workspace<R, S>();
  HybridErrors worst;
  Truth<R>& exact = truth<R>();
  for (int n = 0; n < states; ++n) {
    draw(random, {}, s);
    const kinecast::JointSet<R> chosen = draw_joints<R>(random, share);
    stand_still(chosen, s);
    Vel<R, S> ddq = unset<R, S>();
    assert_ok((make_rigid<R, S>(s.q, chosen)));
    assert_ok((forward_rigid<R, S>(s.q, s.dq, s.tau, ddq)));
    kinecast::complete_motions(model, rigid_joints<R, S>(), work);

    see_held(chosen, s, ddq, worst.left);
    // Contact on the hybrid tree: points on three links, rigid ones among them.
    std::array<kinecast::PointOnBody<S>, kPlaces> points;
    exact.place(s.q64);
    factor_welded(chosen, exact);
    assert_ok((kinematics<R, S>(s.q, s.dq, k)));
    for (std::size_t c = 0; c < kPlaces; ++c) {
      const int link = (n + static_cast<int>(c) * 2) % R.kLinks;
      const dense::Vec in_link{{0.05, -0.02, 0.03}};
      points[c] = kinecast::point_on_link(model, link, kinecast::Vector<S, 3>(S(0.05), S(-0.02), S(0.03)));
      exact.at.jacobian(link, exact.at.point(link, in_link), exact.jacobian);
      for (std::size_t r = 0; r < 3; ++r) {
        for (int i = 0; i < s.kDofs; ++i) J[3 * c + r][i] = exact.jacobian[3 + r][i];
        drop_rigid(chosen, J[3 * c + r]);
      }
    }
    int joint = n % Shape::kBodies;
    while (!kinecast::JointSet<R>::can_have(joint)) joint = (joint + 1) % Shape::kBodies;
    constexpr std::size_t kJoint = 3 * kPlaces;
    constexpr std::size_t kPush = kJoint + 1;  // oblique: along an axis nothing may yield but rounding
    for (int i = 0; i < s.kDofs; ++i) J[kJoint][i] = i == Shape::v_of(joint) ? 1 : 0;
    drop_rigid(chosen, J[kJoint]);
    for (int i = 0; i < s.kDofs; ++i) J[kPush][i] = J[0][i] + 0.75 * J[1][i] - 0.5 * J[2][i];
    assert_ok(kinecast::contact_map(model, work, k, points, static_cast<int>(kPlaces), Y));
    // Every pair of points, and one row of a force on a body and of a joint against all of them.
    double solved[kDofSize];
    kinecast::FactorRow<R, S> force_row = {};
    kinecast::FactorRow<R, S> joint_row = {};
    Vel<R, S> change = Vel<R, S>::Zero();
    const kinecast::PointOnBody<S>& at = points[0];
    if (at.body != kinecast::kWorld) {
      const kinecast::Vec3<S> along =
          transpose_times(k.pose(at.body).rotation, kinecast::Vec3<S>{S(1), S(0.75), S(-0.5)});
      const kinecast::Force<S> push{cross(at.position, along), along};
      kinecast::Factor{model, work}.rows(at.body, push, force_row);
      assert_ok(kinecast::impulse_response(model, work, at.body, push, change));
    }
    kinecast::Factor{model, work}.joint_row(joint, S(1), joint_row);
    double scale = 0;
    for (int r = 0; r < static_cast<int>(3 * kPlaces); ++r) {
      double square = 0;
      for (int i = 0; i < s.kDofs; ++i) square += static_cast<double>(Y(r, i)) * static_cast<double>(Y(r, i));
      scale = std::fmax(scale, square);
    }
    double joint_scale = 0;
    for (int i = 0; i < s.kDofs; ++i)
      joint_scale += static_cast<double>(joint_row[i]) * static_cast<double>(joint_row[i]);
    for (std::size_t c = 0; c <= kPush; ++c) {
      for (int i = 0; i < s.kDofs; ++i) solved[i] = J[c][i];
      dense::solve(exact.L, solved);
      if (c == kPush) {
        for (int i = 0; i < s.kDofs; ++i)
          worst.impulse.see(solved[i], static_cast<double>(change[i]), measure::largest(solved, s.kDofs) + 1e-30);
        continue;
      }
      for (std::size_t r = 0; r < kJoint; ++r) {
        double want = 0;
        double got = 0;
        for (int i = 0; i < s.kDofs; ++i) want += J[r][i] * solved[i];
        for (int i = 0; i < s.kDofs; ++i)
          got += static_cast<double>(Y(static_cast<int>(r), i)) *
                 static_cast<double>(c < kJoint ? Y(static_cast<int>(c), i) : joint_row[i]);
        if (c < kJoint)
          worst.matrix.see(want, got, scale + 1e-30);
        else
          worst.rows.see(want, got, std::sqrt(scale * joint_scale) + 1e-30);
      }
      double want = 0;
      double got = 0;
      for (int i = 0; i < s.kDofs; ++i) want += J[kPush][i] * solved[i];
      for (int i = 0; i < s.kDofs; ++i)
        got += static_cast<double>(force_row[i]) *
               static_cast<double>(c < kJoint ? Y(static_cast<int>(c), i) : joint_row[i]);
      worst.rows.see(want, got, (c < kJoint ? scale : std::sqrt(scale * joint_scale)) + 1e-30);
    }
  }
  return worst;
}

}  // namespace checks
