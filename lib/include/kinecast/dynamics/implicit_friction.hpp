// SPDX-License-Identifier: MIT
// This header moved: programs that include single headers still name it here.
#pragma once

#include <kinecast/papers/implicit_friction.hpp>

#pragma message("kinecast/dynamics/implicit_friction.hpp has moved: include <kinecast/papers/implicit_friction.hpp>")
