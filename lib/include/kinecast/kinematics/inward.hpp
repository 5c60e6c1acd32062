// SPDX-License-Identifier: MIT
// The sum of a body's children in an inward sweep. In an arm the sum passes from one body to the next in registers; at
// a branch it waits in a slot (model/shape.hpp, JointIndex). T needs operator+ and a zero T{}.
#pragma once

#include <kinecast/model/shape.hpp>

#include <array>
#include <cstddef>

namespace kinecast::detail {

template <const auto& R, class T>
using InwardSlots = std::array<T, static_cast<std::size_t>(Shape<R>::kHas.slots)>;

// On arriving at a body: adds what its other children left.
template <const auto& R, class T>
[[gnu::always_inline]] inline void collect(int body, const InwardSlots<R, T>& slots, T& sum) noexcept {
  if constexpr (Shape<R>::kHas.slots > 0) {
    if (const int slot = Shape<R>::index(body).slot; slot >= 0) sum = sum + slots[static_cast<std::size_t>(slot)];
  }
}

// On leaving a body, with the sum already in its parent's frame: to the parent if that is the body before, else to its
// slot (or nowhere, if it is the world).
template <const auto& R, class T>
[[gnu::always_inline]] inline void hand_on(int body, InwardSlots<R, T>& slots, T& sum) noexcept {
  if constexpr (!Shape<R>::kHas.serial) {
    const JointIndex& index = Shape<R>::index(body);
    if (index.parent == body - 1 && index.parent != kWorld) return;
    if constexpr (Shape<R>::kHas.slots > 0) {
      if (index.slot_of_parent >= 0) {
        T& slot = slots[static_cast<std::size_t>(index.slot_of_parent)];
        slot = index.first_in_slot ? sum : slot + sum;
      }
    }
    sum = T{};
  }
}

}  // namespace kinecast::detail
