// SPDX-License-Identifier: MIT
// The convex hull of points as polygons: qhull's facets, with those that lie in one plane to written digits put together, and
// vertices that are then on no corner left out. A hull with fewer vertices lies inside of the full one.
#pragma once

#include "../text/progress.hpp"

#include <kinecast/math/vec3.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace kinecast::host {

struct Hull {
  std::vector<Vec3<double>> vertices;
  std::vector<std::vector<std::size_t>> faces;  // loops of vertices, counter-clockwise seen from outside
  double volume{0};

  [[nodiscard]] std::size_t corners() const;
};

// In an order that does not depend on the points' order: vertices by x, y, z, faces by their first vertices. Nothing if the points
// lie in a plane.
[[nodiscard]] std::optional<Hull> find_hull(const std::vector<Vec3<double>>& points);

// Without the vertices that cost the least volume, until there are no more than this many. Far above that it drops several at a
// time, no two of them neighbours.
[[nodiscard]] Hull simplified(Hull hull, std::size_t most_vertices, Progress& progress);

// Without the one vertex of a face that costs the least volume: what to do with a sliver.
[[nodiscard]] std::optional<Hull> without_cheapest_vertex(const Hull& hull, std::size_t face);

// The faces as the library's tables have them.
struct HullTables {
  std::vector<std::uint8_t> loops;
  std::vector<std::uint8_t> starts;
};
[[nodiscard]] HullTables tables_of(const Hull& hull);

}  // namespace kinecast::host
