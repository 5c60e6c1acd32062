// SPDX-License-Identifier: MIT
// The cube of S004 (method 10) on a floor or over a table's edge, with volume contact and a force that pushes it: what
// the golden files and the known facts of golden_volume.cpp run.
#pragma once

#include <kinecast/contact/volume/volume.hpp>
#include <kinecast/kinecast.hpp>
#include <kinecast/papers/wrench_programs.hpp>

#include <Eigen/Geometry>

#include <cmath>
#include <memory>
#include <string>
#include <tuple>

#include "support/require.hpp"

namespace volume {

using kinecast::ContactParameters;
using kinecast::FrictionRule;
using kinecast::Functional;
using kinecast::Material;
using kinecast::Status;
using support::require;

using Six = Eigen::Matrix<double, 6, 1>;  // force and moment

inline constexpr double kSide_m = 0.1;
inline constexpr double kMass_kg = 0.5;
inline constexpr double kGravity_mps2 = 9.80665;
inline constexpr double kWeight_N = kMass_kg * kGravity_mps2;
inline constexpr double kInertia_kgm2 = kMass_kg * kSide_m * kSide_m / 6;
inline constexpr double kStatic = 0.5;
inline constexpr double kKinetic = 0.3;
inline constexpr double kStep_s = 1e-3;

inline constexpr auto kCube = kinecast::robot(
    "cube", kinecast::link("cube", kinecast::floating(),
                           kinecast::body(kMass_kg, kinecast::com(0, 0, 0),
                                          kinecast::inertia(kInertia_kgm2, kInertia_kgm2, kInertia_kgm2))));

// Materials and the floor's slope come at run time.
inline constexpr auto kFloor =
    kinecast::environment(kinecast::half_space("floor"),
                          kinecast::box("cube", kinecast::on("cube"), kinecast::size(kSide_m, kSide_m, kSide_m)));
inline constexpr auto kTable =
    kinecast::environment(kinecast::box("table", kinecast::at(-5, 0, -0.15), kinecast::size(10, 10, 0.3)),
                          kinecast::box("cube", kinecast::on("cube"), kinecast::size(kSide_m, kSide_m, kSide_m)));

// What the golden files compute: friction by the state before the step, its law of sliding, no bound on the speed that
// works a depth off.
using Golden = kinecast::WrenchPrograms<16, 8, Functional::energy, FrictionRule::resolved_by_state>;
using Default = kinecast::Volume<>;
// The paper's functional (method 6.3a), to the letter as well.
using Paper = kinecast::WrenchPrograms<16, 8, Functional::velocity, FrictionRule::resolved_by_state>;

inline constexpr Material kGoldenMaterial =
    kinecast::material(kinecast::friction(kStatic, kKinetic), kinecast::compensation(1000), kinecast::relaxation(1e-3));
inline constexpr Material kDefaultMaterial = kinecast::material(kinecast::friction(kStatic, kKinetic));
inline constexpr Material kPaperMaterial = kinecast::material(
    kinecast::friction(kStatic, kKinetic), kinecast::compensation(1000), kinecast::absolute_relaxation(1e-4));
template <class S>
[[nodiscard]] constexpr ContactParameters<S> golden_parameters() {
  return {S(100), S(1e-3), S(100)};
}

struct Start {
  Eigen::Vector3d position{0, 0, kSide_m / 2};
  Eigen::Quaterniond turn{1, 0, 0, 0};
  Eigen::Vector3d linear{0, 0, 0};
  Eigen::Vector3d angular{0, 0, 0};
};

// A cube in a world. On the heap: a host's test makes many of them.
template <class S, const auto& World, class Model>
class Rig {
 public:
  using Predictor = kinecast::Predictor<kCube, S, kinecast::Contacts<World, 1, Model>>;

  // `rotation` of the world's first surface.
  explicit Rig(const Material& material, const ContactParameters<S>& parameters = {},
               const Eigen::Matrix3d& rotation = Eigen::Matrix3d::Identity()) {
    auto world = World;
    auto& ground = std::get<0>(world.surfaces);
    ground.materials[0] = material;
    const auto row = [&](int i) { return kinecast::Vec3<double>{rotation(i, 0), rotation(i, 1), rotation(i, 2)}; };
    ground.rotation = {row(0), row(1), row(2)};
    require(kinecast::build_scene<kCube, World, S>(kCube, world, *scene_), "build_scene");
    predictor_->set_scene(*scene_);
    require(predictor_->set_contact_parameters(parameters), "set_contact_parameters");
  }

  void start(const Start& from) {
    auto state = kinecast::zero_state<kCube, S>();
    for (int i = 0; i < 3; ++i) {
      state.q[i] = static_cast<S>(from.position(i));
      state.q[4 + i] = static_cast<S>(from.turn.vec()(i));
      state.dq[i] = static_cast<S>(from.linear(i));
      state.dq[3 + i] = static_cast<S>(from.angular(i));
    }
    state.q[3] = static_cast<S>(from.turn.w());
    require(predictor_->reset(state), "reset");
  }

  // One step with a force of the world at a point of the cube.
  void step(const Eigen::Vector3d& force = Eigen::Vector3d::Zero(),
            const Eigen::Vector3d& at = Eigen::Vector3d::Zero()) {
    step_with(force, (turn() * at).cross(force));
  }
  // One step with a force and a moment at its centre. The warnings are counted.
  void step_with(const Eigen::Vector3d& force, const Eigen::Vector3d& moment) {
    auto outside = kinecast::Velocity<kCube, S>::Zero().eval();
    for (int i = 0; i < 3; ++i) outside[i] = static_cast<S>(force(i)), outside[3 + i] = static_cast<S>(moment(i));
    const Status status = predictor_->step(kinecast::Command<kCube, S>::Zero(), outside, S(kStep_s));
    require(status, "step");
    if (is_warning(status)) ++warnings_;
  }

  [[nodiscard]] Eigen::Vector3d position() const { return three(predictor_->state().q, 0); }
  [[nodiscard]] Eigen::Quaterniond turn() const {
    const auto& q = predictor_->state().q;
    return {static_cast<double>(q[3]), static_cast<double>(q[4]), static_cast<double>(q[5]), static_cast<double>(q[6])};
  }
  [[nodiscard]] Eigen::Vector3d linear() const { return three(predictor_->state().dq, 0); }
  [[nodiscard]] Eigen::Vector3d angular() const { return three(predictor_->state().dq, 3); }
  // Away from where its vertical axis was.
  [[nodiscard]] double tilt_rad() const {
    const Eigen::Quaterniond q = turn();
    return 2 * std::hypot(q.x(), q.y());
  }
  [[nodiscard]] double kinetic_J() const {
    return 0.5 * kMass_kg * linear().squaredNorm() + 0.5 * kInertia_kgm2 * angular().squaredNorm();
  }
  [[nodiscard]] double energy_J() const { return kinetic_J() + kWeight_N * position().z(); }
  [[nodiscard]] bool touches() const { return predictor_->contact_report().count > 0; }
  [[nodiscard]] bool slides() const { return touches() && predictor_->contact_report()[0].is_sliding; }
  [[nodiscard]] Eigen::Vector3d force() const {
    return touches() ? vector(contact().force_N) : Eigen::Vector3d::Zero();
  }
  [[nodiscard]] Eigen::Vector3d moment() const {
    return touches() ? vector(contact().moment_Nm) : Eigen::Vector3d::Zero();
  }
  [[nodiscard]] Eigen::Vector3d place() const {
    return touches() ? vector(contact().point_m) : Eigen::Vector3d::Zero();
  }
  [[nodiscard]] double depth_m() const { return touches() ? static_cast<double>(contact().depth_m) : 0; }
  [[nodiscard]] const auto& contact() const { return predictor_->contact_report()[0]; }
  [[nodiscard]] int warnings() const { return warnings_; }
  [[nodiscard]] Predictor& predictor() { return *predictor_; }

 private:
  template <class V>
  [[nodiscard]] static Eigen::Vector3d three(const V& v, int first) {
    return {static_cast<double>(v[first]), static_cast<double>(v[first + 1]), static_cast<double>(v[first + 2])};
  }
  [[nodiscard]] static Eigen::Vector3d vector(const kinecast::Vec3<S>& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
  }

  std::unique_ptr<typename Predictor::Scene> scene_ = std::make_unique<typename Predictor::Scene>();
  std::unique_ptr<Predictor> predictor_ = std::make_unique<Predictor>();
  int warnings_{0};
};

}  // namespace volume
