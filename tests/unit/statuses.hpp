// SPDX-License-Identifier: MIT
// What a call returned, as the sentence that a user would read.
#pragma once

#include <kinecast/core/status.hpp>

#include <unity.h>

namespace checks {

inline void assert_status(kinecast::Status expected, kinecast::Status got, const char* what = nullptr) noexcept {
  TEST_ASSERT_EQUAL_STRING_MESSAGE(kinecast::sentence(expected), kinecast::sentence(got), what);
}
inline void assert_ok(kinecast::Status status) noexcept { assert_status(kinecast::Status::ok, status); }

}  // namespace checks
