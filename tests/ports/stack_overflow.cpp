// SPDX-License-Identifier: MIT
// Recursion without end, in frames smaller than the stack guard.
namespace {

volatile bool endless = true;

[[gnu::noinline]] int deeper(int depth) {
  volatile char frame[64] = {};
  frame[0] = static_cast<char>(depth);
  return endless ? deeper(depth + 1) + frame[0] : 0;
}

}  // namespace

int main() { return deeper(0); }
