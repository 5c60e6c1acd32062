// SPDX-License-Identifier: MIT
// Many impacts at once, coupled by A = Y Yᵀ: points that touch (three rows each: normal, two tangents) and stops (one
// row each: a joint's limit). Impulses p change the velocity in factor space by t = Yᵀ p, so that v = u + Y t, and the
// energy by p . u + ½|t|².
//
// The impacts are resolved in rounds. All contacts that approach take part in a round, and those that rest without
// restitution (they are held, not hit). A contact that is coupled to none of the others follows the rule of impact.hpp.
// The others are resolved together; the order in which they are listed matters only as far as the sweeps have not
// settled:
//
//   frictionless:  0 <= p_n  perp  v_n + e u_n >= 0   by Lemke; it loses -½ Sum (1-e_i) p_i u_i, for each approaches
//   friction:      sweeps over the contacts from there, v_n = -e u_n, p_t against the slip left, |p_t| <= mu p_n
//   if the latter creates energy, the point between the two that loses the most: both are in the cone and reach -e u_n
//
// A contact that approaches because others were hit takes part in the next round. Contacts that still approach
// after the last round, or more slowly than Tolerance::kSlowApproach, are closed without restitution, and what is
// left of their approach by solve/nearest_velocity.hpp. Each of these steps loses or keeps energy, and at the end
// nothing approaches by more than Tolerance::kClosedApproach. (A contact that cannot be moved, a row of rounding
// among others, is left as it is.)
//
// Results: a rod or a box that lands flat stays flat, v = -e u at every end or corner, with equal impulses. In Newton's
// cradle of equal balls with e = 1 as many leave as came, for a ball at rest is hit in the next round; with e = 0 all
// move together. A contact that rests with e = 0 while another one lands is held where the impact presses on it, and
// let go where the impact lifts it; with e > 0 it is hit in the next round.
#pragma once

#include <kinecast/contact/impact/impact.hpp>
#include <kinecast/solve/lcp.hpp>
#include <kinecast/solve/nearest_velocity.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace kinecast {

// The impacts. Rows 3 c … 3 c + 2 are the normal and the tangents of point c; then each stop has one row. Of the arrays
// only what the counts cover is read.
template <class S, int MaxRank, int MaxPoints, int MaxStops = 0>
struct ImpactProblem {
  static_assert(MaxRank >= 1 && MaxPoints >= 0 && MaxStops >= 0 && MaxPoints + MaxStops >= 1,
                "kinecast: impacts need room for at least one point or stop");
  static constexpr int kContacts = MaxPoints + MaxStops;
  static constexpr int kRows = 3 * MaxPoints + MaxStops;

  int rank;
  int points;
  int stops;
  detail::Table<S, kRows, MaxRank> row;
  detail::Array<S, kRows> velocity;         // along the rows, before the impact
  detail::Array<S, kContacts> restitution;  // of the points, then of the stops
  detail::Array<S, kContacts> friction;     // of the points

  [[nodiscard]] int count() const noexcept { return points + stops; }
  [[nodiscard]] bool is_point(int contact) const noexcept { return contact < points; }
  [[nodiscard]] int first_row(int contact) const noexcept {
    return is_point(contact) ? 3 * contact : 2 * points + contact;
  }
  [[nodiscard]] int rows() const noexcept { return 3 * points + stops; }
};

template <class S, int MaxRank, int MaxPoints, int MaxStops = 0>
struct ImpactSolution {
  static constexpr int kRows = 3 * MaxPoints + MaxStops;
  detail::Array<S, kRows> impulse;   // along the rows
  detail::Array<S, kRows> velocity;  // along the rows, after the impact
  detail::Array<S, MaxRank> change;  // t, the change of the velocity in factor space
  S approach;  // the fastest approach left, over the fastest one before, both over the root of the contact's mobility
  int rounds;
  int sweeps;      // sweeps of friction in all rounds
  bool is_closed;  // a contact had to be closed without restitution
};

namespace detail {

template <class S, int MaxRank, int MaxPoints, int MaxStops>
class SimultaneousImpact {
 public:
  using Problem = ImpactProblem<S, MaxRank, MaxPoints, MaxStops>;
  using Solution = ImpactSolution<S, MaxRank, MaxPoints, MaxStops>;
  static constexpr int kSweeps = 60;
  static constexpr int kClosings = 3;

  SimultaneousImpact(const Problem& problem, Solution& solution) noexcept : p_(problem), s_(solution) {}

  // Resolves all impacts. False: a contact still approaches.
  [[nodiscard]] bool solve() noexcept {
    begin();
    if (!(scale_ > S(0))) return true;
    const int most_rounds = 2 * p_.count() + 4;
    while (s_.rounds < most_rounds && fastest_approach() > Tolerance<S>::kSlowApproach * scale_) {
      choose_members();
      resolve_uncoupled();
      if constexpr (Problem::kContacts > 1)
        if (members_ > 0) resolve_group();
      ++s_.rounds;
    }
    if constexpr (Problem::kContacts > 1) close();
    s_.approach = fastest_approach() / scale_;
    return !has_to_close();
  }

 private:
  using Change = Array<S, MaxRank>;
  using Impulses = Array<S, Problem::kRows>;

  [[nodiscard]] S product(const S* a, const S* b) const noexcept {
    S sum = S(0);
    for (int k = 0; k < p_.rank; ++k) sum += a[k] * b[k];
    return sum;
  }
  void add(S size, const S* row, Change& to) const noexcept {
    for (int k = 0; k < p_.rank; ++k) to[k] += size * row[k];
  }
  [[nodiscard]] int rows_of(int c) const noexcept { return p_.is_point(c) ? 3 : 1; }
  [[nodiscard]] bool is_mobile(int c) const noexcept { return inverse_root_[c] > S(0); }
  [[nodiscard]] S approach(int c) const noexcept { return -s_.velocity[p_.first_row(c)] * inverse_root_[c]; }
  [[nodiscard]] S fastest_approach() const noexcept {
    S most = S(0);
    for (int c = 0; c < p_.count(); ++c) most = std::max(most, approach(c));
    return most;
  }

  [[nodiscard]] S trace(int c) const noexcept { return mobility_[c].xx + mobility_[c].yy + mobility_[c].zz; }

  // Closes all contacts without restitution: those that do not approach are held where the others press on them.
  // Friction acts first; the approach that it leaves is removed by the least change of velocity.
  void close() noexcept {
    if (!has_to_close()) return;
    s_.is_closed = true;
    members_ = 0;
    for (int c = 0; c < p_.count(); ++c) {
      if (!is_mobile(c)) continue;
      target_[members_] = S(0);
      member_[members_++] = static_cast<std::int16_t>(c);
    }
    resolve_group();
    for (int i = 0; i < kClosings && has_to_close(); ++i) take_nearest();
  }
  [[nodiscard]] bool has_to_close() const noexcept { return fastest_approach() > closed_; }
  // Takes the nearest velocity without approach, a projection on a cone: it gains no
  // energy, however large the impulses.
  [[gnu::noinline]] void take_nearest() noexcept {
    nearest_.rank = p_.rank;
    nearest_.rows = members_;
    for (int m = 0; m < members_; ++m) {
      const int c = member_[m];
      nearest_.row[m] = p_.row[p_.first_row(c)];
      nearest_.offset[m] = s_.velocity[p_.first_row(c)];
      nearest_.tolerance[m] = S(0.25) * closed_ / inverse_root_[c];
    }
    if (!ok(nearest_.solve())) return;
    clear();
    for (int m = 0; m < members_; ++m) trial_[p_.first_row(member_[m])] = nearest_.x[m];
    for (int k = 0; k < p_.rank; ++k) change_[k] = nearest_.t[k];
    commit(S(1));
  }

  void begin() noexcept {
    S most_mobile = S(0);
    for (int c = 0; c < p_.count(); ++c) {
      const S* const y = p_.row[p_.first_row(c)];
      Sym3<S>& K = mobility_[c];
      K = {};
      K.xx = product(y, y);
      if (p_.is_point(c)) {
        const S* const y1 = p_.row[3 * c + 1];
        const S* const y2 = p_.row[3 * c + 2];
        K = {K.xx, product(y, y1), product(y, y2), product(y1, y1), product(y1, y2), product(y2, y2)};
      }
      most_mobile = std::max(most_mobile, trace(c));
    }
    for (int c = 0; c < p_.count(); ++c) {
      const S own = mobility_[c].xx;
      const bool moves = own > Tolerance<S>::kImmobileSquared * most_mobile;
      inverse_root_[c] = moves ? S(1) / std::sqrt(own) : S(0);
    }
    for (int i = 0; i < p_.rows(); ++i) s_.impulse[i] = S(0), s_.velocity[i] = p_.velocity[i];
    for (int k = 0; k < p_.rank; ++k) s_.change[k] = S(0);
    s_.rounds = 0, s_.sweeps = 0, s_.approach = S(0), s_.is_closed = false;
    scale_ = fastest_approach();
    S fastest_row = S(0);
    for (int c = 0; c < p_.count(); ++c) {
      const int i = p_.first_row(c);
      const S own[3] = {mobility_[c].xx, mobility_[c].yy, mobility_[c].zz};
      for (int axis = 0; axis < rows_of(c); ++axis)
        if (own[axis] > Tolerance<S>::kImmobileSquared * most_mobile)
          fastest_row = std::max(fastest_row, std::abs(p_.velocity[i + axis]) / std::sqrt(own[axis]));
    }
    closed_ = Tolerance<S>::kClosedApproach * scale_ + Tolerance<S>::kClosedRounding * fastest_row;
  }

  void choose_members() noexcept {
    const S slow = Tolerance<S>::kSlowApproach * scale_;
    members_ = 0;
    for (int c = 0; c < p_.count(); ++c) {
      const bool is_held = !(p_.restitution[c] > S(0)) && approach(c) > -slow;
      if (!is_mobile(c) || !(approach(c) > closed_ || is_held)) continue;
      const S e = p_.restitution[c] - Tolerance<S>::kImpactPassive * p_.restitution[c];
      target_[members_] = std::max(-e * s_.velocity[p_.first_row(c)], S(0));
      member_[members_++] = static_cast<std::int16_t>(c);
    }
  }

  // Whether an impulse at contact a moves contact b.
  [[nodiscard]] bool are_coupled(int a, int b) const noexcept {
    S sum = S(0);
    for (int i = 0; i < rows_of(a); ++i)
      for (int j = 0; j < rows_of(b); ++j) {
        const S felt = product(p_.row[p_.first_row(a) + i], p_.row[p_.first_row(b) + j]);
        sum += felt * felt;
      }
    return sum > Tolerance<S>::kImmobileSquared * trace(a) * trace(b);
  }

  // Resolves the members that are coupled to no other by the rule of one impact; they leave the list of members.
  void resolve_uncoupled() noexcept {
    Array<bool, Problem::kContacts> is_lonely{};
    for (int m = 0; m < members_; ++m) {
      is_lonely[m] = true;
      for (int other = 0; other < members_ && is_lonely[m]; ++other)
        is_lonely[m] = other == m || !are_coupled(member_[m], member_[other]);
    }
    clear();
    int left = 0;
    for (int m = 0; m < members_; ++m) {
      const int c = member_[m];
      if (!is_lonely[m]) {
        member_[left] = member_[m];
        target_[left++] = target_[m];
        continue;
      }
      const int i = p_.first_row(c);
      if (!(s_.velocity[i] < S(0))) continue;
      const bool is_point = p_.is_point(c);
      const Vec3<S> u{s_.velocity[i], is_point ? s_.velocity[i + 1] : S(0), is_point ? s_.velocity[i + 2] : S(0)};
      ImpactRule<S> rule;
      rule.prepare(mobility_[c], u, p_.restitution[c], is_point ? p_.friction[c] : S(0));
      const Impact<S> impact = rule.resolve();
      give(i, impact.impulse.x);
      if (is_point) give(i + 1, impact.impulse.y), give(i + 2, impact.impulse.z);
    }
    members_ = left;
    commit(S(1));
  }

  // Brings the members to their targets. Impulses and their change of velocity are first made on trial.
  [[gnu::noinline]] void resolve_group() noexcept {
    clear();
    if (!solve_normal_impulses()) return;
    for (int i = 0; i < p_.rows(); ++i) before_[i] = s_.impulse[i];
    commit(passive_part());
    bool any = false;
    for (int m = 0; m < members_; ++m) any = any || (p_.is_point(member_[m]) && p_.friction[member_[m]] > S(0));
    if (any) find_friction();
  }

  // Finds the frictionless impulses. The first solve is relaxed, so that its impulses are unique and equal
  // contacts carry the same; the second one removes the velocity error of the relaxation (a proximal
  // step). False: no solver succeeds.
  [[nodiscard]] bool solve_normal_impulses() noexcept {
    lcp_.size = members_;
    for (int m = 0; m < members_; ++m) {
      const S* const y = p_.row[p_.first_row(member_[m])];
      for (int other = 0; other < m; ++other) {
        const S felt = product(y, p_.row[p_.first_row(member_[other])]);
        lcp_.M[m][other] = felt;
        lcp_.M[other][m] = felt;
      }
      lcp_.M[m][m] = (S(1) + Tolerance<S>::kSharedImpulse) * mobility_[member_[m]].xx;
    }
    bool found = false;
    for (int pass = 0; pass < 2; ++pass) {
      for (int m = 0; m < members_; ++m) {
        const int c = member_[m];
        const S before = pass == 0 ? S(0) : found_.z[m];
        lcp_.q[m] = s_.velocity[p_.first_row(c)] - target_[m] - Tolerance<S>::kSharedImpulse * mobility_[c].xx * before;
      }
      Status status = solve_lcp<Lemke>(lcp_, found_);
      if (!ok(status)) status = solve_lcp<ProjectedGaussSeidel>(lcp_, found_);
      if (!ok(status)) break;
      found = true;
    }
    if (!found) return false;
    for (int m = 0; m < members_; ++m) give(p_.first_row(member_[m]), std::max(found_.z[m], S(0)));
    return true;
  }

  // Finds friction by sweeps over the members, from the frictionless impulses, which have been applied. Then applies as
  // much of the difference as energy allows.
  void find_friction() noexcept {
    const S energy = -work_;  // the energy that the normal impulses took
    Impulses x;
    for (int m = 0; m < members_; ++m)
      for (int i = p_.first_row(member_[m]), end = i + rows_of(member_[m]); i < end; ++i) x[i] = given_[i];
    clear();
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      ++s_.sweeps;
      S most = S(0);
      for (int m = 0; m < members_; ++m) most = std::max(most, sweep_member(m, x));
      if (!(most > Tolerance<S>::kSettledImpulse * scale_)) break;
    }
    for (int m = 0; m < members_; ++m)
      for (int i = p_.first_row(member_[m]), end = i + rows_of(member_[m]); i < end; ++i) trial_[i] = x[i] - given_[i];
    S linear;
    S square;
    find_energy(linear, square);
    S part = S(1);
    if (linear + square > energy) part = linear < S(0) ? std::min(-linear / (S(2) * square), S(1)) : S(0);
    commit(part);
    if (part < S(1)) return;
    // The impulses are set once more from x: an impulse that the sweeps took back to zero is zero, not their rounding.
    for (int m = 0; m < members_; ++m)
      for (int i = p_.first_row(member_[m]), end = i + rows_of(member_[m]); i < end; ++i)
        s_.impulse[i] = before_[i] + x[i];
  }

  // Brings one contact to its law while the others stay as they are. Returns the size of the change.
  [[nodiscard]] S sweep_member(int m, Impulses& x) noexcept {
    const int c = member_[m];
    const int i = p_.first_row(c);
    const Sym3<S>& K = mobility_[c];
    const auto velocity = [&](int row) { return s_.velocity[row] + product(p_.row[row], change_); };
    const S normal = std::max(x[i] - (velocity(i) - target_[m]) * inverse_root_[c] * inverse_root_[c], S(0));
    const S step = normal - x[i];
    x[i] = normal;
    give(i, step);
    S most = std::abs(step) / inverse_root_[c];
    if (p_.is_point(c) && p_.friction[c] > S(0)) {
      const S half = S(0.5) * (K.yy - K.zz);
      const S stiff = S(0.5) * (K.yy + K.zz) + std::sqrt(half * half + K.yz * K.yz);
      if (!(stiff > S(0))) return most;
      const TangentPair<S> old{x[i + 1], x[i + 2]};
      TangentPair<S> wanted = old - (S(1) / stiff) * TangentPair<S>{velocity(i + 1), velocity(i + 2)};
      const S size = length(wanted);
      const S limit = p_.friction[c] * normal;
      if (size > limit) wanted = (limit / size) * wanted;
      const TangentPair<S> turn = wanted - old;
      x[i + 1] = wanted.y, x[i + 2] = wanted.z;
      give(i + 1, turn.y), give(i + 2, turn.z);
      most = std::max(most, length(turn) * std::sqrt(stiff));
    }
    return most;
  }

  // ---- impulses on trial --------------------------------------------------------------------------------------------

  void clear() noexcept {
    for (int i = 0; i < p_.rows(); ++i) trial_[i] = S(0);
    for (int k = 0; k < p_.rank; ++k) change_[k] = S(0);
  }
  void give(int row, S size) noexcept {
    trial_[row] += size;
    add(size, p_.row[row], change_);
  }
  // The energy change s linear + s² square of a part s of the trial impulses; the rounding of the sums counts against
  // them.
  void find_energy(S& linear, S& square) const noexcept {
    S sizes = S(0);
    linear = S(0);
    for (int i = 0; i < p_.rows(); ++i) {
      const S power = trial_[i] * s_.velocity[i];
      linear += power;
      sizes += std::abs(power);
    }
    linear += Tolerance<S>::kImpactRounding * sizes;
    square = (S(0.5) + Tolerance<S>::kImpactRounding) * product(change_, change_);
  }
  [[nodiscard]] S passive_part() const noexcept {
    S linear;
    S square;
    find_energy(linear, square);
    return passive_fraction(linear, square, S(0));
  }
  void commit(S part) noexcept {
    work_ = S(0);
    for (int i = 0; i < p_.rows(); ++i) {
      given_[i] = part * trial_[i];
      s_.impulse[i] += given_[i];
      work_ += given_[i] * s_.velocity[i];
    }
    S square = S(0);
    for (int k = 0; k < p_.rank; ++k) {
      const S given = part * change_[k];
      s_.change[k] += given;
      square += given * given;
    }
    work_ += S(0.5) * square;
    for (int i = 0; i < p_.rows(); ++i) s_.velocity[i] = p_.velocity[i] + product(p_.row[i], s_.change);
  }

  const Problem& p_;
  Solution& s_;
  Array<Sym3<S>, Problem::kContacts> mobility_;     // K of each contact
  Array<S, Problem::kContacts> inverse_root_;       // 1 / sqrt(K_nn); 0: the contact cannot be moved
  Array<std::int16_t, Problem::kContacts> member_;  // the contacts of the round
  Array<S, Problem::kContacts> target_;             // normal velocity that each member is to reach
  int members_;
  S scale_;   // the fastest approach before the impact
  S closed_;  // a slower approach counts as none
  Impulses trial_;
  Impulses given_;
  Impulses before_;  // the impulses before the group was resolved
  Change change_;
  S work_;  // energy change of the impulses that were applied last
  Lcp<S, Problem::kContacts> lcp_;
  LcpSolution<S, Problem::kContacts> found_;
  NearestVelocity<S, MaxRank, Problem::kContacts> nearest_;
};

template <class S, int MaxRank, int MaxPoints, int MaxStops>
[[nodiscard]] inline Status check_impacts(const ImpactProblem<S, MaxRank, MaxPoints, MaxStops>& p) noexcept {
  if (p.rank < 0 || p.rank > MaxRank || p.points < 0 || p.points > MaxPoints || p.stops < 0 || p.stops > MaxStops)
    return Status::index_out_of_range;
  for (int c = 0; c < p.count(); ++c) {
    const Status status = check_impact_law(p.restitution[c], p.is_point(c) ? p.friction[c] : S(0));
    if (!ok(status)) return status;
  }
  S largest = S(0);
  S poison = S(0);  // 0, or NaN
  for (int i = 0; i < p.rows(); ++i) {
    poison += S(0) * p.velocity[i];
    largest = std::max(largest, std::abs(p.velocity[i]));
    for (int k = 0; k < p.rank; ++k) {
      poison += S(0) * p.row[i][k];
      largest = std::max(largest, std::abs(p.row[i][k]));
    }
  }
  if (!is_finite(poison)) return Status::non_finite_input;
  return largest <= Tolerance<S>::kLargestInput ? Status::ok : Status::input_out_of_range;
}

}  // namespace detail

// Resolves all impacts at once. iterations_exhausted: a contact still approaches by more than
// Tolerance::kClosedApproach; all else holds.
template <class S, int MaxRank, int MaxPoints, int MaxStops>
[[nodiscard]] inline Status resolve_impacts(const ImpactProblem<S, MaxRank, MaxPoints, MaxStops>& problem,
                                            ImpactSolution<S, MaxRank, MaxPoints, MaxStops>& solution) noexcept {
  if (const Status status = detail::check_impacts(problem); !ok(status)) return status;
  ImpactSolution<S, MaxRank, MaxPoints, MaxStops> found{};
  const bool is_closed = detail::SimultaneousImpact<S, MaxRank, MaxPoints, MaxStops>(problem, found).solve();
  S poison = S(0);
  for (int i = 0; i < problem.rows(); ++i) poison += S(0) * found.impulse[i] + S(0) * found.velocity[i];
  if (!is_finite(poison)) return Status::non_finite_result;
  solution = found;
  return is_closed ? Status::ok : Status::iterations_exhausted;
}

}  // namespace kinecast
