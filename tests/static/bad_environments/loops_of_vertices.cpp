// SPDX-License-Identifier: MIT
// A tetrahedron whose third face names a vertex that does not exist.
#include <kinecast/model/environment/scene.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words an environment is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                              link("hand", on("arm"), revolute(kAxisX), kBody), contact_point("tip", on("hand")));
constexpr auto kWorldAround = environment(
    half_space("ground"), convex("dice", vertices(vertex(0, 0, 1), vertex(1, 0, 0), vertex(0, 1, 0), vertex(0, 0, 0)),
                                 loops(loop(1, 3, 2), loop(0, 1, 2), loop(0, 2, 4), loop(0, 3, 1))));

}  // namespace

const auto& trial = scene<kRobot, kWorldAround, float>;
