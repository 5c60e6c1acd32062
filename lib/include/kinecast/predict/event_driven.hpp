// SPDX-License-Identifier: MIT
// This header moved: programs that include single headers still name it here.
#pragma once

#include <kinecast/predict/events/event_driven.hpp>

#pragma message("kinecast/predict/event_driven.hpp has moved: include <kinecast/predict/events/event_driven.hpp>")
