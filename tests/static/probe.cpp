// The whole library in one translation unit, compiled as our own code is. The static gates take their flags from it.
// SPDX-License-Identifier: MIT
#include <kinecast/kinecast.hpp>

static_assert(kinecast::ok(kinecast::Status::ok), "the library is there");
