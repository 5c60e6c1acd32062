// SPDX-License-Identifier: MIT
// The whole step (method 5.4): it takes commands, finds drives, free motion, contact, stops and loops, integrates, and
// gives the next state, reports and a Status. Options come in any order: a friction of the drives, an integrator,
// Contacts<...>, Adaptive. A Predictor is all the RAM that a forecast needs. A step either succeeds and commits, or
// returns a Status and leaves everything as it was. In float, a drive unit's angle differs from double's by 1e-4
// degrees after 30 s of sticking and sliding (oracle.golden_drive).
#pragma once

#include <kinecast/contact/contacts.hpp>
#include <kinecast/contact/joint_limits.hpp>
#include <kinecast/contact/rows_only.hpp>
#include <kinecast/core/option.hpp>
#include <kinecast/drive/effort.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/dynamics/implicit_friction.hpp>
#include <kinecast/dynamics/rigidified_drives.hpp>
#include <kinecast/dynamics/rigidity_rule.hpp>
#include <kinecast/predict/event_driven.hpp>
#include <kinecast/predict/integrate.hpp>
#include <kinecast/predict/now.hpp>

namespace kinecast {

// The integrators of method 7; event-driven steps are predict/event_driven.hpp.
struct SymplecticEuler : IntegratorOption<Damping::implicit, Evaluations::one> {
  template <const auto& R, class S, class Accelerations>
  [[nodiscard]] static Status advance(Accelerations&& accelerations, S dt, State<R, S>& state) noexcept {
    return advance_symplectic<R, S>(accelerations, dt, state);
  }
};
struct RungeKuttaGill : IntegratorOption<Damping::at_present, Evaluations::several> {
  template <const auto& R, class S, class Accelerations>
  [[nodiscard]] static Status advance(Accelerations&& accelerations, S dt, State<R, S>& state) noexcept {
    return advance_gill<R, S>(accelerations, dt, state);
  }
};

// Joints that hardly move may become rigid at run time (dynamics/rigidify.hpp): Predictor::rigidify() and adapt().
struct Adaptive {
  static constexpr OptionSort kSort = OptionSort::rigidity;
  static constexpr bool kIsAdaptive = true;
  template <const auto& R, class S>
  using Rigidity = RigidJoints<R, S>;
};
struct NotAdaptive {
  static constexpr OptionSort kSort = OptionSort::rigidity;
  static constexpr bool kIsAdaptive = false;
  template <const auto& R, class S>
  struct Rigidity {};
};

// How far a rollout came.
struct [[nodiscard]] Rollout {
  Status status;  // of the step that failed; otherwise the last warning, or ok
  int steps;      // how many states were written
};

template <const auto& R, class S = float, class... Options>
class Predictor {
 public:
  using Shape = kinecast::Shape<R>;
  using Friction = typename detail::ChooseOption<OptionSort::friction, ArticulatedFriction, Options...>::Type;
  using Integrator = typename detail::ChooseOption<OptionSort::integrator, SymplecticEuler, Options...>::Type;
  static constexpr bool kLocatesEvents = Integrator::kLocatesEvents;
  // Stops and loops are rows of the contact problem. An arm that has nothing but stops needs no rows: its sweep finds
  // their torques (contact/joint_limits.hpp).
  static constexpr bool kHasRows = Shape::kHas.limits + Shape::kLoops > 0;
  static constexpr bool kAdaptive =
      detail::ChooseOption<OptionSort::rigidity, NotAdaptive, Options...>::Type::kIsAdaptive;
  static_assert(!kAdaptive || Shape::kHas.drives == 0 || std::is_same_v<Friction, ArticulatedFriction>,
                "kinecast: joints that can become rigid take ArticulatedFriction");
  using Rigidity =
      typename detail::ChooseOption<OptionSort::rigidity, NotAdaptive, Options...>::Type::template Rigidity<R, S>;
  using AskedContact = typename detail::ChooseOption<OptionSort::contact, NoContacts, Options...>::Type;
  static constexpr bool kStopsAlone = !AskedContact::kTouches && Shape::kHas.limits > 0 && Shape::kLoops == 0 &&
                                      Shape::kHas.drives == 0 && Shape::kAllSingleAxis && !kAdaptive && !kLocatesEvents;
  using Contact = std::conditional_t<!AskedContact::kTouches && kHasRows && !kStopsAlone, RowsOnly, AskedContact>;
  static_assert(detail::kCountOf<OptionSort::friction, Options...> <= 1 &&
                    detail::kCountOf<OptionSort::integrator, Options...> <= 1 &&
                    detail::kCountOf<OptionSort::contact, Options...> <= 1 &&
                    detail::kCountOf<OptionSort::rigidity, Options...> <= 1,
                "kinecast: a Predictor takes one friction, one integrator, one Contacts and one Adaptive at most");
  using Parameters = typename Friction::template Parameters<S>;
  using Scene = typename Contact::template Scene<R, S>;
  using ContactReport = typename Contact::template Report<R, S>;
  using ContactMemory = typename Contact::template Memory<R, S>;
  using Now = detail::Now<R, S, typename Friction::template Memory<R, S>, ContactMemory, Rigidity, ContactReport,
                          std::conditional_t<kLocatesEvents, EventReport<S>, detail::NoEventReport>>;
  using Snapshot = typename Now::Snapshot;

  Predictor() noexcept : Predictor(model<R, S>) {}
  // The predictor keeps a reference to the model, which must live as long.
  explicit Predictor(const Model<R, S>& robot, const Parameters& parameters = {}) noexcept
      : model_(&robot), parameters_(parameters) {
    (void)reset(zero_state<R, S>());
  }
  explicit Predictor(const Parameters& parameters) noexcept : Predictor(model<R, S>, parameters) {}

  // Replaces surfaces and materials by those of build_scene(). The predictor keeps a reference to the scene, and
  // forgets what it touched.
  void set_scene(const Scene& scene) noexcept {
    static_assert(Contact::kHasSurfaces, "kinecast: a Predictor without Contacts has no scene");
    scene_ = &scene;
    Contact::template start<R, S>(*scene_, now_.contacts);
  }
  // Sets the numbers of contact that do not belong to a material; none may be negative.
  [[nodiscard]] Status set_contact_parameters(const ContactParameters<S>& parameters) noexcept {
    if (const Status status =
            check_not_negative({parameters.smoothing_s_per_m, parameters.slip_mps, parameters.push_out_mps});
        !ok(status))
      return status;
    contact_parameters_ = parameters;
    return Status::ok;
  }

  // Sets the numbers of stops and loops that do not belong to a joint; none may be negative.
  [[nodiscard]] Status set_row_parameters(const RowParameters<S>& parameters) noexcept {
    static_assert(kHasRows, "kinecast: the robot has neither limits nor loops");
    if (const Status status =
            check_not_negative({parameters.compensation_per_s, parameters.push_out, parameters.relaxation});
        !ok(status))
      return status;
    row_parameters_ = parameters;
    return Status::ok;
  }

  // Sets what an event-driven step takes for deep and for slow; neither may be negative.
  [[nodiscard]] Status set_event_parameters(const EventParameters<S>& parameters) noexcept {
    static_assert(kLocatesEvents, "kinecast: only an event-driven step has events");
    if (const Status status = check_not_negative({parameters.depth, parameters.approach}); !ok(status)) return status;
    events_[0].parameters = parameters;
    return Status::ok;
  }

  // Places a moving surface and gives it velocities, in world axes; a step carries it on.
  [[nodiscard]] Status move_surface(int surface, const SurfaceMotion<S>& motion) noexcept {
    static_assert(Contact::kHasSurfaces, "kinecast: a Predictor without Contacts has no surfaces");
    const Vector<S, 6> rates{motion.linear.x,  motion.linear.y,  motion.linear.z,
                             motion.angular.x, motion.angular.y, motion.angular.z};
    if (const Status status = check_input(rates); !ok(status)) return status;
    for (const S x : {motion.position.x, motion.position.y, motion.position.z})
      if (const Status status = detail::check_position(x); !ok(status)) return status;
    if (!is_unit(motion.turn)) return Status::quaternion_not_unit;
    Status status = Status::index_out_of_range;
    for_each_surface(scene_->surfaces, [&](const auto& s, int index) {
      if (index != surface || s.moving < 0) return;
      now_.contacts.moving[static_cast<std::size_t>(s.moving)] = motion;
      status = Status::ok;
    });
    return status;
  }

  // Starts from a state: drives and contacts remember nothing, and moving surfaces stand where they were written. A
  // joint beyond its limits gives a warning, and the steps to come bring it back.
  [[nodiscard]] Status reset(const State<R, S>& state) noexcept {
    if (const Status status = check(state); !ok(status)) return status;
    now_ = Now{{state}};
    if constexpr (Contact::kTouches) Contact::template start<R, S>(*scene_, now_.contacts);
    now_.drives.keep_positions(now_.report.is_held, state.q);
    return crosses_limits(*model_, state.q) ? Status::limit_crossed : Status::ok;
  }

  // Replaces the state by a measured one: drives and contacts keep their memory, but contacts hold from where they are
  // measured.
  [[nodiscard]] Status correct(const State<R, S>& state) noexcept {
    if (const Status status = check(state); !ok(status)) return status;
    [[maybe_unused]] const State<R, S> before = now_.state;
    now_.state = state;
    if constexpr (kAdaptive) {  // rigid joints are rigid at their measured positions
      if (const Status status = is_hybrid() ? rigidify(rigid_joints()) : Status::ok; !ok(status)) {
        now_.state = before;
        return status;
      }
    }
    if constexpr (Contact::kTouches)
      for (auto& record : now_.contacts.records) record.was_moved = true;
    return crosses_limits(*model_, state.q) ? Status::limit_crossed : Status::ok;
  }

  [[nodiscard]] Status step(const Command<R, S>& command, S dt) noexcept {
    Effort<R, S> effort;
    if (const Status status = check(command, dt, effort); !ok(status)) return status;
    return advance_by(effort, dt);
  }

  // Takes a step with torques from outside at the joints (a hand, a load), which no gear transmits.
  [[nodiscard]] Status step(const Command<R, S>& command, const Velocity<R, S>& external, S dt) noexcept {
    Effort<R, S> effort;
    if (const Status status = check(command, dt, effort); !ok(status)) return status;
    if (const Status status = check_input(external); !ok(status)) {
      for (int i = 0; i < Shape::kDofs && refused_ < 0; ++i)
        if (!(std::abs(external[i]) <= Tolerance<S>::kLargestInput)) refused_ = i;
      return status;
    }
    effort.torque += external;
    effort.external = &external;
    return advance_by(effort, dt);
  }

  // Forecasts `count` steps into the caller's buffer. The predictor itself stays where it is.
  Rollout rollout(const Command<R, S>* commands, int count, S dt, State<R, S>* states) noexcept {
    const Now start = now_;
    Rollout reached{Status::ok, 0};
    for (int i = 0; i < count; ++i) {
      const Status status = step(commands[i], dt);
      if (!ok(status) || is_warning(status)) reached.status = status;
      if (!ok(status)) break;
      states[i] = now_.state;
      ++reached.steps;
    }
    now_ = start;
    return reached;
  }

  // Makes these joints rigid where they stand, and all others free; the rigid ones lose their velocities as if brakes
  // closed at once. An empty set frees the whole robot. Needs the option Adaptive.
  [[nodiscard]] Status rigidify(const JointSet<R>& joints) noexcept {
    static_assert(kAdaptive, "kinecast: a Predictor without Adaptive has no rigid joints");
    Rigidity next;
    if (const Status status = kinecast::rigidify(*model_, now_.state.q, joints, work_, next); !ok(status))
      return status;
    Velocity<R, S> dq = now_.state.dq;
    if (const Status status = stop_rigid_joints(*model_, next, now_.state.q, work_, dq); !ok(status)) return status;
    now_.state.dq = dq;
    now_.rigidity = next;
    return Status::ok;
  }
  // Chooses which joints are rigid by how much they would move under this command if all were free. It costs the
  // dynamics of a full step: call it every ten or twenty steps. `changed` counts the joints that became rigid or free.
  // Needs the option Adaptive.
  [[nodiscard]] Status adapt(const RigidityRule<R, S>& rule, const Command<R, S>& command, S dt,
                             int& changed) noexcept {
    static_assert(kAdaptive, "kinecast: a Predictor without Adaptive has no rigid joints");
    Effort<R, S> effort;
    if (const Status status = check(command, dt, effort); !ok(status)) return status;
    const Rigidity before = now_.rigidity;
    now_.rigidity.ready = false;
    Velocity<R, S> ddq;
    ContactEffort solver;
    Status status =
        find_accelerations({*model_, now_.state.q, now_.state.dq, effort, dt, Integrator::kDamping}, ddq, solver);
    now_.rigidity = before;
    JointSet<R> joints = rigid_joints();
    int found = 0;
    if (ok(status)) status = choose_rigid(rule, now_.state.dq, ddq, joints, found);
    if (ok(status) && found > 0) status = rigidify(joints);
    if (ok(status)) changed = found;
    return status;
  }
  [[nodiscard]] JointSet<R> rigid_joints() const noexcept {
    static_assert(kAdaptive, "kinecast: a Predictor without Adaptive has no rigid joints");
    JointSet<R> joints;
    for (int b = 0; now_.rigidity.ready && b < Shape::kBodies; ++b)
      if (now_.rigidity.is_rigid(b)) (void)joints.add(b);
    return joints;
  }

  // A snapshot holds what later steps depend on; restore() leaves reports as they are.
  [[nodiscard]] Snapshot snapshot() const noexcept { return now_.snapshot(); }
  void restore(const Snapshot& snapshot) noexcept { now_.restore(snapshot); }
  [[nodiscard]] const State<R, S>& state() const noexcept { return now_.state; }
  [[nodiscard]] const Report<R, S>& report() const noexcept { return now_.report; }
  // The report has forces, states, depths and slips of the last step's contacts.
  [[nodiscard]] const ContactReport& contact_report() const noexcept { return now_.contact_report; }
  // The report counts sub-steps, halvings and impacts of the last event-driven step.
  [[nodiscard]] const EventReport<S>& events() const noexcept {
    static_assert(kLocatesEvents, "kinecast: only an event-driven step has events");
    return now_.events;
  }
  // Names the degree of freedom whose command or torque from outside the last call refused; -1: it refused none.
  [[nodiscard]] int refused_joint() const noexcept { return refused_; }
  // Names the first degree of freedom that was faster than its speed limit at the end of the last step; -1: none was.
  [[nodiscard]] int fast_joint() const noexcept { return now_.fast.joint; }

 private:
  friend class detail::EventStep<R, S, Predictor>;

  // Parameters are finite, not negative, and no larger than any input.
  template <std::size_t Count>
  [[nodiscard]] static Status check_not_negative(const S (&parameters)[Count]) noexcept {
    for (const S x : parameters) {
      if (!is_finite(x)) return Status::non_finite_input;
      if (!(x >= S(0) && x <= Tolerance<S>::kLargestInput)) return Status::input_out_of_range;
    }
    return Status::ok;
  }

  // Refuses a state that a step would refuse later: angles beyond sincos(), quaternions that are not unit.
  [[nodiscard]] Status check(const State<R, S>& state) noexcept {
    refused_ = -1;
    if (const Status status = check_input(state.dq); !ok(status)) return status;
    return update_screws(*model_, state.q, work_.screws);
  }

  [[nodiscard]] Status check(const Command<R, S>& command, S dt, Effort<R, S>& effort) noexcept {
    refused_ = -1;
    if (!(dt >= Tolerance<S>::kShortestStep && dt <= Tolerance<S>::kLongestStep)) return Status::bad_time_step;
    if (const Status status = find_effort(*model_, command, effort, refused_); !ok(status)) return status;
    if constexpr (Shape::kHas.velocity_drives > 0 && Shape::kHas.limits > 0) stop_given_velocities(dt, effort);
    return Status::ok;
  }

  // Clips the velocity that is given to a velocity-driven joint, so that the joint does not pass its stops.
  void stop_given_velocities(S dt, Effort<R, S>& effort) const noexcept {
    for (int b = 0; b < Shape::kBodies; ++b) {
      if (!(Shape::is_revolute(b) || Shape::is_prismatic(b))) continue;
      if (model_->drive(b).actuator != Actuator::velocity) continue;
      const int v = Shape::v_of(b);
      const S q = now_.state.q[Shape::q_of(b)];
      const S down = q > model_->limit(b).lower ? (model_->limit(b).lower - q) / dt : S(0);
      const S up = q < model_->limit(b).upper ? (model_->limit(b).upper - q) / dt : S(0);
      S& velocity = effort.velocity[v];
      if (velocity >= down && velocity <= up) continue;
      velocity = velocity < down ? down : up;
      effort.saturated[static_cast<std::size_t>(v)] = true;
    }
  }

  // Memory and report of the contacts after a step's first evaluation. Only integrators that evaluate again need a
  // copy.
  struct FirstContacts {
    ContactEffort solver;
    std::conditional_t<Integrator::kEvaluatesOnce, NoContacts::Memory<R, S>, ContactMemory> memory;
    std::conditional_t<Integrator::kEvaluatesOnce, NoContacts::Report<R, S>, ContactReport> report;
  };
  void keep_contacts(S dt, const ContactEffort& solver, ContactMemory& memory, ContactReport& report) const noexcept {
    Contact::keep(contact_work_.list, contact_work_.problem, dt, memory);
    if constexpr (kHasRows) memory.had_rows = contact_work_.problem.constraints > 0;
    Contact::report(contact_work_.motion, contact_work_.list, contact_work_.problem, dt, solver, report);
  }
  // Commits the contacts of the first evaluation; moving surfaces stay where they are.
  void commit_first_contacts(const FirstContacts& first) noexcept {
    const auto moving = now_.contacts.moving;
    now_.contacts = first.memory;
    now_.contacts.moving = moving;
    now_.contact_report = first.report;
  }

  // In steps with contact, the solver finds the dry friction of the joints together with the contact forces.
  static constexpr bool kOpensJoints = Contact::kTouches && Shape::kHas.frictions > 0 && Friction::kMeetsContact;

  // Finds the accelerations that drives and inertia give without contact (method 5.4).
  [[nodiscard]] Status find_free_motion(const DrivenInput<R, S>& in, Velocity<R, S>& ddq) noexcept {
    if constexpr (kAdaptive) {
      if (is_hybrid()) {
        Status status;
        if constexpr (Shape::kHas.drives == 0)
          status = forward_dynamics(in.model, now_.rigidity, in.q, in.dq, in.effort.torque, work_, ddq);
        else
          status = driven_dynamics(in, now_.rigidity, now_.drives, work_, ddq);
        if (ok(status)) complete_motions(in.model, now_.rigidity, work_);
        return status;
      }
    }
    if constexpr (kStopsAlone) {
      LimitStops<R, S> stops(in.model, row_parameters_, in.q, in.dq, in.dt, stop_Nm_);
      return detail::find_accelerations<R, S>(in.model, in.q, in.dq, in.effort.torque, nullptr, stops, work_, ddq);
    } else if constexpr (Shape::kHas.drives == 0)
      return forward_dynamics(in.model, in.q, in.dq, in.effort.torque, work_, ddq);
    else
      return driven_dynamics(parameters_, in, now_.drives, work_, ddq);
  }

  // Finds the same accelerations with the dry friction of the joints left to the contact solver.
  [[nodiscard]] Status find_open_motion(const DrivenInput<R, S>& in, Velocity<R, S>& ddq) noexcept {
    if constexpr (kAdaptive) {
      if (is_hybrid()) {
        const Status status = open_dynamics(in, now_.rigidity, work_, ddq);
        if (ok(status)) complete_motions(in.model, now_.rigidity, work_);
        return status;
      }
    }
    return open_dynamics(parameters_, in, work_, ddq);
  }
  [[nodiscard]] bool is_hybrid() const noexcept { return now_.rigidity.ready && now_.rigidity.active < Shape::kBodies; }

  // Finds the accelerations with all that holds the robot.
  [[nodiscard]] Status find_accelerations(const DrivenInput<R, S>& in, Velocity<R, S>& ddq,
                                          ContactEffort& effort) noexcept {
    if constexpr (Contact::kTouches && Shape::kHas.limits > 0 && !kLocatesEvents) {
      // Contact forces may push a joint through a stop that its free motion does not pass: then the solve is repeated
      // with a row for that stop.
      contact_work_.rows.pushed = {};
      Status status = find_held_motion(in, ddq, effort);
      for (int i = 0; i < Shape::kHas.limits && ok(status); ++i) {
        if (!mark_pushed_joints(in.model, in.q, in.dq, ddq, in.dt, contact_work_.rows)) break;
        status = find_held_motion(in, ddq, effort);
      }
      return status;
    } else {
      return find_held_motion(in, ddq, effort);
    }
  }
  [[nodiscard]] Status find_held_motion(const DrivenInput<R, S>& in, Velocity<R, S>& ddq,
                                        ContactEffort& effort) noexcept {
    if constexpr (!Contact::kTouches) {
      return find_free_motion(in, ddq);
    } else {
      const auto find = [&] {
        if constexpr (kLocatesEvents)
          if (!events_[0].is_ordinary) return detail::EventStep<R, S, Predictor>::find(*this, in, ddq);
        if constexpr (kHasRows) find_limit_rows(in.model, row_parameters_, in.q, in.dq, ddq, in.dt, contact_work_.rows);
        return Contact::template find<R, S>(in.model, *scene_, in.dq, ddq, in.dt, now_.contacts, work_, contact_work_);
      };
      const bool is_open = kOpensJoints && (now_.contacts.count > 0 || now_.contacts.had_rows);
      contact_work_.problem.joints = 0;
      contact_work_.problem.constraints = 0;
      Status status = Status::ok;
      if (!is_open) {
        if (status = find_free_motion(in, ddq); !ok(status)) return status;
        if (status = find(); !ok(status)) return status;
        effort = {};
        if (contact_work_.list.count == 0 && (!kHasRows || !contact_work_.rows.is_needed())) return Status::ok;
      }
      if constexpr (kOpensJoints) {
        if (status = find_open_motion(in, ddq); !ok(status)) return status;
        if (status = find(); !ok(status)) return status;
        open_joints(parameters_, in, now_.drives, work_, is_open ? &now_.contacts.friction : nullptr,
                    contact_work_.problem);
      }
      return Contact::template solve<R, S>(in.model, contact_parameters_, row_parameters_, in.dq, in.dt, work_,
                                           contact_work_, effort, ddq);
    }
  }

  [[nodiscard, gnu::always_inline]] Status advance_by(const Effort<R, S>& effort, S dt) noexcept {
    if constexpr (kLocatesEvents)
      return detail::EventStep<R, S, Predictor>(*this, effort, dt).advance();
    else
      return advance(effort, dt);
  }

  // Evaluates, integrates and commits.
  [[nodiscard]] Status advance(const Effort<R, S>& effort, S dt) noexcept {
    typename Now::Outcome next = now_;
    Report<R, S> report = now_.report;
    Status warning = Status::ok;
    [[maybe_unused]] bool at_start = true;  // the first evaluation of a step gives its memories and reports
    FirstContacts first;
    const auto accelerations = [&](const Position<R, S>& q, const Velocity<R, S>& dq, Velocity<R, S>& ddq) {
      const DrivenInput<R, S> in{*model_, q, dq, effort, dt, Integrator::kDamping};
      ContactEffort solver;
      const Status status = find_accelerations(in, ddq, solver);
      bool is_first = true;
      if constexpr (!Integrator::kEvaluatesOnce) is_first = at_start, at_start = false;
      if (is_first && ok(status)) {
        if constexpr (Shape::kHas.drives == 0)
          find_outcome(in.model, effort, ddq, report);
        else
          find_outcome(in, work_, ddq, next.drives, report);
        if constexpr (kStopsAlone) report.limit_Nm = stop_Nm_;
        if constexpr (Contact::kTouches) {
          first.solver = solver;
          if constexpr (kHasRows) report_constraints(contact_work_.rows, contact_work_.problem, dt, report);
          if constexpr (!Integrator::kEvaluatesOnce) keep_contacts(dt, solver, first.memory, first.report);
        }
      }
      if constexpr (Contact::kTouches)
        if (is_warning(status)) warning = status;
      return status;
    };
    if (const Status status = Integrator::template advance<R, S>(accelerations, dt, next.state); !ok(status))
      return status;
    next.drives.keep_positions(report.is_held, next.state.q);
    now_.commit(next);
    now_.report = report;
    if constexpr (Contact::kTouches) {
      if constexpr (Integrator::kEvaluatesOnce)
        keep_contacts(dt, first.solver, now_.contacts, now_.contact_report);
      else
        commit_first_contacts(first);
      advance_surfaces(dt, now_.contacts);
    }
    if constexpr (Shape::kHas.speed_limits > 0) {
      now_.fast.joint = find_too_fast(*model_, now_.state.dq);
      if (now_.fast.joint >= 0 && !is_warning(warning)) warning = Status::too_fast;
    }
    return warning;
  }

  const Model<R, S>* model_;
  Parameters parameters_;
  Now now_;
  int refused_{-1};
  Workspace<R, S> work_{};
  const Scene* scene_{Contact::template scene<R, S>()};
  ContactParameters<S> contact_parameters_{};
  std::conditional_t<kHasRows, RowParameters<S>, NoRowParameters> row_parameters_{};
  std::array<S, static_cast<std::size_t>(kStopsAlone ? Shape::kDofs : 0)> stop_Nm_{};
  std::array<detail::EventWork<R, S>, static_cast<std::size_t>(kLocatesEvents ? 1 : 0)> events_{};
  typename Contact::template Workspace<R, S, (kOpensJoints ? Shape::kBodies : 0)> contact_work_;
};

}  // namespace kinecast
