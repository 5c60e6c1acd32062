// SPDX-License-Identifier: MIT
// The joints of the articulated-body method (method 1.2, 14): what the inward sweep leaves at each, and one algebra for
// the three kinds, Hinge (one axis), Ball (spherical) and Base (floating). With U = IA S and D = Sᵀ U = L Lᵀ, a joint
// can
//
//   factor       D, from the articulated inertia of its body; false: the body has none along the joint
//   whiten       y = L⁻¹ Sᵀ f: what it feels of a force on its body, as coordinates in the factor of H⁻¹ = W Wᵀ
//   pass         f - U D⁻¹ Sᵀ f: what its parent feels of that force
//   move         its own velocity for a motion of its frame, which becomes the motion of its body
//   give_way     the same where nothing acts on it: S (-D⁻¹ Uᵀ motion)
//   coordinates  y of a motion of its body: whoever moves with y has this motion
//
// A joint whose acceleration is given has 1/D = 0: nothing moves it. `turns`: about its axis, or along it.
#pragma once

#include <kinecast/math/cholesky.hpp>
#include <kinecast/math/spatial.hpp>
#include <kinecast/model/shape.hpp>

#include <cmath>
#include <cstddef>

namespace kinecast {

namespace detail {

// What is left of an articulated inertia past a hinge without rotor, IA - U Uᵀ / D: U is its z row, which vanishes.
template <class S>
[[nodiscard, gnu::always_inline]] inline HingedInertia<S> free_hinge(const SpatialInertia<S>& m, S inverse_D) noexcept {
  const Vec3<S>& row = m.coupling.row_z;
  const S x = m.rotational.xz * inverse_D;
  const S y = m.rotational.yz * inverse_D;
  const Vec3<S> l = inverse_D * row;
  return {m.rotational.xx - m.rotational.xz * x,
          m.rotational.xy - m.rotational.xz * y,
          m.rotational.yy - m.rotational.yz * y,
          m.coupling.row_x - x * row,
          m.coupling.row_y - y * row,
          {m.translational.xx - row.x * l.x, m.translational.xy - row.x * l.y, m.translational.xz - row.x * l.z,
           m.translational.yy - row.y * l.y, m.translational.yz - row.y * l.z, m.translational.zz - row.z * l.z}};
}

// The same with a rotor, or past a slide. The joint's own row is keep U, keep = rotor / D, exactly; computed as a
// difference it would be rounding noise, which a light joint beyond would take for its inertia.
template <class S>
[[nodiscard, gnu::always_inline]] inline SpatialInertia<S> free_joint(const SpatialInertia<S>& m, const Force<S>& U,
                                                                      S inverse_D, S keep, bool turns) noexcept {
  const Vec3<S>& a = U.moment;
  const Vec3<S>& l = U.force;
  const Vec3<S> ad = inverse_D * a;
  const Vec3<S> ld = inverse_D * l;
  const auto minus = [](const Sym3<S>& s, const Vec3<S>& u, const Vec3<S>& v) -> Sym3<S> {
    return {s.xx - u.x * v.x, s.xy - u.x * v.y, s.xz - u.x * v.z, s.yy - u.y * v.y, s.yz - u.y * v.z, s.zz - u.z * v.z};
  };
  SpatialInertia<S> left{minus(m.rotational, a, ad),
                         {m.coupling.row_x - ad.x * l, m.coupling.row_y - ad.y * l, m.coupling.row_z - ad.z * l},
                         minus(m.translational, l, ld)};
  if (turns) {
    left.rotational.xz = keep * a.x, left.rotational.yz = keep * a.y, left.rotational.zz = keep * a.z;
    left.coupling.row_z = keep * l;
  } else {
    left.translational.xz = keep * l.x, left.translational.yz = keep * l.y, left.translational.zz = keep * l.z;
    left.coupling.row_x.z = keep * a.x, left.coupling.row_y.z = keep * a.y, left.coupling.row_z.z = keep * a.z;
  }
  return left;
}

}  // namespace detail

// A joint with one axis, the z axis of its frame.
template <class S>
struct Hinge {
  Force<S> U{};
  S inverse_D{};
  S own_acceleration{};  // u / D: what the joint has if its parent has none

  // Sᵀ f
  [[nodiscard, gnu::always_inline]] static S felt(bool turns, const Force<S>& f) noexcept {
    return turns ? f.moment.z : f.force.z;
  }
  // S, to be changed.
  [[nodiscard, gnu::always_inline]] static S& along(bool turns, Motion<S>& v) noexcept {
    return turns ? v.angular.z : v.linear.z;
  }

  // The root of 1/D is taken where it is used: the inward sweep of a robot that nothing touches needs none.
  [[nodiscard, gnu::always_inline]] S whiten(bool turns, const Force<S>& f) const noexcept {
    return felt(turns, f) * std::sqrt(inverse_D);
  }
  [[nodiscard, gnu::always_inline]] Force<S> pass(bool turns, const Force<S>& f) const noexcept {
    const S own = felt(turns, f) * inverse_D;
    return {f.moment - own * U.moment, f.force - own * U.force};
  }
  // `own`: the velocity (or acceleration) that the joint has if its frame does not move.
  [[nodiscard, gnu::always_inline]] S move(bool turns, S own, Motion<S>& motion) const noexcept {
    const S rate = own - power(U, motion) * inverse_D;
    along(turns, motion) += rate;
    return rate;
  }
  [[gnu::always_inline]] void give_way(bool turns, Motion<S>& motion) const noexcept {
    along(turns, motion) -= power(U, motion) * inverse_D;
  }
  // D dq + Uᵀ (motion of the frame), over the root of D; U contains the joint's own inertia. 0: nothing moves the
  // joint.
  [[nodiscard, gnu::always_inline]] S coordinates(bool turns, S dq, const Motion<S>& motion) const noexcept {
    const S size = std::sqrt(inverse_D);
    return size > S(0) ? dq / size + (power(U, motion) - felt(turns, U) * dq) * size : S(0);
  }
};

// A spherical joint: D is the rotational block of the articulated inertia.
template <class S>
struct Ball {
  Cholesky<S, 3> D{};
  Mat3<S> inverse_D_coupling{};
  Vec3<S> inverse_D_u{};

  // Only a force passes the joint: `translational` is what it leaves of the inertia.
  [[nodiscard]] bool factor(const SpatialInertia<S>& m, Sym3<S>& translational) noexcept {
    const Sym3<S>& r = m.rotational;
    const S zero{};
    const S dense[3][3] = {{r.xx, zero, zero}, {r.xy, r.yy, zero}, {r.xz, r.yz, r.zz}};
    if (!D.factor(dense)) return false;
    const Mat3<S> columns = transpose(m.coupling);
    const auto solve = [&](const Vec3<S>& v) -> Vec3<S> {
      S x[3] = {v.x, v.y, v.z};
      D.solve(x);
      return {x[0], x[1], x[2]};
    };
    const Mat3<S> solved{solve(columns.row_x), solve(columns.row_y), solve(columns.row_z)};  // (D⁻¹ coupling)ᵀ
    inverse_D_coupling = transpose(solved);
    const Sym3<S>& t = m.translational;
    translational = {t.xx - dot(columns.row_x, solved.row_x), t.xy - dot(columns.row_x, solved.row_y),
                     t.xz - dot(columns.row_x, solved.row_z), t.yy - dot(columns.row_y, solved.row_y),
                     t.yz - dot(columns.row_y, solved.row_z), t.zz - dot(columns.row_z, solved.row_z)};
    return true;
  }
  [[gnu::always_inline]] void whiten(const Force<S>& f, S (&y)[3]) const noexcept {
    y[0] = f.moment.x, y[1] = f.moment.y, y[2] = f.moment.z;
    D.solve_lower(y);
  }
  [[nodiscard, gnu::always_inline]] Force<S> pass(const Force<S>& f) const noexcept {
    return {{}, f.force - transpose_times(inverse_D_coupling, f.moment)};
  }
  // L⁻ᵀ e_k: the motion by a unit coordinate.
  [[nodiscard, gnu::always_inline]] Motion<S> column(int k) const noexcept {
    S x[3] = {S(k == 0 ? 1 : 0), S(k == 1 ? 1 : 0), S(k == 2 ? 1 : 0)};
    D.solve_upper(x);
    return {{x[0], x[1], x[2]}, {}};
  }
  // L⁻ᵀ y is the angular velocity that the body has if its frame does not move.
  [[nodiscard, gnu::always_inline]] Vec3<S> move(const S* y, Motion<S>& motion) const noexcept {
    S x[3] = {y[0], y[1], y[2]};
    D.solve_upper(x);
    const Vec3<S> total = Vec3<S>{x[0], x[1], x[2]} - inverse_D_coupling * motion.linear;
    const Vec3<S> rate = total - motion.angular;
    motion.angular = total;
    return rate;
  }
  // The same for D⁻¹ u of the inward sweep. (The two round differently: neither takes the other's place.)
  [[nodiscard, gnu::always_inline]] Vec3<S> accelerate(Motion<S>& motion) const noexcept {
    const Vec3<S> rate = inverse_D_u - motion.angular - inverse_D_coupling * motion.linear;
    motion.angular = motion.angular + rate;
    return rate;
  }
  [[gnu::always_inline]] void give_way(Motion<S>& motion) const noexcept {
    motion.angular = -(inverse_D_coupling * motion.linear);
  }
  [[gnu::always_inline]] void coordinates(const Motion<S>& motion, S (&y)[3]) const noexcept {
    const Vec3<S> own = motion.angular + inverse_D_coupling * motion.linear;
    y[0] = own.x, y[1] = own.y, y[2] = own.z;
    D.multiply_upper(y);
  }
};

// A floating body: D is its articulated inertia [angular; linear]. Nothing passes it, and its frame is the world.
template <class S>
struct Base {
  Cholesky<S, 6> D{};
  Force<S> u{};  // body axes

  [[nodiscard]] bool factor(const SpatialInertia<S>& m) noexcept {
    const Sym3<S>& r = m.rotational;
    const Mat3<S>& h = m.coupling;
    const Sym3<S>& t = m.translational;
    const S zero{};
    // Cholesky reads the lower triangle only.
    const S dense[6][6] = {{r.xx, zero, zero, zero, zero, zero},
                           {r.xy, r.yy, zero, zero, zero, zero},
                           {r.xz, r.yz, r.zz, zero, zero, zero},
                           {h.row_x.x, h.row_y.x, h.row_z.x, t.xx, zero, zero},
                           {h.row_x.y, h.row_y.y, h.row_z.y, t.xy, t.yy, zero},
                           {h.row_x.z, h.row_y.z, h.row_z.z, t.xz, t.yz, t.zz}};
    return D.factor(dense);
  }
  [[gnu::always_inline]] void whiten(const Force<S>& f, S (&y)[6]) const noexcept {
    y[0] = f.moment.x, y[1] = f.moment.y, y[2] = f.moment.z, y[3] = f.force.x, y[4] = f.force.y, y[5] = f.force.z;
    // As D.solve_lower(), with loops that are unrolled: every row of a step comes through here.
#pragma GCC unroll 6
    for (int i = 0; i < 6; ++i) {
#pragma GCC unroll 6
      for (int k = 0; k < i; ++k) y[i] -= D.lower[i][k] * y[k];
      y[i] *= D.inverse_diag[i];
    }
  }
  // L⁻ᵀ e_k: the motion by a unit coordinate.
  [[nodiscard, gnu::always_inline]] Motion<S> column(int k) const noexcept {
    S x[6] = {};
    x[k] = S(1);
    D.solve_upper(x);
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
  // L⁻ᵀ y
  [[nodiscard, gnu::always_inline]] Motion<S> move(const S* y) const noexcept {
    S x[6] = {y[0], y[1], y[2], y[3], y[4], y[5]};
    D.solve_upper(x);
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
  // D⁻¹ u
  [[nodiscard, gnu::always_inline]] Motion<S> accelerate() const noexcept {
    S x[6] = {u.moment.x, u.moment.y, u.moment.z, u.force.x, u.force.y, u.force.z};
    D.solve(x);
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
  [[gnu::always_inline]] void coordinates(const Motion<S>& motion, S (&y)[6]) const noexcept {
    y[0] = motion.angular.x, y[1] = motion.angular.y, y[2] = motion.angular.z;
    y[3] = motion.linear.x, y[4] = motion.linear.y, y[5] = motion.linear.z;
    D.multiply_upper(y);
  }
};

namespace detail {

// Index of a floating or spherical body among its like.
template <const auto& R>
[[nodiscard]] constexpr std::size_t free_of(int b) noexcept {
  return static_cast<std::size_t>(Shape<R>::index(b).free);
}

// A joint in a sweep: its body, the same as an index of tables, and its first entry in dq. (Looked up once per body,
// before the sweep branches: otherwise it costs the humanoid 0.4 %.)
struct JointAt {
  int b;
  std::size_t at;
  int v;
};
template <const auto& R>
[[nodiscard, gnu::always_inline]] constexpr JointAt joint_at(int b) noexcept {
  return {b, static_cast<std::size_t>(b), Shape<R>::v_of(b)};
}

// Does at a joint what `joints` says of its kind: joints.hinge(j, …), joints.ball(j, …) or joints.base(j, …).
template <const auto& R, class Joints, class... Values>
[[gnu::always_inline]] inline void visit_joint(const Joints& joints, const JointAt& j, Values&... values) noexcept {
  using Shape = kinecast::Shape<R>;
  if (Shape::has_one_axis(j.b)) {
    joints.hinge(j, values...);
  } else if (Shape::is_spherical(j.b)) {
    if constexpr (Shape::kHas.spherical > 0) joints.ball(j, values...);
  } else if constexpr (Shape::kHas.floating > 0) {
    joints.base(j, values...);
  }
}

// Writes the velocity of a joint with more than one axis. dq of a floating body: linear, then angular, in world axes.
template <class S, class Out>
[[gnu::always_inline]] inline void write_velocity(const Vec3<S>& rate, int v, Out& dq) noexcept {
  dq[v] = rate.x, dq[v + 1] = rate.y, dq[v + 2] = rate.z;
}
template <class S, class Out>
[[gnu::always_inline]] inline void write_velocity(const Motion<S>& motion, const Mat3<S>& turn, int v,
                                                  Out& dq) noexcept {
  write_velocity(turn * motion.linear, v, dq);
  write_velocity(turn * motion.angular, v + 3, dq);
}

}  // namespace detail
}  // namespace kinecast
