// SPDX-License-Identifier: MIT
// The numbers that contact reads, for one robot in one environment, in the frames of model/frames.hpp. The compiler
// computes `scene<arm, world, float>`, which lives in flash; build_scene() makes one from other values at run time.
#pragma once

#include <kinecast/core/constexpr_math.hpp>
#include <kinecast/core/scalar.hpp>
#include <kinecast/model/environment/environment.hpp>
#include <kinecast/model/environment/material.hpp>
#include <kinecast/model/environment/solid.hpp>
#include <kinecast/model/model.hpp>

#include <cstdint>
#include <tuple>

namespace kinecast {

template <class S, class Solid>
struct SurfaceConstants {
  using Shape = typename Solid::template Solid<S>;
  int body{kWorld};          // body that carries the surface
  int moving{-1};            // index among the moving surfaces
  Placement<S> placement{};  // placement in the body's frame, or in the world
  Shape solid{};
  Vec3<S> conveyor{};
  std::uint32_t touched_by{};
};

// The contact points of one body, and a sphere about them.
template <class S>
struct PointGroup {
  int body{kWorld};
  int first{0};  // index of its first point in Scene::order
  int count{0};
  Vec3<S> center{};
  S radius{};
  Vec3<S> inner{};  // the body's centre of mass: a point of its inside
};

// Tells whether a body has contact points.
template <const auto& R>
[[nodiscard]] constexpr bool has_points(int body) noexcept {
  for (int i = 0; i < R.kPoints; ++i)
    if (R.point(i).link >= 0 && Shape<R>::body_of_link(R.point(i).link) == body) return true;
  return false;
}

namespace detail {

template <const auto& R>
[[nodiscard]] constexpr int count_groups() noexcept {
  int groups = 0;
  for (int b = 0; b < Shape<R>::kBodies; ++b) groups += has_points<R>(b) ? 1 : 0;
  return groups;
}
template <const auto& R, const auto& World>
[[nodiscard]] constexpr int count_kinds() noexcept {
  int largest = 0;
  for (int i = 0; i < R.kPoints; ++i) largest = R.point(i).kind > largest ? R.point(i).kind : largest;
  for_each_surface(World.surfaces,
                   [&](const auto& s, int /*index*/) { largest = s.kind > largest ? s.kind : largest; });
  return largest + 1;
}
template <const auto& World>
[[nodiscard]] constexpr int count_moving() noexcept {
  int count = 0;
  for_each_surface(World.surfaces, [&](const auto& s, int /*index*/) { count += s.is_moving ? 1 : 0; });
  return count;
}
// Tells whether a surface sits on a link: its body moves too.
template <const auto& World>
[[nodiscard]] constexpr bool any_on_links() noexcept {
  bool any = false;
  for_each_surface(World.surfaces, [&](const auto& s, int /*index*/) { any = any || s.link_name != "world"; });
  return any;
}
template <const auto& World>
[[nodiscard]] constexpr bool any_conveyor() noexcept {
  bool any = false;
  for_each_surface(World.surfaces,
                   [&](const auto& s, int /*index*/) { any = any || dot(s.conveyor_mps, s.conveyor_mps) > 0; });
  return any;
}
template <const auto& R>
[[nodiscard]] constexpr bool any_sphere() noexcept {
  for (int i = 0; i < R.kPoints; ++i)
    if (R.point(i).radius_m > 0) return true;
  return false;
}

template <class S, class E>
struct SurfaceTuple;
template <class S, class... Solids>
struct SurfaceTuple<S, Environment<Solids...>> {
  using Type = std::tuple<SurfaceConstants<S, Solids>...>;
};

}  // namespace detail

template <const auto& R, const auto& World, class S>
struct Scene {
  static_assert(kEnvironmentIsValid<World, R>);
  using Shape = kinecast::Shape<R>;
  using Scalar = S;
  static constexpr int kSurfaces = World.kSurfaces;
  static constexpr int kGroups = detail::count_groups<R>();
  static constexpr int kKindsUsed = detail::count_kinds<R, World>();
  static constexpr int kMoving = detail::count_moving<World>();
  static constexpr bool kHasLinkSurfaces = detail::any_on_links<World>();
  static constexpr bool kHasConveyor = detail::any_conveyor<World>();
  static constexpr bool kMoves = kMoving > 0 || kHasConveyor;
  static constexpr bool kHasSpheres = detail::any_sphere<R>();

  typename detail::SurfaceTuple<S, std::remove_cv_t<std::remove_reference_t<decltype(World)>>>::Type surfaces{};
  std::array<std::array<MaterialConstants<S>, static_cast<std::size_t>(kKindsUsed)>,
             static_cast<std::size_t>(kSurfaces)>
      materials{};
  std::array<PointGroup<S>, static_cast<std::size_t>(kGroups)> groups{};
  std::array<std::int16_t, static_cast<std::size_t>(Shape::kPoints)> order{};  // the points, body by body

  [[nodiscard]] constexpr const MaterialConstants<S>& material(int surface, int kind) const noexcept {
    return materials[static_cast<std::size_t>(surface)][static_cast<std::size_t>(kind)];
  }
};

namespace detail {

template <const auto& R, const auto& World, class S, class RobotValues, class WorldValues>
constexpr void fill_scene(const RobotValues& robot, const WorldValues& world, const Model<R, double>& exact,
                          Scene<R, World, S>& out) noexcept {
  using Scene = kinecast::Scene<R, World, S>;
  using Shape = kinecast::Shape<R>;
  const auto constants = [&](auto& to, const auto& from, int index, int& moving) {
    const int link = find_link(robot, from.link_name);
    Placement<double> placement{from.rotation, from.position_m};
    to.body = kWorld;
    if (link >= 0) {
      to.body = Shape::body_of_link(link);
      placement = exact.link_frames[static_cast<std::size_t>(link)] * placement;
    }
    to.moving = from.is_moving ? moving++ : -1;
    to.placement = placement.template cast<S>();
    to.solid = from.solid.template solid<S>();
    to.conveyor = from.conveyor_mps.template cast<S>();
    to.touched_by = from.touched_by;
    for (int kind = 0; kind < Scene::kKindsUsed; ++kind)
      out.materials[static_cast<std::size_t>(index)][static_cast<std::size_t>(kind)] =
          constants_of<S>(from.materials[static_cast<std::size_t>(kind)]);
  };
  int moving = 0;
  std::apply(
      [&](auto&... to) {
        std::apply(
            [&](const auto&... from) {
              int index = 0;
              ((constants(to, from, index, moving), ++index), ...);
            },
            world.surfaces);
      },
      out.surfaces);

  int group = 0;
  int next = 0;
  for (int b = 0; b < Shape::kBodies; ++b) {
    PointGroup<S> g{};
    g.body = b;
    g.first = next;
    Vec3<double> low{1e9, 1e9, 1e9};
    Vec3<double> high{-1e9, -1e9, -1e9};
    for (int i = 0; i < Shape::kPoints; ++i) {
      const PointOnBody<double>& p = exact.points[static_cast<std::size_t>(i)];
      if (p.body != b) continue;
      out.order[static_cast<std::size_t>(next++)] = static_cast<std::int16_t>(i);
      ++g.count;
      const auto smaller = [](double x, double y) { return x < y ? x : y; };
      const auto larger = [](double x, double y) { return x > y ? x : y; };
      low = {smaller(low.x, p.position.x), smaller(low.y, p.position.y), smaller(low.z, p.position.z)};
      high = {larger(high.x, p.position.x), larger(high.y, p.position.y), larger(high.z, p.position.z)};
    }
    if (g.count == 0) continue;
    const Vec3<double> center = 0.5 * (low + high);
    double radius = 0;
    for (int i = 0; i < Shape::kPoints; ++i) {
      const PointOnBody<double>& p = exact.points[static_cast<std::size_t>(i)];
      if (p.body != b) continue;
      const Vec3<double> arm = p.position - center;
      const double reach = constant::sqrt(dot(arm, arm)) + exact.skins[static_cast<std::size_t>(i)].radius;
      radius = reach > radius ? reach : radius;
    }
    const RigidInertia<double>& body = exact.joint(b).inertia;
    g.center = center.template cast<S>();
    g.radius = static_cast<S>(radius * (1 + Tolerance<double>::kRadiusMargin));  // not below the exact one when rounded
    g.inner = body.mass > 0 ? ((1 / body.mass) * body.first_moment).template cast<S>() : g.center;
    out.groups[static_cast<std::size_t>(group++)] = g;
  }
}

template <const auto& R, const auto& World, class S>
[[nodiscard]] constexpr Scene<R, World, S> compile_scene() noexcept {
  Scene<R, World, S> s{};
  fill_scene<R, World, S>(R, World, compile_model<R, double>(), s);
  return s;
}

}  // namespace detail

// The scene of robot and environment as they were written, in flash.
template <const auto& R, const auto& World, class S>
inline constexpr Scene<R, World, S> scene = detail::compile_scene<R, World, S>();

// Builds the scene with other numbers: placements, sizes, materials; also of a robot that build_model() took. Which
// surface sits on which link, which ones move, and whether any is a conveyor must stay as compiled. Otherwise, or if a
// rule is broken, it gives invalid_model and leaves `out` untouched.
template <const auto& R, const auto& World, class S, class RobotValues, class WorldValues>
[[nodiscard]] constexpr Status build_scene(const RobotValues& robot, const WorldValues& world,
                                           Scene<R, World, S>& out) noexcept {
  if (!validate(world, robot).ok()) return Status::invalid_model;
  bool is_same = true;
  for_each_surface(world.surfaces, [&](const auto& s, int index) {
    for_each_surface(World.surfaces, [&](const auto& compiled, int other) {
      if (index == other && (s.link_name != compiled.link_name || s.is_moving != compiled.is_moving)) is_same = false;
      if (s.kind >= Scene<R, World, S>::kKindsUsed) is_same = false;
      if (!Scene<R, World, S>::kHasConveyor && dot(s.conveyor_mps, s.conveyor_mps) > 0) is_same = false;
    });
  });
  if (!is_same) return Status::invalid_model;
  Model<R, double> exact{};
  if (const Status status = build_model<R, double>(robot, exact); !ok(status)) return status;
  Scene<R, World, S> result{};
  detail::fill_scene<R, World, S>(robot, world, exact, result);
  out = result;
  return Status::ok;
}

}  // namespace kinecast
