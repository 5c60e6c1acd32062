// SPDX-License-Identifier: MIT
// Contact solids and their patches against the truth of convex_truth.hpp (edges clipped in long double, hull by qhull), on 1e5
// random and adversarial pairs of polyhedra, and against golden/d_volume_cases (method 6.1, 6.2).
//
// What can be asked for. A polyhedron's surface is where its numbers say to within rounding: eps x size, with size the largest
// coordinate in B's frame. Volumes are uncertain by that times the surface's area, however they are computed, so the bound is
//   |V - V_true| <= r V + 16 eps size area        r = 1e-9 in double, 1e-4 in float
// (16: coordinates of A turned and moved, distances of B, two cuts, each with a few half roundings), and 1 in the columns "of the
// bound" is that bound. The columns "relative" are |V - V_true| / V of the pairs whose second term is below the first: that
// figure must be below r ("told": how many they are; "all": the same figure of all pairs). Centroids likewise, relative to the
// diameter of the solid, and the entries of Q and w relative to the largest of their kind. Normals are held to r where no plane of
// A nearly is one of B: there rounding decides whose face it is.
#include <kinecast/contact/volume/patch.hpp>
#include <kinecast/math/rotation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "convex_truth.hpp"
#include "golden_table.hpp"
#include "robots/polyhedra.hpp"
#include "states.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace {

using kinecast::Placement;
using kinecast::Status;
using kinecast::Vec3;
using oracle::Exact;
using oracle::Point;

constexpr int kCorners = 40;  // all that a section can have here

// ---- polyhedra ----------------------------------------------------------------------------------------------------------------

// Any of the polyhedra, in double; rounded to the scalar that is tried.
constexpr int kMostVertices = 16;
constexpr int kMostFaces = 28;  // of a hull of 16 points
template <class S>
using Any = robots::Polyhedron<S, kMostVertices, kMostFaces, 3 * kMostFaces>;

struct Outline {
  std::vector<Vec3<double>> vertices;
  std::vector<std::vector<int>> faces;
};
template <class Table>
Outline outline_of(const Table& table) {
  Outline out;
  for (int i = 0; i < table.vertex_count; ++i) out.vertices.push_back(table.vertices[i]);
  for (int f = 0; f < table.face_count; ++f) {
    if (table.vertex_count > 0)
      out.faces.emplace_back(table.loops + table.starts[f], table.loops + table.starts[f + 1]);
  }
  return out;
}
template <class S>
Any<S> table_of(const Outline& outline) {
  Any<S> table;
  if (outline.vertices.empty()) {  // a half-space
    table.normals[0] = {S(0), S(0), S(1)};
    table.face_count = 1;
  }
  for (const auto& v : outline.vertices) table.add_vertex(v.x, v.y, v.z);
  for (const auto& f : outline.faces) table.add_face(f.data(), static_cast<int>(f.size()));
  return table;
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  double within(double limit) { return random_.within(limit); }
  double between(double low, double high) { return 0.5 * (low + high) + random_.within(0.5 * (high - low)); }
  double size(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  int below(int count) { return std::min(count - 1, static_cast<int>(between(0, count))); }
  Vec3<double> vector(double limit) { return {within(limit), within(limit), within(limit)}; }
  Vec3<double> direction() {
    for (;;) {
      const Vec3<double> v = vector(1);
      const double square = dot(v, v);
      if (square > 0.01 && square < 1) return (1 / std::sqrt(square)) * v;
    }
  }
  kinecast::Mat3<double> rotation() {
    for (;;) {
      const kinecast::Quaternion<double> q{within(1), within(1), within(1), within(1)};
      const double square = squared_norm(q);
      if (square < 0.01 || square > 1) continue;
      const double k = 1 / std::sqrt(square);
      return kinecast::to_matrix(kinecast::Quaternion<double>{k * q.w, k * q.x, k * q.y, k * q.z});
    }
  }
  // A little turn.
  kinecast::Mat3<double> tilt(double angle) {
    const Vec3<double> half = (0.5 * angle) * direction();
    const double w = std::sqrt(1 - dot(half, half));
    return kinecast::to_matrix(kinecast::Quaternion<double>{w, half.x, half.y, half.z});
  }
  // One of the 24 that take axes to axes.
  kinecast::Mat3<double> quarter_turns() {
    kinecast::Mat3<double> r = kinecast::kIdentity3<double>;
    const kinecast::Mat3<double> about_x{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    const kinecast::Mat3<double> about_z{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
    for (int i = below(4); i > 0; --i) r = about_x * r;
    for (int i = below(4); i > 0; --i) r = about_z * r;
    for (int i = below(4); i > 0; --i) r = about_x * r;
    return r;
  }

  Outline box(double scale) {
    return outline_of(
        robots::make_box_table<double>(scale * between(0.3, 1), scale * between(0.3, 1), scale * between(0.3, 1)));
  }
  Outline hull(double scale) {
    std::vector<Point> points(static_cast<std::size_t>(5 + below(kMostVertices - 4)));
    for (Point& p : points) p = (scale * direction()).cast<Exact>();
    std::vector<oracle::HullTriangle> triangles;
    if (!oracle::find_hull(points, triangles)) return box(scale);
    Outline out;
    for (const Point& p : points) out.vertices.push_back(p.cast<double>());
    for (const auto& t : triangles) out.faces.push_back({t.corners[0], t.corners[1], t.corners[2]});
    return out;
  }
  // Leans along x. Vertices on a grid, which float has: its faces are flat, without rounding.
  template <int Sides>
  Outline prism(double scale, double lean) {
    const double grid = std::ldexp(1.0, std::ilogb(scale) - 19);
    const auto on_grid = [&](double x) { return grid * std::round(x / grid); };
    Outline out =
        outline_of(robots::make_prism_table<double, Sides>(scale * between(0.2, 0.6), scale * between(0.3, 1)));
    const double shear = on_grid(0.5 * lean * scale);
    for (auto& v : out.vertices) v = {on_grid(v.x) + (v.z > 0 ? shear : -shear), on_grid(v.y), on_grid(v.z)};
    return out;
  }
  Outline any(double scale) {
    switch (below(5)) {
      case 0:
        return box(scale);
      case 1:
        return outline_of(robots::make_wedge_table<double>(scale * between(0.3, 1), scale * between(0.3, 1),
                                                           scale * between(0.3, 1)));
      case 2:
        return prism<3>(scale, within(0.3));
      case 3:
        return prism<6>(scale, within(0.3));
      default:
        return prism<8>(scale, 0);
    }
  }

 private:
  support::Random random_;
};

struct Pair {
  Outline a;
  Outline b;
  Placement<double> a_in_b{kinecast::kNoPlacement<double>};
};

void shift(Outline& o, const Vec3<double>& by) {
  for (auto& v : o.vertices) v = v + by;
}

// ---- families -----------------------------------------------------------------------------------------------------------------

using Family = Pair (*)(Draw&);

Pair random_boxes(Draw& draw) {
  const double a = draw.size(0.1, 1);
  const double b = draw.size(0.1, 1);
  return {draw.box(a), draw.box(b), {draw.rotation(), draw.vector(0.4 * (a + b))}};
}
Pair wedges_and_prisms(Draw& draw) { return {draw.any(1), draw.any(1), {draw.rotation(), draw.vector(0.5)}}; }
Pair random_hulls(Draw& draw) { return {draw.hull(0.5), draw.hull(0.5), {draw.rotation(), draw.vector(0.5)}}; }
Pair on_half_space(Draw& draw) { return {draw.any(1), {}, {draw.rotation(), draw.vector(0.4)}}; }
// Axes parallel, faces in common planes, shared edges, touching corners: sizes and offsets from a grid.
Pair aligned(Draw& draw) {
  const auto on_grid = [&] { return 0.125 * (1 + draw.below(6)); };
  Pair p{outline_of(robots::make_box_table<double>(on_grid(), on_grid(), on_grid())),
         outline_of(robots::make_box_table<double>(on_grid(), on_grid(), on_grid())),
         {draw.quarter_turns(), {}}};
  const auto offset = [&] { return 0.0625 * (draw.below(13) - 6); };
  p.a_in_b.position = {offset(), offset(), offset()};
  return p;
}
// The same, not quite: off and turned by 1e-3 to 1e-12.
Pair nearly_aligned(Draw& draw) {
  Pair p = aligned(draw);
  p.a_in_b.rotation = draw.tilt(draw.size(1e-12, 1e-3)) * p.a_in_b.rotation;
  p.a_in_b.position = p.a_in_b.position + draw.vector(draw.size(1e-12, 1e-3));
  return p;
}
// A solid with itself, exactly or nearly: every face is coplanar with one of the other.
Pair identical(Draw& draw) {
  const Outline one = draw.below(2) == 0 ? draw.any(1) : draw.hull(0.5);
  Pair p{one, one, kinecast::kNoPlacement<double>};
  if (draw.below(4) > 0) p.a_in_b = {draw.tilt(draw.size(1e-15, 1e-3)), draw.vector(draw.size(1e-15, 1e-3))};
  return p;
}
// A box on a box, 1e-9 to 1e-3 deep, nearly flat: resting.
Pair resting(Draw& draw) {
  Pair p{draw.box(0.3), draw.box(1), {draw.tilt(draw.size(1e-12, 1e-3)), {}}};
  const double depth = draw.size(1e-9, 1e-3);
  p.a_in_b.position = {draw.within(0.5), draw.within(0.5), p.a.vertices[7].z + p.b.vertices[7].z - depth};
  return p;
}
// Plates and needles.
Pair slivers(Draw& draw) {
  const auto thin = [&] {
    const double a = draw.size(1e-5, 1e-1);
    const double b = draw.below(2) == 0 ? a : 1;
    return outline_of(robots::make_box_table<double>(draw.below(2) == 0 ? a : 0.7, b, a));
  };
  const Outline a = thin();
  const Outline b = thin();
  return {
      a,
      b,
      {draw.below(2) == 0 ? draw.rotation() : draw.tilt(draw.size(1e-9, 1e-1)), draw.vector(draw.size(1e-6, 1e-1))}};
}
// A corner, an edge or a face against a face, within roundings of touching.
Pair touching(Draw& draw) {
  Pair p{draw.any(1), draw.any(1), {draw.below(2) == 0 ? draw.rotation() : draw.quarter_turns(), {}}};
  double lowest = 0;
  double highest = 0;
  for (const auto& v : p.a.vertices) lowest = std::min(lowest, (p.a_in_b.rotation * v).z);
  for (const auto& v : p.b.vertices) highest = std::max(highest, v.z);
  const double gap = draw.below(3) == 0 ? 0 : draw.within(draw.size(1e-17, 1e-6));
  p.a_in_b.position = {draw.within(0.3), draw.within(0.3), highest - lowest + gap};
  return p;
}
Pair contained(Draw& draw) {
  const Outline large = draw.any(1);
  const Outline small = draw.any(draw.size(0.01, 0.1));
  const bool is_a = draw.below(2) == 0;
  return {is_a ? small : large, is_a ? large : small, {draw.rotation(), draw.vector(0.1)}};
}
// Big against tiny, either way, at the surface of the big one.
Pair size_ratios(Draw& draw) {
  const double ratio = draw.size(10, 1e4);
  const Outline large = draw.any(1);
  const Outline small = draw.any(1 / ratio);
  const auto& face = large.faces[static_cast<std::size_t>(draw.below(static_cast<int>(large.faces.size())))];
  Vec3<double> on_face{};
  double sum = 0;
  for (const int v : face) {
    const double weight = draw.between(0.1, 1);
    on_face = on_face + weight * large.vertices[static_cast<std::size_t>(v)];
    sum += weight;
  }
  on_face = (1 / sum) * on_face + draw.vector(0.3 / ratio);
  const kinecast::Mat3<double> turn = draw.rotation();
  if (draw.below(2) == 0) return {small, large, {turn, on_face}};
  return {large, small, {turn, -(turn * on_face)}};
}
// Frames whose origins are metres away from the solids.
Pair far_away(Draw& draw) {
  Pair p{draw.any(1), draw.any(1), {draw.rotation(), draw.vector(0.5)}};
  const Vec3<double> from_a = draw.vector(30);
  const Vec3<double> from_b = draw.vector(30);
  shift(p.a, from_a);
  shift(p.b, from_b);
  p.a_in_b.position = p.a_in_b.position + from_b - p.a_in_b.rotation * from_a;
  return p;
}

struct Named {
  const char* name;
  Family family;
  int pairs;
  bool has_normal;  // in general position
};
constexpr Named kFamilies[] = {
    {"random boxes", random_boxes, 20000, true}, {"wedges, prisms", wedges_and_prisms, 12000, true},
    {"random hulls", random_hulls, 6000, true},  {"half-space", on_half_space, 6000, true},
    {"aligned", aligned, 10000, false},          {"nearly aligned", nearly_aligned, 14000, false},
    {"identical", identical, 6000, false},       {"resting", resting, 8000, true},
    {"slivers", slivers, 6000, false},           {"touching", touching, 4000, false},
    {"contained", contained, 4000, true},        {"size ratios", size_ratios, 6000, true},
    {"far away", far_away, 2000, true},
};

// ---- figures ------------------------------------------------------------------------------------------------------------------

class Figures {
 public:
  void see(double value) { values_.push_back(std::isfinite(value) ? value : std::numeric_limits<double>::infinity()); }
  [[nodiscard]] double worst() const { return values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end()); }
  [[nodiscard]] double p99() {
    if (values_.empty()) return 0;
    const auto at = values_.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(values_.size() - 1));
    std::nth_element(values_.begin(), at, values_.end());
    return *at;
  }
  [[nodiscard]] std::size_t count() const { return values_.size(); }

 private:
  std::vector<double> values_;
};

struct Tally {
  Figures volume;           // of the bound
  Figures volume_relative;  // of those that can be told
  Figures volume_any;       // relative, of all
  Figures center;
  Figures center_relative;
  Figures normal;   // rad, where B's faces can be told from A's
  Figures moments;  // of Q and w, relative to the largest of their kind, those that can be told
  Figures section;  // area of the contact polygon, relative; those that can be told
  int simplified{0};
  int errors{0};
  int open{0};    // surfaces that are not closed
  int ragged{0};  // polygons that are not convex, or not about p0
};

// Every edge is run through once each way.
template <class Solid>
bool is_closed(const Solid& solid) {
  std::map<std::pair<int, int>, int> edges;
  for (int f = 0; f < solid.face_count; ++f) {
    const auto* loop = solid.loop(f);
    const int corners = solid.corners(f);
    if (corners < 3) return false;
    for (int i = 0; i < corners; ++i) ++edges[{loop[i], loop[(i + 1) % corners]}];
  }
  for (const auto& [edge, times] : edges) {
    if (times != 1 || edge.first == edge.second || edge.first >= solid.vertex_count) return false;
    if (edges.count({edge.second, edge.first}) == 0) return false;
  }
  return true;
}

template <class Patch>
bool is_polygon(const Patch& patch) {
  if (patch.corners < 3) return false;
  double reach = 0;
  for (int i = 0; i < patch.corners; ++i) {
    const auto corner = [&](int k, int axis) { return static_cast<double>(patch.corner[k % patch.corners][axis]); };
    const double turn = (corner(i + 1, 0) - corner(i, 0)) * (corner(i + 2, 1) - corner(i, 1)) -
                        (corner(i + 2, 0) - corner(i, 0)) * (corner(i + 1, 1) - corner(i, 1));
    if (!(turn > 0)) return false;
    reach = std::max(reach, std::hypot(corner(i, 0), corner(i, 1)));
  }
  return std::abs(reach - static_cast<double>(patch.reach)) <= 1e-6 * reach;
}

template <class Patch>
double polygon_area(const Patch& patch) {
  double twice = 0;
  for (int i = 0; i < patch.corners; ++i) {
    const auto* p = patch.corner[i];
    const auto* q = patch.corner[(i + 1) % patch.corners];
    twice +=
        static_cast<double>(p[0]) * static_cast<double>(q[1]) - static_cast<double>(q[0]) * static_cast<double>(p[1]);
  }
  return twice / 2;
}

// The moments of method 6.2 over the true surface's triangles, with the plane through the true centroid and the patch's axes: S004 eq. 18
// and 19 with the edge-midpoint rule, triangles split at the plane.
struct TrueMoments {
  Exact area{}, x{}, y{}, xx{}, xy{}, yy{};
  Exact h{}, hx{}, hy{};
  Exact section{};  // area of the section: half the outline's cross products
};
void add_projection(const Point (&t)[3], TrueMoments& sum) {
  const Exact area = std::abs((t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[2].x - t[0].x) * (t[1].y - t[0].y)) / 2;
  sum.area += area;
  for (int i = 0; i < 3; ++i) {
    const Point middle = Exact(0.5) * (t[i] + t[(i + 1) % 3]);
    const Exact h = (std::abs(t[i].z) + std::abs(t[(i + 1) % 3].z)) / 2;
    sum.x += area / 3 * middle.x;
    sum.y += area / 3 * middle.y;
    sum.xx += area / 3 * middle.x * middle.x;
    sum.xy += area / 3 * middle.x * middle.y;
    sum.yy += area / 3 * middle.y * middle.y;
    sum.h += area / 3 * h;
    sum.hx += area / 3 * h * middle.x;
    sum.hy += area / 3 * h * middle.y;
  }
}
template <class S>
TrueMoments true_moments(const oracle::ExactIntersection& truth, const kinecast::ContactAxes<S>& axes) {
  TrueMoments sum;
  const Point n = axes.n.template cast<Exact>();
  const Point t2 = axes.t2.template cast<Exact>();
  const Point t3 = axes.t3.template cast<Exact>();
  for (const auto& triangle : truth.triangles) {
    Point t[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const Point r = truth.points[static_cast<std::size_t>(triangle.corners[i])] - truth.center;
      t[i] = {dot(t2, r), dot(t3, r), dot(n, r)};
    }
    int k = 0;  // the corner that is alone on its side
    while (k < 3 && ((t[k].z > 0) == (t[(k + 1) % 3].z > 0) || (t[k].z > 0) == (t[(k + 2) % 3].z > 0))) ++k;
    if (k == 3) {
      add_projection(t, sum);
      continue;
    }
    const Point& p = t[k];
    const Point& q = t[(k + 1) % 3];
    const Point& r = t[(k + 2) % 3];
    Point to_q = p + (p.z / (p.z - q.z)) * (q - p);
    Point to_r = p + (p.z / (p.z - r.z)) * (r - p);
    to_q.z = to_r.z = 0;
    add_projection({p, to_q, to_r}, sum);
    add_projection({to_q, q, r}, sum);
    add_projection({to_q, r, to_r}, sum);
    const Exact turn = to_q.x * to_r.y - to_r.x * to_q.y;
    sum.section += (p.z > 0 ? turn : -turn) / 2;
  }
  return sum;
}

// The normal by the paper's rule, from the true surface: triangles on B's planes. False: some lie on planes of both to within
// `near`, or they cancel.
bool true_normal(const oracle::ExactIntersection& truth, const oracle::ExactSolid& a, const oracle::ExactSolid& b,
                 Exact near, Point& out) {
  Point sum{};
  Exact total = 0;
  const auto lies_on = [&](const oracle::ExactSolid& solid, const Point(&t)[3]) {
    return std::any_of(solid.planes.begin(), solid.planes.end(), [&](const oracle::ExactSolid::Plane& plane) {
      return std::all_of(t, t + 3,
                         [&](const Point& p) { return std::abs(dot(plane.normal, p) - plane.distance) < near; });
    });
  };
  for (const auto& triangle : truth.triangles) {
    Point t[3];
    for (std::size_t i = 0; i < 3; ++i) t[i] = truth.points[static_cast<std::size_t>(triangle.corners[i])];
    const Point area = cross(t[1] - t[0], t[2] - t[0]);
    const bool on_b = lies_on(b, t);
    if (on_b == lies_on(a, t)) return false;
    if (!on_b) continue;
    sum = sum + area;
    total += std::sqrt(dot(area, area));
  }
  const Exact length = std::sqrt(dot(sum, sum));
  if (!(length > Exact(0.1) * total)) return false;
  out = (1 / length) * sum;
  return true;
}

// ---- one pair -----------------------------------------------------------------------------------------------------------------

template <class S>
void see_moments(const TrueMoments& truth, const kinecast::ContactPatch<S, kCorners>& patch, Tally& tally) {
  // Moments of each kind are told as well as the largest of their kind.
  const auto d = [](S value) { return static_cast<Exact>(value); };
  const auto kind = [&](std::initializer_list<Exact> errors, Exact scale) {
    Exact worst = 0;
    for (const Exact e : errors) worst = std::max(worst, std::abs(e));
    tally.moments.see(static_cast<double>(worst / scale));
  };
  const Exact radius = std::sqrt((truth.xx + truth.yy) / truth.area);
  kind({d(patch.area) - truth.area}, truth.area);
  kind({d(patch.x) - truth.x, d(patch.y) - truth.y}, truth.area * radius);
  kind({d(patch.xx) - truth.xx, d(patch.xy) - truth.xy, d(patch.yy) - truth.yy}, truth.xx + truth.yy);
  kind({d(patch.h) - truth.h}, truth.h);
  kind({d(patch.hx) - truth.hx, d(patch.hy) - truth.hy}, truth.h * radius);
  // A polygon that would be narrower than a touching edge is not V's section.
  if (truth.section < 8 * static_cast<Exact>(kinecast::Tolerance<S>::kTouchingHalfWidth) * radius) return;
  tally.section.see(
      static_cast<double>(std::abs(static_cast<Exact>(polygon_area(patch)) - truth.section) / truth.section));
}

oracle::ExactIntersection thicken(const oracle::ExactSolid& a, oracle::ExactSolid b, Exact skin) {
  for (auto& plane : b.planes) plane.distance += skin;
  return oracle::intersect_exactly(a, b);
}
Exact diameter_of(const oracle::ExactIntersection& solid) {
  Exact square = 0;
  for (const Point& p : solid.points)
    for (const Point& q : solid.points) square = std::max(square, dot(p - q, p - q));
  return std::sqrt(square);
}

// In the room that Capacity faces need.
template <class S, int Capacity>
void try_in(const Any<S>& a, const Any<S>& b, const Placement<S>& a_in_b, Tally& tally) {
  constexpr Exact kRelative = sizeof(S) == 4 ? Exact(1e-4) : Exact(1e-9);
  constexpr Exact kEps = static_cast<Exact>(std::numeric_limits<S>::epsilon());
  kinecast::ContactSolid<S, Capacity> solid;
  kinecast::ClipScratch<S, Capacity> scratch;
  const Status status = intersect(a.view(), b.view(), a_in_b, S(0), scratch, solid);
  if (status == Status::contact_simplified) ++tally.simplified;
  if (!ok(status)) ++tally.errors;
  if (status != Status::ok) return;
  // The faces must also fit where there is no more room than both polyhedra have faces.
  if (solid.face_count > a.face_count + b.face_count) ++tally.simplified;

  const oracle::ExactSolid true_a = oracle::exact_solid(a.view(), a_in_b);
  const oracle::ExactSolid true_b = oracle::exact_solid(b.view(), kinecast::kNoPlacement<S>);
  const oracle::ExactIntersection truth = oracle::intersect_exactly(true_a, true_b);
  Exact size = 0;
  for (const oracle::ExactSolid* s : {&true_a, &true_b})
    for (const Point& p : s->vertices) size = std::max({size, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  for (int i = 0; i < a.vertex_count; ++i) {
    const Point p = a.vertices[i].template cast<Exact>();
    size = std::max({size, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  }
  // Nothing in common, or nothing but a face: what may be found is as large as a face that nearly touches.
  Exact across = true_a.diameter;
  if (!true_b.vertices.empty()) across = std::min(across, true_b.diameter);
  Exact rounding = 16 * kEps * size * (truth.volume > 0 ? truth.area : 2 * across * across);

  kinecast::ContactPatch<S, kCorners> patch{};
  if (solid.face_count > 0) {
    if (!is_closed(solid)) ++tally.open;
    if (find_patch(solid, a.view(), b.view(), a_in_b, patch) != Status::ok) {
      ++tally.errors;
      return;
    }
    if (!is_polygon(patch)) ++tally.ragged;
  }
  const Exact error = std::abs(static_cast<Exact>(patch.volume) - truth.volume);
  // Where rounding can make or undo all of it, its extent is uncertain too: as far as B reaches that is thicker by rounding.
  oracle::ExactIntersection widest = truth;
  if (error > kRelative * truth.volume + rounding || rounding > truth.volume) {
    widest = thicken(true_a, true_b, 16 * kEps * size);
    rounding = std::max(rounding, 16 * kEps * size * widest.area);
  }
  tally.volume.see(static_cast<double>(error / (kRelative * truth.volume + rounding)));
  const bool is_told = truth.volume > 0 && rounding <= kRelative * truth.volume;
  if (is_told) tally.volume_relative.see(static_cast<double>(error / truth.volume));
  if (truth.volume > 0) tally.volume_any.see(static_cast<double>(error / truth.volume));
  if (!(truth.volume > 0) || solid.face_count == 0) return;

  const Exact diameter = diameter_of(widest);
  const Point off = patch.center.template cast<Exact>() - truth.center;
  const Exact apart = std::sqrt(dot(off, off));
  const Exact share = std::min(Exact(1), kRelative + rounding / truth.volume);
  tally.center.see(static_cast<double>(apart / (share * diameter + 16 * kEps * size)));
  if (is_told && 16 * kEps * size <= kRelative * diameter)
    tally.center_relative.see(static_cast<double>(apart / diameter));
  if (!is_told) return;
  Point n;
  if (!patch.is_contained && true_normal(truth, true_a, true_b, 64 * kEps * size, n)) {
    const Point wrong = cross(n, patch.axes.n.template cast<Exact>());
    tally.normal.see(static_cast<double>(std::sqrt(dot(wrong, wrong))));
  }
  see_moments(true_moments(truth, patch.axes), patch, tally);
}

template <class S>
void try_pair(const Pair& pair, Tally& tally) {
  const Any<S> a = table_of<S>(pair.a);
  const Any<S> b = table_of<S>(pair.b);
  const Placement<S> a_in_b = pair.a_in_b.template cast<S>();
  if (a.face_count + b.face_count <= 12)
    try_in<S, 12>(a, b, a_in_b, tally);
  else
    try_in<S, 2 * kMostFaces>(a, b, a_in_b, tally);
}

void print(Figures& figures) {
  if (figures.count() == 0)
    std::printf(" %8s %8s", "-", "-");
  else
    std::printf(" %8.1e %8.1e", figures.worst(), figures.p99());
}

template <class S>
void run_families(support::Report& report) {
  const char* scalar = support::scalar_name<S>();
  const double relative = sizeof(S) == 4 ? 1e-4 : 1e-9;
  std::printf("\n%s: worst, and what 99 %% of the pairs are below\n", scalar);
  std::printf("%-14s %6s %6s |%-54s |%-36s |%-18s|%-18s|%-18s|\n", "family", "pairs", "told",
              " volume: of the bound, relative; all", " centroid: of the bound, relative", " normal, rad", " Q and w",
              " section's area");
  Figures volume, volume_relative, center, center_relative, normal, moments, section;
  int simplified = 0;
  int errors = 0;
  int open = 0;
  int ragged = 0;
  std::uint64_t seed = 1;
  for (const Named& named : kFamilies) {
    Draw draw(seed++);
    Tally tally;
    for (int i = 0; i < named.pairs; ++i) try_pair<S>(named.family(draw), tally);
    std::printf("%-14s %6d %6zu |", named.name, named.pairs, tally.volume_relative.count());
    for (Figures* f : {&tally.volume, &tally.volume_relative, &tally.volume_any}) print(*f);
    std::printf(" |");
    for (Figures* f : {&tally.center, &tally.center_relative}) print(*f);
    std::printf(" |");
    for (Figures* f : {&tally.normal, &tally.moments, &tally.section}) {
      print(*f);
      std::printf("|");
    }
    std::printf("\n");
    std::fflush(stdout);
    volume.see(tally.volume.worst());
    volume_relative.see(tally.volume_relative.worst());
    center.see(tally.center.worst());
    center_relative.see(tally.center_relative.worst());
    if (named.has_normal) normal.see(tally.normal.worst());
    moments.see(tally.moments.worst());
    section.see(tally.section.worst());
    simplified += tally.simplified;
    errors += tally.errors;
    open += tally.open;
    ragged += tally.ragged;
  }
  const auto add = [&](const char* protocol, double ours, double bound, const char* unit) {
    report.add({"qhull", protocol, "all families", scalar, ours, bound, unit});
  };
  add("volume", volume_relative.worst(), relative, "relative");
  add("volume with rounding", volume.worst(), 1, "of the bound");
  add("centroid", center_relative.worst(), relative, "relative");
  add("centroid with rounding", center.worst(), 1, "of the bound");
  add("normal", normal.worst(), relative, "rad");
  add("Q and w", moments.worst(), relative, "relative");
  add("area of the section", section.worst(), relative, "relative");
  add("out of capacity", simplified, 0, "pairs");
  add("errors", errors, 0, "pairs");
  add("surfaces not closed", open, 0, "pairs");
  add("polygons not convex", ragged, 0, "pairs");
}

// ---- golden -------------------------------------------------------------------------------------------------------------------

#ifdef KINECAST_GOLDEN_DIR
// Q and w in B's axes, row by row (method 6.2).
template <class S>
void wrench_form(const kinecast::ContactPatch<S, kCorners>& p, double (&Q)[36], double (&w)[6]) {
  using V = Vec3<double>;
  const V n = p.axes.n.template cast<double>();
  const V t2 = p.axes.t2.template cast<double>();
  const V t3 = p.axes.t3.template cast<double>();
  const auto d = [](S value) { return static_cast<double>(value); };
  const V first = d(p.x) * t2 + d(p.y) * t3;
  const double cross_matrix[9] = {0, -first.z, first.y, first.z, 0, -first.x, -first.y, first.x, 0};
  const auto entry = [](const V& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double both = d(p.xx) * entry(t2, i) * entry(t2, j) + d(p.yy) * entry(t3, i) * entry(t3, j) +
                          d(p.xy) * (entry(t2, i) * entry(t3, j) + entry(t3, i) * entry(t2, j));
      Q[6 * i + j] = i == j ? d(p.area) : 0;
      Q[6 * i + j + 3] = -cross_matrix[3 * i + j];
      Q[6 * (i + 3) + j] = cross_matrix[3 * i + j];
      Q[6 * (i + 3) + j + 3] = (i == j ? d(p.xx) + d(p.yy) : 0) - both;
    }
  }
  const V moment = cross(d(p.hx) * t2 + d(p.hy) * t3, n);
  for (int i = 0; i < 3; ++i) w[i] = d(p.h) * entry(n, i), w[i + 3] = entry(moment, i);
}

template <class S>
void run_golden(support::Report& report) {
  const oracle::GoldenTable table = oracle::read_table(KINECAST_GOLDEN_DIR "/d_volume_cases_first12.csv");
  const std::size_t at_pose = table.block("px", "qz", 7);
  const std::size_t at_volume = table.block("V", "V", 1);
  const std::size_t at_normal = table.block("nx", "nz", 3);
  const std::size_t at_center = table.block("cx", "cz", 3);
  const std::size_t at_Q = table.block("Q00", "Q55", 36);
  const std::size_t at_w = table.block("w0", "w5", 6);
  const auto cube = robots::make_box_table<S>(0.1, 0.1, 0.1);
  const char* scalar = support::scalar_name<S>();
  support::Maximum volume, normal, center, Q_error, w_error;
  for (const auto& row : table.rows) {
    const double* pose = row.data() + at_pose;
    const double k = 1 / std::sqrt(pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5] + pose[6] * pose[6]);
    const Placement<double> exact{
        kinecast::to_matrix(kinecast::Quaternion<double>{k * pose[3], k * pose[4], k * pose[5], k * pose[6]}),
        {pose[0], pose[1], pose[2]}};
    const Placement<S> a_in_b = exact.cast<S>();
    kinecast::ContactSolid<S, 12> solid;
    kinecast::ClipScratch<S, 12> scratch;
    kinecast::ContactPatch<S, kCorners> patch{};
    if (intersect(cube.view(), cube.view(), a_in_b, S(0), scratch, solid) != Status::ok ||
        find_patch(solid, cube.view(), cube.view(), a_in_b, patch) != Status::ok) {
      report.fail("a golden pair of cubes has no patch");
      return;
    }
    double Q[36];
    double w[6];
    wrench_form(patch, Q, w);
    const auto see = [&](const double* ours, std::size_t truth, int count, double scale, support::Maximum& worst) {
      for (int i = 0; i < count; ++i) {
        const double expected = row[truth + static_cast<std::size_t>(i)];
        worst.see(std::abs(ours[i] - expected) / scale);
      }
    };
    const double V = static_cast<double>(patch.volume);
    see(&V, at_volume, 1, row[at_volume], volume);
    const auto n = patch.axes.n.template cast<double>();
    const auto c = patch.center.template cast<double>();
    const double n3[3] = {n.x, n.y, n.z};
    const double c3[3] = {c.x, c.y, c.z};
    see(n3, at_normal, 3, 1, normal);
    see(c3, at_center, 3, 0.1, center);
    // Metres over the cube's edge: linear and angular blocks weigh alike.
    const double area = row[at_Q];
    for (int i = 0; i < 36; ++i) {
      const int angular = (i / 6 >= 3 ? 1 : 0) + (i % 6 >= 3 ? 1 : 0);
      see(Q + i, at_Q + static_cast<std::size_t>(i), 1, area * std::pow(0.1, angular), Q_error);
    }
    const double pressure = std::hypot(row[at_w], row[at_w + 1], row[at_w + 2]);
    for (int i = 0; i < 6; ++i)
      see(w + i, at_w + static_cast<std::size_t>(i), 1, pressure * (i < 3 ? 1 : 0.1), w_error);
  }
  // Twelve digits are in the file; the poses' rounding in float is worth 1e-6 of the cube.
  const double bound = sizeof(S) == 4 ? 1e-4 : 1e-9;
  report.add({"golden", "volume", "d_volume", scalar, volume.value(), bound});
  report.add({"golden", "normal", "d_volume", scalar, normal.value(), bound});
  report.add({"golden", "centroid", "d_volume", scalar, center.value(), bound});
  report.add({"golden", "Q", "d_volume", scalar, Q_error.value(), bound});
  report.add({"golden", "w", "d_volume", scalar, w_error.value(), bound});
}
#endif

void measure(support::Report& report) {
#ifdef KINECAST_GOLDEN_DIR
  run_golden<double>(report);
  run_golden<float>(report);
#endif
  run_families<double>(report);
  run_families<float>(report);
}

}  // namespace

const support::Program support::program{"intersections", measure};
