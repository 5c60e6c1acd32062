// SPDX-License-Identifier: MIT
// A convex polyhedron as volume contact reads it: tables somewhere in flash, in the polyhedron's own frame. A
// half-space has one face, normal . x <= distance, and no vertices: it can cut another solid but is never cut itself.
#pragma once

#include <kinecast/math/vec3.hpp>

#include <cstdint>

namespace kinecast {

template <class S>
struct ConvexView {
  const Vec3<S>* vertices;
  const Vec3<S>* normals;      // of the faces: unit, outward
  const S* distances;          // of the faces' planes from the origin
  const std::uint8_t* loops;   // the faces' vertices, one face after the other, counter-clockwise seen from outside
  const std::uint8_t* starts;  // where each face's loop begins; one more at the end
  int vertex_count;
  int face_count;
};

}  // namespace kinecast
