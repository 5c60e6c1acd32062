// SPDX-License-Identifier: MIT
// Where a robot can touch: corners of collision boxes, spheres, points on the rims of cylinders, the lowest vertices of meshes'
// hulls; or the points that a contacts.json names.
#pragma once

#include "mesh_file.hpp"
#include "placing.hpp"
#include "urdf_file.hpp"

namespace kinecast::host {

// Fills in the points of the description. Links that stand on the world cannot touch anything new and get none.
void add_points_of_shapes(UrdfRobot& urdf, Meshes& meshes, Notes& notes);

// The same from a contacts.json. Throws Failure with the JSON path.
void add_points_of_file(UrdfRobot& urdf, const std::string& file, Meshes& meshes);

// The lowest of some points, as indices in rising order; of equally low ones those that are far apart.
[[nodiscard]] std::vector<std::size_t> lowest_of(const std::vector<Triple>& points, std::size_t count);
// Of a hull whose frame lies so in the world; in the hull's frame.
[[nodiscard]] std::vector<Triple> lowest_of(const Hull& hull, const Placing& in_world, std::size_t count);

// Fills in the shapes that a page draws: a link's collision shapes, or what is seen of it if it has none. A mesh
// that cannot be read is noted: nothing of the header depends on it.
void add_shapes(UrdfRobot& urdf, Meshes& meshes, Notes& notes);

}  // namespace kinecast::host
