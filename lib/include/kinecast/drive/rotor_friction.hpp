// SPDX-License-Identifier: MIT
// This header moved: programs that include single headers still name it here.
#pragma once

#include <kinecast/papers/rotor_friction.hpp>

#pragma message("kinecast/drive/rotor_friction.hpp has moved: include <kinecast/papers/rotor_friction.hpp>")
