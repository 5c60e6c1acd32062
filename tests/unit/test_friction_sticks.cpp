// SPDX-License-Identifier: MIT
// One joint with dry friction: it holds, breaks away at its static limit, and stops where theory says, for every ratio of link
// to rotor inertia. The papers' rotor form stands beside it where the rotor is light.
#include "drive_checks.hpp"
#include "unity_main.hpp"

namespace unit_friction_sticks {
namespace {

using namespace driven;
using measure::kEps;
using measure::kIsFloat;

constexpr double kStatic = 4.92;
constexpr double kCoulomb = 4.32;
constexpr double kDt = 1e-3;

// 10^6 steps in float on the host; boards are slower, and double is soft there.
template <class S>
constexpr int kHoldingSteps = (kIsFloat<S> ? 10000 : 500) * measure::kEffort;

// ---- holding --------------------------------------------------------------------------------------------------------------

// Gravity pulls with 0.8 kg * 9.80665 * 0.5 m = 3.92 N.m, and a hand pushes to and fro: 4.9 N.m at most, below 4.92.
template <class S>
void check_hold(double rotor) {
  Values<hinge> values = hinge_of(0.1, rotor);
  values.gravity_mps2 = {0, 0, -9.80665};
  values.links[0].mass_kg = 0.8;
  values.links[0].com_m = {0.5, 0, 0};
  const Model<hinge, S> model = built<hinge, S>(values);
  Predictor<hinge, S> p(model);
  double drift = 0;
  for (int i = 0; i < kHoldingSteps<S>; ++i) {
    const double push = 0.98 * ((i % 64) - 32) / 32.0;
    assert_ok(p.step(all<hinge, S>(0), all<hinge, S>(push), static_cast<S>(kDt)));
    if (!p.report().held(0)) TEST_FAIL_MESSAGE("slips");
    drift = std::fmax(drift, std::abs(static_cast<double>(p.state().q[0])));
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, drift);  // the limit
  // Friction carries the load: gravity turns the arm down, about +y, the push of the last step is 0.98 * 31 / 32 at most.
  const int last = (kHoldingSteps<S> - 1) % 64;
  const double load = 0.8 * 9.80665 * 0.5 + 0.98 * (last - 32) / 32.0;
  TEST_ASSERT_DOUBLE_WITHIN(20 * kEps<S> * 4.92, -load, static_cast<double>(p.report().friction_Nm[0]));
}
void test_holds_a_load() {
  check_hold<float>(0.1);
  check_hold<float>(0);
  if constexpr (measure::kInDouble) check_hold<double>(0.1);
}

// ---- breaking away --------------------------------------------------------------------------------------------------------

template <class S>
void check_break_away(const Model<hinge, S>& model, double torque, double limit) {
  const double sign = torque < 0 ? -1 : 1;
  for (const double margin : {-1e-3, 1e-3}) {
    Predictor<hinge, S> p(model);
    const double applied = sign * limit * (1 + margin);
    for (int i = 0; i < 20; ++i) {
      assert_ok(p.step(all<hinge, S>(applied), static_cast<S>(kDt)));
      TEST_ASSERT_TRUE(p.report().held(0) == (margin < 0));
      // Each step from rest gains at least (applied - static) dt / J, J at most 0.2: 20 times 2e-5.
      const double speed = sign * static_cast<double>(p.state().dq[0]);
      if (margin < 0) TEST_ASSERT_DOUBLE_WITHIN(0, 0, speed);
      if (margin > 0) TEST_ASSERT_TRUE(speed > (i + 1) * 0.9 * limit * margin * kDt / 0.2);
    }
  }
}
template <class S>
void check_break_aways() {
  Values<hinge> values = hinge;
  check_break_away<S>(built<hinge, S>(values), 1, kStatic);
  check_break_away<S>(built<hinge, S>(values), -1, kStatic);
  values.links[0].drive.at_joint.rotor_inertia_kgm2 = 0;
  check_break_away<S>(built<hinge, S>(values), 1, kStatic);
  values.links[0].drive.at_joint.stiction_Nm = {4.5, 7.25};
  values.links[0].drive.at_joint.coulomb_Nm = {4.25, 2.5};
  check_break_away<S>(built<hinge, S>(values), 1, 4.5);
  check_break_away<S>(built<hinge, S>(values), -1, 7.25);
}
void test_breaks_away() {
  check_break_aways<float>();
  if constexpr (measure::kInDouble) check_break_aways<double>();
}

// ---- stopping -------------------------------------------------------------------------------------------------------------

struct Inertias {
  double link;
  double rotor;
};
// Link to rotor 0, 0.1, 1, 10, 100, and no rotor.
constexpr Inertias kInertias[] = {{0, 0.1}, {0.01, 0.1}, {0.1, 0.1}, {1, 0.1}, {10, 0.1}, {0.1, 0}};
constexpr int kStepsToStop = 150;
constexpr int kStepsAfter = 300;

// From the first step that begins with |dq| < T_s dt / J, three steps later the joint rests, and for ever.
template <class S>
void check_stop(const Inertias& inertias, double sign) {
  const Model<hinge, S> model = built<hinge, S>(hinge_of(inertias.link, inertias.rotor));
  const double inertia = inertias.link + inertias.rotor;
  Predictor<hinge, S> p(model);
  assert_ok(p.reset(moving_at<hinge, S>(sign * kStepsToStop * kCoulomb * kDt / inertia)));
  int could = -1;
  for (int i = 0; i < kStepsToStop + kStepsAfter; ++i) {
    if (could < 0 && std::abs(static_cast<double>(p.state().dq[0])) < kStatic * kDt / inertia) could = i;
    assert_ok(p.step(all<hinge, S>(0), static_cast<S>(kDt)));
    TEST_ASSERT_TRUE(could >= 0 || !p.report().held(0));
    if (could < 0 || i < could + 2) continue;
    TEST_ASSERT_TRUE(p.report().held(0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0, static_cast<double>(p.state().dq[0]));  // the limit
  }
  TEST_ASSERT_TRUE(could > 0 && could <= kStepsToStop);
}
void test_stops_for_every_inertia() {
  for (const Inertias& inertias : kInertias) {
    check_stop<float>(inertias, 1);
    check_stop<float>(inertias, -1);
    if constexpr (measure::kInDouble) check_stop<double>(inertias, 1);
  }
}

// Coulomb friction alone: v²J/(2 T_k). Euler's sum of n = v/(a dt) velocities is v dt/2 less, and what is left of the last step
// is at most a dt²/8 of it.
template <class S>
void check_stopping_angle(const Inertias& inertias, double dt) {
  Values<hinge> values = hinge_of(inertias.link, inertias.rotor);
  values.links[0].drive.at_joint.stiction_Nm = values.links[0].drive.at_joint.coulomb_Nm;
  const Model<hinge, S> model = built<hinge, S>(values);
  const double deceleration = kCoulomb / (inertias.link + inertias.rotor);
  const double v = (kStepsToStop + 0.4) * deceleration * dt;
  Predictor<hinge, S> p(model);
  assert_ok(p.reset(moving_at<hinge, S>(v)));
  for (int i = 0; i < kStepsToStop + 5; ++i) assert_ok(p.step(all<hinge, S>(0), static_cast<S>(dt)));
  const double theory = v * v / (2 * deceleration);
  // Rounding: 150 sums of velocities and of angles.
  const double rounding = 2 * kStepsToStop * kEps<S> * theory;
  TEST_ASSERT_DOUBLE_WITHIN(deceleration * dt * dt / 8 + rounding, theory - v * dt / 2,
                            static_cast<double>(p.state().q[0]));
}
void test_stopping_angle() {
  for (const Inertias& inertias : kInertias) {
    for (const double dt : {1e-4, 1e-3, 1e-2}) check_stopping_angle<float>(inertias, dt);
    if constexpr (measure::kInDouble) check_stopping_angle<double>(inertias, kDt);
  }
}

// ---- the rotor form beside it ---------------------------------------------------------------------------------------------

// Steps, of the 2000 after the joint could stick, in which it still moves by more than 1e-6 rad/s.
template <class Friction>
int moving_steps(const Inertias& inertias, const typename Friction::template Parameters<double>& parameters) {
  const Model<hinge, double> model = built<hinge, double>(hinge_of(inertias.link, inertias.rotor));
  Predictor<hinge, double, Friction> p(model, parameters);
  assert_ok(p.reset(moving_at<hinge, double>(kStepsToStop * kCoulomb * kDt / (inertias.link + inertias.rotor))));
  int moving = 0;
  for (int i = 0; i < kStepsToStop + 2000; ++i) {
    assert_ok(p.step(all<hinge, double>(0), kDt));
    if (i >= kStepsToStop + 2 && std::abs(p.state().dq[0]) > 1e-6) ++moving;
  }
  return moving;
}
void test_rotor_form_rings() {
  const RotorFriction::Parameters<double> plain{0, 0, kinecast::Equation21::corrected};
  for (const Inertias& inertias : kInertias) {
    TEST_ASSERT_EQUAL_INT(0, moving_steps<ArticulatedFriction>(inertias, {}));
    if (!(inertias.rotor > 0)) continue;
    const int ringing = moving_steps<RotorFriction>(inertias, plain);
    using kinecast::port::put;
    put("  measured link/rotor "), put(kinecast::port::fixed(static_cast<float>(inertias.link / inertias.rotor), 1));
    put(": rotor form moves in "), put(kinecast::port::integer(ringing)), put(" of 2000 steps, default form in 0\n");
    // Method 5.5: the ringing decays by sqrt(beta) per step, beta = J_l / J. From T_s dt / J_m, what friction takes from the rotor
    // alone, to 1e-6 that takes this long at most; for a light link it is over at once, for a heavy one it is not.
    const double beta = inertias.link / (inertias.link + inertias.rotor);
    const double decades = std::log(1e-6 * inertias.rotor / (kStatic * kDt));
    TEST_ASSERT_TRUE(ringing <= (beta > 0 ? decades / (0.5 * std::log(beta)) : 0) + 5);
    if (inertias.link > 50 * inertias.rotor) TEST_ASSERT_TRUE(ringing > 500);
  }
}

}  // namespace

KINECAST_SUITE(friction_sticks, test_holds_a_load, test_breaks_away, test_stops_for_every_inertia, test_stopping_angle,
               test_rotor_form_rings)

}  // namespace unit_friction_sticks
