// SPDX-License-Identifier: MIT
// Calls abort.
#include <cstdlib>

int main() { std::abort(); }
