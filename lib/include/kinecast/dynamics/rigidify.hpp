// SPDX-License-Identifier: MIT
// This header moved: programs that include single headers still name it here.
#pragma once

#include <kinecast/dynamics/adaptive/rigidify.hpp>

#pragma message("kinecast/dynamics/rigidify.hpp has moved: include <kinecast/dynamics/adaptive/rigidify.hpp>")
