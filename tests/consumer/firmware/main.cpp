// A user's firmware: one joint falls for a millisecond, by the library, and its speed goes to the console.
// SPDX-License-Identifier: MIT
#include <kinecast/kinecast.hpp>

#include "kinecast_port/text.hpp"

namespace {
using namespace kinecast;
constexpr auto pendulum =
    robot("pendulum", link("rod", on("world"), revolute(kAxisY), body(1, com(0.5, 0, 0), inertia(0.01, 0.25, 0.25))));
Predictor<pendulum, float> predictor;
}  // namespace

int main() {
  if (!ok(predictor.step(Command<pendulum, float>::Zero(), 1e-3F))) return 1;
  // m g l / (I + m l²) = 9.80665 rad/s², about +y, in a step of 1 ms
  port::put("speed ");
  port::put(port::fixed(1e3F * predictor.state().dq[0], 2));
  port::put(" mrad/s\n");
  // A user's code need not bear our warnings: with them the comparison, float against double, would not compile.
  return predictor.state().dq[0] > 0.009 ? 0 : 1;
}
