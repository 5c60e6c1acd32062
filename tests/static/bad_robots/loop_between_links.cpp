// SPDX-License-Identifier: MIT
// A loop between two points of the same link: they are together or never will be.
#include <kinecast/model/model.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot =
    robot("trial", link("arm", on("world"), revolute(kAxisY), kBody), link("hand", on("arm"), revolute(kAxisX), kBody),
          closure("good", point_of("hand", 0, 0, 0.1), point_of("world", 0, 0, 0.3)),
          closure("bad", point_of("hand", 0, 0, 0.1), point_of("hand", 0, 0.1, 0)));

}  // namespace

const auto& trial = model<kRobot, float>;
