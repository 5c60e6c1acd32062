// SPDX-License-Identifier: MIT
// Runs a unit test's functions under Unity, with the port's output and exit.
#include "unity_main.hpp"

#include <cstddef>

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
