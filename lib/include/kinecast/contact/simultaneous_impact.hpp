// SPDX-License-Identifier: MIT
// This header moved: programs that include single headers still name it here.
#pragma once

#include <kinecast/contact/impact/simultaneous_impact.hpp>

#pragma message( \
    "kinecast/contact/simultaneous_impact.hpp has moved: include <kinecast/contact/impact/simultaneous_impact.hpp>")
