// SPDX-License-Identifier: MIT
// What the compiler and the C library call when a program ends in a way it should not. newlib's
// own versions pull in signals, stdio and the heap (2.6 to 8.7 KB); these say a sentence and exit.
#include "kinecast_port/text.hpp"

namespace kinecast::port {

extern "C" {

void* __dso_handle = nullptr;

// Firmware never leaves main's world: destructors of statics are not run.
int __aeabi_atexit(void* /*object*/, void (* /*destructor*/)(void*), void* /*dso*/) { return 0; }

[[noreturn]] void abort() {
  put("\nabort() was called\n");
  exit(kAbort);
}

[[noreturn]] void __assert_func(const char* file, int line, const char* /*function*/, const char* condition) {
  put("\nassertion failed: ");
  put(condition);
  put(" at ");
  put(file);
  put(":");
  put(integer(line));
  put("\n");
  exit(kAssertion);
}

[[noreturn]] void __cxa_pure_virtual() {
  put("\npure virtual function called\n");
  exit(kPureVirtualCall);
}

}  // extern "C"

}  // namespace kinecast::port
