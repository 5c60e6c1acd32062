// SPDX-License-Identifier: MIT
// Spatial algebra with its structure kept (method 1.1). Motion [angular; linear of the frame origin], Force [moment
// about the origin; force]; a spatial inertia is two symmetric blocks and one full one: 21 numbers, never a dense 6x6.
//
// A joint carries a frame from child to parent in planar steps: turn and slide along z (the joint itself), turn and
// slide along x (a constant of the robot). Each step mixes two coordinates only, which is what makes the sweeps cheap:
// turning the 21 numbers of an inertia costs 53 operations, against 432 for a dense rotation of its blocks.
#pragma once

#include <kinecast/math/vec3.hpp>

namespace kinecast {

template <class S>
struct Motion {
  Vec3<S> angular;
  Vec3<S> linear;
};

template <class S>
struct Force {
  Vec3<S> moment;
  Vec3<S> force;
};

template <class S>
[[nodiscard, gnu::always_inline]] constexpr Force<S> operator+(const Force<S>& a, const Force<S>& b) noexcept {
  return {a.moment + b.moment, a.force + b.force};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Force<S> operator-(const Force<S>& a, const Force<S>& b) noexcept {
  return {a.moment - b.moment, a.force - b.force};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Motion<S> operator+(const Motion<S>& a, const Motion<S>& b) noexcept {
  return {a.angular + b.angular, a.linear + b.linear};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Motion<S> operator-(const Motion<S>& a, const Motion<S>& b) noexcept {
  return {a.angular - b.angular, a.linear - b.linear};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Motion<S> operator*(S k, const Motion<S>& m) noexcept {
  return {k * m.angular, k * m.linear};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr S power(const Force<S>& f, const Motion<S>& v) noexcept {
  return dot(f.moment, v.angular) + dot(f.force, v.linear);
}

// A turn in a coordinate plane and a slide along the plane's normal. Scratch starts as zeros; no turn is {1, 0, 0}.
template <class S>
struct Screw {
  S cos{};
  S sin{};
  S slide{};
};

// [ rotational  coupling    ]   moment = rotational ω + coupling v
// [ couplingᵀ   translational ]   force  = couplingᵀ ω + translational v
template <class S>
struct SpatialInertia {
  Sym3<S> rotational;
  Mat3<S> coupling;
  Sym3<S> translational;
};

// A rigid body about the origin of its frame: mass, mass times centre of mass, inertia about the origin.
template <class S>
struct RigidInertia {
  S mass{};
  Vec3<S> first_moment;
  Sym3<S> rotational;
};

template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> operator+(const SpatialInertia<S>& a,
                                                                        const SpatialInertia<S>& b) noexcept {
  return {
      a.rotational + b.rotational,
      {a.coupling.row_x + b.coupling.row_x, a.coupling.row_y + b.coupling.row_y, a.coupling.row_z + b.coupling.row_z},
      a.translational + b.translational};
}

// The coupling of a rigid body is m [c x], its translational block m 1: fifteen additions.
template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> operator+(const SpatialInertia<S>& a,
                                                                        const RigidInertia<S>& b) noexcept {
  const Vec3<S>& h = b.first_moment;
  const Sym3<S>& t = a.translational;
  return {a.rotational + b.rotational,
          {{a.coupling.row_x.x, a.coupling.row_x.y - h.z, a.coupling.row_x.z + h.y},
           {a.coupling.row_y.x + h.z, a.coupling.row_y.y, a.coupling.row_y.z - h.x},
           {a.coupling.row_z.x - h.y, a.coupling.row_z.y + h.x, a.coupling.row_z.z}},
          {t.xx + b.mass, t.xy, t.xz, t.yy + b.mass, t.yz, t.zz + b.mass}};
}

template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> to_spatial(const RigidInertia<S>& body) noexcept {
  const Vec3<S>& h = body.first_moment;
  const S zero{};
  return {body.rotational,
          {{zero, -h.z, h.y}, {h.z, zero, -h.x}, {-h.y, h.x, zero}},
          {body.mass, zero, zero, body.mass, zero, body.mass}};
}

template <class S>
[[nodiscard, gnu::always_inline]] constexpr Force<S> operator*(const SpatialInertia<S>& m,
                                                               const Motion<S>& v) noexcept {
  return {m.rotational * v.angular + m.coupling * v.linear,
          transpose_times(m.coupling, v.angular) + m.translational * v.linear};
}

template <class S>
[[nodiscard, gnu::always_inline]] constexpr Force<S> operator*(const RigidInertia<S>& m, const Motion<S>& v) noexcept {
  return {m.rotational * v.angular + cross(m.first_moment, v.linear),
          m.mass * v.linear - cross(m.first_moment, v.angular)};
}

// ---- child to parent along z: p_parent = Rz p_child + slide z -------------------------------------------------------

template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> turn_z(const Screw<S>& k, const Vec3<S>& v) noexcept {
  return {k.cos * v.x - k.sin * v.y, k.sin * v.x + k.cos * v.y, v.z};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> turn_back_z(const Screw<S>& k, const Vec3<S>& v) noexcept {
  return {k.cos * v.x + k.sin * v.y, k.cos * v.y - k.sin * v.x, v.z};
}

// R m Rᵀ in the turning plane with one product t: xx' = xx - s t, yy' = yy + s t, xy' = c t
// - xy, t = s (xx - yy) + 2 c xy.
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Sym3<S> turn_z(const Screw<S>& k, const Sym3<S>& m) noexcept {
  const S t = k.sin * (m.xx - m.yy) + k.cos * (m.xy + m.xy);
  const S st = k.sin * t;
  return {m.xx - st, k.cos * t - m.xy, k.cos * m.xz - k.sin * m.yz, m.yy + st, k.sin * m.xz + k.cos * m.yz, m.zz};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Mat3<S> turn_z(const Screw<S>& k, const Mat3<S>& m) noexcept {
  const S t = k.sin * (m.row_x.x - m.row_y.y) + k.cos * (m.row_x.y + m.row_y.x);
  const S st = k.sin * t;
  const S ct = k.cos * t;
  return {{m.row_x.x - st, ct - m.row_y.x, k.cos * m.row_x.z - k.sin * m.row_y.z},
          {ct - m.row_x.y, m.row_y.y + st, k.sin * m.row_x.z + k.cos * m.row_y.z},
          {k.cos * m.row_z.x - k.sin * m.row_z.y, k.sin * m.row_z.x + k.cos * m.row_z.y, m.row_z.z}};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> turn_z(const Screw<S>& k,
                                                                     const SpatialInertia<S>& m) noexcept {
  return {turn_z(k, m.rotational), turn_z(k, m.coupling), turn_z(k, m.translational)};
}

// coupling' = coupling + [r x] translational; rotational' = rotational + [r x]
// couplingᵀ + coupling' [r x]ᵀ; r = slide z.
template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> slide_z(S d, const SpatialInertia<S>& m) noexcept {
  const Mat3<S>& h = m.coupling;
  const Sym3<S>& t = m.translational;
  const S dxy = d * t.xy;
  const Mat3<S> coupling{{h.row_x.x - dxy, h.row_x.y - d * t.yy, h.row_x.z - d * t.yz},
                         {h.row_y.x + d * t.xx, h.row_y.y + dxy, h.row_y.z + d * t.xz},
                         h.row_z};
  const Sym3<S>& i = m.rotational;
  return {{i.xx - d * (h.row_x.y + coupling.row_x.y), i.xy + d * (coupling.row_x.x - h.row_y.y), i.xz - d * h.row_z.y,
           i.yy + d * (h.row_y.x + coupling.row_y.x), i.yz + d * h.row_z.x, i.zz},
          coupling,
          t};
}

template <class S>
[[nodiscard, gnu::always_inline]] constexpr Force<S> force_z(const Screw<S>& k, const Force<S>& f) noexcept {
  const Vec3<S> force = turn_z(k, f.force);
  const Vec3<S> moment = turn_z(k, f.moment);
  return {{moment.x - k.slide * force.y, moment.y + k.slide * force.x, moment.z}, force};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Motion<S> motion_back_z(const Screw<S>& k, const Motion<S>& v) noexcept {
  const Vec3<S>& w = v.angular;
  const Vec3<S> linear{v.linear.x + k.slide * w.y, v.linear.y - k.slide * w.x, v.linear.z};
  return {turn_back_z(k, w), turn_back_z(k, linear)};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> inertia_z(const Screw<S>& k,
                                                                        const SpatialInertia<S>& m) noexcept {
  return slide_z(k.slide, turn_z(k, m));
}

// ---- child to parent along x: p_parent = Rx p_child + slide x -------------------------------------------------------

template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> turn_x(const Screw<S>& k, const Vec3<S>& v) noexcept {
  return {v.x, k.cos * v.y - k.sin * v.z, k.sin * v.y + k.cos * v.z};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Vec3<S> turn_back_x(const Screw<S>& k, const Vec3<S>& v) noexcept {
  return {v.x, k.cos * v.y + k.sin * v.z, k.cos * v.z - k.sin * v.y};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Sym3<S> turn_x(const Screw<S>& k, const Sym3<S>& m) noexcept {
  const S t = k.sin * (m.yy - m.zz) + k.cos * (m.yz + m.yz);
  const S st = k.sin * t;
  return {m.xx, k.cos * m.xy - k.sin * m.xz, k.sin * m.xy + k.cos * m.xz, m.yy - st, k.cos * t - m.yz, m.zz + st};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Mat3<S> turn_x(const Screw<S>& k, const Mat3<S>& m) noexcept {
  const S t = k.sin * (m.row_y.y - m.row_z.z) + k.cos * (m.row_y.z + m.row_z.y);
  const S st = k.sin * t;
  const S ct = k.cos * t;
  return {{m.row_x.x, k.cos * m.row_x.y - k.sin * m.row_x.z, k.sin * m.row_x.y + k.cos * m.row_x.z},
          {k.cos * m.row_y.x - k.sin * m.row_z.x, m.row_y.y - st, ct - m.row_z.y},
          {k.sin * m.row_y.x + k.cos * m.row_z.x, ct - m.row_y.z, m.row_z.z + st}};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> turn_x(const Screw<S>& k,
                                                                     const SpatialInertia<S>& m) noexcept {
  return {turn_x(k, m.rotational), turn_x(k, m.coupling), turn_x(k, m.translational)};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> slide_x(S a, const SpatialInertia<S>& m) noexcept {
  const Mat3<S>& h = m.coupling;
  const Sym3<S>& t = m.translational;
  const S ayz = a * t.yz;
  const Mat3<S> coupling{h.row_x,
                         {h.row_y.x - a * t.xz, h.row_y.y - ayz, h.row_y.z - a * t.zz},
                         {h.row_z.x + a * t.xy, h.row_z.y + a * t.yy, h.row_z.z + ayz}};
  const Sym3<S>& i = m.rotational;
  return {{i.xx, i.xy - a * h.row_x.z, i.xz + a * h.row_x.y, i.yy - a * (h.row_y.z + coupling.row_y.z),
           i.yz + a * (coupling.row_y.y - h.row_z.z), i.zz + a * (h.row_z.y + coupling.row_z.y)},
          coupling,
          t};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Force<S> force_x(const Screw<S>& k, const Force<S>& f) noexcept {
  const Vec3<S> force = turn_x(k, f.force);
  const Vec3<S> moment = turn_x(k, f.moment);
  return {{moment.x, moment.y - k.slide * force.z, moment.z + k.slide * force.y}, force};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Motion<S> motion_back_x(const Screw<S>& k, const Motion<S>& v) noexcept {
  const Vec3<S>& w = v.angular;
  const Vec3<S> linear{v.linear.x, v.linear.y + k.slide * w.z, v.linear.z - k.slide * w.y};
  return {turn_back_x(k, w), turn_back_x(k, linear)};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> inertia_x(const Screw<S>& k,
                                                                        const SpatialInertia<S>& m) noexcept {
  return slide_x(k.slide, turn_x(k, m));
}

// ---- what is left of an inertia once a turn about z is free ---------------------------------------------------------

// I - U Uᵀ / (zᵀ U): the moment about z, and with it the z row of the rotational and of
// the coupling block, has vanished.
template <class S>
struct HingedInertia {
  S xx{};  // rotational
  S xy{};
  S yy{};
  Vec3<S> coupling_x{};
  Vec3<S> coupling_y{};
  Sym3<S> translational{};
};

template <class S>
[[nodiscard, gnu::always_inline]] constexpr HingedInertia<S> inertia_z(const Screw<S>& k,
                                                                       const HingedInertia<S>& m) noexcept {
  const S t = k.sin * (m.xx - m.yy) + k.cos * (m.xy + m.xy);
  const S st = k.sin * t;
  const S xx = m.xx - st;
  const S xy = k.cos * t - m.xy;
  const S yy = m.yy + st;
  const S tc = k.sin * (m.coupling_x.x - m.coupling_y.y) + k.cos * (m.coupling_x.y + m.coupling_y.x);
  const S stc = k.sin * tc;
  const S ctc = k.cos * tc;
  const Vec3<S> hx{m.coupling_x.x - stc, ctc - m.coupling_y.x, k.cos * m.coupling_x.z - k.sin * m.coupling_y.z};
  const Vec3<S> hy{ctc - m.coupling_x.y, m.coupling_y.y + stc, k.sin * m.coupling_x.z + k.cos * m.coupling_y.z};
  const Sym3<S> l = turn_z(k, m.translational);
  const S d = k.slide;
  const S dxy = d * l.xy;
  const Vec3<S> gx{hx.x - dxy, hx.y - d * l.yy, hx.z - d * l.yz};
  const Vec3<S> gy{hy.x + d * l.xx, hy.y + dxy, hy.z + d * l.xz};
  return {xx - d * (hx.y + gx.y), xy + d * (gx.x - hy.y), yy + d * (hy.x + gy.x), gx, gy, l};
}

template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> turn_x(const Screw<S>& k,
                                                                     const HingedInertia<S>& m) noexcept {
  const S t = k.sin * m.yy;
  const S st = k.sin * t;
  const Vec3<S>& hx = m.coupling_x;
  const Vec3<S>& hy = m.coupling_y;
  const S tc = k.sin * hy.y + k.cos * hy.z;
  const S stc = k.sin * tc;
  const S ctc = k.cos * tc;
  return {{m.xx, k.cos * m.xy, k.sin * m.xy, m.yy - st, k.cos * t, st},
          {{hx.x, k.cos * hx.y - k.sin * hx.z, k.sin * hx.y + k.cos * hx.z},
           {k.cos * hy.x, hy.y - stc, ctc},
           {k.sin * hy.x, ctc - hy.z, stc}},
          turn_x(k, m.translational)};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> inertia_x(const Screw<S>& k,
                                                                        const HingedInertia<S>& m) noexcept {
  return slide_x(k.slide, turn_x(k, m));
}

// ---- rigid bodies: the mass does not change, ten numbers follow the same screws -------------------------------------

template <class S>
[[nodiscard, gnu::always_inline]] constexpr RigidInertia<S> operator+(const RigidInertia<S>& a,
                                                                      const RigidInertia<S>& b) noexcept {
  return {a.mass + b.mass, a.first_moment + b.first_moment, a.rotational + b.rotational};
}
// h' = h + m d z; I' = I + (2 d h_z + m d²)(1 - z zᵀ) - d (h_xy zᵀ + z h_xyᵀ)
template <class S>
[[nodiscard, gnu::always_inline]] constexpr RigidInertia<S> inertia_z(const Screw<S>& k,
                                                                      const RigidInertia<S>& m) noexcept {
  const Vec3<S> h = turn_z(k, m.first_moment);
  const Sym3<S> i = turn_z(k, m.rotational);
  const S d = k.slide;
  const S hz = h.z + d * m.mass;
  const S widen = d * (h.z + hz);
  return {m.mass, {h.x, h.y, hz}, {i.xx + widen, i.xy, i.xz - d * h.x, i.yy + widen, i.yz - d * h.y, i.zz}};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr RigidInertia<S> inertia_x(const Screw<S>& k,
                                                                      const RigidInertia<S>& m) noexcept {
  const Vec3<S> h = turn_x(k, m.first_moment);
  const Sym3<S> i = turn_x(k, m.rotational);
  const S a = k.slide;
  const S hx = h.x + a * m.mass;
  const S widen = a * (h.x + hx);
  return {m.mass, {hx, h.y, h.z}, {i.xx, i.xy - a * h.y, i.xz - a * h.z, i.yy + widen, i.yz, i.zz + widen}};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr RigidInertia<S> turn_z(const Screw<S>& k,
                                                                   const RigidInertia<S>& m) noexcept {
  return {m.mass, turn_z(k, m.first_moment), turn_z(k, m.rotational)};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr RigidInertia<S> shift(const Vec3<S>& r, const RigidInertia<S>& m) noexcept {
  const Vec3<S>& h = m.first_moment;
  const Vec3<S> moved = h + m.mass * r;
  // I' = I + (r·h + h'·r) 1 - (h rᵀ + r h'ᵀ), symmetric because h' = h + m r.
  const S diagonal = dot(r, h) + dot(moved, r);
  const Sym3<S>& i = m.rotational;
  return {m.mass,
          moved,
          {i.xx + diagonal - r.x * (h.x + moved.x), i.xy - (h.x * r.y + r.x * moved.y),
           i.xz - (h.x * r.z + r.x * moved.z), i.yy + diagonal - r.y * (h.y + moved.y),
           i.yz - (h.y * r.z + r.y * moved.z), i.zz + diagonal - r.z * (h.z + moved.z)}};
}

// ---- a general shift of the origin, child origin at r in parent axes ------------------------------------------------

template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> slide_y(S b, const SpatialInertia<S>& m) noexcept {
  const Mat3<S>& h = m.coupling;
  const Sym3<S>& t = m.translational;
  const S bxz = b * t.xz;
  const Mat3<S> coupling{{h.row_x.x + bxz, h.row_x.y + b * t.yz, h.row_x.z + b * t.zz},
                         h.row_y,
                         {h.row_z.x - b * t.xx, h.row_z.y - b * t.xy, h.row_z.z - bxz}};
  const Sym3<S>& i = m.rotational;
  return {{i.xx + b * (h.row_x.z + coupling.row_x.z), i.xy + b * h.row_y.z, i.xz + b * (h.row_z.z - coupling.row_x.x),
           i.yy, i.yz - b * h.row_y.x, i.zz - b * (h.row_z.x + coupling.row_z.x)},
          coupling,
          t};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr SpatialInertia<S> shift(const Vec3<S>& r,
                                                                    const SpatialInertia<S>& m) noexcept {
  return slide_z(r.z, slide_y(r.y, slide_x(r.x, m)));
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Force<S> shift(const Vec3<S>& r, const Force<S>& f) noexcept {
  return {f.moment + cross(r, f.force), f.force};
}
template <class S>
[[nodiscard, gnu::always_inline]] constexpr Motion<S> shift_back(const Vec3<S>& r, const Motion<S>& v) noexcept {
  return {v.angular, v.linear + cross(v.angular, r)};
}

}  // namespace kinecast
