// SPDX-License-Identifier: MIT
// The last line of a unit test: KINECAST_RUN_TESTS(test_this, test_that) is its main. Each argument is
// a function void(); the number of failures becomes the exit code.
#pragma once

#include <unity.h>

namespace kinecast::unit {

using Test = void (*)();

// names: the tests' names as written, separated by commas.
[[noreturn]] void run(const char* file, int line, const char* names, const Test* tests, int count) noexcept;

}  // namespace kinecast::unit

#define KINECAST_RUN_TESTS(...)                                                                   \
  int main() {                                                                                    \
    const kinecast::unit::Test tests[] = {__VA_ARGS__};                                           \
    kinecast::unit::run(__FILE__, __LINE__, #__VA_ARGS__, tests, sizeof tests / sizeof tests[0]); \
  }
