// SPDX-License-Identifier: MIT
// Contact as a stage of the step: detection, contact map, impulses, and the velocity after them.
// Predictor takes it as an option:
//
//   Predictor<arm, float, Contacts<world, 8>> predictor;
//
// world: the environment; 8: the number of contacts that fit; a third argument chooses the contact model (Relaxed<>,
// Penalty<>, Fused<>, Unrelaxed).
#pragma once

#include <kinecast/contact/constraint_rows.hpp>
#include <kinecast/contact/contact_factor.hpp>
#include <kinecast/contact/detection.hpp>
#include <kinecast/contact/fused.hpp>
#include <kinecast/contact/joint_rows.hpp>
#include <kinecast/contact/penalty.hpp>
#include <kinecast/contact/relaxed.hpp>
#include <kinecast/core/option.hpp>

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

// A velocity in the robot's whole factor space, as accelerations.
template <const auto& R, class S, class Problem>
[[nodiscard]] inline Status apply_velocity(const Model<R, S>& model, const Problem& problem,
                                           const S (&t)[static_cast<std::size_t>(Shape<R>::kDofs)],
                                           const Velocity<R, S>& dq, S dt, Workspace<R, S>& dynamics,
                                           Velocity<R, S>& ddq) noexcept {
  Velocity<R, S> next_dq = dq + dt * ddq;
  Factor{model, dynamics}.velocity(t, next_dq);
  if constexpr (Problem::kJoints > 0) hold_stuck_joints(problem, dt, dynamics, next_dq);
  ddq = (next_dq - dq) * (S(1) / dt);
  return all_finite(ddq) ? Status::ok : Status::non_finite_result;
}

// Turns the velocity after the impulses of work.problem into accelerations.
template <const auto& R, class S, class Work>
[[nodiscard]] inline Status apply_contacts(const Model<R, S>& model, Work& work, const Velocity<R, S>& dq, S dt,
                                           Workspace<R, S>& dynamics, Velocity<R, S>& ddq) noexcept {
  S t[static_cast<std::size_t>(Shape<R>::kDofs)];
  expand_velocity(work.columns, work.motion, work.problem.solution.t, t);
  return apply_velocity(model, work.problem, t, dq, dt, dynamics, ddq);
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
// that carries the surface, or null; behind them those of joint friction, stops and loops.
template <const auto& R, class S, class RowNumbers, class Work, class AddRows>
[[gnu::always_inline]] inline void fill_step_rows(const Model<R, S>& model,
                                                  [[maybe_unused]] const RowNumbers& row_parameters, S dt,
                                                  Workspace<R, S>& dynamics, Work& work, AddRows add_rows) noexcept {
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
    fill_constraint_rows(model, dynamics, work.motion, row_parameters, work.rows, dt, p);
}

// Puts moving surfaces where they were written, at rest.
template <class Scene, class Memory>
inline void place_moving_surfaces(const Scene& scene, Memory& memory) noexcept {
  for_each_surface(scene.surfaces, [&](const auto& s, int /*index*/) {
    if (s.moving >= 0)
      memory.moving[static_cast<std::size_t>(s.moving)] = {
          to_quaternion(s.placement.rotation), s.placement.position, {}, {}};
  });
}

// Moves the moving surfaces on by one step.
template <class S, class Memory>
inline void advance_surfaces(S dt, Memory& memory) noexcept {
  for (SurfaceMotion<S>& s : memory.moving) {
    s.position = s.position + dt * s.linear;
    s.turn = normalized(quaternion_exp(dt * s.angular) * s.turn);
  }
}

template <const auto& World, int ContactCapacity, class ContactModel = Relaxed<>>
struct Contacts {
  static_assert(ContactCapacity >= 1, "kinecast: room for at least one contact");
  static constexpr OptionSort kSort = OptionSort::contact;
  static constexpr bool kTouches = true;
  static constexpr bool kHasSurfaces = true;
  static constexpr int kCapacity = ContactCapacity;
  static constexpr bool kIsRigid = ContactModel::kIsRigid;
  using Model = ContactModel;

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
    StepMotion<R, S> motion;
    ContactList<S, ContactCapacity, kHasLinkSurfaces> list;
    StepRows<R, S> rows;
    Columns columns;
    ContactProblem<S, Columns::kRank, ContactCapacity, Joints, kConstraints, typename Columns::Bodies> problem;
  };

  template <const auto& R, class S>
  [[nodiscard]] static constexpr const Scene<R, S>* scene() noexcept {
    return &kinecast::scene<R, World, S>;
  }
  template <const auto& R, class S>
  static void start(const Scene<R, S>& scene, Memory<R, S>& memory) noexcept {
    memory = {};
    place_moving_surfaces(scene, memory);
  }

  // Detects the contacts of this step. `ddq`: accelerations without contact; `dq`: velocities before the step. It uses
  // what the sweeps left in `dynamics`.
  template <const auto& R, class S, class Work>
  [[nodiscard]] static Status find(const kinecast::Model<R, S>& model, const Scene<R, S>& scene,
                                   const Velocity<R, S>& dq, const Velocity<R, S>& ddq, S dt,
                                   const Memory<R, S>& memory, const kinecast::Workspace<R, S>& dynamics,
                                   Work& work) noexcept {
    const Velocity<R, S> free_dq = dq + dt * ddq;
    sweep_step_motion(model, dynamics, dq, free_dq, dt, work.motion);
    return detect_contacts(model, scene, dynamics, work.motion, memory, Model::kRows, dt, work.list);
  }

  // Turns the free accelerations `ddq` into those with contact, and with the friction of open joints, whose rows are in
  // work.problem. `ddq` is scratch of the caller and may be written when this fails.
  template <const auto& R, class S, class RowNumbers, class Work>
  [[nodiscard]] static Status solve(const kinecast::Model<R, S>& model, const ContactParameters<S>& parameters,
                                    [[maybe_unused]] const RowNumbers& row_parameters, const Velocity<R, S>& dq, S dt,
                                    kinecast::Workspace<R, S>& dynamics, Work& work, ContactEffort& effort,
                                    Velocity<R, S>& ddq) noexcept {
    auto& p = work.problem;
    fill_step_rows(model, row_parameters, dt, dynamics, work, [&](auto& c, const OwnerSide<S>* owner, int i) {
      find_contact_rows(c, owner, work.columns, p.bodies, &p.Y[3 * i], &p.mobility[3 * i]);
      if constexpr (Shape<R>::kHas.velocity_drives > 0) detail::add_driven_velocity(work.motion, p, i, owner, c);
    });
    const Status status = Model::resolve(work.list.contacts.data(), parameters, dt, p, effort);
    if (!ok(status)) return status;
    if (const Status applied = apply_contacts(model, work, dq, dt, dynamics, ddq); !ok(applied)) return applied;
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

// What a stage without surfaces has in common with others: no scene, and no contacts to report.
struct NoSurfaces {
  static constexpr OptionSort kSort = OptionSort::contact;
  static constexpr bool kHasSurfaces = false;
  static constexpr int kCapacity = 0;
  static constexpr bool kIsRigid = true;
  template <const auto& R, class S>
  struct Scene {};
  template <const auto& R, class S>
  struct Report {};
};

// The default of Predictor: the robot touches nothing, and nothing is paid for contact.
struct NoContacts : NoSurfaces {
  static constexpr bool kTouches = false;
  template <const auto& R, class S>
  struct Memory {};
  template <const auto& R, class S, int Joints>
  struct Workspace {};
  template <const auto& R, class S>
  [[nodiscard]] static constexpr const Scene<R, S>* scene() noexcept {
    return nullptr;
  }
};

}  // namespace kinecast
