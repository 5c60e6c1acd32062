// SPDX-License-Identifier: MIT
// Convex polyhedra as tables, for tests of the geometry alone: box, wedge, prism, half-space, and whatever is given by its vertices
// and the outlines of its faces. Normals and distances are those of the rounded vertices, computed in double.
#pragma once

#include <kinecast/contact/volume/convex_view.hpp>
#include <kinecast/contact/volume/intersection.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace robots {

template <class S, int MaxVertices = 8, int MaxFaces = 6, int MaxEntries = 24>
struct Polyhedron {
  kinecast::Vec3<S> vertices[static_cast<std::size_t>(MaxVertices)]{};
  kinecast::Vec3<S> normals[static_cast<std::size_t>(MaxFaces)]{};
  S distances[static_cast<std::size_t>(MaxFaces)]{};
  std::uint8_t loops[static_cast<std::size_t>(MaxEntries)]{};
  std::uint8_t starts[static_cast<std::size_t>(MaxFaces + 1)]{};
  int vertex_count{0};
  int face_count{0};

  [[nodiscard]] kinecast::ConvexView<S> view() const noexcept {
    return {vertices, normals, distances, loops, starts, vertex_count, face_count};
  }
  [[nodiscard]] kinecast::Bounds<S> bounds() const noexcept {
    kinecast::Vec3<S> low = vertices[0];
    kinecast::Vec3<S> high = low;
    for (int i = 1; i < vertex_count; ++i) {
      const kinecast::Vec3<S>& v = vertices[i];
      low = {std::fmin(low.x, v.x), std::fmin(low.y, v.y), std::fmin(low.z, v.z)};
      high = {std::fmax(high.x, v.x), std::fmax(high.y, v.y), std::fmax(high.z, v.z)};
    }
    return {S(0.5) * (low + high), S(0.5) * (high - low)};
  }

  void add_vertex(double x, double y, double z) noexcept {
    vertices[vertex_count++] = {static_cast<S>(x), static_cast<S>(y), static_cast<S>(z)};
  }
  // Counter-clockwise seen from outside. The normal is that of the outline's area.
  void add_face(const int* corners, int count) noexcept {
    const auto at = [&](int i) { return vertices[corners[i % count]].template cast<double>(); };
    kinecast::Vec3<double> area{};
    kinecast::Vec3<double> sum{};
    for (int i = 0; i < count; ++i) {
      area = area + cross(at(i) - at(0), at(i + 1) - at(0));
      sum = sum + at(i);
      loops[starts[face_count] + i] = static_cast<std::uint8_t>(corners[i]);
    }
    const kinecast::Vec3<double> normal = (1 / std::sqrt(dot(area, area))) * area;
    normals[face_count] = normal.template cast<S>();
    distances[face_count] = static_cast<S>(dot(normal, sum) / count);
    starts[face_count + 1] = static_cast<std::uint8_t>(starts[face_count] + count);
    ++face_count;
  }
  void add_face(std::initializer_list<int> corners) noexcept {
    add_face(corners.begin(), static_cast<int>(corners.size()));
  }
};

// Edges x, y, z, about the origin.
template <class S>
[[nodiscard]] inline Polyhedron<S> make_box_table(double x, double y, double z) noexcept {
  Polyhedron<S> box;
  for (int i = 0; i < 8; ++i)
    box.add_vertex((i % 2 == 0 ? -0.5 : 0.5) * x, (i / 2 % 2 == 0 ? -0.5 : 0.5) * y, (i / 4 == 0 ? -0.5 : 0.5) * z);
  box.add_face({1, 3, 7, 5});
  box.add_face({0, 4, 6, 2});
  box.add_face({2, 6, 7, 3});
  box.add_face({0, 1, 5, 4});
  box.add_face({4, 5, 7, 6});
  box.add_face({0, 2, 3, 1});
  return box;
}

// Everything below z = 0.
template <class S>
[[nodiscard]] inline Polyhedron<S> make_half_space_table() noexcept {
  Polyhedron<S> ground;
  ground.normals[0] = {S(0), S(0), S(1)};
  ground.face_count = 1;
  return ground;
}

// A prism about the z axis whose top is shifted by `shear` along x: regular with `sides` corners on a circle of this radius.
template <class S, int Sides>
using PrismTable = Polyhedron<S, 2 * Sides, Sides + 2, 6 * Sides>;
template <class S, int Sides>
[[nodiscard]] inline PrismTable<S, Sides> make_prism_table(double radius, double height, double shear = 0) noexcept {
  PrismTable<S, Sides> prism;
  for (int i = 0; i < 2 * Sides; ++i) {
    const double angle = 2 * 3.14159265358979323846 * (i % Sides) / Sides;
    const double side = i < Sides ? -0.5 : 0.5;
    prism.add_vertex(radius * std::cos(angle) + side * shear, radius * std::sin(angle), side * height);
  }
  int bottom[static_cast<std::size_t>(Sides)];
  int top[static_cast<std::size_t>(Sides)];
  for (int i = 0; i < Sides; ++i) {
    const int next = (i + 1) % Sides;
    prism.add_face({i, next, Sides + next, Sides + i});
    bottom[i] = Sides - 1 - i;
    top[i] = Sides + i;
  }
  prism.add_face(bottom, Sides);
  prism.add_face(top, Sides);
  return prism;
}

// A ramp on the xy plane: rises from z = 0 at -x/2 to z at +x/2, y wide.
template <class S>
[[nodiscard]] inline Polyhedron<S> make_wedge_table(double x, double y, double z) noexcept {
  Polyhedron<S> wedge;
  for (const double side : {-0.5, 0.5}) {
    wedge.add_vertex(-0.5 * x, side * y, 0);
    wedge.add_vertex(0.5 * x, side * y, 0);
    wedge.add_vertex(0.5 * x, side * y, z);
  }
  wedge.add_face({0, 1, 2});
  wedge.add_face({3, 5, 4});
  wedge.add_face({0, 3, 4, 1});
  wedge.add_face({1, 4, 5, 2});
  wedge.add_face({0, 2, 5, 3});
  return wedge;
}

}  // namespace robots
