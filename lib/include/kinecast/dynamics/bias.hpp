// SPDX-License-Identifier: MIT
// Outward sweep shared by inverse and forward dynamics: how every link moves for given (q, dq, ddq), and the force that
// this motion needs (Newton-Euler). No linear velocity appears: with classical accelerations the motion of a link is
//
//   a(x) = a + Omega x,   Omega = [alpha x] + [omega x]²,
//   force  = m a + Omega h,   moment = h x a + ∫ x × (Omega x) dm        (h: first moment, ∫ x xᵀ dm: second moment)
//
// Forward dynamics runs it with ddq = 0, and then treats the unknown part of the motion as linear. Cost: 135 operations
// per joint.
#pragma once

#include <kinecast/dynamics/tree.hpp>
#include <kinecast/dynamics/workspace.hpp>

#include <cstdint>

namespace kinecast {

// External wrenches, one column per link of the robot: [force; moment about the link's origin], link axes.
template <const auto& R, class S>
using LinkWrenches = Matrix<S, 6, Shape<R>::kLinks>;

namespace detail {

// [alpha x] + [omega x]²
template <class S>
[[nodiscard, gnu::always_inline]] inline Mat3<S> spin(const LinkMotion<S>& m) noexcept {
  const Vec3<S>& w = m.omega;
  const S xx = w.x * w.x;
  const S yy = w.y * w.y;
  const S zz = w.z * w.z;
  const S xy = w.x * w.y;
  const S xz = w.x * w.z;
  const S yz = w.y * w.z;
  return {{-yy - zz, xy - m.alpha.z, xz + m.alpha.y},
          {xy + m.alpha.z, -xx - zz, yz - m.alpha.x},
          {xz - m.alpha.y, yz + m.alpha.x, -xx - yy}};
}

template <class S>
[[nodiscard, gnu::always_inline]] inline Force<S> inertial_force(const JointConstants<S>& body, const Vec3<S>& a,
                                                                 const Mat3<S>& spin) noexcept {
  const Vec3<S>& h = body.inertia.first_moment;
  const Sym3<S>& p = body.second_moment;
  const Vec3<S>& x = spin.row_x;
  const Vec3<S>& y = spin.row_y;
  const Vec3<S>& z = spin.row_z;
  const Vec3<S> moment{(z.x * p.xy + z.y * p.yy + z.z * p.yz) - (y.x * p.xz + y.y * p.yz + y.z * p.zz),
                       (x.x * p.xz + x.y * p.yz + x.z * p.zz) - (z.x * p.xx + z.y * p.xy + z.z * p.xz),
                       (y.x * p.xx + y.y * p.xy + y.z * p.xz) - (x.x * p.xy + x.y * p.yy + x.z * p.yz)};
  return {moment + cross(h, a), body.inertia.mass * a + spin * h};
}

template <const auto& R, class S>
struct Rates {
  const Velocity<R, S>& dq;
  const Velocity<R, S>* ddq;  // null: zero
  [[nodiscard]] S acceleration(int i) const noexcept { return ddq == nullptr ? S(0) : (*ddq)[i]; }
  [[nodiscard]] Vec3<S> velocity3(int i) const noexcept { return {dq[i], dq[i + 1], dq[i + 2]}; }
  [[nodiscard]] Vec3<S> acceleration3(int i) const noexcept {
    return {acceleration(i), acceleration(i + 1), acceleration(i + 2)};
  }
};

// Adds the joint's own rates to the motion that its frame has from its parent.
template <const auto& R, class S>
[[gnu::always_inline]] inline void add_joint_rates(int body, const Rates<R, S>& rates, LinkMotion<S>& m) noexcept {
  using Shape = kinecast::Shape<R>;
  const int v = Shape::v_of(body);
  if (Shape::is_revolute(body)) {
    const S rate = rates.dq[v];
    m.omega.z += rate;
    m.alpha = {m.alpha.x + m.omega.y * rate, m.alpha.y - m.omega.x * rate, m.alpha.z + rates.acceleration(v)};
  } else if (Shape::is_prismatic(body)) {
    const S twice = rates.dq[v] + rates.dq[v];
    m.acceleration = {m.acceleration.x + m.omega.y * twice, m.acceleration.y - m.omega.x * twice,
                      m.acceleration.z + rates.acceleration(v)};
  } else if (Shape::is_spherical(body)) {
    const Vec3<S> rate = rates.velocity3(v);
    m.alpha = m.alpha + cross(m.omega, rate) + rates.acceleration3(v);
    m.omega = m.omega + rate;
  }
}

// The motion of a body becomes that of the frame of a joint on it. `spinning`: spin(motion).
template <class S, class Transfer>
[[gnu::always_inline]] inline void carry_motion(const Transfer& across, const Mat3<S>& spinning,
                                                LinkMotion<S>& motion) noexcept {
  const Vec3<S> at_joint = motion.acceleration + spinning * across.origin();
  motion.omega = across.axes_outward(motion.omega);
  motion.alpha = across.axes_outward(motion.alpha);
  motion.acceleration = across.axes_outward(at_joint);
}

// The motion of a body that hangs on the world.
template <const auto& R, class S, class AnyTree>
[[nodiscard, gnu::always_inline]] inline LinkMotion<S> root_motion(AnyTree tree, const Screws<R, S>& screws, int b,
                                                                   const Rates<R, S>& rates) noexcept {
  using Shape = kinecast::Shape<R>;
  const Vec3<S>& minus_gravity = tree.minus_gravity(b);
  LinkMotion<S> m{};
  if constexpr (Shape::kHas.floating > 0) {
    if (Shape::is_floating(b)) {
      const int v = Shape::v_of(b);
      const Mat3<S>& turn = screws.floating[static_cast<std::size_t>(Shape::index(b).free)];
      m.omega = transpose_times(turn, rates.velocity3(v + 3));
      if constexpr (AnyTree::kIsWhole) {
        m.acceleration = transpose_times(turn, minus_gravity + rates.acceleration3(v));
        m.alpha = transpose_times(turn, rates.acceleration3(v + 3));
      } else {
        m.acceleration = transpose_times(turn, minus_gravity);
      }
      return m;
    }
  }
  m.acceleration = turn_back_z(tree.screw(screws, b), minus_gravity);
  if constexpr (Shape::kHas.spherical > 0) {
    if (Shape::is_spherical(b))
      m.acceleration = transpose_times(screws.spherical[static_cast<std::size_t>(Shape::index(b).free)], minus_gravity);
  }
  add_joint_rates(b, rates, m);
  return m;
}

// What the bias holds when a sweep begins.
enum class BiasAtStart : std::uint8_t {
  nothing,       // it is overwritten
  from_outside,  // what acts on the bodies from outside: the force of the motion is added
};

// Outward: the motions, and the force that each needs.
template <BiasAtStart start = BiasAtStart::nothing, const auto& R, class S, class AnyTree>
inline void sweep_motion_outward(AnyTree tree, const Rates<R, S>& rates, Workspace<R, S>& work) noexcept {
  LinkMotion<S> motion{};  // of the body before
  Mat3<S> spinning{};
  for (int place = 0; place < tree.count(); ++place) {
    const int b = tree.body(place);
    const std::size_t at = static_cast<std::size_t>(b);
    if (tree.is_root(place, b)) {
      motion = root_motion(tree, work.screws, b, rates);
    } else {
      if (fetch_parent<R>(tree, b, work.outward, motion)) spinning = spin(motion);
      carry_motion(tree.across(work.screws, b), spinning, motion);
      add_joint_rates(b, rates, motion);
    }
    spinning = spin(motion);
    leave_for_children<R>(tree, b, work.outward, motion);
    if constexpr (Shape<R>::kPoints > 0) work.products[at] = tree.own_motion(b, motion, spinning);
    if constexpr (start == BiasAtStart::from_outside)
      work.bias[at] = work.bias[at] + inertial_force(tree.joint(b), motion.acceleration, spinning);
    else
      work.bias[at] = inertial_force(tree.joint(b), motion.acceleration, spinning);
  }
}

// A wrench from outside lowers the force that the joint has to bring. Links welded to the world are held by it.
template <const auto& R, class S>
inline void subtract_wrenches(const Model<R, S>& model, const LinkWrenches<R, S>& wrenches,
                              Workspace<R, S>& work) noexcept {
  using Shape = kinecast::Shape<R>;
  for (int i = 0; i < Shape::kLinks; ++i) {
    const int b = Shape::body_of_link(i);
    if (b == kWorld) continue;
    const Placement<S>& frame = model.link_frames[static_cast<std::size_t>(i)];
    const Vec3<S> force = frame.rotation * Vec3<S>{wrenches(0, i), wrenches(1, i), wrenches(2, i)};
    const Vec3<S> moment = frame.rotation * Vec3<S>{wrenches(3, i), wrenches(4, i), wrenches(5, i)};
    Force<S>& bias = work.bias[static_cast<std::size_t>(b)];
    bias = bias - shift(frame.position, Force<S>{moment, force});
  }
}

}  // namespace detail
}  // namespace kinecast
