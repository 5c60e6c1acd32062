// SPDX-License-Identifier: MIT
// Never ends.
int main() {
  for (;;) asm volatile("");
}
