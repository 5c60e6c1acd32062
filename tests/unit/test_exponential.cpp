// SPDX-License-Identifier: MIT
// exp_minus() against constants that were computed elsewhere, with 60 digits, and against a long Taylor series; its stated error
// bounds, its ends, and that it never rises.
#include <kinecast/core/elementary.hpp>

#include "measure.hpp"
#include "unity_main.hpp"

namespace unit_exponential {
namespace {

using kinecast::exp_minus;
using measure::assert_below;
using measure::kIsFloat;
using measure::Random;
using measure::Worst;

// The stated bounds of core/elementary.hpp.
template <class S>
constexpr double kStated = kIsFloat<S> ? 1.2e-7 : 2.3e-16;

// exp(-x) as a double and the rest of it, for arguments that a float holds exactly.
struct Known {
  double x;
  double value;
  double rest;
};
constexpr Known kKnown[] = {
    {0.0009765625, 0.9990239141819757, -7.400e-18},
    {0.03125, 0.9692332344763441, -4.801e-17},
    {0.19954529404640198, 0.819103119477994, -5.183e-17},
    {0.25, 0.7788007830714049, -1.023e-17},
    {0.3094981014728546, 0.7338151645652401, 3.497e-17},
    {0.31854987144470215, 0.727202810396484, -2.678e-17},
    {0.3465735912322998, 0.7071067805131506, -2.885e-17},
    {0.46491682529449463, 0.628187352314822, 1.790e-17},
    {0.5, 0.6065306597126334, -6.593e-19},
    {0.5179935693740845, 0.5957146097058115, -5.253e-17},
    {0.6657845377922058, 0.513870218914796, 3.964e-17},
    {0.6931471824645996, 0.49999999904767284, 1.250e-17},
    {0.7081442475318909, 0.49255741448412776, 2.230e-17},
    {0.75, 0.4723665527410147, 1.798e-17},
    {0.8300479054450989, 0.43602839768673296, 2.034e-17},
    {1.0, 0.36787944117144233, -1.243e-17},
    {1.0397207736968994, 0.3535533895831783, 6.024e-18},
    {1.1881747245788574, 0.3047770587474704, -4.264e-18},
    {1.2047730684280396, 0.29976001680714365, 1.594e-17},
    {1.5, 0.22313016014842982, 1.089e-17},
    {1.6100400686264038, 0.1998796050134705, 8.937e-18},
    {2.0, 0.1353352832366127, -1.042e-17},
    {2.295487880706787, 0.10071224571858464, 2.483e-18},
    {2.4013569355010986, 0.09059493835854587, -3.847e-18},
    {2.718280076980591, 0.06598815142203679, -4.944e-18},
    {2.7538652420043945, 0.06368124148182362, -3.542e-18},
    {3.0, 0.049787068367863944, -1.483e-18},
    {4.75, 0.008651695203120634, 1.042e-19},
    {7.300000190734863, 0.0006755386463450606, -4.132e-20},
    {10.0, 4.5399929762484854e-05, -2.638e-21},
    {13.699999809265137, 1.1224465793240178e-06, 4.372e-23},
    {17.894542694091797, 1.692383769956396e-08, 1.429e-24},
    {19.508832931518555, 3.3683833306857464e-09, 1.345e-25},
    {20.0, 2.061153622438558e-09, -4.198e-26},
    {26.85844612121582, 2.1653348068896378e-12, -1.787e-29},
    {33.29999923706055, 3.451390377575089e-15, 7.612e-32},
    {47.099998474121094, 3.5053433605441566e-21, 1.039e-37},
    {51.277122497558594, 5.378097253715301e-23, 5.402e-39},
    {59.355892181396484, 1.667491225039559e-26, -2.048e-43},
    {60.0, 8.75651076269652e-27, 3.013e-43},
    {64.63448333740234, 8.503555408770958e-29, -2.482e-45},
    {65.11222839355469, 5.273737442247023e-29, -5.055e-45},
    {66.82684326171875, 9.49447004033563e-30, 2.423e-46},
    {68.80792236328125, 1.3094804120882985e-30, 1.931e-47},
    {74.4156265258789, 4.8051177263559415e-33, 2.248e-49},
    {79.9000015258789, 1.9946662216737895e-35, 2.002e-52},
    {80.0, 1.8048513878454153e-35, -1.264e-51},
    {123.45600128173828, 2.4195794399950204e-54, 1.191e-70},
    {256.0, 6.616261056709485e-112, -1.583e-129},
    {400.25, 1.4915355816354144e-174, -7.786e-191},
    {555.5, 5.6158474593561004e-242, -2.888e-258},
    {699.9000244140625, 1.089636175009173e-304, -5.114e-321},
    {700.0, 9.85967654375977e-305, 8.498e-322},
};

template <class S>
void check_known() {
  Worst worst;
  for (const Known& known : kKnown) {
    if (kIsFloat<S> && known.x > 80) continue;
    const double error = (static_cast<double>(exp_minus(static_cast<S>(known.x))) - known.value) - known.rest;
    worst.see(error / known.value);
  }
  assert_below<S>(kStated<S>, worst, "exp(-x) against constants");
}
void test_known_values() {
  check_known<float>();
  if constexpr (measure::kInDouble) check_known<double>();
}

// exp(-x) = (Taylor of exp(-x / 2^k))^(2^k) in double-double would be the purist's way; for a float a double does.
double series(double x) {
  constexpr int kHalvings = 12;
  const double r = -x / (1 << kHalvings);
  double sum = 0;
  for (int n = 12; n >= 1; --n) sum = (sum + 1) * r / n;
  // exp(2r) - 1 = (exp(r) - 1)² + 2 (exp(r) - 1): keeps the small part's digits
  for (int i = 0; i < kHalvings; ++i) sum = sum * sum + 2 * sum;
  return sum + 1;
}
void test_random_floats() {
  Random random(91);
  Worst worst;
  for (int i = 0; i < 200 * measure::kEffort; ++i) {
    const float x = static_cast<float>(10 + random.within(10));
    const double truth = series(static_cast<double>(x));
    worst.see(truth, static_cast<double>(exp_minus(x)), truth);
  }
  assert_below<float>(kStated<float>, worst, "exp(-x) against a series");
}

// From number to number where the count of halvings changes, and over the whole range.
template <class S>
void check_never_rises() {
  constexpr double kLn2 = 0.69314718055994530942;
  for (int n = 0; n < (kIsFloat<S> ? 110 : 900); n += kIsFloat<S> ? 1 : 37) {
    S x = static_cast<S>((n + 0.5) * kLn2);
    for (int i = 0; i < 20; ++i) x = std::nextafter(x, S(0));
    S before = exp_minus(x);
    for (int i = 0; i < 40; ++i) {
      x = std::nextafter(x, S(1000));
      const S now = exp_minus(x);
      TEST_ASSERT_TRUE(now <= before && now > S(0));
      before = now;
    }
  }
  S before = S(1);
  for (int i = 1; i < 800; ++i) {
    const S now = exp_minus(static_cast<S>(0.1 * i));
    TEST_ASSERT_TRUE(now < before);
    before = now;
  }
}
void test_never_rises() {
  check_never_rises<float>();
  if constexpr (measure::kInDouble) check_never_rises<double>();
}

template <class S>
void check_ends() {
  using Limits = std::numeric_limits<S>;
  const auto is = [](double expected, S got) { TEST_ASSERT_DOUBLE_WITHIN(0, expected, static_cast<double>(got)); };
  is(1, exp_minus(S(0)));
  is(1, exp_minus(-S(0)));
  is(1, exp_minus(Limits::denorm_min()));
  is(1, exp_minus(Limits::epsilon() / S(8)));
  const S most = S(kIsFloat<S> ? 80 : 700);
  TEST_ASSERT_TRUE(exp_minus(most) >= Limits::min());  // still a normal number
  is(0, exp_minus(std::nextafter(most, Limits::infinity())));
  is(0, exp_minus(S(1e9)));
  is(0, exp_minus(Limits::max()));
  is(0, exp_minus(Limits::infinity()));
  // Friction from a speed that is not a number is none: the state's own check refuses it.
  is(0, exp_minus(Limits::quiet_NaN()));
}
void test_ends() {
  check_ends<float>();
  if constexpr (measure::kInDouble) check_ends<double>();
}

}  // namespace

KINECAST_SUITE(exponential, test_known_values, test_random_floats, test_never_rises, test_ends)

}  // namespace unit_exponential
