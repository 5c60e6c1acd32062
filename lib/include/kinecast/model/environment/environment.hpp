// SPDX-License-Identifier: MIT
// What a robot can touch, as a constexpr value:
//
//   inline constexpr auto world = kinecast::environment(
//       half_space("ground", material(friction(0.8, 0.6))),
//       box("table", at(0.6, 0, 0.35), size(0.5, 0.8, 0.7), pair(1, material(friction(1.2, 1.0)))),
//       half_space("lift", at(0, 2, 0), moves()),
//       box("belt", at(0, -2, 0.1), size(3, 1, 0.2), conveyor(0.3, 0, 0)),
//       wedge("ramp", at(2, 0, 0), size(1, 0.8, 0.2)),
//       prism<6>("nut", on("bolt"), radius(0.01), height(0.008), of_kind(1)),
//       box("palm", on("hand"), at(0, 0, 0.05), size(0.08, 0.08, 0.02), touched_by(1)));
//
// A surface stands in the world, or on a link: then contact points of other links touch it. pair(kind, ...) is the
// material between the surface and contact points of that kind, material(...) that for all others. of_kind(...) is what
// the surface itself is made of, where it meets another one (volume contact). A surface that moves() gets its pose and
// velocity at run time, and a prediction carries it on. The skin of a conveyor(...) runs, its shape stays.
#pragma once

#include <kinecast/model/environment/convex.hpp>
#include <kinecast/model/environment/convex_rules.hpp>
#include <kinecast/model/environment/environment_rules.hpp>
#include <kinecast/model/environment/material.hpp>
#include <kinecast/model/environment/solid.hpp>
#include <kinecast/model/robot.hpp>
#include <kinecast/model/validate.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

namespace kinecast {

template <class Solid>
struct Surface {
  std::string_view name{};
  std::string_view link_name{"world"};
  Vec3<double> position_m{};                  // origin of the solid's frame in the link's
  Mat3<double> rotation{kIdentity3<double>};  // solid's axes to the link's
  Solid solid{};
  std::array<Material, static_cast<std::size_t>(kKinds)> materials{};  // by the point's kind
  std::uint32_t own_material{0};                                       // kinds that pair() speaks of
  std::uint32_t touched_by{~0U};                                       // kinds that can touch it
  int kind{0};                  // kind of the surface, where it meets another one
  Vec3<double> conveyor_mps{};  // velocity of the skin, solid's axes
  bool is_moving{false};
  bool has_bad_kind{false};  // a word spoke of a kind that does not exist; validate() refuses it
};

template <class... Solids>
struct Environment {
  static constexpr int kSurfaces = static_cast<int>(sizeof...(Solids));
  std::tuple<Surface<Solids>...> surfaces;
};

namespace detail {
struct Pair {
  int kind;
  Material material;
};
struct TouchedBy {
  std::uint32_t kinds;
  bool has_bad_kind;
};
struct Conveyor {
  Vec3<double> velocity;
};
struct Moves {};
struct Height {
  double height;
};
// The numbers that words give of a wedge or a prism, before it is made.
struct WedgeWords {
  Vec3<double> size_m{};
};
struct PrismWords {
  double radius_m{0};
  double height_m{0};
};

template <class Solid>
constexpr void say(Surface<Solid>& s, const On& word) noexcept {
  s.link_name = word.parent;
}
template <class Solid>
constexpr void say(Surface<Solid>& s, const At& word) noexcept {
  s.position_m = word.position;
}
template <class Solid>
constexpr void say(Surface<Solid>& s, const Turned& word) noexcept {
  s.rotation = word.rotation;
}
constexpr void say(Surface<BoxSolid>& s, const Size& word) noexcept { s.solid.half_m = 0.5 * word.size; }
constexpr void say(Surface<WedgeWords>& s, const Size& word) noexcept { s.solid.size_m = word.size; }
constexpr void say(Surface<PrismWords>& s, const Radius& word) noexcept { s.solid.radius_m = word.radius; }
constexpr void say(Surface<PrismWords>& s, const Height& word) noexcept { s.solid.height_m = word.height; }
template <class Solid>
constexpr void say(Surface<Solid>& s, const Kind& word) noexcept {
  if (word.kind < 0 || word.kind >= kKinds) {
    s.has_bad_kind = true;
    return;
  }
  s.kind = word.kind;
}
template <class Solid>
constexpr void say(Surface<Solid>& s, const Material& word) noexcept {
  for (std::size_t kind = 0; kind < s.materials.size(); ++kind)
    if ((s.own_material >> kind & 1U) == 0) s.materials[kind] = word;
}
template <class Solid>
constexpr void say(Surface<Solid>& s, const Pair& word) noexcept {
  if (word.kind < 0 || word.kind >= kKinds) {
    s.has_bad_kind = true;
    return;
  }
  s.materials[static_cast<std::size_t>(word.kind)] = word.material;
  s.own_material |= 1U << static_cast<unsigned>(word.kind);
}
template <class Solid>
constexpr void say(Surface<Solid>& s, const TouchedBy& word) noexcept {
  s.touched_by = word.kinds;
  s.has_bad_kind = s.has_bad_kind || word.has_bad_kind;
}
template <class Solid>
constexpr void say(Surface<Solid>& s, const Conveyor& word) noexcept {
  s.conveyor_mps = word.velocity;
}
template <class Solid>
constexpr void say(Surface<Solid>& s, const Moves& /*word*/) noexcept {
  s.is_moving = true;
}

template <class Solid, class... Words>
[[nodiscard]] constexpr Surface<Solid> surface(std::string_view name, const Solid& solid,
                                               const Words&... words) noexcept {
  Surface<Solid> s{};
  s.name = name;
  s.solid = solid;
  (say(s, words), ...);
  return s;
}
// Gives the same surface with another solid.
template <class Other, class Solid>
[[nodiscard]] constexpr Surface<Solid> with_solid(const Surface<Other>& from, const Solid& solid) noexcept {
  return {from.name,         from.link_name,  from.position_m, from.rotation,     solid,          from.materials,
          from.own_material, from.touched_by, from.kind,       from.conveyor_mps, from.is_moving, from.has_bad_kind};
}
}  // namespace detail

// ---- the words an environment is written in -------------------------------------------------------------------------

[[nodiscard]] constexpr detail::Pair pair(int kind, const Material& material) noexcept { return {kind, material}; }
template <class... Kinds>
[[nodiscard]] constexpr detail::TouchedBy touched_by(Kinds... kinds) noexcept {
  return {(0U | ... | (kinds >= 0 && kinds < kKinds ? 1U << static_cast<unsigned>(kinds) : 0U)),
          (false || ... || (kinds < 0 || kinds >= kKinds))};
}
[[nodiscard]] constexpr detail::Conveyor conveyor(double x_mps, double y_mps, double z_mps) noexcept {
  return {{x_mps, y_mps, z_mps}};
}
[[nodiscard]] constexpr detail::Moves moves() noexcept { return {}; }
[[nodiscard]] constexpr detail::Height height(double height_m) noexcept { return {height_m}; }
[[nodiscard]] constexpr Face face(double nx, double ny, double nz, double distance_m) noexcept {
  return {{nx, ny, nz}, distance_m};
}
template <class... Faces>
[[nodiscard]] constexpr std::array<Face, sizeof...(Faces)> faces(const Faces&... each) noexcept {
  return {{each...}};
}

// A half-space is everything below the plane z = 0 of its frame.
template <class... Words>
[[nodiscard]] constexpr auto half_space(std::string_view name, const Words&... words) noexcept {
  return detail::surface(name, HalfSpace{}, words...);
}
// A box lies about the origin of its frame; it needs size(x, y, z).
template <class... Words>
[[nodiscard]] constexpr auto box(std::string_view name, const Words&... words) noexcept {
  return detail::surface(name, BoxSolid{}, words...);
}
// A polyhedron without vertices is written polyhedron("wedge", faces(face(0, 0, -1, 0), face(0.6, 0, 0.8, 0.1), ...)).
template <std::size_t N, class... Words>
[[nodiscard]] constexpr auto polyhedron(std::string_view name, const std::array<Face, N>& each,
                                        const Words&... words) noexcept {
  return detail::surface(name, PolyhedronSolid<N>{each}, words...);
}
// A wedge is a ramp: its foot lies on the y axis about the origin of its frame, and it rises along x. It needs
// size(x, y, z).
template <class... Words>
[[nodiscard]] constexpr auto wedge(std::string_view name, const Words&... words) noexcept {
  const Surface<detail::WedgeWords> said = detail::surface(name, detail::WedgeWords{}, words...);
  return detail::with_solid(said, convex_wedge(said.solid.size_m));
}
// A prism of a regular polygon lies about the z axis and the origin of its frame; it needs radius(to a corner) and
// height(h).
template <int Sides, class... Words>
[[nodiscard]] constexpr auto prism(std::string_view name, const Words&... words) noexcept {
  const Surface<detail::PrismWords> said = detail::surface(name, detail::PrismWords{}, words...);
  return detail::with_solid(said, convex_prism<Sides>(said.solid.radius_m, said.solid.height_m));
}
// A convex polyhedron is written convex("nut", vertices(vertex(x, y, z), ...), loops(loop(0, 1, 2), ...), ...), or with
// a solid of model/environment/convex.hpp instead of both lists.
template <std::size_t Vertices, std::size_t Faces, std::size_t Corners, class... Words>
[[nodiscard]] constexpr auto convex(std::string_view name, const std::array<Vec3<double>, Vertices>& vertices,
                                    const detail::Loops<Faces, Corners>& loops, const Words&... words) noexcept {
  return detail::surface(name, convex_solid(vertices, loops), words...);
}
template <std::size_t Vertices, std::size_t Faces, std::size_t Corners, class... Words>
[[nodiscard]] constexpr auto convex(std::string_view name, const ConvexSolid<Vertices, Faces, Corners>& solid,
                                    const Words&... words) noexcept {
  return detail::surface(name, solid, words...);
}
// A terrain is everything below a height function: terrain<Hills>("hills", ...), see model/environment/solid.hpp.
template <class Height, class... Words>
[[nodiscard]] constexpr auto terrain(std::string_view name, const Words&... words) noexcept {
  return detail::surface(name, HeightSolid<Height>{}, words...);
}

template <class... Solids>
[[nodiscard]] constexpr Environment<Solids...> environment(const Surface<Solids>&... surfaces) noexcept {
  return {std::tuple<Surface<Solids>...>{surfaces...}};
}

// Calls f(surface, index) for each, in order.
template <class Surfaces, class F>
constexpr void for_each_surface(Surfaces& surfaces, F&& f) noexcept {
  std::apply(
      [&](auto&... each) {
        int index = 0;
        (f(each, index++), ...);
      },
      surfaces);
}

// Gives the index of a surface; -1 if none has the name.
template <class... Solids>
[[nodiscard]] constexpr int find_surface(const Environment<Solids...>& e, std::string_view name) noexcept {
  int found = -1;
  for_each_surface(e.surfaces, [&](const auto& s, int index) {
    if (found < 0 && s.name == name) found = index;
  });
  return found;
}

// ---- rules ----------------------------------------------------------------------------------------------------------

namespace detail {

[[nodiscard]] constexpr EnvironmentRule broken_rule(const Material& m) noexcept {
  if (!sane(m.static_friction) || !sane(m.kinetic_friction) || !sane(m.compensation_per_s) || !sane(m.relaxation) ||
      !sane(m.volume_relaxation) || !sane(m.restitution) || !sane(m.spring_N_per_m / 1e3) || !sane(m.damper_Ns_per_m) ||
      !sane(m.membrane_m))
    return EnvironmentRule::values_sane;
  if (m.static_friction < 0 || m.kinetic_friction < 0) return EnvironmentRule::friction_not_negative;
  if (m.static_friction < m.kinetic_friction) return EnvironmentRule::static_not_below_kinetic;
  if (!(m.relaxation > 0) || !(m.volume_relaxation > 0)) return EnvironmentRule::relaxation_positive;
  if (m.compensation_per_s < 0) return EnvironmentRule::compensation_not_negative;
  if (m.restitution < 0 || m.restitution > 1) return EnvironmentRule::restitution_up_to_one;
  if (m.spring_N_per_m < 0 || m.damper_Ns_per_m < 0 || m.membrane_m < 0) return EnvironmentRule::elastic_not_negative;
  return EnvironmentRule::none;
}

// The verdict on a solid has the index -1: the caller knows whose solid it is.
template <class Solid>
[[nodiscard]] constexpr EnvironmentVerdict validate_solid(const Solid& /*solid*/) noexcept {
  return {};
}
[[nodiscard]] constexpr EnvironmentVerdict validate_solid(const BoxSolid& s) noexcept {
  if (!sane(s.half_m)) return broken(EnvironmentRule::values_sane, -1);
  const bool has_size = s.half_m.x > 0 && s.half_m.y > 0 && s.half_m.z > 0;
  return has_size ? EnvironmentVerdict{} : broken(EnvironmentRule::size_positive, -1);
}
template <std::size_t N>
[[nodiscard]] constexpr EnvironmentVerdict validate_solid(const PolyhedronSolid<N>& s) noexcept {
  int index = 0;
  for (const Face& f : s.faces) {
    if (!sane(f.normal) || !sane(f.distance)) return broken(EnvironmentRule::values_sane, index);
    if (!near(dot(f.normal, f.normal), 1)) return broken(EnvironmentRule::normals_unit, index);
    ++index;
  }
  return {};
}
template <std::size_t Vertices, std::size_t Faces, std::size_t Corners>
[[nodiscard]] constexpr EnvironmentVerdict validate_solid(const ConvexSolid<Vertices, Faces, Corners>& s) noexcept {
  return validate(s.polyhedron());
}

template <class Solid>
[[nodiscard]] constexpr EnvironmentRule broken_rule(const Surface<Solid>& s) noexcept {
  if (!sane(s.position_m) || !sane(s.conveyor_mps) || !sane(s.rotation.row_x) || !sane(s.rotation.row_y) ||
      !sane(s.rotation.row_z))
    return EnvironmentRule::values_sane;
  if (!is_rotation(s.rotation)) return EnvironmentRule::rotation_orthonormal;
  for (const Material& m : s.materials)
    if (const EnvironmentRule rule = broken_rule(m); rule != EnvironmentRule::none) return rule;
  if (s.has_bad_kind || s.kind < 0 || s.kind >= kKinds ||
      (s.touched_by & ((1U << static_cast<unsigned>(kKinds)) - 1U)) == 0)
    return EnvironmentRule::touched_by_a_kind;
  if (s.is_moving && s.link_name != "world") return EnvironmentRule::moves_in_world;
  return EnvironmentRule::none;
}

}  // namespace detail

// Gives the rule that is broken first, the surface that breaks it, and its face.
template <class... Solids>
[[nodiscard]] constexpr EnvironmentVerdict validate(const Environment<Solids...>& e) noexcept {
  EnvironmentVerdict verdict{};
  for_each_surface(e.surfaces, [&](const auto& s, int index) {
    if (!verdict.ok()) return;
    verdict.rule = detail::broken_rule(s);
    if (verdict.ok()) verdict = detail::validate_solid(s.solid);
    if (verdict.ok() && !s.name.empty() && find_surface(e, s.name) != index)
      verdict.rule = EnvironmentRule::name_unique;
    if (!verdict.ok()) verdict.index = index;
  });
  return verdict;
}

// Checks also that surfaces sit on links of this robot.
template <int Links, int Points, int Loops, int Couplings, class... Solids>
[[nodiscard]] constexpr EnvironmentVerdict validate(const Environment<Solids...>& e,
                                                    const Robot<Links, Points, Loops, Couplings>& robot) noexcept {
  EnvironmentVerdict verdict = validate(e);
  for_each_surface(e.surfaces, [&](const auto& s, int index) {
    if (verdict.ok() && find_link(robot, s.link_name) == kUnknownParent)
      verdict = {EnvironmentRule::surface_on_known_link, index, -1};
  });
  return verdict;
}

template <const auto& World, const auto& R>
inline constexpr bool kEnvironmentIsValid =
    EnvironmentKeepsItsRules<World, validate(World, R).index, validate(World, R).face, validate(World, R).rule>::kValue;

}  // namespace kinecast
