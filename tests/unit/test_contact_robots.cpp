// SPDX-License-Identifier: MIT
// Contact of robots with more than one body: stacks, links that touch links, legs and arms. In every step M ddq + b = tau + Jᵀ f,
// with the torques and forces that were reported, against dense_reference.hpp: Newton's third law among it, and every way a
// contact's row is built: fixed and floating bases, trees, more joints than the touching bodies can feel, drives with friction.
#include "contact_scenes.hpp"
#include "unity_main.hpp"

namespace unit_contact_robots {
namespace {

using namespace touching;
using kinecast::at;
using kinecast::body;
using kinecast::com;
using kinecast::fixed;
using kinecast::floating;
using kinecast::friction;
using kinecast::inertia;
using kinecast::kAxisY;
using kinecast::kAxisZ;
using kinecast::link;
using kinecast::on;
using kinecast::revolute;
using kinecast::Vec3;

constexpr double kDt = 1e-3;

template <const auto& R, class S, class P>
void step(P& p, const Command<R, S>& command) {
  assert_ok(p.step(command, static_cast<S>(kDt)));
}

// ---- a stack --------------------------------------------------------------------------------------------------------------

// Cubes of 0.1 m, 1 kg and 0.5 kg.
inline constexpr auto two_cubes = kinecast::robot(
    "two cubes", link("lower", floating(), body(1, com(0, 0, 0), inertia(1 / 600.0, 1 / 600.0, 1 / 600.0))),
    link("upper", floating(), body(0.5, com(0, 0, 0), inertia(1 / 1200.0, 1 / 1200.0, 1 / 1200.0))),
    kinecast::contact_box(on("lower"), kinecast::size(0.1, 0.1, 0.1)),
    kinecast::contact_box(on("upper"), kinecast::size(0.1, 0.1, 0.1)));
constexpr auto kMaterial =
    kinecast::material(friction(0.5), kinecast::compensation(200), kinecast::relaxation(kRelaxation));
inline constexpr auto pile =
    kinecast::environment(kinecast::half_space("ground", kMaterial),
                          kinecast::box("lid", on("lower"), kinecast::size(0.1, 0.1, 0.1), kMaterial),
                          kinecast::box("sole", on("upper"), kinecast::size(0.1, 0.1, 0.1), kMaterial));
constexpr int kPileLinks[] = {-1, 0, 1};

// The upper cube is put down from 5 mm, exactly above the lower one or a hair beside; both stay, and carry what they weigh.
template <class S>
void check_stack(double beside, double turn) {
  auto& p = fresh<Predictor<two_cubes, S, Contacts<pile, 12>>>();
  State<two_cubes, S> start = zero_state<two_cubes, S>();
  place(start, 0, {0.2, -0.1, 0.05}, {0, 0, turn});
  place(start, 7, {0.2 + beside, -0.1, 0.155}, {0, 0, turn});
  assert_ok(p.reset(start));
  Worst balance;
  for (int i = 0; i < 300; ++i) {
    const State<two_cubes, S> before = p.state();
    step<two_cubes, S>(p, nothing<two_cubes, S>());
    if (i < 150 || i > 280)
      see_balance<two_cubes, S>(before, p.state(), nothing<two_cubes, S>(), static_cast<double>(static_cast<S>(kDt)),
                                p.contact_report(), kPileLinks, balance);
    check_report(p.contact_report(), kEps<S>);
  }
  assert_below<S>(kBalance<S>, balance, "stack", "M ddq + b - Jt f");
  const State<two_cubes, S>& s = p.state();
  // Each corner sinks by lambda A f dt / k (method 2.3): the lower ones by 1e-2 * 4 / kg * 3.68 N * 1 ms / 200 = 0.74 µm. The cubes
  // touch with the corners of both: half the load on each, or all of it where they do not lie over each other.
  TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0.05 - 0.74e-6, static_cast<double>(s.q[2]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.15 - 0.74e-6, static_cast<double>(s.q[9]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.2, static_cast<double>(s.q[0]));  // of the lower one, as the upper one lands
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, beside, static_cast<double>(s.q[7] - s.q[0]));
  double carried[3] = {0, 0, 0};
  const auto& report = p.contact_report();
  for (int i = 0; i < report.count; ++i) carried[report[i].pair.surface] += static_cast<double>(report[i].normal_N);
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, 1.5 * kGravity, carried[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, 0.5 * kGravity, carried[1] + carried[2]);
}
void test_stack_of_equal_boxes() {
  check_stack<float>(0, 0);
  check_stack<float>(2e-6, 0.4);
  check_stack<float>(-2e-6, 0);
  check_stack<float>(-0.02, 0);  // two corners of each on the other
}

// ---- links that touch each other -------------------------------------------------------------------------------------------

// A hull that flies freely, and an arm that falls shut on it like a lid.
inline constexpr auto clam =
    kinecast::robot("clam", kinecast::gravity(0, 0, 0),
                    link("hull", floating(), body(2, com(0.02, -0.01, 0.03), inertia(0.02, 0.03, 0.04))),
                    link("arm", on("hull"), revolute({0, 0.8, 0.6}), at(-0.2, 0.05, 0.1),
                         body(1, com(0.2, 0.02, 0), inertia(0.004, 0.011, 0.012))),
                    kinecast::contact_point("tip", on("arm"), at(0.3, 0, 0)),
                    kinecast::contact_point("heel", on("arm"), at(0.2, 0.1, 0)),
                    kinecast::contact_point("keel", on("hull"), at(0, 0, 0)));
inline constexpr auto itself = kinecast::environment(
    kinecast::box("deck", on("hull"), at(0, 0, 0.02), kinecast::size(0.6, 0.6, 0.1), kinecast::rpy(0, 0.1, 0.2),
                  kinecast::material(friction(0.4), kinecast::restitution(0.3), kinecast::relaxation(kRelaxation))));

// The contact is an inner force: the base's entries of M ddq + b stay zero, that is, nothing pushes the whole.
template <class S>
void check_third_law() {
  auto& p = fresh<Predictor<clam, S, Contacts<itself, 4>>>();
  State<clam, S> start = placed<clam, S>({0, 0, 0}, {0.3, 0.2, -1});
  start.q[7] = S(-0.5);
  start.dq << S(0.3), S(-0.2), S(0.1), S(0.5), S(0.4), S(-0.6), S(3);
  assert_ok(p.reset(start));
  Worst outside;
  Worst balance;
  int touched = 0;
  double hardest = 0;
  for (int i = 0; i < 600; ++i) {
    const State<clam, S> before = p.state();
    Command<clam, S> closing = nothing<clam, S>();
    closing[6] = S(0.4);
    step<clam, S>(p, closing);
    const auto& report = p.contact_report();
    see_balance<clam, S>(before, p.state(), closing, static_cast<double>(static_cast<S>(kDt)), report, {0}, balance);
    // Without any contact force, the first six entries are the force and moment on the whole.
    double q[8];
    double dq[7];
    double ddq[7];
    for (int k = 0; k < 8; ++k) q[k] = static_cast<double>(before.q[k]);
    for (int k = 0; k < 7; ++k) {
      dq[k] = static_cast<double>(before.dq[k]);
      ddq[k] = (static_cast<double>(p.state().dq[k]) - dq[k]) / static_cast<double>(static_cast<S>(kDt));
    }
    checks::truth<clam>().place(q);
    checks::truth<clam>().find_torque(dq, ddq);
    for (int k = 0; k < 6; ++k) outside.see(checks::truth<clam>().force[k]);
    for (int c = 0; c < report.count; ++c) {
      TEST_ASSERT_TRUE(report[c].pair.point != 2);  // a point of the hull does not touch the hull
      hardest = std::fmax(hardest, static_cast<double>(report[c].normal_N));
    }
    touched += report.touching() ? 1 : 0;
    check_report(report, kEps<S>);
  }
  TEST_ASSERT_TRUE_MESSAGE(touched > 100 && hardest > 100, "it falls shut with a blow, and stays shut");
  // 3 kg at 1 m/s within a step, and a blow of some hundred N.
  assert_below<S>(kBalance<S> * (3 / kDt + hardest), outside, "clam", "force on the whole, N");
  assert_below<S>(kBalance<S>, balance, "clam", "M ddq + b - Jt f");
}
void test_third_law() {
  check_third_law<float>();
  if constexpr (measure::kInDouble) check_third_law<double>();
}

// ---- legs -----------------------------------------------------------------------------------------------------------------

// A floating hull on four legs of two hinges: 14 degrees of freedom. One or two touching bodies feel 6 or 12 of them.
constexpr auto make_crab() {
  constexpr auto leg = body(0.2, com(0, 0, -0.05), inertia(3e-4, 3e-4, 1e-4));
  return kinecast::robot("crab", link("hull", floating(), body(2, com(0.01, 0, 0), inertia(0.01, 0.012, 0.015))),
                         link("a1", on("hull"), revolute(kAxisY), at(0.1, 0.1, 0), leg),
                         link("a2", on("a1"), revolute(kAxisY), at(0, 0, -0.1), leg),
                         link("b1", on("hull"), revolute({0.6, 0.8, 0}), at(0.1, -0.1, 0), leg),
                         link("b2", on("b1"), revolute(kAxisY), at(0, 0, -0.1), leg),
                         link("c1", on("hull"), revolute(kAxisY), at(-0.1, 0.1, 0), leg),
                         link("c2", on("c1"), revolute(kinecast::kAxisX), at(0, 0, -0.1), leg),
                         link("d1", on("hull"), revolute(kAxisY), at(-0.1, -0.1, 0), leg),
                         link("d2", on("d1"), revolute(kAxisY), at(0, 0, -0.1), leg),
                         kinecast::contact_sphere("a", on("a2"), at(0, 0, -0.1), kinecast::radius(0.01)),
                         kinecast::contact_point("b", on("b2"), at(0, 0, -0.1)),
                         kinecast::contact_point("c", on("c2"), at(0, 0, -0.1)),
                         kinecast::contact_sphere("d", on("d2"), at(0, 0, -0.1), kinecast::radius(0.02)),
                         kinecast::contact_point("belly", on("hull"), at(0, 0, -0.05)));
}
inline constexpr auto crab = make_crab();
inline constexpr auto beach = kinecast::environment(kinecast::half_space(
    "sand", kinecast::rpy(0.1, 0.05, 0),
    kinecast::material(friction(0.6, 0.5), kinecast::compensation(200), kinecast::relaxation(kRelaxation))));

template <class S>
void check_crab(int drops) {
  auto& p = fresh<Predictor<crab, S, Contacts<beach, 6>>>();
  measure::Random random(3);
  Worst balance;
  Worst gained;
  int most = 0;
  for (int n = 0; n < drops; ++n) {
    State<crab, S> start = placed<crab, S>({0, 0, 0.28}, {random.within(0.5), random.within(0.5), random.within(3)});
    for (int i = 0; i < 8; ++i) start.q[7 + i] = static_cast<S>(random.within(0.5));
    for (int i = 0; i < 14; ++i) start.dq[i] = static_cast<S>(random.within(0.5));
    assert_ok(p.reset(start));
    for (int i = 0; i < 150; ++i) {
      const State<crab, S> before = p.state();
      Command<crab, S> tau = nothing<crab, S>();
      for (int k = 6; k < 14; ++k) tau[k] = S(-2) * before.q[k + 1] - S(0.02) * before.dq[k];  // legs like springs
      step<crab, S>(p, tau);
      const auto& report = p.contact_report();
      see_balance<crab, S>(before, p.state(), tau, static_cast<double>(static_cast<S>(kDt)), report, {-1}, balance);
      see_work<crab, S>(before, p.state(), kDt, 200, report, {-1}, gained);
      check_report(report, kEps<S>);
      int touching = 0;
      for (int c = 0; c < report.count; ++c) touching += report[c].normal_N > S(0) ? 1 : 0;
      most = touching > most ? touching : most;
    }
  }
  TEST_ASSERT_TRUE_MESSAGE(most >= (kEffort < 100 ? 1 : 3), "it stands on three legs at least");
  assert_below<S>(kBalance<S>, balance, "crab", "M ddq + b - tau - Jt f");
  // Plastic contact takes energy. A leg that turns at 20 rad/s moves its foot by w² r dt = 40 mm/s more within a step than the
  // velocity at its start says, against a weight of 36 N, or ten times that while it lands.
  assert_small<S>(1.5e-2, gained, "crab", "work of the contacts, J");
}
// Boards compile and run it in float alone.
template <int Effort>
void check_crabs() {
  check_crab<float>(Effort < 100 ? 1 : 20);
  if constexpr (Effort == 100) check_crab<double>(20);
}
void test_crab() { check_crabs<kEffort>(); }

// ---- two arms with drives -------------------------------------------------------------------------------------------------

// On a fixed stand, a waist and two arms whose joints have friction, which lie on a table.
constexpr auto make_two_arms() {
  constexpr auto rod = body(0.5, com(0.1, 0, 0), inertia(1e-4, 2e-3, 2e-3));
  constexpr auto loose =
      kinecast::at_joint(kinecast::stiction(0.02), kinecast::coulomb(0.015), kinecast::viscous(0.01));
  return kinecast::robot(
      "two arms", link("stand", on("world"), fixed(), at(0, 0, 0.3), body(5, com(0, 0, 0), inertia(0.1, 0.1, 0.1))),
      link("waist", on("stand"), revolute(kAxisZ), kinecast::torque_driven(), loose,
           body(2, com(0, 0, 0), inertia(0.02, 0.02, 0.02))),
      link("left", on("waist"), revolute(kAxisY), at(0, 0.1, 0), kinecast::torque_driven(), loose, rod),
      link("left fore", on("left"), revolute(kAxisY), at(0.2, 0, 0), kinecast::torque_driven(), loose, rod),
      link("right", on("waist"), revolute(kAxisY), at(0, -0.1, 0), kinecast::torque_driven(), loose, rod),
      link("right fore", on("right"), revolute(kAxisY), at(0.2, 0, 0), kinecast::torque_driven(), loose, rod),
      kinecast::contact_sphere("left hand", on("left fore"), at(0.2, 0, 0), kinecast::radius(0.02)),
      kinecast::contact_point("right hand", on("right fore"), at(0.2, 0, 0)),
      kinecast::contact_point("left elbow", on("left fore")));
}
inline constexpr auto two_arms = make_two_arms();
inline constexpr auto desk =
    kinecast::environment(kinecast::box("desk", at(0.4, 0, 0.15), kinecast::size(0.4, 0.8, 0.1),
                                        kinecast::material(friction(0.5, 0.4), kinecast::relaxation(kRelaxation))));

// The links feel what the gears pass on, gravity and the hands; as the arms fall, hit, drag and come to rest.
template <class S>
void check_two_arms() {
  auto& p = fresh<Predictor<two_arms, S, Contacts<desk, 4>>>();
  State<two_arms, S> start = zero_state<two_arms, S>();
  start.q << S(0.1), S(-0.3), S(0.6), S(-0.2), S(0.5);
  assert_ok(p.reset(start));
  Worst balance;
  bool both = false;
  Command<two_arms, S> turn = nothing<two_arms, S>();
  for (int i = 0; i < 1200; ++i) {
    const State<two_arms, S> before = p.state();
    turn[0] = S(i > 600 && i < 700 ? 2 : 0);  // the waist drags the hands over the desk
    for (const int shoulder : {1, 3}) turn[shoulder] = S(-8) * before.q[shoulder] - S(0.2) * before.dq[shoulder];
    step<two_arms, S>(p, turn);
    const auto& report = p.contact_report();
    see_balance<two_arms, S>(before, p.state(), p.report().transmitted_Nm, static_cast<double>(static_cast<S>(kDt)),
                             report, {-1}, balance);
    check_report(report, kEps<S>);
    int touching = 0;
    for (int c = 0; c < report.count; ++c) touching += report[c].normal_N > S(0) ? 1 : 0;
    both = both || touching >= 2;
  }
  TEST_ASSERT_TRUE_MESSAGE(both, "both hands lie on the desk");
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, measure::largest(p.state().dq, 5));  // at rest in the end
  // A joint that sticks while its hand touches is solved with it, relaxed, and then put to rest exactly: 1e-7 rad/s of 0.1 kg m²
  // within a step, 1e-5 N m.
  assert_small<S>(kBalance<S> + 2e-5, balance, "two arms", "M ddq + b - transmitted - Jt f");
}
template <int Effort>
void check_arms() {
  check_two_arms<float>();
  if constexpr (Effort == 100) check_two_arms<double>();
}
void test_two_arms_with_drives() { check_arms<kEffort>(); }

}  // namespace

KINECAST_SUITE(contact_robots, test_stack_of_equal_boxes, test_third_law, test_crab, test_two_arms_with_drives)

}  // namespace unit_contact_robots
