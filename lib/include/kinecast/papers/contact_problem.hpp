// SPDX-License-Identifier: MIT
// The problem of a step with contacts of points: the choices of a contact model (functional, friction rule), the
// parameters that no material has, a demand and an impulse per contact, and the rows Y that all models work on.
#pragma once

#include <kinecast/contact/contact.hpp>
#include <kinecast/contact/targets.hpp>
#include <kinecast/drive/open_joints.hpp>
#include <kinecast/solve/factored_problem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// The functional that the solver minimises (method 2.7). Measured (tests/bench qp rows;
// oracle.golden_qp; validation.cube_tosses):
//
//   12 unknowns, rank 6, warm / cold, Cortex-M4F     energy 4 213 / 11 462 instructions   velocity 13 813 / 37 288
//   float against double, p99 velocity / impulse    energy 8e-5 / 1.3e-4 (1e-3 A_ii)    velocity 1.3e-4 / 2.3e-4 (1e-4)
//   428 real tosses, position / rotation             energy 13.0 % / 18.0 deg             velocity 13.1 % / 18.9 deg
//
// So energy is the default.
enum class Functional : std::uint8_t {
  energy,    // ½ xᵀ(A + Lambda)x + cᵀx: the right complementarity, and conditioned like A
  velocity,  // |A x + c|² + lambda |x|²: the papers'
  basic,     // no relaxation, a basic solution: the macroscopic baseline that chatters
};

// The rule that imposes friction.
enum class FrictionRule : std::uint8_t {
  // Contacts that cannot stick get their direction, and the others are solved again. A contact that moves (faster than
  // slip_mps) has kinetic friction; a corner that is only overloaded while its body stands keeps the static one.
  // Where the step turns the slip, as an impact does, it is solved once more against the slip that is left.
  resolved,
  // The same with the state of method 2.6: kinetic friction from the step on in which a contact first cannot stick.
  resolved_by_state,
  clipped,  // the tangential impulses are cut to the cone afterwards: the papers, literally (method 2.4)
  pyramid,  // a pyramid of four sides inside the QP
};

// The papers' functional comes with their state machine.
[[nodiscard]] constexpr FrictionRule default_rule(Functional functional) noexcept {
  return functional == Functional::energy ? FrictionRule::resolved : FrictionRule::resolved_by_state;
}

// What a contact model asks of one contact.
template <class S>
struct ContactDemand {
  S normal_velocity;    // target along the normal at the end of the step
  S tangential_rate;    // k of the tangential reference
  S known_normal;       // normal impulse that acts in any case: the membrane's, or all of a penalty contact's
  bool has_normal_row;  // whether the normal impulse has an unknown part

  // A rigid contact: all of its impulse is unknown.
  [[nodiscard]] static ContactDemand rigid(S normal_velocity, S tangential_rate) noexcept {
    return {normal_velocity, tangential_rate, S(0), true};
  }
};

// The friction impulse of a joint.
template <class S>
struct JointImpulse {
  S value;
  bool slides;
  // The joint is overloaded but blocked by a contact: it does not move, and static friction could bring this impulse.
  bool stands;
  int returns;  // number of times that it slid and was tried again as sticking
};

// The factor row of a joint's friction (dynamics/factor.hpp).
template <class S, int MaxRank>
struct FrictionRow {
  S y[static_cast<std::size_t>(MaxRank)];
};

// The row of a stop, a loop or a coupling (papers/constraint_rows.hpp).
template <class S, int MaxRank>
struct ConstraintRow {
  S y[static_cast<std::size_t>(MaxRank)];
  S mobility;
  S offset;
  S relaxation;  // over the mobility
  S impulse;
  bool is_bounded;  // impulse >= 0
  bool acts;        // false: the robot cannot move along the row
  bool is_released;
};

// The impulse of a contact.
template <class S>
struct ContactImpulse {
  S n;  // along the normal, known part included
  S t2;
  S t3;
  bool slides;
  WarmStart warm_start;
};

// Marks where the later member of a union takes the memory of the earlier one: the compiler must not move a store to
// the later one before a load of the earlier, though their types differ. It costs no instruction.
[[gnu::always_inline]] inline void fence_union() noexcept { __atomic_signal_fence(__ATOMIC_ACQ_REL); }

// The problem of a step. Bodies: the columns that the rows Y are made from; the solver's problem takes their
// memory once the rows are there.
template <class S, int MaxRank, int Capacity, int Joints, int Constraints, class Bodies>
struct ContactProblem {
  static constexpr int kUnknowns = 3 * Capacity + Joints + Constraints;
  static constexpr int kJoints = Joints;
  static constexpr int kConstraints = Constraints;

  int count;
  int rank;
  S g[static_cast<std::size_t>(MaxRank)];
  S Y[static_cast<std::size_t>(3 * Capacity)][static_cast<std::size_t>(MaxRank)];
  S mobility[static_cast<std::size_t>(3 * Capacity)];  // |Y_i|², the diagonal of A
  ContactDemand<S> demand[static_cast<std::size_t>(Capacity)];
  ContactImpulse<S> impulse[static_cast<std::size_t>(Capacity)];
  union {
    Bodies bodies;
    FactoredProblem<S, MaxRank, kUnknowns> problem;
  };
  FactoredSolution<S, MaxRank, kUnknowns> solution;

  int joints;
  std::array<JointFriction<S>, static_cast<std::size_t>(Joints)> joint;
  std::array<JointImpulse<S>, static_cast<std::size_t>(Joints)> joint_impulse;
  std::array<FrictionRow<S, MaxRank>, static_cast<std::size_t>(Joints)> W;  // velocity of each joint

  int constraints;
  std::array<ConstraintRow<S, MaxRank>, static_cast<std::size_t>(Constraints)> constraint;
};

// The solver's work in a step.
struct ContactEffort {
  int iterations;
  int passes;
};

}  // namespace kinecast
