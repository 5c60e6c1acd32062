// SPDX-License-Identifier: MIT
// Scratch of the sweeps; its sizeof is their RAM bill. Nothing in it survives as state, but what forward_dynamics()
// leaves here (screws, hinges, balls, bases) is what contact_map() and response() build on.
#pragma once

#include <kinecast/drive/joint_action.hpp>
#include <kinecast/dynamics/joints.hpp>
#include <kinecast/kinematics/screws.hpp>
#include <kinecast/math/spatial.hpp>
#include <kinecast/model/model.hpp>

namespace kinecast {

// LinkMotion holds a link's rotation rate, rotational acceleration and the acceleration of its origin (classical,
// gravity included as an upward acceleration of the world), in its own frame.
template <class S>
struct LinkMotion {
  Vec3<S> omega{};
  Vec3<S> alpha{};
  Vec3<S> acceleration{};
};

// ArticulatedBody is a subtree as its parent feels it: IA and pA of method 1.2.
template <class S>
struct ArticulatedBody {
  SpatialInertia<S> inertia{};
  Force<S> bias{};
};
template <class S>
[[nodiscard, gnu::always_inline]] constexpr ArticulatedBody<S> operator+(const ArticulatedBody<S>& a,
                                                                         const ArticulatedBody<S>& b) noexcept {
  return {a.inertia + b.inertia, a.bias + b.bias};
}

template <const auto& R, class S>
struct Workspace {
  using Shape = kinecast::Shape<R>;
  template <class T, int Size>
  using Table = std::array<T, static_cast<std::size_t>(Size)>;

  bool swept{false};  // the inward sweep of forward_dynamics() has succeeded
  Screws<R, S> screws{};
  Table<Force<S>, Shape::kBodies> bias{};  // force each body needs for its motion with ddq = 0
  // Robots that can touch something keep for contact the motions for ddq = 0, and what the joints' accelerations add.
  Table<LinkMotion<S>, (Shape::kPoints > 0 ? Shape::kBodies : 0)> products{};
  Table<Motion<S>, (Shape::kPoints > 0 ? Shape::kBodies : 0)> added{};
  Table<Hinge<S>, Shape::kBodies> hinges{};
  Table<JointAction<S>, (Shape::kHas.drives > 0 ? Shape::kBodies : 0)> actions{};  // of the drives
  Table<S, (Shape::kHas.drives > 0 ? Shape::kBodies : 0)> carried{};  // Uᵀ (parent's acceleration), joint torque
  Table<Ball<S>, Shape::kHas.spherical> balls{};
  Table<Base<S>, Shape::kHas.floating> bases{};

  // Sums and motions that wait for a body's next child (model/shape.hpp, JointIndex).
  Table<ArticulatedBody<S>, Shape::kHas.slots> inward{};
  Table<Force<S>, Shape::kHas.slots> inward_forces{};
  Table<RigidInertia<S>, Shape::kHas.slots> inward_rigid{};
  Table<LinkMotion<S>, Shape::kHas.slots> outward{};
  Table<Motion<S>, Shape::kHas.slots> response{};
};

}  // namespace kinecast
