// SPDX-License-Identifier: MIT
// The solids that a contact point can touch, each in its own frame, and the one question they answer: how far outside
// is a point, and which way is out? Half-space (everything below z = 0), box about the origin, convex polyhedron given
// by its faces, and everything below a height function of the user's. (Polyhedra with vertices:
// model/environment/convex.hpp.)
//
// A point inside a box is pushed out through the nearest of the faces that its own body lies in front of: a corner
// exactly on the rim of a box of equal width is then held from below and not pushed aside (method 15, aligned stacks).
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/math/vec3.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace kinecast {

// The gap is the distance to the surface along the normal, negative inside; the normal is a unit vector out of the
// solid.
template <class S>
struct Closest {
  S gap;
  Vec3<S> normal;
};

// A face has a normal (unit, outward) and a distance of its plane from the origin: the solid is normal . x <= distance.
struct Face {
  Vec3<double> normal;
  double distance;
};

// How large a solid is as a convex polyhedron whose vertices are known, for volume contact. No face: it is none, and
// has no volume to intersect. A half-space has one face and no vertex: it cuts, and is never cut.
struct PolyhedronSize {
  int vertices{0};
  int faces{0};
  int corners{0};  // corners of the loops of all faces together
  [[nodiscard]] constexpr bool is_convex_polyhedron() const noexcept { return faces > 0; }
};

struct HalfSpace {
  static constexpr PolyhedronSize kPolyhedron{0, 1, 0};
  template <class S>
  struct Solid {
    static constexpr bool kIsPlane = true;
    // The gap here, less r, bounds the gaps of all points within r of here.
    static constexpr bool kGapIsBound = true;
    [[nodiscard]] Closest<S> closest(const Vec3<S>& p, const Vec3<S>& /*inner*/) const noexcept {
      return {p.z, {S(0), S(0), S(1)}};
    }
  };
  template <class S>
  [[nodiscard]] constexpr Solid<S> solid() const noexcept {
    return {};
  }
};

namespace detail {

// Chooses the face through which a point leaves a solid: of those that `inner`, a point of the touching body's inside,
// lies in front of, the one with the largest gap; if there is none, of all faces. Outside of the solid the gap is the
// largest of all faces, a lower bound of the distance.
template <class S>
struct FaceChoice {
  Closest<S> facing{-Tolerance<S>::kLargestInput, {}};
  Closest<S> any{-Tolerance<S>::kLargestInput, {}};
  [[gnu::always_inline]] void see(S gap, const Vec3<S>& normal, bool is_facing) noexcept {
    if (gap > any.gap) any = {gap, normal};
    if (is_facing && gap > facing.gap) facing = {gap, normal};
  }
  // A point counts as inside up to `rim` outside of a face that is not its way out.
  [[nodiscard]] Closest<S> choose(S rim) const noexcept {
    const bool none = !(facing.gap > -Tolerance<S>::kLargestInput);
    return none || any.gap > rim ? any : facing;
  }
};

}  // namespace detail

struct BoxSolid {
  static constexpr PolyhedronSize kPolyhedron{8, 6, 24};
  Vec3<double> half_m{};
  template <class S>
  struct Solid {
    static constexpr bool kIsPlane = false;
    static constexpr bool kGapIsBound = true;
    Vec3<S> half{};
    [[nodiscard]] Closest<S> closest(const Vec3<S>& p, const Vec3<S>& inner) const noexcept {
      detail::FaceChoice<S> choice;
      const auto pair = [&](S x, S in, S extent, const Vec3<S>& axis) {
        choice.see(x - extent, axis, in > x);
        choice.see(-x - extent, -axis, in < x);
      };
      pair(p.x, inner.x, half.x, {S(1), S(0), S(0)});
      pair(p.y, inner.y, half.y, {S(0), S(1), S(0)});
      pair(p.z, inner.z, half.z, {S(0), S(0), S(1)});
      return choice.choose(Tolerance<S>::kRim);
    }
  };
  template <class S>
  [[nodiscard]] constexpr Solid<S> solid() const noexcept {
    return {half_m.cast<S>()};
  }
};

template <std::size_t Faces>
struct PolyhedronSolid {
  static constexpr PolyhedronSize kPolyhedron{};
  std::array<Face, Faces> faces{};
  template <class S>
  struct Solid {
    static constexpr bool kIsPlane = false;
    static constexpr bool kGapIsBound = true;
    std::array<Vec3<S>, Faces> normals{};
    std::array<S, Faces> distances{};
    [[nodiscard]] Closest<S> closest(const Vec3<S>& p, const Vec3<S>& inner) const noexcept {
      detail::FaceChoice<S> choice;
      for (std::size_t i = 0; i < Faces; ++i) {
        const S height = dot(normals[i], p);
        choice.see(height - distances[i], normals[i], dot(normals[i], inner) > height);
      }
      return choice.choose(Tolerance<S>::kRim);
    }
  };
  template <class S>
  [[nodiscard]] constexpr Solid<S> solid() const noexcept {
    Solid<S> s{};
    for (std::size_t i = 0; i < Faces; ++i) {
      s.normals[i] = faces[i].normal.template cast<S>();
      s.distances[i] = static_cast<S>(faces[i].distance);
    }
    return s;
  }
};

// Height is a type with `template <class S> static S height(S x, S y) noexcept`. Central differences over a millimetre
// to each side give the normal. A NaN of the user's becomes a NaN gap, and that a Status (contact/detection.hpp).
template <class Height>
struct HeightSolid {
  static constexpr PolyhedronSize kPolyhedron{};
  template <class S>
  struct Solid {
    static constexpr bool kIsPlane = false;
    static constexpr bool kGapIsBound = false;
    [[nodiscard]] Closest<S> closest(const Vec3<S>& p, const Vec3<S>& /*inner*/) const noexcept {
      constexpr S kReach = Tolerance<S>::kSlopeReach;
      const S slope_x =
          (Height::template height<S>(p.x + kReach, p.y) - Height::template height<S>(p.x - kReach, p.y)) *
          (S(0.5) / kReach);
      const S slope_y =
          (Height::template height<S>(p.x, p.y + kReach) - Height::template height<S>(p.x, p.y - kReach)) *
          (S(0.5) / kReach);
      const S up = S(1) / std::sqrt(S(1) + slope_x * slope_x + slope_y * slope_y);
      return {(p.z - Height::template height<S>(p.x, p.y)) * up, {-slope_x * up, -slope_y * up, up}};
    }
  };
  template <class S>
  [[nodiscard]] constexpr Solid<S> solid() const noexcept {
    return {};
  }
};

// Gives two unit tangents with (t2, t3, n) right-handed, for any unit n, without a division by anything small
// (Duff et al., Building an Orthonormal Basis, Revisited, 2017). For n = z they are x and y.
template <class S>
struct Tangents {
  Vec3<S> t2;
  Vec3<S> t3;
};
template <class S>
[[nodiscard, gnu::always_inline]] inline Tangents<S> tangents_of(const Vec3<S>& n) noexcept {
  const S sign = std::copysign(S(1), n.z);
  const S a = S(-1) / (sign + n.z);
  const S b = n.x * n.y * a;
  return {{S(1) + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

}  // namespace kinecast
