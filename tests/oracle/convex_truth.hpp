// SPDX-License-Identifier: MIT
// The truth about two convex polyhedra that overlap, by another way than the library's and in long double: the vertices of the
// intersection are the ends of what is left of every edge of one within the other (Cyrus and Beck); qhull makes their convex hull.
// Before that they are mapped so that four of them become a unit tetrahedron: qhull then sees a body as thick as it is wide, and a
// sliver of 1e-12 m is told as well as a cube.
#pragma once

#include <kinecast/contact/volume/convex_view.hpp>
#include <kinecast/math/placement.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace oracle {

using Exact = long double;
using Point = kinecast::Vec3<Exact>;

struct HullTriangle {
  std::array<int, 3> corners{};  // counter-clockwise seen from outside
};

// The convex hull by qhull, as triangles. False: the points lie in a plane, to qhull's eyes.
[[nodiscard]] inline bool find_hull(const std::vector<Point>& points, std::vector<HullTriangle>& out) {
  out.clear();
  std::vector<coordT> coordinates;
  for (const Point& p : points)
    for (const Exact x : {p.x, p.y, p.z}) coordinates.push_back(static_cast<coordT>(x));
  static std::FILE* const nowhere = std::fopen("/dev/null", "w");
  static thread_local qhT state;
  qh_zero(&state, nowhere);
  char options[] = "qhull Qt Pp";
  const int failed =
      qh_new_qhull(&state, 3, static_cast<int>(points.size()), coordinates.data(), False, options, nowhere, nowhere);
  if (failed == 0) {
    for (facetT* facet = state.facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next) {
      HullTriangle triangle;
      std::size_t n = 0;
      setT* const corners = facet->vertices;
      for (int i = 0; i < qh_setsize(&state, corners) && n < 3; ++i)
        triangle.corners[n++] = qh_pointid(&state, static_cast<vertexT*>(corners->e[i].p)->point);
      out.push_back(triangle);
    }
    // Their order says nothing about the side: outside is away from the middle of all.
    Point middle{};
    for (const Point& p : points) middle = middle + (Exact(1) / static_cast<Exact>(points.size())) * p;
    for (HullTriangle& t : out) {
      const auto at = [&](std::size_t i) { return points[static_cast<std::size_t>(t.corners[i])]; };
      if (dot(cross(at(1) - at(0), at(2) - at(0)), at(0) - middle) < 0) std::swap(t.corners[1], t.corners[2]);
    }
  }
  qh_freeqhull(&state, qh_ALL);
  return failed == 0;
}

// A polyhedron as its vertices, edges and planes.
struct ExactSolid {
  struct Plane {
    Point normal;
    Exact distance;
  };
  std::vector<Point> vertices;
  std::vector<std::array<int, 2>> edges;
  std::vector<Plane> planes;
  Exact diameter{};
};

template <class S>
[[nodiscard]] ExactSolid exact_solid(const kinecast::ConvexView<S>& view, const kinecast::Placement<S>& placement) {
  ExactSolid out;
  const auto at = placement.template cast<Exact>();
  for (int i = 0; i < view.vertex_count; ++i)
    out.vertices.push_back(at.position + at.rotation * view.vertices[i].template cast<Exact>());
  for (const Point& p : out.vertices)
    for (const Point& q : out.vertices) out.diameter = std::max(out.diameter, std::sqrt(dot(p - q, p - q)));
  for (int f = 0; f < view.face_count; ++f) {
    if (view.vertex_count == 0) {
      out.planes.push_back({view.normals[f].template cast<Exact>(), static_cast<Exact>(view.distances[f])});
      continue;
    }
    const int begin = view.starts[f];
    const int count = view.starts[f + 1] - begin;
    const auto corner = [&](int i) { return out.vertices[view.loops[begin + i % count]]; };
    Point area{};
    Point sum{};
    for (int i = 0; i < count; ++i) {
      area = area + cross(corner(i) - corner(0), corner(i + 1) - corner(0));
      sum = sum + corner(i);
      const int from = view.loops[begin + i];
      const int to = view.loops[begin + (i + 1) % count];
      if (from < to) out.edges.push_back({from, to});
    }
    const Point normal = (1 / std::sqrt(dot(area, area))) * area;
    out.planes.push_back({normal, dot(normal, sum) / static_cast<Exact>(count)});
  }
  return out;
}

struct ExactIntersection {
  std::vector<Point> points;
  std::vector<HullTriangle> triangles;
  Exact volume{};
  Exact area{};
  Point center{};
};

// What is left of the edges of `a` within `b`. An edge in a plane of `b` is within: what is no further outside than `rounding`.
inline void clip_edges(const ExactSolid& a, const ExactSolid& b, Exact rounding, std::vector<Point>& out) {
  for (const auto& edge : a.edges) {
    const Point& p = a.vertices[static_cast<std::size_t>(edge[0])];
    const Point& q = a.vertices[static_cast<std::size_t>(edge[1])];
    Exact from = 0;
    Exact to = 1;
    for (const ExactSolid::Plane& plane : b.planes) {
      const Exact at_p = dot(plane.normal, p) - plane.distance;
      const Exact at_q = dot(plane.normal, q) - plane.distance;
      if (at_p > rounding && at_q > rounding) {
        to = -1;
      } else if (at_p > rounding) {
        from = std::max(from, (at_p - rounding) / (at_p - at_q));
      } else if (at_q > rounding) {
        to = std::min(to, (at_p - rounding) / (at_p - at_q));
      }
    }
    if (from > to) continue;
    out.push_back(p + from * (q - p));
    out.push_back(p + to * (q - p));
  }
}

[[nodiscard]] inline ExactIntersection intersect_exactly(const ExactSolid& a, const ExactSolid& b) {
  ExactIntersection out;
  std::vector<Point> all;
  Exact size = 0;
  for (const ExactSolid* solid : {&a, &b})
    for (const Point& p : solid->vertices) size = std::max({size, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  const Exact rounding = 16 * std::numeric_limits<Exact>::epsilon() * size;
  clip_edges(a, b, rounding, all);
  clip_edges(b, a, rounding, all);
  if (all.size() < 4) return out;

  // The axes of the tetrahedron: the farthest point, the farthest from that line, the farthest from that plane.
  const Point origin = all[0];
  const auto farthest = [&](auto&& distance) {
    return *std::max_element(all.begin(), all.end(), [&](const Point& p, const Point& q) {
      return distance(p - origin) < distance(q - origin);
    }) - origin;
  };
  const Point u = farthest([](const Point& p) { return dot(p, p); });
  const Point v = farthest([&](const Point& p) { return dot(cross(u, p), cross(u, p)); });
  const Point n = cross(u, v);
  const Point w = farthest([&](const Point& p) { return std::abs(dot(n, p)); });
  const Exact det = dot(n, w);
  if (!(std::abs(det) > 4 * rounding * std::sqrt(dot(n, n)))) return out;  // flat
  const Point vw = cross(v, w);
  const Point wu = cross(w, u);
  // Neighbouring edges meet in the same corner: to qhull they shall.
  std::vector<Point> mapped;
  for (const Point& p : all) {
    const Point r = p - origin;
    const Point m{dot(vw, r) / det, dot(wu, r) / det, dot(n, r) / det};
    const auto is_here = [&](const Point& q) {
      return std::abs(m.x - q.x) + std::abs(m.y - q.y) + std::abs(m.z - q.z) <= Exact(1e-12);
    };
    if (std::any_of(mapped.begin(), mapped.end(), is_here)) continue;
    mapped.push_back(m);
    out.points.push_back(p);
  }
  std::vector<HullTriangle> hull;
  if (!find_hull(mapped, hull)) return out;
  Exact six = 0;
  Point moment{};
  Point middle{};
  for (const Point& p : mapped) middle = middle + (Exact(1) / static_cast<Exact>(mapped.size())) * p;
  for (HullTriangle& t : hull) {
    const auto corner = [&](const std::vector<Point>& from, std::size_t i) {
      return from[static_cast<std::size_t>(t.corners[i])];
    };
    const Point p = corner(mapped, 0) - middle;
    const Point q = corner(mapped, 1) - middle;
    const Point r = corner(mapped, 2) - middle;
    const Exact one = dot(p, cross(q, r));
    six += one;
    moment = moment + (one / 4) * (p + q + r);
    if (det < 0) std::swap(t.corners[1], t.corners[2]);
    const Point area =
        cross(corner(out.points, 1) - corner(out.points, 0), corner(out.points, 2) - corner(out.points, 0));
    out.area += std::sqrt(dot(area, area)) / 2;
  }
  out.volume = std::abs(det) * six / 6;
  const Point c = middle + (1 / six) * moment;
  out.center = origin + (c.x * u + c.y * v + c.z * w);
  out.triangles = hull;
  return out;
}

}  // namespace oracle
