// SPDX-License-Identifier: MIT
// The rules that an environment must keep, each with its sentence, and the verdict that names who broke one.
#pragma once

#include <cstdint>

namespace kinecast {

enum class EnvironmentRule : std::uint8_t {
  none,
  values_sane,
  name_unique,
  rotation_orthonormal,
  friction_not_negative,
  static_not_below_kinetic,
  relaxation_positive,
  compensation_not_negative,
  restitution_up_to_one,
  elastic_not_negative,
  size_positive,
  normals_unit,
  moves_in_world,
  touched_by_a_kind,
  surface_on_known_link,
  polyhedron_within_capacity,
  loops_of_vertices,
  vertices_distinct,
  polyhedron_closed,
  faces_flat,
  polyhedron_not_thin,
  polyhedron_not_inside_out,
  polyhedron_convex,
};

[[nodiscard]] constexpr const char* sentence(EnvironmentRule rule) noexcept {
  switch (rule) {
    case EnvironmentRule::none:
      return "the environment keeps its rules";
    case EnvironmentRule::values_sane:
      return "a value of the environment is NaN, infinite or beyond a million";
    case EnvironmentRule::name_unique:
      return "two surfaces have the same name";
    case EnvironmentRule::rotation_orthonormal:
      return "a surface's rotation is not a right-handed rotation matrix";
    case EnvironmentRule::friction_not_negative:
      return "a coefficient of friction is negative";
    case EnvironmentRule::static_not_below_kinetic:
      return "a static coefficient of friction is below the kinetic one";
    case EnvironmentRule::relaxation_positive:
      return "a relaxation is not positive: without it the forces of many contacts are not unique";
    case EnvironmentRule::compensation_not_negative:
      return "a compensation is negative";
    case EnvironmentRule::restitution_up_to_one:
      return "a restitution is not between 0 and 1";
    case EnvironmentRule::elastic_not_negative:
      return "a spring, damper or membrane is negative";
    case EnvironmentRule::size_positive:
      return "a box has no size";
    case EnvironmentRule::normals_unit:
      return "a face's normal does not have length one";
    case EnvironmentRule::moves_in_world:
      return "a surface on a link moves with it: moves() is for surfaces in the world";
    case EnvironmentRule::touched_by_a_kind:
      return "no kind of contact point can touch a surface, or a kind is not one of 0 to 7";
    case EnvironmentRule::surface_on_known_link:
      return "a surface sits on an unknown link";
    case EnvironmentRule::polyhedron_within_capacity:
      return "a polyhedron has more than 255 vertices, or its faces' loops have more than 254 corners together";
    case EnvironmentRule::loops_of_vertices:
      return "a face's loop has fewer than three vertices, one of them twice or one that does not exist";
    case EnvironmentRule::vertices_distinct:
      return "two vertices of a polyhedron are the same, or a wedge or prism has no size";
    case EnvironmentRule::polyhedron_closed:
      return "a polyhedron is open: an edge of a face is not an edge of exactly one other face, in the other direction";
    case EnvironmentRule::faces_flat:
      return "the vertices of a face do not lie in one plane, or they lie on a line";
    case EnvironmentRule::polyhedron_not_thin:
      return "a polyhedron is thinner than a ten-thousandth of its vertices' distance from its frame: hardly a volume";
    case EnvironmentRule::polyhedron_not_inside_out:
      return "a polyhedron is inside out: faces' loops run counter-clockwise, seen from outside";
    case EnvironmentRule::polyhedron_convex:
      return "a polyhedron is not convex: a vertex lies in front of a face, or a face has a corner that turns inwards";
  }
  return "unknown rule";
}

// Which rule is broken first, by which surface, and, where a rule speaks of faces, by which of its faces.
struct EnvironmentVerdict {
  EnvironmentRule rule{EnvironmentRule::none};
  int index{-1};  // of the surface
  int face{-1};
  [[nodiscard]] constexpr bool ok() const noexcept { return rule == EnvironmentRule::none; }
};

}  // namespace kinecast
