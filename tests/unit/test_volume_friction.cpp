// SPDX-License-Identifier: MIT
// Friction of a contact polygon: what a flat foot holds and what it does not, that the quick answers are those of the linear
// program, and what friction is left when it slides.
#include <kinecast/papers/kinetic_friction.hpp>
#include <kinecast/papers/static_friction.hpp>

#include <algorithm>

#include "measure.hpp"
#include "unity_main.hpp"

namespace unit_volume_friction {
namespace {

using kinecast::DecidedBy;
using kinecast::KineticBasis;
using kinecast::static_friction_holds;
using kinecast::Status;

constexpr double kPi = 3.14159265358979323846;
template <class S>
constexpr S kSquare[4][2] = {{S(-.05), S(-.05)}, {S(.05), S(-.05)}, {S(.05), S(.05)}, {S(-.05), S(.05)}};
constexpr double kReach = 0.05 * 1.41421356237309505;

template <class S>
struct Wrench {
  S of[6];
};
template <class S>
Wrench<S> wrench(double f_n, double tau_1, double tau_2, double f_1, double f_2, double tau_n) {
  return {{static_cast<S>(f_n), static_cast<S>(tau_1), static_cast<S>(tau_2), static_cast<S>(f_1), static_cast<S>(f_2),
           static_cast<S>(tau_n)}};
}

// ---- static ---------------------------------------------------------------------------------------------------------------

// Along an edge of the pyramid mu f_n, between two edges cos(pi / Sides) of it.
template <int Sides, class S>
void check_push() {
  for (int k = 0; k < 2 * Sides; ++k) {
    const double angle = kPi * k / Sides;
    const double limit = 0.5 * 8 * (k % 2 == 0 ? 1 : std::cos(kPi / Sides));
    for (const double part : {0.2, 0.9, 0.999, 1.001, 1.1}) {
      const double force = part * limit;
      const auto w = wrench<S>(8, 0, 0, force * std::cos(angle), force * std::sin(angle), 0);
      TEST_ASSERT_TRUE(static_friction_holds<Sides>(kSquare<S>, 4, S(0.5), w.of).holds == (part < 1));
    }
  }
}
// The whole load at the corners, friction across their arms: mu f_n |r|. The program alone gets that far.
template <class S>
void check_twist() {
  for (const double part : {-1.1, -1.001, -0.999, 0.0, 0.7, 0.999, 1.001, 1.1}) {
    const auto w = wrench<S>(8, 0, 0, 0, 0, part * 0.5 * 8 * kReach);
    TEST_ASSERT_TRUE(static_friction_holds<8>(kSquare<S>, 4, S(0.5), w.of).holds == (std::abs(part) < 1));
  }
}
void test_limits() {
  check_push<4, float>();
  if constexpr (measure::kInDouble) check_push<8, double>();
  check_push<16, float>();
  if constexpr (measure::kInDouble) check_push<32, double>();
  check_twist<float>();
  if constexpr (measure::kInDouble) check_twist<double>();
}

template <class S>
void check_pressure() {
  const auto holds = [](double x, double y, double f_1, double f_2, double about_pressure) {
    const auto w = wrench<S>(1, y, -x, f_1, f_2, about_pressure + x * f_2 - y * f_1);
    return static_friction_holds<8>(kSquare<S>, 4, S(0.5), w.of).holds;
  };
  TEST_ASSERT_TRUE(holds(0.049, 0.049, 0.3, 0.1, 0));
  TEST_ASSERT_TRUE(holds(0.05, -0.01, 0.3, 0.1, 0));      // on the edge
  TEST_ASSERT_TRUE(holds(-0.05, 0.05, 0.3, 0.1, 0));      // and on a corner,
  TEST_ASSERT_TRUE(!holds(-0.05, 0.05, 0.3, 0.1, 1e-3));  // where friction has no arm
  TEST_ASSERT_TRUE(holds(-0.04, 0.04, 0.3, 0.1, 1e-3));
  TEST_ASSERT_TRUE(!holds(0.051, 0, 0, 0, 0));
  TEST_ASSERT_TRUE(!holds(0.2, 0.2, 0, 0, 0));
  TEST_ASSERT_TRUE(!holds(0.0501, 0.0501, 0.3, 0.1, 0));
}
void test_pressure() {
  check_pressure<float>();
  if constexpr (measure::kInDouble) check_pressure<double>();
}

void test_no_load_no_friction() {
  for (const double load : {0.0, -1.0, -1e9, 1e-45}) {
    const auto w = wrench<float>(load, 0, 0, 0, 0, 0);
    const auto found = static_friction_holds<8>(kSquare<float>, 4, 0.5F, w.of);
    TEST_ASSERT_TRUE(!found && found.decided_by == DecidedBy::no_load && found.status == Status::ok);
    const auto pull = wrench<float>(load, 0, 0, 0.1, 0, 0);  // method 6.4, FIX 27
    TEST_ASSERT_TRUE(!static_friction_holds<8>(kSquare<float>, 4, 0.5F, pull.of));
  }
  TEST_ASSERT_TRUE(static_friction_holds<8>(kSquare<float>, 4, 0.0F, wrench<float>(1, 0.01, 0, 0, 0, 0).of).holds);
  TEST_ASSERT_TRUE(!static_friction_holds<8>(kSquare<float>, 4, 0.0F, wrench<float>(1, 0, 0, 1e-6, 0, 0).of).holds);
  TEST_ASSERT_TRUE(!static_friction_holds<8>(kSquare<float>, 0, 0.5F, wrench<float>(1, 0, 0, 0, 0, 0).of).holds);
  // So little load and friction that their ratio overflows.
  TEST_ASSERT_TRUE(!static_friction_holds<8>(kSquare<float>, 4, 1e-30F, wrench<float>(1e-30, 0, 0, 1, 0, 0).of).holds);
}

// A point holds no torque about itself, an edge holds friction across its length.
void test_point_and_edge() {
  const double point[1][2] = {{0.1, 0.2}};
  const auto at_point = [&](double f_1, double f_2, double tau_n) {
    const auto w = wrench<double>(2, 2 * 0.2, -2 * 0.1, f_1, f_2, 0.1 * f_2 - 0.2 * f_1 + tau_n);
    return static_friction_holds<8>(point, 1, 0.5, w.of).holds;
  };
  TEST_ASSERT_TRUE(at_point(0.5, 0.5, 0));
  TEST_ASSERT_TRUE(!at_point(0.9, 0.9, 0));
  TEST_ASSERT_TRUE(!at_point(0.5, 0.5, 1e-4));
  const double edge[2][2] = {{-0.1, 0}, {0.1, 0}};
  const auto at_edge = [&](double tau_1, double tau_n) {
    return static_friction_holds<8>(edge, 2, 0.5, wrench<double>(2, tau_1, 0, 0, 0, tau_n).of).holds;
  };
  TEST_ASSERT_TRUE(at_edge(0, 0.0999));  // mu f_n r
  TEST_ASSERT_TRUE(!at_edge(0, 0.1001));
  TEST_ASSERT_TRUE(!at_edge(1e-3, 0));
}

// Corners of an ellipse in order; `size` its half axis. Gives the longest arm.
template <class S>
double random_polygon(measure::Random& random, int corners, double size, S (*corner)[2]) {
  double reach = 0;
  for (int l = 0; l < corners; ++l) {
    const double angle = (l + 0.4 + random.within(0.4)) * 2 * kPi / corners;
    corner[l][0] = static_cast<S>(size * std::cos(angle));
    corner[l][1] = static_cast<S>(0.6 * size * std::sin(angle));
    reach = std::max(reach, std::hypot(static_cast<double>(corner[l][0]), static_cast<double>(corner[l][1])));
  }
  return reach;
}

// Bounds and distributions say what the program says, and all of them are met; so do the same corners the other way around, and other
// units. Near the limit, which the program is asked for, either is right.
template <class S>
void check_quick_answers() {
  measure::Random random(1);
  int by[5] = {};
  for (int k = 0; k < 40 + 40 * measure::kEffort; ++k) {
    S corner[8][2];
    S reversed[8][2];
    const int corners = 3 + k % 6;
    random_polygon(random, corners, 0.1, corner);
    const double load = 10 + random.within(9);
    const double cop[2] = {random.within(0.08), random.within(0.05)};
    const double part = 0.6 + random.within(0.5);
    const auto w = wrench<S>(load, load * cop[1], -load * cop[0], part * random.within(0.5) * load,
                             part * random.within(0.5) * load, part * random.within(0.05) * load);
    const auto found = static_friction_holds<8>(corner, corners, S(0.5), w.of);
    ++by[static_cast<int>(found.decided_by)];
    kinecast::detail::StaticTest<8, 8, S> test;
    TEST_ASSERT_TRUE(kinecast::detail::scale_static_test(corner, corners, S(0.5), w.of, test));
    kinecast::detail::RevisedSimplex<S, 6, decltype(test.columns)> simplex(test.columns);
    const Status status = simplex.solve(test.b);
    TEST_ASSERT_TRUE(status == Status::ok || (status == Status::infeasible && !simplex.gave_up()));
    const S forgiven = kinecast::Tolerance<S>::kFeasible;
    if (simplex.residual() > forgiven && simplex.residual() < S(100) * forgiven) continue;
    TEST_ASSERT_TRUE(found.holds == ok(status));

    for (int l = 0; l < corners; ++l)
      for (int i = 0; i < 2; ++i) reversed[l][i] = corner[corners - 1 - l][i];
    TEST_ASSERT_TRUE(static_friction_holds<8>(reversed, corners, S(0.5), w.of).holds == found.holds);
    Wrench<S> other = w;
    for (int l = 0; l < corners; ++l)
      for (int i = 0; i < 2; ++i) reversed[l][i] = S(1000) * corner[l][i];
    for (int i = 0; i < 6; ++i) other.of[i] *= i == 1 || i == 2 || i == 5 ? S(1e7) : S(1e4);
    TEST_ASSERT_TRUE(static_friction_holds<8>(reversed, corners, S(0.5), other.of).holds == found.holds);
  }
  for (const DecidedBy way : {DecidedBy::a_bound, DecidedBy::a_distribution, DecidedBy::linear_program})
    TEST_ASSERT_TRUE(by[static_cast<int>(way)] > 3);
}
void test_quick_answers() {
  check_quick_answers<float>();
  if constexpr (measure::kInDouble) check_quick_answers<double>();
}

void test_bad_input() {
  const auto good = wrench<float>(1, 0, 0, 0.1, 0, 0);
  const auto status_of = [](const float(*corner)[2], int corners, float mu, const Wrench<float>& w) {
    const auto found = static_friction_holds<8>(corner, corners, mu, w.of);
    TEST_ASSERT_TRUE(!found.holds && found.decided_by == DecidedBy::input);
    return found.status;
  };
  TEST_ASSERT_TRUE(status_of(kSquare<float>, -1, 0.5F, good) == Status::index_out_of_range);
  TEST_ASSERT_TRUE(status_of(kSquare<float>, 9, 0.5F, good) == Status::index_out_of_range);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (int i = 0; i < 6; ++i) {
      Wrench<float> w = good;
      w.of[i] = bad;
      TEST_ASSERT_TRUE(status_of(kSquare<float>, 4, 0.5F, w) == Status::non_finite_input);
    }
    TEST_ASSERT_TRUE(status_of(kSquare<float>, 4, bad, good) == Status::non_finite_input);
    float corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, bad}};
    TEST_ASSERT_TRUE(status_of(corner, 4, 0.5F, good) == Status::non_finite_input);

    float friction[3] = {7, 7, 7};
    KineticBasis basis{};
    const float slip[4][2] = {{-1, 0}, {-1, 0}, {0, 1}, {-1, 0}};
    const float normal[3] = {1, 0, 0};
    const float broken[3] = {1, bad, 0};
    const float weights[3] = {1, 0, 0};
    const float(*square)[2] = kSquare<float>;
    const auto refuse = [&](Status status) {
      TEST_ASSERT_TRUE(status == Status::non_finite_input);
      for (const float f : friction) TEST_ASSERT_TRUE(f >= 7 && f <= 7);
    };
    refuse(kinecast::kinetic_friction(corner, 4, slip, 0.5F, normal, weights, basis, friction));
    refuse(kinecast::kinetic_friction(square, 4, corner, 0.5F, normal, weights, basis, friction));
    refuse(kinecast::kinetic_friction(square, 4, slip, bad, normal, weights, basis, friction));
    refuse(kinecast::kinetic_friction(square, 4, slip, 0.5F, broken, weights, basis, friction));
    refuse(kinecast::kinetic_friction(square, 4, slip, 0.5F, normal, broken, basis, friction));
    TEST_ASSERT_TRUE(kinecast::kinetic_friction(square, 9, slip, 0.5F, normal, weights, basis, friction) ==
                     Status::index_out_of_range);
    TEST_ASSERT_TRUE(kinecast::kinetic_friction(square, 0, slip, 0.5F, normal, weights, basis, friction) ==
                     Status::index_out_of_range);
  }
}

// ---- kinetic --------------------------------------------------------------------------------------------------------------

// Against the slip of a twist (v_1, v_2, w) at each corner.
template <class S>
void find_slip(const S (*corner)[2], int corners, const double (&twist)[3], S (*slip)[2]) {
  for (int l = 0; l < corners; ++l) {
    const double v1 = twist[0] - twist[2] * static_cast<double>(corner[l][1]);
    const double v2 = twist[1] + twist[2] * static_cast<double>(corner[l][0]);
    const double speed = std::hypot(v1, v2);
    slip[l][0] = static_cast<S>(speed > 0 ? -v1 / speed : 0);
    slip[l][1] = static_cast<S>(speed > 0 ? -v2 / speed : 0);
  }
}

// mu_k f_n against the motion, at the centre of pressure; and mu_k f_n r against a spin about the centre.
template <class S>
void check_plain_motions() {
  S slip[4][2];
  S friction[3];
  const S any[3] = {S(-3), S(5), S(1)};
  const S normal[3] = {S(10), S(0.2), S(-0.1)};
  const double tolerance = measure::bound<S>(1e-6, 1e-15);
  KineticBasis basis{};
  find_slip(kSquare<S>, 4, {3, 4, 0}, slip);
  TEST_ASSERT_TRUE(kinecast::kinetic_friction(kSquare<S>, 4, slip, S(0.5), normal, any, basis, friction) == Status::ok);
  TEST_ASSERT_DOUBLE_WITHIN(5 * tolerance, -3, static_cast<double>(friction[0]));
  TEST_ASSERT_DOUBLE_WITHIN(5 * tolerance, -4, static_cast<double>(friction[1]));
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0.01 * -4 - 0.02 * -3, static_cast<double>(friction[2]));

  find_slip(kSquare<S>, 4, {0, 0, 2}, slip);
  const S centred[3] = {S(10), S(0), S(0)};
  const S turning[3] = {S(0), S(0), S(-1)};
  TEST_ASSERT_TRUE(kinecast::kinetic_friction(kSquare<S>, 4, slip, S(0.5), centred, turning, basis, friction) ==
                   Status::ok);
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, -5 * kReach, static_cast<double>(friction[2]));

  const S open[3] = {S(0), S(0), S(0)};
  TEST_ASSERT_TRUE(kinecast::kinetic_friction(kSquare<S>, 4, slip, S(0.5), open, turning, basis, friction) ==
                   Status::ok);
  for (const S f : friction) TEST_ASSERT_TRUE(f >= S(0) && f <= S(0));
}
void test_plain_motions() {
  check_plain_motions<float>();
  if constexpr (measure::kInDouble) check_plain_motions<double>();
}

// The best of all triangles that the centre of pressure is in, over f_n.
double best_triangle(const double (*corner)[2], int corners, const double* worth, const double (&at)[2]) {
  double best = -std::numeric_limits<double>::infinity();
  for (int a = 0; a < corners; ++a) {
    for (int b = a + 1; b < corners; ++b) {
      for (int c = b + 1; c < corners; ++c) {
        const int of[3] = {a, b, c};
        double share[3];
        double sum = 0;
        for (int i = 0; i < 3; ++i) {
          const double* p = corner[of[(i + 1) % 3]];
          const double* q = corner[of[(i + 2) % 3]];
          share[i] = (p[0] - at[0]) * (q[1] - at[1]) - (p[1] - at[1]) * (q[0] - at[0]);
          sum += share[i];
        }
        if (std::min({share[0], share[1], share[2]}) < 0) continue;
        best = std::max(best, (share[0] * worth[a] + share[1] * worth[b] + share[2] * worth[c]) / sum);
      }
    }
  }
  return best;
}

template <class S>
void check_sliding() {
  measure::Random random(2);
  measure::Worst objective;
  int kept = 0;
  for (int k = 0; k < 10 + 10 * measure::kEffort; ++k) {
    double corner[8][2];
    S rounded[8][2];
    S slip[8][2];
    const int corners = 3 + k % 6;
    const double reach = random_polygon(random, corners, 0.1, corner);
    const double twist[3] = {random.within(1), random.within(1), random.within(10)};
    const double sticking[6] = {0, 0, 0, random.within(2), random.within(2), random.within(0.2)};
    double weights[3];
    kinecast::find_kinetic_weights(sticking, reach, weights);
    const S w[3] = {static_cast<S>(weights[0]), static_cast<S>(weights[1]), static_cast<S>(weights[2])};
    for (int l = 0; l < corners; ++l)
      for (int i = 0; i < 2; ++i) rounded[l][i] = static_cast<S>(corner[l][i]);
    find_slip(rounded, corners, twist, slip);
    double worth[8];
    double size = 0;
    for (int l = 0; l < corners; ++l) {
      const double s[2] = {static_cast<double>(slip[l][0]), static_cast<double>(slip[l][1])};
      worth[l] = weights[0] * s[0] + weights[1] * s[1] + weights[2] * (corner[l][0] * s[1] - corner[l][1] * s[0]);
      size = std::max(size, std::abs(worth[l]));
    }
    KineticBasis basis{};
    for (int turn = 0; turn < 4; ++turn) {  // one basis for four loads; the last one is outside
      const double load = 10 + random.within(9);
      double at[2] = {random.within(0.05), random.within(0.03)};
      const bool is_outside = turn == 3;
      for (int i = 0; i < 2 && is_outside; ++i) at[i] = 1.5 * corner[k % corners][i];
      const S normal[3] = {static_cast<S>(load), static_cast<S>(load * at[1]), static_cast<S>(-load * at[0])};
      const double best = best_triangle(corner, corners, worth, at);
      if (!is_outside && !(best > -1e9)) continue;  // a triangle that does not reach so far
      const KineticBasis before = basis;
      S friction[3];
      S cold[3];
      KineticBasis none{};
      TEST_ASSERT_TRUE(kinecast::kinetic_friction(rounded, corners, slip, S(0.3), normal, w, basis, friction) ==
                       Status::ok);
      TEST_ASSERT_TRUE(kinecast::kinetic_friction(rounded, corners, slip, S(0.3), normal, w, none, cold) == Status::ok);
      kept += before.is_known && std::equal(before.corner, before.corner + 3, basis.corner) ? 1 : 0;
      const double f[3] = {static_cast<double>(friction[0]), static_cast<double>(friction[1]),
                           static_cast<double>(friction[2])};
      const double limit = 0.3 * load;
      const double rounding = measure::bound<S>(1e-5, 1e-13);
      if (!is_outside) {
        const double found = (weights[0] * f[0] + weights[1] * f[1] + weights[2] * f[2]) / limit;
        objective.see(best, found, size);
        for (int i = 0; i < 3; ++i) objective.see(static_cast<double>(cold[i]), f[i], limit * (i == 2 ? reach : 1));
      }
      TEST_ASSERT_TRUE(std::hypot(f[0], f[1]) <= limit * (1 + rounding));
      TEST_ASSERT_TRUE(std::abs(f[2]) <= limit * reach * (1 + rounding));
      TEST_ASSERT_TRUE(f[0] * twist[0] + f[1] * twist[1] + f[2] * twist[2] <= rounding * limit);
    }
  }
  TEST_ASSERT_TRUE(kept > 0);
  measure::assert_below<S>(measure::bound<S>(1e-5, 1e-13), objective, "kinetic objective against all triangles");
}
void test_sliding() {
  check_sliding<float>();
  if constexpr (measure::kInDouble) check_sliding<double>();
}

// Beyond a corner of the square the closest point is the corner, beyond an edge the one across.
void test_pressure_is_brought_back() {
  double slip[4][2];
  find_slip(kSquare<double>, 4, {1, 0.5, 20}, slip);
  const double weights[3] = {1, 2, 3};
  const auto friction_at = [&](double x, double y, double(&friction)[3]) {
    KineticBasis basis{};
    const double normal[3] = {2, 2 * y, -2 * x};
    TEST_ASSERT_TRUE(kinecast::kinetic_friction(kSquare<double>, 4, slip, 0.4, normal, weights, basis, friction) ==
                     Status::ok);
  };
  double outside[3];
  double inside[3];
  const double places[3][4] = {{0.07, 0.09, 0.05, 0.05}, {-0.02, -0.3, -0.02, -0.05}, {0.05 + 1e-12, 0, 0.05, 0}};
  for (const auto& at : places) {
    friction_at(at[0], at[1], outside);
    friction_at(at[2], at[3], inside);
    for (int i = 0; i < 3; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-12, inside[i], outside[i]);
  }
}

// The weights of S004 eq. 42, and what has none (method 6.5, CHOICE 20).
void test_weights() {
  double weights[3];
  const double first[6] = {10, 0, 0, 2, -1e-9, 0.5};
  const double second[6] = {10, 0, 0, 0, -4, 0.9e-9};
  const double third[6] = {10, 0, 0, 2, -4, 0.5};
  kinecast::find_paper_weights(first, 0.1, weights);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.5, weights[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0, weights[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2, weights[2]);
  kinecast::find_paper_weights(second, 0.1, weights);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0, weights[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, -0.25, weights[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0, weights[2]);
  kinecast::find_kinetic_weights(third, 0.5, weights);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2, weights[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, -4, weights[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2, weights[2]);
}

}  // namespace

KINECAST_SUITE(volume_friction, test_limits, test_pressure, test_no_load_no_friction, test_point_and_edge,
               test_quick_answers, test_bad_input, test_plain_motions, test_sliding, test_pressure_is_brought_back,
               test_weights)

}  // namespace unit_volume_friction
