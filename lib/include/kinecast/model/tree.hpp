// SPDX-License-Identifier: MIT
// Which body hangs on which after the fixed links are merged: a body is a link with a moving joint together with
// everything that is welded to it. Bodies keep the order of their links, parents first.
#pragma once

#include <kinecast/model/robot.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// How many positions (entries of q) and degrees of freedom (entries of dq) a joint has.
[[nodiscard]] constexpr int positions_of(JointKind kind) noexcept {
  constexpr int kCounts[] = {1, 1, 4, 7, 0};
  return kCounts[static_cast<int>(kind)];
}
[[nodiscard]] constexpr int dofs_of(JointKind kind) noexcept {
  constexpr int kCounts[] = {1, 1, 3, 6, 0};
  return kCounts[static_cast<int>(kind)];
}

namespace detail {

// The tree after merging. Its tables are as long as the list of links; those per body use `bodies` entries.
template <int Links>
struct Tree {
  using Table = std::array<std::int16_t, static_cast<std::size_t>(Links)>;
  int bodies{0};
  int positions{0};
  int dofs{0};
  Table body_of_link{};  // kWorld for links welded to the world
  Table link_of_body{};
  Table parent{};  // parent body, or kWorld
  Table q_index{};
  Table v_index{};
  Table preferred_child{};  // the first single-axis child; the body's frame is laid for it. -1: none
};

template <int Links, int Points, int Loops, int Couplings>
[[nodiscard]] constexpr Tree<Links> make_tree(const Robot<Links, Points, Loops, Couplings>& robot) noexcept {
  Tree<Links> t{};
  const auto narrow = [](int value) { return static_cast<std::int16_t>(value); };
  for (int i = 0; i < Links; ++i) {
    const Link& l = robot.link(i);
    const std::size_t at = static_cast<std::size_t>(i);
    const int parent_body = l.parent >= 0 && l.parent < i ? t.body_of_link[static_cast<std::size_t>(l.parent)] : kWorld;
    if (l.joint == JointKind::fixed) {
      t.body_of_link[at] = narrow(parent_body);
      continue;
    }
    const std::size_t b = static_cast<std::size_t>(t.bodies);
    t.body_of_link[at] = narrow(t.bodies);
    t.link_of_body[b] = narrow(i);
    t.parent[b] = narrow(parent_body);
    t.q_index[b] = narrow(t.positions);
    t.v_index[b] = narrow(t.dofs);
    t.preferred_child[b] = -1;
    if (parent_body >= 0 && has_single_axis(l.joint)) {
      std::int16_t& preferred = t.preferred_child[static_cast<std::size_t>(parent_body)];
      if (preferred < 0) preferred = narrow(t.bodies);
    }
    t.positions += positions_of(l.joint);
    t.dofs += dofs_of(l.joint);
    ++t.bodies;
  }
  return t;
}

}  // namespace detail
}  // namespace kinecast
