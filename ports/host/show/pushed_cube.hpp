// SPDX-License-Identifier: MIT
// A cube that stands on the ground and is pushed (method 10): with a force F along x and a torque T about the vertical, both at the
// middle of its base. How much of it static friction holds, three ways: theory, the library's friction test, and the whole
// Predictor. Each corner of the base, r from the middle, carries half the weight together with the one across. With a
// unit turn and a slide u along x it slips with u e_x + e_z x r, whose size sigma a pyramid measures by its edges; what the
// limit (F, T) does on any slip is at most what friction takes, and for some slip just as much:
//
//   T(F) = min over u of  mu m g (sigma(u - h, h) + sigma(u + h, -h)) / 2  -  F u,   h half the side
#pragma once

#include <kinecast/kinecast.hpp>

#include <kinecast/contact/volume/volume.hpp>
#include <kinecast/papers/wrench_programs.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace kinecast::host {

inline constexpr double kCubeSide_m = 0.1;
inline constexpr double kCubeMass_kg = 0.5;
inline constexpr double kCubeFriction = 0.5;  // static

inline constexpr auto pushed_cube = [] {
  constexpr double kMoment = kCubeMass_kg * kCubeSide_m * kCubeSide_m / 6;
  return robot("cube", link("cube", floating(), body(kCubeMass_kg, com(0, 0, 0), inertia(kMoment, kMoment, kMoment))));
}();
inline constexpr auto cube_ground = environment(half_space("ground", material(friction(kCubeFriction, 0.3))),
                                                box("cube", on("cube"), size(kCubeSide_m, kCubeSide_m, kCubeSide_m)));

struct Load {
  double force_N{0};
  double torque_Nm{0};
};

inline constexpr double kCubeWeight_N = kCubeMass_kg * -pushed_cube.gravity_mps2.z;
inline constexpr double kCubeLimit_N = kCubeFriction * kCubeWeight_N;  // without torque

// ---- theory -----------------------------------------------------------------------------------------------------------------

// T(F) for a pyramid with an edge along x; sides = 0: the cone. Zero beyond the largest force.
[[nodiscard]] inline double limit_in_theory(int sides, double force_N) {
  const auto size = [&](double x, double y) {
    if (sides == 0) return std::hypot(x, y);
    double largest = 0;
    for (int p = 0; p < sides; ++p) {
      const double angle = 2 * constant::kPi * p / sides;
      largest = std::max(largest, x * std::cos(angle) + y * std::sin(angle));
    }
    return largest;
  };
  constexpr double kHalf = 0.5 * kCubeSide_m;
  const auto torque = [&](double u) {
    return 0.5 * kCubeLimit_N * (size(u - kHalf, kHalf) + size(u + kHalf, -kHalf)) - force_N * u;
  };
  // Convex in u: its interval shrinks by a third per turn.
  double low = 0;
  double high = 1e3 * kCubeSide_m;
  for (int turn = 0; turn < 120; ++turn) {
    const double a = low + (high - low) / 3;
    const double b = high - (high - low) / 3;
    (torque(a) < torque(b) ? high : low) = torque(a) < torque(b) ? b : a;
  }
  return std::max(0.0, torque(0.5 * (low + high)));
}

// ---- the library's friction test --------------------------------------------------------------------------------------------

template <int Sides, class S>
[[nodiscard]] bool friction_holds(const Load& push) {
  constexpr S kHalf = S(0.5 * kCubeSide_m);
  constexpr S kBase[4][2] = {{-kHalf, -kHalf}, {kHalf, -kHalf}, {kHalf, kHalf}, {-kHalf, kHalf}};
  // What the ground returns: f_n, tau_1, tau_2, f_1, f_2, tau_n.
  const S wrench[6] = {
      S(kCubeWeight_N), S(0), S(0), static_cast<S>(-push.force_N), S(0), static_cast<S>(-push.torque_Nm)};
  const StaticFriction answer = static_friction_holds<Sides>(kBase, 4, S(kCubeFriction), wrench);
  if (!ok(answer.status)) throw std::runtime_error(sentence(answer.status));
  return answer.holds;
}

// The largest factor of a push that is held, found by halving between 0 and 1.9.
template <class Holds>
[[nodiscard]] double largest_factor(const Load& push, int turns, const Holds& holds) {
  double low = 0;
  double high = 1.9;
  for (int turn = 0; turn < turns; ++turn) {
    const double middle = 0.5 * (low + high);
    (holds({middle * push.force_N, middle * push.torque_Nm}) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// The largest torque that it says is held beside a force.
template <int Sides, class S>
[[nodiscard]] double limit_in_test(double force_N) {
  constexpr double kSurelyTooMuch_Nm = kCubeLimit_N * kCubeSide_m;
  if (!friction_holds<Sides, S>({force_N, 0})) return 0;
  return kSurelyTooMuch_Nm * largest_factor({0, 1}, 40, [&](const Load& part) {
           return friction_holds<Sides, S>({force_N, part.torque_Nm * kSurelyTooMuch_Nm});
         });
}

// ---- the whole step ---------------------------------------------------------------------------------------------------------

struct Pushed {
  double moved_m{0};    // the farthest that a corner of the base went while the push lasted
  double creep_mps{0};  // mean speed of the cube's middle in the last 0.2 s
  double tilt_rad{0};   // largest, of the vertical
  [[nodiscard]] bool held() const noexcept { return moved_m < 1e-4; }
};

// Settles for 0.2 s; then the push grows for 0.1 s and stays for 0.3 s.
template <class Model, class S>
[[nodiscard]] Pushed push_cube(const Load& push) {
  static Predictor<pushed_cube, S, Contacts<cube_ground, 1, Model>> predictor;
  constexpr int kSettle = 200;
  constexpr int kGrow = 100;
  constexpr int kStay = 300;
  constexpr int kLast = 200;  // by then what the growing push has set in motion, at rate k, is over
  State<pushed_cube, S> start = zero_state<pushed_cube, S>();
  start.q[2] = S(0.5 * kCubeSide_m);
  const auto require = [](Status status) {
    if (!ok(status)) throw std::runtime_error(sentence(status));
  };
  require(predictor.reset(start));
  Pushed out;
  double x[3] = {0, 0, 0};  // when settled, when creep begins to count, now
  for (int ms = 1; ms <= kSettle + kGrow + kStay; ++ms) {
    const double share = std::clamp((ms - kSettle) / static_cast<double>(kGrow), 0.0, 1.0);
    Velocity<pushed_cube, S> external = Velocity<pushed_cube, S>::Zero();
    external[0] = static_cast<S>(share * push.force_N);
    external[4] = static_cast<S>(-0.5 * kCubeSide_m * share * push.force_N);  // at the base, not at the middle
    external[5] = static_cast<S>(share * push.torque_Nm);
    require(predictor.step(Command<pushed_cube, S>::Zero(), external, S(1e-3)));
    const auto& q = predictor.state().q;
    x[2] = static_cast<double>(q[0]);
    if (ms == kSettle) x[0] = x[2];
    if (ms == kSettle + kGrow + kStay - kLast) x[1] = x[2];
    if (ms <= kSettle) continue;
    const double turn = 2 * std::asin(std::min(1.0, std::abs(static_cast<double>(q[6]))));
    const double went = std::hypot(x[2] - x[0], static_cast<double>(q[1])) + turn * kCubeSide_m / std::sqrt(2.0);
    out.moved_m = std::max(out.moved_m, went);
    out.tilt_rad = std::max(out.tilt_rad, 2 * std::hypot(static_cast<double>(q[4]), static_cast<double>(q[5])));
  }
  out.creep_mps = std::abs(x[2] - x[1]) / (1e-3 * kLast);
  return out;
}

// ---- on both sides of the limit -----------------------------------------------------------------------------------------------

inline constexpr double kCubeLargestTorque_Nm =
    kCubeLimit_N * kCubeSide_m * 0.70710678118654752;  // all load on the corners

// Where rays from the middle of the region, which part its limit evenly, meet the limit that theory says.
[[nodiscard]] inline std::vector<Load> limit_on_rays(int sides, int rays) {
  std::vector<Load> out;
  for (int ray = 0; ray < rays; ++ray) {
    const double angle = 0.5 * constant::kPi * ray / (rays - 1);
    const Load along{kCubeLimit_N * std::cos(angle), kCubeLargestTorque_Nm * std::sin(angle)};
    const double limit = largest_factor(along, 40, [&](const Load& load) {
      return load.force_N < kCubeLimit_N && load.torque_Nm < limit_in_theory(sides, load.force_N);
    });
    out.push_back({limit * along.force_N, limit * along.torque_Nm});
  }
  return out;
}

}  // namespace kinecast::host
