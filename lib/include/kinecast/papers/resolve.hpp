// SPDX-License-Identifier: MIT
// The impulses of all contacts of a step, and which of the contacts stick (method 2.2 to 2.7, 4), from their rows Y,
// the free velocity g and the material. Every contact starts sticking, with three unknowns. If its tangential impulse
// exceeds what friction can hold, it slides: it has one unknown along n + mu w t, a known direction, and the whole is
// solved again (method 2.6, FIX 19). A contact is never moved back to sticking within a step; resolve_contacts() bounds
// the number of solves. Joints with dry friction take part with rows of their own (papers/joint_rows.hpp).
//
// The contact models differ in the ContactDemand of each contact: the target of the normal velocity, whether there is a
// normal row, and an impulse that is known beforehand (the membrane's, method 4, or all of a penalty contact's).
#pragma once

#include <kinecast/contact/targets.hpp>
#include <kinecast/core/elementary.hpp>
#include <kinecast/papers/constraint_rows.hpp>
#include <kinecast/papers/contact_problem.hpp>
#include <kinecast/papers/joint_rows.hpp>
#include <kinecast/papers/resolve_rows.hpp>
#include <kinecast/solve/basic_solution.hpp>
#include <kinecast/solve/energy_form.hpp>
#include <kinecast/solve/inequality_qp.hpp>
#include <kinecast/solve/velocity_form.hpp>

#include <cmath>

namespace kinecast {

namespace detail {

// A sliding contact: direction and weight of its friction (method 2.6).
template <class S>
struct Slip {
  S t2;
  S t3;
  S weight;  // mu_k omega
};

template <FrictionRule rule, Functional functional, class S, int MaxRank, int Capacity, int Joints, int Constraints,
          class Bodies>
class Resolver {
 public:
  using Problem = ContactProblem<S, MaxRank, Capacity, Joints, Constraints, Bodies>;
  static constexpr int kWeakenings = 3;  // friction is weakened to a half, a quarter, none
  static constexpr int kMostJointChanges = JointRows<functional, S, Problem>::kMostChanges;

  Resolver(Problem& problem, const PointContact<S>* contacts, const ContactParameters<S>& parameters) noexcept
      : p_(problem), contacts_(contacts), parameters_(parameters), joints_(problem), constraints_(problem) {}

  // All contacts start sticking.
  void begin() noexcept {
    S largest = S(0);
    for (int i = 0; i < 3 * p_.count; ++i) largest = p_.mobility[i] > largest ? p_.mobility[i] : largest;
    immobile_ = Tolerance<S>::kImmobile * largest;
    for (int c = 0; c < p_.count; ++c) p_.impulse[c].warm_start = contacts_[c].warm_start;
    joints_.begin();
  }

  // Solves for the present sets of sticking and sliding contacts: impulses in p_.impulse, velocity in p_.solution.t.
  [[nodiscard]] Status solve() noexcept {
    auto& qp = p_.problem;
    qp.rank = p_.rank;
    qp.unknowns = 0;
    qp.is_symmetric = true;
    copy_row(p_.g, qp.g);
    for (int c = 0; c < p_.count; ++c) {
      add_known(c);
      places_[c] = released_[c] ? Places{-1, -1, -1} : slides_[c] ? add_sliding(c) : add_sticking(c);
    }
    joints_.add();
    constraints_.add();
    if (!qp.is_symmetric) fill_columns();
    const Status status = solve_form(qp);
    if (!ok(status)) return status;
    iterations_ += p_.solution.iterations;
    ++passes_;
    for (int c = 0; c < p_.count; ++c) read_back(c);
    joints_.read_back();
    constraints_.read_back();
    return status;
  }

  [[nodiscard]] bool start_sliding_joints() noexcept { return joints_.start_sliding(); }

  // Contacts whose friction cannot hold the impulse that sticking needs begin to slide. False: all hold.
  [[nodiscard]] bool start_sliding() noexcept {
    bool any = false;
    for (int c = 0; c < p_.count; ++c) {
      if (slides_[c] || released_[c]) continue;
      const ContactImpulse<S>& x = p_.impulse[c];
      const PointContact<S>& contact = contacts_[c];
      const S limit = limit_of(contact) * x.n;
      const S tangential = x.t2 * x.t2 + x.t3 * x.t3;
      if (!(tangential > limit * limit)) continue;
      slip_[c] = find_slip(c, x, std::sqrt(tangential));
      slides_[c] = true;
      any = true;
      // Painlevé: an impulse along n + mu t would pull the point in, or hardly push it out. Friction lets go.
      const S least = kByState ? S(0) : Tolerance<S>::kLeastSlidingMobility * p_.mobility[3 * c];
      if (!(mobility_along_slip(c) > least)) slip_[c].weight = S(0);
      largest_weight_[c] = slip_[c].weight;
    }
    return any;
  }

  // Whether the kinetic energy, ½|t|² in factor space, grew by more than the targets ask for. Sticking cannot create
  // energy, but friction with a fixed direction can, where it jams a chain.
  [[nodiscard]] bool gains_energy() const noexcept {
    bool any_slides = false;
    for (int c = 0; c < p_.count; ++c) any_slides = any_slides || (slides_[c] && slip_[c].weight > S(0));
    if (!any_slides) return false;
    S before = S(0);
    S after = S(0);
    S asked = constraints_.asked();
    for (int k = 0; k < p_.rank; ++k) {
      before += p_.g[k] * p_.g[k];
      after += p_.solution.t[k] * p_.solution.t[k];
    }
    for (int c = 0; c < p_.count; ++c) {
      const ContactImpulse<S>& x = p_.impulse[c];
      const PointContact<S>& contact = contacts_[c];
      const ContactDemand<S>& demand = p_.demand[c];
      asked += x.n * ((demand.normal_velocity > S(0) ? demand.normal_velocity : S(0)) - contact.drift[0]) -
               x.t2 * contact.drift[1] - x.t3 * contact.drift[2] +
               demand.tangential_rate *
                   (std::abs(x.t2 * contact.displacement[0]) + std::abs(x.t3 * contact.displacement[1]));
    }
    return after > before * (S(1) + Tolerance<S>::kEnergyGain) + S(2) * asked;
  }
  // Weakens the friction of all sliding contacts, in the end to none, which is always passive.
  void weaken_friction() noexcept {
    ++weakened_;
    for (int c = 0; c < p_.count; ++c)
      if (slides_[c]) slip_[c].weight *= weakened_ < kWeakenings ? S(0.5) : S(0);
  }
  [[nodiscard]] bool can_weaken() const noexcept { return weakened_ < kWeakenings; }

  // An impact turns the slip, or ends it: friction against the slip before the step would then push along with the
  // motion. This gives each sliding contact the friction that the slip at the end of the step asks for, by one step of
  // projection on the cone: x_t - v_t/A_tt cut to mu x_n. False: no friction changes.
  [[nodiscard]] bool follow_slip() noexcept {
    bool any = false;
    for (int c = 0; c < p_.count; ++c) {
      if (!slides_[c] || released_[c]) continue;
      const S mobility =
          p_.mobility[3 * c + 1] > p_.mobility[3 * c + 2] ? p_.mobility[3 * c + 1] : p_.mobility[3 * c + 2];
      const S n = p_.impulse[c].n;
      const S most = largest_weight_[c];
      if (!(n > S(0)) || !(mobility > immobile_) || !(most > S(0))) continue;
      const Slip<S> before = slip_[c];
      const S scale = S(1) / (mobility * n);
      const PointContact<S>& contact = contacts_[c];
      const S v2 = velocity_of(3 * c + 1) + contact.drift[1];
      const S v3 = velocity_of(3 * c + 2) + contact.drift[2];
      // A corner that is only overloaded has no slip to follow.
      const S speed2 = contact.velocity[1] * contact.velocity[1] + contact.velocity[2] * contact.velocity[2];
      const S fastest2 = v2 * v2 + v3 * v3 > speed2 ? v2 * v2 + v3 * v3 : speed2;
      if (!(fastest2 > parameters_.slip_mps * parameters_.slip_mps)) continue;
      const S t2 = before.weight * before.t2 - scale * v2;
      const S t3 = before.weight * before.t3 - scale * v3;
      const S size = std::sqrt(t2 * t2 + t3 * t3);
      if (!(size > Tolerance<S>::kTurnedFriction * most)) {
        slip_[c].weight = S(0);
      } else {
        slip_[c] = {t2 / size, t3 / size, size < most ? size : most};
      }
      const S change2 = slip_[c].weight * slip_[c].t2 - before.weight * before.t2;
      const S change3 = slip_[c].weight * slip_[c].t3 - before.weight * before.t3;
      const S least = Tolerance<S>::kTurnedFriction * most;
      if (change2 * change2 + change3 * change3 > least * least &&
          mobility_along_slip(c) > Tolerance<S>::kLeastSlidingMobility * p_.mobility[3 * c])
        any = true;
      else
        slip_[c] = before;
    }
    return any;
  }

  // Cuts the tangential impulses to the cone after the one solve, as the papers do (method 2.4).
  void clip() noexcept {
    for (int k = 0; k < p_.rank; ++k) p_.solution.t[k] = p_.g[k];
    for (int c = 0; c < p_.count; ++c) {
      ContactImpulse<S>& x = p_.impulse[c];
      const PointContact<S>& contact = contacts_[c];
      const S limit = limit_of(contact) * x.n;
      const S tangential = x.t2 * x.t2 + x.t3 * x.t3;
      if (tangential > limit * limit) {
        const Slip<S> slip =
            contact.is_sliding ? sliding_friction(contact) : breakaway(contact, x, std::sqrt(tangential));
        x.t2 = x.n * slip.weight * slip.t2, x.t3 = x.n * slip.weight * slip.t3;
        x.slides = true;
      }
      add_impulse(c, x);
    }
  }

  // Releases the rows that ended without an impulse and separate, and takes back rows that were released and approach
  // (method 2.7). False: no row changes.
  [[nodiscard]] bool release_rows() noexcept {
    bool changed = constraints_.release();
    for (int c = 0; c < p_.count; ++c) {
      const S excess = velocity_of(3 * c) + offset_of(c, 0);
      const bool leaves = !released_[c] && !(p_.impulse[c].n > S(0)) && excess > S(0);
      const bool returns = released_[c] && excess < S(0);
      if (!leaves && !returns) continue;
      released_[c] = leaves;
      changed = true;
    }
    return changed;
  }

  // Solves with a pyramid of four sides inside the QP: mu n +- t2 >= 0, mu n +- t3 >= 0.
  [[nodiscard]] Status solve_pyramid(Inequalities<S, Problem::kUnknowns, 4 * Capacity>& sides) noexcept {
    auto& qp = p_.problem;
    qp.rank = p_.rank;
    qp.unknowns = 0;
    qp.is_symmetric = true;
    sides.rows = 0;
    copy_row(p_.g, qp.g);
    for (int c = 0; c < p_.count; ++c) {
      add_known(c);
      places_[c] = add_sticking(c);
    }
    for (int c = 0; c < p_.count; ++c) {
      const S mu = limit_of(contacts_[c]);
      const Places at = places_[c];
      for (int side = 0; side < 4; ++side) {
        const int tangential = side < 2 ? at.t2 : at.t3;
        if (tangential < 0) continue;
        S* const row = sides.G[sides.rows];
        for (int i = 0; i < qp.unknowns; ++i) row[i] = S(0);
        if (at.n >= 0) row[at.n] = mu;
        row[tangential] = side % 2 == 0 ? S(1) : S(-1);
        sides.h[sides.rows++] = -mu * p_.demand[c].known_normal;
      }
    }
    const Status status = solve_with_inequalities(qp, sides, p_.solution);
    if (!ok(status)) return status;
    iterations_ += p_.solution.iterations;
    ++passes_;
    for (int c = 0; c < p_.count; ++c) {
      read_back(c);
      ContactImpulse<S>& x = p_.impulse[c];
      // A contact on the pyramid's surface slides.
      const S mu = limit_of(contacts_[c]);
      const S most = std::abs(x.t2) > std::abs(x.t3) ? std::abs(x.t2) : std::abs(x.t3);
      x.slides = most >= mu * x.n * (S(1) - Tolerance<S>::kOnCone);
    }
    return status;
  }

  void finish() noexcept {
    if (passes_ > 1) return;
    for (int c = 0; c < p_.count; ++c)
      p_.impulse[c].warm_start.at_bound_at_end = p_.impulse[c].warm_start.at_bound_sticking;
  }
  [[nodiscard]] int iterations() const noexcept { return iterations_; }
  [[nodiscard]] int passes() const noexcept { return passes_; }

 private:
  static constexpr bool kByState = rule != FrictionRule::resolved;
  static constexpr bool kResolves = rule == FrictionRule::resolved || rule == FrictionRule::resolved_by_state;

  // The unknowns of a contact in the present pass; -1: none.
  struct Places {
    int n;
    int t2;
    int t3;
  };
  [[nodiscard]] bool has_normal(int c) const noexcept {
    return p_.demand[c].has_normal_row && p_.mobility[3 * c] > immobile_;
  }

  // The part of the velocity of row (c, axis) that is not Y t: drift less target.
  [[nodiscard]] S offset_of(int c, int axis) const noexcept {
    const PointContact<S>& contact = contacts_[c];
    if (axis == 0) return contact.drift[0] - p_.demand[c].normal_velocity;
    return contact.drift[axis] + p_.demand[c].tangential_rate * contact.displacement[axis - 1];
  }
  // The relaxation of a row. A material gives that of the velocity form, 1/kg², relative to A_ii² or absolute; that of
  // the energy form is this number over A_ii.
  [[nodiscard]] static S lambda_of(const MaterialConstants<S>& m, S A) noexcept {
    if (functional == Functional::velocity) return m.relaxation_is_absolute ? m.relaxation : m.relaxation * A * A;
    const S relative = m.relaxation_is_absolute ? m.relaxation / (A * A) : m.relaxation;
    return A * (relative > Tolerance<S>::kLeastRelaxation ? relative : Tolerance<S>::kLeastRelaxation);
  }
  // The mean mobility of the tangents that can move: one number for both, so that the result does not depend on their
  // directions.
  [[nodiscard]] S tangential_mobility(int c) const noexcept {
    const S a = p_.mobility[3 * c + 1];
    const S b = p_.mobility[3 * c + 2];
    return a > immobile_ && b > immobile_ ? S(0.5) * (a + b) : a > b ? a : b;
  }
  [[nodiscard]] S velocity_of(int row) const noexcept {
    S sum = S(0);
    for (int k = 0; k < p_.rank; ++k) sum += p_.Y[row][k] * p_.solution.t[k];
    return sum;
  }

  template <class Qp>
  [[nodiscard]] Status solve_form(const Qp& qp) noexcept {
    if constexpr (functional == Functional::energy)
      return solve_energy_form(qp, p_.solution, refinement_for(p_));
    else if constexpr (functional == Functional::velocity)
      return solve_velocity_form(qp, p_.solution);
    else
      return solve_basic(qp, p_.solution);
  }

  // Copies a row in its full length: a copy of known size needs no call.
  static void copy_row(const S* from, S* to) noexcept {
    __builtin_memcpy(to, from, sizeof(S) * static_cast<std::size_t>(MaxRank));
  }
  int add_unknown(int row, S offset, S lambda, bool is_bounded, bool starts_at_bound) noexcept {
    auto& qp = p_.problem;
    const int i = qp.unknowns++;
    copy_row(p_.Y[row], qp.row[i]);
    qp.offset[i] = offset;
    qp.lambda[i] = lambda;
    qp.is_bounded[i] = is_bounded;
    p_.solution.at_bound[i] = starts_at_bound;
    return i;
  }
  int add_normal(int c) noexcept {
    if (!has_normal(c)) return -1;
    const WarmStart& start = p_.impulse[c].warm_start;
    return add_unknown(3 * c, offset_of(c, 0), lambda_of(*contacts_[c].material, p_.mobility[3 * c]), true,
                       passes_ == 0 ? start.at_bound_sticking : start.at_bound_at_end);
  }
  [[nodiscard]] Places add_sticking(int c) noexcept {
    Places at{add_normal(c), -1, -1};
    const bool moves2 = p_.mobility[3 * c + 1] > immobile_;
    const bool moves3 = p_.mobility[3 * c + 2] > immobile_;
    if (!moves2 && !moves3) return at;
    const S lambda = lambda_of(*contacts_[c].material, tangential_mobility(c));
    if (moves2) at.t2 = add_unknown(3 * c + 1, offset_of(c, 1), lambda, false, false);
    if (moves3) at.t3 = add_unknown(3 * c + 2, offset_of(c, 2), lambda, false, false);
    return at;
  }
  [[nodiscard]] Places add_sliding(int c) noexcept {
    const int n = add_normal(c);
    if (n >= 0) p_.problem.is_symmetric = false;
    return {n, -1, -1};
  }
  void fill_columns() noexcept {
    auto& qp = p_.problem;
    for (int i = 0; i < qp.unknowns; ++i) copy_row(qp.row[i], qp.column[i]);
    for (int c = 0; c < p_.count; ++c)
      if (slides_[c] && places_[c].n >= 0) add_friction(c, S(1), qp.column[places_[c].n]);
  }
  // Adds the velocity that the friction of a normal impulse `size` causes: to += size w (t . Y_t).
  void add_friction(int c, S size, S* to) const noexcept {
    const S t2 = size * slip_[c].weight * slip_[c].t2;
    const S t3 = size * slip_[c].weight * slip_[c].t3;
    for (int k = 0; k < p_.rank; ++k) to[k] += t2 * p_.Y[3 * c + 1][k] + t3 * p_.Y[3 * c + 2][k];
  }
  // Adds the impulses that act in any case: the membrane's, and the friction of that part.
  void add_known(int c) noexcept {
    const S known = p_.demand[c].known_normal;
    if (!(known > S(0))) return;
    for (int k = 0; k < p_.rank; ++k) p_.problem.g[k] += known * p_.Y[3 * c][k];
    if (slides_[c]) add_friction(c, known, p_.problem.g);
  }
  void add_impulse(int c, const ContactImpulse<S>& x) noexcept {
    for (int k = 0; k < p_.rank; ++k)
      p_.solution.t[k] += x.n * p_.Y[3 * c][k] + x.t2 * p_.Y[3 * c + 1][k] + x.t3 * p_.Y[3 * c + 2][k];
  }

  void read_back(int c) noexcept {
    const Places at = places_[c];
    const bool slides = kResolves && slides_[c];
    ContactImpulse<S>& x = p_.impulse[c];
    const S n = p_.demand[c].known_normal + solved(at.n);
    x.n = n;
    // The first pass, where all contacts stick, and the later ones have warm starts of their own.
    (passes_ == 1 ? x.warm_start.at_bound_sticking : x.warm_start.at_bound_at_end) =
        released_[c] || (at.n >= 0 && p_.solution.at_bound[at.n]);
    x.slides = slides;
    if (slides) {
      const Slip<S> slip = slip_[c];
      x.t2 = n * slip.weight * slip.t2, x.t3 = n * slip.weight * slip.t3;
      return;
    }
    x.t2 = solved(at.t2);
    x.t3 = solved(at.t3);
  }
  [[nodiscard]] S solved(int unknown) const noexcept { return unknown >= 0 ? p_.solution.x[unknown] : S(0); }

  [[nodiscard]] Slip<S> sliding_friction(const PointContact<S>& contact) const noexcept {
    const S speed = std::sqrt(contact.velocity[1] * contact.velocity[1] + contact.velocity[2] * contact.velocity[2]);
    if (!(speed > Tolerance<S>::kSmallest)) return {S(0), S(0), S(0)};
    const S weight = contact.material->kinetic_friction * smoothing(parameters_.smoothing_s_per_m, speed);
    return {-contact.velocity[1] / speed, -contact.velocity[2] / speed, weight};
  }
  [[nodiscard]] static Slip<S> breakaway(const PointContact<S>& contact, const ContactImpulse<S>& x,
                                         S tangential) noexcept {
    return {x.t2 / tangential, x.t3 / tangential, contact.material->kinetic_friction};
  }
  // Direction and weight of the friction of a contact that begins to slide: against the slip if there is any, else
  // along the impulse that sticking needed.
  [[nodiscard]] Slip<S> find_slip(int c, const ContactImpulse<S>& x, S tangential) const noexcept {
    const PointContact<S>& contact = contacts_[c];
    const S speed = std::sqrt(contact.velocity[1] * contact.velocity[1] + contact.velocity[2] * contact.velocity[2]);
    const bool moves = speed > parameters_.slip_mps;
    Slip<S> slip = breakaway(contact, x, tangential);
    // Friction along the old slip is an explicit damper, which overshoots where it could stop the slip within the step.
    const S stoppable = kByState ? S(0) : slip.weight * x.n * tangential_mobility(c);
    if (moves && speed > stoppable) slip.t2 = -contact.velocity[1] / speed, slip.t3 = -contact.velocity[2] / speed;
    if (kByState || moves) {
      if (contact.is_sliding) slip.weight *= smoothing(parameters_.smoothing_s_per_m, speed);
    } else {
      slip.weight = contact.material->static_friction;
    }
    return slip;
  }
  // The friction coefficient that decides whether a contact sticks.
  [[nodiscard]] S limit_of(const PointContact<S>& contact) const noexcept {
    const MaterialConstants<S>& m = *contact.material;
    if (!contact.is_sliding) return m.static_friction;
    const S speed2 = contact.velocity[1] * contact.velocity[1] + contact.velocity[2] * contact.velocity[2];
    return kByState || speed2 > parameters_.slip_mps * parameters_.slip_mps ? m.kinetic_friction : m.static_friction;
  }
  // The normal mobility of a sliding contact: nᵀ A (n + mu w t).
  [[nodiscard]] S mobility_along_slip(int c) const noexcept {
    S sum = p_.mobility[3 * c];
    for (int k = 0; k < p_.rank; ++k)
      sum += p_.Y[3 * c][k] * slip_[c].weight * (slip_[c].t2 * p_.Y[3 * c + 1][k] + slip_[c].t3 * p_.Y[3 * c + 2][k]);
    return sum;
  }

  Problem& p_;
  const PointContact<S>* contacts_;
  const ContactParameters<S>& parameters_;
  JointRows<functional, S, Problem> joints_;
  ConstraintRows<functional, S, Problem> constraints_;
  S immobile_{};
  int iterations_{0};
  int passes_{0};
  int weakened_{0};
  Places places_[static_cast<std::size_t>(Capacity)];
  bool slides_[static_cast<std::size_t>(Capacity)] = {};
  bool released_[static_cast<std::size_t>(Capacity)] = {};
  Slip<S> slip_[static_cast<std::size_t>(Capacity)];
  S largest_weight_[static_cast<std::size_t>(Capacity)] = {};  // of a contact's friction while it slides
};

}  // namespace detail

// Whether rows that separate leave the velocity form (method 2.7).
enum class RowRelease : std::uint8_t { never, when_separating };
// Whether friction is weakened where the kinetic energy grows. Springs may bring energy: they need it off.
enum class EnergyGuard : std::uint8_t { off, on };

// Finds the impulses of all contacts and the velocity after them, for the demands in `problem`.
template <FrictionRule rule, Functional functional, class S, int MaxRank, int Capacity, int Joints, int Constraints,
          class Bodies>
[[nodiscard]] inline Status resolve_contacts(ContactProblem<S, MaxRank, Capacity, Joints, Constraints, Bodies>& problem,
                                             const PointContact<S>* contacts, const ContactParameters<S>& parameters,
                                             RowRelease release, EnergyGuard guard, ContactEffort& effort) noexcept {
  static_assert(
      Joints + Constraints == 0 || rule == FrictionRule::resolved || rule == FrictionRule::resolved_by_state,
      "kinecast: with friction in the joints, limits or loops, contact friction must be resolved, not clipped and no "
      "pyramid");
  detail::Resolver<rule, functional, S, MaxRank, Capacity, Joints, Constraints, Bodies> resolver(problem, contacts,
                                                                                                 parameters);
  fence_union();  // the columns end here, the solver's problem begins
  resolver.begin();
  Status worst = Status::ok;
  bool is_stuck = false;
  if constexpr (rule == FrictionRule::pyramid) {
    Inequalities<S, ContactProblem<S, MaxRank, Capacity, Joints, Constraints, Bodies>::kUnknowns, 4 * Capacity> sides;
    worst = resolver.solve_pyramid(sides);
  } else {
    // Every pass but the last changes something: a contact begins to slide (once each), a joint does (and returns, a
    // few times), rows leave and return, friction follows the slip (once), or is weakened.
    int releases_left = release == RowRelease::when_separating ? 2 * Capacity + 2 : 0;
    int follows_left = rule == FrictionRule::resolved ? 1 : 0;
    const int most = Capacity + resolver.kMostJointChanges + releases_left + follows_left + resolver.kWeakenings + 1;
    for (int pass = 0; pass < most; ++pass) {
      const Status status = resolver.solve();
      if (!ok(status)) return status;
      worst = status;
      if (rule == FrictionRule::clipped) {
        resolver.clip();
        break;
      }
      // Joints begin to slide first: the impulse that stops a moving joint at once loads contacts that need not slide.
      bool changes = resolver.start_sliding_joints() || resolver.start_sliding();
      if (releases_left > 0 && resolver.release_rows()) {
        changes = true;
        // The release is not proved to end (method 2.7): after the last one the rows stay as they are.
        if (--releases_left == 0) is_stuck = true;
      }
      if (changes || (follows_left-- > 0 && resolver.follow_slip())) continue;
      if (rule != FrictionRule::resolved || !resolver.can_weaken()) break;
      if (!is_warning(status) && !(guard == EnergyGuard::on && resolver.gains_energy())) break;
      resolver.weaken_friction();
    }
    if (is_stuck) worst = Status::iterations_exhausted;
  }
  resolver.finish();
  effort = {resolver.iterations(), resolver.passes()};
  return worst;
}

}  // namespace kinecast
