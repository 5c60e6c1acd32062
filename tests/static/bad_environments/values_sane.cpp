// SPDX-License-Identifier: MIT
// A table that is nowhere.
#include <kinecast/model/environment/scene.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words an environment is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                              link("hand", on("arm"), revolute(kAxisX), kBody), contact_point("tip", on("hand")));
constexpr auto kWorldAround = environment(half_space("ground"), box("table", at(1e7, 0, 0), size(0.5, 0.8, 0.7)));

}  // namespace

const auto& trial = scene<kRobot, kWorldAround, float>;
