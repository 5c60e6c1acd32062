// SPDX-License-Identifier: MIT
// The volume that two convex polyhedra share, and its patch (method 6.1, 6.2), where a formula knows the answer: a cube on the
// floor, on an equal cube, corner in corner, contained, right through; faces, edges and corners that only touch; what a plane
// cuts in two. And what must not happen: writing where there is no room, and NaN that gets through. tests/oracle/intersections.cpp
// has the 1e5 pairs.
#include <kinecast/contact/volume/patch.hpp>
#include <kinecast/math/rotation.hpp>

#include "../robots/polyhedra.hpp"
#include "measure.hpp"
#include "unity_main.hpp"

namespace unit_intersection {
namespace {

using kinecast::ConvexView;
using kinecast::kNoPlacement;
using kinecast::Placement;
using kinecast::Status;
using kinecast::Vec3;
using measure::assert_below;
using measure::kEffort;
using measure::kEps;
using measure::Random;
using measure::Worst;

constexpr double kEdge = 0.1;
constexpr double kFace = kEdge * kEdge;
constexpr int kCorners = 8;

// One pair after the other, in the memory that two boxes need.
template <class S>
struct Contact {
  kinecast::ContactSolid<S, 12> solid;
  kinecast::ClipScratch<S, 12> scratch;
  kinecast::ContactPatch<S, kCorners> patch;

  // True: they share a volume.
  [[nodiscard]] bool find(const ConvexView<S>& a, const ConvexView<S>& b, const Placement<S>& a_in_b, S skin = S(0)) {
    TEST_ASSERT_TRUE(intersect(a, b, a_in_b, skin, scratch, solid) == Status::ok);
    if (solid.face_count == 0) return false;
    TEST_ASSERT_TRUE(find_patch(solid, a, b, a_in_b, patch) == Status::ok);
    return true;
  }
};

template <class S>
[[nodiscard]] Placement<S> at(double x, double y, double z) {
  return {kinecast::kIdentity3<S>, {static_cast<S>(x), static_cast<S>(y), static_cast<S>(z)}};
}
template <class S>
[[nodiscard]] Placement<S> drawn(Random& random, double within) {
  for (;;) {
    const kinecast::Quaternion<double> q{random.within(1), random.within(1), random.within(1), random.within(1)};
    const double square = squared_norm(q);
    if (square < 0.1 || square > 1) continue;
    const double k = 1 / std::sqrt(square);
    const Placement<double> p{kinecast::to_matrix(kinecast::Quaternion<double>{k * q.w, k * q.x, k * q.y, k * q.z}),
                              {random.within(within), random.within(within), random.within(within)}};
    return p.cast<S>();
  }
}
template <class S>
[[nodiscard]] double exact(S x) {
  return static_cast<double>(x);
}
template <class S>
[[nodiscard]] bool is_exactly(const Vec3<S>& v, double x, double y, double z) {
  const auto is = [](S a, double b) { return !(exact(a) < b) && !(exact(a) > b); };
  return is(v.x, x) && is(v.y, y) && is(v.z, z);
}
template <class S>
[[nodiscard]] double distance(const Vec3<S>& v, double x, double y, double z) {
  return std::hypot(exact(v.x) - x, std::hypot(exact(v.y) - y, exact(v.z) - z));
}

// A cube that lies on something from 1e-8 to 1e-3 m deep: a slab, whose every number is known.
template <class S>
void check_slab(const ConvexView<S>& below, double top) {
  const auto cube = robots::make_box_table<S>(kEdge, kEdge, kEdge);
  Contact<S> contact;
  Worst volume;
  Worst center;
  Worst moments;
  Worst corners;
  for (const double depth : {1e-3, 1e-5, 1e-6, 1e-7, 3e-8}) {
    const Placement<S> place = at<S>(0.03, -0.02, top + 0.5 * kEdge - depth);
    TEST_ASSERT_TRUE(contact.find(cube.view(), below, place));
    const auto& p = contact.patch;
    TEST_ASSERT_TRUE(is_exactly(p.axes.n, 0, 0, 1));
    TEST_ASSERT_FALSE(p.is_contained);
    TEST_ASSERT_EQUAL_INT(4, p.corners);
    // Where the bottom is: a sum of two rounded numbers, rounded to the size of half an edge.
    const S bottom = place.position.z - static_cast<S>(0.5 * kEdge);
    const double thick = exact(static_cast<S>(top)) - exact(bottom);
    volume.see(exact(p.volume) / kFace - thick);
    moments.see((exact(p.h) - exact(p.volume)) / exact(p.volume));
    center.see(distance(p.center, 0.03, -0.02, top - 0.5 * thick));
    moments.see(exact(p.area) / (2 * kFace) - 1);
    moments.see(exact(p.xx) / (kFace * kFace / 6) - 1);
    moments.see(exact(p.yy) / (kFace * kFace / 6) - 1);
    for (const S zero : {p.x, p.y}) moments.see(exact(zero) / (kFace * kEdge));
    moments.see(exact(p.xy) / (kFace * kFace));
    moments.see(exact(p.hx) / (exact(p.h) * kEdge));
    for (int i = 0; i < 4; ++i) {
      const double x = i == 0 || i == 3 ? -0.05 : 0.05;
      const double y = i < 2 ? -0.05 : 0.05;
      corners.see(std::hypot(exact(p.corner[i][0]) - x, exact(p.corner[i][1]) - y));
    }
    corners.see(exact(p.reach) - 0.05 * std::sqrt(2.0));
  }
  // Positions are rounded to eps times some 0.1 m; moments are ratios of a dozen operations.
  assert_below<S>(2 * kEps<S> * kEdge, volume, "thickness");
  assert_below<S>(2 * kEps<S> * kEdge, center, "centroid");
  assert_below<S>(2 * kEps<S> * kEdge, corners, "corners");
  assert_below<S>(16 * kEps<S>, moments, "moments of a slab");
}
void test_cube_on_floor() {
  check_slab<float>(robots::make_half_space_table<float>().view(), 0);
  if constexpr (measure::kInDouble) check_slab<double>(robots::make_half_space_table<double>().view(), 0);
}
void test_cube_on_table() {
  check_slab<float>(robots::make_box_table<float>(1, 1, 0.2).view(), 0.1);
  if constexpr (measure::kInDouble) check_slab<double>(robots::make_box_table<double>(1, 1, 0.2).view(), 0.1);
}

// Equal cubes, one upon the other: four pairs of faces are coplanar, and the normal is still straight up.
template <class S>
void check_stack() {
  const auto cube = robots::make_box_table<S>(kEdge, kEdge, kEdge);
  Contact<S> contact;
  const double depth = 1e-4;
  TEST_ASSERT_TRUE(contact.find(cube.view(), cube.view(), at<S>(0, 0, kEdge - depth)));
  TEST_ASSERT_TRUE(is_exactly(contact.patch.axes.n, 0, 0, 1));
  TEST_ASSERT_EQUAL_INT(6, contact.solid.face_count);
  TEST_ASSERT_EQUAL_INT(4, contact.patch.corners);
  TEST_ASSERT_DOUBLE_WITHIN(kFace * 2 * kEps<S> * kEdge, kFace * depth, exact(contact.patch.volume));
  // On a grid that both scalars have, contact is exact: faces, edges and corners that only touch share no volume.
  const auto grid = robots::make_box_table<S>(0.125, 0.125, 0.125);
  TEST_ASSERT_FALSE(contact.find(grid.view(), grid.view(), at<S>(0, 0, 0.125)));
  TEST_ASSERT_FALSE(contact.find(grid.view(), grid.view(), at<S>(0.0625, -0.125, 0.03125)));
  TEST_ASSERT_FALSE(contact.find(grid.view(), grid.view(), at<S>(0.125, 0, 0.125)));
  TEST_ASSERT_FALSE(contact.find(grid.view(), grid.view(), at<S>(0.125, -0.125, 0.125)));
  TEST_ASSERT_FALSE(contact.find(grid.view(), grid.view(), at<S>(0.25, 0, 0)));
  // A skin makes a gap a contact, and the volume is counted from it.
  TEST_ASSERT_TRUE(contact.find(grid.view(), grid.view(), at<S>(0, 0, 0.126), static_cast<S>(0.003)));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * 0.002 * 0.125 * 0.125, 0.002 * 0.125 * 0.125, exact(contact.patch.volume));
}
void test_stacked_and_touching() {
  check_stack<float>();
  if constexpr (measure::kInDouble) check_stack<double>();
}

// A corner in a corner: a box of u x v x w, three of its faces from B. The normal is their areas'.
template <class S>
void check_corner() {
  const auto cube = robots::make_box_table<S>(kEdge, kEdge, kEdge);
  Contact<S> contact;
  Worst volume;
  Worst normal;
  Worst center;
  for (const double u : {0.04, 0.001, 0.07}) {
    const double v = 0.03;
    const double w = 0.02;
    TEST_ASSERT_TRUE(contact.find(cube.view(), cube.view(), at<S>(kEdge - u, kEdge - v, kEdge - w)));
    const auto& p = contact.patch;
    volume.see(exact(p.volume) / (u * v * w) - 1);
    const double size = std::hypot(v * w, std::hypot(u * w, u * v));
    normal.see(distance(p.axes.n, v * w / size, u * w / size, u * v / size));
    center.see(distance(p.center, 0.05 - u / 2, 0.05 - v / 2, 0.05 - w / 2));
  }
  // u is told to eps times an edge: a thousandth of it, relative, at 1 mm.
  const double told = 4 * kEps<S> * kEdge / 0.001;
  assert_below<S>(told, volume, "volume of a corner");
  assert_below<S>(told, normal, "normal of a corner");
  assert_below<S>(4 * kEps<S> * kEdge, center, "centroid of a corner");
}
void test_corner_in_corner() {
  check_corner<float>();
  if constexpr (measure::kInDouble) check_corner<double>();
}

// One within the other, and a beam right through: the volume is the smaller one's, and the way out is the shortest.
template <class S>
void check_contained() {
  const auto small = robots::make_box_table<S>(0.02, 0.03, 0.04);
  const auto large = robots::make_box_table<S>(0.3, 0.2, 0.4);
  const double inner = 0.02 * 0.03 * 0.04;
  Contact<S> contact;
  // The nearest face of the large one is that of +y, or for the large one to move, that of -y.
  const Placement<S> place = at<S>(0.05, 0.08, -0.1);
  TEST_ASSERT_TRUE(contact.find(small.view(), large.view(), place));
  TEST_ASSERT_TRUE(contact.patch.is_contained);
  TEST_ASSERT_TRUE(is_exactly(contact.patch.axes.n, 0, 1, 0));
  TEST_ASSERT_DOUBLE_WITHIN(16 * kEps<S> * inner, inner, exact(contact.patch.volume));
  TEST_ASSERT_DOUBLE_WITHIN(kEps<S>, 0, distance(contact.patch.center, 0.05, 0.08, -0.1));
  const Placement<S> back = at<S>(-0.05, -0.08, 0.1);
  TEST_ASSERT_TRUE(contact.find(large.view(), small.view(), back));
  TEST_ASSERT_TRUE(contact.patch.is_contained);
  TEST_ASSERT_TRUE(is_exactly(contact.patch.axes.n, 0, -1, 0));
  TEST_ASSERT_DOUBLE_WITHIN(64 * kEps<S> * inner, inner, exact(contact.patch.volume));
  // Identical: any face will do, as its motion is as long as any other.
  TEST_ASSERT_TRUE(contact.find(large.view(), large.view(), at<S>(0, 0, 0)));
  TEST_ASSERT_TRUE(contact.patch.is_contained);
  TEST_ASSERT_TRUE(is_exactly(contact.patch.axes.n, 0, contact.patch.axes.n.y > S(0) ? 1 : -1, 0));
  // A beam along x that sticks out on both sides leaves upwards, where it is nearest to the surface.
  const auto beam = robots::make_box_table<S>(1, 0.03, 0.04);
  TEST_ASSERT_TRUE(contact.find(beam.view(), large.view(), at<S>(0, 0, 0.15)));
  TEST_ASSERT_TRUE(contact.patch.is_contained);
  TEST_ASSERT_TRUE(is_exactly(contact.patch.axes.n, 0, 0, 1));
  TEST_ASSERT_DOUBLE_WITHIN(1e-5 * 0.3 * 0.03 * 0.04, 0.3 * 0.03 * 0.04, exact(contact.patch.volume));
}
void test_contained() {
  check_contained<float>();
  if constexpr (measure::kInDouble) check_contained<double>();
}

// What a plane cuts off a solid, and what it leaves, make the whole: volume and first moment. Both have the same section and the
// same outline on the plane. And a box cut by another: the same volume, seen from either, and the opposite normal.
template <class S>
void check_parts() {
  const auto ground = robots::make_half_space_table<S>();
  auto sky = ground;
  sky.normals[0].z = S(-1);
  const auto box = robots::make_box_table<S>(0.1, 0.2, 0.15);
  const auto cube = robots::make_box_table<S>(kEdge, kEdge, kEdge);
  const double whole = 0.1 * 0.2 * 0.15;
  Contact<S> lower;
  Contact<S> upper;
  Worst volume;
  Worst moment;
  Worst swapped;
  Worst opposite;
  Random random(5);
  for (int n = 0; n < 10 * kEffort; ++n) {
    const Placement<S> place = drawn<S>(random, 0.1);
    const bool is_below = lower.find(box.view(), ground.view(), place);
    const bool is_above = upper.find(box.view(), sky.view(), place);
    TEST_ASSERT_TRUE(is_below || is_above);
    const double v = is_below ? exact(lower.patch.volume) : 0;
    const double w = is_above ? exact(upper.patch.volume) : 0;
    volume.see((v + w) / whole - 1);
    const double height =
        (is_below ? v * exact(lower.patch.center.z) : 0) + (is_above ? w * exact(upper.patch.center.z) : 0);
    moment.see((height / whole - exact(place.position.z)) / 0.1);

    const Placement<S> back{transpose(place.rotation), -(transpose(place.rotation) * place.position)};
    const bool meets = lower.find(box.view(), cube.view(), place);
    // The broad phase never says no to those that meet.
    if (meets) TEST_ASSERT_TRUE(boxes_overlap(box.bounds(), place, cube.bounds(), S(0)));
    if (is_below) TEST_ASSERT_TRUE(box_meets_plane(box.bounds(), place, ground.normals[0], S(0)));
    if (!meets || exact(lower.patch.volume) < 1e-3 * whole) continue;
    TEST_ASSERT_TRUE(upper.find(cube.view(), box.view(), back));
    swapped.see(exact(lower.patch.volume) / exact(upper.patch.volume) - 1);
    if (lower.patch.is_contained || upper.patch.is_contained) continue;
    const Vec3<S> turned = place.rotation * upper.patch.axes.n;
    opposite.see(distance(lower.patch.axes.n + turned, 0, 0, 0));
  }
  // Some ten roundings in every vertex; a volume of a thousandth is told a hundred times worse, a normal that nearly cancels too.
  assert_below<S>(32 * kEps<S>, volume, "a cut solid's volumes");
  assert_below<S>(32 * kEps<S>, moment, "a cut solid's moments");
  assert_below<S>(1000 * kEps<S>, swapped, "volume seen from either");
  assert_below<S>(1000 * kEps<S>, opposite, "normal seen from either");
  TEST_ASSERT_FALSE(boxes_overlap(box.bounds(), at<S>(0.3, 0, 0), cube.bounds(), S(0.05)));
  TEST_ASSERT_TRUE(boxes_overlap(box.bounds(), at<S>(0.3, 0, 0), cube.bounds(), S(0.21)));
  TEST_ASSERT_FALSE(box_meets_plane(box.bounds(), at<S>(0, 0, 0.08), ground.normals[0], S(0)));
}
void test_parts_of_a_whole() {
  check_parts<float>();
  if constexpr (measure::kInDouble) check_parts<double>();
}

// The contact polygon: of eight corners those stay that cost the least area; an edge gets a width.
template <class S>
void check_polygon() {
  const auto prism = robots::make_prism_table<S, 8>(0.05, 0.1);
  const auto ground = robots::make_half_space_table<S>();
  Contact<S> contact;
  const Placement<S> place = at<S>(0, 0, 0.049);
  TEST_ASSERT_TRUE(contact.find(prism.view(), ground.view(), place));
  TEST_ASSERT_EQUAL_INT(8, contact.patch.corners);
  kinecast::ContactPatch<S, 5> few;
  TEST_ASSERT_TRUE(find_patch(contact.solid, prism.view(), ground.view(), place, few) == Status::ok);
  TEST_ASSERT_EQUAL_INT(5, few.corners);
  for (int i = 0; i < 5; ++i)
    TEST_ASSERT_DOUBLE_WITHIN(4 * kEps<S>, 0.05, std::hypot(exact(few.corner[i][0]), exact(few.corner[i][1])));
  TEST_ASSERT_DOUBLE_WITHIN(16 * kEps<S> * exact(few.area), exact(contact.patch.area), exact(few.area));

  // A cube on its edge, 1e-6 m deep.
  const auto cube = robots::make_box_table<S>(kEdge, kEdge, kEdge);
  const S side = static_cast<S>(std::sqrt(0.5));
  const Placement<S> on_edge{{{side, S(0), side}, {S(0), S(1), S(0)}, {-side, S(0), side}},
                             {S(0), S(0), static_cast<S>(kEdge * std::sqrt(0.5) - 1e-6)}};
  TEST_ASSERT_TRUE(contact.find(cube.view(), ground.view(), on_edge));
  TEST_ASSERT_EQUAL_INT(4, contact.patch.corners);
  for (int i = 0; i < 4; ++i) {
    // Along a diagonal of the section, which is 1.3e-6 m wide.
    TEST_ASSERT_DOUBLE_WITHIN(7e-7, 1e-5, std::abs(exact(contact.patch.corner[i][0])));
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 0.05, std::abs(exact(contact.patch.corner[i][1])));
  }
}
void test_polygon() {
  check_polygon<float>();
  if constexpr (measure::kInDouble) check_polygon<double>();
}

// A point for what cannot be built: as deep as the deepest vertex, at it, and as wide as a touching corner.
template <class S>
void check_point() {
  const auto cube = robots::make_box_table<S>(kEdge, kEdge, kEdge);
  const auto table = robots::make_box_table<S>(1, 1, 0.1);
  kinecast::ContactPatch<S, 4> patch;
  TEST_ASSERT_TRUE(point_patch(cube.view(), table.view(), at<S>(0.1, 0.2, 0.097), S(0), patch));
  TEST_ASSERT_TRUE(is_exactly(patch.axes.n, 0, 0, 1));
  TEST_ASSERT_EQUAL_INT(4, patch.corners);
  TEST_ASSERT_DOUBLE_WITHIN(2e-4 * 0.003, 0.003, 2 * exact(patch.volume) / exact(patch.area));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.0485, exact(patch.center.z));
  TEST_ASSERT_FALSE(point_patch(cube.view(), table.view(), at<S>(0.1, 0.2, 0.101), S(0), patch));
  TEST_ASSERT_TRUE(point_patch(cube.view(), table.view(), at<S>(0.1, 0.2, 0.101), S(0.002), patch));
}
void test_point() {
  check_point<float>();
  if constexpr (measure::kInDouble) check_point<double>();
}

// Room for too few faces: a warning, no faces, and nothing is written beyond. The canaries lie where an overrun goes first.
template <class S>
void check_capacity() {
  struct Guarded {
    kinecast::ContactSolid<S, 7> solid;
    std::uint32_t after_solid{0xC0FFEE01U};
    kinecast::ClipScratch<S, 7> scratch;
    std::uint32_t after_scratch{0xC0FFEE02U};
  };
  Guarded guarded;
  const auto cube = robots::make_box_table<S>(kEdge, kEdge, kEdge);
  const auto prism = robots::make_prism_table<S, 8>(0.05, 0.1);
  Random random(9);
  int simplified = 0;
  for (int n = 0; n < 10 * kEffort; ++n) {
    const bool is_large = n % 4 == 0;  // not even the solid itself has room
    const Placement<S> place = drawn<S>(random, 0.05);
    const Status status = is_large ? intersect(prism.view(), cube.view(), place, S(0), guarded.scratch, guarded.solid)
                                   : intersect(cube.view(), cube.view(), place, S(0), guarded.scratch, guarded.solid);
    TEST_ASSERT_TRUE(ok(status));
    TEST_ASSERT_TRUE(guarded.after_solid == 0xC0FFEE01U && guarded.after_scratch == 0xC0FFEE02U);
    TEST_ASSERT_TRUE(guarded.solid.face_count <= 7);
    if (is_large) TEST_ASSERT_TRUE(status == Status::contact_simplified);
    if (status != Status::contact_simplified) continue;
    TEST_ASSERT_EQUAL_INT(0, guarded.solid.face_count);
    ++simplified;
  }
  TEST_ASSERT_TRUE(simplified > 5 * kEffort);  // most of the turned cubes share more than seven faces
}
void test_capacity() {
  check_capacity<float>();
  if constexpr (measure::kInDouble) check_capacity<double>();
}

template <class S>
void check_bad_numbers() {
  const auto cube = robots::make_box_table<S>(kEdge, kEdge, kEdge);
  Contact<S> contact;
  const auto gives = [&](const Placement<S>& place, S skin) {
    contact.solid.face_count = 1;
    const Status status = intersect(cube.view(), cube.view(), place, skin, contact.scratch, contact.solid);
    TEST_ASSERT_EQUAL_INT(0, contact.solid.face_count);
    return status;
  };
  for (const S bad : {std::numeric_limits<S>::quiet_NaN(), std::numeric_limits<S>::infinity()}) {
    Placement<S> place = kNoPlacement<S>;
    place.position.y = bad;
    TEST_ASSERT_TRUE(gives(place, S(0)) == Status::non_finite_input);
    place = kNoPlacement<S>;
    place.rotation.row_z.x = bad;
    TEST_ASSERT_TRUE(gives(place, S(0)) == Status::non_finite_input);
    TEST_ASSERT_TRUE(gives(kNoPlacement<S>, bad) == Status::non_finite_input);
    // The broad phase leaves it to intersect(): it does not say "apart".
    place = kNoPlacement<S>;
    place.position.x = std::numeric_limits<S>::quiet_NaN();
    TEST_ASSERT_TRUE(boxes_overlap(cube.bounds(), place, cube.bounds(), S(0)));
    TEST_ASSERT_TRUE(box_meets_plane(cube.bounds(), place, Vec3<S>{S(1), S(0), S(0)}, S(0)));
  }
  // A half-space cannot be cut.
  TEST_ASSERT_FALSE(ok(intersect(robots::make_half_space_table<S>().view(), cube.view(), kNoPlacement<S>, S(0),
                                 contact.scratch, contact.solid)));
  TEST_ASSERT_FALSE(ok(find_patch(contact.solid, cube.view(), cube.view(), kNoPlacement<S>, contact.patch)));
}
void test_bad_numbers() {
  check_bad_numbers<float>();
  if constexpr (measure::kInDouble) check_bad_numbers<double>();
}

}  // namespace

KINECAST_SUITE(intersection, test_cube_on_floor, test_cube_on_table, test_stacked_and_touching, test_corner_in_corner,
               test_contained, test_parts_of_a_whole, test_polygon, test_point, test_capacity, test_bad_numbers)

}  // namespace unit_intersection
