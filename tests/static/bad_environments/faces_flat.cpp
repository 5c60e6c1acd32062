// SPDX-License-Identifier: MIT
// A box with one corner pulled out: three of its faces are bent.
#include <kinecast/model/environment/scene.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words an environment is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                              link("hand", on("arm"), revolute(kAxisX), kBody), contact_point("tip", on("hand")));
constexpr auto dented() noexcept {
  auto solid = convex_box({1, 1, 1});
  solid.vertices[7] = {0.6, 0.6, 0.6};
  return solid;
}
constexpr auto kWorldAround = environment(half_space("ground"), convex("crate", dented(), on("hand")));

}  // namespace

const auto& trial = scene<kRobot, kWorldAround, float>;
