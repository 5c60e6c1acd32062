// SPDX-License-Identifier: MIT
// Text and exit code to the debugger or emulator through Arm semihosting. Text is sent line by
// line, because every transfer stops the core.
#include <cstdint>

#include "kinecast_port/port.hpp"

namespace kinecast::port {
namespace {

constexpr std::uint32_t kWriteText = 0x04;     // SYS_WRITE0
constexpr std::uint32_t kExitExtended = 0x20;  // SYS_EXIT_EXTENDED
constexpr std::uint32_t kApplicationExit = 0x20026;

void semihosting_call(std::uint32_t operation, const void* argument) noexcept {
  register std::uint32_t r0 asm("r0") = operation;
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

constexpr unsigned kLineBytes = 120;
char line[kLineBytes + 1];
unsigned line_size = 0;

void flush() noexcept {
  if (line_size == 0) return;
  line[line_size] = '\0';
  line_size = 0;
  semihosting_call(kWriteText, line);
}

}  // namespace

void write(const char* text) noexcept {
  for (; *text != '\0'; ++text) {
    line[line_size++] = *text;
    if (*text == '\n' || line_size == kLineBytes) flush();
  }
}

void exit(int code) noexcept {
  flush();
  const std::uint32_t block[2] = {kApplicationExit, static_cast<std::uint32_t>(exit_byte(code))};
  semihosting_call(kExitExtended, block);
  for (;;) {
  }
}

}  // namespace kinecast::port
