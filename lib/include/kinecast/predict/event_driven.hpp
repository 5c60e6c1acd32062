// SPDX-License-Identifier: MIT
// The event-driven step (S002, SimulationStep; method 1.4): an integrator of Predictor that looks for impacts within
// the step.
//
//   Predictor<arm, float, Contacts<world, 4>, EventDriven<>> predictor;      EventDriven<6>: down to dt/64
//
//   while time is left: find the forces of what touches, and accelerations; integrate over h. A point or joint that is
//   then deeper than a tolerance halves h, down to the bound, where one step back along its velocity ends at the
//   surface. What touches and approaches strikes (contact/simultaneous_impact.hpp: restitution, friction). Then the
//   rest of the interval follows.
//
// A sub-step drifts, kicks, drifts: q' = q + h/2 dq, dq+ = dq + h ddq(q', dq), q+ = q' + h/2 dq+. So free flight is
// exact and a pendulum keeps its energy; velocity products are of first order, as with symplectic Euler. Contacts that
// rest or slide have the rows of the other integrators, but only where they touch. A sub-step costs one evaluation and
// one detection at its end; a step where nothing strikes has one sub-step. The number of sub-steps is bounded: when the
// tries are used up, the rest of the interval is one ordinary step, with a warning. Reports of drives and contacts are
// those of the last sub-step.
#pragma once

#include <kinecast/contact/contacts.hpp>
#include <kinecast/contact/simultaneous_impact.hpp>
#include <kinecast/core/option.hpp>
#include <kinecast/drive/effort.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/math/gram_schmidt.hpp>
#include <kinecast/predict/integrate.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// MostHalvings bounds how often the step's length is halved. MostTries bounds the sub-steps of one step, those included
// that are taken back.
template <int MostHalvings = 6, int MostTries = 64>
struct EventDriven : IntegratorOption<Damping::implicit, Evaluations::one, Events::located> {
  static_assert(MostHalvings >= 0 && MostHalvings <= 12, "kinecast: an event-driven step is halved up to 12 times");
  static_assert(MostTries >= 1, "kinecast: an event-driven step tries one sub-step at least");
  static constexpr int kTicks = 1 << static_cast<unsigned>(MostHalvings);
  static constexpr int kMostTries = MostTries;
};

template <class S>
struct EventParameters {
  // A point that is deeper came too late, and one that is nearer touches; m or rad. 10 µm is some rounding of positions
  // within 10 m in float.
  S depth{S(1e-5)};
  // No rebound is slower; m/s or rad/s. A step takes at least 2 g times its shortest sub-step.
  S approach{S(1e-3)};
};

// What the last event-driven step met.
template <class S>
struct EventReport {
  int substeps{0};           // sub-steps that the step consists of
  int halvings{0};           // sub-steps that were taken back
  int impacts{0};            // moments at which something struck
  bool is_exhausted{false};  // the tries were used up
  S first_impact_s{-1};      // time of the first impact after the step's beginning; -1: there was none
};

namespace detail {

struct NoEventReport {};

// The memory that detect_contacts() reads in a sub-step; `dt`: from where its contacts were last seen to here, s.
template <class S, class Memory>
struct SeenContacts {
  const Memory& memory;
  const decltype(Memory::moving)& moving;
  S dt;
  [[nodiscard]] auto find(const ContactPair& pair) const noexcept { return memory.find(pair); }
};
// Detection finds the contacts of the memory again, wherever they are by now.
template <class S, class Memory>
struct HeldContacts : SeenContacts<S, Memory> {
  static constexpr DetectionScope kScope = DetectionScope::known;
  [[nodiscard]] static S reach() noexcept { return Tolerance<S>::kLargestPosition; }
};
// Detection finds all points that are closer to a surface than `within`.
template <class S, class Memory>
struct NearContacts : SeenContacts<S, Memory> {
  static constexpr DetectionScope kScope = DetectionScope::near;
  S within;
  [[nodiscard]] S reach() const noexcept { return within; }
};

// What a Predictor keeps for its event-driven steps. A joint that rests at a stop has +1 in `stop` at the lower one, -1
// at the upper one.
template <const auto& R, class S>
struct EventWork {
  EventParameters<S> parameters{};
  bool is_ordinary{false};  // this is the rest of an interval whose tries are used up
  std::array<std::int16_t, static_cast<std::size_t>(Shape<R>::kHas.limits > 0 ? Shape<R>::kBodies : 0)> stop{};
};

// One event-driven step; its host is the Predictor.
template <const auto& R, class S, class Host>
class EventStep {
 public:
  using Shape = kinecast::Shape<R>;
  using Contact = typename Host::Contact;
  using Integrator = typename Host::Integrator;
  static_assert(Contact::kIsRigid,
                "kinecast: the event-driven step takes points in rigid contact (Relaxed, Unrelaxed); it supports no "
                "volumes, springs or membranes");

  EventStep(Host& host, const Effort<R, S>& effort, S dt) noexcept
      : host_(host), effort_(effort), tick_(dt / S(Integrator::kTicks)) {
    const S unresolved = resting_speed(tick_);
    resting_ = std::max(parameters().approach, unresolved);
  }

  // Commits the step, or leaves everything as it was.
  [[nodiscard]] Status advance() noexcept {
    const typename Host::Now before = host_.now_;
    const Status status = run();
    if (!ok(status)) host_.now_ = before;
    return status;
  }

  // Finds the contacts and stops that hold in this sub-step. Predictor's evaluation calls it with the free motion
  // `ddq`.
  [[nodiscard]] static Status find(Host& host, const DrivenInput<R, S>& in, const Velocity<R, S>& ddq) noexcept {
    if constexpr (Host::kHasRows) find_stop_rows(host, in, ddq);
    if constexpr (kPoints > 0) {
      auto& w = host.contact_work_;
      const Velocity<R, S> free_dq = in.dq + in.dt * ddq;
      sweep_step_motion(in.model, host.work_, in.dq, free_dq, in.dt, w.motion);
      const HeldContacts<S, Memory> held{
          {host.now_.contacts, host.now_.contacts.moving, S(0.5) * (host.now_.contacts.dt + in.dt)}};
      // Velocity products act from the middle of the sub-step, where it is evaluated, to its end.
      const Status status = detect_contacts(in.model, *host.scene_, host.work_, w.motion, held, ContactRows::touching,
                                            S(0.5) * in.dt, w.list);
      // A contact that is held rests where it is, and need not come closer to the surface.
      for (int i = 0; i < w.list.count; ++i) {
        PointContact<S>& c = w.list.contacts[static_cast<std::size_t>(i)];
        c.gap = std::min(c.gap, S(0));
      }
      return status;
    } else {
      return Contact::template find<R, S>(in.model, *host.scene_, in.dq, ddq, in.dt, host.now_.contacts, host.work_,
                                          host.contact_work_);
    }
  }

 private:
  static constexpr int kPoints = Contact::kCapacity;
  static constexpr int kStops = Host::kHasRows ? Shape::kHas.limits : 0;
  static constexpr bool kCanStrike = kPoints + kStops > 0;
  using Memory = typename Host::ContactMemory;
  using State = kinecast::State<R, S>;
  template <class T, int Size>
  using Table = std::array<T, static_cast<std::size_t>(Size)>;

  // The contacts that touch at the end of a sub-step.
  template <int Points, class Unused = void>
  struct Probe {
    static constexpr bool kLinks = Host::Scene::kHasLinkSurfaces;
    StepMotion<R, S> motion;
    ContactList<S, Points, kLinks> list;
  };
  struct NoList {
    static constexpr int count = 0;
    static constexpr bool is_overfull = false;
  };
  template <class Unused>
  struct Probe<0, Unused> {
    StepMotion<R, S> motion;
    NoList list;
  };

  // A contact that touched at the beginning of a sub-step.
  struct Touched {
    ContactPair pair;
    S depth;
    bool is_held;
  };

  struct Trial {
    State state;
    decltype(Host::now_.drives) drives;
    ContactEffort effort;
  };

  // A joint's distance to the stop that is nearer.
  struct Stop {
    S sign;
    S gap;
  };

  [[nodiscard]] EventWork<R, S>& work() noexcept { return host_.events_[0]; }
  [[nodiscard]] const EventParameters<S>& parameters() noexcept { return work().parameters; }
  [[nodiscard]] const Model<R, S>& model() const noexcept { return *host_.model_; }

  // ---- stops --------------------------------------------------------------------------------------------------------

  // Tells whether a joint can strike a rigid stop: soft stops yield, and a joint whose velocity is given stays within.
  [[nodiscard]] static bool has_stop(const Model<R, S>& model, int b) noexcept {
    if (!Shape::has_stops(b)) return false;
    if constexpr (Shape::kHas.velocity_drives > 0)
      if (model.drive(b).actuator == Actuator::velocity) return false;
    return !(model.limit(b).spring + model.limit(b).damper > S(0));
  }
  [[nodiscard]] static Stop nearest_stop(const LimitConstants<S>& limit, S q) noexcept {
    const S above = q - limit.lower;
    const S below = limit.upper - q;
    return above < below ? Stop{S(1), above} : Stop{S(-1), below};
  }
  template <class F>
  static void for_each_stop(const Model<R, S>& model, const Position<R, S>& q, F&& f) noexcept {
    if constexpr (kStops > 0) {
      for (int b = 0; b < Shape::kBodies; ++b)
        if (has_stop(model, b)) f(b, nearest_stop(model.limit(b), q[Shape::q_of(b)]));
    }
  }
  // The speed with which the depth of a joint beyond its stop is worked off.
  [[nodiscard]] static S push_out_of(const RowParameters<S>& p, S depth) noexcept {
    return depth > S(0) ? std::min(p.compensation_per_s * depth, p.push_out) : S(0);
  }

  static void find_stop_rows(Host& host, const DrivenInput<R, S>& in, const Velocity<R, S>& ddq) noexcept {
    auto& rows = host.contact_work_.rows;
    rows.limits = 0;
    rows.is_passed = false;
    if constexpr (kStops > 0) {
      const EventWork<R, S>& w = host.events_[0];
      const RowParameters<S>& p = host.row_parameters_;
      for (int b = 0; b < Shape::kBodies; ++b) {
        if (!Shape::has_stops(b)) continue;
        const LimitConstants<S>& limit = in.model.limit(b);
        LimitRow<S>& row = rows.limit[static_cast<std::size_t>(rows.limits)];
        const int v = Shape::v_of(b);
        const S q = in.q[Shape::q_of(b)];
        if (limit.spring + limit.damper > S(0)) {
          const JointBeforeStep<S> joint{q, in.dq[v], ddq[v], in.dt * (in.dq[v] + in.dt * ddq[v])};
          if (!find_limit_row(limit, p, joint, S(0), in.dt, row)) continue;
        } else if (const int side = w.stop[static_cast<std::size_t>(b)]; side != 0) {
          const S depth = side > 0 ? limit.lower - q : q - limit.upper;
          row.sign = S(side);
          row.offset = -std::min(push_out_of(p, depth), std::max(depth, S(0)) / in.dt);
          row.soft_mobility = S(0);
        } else {
          continue;
        }
        row.is_passed = true;
        row.body = static_cast<std::int16_t>(b);
        ++rows.limits;
        rows.is_passed = true;
      }
    }
  }

  // ---- the loop -----------------------------------------------------------------------------------------------------

  [[nodiscard]] Status run() noexcept {
    EventReport<S>& report = host_.now_.events;
    report = {};
    work().is_ordinary = false;
    // The memory tells whether stops held in the step before, and not which ones: all of them count as held.
    if constexpr (kStops > 0) work().stop.fill(static_cast<std::int16_t>(host_.now_.contacts.had_rows ? 1 : 0));
    bool struck = false;
    if (const Status status = find_touching(host_.now_.state); !ok(status)) return status;
    if (const Status status = strike_and_hold(S(0), struck); !ok(status)) return status;
    int now = 0;        // the time that is done, in ticks (the shortest sub-steps) …
    S behind = S(0);    // … less this time, after an impact between two ticks
    int too_late = 0;   // a tick at which something is too deep; 0: none is known
    S last_cut = S(0);  // time by which the shortest sub-step is cut, to end at the surface
    for (int tries = 0; now < Integrator::kTicks || behind > S(0); ++tries) {
      const int left = Integrator::kTicks - now;
      if (tries == Integrator::kMostTries) {
        if (const Status status = take_rest(S(left) * tick_ + behind); !ok(status)) return status;
        break;
      }
      const int ticks = too_late > now ? (too_late - now + 1) / 2 : left;
      const S h = S(ticks) * tick_ + behind - last_cut;
      const auto moving = surfaces();
      Trial trial;
      if (const Status status = attempt(h, trial); !ok(status)) return status;
      if (S late = S(0); !(last_cut > S(0)) && is_too_deep(trial.state, late)) {
        const bool is_last = ticks <= 1;
        if (!is_last) too_late = now + ticks;
        if (is_last && late > Tolerance<S>::kWorthATry * h && late < h) last_cut = late;
        if (!is_last || last_cut > S(0)) {
          ++report.halvings;
          put_back(moving);
          continue;
        }
      }
      commit(trial, h);
      now += ticks;
      behind = last_cut;
      last_cut = S(0);
      if (const Status status = strike_and_hold(S(now) * tick_ - behind, struck); !ok(status)) return status;
      if (struck || too_late <= now) too_late = 0;
    }
    if constexpr (Shape::kHas.speed_limits > 0) {
      host_.now_.fast.joint = find_too_fast(model(), host_.now_.state.dq);
      if (host_.now_.fast.joint >= 0 && !is_warning(warning_)) warning_ = Status::too_fast;
    }
    return warning_;
  }

  // A copy of the moving surfaces, which put_back() restores where a sub-step is taken back.
  [[nodiscard]] auto surfaces() const noexcept {
    if constexpr (kPoints > 0)
      return host_.now_.contacts.moving;
    else
      return 0;
  }
  template <class Moving>
  void put_back([[maybe_unused]] const Moving& moving) noexcept {
    if constexpr (kPoints > 0) host_.now_.contacts.moving = moving;
  }
  void carry_surfaces([[maybe_unused]] S h) noexcept {
    if constexpr (kPoints > 0) advance_surfaces(h, host_.now_.contacts);
  }

  // Finds the accelerations, and what drives and rows did; it writes reports, and commits nothing else.
  [[nodiscard]] Status evaluate(const Position<R, S>& q, S h, Trial& trial, Velocity<R, S>& ddq) noexcept {
    const DrivenInput<R, S> in{model(), q, host_.now_.state.dq, effort_, h, Integrator::kDamping};
    const Status status = host_.find_accelerations(in, ddq, trial.effort);
    if (!ok(status)) return status;
    if (is_warning(status)) warning_ = status;
    trial.drives = host_.now_.drives;
    if constexpr (Shape::kHas.drives == 0)
      find_outcome(in.model, effort_, ddq, host_.now_.report);
    else
      find_outcome(in, host_.work_, ddq, trial.drives, host_.now_.report);
    if constexpr (Host::kHasRows)
      report_constraints(host_.contact_work_.rows, host_.contact_work_.problem, h, host_.now_.report);
    return status;
  }

  // Tries a sub-step: drift, kick, drift, and detection where that ends.
  [[nodiscard]] Status attempt(S h, Trial& trial) noexcept {
    const State& now = host_.now_.state;
    const S half = S(0.5) * h;
    if (turns_too_far<R, S>(now.dq, h)) return Status::bad_time_step;
    trial.state = now;
    kinecast::advance<R, S>(now.dq, half, trial.state.q);
    carry_surfaces(half);
    Velocity<R, S> ddq;
    if (const Status status = evaluate(trial.state.q, h, trial, ddq); !ok(status)) return status;
    trial.state.dq += h * ddq;
    if (turns_too_far<R, S>(trial.state.dq, h)) return Status::bad_time_step;
    kinecast::advance<R, S>(trial.state.dq, half, trial.state.q);
    if constexpr (Shape::kHas.velocity_drives > 0) follow_given_velocities(h, trial.state);
    if (!all_finite(trial.state.dq) || !all_finite(trial.state.q)) return Status::non_finite_result;
    carry_surfaces(half);
    return find_touching(trial.state);
  }
  // Moves a joint whose velocity is given with that velocity over the whole sub-step.
  void follow_given_velocities(S h, State& next) const noexcept {
    for (int b = 0; b < Shape::kBodies; ++b)
      if ((Shape::is_revolute(b) || Shape::is_prismatic(b)) && model().drive(b).actuator == Actuator::velocity)
        next.q[Shape::q_of(b)] = host_.now_.state.q[Shape::q_of(b)] + h * next.dq[Shape::v_of(b)];
  }

  // Finds all contacts that touch in this state.
  [[nodiscard]] Status find_touching(const State& state) noexcept {
    if constexpr (kPoints > 0) {
      if (const Status status = update_screws(model(), state.q, host_.work_.screws); !ok(status)) return status;
      sweep_step_motion(model(), host_.work_, state.dq, state.dq, S(0), probe_.motion);
      const NearContacts<S, Memory> near{{host_.now_.contacts, host_.now_.contacts.moving, S(0)}, parameters().depth};
      const Status status = detect_contacts(model(), *host_.scene_, host_.work_, probe_.motion, near,
                                            ContactRows::touching, S(0), probe_.list);
      if (!ok(status)) return status;
    }
    return Status::ok;
  }

  // Tells whether a contact or joint is deeper than at the beginning of the sub-step, and than the tolerance; those
  // that are held do not count. `late` is how long ago the first of them passed its surface, by its velocity.
  [[nodiscard]] bool is_too_deep(const State& next, S& late) noexcept {
    const S tolerance = parameters().depth;
    bool found = false;
    const auto note = [&](S depth, S approach) {
      found = true;
      if (approach > resting_) late = std::max(late, depth / approach);
    };
    if constexpr (kPoints > 0) {
      for (int i = 0; i < probe_.list.count; ++i) {
        const PointContact<S>& c = probe_.list.contacts[static_cast<std::size_t>(i)];
        if (!(c.gap < -tolerance)) continue;
        const Touched* const before = find_touched(c.pair);
        if (before != nullptr && (before->is_held || !(-c.gap > before->depth))) continue;
        note(-c.gap, -c.velocity[0]);
      }
    }
    for_each_stop(model(), next.q, [&](int b, const Stop& stop) {
      if (work().stop[static_cast<std::size_t>(b)] != 0) return;
      const S before = nearest_stop(model().limit(b), host_.now_.state.q[Shape::q_of(b)]).gap;
      if (stop.gap < std::min(before, -tolerance)) note(-stop.gap, -stop.sign * next.dq[Shape::v_of(b)]);
    });
    return found;
  }
  [[nodiscard]] const Touched* find_touched(const ContactPair& pair) const noexcept {
    for (int i = 0; i < touched_count_; ++i)
      if (touched_[static_cast<std::size_t>(i)].pair == pair) return &touched_[static_cast<std::size_t>(i)];
    return nullptr;
  }

  void commit(const Trial& trial, S h) noexcept {
    if constexpr (Contact::kTouches)
      host_.keep_contacts(h, trial.effort, host_.now_.contacts, host_.now_.contact_report);
    host_.now_.state = trial.state;
    host_.now_.drives = trial.drives;
    host_.now_.drives.keep_positions(host_.now_.report.is_held, trial.state.q);
    ++host_.now_.events.substeps;
  }

  // Takes the rest of an interval whose tries are used up as one step with predictive rows, like the other integrators.
  [[nodiscard]] Status take_rest(S h) noexcept {
    Trial trial;
    trial.state = host_.now_.state;
    Velocity<R, S> ddq;
    work().is_ordinary = true;
    if (const Status status = evaluate(host_.now_.state.q, h, trial, ddq); !ok(status)) return status;
    trial.state.dq += h * ddq;
    if (turns_too_far<R, S>(trial.state.dq, h)) return Status::bad_time_step;
    kinecast::advance<R, S>(trial.state.dq, h, trial.state.q);
    if (!all_finite(trial.state.dq) || !all_finite(trial.state.q)) return Status::non_finite_result;
    commit(trial, h);
    carry_surfaces(h);
    host_.now_.events.is_exhausted = true;
    warning_ = Status::iterations_exhausted;
    return Status::ok;
  }

  // ---- impacts ------------------------------------------------------------------------------------------------------

  // Resolves the impacts of contacts that touch and approach; contacts that do not separate then hold in the next
  // sub-step.
  [[nodiscard]] Status strike_and_hold(S now_s, bool& struck) noexcept {
    struck = false;
    if constexpr (kCanStrike) {
      if (approaches()) {
        if (const Status status = strike(); !ok(status)) return status;
        struck = true;
        EventReport<S>& report = host_.now_.events;
        if (report.impacts++ == 0) report.first_impact_s = now_s;
      }
      hold_points();
      hold_stops();
      if (probe_.list.is_overfull) warning_ = Status::contacts_dropped;
    }
    return Status::ok;
  }

  // A contact strikes if it approaches fast, or slowly and is not held yet: one that is held has a row that stops it.
  [[nodiscard]] bool strikes(S speed, bool was_held) const noexcept {
    return speed < (was_held ? -resting_ : -Tolerance<S>::kStillResting * resting_);
  }
  // A rebound below the resting speed is dropped: otherwise bouncing would not end.
  [[nodiscard]] S rebound_of(S e, S speed) const noexcept {
    return speed < S(0) && !(-e * speed > resting_) ? S(0) : e;
  }
  [[nodiscard]] bool approaches() noexcept {
    bool found = false;
    if constexpr (kPoints > 0) {
      for (int i = 0; i < probe_.list.count; ++i) {
        const PointContact<S>& c = probe_.list.contacts[static_cast<std::size_t>(i)];
        found = found || strikes(c.velocity[0], host_.now_.contacts.find(c.pair) != nullptr);
      }
    }
    const State& now = host_.now_.state;
    for_each_stop(model(), now.q, [&](int b, const Stop& stop) {
      const bool was_held = work().stop[static_cast<std::size_t>(b)] != 0;
      if (stop.gap <= parameters().depth && strikes(stop.sign * now.dq[Shape::v_of(b)], was_held)) found = true;
    });
    return found;
  }

  // Contacts that the memory knows keep their records; others begin where they touch. The speed at which a depth is
  // worked off does not count as separation: a sub-step works off half of the depth at most, so that this speed is at
  // most twice the one that the rest of the depth asks for.
  void hold_points() noexcept {
    if constexpr (kPoints > 0) {
      Memory& memory = host_.now_.contacts;
      const auto records = memory.records;
      const int known = memory.count;
      memory.count = 0;
      touched_count_ = probe_.list.count;
      for (int i = 0; i < probe_.list.count; ++i) {
        const PointContact<S>& c = probe_.list.contacts[static_cast<std::size_t>(i)];
        const S depth = std::max(-c.gap, S(0));
        const S rising = std::min(c.material->compensation * depth, host_.contact_parameters_.push_out_mps);
        const bool is_held = !(c.velocity[0] > Tolerance<S>::kStillResting * resting_ + S(2) * rising);
        touched_[static_cast<std::size_t>(i)] = {c.pair, depth, is_held};
        if (!is_held) continue;
        ContactRecord<S> record{};
        record.pair = c.pair;
        record.was_moved = true;
        for (int k = 0; k < known; ++k)
          if (records[static_cast<std::size_t>(k)].pair == c.pair) record = records[static_cast<std::size_t>(k)];
        record.approach = S(0);  // arrivals of ordinary steps are plastic: a later rebound could gain energy
        memory.records[static_cast<std::size_t>(memory.count++)] = record;
      }
    }
  }
  void hold_stops() noexcept {
    if constexpr (kStops > 0) {
      const State& now = host_.now_.state;
      for_each_stop(model(), now.q, [&](int b, const Stop& stop) {
        const S speed = stop.sign * now.dq[Shape::v_of(b)];
        const S rising = push_out_of(host_.row_parameters_, -stop.gap);
        const bool is_held =
            stop.gap <= parameters().depth && !(speed > Tolerance<S>::kStillResting * resting_ + S(2) * rising);
        work().stop[static_cast<std::size_t>(b)] = static_cast<std::int16_t>(!is_held ? 0 : stop.sign > S(0) ? 1 : -1);
      });
    }
  }

  // Resolves all impacts of this moment together. Loops stay closed: the rows of the impacts are made orthogonal to
  // theirs.
  [[nodiscard]] Status strike() noexcept {
    State& now = host_.now_.state;
    if (const Status status = sweep_inertia(); !ok(status)) return status;
    constexpr int kRoom = std::max(kPoints, 1);
    ImpactProblem<S, Shape::kDofs, kRoom, kStops> problem;
    ImpactSolution<S, Shape::kDofs, kRoom, kStops> solution;
    problem.rank = Shape::kDofs;
    problem.points = probe_.list.count;
    problem.stops = 0;
    if constexpr (kPoints > 0)
      for (int i = 0; i < problem.points; ++i) add_point(i, problem);
    for_each_stop(model(), now.q, [&](int b, const Stop& stop) {
      if (!(stop.gap <= parameters().depth) || problem.stops == kStops) return;
      const int c = problem.points + problem.stops++;
      auto& row = problem.row[problem.first_row(c)];
      for (S& entry : row) entry = S(0);
      Factor{model(), host_.work_}.joint_row(b, stop.sign, row);
      problem.velocity[problem.first_row(c)] = stop.sign * now.dq[Shape::v_of(b)];
      problem.restitution[c] = rebound_of(model().limit(b).rebound, problem.velocity[problem.first_row(c)]);
    });
    if constexpr (Shape::kLoops > 0) spare_loops(problem);

    const Status status = resolve_impacts(problem, solution);
    if (!ok(status)) return status;
    if (is_warning(status)) warning_ = status;
    Velocity<R, S> change = Velocity<R, S>::Zero();
    Factor{model(), host_.work_}.velocity(solution.change, change);
    change += now.dq;
    if (!all_finite(change)) return Status::non_finite_result;
    now.dq = change;
    if constexpr (kPoints > 0)
      for (int i = 0; i < problem.points; ++i)
        for (int axis = 0; axis < 3; ++axis)
          probe_.list.contacts[static_cast<std::size_t>(i)].velocity[axis] = solution.velocity[3 * i + axis];
    return Status::ok;
  }

  // Leaves the factor of the inertia in the workspace. Finite torques do nothing in an impact: dry friction is left
  // open, and damping adds no inertia.
  [[nodiscard]] Status sweep_inertia() noexcept {
    const State& now = host_.now_.state;
    const DrivenInput<R, S> in{model(), now.q, now.dq, effort_, tick_, Damping::at_present};
    Velocity<R, S> ddq;
    if constexpr (Shape::kHas.drives == 0)
      return host_.find_free_motion(in, ddq);
    else if constexpr (Host::kAdaptive)
      return host_.find_open_motion(in, ddq);
    else
      return open_dynamics(ArticulatedFriction::Parameters<S>{}, in, host_.work_, ddq);
  }

  template <class Problem>
  void add_point(int i, Problem& problem) noexcept {
    const PointContact<S>& c = probe_.list.contacts[static_cast<std::size_t>(i)];
    const Factor factor{model(), host_.work_};
    auto* const rows = &problem.row[3 * i];
    for (int axis = 0; axis < 3; ++axis) {
      for (S& entry : rows[axis]) entry = S(0);
      problem.velocity[3 * i + axis] = c.velocity[axis];
    }
    factor.rows(c.body, forces_at(c.place, Mat3<S>{c.axes.n, c.axes.t2, c.axes.t3}), rows[0], rows[1], rows[2]);
    if constexpr (Probe<kPoints>::kLinks) {
      if (c.owner >= 0) {
        const OwnerSide<S>& owner = probe_.list.owners[static_cast<std::size_t>(i)];
        const Mat3<S> theirs{-owner.axes.n, -owner.axes.t2, -owner.axes.t3};
        factor.rows(c.owner, forces_at(owner.place, theirs), rows[0], rows[1], rows[2]);
      }
    }
    problem.restitution[i] = rebound_of(c.material->restitution, c.velocity[0]);
    problem.friction[i] = c.material->kinetic_friction;
  }

  // Makes all rows orthogonal to the rows of the loops (Gram-Schmidt, twice).
  template <class Problem>
  void spare_loops(Problem& problem) noexcept {
    struct Row {
      S y[static_cast<std::size_t>(Shape::kDofs)];
    };
    Row loops[static_cast<std::size_t>(3 * Shape::kLoops)] = {};
    if constexpr (kPoints == 0)
      sweep_step_motion(model(), host_.work_, host_.now_.state.dq, host_.now_.state.dq, S(0), probe_.motion);
    for (int l = 0; l < Shape::kLoops; ++l) {
      const LoopConstants<S>& loop = model().loops[static_cast<std::size_t>(l)];
      add_point_rows(model(), host_.work_, probe_.motion, loop.first, S(1), &loops[3 * l]);
      add_point_rows(model(), host_.work_, probe_.motion, loop.second, S(-1), &loops[3 * l]);
    }
    int rank = 0;
    const auto spare = [&](S* row) {
      for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < rank; ++i) detail::take_out(loops[i].y, row, Shape::kDofs);
    };
    for (int i = 0; i < 3 * Shape::kLoops; ++i) {
      Row row = loops[i];
      const S before = detail::squared_length(row.y, Shape::kDofs);
      spare(row.y);
      const S square = detail::squared_length(row.y, Shape::kDofs);
      if (!(square > Tolerance<S>::kImmobile * before)) continue;
      const S scale = S(1) / std::sqrt(square);
      for (int k = 0; k < Shape::kDofs; ++k) loops[rank].y[k] = scale * row.y[k];
      ++rank;
    }
    for (int i = 0; i < problem.rows(); ++i) spare(problem.row[i]);
  }

  Host& host_;
  const Effort<R, S>& effort_;
  S tick_;
  S resting_;
  Status warning_{Status::ok};
  Probe<kPoints> probe_;
  int touched_count_{0};
  Table<Touched, kPoints> touched_;
};

}  // namespace detail
}  // namespace kinecast
