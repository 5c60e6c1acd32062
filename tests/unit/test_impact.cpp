// SPDX-License-Identifier: MIT
// One impact: what physics says of it (energy, the cone, restitution), points that cannot move everywhere, bad input.
#include <kinecast/contact/impact/impact.hpp>

#include "measure.hpp"
#include "statuses.hpp"
#include "unity_main.hpp"

namespace unit_impact {
namespace {

using checks::assert_ok;
using checks::assert_status;
using kinecast::Impact;
using kinecast::ImpactBranch;
using kinecast::Status;
using kinecast::Sym3;
using kinecast::Vec3;
using measure::f64;
using measure::kEps;
using measure::Random;
using measure::Worst;

// pᵀu + ½ pᵀK p of the numbers as they are.
template <class S>
double energy_change(const Sym3<S>& K, const Vec3<S>& u, const Vec3<S>& p) {
  const Vec3<double> x = p.template cast<double>();
  return dot(x, u.template cast<double>()) + 0.5 * dot(x, K.template cast<double>() * x);
}
template <class S>
Vec3<double> velocity_after(const Sym3<S>& K, const Vec3<S>& u, const Vec3<S>& p) {
  return u.template cast<double>() + K.template cast<double>() * p.template cast<double>();
}

// A point of a free body: 1/m - [r x] I⁻¹ [r x], principal axes.
template <class S>
Sym3<S> free_body(Random& random) {
  const double m = 1.5 + random.within(1);
  const double a = 0.02 + random.within(0.01);  // 1 / inertias below
  const double b = 0.03 + random.within(0.01);
  const double c = 0.025 + random.within(0.01);
  const Vec3<double> r{random.within(0.2), random.within(0.2), random.within(0.2)};
  const Sym3<double> K{1 / m + r.z * r.z / b + r.y * r.y / c, -r.x * r.y / c, -r.x * r.z / b,
                       1 / m + r.z * r.z / a + r.x * r.x / c, -r.y * r.z / a, 1 / m + r.y * r.y / a + r.x * r.x / b};
  return K.cast<S>();
}
template <class S>
Vec3<S> approach(Random& random) {
  return Vec3<double>{-1 + random.within(0.9), random.within(2), random.within(2)}.cast<S>();
}

// ---- one impact -----------------------------------------------------------------------------------------------------------

// Restitution is met to some roundings: 16 are taken off e on purpose, the sum K p brings a few more. No case may gain.
constexpr double kRestitutionRoundings = 32;

template <class S>
void check_frictionless() {
  Random random(1);
  Worst kept;
  Worst rebound;
  Worst removed;
  for (int n = 0; n < 4 * measure::kEffort; ++n) {
    const Sym3<S> K = free_body<S>(random);
    const Vec3<S> u = approach<S>(random);
    Impact<S> out{};
    assert_ok(resolve_impact(K, u, S(1), S(0), out));
    const double there = 0.5 * f64(u.x) * f64(u.x) / f64(K.xx);
    const double change = energy_change(K, u, out.impulse);
    TEST_ASSERT_TRUE(change <= 0);
    kept.see(change / there);
    rebound.see((velocity_after(K, u, out.impulse).x + f64(u.x)) / f64(u.x));
    assert_ok(resolve_impact(K, u, S(0), S(0), out));
    removed.see(velocity_after(K, u, out.impulse).x / f64(u.x));
    TEST_ASSERT_TRUE(out.impulse.y * out.impulse.y + out.impulse.z * out.impulse.z <= S(0));
  }
  measure::assert_below<S>(2 * kRestitutionRoundings * kEps<S>, kept, "energy lost at e = 1");
  measure::assert_below<S>(kRestitutionRoundings * kEps<S>, rebound, "rebound at e = 1");
  measure::assert_below<S>(4 * kEps<S>, removed, "normal velocity left at e = 0");
}
void test_frictionless_impacts_keep_or_remove_the_normal_velocity() {
  check_frictionless<float>();
  if constexpr (measure::kInDouble) check_frictionless<double>();
}

template <class S>
void check_cone_and_energy() {
  Random random(2);
  Worst rebound;
  Worst slip;
  bool seen[6] = {};
  for (int n = 0; n < 20 * measure::kEffort; ++n) {
    const Sym3<S> K = free_body<S>(random);
    const Vec3<S> u = approach<S>(random);
    const S e = static_cast<S>(0.5 + random.within(0.5));
    const S mu = static_cast<S>(0.75 + random.within(0.75));
    Impact<S> out{};
    assert_ok(resolve_impact(K, u, e, mu, out));
    const Vec3<double> p = out.impulse.template cast<double>();
    TEST_ASSERT_TRUE(energy_change(K, u, out.impulse) <= 0);
    TEST_ASSERT_TRUE(std::sqrt(p.y * p.y + p.z * p.z) <= f64(mu) * p.x * (1 + 8 * kEps<S>));
    const Vec3<double> after = velocity_after(K, u, out.impulse);
    const double size = std::sqrt(f64(dot(u, u)));
    rebound.see((after.x + f64(e) * f64(u.x)) / size);
    if (out.branch == ImpactBranch::stick) slip.see(std::sqrt(after.y * after.y + after.z * after.z) / size);
    seen[static_cast<int>(out.branch)] = true;
    // With friction beyond any other, plastic: it stands.
    assert_ok(resolve_impact(K, u, S(0), S(1e4), out));
    if (out.branch == ImpactBranch::stick) {
      const Vec3<double> stopped = velocity_after(K, u, out.impulse);
      slip.see(std::sqrt(dot(stopped, stopped)) / size);
    }
  }
  // Products K p are up to ten times u here.
  measure::assert_below<S>(10 * kRestitutionRoundings * kEps<S>, rebound, "rebound with friction");
  measure::assert_below<S>(10 * kRestitutionRoundings * kEps<S>, slip, "slip of what sticks");
  TEST_ASSERT_TRUE(seen[static_cast<int>(ImpactBranch::stick)] && seen[static_cast<int>(ImpactBranch::slide)]);
}
void test_impacts_with_friction_stay_in_the_cone_and_gain_nothing() {
  check_cone_and_energy<float>();
  if constexpr (measure::kInDouble) check_cone_and_energy<double>();
}

// A leaning rod, 1 kg and 1 m, whose lower end slides slowly: friction along that slip would throw it back.
template <class S>
void check_reversed_slip() {
  const double sine = 0.8;
  const double cosine = 0.6;
  const double arm = 12 * 0.25;  // (l/2)² / I
  const Sym3<S> K =
      Sym3<double>{1 + arm * cosine * cosine, arm * sine * cosine, 0, 1 + arm * sine * sine, 0, 1}.cast<S>();
  const Vec3<S> u = Vec3<double>{-1, -0.1, 0}.cast<S>();
  const S e = S(0.5);
  const S mu = S(0.3);
  // What sliding all the way would do: normal impulse from u_n+ = -e u_n, friction along +t1.
  const double normal = 1.5 / (f64(K.xx) + f64(mu) * f64(K.xy));
  const double slip = f64(u.y) + f64(K.xy) * normal + f64(K.yy) * f64(mu) * normal;
  TEST_ASSERT_TRUE(slip > 0);  // it was negative: reversed
  Impact<S> out{};
  assert_ok(resolve_impact(K, u, e, mu, out));
  TEST_ASSERT_TRUE(out.branch == ImpactBranch::bilinear_slide || out.branch == ImpactBranch::bilinear_stick);
  TEST_ASSERT_TRUE(energy_change(K, u, out.impulse) < 0);
  TEST_ASSERT_TRUE(std::abs(f64(out.impulse.y)) <= f64(mu) * f64(out.impulse.x) * (1 + 8 * kEps<S>));
  TEST_ASSERT_DOUBLE_WITHIN(kRestitutionRoundings * kEps<S>, 0.5, velocity_after(K, u, out.impulse).x);
  // Friction brakes the slip that a bare normal blow would leave, which goes the other way.
  TEST_ASSERT_TRUE(out.impulse.y < S(0));
}
void test_slip_that_would_reverse() {
  check_reversed_slip<float>();
  if constexpr (measure::kInDouble) check_reversed_slip<double>();
}

// Points that cannot move everywhere: of a planar chain (nothing moves along t2), of a single joint, along the axis of one, of a
// welded body.
template <class S>
void check_singular() {
  Impact<S> out{};
  const Sym3<S> planar = Sym3<double>{2, 0.5, 0, 1.5, 0, 0}.cast<S>();
  assert_ok(resolve_impact(planar, Vec3<S>{S(-1), S(0.2), S(0)}, S(0), S(1), out));
  Vec3<double> after = velocity_after(planar, Vec3<S>{S(-1), S(0.2), S(0)}, out.impulse);
  TEST_ASSERT_TRUE(out.branch == ImpactBranch::stick);
  TEST_ASSERT_DOUBLE_WITHIN(kRestitutionRoundings * kEps<S>, 0, after.x);
  TEST_ASSERT_DOUBLE_WITHIN(kRestitutionRoundings * kEps<S>, 0, after.y);
  TEST_ASSERT_DOUBLE_WITHIN(0, 0, f64(out.impulse.z));

  // One joint: y = (2, 1, -1), K = y yᵀ, and velocities along y only.
  const Sym3<S> joint{S(4), S(2), S(-2), S(1), S(-1), S(1)};
  const Vec3<S> u{S(-2), S(-1), S(1)};
  for (const S e : {S(0), S(0.5), S(1)}) {
    for (const S mu : {S(0), S(0.3), S(2)}) {
      assert_ok(resolve_impact(joint, u, e, mu, out));
      TEST_ASSERT_TRUE(energy_change(joint, u, out.impulse) <= 0);
      after = velocity_after(joint, u, out.impulse);
      TEST_ASSERT_DOUBLE_WITHIN(4 * kRestitutionRoundings * kEps<S>, 2 * f64(e), after.x);
      TEST_ASSERT_DOUBLE_WITHIN(4 * kRestitutionRoundings * kEps<S>, f64(e), after.y);
    }
  }
  const Sym3<S> held{S(0), S(0), S(0), S(1), S(0), S(2)};
  assert_ok(resolve_impact(held, Vec3<S>{S(-1), S(1), S(1)}, S(1), S(1), out));
  TEST_ASSERT_TRUE(out.branch == ImpactBranch::immobile && dot(out.impulse, out.impulse) <= S(0));
  assert_ok(resolve_impact(Sym3<S>{}, Vec3<S>{S(-1), S(1), S(1)}, S(1), S(1), out));
  TEST_ASSERT_TRUE(out.branch == ImpactBranch::immobile && dot(out.impulse, out.impulse) <= S(0));
}
void test_points_that_cannot_move_everywhere() {
  check_singular<float>();
  if constexpr (measure::kInDouble) check_singular<double>();
}

void test_what_separates_is_left_alone() {
  Random random(3);
  const Sym3<float> K = free_body<float>(random);
  for (const float normal : {0.0F, 1e-6F, 2.0F}) {
    Impact<float> out{};
    const Vec3<float> u{normal, 0.5F, -0.25F};
    assert_ok(resolve_impact(K, u, 0.5F, 0.5F, out));
    TEST_ASSERT_TRUE(out.branch == ImpactBranch::none && dot(out.impulse, out.impulse) <= 0);
    TEST_ASSERT_TRUE(dot(out.velocity - u, out.velocity - u) <= 0);
  }
}

void test_bad_impacts_are_refused() {
  const Sym3<float> K{1, 0, 0, 1, 0, 1};
  const Vec3<float> u{-1, 0.5F, 0};
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Impact<float> out{};
  out.impulse = {7, 7, 7};
  assert_status(Status::input_out_of_range, resolve_impact(K, u, -0.1F, 0.5F, out));
  assert_status(Status::input_out_of_range, resolve_impact(K, u, 1.1F, 0.5F, out));
  assert_status(Status::input_out_of_range, resolve_impact(K, u, 0.5F, -0.5F, out));
  assert_status(Status::non_finite_input, resolve_impact(K, u, kNan, 0.5F, out));
  assert_status(Status::non_finite_input, resolve_impact(K, u, 0.5F, kInfinity, out));
  assert_status(Status::non_finite_input, resolve_impact(K, Vec3<float>{-1, kNan, 0}, 0.5F, 0.5F, out));
  assert_status(Status::non_finite_input, resolve_impact(Sym3<float>{1, 0, kNan, 1, 0, 1}, u, 0.5F, 0.5F, out));
  assert_status(Status::input_out_of_range, resolve_impact(K, Vec3<float>{-1e20F, 0, 0}, 0.5F, 0.5F, out));
  // No collision matrix: a negative mobility, or couplings beyond what mobilities allow.
  assert_status(Status::input_out_of_range, resolve_impact(Sym3<float>{-1, 0, 0, 1, 0, 1}, u, 0.5F, 0.5F, out));
  assert_status(Status::input_out_of_range, resolve_impact(Sym3<float>{1, 3, 0, 1, 0, 1}, u, 0.5F, 0.5F, out));
  TEST_ASSERT_TRUE(out.impulse.x > 6 && out.impulse.z > 6);
}

}  // namespace

KINECAST_SUITE(impact, test_frictionless_impacts_keep_or_remove_the_normal_velocity,
               test_impacts_with_friction_stay_in_the_cone_and_gain_nothing, test_slip_that_would_reverse,
               test_points_that_cannot_move_everywhere, test_what_separates_is_left_alone, test_bad_impacts_are_refused)

}  // namespace unit_impact
