// SPDX-License-Identifier: MIT
// A result whose low eight bits are 0 must not look like success.
int main() { return 256; }
