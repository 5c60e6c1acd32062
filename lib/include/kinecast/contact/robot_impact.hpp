// SPDX-License-Identifier: MIT
// This header moved: programs that include single headers still name it here.
#pragma once

#include <kinecast/contact/impact/robot_impact.hpp>

#pragma message("kinecast/contact/robot_impact.hpp has moved: include <kinecast/contact/impact/robot_impact.hpp>")
