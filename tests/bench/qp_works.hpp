// SPDX-License-Identifier: MIT
// The contact solvers on a box of 1 kg that touches with its four corners: 12 unknowns, rank 6; and the static friction of its
// base by eight-sided pyramids, a linear program of 6 rows and 32 columns. No robot takes part.
#pragma once

#include <kinecast/papers/static_friction.hpp>
#include <kinecast/solve/energy_form.hpp>
#include <kinecast/solve/velocity_form.hpp>

#include <cmath>

#include "inputs.hpp"

namespace bench {

template <class S>
struct Box {
  kinecast::FactoredProblem<S, 6, 12> problem;
  kinecast::FactoredSolution<S, 6, 12> solution;
  Random random;

  // Lands with this speed, m/s, and turns by up to so many rad/s. relaxation: lambda over A_ii^power.
  [[gnu::noipa]] void fill(S speed, S turning, S relaxation, int power) noexcept {
    constexpr S kSide[3] = {S(0.2), S(0.15), S(0.1)};
    S root[6] = {S(1), S(1), S(1), S(0), S(0), S(0)};  // of the inertia
    for (int k = 0; k < 3; ++k) {
      const S a = kSide[(k + 1) % 3];
      const S b = kSide[(k + 2) % 3];
      root[3 + k] = std::sqrt((a * a + b * b) / S(12));
    }
    problem.rank = 6;
    problem.unknowns = 12;
    problem.is_symmetric = true;
    for (int k = 0; k < 6; ++k) problem.g[k] = root[k] * random.within(k < 3 ? S(0.2) * speed : turning);
    problem.g[2] -= speed;
    for (int i = 0; i < 12; ++i) {
      const int corner = i / 3;
      const S at[3] = {corner % 2 == 0 ? kSide[0] / 2 : -kSide[0] / 2, corner < 2 ? kSide[1] / 2 : -kSide[1] / 2,
                       -kSide[2] / 2};
      const int axis = (i + 2) % 3;  // n = z, then x, y
      S mobility = S(0);
      for (int k = 0; k < 6; ++k) problem.row[i][k] = S(k == axis ? 1 : 0);
      problem.row[i][3 + (axis + 1) % 3] = at[(axis + 2) % 3];  // (omega x p)_axis
      problem.row[i][3 + (axis + 2) % 3] = -at[(axis + 1) % 3];
      for (int k = 0; k < 6; ++k) {
        problem.row[i][k] /= root[k];
        mobility += problem.row[i][k] * problem.row[i][k];
      }
      problem.offset[i] = S(0.01) * random.within(S(1));
      problem.lambda[i] = power == 1 ? relaxation * mobility : relaxation;
      problem.is_bounded[i] = i % 3 == 0;
      solution.at_bound[i] = false;
    }
  }

  template <class Bits>
  void results(Bits& bits) const noexcept {
    for (int i = 0; i < problem.unknowns; ++i) bits.add(solution.x[i], solution.at_bound[i]);
    for (int k = 0; k < problem.rank; ++k) bits.add(solution.t[k]);
    bits.add(solution.iterations);
  }
};

// All corners land, and the solver is told so.
template <const auto& R, class S>
struct QpWarm : Box<S> {
  [[nodiscard]] kinecast::Status prepare(const Inputs<R, S>& /*in*/) noexcept {
    this->fill(S(1), S(0.5), S(0.01), 1);
    return kinecast::Status::ok;
  }
  [[nodiscard]] kinecast::Status run(const Inputs<R, S>& /*in*/) noexcept {
    return solve_energy_form(this->problem, this->solution);
  }
};

// Some corners lift off, and the solver is told that none does.
template <const auto& R, class S>
struct QpCold : Box<S> {
  [[nodiscard]] kinecast::Status prepare(const Inputs<R, S>& /*in*/) noexcept {
    this->fill(S(0.2), S(5), S(0.01), 1);
    return kinecast::Status::ok;
  }
  [[nodiscard]] kinecast::Status run(const Inputs<R, S>& /*in*/) noexcept {
    return solve_energy_form(this->problem, this->solution);
  }
};

// The same with the papers' functional.
template <const auto& R, class S>
struct QpVelocityWarm : Box<S> {
  [[nodiscard]] kinecast::Status prepare(const Inputs<R, S>& /*in*/) noexcept {
    this->fill(S(1), S(0.5), S(0.01), 0);
    return kinecast::Status::ok;
  }
  [[nodiscard]] kinecast::Status run(const Inputs<R, S>& /*in*/) noexcept {
    return solve_velocity_form(this->problem, this->solution);
  }
};

template <const auto& R, class S>
struct QpVelocityCold : Box<S> {
  [[nodiscard]] kinecast::Status prepare(const Inputs<R, S>& /*in*/) noexcept {
    this->fill(S(0.2), S(5), S(0.01), 0);
    return kinecast::Status::ok;
  }
  [[nodiscard]] kinecast::Status run(const Inputs<R, S>& /*in*/) noexcept {
    return solve_velocity_form(this->problem, this->solution);
  }
};

// Any load on the base and any friction within the cone of 0.5, if neither a bound nor a distribution tells whether it holds.
template <const auto& R, class S>
struct LpStatic {
  static constexpr int kCalls = 1000;
  static constexpr S kHalf = S(0.05);
  static constexpr S kCorner[4][2] = {{-kHalf, -kHalf}, {kHalf, -kHalf}, {kHalf, kHalf}, {-kHalf, kHalf}};
  static constexpr S kFriction = S(0.5);
  S wrench[6];
  kinecast::StaticFriction result;
  Random random;

  [[gnu::noipa]] [[nodiscard]] kinecast::Status prepare(const Inputs<R, S>& /*in*/) noexcept {
    for (int draw = 0; draw < 100; ++draw) {
      const S load = S(10) + random.within(S(9));
      wrench[0] = load;
      for (int i : {1, 2}) wrench[i] = random.within(kHalf * load);
      for (int i : {3, 4}) wrench[i] = random.within(kFriction * load);
      wrench[5] = random.within(S(1.4) * kHalf * kFriction * load);
      result = kinecast::static_friction_holds<8, 8>(kCorner, 4, kFriction, wrench);
      if (is_as_said()) return kinecast::Status::ok;
    }
    return kinecast::Status::not_ready;
  }
  [[nodiscard]] kinecast::Status run(const Inputs<R, S>& /*in*/) noexcept {
    result = kinecast::static_friction_holds<8, 8>(kCorner, 4, kFriction, wrench);
    return result.status;
  }
  template <class Bits>
  void results(Bits& bits) const noexcept {
    bits.add(result.holds, static_cast<int>(result.pivots));
    for (const S x : wrench) bits.add(x);
  }
  [[nodiscard]] bool is_as_said() const noexcept {
    return result.decided_by == kinecast::DecidedBy::linear_program && result.pivots > 0;
  }
};

}  // namespace bench
