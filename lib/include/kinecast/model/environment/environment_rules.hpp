// SPDX-License-Identifier: MIT
// The rules that an environment must keep, each written once: its name, and the sentence that validate() and the
// compiler say of an environment that breaks it. model/environment/environment.hpp and convex_rules.hpp check them.
#pragma once

#include <kinecast/core/rules.hpp>

#include <cstdint>

namespace kinecast {

#define KINECAST_ENVIRONMENT_RULES(RULE)                                                                               \
  RULE(values_sane, "a value of the environment is NaN, infinite or beyond a million")                                 \
  RULE(name_unique, "two surfaces have the same name")                                                                 \
  RULE(rotation_orthonormal, "a surface's rotation is not a right-handed rotation matrix")                             \
  RULE(friction_not_negative, "a coefficient of friction is negative")                                                 \
  RULE(static_not_below_kinetic, "a static coefficient of friction is below the kinetic one")                          \
  RULE(relaxation_positive, "a relaxation is not positive: without it the forces of many contacts are not unique")     \
  RULE(compensation_not_negative, "a compensation is negative")                                                        \
  RULE(restitution_up_to_one, "a restitution is not between 0 and 1")                                                  \
  RULE(elastic_not_negative, "a spring, damper or membrane is negative")                                               \
  RULE(size_positive, "a box has no size")                                                                             \
  RULE(normals_unit, "a face's normal does not have length one")                                                       \
  RULE(moves_in_world, "a surface on a link moves with it: moves() is for surfaces in the world")                      \
  RULE(touched_by_a_kind, "no kind of contact point can touch a surface, or a kind is not one of 0 to 7")              \
  RULE(surface_on_known_link, "a surface sits on an unknown link")                                                     \
  RULE(polyhedron_within_capacity,                                                                                     \
       "a polyhedron has more than 255 vertices, or its faces' loops have more than 254 corners together")             \
  RULE(loops_of_vertices, "a face's loop has fewer than three vertices, one of them twice or one that does not exist") \
  RULE(vertices_distinct, "two vertices of a polyhedron are the same, or a wedge or prism has no size")                \
  RULE(polyhedron_closed,                                                                                              \
       "a polyhedron is open: an edge of a face is not an edge of exactly one other face, in the other direction")     \
  RULE(faces_flat, "the vertices of a face do not lie in one plane, or they lie on a line")                            \
  RULE(polyhedron_not_thin,                                                                                            \
       "a polyhedron is thinner than a ten-thousandth of its vertices' distance from its frame: hardly a volume")      \
  RULE(polyhedron_not_inside_out, "a polyhedron is inside out: faces' loops run counter-clockwise, seen from outside") \
  RULE(polyhedron_convex,                                                                                              \
       "a polyhedron is not convex: a vertex lies in front of a face, or a face has a corner that turns inwards")

enum class EnvironmentRule : std::uint8_t { none, KINECAST_ENVIRONMENT_RULES(KINECAST_RULE_NAME) };

[[nodiscard]] constexpr const char* sentence(EnvironmentRule rule) noexcept {
  using Listed = EnvironmentRule;
  switch (rule) {
    case EnvironmentRule::none:
      return "the environment keeps its rules";
      KINECAST_ENVIRONMENT_RULES(KINECAST_RULE_CASE)
  }
  return "unknown rule";
}

// Names the rule that is broken first, the surface that breaks it and, where a rule speaks of faces, its face.
struct EnvironmentVerdict {
  EnvironmentRule rule{EnvironmentRule::none};
  int index{-1};  // of the surface
  int face{-1};
  [[nodiscard]] constexpr bool ok() const noexcept { return rule == EnvironmentRule::none; }
};

// Instantiated with the verdict on a constexpr environment: the compiler's message then shows the sentence, and the
// surface's and the face's index in "EnvironmentKeepsItsRules<world, surface, face, …>" (-1: the rule does not speak of
// faces).
template <const auto& World, int IndexOfSurface, int IndexOfFace, EnvironmentRule Broken>
struct EnvironmentKeepsItsRules {
  using Listed = EnvironmentRule;
  KINECAST_ENVIRONMENT_RULES(KINECAST_RULE_ASSERTION)
  static constexpr bool kValue = Broken == EnvironmentRule::none;
};

#undef KINECAST_ENVIRONMENT_RULES

}  // namespace kinecast
