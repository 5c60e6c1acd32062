// SPDX-License-Identifier: MIT
// This header moved: files that older versions of the tool wrote, and worlds written by hand, still name it here.
#pragma once

#include <kinecast/model/environment/environment.hpp>

#pragma message("kinecast/contact/environment.hpp has moved: include <kinecast/model/environment/environment.hpp>")
