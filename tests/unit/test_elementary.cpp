// SPDX-License-Identifier: MIT
// Sine and cosine, the compiler's own mathematics, the exponential map and Cholesky, against <cmath> and their definitions.
#include <kinecast/core/constexpr_math.hpp>
#include <kinecast/core/elementary.hpp>
#include <kinecast/math/cholesky.hpp>
#include <kinecast/math/rotation.hpp>

#include <cmath>

#include "../support/dense_reference.hpp"
#include "measure.hpp"
#include "unity_main.hpp"

namespace unit_elementary {
namespace {

using kinecast::SinCos;
using measure::assert_below;
using measure::kEps;
using measure::Random;
using measure::Worst;

constexpr int kAngles = 3000 * measure::kEffort;

// Equal to the bit, but for the sign of zero.
template <class S>
bool same(S a, S b) {
  return a <= b && a >= b;
}

// The truth is that of the argument as it is, a float or a double: reduction included. On the host it comes in long
// double; on a board long double is double, whose sine is itself off by half an ulp.
template <class S>
void check_sincos(double promised) {
  Random random(11);
  Worst worst;
  for (int i = 0; i < kAngles; ++i) {
    // All sizes: from the whole range down to 1e-6 of it.
    const double size = std::pow(10.0, -3.0 + random.within(3.0));
    S angle = static_cast<S>(random.within(static_cast<double>(kinecast::kMaxAngle<S>)) * size);
    if (i == 0) angle = kinecast::kMaxAngle<S>;
    if (i == 1) angle = -kinecast::kMaxAngle<S>;
    // Around multiples of pi/4, where the quadrant changes, and of pi/2, where the sine or cosine vanishes.
    if (i % 4 == 3)
      angle = static_cast<S>(std::floor(random.within(8000)) * 0.78539816339744831) * (S(1) + S(i % 3) * S(kEps<S>));
    const SinCos<S> got = kinecast::sincos(angle);
    const long double exact = static_cast<long double>(angle);
    worst.see(static_cast<double>(static_cast<long double>(got.sin) - std::sin(exact)));
    worst.see(static_cast<double>(static_cast<long double>(got.cos) - std::cos(exact)));
  }
  const double of_the_truth = sizeof(long double) > sizeof(double) ? 0 : kEps<double> / 2;
  assert_below<S>(promised + of_the_truth, worst, "sincos");
}
// The bounds that the header states.
void test_sincos() {
  check_sincos<float>(1.2e-7);
  if constexpr (measure::kInDouble) check_sincos<double>(2.3e-16);
}

template <class S>
void check_symmetry() {
  const S expected_sin[] = {0, 1, 0, -1};
  const S expected_cos[] = {1, 0, -1, 0};
  for (std::uint32_t k = 0; k < 12; ++k) {
    const SinCos<S> turned = kinecast::sincos(S(0), k - 4);  // negative quarter turns wrap around
    TEST_ASSERT_TRUE(same(turned.sin, expected_sin[k % 4]));
    TEST_ASSERT_TRUE(same(turned.cos, expected_cos[k % 4]));
  }
  Random random(12);
  for (int i = 0; i < 200; ++i) {
    const S angle = static_cast<S>(random.within(100));
    const SinCos<S> plain = kinecast::sincos(angle);
    const SinCos<S> mirrored = kinecast::sincos(-angle);
    const SinCos<S> quarter = kinecast::sincos(angle, 1);
    const SinCos<S> half = kinecast::sincos(angle, 2);
    TEST_ASSERT_TRUE(same(mirrored.sin, -plain.sin) && same(mirrored.cos, plain.cos));
    TEST_ASSERT_TRUE(same(quarter.sin, plain.cos) && same(quarter.cos, -plain.sin));
    TEST_ASSERT_TRUE(same(half.sin, -plain.sin) && same(half.cos, -plain.cos));
  }
}
void test_quarter_turns_are_exact() {
  check_symmetry<float>();
  if constexpr (measure::kInDouble) check_symmetry<double>();
}

template <class S>
void check_no_number() {
  for (const S bad :
       {std::numeric_limits<S>::quiet_NaN(), std::numeric_limits<S>::infinity(), -std::numeric_limits<S>::infinity()}) {
    TEST_ASSERT_FALSE(kinecast::is_finite(bad));
    TEST_ASSERT_FALSE(kinecast::is_finite(kinecast::sincos(bad).sin));
    TEST_ASSERT_FALSE(kinecast::is_finite(kinecast::sincos(bad).cos));
  }
  for (const S good : {S(0), std::numeric_limits<S>::max(), -std::numeric_limits<S>::max(),
                       std::numeric_limits<S>::denorm_min(), std::numeric_limits<S>::min()})
    TEST_ASSERT_TRUE(kinecast::is_finite(good));
}
void test_not_a_number_stays_one() {
  check_no_number<float>();
  if constexpr (measure::kInDouble) check_no_number<double>();
}

// ---- the compiler's mathematics ----

namespace constant = kinecast::constant;
constexpr bool near(double a, double b) { return constant::abs(a - b) <= 4e-16; }
static_assert(near(constant::sqrt(2), 1.41421356237309504880), "the square root of two");
static_assert(near(constant::sqrt(1), 1) && near(constant::sqrt(4), 2) && !(constant::sqrt(0) > 0), "whole roots");
static_assert(near(constant::sin(constant::kPi / 6), 0.5), "sin 30 degrees");
static_assert(near(constant::sin(constant::kPi / 2), 1) && !(constant::abs(constant::cos(constant::kPi / 2)) > 0),
              "a right angle is exact");
static_assert(near(constant::cos(constant::kPi / 3), 0.5) && near(constant::cos(constant::kPi), -1), "cosines");
static_assert(near(constant::atan2(1, 1), constant::kPi / 4) && near(constant::atan2(-1, 0), -constant::kPi / 2) &&
                  near(constant::atan2(0, -1), constant::kPi),
              "arc tangents");

void test_compilers_mathematics() {
  Random random(13);
  Worst root;
  Worst wave;
  Worst arc;
  for (int i = 0; i < 20 * measure::kEffort; ++i) {
    const double x = std::pow(10.0, random.within(300));
    root.see(std::sqrt(x), constant::sqrt(x), std::sqrt(x));
    const double angle = random.within(2 * constant::kPi);
    wave.see(std::sin(angle), constant::sin(angle), 1);
    wave.see(std::cos(angle), constant::cos(angle), 1);
    const double size = std::pow(10.0, random.within(100));
    arc.see(std::atan2(size * std::sin(angle), size * std::cos(angle)),
            constant::atan2(size * std::sin(angle), size * std::cos(angle)), 1);
  }
  // "A few units in the last place".
  assert_below<double>(2 * kEps<double>, root, "constant::sqrt");
  assert_below<double>(4 * kEps<double>, wave, "constant::sin, cos");
  assert_below<double>(6 * kEps<double>, arc, "constant::atan2");
  TEST_ASSERT_EQUAL_DOUBLE(0, constant::sqrt(-1));
  TEST_ASSERT_EQUAL_DOUBLE(0, constant::atan2(0, 0));
}

// ---- orientations ----

template <class S>
void check_exponential() {
  Random random(14);
  Worst matrix;
  Worst angle_error;
  Worst length;
  for (int i = 0; i < 20 * measure::kEffort; ++i) {
    double angle = std::pow(10.0, -4.0 + random.within(5.0));  // 1e-9 to 10 rad: a step, and more than a turn
    if (i % 4 == 0) angle = 2e-3 * (1 + random.within(0.1));   // where a series gives way to the sine
    const dense::Vec direction{{random.within(1), random.within(1), random.within(1)}};
    const double k = angle / std::sqrt(dense::dot(direction, direction));
    const kinecast::Vec3<S> v{static_cast<S>(k * direction[0]), static_cast<S>(k * direction[1]),
                              static_cast<S>(k * direction[2])};
    const kinecast::Quaternion<S> q = kinecast::quaternion_exp(v);
    // Rodrigues, for the vector as it was rounded.
    const dense::Vec rounded{{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)}};
    const double turn = std::sqrt(dense::dot(rounded, rounded));
    const dense::Mat expected = dense::rotation(rounded, turn);
    const kinecast::Mat3<S> m = kinecast::to_matrix(q);
    const kinecast::Vec3<S> rows[] = {m.row_x, m.row_y, m.row_z};
    for (int r = 0; r < 3; ++r) {
      matrix.see(expected[r][0], static_cast<double>(rows[r].x), 1);
      matrix.see(expected[r][1], static_cast<double>(rows[r].y), 1);
      matrix.see(expected[r][2], static_cast<double>(rows[r].z), 1);
    }
    length.see(1, static_cast<double>(kinecast::squared_norm(q)), 1);
    // A small turn keeps its relative accuracy: integration adds thousands of them up.
    if (turn < 1)
      angle_error.see(std::sin(turn / 2) / turn * rounded[0], static_cast<double>(q.x),
                      std::sin(turn / 2) / turn * std::abs(rounded[0]));
    TEST_ASSERT_TRUE(kinecast::is_unit(q));
  }
  assert_below<S>(8 * kEps<S>, matrix, "quaternion_exp, rotation");
  assert_below<S>(8 * kEps<S>, length, "quaternion_exp, length");
  assert_below<S>(8 * kEps<S>, angle_error, "quaternion_exp, relative");
  const kinecast::Quaternion<S> none = kinecast::quaternion_exp(kinecast::Vec3<S>{});
  TEST_ASSERT_TRUE(same(none.w, S(1)) && same(none.x, S(0)) && same(none.y, S(0)) && same(none.z, S(0)));
}
void test_exponential_map() {
  check_exponential<float>();
  if constexpr (measure::kInDouble) check_exponential<double>();
}

// Hamilton: the product turns first by the right factor.
template <class S>
void check_product() {
  Random random(15);
  Worst worst;
  for (int i = 0; i < 5 * measure::kEffort; ++i) {
    const kinecast::Vec3<S> v{static_cast<S>(random.within(1)), static_cast<S>(random.within(1)),
                              static_cast<S>(random.within(1))};
    const kinecast::Vec3<S> w{static_cast<S>(random.within(1)), static_cast<S>(random.within(1)),
                              static_cast<S>(random.within(1))};
    const kinecast::Quaternion<S> a = kinecast::quaternion_exp(v);
    const kinecast::Quaternion<S> b = kinecast::quaternion_exp(w);
    const kinecast::Vec3<S> x{S(0.3), S(-0.5), S(0.7)};
    const kinecast::Vec3<S> once = kinecast::to_matrix(a * b) * x;
    const kinecast::Vec3<S> twice = kinecast::to_matrix(a) * (kinecast::to_matrix(b) * x);
    worst.see(static_cast<double>(once.x - twice.x));
    worst.see(static_cast<double>(once.y - twice.y));
    worst.see(static_cast<double>(once.z - twice.z));
    const kinecast::Quaternion<S> long_one{S(3) * a.w, S(3) * a.x, S(3) * a.y, S(3) * a.z};
    TEST_ASSERT_FALSE(kinecast::is_unit(long_one));
    worst.see(static_cast<double>(kinecast::normalized(long_one).y - a.y));
  }
  assert_below<S>(8 * kEps<S>, worst, "quaternion product");
}
void test_quaternion_product() {
  check_product<float>();
  if constexpr (measure::kInDouble) check_product<double>();
}

// Rz(yaw) Ry(pitch) Rx(roll), as URDF has it.
void test_roll_pitch_yaw() {
  Worst worst;
  const dense::Mat expected =
      dense::rotation({{0, 0, 1}}, 0.9) * dense::rotation({{0, 1, 0}}, -0.4) * dense::rotation({{1, 0, 0}}, 0.3);
  const dense::Mat got = dense::mat(kinecast::rotation_from_rpy(0.3, -0.4, 0.9));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) worst.see(expected[i][j], got[i][j], 1);
  assert_below<double>(4 * kEps<double>, worst, "rpy");
}

// ---- Cholesky ----

template <class S, std::size_t Size>
void check_cholesky() {
  Random random(16);
  Worst product;
  Worst back;
  for (int trial = 0; trial < 5 * measure::kEffort; ++trial) {
    S a[Size][Size];
    S g[Size][Size];
    for (auto& row : g)
      for (S& x : row) x = static_cast<S>(random.within(1));
    for (std::size_t i = 0; i < Size; ++i) {
      for (std::size_t j = 0; j < Size; ++j) {
        S sum = i == j ? S(1) : S(0);
        for (std::size_t k = 0; k < Size; ++k) sum += g[i][k] * g[j][k];
        a[i][j] = sum;
      }
    }
    kinecast::Cholesky<S, Size> factor;
    TEST_ASSERT_TRUE(factor.factor(a));
    S x[Size];
    S y[Size];
    for (std::size_t i = 0; i < Size; ++i) x[i] = y[i] = static_cast<S>(random.within(1));
    factor.solve(y);
    double size = 0;
    for (std::size_t i = 0; i < Size; ++i) size = std::fmax(size, std::abs(static_cast<double>(a[i][i])));
    for (std::size_t i = 0; i < Size; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < Size; ++j) sum += static_cast<double>(a[i][j]) * static_cast<double>(y[j]);
      product.see(static_cast<double>(x[i]), sum, size);
    }
    S z[Size];
    for (std::size_t i = 0; i < Size; ++i) z[i] = x[i];
    factor.solve_lower(z);
    factor.multiply_lower(z);
    for (std::size_t i = 0; i < Size; ++i) back.see(static_cast<double>(x[i]), static_cast<double>(z[i]), 1);
    // Not positive definite: an eigenvalue is negative, a row repeats another, a number is missing.
    S broken[Size][Size];
    for (std::size_t i = 0; i < Size; ++i)
      for (std::size_t j = 0; j < Size; ++j) broken[i][j] = a[i][j];
    broken[Size - 1][Size - 1] = -broken[Size - 1][Size - 1];
    TEST_ASSERT_FALSE(factor.factor(broken));
    for (std::size_t j = 0; j < Size; ++j) broken[Size - 1][j] = a[0][j];
    broken[Size - 1][Size - 1] = a[0][0];
    TEST_ASSERT_FALSE(factor.factor(broken));
    broken[0][0] = std::numeric_limits<S>::quiet_NaN();
    TEST_ASSERT_FALSE(factor.factor(broken));
  }
  assert_below<S>(20 * kEps<S>, product, "A (A^-1 x)");
  assert_below<S>(20 * kEps<S>, back, "L (L^-1 x)");
}
void test_cholesky() {
  check_cholesky<float, 3>();
  check_cholesky<float, 6>();
  check_cholesky<double, 3>();
  check_cholesky<double, 6>();
}

}  // namespace

KINECAST_SUITE(elementary, test_sincos, test_quarter_turns_are_exact, test_not_a_number_stays_one,
               test_compilers_mathematics, test_exponential_map, test_quaternion_product, test_roll_pitch_yaw,
               test_cholesky)

}  // namespace unit_elementary
