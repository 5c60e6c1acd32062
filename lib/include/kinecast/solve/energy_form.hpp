// SPDX-License-Identifier: MIT
// The contact problem as complementarity (method 2.7): 0 <= x_i, v_i + lambda_i x_i >= 0, one of them zero;
// equality for unknowns without a bound. For sticking contacts that is the least energy, min ½|Zᵀx + g|² + ½ xᵀ
// Lambda x + eᵀx. lambda in the unit of A, 1/kg; in float it should not be below 1e-4 A_ii
// (tests/oracle/golden_qp.cpp has the figures).
//
//   (1 + Sum Z_i R_iᵀ / lambda_i) t = g - Sum Z_i e_i / lambda_i,   x_i = -(R_i . t + e_i) / lambda_i  sums over free i
//
// The system has the size of the rank, not of the unknowns, and its solution is the velocity after the contact: small
// where the contact holds, so that x is accurate in float where a difference of large velocities would not be.
#pragma once

#include <kinecast/math/cholesky.hpp>
#include <kinecast/math/lu.hpp>
#include <kinecast/solve/active_set.hpp>

#include <cmath>

namespace kinecast {

// When the impulses are refined by one step. `always` is needed where t is large although the rows hold, as for an arm
// that moves on while one of its joints is at its stop: the rounding of t would be in the impulses. The type is bool,
// so that a solve reads it without a comparison.
enum class Refinement : bool {
  where_ill_conditioned = false,  // where the system's entries are above Tolerance::kRefinement
  always = true,
};

namespace detail {

// All sums run over the unknowns with three columns of the factors at a time, which stay in registers.
template <class S, int MaxRank, int MaxUnknowns>
class EnergyForm {
 public:
  static constexpr bool kFindsVelocity = true;  // t
  static constexpr S kUndecided = S(1);         // signs are certain beyond the noise itself: lambda divides it

  EnergyForm(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem, Refinement refinement) noexcept
      : problem_(problem), columns_(problem.is_symmetric ? problem.row : problem.column), refinement_(refinement) {}

  // False if a lambda is not a positive finite number.
  [[nodiscard]] bool prepare() noexcept { return invert_lambda(problem_, inverse_lambda_); }

  [[nodiscard]] bool solve(const Array<bool, MaxUnknowns>& at_bound) noexcept {
    const int r = problem_.rank;
    for (int i = 0; i < problem_.unknowns; ++i) {
      weight_[i] = at_bound[i] ? S(0) : inverse_lambda_[i];  // 0, but not left out: a NaN in it must not hide
      weighted_[i] = -weight_[i] * problem_.offset[i];
    }
    for (int k = 0; k < r; ++k) t[k] = problem_.g[k];
    add_columns(weighted_, t);
    form_system();
    S largest = S(1);
    for (int k = 0; k < r; ++k)
      if (system_[k][k] > largest) largest = system_[k][k];
    needs_refinement_ = static_cast<bool>(refinement_) || largest > Tolerance<S>::kRefinement;
    if (!(problem_.is_symmetric ? factor_cholesky(system_, system_, r, inverse_diagonal_, lift_to_one)
                                : factor_general(system_, r, inverse_diagonal_, exchanged_)))
      return false;
    divide(t);
    for (int i = 0; i < problem_.unknowns; ++i) velocity_[i] = problem_.offset[i];
    add_rows(t, velocity_);
    return true;
  }

  // The derivative by x_i without its relaxation is the velocity v_i.
  [[nodiscard]] S gradient(int i) const noexcept { return velocity_[i]; }

  // The rounding of v_i.
  [[nodiscard]] S noise(int i) const noexcept {
    S size = std::abs(problem_.offset[i]);
    for (int k = 0; k < problem_.rank; ++k) size += std::abs(problem_.row[i][k] * t[k]);
    return Tolerance<S>::kSignOfVelocity * size;
  }

  // Refines the impulses, which carry the rounding of t over a small lambda, by one step: the difference between
  // g + Sum x_i Z_i and t is known to the rounding of g, which no lambda divides.
  void find_impulses(Array<S, MaxUnknowns>& x) noexcept {
    const int n = problem_.unknowns;
    const int r = problem_.rank;
    for (int i = 0; i < n; ++i) x[i] = S(0) - velocity_[i] * weight_[i];
    if (!needs_refinement_) return;
    Array<S, MaxRank> beside;
    for (int k = 0; k < r; ++k) beside[k] = problem_.g[k] - t[k];
    add_columns(x, beside);
    divide(beside);
    for (int k = 0; k < r; ++k) t[k] += beside[k];
    for (int i = 0; i < n; ++i) velocity_[i] = S(0);
    add_rows(beside, velocity_);
    for (int i = 0; i < n; ++i) x[i] -= velocity_[i] * weight_[i];
  }

  Array<S, MaxRank> t;

 private:
  using Factor = Table<S, MaxUnknowns, MaxRank>;

  // Factors the system. It is the identity plus a positive semidefinite matrix, so that no pivot is below 1, but for
  // rounding. A NaN stays one, and is refused.
  static constexpr auto lift_to_one = [](S& pivot, S /*given*/) noexcept {
    if (pivot < S(1)) pivot = S(1);
    return pivot > S(0);
  };

  // Adds Sum scale_i Z_i.
  void add_columns(const Array<S, MaxUnknowns>& scale, Array<S, MaxRank>& out) const noexcept {
    int k = 0;
    for (; MaxRank >= 3 && k + 3 <= problem_.rank; k += 3) {
      S s0 = out[k];
      S s1 = out[k + 1];
      S s2 = out[k + 2];
      for (int i = 0; i < problem_.unknowns; ++i) {
        const S* z = columns_[i] + k;
        s0 += scale[i] * z[0];
        s1 += scale[i] * z[1];
        s2 += scale[i] * z[2];
      }
      out[k] = s0;
      out[k + 1] = s1;
      out[k + 2] = s2;
    }
    for (; k < problem_.rank; ++k)
      for (int i = 0; i < problem_.unknowns; ++i) out[k] += scale[i] * columns_[i][k];
  }

  // Adds R_i . u to entry i.
  void add_rows(const Array<S, MaxRank>& u, Array<S, MaxUnknowns>& out) const noexcept {
    int k = 0;
    for (; MaxRank >= 3 && k + 3 <= problem_.rank; k += 3) {
      const S u0 = u[k];
      const S u1 = u[k + 1];
      const S u2 = u[k + 2];
      for (int i = 0; i < problem_.unknowns; ++i) {
        const S* row = problem_.row[i] + k;
        out[i] = out[i] + row[0] * u0 + row[1] * u1 + row[2] * u2;
      }
    }
    for (; k < problem_.rank; ++k)
      for (int i = 0; i < problem_.unknowns; ++i) out[i] += problem_.row[i][k] * u[k];
  }

  // Fills the system 1 + Sum w_i Z_i R_iᵀ; of a symmetric one the lower triangle.
  void form_system() noexcept {
    const int r = problem_.rank;
    const int tiled = MaxRank >= 3 ? r - r % 3 : 0;
    for (int a = 0; a < tiled; a += 3)
      for (int b = 0; b < (problem_.is_symmetric ? a + 1 : tiled); b += 3) form_tile(a, b);
    for (int a = 0; a < r; ++a)
      for (int b = a < tiled ? tiled : 0; b < (problem_.is_symmetric ? a + 1 : r); ++b) form_entry(a, b);
    for (int k = 0; k < r; ++k) system_[k][k] += S(1);
  }

  void form_tile(int a, int b) noexcept {
    S s00 = S(0), s01 = S(0), s02 = S(0);
    S s10 = S(0), s11 = S(0), s12 = S(0);
    S s20 = S(0), s21 = S(0), s22 = S(0);
    for (int i = 0; i < problem_.unknowns; ++i) {
      const S* z = columns_[i] + a;
      const S* row = problem_.row[i] + b;
      const S r0 = weight_[i] * row[0];
      const S r1 = weight_[i] * row[1];
      const S r2 = weight_[i] * row[2];
      const S z0 = z[0];
      const S z1 = z[1];
      const S z2 = z[2];
      s00 += z0 * r0, s01 += z0 * r1, s02 += z0 * r2;
      s10 += z1 * r0, s11 += z1 * r1, s12 += z1 * r2;
      s20 += z2 * r0, s21 += z2 * r1, s22 += z2 * r2;
    }
    S* out = system_[a] + b;
    out[0] = s00, out[1] = s01, out[2] = s02;
    out = system_[a + 1] + b;
    out[0] = s10, out[1] = s11, out[2] = s12;
    out = system_[a + 2] + b;
    out[0] = s20, out[1] = s21, out[2] = s22;
  }

  void form_entry(int a, int b) noexcept {
    S sum = S(0);
    for (int i = 0; i < problem_.unknowns; ++i) sum += columns_[i][a] * (weight_[i] * problem_.row[i][b]);
    system_[a][b] = sum;
  }

  void divide(Array<S, MaxRank>& side) const noexcept {
    if (problem_.is_symmetric)
      solve_by_rows(system_, problem_.rank, inverse_diagonal_, side);
    else
      solve_general(system_, problem_.rank, inverse_diagonal_, exchanged_, side);
  }

  const FactoredProblem<S, MaxRank, MaxUnknowns>& problem_;
  const Factor& columns_;  // Z
  Array<S, MaxUnknowns> inverse_lambda_;
  Array<S, MaxUnknowns> weight_;    // 1/lambda_i of free unknowns
  Array<S, MaxUnknowns> weighted_;  // -e_i/lambda_i
  Array<S, MaxUnknowns> velocity_;
  Table<S, MaxRank, MaxRank> system_;  // factored
  Array<S, MaxRank> inverse_diagonal_;
  Array<int, MaxRank> exchanged_;
  Refinement refinement_;
  bool needs_refinement_;
};

}  // namespace detail

// Solves the energy form.
template <class S, int MaxRank, int MaxUnknowns>
[[nodiscard]] inline Status solve_energy_form(const FactoredProblem<S, MaxRank, MaxUnknowns>& problem,
                                              FactoredSolution<S, MaxRank, MaxUnknowns>& solution,
                                              Refinement refinement = Refinement::where_ill_conditioned) noexcept {
  if (const Status status = detail::check_sizes(problem); !ok(status)) return status;
  detail::EnergyForm<S, MaxRank, MaxUnknowns> form(problem, refinement);
  return detail::solve_relaxed(problem, form, solution);
}

}  // namespace kinecast
