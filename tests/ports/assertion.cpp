// SPDX-License-Identifier: MIT
// Fails an assertion.
#include <cassert>

int main() { assert(1 + 1 == 3); }
