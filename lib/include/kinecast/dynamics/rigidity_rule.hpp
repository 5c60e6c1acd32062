// SPDX-License-Identifier: MIT
// This header moved: programs that include single headers still name it here.
#pragma once

#include <kinecast/dynamics/adaptive/rigidity_rule.hpp>

#pragma message("kinecast/dynamics/rigidity_rule.hpp has moved: include <kinecast/dynamics/adaptive/rigidity_rule.hpp>")
