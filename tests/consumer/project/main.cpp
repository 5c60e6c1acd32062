// A user's program: says which kinecast it found, and ends with 0 when that works.
// SPDX-License-Identifier: MIT
#include <kinecast/kinecast.hpp>
#include <kinecast/version.hpp>

#include <cstdio>

int main() {
  std::printf("kinecast %s\n", kinecast::kVersion);
  // A user's code need not bear our warnings: with them the comparison, float against double, would not compile.
  const float user_value = 1;
  return kinecast::ok(kinecast::Status::ok) && user_value > 0.5 ? 0 : 1;
}
