// SPDX-License-Identifier: MIT
// The stand-in of Zephyr's kernel, on the host. Sleeping ends the program: one round is enough.
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

uint32_t k_cycle_get_32() { return 0; }
uint32_t k_cyc_to_us_floor32(uint32_t cycles) { return cycles; }
int32_t k_msleep(int32_t) { std::exit(0); }

void printk(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
}
