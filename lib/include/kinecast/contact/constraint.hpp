// SPDX-License-Identifier: MIT
// Everything that holds a robot in a step: a list of constraints, each a type, the rows that they make, and the one
// loop that solves them. A constraint (Points, Stops, Loops, Couplings, DryJoints: a file each) has
//
//   kCones, kLines                 how many cones and lines it makes at most
//   needs(body)                    whether it asks how a body moves
//   Memory                         what it remembers from step to step, trivially copyable
//   set(parameters), set_scene(scene)   takes numbers and surfaces that it knows
//   start(memory)                  gives what it remembers at the beginning
//   correct(memory)                the state was replaced by a measured one
//   place_surface(…), carry_surfaces(dt, memory)   surfaces that move by themselves
//   meet(parameters, drives)       takes the friction of the drives, before a step
//   find(step, memory)             finds who holds in this step; gives a Status
//   is_needed()                    whether the free motion will not do
//   add_rows(step, memory, rows)   adds directions, biases, compliances and bounds, and where the solver starts
//   revise(step, dq, rows)         changes what the solver's bounds cannot say (static to kinetic friction, a stop that
//                                  others push a joint through), by the velocities found; false: it is content
//   settle(rows)                   takes out of a solution what its rows gave way
//   finish(step, rows, dq)         what follows from the impulses within the step
//   keep(dt, rows, memory)         remembers
//   report(dt, motion, rows, …)    writes its part of the reports
//
// An absent feature is an absent type. The rows cost RAM, kRows of them with an entry per degree of freedom.
#pragma once

#include <kinecast/contact/contact.hpp>
#include <kinecast/contact/rebound.hpp>
#include <kinecast/contact/supports.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/dynamics/step_motion.hpp>
#include <kinecast/solve/newton.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace kinecast {

// What constraints are found from: the step, and its motion if nothing holds.
template <const auto& R, class S>
struct FreeStep {
  const DrivenInput<R, S>& in;
  const Velocity<R, S>& ddq;
  const Velocity<R, S>& dq;        // at the end of the step: in.dq + dt ddq
  Workspace<R, S>& work;           // what the sweeps left
  const StepMotion<R, S>* motion;  // of the bodies, if a constraint needs it
};

namespace detail {

// The surfaces that a list of constraints touches, and how it reports that: those of its first part, the contacts, or
// none.
struct NoScene {};
template <class... Parts>
struct SceneOf {
  using Type = NoScene;
};
template <class First, class... Others>
struct SceneOf<First, Others...> {
  using Type = typename First::Scene;
  using Report = typename First::ContactReport;
};

}  // namespace detail

// What a constraint does that has nothing to say.
template <const auto& R, class S>
struct Constraint {
  static constexpr int kCones = 0;
  static constexpr bool kOpensJoints = false;
  static constexpr bool kFindsByPart = true;  // whether find_by() may take the place of find()
  [[nodiscard]] static constexpr bool needs(int /*body*/) noexcept { return false; }
  using Scene = detail::NoScene;
  using ContactReport = kinecast::ContactReport<S, 0>;
  template <class Parameters>
  static void set(const Parameters& /*parameters*/) noexcept {}
  template <class Surfaces>
  static void set_scene(const Surfaces& /*scene*/) noexcept {}
  template <class Memory>
  static void start(Memory& /*memory*/) noexcept {}
  template <class Memory>
  static void correct(Memory& /*memory*/) noexcept {}
  template <class Memory>
  [[nodiscard]] static bool place_surface(int /*surface*/, const SurfaceMotion<S>& /*motion*/,
                                          Memory& /*memory*/) noexcept {
    return false;
  }
  template <class Memory>
  static void carry_surfaces(S /*dt*/, Memory& /*memory*/) noexcept {}
  template <class FrictionParameters, class DriveMemory>
  static void meet(const FrictionParameters& /*parameters*/, const DriveMemory& /*drives*/) noexcept {}
  [[nodiscard]] static constexpr Status warning() noexcept { return Status::ok; }
  template <class AllRows>
  [[nodiscard]] static bool revise(const FreeStep<R, S>& /*step*/, const Velocity<R, S>& /*dq*/,
                                   AllRows& /*rows*/) noexcept {
    return false;
  }
  template <class AllRows>
  static void settle(AllRows& /*rows*/) noexcept {}
  template <class AllRows>
  static void finish(const FreeStep<R, S>& /*step*/, const AllRows& /*rows*/, Velocity<R, S>& /*dq*/) noexcept {}
  template <class AllRows, class Memory>
  static void keep(S /*dt*/, const AllRows& /*rows*/, Memory& /*memory*/) noexcept {}
  template <class AllRows, class Report, class Contacts>
  static void report(S /*dt*/, const StepMotion<R, S>* /*motion*/, const AllRows& /*rows*/, Report& /*out*/,
                     Contacts& /*contacts*/) noexcept {}
};

namespace detail {

// The bodies whose motion the constraints ask for, and those that carry them.
template <const auto& R, class... Parts>
struct BodiesOf {
  static constexpr auto kNeeds = [] {
    std::array<bool, static_cast<std::size_t>(Shape<R>::kBodies)> all{};
    for (int b = Shape<R>::kBodies - 1; b >= 0; --b) {
      bool& here = all[static_cast<std::size_t>(b)];
      here = (here || ... || Parts::needs(b));
      if (here && !Shape<R>::is_root(b)) all[static_cast<std::size_t>(Shape<R>::index(b).parent)] = true;
    }
    return all;
  }();
  static constexpr int kCount = [] {
    int count = 0;
    for (const bool here : kNeeds) count += here ? 1 : 0;
    return count;
  }();
  [[nodiscard]] static constexpr bool needs(int body) noexcept {
    return kCount == Shape<R>::kBodies || kNeeds[static_cast<std::size_t>(body)];
  }
};

}  // namespace detail

// How the bodies move in a step, for constraints that need it.
template <const auto& R, class S, class Bodies, bool is_needed = (Bodies::kCount > 0)>
struct MotionForConstraints {
  StepMotion<R, S> motion;
  [[nodiscard]] const StepMotion<R, S>* find_motion(const DrivenInput<R, S>& in, const Velocity<R, S>& free_dq,
                                                    const Workspace<R, S>& work) noexcept {
    sweep_step_motion<Bodies>(in.model, work, in.dq, free_dq, in.dt, motion);
    return &motion;
  }
  [[nodiscard]] const StepMotion<R, S>* last_motion() const noexcept { return &motion; }
};
template <const auto& R, class S, class Bodies>
struct MotionForConstraints<R, S, Bodies, false> {
  [[nodiscard]] static constexpr const StepMotion<R, S>* find_motion(const DrivenInput<R, S>& /*in*/,
                                                                     const Velocity<R, S>& /*free_dq*/,
                                                                     const Workspace<R, S>& /*work*/) noexcept {
    return nullptr;
  }
  [[nodiscard]] static constexpr const StepMotion<R, S>* last_motion() noexcept { return nullptr; }
};

template <const auto& R, class S, class... Parts>
struct ConstraintList : MotionForConstraints<R, S, detail::BodiesOf<R, Parts...>>, Parts... {
  static constexpr int kCones = (0 + ... + Parts::kCones);
  static constexpr int kLines = (0 + ... + Parts::kLines);
  static constexpr bool kHasSurfaces = kCones > 0;
  using Scene = typename detail::SceneOf<Parts...>::Type;
  static constexpr bool kFindsByPart = (true && ... && Parts::kFindsByPart);
  static constexpr bool kOpensJoints = (false || ... || Parts::kOpensJoints);
  static constexpr int kMostRevisions = 3;
  struct Memory : Parts::Memory... {
    bool holds{false};  // something held in the last step
    S arrived{};        // energy that was taken from contacts that are to rebound in the next step
  };
  using ContactReport = typename detail::SceneOf<Parts...>::Report;
  Rows<S, Shape<R>::kDofs, kCones, kLines> rows;
  NewtonWork<S, Shape<R>::kDofs, kCones> newton;
  SolverEffort effort{};

  template <class Part>
  [[nodiscard]] Part& part() noexcept {
    return *this;
  }
  template <class Part>
  [[nodiscard]] const Part& part() const noexcept {
    return *this;
  }

  template <class Numbers>
  void set_parameters(const Numbers& numbers) noexcept {
    (part<Parts>().set(numbers), ...);
  }
  void set_scene(const Scene& of_surfaces) noexcept { (part<Parts>().set_scene(of_surfaces), ...); }
  void start(Memory& memory) const noexcept {
    memory = {};
    (part<Parts>().start(static_cast<typename Parts::Memory&>(memory)), ...);
  }
  // Places a moving surface. False: there is no such surface.
  [[nodiscard]] bool place_surface(int surface, const SurfaceMotion<S>& moves, Memory& memory) const noexcept {
    return (false || ... || part<Parts>().place_surface(surface, moves, static_cast<typename Parts::Memory&>(memory)));
  }
  // Moves the surfaces that move by themselves on.
  static void carry_surfaces(S dt, Memory& memory) noexcept {
    (Parts::carry_surfaces(dt, static_cast<typename Parts::Memory&>(memory)), ...);
  }
  template <class FrictionParameters, class DriveMemory>
  void meet(const FrictionParameters& of_friction, const DriveMemory& of_drives) noexcept {
    (part<Parts>().meet(of_friction, of_drives), ...);
  }
  void correct(Memory& memory) const noexcept {
    (part<Parts>().correct(static_cast<typename Parts::Memory&>(memory)), ...);
  }
  // Whether the sweep leaves the dry friction of the joints open.
  [[nodiscard]] static bool opens_joints(const Memory& memory) noexcept { return kOpensJoints && memory.holds; }

  // Finds who holds in this step.
  [[nodiscard]] Status find(const FreeStep<R, S>& step, const Memory& memory) noexcept {
    return find_by([&](auto& part, const auto& of_part) { return part.find(step, of_part); }, memory);
  }
  // The same, where `find_part(part, memory of the part)` says who holds.
  template <class FindPart>
  [[nodiscard]] Status find_by(FindPart&& find_part, const Memory& memory) noexcept {
    Status status = Status::ok;
    effort = {};
    rows.cones = 0;
    rows.lines = 0;
    ((ok(status) ? void(status = find_part(part<Parts>(), static_cast<const typename Parts::Memory&>(memory)))
                 : void()),
     ...);
    return status;
  }
  [[nodiscard]] bool is_needed() const noexcept { return (false || ... || part<Parts>().is_needed()); }

  // Finds the velocities at the end of the step with all that holds.
  [[nodiscard]] Status solve(const FreeStep<R, S>& step, const Memory& memory, Velocity<R, S>& dq) noexcept {
    (part<Parts>().add_rows(step, static_cast<const typename Parts::Memory&>(memory), rows), ...);
    Status status = solve_rows(rows, newton, effort);
    (part<Parts>().settle(rows), ...);
    dq = step.dq;
    add_velocity(step.in.model, rows.change, step.work, dq);
    for (int i = 0; i < kMostRevisions; ++i) {
      bool changed = bound_rebounds(rows, memory.arrived);
      ((changed = part<Parts>().revise(step, dq, rows) || changed), ...);
      if (!changed) break;
      status = resume_rows(rows, newton, effort);
      (part<Parts>().settle(rows), ...);
      dq = step.dq;
      add_velocity(step.in.model, rows.change, step.work, dq);
    }
    (part<Parts>().finish(step, rows, dq), ...);
    ((status = is_warning(part<Parts>().warning()) ? part<Parts>().warning() : status), ...);
    return all_finite(dq) ? status : Status::non_finite_result;
  }

  void keep(S dt, Memory& memory) const noexcept {
    const S taken = rows.count() > 0 ? -rows.energy() : S(0);
    memory.arrived = taken > S(0) ? taken : S(0);
    memory.holds = is_needed();
    (part<Parts>().keep(dt, rows, static_cast<typename Parts::Memory&>(memory)), ...);
  }
  template <class Report>
  void report(S dt, Report& out, ContactReport& contacts) const noexcept {
    contacts.iterations = effort.steps;
    contacts.passes = effort.systems;
    (part<Parts>().report(dt, this->last_motion(), rows, out, contacts), ...);
  }
};

// Nothing holds the robot.
template <const auto& R, class S>
struct ConstraintList<R, S> : MotionForConstraints<R, S, detail::BodiesOf<R>> {
  using Scene = detail::NoScene;
  static constexpr int kCones = 0;
  static constexpr bool kHasSurfaces = false;
  static constexpr bool kFindsByPart = true;
  static constexpr bool kOpensJoints = false;
  struct Memory {};
  struct ContactReport {};
  template <class FrictionParameters, class DriveMemory>
  static void meet(const FrictionParameters& /*parameters*/, const DriveMemory& /*drives*/) noexcept {}
  static void start(Memory& /*memory*/) noexcept {}
  static void correct(Memory& /*memory*/) noexcept {}
  static void carry_surfaces(S /*dt*/, Memory& /*memory*/) noexcept {}
  [[nodiscard]] static constexpr bool opens_joints(const Memory& /*memory*/) noexcept { return false; }
  [[nodiscard]] static constexpr Status find(const FreeStep<R, S>& /*step*/, const Memory& /*memory*/) noexcept {
    return Status::ok;
  }
  template <class FindPart>
  [[nodiscard]] static constexpr Status find_by(FindPart&& /*find_part*/, const Memory& /*memory*/) noexcept {
    return Status::ok;
  }
  [[nodiscard]] static constexpr bool is_needed() noexcept { return false; }
  [[nodiscard]] static constexpr Status solve(const FreeStep<R, S>& /*step*/, const Memory& /*memory*/,
                                              Velocity<R, S>& /*dq*/) noexcept {
    return Status::ok;
  }
  static void keep(S /*dt*/, Memory& /*memory*/) noexcept {}
  template <class Report>
  static void report(S /*dt*/, Report& /*out*/, ContactReport& /*contacts*/) noexcept {}
};

}  // namespace kinecast
