// SPDX-License-Identifier: MIT
// The positive control: every word that an environment has, and all rules kept.
#include <kinecast/model/environment/scene.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words an environment is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                              link("hand", on("arm"), revolute(kAxisX), kBody), contact_point("tip", on("hand")));
constexpr auto kWorldAround = environment(
    half_space("ground", material(friction(0.8, 0.6), compensation(100), relaxation(1e-3)),
               pair(1, material(restitution(1)))),
    box("table", at(0.6, 0, 0.35), rpy(0.1, 0.2, 0.3), size(0.5, 0.8, 0.7), conveyor(0.3, 0, 0)),
    half_space("lift", at(0, 2, 0), moves()), box("palm", on("hand"), size(0.08, 0.08, 0.02), touched_by(1)),
    polyhedron("wedge", faces(face(0, 0, -1, 0), face(0.6, 0, 0.8, 0.1)),
               material(spring(1e4), damper(10), membrane(1e-3))),
    wedge("ramp", at(2, 0, 0), size(1, 0.8, 0.2), of_kind(7)), prism<6>("nut", on("arm"), radius(0.01), height(0.008)),
    convex("dice", vertices(vertex(0, 0, 1), vertex(1, 0, 0), vertex(0, 1, 0), vertex(0, 0, 0)),
           loops(loop(1, 3, 2), loop(0, 1, 2), loop(0, 2, 3), loop(0, 3, 1)), moves()),
    convex("crate", convex_box({0.4, 0.3, 0.2}), on("hand")));

}  // namespace

const auto& trial = scene<kRobot, kWorldAround, float>;
