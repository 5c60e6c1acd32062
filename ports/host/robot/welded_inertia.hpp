// SPDX-License-Identifier: MIT
// URDFs carry links whose inertia alone is no body's: zero about an axis, or a dummy that breaks the triangle inequality. Fixed to
// others it does no harm, since only the sum moves. The library checks each link, so such sums are made here.
#pragma once

#include "urdf_file.hpp"

namespace kinecast::host {

// Where a link's own inertia breaks a rule and others are fixed to it, the sum of all of them goes to the link that moves, and the
// others become frames. On what stands on the world inertia has no effect: there it is dropped. Both are noted.
void merge_doubtful_inertias(UrdfRobot& urdf, Notes& notes);

}  // namespace kinecast::host
