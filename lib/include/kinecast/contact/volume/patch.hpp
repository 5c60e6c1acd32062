// SPDX-License-Identifier: MIT
// The patch of the contact solid V (method 6.1, 6.2), which is what contact needs of V: the normal n, which sums up B's
// faces of V, weighted by area; the centroid p0; the contact polygon, V's section with the plane through p0; and the
// moments that Q and w are made of, over the projections of all faces onto that plane (method 6.2, CHOICE 18: a double
// cover). With h the height above the plane and s = ±1 for a face that looks up or down, the volume is ∫ s h dA, and
// its first moments about p0 vanish: so
//
//   ∫ |h| dA = V + 2 ∫ |h| dA over the faces' parts with s h < 0,    ∫ |h| x dA = 0 + 2 ∫ |h| x dA over the same,
//
// and a slab, whose upper faces look up, has no such parts: its integrals keep their digits however thin it is.
#pragma once

#include <kinecast/contact/contact.hpp>
#include <kinecast/contact/volume/intersection.hpp>
#include <kinecast/model/environment/solid.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// The contact patch, in B's frame. Coordinates (x, y) are along (t2, t3) from p0.
template <class S, int MaxCorners>
struct ContactPatch {
  static_assert(MaxCorners >= 4, "kinecast: a contact polygon needs room for four corners");
  S volume;
  Vec3<S> center;       // p0
  ContactAxes<S> axes;  // n: the direction in which A leaves B
  int corners;          // of the contact polygon: three or more, counter-clockwise, convex
  S corner[static_cast<std::size_t>(MaxCorners)][2];
  S reach;                   // distance of the farthest corner from p0
  S area, x, y, xx, xy, yy;  // moments over both covers of the plane
  S h, hx, hy;               // ∫ |h|, ∫ |h| x, ∫ |h| y over both covers
  bool is_contained;         // A and B contain or pierce each other: n is that of the least motion out
};

// The least motion along a face's normal that separates A from B.
template <class S>
struct Separation {
  Vec3<S> normal;  // the direction in which A leaves
  S depth;         // the distance that A must go
  Vec3<S> middle;  // halfway between the face and the vertex that leaves last, in B's frame
};
template <class S>
[[nodiscard]] inline Separation<S> find_separation(const ConvexView<S>& a, const ConvexView<S>& b,
                                                   const Placement<S>& a_in_b) noexcept {
  Separation<S> least{{S(0), S(0), S(1)}, Tolerance<S>::kLargestInput, {}};
  const auto lowest = [](const ConvexView<S>& solid, const Vec3<S>& up, int& at) {
    S low = dot(up, solid.vertices[0]);
    at = 0;
    for (int i = 1; i < solid.vertex_count; ++i) {
      const S height = dot(up, solid.vertices[i]);
      if (height < low) low = height, at = i;
    }
    return low;
  };
  int at = 0;
  for (int f = 0; f < b.face_count; ++f) {
    const Vec3<S>& n = b.normals[f];
    const S depth = b.distances[f] - dot(n, a_in_b.position) - lowest(a, transpose_times(a_in_b.rotation, n), at);
    if (depth < least.depth)
      least = {n, depth, a_in_b.position + a_in_b.rotation * a.vertices[at] + (S(0.5) * depth) * n};
  }
  if (b.vertex_count == 0) return least;
  for (int f = 0; f < a.face_count; ++f) {
    const Vec3<S> n = a_in_b.rotation * a.normals[f];
    const S depth = a.distances[f] + dot(n, a_in_b.position) - lowest(b, n, at);
    if (depth < least.depth) least = {-n, depth, b.vertices[at] + (S(0.5) * depth) * n};
  }
  return least;
}

namespace detail {

// Points of the contact plane and their convex hull, counter-clockwise, by Andrew's chains. Coordinates are compared
// exactly: with a tolerance, points on a line along y would be lost, because rounding decides their order.
template <class S, int MaxPoints>
struct PlanePoints {
  int count{0};
  S at[static_cast<std::size_t>(MaxPoints)][2];
  std::uint8_t hull[static_cast<std::size_t>(MaxPoints + 1)];
  int corners{0};

  [[gnu::always_inline]] void add(S x, S y) noexcept {
    if (count == MaxPoints) return;
    // Points are kept in the order of x, then y.
    int i = count++;
    for (; i > 0 && (at[i - 1][0] > x || (!(at[i - 1][0] < x) && at[i - 1][1] > y)); --i) {
      at[i][0] = at[i - 1][0];
      at[i][1] = at[i - 1][1];
    }
    at[i][0] = x;
    at[i][1] = y;
  }
  // Twice the area of the triangle a, b, c; positive if it turns left.
  [[nodiscard, gnu::always_inline]] S turn(int a, int b, int c) const noexcept {
    return (at[b][0] - at[a][0]) * (at[c][1] - at[a][1]) - (at[c][0] - at[a][0]) * (at[b][1] - at[a][1]);
  }
  [[nodiscard]] S corner_area(int i) const noexcept {
    return turn(hull[i == 0 ? corners - 1 : i - 1], hull[i], hull[i + 1 == corners ? 0 : i + 1]);
  }
  void find_hull() noexcept {
    corners = 0;
    for (int i = 0; i < count; ++i) put(i, 1);
    const int lower = corners;
    for (int i = count - 2; i >= 0; --i) put(i, lower);
    if (corners > 1) --corners;  // the chain came back to its first point
  }
  // Removes the corners whose loss costs the least area: all that cost less than `nothing`, and more of them until
  // there are no more than `most`.
  void thin_out(int most, S nothing) noexcept {
    while (corners > 2) {
      int least = 0;
      S area = corner_area(0);
      for (int i = 1; i < corners; ++i) {
        const S one = corner_area(i);
        if (one < area) area = one, least = i;
      }
      if (corners <= most && area > nothing) return;
      --corners;
      for (int i = least; i < corners; ++i) hull[i] = hull[i + 1];
    }
  }
  [[nodiscard]] S twice_area() const noexcept {
    S sum = S(0);
    for (int i = 2; i < corners; ++i) sum += turn(hull[0], hull[i - 1], hull[i]);
    return sum;
  }

 private:
  [[gnu::always_inline]] void put(int point, int kept) noexcept {
    while (corners > kept && !(turn(hull[corners - 2], hull[corners - 1], point) > S(0))) --corners;
    hull[corners++] = static_cast<std::uint8_t>(point);
  }
};

// Replaces a polygon that is narrower than a touching edge, a line or a point by a rectangle about it.
template <class S, int MaxPoints, int MaxCorners>
inline void widen(const PlanePoints<S, MaxPoints>& points, ContactPatch<S, MaxCorners>& out) noexcept {
  constexpr S kHalf = Tolerance<S>::kTouchingHalfWidth;
  S u = S(1);
  S v = S(0);
  S length = S(0);
  const S* const from = points.at[0];
  for (int i = 1; i < points.count; ++i) {
    const S x = points.at[i][0] - from[0];
    const S y = points.at[i][1] - from[1];
    const S square = x * x + y * y;
    if (square > length) length = square, u = x, v = y;
  }
  const S scale = length > S(0) ? S(1) / std::sqrt(length) : S(1);
  u *= scale, v *= scale;
  S least[2] = {S(0), S(0)};
  S most[2] = {S(0), S(0)};
  for (int i = 1; i < points.count; ++i) {
    const S x = points.at[i][0] - from[0];
    const S y = points.at[i][1] - from[1];
    const S along[2] = {u * x + v * y, u * y - v * x};
    for (int k = 0; k < 2; ++k) {
      if (along[k] < least[k]) least[k] = along[k];
      if (along[k] > most[k]) most[k] = along[k];
    }
  }
  for (int k = 0; k < 2; ++k) {
    const S middle = S(0.5) * (least[k] + most[k]);
    if (!(most[k] - middle > kHalf)) least[k] = middle - kHalf, most[k] = middle + kHalf;
  }
  const auto put = [&](S along, S across) {
    out.corner[out.corners][0] = from[0] + u * along - v * across;
    out.corner[out.corners++][1] = from[1] + v * along + u * across;
  };
  out.corners = 0;
  put(least[0], least[1]);
  put(most[0], least[1]);
  put(most[0], most[1]);
  put(least[0], most[1]);
}

template <class S, int MaxCorners>
inline void find_reach(ContactPatch<S, MaxCorners>& out) noexcept {
  S square = S(0);
  for (int i = 0; i < out.corners; ++i) {
    const S one = out.corner[i][0] * out.corner[i][0] + out.corner[i][1] * out.corner[i][1];
    if (one > square) square = one;
  }
  out.reach = std::sqrt(square);
}

// Finds the polygon about the points, relative to (x0, y0).
template <class S, int MaxPoints, int MaxCorners>
inline void find_polygon(PlanePoints<S, MaxPoints>& points, S x0, S y0, ContactPatch<S, MaxCorners>& out) noexcept {
  S square = S(0);
  for (int i = 0; i < points.count; ++i) {
    const S x = points.at[i][0] - x0;
    const S y = points.at[i][1] - y0;
    points.at[i][0] = x;
    points.at[i][1] = y;
    if (x * x + y * y > square) square = x * x + y * y;
  }
  points.find_hull();
  points.thin_out(MaxCorners, Tolerance<S>::kNoCorner * square);
  // The polygon is widened if it is narrower than a touching edge: (x0, y0) lies within, so that its length is at most
  // twice its reach.
  if (points.corners < 3 || points.twice_area() < S(4) * Tolerance<S>::kTouchingHalfWidth * std::sqrt(square)) {
    widen(points, out);
  } else {
    out.corners = points.corners;
    for (int i = 0; i < points.corners; ++i) {
      out.corner[i][0] = points.at[points.hull[i]][0];
      out.corner[i][1] = points.at[points.hull[i]][1];
    }
  }
  find_reach(out);
}

// Twice the area of a triangle's projection onto the plane, positive if the triangle looks up.
template <class S>
[[nodiscard, gnu::always_inline]] inline S twice_area(const Vec3<S>& p, const Vec3<S>& q, const Vec3<S>& r) noexcept {
  return (q.x - p.x) * (r.y - p.y) - (r.x - p.x) * (q.y - p.y);
}

// Adds 24 times the integrals of |h| x, |h| y, |h| over the part of a triangle that lies on the wrong side to `sum`:
// above the plane if `wrong` is 1, below it if -1. `area`: twice that of its projection, positive.
template <class S>
[[gnu::always_inline]] inline void add_overhang(const Vec3<S>* p, const Vec3<S>* q, const Vec3<S>* r, S area, S wrong,
                                                Vec3<S>& sum) noexcept {
  const bool p_is = p->z * wrong > S(0);
  const bool q_is = q->z * wrong > S(0);
  const bool r_is = r->z * wrong > S(0);
  if (p_is || q_is || r_is) {
    const int count = (p_is ? 1 : 0) + (q_is ? 1 : 0) + (r_is ? 1 : 0);
    if (count > 1) {
      const S h = p->z + q->z + r->z;
      const S part = area * wrong;
      sum.x += part * (h * (p->x + q->x + r->x) + p->z * p->x + q->z * q->x + r->z * r->x);
      sum.y += part * (h * (p->y + q->y + r->y) + p->z * p->y + q->z * q->y + r->z * r->y);
      sum.z += S(4) * part * h;
      if (count == 3) return;
    }
    // p becomes the corner that is alone on its side. The part that it cuts off is added; or it is taken away from the
    // whole triangle, because h has the other sign there.
    const bool is_alone = count == 1;
    if (q_is == is_alone) {
      const Vec3<S>* const first = p;
      p = q, q = r, r = first;
    } else if (r_is == is_alone) {
      const Vec3<S>* const first = p;
      p = r, r = q, q = first;
    }
    const S h = p->z;
    const S to_q = h / (h - q->z);
    const S to_r = h / (h - r->z);
    const S part = area * to_q * to_r * std::abs(h);
    sum.x += part * (S(4) * p->x + to_q * (q->x - p->x) + to_r * (r->x - p->x));
    sum.y += part * (S(4) * p->y + to_q * (q->y - p->y) + to_r * (r->y - p->y));
    sum.z += S(4) * part;
  }
}

// Finds the direction in which A leaves (S004 eq. 1-3): V's surface is closed, so B's faces alone give it, and a single
// one gives it exactly. False: B's faces cancel each other, or V has none.
template <class S, int MaxFaces>
[[nodiscard]] inline bool add_up_normals(const ContactSolid<S, MaxFaces>& solid, const ConvexView<S>& b,
                                         Vec3<S>& out) noexcept {
  int only = -1;
  bool is_single = true;
  for (int f = 0; f < solid.face_count; ++f) {
    const FaceLabel label = solid.faces.labels[f];
    if (!label.is_of_b()) continue;
    is_single = is_single && (only < 0 || only == label.face());
    only = label.face();
  }
  if (only < 0) return false;
  if (is_single) {
    out = b.normals[only];
    return true;
  }
  Vec3<S> sum{};
  S total = S(0);
  for (int f = 0; f < solid.face_count; ++f) {
    const FaceLabel label = solid.faces.labels[f];
    if (!label.is_of_b()) continue;
    const std::uint8_t* const loop = solid.loop(f);
    const Vec3<S>& normal = b.normals[label.face()];
    const Vec3<S> from = solid.vertices[loop[0]];
    Vec3<S> edge = solid.vertices[loop[1]] - from;
    S area = S(0);
    for (int i = 2; i < solid.corners(f); ++i) {
      const Vec3<S> next = solid.vertices[loop[i]] - from;
      area += dot(normal, cross(edge, next));
      edge = next;
    }
    sum = sum + area * normal;
    total += std::abs(area);
  }
  const S square = dot(sum, sum);
  constexpr S kLeast = Tolerance<S>::kNoDirection * Tolerance<S>::kNoDirection;
  if (!(square > kLeast * total * total)) return false;
  out = (S(1) / std::sqrt(square)) * sum;
  return true;
}

// V in the coordinates of the contact plane: vertices are (x, y, h).
template <class S, int MaxFaces>
struct PlaneView {
  using Solid = ContactSolid<S, MaxFaces>;
  static constexpr int kVertices = Solid::kVertices;
  static constexpr std::uint8_t kAbove = 1;
  static constexpr std::uint8_t kBelow = 2;
  explicit PlaneView(const Solid& seen) noexcept : solid(seen) {}
  const Solid& solid;
  Vec3<S> vertices[static_cast<std::size_t>(kVertices)];
  std::uint8_t sides[static_cast<std::size_t>(kVertices)];
  std::uint8_t wrong[static_cast<std::size_t>(MaxFaces)];  // of a face: the sides of the plane where s h < 0

  // Finds the vertices' coordinates along the axes, from the mean of the vertices, which it returns.
  [[nodiscard]] Vec3<S> project(const ContactAxes<S>& axes) noexcept {
    Vec3<S> sum = solid.vertices[0];
    for (int i = 1; i < solid.vertex_count; ++i) sum = sum + solid.vertices[i];
    const Vec3<S> mean = (S(1) / static_cast<S>(solid.vertex_count)) * sum;
    for (int i = 0; i < solid.vertex_count; ++i) {
      const Vec3<S> p = solid.vertices[i] - mean;
      vertices[i] = {dot(axes.t2, p), dot(axes.t3, p), dot(axes.n, p)};
    }
    return mean;
  }

  // Sums about the mean: volume and first moments of the tetrahedra between the mean and V's surface, none of them
  // negative, so that the centroid is within V whatever rounding does; and the moments of the faces that look up, which
  // cover the plane once.
  struct Moments {
    S v{};
    Vec3<S> first{};
    S a{}, x{}, y{}, xx{}, xy{}, yy{};
  };
  [[nodiscard, gnu::always_inline]] Moments integrate() noexcept {
    Moments m;
    for (int f = solid.face_count - 1; f >= 0; --f) {  // B's faces first: they look up, and give the size of `flat`
      const std::uint8_t* const loop = solid.loop(f);
      const std::uint8_t* const end = loop + solid.corners(f);
      const Vec3<S> p = vertices[loop[0]];
      Vec3<S> q = vertices[loop[1]];
      const S flat = Tolerance<S>::kFaceOnEdge * m.a;
      std::uint8_t sides_wrong = 0;
      for (const std::uint8_t* at = loop + 2; at != end; ++at) {
        const Vec3<S> r = vertices[*at];
        const S six = dot(p, cross(q, r));
        const Vec3<S> sum = p + q + r;
        if (six > S(0)) {
          m.v += six;
          m.first = m.first + six * sum;
        }
        const S area = twice_area(p, q, r);
        if (std::abs(area) > flat) {
          sides_wrong |= area > S(0) ? kBelow : kAbove;
          if (area > S(0)) {
            m.a += area;
            m.x += area * sum.x;
            m.y += area * sum.y;
            m.xx += area * (sum.x * sum.x + p.x * p.x + q.x * q.x + r.x * r.x);
            m.xy += area * (sum.x * sum.y + p.x * p.y + q.x * q.y + r.x * r.y);
            m.yy += area * (sum.y * sum.y + p.y * p.y + q.y * q.y + r.y * r.y);
          }
        }
        q = r;
      }
      wrong[f] = sides_wrong;
    }
    return m;
  }

  // Moves the plane up to the height h0.
  void raise_plane(S h0) noexcept {
    const int count = solid.vertex_count;
    for (int i = 0; i < count; ++i) {
      const S height = vertices[i].z - h0;
      vertices[i].z = height;
      sides[i] = height < S(0) ? kBelow : kAbove;
    }
  }

  // Adds the points where V's edges go up through the plane, the corners of V's section, to `points`. Returns 24 times
  // the integrals of |h| x, |h| y, |h| over the overhangs: what looks up below the plane, or down above it. A triangle
  // whose projection has no more than half of `flat` as area is rounding.
  template <int MaxPoints>
  [[nodiscard, gnu::always_inline]] Vec3<S> cut(S flat, PlanePoints<S, MaxPoints>& points) const noexcept {
    Vec3<S> overhang{};
    for (int f = 0; f < solid.face_count; ++f) {
      const std::uint8_t* const loop = solid.loop(f);
      const std::uint8_t* const end = loop + solid.corners(f);
      int from = end[-1];
      std::uint8_t was = sides[from];
      std::uint8_t all = 0;
      for (const std::uint8_t* at = loop; at != end; ++at) {
        const int to = *at;
        const std::uint8_t side = sides[to];
        all |= side;
        if (side < was) {
          const Vec3<S>& p = vertices[from];
          const Vec3<S>& q = vertices[to];
          const S part = p.z / (p.z - q.z);
          points.add(p.x + part * (q.x - p.x), p.y + part * (q.y - p.y));
        }
        was = side;
        from = to;
      }
      if ((all & wrong[f]) == 0) continue;
      const Vec3<S>* const p = vertices + loop[0];
      for (const std::uint8_t* at = loop + 2; at != end; ++at) {
        const Vec3<S>* const q = vertices + at[-1];
        const Vec3<S>* const r = vertices + at[0];
        const S area = twice_area(*p, *q, *r);
        if (std::abs(area) > flat) add_overhang(p, q, r, std::abs(area), area > S(0) ? S(-1) : S(1), overhang);
      }
    }
    if (points.count == 0)  // V is flat to rounding: all of its vertices count
      for (int i = 0; i < solid.vertex_count; ++i) points.add(vertices[i].x, vertices[i].y);
    return overhang;
  }
};

}  // namespace detail

// Finds the patch of `solid`, which intersect() made of a, b and a_in_b and which has faces. `out` is untouched unless
// the Status is ok.
template <class S, int MaxFaces, int MaxCorners>
[[nodiscard]] inline Status find_patch(const ContactSolid<S, MaxFaces>& solid, const ConvexView<S>& a,
                                       const ConvexView<S>& b, const Placement<S>& a_in_b,
                                       ContactPatch<S, MaxCorners>& out) noexcept {
  if (solid.face_count == 0) return Status::not_ready;
  Vec3<S> n;
  const bool is_contained = !detail::add_up_normals(solid, b, n);
  if (is_contained) n = find_separation(a, b, a_in_b).normal;
  const Tangents<S> tangents = tangents_of(n);
  const ContactAxes<S> axes{n, tangents.t2, tangents.t3};

  detail::PlaneView<S, MaxFaces> view(solid);
  const Vec3<S> mean = view.project(axes);
  const auto m = view.integrate();
  if (!is_finite(m.v + m.first.x + m.first.y + m.first.z + m.xx + m.yy)) return Status::non_finite_result;

  constexpr S kTwelfth = S(1) / S(12);
  const Vec3<S> off = m.v > S(0) ? (S(0.25) / m.v) * m.first : Vec3<S>{};
  view.raise_plane(off.z);
  detail::PlanePoints<S, ContactSolid<S, MaxFaces>::kVertices> points;
  const Vec3<S> overhang = view.cut(Tolerance<S>::kFaceOnEdge * m.a, points);
  out.is_contained = is_contained;
  out.volume = (S(1) / S(6)) * m.v;
  out.axes = axes;
  out.center = mean + (off.x * axes.t2 + off.y * axes.t3 + off.z * n);
  // Both covers are twice the one that looks up. The sums in m are 2, 6 and 24 times the moments of area, first and
  // second order; they are shifted from the mean to p0.
  const S x = (S(1) / S(3)) * m.x;
  const S y = (S(1) / S(3)) * m.y;
  out.area = m.a;
  out.x = x - off.x * m.a;
  out.y = y - off.y * m.a;
  out.xx = kTwelfth * m.xx - off.x * (x + out.x);
  out.xy = kTwelfth * m.xy - off.x * y - off.y * out.x;
  out.yy = kTwelfth * m.yy - off.y * (y + out.y);
  out.h = out.volume + kTwelfth * overhang.z;
  out.hx = kTwelfth * (overhang.x - off.x * overhang.z);
  out.hy = kTwelfth * (overhang.y - off.y * overhang.z);
  detail::find_polygon(points, off.x, off.y, out);
  return Status::ok;
}

// Makes a patch that stands for a contact solid which could not be built: a slab at the deepest vertex, as wide as a
// touching corner counts. B's planes are moved outward by `skin`. False: A and B do not touch.
template <class S, int MaxCorners>
[[nodiscard]] inline bool point_patch(const ConvexView<S>& a, const ConvexView<S>& b, const Placement<S>& a_in_b,
                                      S skin, ContactPatch<S, MaxCorners>& out) noexcept {
  const Separation<S> least = find_separation(a, b, a_in_b);
  const S depth = least.depth + skin;
  if (!(depth > S(0))) return false;
  const Tangents<S> tangents = tangents_of(least.normal);
  constexpr S kHalf = Tolerance<S>::kTouchingHalfWidth;
  constexpr S kArea = S(4) * kHalf * kHalf;
  out.axes = {least.normal, tangents.t2, tangents.t3};
  out.center = least.middle;
  out.volume = kArea * depth;
  out.corners = 4;
  for (int i = 0; i < 4; ++i) {
    out.corner[i][0] = i == 0 || i == 3 ? -kHalf : kHalf;
    out.corner[i][1] = i < 2 ? -kHalf : kHalf;
  }
  detail::find_reach(out);
  out.area = S(2) * kArea;
  out.x = out.y = out.xy = S(0);
  out.xx = out.yy = out.area * kHalf * kHalf / S(3);
  out.h = out.volume;
  out.hx = out.hy = S(0);
  out.is_contained = false;
  return true;
}

}  // namespace kinecast
