// SPDX-License-Identifier: MIT
// A placement that overflowed.
#include <kinecast/model/model.hpp>

#include <limits>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot =
    robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
          link("hand", on("arm"), revolute(kAxisX), at(std::numeric_limits<double>::infinity(), 0, 0), kBody));

}  // namespace

const auto& trial = model<kRobot, float>;
