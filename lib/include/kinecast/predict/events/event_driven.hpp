// SPDX-License-Identifier: MIT
// The event-driven step (S002, SimulationStep; method 1.4): an integrator of Predictor that looks for impacts within
// the step.
//
//   Predictor<arm, float, Contacts<world, 4>, EventDriven<>> predictor;      EventDriven<6>: down to dt/64
//
//   while time is left: find the forces of what touches, and accelerations; integrate over h. A point or joint that is
//   then deeper than a tolerance halves h, down to the bound, where one step back along its velocity ends at the
//   surface. What touches and approaches strikes (contact/impact/simultaneous_impact.hpp: restitution, friction). Then
//   the rest of the interval follows.
//
// A sub-step drifts, kicks, drifts: q' = q + h/2 dq, dq+ = dq + h ddq(q', dq), q+ = q' + h/2 dq+. So free flight is
// exact and a pendulum keeps its energy; velocity products are of first order, as with symplectic Euler. Contacts that
// rest or slide have the rows of the other integrators, but only where they touch. A sub-step costs one evaluation and
// one detection at its end; a step where nothing strikes has one sub-step. The number of sub-steps is bounded: when the
// tries are used up, the rest of the interval is one ordinary step, with a warning. Reports of drives and contacts are
// those of the last sub-step.
#pragma once

#include <kinecast/contact/contacts.hpp>
#include <kinecast/contact/impact/simultaneous_impact.hpp>
#include <kinecast/core/option.hpp>
#include <kinecast/drive/effort.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/math/gram_schmidt.hpp>
#include <kinecast/predict/evaluation.hpp>
#include <kinecast/predict/integrate.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace kinecast {

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

// The memory that detect_contacts() reads in a sub-step; `dt`: from where its contacts were last seen to here, s.
template <class S, class Memory>
struct SeenContacts {
  using Known = typename Memory::Known;
  const Memory& memory;
  const decltype(Memory::moving)& moving;
  S dt;
  [[nodiscard]] auto find(const ContactPair& pair) const noexcept { return memory.find(pair); }
  template <class Condition>
  [[nodiscard]] bool has(Condition condition) const noexcept {
    return memory.has(condition);
  }
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
  EventParameters<S> event_parameters{};
  std::array<std::int16_t, static_cast<std::size_t>(Shape<R>::kHas.limits > 0 ? Shape<R>::kBodies : 0)> stop{};
};

// The part of a list of constraints that has the contact points, or the stops.
template <const auto& R, class S, const auto& World, int Capacity>
[[nodiscard]] inline Points<R, S, World, Capacity>& points_of(Points<R, S, World, Capacity>& list) noexcept {
  return list;
}
template <const auto& R, class S>
[[nodiscard]] inline Stops<R, S>& stops_of(Stops<R, S>& list) noexcept {
  return list;
}

// One event-driven step. It works on `now`, which the caller drops if the step fails.
template <class Integrator, const auto& R, class S, class Evaluation, class Now>
class EventStep {
 public:
  using Shape = kinecast::Shape<R>;
  using Holders = typename Evaluation::List;
  static_assert(Holders::kFindsByPart,
                "kinecast: the event-driven step takes points in rigid contact with implicit friction, Contacts<world, "
                "8>; it supports no volumes, springs or membranes, and no contact model of the papers");

  EventStep(Evaluation& evaluation, Now& now, const Effort<R, S>& effort, S dt) noexcept
      : evaluation_(evaluation), now_(now), effort_(effort), tick_(dt / S(Integrator::kTicks)) {
    const S unresolved = resting_speed(tick_);
    resting_ = std::max(parameters().approach, unresolved);
  }

 private:
  static constexpr int kPoints = Holders::kCones;
  static constexpr int kStops = Shape::kHas.limits;
  static constexpr int kBilateral = 3 * Shape::kLoops + Shape::kCouplings;
  static constexpr bool kCanStrike = kPoints + kStops > 0;
  using Memory = typename Holders::Memory;
  using State = kinecast::State<R, S>;
  template <class T, int Size>
  using Table = std::array<T, static_cast<std::size_t>(Size)>;

  // The contacts that touch at the end of a sub-step.
  template <class List, bool has_points>
  struct Probe {
    StepMotion<R, S> motion;
    decltype(points_of(std::declval<List&>()).list) list;
    static constexpr bool kLinks = std::decay_t<decltype(points_of(std::declval<List&>()))>::kHasLinkSurfaces;
  };
  struct NoList {
    static constexpr int count = 0;
    static constexpr bool is_overfull = false;
  };
  template <class List>
  struct Probe<List, false> {
    static constexpr bool kLinks = false;
    StepMotion<R, S> motion;
    NoList list;
  };

  // A contact that touched at the beginning of a sub-step.
  struct Touched {
    ContactPair pair;
    S depth;
    bool is_held;
  };

  // A sub-step that is tried: where it was evaluated, and where it ends.
  struct Trial {
    Position<R, S> q;
    Velocity<R, S> ddq;
    State state;
  };

  // A joint's distance to the stop that is nearer.
  struct Stop {
    S sign;
    S gap;
  };

  [[nodiscard]] EventWork<R, S>& work() noexcept { return evaluation_; }
  [[nodiscard]] const EventParameters<S>& parameters() noexcept { return evaluation_.event_parameters; }
  [[nodiscard]] const Model<R, S>& model() const noexcept { return *evaluation_.model; }

  // ---- who holds in a sub-step --------------------------------------------------------------------------------------

  template <class Part, class OfPart>
  [[nodiscard]] Status find_part(Part& part, const OfPart& memory, const FreeStep<R, S>& step) noexcept {
    return part.find(step, memory);
  }
  // A contact that is held rests where it is, and need not come closer to the surface.
  template <const auto& World, int Capacity, class OfPart>
  [[nodiscard]] Status find_part(Points<R, S, World, Capacity>& points, const OfPart& memory,
                                 const FreeStep<R, S>& step) noexcept {
    const HeldContacts<S, OfPart> held{{memory, memory.moving, S(0.5) * (memory.dt + step.in.dt)}};
    // Velocity products act from the middle of the sub-step, where it is evaluated, to its end.
    const Status status = detect_contacts(step.in.model, *points.scene, step.work, *step.motion, held,
                                          ContactRows::touching, S(0.5) * step.in.dt, points.list);
    for (int i = 0; i < points.list.count; ++i) {
      auto& c = points.list.contacts[static_cast<std::size_t>(i)];
      c.gap = std::min(c.gap, S(0));
    }
    return status;
  }
  template <class OfPart>
  [[nodiscard]] Status find_part(Stops<R, S>& stops, const OfPart& /*memory*/, const FreeStep<R, S>& step) noexcept {
    find_stop_rows(stops, step);
    return Status::ok;
  }

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

  // The rows of joints that rest at their stops, and of those that soft stops brake.
  void find_stop_rows(Stops<R, S>& stops, const FreeStep<R, S>& step) noexcept {
    const auto& in = step.in;
    const RowParameters<S>& p = stops.stop_parameters;
    stops.stops = 0;
    stops.is_complete = true;
    for (int b = 0; b < Shape::kBodies; ++b) {
      if (!Shape::has_stops(b)) continue;
      const LimitConstants<S>& limit = in.model.limit(b);
      LimitRow<S>& row = stops.stop[static_cast<std::size_t>(stops.stops)];
      const int v = Shape::v_of(b);
      const S q = in.q[Shape::q_of(b)];
      if (limit.spring + limit.damper > S(0)) {
        const JointBeforeStep<S> joint{q, in.dq[v], step.ddq[v], in.dt * step.dq[v]};
        if (!find_limit_row(limit, p, joint, S(0), in.dt, row)) continue;
      } else if (const int side = work().stop[static_cast<std::size_t>(b)]; side != 0) {
        const S depth = side > 0 ? limit.lower - q : q - limit.upper;
        row.sign = S(side);
        row.offset = -std::min(push_out_of(p, depth), std::max(depth, S(0)) / in.dt);
        row.soft_mobility = S(0);
      } else {
        continue;
      }
      row.is_passed = true;
      row.body = static_cast<std::int16_t>(b);
      ++stops.stops;
    }
    stops.is_passed = stops.stops > 0;
  }

  // ---- the loop -----------------------------------------------------------------------------------------------------

 public:
  // Takes the step: `now` is then at its end, or useless if this is not ok.
  [[nodiscard]] Status run() noexcept {
    EventReport<S>& report = now_.events;
    report = {};
    // The memory tells whether anything held in the step before, and not which stops: all of them count as held.
    if constexpr (kStops > 0) work().stop.fill(static_cast<std::int16_t>(now_.contacts.holds ? 1 : 0));
    bool struck = false;
    if (const Status status = find_touching(now_.state, last_duration()); !ok(status)) return status;
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
    return warning_;
  }

 private:
  // A copy of the moving surfaces, which put_back() restores where a sub-step is taken back.
  [[nodiscard]] auto surfaces() const noexcept {
    if constexpr (kPoints > 0)
      return now_.contacts.moving;
    else
      return 0;
  }
  template <class Moving>
  void put_back([[maybe_unused]] const Moving& moving) noexcept {
    if constexpr (kPoints > 0) now_.contacts.moving = moving;
  }
  void carry_surfaces([[maybe_unused]] S h) noexcept {
    if constexpr (kPoints > 0) advance_surfaces(h, now_.contacts);
  }

  [[nodiscard]] DrivenInput<R, S> input(const Trial& trial, S h) const noexcept {
    return {model(), trial.q, now_.state.dq, effort_, h, Integrator::kDamping};
  }

  // Tries a sub-step: drift, kick, drift, and detection where that ends.
  [[nodiscard]] Status attempt(S h, Trial& trial) noexcept {
    const State& now = now_.state;
    const S half = S(0.5) * h;
    if (turns_too_far<R, S>(now.dq, h)) return Status::bad_time_step;
    trial.state = now;
    kinecast::advance<R, S>(now.dq, half, trial.state.q);
    carry_surfaces(half);
    trial.q = trial.state.q;
    const auto find_holders = [&](const FreeStep<R, S>& step) {
      return evaluation_.holders.find_by([&](auto& part, const auto& memory) { return find_part(part, memory, step); },
                                         now_.contacts);
    };
    const Status found = evaluation_.find_where(find_holders, input(trial, h), now_, trial.ddq, trial.state.dq);
    if (!ok(found)) return found;
    if (is_warning(found)) warning_ = found;
    if (turns_too_far<R, S>(trial.state.dq, h)) return Status::bad_time_step;
    kinecast::advance<R, S>(trial.state.dq, half, trial.state.q);
    if constexpr (Shape::kHas.velocity_drives > 0) follow_given_velocities(h, trial.state);
    if (!all_finite(trial.state.dq) || !all_finite(trial.state.q)) return Status::non_finite_result;
    carry_surfaces(half);
    return find_touching(trial.state, h);
  }
  // Moves a joint whose velocity is given with that velocity over the whole sub-step.
  void follow_given_velocities(S h, State& next) const noexcept {
    for (int b = 0; b < Shape::kBodies; ++b)
      if ((Shape::is_revolute(b) || Shape::is_prismatic(b)) && model().drive(b).actuator == Actuator::velocity)
        next.q[Shape::q_of(b)] = now_.state.q[Shape::q_of(b)] + h * next.dq[Shape::v_of(b)];
  }

  // Duration of the sub-step before this step; 0 after reset().
  [[nodiscard]] S last_duration() const noexcept {
    if constexpr (kPoints > 0)
      return now_.contacts.dt;
    else
      return S(0);
  }
  // Finds all contacts that touch in this state, to which the last `h` seconds led.
  [[nodiscard]] Status find_touching(const State& state, [[maybe_unused]] S h) noexcept {
    if constexpr (kPoints > 0) {
      Workspace<R, S>& dynamics = evaluation_.work;
      if (const Status status = update_screws(model(), state.q, dynamics.screws); !ok(status)) return status;
      sweep_step_motion(model(), dynamics, state.dq, state.dq, S(0), probe_.motion);
      const NearContacts<S, Memory> near{{now_.contacts, now_.contacts.moving, h}, parameters().depth};
      const Status status = detect_contacts(model(), *points_of(evaluation_.holders).scene, dynamics, probe_.motion,
                                            near, ContactRows::touching, S(0), probe_.list);
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
        const auto& c = probe_.list.contacts[static_cast<std::size_t>(i)];
        if (!(c.gap < -tolerance)) continue;
        const Touched* const before = find_touched(c.pair);
        if (before != nullptr && (before->is_held || !(-c.gap > before->depth))) continue;
        note(-c.gap, -c.velocity[0]);
      }
    }
    for_each_stop(model(), next.q, [&](int b, const Stop& stop) {
      if (work().stop[static_cast<std::size_t>(b)] != 0) return;
      const S before = nearest_stop(model().limit(b), now_.state.q[Shape::q_of(b)]).gap;
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
    evaluation_.keep(input(trial, h), trial.ddq, now_);
    now_.state = trial.state;
    now_.drives.keep_positions(now_.report.is_held, trial.state.q);
    ++now_.events.substeps;
  }

  // Takes the rest of an interval whose tries are used up as one step with predictive rows, like the other integrators.
  [[nodiscard]] Status take_rest(S h) noexcept {
    Trial trial;
    trial.q = now_.state.q;
    trial.state.q = now_.state.q;
    const Status found = evaluation_.find(input(trial, h), now_, trial.ddq, trial.state.dq);
    if (!ok(found)) return found;
    if (const Status moved = kinecast::move<R, S>(trial.state.dq, h, trial.state.q); !ok(moved)) return moved;
    commit(trial, h);
    carry_surfaces(h);
    now_.events.is_exhausted = true;
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
        EventReport<S>& report = now_.events;
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
        const auto& c = probe_.list.contacts[static_cast<std::size_t>(i)];
        found = found || strikes(c.velocity[0], now_.contacts.find(c.pair) != nullptr);
      }
    }
    const State& now = now_.state;
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
      Memory& memory = now_.contacts;
      const auto records = memory.records;
      const int known = memory.count;
      memory.count = 0;
      touched_count_ = probe_.list.count;
      for (int i = 0; i < probe_.list.count; ++i) {
        const auto& c = probe_.list.contacts[static_cast<std::size_t>(i)];
        const S depth = std::max(-c.gap, S(0));
        const S rising =
            std::min(c.material->compensation * depth, points_of(evaluation_.holders).parameters.push_out_mps);
        const bool is_held = !(c.velocity[0] > Tolerance<S>::kStillResting * resting_ + S(2) * rising);
        touched_[static_cast<std::size_t>(i)] = {c.pair, depth, is_held};
        if (!is_held) continue;
        typename Memory::Known record{};
        record.pair = c.pair;
        record.regime = Regime::holds;
        record.was_moved = true;
        for (int k = 0; k < known; ++k)
          if (records[static_cast<std::size_t>(k)].pair == c.pair) record = records[static_cast<std::size_t>(k)];
        record.face = c.face;
        record.approach = S(0);  // arrivals of ordinary steps are plastic: a later rebound could gain energy
        memory.records[static_cast<std::size_t>(memory.count++)] = record;
      }
    }
  }
  void hold_stops() noexcept {
    if constexpr (kStops > 0) {
      const State& now = now_.state;
      for_each_stop(model(), now.q, [&](int b, const Stop& stop) {
        const S speed = stop.sign * now.dq[Shape::v_of(b)];
        const S rising = push_out_of(stops_of(evaluation_.holders).stop_parameters, -stop.gap);
        const bool is_held =
            stop.gap <= parameters().depth && !(speed > Tolerance<S>::kStillResting * resting_ + S(2) * rising);
        work().stop[static_cast<std::size_t>(b)] = static_cast<std::int16_t>(!is_held ? 0 : stop.sign > S(0) ? 1 : -1);
      });
    }
  }

  // Resolves all impacts of this moment together. Loops stay closed and couplings hold: the rows of the impacts are
  // made orthogonal to theirs.
  [[nodiscard]] Status strike() noexcept {
    State& now = now_.state;
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
      Factor{model(), evaluation_.work}.joint_row(b, stop.sign, row);
      problem.velocity[problem.first_row(c)] = stop.sign * now.dq[Shape::v_of(b)];
      problem.restitution[c] = rebound_of(model().limit(b).rebound, problem.velocity[problem.first_row(c)]);
    });
    if constexpr (kBilateral > 0) spare_bilateral_rows(problem);

    const Status status = resolve_impacts(problem, solution);
    if (!ok(status)) return status;
    if (is_warning(status)) warning_ = status;
    Velocity<R, S> change = Velocity<R, S>::Zero();
    Factor{model(), evaluation_.work}.velocity(solution.change, change);
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
    const State& now = now_.state;
    const DrivenInput<R, S> in{model(), now.q, now.dq, effort_, tick_, Damping::at_present};
    const ArticulatedFriction::Memory<R, S> forgotten{};
    Velocity<R, S> ddq;
    return Evaluation::JointsOption::template accelerations<true>(
        ArticulatedFriction::Parameters<S>{}, in, now_.rigidity, forgotten, DryFriction::open, evaluation_.work, ddq);
  }

  template <class Problem>
  void add_point(int i, Problem& problem) noexcept {
    const auto& c = probe_.list.contacts[static_cast<std::size_t>(i)];
    const Factor factor{model(), evaluation_.work};
    auto* const rows = &problem.row[3 * i];
    for (int axis = 0; axis < 3; ++axis) {
      for (S& entry : rows[axis]) entry = S(0);
      problem.velocity[3 * i + axis] = c.velocity[axis];
    }
    factor.rows(c.body, forces_at(c.place, Mat3<S>{c.axes.n, c.axes.t2, c.axes.t3}), rows[0], rows[1], rows[2]);
    if constexpr (Probe<Holders, (kPoints > 0)>::kLinks) {
      if (c.owner >= 0) {
        const OwnerSide<S>& owner = probe_.list.owners[static_cast<std::size_t>(i)];
        const Mat3<S> theirs{-owner.axes.n, -owner.axes.t2, -owner.axes.t3};
        factor.rows(c.owner, forces_at(owner.place, theirs), rows[0], rows[1], rows[2]);
      }
    }
    problem.restitution[i] = rebound_of(c.material->restitution, c.velocity[0]);
    problem.friction[i] = c.material->kinetic_friction;
  }

  // Makes all rows orthogonal to the rows of loops and couplings (Gram-Schmidt, twice).
  template <class Problem>
  void spare_bilateral_rows(Problem& problem) noexcept {
    struct SparedRow {
      FactorRow<R, S> y;
    };
    SparedRow spared[static_cast<std::size_t>(kBilateral)] = {};
    if constexpr (kPoints == 0 && Shape::kLoops > 0)
      sweep_step_motion(model(), evaluation_.work, now_.state.dq, now_.state.dq, S(0), probe_.motion);
    for (int l = 0; l < Shape::kLoops; ++l) {
      const LoopConstants<S>& loop = model().loops[static_cast<std::size_t>(l)];
      FactorRow<R, S> row[3] = {};
      add_loop_rows(model(), evaluation_.work, probe_.motion, loop, row);
      for (int axis = 0; axis < 3; ++axis) std::copy_n(row[axis], Shape::kDofs, spared[3 * l + axis].y);
    }
    for (int c = 0; c < Shape::kCouplings; ++c)
      add_coupling_row(model(), evaluation_.work, model().couplings[static_cast<std::size_t>(c)],
                       spared[3 * Shape::kLoops + c].y);
    int rank = 0;
    const auto spare = [&](S* row) {
      for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < rank; ++i) detail::take_out(spared[i].y, row, Shape::kDofs);
    };
    for (int i = 0; i < kBilateral; ++i) {
      SparedRow row = spared[i];
      const S before = detail::squared_length(row.y, Shape::kDofs);
      spare(row.y);
      const S square = detail::squared_length(row.y, Shape::kDofs);
      if (!(square > Tolerance<S>::kImmobile * before)) continue;
      const S scale = S(1) / std::sqrt(square);
      for (int k = 0; k < Shape::kDofs; ++k) spared[rank].y[k] = scale * row.y[k];
      ++rank;
    }
    for (int i = 0; i < problem.rows(); ++i) spare(problem.row[i]);
  }

  Evaluation& evaluation_;
  Now& now_;
  const Effort<R, S>& effort_;
  S tick_;
  S resting_;
  Status warning_{Status::ok};
  Probe<Holders, (kPoints > 0)> probe_;
  int touched_count_{0};
  Table<Touched, kPoints> touched_;
};

}  // namespace detail

// The integrator. MostHalvings bounds how often the step's length is halved. MostTries bounds the sub-steps of one
// step, those included that are taken back.
template <int MostHalvings = 6, int MostTries = 64>
struct EventDriven {
  static_assert(MostHalvings >= 0 && MostHalvings <= 12, "kinecast: an event-driven step is halved up to 12 times");
  static_assert(MostTries >= 1, "kinecast: an event-driven step tries one sub-step at least");
  static constexpr OptionSort kSort = OptionSort::integrator;
  static constexpr bool kLocatesEvents = true;
  static constexpr Damping kDamping = Damping::implicit;
  static constexpr int kTicks = 1 << static_cast<unsigned>(MostHalvings);
  static constexpr int kMostTries = MostTries;
  template <const auto& R, class S, class Holders>
  using Numbers = detail::EventWork<R, S>;
  template <class S>
  using Report = EventReport<S>;

  template <const auto& R, class S, class Evaluation, class Now>
  [[nodiscard]] static Status advance(Evaluation& evaluation, const Effort<R, S>& effort, S dt, Now& now) noexcept {
    Now next = now;
    const Status status = detail::EventStep<EventDriven, R, S, Evaluation, Now>(evaluation, next, effort, dt).run();
    if (ok(status)) now = next;
    return status;
  }

  // The calls that a Predictor gets.
  template <class Base>
  class Calls : public Base {
    using S = typename Base::Scalar;

   public:
    using Base::Base;
    // Sets what an event-driven step takes for deep and for slow; neither may be negative.
    [[nodiscard]] Status set_event_parameters(const EventParameters<S>& parameters) noexcept {
      if (const Status status = check_not_negative({parameters.depth, parameters.approach}); !ok(status)) return status;
      this->evaluation_.event_parameters = parameters;
      return Status::ok;
    }
    // The report counts sub-steps, halvings and impacts of the last event-driven step.
    [[nodiscard]] const EventReport<S>& events() const noexcept { return this->now_.events; }
  };
};

}  // namespace kinecast
