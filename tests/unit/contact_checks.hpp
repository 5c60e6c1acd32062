// SPDX-License-Identifier: MIT
// The contact map and the response to contact forces against the dense truth, over random states.
#pragma once

#include "robot_truth.hpp"

namespace checks {

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

}  // namespace checks
