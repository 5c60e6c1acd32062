// SPDX-License-Identifier: MIT
// How a scene is computed and recorded: a robot in float, stepped by the library, seen from the side.
#pragma once

#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scenes.hpp"

namespace kinecast::host {

inline constexpr float kStep_s = 1e-3F;
inline constexpr int kFrameSteps = 10;
inline constexpr int kImpactSteps = 20;          // a peak is the largest of this many steps on both sides …
inline constexpr double kImpactInWeights = 4.0;  // … and so many times the weight

// The picture's plane: up is the world's z.
template <const auto& R>
class Camera {
 public:
  explicit Camera(const Vector<float, 3>& right) : right_(right) {}

  [[nodiscard]] PlanePoint seen(const Vector<float, 3>& v) const {
    return {static_cast<double>(right_.dot(v)), static_cast<double>(v[2])};
  }
  [[nodiscard]] PlanePoint seen(const Vec3<float>& v) const { return seen(to_vector(v)); }

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
[[nodiscard]] Kinematics<R, float> kinematics_of(const State<R, float>& state) {
  Kinematics<R, float> out;
  if (const Status status = update_kinematics(model<R, float>, state.q, state.dq, out); !ok(status))
    throw std::runtime_error(sentence(status));
  return out;
}

// Loaded contacts, and which of them slide: when this changes, frames come closer together.
[[nodiscard]] inline bool alike(const std::vector<Touch>& a, const std::vector<Touch>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Touch& x, const Touch& y) { return x.slides == y.slides; });
}

[[nodiscard]] inline std::vector<int> find_impacts(const Recording& recording) {
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

// What a step is given besides its state.
template <const auto& R>
struct Input {
  Command<R, float> command{Command<R, float>::Zero()};
  Velocity<R, float> external{Velocity<R, float>::Zero()};  // generalised forces
  std::vector<Push> pushes{};                               // the same as the picture shows them
};

// Runs the scene from `start`; `control` gives the input of each step from its number and the state, and `watch`, if there is one,
// sees the predictor after each.
template <const auto& R, class Contact>
[[nodiscard]] Recording record(Recording recording, const Camera<R>& camera, const State<R, float>& start, int steps,
                               const std::function<Input<R>(int, const State<R, float>&)>& control,
                               const std::function<void(int, const Predictor<R, float, Contact>&)>& watch = nullptr) {
  static Predictor<R, float, Contact> predictor;
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
  Frame last{0, camera.places(at_zero, now), {}, {}};
  recording.frames.push_back(last);
  for (int step = 1; step <= steps; ++step) {
    Input<R> input = control(step - 1, predictor.state());
    const Status status = predictor.step(input.command, input.external, kStep_s);
    if (!ok(status))
      throw std::runtime_error("scene " + recording.name + ", step " + std::to_string(step) + ": " + sentence(status));
    if (watch) watch(step, predictor);
    recording.warnings += is_warning(status) ? 1 : 0;
    now = kinematics_of<R>(predictor.state());
    Frame frame{step, camera.places(at_zero, now), {}, std::move(input.pushes)};
    double normal_N = 0;
    const auto& report = predictor.contact_report();
    for (int i = 0; i < report.count; ++i) {
      const ContactForce<float>& c = report[i];
      recording.deepest_m = std::max(recording.deepest_m, static_cast<double>(c.depth_m));
      if (!(c.normal_N > 0)) continue;
      const auto normal = static_cast<double>(c.normal_N);
      normal_N += normal;
      const PlanePoint along = camera.seen(c.normal);
      const PlanePoint friction = camera.seen(c.force_N - c.normal_N * c.normal);
      frame.touches.push_back({camera.seen(c.point_m), along, normal,
                               along.up_m * friction.right_m - along.right_m * friction.up_m,
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

[[nodiscard]] inline std::vector<PlanePoint> rectangle(double left, double right, double low, double high) {
  return {{left, low}, {right, low}, {right, high}, {left, high}};
}

}  // namespace kinecast::host
