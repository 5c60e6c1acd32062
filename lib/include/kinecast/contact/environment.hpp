// SPDX-License-Identifier: MIT
// What a robot can touch, as a constexpr value:
//
//   inline constexpr auto world = kinecast::environment(
//       half_space("ground", material(friction(0.8, 0.6))),
//       box("table", at(0.6, 0, 0.35), size(0.5, 0.8, 0.7), pair(1, material(friction(1.2, 1.0)))),
//       half_space("lift", at(0, 2, 0), moves()),
//       box("belt", at(0, -2, 0.1), size(3, 1, 0.2), conveyor(0.3, 0, 0)),
//       box("palm", on("hand"), at(0, 0, 0.05), size(0.08, 0.08, 0.02), touched_by(1)));
//
// A surface stands in the world, or on a link: then other links' contact points touch it (link against link). pair(kind, ...)
// is the material between the surface and contact points of that kind; material(...) that for all others. moves(): its
// pose and velocity are given at run time, and a prediction carries it on. conveyor(...): its skin runs, its shape stays.
#pragma once

#include <kinecast/contact/material.hpp>
#include <kinecast/contact/solid.hpp>
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
  Vec3<double> position_m{};                  // of the solid's frame in the link's
  Mat3<double> rotation{kIdentity3<double>};  // solid's axes to the link's
  Solid solid{};
  std::array<Material, static_cast<std::size_t>(kKinds)> materials{};  // by the point's kind
  std::uint32_t own_material{0};                                       // kinds that pair() speaks of
  std::uint32_t touched_by{~0U};                                       // kinds that can touch it
  Vec3<double> conveyor_mps{};                                         // of the skin, solid's axes
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
}  // namespace detail

// ---- the words an environment is written in -----------------------------------------------------------------------------

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
[[nodiscard]] constexpr Face face(double nx, double ny, double nz, double distance_m) noexcept {
  return {{nx, ny, nz}, distance_m};
}
template <class... Faces>
[[nodiscard]] constexpr std::array<Face, sizeof...(Faces)> faces(const Faces&... each) noexcept {
  return {{each...}};
}

// Everything below the plane z = 0 of its frame.
template <class... Words>
[[nodiscard]] constexpr auto half_space(std::string_view name, const Words&... words) noexcept {
  return detail::surface(name, HalfSpace{}, words...);
}
// About the origin of its frame: needs size(x, y, z).
template <class... Words>
[[nodiscard]] constexpr auto box(std::string_view name, const Words&... words) noexcept {
  return detail::surface(name, BoxSolid{}, words...);
}
// polyhedron("wedge", faces(face(0, 0, -1, 0), face(0.6, 0, 0.8, 0.1), ...), ...)
template <std::size_t N, class... Words>
[[nodiscard]] constexpr auto polyhedron(std::string_view name, const std::array<Face, N>& each,
                                        const Words&... words) noexcept {
  return detail::surface(name, PolyhedronSolid<N>{each}, words...);
}
// Everything below a height function: terrain<Hills>("hills", ...), see contact/solid.hpp.
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

// The index of a surface; -1 if there is none of that name.
template <class... Solids>
[[nodiscard]] constexpr int find_surface(const Environment<Solids...>& e, std::string_view name) noexcept {
  int found = -1;
  for_each_surface(e.surfaces, [&](const auto& s, int index) {
    if (found < 0 && s.name == name) found = index;
  });
  return found;
}

// ---- rules ------------------------------------------------------------------------------------------------------------------

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
  }
  return "unknown rule";
}

struct EnvironmentVerdict {
  EnvironmentRule rule{EnvironmentRule::none};
  int index{-1};  // of the surface
  [[nodiscard]] constexpr bool ok() const noexcept { return rule == EnvironmentRule::none; }
};

namespace detail {

[[nodiscard]] constexpr EnvironmentRule broken_rule(const Material& m) noexcept {
  if (!sane(m.static_friction) || !sane(m.kinetic_friction) || !sane(m.compensation_per_s) || !sane(m.relaxation) ||
      !sane(m.restitution) || !sane(m.spring_N_per_m / 1e3) || !sane(m.damper_Ns_per_m) || !sane(m.membrane_m))
    return EnvironmentRule::values_sane;
  if (m.static_friction < 0 || m.kinetic_friction < 0) return EnvironmentRule::friction_not_negative;
  if (m.static_friction < m.kinetic_friction) return EnvironmentRule::static_not_below_kinetic;
  if (!(m.relaxation > 0)) return EnvironmentRule::relaxation_positive;
  if (m.compensation_per_s < 0) return EnvironmentRule::compensation_not_negative;
  if (m.restitution < 0 || m.restitution > 1) return EnvironmentRule::restitution_up_to_one;
  if (m.spring_N_per_m < 0 || m.damper_Ns_per_m < 0 || m.membrane_m < 0) return EnvironmentRule::elastic_not_negative;
  return EnvironmentRule::none;
}

template <class Solid>
[[nodiscard]] constexpr EnvironmentRule broken_rule_of_solid(const Solid& /*solid*/) noexcept {
  return EnvironmentRule::none;
}
[[nodiscard]] constexpr EnvironmentRule broken_rule_of_solid(const BoxSolid& s) noexcept {
  if (!sane(s.half_m)) return EnvironmentRule::values_sane;
  return s.half_m.x > 0 && s.half_m.y > 0 && s.half_m.z > 0 ? EnvironmentRule::none : EnvironmentRule::size_positive;
}
template <std::size_t N>
[[nodiscard]] constexpr EnvironmentRule broken_rule_of_solid(const PolyhedronSolid<N>& s) noexcept {
  for (const Face& f : s.faces) {
    if (!sane(f.normal) || !sane(f.distance)) return EnvironmentRule::values_sane;
    if (!near(dot(f.normal, f.normal), 1)) return EnvironmentRule::normals_unit;
  }
  return EnvironmentRule::none;
}

template <class Solid>
[[nodiscard]] constexpr EnvironmentRule broken_rule(const Surface<Solid>& s) noexcept {
  if (!sane(s.position_m) || !sane(s.conveyor_mps) || !sane(s.rotation.row_x) || !sane(s.rotation.row_y) ||
      !sane(s.rotation.row_z))
    return EnvironmentRule::values_sane;
  if (!is_rotation(s.rotation)) return EnvironmentRule::rotation_orthonormal;
  for (const Material& m : s.materials)
    if (const EnvironmentRule rule = broken_rule(m); rule != EnvironmentRule::none) return rule;
  if (s.has_bad_kind || (s.touched_by & ((1U << static_cast<unsigned>(kKinds)) - 1U)) == 0)
    return EnvironmentRule::touched_by_a_kind;
  if (s.is_moving && s.link_name != "world") return EnvironmentRule::moves_in_world;
  return broken_rule_of_solid(s.solid);
}

}  // namespace detail

// Which rule is broken first, and by which surface.
template <class... Solids>
[[nodiscard]] constexpr EnvironmentVerdict validate(const Environment<Solids...>& e) noexcept {
  EnvironmentVerdict verdict{};
  for_each_surface(e.surfaces, [&](const auto& s, int index) {
    if (!verdict.ok()) return;
    if (const EnvironmentRule rule = detail::broken_rule(s); rule != EnvironmentRule::none) verdict = {rule, index};
    if (verdict.ok() && !s.name.empty() && find_surface(e, s.name) != index)
      verdict = {EnvironmentRule::name_unique, index};
  });
  return verdict;
}

// The same for the links that surfaces sit on.
template <int Links, int Points, class... Solids>
[[nodiscard]] constexpr EnvironmentVerdict validate(const Environment<Solids...>& e,
                                                    const Robot<Links, Points>& robot) noexcept {
  EnvironmentVerdict verdict = validate(e);
  for_each_surface(e.surfaces, [&](const auto& s, int index) {
    if (verdict.ok() && find_link(robot, s.link_name) == kUnknownParent)
      verdict = {EnvironmentRule::surface_on_known_link, index};
  });
  return verdict;
}

// Instantiated with the verdict on a constexpr environment: the compiler's message then shows the sentence, and the surface's
// index in "EnvironmentKeepsItsRules<world, index, …>".
template <const auto& World, int IndexOfSurface, EnvironmentRule Broken>
struct EnvironmentKeepsItsRules {
  static_assert(Broken != EnvironmentRule::values_sane,
                "kinecast: a value of the environment is NaN, infinite or beyond a million");
  static_assert(Broken != EnvironmentRule::name_unique, "kinecast: two surfaces have the same name");
  static_assert(Broken != EnvironmentRule::rotation_orthonormal,
                "kinecast: a surface's rotation is not a right-handed rotation matrix");
  static_assert(Broken != EnvironmentRule::friction_not_negative, "kinecast: a coefficient of friction is negative");
  static_assert(Broken != EnvironmentRule::static_not_below_kinetic,
                "kinecast: a static coefficient of friction is below the kinetic one");
  static_assert(Broken != EnvironmentRule::relaxation_positive,
                "kinecast: a relaxation is not positive: without it the forces of many contacts are not unique");
  static_assert(Broken != EnvironmentRule::compensation_not_negative, "kinecast: a compensation is negative");
  static_assert(Broken != EnvironmentRule::restitution_up_to_one, "kinecast: a restitution is not between 0 and 1");
  static_assert(Broken != EnvironmentRule::elastic_not_negative, "kinecast: a spring, damper or membrane is negative");
  static_assert(Broken != EnvironmentRule::size_positive, "kinecast: a box has no size");
  static_assert(Broken != EnvironmentRule::normals_unit, "kinecast: a face's normal does not have length one");
  static_assert(Broken != EnvironmentRule::moves_in_world,
                "kinecast: a surface on a link moves with it: moves() is for surfaces in the world");
  static_assert(Broken != EnvironmentRule::touched_by_a_kind,
                "kinecast: no kind of contact point can touch a surface, or a kind is not one of 0 to 7");
  static_assert(Broken != EnvironmentRule::surface_on_known_link, "kinecast: a surface sits on an unknown link");
  static constexpr bool kValue = Broken == EnvironmentRule::none;
};

template <const auto& World, const auto& R>
inline constexpr bool kEnvironmentIsValid =
    EnvironmentKeepsItsRules<World, validate(World, R).index, validate(World, R).rule>::kValue;

}  // namespace kinecast
