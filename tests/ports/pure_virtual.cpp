// SPDX-License-Identifier: MIT
// Calls what the compiler puts in the slot of a pure virtual function.
extern "C" void __cxa_pure_virtual();

int main() { __cxa_pure_virtual(); }
