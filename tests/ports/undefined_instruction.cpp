// SPDX-License-Identifier: MIT
// Executes the instruction that the architecture reserves as undefined.
int main() { asm volatile("udf #0"); }
