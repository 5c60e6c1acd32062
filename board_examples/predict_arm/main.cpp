// SPDX-License-Identifier: MIT
// Placeholder until the real example: shows that the port works.
#include "kinecast_port/text.hpp"

int main() {
  const bool counts = kinecast::port::counter_start();
  kinecast::port::put(counts ? "exact counts, flash " : "no exact counts, flash ");
  kinecast::port::put(kinecast::port::integer(kinecast::port::flash_used_bytes()));
  kinecast::port::put(" B\n");
}
