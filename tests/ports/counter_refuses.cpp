// SPDX-License-Identifier: MIT
// Without -icount the timer follows the host's clock: the counter must say so.
#include "kinecast_port/port.hpp"

int main() {
  if (kinecast::port::counter_start()) return 1;
  if (kinecast::port::count([] { asm volatile("nop"); }) != 0) return 2;
  kinecast::port::write("counter refused\n");
  return 0;
}
