// SPDX-License-Identifier: MIT
// The tree policy (dynamics/tree.hpp) of a robot some of whose joints are rigid: the bodies whose joints are active,
// each with all that is welded to it, in their frames on the hybrid tree (dynamics/adaptive/rigidify.hpp).
#pragma once

#include <kinecast/dynamics/adaptive/rigidify.hpp>
#include <kinecast/dynamics/tree.hpp>

#include <cmath>

namespace kinecast::detail {

// Across the joint of an active body, from and to the active body before it, in their frames on the hybrid tree.
template <const auto& R, class S>
struct RigidTransfer {
  using Shape = kinecast::Shape<R>;
  static constexpr bool kTurns = !Shape::kHas.serial;  // in an arm every frame can be turned for its only child
  const RigidJoints<R, S>& rigid;
  const Screws<R, S>& screws;
  int b;
  const HybridJoint<S>& seat;
  Screw<S> along_z;

  [[gnu::always_inline]] RigidTransfer(const RigidJoints<R, S>& joints, const Screws<R, S>& all, int body) noexcept
      : rigid(joints),
        screws(all),
        b(body),
        seat(joints[body]),
        along_z(seat.is_plain ? all[body] : seat.joint.along_z * all[body]) {}

  [[nodiscard, gnu::always_inline]] bool is_across() const noexcept { return std::abs(seat.across) > S(0); }
  [[nodiscard, gnu::always_inline]] bool is_turned() const noexcept { return kTurns && seat.is_turned; }
  // Axes of a spherical body to those of its active parent.
  [[nodiscard, gnu::always_inline]] Mat3<S> ball_turn() const noexcept {
    const std::size_t free = static_cast<std::size_t>(Shape::index(b).free);
    return rigid.seats[free] * screws.spherical[free];
  }

  [[nodiscard, gnu::always_inline]] Vec3<S> origin() const noexcept {
    if (Shape::is_spherical(b)) return seat.offset;
    const Screw<S>& x = seat.joint.along_x;
    const Vec3<S> before{x.slide, seat.across - x.sin * along_z.slide, x.cos * along_z.slide};
    if (!is_turned()) return before;
    const Vec3<S> turned = turn_z(seat.turn, before);
    return {turned.x, turned.y, turned.z + seat.turn.slide};
  }
  [[nodiscard, gnu::always_inline]] Vec3<S> axes_outward(const Vec3<S>& v) const noexcept {
    if constexpr (Shape::kHas.spherical > 0) {
      if (Shape::is_spherical(b)) return transpose_times(ball_turn(), v);
    }
    return turn_back_z(along_z, turn_back_x(seat.joint.along_x, is_turned() ? turn_back_z(seat.turn, v) : v));
  }
  [[nodiscard, gnu::always_inline]] Motion<S> outward(Motion<S> v) const noexcept {
    if constexpr (Shape::kHas.spherical > 0) {
      if (Shape::is_spherical(b)) {
        const Mat3<S> turn = ball_turn();
        const Motion<S> at_joint = shift_back(seat.offset, v);
        return {transpose_times(turn, at_joint.angular), transpose_times(turn, at_joint.linear)};
      }
    }
    if (is_turned()) v = motion_back_z(seat.turn, v);
    v.linear = {v.linear.x - seat.across * v.angular.z, v.linear.y, v.linear.z + seat.across * v.angular.x};
    return motion_back_z(along_z, motion_back_x(seat.joint.along_x, v));
  }
  [[nodiscard, gnu::always_inline]] Force<S> inward(Force<S> f) const noexcept {
    if constexpr (Shape::kHas.spherical > 0) {
      if (Shape::is_spherical(b)) {
        const Mat3<S> turn = ball_turn();
        return shift(seat.offset, Force<S>{turn * f.moment, turn * f.force});
      }
    }
    f = force_x(seat.joint.along_x, force_z(along_z, f));
    f.moment = {f.moment.x + seat.across * f.force.z, f.moment.y, f.moment.z - seat.across * f.force.x};
    return is_turned() ? force_z(seat.turn, f) : f;
  }
  template <class I>
  [[nodiscard, gnu::always_inline]] SpatialInertia<S> inward_inertia(const I& m) const noexcept {
    SpatialInertia<S> out = inertia_x(seat.joint.along_x, inertia_z(along_z, m));
    if (is_across()) out = slide_y(seat.across, out);
    if (is_turned()) out = inertia_z(seat.turn, out);
    return out;
  }
  [[nodiscard, gnu::always_inline]] SpatialInertia<S> inward_ball(const Sym3<S>& translational) const noexcept {
    return shift(seat.offset, SpatialInertia<S>{{}, {}, rotated(ball_turn(), translational)});
  }
};

template <const auto& R, class S>
struct RigidTree {
  using Shape = kinecast::Shape<R>;
  static constexpr bool kIsWhole = false;
  const RigidJoints<R, S>& rigid;

  [[nodiscard, gnu::always_inline]] int count() const noexcept { return rigid.active; }
  [[nodiscard, gnu::always_inline]] int body(int place) const noexcept { return rigid.body(place); }
  [[nodiscard, gnu::always_inline]] bool is_root(int place, int b) const noexcept {
    return Shape::kHas.serial ? place == 0 : rigid[b].parent == kWorld;
  }
  [[nodiscard, gnu::always_inline]] bool follows_parent(int place, int b) const noexcept {
    return rigid[b].slot_of_parent < 0 && !is_root(place, b);
  }
  [[nodiscard, gnu::always_inline]] const HybridJoint<S>& slots(int b) const noexcept { return rigid[b]; }

  [[nodiscard, gnu::always_inline]] const JointConstants<S>& joint(int b) const noexcept { return rigid[b].joint; }
  [[nodiscard, gnu::always_inline]] const Vec3<S>& minus_gravity(int b) const noexcept { return rigid[b].offset; }
  [[nodiscard, gnu::always_inline]] Screw<S> screw(const Screws<R, S>& screws, int b) const noexcept {
    return across(screws, b).along_z;
  }
  [[nodiscard, gnu::always_inline]] RigidTransfer<R, S> across(const Screws<R, S>& screws, int b) const noexcept {
    return {rigid, screws, b};
  }
  // From a body's frame on the hybrid tree to its own.
  [[nodiscard, gnu::always_inline]] Force<S> own_force(int b, const Force<S>& f) const noexcept {
    const HybridJoint<S>& joint = rigid[b];
    return joint.is_framed ? force_z(joint.frame, f) : f;
  }
  [[nodiscard, gnu::always_inline]] Motion<S> own_motion(int b, const Motion<S>& v) const noexcept {
    const HybridJoint<S>& joint = rigid[b];
    return joint.is_framed ? motion_back_z(inverse(joint.frame), v) : v;
  }
  [[nodiscard, gnu::always_inline]] LinkMotion<S> own_motion(int b, const LinkMotion<S>& m,
                                                             const Mat3<S>& spinning) const noexcept {
    const HybridJoint<S>& joint = rigid[b];
    if (!joint.is_framed) return m;
    const Screw<S>& k = joint.frame;
    const Vec3<S> along{spinning.row_x.z, spinning.row_y.z, spinning.row_z.z};
    return {turn_z(k, m.omega), turn_z(k, m.alpha), turn_z(k, m.acceleration - k.slide * along)};
  }
};

}  // namespace kinecast::detail
