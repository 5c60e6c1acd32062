// SPDX-License-Identifier: MIT
// The only file of the tool that compiles contact: it costs the compiler the most.
#include "scenes.hpp"

#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

namespace kinecast::host {
namespace {

constexpr double kQuarterTurn = 1.5707963267948966;

// ---- the six-link pendulum of S000 (spec 8) -------------------------------------------------------------------------

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

// ---- the two-link arm of S003 (spec 9, sim 2), straight up at zero, a geared motor with friction at both joints -----

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

// ---- recording ------------------------------------------------------------------------------------------------------

constexpr float kStep_s = 1e-3F;
constexpr int kSteps = 5000;
constexpr int kFrameSteps = 10;
constexpr int kImpactSteps = 20;          // a peak is the largest of this many steps on both sides …
constexpr double kImpactInWeights = 4.0;  // … and so many times the weight

// The picture's plane: up is the world's z.
template <const auto& R>
class Camera {
 public:
  explicit Camera(const Vector<float, 3>& right) : right_(right) {}

  [[nodiscard]] PlanePoint seen(const Vector<float, 3>& v) const {
    return {static_cast<double>(right_.dot(v)), static_cast<double>(v[2])};
  }
  [[nodiscard]] double along_right(const Vec3<float>& v) const { return seen(to_vector(v)).right_m; }

  // Where the links are; at_zero: the kinematics at joint position zero, from which turns count.
  [[nodiscard]] std::vector<LinkPlace> places(const Kinematics<R, float>& at_zero,
                                              const Kinematics<R, float>& now) const {
    std::vector<LinkPlace> out;
    for (int i = 0; i < Shape<R>::kLinks; ++i) {
      const Pose<float> pose = link_pose(model<R, float>, now, i);
      const Vector<float, 3> was_up = link_pose(model<R, float>, at_zero, i).rotation.row(2).transpose();
      const PlanePoint up = seen(pose.rotation * was_up);
      out.push_back({seen(pose.position), std::atan2(-up.right_m, up.up_m)});
    }
    return out;
  }

 private:
  Vector<float, 3> right_;
};

template <const auto& R>
Kinematics<R, float> kinematics_of(const State<R, float>& state) {
  Kinematics<R, float> out;
  if (const Status status = update_kinematics(model<R, float>, state.q, state.dq, out); !ok(status))
    throw std::runtime_error(sentence(status));
  return out;
}

// Loaded contacts, and which of them slide: when this changes, frames come closer together.
bool alike(const std::vector<Touch>& a, const std::vector<Touch>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Touch& x, const Touch& y) { return x.slides == y.slides; });
}

std::vector<int> find_impacts(const Recording& recording) {
  std::vector<int> out;
  const std::vector<double>& force = recording.normal_N;
  for (std::size_t i = 0; i < recording.frames.size(); ++i) {
    const int step = recording.frames[i].step;
    if (step == 0 || force[static_cast<std::size_t>(step - 1)] < kImpactInWeights * recording.weight_N) continue;
    const auto first = force.begin() + std::max(step - 1 - kImpactSteps, 0);
    const auto last = force.begin() + std::min(step + kImpactSteps, static_cast<int>(force.size()));
    if (std::max_element(first, last) == force.begin() + (step - 1)) out.push_back(static_cast<int>(i));
  }
  return out;
}

// Runs the scene from `start`; `control` gives the command of each step from its number and the state.
template <const auto& R, const auto& World, int Capacity>
Recording run(Recording recording, const Camera<R>& camera, const State<R, float>& start,
              const std::function<Command<R, float>(int, const State<R, float>&)>& control) {
  static Predictor<R, float, Contacts<World, Capacity>> predictor;
  if (const Status status = predictor.reset(start); !ok(status)) throw std::runtime_error(sentence(status));
  const Kinematics<R, float> at_zero = kinematics_of<R>(zero_state<R, float>());
  Kinematics<R, float> now = kinematics_of<R>(start);
  const auto energy = [&] {
    return static_cast<double>(kinetic_energy(model<R, float>, now, predictor.state().dq) +
                               potential_energy(model<R, float>, now));
  };
  recording.step_s = static_cast<double>(kStep_s);
  recording.weight_N = static_cast<double>(momentum(model<R, float>, now).mass) * -R.gravity_mps2.z;
  recording.energy_J.push_back(energy());
  Frame last{0, camera.places(at_zero, now), {}};
  recording.frames.push_back(last);
  for (int step = 1; step <= kSteps; ++step) {
    const Status status = predictor.step(control(step - 1, predictor.state()), kStep_s);
    if (!ok(status))
      throw std::runtime_error("scene " + recording.name + ", step " + std::to_string(step) + ": " + sentence(status));
    recording.warnings += is_warning(status) ? 1 : 0;
    now = kinematics_of<R>(predictor.state());
    Frame frame{step, camera.places(at_zero, now), {}};
    double normal_N = 0;
    const auto& report = predictor.contact_report();
    for (int i = 0; i < report.count; ++i) {
      const ContactForce<float>& c = report[i];
      recording.deepest_m = std::max(recording.deepest_m, static_cast<double>(c.depth_m));
      if (!(c.normal_N > 0)) continue;
      const auto normal = static_cast<double>(c.normal_N);
      normal_N += normal;
      const Vec3<float> friction = c.force_N - c.normal_N * c.normal;
      frame.touches.push_back({camera.seen(to_vector(c.point_m)), normal, camera.along_right(friction),
                               static_cast<double>(c.slip_mps), c.is_sliding});
    }
    recording.most_contacts = std::max(recording.most_contacts, static_cast<int>(frame.touches.size()));
    recording.most_iterations = std::max(recording.most_iterations, report.iterations);
    const double before_N = recording.normal_N.empty() ? 0.0 : recording.normal_N.back();
    recording.normal_N.push_back(normal_N);
    recording.energy_J.push_back(energy());
    const bool changes = !alike(frame.touches, last.touches) || std::abs(normal_N - before_N) > recording.weight_N;
    if (changes && recording.frames.back().step < last.step) recording.frames.push_back(last);
    if (changes || step % kFrameSteps == 0) recording.frames.push_back(frame);
    last = std::move(frame);
  }
  recording.impacts = find_impacts(recording);
  return recording;
}

std::vector<PlanePoint> rectangle(double left, double right, double low, double high) {
  return {{left, low}, {right, low}, {right, high}, {left, high}};
}

Recording record_pendulum() {
  Recording scene;
  scene.name = "pendulum";
  scene.title = "A pendulum of six links falls on the ground";
  scene.story =
      "Six cuboids of 4 x 4 x 10 cm and 0.3 kg in a row, let go at 60 degrees: they strike the ground, slide, and come "
      "to "
      "rest on the last link's four lower corners, which share the load. Any of the 48 corners may touch; static "
      "friction "
      "1.0, sliding friction 0.4.";
  scene.links.assign(6, {rectangle(-kThick / 2, kThick / 2, -kLong, 0), {0, 0}, 0.008});
  scene.mount = rectangle(-0.06, 0.06, 0.42, 0.45);
  State<pendulum, float> start = zero_state<pendulum, float>();
  start.q[0] = static_cast<float>(kQuarterTurn * 2 / 3);
  // Seen with the hinges' axes towards the eye: positive angles turn counter-clockwise.
  return run<pendulum, rough_ground, 12>(
      std::move(scene), Camera<pendulum>({-1, 0, 0}), start,
      [](int /*step*/, const State<pendulum, float>& state) -> Command<pendulum, float> { return -1e-4F * state.dq; });
}

Recording record_arm() {
  Recording scene;
  scene.name = "arm";
  scene.title = "An arm with two geared motors strikes the ground";
  scene.story =
      "The forearm (1 kg, 10 cm thick) is driven from straight up to straight down, where the ground is in its way: "
      "the "
      "motors press it down until 4 s, then their friction and the ground hold the arm. Static "
      "friction 0.5, sliding friction 0.3; controller at 500 Hz.";
  scene.links.assign(2, {rectangle(-0.05, 0.05, 0.05, 0.35), {0, 0}, 0.05});
  scene.mount = rectangle(-0.05, 0.05, 0, 0.15);
  State<arm, float> start = zero_state<arm, float>();
  start.q[0] = static_cast<float>(kQuarterTurn);
  start.q[1] = -static_cast<float>(kQuarterTurn);
  Command<arm, float> command = Command<arm, float>::Zero();
  return run<arm, smooth_ground, 8>(
      std::move(scene), Camera<arm>({0, 1, 0}), start, [&command](int step, const State<arm, float>& state) {
        constexpr int kOffAfter = 4000;
        for (int i = 0; step % 2 == 0 && i < 2; ++i) {
          const float volts = 120 * (100 * (static_cast<float>(kQuarterTurn) - state.q[i]) - state.dq[i]);
          command[i] = step < kOffAfter ? std::clamp(volts, -24.0F, 24.0F) : 0.0F;
        }
        return command;
      });
}

}  // namespace

const std::vector<std::string>& scene_names() {
  static const std::vector<std::string> names{"pendulum", "arm"};
  return names;
}

std::vector<Recording> record_scenes(const std::vector<std::string>& names) {
  static const std::map<std::string, Recording (*)()> scenes{{"pendulum", record_pendulum}, {"arm", record_arm}};
  std::vector<Recording> out;
  for (const std::string& name : names) out.push_back(scenes.at(name)());
  return out;
}

}  // namespace kinecast::host
