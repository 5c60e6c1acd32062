// SPDX-License-Identifier: MIT
// The laws that no contact may break, on a cube that is thrown on the ground: forces push and stay within the cone, every step's
// change of momentum is that of gravity and of the forces reported, a plastic contact gains no energy, and a rebound is as high
// as the restitution says, whatever the compensation and the moment of the step in which the cube arrives.
#include "contact_scenes.hpp"
#include "unity_main.hpp"

namespace unit_contact_laws {
namespace {

using namespace touching;
using kinecast::ContactRows;
using kinecast::FrictionRule;
using kinecast::Functional;
using kinecast::Relaxed;
using robots::cube;

constexpr double kDt = 1e-3;
constexpr double kMass = 0.5;
constexpr double kInertia = 0.5 * 0.02 / 12;  // the same about every axis: free flight turns without any error

inline constexpr auto ground =
    kinecast::environment(kinecast::half_space("ground", kinecast::material(kinecast::friction(0.5, 0.3))));

template <class S>
[[nodiscard]] double energy_of(const State<cube, S>& s) {
  double twice = 0;
  for (int i = 0; i < 3; ++i) {
    const double v = static_cast<double>(s.dq[i]);
    const double w = static_cast<double>(s.dq[3 + i]);
    twice += kMass * v * v + kInertia * w * w;
  }
  return 0.5 * twice + kMass * kGravity * static_cast<double>(s.q[2]);
}

struct Tumbles {
  Worst balance;  // relative
  Worst pull;     // N
  Worst cone;     // tangential force beyond mu_s times the normal one, N
  Worst gained;   // energy above the lowest so far, J
  Worst work;     // of the contacts, beyond that of working a depth off, J
};

template <class S, class Model>
using Thrown = Predictor<cube, S, Contacts<ground, 8, Model>>;

[[nodiscard]] Values<ground> ground_of(const kinecast::Material& material) {
  Values<ground> values = ground;
  std::get<0>(values.surfaces).materials.fill(material);
  return values;
}

// Random throws: any corner, edge or face first, at 1 to 3 m/s. `cone`: tangential over normal force that is allowed.
template <class S, class Model>
[[nodiscard]] Tumbles tumble(Thrown<S, Model>& p, int throws, double cone) {
  const S dt = static_cast<S>(kDt);
  measure::Random random(7);
  Tumbles worst;
  for (int n = 0; n < throws; ++n) {
    const kinecast::Vec3<double> turn{random.within(3), random.within(3), random.within(3)};
    State<cube, S> start = placed<cube, S>({0, 0, 0.145 + random.within(0.05)}, turn);
    for (int i = 0; i < 3; ++i) {
      start.dq[i] = static_cast<S>(random.within(1));
      start.dq[3 + i] = static_cast<S>(random.within(10));
    }
    assert_ok(p.reset(start));
    double lowest = energy_of(start);
    for (int i = 0; i < 500; ++i) {
      const State<cube, S> before = p.state();
      assert_ok(p.step(nothing<cube, S>(), dt));
      const auto& report = p.contact_report();
      see_balance<cube, S>(before, p.state(), nothing<cube, S>(), static_cast<double>(dt), report, {-1}, worst.balance);
      check_report(report, kEps<S>);
      for (int c = 0; c < report.count; ++c) {
        const double normal = static_cast<double>(report[c].normal_N);
        worst.pull.see(std::fmin(0.0, normal));
        worst.cone.see(std::fmax(0.0, static_cast<double>(report[c].tangential_N) - cone * normal));
      }
      const double energy = energy_of(p.state());
      worst.gained.see(std::fmax(0.0, energy - lowest));
      see_work<cube, S>(before, p.state(), static_cast<double>(dt), 200, report, {-1}, worst.work);
      lowest = std::fmin(lowest, energy);
    }
  }
  return worst;
}

template <class S>
void check_laws(const Tumbles& worst, const char* name) {
  assert_below<S>(kBalance<S>, worst.balance, name, "M ddq + b - Jt f");
  assert_below<S>(0, worst.pull, name, "pull, N");
  // One product and one root away from the limit, of a kN.
  assert_below<S>(8 * kEps<S> * 1e3, worst.cone, name, "beyond the cone, N");
  // A corner about which the cube tips at 5 rad/s gains w² r dt = 2 mm/s within a step, against the weight of 5 N.
  assert_small<S>(2e-5, worst.work, name, "work of a plastic contact, J");
  // Points are found up to a step's way inside, 2 mm; m g 2 mm = 10 mJ of about 1 J, if it were all of the cube.
  assert_small<S>(1e-2, worst.gained, name, "energy gained, J");
}
constexpr int kThrows = kEffort < 100 ? 2 : 60;

template <class S>
void check_default() {
  auto& p = fresh<Thrown<S, Relaxed<>>>();
  check_laws<S>(tumble<S, Relaxed<>>(p, kThrows, 0.5), "default");
}
void test_default() {
  check_default<float>();
  if constexpr (measure::kInDouble) check_default<double>();
}

// mu = 0: no tangential force at all, and the normal one still never pulls (method 15).
void test_without_friction() {
  auto& p = fresh<Thrown<float, Relaxed<>>>();
  static const auto scene = built_scene<cube, ground, float>(
      ground_of(kinecast::material(kinecast::friction(0), kinecast::relaxation(kRelaxation))));
  p.set_scene(scene);
  check_laws<float>(tumble<float, Relaxed<>>(p, kThrows, 0), "no friction");
}

// As the papers solve; and with predicted rows, which leave and return while others begin to slide.
template <ContactRows rows>
void check_velocity_form(const char* name) {
  using Model = Relaxed<Functional::velocity, rows>;
  auto& p = fresh<Thrown<float, Model>>();
  check_laws<float>(tumble<float, Model>(p, kThrows, 0.5), name);
}
void test_velocity_form() {
  check_velocity_form<ContactRows::touching>("velocity form, touching");
  check_velocity_form<ContactRows::predictive>("velocity form, predictive");
}

// Four sides about the normal: the corner of the pyramid reaches sqrt(2) mu.
void test_pyramid() {
  using Model = Relaxed<Functional::energy, ContactRows::predictive, FrictionRule::pyramid>;
  auto& p = fresh<Thrown<float, Model>>();
  check_laws<float>(tumble<float, Model>(p, kThrows, std::sqrt(2.0) * 0.5), "pyramid");
}

// ---- rebound --------------------------------------------------------------------------------------------------------------

// Method 2.1, FIX 22: the cube falls flat from 41 heights, so that it arrives at every moment of a step. Upward over downward speed.
[[nodiscard]] Worst rebounds(double k, double e) {
  auto& p = fresh<Thrown<float, Relaxed<>>>();
  static kinecast::Scene<cube, ground, float> scene;
  scene = built_scene<cube, ground, float>(
      ground_of(kinecast::material(kinecast::friction(0.5, 0.3), kinecast::compensation(k), kinecast::restitution(e))));
  p.set_scene(scene);
  Worst worst;
  for (int n = 0; n < 41; n += kEffort < 100 ? 8 : 1) {
    assert_ok(p.reset(placed<cube, float>({0, 0, 0.05 + 0.05 + 0.005 * n / 40})));
    double impact = 0;
    double rebound = 0;
    for (int i = 0; i < 130; ++i) {
      assert_ok(p.step(nothing<cube, float>(), static_cast<float>(kDt)));
      const double speed = static_cast<double>(p.state().dq[2]);
      impact = std::fmin(impact, speed);
      rebound = std::fmax(rebound, speed);
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.05, -std::sqrt(2 * kGravity * 0.0525), impact);  // 50 to 55 mm of fall: it did hit
    worst.see(rebound / -impact - e);
  }
  return worst;
}
void test_rebound() {
  for (const double k : {100.0, 500.0, 1000.0}) {
    assert_below<float>(0.01, rebounds(k, 0), "rebound", "e = 0");
    assert_below<float>(0.02, rebounds(k, 0.5), "rebound", "e = 0.5, less 0.5");
  }
}

}  // namespace

KINECAST_SUITE(contact_laws, test_default, test_without_friction, test_velocity_form, test_pyramid, test_rebound)

}  // namespace unit_contact_laws
