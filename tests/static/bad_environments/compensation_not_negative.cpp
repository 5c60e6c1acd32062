// SPDX-License-Identifier: MIT
// A depth that grows.
#include <kinecast/model/environment/scene.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words an environment is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                              link("hand", on("arm"), revolute(kAxisX), kBody), contact_point("tip", on("hand")));
constexpr auto kWorldAround =
    environment(half_space("ground"), half_space("mud", at(0, 0, -1), material(compensation(-1))));

}  // namespace

const auto& trial = scene<kRobot, kWorldAround, float>;
