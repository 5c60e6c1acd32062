// SPDX-License-Identifier: MIT
// Where a surface is and which way is out: gaps and normals of all solids against distances that are computed otherwise, the rim
// of boxes of equal width, tangents of any normal; and the words of an environment, each of whose rules is broken once.
#include "contact_scenes.hpp"
#include "unity_main.hpp"

namespace unit_contact_geometry {
namespace {

using namespace touching;
using kinecast::Closest;
using kinecast::EnvironmentRule;
using kinecast::Vec3;
using measure::Random;

template <class S>
[[nodiscard]] double length(const Vec3<S>& v) {
  const auto exact = v.template cast<double>();
  return std::sqrt(dot(exact, exact));
}
template <class S>
[[nodiscard]] Vec3<S> drawn(Random& random, const Vec3<double>& within) {
  return {static_cast<S>(random.within(within.x)), static_cast<S>(random.within(within.y)),
          static_cast<S>(random.within(within.z))};
}

// ---- solids ---------------------------------------------------------------------------------------------------------------

constexpr Vec3<double> kHalf{0.3, 0.2, 0.1};
inline constexpr auto solids = kinecast::environment(
    kinecast::box("box", kinecast::size(0.6, 0.4, 0.2)),
    kinecast::polyhedron("same box", kinecast::faces(kinecast::face(1, 0, 0, 0.3), kinecast::face(-1, 0, 0, 0.3),
                                                     kinecast::face(0, 1, 0, 0.2), kinecast::face(0, -1, 0, 0.2),
                                                     kinecast::face(0, 0, 1, 0.1), kinecast::face(0, 0, -1, 0.1))),
    kinecast::half_space("ground"));

// The true distance to the box from outside, minus the depth inside: clamping instead of looking at faces.
[[nodiscard]] double distance_to_box(const Vec3<double>& p) {
  const auto beyond = [](double x, double half) { return std::abs(x) - half; };
  const Vec3<double> over{beyond(p.x, kHalf.x), beyond(p.y, kHalf.y), beyond(p.z, kHalf.z)};
  const Vec3<double> out{std::fmax(over.x, 0), std::fmax(over.y, 0), std::fmax(over.z, 0)};
  return length(out) + std::fmin(0.0, std::fmax(over.x, std::fmax(over.y, over.z)));
}

template <class S>
void check_box() {
  const auto box = std::get<0>(solids.surfaces).solid.solid<S>();
  const auto same = std::get<1>(solids.surfaces).solid.solid<S>();
  Random random(11);
  Worst worst;
  for (int n = 0; n < 50 * kEffort; ++n) {
    const Vec3<S> p = drawn<S>(random, {0.5, 0.4, 0.3});
    const Vec3<S> inner = drawn<S>(random, {1, 1, 1});
    const Closest<S> found = box.closest(p, inner);
    const Closest<S> twin = same.closest(p, inner);
    const double gap = static_cast<double>(found.gap);
    const double truth = distance_to_box(p.template cast<double>());
    worst.see(length(found.normal) - 1);
    worst.see(static_cast<double>(twin.gap) - gap);
    worst.see(length(twin.normal - found.normal));
    // Along the normal by the gap lies a face's plane.
    const Vec3<double> on_face = (p - found.gap * found.normal).template cast<double>();
    const auto n64 = found.normal.template cast<double>();
    const Vec3<double> half{n64.x * kHalf.x, n64.y * kHalf.y, n64.z * kHalf.z};
    worst.see(dot(n64, on_face) - std::abs(half.x + half.y + half.z));
    if (truth > 1e-4) {
      TEST_ASSERT_TRUE(gap > 0 && gap <= truth + 4 * kEps<S>);  // never farther than it is: what culling relies on
    } else if (truth < -1e-4) {
      TEST_ASSERT_TRUE(gap < 0 && gap <= truth + 4 * kEps<S>);
      TEST_ASSERT_TRUE(dot(n64, (inner - p).template cast<double>()) > 0);  // out towards the body, not through it
    }
    // The nearest face of all if the body lies in front of all: right above, in the middle of a wide face.
    const Closest<S> up = box.closest({p.x * S(0.3), p.y * S(0.2), std::abs(p.z) * S(0.2)}, {S(0), S(0), S(2)});
    worst.see(static_cast<double>(up.normal.z) - 1);
  }
  assert_below<S>(4 * kEps<S>, worst, "box", "gap and normal");  // differences of numbers up to one
}
void test_box() {
  check_box<float>();
  if constexpr (measure::kInDouble) check_box<double>();
}

// A lower bound of the gap anywhere within r: |gap(p) - gap(p')| <= |p - p'|, with which whole bodies are skipped.
void test_gap_is_a_bound() {
  const auto box = std::get<0>(solids.surfaces).solid.solid<float>();
  Random random(12);
  for (int n = 0; n < 50 * kEffort; ++n) {
    const Vec3<float> p = drawn<float>(random, {1, 1, 1});
    const Vec3<float> other = drawn<float>(random, {1, 1, 1});
    const Vec3<float> inner = drawn<float>(random, {1, 1, 1});
    const float bound = box.closest(p, p).gap - static_cast<float>(length(p - other));
    TEST_ASSERT_TRUE(box.closest(other, inner).gap >= bound - 1e-6F || box.closest(other, inner).gap < 0);
    if (bound > 1e-5F) TEST_ASSERT_TRUE(box.closest(other, inner).gap > 0);
  }
}

// A body of the same width stands on it, a hair to this side or that: up is out, down to any depth that a step can leave.
template <class S>
void check_rim() {
  const auto box = std::get<0>(solids.surfaces).solid.solid<S>();
  for (const double off : {-1e-3, -1e-5, -1e-7, 0.0, 1e-7, 3e-6, 9e-6})
    for (const double depth : {1e-7, 1e-5, 1e-3, 0.05}) {
      for (const double side : {-1.0, 1.0}) {
        const Vec3<S> corner{static_cast<S>(side * (0.3 + off)), static_cast<S>(side * (0.2 + off)),
                             static_cast<S>(0.1 - depth)};
        const Closest<S> found = box.closest(corner, {S(0), S(0), S(0.2)});
        TEST_ASSERT_DOUBLE_WITHIN(kEps<S>, -depth, static_cast<double>(found.gap));
        TEST_ASSERT_TRUE(found.normal.z > S(0.5));
        // The same corner of a body beside the box is held from the side.
        const Closest<S> beside = box.closest(corner, {static_cast<S>(side * 0.5), corner.y, corner.z});
        TEST_ASSERT_TRUE(static_cast<double>(beside.normal.x) * side > 0.5);
      }
    }
  // Clearly outside it does not touch.
  TEST_ASSERT_TRUE(box.closest({S(0.3001), S(0), S(0.05)}, {S(0), S(0), S(0.2)}).gap > S(0));
}
void test_rim() {
  check_rim<float>();
  if constexpr (measure::kInDouble) check_rim<double>();
}

// A wedge with slanted faces: a depth inside is the distance of a plane, found here from three points of it.
void test_wedge() {
  constexpr auto wedge =
      kinecast::polyhedron("wedge", kinecast::faces(kinecast::face(0, 0, -1, 0), kinecast::face(0.6, 0, 0.8, 0.4),
                                                    kinecast::face(-0.6, 0, 0.8, 0.4), kinecast::face(0, 1, 0, 1),
                                                    kinecast::face(0, -1, 0, 1)));
  const auto solid = wedge.solid.solid<float>();
  Random random(13);
  for (int n = 0; n < 10 * kEffort; ++n) {
    // A point on the right slope, from its ridge (0, y, 0.5) to its foot (2/3, y, 0), moved inwards.
    const double along = 0.5 + random.within(0.3);
    const double depth = 0.02 + random.within(0.02);
    const double y = random.within(0.9);
    const Vec3<float> p = Vec3<double>{along * 2 / 3 - 0.6 * depth, y, (1 - along) * 0.5 - 0.8 * depth}.cast<float>();
    const Closest<float> found = solid.closest(p, {2.0F, static_cast<float>(y), 2.0F});
    TEST_ASSERT_FLOAT_WITHIN(2e-7F, static_cast<float>(-depth), found.gap);
    TEST_ASSERT_FLOAT_WITHIN(1e-6F, 0.6F, found.normal.x);
  }
}

struct Plane {
  template <class S>
  static S height(S x, S y) noexcept {
    return S(0.1) + S(0.75) * x - S(0.5) * y;
  }
};
struct Hills {
  template <class S>
  static S height(S x, S y) noexcept {
    return S(0.05) * std::sin(S(4) * x) * std::cos(S(3) * y);
  }
};
// A plane as a terrain is that plane. Slopes are differences over 2 mm of heights that are known to eps.
template <class S>
void check_plane() {
  const auto solid = kinecast::terrain<Plane>("plane").solid.template solid<S>();
  const double up = 1 / std::sqrt(1 + 0.75 * 0.75 + 0.5 * 0.5);
  Random random(14);
  Worst worst;
  for (int n = 0; n < 10 * kEffort; ++n) {
    const Vec3<S> p = drawn<S>(random, {1, 1, 1});
    const Closest<S> found = solid.closest(p, p);
    const auto exact = p.template cast<double>();
    worst.see(static_cast<double>(found.gap) - up * (exact.z - 0.1 - 0.75 * exact.x + 0.5 * exact.y));
    worst.see(length(found.normal.template cast<double>() - Vec3<double>{-0.75 * up, 0.5 * up, up}));
  }
  assert_below<S>(2 * kEps<S> / 1e-3, worst, "terrain", "plane");
}
// Hills: gap and normal at 2 mm above or below, against the nearest of many points of the surface. The second derivative is below
// 0.8 / m: over 2 mm the foot of the normal is 3 µm away from the nearest point's height.
void test_terrain() {
  check_plane<float>();
  if constexpr (measure::kInDouble) check_plane<double>();
  const auto solid = kinecast::terrain<Hills>("hills").solid.solid<double>();
  Random random(15);
  for (int n = 0; n < kEffort / 2; ++n) {
    const double x = random.within(1);
    const double y = random.within(1);
    const Vec3<double> p{x, y, Hills::height(x, y) + random.within(2e-3)};
    double nearest = 1;
    for (int i = -40; i <= 40; ++i)
      for (int j = -40; j <= 40; ++j) {
        const double at_x = x + i * 5e-5;
        const double at_y = y + j * 5e-5;
        nearest = std::fmin(nearest, length(p - Vec3<double>{at_x, at_y, Hills::height(at_x, at_y)}));
      }
    const Closest<double> found = solid.closest(p, p);
    // The grid of 0.05 mm adds (0.035 mm)² / 2 gap, at most that itself.
    TEST_ASSERT_DOUBLE_WITHIN(4e-5, nearest, std::abs(found.gap));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, length(found.normal));
    const double slope_x = 0.2 * std::cos(4 * x) * std::cos(3 * y);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, -slope_x * found.normal.z,
                              found.normal.x);  // third derivative 3.2 / m³ times (1 mm)²
  }
}

// ---- tangents -------------------------------------------------------------------------------------------------------------

template <class S>
void check_tangents() {
  Random random(16);
  Worst worst;
  const auto see = [&](const Vec3<double>& direction) {
    const Vec3<S> n = ((1 / length(direction)) * direction).template cast<S>();
    const auto t = kinecast::tangents_of(n);
    const auto n64 = n.template cast<double>();
    const auto t2 = t.t2.template cast<double>();
    const auto t3 = t.t3.template cast<double>();
    worst.see(length(t2) - 1), worst.see(length(t3) - 1);
    worst.see(dot(t2, t3)), worst.see(dot(t2, n64)), worst.see(dot(t3, n64));
    worst.see(length(cross(t2, t3) - n64));
  };
  for (int i = 0; i < 20 * kEffort; ++i) see(drawn<double>(random, {1, 1, 1}) + Vec3<double>{1e-3, 0, 0});
  for (const double z : {-1.0, 1.0, 0.0, -0.0}) {
    see({0, z > 0 || z < 0 ? 0.0 : 1.0, z});
    see({1, 0, z > 0 || z < 0 ? 0.0 : z});
    // Near the poles, from any side.
    for (double off = 0.1; off > 1e-12; off /= 10) see({off, 0, z}), see({0, -off, z}), see({-off, off, z});
  }
  // n itself is a unit vector to half an eps in each entry; products of it.
  assert_below<S>(4 * kEps<S>, worst, "tangents", "unit, right-handed");
}
void test_tangents() {
  check_tangents<float>();
  if constexpr (measure::kInDouble) check_tangents<double>();
}

// ---- words ----------------------------------------------------------------------------------------------------------------

constexpr auto kRubber = kinecast::material(kinecast::friction(1.2, 1.0));
constexpr auto kIce = kinecast::material(kinecast::friction(0.1), kinecast::restitution(0.2));
inline constexpr auto room = kinecast::environment(
    kinecast::half_space("ground", kinecast::pair(1, kRubber), kIce),
    kinecast::box("table", kIce, kinecast::pair(1, kRubber), kinecast::at(0.6, 0, 0.35), kinecast::size(0.5, 0.8, 0.7)),
    kinecast::half_space("lift", kinecast::at(0, 2, 0), kinecast::rpy(0.1, 0.2, 0.3), kinecast::moves()),
    kinecast::box("belt", kinecast::size(3, 1, 0.2), kinecast::conveyor(0.3, 0, 0), kinecast::touched_by(0, 3)),
    kinecast::box("palm", kinecast::on("hand"), kinecast::size(0.1, 0.1, 0.1), kinecast::touched_by(1)),
    kinecast::terrain<Hills>("hills", kinecast::at(10, 0, 0)));
inline constexpr auto toucher = kinecast::robot(
    "toucher",
    kinecast::link("hand", kinecast::revolute(kinecast::kAxisY), kinecast::at(0, 0, 5),
                   kinecast::body(1, kinecast::com(0.1, 0, 0), kinecast::inertia(0.01, 0.01, 0.01))),
    kinecast::link("plate", kinecast::on("hand"), kinecast::fixed(), kinecast::at(0, 0, 0.1),
                   kinecast::body(1, kinecast::com(0, 0, 0), kinecast::inertia(0.01, 0.01, 0.01))),
    kinecast::contact_sphere("tip", kinecast::on("hand"), kinecast::at(0.3, 0, 0), kinecast::radius(0.05)),
    kinecast::contact_box(kinecast::on("plate"), kinecast::at(1, 2, 3), kinecast::size(0.2, 0.4, 0.6),
                          kinecast::of_kind(1)));

void test_words() {
  static_assert(kinecast::validate(room, toucher).ok());
  const char* const names[] = {"ground", "table", "lift", "belt", "palm", "hills"};
  for (int i = 0; i < 6; ++i) TEST_ASSERT_EQUAL_INT(i, kinecast::find_surface(room, names[i]));
  TEST_ASSERT_EQUAL_INT(-1, kinecast::find_surface(room, "tables"));
  kinecast::for_each_surface(room.surfaces, [&](const auto& s, int index) {
    TEST_ASSERT_EQUAL_INT(index == 3 ? 0b1001 : index == 4 ? 0b10 : 0xFF, static_cast<int>(s.touched_by & 0xFFU));
    TEST_ASSERT_EQUAL_INT(index == 2, s.is_moving);
    TEST_ASSERT_TRUE((s.link_name == "hand") == (index == 4));
    TEST_ASSERT_DOUBLE_WITHIN(0, index == 3 ? 0.3 : 0.0, s.conveyor_mps.x);
    // pair() wins over material(), whichever is said first.
    for (int kind = 0; kind < kinecast::kKinds; ++kind) {
      const double expected = index > 1 ? 0.5 : kind == 1 ? 1.2 : 0.1;
      TEST_ASSERT_DOUBLE_WITHIN(0, expected, s.materials[static_cast<std::size_t>(kind)].static_friction);
    }
  });
  const auto& table = std::get<1>(room.surfaces);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.4, table.solid.half_m.y);
  TEST_ASSERT_DOUBLE_WITHIN(0, 0.35, table.position_m.z);
}

// The compiled scene: materials by kind, placements in the body's frame, and a sphere about all points of a body, skins included.
void test_scene() {
  const auto& s = kinecast::scene<toucher, room, float>;
  TEST_ASSERT_FLOAT_WITHIN(0, 1.2F, s.material(0, 1).static_friction);
  TEST_ASSERT_FLOAT_WITHIN(0, 0.2F, s.material(1, 0).restitution);
  TEST_ASSERT_EQUAL_INT(0, std::get<4>(s.surfaces).body);
  TEST_ASSERT_EQUAL_INT(kinecast::kWorld, std::get<1>(s.surfaces).body);
  TEST_ASSERT_EQUAL_INT(0, std::get<2>(s.surfaces).moving);
  TEST_ASSERT_EQUAL_INT(1, s.kGroups);
  TEST_ASSERT_EQUAL_INT(9, s.groups[0].count);
  unsigned seen = 0;
  for (const int point : s.order) {
    seen |= 1U << static_cast<unsigned>(point);
    const auto arm =
        kinecast::model<toucher, float>.points[static_cast<std::size_t>(point)].position - s.groups[0].center;
    TEST_ASSERT_TRUE(length(arm) + (point == 0 ? 0.05 : 0) <= static_cast<double>(s.groups[0].radius) + 1e-6);
  }
  TEST_ASSERT_EQUAL_INT(0x1FF, static_cast<int>(seen));
}

void test_corners_of_a_box() {
  unsigned seen = 0;
  for (int i = 1; i < 9; ++i) {
    const kinecast::ContactPoint& p = toucher.point(i);
    TEST_ASSERT_TRUE(p.link == 1 && p.kind == 1);
    const Vec3<double> from{p.position_m.x - 1, p.position_m.y - 2, p.position_m.z - 3};
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.1, std::abs(from.x));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.2, std::abs(from.y));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.3, std::abs(from.z));
    seen |= 1U << ((from.x > 0 ? 1U : 0U) + (from.y > 0 ? 2U : 0U) + (from.z > 0 ? 4U : 0U));
  }
  TEST_ASSERT_EQUAL_INT(0xFF, static_cast<int>(seen));  // all eight
}

// ---- rules ----------------------------------------------------------------------------------------------------------------

using Room = Values<room>;
// Each rule, by a change of one surface; the verdict names rule and surface, and has a sentence of its own.
struct Breach {
  EnvironmentRule rule;
  int surface;
  void (*spoil)(Room& values);
};
template <int Index>
[[nodiscard]] auto& of(Room& values) {
  return std::get<static_cast<std::size_t>(Index)>(values.surfaces);
}
constexpr Breach kBreaches[] = {
    {EnvironmentRule::values_sane, 1, [](Room& v) { of<1>(v).position_m.y = std::nan(""); }},
    {EnvironmentRule::values_sane, 0, [](Room& v) { of<0>(v).materials[5].restitution = std::nan(""); }},
    {EnvironmentRule::values_sane, 3, [](Room& v) { of<3>(v).conveyor_mps.x = 1e7; }},
    {EnvironmentRule::values_sane, 1, [](Room& v) { of<1>(v).solid.half_m.x = std::nan(""); }},
    {EnvironmentRule::values_sane, 0, [](Room& v) { of<0>(v).materials[0].spring_N_per_m = HUGE_VAL; }},
    {EnvironmentRule::name_unique, 3, [](Room& v) { of<3>(v).name = "table"; }},
    {EnvironmentRule::rotation_orthonormal, 2, [](Room& v) { of<2>(v).rotation.row_x.x = 0.5; }},
    {EnvironmentRule::rotation_orthonormal, 5, [](Room& v) { of<5>(v).rotation.row_z.z = -1; }},  // left-handed
    {EnvironmentRule::friction_not_negative, 4, [](Room& v) { of<4>(v).materials[7].kinetic_friction = -0.1; }},
    {EnvironmentRule::static_not_below_kinetic, 0, [](Room& v) { of<0>(v).materials[1].kinetic_friction = 1.3; }},
    {EnvironmentRule::relaxation_positive, 1, [](Room& v) { of<1>(v).materials[0].relaxation = 0; }},
    {EnvironmentRule::relaxation_positive, 1, [](Room& v) { of<1>(v).materials[0].relaxation = -1e-3; }},
    {EnvironmentRule::compensation_not_negative, 2, [](Room& v) { of<2>(v).materials[0].compensation_per_s = -1; }},
    {EnvironmentRule::restitution_up_to_one, 0, [](Room& v) { of<0>(v).materials[0].restitution = 1.01; }},
    {EnvironmentRule::restitution_up_to_one, 0, [](Room& v) { of<0>(v).materials[0].restitution = -0.01; }},
    {EnvironmentRule::elastic_not_negative, 5, [](Room& v) { of<5>(v).materials[0].membrane_m = -1e-3; }},
    {EnvironmentRule::elastic_not_negative, 5, [](Room& v) { of<5>(v).materials[0].damper_Ns_per_m = -1; }},
    {EnvironmentRule::elastic_not_negative, 5, [](Room& v) { of<5>(v).materials[0].spring_N_per_m = -1; }},
    {EnvironmentRule::size_positive, 1, [](Room& v) { of<1>(v).solid.half_m.z = 0; }},
    {EnvironmentRule::moves_in_world, 4, [](Room& v) { of<4>(v).is_moving = true; }},
    {EnvironmentRule::touched_by_a_kind, 3, [](Room& v) { of<3>(v).touched_by = 0; }},
    {EnvironmentRule::surface_on_known_link, 4, [](Room& v) { of<4>(v).link_name = "foot"; }},
};
void test_rules_at_run_time() {
  static kinecast::Scene<toucher, room, float> scene;
  for (const Breach& breach : kBreaches) {
    Room values = room;
    breach.spoil(values);
    const kinecast::EnvironmentVerdict verdict = kinecast::validate(values, toucher);
    TEST_ASSERT_EQUAL_STRING(kinecast::sentence(breach.rule), kinecast::sentence(verdict.rule));
    TEST_ASSERT_EQUAL_INT(breach.surface, verdict.index);
    bad_input::fill(scene);
    assert_status(Status::invalid_model, kinecast::build_scene<toucher, room, float>(toucher, values, scene),
                  kinecast::sentence(breach.rule));
    TEST_ASSERT_TRUE(bad_input::is_filled(scene));
  }
  // A face's normal: of a polyhedron.
  Values<solids> values = solids;
  std::get<1>(values.surfaces).solid.faces[2].normal.y = 0.9;
  TEST_ASSERT_EQUAL_STRING(kinecast::sentence(EnvironmentRule::normals_unit),
                           kinecast::sentence(kinecast::validate(values).rule));
  // The values as they are build.
  assert_ok(kinecast::build_scene<toucher, room, float>(toucher, room, scene));
  // What the compiled scene relies on stays: which surface moves, and where it sits.
  Room moved = room;
  of<0>(moved).is_moving = true;
  assert_status(Status::invalid_model, kinecast::build_scene<toucher, room, float>(toucher, moved, scene), "moves");
  moved = room;
  of<4>(moved).link_name = "plate";
  assert_status(Status::invalid_model, kinecast::build_scene<toucher, room, float>(toucher, moved, scene), "link");
}

// Kinds that do not exist are refused, in whatever order the words come.
void test_bad_kinds() {
  using kinecast::environment, kinecast::half_space, kinecast::pair, kinecast::touched_by;
  const auto refused = [](const auto& e) { return kinecast::validate(e).rule == EnvironmentRule::touched_by_a_kind; };
  TEST_ASSERT_TRUE(refused(environment(half_space("g", touched_by(8)))));
  TEST_ASSERT_TRUE(refused(environment(half_space("g", touched_by(-1)))));
  TEST_ASSERT_TRUE(refused(environment(half_space("g", pair(8, kRubber)))));
  TEST_ASSERT_TRUE(refused(environment(half_space("g", pair(-1, kRubber)))));
  TEST_ASSERT_TRUE(refused(environment(half_space("g", touched_by(1), pair(8, kRubber)))));
  TEST_ASSERT_TRUE(refused(environment(half_space("g", pair(8, kRubber), touched_by(1)))));
  TEST_ASSERT_TRUE(refused(environment(half_space("g", touched_by(1, 8)))));
}

}  // namespace

KINECAST_SUITE(contact_geometry, test_box, test_gap_is_a_bound, test_rim, test_wedge, test_terrain, test_tangents,
               test_words, test_scene, test_corners_of_a_box, test_rules_at_run_time, test_bad_kinds)

}  // namespace unit_contact_geometry
