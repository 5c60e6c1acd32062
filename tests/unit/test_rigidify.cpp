// SPDX-License-Identifier: MIT
// Rigid joints are welded joints: accelerations, what the sweeps leave for contact, and contact itself on the hybrid tree equal
// those of the robot with these joints welded where they stand. An arm with rotors, a chain, and a floating tree with everything.
#include "../robots/arm6.hpp"
#include "../robots/chain.hpp"
#include "../robots/zoo.hpp"
#include "rigid_checks.hpp"
#include "unity_main.hpp"

namespace unit_rigidify {
namespace {

using namespace kinecast;
constexpr int kStates = 2 * measure::kEffort;

// The issue asks for 1e-12 in double; this is 400 roundings, and in float the same. Chains need most of them: their last links see
// an articulated inertia that is what is left of one a hundred times as large.
template <class S>
constexpr double kWelded = 400 * measure::kEps<S>;

template <const auto& R, class S>
void check_robot(const char* name) {
  measure::assert_below<S>(kWelded<S>, checks::welded_error<R, S>(kStates, 0.5), "welded", name);
  const checks::HybridErrors errors = checks::hybrid_error<R, S>(kStates, 0.5);
  measure::assert_below<S>(kWelded<S>, errors.left, "what the sweeps leave", name);
  measure::assert_below<S>(kWelded<S>, errors.matrix, "contact map", name);
  measure::assert_below<S>(kWelded<S>, errors.rows, "rows", name);
  measure::assert_below<S>(kWelded<S>, errors.impulse, "impulses", name);
}

void test_arm() {
  check_robot<robots::arm6_geared, float>("arm6");
  if constexpr (measure::kInDouble) check_robot<robots::arm6_geared, double>("arm6");
}
void test_chain() {
  check_robot<robots::chain<9>, float>("chain9");
  if constexpr (measure::kInDouble) check_robot<robots::chain<9>, double>("chain9");
}
void test_zoo() {
  check_robot<robots::zoo, float>("zoo");
  if constexpr (measure::kInDouble) check_robot<robots::zoo, double>("zoo");
}

// ---- robots that were written welded --------------------------------------------------------------------------------------------

constexpr int kLong = 8;
constexpr double kAngles[kLong] = {0.4, -0.9, 1.3, 0.2, 0.7, -0.5, 0.3, 1.1};
constexpr bool kIsWelded[kLong] = {true, false, true, false, true, false, false, true};

// The chain with some of its joints turned and welded, the first among them.
constexpr auto make_welded_chain() {
  auto chain = robots::make_chain<kLong>();
  for (int i = 0; i < kLong; ++i) {
    Link& l = chain.links[static_cast<std::size_t>(i)];
    if (!kIsWelded[i]) continue;
    const double a = kAngles[i];
    l.rotation = l.rotation * rotation_from_rpy(a * l.axis.x, a * l.axis.y, a * l.axis.z);
    l.joint = JointKind::fixed;
  }
  return chain;
}
inline constexpr auto welded_chain = make_welded_chain();

// A body in free flight with a branch of two joints and a slide; written so, and with all of it welded.
template <bool welded>
constexpr auto make_flier() {
  constexpr auto kBox = inertia(0.010, 0.011, 0.012, 0.001, 0.0002, 0.0003);
  auto flier = robot("flier", link("trunk", on("world"), floating(), body(3.0, com(0.01, 0.02, -0.03), kBox)),
                     link("arm", on("trunk"), revolute(kAxisY), at(0.1, 0.2, -0.1), rpy(0.3, -0.4, 0.5),
                          body(1.0, com(0.01, 0.1, 0.02), kBox)),
                     link("hand", on("arm"), revolute(kAxisX), at(0.1, 0, 0.2), body(0.7, com(0.03, 0.1, 0.02), kBox)),
                     link("mast", on("trunk"), prismatic(kAxisZ), at(-0.1, 0, 0.2), rpy(0.2, 0.1, 0),
                          body(0.4, com(0.03, 0, 0.2), kBox)));
  if (!welded) return flier;
  flier.links[1].rotation = flier.links[1].rotation * rotation_from_rpy(0, kAngles[0], 0);
  flier.links[2].rotation = flier.links[2].rotation * rotation_from_rpy(kAngles[1], 0, 0);
  flier.links[3].position_m = flier.links[3].position_m + flier.links[3].rotation * Vec3<double>{0, 0, kAngles[2]};
  for (std::size_t i = 1; i < 4; ++i) flier.links[i].joint = JointKind::fixed;
  return flier;
}
inline constexpr auto flier = make_flier<false>();
inline constexpr auto welded_flier = make_flier<true>();

template <class S>
void check_written_welded() {
  constexpr int kFree = Shape<welded_chain>::kDofs;
  Position<robots::chain<kLong>, S> q;
  Velocity<robots::chain<kLong>, S> dq = Velocity<robots::chain<kLong>, S>::Zero();
  Velocity<robots::chain<kLong>, S> tau;
  Position<welded_chain, S> q_free;
  Velocity<welded_chain, S> dq_free;
  Velocity<welded_chain, S> tau_free;
  JointSet<robots::chain<kLong>> chosen;
  int at = 0;
  for (int i = 0; i < kLong; ++i) {
    q[i] = static_cast<S>(kAngles[i]);
    tau[i] = static_cast<S>(0.1 * (i + 1));
    if (kIsWelded[i]) {
      checks::assert_ok(chosen.add(i));
      continue;
    }
    q_free[at] = q[i];
    dq[i] = dq_free[at] = static_cast<S>(1.5 - 0.4 * i);
    tau_free[at++] = tau[i];
  }
  TEST_ASSERT_EQUAL_INT(kFree, at);
  Velocity<robots::chain<kLong>, S> ddq;
  Velocity<welded_chain, S> expected;
  checks::assert_ok((checks::make_rigid<robots::chain<kLong>, S>(q, chosen)));
  checks::assert_ok((checks::forward_rigid<robots::chain<kLong>, S>(q, dq, tau, ddq)));
  checks::assert_ok((checks::forward<welded_chain, S>(q_free, dq_free, tau_free, expected)));
  double exact[kFree];
  S got[kFree];
  at = 0;
  for (int i = 0; i < kLong; ++i)
    if (!kIsWelded[i]) exact[at] = static_cast<double>(expected[at]), got[at++] = ddq[i];
  measure::Worst worst;
  measure::compare(exact, got, kFree, worst);
  measure::assert_below<S>(kWelded<S>, worst, "against the chain written welded");
}
void test_equals_a_robot_written_welded() {
  check_written_welded<float>();
  if constexpr (measure::kInDouble) check_written_welded<double>();
}

// All joints of a floating robot: its base moves as one rigid body.
template <class S>
void check_flier() {
  Position<flier, S> q = Position<flier, S>::Zero();
  Velocity<flier, S> dq = Velocity<flier, S>::Zero();
  Velocity<flier, S> tau = Velocity<flier, S>::Zero();
  Position<welded_flier, S> q_body;
  Velocity<welded_flier, S> dq_body;
  Velocity<welded_flier, S> tau_body;
  q[3] = S(0.8), q[4] = S(0.6);
  for (int i = 0; i < 6; ++i) dq[i] = static_cast<S>(0.7 - 0.3 * i), tau[i] = static_cast<S>(0.2 * i);
  for (int i = 0; i < 7; ++i) q_body[i] = q[i];
  for (int i = 0; i < 6; ++i) dq_body[i] = dq[i], tau_body[i] = tau[i];
  JointSet<flier> chosen;
  for (int b = 1; b < 4; ++b) {
    q[6 + b] = static_cast<S>(kAngles[b - 1]);
    checks::assert_ok(chosen.add(b));
  }
  Velocity<flier, S> ddq;
  Velocity<welded_flier, S> expected;
  checks::assert_ok((checks::make_rigid<flier, S>(q, chosen)));
  checks::assert_ok((checks::forward_rigid<flier, S>(q, dq, tau, ddq)));
  checks::assert_ok((checks::forward<welded_flier, S>(q_body, dq_body, tau_body, expected)));
  double exact[6];
  for (int i = 0; i < 6; ++i) exact[i] = static_cast<double>(expected[i]);
  measure::Worst worst;
  measure::compare(exact, ddq, 6, worst);
  measure::assert_below<S>(kWelded<S>, worst, "a floating robot, all of it rigid");
  for (int i = 6; i < 9; ++i) TEST_ASSERT_TRUE(std::abs(ddq[i]) <= S(0));
}
void test_all_rigid_floating() {
  check_flier<float>();
  if constexpr (measure::kInDouble) check_flier<double>();
}

}  // namespace

KINECAST_SUITE(rigidify, test_arm, test_chain, test_zoo, test_equals_a_robot_written_welded, test_all_rigid_floating)

}  // namespace unit_rigidify
