// SPDX-License-Identifier: MIT
// The contact solvers on a box of 1 kg that touches with its four corners: 12 unknowns, rank 6. No robot takes part.
#pragma once

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

}  // namespace bench
