// SPDX-License-Identifier: MIT
// Transfers across a joint that hangs on a body: forces and inertias inward (child frame to parent frame), motions
// outward. This is the one place that knows the three ways a joint can sit on its parent: plain, on a mount, spherical
// (model/frames.hpp).
#pragma once

#include <kinecast/kinematics/screws.hpp>
#include <kinecast/math/spatial.hpp>
#include <kinecast/model/model.hpp>

namespace kinecast {

template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Force<S> to_parent(const Model<R, S>& model, const Screws<R, S>& screws,
                                                            int body, const Force<S>& f) noexcept {
  using Shape = kinecast::Shape<R>;
  const JointConstants<S>& joint = model.joint(body);
  if constexpr (Shape::kHas.mounts > 0) {
    const detail::JointIndex& index = Shape::index(body);
    if (index.mount >= 0) {
      const Mount<S>& mount = model.mount(index.mount);
      if constexpr (Shape::kHas.spherical > 0) {
        if (index.kind == JointKind::spherical) {
          const Mat3<S>& turn = screws.spherical[static_cast<std::size_t>(index.free)];
          return shift(mount.position, Force<S>{turn * f.moment, turn * f.force});
        }
      }
      return shift(mount.position, force_z(mount.turn, force_x(joint.along_x, force_z(screws[body], f))));
    }
  }
  return force_x(joint.along_x, force_z(screws[body], f));
}

// The transfer of motions from parent to child across a single-axis joint, as a value: for many motions its numbers are
// read once.
template <const auto& R, class S>
struct TransferToChild {
  using Shape = kinecast::Shape<R>;
  bool mounted;
  Mount<S> mount;
  Screw<S> along_x;
  Screw<S> along_z;
  [[nodiscard, gnu::always_inline]] Motion<S> operator()(Motion<S> v) const noexcept {
    if (Shape::kHas.mounts > 0 && mounted) v = motion_back_z(mount.turn, shift_back(mount.position, v));
    return motion_back_z(along_z, motion_back_x(along_x, v));
  }
};
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline TransferToChild<R, S> transfer_to_child(const Model<R, S>& model,
                                                                                 const Screws<R, S>& screws,
                                                                                 int body) noexcept {
  TransferToChild<R, S> t{false, {}, model.joint(body).along_x, screws[body]};
  if constexpr (Shape<R>::kHas.mounts > 0) {
    if (const int index = Shape<R>::index(body).mount; index >= 0) t.mounted = true, t.mount = model.mount(index);
  }
  return t;
}

template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Motion<S> to_child(const Model<R, S>& model, const Screws<R, S>& screws,
                                                            int body, const Motion<S>& v) noexcept {
  if constexpr (Shape<R>::kHas.spherical > 0) {
    const detail::JointIndex& index = Shape<R>::index(body);
    if (index.kind == JointKind::spherical) {
      const Mat3<S>& turn = screws.spherical[static_cast<std::size_t>(index.free)];
      const Motion<S> at_joint = shift_back(model.mount(index.mount).position, v);
      return {transpose_times(turn, at_joint.angular), transpose_times(turn, at_joint.linear)};
    }
  }
  return transfer_to_child(model, screws, body)(v);
}

// Single-axis joints only; I is SpatialInertia, HingedInertia (which becomes a SpatialInertia) or RigidInertia.
template <const auto& R, class S, class I>
[[nodiscard, gnu::always_inline]] inline auto to_parent_inertia(const Model<R, S>& model, const Screws<R, S>& screws,
                                                                int body, const I& m) noexcept {
  using Shape = kinecast::Shape<R>;
  const auto before_mount = inertia_x(model.joint(body).along_x, inertia_z(screws[body], m));
  if constexpr (Shape::kHas.mounts > 0) {
    if (const int index = Shape::index(body).mount; index >= 0) {
      const Mount<S>& mount = model.mount(index);
      return shift(mount.position, turn_z(mount.turn, before_mount));
    }
  }
  return before_mount;
}

// The child's origin in the parent's frame.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Vec3<S> origin_in_parent(const Model<R, S>& model, const Screws<R, S>& screws,
                                                                  int body) noexcept {
  using Shape = kinecast::Shape<R>;
  const JointConstants<S>& joint = model.joint(body);
  const S d = screws[body].slide;
  const Vec3<S> plain{joint.along_x.slide, -joint.along_x.sin * d, joint.along_x.cos * d};
  if constexpr (Shape::kHas.mounts > 0) {
    const detail::JointIndex& index = Shape::index(body);
    if (index.mount >= 0) {
      const Mount<S>& mount = model.mount(index.mount);
      if (index.kind != JointKind::prismatic) return mount.position;
      return mount.position + turn_z(mount.turn, plain);
    }
  }
  return plain;
}

// Parent axes to child axes.
template <const auto& R, class S>
[[nodiscard, gnu::always_inline]] inline Vec3<S> axes_to_child(const Model<R, S>& model, const Screws<R, S>& screws,
                                                               int body, const Vec3<S>& v) noexcept {
  using Shape = kinecast::Shape<R>;
  const Screw<S>& along_x = model.joint(body).along_x;
  if constexpr (Shape::kHas.mounts > 0) {
    const detail::JointIndex& index = Shape::index(body);
    if (index.mount >= 0) {
      if constexpr (Shape::kHas.spherical > 0) {
        if (index.kind == JointKind::spherical)
          return transpose_times(screws.spherical[static_cast<std::size_t>(index.free)], v);
      }
      return turn_back_z(screws[body], turn_back_x(along_x, turn_back_z(model.mount(index.mount).turn, v)));
    }
  }
  return turn_back_z(screws[body], turn_back_x(along_x, v));
}

}  // namespace kinecast
