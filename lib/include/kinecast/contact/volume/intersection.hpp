// SPDX-License-Identifier: MIT
// The contact solid V = A ∩ B of two convex polyhedra (spec 6.1), in B's frame: A is cut plane by plane by B's faces. A vertex is
// inside of a plane or it is not, by the sign of its height alone; a cut makes one vertex per edge that changes sides, shared by
// the edge's two faces, and closes the hole with a cap of the very edges that were left open. So the surface stays closed whatever
// rounding decides: coplanar faces, shared edges and slivers are no special cases, they only make faces without area.
// A plane that cuts nothing costs one height per vertex.
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

// Whose surface a face of the contact solid lies on, and which of its faces.
enum class FaceOrigin : std::uint8_t { a, b };
struct FaceLabel {
  std::uint8_t face;
  FaceOrigin origin;
};

// The faces of a solid as loops of its vertices, counter-clockwise seen from outside. A solid of F faces with three or more edges at
// every vertex has at most 2F - 4 vertices and 6F - 12 entries in its loops (Euler).
template <int MaxFaces>
struct FaceLoops {
  static constexpr int kEntries = 6 * MaxFaces - 8;
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
  int face_count;  // 0: nothing in common
  Vec3<S> vertices[static_cast<std::size_t>(kVertices)];
  FaceLoops<MaxFaces> faces;

  [[nodiscard, gnu::always_inline]] const std::uint8_t* loop(int face) const noexcept {
    return faces.entries + faces.starts[face];
  }
  [[nodiscard, gnu::always_inline]] int corners(int face) const noexcept {
    return faces.starts[face + 1] - faces.starts[face];
  }
};

// What intersect() works with; nothing in it survives the call.
template <class S, int MaxFaces>
struct ClipScratch {
  static constexpr int kVertices = ContactSolid<S, MaxFaces>::kVertices;
  FaceLoops<MaxFaces> faces;
  S heights[static_cast<std::size_t>(kVertices)];
  std::uint8_t slots[static_cast<std::size_t>(kVertices)];  // where a vertex that stays goes
  Vec3<S> cuts[static_cast<std::size_t>(MaxFaces)];  // vertices that a plane makes; each goes behind those that stay
  std::uint16_t edges[static_cast<std::size_t>(MaxFaces)];   // on which: its end inside, and 256 times its end outside
  std::uint8_t follows[static_cast<std::size_t>(MaxFaces)];  // the next one round the cap
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

  // The vertex on the edge from `inside` to `outside`; kNone: no room. Both of the edge's faces ask for it.
  [[nodiscard]] std::uint8_t cut(std::uint8_t inside, std::uint8_t outside) noexcept {
    const std::uint16_t edge = static_cast<std::uint16_t>(inside | outside << 8);
    for (int i = 0; i < cut_count; ++i)
      if (scratch.edges[i] == edge) return static_cast<std::uint8_t>(i);
    if (cut_count == MaxFaces) return kNone;
    // From the nearer end: a vertex on the plane is met exactly.
    const S in = scratch.heights[inside];
    const S out = scratch.heights[outside];
    const Vec3<S>& p = solid.vertices[inside];
    const Vec3<S>& q = solid.vertices[outside];
    const S whole = S(1) / (out - in);
    Vec3<S> x = -in < out ? p + (-in * whole) * (q - p) : q + (out * whole) * (p - q);
    x = x - (dot(normal, x) - distance) * normal;
    scratch.cuts[cut_count] = x;
    scratch.edges[cut_count] = edge;
    scratch.follows[cut_count] = kNone;
    return static_cast<std::uint8_t>(cut_count++);
  }

  // Clips all faces of `from` into `to`, and caps. The number of faces, or -1: no room. `labels` is nullptr for A itself.
  template <class FromStart>
  [[nodiscard]] int clip(const std::uint8_t* entries, const FromStart* starts, const FaceLabel* labels, int count,
                         Loops& to, FaceLabel cap) noexcept {
    const std::uint8_t* const slots = scratch.slots;
    int written = 0;
    int faces = 0;
    for (int f = 0; f < count; ++f) {
      const int begin = starts[f];
      const int end = starts[f + 1];
      const int first = written;
      std::uint8_t before = entries[end - 1];
      bool was_inside = slots[before] != kOutside;
      std::uint8_t way_out = kNone;  // the vertex where the face's outline left last
      std::uint8_t way_in = kNone;   // where it came in before it had left
      for (int i = begin; i < end; ++i) {
        if (written > Loops::kEntries - 2) return -1;
        const std::uint8_t v = entries[i];
        const bool is_inside = slots[v] != kOutside;
        if (is_inside != was_inside) {
          const std::uint8_t at = is_inside ? cut(v, before) : cut(before, v);
          if (at == kNone) return -1;
          to.entries[written++] = static_cast<std::uint8_t>(staying + at);
          if (!is_inside)
            way_out = at;
          else if (way_out != kNone)
            scratch.follows[at] = way_out;
          else
            way_in = at;
        }
        if (is_inside) to.entries[written++] = slots[v];
        before = v;
        was_inside = is_inside;
      }
      if (way_in != kNone) scratch.follows[way_in] = way_out;
      if (written == first) continue;
      if (faces == MaxFaces) return -1;
      to.starts[faces] = static_cast<Start>(first);
      to.labels[faces++] = labels == nullptr ? FaceLabel{static_cast<std::uint8_t>(f), FaceOrigin::a} : labels[f];
    }
    // One loop; rounding can make several.
    for (int i = 0; i < cut_count; ++i) {
      if (scratch.follows[i] == kNone) continue;
      const int first = written;
      for (std::uint8_t at = static_cast<std::uint8_t>(i); at != kNone;) {
        if (written == Loops::kEntries) return -1;
        to.entries[written++] = static_cast<std::uint8_t>(staying + at);
        const std::uint8_t next = scratch.follows[at];
        scratch.follows[at] = kNone;
        at = next;
      }
      --written;  // came back to the first
      if (written - first < 3) {
        written = first;  // two edges that close each other
        continue;
      }
      if (faces == MaxFaces) return -1;
      to.starts[faces] = static_cast<Start>(first);
      to.labels[faces++] = cap;
    }
    to.starts[faces] = static_cast<Start>(written);
    return faces;
  }

  // The vertices that stay move up, those that were made follow.
  [[nodiscard]] bool move_vertices() noexcept {
    if (staying + cut_count > ContactSolid<S, MaxFaces>::kVertices) return false;
    for (int i = 0; i < solid.vertex_count; ++i) {
      const std::uint8_t slot = scratch.slots[i];
      if (slot != kOutside && slot != i) solid.vertices[slot] = solid.vertices[i];
    }
    for (int i = 0; i < cut_count; ++i) solid.vertices[staying + i] = scratch.cuts[i];
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

// Could they meet? A box about A's box along B's axes against B's box, `skin` thicker. A NaN is left to intersect().
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
// The same against the half-space normal . x <= distance.
template <class S>
[[nodiscard]] inline bool box_meets_plane(const Bounds<S>& a, const Placement<S>& a_in_b, const Vec3<S>& normal,
                                          S distance) noexcept {
  const Vec3<S> up = transpose_times(a_in_b.rotation, normal);
  const S reach = std::abs(up.x) * a.half.x + std::abs(up.y) * a.half.y + std::abs(up.z) * a.half.z;
  return !(dot(normal, a_in_b.position) + dot(up, a.center) - reach > distance);
}

// V in B's frame, B's planes moved outward by `skin`. No common volume: no faces, and ok. contact_simplified (a warning): there is one,
// but not within MaxFaces; no faces either. With MaxFaces the sum of both polyhedra's, rounding alone can cause that.
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
  for (int i = 0; i < a.vertex_count; ++i) {
    const Vec3<S> p = a_in_b.position + a_in_b.rotation * a.vertices[i];
    out.vertices[i] = p;
    sum += p.x + p.y + p.z;
  }
  if (!is_finite(sum)) return Status::non_finite_input;
  out.vertex_count = a.vertex_count;
  const auto size = [](const Vec3<S>& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); };
  const S flush = Tolerance<S>::kFlush * (size(out.vertices[0]) + size(out.vertices[a.vertex_count - 1]));

  int faces = -1;          // of A itself
  bool is_in_out = false;  // where the loops are, once a plane has cut
  Clipper clipper{out, scratch, {}, {}, 0, 0};
  for (int f = 0; f < b.face_count; ++f) {
    const Vec3<S> normal = b.normals[f];
    const S distance = b.distances[f] + skin;
    if (!is_finite(normal.x + normal.y + normal.z + distance)) return Status::non_finite_input;
    S highest = -flush;
    for (int i = 0; i < out.vertex_count; ++i) {
      const S height = dot(normal, out.vertices[i]) - distance;
      scratch.heights[i] = height;
      if (height > highest) highest = height;
    }
    if (!(highest > flush)) continue;
    int staying = 0;
    for (int i = 0; i < out.vertex_count; ++i)
      scratch.slots[i] = scratch.heights[i] < S(0) ? static_cast<std::uint8_t>(staying++) : Clipper::kOutside;
    if (staying == 0) return Status::ok;
    if (staying == out.vertex_count) continue;
    clipper.normal = normal;
    clipper.distance = distance;
    clipper.staying = staying;
    clipper.cut_count = 0;
    const FaceLabel cap{static_cast<std::uint8_t>(f), FaceOrigin::b};
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
    for (int f = 0; f < faces; ++f) out.faces.labels[f] = {static_cast<std::uint8_t>(f), FaceOrigin::a};
  } else if (!is_in_out) {
    out.faces = scratch.faces;
  }
  out.face_count = faces;
  return Status::ok;
}

}  // namespace kinecast
