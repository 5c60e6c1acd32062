// SPDX-License-Identifier: MIT
// A stop that throws back more than it gets.
#include <kinecast/model/model.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot =
    robot("trial", link("arm", on("world"), revolute(kAxisY), kBody, limits(-1.0, 1.0, rebound(1.0))),
          link("hand", on("arm"), revolute(kAxisX), kBody, limits(-1.0, 1.0, rebound(1.01))));

}  // namespace

const auto& trial = model<kRobot, float>;
