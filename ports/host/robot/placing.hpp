// SPDX-License-Identifier: MIT
// Rotation and shift of one frame in another, for the handful of points that an import places.
#pragma once

#include "description.hpp"

namespace kinecast::host {

struct Placing {
  Rows rotation{kIdentityRows};
  Triple position_m{};
};

[[nodiscard]] Triple operator*(const Placing& placing, const Triple& point);
[[nodiscard]] Placing operator*(const Placing& outer, const Placing& inner);

// Each link in the world at joint position zero; a floating base at the world's origin.
[[nodiscard]] std::vector<Placing> placings_at_zero(const Description& robot);

// The links that do not stand on the world for good.
[[nodiscard]] std::vector<bool> moving_links(const Description& robot);

// R I Rᵀ, symmetric to the last bit.
[[nodiscard]] Rows turned(const Rows& rotation, const Rows& inertia);

// The link that a link moves with (itself, if its joint moves; -1: the world), and its place in that one's frame.
struct Weld {
  int body{-1};
  Placing in_body{};
};
[[nodiscard]] std::vector<Weld> welds_of(const Description& robot);

// x slowest, z fastest, minus before plus, as the library's contact_box() has them.
[[nodiscard]] std::vector<Triple> corners_of_box(const Triple& size_m);

}  // namespace kinecast::host
