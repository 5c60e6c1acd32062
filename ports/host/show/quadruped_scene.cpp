// SPDX-License-Identifier: MIT
#include "quadruped_scene.hpp"

#include <kinecast/kinecast.hpp>

#include "quadruped.hpp"
#include "quadruped_gait.hpp"
#include "scene_recorder.hpp"

namespace kinecast::host {

Recording record_quadruped() {
  using namespace example;
  Recording scene;
  scene.name = "quadruped";
  scene.title = "A quadruped is pushed, and puts its front feet on a plate";
  scene.story =
      "Eighteen degrees of freedom and 14 kg on four spherical feet, a geared motor with friction and stops at each of "
      "the "
      "twelve joints, PD control. At 0.5 s it is pushed from behind with 40 N for 0.1 s; then its trunk moves aside "
      "before "
      "each of the front feet goes up on a plate of 2 cm. board_examples/quadruped_stance forecasts the same robot.";
  scene.links.push_back({rectangle(-0.25, 0.25, -0.05, 0.05), {0, 0}, 0});
  for (int leg = 0; leg < kLegs; ++leg) {
    scene.links.push_back({{}, {0, 0}, 0.03});
    scene.links.push_back({rectangle(-0.015, 0.015, -kThigh_m, 0), {0, 0}, 0});
    scene.links.push_back({rectangle(-0.01, 0.01, -kShank_m, 0), {0, -kShank_m}, kFoot_m});
  }
  scene.mount = rectangle(kPlateX_m - 0.5 * kPlateLength_m, kPlateX_m + 0.5 * kPlateLength_m, 0, kPlateHeight_m);
  // Seen from its right side.
  return record<quadruped, Contacts<world, 6>>(
      std::move(scene), Camera<quadruped>({1, 0, 0}), standing(), kEnd_ms,
      [](int step, const State<quadruped, float>& state) -> Input<quadruped> {
        Input<quadruped> input{torques_for(state, static_cast<float>(step) * kStep_s)};
        if (step >= kPushed_ms && step < kPushed_ms + kPushLasts_ms) {
          input.external[0] = kPush_N;
          input.pushes.push_back(
              {{static_cast<double>(state.q[0]), static_cast<double>(state.q[2])}, {static_cast<double>(kPush_N), 0}});
        }
        return input;
      });
}

}  // namespace kinecast::host
