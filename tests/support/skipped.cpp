// SPDX-License-Identifier: MIT
// Stands in for an oracle that cannot run here: says why, and ends with the code that ctest shows as "skipped".
#include <cstdio>

#include "report.hpp"

int main() {
  std::puts("skipped: " KINECAST_SKIPPED_BECAUSE);
  return support::kSkipped;
}
