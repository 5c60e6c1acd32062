// SPDX-License-Identifier: MIT
// Checks that volume contact can trust a polyhedron: it is closed, outside out, convex, and thick enough to have a
// volume in float. The compiler checks a constexpr environment, validate() one at run time, and `kinecast hull` what it
// writes; all name the face.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/model/environment/convex.hpp>
#include <kinecast/model/environment/environment_rules.hpp>
#include <kinecast/model/validate.hpp>

namespace kinecast {
namespace detail {

[[nodiscard]] constexpr EnvironmentVerdict broken(EnvironmentRule rule, int face) noexcept { return {rule, -1, face}; }

// The largest coordinate of any vertex.
[[nodiscard]] constexpr double reach_of(const Polyhedron& p) noexcept {
  double reach = 0;
  for (int i = 0; i < p.vertex_count; ++i) {
    const Vec3<double>& v = p.vertices[i];
    for (const double x : {constant::abs(v.x), constant::abs(v.y), constant::abs(v.z)}) reach = x > reach ? x : reach;
  }
  return reach;
}

// Gives the first face that uses this vertex; -1: none does.
[[nodiscard]] constexpr int face_with(const Polyhedron& p, int vertex) noexcept {
  for (int f = 0; f < p.face_count; ++f)
    for (int c = p.starts[f]; c < p.starts[f + 1]; ++c)
      if (p.loops[c] == vertex) return f;
  return -1;
}

[[nodiscard]] constexpr EnvironmentVerdict check_loops(const Polyhedron& p) noexcept {
  if (p.vertex_count > kNoVertex || p.corner_count >= kNoVertex) {
    int face = 0;  // the first one that ends where no byte points
    while (face + 1 < p.face_count && p.starts[face + 1] < kNoVertex) ++face;
    return broken(EnvironmentRule::polyhedron_within_capacity, face);
  }
  for (int f = 0; f < p.face_count; ++f) {
    const int first = p.starts[f];
    const int end = p.starts[f + 1];
    bool is_loop = (f > 0 || first == 0) && (f + 1 < p.face_count || end == p.corner_count) && first + 3 <= end &&
                   end <= p.corner_count;
    for (int c = first; is_loop && c < end; ++c) {
      is_loop = p.loops[c] < p.vertex_count;
      for (int other = first; is_loop && other < c; ++other) is_loop = p.loops[other] != p.loops[c];
    }
    if (!is_loop) return broken(EnvironmentRule::loops_of_vertices, f);
  }
  return {};
}

[[nodiscard]] constexpr EnvironmentVerdict check_vertices(const Polyhedron& p) noexcept {
  for (int i = 0; i < p.vertex_count; ++i)
    if (!sane(p.vertices[i])) return broken(EnvironmentRule::values_sane, face_with(p, i));
  const double tolerance = Tolerance<double>::kWrittenDigits * reach_of(p);
  for (int i = 0; i < p.vertex_count; ++i) {
    for (int j = 0; j < i; ++j) {
      const Vec3<double> apart = p.vertices[i] - p.vertices[j];
      if (!(dot(apart, apart) > tolerance * tolerance))
        return broken(EnvironmentRule::vertices_distinct, face_with(p, i));
    }
  }
  return {};
}

// Counts how often one vertex follows another in a loop.
[[nodiscard]] constexpr int count_edge(const Polyhedron& p, int from, int to) noexcept {
  int count = 0;
  for (int f = 0; f < p.face_count; ++f) {
    int before = p.loops[p.starts[f + 1] - 1];
    for (int c = p.starts[f]; c < p.starts[f + 1]; ++c) {
      const int here = p.loops[c];
      count += before == from && here == to ? 1 : 0;
      before = here;
    }
  }
  return count;
}

// Each directed edge must occur once, and its reverse once. The verdict names the face with the most edges that do not:
// a face that is turned over is wrong at all of its edges, each of its neighbours at one.
[[nodiscard]] constexpr EnvironmentVerdict check_closed(const Polyhedron& p) noexcept {
  int most = 0;
  int worst = -1;
  for (int f = 0; f < p.face_count; ++f) {
    int wrong = 0;
    int before = p.loops[p.starts[f + 1] - 1];
    for (int c = p.starts[f]; c < p.starts[f + 1]; ++c) {
      const int here = p.loops[c];
      wrong += count_edge(p, before, here) == 1 && count_edge(p, here, before) == 1 ? 0 : 1;
      before = here;
    }
    if (wrong > most) most = wrong, worst = f;
  }
  if (p.face_count == 0) return broken(EnvironmentRule::polyhedron_closed, -1);
  return most > 0 ? broken(EnvironmentRule::polyhedron_closed, worst) : EnvironmentVerdict{};
}

[[nodiscard]] constexpr EnvironmentVerdict check_flat(const Polyhedron& p) noexcept {
  const double tolerance = Tolerance<double>::kWrittenDigits * reach_of(p);
  for (int f = 0; f < p.face_count; ++f) {
    const Face plane = plane_of_face(p, f);
    double longest = 0;  // squared length of the longest edge from the first corner
    bool is_flat = true;
    for (int c = p.starts[f]; c < p.starts[f + 1]; ++c) {
      const Vec3<double> along = p.corner(c) - p.corner(p.starts[f]);
      longest = dot(along, along) > longest ? dot(along, along) : longest;
      is_flat = is_flat && constant::abs(dot(plane.normal, p.corner(c)) - plane.distance) <= tolerance;
    }
    const Vec3<double> area = area_of_face(p, f);
    if (!is_flat || !(dot(area, area) > tolerance * tolerance * longest)) return broken(EnvironmentRule::faces_flat, f);
  }
  return {};
}

// The volume is ⅓ Σ area . (a point of the face), from the first vertex (divergence theorem).
[[nodiscard]] constexpr EnvironmentVerdict check_volume(const Polyhedron& p) noexcept {
  const double thinnest = Tolerance<double>::kThinnestSolid * reach_of(p);
  double volume = 0;
  for (int f = 0; f < p.face_count; ++f) {
    const Face plane = plane_of_face(p, f);
    double extent = 0;  // extent of the whole polyhedron off this face's plane
    for (int i = 0; i < p.vertex_count; ++i) {
      const double off = constant::abs(dot(plane.normal, p.vertices[i]) - plane.distance);
      extent = off > extent ? off : extent;
    }
    if (!(extent > thinnest)) return broken(EnvironmentRule::polyhedron_not_thin, f);
    volume += dot(area_of_face(p, f), p.corner(p.starts[f]) - p.vertices[0]) / 3;
  }
  return volume > 0 ? EnvironmentVerdict{} : broken(EnvironmentRule::polyhedron_not_inside_out, 0);
}

// No vertex lies in front of a face, and no corner of a loop outside of one of the loop's own edges. The verdict names
// the face with the worst one.
[[nodiscard]] constexpr EnvironmentVerdict check_convex(const Polyhedron& p) noexcept {
  double farthest = Tolerance<double>::kWrittenDigits * reach_of(p);
  int worst = -1;
  const auto see = [&](double outside, int face) {
    if (outside > farthest) farthest = outside, worst = face;
  };
  for (int f = 0; f < p.face_count; ++f) {
    const Face plane = plane_of_face(p, f);
    for (int i = 0; i < p.vertex_count; ++i) see(dot(plane.normal, p.vertices[i]) - plane.distance, f);
    for (int c = p.starts[f]; c < p.starts[f + 1]; ++c) {
      const int next = c + 1 < p.starts[f + 1] ? c + 1 : p.starts[f];
      const Vec3<double> outward = cross(unit_vector(p.corner(next) - p.corner(c)), plane.normal);
      for (int other = p.starts[f]; other < p.starts[f + 1]; ++other)
        see(dot(outward, p.corner(other) - p.corner(c)), f);
    }
  }
  return worst >= 0 ? broken(EnvironmentRule::polyhedron_convex, worst) : EnvironmentVerdict{};
}

}  // namespace detail

// Gives the rule that is broken first, and the face that breaks it.
[[nodiscard]] constexpr EnvironmentVerdict validate(const Polyhedron& p) noexcept {
  EnvironmentVerdict verdict{};
  // Each check relies on the checks before it.
  for (const auto check : {detail::check_loops, detail::check_vertices, detail::check_closed, detail::check_flat,
                           detail::check_volume, detail::check_convex})
    if (verdict.ok()) verdict = check(p);
  return verdict;
}

}  // namespace kinecast
