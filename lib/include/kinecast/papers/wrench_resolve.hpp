// SPDX-License-Identifier: MIT
// The wrenches of volume contacts, and which of them stick (method 6.3 to 6.5). Every contact starts sticking, with six
// unknowns and the centre of pressure within its polygon. A contact whose wrench no friction at the polygon's corners
// can make (method 6.4) slides: three unknowns are left, the pressure. Its friction acts against the slip of
// each corner (method 6.5), or, where nothing moves yet, it is what sticking needs as far as friction reaches.
// Pressure and friction are found in turns until neither changes (method 6.5, FIX 28). A contact is never
// moved back to sticking within a step; all loops are bounded. Joints with dry friction take part with rows of
// their own (papers/joint_rows.hpp).
#pragma once

#include <kinecast/papers/constraint_rows.hpp>
#include <kinecast/papers/cover.hpp>
#include <kinecast/papers/joint_rows.hpp>
#include <kinecast/papers/kinetic_friction.hpp>
#include <kinecast/papers/limit_friction.hpp>
#include <kinecast/papers/relaxed.hpp>
#include <kinecast/papers/static_friction.hpp>
#include <kinecast/papers/wrench_problem.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace kinecast {

namespace detail {

template <class Model, class S, class Contact, class Problem, int Capacity>
class WrenchResolver {
 public:
  static constexpr int kMostTurns = 12;  // turns of friction and pressure
  static constexpr int kFineTurns = 6;   // after these turns friction need only be good enough for the slip
  static constexpr int kWeakenings = 3;  // friction is weakened to a half, a quarter, none
  static constexpr int kMostJointChanges = JointRows<Functional::energy, S, Problem>::kMostChanges;

  WrenchResolver(Problem& problem, const Contact* contacts, const ContactParameters<S>& parameters, S dt) noexcept
      : p_(problem), contacts_(contacts), parameters_(parameters), dt_(dt), joints_(problem), constraints_(problem) {}

  void begin() noexcept {
    S forces = S(0);
    S moments = S(0);
    for (int c = 0; c < p_.count; ++c) {
      for (int i = 0; i < 6; ++i) {
        S& largest = is_moment(i) ? moments : forces;
        largest = p_.mobility[6 * c + i] > largest ? p_.mobility[6 * c + i] : largest;
      }
    }
    immobile_force_ = Tolerance<S>::kImmobile * forces;
    immobile_moment_ = Tolerance<S>::kImmobile * moments;
    for (int c = 0; c < p_.count; ++c) {
      p_.impulse[c].slides = false;
      // A compensation that removes the depth within one step leaves a body rocking between two edges: at most half of
      // the depth goes in a step, unless the papers' rule is asked for.
      constexpr S kFastest = kByState ? S(1) : S(0.5);
      const S k = contacts_[c].material->compensation;
      rate_[c] = k * dt_ < kFastest ? k : kFastest / dt_;
      find_target(c);
    }
    joints_.begin();
  }

  // Solves for the present sets of sticking and sliding contacts and the present friction of those that slide.
  [[nodiscard]] Status solve() noexcept {
    auto& qp = p_.problem;
    qp.unknowns = 0;
    qp.is_symmetric = true;
    S known[static_cast<std::size_t>(Problem::kRank)];  // velocity in factor space without the unknown impulses
    for (int k = 0; k < p_.rank; ++k) known[k] = p_.g[k];
    for (int c = 0; c < p_.count; ++c)
      if (p_.impulse[c].slides) add_wrench(c, 3, known);
    for (int c = 0; c < p_.count; ++c) add_unknowns(c);
    if constexpr (Model::kFunctional == Functional::energy) {
      qp.rank = p_.rank;
      for (int k = 0; k < p_.rank; ++k) qp.g[k] = known[k];
      joints_.add();
      constraints_.add();
    } else {
      find_paper_rows(known);
    }
    p_.pressure.rows = 0;
    for (int c = 0; c < p_.count; ++c) add_pressure_rows(c);
    const Status status = solve_with_inequalities(qp, p_.pressure, p_.solution);
    if (!ok(status)) return status;
    iterations_ += p_.solution.iterations;
    ++passes_;
    for (int c = 0; c < p_.count; ++c) {
      const int end = p_.impulse[c].slides ? 3 : 6;
      for (int i = 0; i < end; ++i) p_.impulse[c].wrench[i] = places_[c][i] >= 0 ? p_.solution.x[places_[c][i]] : S(0);
    }
    if constexpr (Model::kFunctional == Functional::energy) {
      joints_.read_back();
      constraints_.read_back();
    } else {
      for (int k = 0; k < p_.rank; ++k) p_.solution.t[k] = p_.g[k];
      for (int c = 0; c < p_.count; ++c) add_wrench(c, 0, p_.solution.t);
    }
    return status;
  }

  // Updates the friction of sliding contacts for the pressures just found. False: the friction is the one that they
  // were found with. Pressure and friction depend on each other almost linearly, so a secant step (Anderson, of depth
  // one) needs a few turns where plain repetition needs many.
  [[nodiscard]] bool update_friction(int turn) noexcept {
    bool changes = false;
    S slope = S(0);   // sum of rest times change of the rest since the last turn,
    S square = S(0);  // and sum of the squares of that change
    S found[static_cast<std::size_t>(Capacity)][3];
    for (int c = 0; c < p_.count; ++c) {
      const WrenchImpulse<S>& x = p_.impulse[c];
      if (!x.slides) continue;
      find_friction(c, found[c]);
      for (int i = 0; i < 3; ++i) {
        const S unit = i < 2 ? S(1) : S(1) / contacts_[c].reach;
        const S rest = unit * (found[c][i] - x.wrench[3 + i]);
        if (std::abs(rest) > Tolerance<S>::kSettledFriction * slip_[c].friction * x.wrench[0] + accepted(turn, c))
          changes = true;
        if (turn == 0) continue;
        const S change = rest - unit * slip_[c].rest[i];
        slope += rest * change;
        square += change * change;
      }
    }
    const S secant = square > S(0) ? slope / square : S(0);
    // A secant step that leads far away is not used: friction goes halfway instead.
    const bool is_good = std::abs(secant) < S(1);
    for (int c = 0; c < p_.count; ++c) {
      WrenchImpulse<S>& x = p_.impulse[c];
      if (!x.slides) continue;
      Slip& slip = slip_[c];
      for (int i = 0; i < 3; ++i) {
        const S at = x.wrench[3 + i];
        const S to = found[c][i];
        if (changes)
          x.wrench[3 + i] = turn == 0 ? to : is_good ? to - secant * (to - slip.found[i]) : S(0.5) * (at + to);
        slip.rest[i] = to - at;
        slip.found[i] = to;
      }
    }
    return changes;
  }
  [[nodiscard]] bool any_slides() const noexcept {
    for (int c = 0; c < p_.count; ++c)
      if (p_.impulse[c].slides) return true;
    return false;
  }

  [[nodiscard]] bool start_sliding_joints() noexcept { return joints_.start_sliding(); }

  // A contact without pressure neither sticks nor slides.
  void finish() noexcept {
    for (int c = 0; c < p_.count; ++c)
      if (!(p_.impulse[c].wrench[0] > S(0))) clear_wrench(c);
  }

  // A contact without pressure has no wrench at all (method 6.4, FIX 27): its parts are taken out of the velocity.
  void clear_wrench(int c) noexcept {
    WrenchImpulse<S>& x = p_.impulse[c];
    x.slides = false;
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < p_.rank; ++k) p_.solution.t[k] -= x.wrench[i] * p_.Y[6 * c + i][k];
      x.wrench[i] = S(0);
    }
  }

  // Contacts whose wrench friction cannot make begin to slide: those that exceed it most, for the others may hold when
  // these let go. False: all hold.
  [[nodiscard]] bool start_sliding() noexcept {
    S excess[static_cast<std::size_t>(Capacity)] = {};
    S most = S(-1);
    for (int c = 0; c < p_.count; ++c) {
      excess[c] = S(-1);
      const S(&x)[6] = p_.impulse[c].wrench;
      const Contact& contact = contacts_[c];
      if (p_.impulse[c].slides || static_friction_holds<Model::kSides, Model::kMostCorners>(
                                      contact.corner, contact.corners, limit_of(contact), x))
        continue;
      const S asked = std::sqrt(x[3] * x[3] + x[4] * x[4]) + std::abs(x[5]) / contact.reach;
      const S beyond = asked - limit_of(contact) * x[0];
      excess[c] = beyond > S(0) ? beyond : S(0);
      most = excess[c] > most ? excess[c] : most;
    }
    for (int c = 0; c < p_.count; ++c)
      if (excess[c] >= S(0) && !(excess[c] < Tolerance<S>::kSlidesToo * most)) begin_sliding(c);
    return most >= S(0);
  }

  // Whether friction drives a contact. Sticking cannot create energy, but friction against the slip before an impact
  // can: where it reverses the slip, it pushes along with the motion. The energy that a contact adds, beyond working
  // depth off, is x_t . V_t at the end of the step.
  [[nodiscard]] bool friction_drives() const noexcept {
    for (int c = 0; c < p_.count; ++c) {
      if (!p_.impulse[c].slides) continue;
      const Contact& contact = contacts_[c];
      S power = S(0);
      S size = S(0);
      for (int i = 3; i < 6; ++i) {
        const S x = p_.impulse[c].wrench[i];
        S velocity = contact.drift[i];
        for (int k = 0; k < p_.rank; ++k) velocity += p_.Y[6 * c + i][k] * p_.solution.t[k];
        power += x * velocity;
        size += std::abs(x) * (std::abs(velocity) + std::abs(contact.velocity[i]));
      }
      if (power > Tolerance<S>::kDrivingFriction * size) return true;
    }
    return false;
  }
  // Weakens the friction of all sliding contacts, in the end to none, which is always
  // passive. False: it is none already.
  [[nodiscard]] bool weaken_friction() noexcept {
    if (weakened_ == kWeakenings) return false;
    ++weakened_;
    for (int c = 0; c < p_.count; ++c)
      if (p_.impulse[c].slides) slip_[c].friction *= weakened_ < kWeakenings ? S(0.5) : S(0);
    return true;
  }

  [[nodiscard]] int iterations() const noexcept { return iterations_; }
  [[nodiscard]] int passes() const noexcept { return passes_; }

 private:
  static constexpr bool kByState = Model::kRule == FrictionRule::resolved_by_state;

  // A sliding contact.
  struct Slip {
    bool moves;                                                     // a corner is faster than slip_mps
    S sticking[3];                                                  // the friction that sticking would need
    S direction[static_cast<std::size_t>(Model::kMostCorners)][2];  // of friction at each corner, times omega
    S friction;                                                     // coefficient
    S weights[3];                                                   // of the kinetic program's objective
    KineticBasis basis;
    S found[3];  // friction that the last turn found,
    S rest[3];   // and its difference from the friction that it was found with
  };

  // The change of friction that is accepted after the fine turns. Rounding may decide the friction of a contact that
  // hardly carries anew in every turn; a change that alters the slip by less than a tenth of slip_mps does not matter.
  [[nodiscard]] S accepted(int turn, int c) const noexcept {
    if (turn < kFineTurns) return S(0);
    const S* a = &p_.mobility[6 * c];
    return Tolerance<S>::kUnfeltSlip * parameters_.slip_mps / (a[0] + a[3] + a[4]);
  }

  void find_friction(int c, S (&friction)[3]) noexcept {
    const Contact& contact = contacts_[c];
    const S(&x)[6] = p_.impulse[c].wrench;
    const S normal[3] = {x[0], x[1], x[2]};
    friction[0] = friction[1] = friction[2] = S(0);
    if (!(normal[0] > S(0))) return;
    Slip& slip = slip_[c];
    if (slip.moves) {
      // Where the linear program fails there is no friction.
      (void)ok(kinetic_friction<Model::kMostCorners>(contact.corner, contact.corners, slip.direction, slip.friction,
                                                     normal, slip.weights, slip.basis, friction));
    } else {
      limit_friction(contact.corner, contact.corners, slip.friction, normal, slip.sticking, friction);
    }
  }

  [[nodiscard]] static constexpr bool is_moment(int i) noexcept { return i == 1 || i == 2 || i == 5; }
  // Whether component i of the wrench can move anything. A moment is at most f_n times the polygon's reach: one that
  // then turns next to nothing, compared with what a force moves, is left out, as a corner is a point.
  [[nodiscard]] bool can_move(int c, int i) const noexcept {
    const S* a = &p_.mobility[6 * c];
    if (!is_moment(i)) return a[i] > immobile_force_;
    const S reach = contacts_[c].reach;
    return a[i] > immobile_moment_ && a[i] * reach * reach > Tolerance<S>::kPointLike * (a[0] + a[3] + a[4]);
  }

  // Finds the normal motion that works the thickness off at rate k, with no corner faster than push_out_mps.
  void find_target(int c) noexcept {
    const Contact& contact = contacts_[c];
    const S(&h)[3] = contact.half_thickness;
    S rate = rate_[c];
    const S deepest = h[0] + (std::abs(h[1]) + std::abs(h[2])) * contact.reach;
    if (rate * deepest > parameters_.push_out_mps) rate = parameters_.push_out_mps / deepest;
    target_[c][0] = rate * h[0];
    target_[c][1] = rate * h[2];
    target_[c][2] = -rate * h[1];
  }
  // The part of a row's velocity that is not Y t: drift less target.
  [[nodiscard]] S offset_of(int c, int i) const noexcept {
    const Contact& contact = contacts_[c];
    return i < 3 ? contact.drift[i] - target_[c][i] : contact.drift[i] + rate_[c] * contact.displacement[i - 3];
  }

  // Lambda = relaxation times the mean mobility of the forces, or of the moments (method 6.3b).
  [[nodiscard]] S lambda_of(int c, int i) const noexcept {
    const MaterialConstants<S>& m = *contacts_[c].material;
    const S* a = &p_.mobility[6 * c];
    const S mean = (is_moment(i) ? a[1] + a[2] + a[5] : a[0] + a[3] + a[4]) * S(1.0 / 3.0);
    if constexpr (Model::kFunctional == Functional::velocity) {
      // Method 6.3a: one number for the forces, over the contact's area for the moments.
      const S forces = (a[0] + a[3] + a[4]) * S(1.0 / 3.0);
      const S area = contacts_[c].area;
      const S lambda = m.relaxation_is_absolute ? m.volume_relaxation : m.volume_relaxation * forces * forces * area;
      return is_moment(i) ? lambda / (area > S(0) ? area : contacts_[c].reach * contacts_[c].reach) : lambda;
    } else {
      // The relaxation of the moments lets the patch's rim move at most as that of the forces lets its centre move: a
      // long thin body would rock otherwise.
      const S forces = (a[0] + a[3] + a[4]) * S(1.0 / 3.0);
      const S most = S(6) * forces / (contacts_[c].reach * contacts_[c].reach);
      const S of = is_moment(i) && most < mean ? most : mean;
      const S relative = m.relaxation_is_absolute ? m.volume_relaxation / (mean * mean) : m.volume_relaxation;
      return of * (relative > Tolerance<S>::kLeastRelaxation ? relative : Tolerance<S>::kLeastRelaxation);
    }
  }

  void add_unknowns(int c) noexcept {
    auto& qp = p_.problem;
    for (int i = 0; i < 6; ++i) {
      places_[c][i] = -1;
      if ((i >= 3 && p_.impulse[c].slides) || !can_move(c, i)) continue;
      const int at = qp.unknowns++;
      places_[c][i] = at;
      if constexpr (Model::kFunctional == Functional::energy) {
        for (int k = 0; k < p_.rank; ++k) qp.row[at][k] = p_.Y[6 * c + i][k];
        qp.offset[at] = offset_of(c, i);
      }
      qp.lambda[at] = lambda_of(c, i);
      qp.is_bounded[at] = i == 0;
      p_.solution.at_bound[at] = false;
    }
  }

  // Adds a row per edge of the polygon: f_n times the distance of the centre of pressure from the edge, positive
  // inside, over the polygon's reach.
  void add_pressure_rows(int c) noexcept {
    const Contact& contact = contacts_[c];
    const auto& at = places_[c];
    auto& rows = p_.pressure;
    if (at[0] < 0) return;
    const S scale = S(1) / contact.reach;
    for (int e = 0; e < contact.corners; ++e) {
      const S(&from)[2] = contact.corner[e];
      const S(&to)[2] = contact.corner[e + 1 < contact.corners ? e + 1 : 0];
      const S x = to[0] - from[0];
      const S y = to[1] - from[1];
      const S length = std::sqrt(x * x + y * y);
      if (!(length > S(0))) continue;
      const S inward[2] = {-y / length, x / length};
      S* const row = rows.G[rows.rows];
      for (int i = 0; i < p_.problem.unknowns; ++i) row[i] = S(0);
      row[at[0]] = -(from[0] * inward[0] + from[1] * inward[1]) * scale;
      if (at[1] >= 0) row[at[1]] = inward[1] * scale;
      if (at[2] >= 0) row[at[2]] = -inward[0] * scale;
      rows.h[rows.rows++] = S(0);
    }
  }

  // Adds the velocity that the wrench's components from `first` on cause to `to`.
  void add_wrench(int c, int first, S* to) const noexcept {
    for (int i = first; i < 6; ++i) {
      const S size = p_.impulse[c].wrench[i];
      for (int k = 0; k < p_.rank; ++k) to[k] += size * p_.Y[6 * c + i][k];
    }
  }

  void begin_sliding(int c) noexcept {
    WrenchImpulse<S>& x = p_.impulse[c];
    const Contact& contact = contacts_[c];
    Slip& slip = slip_[c];
    x.slides = true;
    find_kinetic_weights(x.wrench, contact.reach, slip.weights);
    slip.basis = {};
    for (int i = 0; i < 3; ++i) slip.sticking[i] = x.wrench[3 + i];
    const S(&v)[6] = contact.velocity;
    S fastest2 = S(0);
    for (int l = 0; l < contact.corners; ++l) {
      const S v1 = v[3] - v[5] * contact.corner[l][1];
      const S v2 = v[4] + v[5] * contact.corner[l][0];
      slip.direction[l][0] = v1, slip.direction[l][1] = v2;
      fastest2 = v1 * v1 + v2 * v2 > fastest2 ? v1 * v1 + v2 * v2 : fastest2;
    }
    slip.moves = fastest2 > parameters_.slip_mps * parameters_.slip_mps;
    const MaterialConstants<S>& m = *contact.material;
    slip.friction = kByState || slip.moves ? m.kinetic_friction : m.static_friction;
    for (int l = 0; l < contact.corners; ++l) {
      S(&d)[2] = slip.direction[l];
      const S size = std::sqrt(d[0] * d[0] + d[1] * d[1]);
      const S omega = contact.is_sliding ? smoothing(parameters_.smoothing_s_per_m, size) : S(1);
      const S scale = size > Tolerance<S>::kSmallest ? -omega / size : S(0);
      d[0] *= scale, d[1] *= scale;
    }
    for (int i = 3; i < 6; ++i) x.wrench[i] = S(0);
  }

  // The coefficient that decides whether a contact sticks.
  [[nodiscard]] S limit_of(const Contact& contact) const noexcept {
    const MaterialConstants<S>& m = *contact.material;
    if (!contact.is_sliding) return m.static_friction;
    const S(&v)[6] = contact.velocity;
    const S turning = std::abs(v[5]) * contact.reach;
    const S speed = std::sqrt(v[3] * v[3] + v[4] * v[4]) + turning;
    return kByState || speed > parameters_.slip_mps ? m.kinetic_friction : m.static_friction;
  }

  // Finds the rows of the paper's functional ½|Cᵀ(A x + l)|² - k wᵀ A x with Q = C Cᵀ (method 6.3a): the solver's
  // factor space is that of the rows.
  void find_paper_rows(const S* known) noexcept {
    auto& qp = p_.problem;
    const int rows = 6 * p_.count;
    qp.rank = rows;
    for (int c = 0; c < p_.count; ++c) factor_cover(c);
    S velocity[static_cast<std::size_t>(6 * Capacity)];
    for (int r = 0; r < rows; ++r) {
      S sum = S(0);
      for (int k = 0; k < p_.rank; ++k) sum += p_.Y[r][k] * known[k];
      const int i = r % 6;
      const Contact& contact = contacts_[r / 6];
      velocity[r] = sum + contact.drift[i] + (i >= 3 ? rate_[r / 6] * contact.displacement[i - 3] : S(0));
    }
    multiply_covers(velocity, qp.g);
    for (int c = 0; c < p_.count; ++c) {
      for (int i = 0; i < 6; ++i) {
        const int at = places_[c][i];
        if (at < 0) continue;
        S pull = S(0);
        for (int r = 0; r < rows; ++r) {
          S sum = S(0);
          for (int k = 0; k < p_.rank; ++k) sum += p_.Y[r][k] * p_.Y[6 * c + i][k];
          velocity[r] = sum;
          const S(&h)[3] = contacts_[r / 6].heights;
          const S w = r % 6 == 0 ? h[0] : r % 6 == 1 ? h[2] : r % 6 == 2 ? -h[1] : S(0);
          pull += rate_[r / 6] * w * sum;
        }
        multiply_covers(velocity, qp.row[at]);
        qp.offset[at] = -pull;
      }
    }
  }
  void factor_cover(int c) noexcept {
    cover_[static_cast<std::size_t>(c)] = find_cover(contacts_[c].moments, p_.impulse[c].slides);
  }
  // out = Cᵀ v
  void multiply_covers(const S* v, S* out) const noexcept {
    for (int c = 0; c < p_.count; ++c) multiply_cover(cover_[static_cast<std::size_t>(c)], v + 6 * c, out + 6 * c);
  }

  Problem& p_;
  const Contact* contacts_;
  const ContactParameters<S>& parameters_;
  S dt_;
  JointRows<Functional::energy, S, Problem> joints_;
  ConstraintRows<Functional::energy, S, Problem> constraints_;
  S immobile_force_{};
  S immobile_moment_{};
  int iterations_{0};
  int passes_{0};
  int weakened_{0};
  S rate_[static_cast<std::size_t>(Capacity)];
  S target_[static_cast<std::size_t>(Capacity)][3];
  int places_[static_cast<std::size_t>(Capacity)][6];
  Slip slip_[static_cast<std::size_t>(Capacity)];
  // Used by the paper's functional alone.
  std::array<Cover<S>, static_cast<std::size_t>(Model::kFunctional == Functional::velocity ? Capacity : 0)> cover_;
};

}  // namespace detail

// Finds the wrenches of all contacts and the velocity after them.
template <class Model, int Capacity, class S, class Contact, class Problem>
[[nodiscard]] inline Status resolve_wrenches(Problem& problem, const Contact* contacts,
                                             const ContactParameters<S>& parameters, S dt,
                                             ContactEffort& effort) noexcept {
  using Resolver = detail::WrenchResolver<Model, S, Contact, Problem, Capacity>;
  fence_union();  // the columns end here, the solver's problem begins
  Resolver resolver(problem, contacts, parameters, dt);
  resolver.begin();
  Status worst = Status::ok;
  // Every pass but the last changes something: a contact begins to slide (once each), a joint does (and returns, a few
  // times), or friction is weakened.
  constexpr int kMost = Capacity + Resolver::kMostJointChanges + Resolver::kWeakenings + 1;
  for (int pass = 0; pass < kMost; ++pass) {
    Status status = resolver.solve();
    if (!ok(status)) return status;
    worst = status;
    if (resolver.any_slides()) {
      bool turns = true;
      for (int turn = 0; turn < Resolver::kMostTurns && turns; ++turn) {
        turns = resolver.update_friction(turn);
        if (!turns) break;
        status = resolver.solve();
        if (!ok(status)) return status;
        worst = status;
      }
      if (turns) worst = Status::iterations_exhausted;
    }
    if (resolver.start_sliding_joints() || resolver.start_sliding()) continue;
    // Where friction jams, no pressure fits it, and the solver warns.
    const bool is_passive = !is_warning(worst) && !resolver.friction_drives();
    if (is_passive || !resolver.weaken_friction()) break;
  }
  resolver.finish();
  effort = {resolver.iterations(), resolver.passes()};
  return worst;
}

}  // namespace kinecast
