// SPDX-License-Identifier: MIT
// A surface on a link that is not there.
#include <kinecast/model/environment/scene.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words an environment is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                              link("hand", on("arm"), revolute(kAxisX), kBody), contact_point("tip", on("hand")));
constexpr auto kWorldAround = environment(half_space("ground"), box("sole", on("foot"), size(0.08, 0.08, 0.02)));

}  // namespace

const auto& trial = scene<kRobot, kWorldAround, float>;
