// SPDX-License-Identifier: MIT
// A ball joint with limits: which of its angles they mean, nobody knows.
#include <kinecast/model/model.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                              link("hand", on("arm"), spherical(), kBody, limits(-1.0, 1.0)));

}  // namespace

const auto& trial = model<kRobot, float>;
