// SPDX-License-Identifier: MIT
// The contact models that nudge, creep, contact_energy, drop_depth, standing, known_blocks and stance's minute of standing check:
// the library's defaults. Their bounds come from physics (those of drop_depth from an earlier default), so that all of them can
// be asked of another model:
//
//   cmake --preset host "-DKINECAST_POINT_MODEL=Relaxed<Functional::velocity>" "-DKINECAST_VOLUME_MODEL=WrenchPrograms<>"
#pragma once

#include <kinecast/contact/volume/volume.hpp>

namespace scenario {

namespace detail {
using namespace kinecast;  // the definitions name models as a user does
#ifdef KINECAST_POINT_MODEL
template <const auto& World, int Capacity>
using PointContacts = Contacts<World, Capacity, KINECAST_POINT_MODEL>;
#else
template <const auto& World, int Capacity>
using PointContacts = Contacts<World, Capacity, Implicit>;
#endif
#ifdef KINECAST_VOLUME_MODEL
template <const auto& World, int Capacity>
using VolumeContacts = Contacts<World, Capacity, KINECAST_VOLUME_MODEL>;
#else
template <const auto& World, int Capacity>
using VolumeContacts = Contacts<World, Capacity, Volume<>>;
#endif
}  // namespace detail

template <const auto& World, int Capacity>
using PointContacts = detail::PointContacts<World, Capacity>;
template <const auto& World, int Capacity>
using VolumeContacts = detail::VolumeContacts<World, Capacity>;

}  // namespace scenario
