// SPDX-License-Identifier: MIT
// A wedge of negative length: mirrored, its loops run clockwise.
#include <kinecast/model/environment/scene.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words an environment is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                              link("hand", on("arm"), revolute(kAxisX), kBody), contact_point("tip", on("hand")));
constexpr auto kWorldAround = environment(half_space("ground"), wedge("ramp", size(-1, 0.5, 0.3)));

}  // namespace

const auto& trial = scene<kRobot, kWorldAround, float>;
