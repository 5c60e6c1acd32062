// SPDX-License-Identifier: MIT
// Convex polyhedra as values: volumes, normals and closedness of what the makers make by the divergence theorem, the same answers
// as a box to a contact point, the words; and every way in which a polyhedron can be wrong, with the face named.
#include <kinecast/model/environment/environment.hpp>
#include <kinecast/model/environment/scene.hpp>

#include "measure.hpp"
#include "unity_main.hpp"

namespace unit_convex {
namespace {

using kinecast::Closest;
using kinecast::ConvexSolid;
using kinecast::EnvironmentRule;
using kinecast::EnvironmentVerdict;
using kinecast::Vec3;
using measure::assert_below;
using measure::kEffort;
using measure::kEps;
using measure::Random;
using measure::Worst;

constexpr double kPi = 3.14159265358979323846;

template <class S>
[[nodiscard]] double length(const Vec3<S>& v) {
  const auto exact = v.template cast<double>();
  return std::sqrt(dot(exact, exact));
}

template <class S, class Solid>
struct Tables {
  static constexpr kinecast::PolyhedronSize kSize = Solid::kPolyhedron;
  Vec3<S> vertices[static_cast<std::size_t>(kSize.vertices + 1)]{};
  Vec3<S> normals[static_cast<std::size_t>(kSize.faces)]{};
  S distances[static_cast<std::size_t>(kSize.faces)]{};
  std::uint8_t loops[static_cast<std::size_t>(kSize.corners + 1)]{};
  std::uint8_t starts[static_cast<std::size_t>(kSize.faces + 1)]{};
  constexpr explicit Tables(const Solid& solid) noexcept {
    write_tables(solid, kinecast::PolyhedronTables<S>{vertices, normals, distances, loops, starts});
  }
};

// ---- makers ---------------------------------------------------------------------------------------------------------------

// From triangles (v0, v1, v2) of each loop: volume = Σ v0 . v1 x v2 / 6, area vector ½ Σ (v1 - v0) x (v2 - v0). The area
// vectors' sum is zero for a closed surface; each is its face's normal times the area; and volume = ⅓ Σ area distance.
template <class S, class Solid>
void check_solid(const Solid& solid, double volume, const char* name) {
  constexpr kinecast::PolyhedronSize kSize = Solid::kPolyhedron;
  static_assert(kSize.is_convex_polyhedron());
  const Tables<S, Solid> t(solid);
  Worst worst;
  double by_triangles = 0;
  double by_planes = 0;
  double surface = 0;
  double reach = 0;
  Vec3<double> sum{};
  const auto at = [&](int corner) { return t.vertices[t.loops[corner]].template cast<double>(); };
  for (int i = 0; i < kSize.vertices; ++i) reach = std::fmax(reach, length(t.vertices[i]));
  for (int f = 0; f < kSize.faces; ++f) {
    Vec3<double> area{};
    for (int c = t.starts[f] + 1; c + 1 < t.starts[f + 1]; ++c) {
      by_triangles += dot(at(t.starts[f]), cross(at(c), at(c + 1))) / 6;
      area = area + 0.5 * cross(at(c) - at(t.starts[f]), at(c + 1) - at(t.starts[f]));
    }
    const double size = std::sqrt(dot(area, area));
    const auto normal = t.normals[f].template cast<double>();
    worst.see(length((1 / size) * area - normal));
    by_planes += size * static_cast<double>(t.distances[f]) / 3;
    surface += size;
    sum = sum + area;
    // Its own vertices lie in the plane, all others behind it.
    for (int i = 0; i < kSize.vertices; ++i) {
      const double height = dot(normal, t.vertices[i].template cast<double>()) - static_cast<double>(t.distances[f]);
      bool is_own = false;
      for (int c = t.starts[f]; c < t.starts[f + 1]; ++c) is_own = is_own || t.loops[c] == i;
      if (is_own) worst.see(height / reach);
      TEST_ASSERT_TRUE_MESSAGE(is_own || height < -1e-3 * reach, name);
    }
  }
  worst.see(volume, by_triangles, volume);
  worst.see(volume, by_planes, volume);
  worst.see(length(sum) / surface);
  // Vertices are rounded to half an eps of their size; the shortest side is a fifth of the longest, so that normals and volume
  // are wrong by ten times that at most.
  assert_below<S>(10 * kEps<S>, worst, "solid", name);
}
template <class S>
void check_makers() {
  check_solid<S>(kinecast::convex_box({0.6, 0.4, 0.2}), 0.048, "box");
  check_solid<S>(kinecast::BoxSolid{{0.3, 0.2, 0.1}}, 0.048, "box of contact points");
  check_solid<S>(kinecast::convex_wedge({0.5, 0.4, 0.3}), 0.03, "wedge");
  const auto prism_volume = [](int n, double radius, double height) {
    return 0.5 * n * radius * radius * std::sin(2 * kPi / n) * height;
  };
  check_solid<S>(kinecast::convex_prism<3>(0.3, 0.2), prism_volume(3, 0.3, 0.2), "prism of 3 sides");
  check_solid<S>(kinecast::convex_prism<6>(0.01, 0.008), prism_volume(6, 0.01, 0.008), "prism of 6 sides");
  check_solid<S>(kinecast::convex_prism<12>(0.3, 0.2), prism_volume(12, 0.3, 0.2), "prism of 12 sides");
}
void test_makers() {
  check_makers<float>();
  if constexpr (measure::kInDouble) check_makers<double>();
}

// Normals along the axes, and a box's distances, are exact: nothing leans that was written upright.
void test_axes_are_exact() {
  constexpr Tables<double, ConvexSolid<8, 6, 24>> box(kinecast::convex_box({0.7, 0.3, 0.1}));
  const double size[3] = {0.35, 0.15, 0.05};
  for (int f = 0; f < 6; ++f) {
    const double expected = f % 2 == 0 ? -1 : 1;
    const double entries[3] = {box.normals[f].x, box.normals[f].y, box.normals[f].z};
    for (int k = 0; k < 3; ++k) TEST_ASSERT_DOUBLE_WITHIN(0, k == f / 2 ? expected : 0.0, entries[k]);
    TEST_ASSERT_DOUBLE_WITHIN(0, size[f / 2], box.distances[f]);
  }
  constexpr Tables<float, kinecast::HalfSpace> ground(kinecast::HalfSpace{});
  static_assert(kinecast::HalfSpace::kPolyhedron.vertices == 0);
  TEST_ASSERT_TRUE(ground.normals[0].z >= 1 && ground.distances[0] <= 0 && ground.starts[1] == 0);
  static_assert(!kinecast::PolyhedronSolid<6>::kPolyhedron.is_convex_polyhedron());
  static_assert(!kinecast::HeightSolid<int>::kPolyhedron.is_convex_polyhedron());
}

// ---- contact points -------------------------------------------------------------------------------------------------------

// A convex box answers as the box does, to the bit: the same differences of the same numbers.
template <class S>
void check_closest() {
  const auto box = kinecast::BoxSolid{{0.3, 0.2, 0.1}}.solid<S>();
  const auto same = kinecast::convex_box({0.6, 0.4, 0.2}).solid<S>();
  Random random(31);
  const auto drawn = [&](double x, double y, double z) -> Vec3<S> {
    return {static_cast<S>(random.within(x)), static_cast<S>(random.within(y)), static_cast<S>(random.within(z))};
  };
  Worst worst;
  for (int n = 0; n < 50 * kEffort; ++n) {
    const Vec3<S> p = drawn(0.5, 0.4, 0.3);
    const Vec3<S> inner = drawn(1, 1, 1);
    const Closest<S> expected = box.closest(p, inner);
    const Closest<S> found = same.closest(p, inner);
    worst.see(static_cast<double>(found.gap) - static_cast<double>(expected.gap));
    worst.see(length(found.normal - expected.normal));
  }
  assert_below<S>(0, worst, "closest point", "of a box");
}
void test_closest() {
  check_closest<float>();
  if constexpr (measure::kInDouble) check_closest<double>();
  // On a ramp of 3 : 4 the gap is height above the slope times its cosine.
  const auto ramp = kinecast::convex_wedge({0.8, 1, 0.6}).solid<double>();
  Random random(32);
  for (int n = 0; n < 10 * kEffort; ++n) {
    const double x = 0.4 + random.within(0.2);
    const double above = random.within(0.02);
    const Closest<double> found = ramp.closest({x, random.within(0.4), 0.75 * x + above}, {x, 0, 2});
    TEST_ASSERT_DOUBLE_WITHIN(4 * kEps<double>, 0.8 * above, found.gap);
    TEST_ASSERT_DOUBLE_WITHIN(4 * kEps<double>, -0.6, found.normal.x);
    TEST_ASSERT_DOUBLE_WITHIN(4 * kEps<double>, 0.8, found.normal.z);
  }
}

// ---- words ----------------------------------------------------------------------------------------------------------------

constexpr auto kOctahedron = kinecast::convex_solid(
    kinecast::vertices(kinecast::vertex(1, 0, 0), kinecast::vertex(0, 1, 0), kinecast::vertex(-1, 0, 0),
                       kinecast::vertex(0, -1, 0), kinecast::vertex(0, 0, 1), kinecast::vertex(0, 0, -1)),
    kinecast::loops(kinecast::loop(0, 1, 4), kinecast::loop(1, 2, 4), kinecast::loop(2, 3, 4), kinecast::loop(3, 0, 4),
                    kinecast::loop(1, 0, 5), kinecast::loop(2, 1, 5), kinecast::loop(3, 2, 5),
                    kinecast::loop(0, 3, 5)));
inline constexpr auto room = kinecast::environment(
    kinecast::half_space("ground"), kinecast::convex("crate", kinecast::convex_box({0.6, 0.4, 0.2})),
    kinecast::convex("jewel", kOctahedron, kinecast::on("hand"), kinecast::of_kind(3)),
    kinecast::wedge("ramp", kinecast::of_kind(7), kinecast::at(2, 0, 0), kinecast::size(0.5, 0.4, 0.3),
                    kinecast::touched_by(0, 3), kinecast::material(kinecast::friction(0.9)), kinecast::moves()),
    kinecast::prism<6>("nut", kinecast::height(0.008), kinecast::on("hand"), kinecast::radius(0.01),
                       kinecast::rpy(0.1, 0.2, 0.3), kinecast::conveyor(0.1, 0, 0)));
inline constexpr auto hand =
    kinecast::robot("hand", kinecast::link("hand", kinecast::revolute(kinecast::kAxisY),
                                           kinecast::body(1, kinecast::com(0.1, 0, 0), kinecast::inertia(1, 1, 1))));
static_assert(kinecast::validate(room, hand).ok());

void test_words() {
  const auto& ramp = std::get<3>(room.surfaces);
  TEST_ASSERT_TRUE(ramp.name == "ramp" && ramp.link_name == "world" && ramp.is_moving && ramp.kind == 7);
  TEST_ASSERT_EQUAL_INT(0b1001, static_cast<int>(ramp.touched_by & 0xFFU));
  TEST_ASSERT_DOUBLE_WITHIN(0, 2, ramp.position_m.x);
  TEST_ASSERT_DOUBLE_WITHIN(0, 0.9, ramp.materials[7].static_friction);
  check_solid<double>(ramp.solid, 0.03, "wedge in words");
  // Its foot lies on the y axis, its back side stands at x = 0.5.
  for (const Vec3<double>& v : ramp.solid.vertices) {
    TEST_ASSERT_TRUE(v.x <= 0 ? v.z <= 0 && v.x >= 0 : v.x >= 0.5 && v.x <= 0.5);
    TEST_ASSERT_DOUBLE_WITHIN(0, 0.2, std::abs(v.y));
  }
  const auto& nut = std::get<4>(room.surfaces);
  TEST_ASSERT_TRUE(nut.link_name == "hand" && nut.kind == 0 && !nut.is_moving);
  TEST_ASSERT_DOUBLE_WITHIN(0, 0.1, nut.conveyor_mps.x);
  TEST_ASSERT_TRUE(nut.rotation.row_x.x < 0.99);
  for (const Vec3<double>& v : nut.solid.vertices) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-17, 0.01, std::sqrt(v.x * v.x + v.y * v.y));
    TEST_ASSERT_DOUBLE_WITHIN(0, 0.004, std::abs(v.z));
  }
  TEST_ASSERT_EQUAL_INT(3, std::get<2>(room.surfaces).kind);
  // Kinds that do not exist, said or set.
  const auto refused = [](const auto& e) { return kinecast::validate(e).rule == EnvironmentRule::touched_by_a_kind; };
  using kinecast::environment, kinecast::half_space, kinecast::of_kind;
  TEST_ASSERT_TRUE(refused(environment(half_space("g", of_kind(8)))));
  TEST_ASSERT_TRUE(refused(environment(half_space("g", of_kind(-1), of_kind(1)))));
  auto set = environment(half_space("g"));
  std::get<0>(set.surfaces).kind = kinecast::kKinds;
  TEST_ASSERT_TRUE(refused(set));
}

// ---- rules ----------------------------------------------------------------------------------------------------------------

using Box = ConvexSolid<8, 6, 24>;
using Octahedron = std::decay_t<decltype(kOctahedron)>;
constexpr Box kBox = kinecast::convex_box({0.6, 0.4, 0.2});

// The verdict on the solid as a surface of a room names the surface, and says of the face what it says of the solid alone.
template <class Solid>
void expect(EnvironmentRule rule, int face, const Solid& solid, const char* what) {
  const EnvironmentVerdict alone = kinecast::validate(solid.polyhedron());
  TEST_ASSERT_EQUAL_STRING_MESSAGE(kinecast::sentence(rule), kinecast::sentence(alone.rule), what);
  TEST_ASSERT_EQUAL_INT_MESSAGE(face, alone.face, what);
  const auto around = kinecast::environment(kinecast::half_space("ground"), kinecast::convex("solid", solid));
  const EnvironmentVerdict verdict = kinecast::validate(around, hand);
  TEST_ASSERT_TRUE_MESSAGE(verdict.rule == rule && verdict.face == face, what);
  TEST_ASSERT_EQUAL_INT_MESSAGE(verdict.ok() ? -1 : 1, verdict.index, what);
}
constexpr EnvironmentRule kFine = EnvironmentRule::none;

// Faces with this vertex come in the order of the loops.
template <class Solid>
[[nodiscard]] int first_face_with(const Solid& solid, int vertex) {
  int face = 0;
  while (true) {
    for (int c = solid.starts[static_cast<std::size_t>(face)]; c < solid.starts[static_cast<std::size_t>(face) + 1];
         ++c)
      if (solid.loops[static_cast<std::size_t>(c)] == vertex) return face;
    ++face;
  }
}

void test_values() {
  expect(kFine, -1, kBox, "box");
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1.1e6, -1e300}) {
    for (std::size_t i = 0; i < 8; ++i) {
      for (int k = 0; k < 3; ++k) {
        Box box = kBox;
        (k == 0 ? box.vertices[i].x : k == 1 ? box.vertices[i].y : box.vertices[i].z) = bad;
        expect(EnvironmentRule::values_sane, first_face_with(box, static_cast<int>(i)), box, "value");
      }
    }
  }
  // As large and as small as sizes go; where a box stands beside its frame's origin does not matter.
  for (const double scale : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    Box box = kinecast::convex_box({scale, scale, scale});
    expect(kFine, -1, box, "scale");
    for (Vec3<double>& v : box.vertices) v.x += 0.4 * scale;
    expect(kFine, -1, box, "shifted");
  }
}

// Whatever index is wrong, the box is refused, and nothing is read that is not there: all 24 corners, all values of a byte; and
// the same for where the loops begin.
void test_every_wrong_index() {
  for (std::size_t c = 0; c < kBox.loops.size(); ++c) {
    for (int wrong = 0; wrong<256; wrong += kEffort> 4 || wrong < 9 ? 1 : 41) {
      if (wrong == kBox.loops[c]) continue;
      Box box = kBox;
      box.loops[c] = static_cast<std::uint8_t>(wrong);
      const int face = static_cast<int>(c / 4);
      const bool is_in_loop =
          wrong < 8 && (wrong == box.loops[c / 4 * 4 + (c + 1) % 4] || wrong == box.loops[c / 4 * 4 + (c + 2) % 4] ||
                        wrong == box.loops[c / 4 * 4 + (c + 3) % 4]);
      const EnvironmentVerdict verdict = kinecast::validate(box.polyhedron());
      if (wrong >= 8 || is_in_loop)
        expect(EnvironmentRule::loops_of_vertices, face, box, "loop");
      else
        TEST_ASSERT_TRUE(verdict.rule == EnvironmentRule::polyhedron_closed && verdict.face >= 0);
    }
  }
  for (std::size_t s = 0; s < kBox.starts.size(); ++s) {
    for (int wrong = 0; wrong<256; wrong += kEffort> 4 || wrong < 26 ? 1 : 41) {
      if (wrong == kBox.starts[s]) continue;
      Box box = kBox;
      box.starts[s] = static_cast<std::uint8_t>(wrong);
      TEST_ASSERT_FALSE(kinecast::validate(box.polyhedron()).ok());
    }
  }
}

void test_same_vertices() {
  for (std::size_t i = 1; i < 8; ++i) {
    for (const double apart : {0.0, 2e-7}) {  // below a millionth of 0.3
      Box box = kBox;
      box.vertices[i] = box.vertices[i - 1];
      box.vertices[i].y += apart;
      expect(EnvironmentRule::vertices_distinct, first_face_with(box, static_cast<int>(i)), box, "same vertex");
    }
  }
  expect(EnvironmentRule::vertices_distinct, 0, kinecast::convex_prism<5>(0, 1), "prism without a radius");
  expect(EnvironmentRule::vertices_distinct, 1, kinecast::convex_prism<5>(1, 0), "prism without a height");
  expect(EnvironmentRule::vertices_distinct, 0, kinecast::convex_box({0, 0, 0}), "box without a size");
}

// A face that is turned over has all its edges in the direction of its neighbours'.
void test_open() {
  for (std::size_t f = 0; f < 8; ++f) {
    Octahedron solid = kOctahedron;
    std::swap(solid.loops[3 * f], solid.loops[3 * f + 1]);
    expect(EnvironmentRule::polyhedron_closed, static_cast<int>(f), solid, "turned over");
  }
  // A face twice, and no face opposite of it.
  Octahedron solid = kOctahedron;
  for (std::size_t k = 0; k < 3; ++k) solid.loops[3 * 6 + k] = solid.loops[k];
  expect(EnvironmentRule::polyhedron_closed, 0, solid, "twice");
  using kinecast::loop, kinecast::loops;
  expect(EnvironmentRule::polyhedron_closed, 0,
         kinecast::convex_solid(kBox.vertices, loops(loop(0, 1, 3, 2), loop(4, 6, 7, 5), loop(0, 4, 5, 1),
                                                     loop(2, 3, 7, 6), loop(0, 2, 6, 4))),
         "a box without a lid");
  expect(EnvironmentRule::polyhedron_closed, -1, ConvexSolid<0, 0, 0>{}, "nothing");
}

// A corner of a box that is out of place by more than a millionth bends three faces; the first of them is named.
void test_bent_faces() {
  for (std::size_t i = 0; i < 8; ++i) {
    Box box = kBox;
    box.vertices[i] = 1.00002 * box.vertices[i];
    expect(EnvironmentRule::faces_flat, first_face_with(box, static_cast<int>(i)), box, "bent");
    box.vertices[i] = (1 + 1e-7) * kBox.vertices[i];
    expect(kFine, -1, box, "hardly bent");
  }
  // A face whose three vertices lie on a line: a tetrahedron's edge with a vertex more.
  using kinecast::loop, kinecast::loops, kinecast::vertex, kinecast::vertices;
  expect(EnvironmentRule::faces_flat, 4,
         kinecast::convex_solid(
             vertices(vertex(0, 0, 1), vertex(1, 0, 0), vertex(0, 1, 0), vertex(0, 0, 0), vertex(0.5, 0, 0)),
             loops(loop(1, 3, 2), loop(0, 1, 2), loop(0, 2, 3), loop(0, 3, 4), loop(3, 1, 4), loop(0, 4, 1))),
         "no area");
}

// Of half the width, 0.5, a ten-thousandth is 0.05 mm.
void test_thin() {
  expect(EnvironmentRule::polyhedron_not_thin, 4, kinecast::convex_box({1, 1, 0.049e-3}), "film");
  expect(kFine, -1, kinecast::convex_box({1, 1, 0.051e-3}), "sheet");
  // Far away from the frame's origin a float does not hold the shape.
  Box box = kinecast::convex_box({0.01, 0.01, 0.01});
  for (Vec3<double>& v : box.vertices) v.z += 101;
  expect(EnvironmentRule::polyhedron_not_thin, 0, box, "far away");
  // Flat, and bent upwards and downwards so little that all faces count as flat: no volume either way.
  for (const double lift : {-1e-8, 0.0, 1e-8}) {
    Octahedron flat = kOctahedron;
    flat.vertices[4].z = lift, flat.vertices[4].x = 0.1;
    flat.vertices[5].z = -lift, flat.vertices[5].x = -0.1;
    expect(EnvironmentRule::polyhedron_not_thin, 0, flat, "no volume");
  }
}

void test_inside_out() {
  Octahedron solid = kOctahedron;
  for (std::size_t f = 0; f < 8; ++f) std::swap(solid.loops[3 * f], solid.loops[3 * f + 1]);
  expect(EnvironmentRule::polyhedron_not_inside_out, 0, solid, "turned");
  solid = kOctahedron;
  for (Vec3<double>& v : solid.vertices) v.y = -v.y;
  expect(EnvironmentRule::polyhedron_not_inside_out, 0, solid, "mirrored");
  expect(EnvironmentRule::polyhedron_not_inside_out, 0, kinecast::convex_box({1, -1, 1}), "negative size");
  expect(EnvironmentRule::polyhedron_not_inside_out, 0, kinecast::convex_prism<4>(1, -1), "negative height");
}

void test_not_convex() {
  // The top of the octahedron pushed through its middle: the four upper faces look at each other. The volume is still positive.
  Octahedron solid = kOctahedron;
  solid.vertices[4] = {0, 0, -0.3};
  expect(EnvironmentRule::polyhedron_convex, 0, solid, "pushed in");
  solid.vertices[4] = {0, 0, 1e-3};
  expect(kFine, -1, solid, "flat on top");
  // Its top pulled aside, out in front of two of the lower faces: x ± y - z = 1.
  solid = kOctahedron;
  solid.vertices[4] = {3, 0, 1};
  expect(EnvironmentRule::polyhedron_convex, 4, solid, "pulled aside");
  // A lid in two flat pieces, one of which is bent like an L about a vertex within the lid.
  using kinecast::loop, kinecast::loops, kinecast::vertex, kinecast::vertices;
  const auto lid = [](double x) {
    return kinecast::convex_solid(
        vertices(vertex(-1, -1, -1), vertex(-1, -1, 1), vertex(-1, 1, -1), vertex(-1, 1, 1), vertex(1, -1, -1),
                 vertex(1, -1, 1), vertex(1, 1, -1), vertex(1, 1, 1), vertex(x, x, 1)),
        loops(loop(0, 1, 3, 2), loop(4, 6, 7, 5), loop(0, 4, 5, 1), loop(2, 3, 7, 6), loop(0, 2, 6, 4),
              loop(1, 5, 8, 3), loop(8, 5, 7, 3)));
  };
  expect(EnvironmentRule::polyhedron_convex, 6, lid(0.3), "bent piece");
  expect(EnvironmentRule::polyhedron_convex, 5, lid(-0.3), "other piece");
}

// Turned and shifted at random and rounded to float, as a file may hold it, a solid stays what it is, good or bad.
void test_any_pose() {
  Random random(33);
  for (int n = 0; n < kEffort; ++n) {
    const auto turn = kinecast::rotation_from_rpy(random.within(kPi), random.within(kPi), random.within(kPi));
    const Vec3<double> shift{random.within(0.5), random.within(0.5), random.within(0.5)};
    const auto placed = [&](auto solid) {
      for (Vec3<double>& v : solid.vertices) v = (shift + turn * v).template cast<float>().template cast<double>();
      return solid;
    };
    expect(kFine, -1, placed(kBox), "box");
    expect(kFine, -1, placed(kinecast::convex_prism<12>(0.3, 0.1)), "prism");
    Octahedron dented = kOctahedron;
    dented.vertices[4] = {0.1, 0.05, -0.3};
    TEST_ASSERT_TRUE(kinecast::validate(placed(dented).polyhedron()).rule == EnvironmentRule::polyhedron_convex);
    Box bent = kBox;
    bent.vertices[2].y += 1e-5;  // two of its faces are only sheared by that, the third, +y, is bent
    expect(EnvironmentRule::faces_flat, 3, placed(bent), "bent");
  }
}

}  // namespace

KINECAST_SUITE(convex, test_makers, test_axes_are_exact, test_closest, test_words, test_values, test_every_wrong_index,
               test_same_vertices, test_open, test_bent_faces, test_thin, test_inside_out, test_not_convex,
               test_any_pose)

}  // namespace unit_convex
