// SPDX-License-Identifier: MIT
// A static friction that its flag denies.
#include <kinecast/model/model.hpp>

namespace {

using namespace kinecast;  // NOLINT(google-build-using-namespace): the words a robot is written in

constexpr auto kBody = body(1.0, com(0, 0, 0.1), inertia(0.01, 0.01, 0.01));
constexpr auto make_robot() {
  auto result = robot("trial", link("arm", on("world"), revolute(kAxisY), kBody),
                      link("hand", on("arm"), revolute(kAxisX), kBody,
                           dc_motor(torque_constant(0.02), resistance(2), voltage_limit(24))));
  result.links[1].drive.at_joint.stiction_Nm = {1, 1};
  return result;
}
constexpr auto kRobot = make_robot();

}  // namespace

const auto& trial = model<kRobot, float>;
