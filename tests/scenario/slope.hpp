// SPDX-License-Identifier: MIT
// A box on a slope, on its corner points or on its volume: any mass, size, slope and friction with one Predictor per scalar
// and contact model. Either the plane is tilted, or gravity is: then the box stays beside the origin of the world, where
// float knows its place to 1e-12 m.
#pragma once

#include <kinecast/kinecast.hpp>

#include <algorithm>
#include <cmath>

#include "contact_models.hpp"
#include "robots/boxes.hpp"
#include "steps.hpp"
#include "support/random.hpp"
#include "support/require.hpp"

namespace scenario {

inline constexpr double kGravity_mps2 = 9.80665;
inline constexpr double kSlopeStep_s = 1e-3;

inline constexpr auto slope_box = robots::make_box(1, 0.1, 0.1, 0.1);
inline constexpr auto bare_slope = kinecast::environment(kinecast::half_space("slope"));
inline constexpr auto slope_and_solid = kinecast::environment(
    kinecast::half_space("slope"), kinecast::box("solid", kinecast::on("box"), kinecast::size(0.1, 0.1, 0.1)));

enum class Tilt { plane, gravity };

struct Slope {
  double angle{0};    // rad
  double azimuth{0};  // of the fall line about the vertical
  double yaw{0};      // of the box on the plane
  double mass_kg{1};
  double size_m[3]{0.1, 0.1, 0.1};
  Tilt tilt{Tilt::plane};
};

[[nodiscard]] inline double between(support::Random& random, double low, double high) {
  return 0.5 * (low + high) + random.within(0.5 * (high - low));
}

// Slopes of 5 to 40 degrees; boxes of 0.2 to 5 kg that are so flat that no friction of a test tips them over.
[[nodiscard]] inline Slope random_slope(support::Random& random, Tilt tilt) {
  Slope s;
  s.angle = between(random, 5, 40) * kinecast::constant::kPi / 180;
  s.azimuth = random.within(kinecast::constant::kPi);
  s.yaw = tilt == Tilt::plane ? random.within(kinecast::constant::kPi) : 0;
  s.mass_kg = 0.2 * std::pow(25, between(random, 0, 1));
  s.size_m[0] = between(random, 0.05, 0.3);
  s.size_m[1] = s.size_m[0] * between(random, 0.7, 1.4);
  s.size_m[2] = std::min(s.size_m[0], s.size_m[1]) * between(random, 0.3, 0.7);
  s.tilt = tilt;
  return s;
}

template <class Scalar, const auto& World, class Contact>
class BoxOnSlope {
 public:
  using S = Scalar;
  using Direction = Eigen::Vector3d;

  // The box lies on the plane at zero depth, at this velocity.
  void put_down(const Slope& slope, const kinecast::Material& material, const Direction& velocity = {0, 0, 0}) {
    using namespace kinecast;
    slope_ = slope;
    auto values = robots::make_box(slope.mass_kg, slope.size_m[0], slope.size_m[1], slope.size_m[2]);
    const double s = std::sin(slope.angle);
    const double c = std::cos(slope.angle);
    const double ca = std::cos(slope.azimuth);
    const double sa = std::sin(slope.azimuth);
    const bool tilts_plane = slope.tilt == Tilt::plane;
    across_ = {-sa, ca, 0};
    down_ = tilts_plane ? Direction{c * ca, c * sa, -s} : Direction{ca, sa, 0};
    const Direction normal = tilts_plane ? Direction{s * ca, s * sa, c} : Direction{0, 0, 1};
    if (!tilts_plane) values.gravity_mps2 = {kGravity_mps2 * s * ca, kGravity_mps2 * s * sa, -kGravity_mps2 * c};
    support::require(build_model<slope_box, S>(values, model_), "build_model");

    auto world = World;
    const Mat3<double> plane = tilts_plane ? rotation_from_rpy(0, slope.angle, slope.azimuth) : kIdentity3<double>;
    std::get<0>(world.surfaces).rotation = plane;
    for_each_surface(world.surfaces, [&](auto& surface, int /*index*/) { surface.materials.fill(material); });
    if constexpr (World.kSurfaces > 1)
      std::get<1>(world.surfaces).solid.half_m = {0.5 * slope.size_m[0], 0.5 * slope.size_m[1], 0.5 * slope.size_m[2]};
    support::require(build_scene<slope_box, World, S>(values, world, scene_), "build_scene");
    predictor_.set_scene(scene_);

    State<slope_box, S> start = zero_state<slope_box, S>();
    const Quaternion<double> turn = to_quaternion(plane * rotation_from_rpy(0, 0, slope.yaw));
    const double quaternion[4] = {turn.w, turn.x, turn.y, turn.z};
    for (int i = 0; i < 4; ++i) start.q[3 + i] = static_cast<S>(quaternion[i]);
    for (int i = 0; i < 3; ++i) start.q[i] = static_cast<S>(0.5 * slope.size_m[2] * normal[i]);
    start.dq.template head<3>() = velocity.cast<S>();
    steps_.require(predictor_.reset(start), "reset");
  }

  // A hand holds the box against the slope's pull and lets go within 100 ms.
  void settle() {
    constexpr int kHeld = 50;
    constexpr int kLetsGo = 100;
    constexpr int kAlone = 150;
    const double pull_N = slope_.mass_kg * kGravity_mps2 * std::sin(slope_.angle);
    for (int ms = 1; ms <= kHeld + kLetsGo + kAlone; ++ms)
      step(-pull_N * std::clamp(1 - (ms - kHeld) / static_cast<double>(kLetsGo), 0.0, 1.0) * down_);
  }

  void step(const Direction& push_N = {0, 0, 0}) {
    kinecast::Velocity<slope_box, S> external = kinecast::Velocity<slope_box, S>::Zero();
    external.template head<3>() = push_N.cast<S>();
    steps_.require(predictor_.step(kinecast::Command<slope_box, S>::Zero(), external, S(kSlopeStep_s)), "step");
  }

  // Measured to move at this velocity.
  void correct(const Direction& velocity) {
    kinecast::State<slope_box, S> state = predictor_.state();
    state.dq.template head<3>() = velocity.cast<S>();
    steps_.require(predictor_.correct(state), "correct");
  }

  [[nodiscard]] const Slope& slope() const { return slope_; }
  [[nodiscard]] const Direction& across() const { return across_; }  // horizontal, in the plane
  [[nodiscard]] const Direction& down() const { return down_; }
  [[nodiscard]] Direction place() const { return predictor_.state().q.template head<3>().template cast<double>(); }
  [[nodiscard]] Direction velocity() const { return predictor_.state().dq.template head<3>().template cast<double>(); }
  [[nodiscard]] Direction turn_rate() const { return predictor_.state().dq.template tail<3>().template cast<double>(); }
  // From the middle to a corner.
  [[nodiscard]] double reach_m() const {
    return 0.5 * std::hypot(slope_.size_m[0], slope_.size_m[1], slope_.size_m[2]);
  }
  // No corner is faster.
  [[nodiscard]] double speed() const { return velocity().norm() + reach_m() * turn_rate().norm(); }
  [[nodiscard]] Steps& steps() { return steps_; }

 private:
  Slope slope_{};
  Direction across_{0, 1, 0};
  Direction down_{1, 0, 0};
  kinecast::Model<slope_box, S> model_ = kinecast::model<slope_box, S>;
  typename Contact::template Scene<slope_box, S> scene_{};
  kinecast::Predictor<slope_box, S, Contact> predictor_{model_};
  Steps steps_;
};

template <class S>
using PointsOnSlope = BoxOnSlope<S, bare_slope, PointContacts<bare_slope, 8>>;
template <class S>
using VolumeOnSlope = BoxOnSlope<S, slope_and_solid, VolumeContacts<slope_and_solid, 1>>;

}  // namespace scenario
