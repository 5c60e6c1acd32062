// SPDX-License-Identifier: MIT
// The whole step (method 5.4): it takes commands, finds drives, free motion and what holds the robot, integrates, and
// gives the next state, reports and a Status. Options come in any order: a friction of the drives, an integrator,
// Contacts<...>, Adaptive. A Predictor is all the RAM that a forecast needs. A step either succeeds and commits, or
// returns a Status and leaves everything as it was. In float, a drive unit's angle differs from double's by 1e-4
// degrees after 30 s of sticking and sliding (oracle.golden_drive).
#pragma once

#include <kinecast/contact/contacts.hpp>
#include <kinecast/core/option.hpp>
#include <kinecast/drive/effort.hpp>
#include <kinecast/predict/evaluation.hpp>
#include <kinecast/predict/integrators.hpp>
#include <kinecast/predict/now.hpp>

namespace kinecast {

// How far a rollout came.
struct [[nodiscard]] Rollout {
  Status status;  // of the step that failed; otherwise the last warning, or ok
  int steps;      // how many states were written
};

namespace detail {

// What every Predictor can do. Options that can do more add their calls on top of it (WithCalls).
template <const auto& R, class S, class... Options>
class PredictorCore {
 public:
  static constexpr const auto& kRobot = R;
  using Scalar = S;
  using Shape = kinecast::Shape<R>;
  using Friction = typename ChooseOption<OptionSort::friction, ArticulatedFriction, Options...>::Type;
  using Integrator = typename ChooseOption<OptionSort::integrator, SymplecticEuler, Options...>::Type;
  using Joints = typename ChooseOption<OptionSort::rigidity, AllJointsMove, Options...>::Type;
  using Contact = typename ChooseOption<OptionSort::contact, NoContacts, Options...>::Type;
  static_assert(kCountOf<OptionSort::friction, Options...> <= 1 && kCountOf<OptionSort::integrator, Options...> <= 1 &&
                    kCountOf<OptionSort::contact, Options...> <= 1 && kCountOf<OptionSort::rigidity, Options...> <= 1,
                "kinecast: a Predictor takes one friction, one integrator, one Contacts and one Adaptive at most");
  static_assert(!Joints::kIsAdaptive || Shape::kHas.drives == 0 || std::is_same_v<Friction, ArticulatedFriction>,
                "kinecast: joints that can become rigid take ArticulatedFriction");
  using Holders = typename Contact::template Holders<R, S, Friction>;
  using Parameters = typename Friction::template Parameters<S>;
  using Scene = typename Holders::Scene;
  using ContactReport = typename Holders::ContactReport;
  using Now =
      detail::Now<R, S, typename Friction::template Memory<R, S>, typename Holders::Memory,
                  typename Joints::template Rigidity<R, S>, ContactReport, typename Integrator::template Report<S>>;
  using Snapshot = typename Now::Snapshot;

  PredictorCore() noexcept : PredictorCore(kinecast::model<R, S>) {}
  // The predictor keeps a reference to the model, which must live as long.
  explicit PredictorCore(const Model<R, S>& robot, const Parameters& parameters = {}) noexcept
      : evaluation_{{}, &robot, parameters} {
    (void)reset(zero_state<R, S>());
  }
  explicit PredictorCore(const Parameters& parameters) noexcept : PredictorCore(kinecast::model<R, S>, parameters) {}

  // Replaces surfaces and materials by those of build_scene(). The predictor keeps a reference to the scene, and
  // forgets what it touched.
  void set_scene(const Scene& scene) noexcept {
    static_assert(Holders::kHasSurfaces, "kinecast: a Predictor without Contacts has no scene");
    evaluation_.holders.set_scene(scene);
    evaluation_.holders.start(now_.contacts);
  }
  // Sets the numbers of contact that do not belong to a material; none may be negative.
  [[nodiscard]] Status set_contact_parameters(const ContactParameters<S>& p) noexcept {
    if (const Status status = check_not_negative({p.smoothing_s_per_m, p.slip_mps, p.push_out_mps}); !ok(status))
      return status;
    if constexpr (Holders::kHasSurfaces) evaluation_.holders.set_parameters(p);
    return Status::ok;
  }
  // Sets the numbers of stops, loops and couplings that do not belong to a joint; none may be negative.
  [[nodiscard]] Status set_row_parameters(const RowParameters<S>& p) noexcept {
    static_assert(Shape::kHas.limits + Shape::kLoops + Shape::kCouplings > 0,
                  "kinecast: the robot has neither limits nor loops nor couplings");
    if (const Status status = check_not_negative({p.compensation_per_s, p.push_out, p.relaxation}); !ok(status))
      return status;
    evaluation_.holders.set_parameters(p);
    return Status::ok;
  }

  // Places a moving surface and gives it velocities, in world axes; a step carries it on.
  [[nodiscard]] Status move_surface(int surface, const SurfaceMotion<S>& motion) noexcept {
    static_assert(Holders::kHasSurfaces, "kinecast: a Predictor without Contacts has no surfaces");
    const Vector<S, 6> rates{motion.linear.x,  motion.linear.y,  motion.linear.z,
                             motion.angular.x, motion.angular.y, motion.angular.z};
    if (const Status status = check_input(rates); !ok(status)) return status;
    for (const S x : {motion.position.x, motion.position.y, motion.position.z})
      if (const Status status = check_position(x); !ok(status)) return status;
    if (!is_unit(motion.turn)) return Status::quaternion_not_unit;
    return evaluation_.holders.place_surface(surface, motion, now_.contacts) ? Status::ok : Status::index_out_of_range;
  }

  // Starts from a state: drives and contacts remember nothing, and moving surfaces stand where they were written. A
  // joint beyond its limits gives a warning, and the steps to come bring it back.
  [[nodiscard]] Status reset(const State<R, S>& state) noexcept {
    if (const Status status = check(state); !ok(status)) return status;
    now_ = Now{state};
    evaluation_.holders.start(now_.contacts);
    now_.drives.keep_positions(now_.report.is_held, state.q);
    return crosses_limits(*evaluation_.model, state.q) ? Status::limit_crossed : Status::ok;
  }
  // Replaces the state by a measured one: drives and contacts keep their memory, but contacts hold from where they are
  // measured.
  [[nodiscard]] Status correct(const State<R, S>& state) noexcept {
    if (const Status status = check(state); !ok(status)) return status;
    now_.state = state;
    evaluation_.holders.correct(now_.contacts);
    return crosses_limits(*evaluation_.model, state.q) ? Status::limit_crossed : Status::ok;
  }

  // Commands in, next state out. Commits at the end, or returns a Status and leaves everything as it was.
  [[nodiscard]] Status step(const Command<R, S>& command, S dt) noexcept {
    Effort<R, S> effort;
    if (const Status status = check(command, dt, effort); !ok(status)) return status;
    return advance(effort, dt);
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
    return advance(effort, dt);
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

  // A snapshot holds all that a step leaves: the state, what later steps depend on, and the reports.
  [[nodiscard]] Snapshot snapshot() const noexcept { return now_.snapshot(); }
  void restore(const Snapshot& snapshot) noexcept { now_.restore(snapshot); }
  [[nodiscard]] const State<R, S>& state() const noexcept { return now_.state; }
  [[nodiscard]] const Report<R, S>& report() const noexcept { return now_.report; }
  // The report has forces, states, depths and slips of the last step's contacts.
  [[nodiscard]] const ContactReport& contact_report() const noexcept { return now_.contact_report; }
  // Names the degree of freedom whose command or torque from outside the last call refused; -1: it refused none.
  [[nodiscard]] int refused_joint() const noexcept { return refused_; }
  // Names the first degree of freedom that was faster than its speed limit at the end of the last step; -1: none was.
  [[nodiscard]] int fast_joint() const noexcept { return now_.fast.joint; }

 protected:
  // Refuses a state that a step would refuse later: angles beyond sincos(), quaternions that are not unit.
  [[nodiscard]] Status check(const State<R, S>& state) noexcept {
    refused_ = -1;
    if (const Status status = check_input(state.dq); !ok(status)) return status;
    return update_screws(*evaluation_.model, state.q, evaluation_.work.screws);
  }
  [[nodiscard]] Status check(const Command<R, S>& command, S dt, Effort<R, S>& effort) noexcept {
    refused_ = -1;
    if (!(dt >= Tolerance<S>::kShortestStep && dt <= Tolerance<S>::kLongestStep)) return Status::bad_time_step;
    if (const Status status = find_effort(*evaluation_.model, command, effort, refused_); !ok(status)) return status;
    stop_given_velocities(*evaluation_.model, now_.state.q, dt, effort);
    return Status::ok;
  }

  // The evaluation's integrator takes the step (predict/evaluation.hpp, predict/integrators.hpp).
  [[nodiscard, gnu::always_inline]] Status advance(const Effort<R, S>& effort, S dt) noexcept {
    const Status status = Integrator::template advance<R, S>(evaluation_, effort, dt, now_);
    return ok(status) ? now_.fast.look(*evaluation_.model, now_.state.dq, status) : status;
  }

  Evaluation<R, S, Friction, Joints, Holders, typename Integrator::template Numbers<R, S, Holders>> evaluation_;
  Now now_;
  int refused_{-1};
};

template <class Core>
using WithCalls = typename Core::Integrator::template Calls<typename Core::Joints::template Calls<Core>>;

}  // namespace detail

template <const auto& R, class S = float, class... Options>
class Predictor : public detail::WithCalls<detail::PredictorCore<R, S, Options...>> {
  using Base = detail::WithCalls<detail::PredictorCore<R, S, Options...>>;

 public:
  using Base::Base;
};

}  // namespace kinecast
