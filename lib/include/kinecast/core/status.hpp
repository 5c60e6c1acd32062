// SPDX-License-Identifier: MIT
// Errors are values: every public call that can fail returns a Status and leaves its outputs untouched
// unless it is ok(). A warning is ok(): the call succeeded and committed its result, and there is
// something that its caller should know.
#pragma once

#include <cstdint>

namespace kinecast {

enum class [[nodiscard]] Status : std::uint8_t{
    ok = 0,
    // Warnings, so that ok() is one comparison; errors from non_finite_input on.
    iterations_exhausted,  // the contact solver gives its best feasible forces, not the solution
    contacts_dropped,      // more points touch than there is room for
    contact_simplified,    // a contact volume has more faces than there is room for
    limit_crossed,         // a joint stands beyond its limits: steps bring it back
    too_fast,              // a joint moves faster than its speed limit
    inconsistent,          // demands contradict each other: the least-squares answer
    non_finite_input,      // a NaN or an infinity came in
    input_out_of_range,    // finite, but beyond any robot (core/scalar.hpp), or an angle that sincos() cannot reduce
    quaternion_not_unit,   // a floating-base or spherical orientation that is not a unit quaternion
    bad_time_step,  // dt is not within Tolerance's shortest and longest step, or a body turns thousands of times in it
    singular_inertia,         // a joint moves nothing: massless subtree without a rotor
    non_finite_result,        // finite inputs, but the result overflowed
    index_out_of_range,       // a link, body or contact index that does not exist
    not_ready,                // contact_map() or response() without a forward_dynamics() that succeeded
    passive_joint_commanded,  // a command for a joint that nothing drives
    rotor_missing,            // RotorFriction at a joint whose friction has no rotor to act on
    invalid_model,            // validate() refused the robot, or its shape is not the compiled one
    infeasible,               // no forces satisfy all inequalities
    unbounded,                // a linear program whose objective has no largest value
    unpaired,                 // a one-sided constraint whose force acts elsewhere
};

[[nodiscard]] constexpr bool ok(Status status) noexcept { return status < Status::non_finite_input; }
[[nodiscard]] constexpr bool is_warning(Status status) noexcept { return status != Status::ok && ok(status); }

// Gives one sentence for a log or a terminal.
[[nodiscard]] constexpr const char* sentence(Status status) noexcept {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::non_finite_input:
      return "an input is NaN or infinite";
    case Status::input_out_of_range:
      return "an input is beyond any robot, or an angle too large to be reduced exactly: wrap it";
    case Status::quaternion_not_unit:
      return "an orientation quaternion does not have length one";
    case Status::bad_time_step:
      return "the time step is not a positive finite number, or far too long for the robot's speed";
    case Status::singular_inertia:
      return "a joint moves no inertia: give its massless link a mass or its drive a rotor";
    case Status::non_finite_result:
      return "the result overflowed although the inputs are finite";
    case Status::index_out_of_range:
      return "a link, body or contact index does not exist";
    case Status::not_ready:
      return "the workspace holds no articulated inertias: call forward_dynamics() first";
    case Status::passive_joint_commanded:
      return "a command for a joint that nothing drives: it must be zero";
    case Status::rotor_missing:
      return "RotorFriction needs a rotor inertia at every joint with friction; use ArticulatedFriction";
    case Status::invalid_model:
      return "the robot breaks a rule; validate() names the link and the rule";
    case Status::infeasible:
      return "the inequalities contradict each other";
    case Status::unbounded:
      return "the objective of a linear program grows without bound";
    case Status::unpaired:
      return "a one-sided constraint needs the force along its own row";
    case Status::iterations_exhausted:
      return "the contact solver reached its iteration limit: the best feasible forces were used";
    case Status::contacts_dropped:
      return "more points touch than the capacity holds: the deepest were kept";
    case Status::contact_simplified:
      return "a contact volume could not be built in its capacity: a point stands for it";
    case Status::limit_crossed:
      return "a joint stands beyond its limits: the next steps bring it back";
    case Status::too_fast:
      return "a joint moves faster than its speed limit";
    case Status::inconsistent:
      return "the demands contradict each other: the answer is the one with the least squares";
  }
  return "unknown status";
}

}  // namespace kinecast
