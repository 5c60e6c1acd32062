// SPDX-License-Identifier: MIT
// Words of limits and loops as they are written, every rule of validate() about them with the link or loop that it names, and
// build_model() at run time: other numbers are taken, other stops and loops are refused.
#include <kinecast/kinecast.hpp>

#include <cstring>
#include <limits>

#include "unity_main.hpp"

namespace unit_limit_words {
namespace {

using kinecast::Rule;
using kinecast::Status;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

constexpr auto make_good() {
  using namespace kinecast;
  constexpr auto kBody = body(1, com(0.01, 0, 0.1), inertia(0.01, 0.011, 0.012));
  return robot("good", link("base", on("world"), revolute(kAxisZ), kBody, limits(-1.0, 2.0, rebound(0.25))),
               link("slide", on("base"), prismatic(kAxisX), kBody, speed_limit(0.5), limits(0.0, 0.3, soft(400, 3))),
               link("tip", on("slide"), revolute(kAxisY), kBody, limits(-1.0, 1.0), speed_limit(6.0)),
               link("free", on("world"), revolute(kAxisY), kBody, speed_limit(2.0)),
               link("plate", on("tip"), fixed(), kBody), link("ball", on("free"), spherical(), kBody),
               closure("pin", point_of("ball", 1, 2, 3), point_of("plate", 4, 5, 6)),
               closure("foot", point_of("world", 7, 8, 9), point_of("tip", 0, 0, 1)));
}
constexpr auto kGood = make_good();
constexpr int kBall = 5;
static_assert(kinecast::validate(kGood).ok(), "the robot that the others are spoilt from");

void test_words() {
  const kinecast::JointLimits& base = kGood.link(0).limits;
  TEST_ASSERT_TRUE(base.has_stops && !base.has_speed);
  TEST_ASSERT_EQUAL_DOUBLE(-1, base.lower);
  TEST_ASSERT_EQUAL_DOUBLE(2, base.upper);
  TEST_ASSERT_EQUAL_DOUBLE(0.25, base.rebound);
  // Either order of limits and speed limit.
  const kinecast::JointLimits& slide = kGood.link(1).limits;
  const kinecast::JointLimits& tip = kGood.link(2).limits;
  TEST_ASSERT_TRUE(slide.has_stops && slide.has_speed && tip.has_stops && tip.has_speed);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, slide.speed);
  TEST_ASSERT_EQUAL_DOUBLE(400, slide.spring_Nm_per_rad);
  TEST_ASSERT_EQUAL_DOUBLE(3, slide.damper_Nms_per_rad);
  TEST_ASSERT_EQUAL_DOUBLE(6, tip.speed);
  TEST_ASSERT_EQUAL_DOUBLE(0, tip.rebound);
  TEST_ASSERT_FALSE(kGood.link(3).limits.has_stops);
  TEST_ASSERT_EQUAL_INT(2, kGood.kLoops);
  TEST_ASSERT_TRUE(kGood.loop(0).name == "pin" && kGood.loop(1).name == "foot");
  TEST_ASSERT_EQUAL_INT(kBall, kGood.loop(0).first.link);
  TEST_ASSERT_EQUAL_INT(4, kGood.loop(0).second.link);
  TEST_ASSERT_EQUAL_INT(kinecast::kWorld, kGood.loop(1).first.link);
  TEST_ASSERT_EQUAL_DOUBLE(8, kGood.loop(1).first.position_m.y);
}

template <class Spoil>
[[gnu::noinline]] void expect(Rule rule, int index, Spoil&& spoil) {
  auto robot = kGood;
  spoil(robot);
  const kinecast::Verdict verdict = kinecast::validate(robot);
  TEST_ASSERT_EQUAL_STRING(kinecast::sentence(rule), kinecast::sentence(verdict.rule));
  TEST_ASSERT_EQUAL_INT(index, verdict.index);
}

void test_rules() {
  expect(Rule::limits_on_single_axis, kBall, [](auto& r) { r.links[kBall].limits.has_stops = true; });
  expect(Rule::limits_on_single_axis, kBall,
         [](auto& r) { r.links[kBall].limits.has_speed = true, r.links[kBall].limits.speed = 1; });
  expect(Rule::limits_on_single_axis, 4, [](auto& r) { r.links[4].limits.has_stops = true; });
  expect(Rule::limits_in_order, 0, [](auto& r) { r.links[0].limits.lower = 2.000001; });
  expect(Rule::none, -1, [](auto& r) { r.links[0].limits.lower = 2; });  // held at one angle
  expect(Rule::limit_values, 0, [](auto& r) { r.links[0].limits.rebound = 1.01; });
  expect(Rule::limit_values, 0, [](auto& r) { r.links[0].limits.rebound = -0.01; });
  expect(Rule::none, -1, [](auto& r) { r.links[0].limits.rebound = 1; });
  expect(Rule::limit_values, 1, [](auto& r) { r.links[1].limits.rebound = 0.1; });  // soft and a rebound
  expect(Rule::limit_values, 1, [](auto& r) { r.links[1].limits.spring_Nm_per_rad = -1; });
  expect(Rule::limit_values, 1, [](auto& r) { r.links[1].limits.damper_Nms_per_rad = -1; });
  expect(Rule::limit_values, 1, [](auto& r) { r.links[1].limits.speed = 0; });
  expect(Rule::limit_values, 3, [](auto& r) { r.links[3].limits.speed = -1; });
  for (const double bad : {kNaN, kInf, -kInf, 1.1e6}) {
    using L = kinecast::JointLimits;
    double L::*values[] = {&L::lower, &L::upper, &L::rebound, &L::spring_Nm_per_rad, &L::damper_Nms_per_rad, &L::speed};
    for (double L::*value : values) expect(Rule::values_sane, 2, [&](auto& r) { r.links[2].limits.*value = bad; });
    expect(Rule::values_sane, 1, [&](auto& r) { r.loops[1].first.position_m.x = bad; });
    expect(Rule::values_sane, 0, [&](auto& r) { r.loops[0].second.position_m.z = bad; });
  }
  for (const int nobody : {kinecast::kUnknownParent, 6, 1000000, -7}) {
    expect(Rule::loop_between_links, 0, [&](auto& r) { r.loops[0].first.link = nobody; });
    expect(Rule::loop_between_links, 1, [&](auto& r) { r.loops[1].second.link = nobody; });
  }
  expect(Rule::loop_between_links, 1, [](auto& r) { r.loops[1].second.link = kinecast::kWorld; });
  expect(Rule::loop_between_links, 0, [](auto& r) { r.loops[0].first.link = 4; });
  // The plate is welded to the tip: both are one body.
  expect(Rule::loop_between_links, 0, [](auto& r) { r.loops[0].first.link = 2; });
}

// What is welded to the world stands still anyway.
void test_loop_on_fixed_link() {
  using namespace kinecast;
  constexpr auto kBody = body(1, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
  constexpr auto kStatue =
      robot("statue", link("arm", revolute(kAxisX), kBody), link("base", fixed(), at(0, 0, 1), kBody),
            closure("nail", point_of("base", 0, 0, 0), point_of("world", 0, 0, 1)));
  const Verdict verdict = validate(kStatue);
  TEST_ASSERT_TRUE(verdict.rule == Rule::loop_between_links);
  TEST_ASSERT_EQUAL_INT(0, verdict.index);
}

using Model = kinecast::Model<kGood, float>;
[[nodiscard]] Model& scratch(int which) {
  static Model models[2];
  return models[which];
}
template <class Change>
void expect_refusal(const char* why, Change&& change) {
  Model& model = scratch(0);
  Model& before = scratch(1);
  std::memset(static_cast<void*>(&model), 0x5A, sizeof model);
  std::memcpy(static_cast<void*>(&before), static_cast<const void*>(&model), sizeof model);
  auto values = kGood;
  change(values);
  const Status status = kinecast::build_model<kGood, float>(values, model);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(kinecast::sentence(Status::invalid_model), kinecast::sentence(status), why);
  TEST_ASSERT_EQUAL_INT_MESSAGE(
      0, std::memcmp(static_cast<const void*>(&before), static_cast<const void*>(&model), sizeof model), why);
}

void test_built_at_run_time() {
  expect_refusal("lower above upper", [](auto& r) { r.links[0].limits.lower = 3; });
  expect_refusal("a rebound of two", [](auto& r) { r.links[0].limits.rebound = 2; });
  expect_refusal("not a number", [](auto& r) { r.links[0].limits.upper = kNaN; });
  expect_refusal("stops where none were compiled", [](auto& r) { r.links[3].limits.has_stops = true; });
  expect_refusal("stops taken away", [](auto& r) { r.links[0].limits.has_stops = false; });
  expect_refusal("a speed limit where none was compiled",
                 [](auto& r) { r.links[0].limits.has_speed = true, r.links[0].limits.speed = 1; });
  expect_refusal("a loop to another link", [](auto& r) { r.loops[0].second.link = 0; });
  expect_refusal("a loop within a body", [](auto& r) { r.loops[0].first.link = 2; });
  auto values = kGood;
  values.links[0].limits.lower = -0.5;
  values.links[1].limits.spring_Nm_per_rad = 700;
  values.links[2].limits.speed = 9;
  values.loops[1].first.position_m.y = 0.25;
  Model& model = scratch(0);
  const Status status = kinecast::build_model<kGood, float>(values, model);
  TEST_ASSERT_EQUAL_STRING(kinecast::sentence(Status::ok), kinecast::sentence(status));
  TEST_ASSERT_EQUAL_FLOAT(-0.5F, model.limit(0).lower);
  TEST_ASSERT_EQUAL_FLOAT(2, model.limit(0).upper);
  TEST_ASSERT_EQUAL_FLOAT(700, model.limit(1).spring);
  TEST_ASSERT_EQUAL_FLOAT(9, model.limit(2).speed);
  TEST_ASSERT_EQUAL_FLOAT(0.25F, model.loops[1].first.position.y);
}

}  // namespace

KINECAST_SUITE(limit_words, test_words, test_rules, test_loop_on_fixed_link, test_built_at_run_time)

}  // namespace unit_limit_words
