// SPDX-License-Identifier: MIT
// The robots that rows.cmake can name.
#pragma once

#include "../robots/arm6.hpp"
#include "../robots/chain.hpp"
#include "../robots/drives.hpp"
#include "../robots/humanoid.hpp"
