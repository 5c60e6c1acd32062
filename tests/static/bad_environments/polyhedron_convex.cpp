// SPDX-License-Identifier: MIT
// A roof that is pushed in: its ridge lies below its eaves. Farthest in front of its ends lie the eaves' other ends, at √2.
#include <kinecast/model/environment/scene.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words an environment is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                              link("hand", on("arm"), revolute(kAxisX), kBody), contact_point("tip", on("hand")));
constexpr auto kWorldAround = environment(
    half_space("ground"),
    convex("trough",
           vertices(vertex(0, 0, 0), vertex(2, 0, 0), vertex(0, 1, 0), vertex(2, 1, 0), vertex(0, 0, 1),
                    vertex(2, 0, 1), vertex(0, 1, 1), vertex(2, 1, 1), vertex(0.5, 0.5, 0.5), vertex(1.5, 0.5, 0.5)),
           loops(loop(0, 2, 3, 1), loop(0, 1, 5, 4), loop(2, 6, 7, 3), loop(0, 4, 6, 2), loop(1, 3, 7, 5),
                 loop(4, 5, 9, 8), loop(7, 6, 8, 9), loop(6, 4, 8), loop(5, 7, 9))));

}  // namespace

const auto& trial = scene<kRobot, kWorldAround, float>;
