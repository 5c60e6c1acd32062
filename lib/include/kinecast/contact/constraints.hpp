// SPDX-License-Identifier: MIT
// This header moved: programs that include single headers still name it here.
#pragma once

#include <kinecast/control/constraints.hpp>

#pragma message("kinecast/contact/constraints.hpp has moved: include <kinecast/control/constraints.hpp>")
