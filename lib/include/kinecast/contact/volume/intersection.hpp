// SPDX-License-Identifier: MIT
// The contact solid V = A ∩ B of two convex polyhedra (method 6.1), in B's frame: A is cut plane by plane by B's
// faces. A vertex is inside of a plane or it is not, by the sign of its height alone; a cut makes one vertex per edge
// that changes sides, shared by the edge's two faces, and closes the hole with a cap of the very edges that were left
// open. So the surface stays closed whatever rounding decides: coplanar faces, shared edges and slivers are no special
// cases, they only make faces without area. A plane that cuts nothing off costs the height of the sphere about A's
// origin, or one height per vertex.
#pragma once

#include <kinecast/contact/volume/convex_view.hpp>
#include <kinecast/core/scalar.hpp>
#include <kinecast/core/status.hpp>
#include <kinecast/math/placement.hpp>
#include <kinecast/math/vec3.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kinecast {

// The face of A or of B that a face of the contact solid lies on.
struct FaceLabel {
  static constexpr std::uint8_t kOfB = 128;
  std::uint8_t code;
  [[nodiscard]] constexpr bool is_of_b() const noexcept { return code >= kOfB; }
  [[nodiscard]] constexpr int face() const noexcept { return is_of_b() ? code - kOfB : code; }
};

// The faces of a solid as loops of its vertices, counter-clockwise seen from outside. A solid of F faces with three or
// more edges at every vertex has at most 2F - 4 vertices and 6F - 12 entries in its loops (Euler), and no face has more
// than F - 1. A clipped face writes at most twice the entries that it had: the arrays have room for that, so that the
// inner loop checks nothing.
template <int MaxFaces>
struct FaceLoops {
  static constexpr int kEntries = 7 * MaxFaces - 12;
  using Start = std::conditional_t<(kEntries <= 255), std::uint8_t, std::uint16_t>;
  std::uint8_t entries[static_cast<std::size_t>(kEntries)];
  Start starts[static_cast<std::size_t>(MaxFaces + 1)];
  FaceLabel labels[static_cast<std::size_t>(MaxFaces)];
};

template <class S, int MaxFaces>
struct ContactSolid {
  static_assert(MaxFaces >= 5, "kinecast: a contact solid has the faces of both polyhedra, five at least");
  static_assert(MaxFaces <= 125, "kinecast: two polyhedra that touch have at most 125 faces together");
  static constexpr int kVertices = 2 * MaxFaces - 2;

  int vertex_count;
  int face_count;  // 0: A and B have no volume in common
  Vec3<S> vertices[static_cast<std::size_t>(kVertices)];
  FaceLoops<MaxFaces> faces;

  [[nodiscard, gnu::always_inline]] const std::uint8_t* loop(int face) const noexcept {
    return faces.entries + faces.starts[face];
  }
  [[nodiscard, gnu::always_inline]] int corners(int face) const noexcept {
    return faces.starts[face + 1] - faces.starts[face];
  }
};

// The scratch memory of intersect(); nothing in it survives the call.
template <class S, int MaxFaces>
struct ClipScratch {
  static constexpr int kVertices = ContactSolid<S, MaxFaces>::kVertices;
  FaceLoops<MaxFaces> faces;
  S heights[static_cast<std::size_t>(kVertices)];
  std::uint8_t slots[static_cast<std::size_t>(kVertices)];   // new index of a vertex that stays, or kOutside
  std::uint8_t latest[static_cast<std::size_t>(kVertices)];  // latest cut on an edge of the vertex in this slot
  Vec3<S> cuts[static_cast<std::size_t>(MaxFaces)];          // vertices that the plane makes, stored behind the others
  std::uint8_t outer[static_cast<std::size_t>(MaxFaces)];    // of a cut: the end of its edge that is cut off
  std::uint8_t
      earlier[static_cast<std::size_t>(MaxFaces)];  // of a cut: the cut before it on an edge of the same vertex
  std::uint8_t follows[static_cast<std::size_t>(MaxFaces)];  // of a cut: the next one round the cap
};

namespace detail {

template <class S, int MaxFaces>
struct Clipper {
  using Loops = FaceLoops<MaxFaces>;
  using Start = typename Loops::Start;
  static constexpr std::uint8_t kOutside = 255;
  static constexpr std::uint8_t kNone = 255;

  ContactSolid<S, MaxFaces>& solid;
  ClipScratch<S, MaxFaces>& scratch;
  Vec3<S> normal;
  S distance;
  int staying;
  int cut_count;

  // Finds the heights of all vertices above the plane and which of them stay; returns the largest height. (Members are
  // copied to locals here and below: a byte store may alias any member, so that all would be read again.)
  [[nodiscard, gnu::always_inline]] S divide_vertices() noexcept {
    const Vec3<S> up = normal;
    const S down = distance;
    S* height = scratch.heights;
    std::uint8_t* slot = scratch.slots;
    std::uint8_t* const latest = scratch.latest;
    S highest = S(-1);
    int stay = 0;
    const Vec3<S>* const end = solid.vertices + solid.vertex_count;
    for (const Vec3<S>* v = solid.vertices; v != end; ++v) {
      const S at = dot(up, *v) - down;
      *height++ = at;
      if (at < S(0)) {
        latest[stay] = kNone;
        *slot++ = static_cast<std::uint8_t>(stay++);
      } else {
        *slot++ = kOutside;
        if (at > highest) highest = at;
      }
    }
    staying = stay;
    cut_count = 0;
    return highest;
  }

  // The cut on the edge from `inside` to `outside`, or kNone if there is no room. Both faces of the edge ask for it, so
  // the second one finds the cut that the first one made.
  [[nodiscard]] std::uint8_t cut(int inside, int slot, int outside) noexcept {
    const std::uint8_t latest = scratch.latest[slot];
    for (std::uint8_t i = latest; i != kNone; i = scratch.earlier[i])
      if (scratch.outer[i] == outside) return i;
    const int at = cut_count;
    if (at == MaxFaces) return kNone;
    cut_count = at + 1;
    scratch.latest[slot] = static_cast<std::uint8_t>(at);
    scratch.earlier[at] = latest;
    scratch.outer[at] = static_cast<std::uint8_t>(outside);
    scratch.follows[at] = kNone;
    // The cut is interpolated from the nearer end, so that a vertex on the plane is met exactly.
    const S in = scratch.heights[inside];
    const S out = scratch.heights[outside];
    const bool is_in_nearer = -in < out;
    const Vec3<S>& p = solid.vertices[is_in_nearer ? inside : outside];
    const Vec3<S>& q = solid.vertices[is_in_nearer ? outside : inside];
    const S part = is_in_nearer ? in / (in - out) : out / (out - in);
    const Vec3<S> x = p + part * (q - p);
    scratch.cuts[at] = x - (dot(normal, x) - distance) * normal;
    return static_cast<std::uint8_t>(at);
  }

  // Clips all faces into `to` and closes the hole with a cap. Returns the number of faces, or -1 if there is no room.
  // `labels` is nullptr for the faces of A itself.
  template <class FromStart>
  [[nodiscard]] int clip(const std::uint8_t* entries, const FromStart* starts, const FaceLabel* labels, int count,
                         Loops& to, FaceLabel cap) noexcept {
    const std::uint8_t* const slots = scratch.slots;
    std::uint8_t* const follows = scratch.follows;
    std::uint8_t* const written_from = to.entries;
    std::uint8_t* written = written_from;
    const int stay = staying;
    int faces = 0;
    for (int f = 0; f < count; ++f) {
      const std::uint8_t* entry = entries + starts[f];
      const std::uint8_t* const end = entries + starts[f + 1];
      std::uint8_t* const first = written;
      if (first - written_from + 2 * (end - entry) > Loops::kEntries) return -1;
      int before = end[-1];
      int slot_before = slots[before];
      std::uint8_t way_out = kNone;  // the cut where the face's outline left last
      std::uint8_t way_in = kNone;   // the cut where it came in before it had left
      for (; entry != end; ++entry) {
        const int v = *entry;
        const int slot = slots[v];
        if (slot != kOutside) {
          if (slot_before == kOutside) {
            const std::uint8_t at = cut(v, slot, before);
            if (at == kNone) return -1;
            *written++ = static_cast<std::uint8_t>(stay + at);
            if (way_out != kNone)
              follows[at] = way_out;
            else
              way_in = at;
          }
          *written++ = static_cast<std::uint8_t>(slot);
        } else if (slot_before != kOutside) {
          way_out = cut(before, slot_before, v);
          if (way_out == kNone) return -1;
          *written++ = static_cast<std::uint8_t>(stay + way_out);
        }
        before = v;
        slot_before = slot;
      }
      if (written == first) continue;
      if (way_in != kNone) follows[way_in] = way_out;
      if (faces == MaxFaces) return -1;
      to.starts[faces] = static_cast<Start>(first - written_from);
      to.labels[faces++] = labels == nullptr ? FaceLabel{static_cast<std::uint8_t>(f)} : labels[f];
    }
    // The cap is one loop; rounding can make several.
    const int made = cut_count;
    for (int i = 0; i < made; ++i) {
      if (follows[i] == kNone) continue;
      std::uint8_t* const first = written;
      if (first - written_from + made >= Loops::kEntries) return -1;
      for (std::uint8_t at = static_cast<std::uint8_t>(i); at != kNone;) {
        *written++ = static_cast<std::uint8_t>(stay + at);
        const std::uint8_t next = follows[at];
        follows[at] = kNone;
        at = next;
      }
      --written;  // the loop came back to its first cut
      if (written - first < 3) {
        written = first;  // two edges close each other: no face
        continue;
      }
      if (faces == MaxFaces) return -1;
      to.starts[faces] = static_cast<Start>(first - written_from);
      to.labels[faces++] = cap;
    }
    to.starts[faces] = static_cast<Start>(written - written_from);
    return faces;
  }

  // Moves the vertices that stay to their slots and stores the cuts behind them. False: there is no room.
  [[nodiscard, gnu::always_inline]] bool move_vertices() noexcept {
    if (staying + cut_count > ContactSolid<S, MaxFaces>::kVertices) return false;
    Vec3<S>* const vertices = solid.vertices;
    const int count = solid.vertex_count;
    int i = 0;
    while (i < count && scratch.slots[i] == i) ++i;  // vertices before the first one that is cut off stay in place
    for (; i < count; ++i) {
      const int slot = scratch.slots[i];
      if (slot != kOutside) vertices[slot] = vertices[i];
    }
    const int made = cut_count;
    for (i = 0; i < made; ++i) vertices[staying + i] = scratch.cuts[i];
    solid.vertex_count = staying + cut_count;
    return true;
  }
};

}  // namespace detail

// A bounding box about a polyhedron, along its own axes.
template <class S>
struct Bounds {
  Vec3<S> center;
  Vec3<S> half;
};

// Whether A could meet B: the box about A's box along B's axes overlaps B's box, `skin` thicker. A NaN counts as an
// overlap, and intersect() reports it.
template <class S>
[[nodiscard]] inline bool boxes_overlap(const Bounds<S>& a, const Placement<S>& a_in_b, const Bounds<S>& b,
                                        S skin) noexcept {
  const Vec3<S> apart = a_in_b.position + a_in_b.rotation * a.center - b.center;
  const auto is_apart = [&](const Vec3<S>& row, S gap, S half) {
    const S reach = std::abs(row.x) * a.half.x + std::abs(row.y) * a.half.y + std::abs(row.z) * a.half.z;
    return std::abs(gap) > reach + half + skin;
  };
  return !is_apart(a_in_b.rotation.row_x, apart.x, b.half.x) && !is_apart(a_in_b.rotation.row_y, apart.y, b.half.y) &&
         !is_apart(a_in_b.rotation.row_z, apart.z, b.half.z);
}
// Whether A's box reaches into the half-space normal . x <= distance.
template <class S>
[[nodiscard]] inline bool box_meets_plane(const Bounds<S>& a, const Placement<S>& a_in_b, const Vec3<S>& normal,
                                          S distance) noexcept {
  const Vec3<S> up = transpose_times(a_in_b.rotation, normal);
  const S reach = std::abs(up.x) * a.half.x + std::abs(up.y) * a.half.y + std::abs(up.z) * a.half.z;
  return !(dot(normal, a_in_b.position) + dot(up, a.center) - reach > distance);
}

// Finds V in B's frame, with B's planes moved outward by `skin`. Without a common volume V has no faces, and the Status
// is ok. contact_simplified (a warning): V does not fit into MaxFaces and has no faces either; if MaxFaces is the sum
// of both polyhedra's, only rounding can cause that. The tables of the polyhedra are not checked again: the rules of
// the environment have made sure that they are closed and convex.
template <class S, int MaxFaces>
[[nodiscard]] inline Status intersect(const ConvexView<S>& a, const ConvexView<S>& b, const Placement<S>& a_in_b,
                                      S skin, ClipScratch<S, MaxFaces>& scratch,
                                      ContactSolid<S, MaxFaces>& out) noexcept {
  using Clipper = detail::Clipper<S, MaxFaces>;
  out.face_count = 0;
  out.vertex_count = 0;
  if (a.vertex_count < 4) return Status::invalid_model;
  if (a.vertex_count > ContactSolid<S, MaxFaces>::kVertices || a.face_count > MaxFaces ||
      a.starts[a.face_count] > FaceLoops<MaxFaces>::kEntries)
    return Status::contact_simplified;
  S sum = skin;
  S square = S(0);
  for (int i = 0; i < a.vertex_count; ++i) {
    const Vec3<S> v = a.vertices[i];
    const Vec3<S> p = a_in_b.position + a_in_b.rotation * v;
    out.vertices[i] = p;
    sum += p.x + p.y + p.z;
    const S one = dot(v, v);
    if (one > square) square = one;
  }
  if (!is_finite(sum)) return Status::non_finite_input;
  out.vertex_count = a.vertex_count;
  const S radius = std::sqrt(square);
  const Vec3<S>& center = a_in_b.position;
  const S flush = Tolerance<S>::kFlush * (radius + std::abs(center.x) + std::abs(center.y) + std::abs(center.z));

  int faces = -1;          // -1: no plane has cut A yet
  bool is_in_out = false;  // whether the loops of the last cut are in `out` or in `scratch`
  Clipper clipper{out, scratch, {}, {}, 0, 0};
  for (int f = 0; f < b.face_count; ++f) {
    clipper.normal = b.normals[f];
    clipper.distance = b.distances[f] + skin;
    // If the sphere about A's origin is inside, A is. A NaN is not.
    const S height = dot(clipper.normal, center) - clipper.distance;
    if (height < -radius) continue;
    if (!is_finite(height)) return Status::non_finite_input;
    if (!(clipper.divide_vertices() > flush)) continue;
    if (clipper.staying == 0) return Status::ok;
    const FaceLabel cap{static_cast<std::uint8_t>(FaceLabel::kOfB + f)};
    FaceLoops<MaxFaces>& to = is_in_out ? scratch.faces : out.faces;
    const FaceLoops<MaxFaces>& from = is_in_out ? out.faces : scratch.faces;
    faces = faces < 0 ? clipper.clip(a.loops, a.starts, nullptr, a.face_count, to, cap)
                      : clipper.clip(from.entries, from.starts, from.labels, faces, to, cap);
    if (faces < 0 || !clipper.move_vertices()) return Status::contact_simplified;
    is_in_out = !is_in_out;
  }
  if (faces < 0) {  // A lies within B
    faces = a.face_count;
    for (int i = 0; i < a.starts[faces]; ++i) out.faces.entries[i] = a.loops[i];
    for (int f = 0; f <= faces; ++f) out.faces.starts[f] = a.starts[f];
    for (int f = 0; f < faces; ++f) out.faces.labels[f] = {static_cast<std::uint8_t>(f)};
  } else if (!is_in_out) {
    out.faces = scratch.faces;
  }
  out.face_count = faces;
  return Status::ok;
}

}  // namespace kinecast
