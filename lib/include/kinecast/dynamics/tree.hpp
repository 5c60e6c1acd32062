// SPDX-License-Identifier: MIT
// How a sweep goes through a robot. A tree policy says which bodies there are, parents first, how each hangs on the one
// before it, and how forces, inertias and motions cross its joint; sweeps are written once, for any policy:
//
//   WholeTree   every body of the robot, loops of known length                          (here)
//   RigidTree   the bodies whose joints are active, a list that is known at run time (dynamics/adaptive/rigid_tree.hpp)
//
// In an arm a sum or a motion passes from one body to the next in registers; at a branch it waits in a slot
// (model/shape.hpp, JointIndex). `place` is a body's place in the order, `b` its index.
#pragma once

#include <kinecast/dynamics/workspace.hpp>
#include <kinecast/kinematics/transfer.hpp>

#include <array>
#include <cstddef>

namespace kinecast::detail {

// Across one joint of the whole robot, between the frames of its bodies.
template <const auto& R, class S>
struct WholeTransfer {
  const Model<R, S>& model;
  const Screws<R, S>& screws;
  int b;

  [[nodiscard, gnu::always_inline]] Vec3<S> origin() const noexcept { return origin_in_parent(model, screws, b); }
  [[nodiscard, gnu::always_inline]] Vec3<S> axes_outward(const Vec3<S>& v) const noexcept {
    return axes_to_child(model, screws, b, v);
  }
  [[nodiscard, gnu::always_inline]] Motion<S> outward(const Motion<S>& v) const noexcept {
    return to_child(model, screws, b, v);
  }
  [[nodiscard, gnu::always_inline]] Force<S> inward(const Force<S>& f) const noexcept {
    return to_parent(model, screws, b, f);
  }
  // Past a joint with one axis, and past a spherical one.
  template <class I>
  [[nodiscard, gnu::always_inline]] SpatialInertia<S> inward_inertia(const I& m) const noexcept {
    return to_parent_inertia(model, screws, b, m);
  }
  [[nodiscard, gnu::always_inline]] SpatialInertia<S> inward_ball(const Sym3<S>& translational) const noexcept {
    const JointIndex& index = Shape<R>::index(b);
    const Mat3<S>& turn = screws.spherical[static_cast<std::size_t>(index.free)];
    return shift(model.mount(index.mount).position, SpatialInertia<S>{{}, {}, rotated(turn, translational)});
  }
};

template <const auto& R, class S>
struct WholeTree : EveryBody<R> {
  using Shape = kinecast::Shape<R>;
  static constexpr bool kIsWhole = true;
  const Model<R, S>& model;

  explicit WholeTree(const Model<R, S>& of) noexcept : model(of) {}
  [[nodiscard]] static constexpr bool is_root(int /*place*/, int b) noexcept { return Shape::is_root(b); }
  // Whether the parent is the body before this one.
  [[nodiscard]] static constexpr bool follows_parent(int /*place*/, int b) noexcept {
    return Shape::index(b).parent == b - 1 && Shape::index(b).parent != kWorld;
  }
  [[nodiscard]] static constexpr const JointIndex& slots(int b) noexcept { return Shape::index(b); }

  [[nodiscard, gnu::always_inline]] const JointConstants<S>& joint(int b) const noexcept { return model.joint(b); }
  // Of a body on the world: what stands for gravity, before its joint turns, and the screw that turns it.
  [[nodiscard, gnu::always_inline]] const Vec3<S>& minus_gravity(int b) const noexcept {
    return model.root(Shape::index(b).root).minus_gravity;
  }
  [[nodiscard, gnu::always_inline]] static const Screw<S>& screw(const Screws<R, S>& screws, int b) noexcept {
    return screws[b];
  }
  [[nodiscard, gnu::always_inline]] WholeTransfer<R, S> across(const Screws<R, S>& screws, int b) const noexcept {
    return {model, screws, b};
  }
  // From the frame that the sweeps use for a body to its own: the same one.
  [[nodiscard, gnu::always_inline]] static const Force<S>& own_force(int /*b*/, const Force<S>& f) noexcept {
    return f;
  }
  [[nodiscard, gnu::always_inline]] static const Motion<S>& own_motion(int /*b*/, const Motion<S>& v) noexcept {
    return v;
  }
  [[nodiscard, gnu::always_inline]] static const LinkMotion<S>& own_motion(int /*b*/, const LinkMotion<S>& m,
                                                                           const Mat3<S>& /*spinning*/) noexcept {
    return m;
  }
};

template <const auto& R, class T>
using Slots = std::array<T, static_cast<std::size_t>(Shape<R>::kHas.slots)>;

// Inward, on arriving at a body: adds what its other children left. T needs operator+ and a zero T{}.
template <const auto& R, class AnyTree, class T>
[[gnu::always_inline]] inline void collect(AnyTree tree, int b, const Slots<R, T>& slots, T& sum) noexcept {
  if constexpr (Shape<R>::kHas.slots > 0) {
    if (const int slot = tree.slots(b).slot; slot >= 0) sum = sum + slots[static_cast<std::size_t>(slot)];
  }
}

// Inward, on leaving a body, with the sum already in its parent's frame: to the parent if that is the body before, else
// to the parent's slot (or nowhere, if it is the world).
template <const auto& R, class AnyTree, class T>
[[gnu::always_inline]] inline void hand_on(AnyTree tree, int place, int b, Slots<R, T>& slots, T& sum) noexcept {
  if constexpr (!Shape<R>::kHas.serial) {
    if (tree.follows_parent(place, b)) return;
    if constexpr (Shape<R>::kHas.slots > 0) {
      if (const int at = tree.slots(b).slot_of_parent; at >= 0) {
        T& slot = slots[static_cast<std::size_t>(at)];
        if (!tree.slots(b).first_in_slot) sum = slot + sum;
        slot = sum;
      }
    }
    sum = T{};
  }
}

// Outward, on arriving at a body that has a parent, and on leaving a body: its motion is that of the body before it,
// unless it waits in a slot. True: it did.
template <const auto& R, class AnyTree, class T>
[[gnu::always_inline]] inline bool fetch_parent(AnyTree tree, int b, const Slots<R, T>& slots, T& motion) noexcept {
  if constexpr (Shape<R>::kHas.slots > 0) {
    if (const int slot = tree.slots(b).slot_of_parent; slot >= 0) {
      motion = slots[static_cast<std::size_t>(slot)];
      return true;
    }
  }
  return false;
}
template <const auto& R, class AnyTree, class T>
[[gnu::always_inline]] inline void leave_for_children(AnyTree tree, int b, Slots<R, T>& slots,
                                                      const T& motion) noexcept {
  if constexpr (Shape<R>::kHas.slots > 0) {
    if (const int slot = tree.slots(b).slot; slot >= 0) slots[static_cast<std::size_t>(slot)] = motion;
  }
}

// Outward over the whole tree: carries a motion across every joint, which then does to it what joints.hinge(j, motion),
// joints.ball() or joints.base() says. Uses the workspace's slots.
template <const auto& R, class S, class AnyTree, class Joints>
[[gnu::always_inline]] inline void sweep_motions(AnyTree tree, Workspace<R, S>& work, const Joints& joints) noexcept {
  Motion<S> motion{};
  for (int place = 0; place < tree.count(); ++place) {
    const int b = tree.body(place);
    const JointAt j = joint_at<R>(b);
    if (tree.is_root(place, b)) {
      motion = {};
    } else {
      fetch_parent<R>(tree, b, work.response, motion);
      motion = tree.across(work.screws, b).outward(motion);
    }
    visit_joint<R>(joints, j, motion);
    leave_for_children<R>(tree, b, work.response, motion);
  }
}

}  // namespace kinecast::detail
