// SPDX-License-Identifier: MIT
// A cylinder of 43 sides: 43 + 43 + 4 * 43 corners; the last side, face 44, ends where no byte points.
#include <kinecast/model/environment/scene.hpp>
#include <utility>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words an environment is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto kRobot = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                              link("hand", on("arm"), revolute(kAxisX), kBody), contact_point("tip", on("hand")));

constexpr int kSides = 43;
template <int... I>
constexpr auto cylinder(std::integer_sequence<int, I...> /*sides*/) noexcept {
  return convex_solid(
      vertices(
          vertex(constant::cos(I * 2 * constant::kPi / kSides), constant::sin(I * 2 * constant::kPi / kSides), 0)...,
          vertex(constant::cos(I * 2 * constant::kPi / kSides), constant::sin(I * 2 * constant::kPi / kSides), 1)...),
      loops(loop(kSides - 1 - I...), loop(kSides + I...),
            loop(I, (I + 1) % kSides, kSides + (I + 1) % kSides, kSides + I)...));
}
constexpr auto kWorldAround =
    environment(half_space("ground"), convex("drum", cylinder(std::make_integer_sequence<int, kSides>{}), at(0, 0, 2)));

}  // namespace

const auto& trial = scene<kRobot, kWorldAround, float>;
