// SPDX-License-Identifier: MIT
// Runs a unit test's functions under Unity, with the port's output and exit.
#include "unity_main.hpp"

#include <cstddef>
#include <cstring>

#include "kinecast_port/port.hpp"

extern "C" {
// Weak: a test that needs its own defines them.
[[gnu::weak]] void setUp() {}
[[gnu::weak]] void tearDown() {}

void kinecast_unity_put(int character) {
  const char text[2] = {static_cast<char>(character), '\0'};
  kinecast::port::write(text);
}
}

namespace kinecast::unit {
namespace {

// Copies the next name of a comma-separated list and returns what follows it.
template <std::size_t capacity>
const char* next_name(const char* names, char (&name)[capacity]) noexcept {
  std::size_t size = 0;
  while (*names == ' ' || *names == ',') ++names;
  for (; *names != '\0' && *names != ' ' && *names != ','; ++names)
    if (size < capacity - 1) name[size++] = *names;
  name[size] = '\0';
  return names;
}

}  // namespace

void run(const char* file, int line, const char* names, const Test* tests, int count) noexcept {
  static char name[96];
  UnityBegin(file);
  for (int i = 0; i < count; ++i) {
    names = next_name(names, name);
    UnityDefaultTestRun(tests[i], name, line);
  }
  port::exit(port::failure_code(UnityEnd()));
}

}  // namespace kinecast::unit

#if defined(__arm__)

// A board's program has one suite: the linker gives kinecast_suite its address (CMakeLists.txt) and leaves out the others.
extern "C" [[noreturn]] void kinecast_suite();

int main() { kinecast_suite(); }

#else

// The host's program has all of them, in suites.inc that CMake writes: unit_tests NAME runs one.
#define KINECAST_SUITE_OF(name) extern "C" [[noreturn]] void kinecast_suite_##name();
#include "suites.inc"
#undef KINECAST_SUITE_OF

int main(int count, char** arguments) {
  const char* const wanted = count == 2 ? arguments[1] : "";
#define KINECAST_SUITE_OF(name) \
  if (std::strcmp(wanted, #name) == 0) kinecast_suite_##name();
#include "suites.inc"
#undef KINECAST_SUITE_OF
  kinecast::port::write("usage: unit_tests NAME, where NAME is what stands in tests/unit/test_NAME.cpp\n");
  kinecast::port::exit(99);
}

#endif
