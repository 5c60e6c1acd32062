// SPDX-License-Identifier: MIT
// The contact stage of a robot that touches nothing, but has stops or loops besides drives or joints of several axes.
// It solves their rows alone; Contacts<...> has them among its own. Predictor chooses it by itself.
#pragma once

#include <kinecast/contact/contacts.hpp>
#include <kinecast/contact/resolve_rows.hpp>

namespace kinecast {

struct RowsOnly : NoSurfaces {
  static constexpr bool kTouches = true;
  template <const auto& R, class S>
  using Memory = ContactMemory<S, 0, 0, (Shape<R>::kHas.frictions > 0 ? Shape<R>::kBodies : 0)>;
  struct NoList {
    static constexpr int count = 0;
  };

  template <class S, int Rank, int Joints, int Constraints>
  struct Problem {
    static constexpr int kJoints = Joints;
    static constexpr int kConstraints = Constraints;
    static constexpr int kUnknowns = Joints + Constraints;
    int rank;
    S g[static_cast<std::size_t>(Rank)];
    FactoredProblem<S, Rank, kUnknowns> problem;
    FactoredSolution<S, Rank, kUnknowns> solution;
    int joints;
    std::array<JointFriction<S>, static_cast<std::size_t>(Joints)> joint;
    std::array<JointImpulse<S>, static_cast<std::size_t>(Joints)> joint_impulse;
    std::array<FrictionRow<S, Rank>, static_cast<std::size_t>(Joints)> W;
    int constraints;
    std::array<ConstraintRow<S, Rank>, static_cast<std::size_t>(Constraints)> constraint;
  };
  template <const auto& R, class S, int Joints>
  struct Workspace {
    StepMotion<R, S> motion;
    NoList list;
    StepRows<R, S> rows;
    Problem<S, Shape<R>::kDofs, Joints, StepRows<R, S>::kMost> problem;
  };

  template <const auto& R, class S>
  static constexpr Scene<R, S> kNowhere{};
  template <const auto& R, class S>
  [[nodiscard]] static constexpr const Scene<R, S>* scene() noexcept {
    return &kNowhere<R, S>;
  }
  template <const auto& R, class S>
  static void start(const Scene<R, S>& /*scene*/, Memory<R, S>& memory) noexcept {
    memory = {};
  }
  template <const auto& R, class S, class Work>
  [[nodiscard]] static Status find(const kinecast::Model<R, S>& model, const Scene<R, S>& /*scene*/,
                                   const Velocity<R, S>& dq, const Velocity<R, S>& ddq, S dt,
                                   const Memory<R, S>& /*memory*/, const kinecast::Workspace<R, S>& dynamics,
                                   Work& work) noexcept {
    const Velocity<R, S> free_dq = dq + dt * ddq;
    sweep_step_motion(model, dynamics, dq, free_dq, dt, work.motion);
    return Status::ok;
  }
  template <const auto& R, class S, class RowNumbers, class Work>
  [[nodiscard]] static Status solve(const kinecast::Model<R, S>& model, const ContactParameters<S>& /*parameters*/,
                                    [[maybe_unused]] const RowNumbers& row_parameters, const Velocity<R, S>& dq, S dt,
                                    kinecast::Workspace<R, S>& dynamics, Work& work, ContactEffort& effort,
                                    Velocity<R, S>& ddq) noexcept {
    auto& p = work.problem;
    p.rank = Shape<R>::kDofs;
    for (int i = 0; i < p.rank; ++i) p.g[i] = work.motion.g[i];
    detail::find_joint_rows(model, dynamics, p);
    fill_constraint_rows(model, dynamics, work.motion, row_parameters, work.rows, dt, p);
    const Status status = resolve_rows(p, effort);
    if (!ok(status)) return status;
    if (const Status applied = apply_velocity(model, p, p.solution.t, dq, dt, dynamics, ddq); !ok(applied))
      return applied;
    return status;
  }
  template <class List, class Problem, class S, class Memory>
  static void keep(const List& /*list*/, const Problem& problem, S dt, Memory& memory) noexcept {
    memory.dt = dt;
    keep_joint_friction(problem, memory);
  }
  template <class Motion, class List, class Problem, class S, class Report>
  static void report(const Motion& /*motion*/, const List& /*list*/, const Problem& /*problem*/, S /*dt*/,
                     const ContactEffort& /*effort*/, Report& /*out*/) noexcept {}
};

}  // namespace kinecast
