// SPDX-License-Identifier: MIT
// The rows that are no contacts, solved alone: dry friction of the joints, stops and loops, where nothing
// touches or where the contact forces are known beforehand. With contacts to be found they are solved
// together (contact/resolve.hpp).
#pragma once

#include <kinecast/contact/constraint_rows.hpp>
#include <kinecast/contact/contact_problem.hpp>
#include <kinecast/contact/joint_rows.hpp>
#include <kinecast/solve/energy_form.hpp>

#include <type_traits>

namespace kinecast {

// Joints' friction, stops and loops alone, against what is known beforehand (problem.g).
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
    status = solve_energy_form(qp, problem.solution, problem.constraints > 0);
    if (!ok(status)) return status;
    effort.iterations += problem.solution.iterations;
    ++effort.passes;
    joints.read_back();
    constraints.read_back();
    if (!joints.start_sliding()) break;
  }
  return status;
}

// Impulses that are all known beforehand (p.impulse, p.solution.t), and what holds the joints against them.
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
