// SPDX-License-Identifier: MIT
// Convex polyhedra as constexpr values, with their vertices: volume contact cuts with them, and contact points touch
// them. A maker gives one (box, wedge, prism), or it is written by hand or by `kinecast hull`:
//
//   inline constexpr auto pyramid = convex_solid(
//       vertices(vertex(0, 0, 1), vertex(1, 1, 0), vertex(-1, 1, 0), vertex(-1, -1, 0), vertex(1, -1, 0)),
//       loops(loop(4, 3, 2, 1), loop(0, 1, 2), loop(0, 2, 3), loop(0, 3, 4), loop(0, 4, 1)));
//
// A loop names a face's vertices, counter-clockwise seen from outside. The rules are in
// model/environment/convex_rules.hpp.
#pragma once

#include <kinecast/core/constexpr_math.hpp>
#include <kinecast/math/vec3.hpp>
#include <kinecast/model/environment/solid.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// A view of a polyhedron's vertices and faces.
struct Polyhedron {
  const Vec3<double>* vertices;
  const std::uint8_t* loops;   // the faces' vertices, one face after the other
  const std::uint8_t* starts;  // where each face's loop begins; one more at the end
  int vertex_count;
  int face_count;
  int corner_count;  // corners of all loops together

  // Gives the corner's vertex, or the origin if it has none, which validate() refuses.
  [[nodiscard]] constexpr Vec3<double> corner(int at) const noexcept {
    return at < corner_count && loops[at] < vertex_count ? vertices[loops[at]] : Vec3<double>{};
  }
};

// Indices of vertices are bytes; this byte is not the index of any.
inline constexpr int kNoVertex = 255;

namespace detail {

// ½ Σ (v_i - v_0) x (v_i+1 - v_0) is the face's normal times its area, also if it is not quite flat (Newell).
[[nodiscard]] constexpr Vec3<double> area_of_face(const Polyhedron& p, int face) noexcept {
  const int first = p.starts[face];
  const int last = p.starts[face + 1] - 1;
  Vec3<double> sum{};
  for (int c = first + 1; c < last; ++c)
    sum = sum + cross(p.corner(c) - p.corner(first), p.corner(c + 1) - p.corner(first));
  return 0.5 * sum;
}

// A vector is divided by its largest entry first: a normal along an axis is then exact. Zero stays zero.
[[nodiscard]] constexpr Vec3<double> unit_vector(const Vec3<double>& v) noexcept {
  double largest = constant::abs(v.x);
  if (constant::abs(v.y) > largest) largest = constant::abs(v.y);
  if (constant::abs(v.z) > largest) largest = constant::abs(v.z);
  if (!(largest > 0)) return {};
  const Vec3<double> scaled{v.x / largest, v.y / largest, v.z / largest};
  const double length = constant::sqrt(dot(scaled, scaled));
  return {scaled.x / length, scaled.y / length, scaled.z / length};
}

// The plane of a face runs through the middle of its corners.
[[nodiscard]] constexpr Face plane_of_face(const Polyhedron& p, int face) noexcept {
  const Vec3<double> normal = unit_vector(area_of_face(p, face));
  const int corners = p.starts[face + 1] - p.starts[face];
  double sum = 0;
  for (int c = p.starts[face]; c < p.starts[face + 1]; ++c) sum += dot(normal, p.corner(c));
  return {normal, corners > 0 ? sum / corners : 0};
}

}  // namespace detail

template <std::size_t Vertices, std::size_t Faces, std::size_t Corners>
struct ConvexSolid {
  static constexpr PolyhedronSize kPolyhedron{static_cast<int>(Vertices), static_cast<int>(Faces),
                                              static_cast<int>(Corners)};
  std::array<Vec3<double>, Vertices> vertices{};
  std::array<std::uint8_t, Corners> loops{};
  std::array<std::uint8_t, Faces + 1> starts{};

  [[nodiscard]] constexpr Polyhedron polyhedron() const noexcept {
    return {vertices.data(),          loops.data(), starts.data(), static_cast<int>(Vertices), static_cast<int>(Faces),
            static_cast<int>(Corners)};
  }

  // Contact points need the faces' planes only.
  template <class S>
  using Solid = typename PolyhedronSolid<Faces>::template Solid<S>;
  template <class S>
  [[nodiscard]] constexpr Solid<S> solid() const noexcept {
    PolyhedronSolid<Faces> planes{};
    for (std::size_t i = 0; i < Faces; ++i) planes.faces[i] = detail::plane_of_face(polyhedron(), static_cast<int>(i));
    return planes.template solid<S>();
  }
};

// ---- makers ---------------------------------------------------------------------------------------------------------

namespace detail {
template <std::size_t Corners>
struct Loop {
  std::array<int, Corners> vertices;
};
template <std::size_t Faces, std::size_t Corners>
struct Loops {
  std::array<std::uint8_t, Corners> corners{};
  std::array<std::uint8_t, Faces + 1> starts{};
};
// An index that a byte cannot hold becomes kNoVertex, which validate() refuses.
[[nodiscard]] constexpr std::uint8_t index_byte(std::size_t index) noexcept {
  return static_cast<std::uint8_t>(index < kNoVertex ? index : kNoVertex);
}
}  // namespace detail

[[nodiscard]] constexpr Vec3<double> vertex(double x_m, double y_m, double z_m) noexcept { return {x_m, y_m, z_m}; }
template <class... Each>
[[nodiscard]] constexpr std::array<Vec3<double>, sizeof...(Each)> vertices(const Each&... each) noexcept {
  return {{each...}};
}
// A loop lists a face's vertices, counter-clockwise seen from outside.
template <class... Indices>
[[nodiscard]] constexpr detail::Loop<sizeof...(Indices)> loop(Indices... indices) noexcept {
  return {{static_cast<int>(indices)...}};
}
template <std::size_t... Corners>
[[nodiscard]] constexpr auto loops(const detail::Loop<Corners>&... each) noexcept {
  detail::Loops<sizeof...(Corners), (0 + ... + Corners)> all{};
  std::size_t face = 0;
  std::size_t corner = 0;
  const auto add = [&](const auto& one) {
    for (const int index : one.vertices)
      all.corners[corner++] = detail::index_byte(static_cast<std::size_t>(index < 0 ? kNoVertex : index));
    all.starts[++face] = detail::index_byte(corner);
  };
  (add(each), ...);
  return all;
}

template <std::size_t Vertices, std::size_t Faces, std::size_t Corners>
[[nodiscard]] constexpr ConvexSolid<Vertices, Faces, Corners> convex_solid(
    const std::array<Vec3<double>, Vertices>& vertices, const detail::Loops<Faces, Corners>& loops) noexcept {
  return {vertices, loops.corners, loops.starts};
}

// A box about the origin. Of its vertices x varies slowest, z fastest, minus before plus; faces: -x, +x, -y, +y, -z,
// +z.
[[nodiscard]] constexpr ConvexSolid<8, 6, 24> convex_box(const Vec3<double>& size_m) noexcept {
  const Vec3<double> h = 0.5 * size_m;
  return convex_solid(
      vertices(vertex(-h.x, -h.y, -h.z), vertex(-h.x, -h.y, h.z), vertex(-h.x, h.y, -h.z), vertex(-h.x, h.y, h.z),
               vertex(h.x, -h.y, -h.z), vertex(h.x, -h.y, h.z), vertex(h.x, h.y, -h.z), vertex(h.x, h.y, h.z)),
      loops(loop(0, 1, 3, 2), loop(4, 6, 7, 5), loop(0, 4, 5, 1), loop(2, 3, 7, 6), loop(0, 2, 6, 4),
            loop(1, 5, 7, 3)));
}

// A ramp on the plane z = 0: from its foot, along the y axis about the origin, it rises along x, up to z = size z at
// x = size x. Faces: below, behind (+x), the slope, -y, +y.
[[nodiscard]] constexpr ConvexSolid<6, 5, 18> convex_wedge(const Vec3<double>& size_m) noexcept {
  const double half = 0.5 * size_m.y;
  return convex_solid(
      vertices(vertex(0, -half, 0), vertex(0, half, 0), vertex(size_m.x, -half, 0), vertex(size_m.x, half, 0),
               vertex(size_m.x, -half, size_m.z), vertex(size_m.x, half, size_m.z)),
      loops(loop(0, 1, 3, 2), loop(2, 3, 5, 4), loop(0, 4, 5, 1), loop(0, 2, 4), loop(1, 5, 3)));
}

// A regular polygon's prism about the z axis and the origin; a vertex lies on the x axis' side, `radius` away from the
// z axis. Faces: below, above, then the sides.
template <int Sides>
[[nodiscard]] constexpr auto convex_prism(double radius_m, double height_m) noexcept {
  static_assert(Sides >= 3 && Sides <= 42, "kinecast: a prism has 3 to 42 sides: faces' loops are counted in a byte");
  constexpr std::size_t kSides = Sides;
  ConvexSolid<2 * kSides, kSides + 2, 6 * kSides> s{};
  for (std::size_t i = 0; i < kSides; ++i) {
    const double angle = 2 * constant::kPi * static_cast<double>(i) / Sides;
    const double x = radius_m * constant::cos(angle);
    const double y = radius_m * constant::sin(angle);
    s.vertices[i] = {x, y, -0.5 * height_m};
    s.vertices[kSides + i] = {x, y, 0.5 * height_m};
    const std::size_t next = i + 1 < kSides ? i + 1 : 0;
    const std::size_t side[4] = {i, next, kSides + next, kSides + i};
    s.loops[i] = detail::index_byte(kSides - 1 - i);
    s.loops[kSides + i] = detail::index_byte(kSides + i);
    for (std::size_t k = 0; k < 4; ++k) s.loops[2 * kSides + 4 * i + k] = detail::index_byte(side[k]);
    s.starts[3 + i] = detail::index_byte(2 * kSides + 4 * (i + 1));
  }
  s.starts[1] = detail::index_byte(kSides);
  s.starts[2] = detail::index_byte(2 * kSides);
  return s;
}

// ---- the tables that volume contact reads of a solid (contact/volume/convex_view.hpp) -------------------------------

// Pointers to the tables of one solid: kPolyhedron.vertices vertices, .faces normals and distances, .corners entries of
// loops, and .faces + 1 starts.
template <class S>
struct PolyhedronTables {
  Vec3<S>* vertices;
  Vec3<S>* normals;
  S* distances;
  std::uint8_t* loops;
  std::uint8_t* starts;
};

template <class S, std::size_t Vertices, std::size_t Faces, std::size_t Corners>
constexpr void write_tables(const ConvexSolid<Vertices, Faces, Corners>& from, const PolyhedronTables<S>& to) noexcept {
  for (std::size_t i = 0; i < Vertices; ++i) to.vertices[i] = from.vertices[i].template cast<S>();
  for (std::size_t i = 0; i < Faces; ++i) {
    const Face plane = detail::plane_of_face(from.polyhedron(), static_cast<int>(i));
    to.normals[i] = plane.normal.template cast<S>();
    to.distances[i] = static_cast<S>(plane.distance);
  }
  for (std::size_t i = 0; i < Corners; ++i) to.loops[i] = from.loops[i];
  for (std::size_t i = 0; i <= Faces; ++i) to.starts[i] = from.starts[i];
}
template <class S>
constexpr void write_tables(const BoxSolid& from, const PolyhedronTables<S>& to) noexcept {
  write_tables(convex_box(2.0 * from.half_m), to);
}
template <class S>
constexpr void write_tables(const HalfSpace& /*from*/, const PolyhedronTables<S>& to) noexcept {
  to.normals[0] = {S(0), S(0), S(1)};
  to.distances[0] = S(0);
  to.starts[0] = to.starts[1] = 0;
}

}  // namespace kinecast
