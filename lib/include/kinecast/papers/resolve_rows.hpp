// SPDX-License-Identifier: MIT
// Solves the rows of joint friction, stops, loops and couplings alone, where nothing touches or where the contact
// forces are known beforehand. With unknown contact forces they are solved together (papers/resolve.hpp).
#pragma once

#include <kinecast/papers/constraint_rows.hpp>
#include <kinecast/papers/contact_problem.hpp>
#include <kinecast/papers/joint_rows.hpp>
#include <kinecast/solve/energy_form.hpp>

#include <type_traits>

namespace kinecast {

namespace detail {

// Stops, loops and couplings hold rows of a robot that moves on.
template <class Problem>
[[nodiscard, gnu::always_inline]] inline Refinement refinement_for(const Problem& problem) noexcept {
  const bool has_constraints = Problem::kConstraints > 0 && problem.constraints > 0;
  return has_constraints ? Refinement::always : Refinement::where_ill_conditioned;
}

}  // namespace detail

// Finds the impulses of joint friction, stops, loops and couplings for the velocity problem.g.
template <class Problem>
[[nodiscard]] inline Status resolve_rows(Problem& problem, ContactEffort& effort) noexcept {
  using S = std::remove_reference_t<decltype(problem.g[0])>;
  detail::JointRows<Functional::energy, S, Problem> joints(problem);
  detail::ConstraintRows<Functional::energy, S, Problem> constraints(problem);
  effort = {0, 0};
  joints.begin();
  Status status = Status::ok;
  for (int pass = 0; pass <= joints.kMostChanges; ++pass) {
    auto& qp = problem.problem;
    qp.rank = problem.rank;
    qp.unknowns = 0;
    qp.is_symmetric = true;
    for (int k = 0; k < problem.rank; ++k) qp.g[k] = problem.g[k];
    joints.add();
    constraints.add();
    status = solve_energy_form(qp, problem.solution, detail::refinement_for(problem));
    if (!ok(status)) return status;
    effort.iterations += problem.solution.iterations;
    ++effort.passes;
    joints.read_back();
    constraints.read_back();
    if (!joints.start_sliding()) break;
  }
  return status;
}

// Finds the impulses that hold the joints beside contact impulses that are known (p.impulse, velocity p.solution.t).
template <class Problem>
[[nodiscard]] inline Status resolve_joints(Problem& problem, ContactEffort& effort) noexcept {
  effort = {0, 0};
  if constexpr (Problem::kJoints + Problem::kConstraints > 0) {
    if (problem.joints + problem.constraints == 0) return Status::ok;
    fence_union();  // the columns end here, the solver's problem begins
    for (int k = 0; k < problem.rank; ++k) problem.g[k] = problem.solution.t[k];
    return resolve_rows(problem, effort);
  }
  return Status::ok;
}

}  // namespace kinecast
