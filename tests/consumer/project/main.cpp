// A user's program: ends with 0 when the library that it found works.
// SPDX-License-Identifier: MIT
#include <kinecast/kinecast.hpp>

int main() {
  // A user's code need not bear our warnings: with them the comparison, float against double, would not compile.
  const float user_value = 1;
  return kinecast::ok(kinecast::Status::ok) && user_value > 0.5 ? 0 : 1;
}
