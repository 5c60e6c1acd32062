// SPDX-License-Identifier: MIT
// The implicit form (method 5.3) against its equations, transcribed: normal equations by Gauss elimination, S003 eq. 21, the re-solve.
#include "drive_checks.hpp"
#include "unity_main.hpp"

namespace unit_implicit_friction {
namespace {

using namespace driven;
using measure::assert_below;
using measure::Worst;
using s003::decide;
using s003::Decision;

constexpr std::size_t kMost = 4;
using Square = double[kMost][kMost];
using Column = double[kMost];

// x <- A⁻¹ x for the first n rows, Gauss elimination with pivoting.
void eliminate(Square& A, Column& x, std::size_t n) {
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r)
      if (std::abs(A[r][c]) > std::abs(A[pivot][c])) pivot = r;
    for (std::size_t k = 0; k < n; ++k) std::swap(A[c][k], A[pivot][k]);
    std::swap(x[c], x[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double f = A[r][c] / A[c][c];
      for (std::size_t k = c; k < n; ++k) A[r][k] -= f * A[c][k];
      x[r] -= f * x[c];
    }
  }
  for (std::size_t r = 0; r < n; ++r) x[r] /= A[r][r];
}
template <std::size_t N>
struct Textbook {
  double H[N][N];  // with rotors
  double inverse[N][N];
  double right[N];  // E e - D dq - b
  bool sticks[N];
  double friction[N];

  void velocity_without(const double (&dq)[N], double h, double (&v)[N]) const {
    for (std::size_t i = 0; i < N; ++i) {
      v[i] = dq[i];
      for (std::size_t j = 0; j < N; ++j) v[i] += h * inverse[i][j] * (right[j] + (sticks[j] ? 0 : friction[j]));
    }
  }
  // argmin |A P + c + k d|² + lambda |P|² over the joints that stick, S003 eq. 21 for all of them, again until none changes.
  void solve(const double (&dq)[N], const double (&d)[N], double h, double k, double relaxation) {
    for (std::size_t c = 0; c < N; ++c) {
      Square A = {};
      Column x = {};
      for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j) A[i][j] = H[i][j];
      x[c] = 1;
      eliminate(A, x, N);
      for (std::size_t r = 0; r < N; ++r) inverse[r][c] = x[r];
      sticks[c] = true;
    }
    double mobility = 0;
    for (std::size_t i = 0; i < N; ++i) mobility = std::max(mobility, inverse[i][i]);
    const double lambda = relaxation * mobility * mobility;
    for (bool changed = true; changed;) {
      changed = false;
      double v[N];
      velocity_without(dq, h, v);
      std::size_t index[N] = {};
      std::size_t n = 0;
      for (std::size_t i = 0; i < N; ++i)
        if (sticks[i]) index[n++] = i;
      Square G = {};
      Column P = {};
      for (std::size_t i = 0; i < n; ++i) {
        P[i] = 0;
        for (std::size_t j = 0; j < n; ++j) P[i] -= inverse[index[j]][index[i]] * (v[index[j]] + k * d[index[j]]);
        for (std::size_t j = 0; j < n; ++j) {
          G[i][j] = i == j ? lambda : 0;
          for (std::size_t m = 0; m < n; ++m) G[i][j] += inverse[index[m]][index[i]] * inverse[index[m]][index[j]];
        }
      }
      eliminate(G, P, n);
      for (std::size_t i = 0; i < n; ++i) {
        const Decision found = decide(P[i] / h, dq[index[i]], false);
        friction[index[i]] = found.torque;
        if (!found.sticks) sticks[index[i]] = false, changed = true;
      }
    }
  }
};

template <int Joints>
void check_implicit() {
  constexpr const auto& R = robots::drive<Joints>;
  constexpr std::size_t N = Joints;
  constexpr double h = 1e-3;
  measure::Random random(11 + Joints);
  checks::Sample<R, double> s;
  Predictor<R, double, ImplicitFriction> p;
  Textbook<N> book{};
  Worst worst;
  int stuck = 0, slipping = 0;
  for (int n = 0; n < 4 + measure::kEffort; ++n) {
    checks::draw(random, {n % 2 == 0 ? 0.05 : 1.5, 0, 7}, s);
    assert_ok(p.reset({s.q, s.dq}));
    double reference[N];
    for (std::size_t i = 0; i < N; ++i) reference[i] = s.q64[i];
    for (int k = 0; k < 4; ++k) {
      double dq[N], d[N], q[N];
      for (std::size_t i = 0; i < N; ++i) {
        q[i] = p.state().q[static_cast<int>(i)], dq[i] = p.state().dq[static_cast<int>(i)];
        d[i] = q[i] - reference[i];
      }
      checks::Truth<R>& exact = checks::truth<R>();
      exact.place(q);
      exact.at.find_mass_matrix();
      for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j) book.H[i][j] = exact.at.M[i][j];
      exact.find_torque(dq, nullptr);
      for (std::size_t i = 0; i < N; ++i) {
        book.H[i][i] += s003::kRotor;
        book.right[i] = s003::kVolt * s.tau64[i] - s003::kBackEmf * dq[i] - exact.force[i];
      }
      book.solve(dq, d, h, 100, 0.01);
      assert_ok(p.step(s.tau, h));
      for (std::size_t i = 0; i < N; ++i) {
        double v = dq[i];
        for (std::size_t j = 0; j < N; ++j) v += h * book.inverse[i][j] * (book.right[j] + book.friction[j]);
        worst.see(v, p.state().dq[static_cast<int>(i)], 1);
        TEST_ASSERT_TRUE(book.sticks[i] == p.report().held(static_cast<int>(i)));
        worst.see(book.friction[i], p.report().friction_Nm[static_cast<int>(i)], 10);
        ++(book.sticks[i] ? stuck : slipping);
        if (!book.sticks[i]) reference[i] = p.state().q[static_cast<int>(i)];
      }
    }
  }
  TEST_ASSERT_TRUE(stuck > 0 && slipping > 0);
  // Torques of 10 N.m over inertias of 0.1 kg m²; A is 10, its square in the normal equations costs two digits.
  assert_below<double>(1e-12, worst, "implicit form against normal equations");
}
void test_implicit_form() {
  check_implicit<1>();
  check_implicit<2>();
  check_implicit<3>();
  check_implicit<4>();
}

}  // namespace

KINECAST_SUITE(implicit_friction, test_implicit_form)

}  // namespace unit_implicit_friction
