// SPDX-License-Identifier: MIT
// Volume contact (method 6.1, 6.2, 16.8): solids that share a volume push apart over the patch that they share, so
// that faces hold what points miss: a box on its edge, a grip, the torque that the friction of a flat foot can hold. It
// takes the place of contact points:
//
//   Predictor<gripper, float, Contacts<world, 4, Volume<>>> predictor;
//
// The environment says what can touch, surfaces on("link") included; a robot needs no contact points. 4: the number of
// pairs of solids that can touch at a time. Friction is implicit, as that of points. Restitution is not part of the
// method: a solid that arrives does not rebound.
#pragma once

#include <kinecast/contact/contacts.hpp>
#include <kinecast/contact/volume/patches.hpp>

namespace kinecast {

// The number of corners of a contact polygon that count: one with more is replaced by an inscribed one. Each costs RAM,
// three rows per pair of solids.
enum class PolygonCorners : int {};
[[nodiscard]] constexpr PolygonCorners corners(int most) noexcept { return PolygonCorners{most}; }

// Volume<> has corners(6). Volume<corners(4)> takes less RAM; but a box upon a box may touch it in up to eight corners,
// and which of them count then changes as it moves.
template <auto... Arguments>
struct Volume {
  static_assert(sizeof...(Arguments) == static_cast<std::size_t>(-1),
                "kinecast: Volume<> has friction cones: there are no sides of a pyramid, functionals or rules to "
                "choose. Volume<corners(4)> chooses the corners; S004's linear programs are WrenchPrograms<sides, "
                "corners, functional, rule> in kinecast/papers/wrench_programs.hpp");
  static constexpr int kMostCorners = 4;
};
template <PolygonCorners most>
struct Volume<most> {
  static constexpr int kMostCorners = static_cast<int>(most);
  static_assert(kMostCorners >= 4 && kMostCorners <= 16, "kinecast: a contact polygon has 4 to 16 corners");
};
template <>
struct Volume<> : Volume<corners(6)> {};

template <const auto& World, int ContactCapacity, auto... Arguments>
struct Contacts<World, ContactCapacity, Volume<Arguments...>> {
  static_assert(ContactCapacity >= 1, "kinecast: room for at least one contact");
  static constexpr OptionSort kSort = OptionSort::contact;
  using Model = Volume<Arguments...>;
  template <const auto& R, class S>
  using Scene = VolumeScene<R, World, S>;
  template <const auto& R, class S, class Friction>
  using Holders = detail::HoldersOf<R, S, Friction, Patches<R, S, World, ContactCapacity, Model::kMostCorners>>;
};

}  // namespace kinecast
