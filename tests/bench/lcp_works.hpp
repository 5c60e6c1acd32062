// SPDX-License-Identifier: MIT
// Linear complementarity problems of a size, by Lemke's method: definite ones, of which about half of the rows push. No robot takes
// part.
#pragma once

#include <kinecast/solve/lcp.hpp>

#include "inputs.hpp"

namespace bench {

template <const auto& R, class S, int Size>
struct LcpOf {
  static constexpr int kCalls = 1000;
  kinecast::Lcp<S, 8> problem;
  kinecast::LcpSolution<S, 8> solution;
  Random random;

  [[gnu::noipa]] [[nodiscard]] kinecast::Status prepare(const Inputs<R, S>& /*in*/) noexcept {
    kinecast::detail::Table<S, Size, Size + 1> row;
    problem.size = Size;
    for (int i = 0; i < Size; ++i) {
      for (S& entry : row[i]) entry = random.within(S(1));
      problem.q[i] = random.within(S(2));
      for (int j = 0; j <= i; ++j) {
        S product = S(i == j ? 0.1 : 0);
        for (int k = 0; k <= Size; ++k) product += row[i][k] * row[j][k];
        problem.M[i][j] = problem.M[j][i] = product;
      }
    }
    problem.q[0] = -S(1) - random.within(S(1));  // something must push
    return kinecast::Status::ok;
  }
  [[nodiscard]] kinecast::Status run(const Inputs<R, S>& /*in*/) noexcept {
    return kinecast::solve_lcp(problem, solution);
  }

  template <class Bits>
  void results(Bits& bits) const noexcept {
    for (int i = 0; i < Size; ++i) bits.add(solution.z[i], solution.w[i]);
    bits.add(solution.iterations);
  }
};

template <const auto& R, class S>
struct Lcp1 : LcpOf<R, S, 1> {};
template <const auto& R, class S>
struct Lcp2 : LcpOf<R, S, 2> {};
template <const auto& R, class S>
struct Lcp4 : LcpOf<R, S, 4> {};
template <const auto& R, class S>
struct Lcp8 : LcpOf<R, S, 8> {};

}  // namespace bench
