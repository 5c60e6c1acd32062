// SPDX-License-Identifier: MIT
// This header moved: programs that include single headers still name it here.
#pragma once

#include <kinecast/papers/stage.hpp>

#pragma message("kinecast/contact/penalty.hpp has moved: include <kinecast/papers/stage.hpp>")
