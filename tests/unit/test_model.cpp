// SPDX-License-Identifier: MIT
// What the compiler, or build_model() at run time, makes of a robot: welded links, payloads, other numbers in the same tree.
#include <kinecast/kinecast.hpp>

#include <cstring>

#include "measure.hpp"
#include "robot_checks.hpp"
#include "unity_main.hpp"

namespace unit_model {
namespace {

using kinecast::Status;
using measure::assert_below;
using measure::Worst;

constexpr int kStates = measure::kEffort;

// An arm of three hinges (the first two parallel) that carries a welded payload, turned by a quarter and shifted.
constexpr auto make_arm(double payload_kg, double payload_zz) {
  using namespace kinecast;
  constexpr double kQuarter = constant::kPi / 2;
  return robot("arm",
               link("upper", on("world"), revolute(kAxisY), at(0, 0, 0.3), rpy(0, 0.2, 0),
                    body(1.0, com(0.01, 0, 0.2), inertia(0.01, 0.011, 0.003, 0.001, 0, 0.0002))),
               link("fore", on("upper"), revolute(kAxisY), at(0, 0.02, 0.4),
                    body(0.7, com(0.01, 0.02, 0.15), inertia(0.006, 0.006, 0.002, 0, 0.0003, 0))),
               link("hand", on("fore"), revolute(kAxisX), at(0.01, 0, 0.3),
                    body(0.3, com(0, 0, 0.05), inertia(0.001, 0.0011, 0.0009, 0.0001, 0.00015, 0.00005))),
               link("payload", on("hand"), fixed(), at(0.02, -0.01, 0.1), rpy(0, 0, kQuarter),
                    body(payload_kg, com(0.03, 0.01, 0.02), inertia(0.002, 0.003, payload_zz, 0.0002, 0.0003, 0.0001))),
               contact_point("tip", on("payload"), at(0, 0, 0.1)));
}
constexpr auto kLight = make_arm(0.5, 0.004);
constexpr auto kHeavy = make_arm(0.9, 0.0045);

// The same arm with hand and payload merged by hand: Rz(90°) takes (x, y) to (-y, x).
constexpr auto make_merged() {
  using namespace kinecast;
  constexpr double m1 = 0.3;
  constexpr double m2 = 0.5;
  constexpr double m = m1 + m2;
  constexpr Vec3<double> c1{0, 0, 0.05};
  constexpr Vec3<double> c2{0.02 - 0.01, -0.01 + 0.03, 0.1 + 0.02};
  constexpr Vec3<double> c{(m1 * c1.x + m2 * c2.x) / m, (m1 * c1.y + m2 * c2.y) / m, (m1 * c1.z + m2 * c2.z) / m};
  // xx' = yy, yy' = xx, xy' = -xy, xz' = -yz, yz' = xz
  constexpr Sym3<double> i2{0.003, -0.0002, -0.0001, 0.002, 0.0003, 0.004};
  constexpr auto about = [=](double mass, const Sym3<double>& i, const Vec3<double>& p) -> Sym3<double> {
    const Vec3<double> d{p.x - c.x, p.y - c.y, p.z - c.z};
    return {i.xx + mass * (d.y * d.y + d.z * d.z), i.xy - mass * d.x * d.y, i.xz - mass * d.x * d.z,
            i.yy + mass * (d.x * d.x + d.z * d.z), i.yz - mass * d.y * d.z, i.zz + mass * (d.x * d.x + d.y * d.y)};
  };
  constexpr Sym3<double> a = about(m1, {0.001, 0.0001, 0.00015, 0.0011, 0.00005, 0.0009}, c1);
  constexpr Sym3<double> b = about(m2, i2, c2);
  auto arm = kLight;
  Link& hand = arm.links[2];
  hand.mass_kg = m;
  hand.com_m = c;
  hand.inertia_kgm2 = a + b;
  Link& payload = arm.links[3];
  payload.mass_kg = 0;
  payload.com_m = {};
  payload.inertia_kgm2 = {};
  return arm;
}
constexpr auto kMerged = make_merged();

template <class S>
void check_merged() {
  measure::Random random(41);
  checks::Sample<kLight, S> s;
  Worst worst;
  for (int n = 0; n < kStates; ++n) {
    checks::draw(random, {}, s);
    auto welded = checks::unset<kLight, S>();
    auto merged = checks::unset<kMerged, S>();
    checks::assert_ok((checks::forward<kLight, S>(s.q, s.dq, s.tau, welded)));
    checks::assert_ok((checks::forward<kMerged, S>(s.q, s.dq, s.tau, merged)));
    const double scale = measure::largest(merged, 3);
    for (int i = 0; i < 3; ++i) worst.see(static_cast<double>(merged[i]), static_cast<double>(welded[i]), scale);
  }
  // The two inertias differ by their last bit, which cond(M) = 100 multiplies.
  assert_below<S>(100 * measure::kEps<S>, worst, "welded payload");
}
void test_welded_payload_is_merged() {
  check_merged<float>();
  if constexpr (measure::kInDouble) check_merged<double>();
}
void test_arm_against_dense() {
  const double eps = measure::kEps<float>;
  checks::check_robot<kLight, float>("arm with payload", kStates,
                                     {40 * eps, 40 * eps, 40 * eps, 40 * eps, 40 * eps, 40 * eps, 4000 * eps});
}

// A payload that is known at run time only gives what the compiler would have given.
template <class S>
void check_payload() {
  static kinecast::Model<kLight, S> model;
  auto values = kLight;
  values.links[3].mass_kg = kHeavy.link(3).mass_kg;
  values.links[3].inertia_kgm2 = kHeavy.link(3).inertia_kgm2;
  checks::assert_ok((kinecast::build_model<kLight, S>(values, model)));
  measure::Random random(42);
  checks::Sample<kHeavy, S> s;
  static kinecast::Workspace<kLight, S> work;
  Worst worst;
  for (int n = 0; n < kStates; ++n) {
    checks::draw(random, {}, s);
    auto compiled = checks::unset<kHeavy, S>();
    auto built = checks::unset<kLight, S>();
    checks::assert_ok((checks::forward<kHeavy, S>(s.q, s.dq, s.tau, compiled)));
    checks::assert_ok(kinecast::forward_dynamics(model, s.q, s.dq, s.tau, work, built));
    for (int i = 0; i < 3; ++i)
      worst.see(static_cast<double>(compiled[i]), static_cast<double>(built[i]), measure::largest(compiled, 3));
  }
  // The same operations in the same order, by the compiler and by the machine.
  assert_below<S>(0, worst, "payload at run time");
}
void test_payload_at_run_time() {
  check_payload<float>();
  if constexpr (measure::kInDouble) check_payload<double>();
}

// A robot with a branch and a rotor, to be changed in all ways that build_model() accepts or refuses.
constexpr auto make_tree(double rotor) {
  using namespace kinecast;
  constexpr auto kBody = body(1.0, com(0.01, 0.02, 0.1), inertia(0.01, 0.011, 0.012));
  return robot("tree", link("trunk", on("world"), revolute(kAxisZ), kBody, at_joint(rotor_inertia(rotor))),
               link("left", on("trunk"), revolute(kAxisX), at(0.1, 0, 0.2), kBody),
               link("right", on("trunk"), revolute(kAxisX), at(-0.1, 0, 0.2), kBody),
               link("slide", on("right"), prismatic(kAxisY), at(0, 0.1, 0), kBody),
               contact_point("tip", on("slide"), at(0, 0, 0.1)));
}
constexpr auto kTree = make_tree(0.1);
constexpr auto kTreeWithoutRotor = make_tree(0);

template <const auto& R>
[[nodiscard]] kinecast::Model<R, float>& scratch(int which) {
  static kinecast::Model<R, float> models[2];
  return models[which];
}

// Refused: invalid_model, and not a bit of the model has changed.
template <const auto& R, class Change>
void expect_refusal(const char* why, Change&& change) {
  kinecast::Model<R, float>& model = scratch<R>(0);
  kinecast::Model<R, float>& before = scratch<R>(1);
  std::memset(static_cast<void*>(&model), 0x5A, sizeof model);
  std::memcpy(static_cast<void*>(&before), static_cast<const void*>(&model), sizeof model);
  auto values = R;
  change(values);
  const Status status = kinecast::build_model<R, float>(values, model);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(kinecast::sentence(Status::invalid_model), kinecast::sentence(status), why);
  TEST_ASSERT_EQUAL_INT_MESSAGE(
      0, std::memcmp(static_cast<const void*>(&before), static_cast<const void*>(&model), sizeof model), why);
}
void test_refusals() {
  using kinecast::JointKind;
  expect_refusal<kTree>("broken rule", [](auto& r) { r.links[1].mass_kg = -1; });
  expect_refusal<kTree>("not a number", [](auto& r) { r.links[1].com_m.x = std::numeric_limits<double>::quiet_NaN(); });
  expect_refusal<kTree>("other parent", [](auto& r) { r.links[2].parent = 1; });
  expect_refusal<kTree>("other joint", [](auto& r) { r.links[1].joint = JointKind::prismatic; });
  expect_refusal<kTree>("welded", [](auto& r) { r.links[1].joint = JointKind::fixed; });
  expect_refusal<kTree>("point elsewhere", [](auto& r) { r.points[0].link = 0; });
  expect_refusal<kTreeWithoutRotor>("a rotor where none was compiled",
                                    [](auto& r) { r.links[1].drive.at_joint.rotor_inertia_kgm2 = 0.1; });
  // Parallel axes have a common normal, nearly parallel ones do not: the compiled joint is plain and cannot be tilted.
  expect_refusal<kLight>("tilted by a thousandth", [](auto& r) {
    r.links[1].axis = {std::sin(1e-3) * 0.6, std::cos(1e-3), std::sin(1e-3) * 0.8};
  });
}

// Accepted, and right: other placements, axes, masses, centres, inertias, rotors, gravity, points.
template <class S>
void check_changed() {
  auto values = kTree;
  values.gravity_mps2 = {1, 2, -3};
  values.links[0].drive.at_joint.rotor_inertia_kgm2 = 0;
  values.links[1].drive.at_joint.rotor_inertia_kgm2 = 0.2;
  values.links[0].position_m = {0.3, -0.2, 0.1};
  values.links[0].rotation = kinecast::rotation_from_rpy(0.5, 0.6, 0.7);
  values.links[1].rotation = kinecast::rotation_from_rpy(-0.5, 0.2, 0.7);
  values.links[2].axis = {0.48, -0.6, 0.64};
  values.links[3].axis = {0.8, 0, 0.6};
  values.links[2].position_m = {0.1, 0.2, -0.3};
  values.links[3].mass_kg = 2.5;
  values.links[3].com_m = {0.1, 0, -0.1};
  values.links[2].inertia_kgm2 = {0.02, 0.002, -0.001, 0.022, 0.003, 0.019};
  values.points[0].position_m = {0.2, 0.1, 0};
  static kinecast::Model<kTree, S> model;
  checks::assert_ok((kinecast::build_model<kTree, S>(values, model)));
  static kinecast::Workspace<kTree, S> work;
  static kinecast::Kinematics<kTree, S> k;
  measure::Random random(43);
  checks::Sample<kTree, S> s;
  static checks::Truth<kTree> exact;
  Worst worst;
  for (int n = 0; n < kStates; ++n) {
    checks::draw(random, {}, s);
    exact.at.place(values, s.q64);
    exact.at.move(s.dq64, nullptr);
    exact.at.find_force(exact.force);
    for (int i = 0; i < s.kDofs; ++i) exact.force[i] = s.tau64[i] - exact.force[i];
    exact.factor_mass_matrix();
    dense::solve(exact.L, exact.force);
    auto ddq = checks::unset<kTree, S>();
    checks::assert_ok(kinecast::forward_dynamics(model, s.q, s.dq, s.tau, work, ddq));
    measure::compare(exact.force, ddq, s.kDofs, worst);
    checks::assert_ok(kinecast::update_kinematics(model, s.q, s.dq, k));
    const dense::Vec tip = exact.at.point(3, {{0.2, 0.1, 0}});
    const auto got = kinecast::point_position(k, model.points[0]);
    for (int i = 0; i < 3; ++i) worst.see(tip[i], static_cast<double>(got[i]), 1);
  }
  assert_below<S>(100 * measure::kEps<S>, worst, "changed at run time");
}
void test_changes() {
  check_changed<float>();
  if constexpr (measure::kInDouble) check_changed<double>();
}

}  // namespace

KINECAST_SUITE(model, test_welded_payload_is_merged, test_arm_against_dense, test_payload_at_run_time, test_refusals,
               test_changes)

}  // namespace unit_model
