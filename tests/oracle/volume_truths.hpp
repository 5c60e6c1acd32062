// SPDX-License-Identifier: MIT
// What is known of a cube on a floor without anybody's program, asked of volume contact: what friction holds and where
// it lets go, how far a sliding cube goes, when it tips, that it lies still, that it presses as its corners would, and
// that contact makes no energy.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include "robots/boxes.hpp"
#include "support/errors.hpp"
#include "support/report.hpp"
#include "support/standard_random.hpp"
#include "volume_cube.hpp"

namespace volume {

using support::kNone;
using support::Maximum;
using support::Report;
using support::scalar_name;

template <class S>
struct Setting {
  const char* name;
  Material material;
  ContactParameters<S> parameters;
};
template <class S>
[[nodiscard]] Setting<S> golden_setting() {
  return {"golden", kGoldenMaterial, golden_parameters<S>()};
}
template <class S>
[[nodiscard]] Setting<S> default_setting() {
  return {"default", kDefaultMaterial, {}};
}
template <class S>
[[nodiscard]] Setting<S> paper_setting() {
  return {"paper", kPaperMaterial, {}};
}

template <class S>
inline constexpr bool kIsFloat = sizeof(S) == sizeof(float);

inline constexpr double kHolds_N = kStatic * kWeight_N;  // 2.45
inline const Eigen::Vector3d kBottom{0, 0, -kSide_m / 2};
[[nodiscard]] constexpr int steps_in(double time_s) { return static_cast<int>(time_s / kStep_s + 0.5); }

template <class Cube>
void settle(Cube& cube, double time_s = 0.5) {
  for (int i = 0; i < steps_in(time_s); ++i) cube.step();
}

// ---- pushed at the centre of the bottom face (method 10) ------------------------------------------------------------

struct Hold {
  double creep_mps{};
  double tilt_rad{};
};

// A settled cube, pushed for one second. `is_forgetful`: its contact does not know where it stuck (no d_ref), which
// must creep.
template <class S, class Model>
[[nodiscard]] Hold hold(const Setting<S>& setting, double push_N, bool is_forgetful) {
  Rig<S, kFloor, Model> cube(setting.material, setting.parameters);
  cube.start({});
  settle(cube);
  Hold seen;
  double from_m = 0;
  for (int i = 0; i < steps_in(1); ++i) {
    if (i == steps_in(0.5)) from_m = cube.position().x();
    if (is_forgetful) require(cube.predictor().reset(cube.predictor().state()), "reset");
    cube.step({push_N, 0, 0}, kBottom);
    seen.tilt_rad = std::max(seen.tilt_rad, cube.tilt_rad());
  }
  seen.creep_mps = std::abs(cube.position().x() - from_m) / 0.5;
  return seen;
}

// The push at which it begins to slide for good, rising by 2 N/s as in method 6.3, to 2 mN.
template <class S, class Model>
[[nodiscard]] double let_go_N(const Setting<S>& setting) {
  Rig<S, kFloor, Model> cube(setting.material, setting.parameters);
  cube.start({});
  settle(cube);
  double push_N = 0;
  double began_N = 0;
  while (push_N < 3) {
    push_N += 2 * kStep_s;
    cube.step({push_N, 0, 0}, kBottom);
    if (!cube.slides()) began_N = push_N;
  }
  return cube.linear().x() > 0.1 ? began_N : 0;
}

template <class S, class Model>
void score_pushes(const Setting<S>& setting, Report& report) {
  const char* scalar = scalar_name<S>();
  // Float's 3e-6 m/s is what method 15 asks for; in double nothing but rounding is left.
  const double creep_bound = kIsFloat<S> ? 3e-6 : 1e-10;
  for (const double push_N : {2.2, 2.4}) {
    const std::string name = std::string(setting.name) + (push_N < 2.3 ? " 2.2 N" : " 2.4 N");
    const Hold seen = hold<S, Model>(setting, push_N, false);
    report.add({"known", "pushed: creep", name, scalar, seen.creep_mps, creep_bound, "m/s", kNone,
                hold<S, Model>(setting, push_N, true).creep_mps});
    report.add({"known", "pushed: tilt", name, scalar, seen.tilt_rad, 1e-5, "rad"});
  }
  const double limit_N = let_go_N<S, Model>(setting);
  report.add({"known", "pushed: lets go", setting.name, scalar, std::abs(limit_N - 2.45), 0.02, "N"},
             ("at " + std::to_string(limit_N) + " N").c_str());
  // 2.6 N slips, and then goes as (F - mu_k m g)/m: a tenth of a percent.
  Rig<S, kFloor, Model> cube(setting.material, setting.parameters);
  cube.start({});
  settle(cube);
  double before_mps = 0;
  for (int i = 0; i < steps_in(0.5); ++i) {
    if (i == steps_in(0.25)) before_mps = cube.linear().x();
    cube.step({2.6, 0, 0}, kBottom);
  }
  const double expected = (2.6 - kKinetic * kWeight_N) / kMass_kg;
  report.add({"known", "pushed 2.6 N: goes", setting.name, scalar,
              std::abs((cube.linear().x() - before_mps) / 0.25 / expected - 1), 1e-3, "relative", kNone, 1});
}

// ---- sliding --------------------------------------------------------------------------------------------------------

// 1 m/s, without and with a spin of 8 rad/s.
template <class S, class Model>
void score_slides(const Setting<S>& setting, Report& report) {
  const char* scalar = scalar_name<S>();
  for (const double spin : {0.0, 8.0}) {
    const std::string name = std::string(setting.name) + (spin > 0 ? ", spins" : "");
    Rig<S, kFloor, Model> cube(setting.material, setting.parameters);
    cube.start({});
    settle(cube);
    Start start;
    start.position.z() = cube.position().z();
    start.linear.x() = 1;
    start.angular.z() = spin;
    cube.start(start);
    double normal_N = 0;
    double rise_J = 0;
    for (int i = 0; i < steps_in(1); ++i) {
      const double before_J = cube.kinetic_J();
      cube.step();
      normal_N = std::max(normal_N, cube.force().z());
      rise_J = std::max(rise_J, cube.kinetic_J() - before_J);
    }
    if (!(spin > 0)) {
      // Symplectic Euler brakes first and goes then: each of the v/(a dt) steps is a dt² short, v dt/2 in all.
      const double way_m = cube.position().x() + 0.5 * kStep_s;
      const double expected = 0.5 / (kKinetic * kGravity_mps2);
      report.add({"known", "slides: way", name, scalar, std::abs(way_m / expected - 1), 1e-3, "relative", kNone,
                  std::abs(0.5 / (kStatic * kGravity_mps2) / expected - 1)},
                 (std::to_string(cube.position().x()) + " m").c_str());
    } else {
      report.add({"known", "slides: speed after 1 s", name, scalar,
                  cube.linear().norm() + kSide_m * cube.angular().norm(), kIsFloat<S> ? 3e-6 : 1e-9, "m/s", kNone, 1});
    }
    report.add({"known", "slides: normal force", name, scalar, normal_N / kWeight_N, 1.01, "of the weight"});
    // When friction begins and ends, its moment mu m g a/2 turns the cube by what relaxation leaves, w = Lambda_w tau
    // dt, Lambda_w the relaxation of 1/I: 3e-12 J in the golden run (2.6e-12 there), and twice when it reverses. Float:
    // a digit of the speed, m v dv.
    const double left =
        setting.material.volume_relaxation / kInertia_kgm2 * kKinetic * kWeight_N * kSide_m / 2 * kStep_s;
    // The anchor of a patch gives back what friction strained it by: Lambda_v mu m g dt at the base, and the middle goes
    // along as the cube turns (method 16.5). S004's programs forget it.
    const double mobility = (3 / kMass_kg + 2 * kSide_m * kSide_m / 4 / kInertia_kgm2) / 3;
    const double back_mps = setting.material.volume_relaxation * mobility * kKinetic * kWeight_N * kStep_s;
    const double middle_mps = std::is_same_v<Model, Default> ? back_mps + left * kSide_m / 2 : 0;
    const double bound_J = 4 * 0.5 * (kInertia_kgm2 * left * left + kMass_kg * middle_mps * middle_mps) +
                           (kIsFloat<S> ? 6e-8 * kMass_kg : 0);
    report.add({"known", "slides: energy rises", name, scalar, rise_J, bound_J, "J"});
  }
}

// ---- tipping --------------------------------------------------------------------------------------------------------

template <class S, class Model>
void score_edge(const Setting<S>& setting, Report& report) {
  const char* scalar = scalar_name<S>();
  Rig<S, kTable, Model> cube(setting.material, setting.parameters);
  const auto run = [&](double beyond_m, double time_s) {
    Start start;
    start.position.x() = beyond_m;
    cube.start(start);
    settle(cube, time_s);
    return cube.tilt_rad();
  };
  // Lambda_w tau dt / k with tau = m g a/4: 1.2e-5 rad with the default relaxation.
  const double inside = run(-1e-3, 2);
  const double speed = cube.linear().norm() + kSide_m * cube.angular().norm();
  const double outside = run(1e-3, 0.5);
  report.add({"known", "1 mm inside the edge: tilt", setting.name, scalar, inside, 1e-4, "rad", kNone, outside});
  report.add({"known", "1 mm inside: speed", setting.name, scalar, speed, kIsFloat<S> ? 1e-4 : 1e-9, "m/s"});
  // It leaves the table within half a second.
  report.add(
      {"known", "1 mm outside: tilt lacks", setting.name, scalar, std::max(0.0, 0.5 - outside), 0, "rad", kNone, 0.5});
}

// A horizontal push at mid-height on a floor with friction 2: F a/2 = m g a/2. It rises slowly: until the tilt of a
// thousandth of a radian is there, it grows by half a percent.
template <class S, class Model>
void score_tip_by_push(const Setting<S>& setting, Report& report) {
  Material rough = setting.material;
  rough.static_friction = rough.kinetic_friction = 2;
  Rig<S, kFloor, Model> cube(rough, setting.parameters);
  cube.start({});
  settle(cube);
  const double slow_Nps = 0.2;
  double push_N = 4.5;
  for (int i = 0; i < steps_in(0.5); ++i) cube.step({push_N, 0, 0});
  while (cube.tilt_rad() < 1e-3 && push_N < 6) {
    push_N += slow_Nps * kStep_s;
    cube.step({push_N, 0, 0});
  }
  report.add({"known", "pushed at its centre: tips", setting.name, scalar_name<S>(), std::abs(push_N / kWeight_N - 1),
              0.02, "of the weight"},
             ("at " + std::to_string(push_N) + " N").c_str());
}

// ---- lying still ----------------------------------------------------------------------------------------------------

template <class S, class Model>
void score_rest(const Setting<S>& setting, Report& report) {
  Rig<S, kFloor, Model> cube(setting.material, setting.parameters);
  cube.start({});
  settle(cube, 1);
  const double speed = std::max(cube.linear().norm(), kSide_m * cube.angular().norm());
  // In float the height has steps of 3.7e-9 m, which k works off.
  report.add({"known", "rests: speed", setting.name, scalar_name<S>(), speed, kIsFloat<S> ? 4e-6 : 1e-9, "m/s"});
  report.add({"known", "rests: depth", setting.name, scalar_name<S>(), kSide_m / 2 - cube.position().z(), 1e-6, "m"});
}

// ---- corners and faces ----------------------------------------------------------------------------------------------

inline constexpr auto kGround = kinecast::environment(kinecast::half_space("ground"));

// A load in the world: what presses at a point would move with the tilt that relaxation leaves.
struct Load {
  Eigen::Vector3d force{0, 0, 0};
  Eigen::Vector3d moment{0, 0, 0};  // about the cube's centre
};

// The contact's wrench about the cube's centre, in the world, after a second.
template <class S>
[[nodiscard]] Six wrench_of_faces(double slope_rad, const Load& load) {
  const Eigen::Matrix3d rotation = Eigen::AngleAxisd(slope_rad, Eigen::Vector3d::UnitY()).toRotationMatrix();
  Rig<S, kFloor, Default> cube(kDefaultMaterial, {}, rotation);
  Start start;
  start.turn = rotation;
  start.position = rotation * Eigen::Vector3d(0, 0, kSide_m / 2);
  cube.start(start);
  for (int i = 0; i < steps_in(1); ++i) cube.step_with(load.force, load.moment);
  Six w;
  w << cube.force(), cube.moment() + (cube.place() - cube.position()).cross(cube.force());
  return w;
}

template <class S>
[[nodiscard]] Six wrench_of_corners(double slope_rad, const Load& load) {
  using robots::cube;
  using Predictor = kinecast::Predictor<cube, S, kinecast::Contacts<kGround, 8, kinecast::Relaxed<>>>;
  auto world = kGround;
  auto& ground = std::get<0>(world.surfaces);
  ground.materials[0] = kDefaultMaterial;
  const double c = std::cos(slope_rad);
  const double s = std::sin(slope_rad);
  ground.rotation = {{c, 0, s}, {0, 1, 0}, {-s, 0, c}};
  kinecast::Scene<cube, kGround, S> scene;
  require(kinecast::build_scene<cube, kGround, S>(cube, world, scene), "build_scene");
  const auto predictor = std::make_unique<Predictor>();
  predictor->set_scene(scene);
  auto state = kinecast::zero_state<cube, S>();
  state.q[0] = static_cast<S>(s * kSide_m / 2);
  state.q[2] = static_cast<S>(c * kSide_m / 2);
  state.q[3] = static_cast<S>(std::cos(slope_rad / 2));
  state.q[5] = static_cast<S>(std::sin(slope_rad / 2));
  require(predictor->reset(state), "reset");
  auto outside = kinecast::Velocity<cube, S>::Zero().eval();
  for (int i = 0; i < 3; ++i)
    outside[i] = static_cast<S>(load.force(i)), outside[3 + i] = static_cast<S>(load.moment(i));
  for (int i = 0; i < steps_in(1); ++i)
    require(predictor->step(kinecast::Command<cube, S>::Zero(), outside, S(kStep_s)), "step");
  const auto& q = predictor->state().q;
  const auto& contacts = predictor->contact_report();
  Six w = Six::Zero();
  for (int i = 0; i < contacts.count; ++i) {
    const auto vector = [](const kinecast::Vec3<S>& v) {
      return Eigen::Vector3d(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
    };
    const Eigen::Vector3d center(static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]));
    const Eigen::Vector3d force = vector(contacts[i].force_N);
    w.head<3>() += force;
    w.tail<3>() += (vector(contacts[i].point_m) - center).cross(force);
  }
  return w;
}

// At rest both are what statics asks for. In float the depth has steps d = 3.7e-9 m, which move the body with k d and
// need m k d/dt, 4e-4 N.
template <class S>
void score_corners(Report& report) {
  const Load none;
  const Load eccentric{{0, 0, -3}, Eigen::Vector3d(0.03, 0.02, kSide_m / 2).cross(Eigen::Vector3d(0, 0, -3))};
  const double slope_rad = 15 * kinecast::constant::kPi / 180;
  struct Case {
    const char* name;
    double slope_rad;
    Load load;
  };
  for (const Case& c :
       {Case{"flat", 0, none}, Case{"slope 15 deg", slope_rad, none}, Case{"eccentric", 0, eccentric}}) {
    const Six faces = wrench_of_faces<S>(c.slope_rad, c.load);
    const Six corners = wrench_of_corners<S>(c.slope_rad, c.load);
    Six scale;
    scale << 1, 1, 1, 2 / kSide_m, 2 / kSide_m, 2 / kSide_m;
    scale /= kWeight_N - c.load.force.z();
    Six statics;
    statics << Eigen::Vector3d(0, 0, kWeight_N) - c.load.force, -c.load.moment;
    const double bound = kIsFloat<S> ? 1e-4 : 1e-9;
    Six null = Six::Zero();  // half the weight
    null(2) = kWeight_N / 2;
    report.add({"known", "faces press as corners", c.name, scalar_name<S>(),
                scale.cwiseProduct(faces - corners).cwiseAbs().maxCoeff(), bound, "of the load", kNone,
                scale.cwiseProduct(null - corners).cwiseAbs().maxCoeff()});
    report.add({"known", "faces press as statics", c.name, scalar_name<S>(),
                scale.cwiseProduct(faces - statics).cwiseAbs().maxCoeff(), bound, "of the load", kNone,
                scale.cwiseProduct(null - statics).cwiseAbs().maxCoeff()});
  }
}

// ---- falling anyhow -------------------------------------------------------------------------------------------------

using Random = std::mt19937_64;
using support::uniform;

// In any attitude, on an edge, on a corner, nearly flat; every other one spins and flies. The lowest corner is up to
// 0.1 m high.
inline Start random_drop(Random& random, int drop) {
  Start s;
  Eigen::Vector4d q;
  for (int i = 0; i < 4; ++i) q(i) = uniform(random, -1, 1);
  s.turn = Eigen::Quaterniond(q(0), q(1), q(2), q(3)).normalized();
  const double angle = uniform(random, 0, 1);
  if (drop % 4 == 1) s.turn = Eigen::AngleAxisd(0.8 * angle, Eigen::Vector3d::UnitY());
  if (drop % 4 == 2) {  // not quite: it could balance
    const Eigen::Vector3d diagonal(1, 1, 1 + 0.1 * (1 + angle));
    s.turn = Eigen::Quaterniond::FromTwoVectors(diagonal, Eigen::Vector3d::UnitZ());
  }
  if (drop % 4 == 3) s.turn = Eigen::AngleAxisd(2e-3 * (angle - 0.5), q.head<3>().normalized());
  double lowest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const auto half = [&](int bit) { return (corner >> bit & 1) != 0 ? kSide_m / 2 : -kSide_m / 2; };
    lowest = std::min(lowest, (s.turn * Eigen::Vector3d(half(0), half(1), half(2))).z());
  }
  s.position.z() = uniform(random, 0, 0.1) - lowest;
  const bool flies = drop % 8 >= 4;
  for (int i = 0; i < 3; ++i) {
    s.linear(i) = uniform(random, -1, 1) * (flies ? 1 : 0);
    s.angular(i) = uniform(random, -10, 10) * (flies ? 1 : 0);
  }
  return s;
}

// What contact did to the cube in a step: impulse times the mean of the velocities before and after it, at p0.
template <class Cube>
[[nodiscard]] double work_J(const Cube& cube, Eigen::Vector3d before, const Eigen::Vector3d& angular_before,
                            const Eigen::Vector3d& at) {
  before.z() -= kGravity_mps2 * kStep_s;
  const Eigen::Vector3d turning = 0.5 * (angular_before + cube.angular());
  const Eigen::Vector3d arm = cube.place() - at;
  return kStep_s * (cube.force().dot(0.5 * (before + cube.linear()) + turning.cross(arm)) + cube.moment().dot(turning));
}

// The method works a depth off at rate k (method 6.2), which may lift the body: not more than f_n k h dt in a step, h the
// mean thickness of the volume: where the pressure's centre is, half of it is at most the mean (a wedge). Friction adds
// nothing to that.
template <class S, class Model>
void score_drops(const Setting<S>& setting, int drops, Report& report) {
  const char* scalar = scalar_name<S>();
  Rig<S, kFloor, Model> cube(setting.material, setting.parameters);
  Random random(20260501);
  Maximum rise;    // of the energy above what it was dropped with
  Maximum excess;  // work beyond what the depth explains
  Maximum depth;
  int moving = 0;
  long contacts = 0;
  for (int drop = 0; drop < drops; ++drop) {
    const Start start = random_drop(random, drop);
    cube.start(start);
    const double dropped_J = cube.energy_J();
    for (int i = 0; i < steps_in(1.5); ++i) {
      const Eigen::Vector3d linear = cube.linear();
      const Eigen::Vector3d angular = cube.angular();
      const Eigen::Vector3d at = cube.position();
      cube.step();
      rise.see(cube.energy_J() - dropped_J);
      if (!cube.touches()) continue;
      ++contacts;
      const double allowed =
          kStep_s * cube.force().z() * std::min(setting.material.compensation_per_s * cube.depth_m(), 1.0);
      excess.see(work_J(cube, linear, angular, at) - std::max(0.0, allowed));
      if (i > steps_in(1)) depth.see(cube.depth_m());
    }
    if (cube.kinetic_J() > 1e-9) ++moving;
  }
  const std::string name = std::string(setting.name) + ' ' + std::to_string(drops);
  // Rounding of half a joule.
  report.add({"known", "drops: energy above start", name, scalar, rise.value(), kIsFloat<S> ? 1e-6 : 1e-12, "J"});
  // Pressure and friction settle to Tolerance::kSettledFriction of what sticking would ask for, at most half a Ns; bodies
  // move with 1 m/s.
  const double settled_J = 0.5 * static_cast<double>(kinecast::Tolerance<S>::kSettledFriction);
  report.add({"known", "drops: unexplained work", name, scalar, excess.value(), settled_J, "J"});
  report.add({"known", "drops: not at rest", name, scalar, double(moving), 0, "cubes"});
  report.add({"known", "drops: depth in the end", name, scalar, depth.value(), kNone, "m"});
  report.add({"known", "drops: warnings", name, scalar, double(cube.warnings()) / double(contacts), kNone,
              "of contact steps"});
}

// The same bits whatever was in the predictor's memory before it.
template <class S>
void score_repetition(int drops, Report& report) {
  using Predictor = typename Rig<S, kFloor, Default>::Predictor;
  struct Memory {
    explicit Memory(unsigned char rubbish) {
      std::fill(bytes.begin(), bytes.end(), rubbish);
      predictor = ::new (static_cast<void*>(bytes.data())) Predictor();
    }
    alignas(Predictor) std::array<unsigned char, sizeof(Predictor)> bytes;
    Predictor* predictor;
  };
  static_assert(std::is_trivially_destructible_v<Predictor>, "nothing to end");
  const auto first = std::make_unique<Memory>(static_cast<unsigned char>(0));
  const auto second = std::make_unique<Memory>(static_cast<unsigned char>(0x7F));  // numbers near the largest
  Random random(7);
  int different = 0;
  for (int drop = 0; drop < drops; ++drop) {
    const Start from = random_drop(random, drop);
    auto state = kinecast::zero_state<kCube, S>();
    for (int i = 0; i < 3; ++i) {
      state.q[i] = static_cast<S>(from.position(i)), state.q[4 + i] = static_cast<S>(from.turn.vec()(i));
      state.dq[i] = static_cast<S>(from.linear(i)), state.dq[3 + i] = static_cast<S>(from.angular(i));
    }
    state.q[3] = static_cast<S>(from.turn.w());
    for (Predictor* p : {first->predictor, second->predictor}) {
      require(p->reset(state), "reset");
      for (int i = 0; i < steps_in(0.5); ++i) require(p->step(kinecast::Command<kCube, S>::Zero(), S(kStep_s)), "step");
    }
    const auto& a = first->predictor->state();
    const auto& b = second->predictor->state();
    if (std::memcmp(a.q.data(), b.q.data(), sizeof(S) * 7) != 0 ||
        std::memcmp(a.dq.data(), b.dq.data(), sizeof(S) * 6) != 0)
      ++different;
  }
  report.add({"known", "drops: not repeated", std::to_string(drops), scalar_name<S>(), double(different), 0, "cubes"});
}

template <class S>
void score_truths(Report& report) {
  score_pushes<S, Golden>(golden_setting<S>(), report);
  score_pushes<S, Default>(default_setting<S>(), report);
  score_pushes<S, Paper>(paper_setting<S>(), report);
  score_slides<S, Golden>(golden_setting<S>(), report);
  score_slides<S, Default>(default_setting<S>(), report);
  score_edge<S, Golden>(golden_setting<S>(), report);
  score_edge<S, Default>(default_setting<S>(), report);
  score_tip_by_push<S, Golden>(golden_setting<S>(), report);
  score_tip_by_push<S, Default>(default_setting<S>(), report);
  score_rest<S, Golden>(golden_setting<S>(), report);
  score_rest<S, Default>(default_setting<S>(), report);
  score_corners<S>(report);
  score_drops<S, Default>(default_setting<S>(), 1000, report);
  Setting<S> rubber = default_setting<S>();
  rubber.name = "friction 2";
  rubber.material.static_friction = rubber.material.kinetic_friction = 2;
  score_drops<S, Default>(rubber, 400, report);
  score_repetition<S>(100, report);
}

}  // namespace volume
