// SPDX-License-Identifier: MIT
// What the compiler knows of a robot besides its numbers: how many bodies and degrees of freedom it has, which body
// hangs on which, and which of the library's shortcuts apply.
#pragma once

#include <kinecast/model/frames.hpp>
#include <kinecast/model/robot.hpp>
#include <kinecast/model/tree.hpp>
#include <kinecast/model/validate.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kinecast {
namespace detail {

// What a sweep looks up per body. It hands a body's sums to the next body in registers; where a body has a child that
// is not the next one, they go through a slot in memory instead.
struct JointIndex {
  std::int16_t parent{};
  std::int16_t slot{};            // slot of this body; -1: it needs none
  std::int16_t slot_of_parent{};  // -1: the parent is the body before this one, or the world
  std::int16_t q{};
  std::int16_t v{};
  std::int16_t root{};   // index among the bodies that hang on the world; -1: it hangs on a body
  std::int16_t mount{};  // index among the joints with a mount; -1: plain, or a root
  std::int16_t free{};   // index among the floating bodies, or among the spherical ones; 0 for single axes
  JointKind kind{};
  bool first_in_slot{};  // inward, this child arrives first at the parent's slot: it stores, the others add
};

template <int Links>
[[nodiscard]] constexpr bool needs_slot(const Tree<Links>& t, int body) noexcept {
  for (int b = body + 2; b < t.bodies; ++b)
    if (t.parent[static_cast<std::size_t>(b)] == body) return true;
  return false;
}
template <int Bodies, int Links, int Points, int Loops, int Couplings>
[[nodiscard]] constexpr auto make_index(const Robot<Links, Points, Loops, Couplings>& robot, const Tree<Links>& t,
                                        const Frames<Links>& frames) noexcept {
  std::array<JointIndex, static_cast<std::size_t>(Bodies)> table{};
  std::int16_t slots = 0;
  std::int16_t roots = 0;
  std::int16_t mounts = 0;
  std::int16_t floating = 0;
  std::int16_t spherical = 0;
  for (int b = 0; b < t.bodies; ++b) {
    const std::size_t at = static_cast<std::size_t>(b);
    JointIndex& j = table[at];
    const int p = t.parent[at];
    j.parent = t.parent[at];
    j.slot = std::int16_t{-1};
    if (needs_slot(t, b)) j.slot = slots++;
    j.slot_of_parent = p >= 0 && p != b - 1 ? table[static_cast<std::size_t>(p)].slot : std::int16_t{-1};
    j.root = std::int16_t{-1};
    j.mount = std::int16_t{-1};
    if (p == kWorld) j.root = roots++;
    if (p != kWorld && !frames.plain[at]) j.mount = mounts++;
    j.q = t.q_index[at];
    j.v = t.v_index[at];
    j.kind = robot.link(t.link_of_body[at]).joint;
    if (j.kind == JointKind::floating) j.free = floating++;
    if (j.kind == JointKind::spherical) j.free = spherical++;
    j.first_in_slot = true;
    for (int later = b + 1; later < t.bodies; ++later)
      if (t.parent[static_cast<std::size_t>(later)] == p) j.first_in_slot = false;
  }
  return table;
}

// Counts of what a robot has; sweeps leave out what it does not have.
struct Features {
  int slots{0};
  int roots{0};
  int mounts{0};
  int floating{0};
  int spherical{0};
  int prismatic{0};
  int rotors{0};
  int drives{0};         // joints whose drive is more than a torque that acts as commanded
  int frictions{0};      // joints whose drive has friction
  int dry_frictions{0};  // joints that can stick
  int load_losses{0};
  int velocity_drives{0};
  int passive{0};
  int limits{0};        // joints with stops
  int speed_limits{0};  // joints that can be too fast
  bool serial{true};    // every body hangs on the one before it: an arm
};
template <class Table, int Links, int Points, int Loops, int Couplings>
[[nodiscard]] constexpr Features find_features(const Robot<Links, Points, Loops, Couplings>& robot,
                                               const Tree<Links>& t, const Table& table) noexcept {
  Features f{};
  for (int b = 0; b < t.bodies; ++b) {
    const JointIndex& j = table[static_cast<std::size_t>(b)];
    f.slots += j.slot >= 0 ? 1 : 0;
    f.roots += j.root >= 0 ? 1 : 0;
    f.mounts += j.mount >= 0 ? 1 : 0;
    f.floating += j.kind == JointKind::floating ? 1 : 0;
    f.spherical += j.kind == JointKind::spherical ? 1 : 0;
    f.prismatic += j.kind == JointKind::prismatic ? 1 : 0;
    const Drive& d = robot.link(t.link_of_body[static_cast<std::size_t>(b)]).drive;
    f.rotors += reflected_rotor(d) > 0 ? 1 : 0;
    f.drives += is_more_than_torque(d) ? 1 : 0;
    f.frictions += has_friction(d) ? 1 : 0;
    f.dry_frictions += has_dry_friction(d) ? 1 : 0;
    f.load_losses += d.load_loss > 0 ? 1 : 0;
    f.velocity_drives += d.actuator == Actuator::velocity ? 1 : 0;
    f.passive += d.actuator == Actuator::none ? 1 : 0;
    const JointLimits& limits = robot.link(t.link_of_body[static_cast<std::size_t>(b)]).limits;
    f.limits += limits.has_stops ? 1 : 0;
    f.speed_limits += limits.has_speed ? 1 : 0;
    f.serial = f.serial && j.parent == b - 1;
  }
  return f;
}

template <int Bodies, int Links, int Points, int Loops, int Couplings>
[[nodiscard]] constexpr auto find_stops(const Robot<Links, Points, Loops, Couplings>& robot,
                                        const Tree<Links>& t) noexcept {
  std::array<bool, static_cast<std::size_t>(Bodies)> stops{};
  for (int b = 0; b < Bodies; ++b)
    stops[static_cast<std::size_t>(b)] = robot.link(t.link_of_body[static_cast<std::size_t>(b)]).limits.has_stops;
  return stops;
}

}  // namespace detail

template <const auto& R>
struct Shape {
  static_assert(kRobotIsValid<R>);
  static constexpr auto kTree = detail::make_tree(R);
  static constexpr auto kFrames = detail::choose_frames(R, kTree);
  static constexpr int kLinks = R.kLinks;
  static constexpr int kPoints = R.kPoints;
  static constexpr int kLoops = R.kLoops;
  static constexpr int kCouplings = R.kCouplings;
  static constexpr int kBodies = kTree.bodies;
  static constexpr int kPositions = kTree.positions;  // entries of q
  static constexpr int kDofs = kTree.dofs;            // entries of dq, tau, ddq
  static constexpr auto kIndex = detail::make_index<kBodies>(R, kTree, kFrames);
  static constexpr detail::Features kHas = detail::find_features(R, kTree, kIndex);
  static constexpr auto kStops = detail::find_stops<kBodies>(R, kTree);
  static constexpr bool kAllSingleAxis = kHas.floating + kHas.spherical == 0;
  static constexpr bool kAllRevolute = kAllSingleAxis && kHas.prismatic == 0;

  [[nodiscard]] static constexpr const detail::JointIndex& index(int body) noexcept {
    return kIndex[static_cast<std::size_t>(body)];
  }
  // The first entry of a body's joint in q and in dq; it needs no lookup where every joint has one entry.
  [[nodiscard]] static constexpr int q_of(int body) noexcept { return kAllSingleAxis ? body : index(body).q; }
  [[nodiscard]] static constexpr int v_of(int body) noexcept { return kAllSingleAxis ? body : index(body).v; }
  [[nodiscard]] static constexpr bool is_root(int body) noexcept {
    return kHas.serial ? body == 0 : index(body).parent == kWorld;
  }
  [[nodiscard]] static constexpr bool is_revolute(int body) noexcept {
    return kAllRevolute || index(body).kind == JointKind::revolute;
  }
  [[nodiscard]] static constexpr bool is_prismatic(int body) noexcept {
    return kHas.prismatic > 0 && index(body).kind == JointKind::prismatic;
  }
  [[nodiscard]] static constexpr bool is_floating(int body) noexcept {
    return kHas.floating > 0 && index(body).kind == JointKind::floating;
  }
  [[nodiscard]] static constexpr bool is_spherical(int body) noexcept {
    return kHas.spherical > 0 && index(body).kind == JointKind::spherical;
  }
  // A joint with one axis: revolute or prismatic.
  [[nodiscard]] static constexpr bool has_one_axis(int body) noexcept {
    return kAllSingleAxis || is_revolute(body) || is_prismatic(body);
  }
  // Whether a joint with one axis turns about it (or slides along it).
  [[nodiscard]] static constexpr bool turns(int body) noexcept { return kHas.prismatic == 0 || is_revolute(body); }
  [[nodiscard]] static constexpr bool has_stops(int body) noexcept {
    return kHas.limits == kBodies || (kHas.limits > 0 && kStops[static_cast<std::size_t>(body)]);
  }
  // The body that a link belongs to; kWorld if the link is welded to the world.
  [[nodiscard]] static constexpr int body_of_link(int link) noexcept {
    return kTree.body_of_link[static_cast<std::size_t>(link)];
  }
};

}  // namespace kinecast
