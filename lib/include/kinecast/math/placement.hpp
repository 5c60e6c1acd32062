// SPDX-License-Identifier: MIT
// A placement says where a frame lies in another one.
#pragma once

#include <kinecast/math/vec3.hpp>

namespace kinecast {

// `rotation` takes the frame's coordinates to the other's; `position` is its origin there.
template <class S>
struct Placement {
  Mat3<S> rotation{};
  Vec3<S> position{};

  template <class T>
  [[nodiscard]] constexpr Placement<T> cast() const noexcept {
    return {rotation.template cast<T>(), position.template cast<T>()};
  }
};

// The placement of a frame in itself.
template <class S>
inline constexpr Placement<S> kNoPlacement{kIdentity3<S>, {}};

template <class S>
[[nodiscard]] constexpr Placement<S> operator*(const Placement<S>& a, const Placement<S>& b) noexcept {
  return {a.rotation * b.rotation, a.position + a.rotation * b.position};
}
// Gives a⁻¹ b, the placement of b in a.
template <class S>
[[nodiscard]] constexpr Placement<S> relative(const Placement<S>& a, const Placement<S>& b) noexcept {
  const Mat3<S> back = transpose(a.rotation);
  return {back * b.rotation, back * (b.position - a.position)};
}

}  // namespace kinecast
