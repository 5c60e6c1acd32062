// SPDX-License-Identifier: MIT
// The scenes with contact points, and all scenes by name. With volume_scenes.cpp and quadruped_scene.cpp the files that cost the compiler the most.
#include "scenes.hpp"

#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <map>

#include "quadruped_scene.hpp"
#include "scene_recorder.hpp"
#include "volume_scenes.hpp"

namespace kinecast::host {
namespace {

constexpr double kQuarterTurn = 1.5707963267948966;
constexpr int kSteps = 5000;

// ---- the six-link pendulum of S000 (method 8) -----------------------------------------------------------------------

constexpr double kThick = 0.04;
constexpr double kLong = 0.1;

constexpr Link segment(const char* name, const char* parent, double up) {
  constexpr double kMass = 0.3;
  constexpr double kAcross = kMass * (kThick * kThick + kLong * kLong) / 12;
  constexpr double kAlong = kMass * 2 * kThick * kThick / 12;
  return link(name, on(parent), revolute(kAxisY), at(0, 0, up),
              body(kMass, com(0, 0, -kLong / 2), inertia(kAcross, kAcross, kAlong)));
}
constexpr ContactBox corners(const char* name) {
  return contact_box(on(name), at(0, 0, -kLong / 2), size(kThick, kThick, kLong));
}

inline constexpr auto pendulum =
    robot("pendulum", segment("1", "world", 0.42), segment("2", "1", -kLong), segment("3", "2", -kLong),
          segment("4", "3", -kLong), segment("5", "4", -kLong), segment("6", "5", -kLong), corners("1"), corners("2"),
          corners("3"), corners("4"), corners("5"), corners("6"));
inline constexpr auto rough_ground = environment(half_space("ground", material(friction(1.0, 0.4))));

// ---- the two-link arm of S003 (method 9, sim 2), straight up at zero, a geared motor with friction at both joints ---

template <class... Words>
constexpr Link driven(const char* name, const Words&... words) {
  return link(name, revolute(kAxisZ), dc_motor(torque_constant(2.58e-2), resistance(2.36), voltage_limit(24)),
              gear(ratio(120)), at_motor(rotor_inertia(7.03e-6), stiction(0.041), coulomb(0.036)),
              at_joint(viscous(1.53), stribeck(100)), words...);
}

// Only the moments about the joint axes matter: the others are any that a body can have.
inline constexpr auto arm =
    robot("arm",
          driven("upper", at(0, 0, 0.15), turned({{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}),
                 body(1.5, com(0.266667, 0, 0), inertia(0.02, 0.02, 0.02229167))),
          driven("fore", on("upper"), at(0.4, 0, 0), body(1.0, com(0.2, 0, 0), inertia(0.005, 0.005, 0.0083333))),
          contact_box(on("fore"), at(0.2, 0, 0), size(0.3, 0.1, 0.1)));
inline constexpr auto smooth_ground =
    environment(half_space("ground", material(friction(0.5, 0.3), compensation(1000))));

Recording record_pendulum() {
  Recording scene;
  scene.name = "pendulum";
  scene.title = "A pendulum of six links falls on the ground";
  scene.story =
      "Six cuboids of 4 x 4 x 10 cm and 0.3 kg in a row, let go at 60 degrees: they strike the ground, slide, and "
      "come to rest on the last link's four lower corners, which share the load. Any of the 48 corners may touch; "
      "static friction 1.0, sliding friction 0.4.";
  scene.links.assign(6, {rectangle(-kThick / 2, kThick / 2, -kLong, 0), {0, 0}, 0.008});
  scene.mount = rectangle(-0.06, 0.06, 0.42, 0.45);
  State<pendulum, float> start = zero_state<pendulum, float>();
  start.q[0] = static_cast<float>(kQuarterTurn * 2 / 3);
  // Seen with the hinges' axes towards the eye: positive angles turn counter-clockwise.
  return record<pendulum, Contacts<rough_ground, 12>>(
      std::move(scene), Camera<pendulum>({-1, 0, 0}), start, kSteps,
      [](int /*step*/, const State<pendulum, float>& state) -> Input<pendulum> { return {-1e-4F * state.dq}; });
}

Recording record_arm() {
  Recording scene;
  scene.name = "arm";
  scene.title = "An arm with two geared motors strikes the ground";
  scene.story =
      "The forearm (1 kg, 10 cm thick) is driven from straight up to straight down, where the ground is in its way: "
      "the motors press it down until 4 s, then their friction and the ground hold the arm. Static friction 0.5, "
      "sliding friction 0.3; controller at 500 Hz.";
  scene.links.assign(2, {rectangle(-0.05, 0.05, 0.05, 0.35), {0, 0}, 0.05});
  scene.mount = rectangle(-0.05, 0.05, 0, 0.15);
  State<arm, float> start = zero_state<arm, float>();
  start.q[0] = static_cast<float>(kQuarterTurn);
  start.q[1] = -static_cast<float>(kQuarterTurn);
  Command<arm, float> command = Command<arm, float>::Zero();
  return record<arm, Contacts<smooth_ground, 8>>(
      std::move(scene), Camera<arm>({0, 1, 0}), start, kSteps,
      [&command](int step, const State<arm, float>& state) -> Input<arm> {
        constexpr int kOffAfter = 4000;
        for (int i = 0; step % 2 == 0 && i < 2; ++i) {
          const float volts = 120 * (100 * (static_cast<float>(kQuarterTurn) - state.q[i]) - state.dq[i]);
          command[i] = step < kOffAfter ? std::clamp(volts, -24.0F, 24.0F) : 0.0F;
        }
        return {command};
      });
}

}  // namespace

const std::vector<std::string>& scene_names() {
  static const std::vector<std::string> names{"pendulum", "arm", "grip", "cube", "quadruped"};
  return names;
}

std::vector<Recording> record_scenes(const std::vector<std::string>& names) {
  static const std::map<std::string, Recording (*)()> scenes{{"pendulum", record_pendulum},
                                                             {"arm", record_arm},
                                                             {"grip", record_grip},
                                                             {"cube", record_cube},
                                                             {"quadruped", record_quadruped}};
  std::vector<Recording> out;
  for (const std::string& name : names) out.push_back(scenes.at(name)());
  return out;
}

}  // namespace kinecast::host
