// SPDX-License-Identifier: MIT
// The end of a unit test: KINECAST_SUITE(name, test_this, test_that) makes of its functions void() the suite test_<name>; the
// number of failures becomes the exit code. All that a test_<name>.cpp defines stands in a namespace of its own, unit_<name>,
// because several of them are compiled as one file (CMakeLists.txt).
#pragma once

#include <unity.h>

namespace kinecast::unit {

using Test = void (*)();

// names: the tests' names as written, separated by commas.
[[noreturn]] void run(const char* file, int line, const char* names, const Test* tests, int count) noexcept;

}  // namespace kinecast::unit

// A C name: the linker's options say which suite a board's program runs. static: a table in a section of its own, or the linker
// would keep the functions of all suites with that of one.
#define KINECAST_SUITE(name, ...)                                                                 \
  extern "C" [[noreturn]] void kinecast_suite_##name() {                                          \
    static constexpr kinecast::unit::Test tests[] = {__VA_ARGS__};                                \
    kinecast::unit::run(__FILE__, __LINE__, #__VA_ARGS__, tests, sizeof tests / sizeof tests[0]); \
  }
