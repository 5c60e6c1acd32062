// SPDX-License-Identifier: MIT
// The papers' contact models as one stage of the step: detection, contact map, impulses, and the velocity after them;
// a friction whose direction is that of the step before, or of the impulse that it could not hold (method 2 to 4, 6).
// The stage stands where the list of constraints stands otherwise (contact/constraint.hpp), and has its interface:
//
//   Predictor<arm, float, Contacts<world, 8, Relaxed<>>> predictor;
//
// Models: Relaxed<...>, Penalty<...>, Fused<...>, Unrelaxed, and WrenchPrograms<...>. Event-driven steps do not take
// them.
#pragma once

#include <kinecast/contact/contacts.hpp>
#include <kinecast/contact/detection.hpp>
#include <kinecast/contact/moving_surfaces.hpp>
#include <kinecast/papers/constraint_rows.hpp>
#include <kinecast/papers/contact_factor.hpp>
#include <kinecast/papers/fused.hpp>
#include <kinecast/papers/joint_rows.hpp>
#include <kinecast/papers/penalty.hpp>
#include <kinecast/papers/relaxed.hpp>

namespace kinecast {

namespace detail {

// Velocity-driven joints move points without having a column in the factor: the part of the free velocity that Y g does
// not have is added to the drift.
template <const auto& R, class S, class Problem>
inline void add_driven_velocity(const StepMotion<R, S>& motion, const Problem& p, int i, const OwnerSide<S>* owner,
                                PointContact<S>& c) noexcept {
  const auto along = [](const ContactAxes<S>& a, const Motion<S>& m, const Vec3<S>& place, S sign, S(&sum)[3]) {
    const Vec3<S> v = m.linear + cross(m.angular, place);
    sum[0] += sign * dot(a.n, v), sum[1] += sign * dot(a.t2, v), sum[2] += sign * dot(a.t3, v);
  };
  S velocity[3] = {};
  along(c.axes, motion.free[static_cast<std::size_t>(c.body)], c.place, S(1), velocity);
  if (owner != nullptr)
    along(owner->axes, motion.free[static_cast<std::size_t>(c.owner)], owner->place, S(-1), velocity);
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = 0; k < p.rank; ++k) velocity[axis] -= p.Y[3 * i + axis][k] * p.g[k];
    c.drift[axis] += velocity[axis];
  }
}

}  // namespace detail

// Turns the velocity after the impulses of work.problem into that of the joints.
template <const auto& R, class S, class Work>
inline void apply_contacts(const FreeStep<R, S>& step, Work& work, Velocity<R, S>& dq) noexcept {
  S t[static_cast<std::size_t>(Shape<R>::kDofs)];
  expand_velocity(work.columns, work.motion, work.problem.solution.t, t);
  dq = step.dq;
  Factor{step.in.model, step.work}.velocity(t, dq);
}
// Stores which joints slid, and with which sign of their friction.
template <class Problem, class Memory>
inline void keep_joint_friction(const Problem& problem, Memory& memory) noexcept {
  if constexpr (Problem::kJoints > 0) {
    for (int j = 0; j < problem.joints; ++j) {
      const auto& x = problem.joint_impulse[static_cast<std::size_t>(j)];
      const std::size_t at = static_cast<std::size_t>(problem.joint[static_cast<std::size_t>(j)].body);
      memory.friction[at] = static_cast<std::int16_t>(!x.slides ? 0 : x.value > 0 ? 1 : -1);
    }
  }
}

// Fills the rows of a step: those of contact i by `add_rows(contact, owner, i)`, where owner is the side of the body
// that carries the surface, or null; behind them those of joint friction, stops, loops and couplings.
template <const auto& R, class S, class Work, class AddRows>
[[gnu::always_inline]] inline void fill_step_rows(const FreeStep<R, S>& step, const RowParameters<S>& row_parameters,
                                                  Work& work, AddRows add_rows) noexcept {
  const Model<R, S>& model = step.in.model;
  Workspace<R, S>& dynamics = step.work;
  auto& p = work.problem;
  p.count = work.list.count;
  fence_union();  // the last step's solver problem ends here, the columns begin
  find_contact_columns(model, dynamics, work.motion, work.list, Work::kJoints > 0 || work.rows.count() > 0,
                       work.columns, p.bodies, p.g);
  p.rank = work.columns.rank;
  for (int i = 0; i < p.count; ++i) {
    auto& c = work.list.contacts[static_cast<std::size_t>(i)];
    const OwnerSide<S>* owner = nullptr;
    if constexpr (Work::kHasLinkSurfaces)
      if (c.owner >= 0) owner = &work.list.owners[static_cast<std::size_t>(i)];
    add_rows(c, owner, i);
  }
  if constexpr (Work::kJoints > 0) detail::find_joint_rows(model, dynamics, p);
  if constexpr (Work::kConstraints > 0)
    fill_constraint_rows(model, dynamics, work.motion, row_parameters, work.rows, step.in.dt, p);
}

namespace detail {

// A kind of contact, points or volumes, as the constraints of a step.
template <class Kind, const auto& R, class S, class Friction>
struct ContactStage {
  using Shape = kinecast::Shape<R>;
  static constexpr bool kHasSurfaces = true;
  static constexpr bool kFindsByPart = false;
  static constexpr bool kOpensJoints = Shape::kHas.frictions > 0 && Friction::kMeetsContact;
  using Scene = typename Kind::template Scene<R, S>;
  using Memory = typename Kind::template Memory<R, S>;
  using ContactReport = typename Kind::template Report<R, S>;
  using DriveMemory = typename Friction::template Memory<R, S>;

  const Scene* scene{Kind::template scene<R, S>()};
  ContactParameters<S> contact_parameters{};
  RowParameters<S> row_parameters{};
  typename Friction::template Parameters<S> friction{};
  const DriveMemory* drives{nullptr};
  ContactEffort effort{};
  typename Kind::template Workspace<R, S, (kOpensJoints ? Shape::kBodies : 0)> stage;

  void set_scene(const Scene& other) noexcept { scene = &other; }
  void set_parameters(const ContactParameters<S>& other) noexcept { contact_parameters = other; }
  void set_parameters(const RowParameters<S>& other) noexcept { row_parameters = other; }
  void start(Memory& memory) const noexcept {
    memory = {};
    place_moving_surfaces(*scene, memory);
  }
  static void correct(Memory& memory) noexcept {
    for (auto& record : memory.records) record.was_moved = true;
  }
  [[nodiscard]] bool place_surface(int surface, const SurfaceMotion<S>& motion, Memory& memory) const noexcept {
    return place_moving_surface(*scene, surface, motion, memory);
  }
  static void carry_surfaces(S dt, Memory& memory) noexcept { advance_surfaces(dt, memory); }
  void meet(const typename Friction::template Parameters<S>& of_friction, const DriveMemory& of_drives) noexcept {
    friction = of_friction;
    drives = &of_drives;
  }
  [[nodiscard]] static bool opens_joints(const Memory& memory) noexcept {
    return kOpensJoints && (memory.count > 0 || memory.had_rows);
  }
  [[nodiscard]] const StepMotion<R, S>* find_motion(const DrivenInput<R, S>& in, const Velocity<R, S>& free_dq,
                                                    const kinecast::Workspace<R, S>& work) noexcept {
    sweep_step_motion(in.model, work, in.dq, free_dq, in.dt, stage.motion);
    return &stage.motion;
  }

  [[nodiscard]] Status find(const FreeStep<R, S>& step, const Memory& memory) noexcept {
    const auto& in = step.in;
    effort = {};
    stage.problem.joints = 0;
    stage.problem.constraints = 0;
    stage.rows.pushed = {};
    find_coupling_motions(in.model, in.q, in.dq, step.ddq, in.dt, stage.rows);
    find_limit_rows(in.model, row_parameters, in.q, in.dq, step.ddq, in.dt, stage.rows);
    return Kind::template find<R, S>(step, *scene, memory, stage);
  }
  [[nodiscard]] bool is_needed() const noexcept { return stage.list.count > 0 || stage.rows.is_needed(); }

  // Contact forces may push a joint through a stop that its free motion does not pass: then the solve is repeated with
  // a row for that stop.
  [[nodiscard]] Status solve(const FreeStep<R, S>& step, const Memory& memory, Velocity<R, S>& dq) noexcept {
    const auto& in = step.in;
    if constexpr (kOpensJoints)
      open_joints(friction, in, *drives, step.work, opens_joints(memory) ? &memory.friction : nullptr, stage.problem);
    Status status = Status::ok;
    for (int i = 0; i <= Shape::kHas.limits; ++i) {
      status = Kind::template solve<R, S>(step, contact_parameters, row_parameters, stage, effort, dq);
      if (!ok(status)) return status;
      if (!all_finite(dq)) return Status::non_finite_result;
      const Velocity<R, S> ddq = (dq - in.dq) * (S(1) / in.dt);
      if (i == Shape::kHas.limits || !mark_pushed_joints(in.model, in.q, in.dq, ddq, in.dt, stage.rows)) break;
      find_limit_rows(in.model, row_parameters, in.q, in.dq, step.ddq, in.dt, stage.rows);
    }
    if constexpr (kOpensJoints) hold_stuck_joints(stage.problem, in.dt, step.work, dq);
    return status;
  }

  void keep(S dt, Memory& memory) const noexcept {
    Kind::keep(stage.list, stage.problem, dt, memory);
    memory.had_rows = stage.problem.constraints > 0;
  }
  template <class Report>
  void report(S dt, Report& robot, ContactReport& contacts) const noexcept {
    report_constraints(stage.rows, stage.problem, dt, robot);
    Kind::report(stage.motion, stage.list, stage.problem, dt, effort, contacts);
  }
};

}  // namespace detail

// Contact points with a model of the papers. (Contacts<World, Capacity> without a model has implicit friction:
// contact/contacts.hpp.)
template <const auto& World, int ContactCapacity, class ContactModel>
struct Contacts {
  static_assert(ContactCapacity >= 1, "kinecast: room for at least one contact");
  static constexpr OptionSort kSort = OptionSort::contact;
  using Model = ContactModel;
  template <const auto& R, class S, class Friction>
  using Holders = detail::ContactStage<Contacts, R, S, Friction>;

  template <const auto& R, class S>
  using Scene = kinecast::Scene<R, World, S>;
  template <const auto& R, class S>
  using Memory =
      ContactMemory<S, ContactCapacity, Scene<R, S>::kMoving, (Shape<R>::kHas.frictions > 0 ? Shape<R>::kBodies : 0)>;
  template <const auto& R, class S>
  using Report = ContactReport<S, ContactCapacity>;

  // Joints: number of joints that can have dry friction that meets the contact.
  template <const auto& R, class S, int Joints>
  struct Workspace {
    static_assert(Shape<R>::kPoints > 0, "kinecast: the robot has no contact points that could touch anything");
    // Number of bodies that can be loaded: those with points, and those that carry surfaces.
    static constexpr int kBodies = Scene<R, S>::kGroups + (Scene<R, S>::kHasLinkSurfaces ? World.kSurfaces : 0);
    static constexpr int kJoints = Joints;
    static constexpr int kConstraints = StepRows<R, S>::kMost;
    static constexpr bool kHasLinkSurfaces = Scene<R, S>::kHasLinkSurfaces;
    using Columns = ContactColumns<R, S, ContactCapacity, kBodies, (Joints + kConstraints > 0)>;
    FactoredMotion<R, S> motion;
    ContactList<S, ContactCapacity, kHasLinkSurfaces> list;
    StepRows<R, S> rows;
    Columns columns;
    ContactProblem<S, Columns::kRank, ContactCapacity, Joints, kConstraints, typename Columns::Bodies> problem;
  };

  template <const auto& R, class S>
  [[nodiscard]] static constexpr const Scene<R, S>* scene() noexcept {
    return &kinecast::scene<R, World, S>;
  }
  // Detects the contacts of this step.
  template <const auto& R, class S, class Work>
  [[nodiscard]] static Status find(const FreeStep<R, S>& step, const Scene<R, S>& scene, const Memory<R, S>& memory,
                                   Work& work) noexcept {
    return detect_contacts(step.in.model, scene, step.work, work.motion, memory, Model::kRows, step.in.dt, work.list);
  }

  // Finds the velocities with contact, and with the friction of open joints, whose rows are in work.problem.
  template <const auto& R, class S, class Work>
  [[nodiscard]] static Status solve(const FreeStep<R, S>& step, const ContactParameters<S>& parameters,
                                    const RowParameters<S>& row_parameters, Work& work, ContactEffort& effort,
                                    Velocity<R, S>& dq) noexcept {
    auto& p = work.problem;
    fill_step_rows(step, row_parameters, work, [&](auto& c, const OwnerSide<S>* owner, int i) {
      find_contact_rows(c, owner, work.columns, p.bodies, &p.Y[3 * i], &p.mobility[3 * i]);
      if constexpr (Shape<R>::kHas.velocity_drives > 0) detail::add_driven_velocity(work.motion, p, i, owner, c);
    });
    const Status status = Model::resolve(work.list.contacts.data(), parameters, step.in.dt, p, effort);
    if (!ok(status)) return status;
    apply_contacts(step, work, dq);
    return work.list.is_overfull ? Status::contacts_dropped : status;
  }

  // Stores the records of the contacts for the next step.
  template <class List, class Problem, class S, class Memory>
  static void keep(const List& list, const Problem& problem, S dt, Memory& memory) noexcept {
    memory.count = list.count;
    memory.dt = dt;
    for (int i = 0; i < list.count; ++i) {
      const PointContact<S>& c = list.contacts[static_cast<std::size_t>(i)];
      const ContactImpulse<S>& x = problem.impulse[i];
      const bool rebounds_next =
          Model::kRows == ContactRows::predictive && c.material->restitution > S(0) && c.arrives() && x.n > S(0);
      memory.records[static_cast<std::size_t>(i)] = {c.pair,       x.slides,    false,
                                                     x.warm_start, c.reference, rebounds_next ? c.velocity[0] : S(0)};
      memory.records[static_cast<std::size_t>(i)].face = c.face;
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
      const PointContact<S>& c = list.contacts[static_cast<std::size_t>(i)];
      const ContactImpulse<S>& x = problem.impulse[i];
      const auto pose =
          motion.poses[static_cast<std::size_t>(c.body)];  // a copy: stores to the report cannot change it
      const ContactAxes<S> a = c.axes;
      const Vec3<S> force = inverse_dt * (x.n * a.n + x.t2 * a.t2 + x.t3 * a.t3);
      out.contacts[static_cast<std::size_t>(i)] = {
          c.pair,
          pose.position + pose.rotation * c.place,
          pose.rotation * a.n,
          pose.rotation * force,
          x.n * inverse_dt,
          std::sqrt(x.t2 * x.t2 + x.t3 * x.t3) * inverse_dt,
          -c.gap,
          std::sqrt(c.velocity[1] * c.velocity[1] + c.velocity[2] * c.velocity[2]),
          x.slides};
    }
  }
};

}  // namespace kinecast
