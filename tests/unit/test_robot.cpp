// SPDX-License-Identifier: MIT
// A robot as it is written: the words, the names, how it is counted, and every rule of validate() with the link it names.
#include <kinecast/model/shape.hpp>

#include <limits>

#include "../robots/arm6.hpp"
#include "../robots/humanoid.hpp"
#include "../robots/zoo.hpp"
#include "small_robots.hpp"
#include "unity_main.hpp"

namespace unit_robot {
namespace {

using kinecast::JointKind;
using kinecast::Link;
using kinecast::Rule;
using kinecast::Verdict;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

constexpr auto make_good() {
  using namespace kinecast;
  return robot("good", gravity(0, 0, -1.62),
               link("base", on("world"), floating(), body(2, com(0, 0, 0.1), inertia(0.02, 0.03, 0.04))),
               link("arm", on("base"), revolute(kAxisY), at(1, 2, 3), rpy(0.1, 0.2, 0.3), at_joint(rotor_inertia(0.5)),
                    body(1, com(0.1, 0.2, 0.3), inertia(0.011, 0.012, 0.013, 0.001, 0.002, 0.003))),
               contact_point("tip", on("arm"), at(4, 5, 6)), contact_point("ground", on("world"), at(7, 8, 9)),
               link("ball", on("arm"), spherical(), body(1, com(0, 0, 0), inertia(0.01, 0.01, 0.01))),
               link("frame", on("ball"), fixed(), at(0, 0, 1)),
               link("cross", on("frame"), prismatic(kAxisX), massless(), at_joint(rotor_inertia(0.1))));
}
constexpr auto kGood = make_good();
static_assert(kinecast::validate(kGood).ok(), "the robot that the others are spoilt from");

void test_words() {
  TEST_ASSERT_EQUAL_INT(5, kGood.kLinks);
  TEST_ASSERT_EQUAL_INT(2, kGood.kPoints);
  TEST_ASSERT_TRUE(kGood.name == "good");
  TEST_ASSERT_EQUAL_DOUBLE(-1.62, kGood.gravity_mps2.z);
  const Link& arm = kGood.link(1);
  TEST_ASSERT_TRUE(arm.name == "arm" && arm.parent == 0 && arm.joint == JointKind::revolute);
  TEST_ASSERT_EQUAL_DOUBLE(1, arm.axis.y);
  TEST_ASSERT_EQUAL_DOUBLE(2, arm.position_m.y);
  TEST_ASSERT_EQUAL_DOUBLE(0.3, arm.com_m.z);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, arm.drive.at_joint.rotor_inertia_kgm2);
  // inertia(xx, yy, zz, xy, xz, yz)
  TEST_ASSERT_EQUAL_DOUBLE(0.012, arm.inertia_kgm2.yy);
  TEST_ASSERT_EQUAL_DOUBLE(0.001, arm.inertia_kgm2.xy);
  TEST_ASSERT_EQUAL_DOUBLE(0.002, arm.inertia_kgm2.xz);
  TEST_ASSERT_EQUAL_DOUBLE(0.003, arm.inertia_kgm2.yz);
  TEST_ASSERT_EQUAL_INT(1, kGood.point(0).link);
  TEST_ASSERT_EQUAL_INT(kinecast::kWorld, kGood.point(1).link);
  TEST_ASSERT_EQUAL_DOUBLE(6, kGood.point(0).position_m.z);
  TEST_ASSERT_TRUE(kGood.link(4).is_massless);
  // The same words in another order.
  using namespace kinecast;
  constexpr Link kOther = link("arm", at_joint(rotor_inertia(0.5)), rpy(0.1, 0.2, 0.3), at(1, 2, 3), revolute(kAxisY),
                               body(1, com(0.1, 0.2, 0.3), inertia(0.011, 0.012, 0.013)), on("base"));
  TEST_ASSERT_EQUAL_DOUBLE(arm.rotation.row_y.x, kOther.rotation.row_y.x);
  TEST_ASSERT_EQUAL_DOUBLE(arm.com_m.x, kOther.com_m.x);
  TEST_ASSERT_TRUE(kOther.parent_name == "base");
  // Earth's gravity unless told otherwise; on the world unless told otherwise.
  TEST_ASSERT_EQUAL_DOUBLE(-9.80665, robots::arm6.gravity_mps2.z);
  constexpr auto kLonely = robot("lonely", link("a", revolute(kAxisX), massless(), at_joint(rotor_inertia(1))));
  TEST_ASSERT_EQUAL_INT(kWorld, kLonely.link(0).parent);
}

void test_names() {
  TEST_ASSERT_EQUAL_INT(4, kinecast::find_link(kGood, "cross"));
  TEST_ASSERT_EQUAL_INT(kinecast::kWorld, kinecast::find_link(kGood, "world"));
  TEST_ASSERT_EQUAL_INT(kinecast::kUnknownParent, kinecast::find_link(kGood, "crosses"));
  TEST_ASSERT_EQUAL_INT(kinecast::kUnknownParent, kinecast::find_link(kGood, "cross", 4));
  TEST_ASSERT_EQUAL_INT(28, kinecast::find_link(robots::humanoid, "r_foot"));
}

// Fixed links have no body; q and dq are counted link by link.
void test_shape() {
  using Zoo = kinecast::Shape<robots::zoo>;
  static_assert(Zoo::kLinks == 10 && Zoo::kBodies == 9, "one link is welded");
  static_assert(Zoo::kDofs == 16 && Zoo::kPositions == 18, "6 + 1 + 1 + 1 + 1 + 3 + 1 + 1 + 1, two quaternions");
  TEST_ASSERT_EQUAL_INT(Zoo::body_of_link(3), Zoo::body_of_link(4));
  static_assert(kinecast::Shape<robots::humanoid>::kDofs == 34, "6 + 28");
  static_assert(kinecast::Shape<robots::arm6>::kPositions == 6, "one per joint");
  using Two = kinecast::Shape<small::two_roots>;
  static_assert(Two::kBodies == 6 && Two::kDofs == 6, "the stand is welded to the world");
  TEST_ASSERT_EQUAL_INT(kinecast::kWorld, Two::body_of_link(0));
  TEST_ASSERT_EQUAL_INT(1, kinecast::positions_of(JointKind::revolute));
  TEST_ASSERT_EQUAL_INT(4, kinecast::positions_of(JointKind::spherical));
  TEST_ASSERT_EQUAL_INT(7, kinecast::positions_of(JointKind::floating));
  TEST_ASSERT_EQUAL_INT(0, kinecast::positions_of(JointKind::fixed));
  TEST_ASSERT_EQUAL_INT(3, kinecast::dofs_of(JointKind::spherical));
  TEST_ASSERT_EQUAL_INT(6, kinecast::dofs_of(JointKind::floating));
}

// Spoils a copy of the good robot and asserts which rule is named, and for whom.
template <class Spoil>
[[gnu::noinline]] void expect(Rule rule, int index, Spoil&& spoil) {
  auto robot = kGood;
  spoil(robot);
  const Verdict verdict = kinecast::validate(robot);
  TEST_ASSERT_EQUAL_STRING(kinecast::sentence(rule), kinecast::sentence(verdict.rule));
  TEST_ASSERT_EQUAL_INT(index, verdict.index);
  TEST_ASSERT_TRUE(verdict.ok() == (rule == Rule::none));
}

void test_good_robots() {
  expect(Rule::none, -1, [](auto&) {});
  TEST_ASSERT_TRUE(kinecast::validate(robots::zoo).ok());
  // Values as people write them: six digits.
  expect(Rule::none, -1, [](auto& r) { r.links[1].axis = {0.577350, 0.577350, 0.577350}; });
  // A thin plate and a thin rod obey the triangle inequality with equality.
  expect(Rule::none, -1, [](auto& r) { r.links[1].inertia_kgm2 = {0.01, 0, 0, 0.02, 0, 0.03}; });
  expect(Rule::none, -1, [](auto& r) { r.links[1].inertia_kgm2 = {0.01, 0, 0, 0.01, 0, 1e-9}; });
  // Unnamed links, as a generator makes them.
  expect(Rule::none, -1, [](auto& r) { r.links[1].name = r.links[2].name = ""; });
}

void test_no_moving_link() {
  using namespace kinecast;
  constexpr auto kStatue = robot("statue", link("stone", fixed(), body(1, com(0, 0, 0), inertia(1, 1, 1))));
  const Verdict verdict = validate(kStatue);
  TEST_ASSERT_TRUE(verdict.rule == Rule::no_moving_link);
  TEST_ASSERT_EQUAL_INT(-1, verdict.index);
}
void test_parent_listed_first() {
  expect(Rule::parent_listed_first, 1, [](auto& r) { r.links[1].parent = 1; });
  expect(Rule::parent_listed_first, 1, [](auto& r) { r.links[1].parent = 2; });
  expect(Rule::parent_listed_first, 2, [](auto& r) { r.links[2].parent = kinecast::kUnknownParent; });
  expect(Rule::parent_listed_first, 2, [](auto& r) { r.links[2].parent = 1000000; });
  using namespace kinecast;
  constexpr auto kBody = body(1, com(0, 0, 0), inertia(1, 1, 1));
  constexpr auto kBackwards = robot("backwards", link("hand", on("arm"), revolute(kAxisX), kBody),
                                    link("arm", on("world"), revolute(kAxisX), kBody));
  const Verdict verdict = validate(kBackwards);
  TEST_ASSERT_TRUE(verdict.rule == Rule::parent_listed_first);
  TEST_ASSERT_EQUAL_INT(0, verdict.index);
}
void test_name_unique() {
  expect(Rule::name_unique, 3, [](auto& r) { r.links[3].name = "arm"; });
  expect(Rule::name_unique, 1, [](auto& r) { r.points[1].name = "tip"; });
}
void test_values_sane() {
  for (const double bad : {kNaN, kInf, -kInf, 1.1e6}) {
    expect(Rule::values_sane, -1, [&](auto& r) { r.gravity_mps2.y = bad; });
    expect(Rule::values_sane, 1, [&](auto& r) { r.links[1].mass_kg = bad; });
    expect(Rule::values_sane, 1, [&](auto& r) { r.links[1].drive.at_joint.rotor_inertia_kgm2 = bad; });
    kinecast::Vec3<double> Link::*vectors[] = {&Link::axis, &Link::position_m, &Link::com_m};
    for (kinecast::Vec3<double> Link::*v : vectors) {
      expect(Rule::values_sane, 1, [&](auto& r) { (r.links[1].*v).x = bad; });
      expect(Rule::values_sane, 1, [&](auto& r) { (r.links[1].*v).y = bad; });
      expect(Rule::values_sane, 1, [&](auto& r) { (r.links[1].*v).z = bad; });
    }
    using Sym = kinecast::Sym3<double>;
    double Sym::*entries[] = {&Sym::xx, &Sym::xy, &Sym::xz, &Sym::yy, &Sym::yz, &Sym::zz};
    for (double Sym::*entry : entries)
      expect(Rule::values_sane, 2, [&](auto& r) { r.links[2].inertia_kgm2.*entry = bad; });
    expect(Rule::values_sane, 1, [&](auto& r) { r.links[1].rotation.row_x.z = bad; });
    expect(Rule::values_sane, 1, [&](auto& r) { r.links[1].rotation.row_y.x = bad; });
    expect(Rule::values_sane, 1, [&](auto& r) { r.links[1].rotation.row_z.y = bad; });
    expect(Rule::values_sane, 1, [&](auto& r) { r.points[1].position_m.z = bad; });
    // Nothing of a massless link is exempt.
    expect(Rule::values_sane, 4, [&](auto& r) { r.links[4].position_m.x = bad; });
  }
}
void test_axis_unit() {
  expect(Rule::axis_unit, 1, [](auto& r) { r.links[1].axis = {0, 0, 0}; });
  expect(Rule::axis_unit, 1, [](auto& r) { r.links[1].axis = {1, 1, 0}; });
  expect(Rule::axis_unit, 4, [](auto& r) { r.links[4].axis = {0, 0, 0.999}; });
}
void test_rotation_orthonormal() {
  expect(Rule::rotation_orthonormal, 1, [](auto& r) { r.links[1].rotation.row_x = {0, 0, 0}; });
  expect(Rule::rotation_orthonormal, 1, [](auto& r) { r.links[1].rotation = {{2, 0, 0}, {0, 1, 0}, {0, 0, 1}}; });
  expect(Rule::rotation_orthonormal, 1, [](auto& r) { r.links[1].rotation = {{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}}; });
  expect(Rule::rotation_orthonormal, 3, [](auto& r) { r.links[3].rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}; });
}
void test_mass_positive() {
  expect(Rule::mass_positive, 1, [](auto& r) { r.links[1].mass_kg = 0; });
  expect(Rule::mass_positive, 1, [](auto& r) { r.links[1].mass_kg = -1; });
  expect(Rule::mass_positive, 0, [](auto& r) { r.links[0].mass_kg = 0; });
  expect(Rule::mass_positive, 3, [](auto& r) { r.links[3].mass_kg = -1; });
  // "Massless" and a mass contradict each other; a negative one would even pull the robot's inertia below zero.
  expect(Rule::mass_positive, 4, [](auto& r) { r.links[4].mass_kg = -3; });
}
void test_inertia_positive_definite() {
  expect(Rule::inertia_positive_definite, 1, [](auto& r) { r.links[1].inertia_kgm2 = {}; });
  expect(Rule::inertia_positive_definite, 1, [](auto& r) { r.links[1].inertia_kgm2 = {1, 0, 0, 1, 0, -1}; });
  expect(Rule::inertia_positive_definite, 1, [](auto& r) { r.links[1].inertia_kgm2 = {1, 2, 0, 1, 0, 1}; });
  expect(Rule::inertia_positive_definite, 1, [](auto& r) { r.links[1].inertia_kgm2 = {1, 0, 0, 1, 1.001, 1}; });
  expect(Rule::inertia_positive_definite, 1,
         [](auto& r) { r.links[1].inertia_kgm2 = {1, 0.9, 0.9, 1, -0.9, 1}; });  // every pair is fine, the whole is not
  // A frame without mass cannot have an inertia: it would be added to its body.
  expect(Rule::inertia_positive_definite, 3, [](auto& r) { r.links[3].inertia_kgm2 = {-1, 0, 0, -1, 0, -1}; });
}
void test_inertia_triangle() {
  expect(Rule::inertia_triangle, 1, [](auto& r) { r.links[1].inertia_kgm2 = {1, 0, 0, 1, 0, 2.1}; });
  expect(Rule::inertia_triangle, 1, [](auto& r) { r.links[1].inertia_kgm2 = {2.1, 0, 0, 1, 0, 1}; });
  expect(Rule::inertia_triangle, 1, [](auto& r) { r.links[1].inertia_kgm2 = {1, 0, 0, 2.1, 0, 1}; });
  // Principal moments 1, 1, 2.1, but not in the link's axes: no diagonal entry shows it.
  expect(Rule::inertia_triangle, 1, [](auto& r) { r.links[1].inertia_kgm2 = {1.55, 0.55, 0, 1.55, 0, 1}; });
}
void test_floating_on_world() {
  expect(Rule::floating_on_world, 2, [](auto& r) { r.links[2].joint = JointKind::floating; });
  expect(Rule::floating_on_world, 0, [](auto& r) { r.links[0].position_m.x = 0.1; });
  expect(Rule::floating_on_world, 0, [](auto& r) { r.links[0].rotation = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}; });
}
void test_rotor_rules() {
  expect(Rule::rotor_not_negative, 1, [](auto& r) { r.links[1].drive.at_joint.rotor_inertia_kgm2 = -0.1; });
  expect(Rule::rotor_on_single_axis, 0, [](auto& r) { r.links[0].drive.at_joint.rotor_inertia_kgm2 = 0.1; });
  expect(Rule::rotor_on_single_axis, 2, [](auto& r) { r.links[2].drive.at_joint.rotor_inertia_kgm2 = 0.1; });
  expect(Rule::rotor_on_single_axis, 3, [](auto& r) { r.links[3].drive.at_joint.rotor_inertia_kgm2 = 0.1; });
}
void test_point_on_known_link() {
  expect(Rule::point_on_known_link, 0, [](auto& r) { r.points[0].link = 5; });
  expect(Rule::point_on_known_link, 1, [](auto& r) { r.points[1].link = kinecast::kUnknownParent; });
}

void test_sentences() {
  for (int i = 0; i <= static_cast<int>(Rule::point_on_known_link); ++i) {
    const std::string_view one = kinecast::sentence(static_cast<Rule>(i));
    TEST_ASSERT_TRUE(one.size() > 10 && one != "unknown rule");
    for (int j = 0; j < i; ++j) TEST_ASSERT_TRUE(one != kinecast::sentence(static_cast<Rule>(j)));
  }
}

}  // namespace

KINECAST_SUITE(robot, test_words, test_names, test_shape, test_good_robots, test_no_moving_link,
               test_parent_listed_first, test_name_unique, test_values_sane, test_axis_unit, test_rotation_orthonormal,
               test_mass_positive, test_inertia_positive_definite, test_inertia_triangle, test_floating_on_world,
               test_rotor_rules, test_point_on_known_link, test_sentences)

}  // namespace unit_robot
