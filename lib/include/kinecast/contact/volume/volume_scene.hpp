// SPDX-License-Identifier: MIT
// A scene whose surfaces touch each other as solids: flat tables of their polyhedra, and the pairs that can meet. A
// pair has a solid A, on a link, that is cut, and a solid B that cuts it: the one in the world, or of two on links the
// one that was written first. Surfaces on the same body, on a body and its parent, or on two bodies of the world never
// meet, nor do those that touched_by() keeps apart. The material of a pair is what B says of A's kind.
#pragma once

#include <kinecast/contact/volume/convex_view.hpp>
#include <kinecast/contact/volume/intersection.hpp>
#include <kinecast/model/environment/convex.hpp>
#include <kinecast/model/environment/scene.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// A surface's polyhedron: where it sits, and where its numbers begin in the tables.
template <class S>
struct VolumeShape {
  std::int16_t body{kWorld};
  std::int16_t moving{-1};
  Placement<S> placement{};
  Vec3<S> conveyor{};
  Bounds<S> bounds{};  // not used for a half-space
  std::uint16_t vertex{0};
  std::uint16_t face{0};
  std::uint16_t loop{0};
  std::uint16_t start{0};
  std::uint8_t vertices{0};
  std::uint8_t faces{0};
  std::uint8_t kind{0};

  [[nodiscard]] constexpr bool is_half_space() const noexcept { return vertices == 0; }
};

struct VolumePair {
  std::int16_t a{-1};
  std::int16_t b{-1};
};

namespace detail {

struct VolumeSizes {
  int vertices{0};
  int faces{0};
  int loops{0};
  int starts{0};
  bool all_are_polyhedra{true};
  bool half_spaces_stand{true};
};
template <const auto& World>
[[nodiscard]] constexpr VolumeSizes count_volumes() noexcept {
  VolumeSizes n{};
  for_each_surface(World.surfaces, [&](const auto& s, int /*index*/) {
    constexpr PolyhedronSize kSize = std::remove_cv_t<std::remove_reference_t<decltype(s.solid)>>::kPolyhedron;
    n.all_are_polyhedra = n.all_are_polyhedra && kSize.is_convex_polyhedron();
    n.half_spaces_stand = n.half_spaces_stand && (kSize.vertices > 0 || s.link_name == "world");
    n.vertices += kSize.vertices;
    n.faces += kSize.faces;
    n.loops += kSize.corners;
    n.starts += kSize.faces + 1;
  });
  return n;
}

// The body of a surface by its link's name.
template <const auto& R>
[[nodiscard]] constexpr int body_of(std::string_view link_name) noexcept {
  const int link = find_link(R, link_name);
  return link >= 0 ? Shape<R>::body_of_link(link) : kWorld;
}
template <const auto& R>
[[nodiscard]] constexpr bool can_meet(int a, int b) noexcept {
  if (a == b) return false;
  if (a == kWorld || b == kWorld) return true;
  return Shape<R>::index(a).parent != b && Shape<R>::index(b).parent != a;
}

// The number of pairs that the bodies allow, the largest number of faces of a pair, and how many bodies can be loaded.
struct PairSizes {
  int pairs{0};
  int faces{0};
  int bodies{0};
};
template <const auto& R, const auto& World>
[[nodiscard]] constexpr PairSizes count_pairs() noexcept {
  PairSizes n{};
  bool is_loaded[static_cast<std::size_t>(Shape<R>::kBodies)] = {};
  for_each_surface(World.surfaces, [&](const auto& a, int at) {
    constexpr PolyhedronSize kA = std::remove_cv_t<std::remove_reference_t<decltype(a.solid)>>::kPolyhedron;
    const int body = body_of<R>(a.link_name);
    if (body >= 0 && !is_loaded[body]) {
      is_loaded[body] = true;
      ++n.bodies;
    }
    for_each_surface(World.surfaces, [&](const auto& b, int other) {
      constexpr PolyhedronSize kB = std::remove_cv_t<std::remove_reference_t<decltype(b.solid)>>::kPolyhedron;
      if (other >= at || !can_meet<R>(body, body_of<R>(b.link_name))) return;
      ++n.pairs;
      n.faces = kA.faces + kB.faces > n.faces ? kA.faces + kB.faces : n.faces;
    });
  });
  return n;
}

}  // namespace detail

template <const auto& R, const auto& World, class S>
struct VolumeScene : Scene<R, World, S> {
  static constexpr detail::VolumeSizes kSizes = detail::count_volumes<World>();
  static_assert(kSizes.all_are_polyhedra,
                "kinecast: volume contact takes half spaces, boxes, wedges, prisms and convex(): not terrain, nor "
                "faces without vertices");
  static_assert(kSizes.half_spaces_stand,
                "kinecast: in volume contact a half space stands in the world, not on a link");
  static constexpr detail::PairSizes kPairSizes = detail::count_pairs<R, World>();
  static_assert(kPairSizes.pairs > 0,
                "kinecast: no two surfaces can meet: put one on a link that moves, with on(\"link\")");
  static constexpr int kMostFaces = kPairSizes.faces;
  template <class T, int Size>
  using Table = std::array<T, static_cast<std::size_t>(Size)>;

  Table<VolumeShape<S>, World.kSurfaces> shapes{};
  Table<Vec3<S>, kSizes.vertices> vertices{};
  Table<Vec3<S>, kSizes.faces> normals{};
  Table<S, kSizes.faces> distances{};
  Table<std::uint8_t, kSizes.loops> loops{};
  Table<std::uint8_t, kSizes.starts> starts{};
  Table<VolumePair, kPairSizes.pairs> pairs{};
  int pair_count{0};

  [[nodiscard]] ConvexView<S> view(const VolumeShape<S>& shape) const noexcept {
    return {vertices.data() + shape.vertex,
            normals.data() + shape.face,
            distances.data() + shape.face,
            loops.data() + shape.loop,
            starts.data() + shape.start,
            shape.vertices,
            shape.faces};
  }
};

namespace detail {

template <class S>
[[nodiscard]] constexpr Bounds<S> bounds_of(const Vec3<S>* vertices, int count) noexcept {
  Vec3<S> low = vertices[0];
  Vec3<S> high = vertices[0];
  const auto smaller = [](S x, S y) { return x < y ? x : y; };
  const auto larger = [](S x, S y) { return x > y ? x : y; };
  for (int i = 1; i < count; ++i) {
    const Vec3<S>& v = vertices[i];
    low = {smaller(low.x, v.x), smaller(low.y, v.y), smaller(low.z, v.z)};
    high = {larger(high.x, v.x), larger(high.y, v.y), larger(high.z, v.z)};
  }
  return {S(0.5) * (low + high), S(0.5) * (high - low)};
}

template <const auto& R, const auto& World, class S, class WorldValues>
constexpr void fill_volumes(const WorldValues& world, VolumeScene<R, World, S>& out) noexcept {
  int vertex = 0;
  int face = 0;
  int loop = 0;
  int start = 0;
  std::uint32_t touched_by[static_cast<std::size_t>(World.kSurfaces)] = {};
  for_each_surface(world.surfaces, [&](const auto& from, int index) {
    constexpr PolyhedronSize kSize = std::remove_cv_t<std::remove_reference_t<decltype(from.solid)>>::kPolyhedron;
    VolumeShape<S>& shape = out.shapes[static_cast<std::size_t>(index)];
    for_each_surface(out.surfaces, [&](const auto& placed, int other) {
      if (other != index) return;
      shape.body = static_cast<std::int16_t>(placed.body);
      shape.moving = static_cast<std::int16_t>(placed.moving);
      shape.placement = placed.placement;
      shape.conveyor = placed.conveyor;
    });
    shape.vertex = static_cast<std::uint16_t>(vertex);
    shape.face = static_cast<std::uint16_t>(face);
    shape.loop = static_cast<std::uint16_t>(loop);
    shape.start = static_cast<std::uint16_t>(start);
    shape.vertices = static_cast<std::uint8_t>(kSize.vertices);
    shape.faces = static_cast<std::uint8_t>(kSize.faces);
    shape.kind = static_cast<std::uint8_t>(from.kind);
    write_tables(from.solid,
                 PolyhedronTables<S>{out.vertices.data() + vertex, out.normals.data() + face,
                                     out.distances.data() + face, out.loops.data() + loop, out.starts.data() + start});
    if constexpr (kSize.vertices > 0) shape.bounds = bounds_of(out.vertices.data() + vertex, kSize.vertices);
    vertex += kSize.vertices;
    face += kSize.faces;
    loop += kSize.corners;
    start += kSize.faces + 1;
    touched_by[index] = from.touched_by;
  });
  out.pair_count = 0;
  const auto lets = [&](int a, int b) {
    return (touched_by[a] >> out.shapes[static_cast<std::size_t>(b)].kind & 1U) != 0;
  };
  for (int i = 0; i < World.kSurfaces; ++i) {
    for (int j = 0; j < i; ++j) {
      const int body = out.shapes[static_cast<std::size_t>(i)].body;
      if (!can_meet<R>(body, out.shapes[static_cast<std::size_t>(j)].body) || !lets(i, j) || !lets(j, i)) continue;
      const bool is_fixed = body == kWorld;
      out.pairs[static_cast<std::size_t>(out.pair_count++)] = {static_cast<std::int16_t>(is_fixed ? j : i),
                                                               static_cast<std::int16_t>(is_fixed ? i : j)};
    }
  }
}

// Adds the volumes of an environment to the scene of its surfaces.
template <const auto& R, const auto& World, class S, class WorldValues>
[[nodiscard]] constexpr VolumeScene<R, World, S> with_volumes(const WorldValues& world,
                                                              const Scene<R, World, S>& surfaces) noexcept {
  VolumeScene<R, World, S> s{surfaces};
  fill_volumes<R, World, S>(world, s);
  return s;
}

}  // namespace detail

// The scene with the values that were written, in flash.
template <const auto& R, const auto& World, class S>
inline constexpr VolumeScene<R, World, S> volume_scene =
    detail::with_volumes<R, World, S>(World, detail::compile_scene<R, World, S>());

// Builds the scene with other values, as build_scene() of the point models does.
template <const auto& R, const auto& World, class S, class RobotValues, class WorldValues>
[[nodiscard]] constexpr Status build_scene(const RobotValues& robot, const WorldValues& world,
                                           VolumeScene<R, World, S>& out) noexcept {
  Scene<R, World, S> surfaces{};
  if (const Status status = build_scene<R, World, S>(robot, world, surfaces); !ok(status)) return status;
  out = detail::with_volumes<R, World, S>(world, surfaces);
  return Status::ok;
}

}  // namespace kinecast
