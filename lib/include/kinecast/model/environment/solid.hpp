// SPDX-License-Identifier: MIT
// The solids that a contact point can touch, each in its own frame, and the one question they answer: how far outside
// is a point, and which way is out? Half-space (everything below z = 0), box about the origin, convex polyhedron given
// by its faces, and everything below a height function of the user's. (Polyhedra with vertices:
// model/environment/convex.hpp.)
//
// A box or polyhedron pushes a point out of the face through which the point came (method 2.1): entry_face() finds that
// face from the way of the point relative to the solid, and the contact's record keeps it until is_beside() says that
// the point left the face over its rim. closest() is for points without a history, inside of the solid from the start:
// it takes the nearest of the faces that the point's own body lies in front of. A corner exactly on the rim of a box of
// equal width is held from below and not pushed aside (method 15, aligned stacks).
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/math/vec3.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// The number of a face in its solid is a byte; this byte is not the number of any.
inline constexpr std::uint8_t kNoFace = 255;

// The gap is the distance to the surface along the normal, negative inside; the normal is a unit vector out of the
// solid. Boxes and polyhedra give the number of the face, too.
template <class S>
struct Closest {
  S gap;
  Vec3<S> normal;
  std::uint8_t face{kNoFace};
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
    static constexpr int kFaces = 0;  // number of faces among which detection chooses
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
  [[gnu::always_inline]] void see(S gap, const Vec3<S>& normal, std::uint8_t face, bool is_facing) noexcept {
    if (gap > any.gap) any = {gap, normal, face};
    if (is_facing && gap > facing.gap) facing = {gap, normal, face};
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
    static constexpr int kFaces = 6;  // +x, -x, +y, -y, +z, -z
    Vec3<S> half{};
    // The component of a vector along the outward normal of a face.
    [[nodiscard, gnu::always_inline]] S height(int face, const Vec3<S>& v) const noexcept {
      const S along = coordinate(face, v);
      return (face & 1) != 0 ? -along : along;
    }
    [[nodiscard, gnu::always_inline]] S distance(int face) const noexcept { return coordinate(face, half); }
    [[nodiscard]] Vec3<S> normal(int face) const noexcept {
      const S sign = (face & 1) != 0 ? S(-1) : S(1);
      return {face < 2 ? sign : S(0), face >= 2 && face < 4 ? sign : S(0), face >= 4 ? sign : S(0)};
    }
    // Tells whether a point is farther than `limit` outside of a face that is neither this one nor its opposite.
    [[nodiscard]] bool is_beside(int face, const Vec3<S>& p, S limit) const noexcept {
      const int axis = face / 2;
      return (axis != 0 && std::abs(p.x) - half.x > limit) || (axis != 1 && std::abs(p.y) - half.y > limit) ||
             (axis != 2 && std::abs(p.z) - half.z > limit);
    }
    [[nodiscard]] static bool is_opposite(int face, int other) noexcept { return (face ^ 1) == other; }
    // The largest of the gaps of all faces: a lower bound of the distance from outside.
    [[nodiscard]] S largest_gap(const Vec3<S>& p) const noexcept {
      const S x = std::abs(p.x) - half.x;
      const S y = std::abs(p.y) - half.y;
      const S z = std::abs(p.z) - half.z;
      const S xy = x > y ? x : y;
      return xy > z ? xy : z;
    }
    [[nodiscard]] Closest<S> closest(const Vec3<S>& p, const Vec3<S>& inner) const noexcept {
      detail::FaceChoice<S> choice;
      const auto pair = [&](std::uint8_t face, S x, S in, S extent, const Vec3<S>& axis) {
        choice.see(x - extent, axis, face, in > x);
        choice.see(-x - extent, -axis, static_cast<std::uint8_t>(face + 1), in < x);
      };
      pair(0, p.x, inner.x, half.x, {S(1), S(0), S(0)});
      pair(2, p.y, inner.y, half.y, {S(0), S(1), S(0)});
      pair(4, p.z, inner.z, half.z, {S(0), S(0), S(1)});
      return choice.choose(Tolerance<S>::kRim);
    }

   private:
    [[nodiscard, gnu::always_inline]] static S coordinate(int face, const Vec3<S>& v) noexcept {
      return face < 2 ? v.x : face < 4 ? v.y : v.z;
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
    static_assert(Faces < kNoFace, "kinecast: faces are numbered in a byte");
    static constexpr int kFaces = static_cast<int>(Faces);
    std::array<Vec3<S>, Faces> normals{};
    std::array<S, Faces> distances{};
    [[nodiscard]] S height(int face, const Vec3<S>& v) const noexcept { return dot(normal(face), v); }
    [[nodiscard]] S distance(int face) const noexcept { return distances[static_cast<std::size_t>(face)]; }
    [[nodiscard]] const Vec3<S>& normal(int face) const noexcept { return normals[static_cast<std::size_t>(face)]; }
    [[nodiscard]] bool is_beside(int face, const Vec3<S>& p, S limit) const noexcept {
      for (int i = 0; i < kFaces; ++i)
        if (i != face && height(i, p) - distance(i) > limit && !is_opposite(face, i)) return true;
      return false;
    }
    [[nodiscard]] bool is_opposite(int face, int other) const noexcept {
      return dot(normal(face), normal(other)) < S(-1) + Tolerance<S>::kOpposite;
    }
    [[nodiscard]] S largest_gap(const Vec3<S>& p) const noexcept {
      S largest = -Tolerance<S>::kLargestInput;
      for (int i = 0; i < kFaces; ++i) {
        const S gap = height(i, p) - distance(i);
        if (gap > largest) largest = gap;
      }
      return largest;
    }
    [[nodiscard]] Closest<S> closest(const Vec3<S>& p, const Vec3<S>& inner) const noexcept {
      detail::FaceChoice<S> choice;
      for (std::size_t i = 0; i < Faces; ++i) {
        const S along = dot(normals[i], p);
        choice.see(along - distances[i], normals[i], static_cast<std::uint8_t>(i), dot(normals[i], inner) > along);
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
    static constexpr int kFaces = 0;
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

namespace detail {

// A point or sphere relative to a solid with faces, in the solid's frame. The faces are moved out by the radius.
// inner: a point of the inside of the touching body.
template <class Solid, class S>
struct PointAtSolid {
  const Solid& solid;
  Vec3<S> place;
  Vec3<S> inner;
  S radius;

  [[nodiscard, gnu::always_inline]] S gap(int face, const Vec3<S>& p) const noexcept {
    return solid.height(face, p) - solid.distance(face) - radius;
  }
  [[nodiscard]] Closest<S> at(int face) const noexcept {
    return {solid.height(face, place) - solid.distance(face), solid.normal(face), static_cast<std::uint8_t>(face)};
  }

  // Tells whether the point lies beside the solid, beyond the rim of a face that it touched. A point that was pressed
  // through a plate, out of its back, does not lie beside the face.
  [[nodiscard]] bool is_beside(int face) const noexcept {
    return solid.is_beside(face, place, radius + Tolerance<S>::kRim);
  }

  // The face by which the point enters the solid on the straight way from `from` to `from + way`: of the faces that it
  // crosses, the last one. kNoFace: it does not enter. `arrival`: gap below which a face counts as crossed.
  // At the crossing the point may be up to kRim outside of other faces. A face above which the point began by no more
  // than kRim counts only if there is no other, and one that `inner` lies in front of comes first: the side of a box
  // does not hold a corner that comes down along it, onto a box of equal width.
  [[nodiscard]] int entry_face(const Vec3<S>& from, const Vec3<S>& way, S arrival) const noexcept {
    constexpr S kRim = Tolerance<S>::kRim;
    int entry = kNoFace;
    int rank = 0;
    S time = S(0);
    for (int i = 0; i < Solid::kFaces; ++i) {
      const S start = gap(i, from);
      const S change = solid.height(i, way);
      if (start > kRim && start + change > kRim) return kNoFace;
      if (!(start > S(0)) || !(change < S(0)) || !(start + change < arrival)) continue;
      const int own_rank = start > kRim ? 3 : solid.height(i, inner) > solid.height(i, from) ? 2 : 1;
      const S crossing = start / -change;
      if (own_rank < rank || (own_rank == rank && !(crossing > time))) continue;
      entry = i;
      rank = own_rank;
      time = crossing;
    }
    if (entry == kNoFace) return kNoFace;
    for (int i = 0; i < Solid::kFaces; ++i)
      if (i != entry && gap(i, from) + time * solid.height(i, way) > kRim) return kNoFace;
    return entry;
  }

  [[nodiscard]] int nearest_face() const noexcept {
    int nearest = 0;
    for (int i = 1; i < Solid::kFaces; ++i)
      if (gap(i, place) > gap(nearest, place)) nearest = i;
    return nearest;
  }

  // The face on which the point lies, up to kRim above or below it, inside of the solid or at its rim. Of several faces
  // one that `inner` lies in front of comes first. kNoFace: the point lies deeper.
  [[nodiscard]] int face_at_surface() const noexcept {
    int found = kNoFace;
    bool is_faced = false;
    S largest = -Tolerance<S>::kRim;
    for (int i = 0; i < Solid::kFaces; ++i) {
      const S own = gap(i, place);
      if (!(own >= -Tolerance<S>::kRim)) continue;
      const bool faces = solid.height(i, inner) > solid.height(i, place);
      if (faces < is_faced || (faces == is_faced && !(own >= largest))) continue;
      found = i;
      is_faced = faces;
      largest = own;
    }
    return found;
  }

  // The way out of a solid in which the point is found without a history: that of closest(), unless the point lies on a
  // face and closest() would take it through the solid.
  [[nodiscard]] Closest<S> start() const noexcept {
    const Closest<S> choice = solid.closest(place, inner);
    if (!(choice.gap - radius < -Tolerance<S>::kRim)) return choice;
    const int face = face_at_surface();
    if (face == kNoFace) return choice;
    const bool passes_through =
        solid.is_opposite(face, choice.face) || choice.gap - radius < -Tolerance<S>::kStartDepth;
    return passes_through ? at(face) : choice;
  }
};

}  // namespace detail

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
