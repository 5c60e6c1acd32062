// SPDX-License-Identifier: MIT
// Per-scalar numbers, all in one place, each with its reason. The library is written for float and double.
#pragma once

#include <limits>
#include <type_traits>

// NaN checks and the argument reduction of sincos() rely on IEEE arithmetic in the order written.
#if defined(__FAST_MATH__)
#error "kinecast needs IEEE arithmetic: do not compile it with -ffast-math"
#endif

namespace kinecast {

template <class S>
struct Tolerance {
  static_assert(std::is_same_v<S, float> || std::is_same_v<S, double>, "kinecast works in float and in double");

  static constexpr S kEpsilon = std::numeric_limits<S>::epsilon();

  // | |quaternion|² - 1 | accepted as unit: a thousand steps of normalisation error, far below any sensor's error.
  static constexpr S kUnitQuaternion = S(1000) * kEpsilon;

  // Beyond these an input is an error upstream, and within them nothing overflows a float:
  // speeds reach 1e15, energies 1e36.
  static constexpr S kLargestInput = S(1e9);     // root of the sum of squares of dq, ddq, tau, forces or wrenches
  static constexpr S kLargestPosition = S(1e6);  // prismatic joints and floating bases, m

  // Steps outside of these are a unit mistaken (ms for s) or nothing a drive's friction is meant for, s.
  static constexpr S kShortestStep = S(1e-7);
  static constexpr S kLongestStep = S(0.1);

  // A corner this far outside of a solid's side face still stands on its top: boxes of equal
  // width, aligned to rounding, m.
  static constexpr S kRim = S(1e-5);

  // A point that touched stays in contact until it is this far above the surface, relative to the size of its
  // coordinates: their rounding would otherwise let a resting contact come and go (method 14.2: 2 µm at 1 m in float).
  static constexpr S kKeepsTouching = S(16) * kEpsilon;

  // A solid this far outside of a plane, relative to the size of its coordinates, may be so by rounding: the plane cuts
  // nothing of it off. (What is inside counts, however thin: resting contacts are a few roundings deep.)
  static constexpr S kFlush = S(4) * kEpsilon;

  // Normals of a contact volume's faces that cancel to less than this fraction of their sum point nowhere.
  static constexpr S kNoDirection = S(1e-3);

  // A touching edge or corner counts as this wide to each side: some rounding of positions within 100 m in float, m.
  static constexpr S kTouchingHalfWidth = S(1e-5);

  // A contact direction in which nothing can move, relative to the largest mobility of all: it
  // takes no impulse (method 2.5).
  static constexpr S kImmobile = S(64) * kEpsilon;

  // The least relaxation that the energy form keeps its digits with, over the contact's mobility (oracle.golden_qp:
  // below it impulses in float are wrong by more than 1e-3). A material that asks for less gets this.
  static constexpr S kLeastRelaxation = std::is_same_v<S, float> ? S(1e-4) : S(1e-10);

  // Relaxation of a sticking joint's row in contact, over its mobility: what the solver needs to keep its digits. Its
  // velocity is set to zero, so that this is no creep; the torque is wrong by as much.
  static constexpr S kStickingJoint = std::is_same_v<S, float> ? S(1e-4) : S(1e-8);

  // An impulse this close to the cone, relative to it, is on it: the solver's own error.
  static constexpr S kOnCone = S(1000) * kEpsilon;

  // A contact patch whose second moment is below this fraction of area times the body's size squared is too narrow to
  // tell a slope of its thickness (method 6.3b): a ten-thousandth of the body in double, a thousandth in float.
  static constexpr S kPatchWidth = std::is_same_v<S, float> ? S(1e-7) : S(1e-9);

  // A contact patch so small that its moments move less than this fraction of what its forces do is a point: the rows
  // that keep the centre of pressure inside would be parallel to rounding.
  static constexpr S kPointLike = std::is_same_v<S, float> ? S(1e-6) : S(1e-12);

  // Friction of a sliding volume and its pressure depend on each other; they fit when the friction changes by less than
  // this fraction of itself. The solver's own error is a tenth of it.
  static constexpr S kSettledFriction = std::is_same_v<S, float> ? S(2e-5) : S(2e-11);

  // A joint inertia below this fraction of its link's inertia is rounding noise: its
  // relative error exceeds one quarter.
  static constexpr S kSingularInertia = S(4) * kEpsilon;

  // A velocity whose sum of products is below this fraction of their sizes may have either sign.
  static constexpr S kSignOfVelocity = kEpsilon;

  // In the velocity form, contacts that the solver cannot decide, over and over, with signs wrong by no more than this
  // many times that fraction, are undecided by rounding: nearly coincident points, to which it matters little.
  static constexpr S kUndecidedContact = S(4096);

  // A contact system with entries above this makes impulses wrong by more than 1e-4 in
  // float, and is worth a refinement.
  static constexpr S kRefinement = S(1e-4) / kEpsilon;

  // A direction that is left with this fraction of the largest one's length is rounding noise of dependent rows.
  static constexpr S kRank = S(16) * kEpsilon;

  // A row of the unrelaxed contact problem, or an inequality, holds if it is left with this fraction of what it was
  // made of; a row that is left with this fraction of its mobility by those before it depends on them.
  static constexpr S kSatisfied = S(64) * kEpsilon;

  // A linear program whose rows lack no more than this in sum, over the largest right-hand side, has a solution
  // (method 6.4). In float half of the 1e-4 within which either verdict will do, and seven times what the contact
  // solver leaves of a centre of pressure on the polygon's edge (kSatisfied).
  static constexpr S kFeasible = std::is_same_v<S, float> ? S(5e-5) : S(1e-9);

  // In a linear program: a gain is none below this fraction of what it is made of, and columns reach zero together
  // within this fraction of the right-hand side: a few roundings. A pivot below this fraction of its column is what
  // rounding leaves of a row that depends on others: to divide by it would leave no digit.
  static constexpr S kNoGain = S(4) * kEpsilon;
  static constexpr S kDegenerate = S(16) * kEpsilon;
  static constexpr S kNoPivot = std::is_same_v<S, float> ? S(2e-5) : S(1e-10);

  // A friction component below this fraction of the normal force has no direction to hold to (method 6.5, CHOICE 20).
  // In float ten times the rounding that a sticking solution leaves where there is nothing.
  static constexpr S kVanishingFriction = std::is_same_v<S, float> ? S(1e-5) : S(1e-9);
};

// True for every finite value; false for NaN and the infinities, whose difference with themselves is NaN.
template <class S>
[[nodiscard]] constexpr bool is_finite(S value) noexcept {
  return value - value >= S(0);  // NOLINT(misc-redundant-expression): not so for NaN and the infinities
}

}  // namespace kinecast
