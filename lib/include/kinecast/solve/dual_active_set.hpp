// SPDX-License-Identifier: MIT
// Dual active set (Goldfarb and Idnani 1983): the minimum of a convex quadratic under inequalities, from the minimum
// without them. The most violated inequality joins: its multiplier grows until it holds, and active ones whose
// multiplier runs out on the way leave. The loop is here; what a step is made of is the form's:
//
//   InequalityQp        any quadratic, by the inverse root of its matrix and plane rotations: O(n²) per change
//   NearestVelocity     the distance from zero, by an orthonormal basis of the active rows: O(rank rows²) per change
//
// A form decides by its own tests which multiplier runs out first, and when an inequality holds: they round
// differently.
#pragma once

#include <kinecast/core/status.hpp>

#include <cstdint>

namespace kinecast::detail {

// How far the multiplier of the joining inequality grows, and why no farther.
template <class S>
struct DualStep {
  S length;
  int leaving;  // the active inequality whose multiplier runs out; -1: none, the joining one holds after the step
  bool moves;   // false: the joining inequality depends on the active ones, and only multipliers change
  bool is_needless{false};  // the joining inequality holds already
};

enum class Joined : std::uint8_t { yes, depends, too_many_changes };

template <class Form>
[[nodiscard]] inline Joined join_active_set(Form& form, int joining) noexcept {
  form.begin_joining(joining);
  const int most_tries = form.most_tries();
  for (int tries = 0; tries < most_tries; ++tries) {
    const auto step = form.find_step(joining);
    if (step.is_needless) return Joined::yes;
    if (!step.moves && step.leaving < 0) return Joined::depends;
    form.take(step, joining);
    if (step.leaving < 0) {
      form.add(joining);
      return Joined::yes;
    }
    form.drop(step.leaving, joining);
  }
  return Joined::too_many_changes;
}

// iterations_exhausted: a cap was met, or the form left an inequality out that lacks something. The form counts
// changes; every turn of the loop makes one.
template <class Form>
[[nodiscard]] inline Status run_dual_active_set(Form& form) noexcept {
  bool is_exact = true;
  for (; form.has_changes_left();) {
    const int joining = form.most_violated();
    if (joining < 0) return is_exact ? Status::ok : Status::iterations_exhausted;
    const Joined joined = join_active_set(form, joining);
    if (joined == Joined::yes) continue;
    if (const Status status = form.leave_out(joining, joined); !ok(status)) return status;
    is_exact = false;
  }
  return Status::iterations_exhausted;
}

}  // namespace kinecast::detail
