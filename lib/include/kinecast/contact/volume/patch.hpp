// SPDX-License-Identifier: MIT
// What contact needs of the contact solid V (spec 6.1, 6.2): the normal n, which sums up B's faces of V, weighted by area; the
// centroid p0; the contact polygon, V's section with the plane through p0; and the moments that Q and w are made of, over the
// projections of all faces onto that plane (CHOICE 18: a double cover). With h the height above the plane and s = ±1 the way a
// face looks, V = ∫ s h dA, and p0 makes its first moments vanish: so
//
//   ∫ |h| dA = V + 2 ∫ |h| dA over where s h < 0,    ∫ |h| x dA = 0 + 2 ∫ |h| x dA over the same,
//
// and a slab, whose upper faces look up, needs nothing more; however thin it is.
#pragma once

#include <kinecast/contact/contact.hpp>
#include <kinecast/contact/solid.hpp>
#include <kinecast/contact/volume/intersection.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// All in B's frame. (x, y) are along (t2, t3) from p0.
template <class S, int MaxCorners>
struct ContactPatch {
  static_assert(MaxCorners >= 4, "kinecast: a contact polygon needs room for four corners");
  S volume;
  Vec3<S> center;       // p0
  ContactAxes<S> axes;  // n: the way for A to leave
  int corners;          // three or more, counter-clockwise, convex
  S corner[static_cast<std::size_t>(MaxCorners)][2];
  S reach;  // of the farthest corner
  S area, x, y, xx, xy, yy;
  S h, hx, hy;
  bool is_contained;  // one in the other, or right through it: n is the way out of least motion
};

// The least motion along a face's normal that separates A from B.
template <class S>
struct Separation {
  Vec3<S> normal;  // the way for A
  S depth;
  Vec3<S> middle;  // between that face and the vertex behind it that leaves last, in B's frame
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

// Points of the contact plane become a convex polygon, counter-clockwise: Andrew's chains. They compare exactly: with a tolerance
// in them, points on a line along y would be lost, as their order is rounding's.
template <class S, int MaxPoints>
struct PlanePoints {
  int count{0};
  S at[static_cast<std::size_t>(MaxPoints)][2];
  std::uint8_t hull[static_cast<std::size_t>(MaxPoints + 1)];
  int corners{0};

  [[gnu::always_inline]] void add(S x, S y) noexcept {
    if (count == MaxPoints) return;
    // In order of x, then y.
    int i = count++;
    for (; i > 0 && (at[i - 1][0] > x || (!(at[i - 1][0] < x) && at[i - 1][1] > y)); --i) {
      at[i][0] = at[i - 1][0];
      at[i][1] = at[i - 1][1];
    }
    at[i][0] = x;
    at[i][1] = y;
  }
  // Twice the area of the triangle, positive if it turns left.
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
    if (corners > 1) --corners;  // came back to the first
  }
  // The corners whose loss costs the least area go: those that cost next to nothing, and as many more as must.
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

// A point or a line as a rectangle about it, and what is narrower than that.
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

// Three corners of a face as the plane sees them.
template <class S>
struct Triangle {
  S x[3];
  S y[3];
  S h[3];
  [[nodiscard, gnu::always_inline]] S twice_area() const noexcept {
    return (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
  }
};
// ∫ f g over a triangle is its area / 12 times this.
template <class S>
[[nodiscard, gnu::always_inline]] inline S product(const S (&f)[3], S sum_f, const S (&g)[3], S sum_g) noexcept {
  return sum_f * sum_g + f[0] * g[0] + f[1] * g[1] + f[2] * g[2];
}

// 24 times the integrals of h, h x, h y over where h > 0, for a triangle of twice the area `area` (positive); added to `sum`.
template <class S>
inline void add_above(const Triangle<S>& t, S area, S (&sum)[3]) noexcept {
  const int above = (t.h[0] > S(0) ? 1 : 0) + (t.h[1] > S(0) ? 1 : 0) + (t.h[2] > S(0) ? 1 : 0);
  if (above == 0) return;
  if (above > 1) {
    const S h = t.h[0] + t.h[1] + t.h[2];
    sum[0] += S(4) * area * h;
    sum[1] += area * product(t.h, h, t.x, t.x[0] + t.x[1] + t.x[2]);
    sum[2] += area * product(t.h, h, t.y, t.y[0] + t.y[1] + t.y[2]);
    if (above == 3) return;
  }
  // The corner that is alone on its side: what it cuts off is added, or taken away from the whole (where h is negative there).
  const bool is_above = above == 1;
  int k = 0;
  while (k < 2 && (t.h[k] > S(0)) != is_above) ++k;
  const int i = k == 2 ? 0 : k + 1;
  const int j = k == 0 ? 2 : k - 1;
  const S h = t.h[k];
  const S to_i = h / (h - t.h[i]);  // a corner alone is not on the plane, or it is and cuts nothing off
  const S to_j = h / (h - t.h[j]);
  const S part = is_above ? area * to_i * to_j : -(area * to_i * to_j);
  if (!is_above && !(h < S(0))) return;
  sum[0] += S(4) * part * h;
  sum[1] += part * h * (S(4) * t.x[k] + to_i * (t.x[i] - t.x[k]) + to_j * (t.x[j] - t.x[k]));
  sum[2] += part * h * (S(4) * t.y[k] + to_i * (t.y[i] - t.y[k]) + to_j * (t.y[j] - t.y[k]));
}

// The way for A to leave (eq. 1-3): V's surface is closed, so B's faces alone say it, and a single one exactly. False: they
// cancel, or there are none.
template <class S, int MaxFaces>
[[nodiscard]] inline bool find_normal(const ContactSolid<S, MaxFaces>& solid, const ConvexView<S>& b,
                                      Vec3<S>& out) noexcept {
  int only = -1;
  bool is_single = true;
  for (int f = 0; f < solid.face_count; ++f) {
    const FaceLabel label = solid.faces.labels[f];
    if (label.origin == FaceOrigin::a) continue;
    is_single = is_single && (only < 0 || only == label.face);
    only = label.face;
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
    if (label.origin == FaceOrigin::a) continue;
    const std::uint8_t* const loop = solid.loop(f);
    const Vec3<S>& normal = b.normals[label.face];
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

// V as its plane sees it, and everything that is integrated over it.
template <class S, int MaxFaces>
struct PlaneView {
  using Solid = ContactSolid<S, MaxFaces>;
  static constexpr int kVertices = Solid::kVertices;
  explicit PlaneView(const Solid& seen) noexcept : solid(seen) {}
  const Solid& solid;
  S x[static_cast<std::size_t>(kVertices)];
  S y[static_cast<std::size_t>(kVertices)];
  S h[static_cast<std::size_t>(kVertices)];
  std::uint8_t looks[static_cast<std::size_t>(MaxFaces)];  // 1: has triangles that look up, 2: down
  S low;                                                   // of all heights
  S high;
  S square_reach;
  S flat;  // twice a triangle's area that is rounding of all of them

  [[gnu::always_inline]] void pick(const std::uint8_t* loop, int i, Triangle<S>& t, int to) const noexcept {
    const int v = loop[i];
    t.x[to] = x[v];
    t.y[to] = y[v];
    t.h[to] = h[v];
  }

  // Coordinates along the axes from the vertices' mean, which is returned.
  [[nodiscard]] Vec3<S> project(const ContactAxes<S>& axes) noexcept {
    Vec3<S> sum{};
    for (int i = 0; i < solid.vertex_count; ++i) sum = sum + solid.vertices[i];
    const Vec3<S> mean = (S(1) / static_cast<S>(solid.vertex_count)) * sum;
    low = high = square_reach = S(0);
    for (int i = 0; i < solid.vertex_count; ++i) {
      const Vec3<S> p = solid.vertices[i] - mean;
      x[i] = dot(axes.t2, p);
      y[i] = dot(axes.t3, p);
      h[i] = dot(axes.n, p);
      const S square = x[i] * x[i] + y[i] * y[i];
      if (square > square_reach) square_reach = square;
      if (h[i] < low) low = h[i];
      if (h[i] > high) high = h[i];
    }
    return mean;
  }
  [[nodiscard]] bool is_within(S at_x, S at_y, S at_h) const noexcept {
    return at_x * at_x + at_y * at_y <= square_reach && at_h >= low && at_h <= high;
  }

  // Volume, its first moments, and the moments of what looks up, which covers the plane once. All about the mean.
  struct Moments {
    S v{}, vx{}, vy{}, vh{};
    S a{}, ax{}, ay{}, axx{}, axy{}, ayy{};
  };
  [[nodiscard]] Moments integrate() noexcept {
    Moments m;
    flat = S(0);
    for (int f = solid.face_count - 1; f >= 0; --f) {  // B's first: they look up, and tell what is small
      const std::uint8_t* const loop = solid.loop(f);
      const int corners = solid.corners(f);
      Triangle<S> t;
      pick(loop, 0, t, 0);
      pick(loop, 1, t, 2);
      std::uint8_t look = 0;
      for (int i = 2; i < corners; ++i) {
        t.x[1] = t.x[2], t.y[1] = t.y[2], t.h[1] = t.h[2];
        pick(loop, i, t, 2);
        const S area = t.twice_area();
        if (!(std::abs(area) > flat)) continue;
        const S sx = t.x[0] + t.x[1] + t.x[2];
        const S sy = t.y[0] + t.y[1] + t.y[2];
        const S sh = t.h[0] + t.h[1] + t.h[2];
        m.v += area * sh;
        m.vx += area * product(t.h, sh, t.x, sx);
        m.vy += area * product(t.h, sh, t.y, sy);
        m.vh += area * product(t.h, sh, t.h, sh);
        if (area > S(0)) {
          look |= 1U;
          m.a += area;
          m.ax += area * sx;
          m.ay += area * sy;
          m.axx += area * product(t.x, sx, t.x, sx);
          m.axy += area * product(t.x, sx, t.y, sy);
          m.ayy += area * product(t.y, sy, t.y, sy);
        } else {
          look |= 2U;
        }
      }
      looks[f] = look;
      flat = (S(4) * Tolerance<S>::kEpsilon) * m.a;
    }
    constexpr S kSixth = S(1) / S(6);
    constexpr S kPart = S(1) / S(24);
    m.v *= kSixth;
    m.vx *= kPart;
    m.vy *= kPart;
    m.vh *= S(0.5) * kPart;
    m.a *= S(0.5);
    m.ax *= kSixth;
    m.ay *= kSixth;
    m.axx *= kPart;
    m.axy *= kPart;
    m.ayy *= kPart;
    return m;
  }

  // 24 times the integrals of |h|, |h| x, |h| y over what looks up below the plane, or down above it.
  void integrate_overhangs(S (&sum)[3]) const noexcept {
    sum[0] = sum[1] = sum[2] = S(0);
    for (int f = 0; f < solid.face_count; ++f) {
      if (looks[f] == 0) continue;
      const std::uint8_t* const loop = solid.loop(f);
      const int corners = solid.corners(f);
      bool is_wrong = false;
      for (int i = 0; i < corners; ++i) {
        const S height = h[loop[i]];
        is_wrong = is_wrong || ((looks[f] & 1U) != 0 && height < S(0)) || ((looks[f] & 2U) != 0 && height > S(0));
      }
      if (!is_wrong) continue;
      for (int i = 2; i < corners; ++i) {
        Triangle<S> t;
        pick(loop, 0, t, 0);
        pick(loop, i - 1, t, 1);
        pick(loop, i, t, 2);
        const S area = t.twice_area();
        if (!(std::abs(area) > flat)) continue;
        if (area > S(0))
          for (S& height : t.h) height = -height;
        add_above(t, std::abs(area), sum);
      }
    }
  }

  // Where V's edges go up through the plane: the corners of the section.
  template <int MaxPoints>
  void find_section(PlanePoints<S, MaxPoints>& points) const noexcept {
    for (int f = 0; f < solid.face_count; ++f) {
      const std::uint8_t* const loop = solid.loop(f);
      const int corners = solid.corners(f);
      int from = loop[corners - 1];
      for (int i = 0; i < corners; ++i) {
        const int to = loop[i];
        if (h[from] < S(0) && !(h[to] < S(0))) {
          const S part = h[from] / (h[from] - h[to]);
          points.add(x[from] + part * (x[to] - x[from]), y[from] + part * (y[to] - y[from]));
        }
        from = to;
      }
    }
    if (points.count > 0) return;
    for (int i = 0; i < solid.vertex_count; ++i) points.add(x[i], y[i]);  // flat to rounding: all of it
  }
};

}  // namespace detail

// `solid`: what intersect() made of a, b and a_in_b; it has faces. out is untouched unless ok.
template <class S, int MaxFaces, int MaxCorners>
[[nodiscard]] inline Status find_patch(const ContactSolid<S, MaxFaces>& solid, const ConvexView<S>& a,
                                       const ConvexView<S>& b, const Placement<S>& a_in_b,
                                       ContactPatch<S, MaxCorners>& out) noexcept {
  if (solid.face_count == 0) return Status::not_ready;
  Vec3<S> n;
  const bool is_contained = !detail::find_normal(solid, b, n);
  if (is_contained) n = find_separation(a, b, a_in_b).normal;
  const Tangents<S> tangents = tangents_of(n);
  const ContactAxes<S> axes{n, tangents.t2, tangents.t3};

  detail::PlaneView<S, MaxFaces> view(solid);
  const Vec3<S> mean = view.project(axes);
  const auto m = view.integrate();
  if (!is_finite(m.v + m.vx + m.vy + m.vh + m.a + m.axx + m.ayy)) return Status::non_finite_result;

  // The centroid is among the vertices. What is not is rounding: their mean is as good.
  const S inverse = m.v > S(0) ? S(1) / m.v : S(0);
  S x0 = m.vx * inverse;
  S y0 = m.vy * inverse;
  S h0 = m.vh * inverse;
  if (!view.is_within(x0, y0, h0)) x0 = y0 = h0 = S(0);
  for (int i = 0; i < solid.vertex_count; ++i) {
    view.x[i] -= x0;
    view.y[i] -= y0;
    view.h[i] -= h0;
  }

  out.is_contained = is_contained;
  out.volume = m.v > S(0) ? m.v : S(0);
  out.axes = axes;
  out.center = mean + (x0 * axes.t2 + y0 * axes.t3 + h0 * n);
  out.area = S(2) * m.a;
  out.x = S(2) * (m.ax - x0 * m.a);
  out.y = S(2) * (m.ay - y0 * m.a);
  out.xx = S(2) * (m.axx - x0 * (m.ax + m.ax - x0 * m.a));
  out.xy = S(2) * (m.axy - x0 * m.ay - y0 * (m.ax - x0 * m.a));
  out.yy = S(2) * (m.ayy - y0 * (m.ay + m.ay - y0 * m.a));
  S overhang[3];
  view.integrate_overhangs(overhang);
  constexpr S kTwice = S(1) / S(12);
  out.h = out.volume + kTwice * overhang[0];
  out.hx = kTwice * overhang[1];
  out.hy = kTwice * overhang[2];

  detail::PlanePoints<S, ContactSolid<S, MaxFaces>::kVertices> points;
  view.find_section(points);
  points.find_hull();
  points.thin_out(MaxCorners, S(4) * Tolerance<S>::kEpsilon * view.square_reach);
  S length = S(0);
  for (int i = 1; i < points.corners; ++i) {
    const S* const p = points.at[points.hull[i]];
    const S* const q = points.at[points.hull[0]];
    const S one = std::abs(p[0] - q[0]) + std::abs(p[1] - q[1]);
    if (one > length) length = one;
  }
  if (points.corners < 3 || points.twice_area() < S(2) * Tolerance<S>::kTouchingHalfWidth * length) {
    detail::widen(points, out);
  } else {
    out.corners = points.corners;
    for (int i = 0; i < points.corners; ++i) {
      out.corner[i][0] = points.at[points.hull[i]][0];
      out.corner[i][1] = points.at[points.hull[i]][1];
    }
  }
  detail::find_reach(out);
  return Status::ok;
}

// Stands for a contact solid that could not be built: the deepest vertex as a slab as wide as a touching corner counts. B's planes
// are moved outward by `skin`. False: they do not touch.
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
