// SPDX-License-Identifier: MIT
// Volume contact by S004's programs (method 6.2 to 6.5), as a stage of the step: one wrench of six axes per contact,
// from a quadratic program that keeps the centre of pressure in the contact polygon; a linear program that says whether
// static friction holds it, and one that gives kinetic friction. It takes the place of Volume<>, whose cones at the
// corners need none of them:
//
//   Predictor<gripper, float, Contacts<world, 4, WrenchPrograms<>>> predictor;
#pragma once

#include <kinecast/contact/volume/volume_detection.hpp>
#include <kinecast/papers/stage.hpp>
#include <kinecast/papers/wrench_resolve.hpp>

#include <algorithm>

namespace kinecast {

// Sides: number of sides of the friction pyramid, which is inscribed in the cone. MostCorners: number
// of corners of the contact polygon; a polygon with more is replaced by an inscribed one. functional: the energy form
// of method 6.3b, or the paper's (velocity, method 6.3a). rule: resolved_by_state is method 6.5 to the letter; resolved
// keeps static friction while nothing moves.
template <int Sides = 16, int MostCorners = 8, Functional functional = Functional::energy,
          FrictionRule rule = FrictionRule::resolved>
struct WrenchPrograms {
  static_assert(Sides >= 4 && Sides % 4 == 0, "kinecast: a friction pyramid has 4, 8, 12, ... sides");
  static_assert(MostCorners >= 4 && MostCorners <= 16, "kinecast: a contact polygon has 4 to 16 corners");
  static_assert(functional != Functional::basic, "kinecast: volume contact is relaxed");
  static_assert(rule == FrictionRule::resolved || rule == FrictionRule::resolved_by_state,
                "kinecast: friction of volume contact is resolved");
  static constexpr int kSides = Sides;
  static constexpr int kMostCorners = MostCorners;
  static constexpr Functional kFunctional = functional;
  static constexpr FrictionRule kRule = rule;
};

template <const auto& World, int ContactCapacity, int Sides, int MostCorners, Functional functional, FrictionRule rule>
struct Contacts<World, ContactCapacity, WrenchPrograms<Sides, MostCorners, functional, rule>> {
  static_assert(ContactCapacity >= 1, "kinecast: room for at least one contact");
  static constexpr OptionSort kSort = OptionSort::contact;
  using Model = WrenchPrograms<Sides, MostCorners, functional, rule>;
  template <const auto& R, class S, class Friction>
  using Holders = detail::ContactStage<Contacts, R, S, Friction>;

  template <const auto& R, class S>
  using Scene = VolumeScene<R, World, S>;
  template <const auto& R, class S>
  using Memory = ContactMemory<S, ContactCapacity, Scene<R, S>::kMoving,
                               (Shape<R>::kHas.frictions > 0 ? Shape<R>::kBodies : 0), VolumeRecord<S>>;
  template <const auto& R, class S>
  using Report = ContactReport<S, ContactCapacity, ContactWrench<S>>;

  template <const auto& R, class S, int Joints>
  struct Workspace {
    static constexpr int kJoints = Joints;
    static constexpr int kConstraints = StepRows<R, S>::kMost;
    static constexpr bool kHasLinkSurfaces = Scene<R, S>::kHasLinkSurfaces;
    static_assert(Joints + kConstraints == 0 || functional == Functional::energy,
                  "kinecast: with friction in the joints, limits, loops or couplings, volume contact takes the energy "
                  "functional");
    using Columns = ContactColumns<R, S, ContactCapacity, Scene<R, S>::kPairSizes.bodies, (Joints + kConstraints > 0)>;
    static constexpr int kQpRank =
        functional == Functional::energy ? Columns::kRank : std::max(Columns::kRank, 6 * ContactCapacity);
    FactoredMotion<R, S> motion;
    VolumeList<S, ContactCapacity, MostCorners, kHasLinkSurfaces> list;
    VolumeScratch<S, Scene<R, S>::kMostFaces, MostCorners> geometry;
    StepRows<R, S> rows;
    Columns columns;
    WrenchProblem<S, Columns::kRank, kQpRank, ContactCapacity, MostCorners, Joints, kConstraints,
                  typename Columns::Bodies>
        problem;
  };

  template <const auto& R, class S>
  [[nodiscard]] static constexpr const Scene<R, S>* scene() noexcept {
    return &volume_scene<R, World, S>;
  }
  template <const auto& R, class S, class Work>
  [[nodiscard]] static Status find(const FreeStep<R, S>& step, const Scene<R, S>& scene, const Memory<R, S>& memory,
                                   Work& work) noexcept {
    return detect_volumes(step.in.model, scene, step.work, work.motion, memory, step.in.dt, work.geometry, work.list);
  }

  template <const auto& R, class S, class Work>
  [[nodiscard]] static Status solve(const FreeStep<R, S>& step, const ContactParameters<S>& parameters,
                                    const RowParameters<S>& row_parameters, Work& work, ContactEffort& effort,
                                    Velocity<R, S>& dq) noexcept {
    auto& p = work.problem;
    fill_step_rows(step, row_parameters, work, [&](auto& c, const OwnerSide<S>* owner, int i) {
      find_wrench_rows(c, owner, work.columns, p.bodies, &p.Y[6 * i], &p.mobility[6 * i]);
      if constexpr (Shape<R>::kHas.velocity_drives > 0) add_driven_velocity(work.motion, p, i, owner, c);
    });
    const Status status =
        resolve_wrenches<Model, ContactCapacity>(p, work.list.contacts.data(), parameters, step.in.dt, effort);
    if (!ok(status)) return status;
    apply_contacts(step, work, dq);
    if (work.list.is_simplified) return Status::contact_simplified;
    return work.list.is_overfull ? Status::contacts_dropped : status;
  }

  // Stores the records for the next step: of a contact that sticks, how far it crept; of one that slides, that it does.
  template <class List, class Problem, class S, class Memory>
  static void keep(const List& list, const Problem& problem, S dt, Memory& memory) noexcept {
    memory.count = list.count;
    memory.dt = dt;
    for (int i = 0; i < list.count; ++i) {
      const auto& c = list.contacts[static_cast<std::size_t>(i)];
      VolumeRecord<S> record{c.pair, problem.impulse[i].slides, false, {}, S(0)};
      if (!record.is_sliding && problem.impulse[i].wrench[0] > S(0)) {
        S moved[3];
        for (int axis = 0; axis < 3; ++axis) {
          S velocity = c.drift[3 + axis];
          for (int k = 0; k < problem.rank; ++k) velocity += problem.Y[6 * i + 3 + axis][k] * problem.solution.t[k];
          if (rule != FrictionRule::resolved_by_state && axis < 2) velocity -= S(0.5) * c.bend[axis];
          moved[axis] = c.displacement[axis] + dt * velocity;
        }
        record.displacement = moved[0] * c.in_solid.t2 + moved[1] * c.in_solid.t3;
        record.rotation = moved[2];
      }
      memory.records[static_cast<std::size_t>(i)] = record;
    }
    keep_joint_friction(problem, memory);
  }

  template <class Motion, class List, class Problem, class S, class Report>
  static void report(const Motion& motion, const List& list, const Problem& problem, S dt, const ContactEffort& effort,
                     Report& out) noexcept {
    const S inverse_dt = S(1) / dt;
    out.count = list.count;
    out.iterations = effort.iterations;
    out.passes = effort.passes;
    for (int i = 0; i < list.count; ++i) {
      const auto& c = list.contacts[static_cast<std::size_t>(i)];
      const S(&x)[6] = problem.impulse[i].wrench;
      const auto pose = motion.poses[static_cast<std::size_t>(c.body)];
      const ContactAxes<S> a = c.axes;
      auto& entry = out.contacts[static_cast<std::size_t>(i)];
      entry.pair = c.pair;
      entry.point_m = pose.position + pose.rotation * c.place;
      entry.normal = pose.rotation * a.n;
      entry.force_N = pose.rotation * (inverse_dt * (x[0] * a.n + x[3] * a.t2 + x[4] * a.t3));
      entry.normal_N = x[0] * inverse_dt;
      entry.tangential_N = std::sqrt(x[3] * x[3] + x[4] * x[4]) * inverse_dt;
      entry.depth_m = c.depth;
      entry.slip_mps = std::sqrt(c.velocity[3] * c.velocity[3] + c.velocity[4] * c.velocity[4]);
      entry.is_sliding = problem.impulse[i].slides;
      entry.moment_Nm = pose.rotation * (inverse_dt * (x[5] * a.n + x[1] * a.t2 + x[2] * a.t3));
      entry.area_m2 = c.area;
    }
  }

 private:
  // Velocity-driven joints move solids without having a column in the factor: the part of the free velocity that Y g
  // does not have is added to the drift.
  template <class Motion, class Problem, class S, class Contact>
  static void add_driven_velocity(const Motion& motion, const Problem& p, int i, const OwnerSide<S>* owner,
                                  Contact& c) noexcept {
    S velocity[6] = {};
    const auto add = [&](const ContactAxes<S>& a, const auto& m, const Vec3<S>& place, S sign) {
      const Vec3<S> v = m.linear + cross(m.angular, place);
      velocity[0] += sign * dot(a.n, v), velocity[3] += sign * dot(a.t2, v), velocity[4] += sign * dot(a.t3, v);
      velocity[1] += sign * dot(a.t2, m.angular), velocity[2] += sign * dot(a.t3, m.angular);
      velocity[5] += sign * dot(a.n, m.angular);
    };
    add(c.axes, motion.free[static_cast<std::size_t>(c.body)], c.place, S(1));
    if (owner != nullptr) add(owner->axes, motion.free[static_cast<std::size_t>(c.owner)], owner->place, S(-1));
    for (int row = 0; row < 6; ++row) {
      for (int k = 0; k < p.rank; ++k) velocity[row] -= p.Y[6 * i + row][k] * p.g[k];
      c.drift[row] += velocity[row];
    }
  }
};

}  // namespace kinecast
