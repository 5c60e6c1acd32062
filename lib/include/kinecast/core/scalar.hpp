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

// All numbers that decide by size: what counts as zero, as equal, as dependent, as worth another turn. Numbers that a
// user sets stand in the parameters (material.hpp, ContactParameters, RowParameters, EventParameters) instead.
template <class S>
struct Tolerance {
  static_assert(std::is_same_v<S, float> || std::is_same_v<S, double>, "kinecast works in float and in double");

  static constexpr S kEpsilon = std::numeric_limits<S>::epsilon();

  // The smallest normal number. A length that is not above it has no direction; its reciprocal is still finite.
  static constexpr S kSmallest = std::numeric_limits<S>::min();

  // ---- input --------------------------------------------------------------------------------------------------------

  // | |quaternion|² - 1 | is accepted as unit: a thousand steps of normalisation error, far below any sensor's error.
  static constexpr S kUnitQuaternion = S(1000) * kEpsilon;

  // An input beyond these is an error upstream, and within them nothing overflows a float: speeds reach 1e15, energies
  // 1e36.
  static constexpr S kLargestInput = S(1e9);     // root of the sum of squares of dq, ddq, tau, forces or wrenches
  static constexpr S kLargestPosition = S(1e6);  // prismatic joints and floating bases, m

  // A step outside of these is a unit mistaken (ms for s) or nothing a drive's friction is meant for, s.
  static constexpr S kShortestStep = S(1e-7);
  static constexpr S kLongestStep = S(0.1);

  // ---- the description of a robot and its environment, in double while compiling ------------------------------------

  // A written value (a rotation's entry, an inertia, a vertex) is rarely more exact than this, relative to its size.
  static constexpr S kWrittenDigits = S(1e-6);

  // A convex solid thinner than this, relative to its vertices' distance from the frame, is refused: a thousand times
  // the rounding of vertices in float.
  static constexpr S kThinnestSolid = S(1e-4);

  // A number that differs from 0, 1 or -1 by less than this does so by rounding in double, and becomes the whole
  // number.
  static constexpr S kSnapsToWhole = S(1e-15);

  // Joint axes whose directions differ by less than this sine are not tilted: some roundings in double.
  static constexpr S kUntilted = S(1e-15);

  // Joint axes below this sine are parallel, and axes closer than this meet, m: what products of a few rotations round.
  static constexpr S kParallelAxes = S(1e-12);

  // Joint axes below this sine have a common normal whose direction has lost more than a digit: it is not used.
  static constexpr S kClearlyCrossed = S(0.05);

  // The radius around the points of a body is larger by this fraction, so that it is not below the exact one when
  // rounded.
  static constexpr S kRadiusMargin = S(1e-6);

  // The slope of a height field is that of central differences over this distance to each side, m: a millimetre.
  static constexpr S kSlopeReach = S(1e-3);

  // ---- kinematics and dynamics --------------------------------------------------------------------------------------

  // Below this half angle sin(h)/h comes from its series, whose next term is below 1e-15, rad.
  static constexpr S kSincSeries = S(1e-2);

  // A joint inertia below this fraction of its link's inertia is rounding noise: its relative error exceeds one
  // quarter.
  static constexpr S kSingularInertia = S(4) * kEpsilon;

  // The seats of a rigidified joint whose axes differ by less than this sine are parallel: it changes them by a
  // rounding.
  static constexpr S kParallelSeats = S(4) * kEpsilon;

  // A rotor slower than this is at rest (method 5.2, CHOICE 15), rad/s.
  static constexpr S kRestingRotor = S(1e-9);

  // Viscosity times dt above this fraction of the joint's inertia is damped implicitly: explicit damping would cost
  // accuracy, and stability from twice the inertia on.
  static constexpr S kStiffDamping = S(0.1);

  // ---- joint limits: what a step looks ahead to ---------------------------------------------------------------------

  // An impact elsewhere may give a joint a speed up to this, rad/s or m/s: a stop within its reach gets a row.
  static constexpr S kPushedSpeed = S(10);

  // A stop that a joint would reach with an acceleration up to this gets a row before the sweep, rad/s².
  static constexpr S kForeseenAcceleration = S(1000);

  // ---- detection of contacts ----------------------------------------------------------------------------------------

  // A corner this far outside of a solid's side face still stands on its top: boxes of equal width, aligned to
  // rounding, m.
  static constexpr S kRim = S(1e-5);

  // A start is placed to a millimetre: a point on a face is not taken for one that is deeper inside of another face, m.
  static constexpr S kStartDepth = S(1e-3);

  // Two faces are the front and the back of a plate if their normals are opposite up to this difference of the cosine
  // from -1, which is 0.1 degrees: rounding of unit vectors stays below it.
  static constexpr S kOpposite = S(2e-6);

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

  // A corner of a contact polygon that spans less than this fraction of the largest distance squared is dropped: its
  // coordinates are not better known.
  static constexpr S kNoCorner = S(4) * kEpsilon;

  // A face whose area in the contact plane is below this fraction of the area that looks up stands on its edge.
  static constexpr S kFaceOnEdge = S(4) * kEpsilon;

  // A contact patch whose second moment is below this fraction of area times the body's size squared is too narrow to
  // tell a slope of its thickness (method 6.3b): a ten-thousandth of the body in double, a thousandth in float.
  static constexpr S kPatchWidth = std::is_same_v<S, float> ? S(1e-7) : S(1e-9);

  // A contact patch so small that its moments move less than this fraction of what its forces do is a point: the rows
  // that keep the centre of pressure inside would be parallel to rounding.
  static constexpr S kPointLike = std::is_same_v<S, float> ? S(1e-6) : S(1e-12);

  // ---- contact problem ----------------------------------------------------------------------------------------------

  // Newton's method on the rows of a step ends when the gradient is below this fraction of what it is the difference
  // of (method 16.2). In float rounding leaves 1e-5 of it.
  static constexpr S kNewton = std::is_same_v<S, float> ? S(1e-4) : S(1e-10);

  // A gradient below this fraction of what it is the difference of is rounding: there is nothing to refine.
  static constexpr S kRefined = S(4) * kEpsilon;

  // A cone whose compliance is below this fraction of its mobility turns the rounding of its velocities into impulses
  // that are wrong by some 1e-5 in float: they are worth a refinement. Points have 1e-2, the corners of volumes less.
  static constexpr S kHardlyCompliant = S(5e-3);

  // Rounding of a row's velocity, which Newton's method cannot get below, relative to the row's bias.
  static constexpr S kVelocityRounding = S(2) * kEpsilon;

  // The slip that a contact's shift belongs to is settled to this fraction, and to this speed, m/s (method 16.3).
  static constexpr S kSettledShift = S(1e-3);
  static constexpr S kSettledSlip = S(3e-4);

  // A contact direction in which nothing can move, relative to the largest mobility of all, takes no impulse (method
  // 2.5).
  static constexpr S kImmobile = S(64) * kEpsilon;
  // The same of a square: of a row's length squared, or of a product of two mobilities.
  static constexpr S kImmobileSquared = kImmobile * kImmobile;

  // The least relaxation that the energy form keeps its digits with, over the contact's mobility (oracle.golden_qp:
  // below it impulses in float are wrong by more than 1e-3). A material that asks for less gets this.
  static constexpr S kLeastRelaxation = std::is_same_v<S, float> ? S(1e-4) : S(1e-10);

  // Relaxation of a sticking joint's row in contact, over its mobility: what the solver needs to keep its digits. The
  // row's velocity is set to zero, so that this is no creep; the torque is wrong by as much.
  static constexpr S kStickingJoint = std::is_same_v<S, float> ? S(1e-4) : S(1e-8);

  // A sticking joint that is left with less of the velocity that friction takes from the joints rests: a fifth of what
  // its relaxation makes of the torque in float, rounding in double.
  static constexpr S kRestingJoint = std::is_same_v<S, float> ? S(2e-5) : S(2) * kEpsilon;

  // A velocity below this fraction of the fastest joint's is rounding.
  static constexpr S kUnfeltSpeed = S(8) * kEpsilon;

  // A sliding joint that moves less than this fraction of what its friction alone could move it stands.
  static constexpr S kStandingJoint = S(1e-2);

  // An impulse this close to the cone, relative to it, is on it: the solver's own error.
  static constexpr S kOnCone = S(1000) * kEpsilon;

  // The fraction of the normal mobility that must be left along n + mu t for a contact to slide: below it the contact
  // jams, and its impulse grows without bound (method 1.4, step 2, asks for as much of an impact).
  static constexpr S kLeastSlidingMobility = S(0.05);

  // Kinetic energy that a solved step may gain, as a fraction: far above rounding, far below what a jammed chain gains.
  static constexpr S kEnergyGain = S(1e-3);

  // A change of the friction's direction or size, relative to the largest, that is worth another solve.
  static constexpr S kTurnedFriction = S(0.01);

  // A point of the penalty method slower than this has no direction to slide in, m/s.
  static constexpr S kPenaltyAtRest = S(1e-6);

  // ---- friction of volumes ------------------------------------------------------------------------------------------

  // Friction of a sliding volume and its pressure depend on each other; they fit when the friction changes by less than
  // this fraction of itself. The solver's own error is a tenth of it.
  static constexpr S kSettledFriction = std::is_same_v<S, float> ? S(2e-5) : S(2e-11);

  // A friction component below this fraction of the normal force has no direction to hold to (method 6.5, CHOICE 20).
  // In float ten times the rounding that a sticking solution leaves where there is nothing.
  static constexpr S kVanishingFriction = std::is_same_v<S, float> ? S(1e-5) : S(1e-9);

  // A volume that exceeds its friction by this fraction of the largest excess begins to slide with the one of the
  // largest: partners of a symmetric grip slide together.
  static constexpr S kSlidesToo = S(0.25);

  // Friction whose power is above this fraction of the sizes of force and slip drives the slip, and not by rounding.
  static constexpr S kDrivingFriction = S(1e-2);

  // A contact that hardly carries may be decided by rounding from turn to turn. A change of the slip below this
  // fraction of the speed that counts as slip does not matter.
  static constexpr S kUnfeltSlip = S(0.1);

  // Slips of a patch's corners that differ by no more than this (the largest is 1) are one translation: every
  // distribution of the pressure gives the same friction.
  static constexpr S kPureTranslation = S(8) * kEpsilon;

  // ---- impacts ------------------------------------------------------------------------------------------------------

  // Energy that steps 1 and 2 of an impact may seem to gain, over what there is, ½ uᵀK⁻¹u (method 1.4: 1e-12 in
  // double): the rounding of W. What is accepted within it is then cut back by the last guard.
  static constexpr S kImpactGain = std::is_same_v<S, float> ? S(1e-5) : S(1e-12);

  // Restitution is taken as smaller by this fraction, so that the rounding of p_n, three or four of them, costs energy.
  static constexpr S kImpactPassive = S(16) * kEpsilon;

  // The rounding of an impact's work W, over the sum of the sizes of its terms.
  static constexpr S kImpactRounding = S(8) * kEpsilon;

  // Slip before an impact below this fraction of the approach has no direction of its own.
  static constexpr S kImpactNoSlip = S(64) * kEpsilon;

  // A collision matrix with an eigenvalue below minus this, over its trace, is no rounded semidefinite one: what is
  // left of K_tt has lost half of the digits where K_nn is as small as can be.
  static constexpr S kIndefinite = std::is_same_v<S, float> ? S(1e-3) : S(1e-7);

  // An approach below this fraction of the fastest one is not worth a rebound (all over the root of their mobility).
  static constexpr S kSlowApproach = S(1e-4);

  // The approach that closing simultaneous impacts may leave, over the fastest one: the accuracy of the complementarity
  // problem.
  static constexpr S kClosedApproach = std::is_same_v<S, float> ? S(2e-5) : S(1e-11);
  // The same over the velocity of any row: the rounding of what the approach is the sum of.
  static constexpr S kClosedRounding = S(16) * kEpsilon;

  // Relaxation that shares an impulse among contacts of which one would do, over their mobility. A second solve takes
  // out what velocity it costs.
  static constexpr S kSharedImpulse = std::is_same_v<S, float> ? S(1e-5) : S(1e-9);

  // Friction of simultaneous impacts has settled when no impulse changes by more, as root of an energy, over the
  // fastest approach.
  static constexpr S kSettledImpulse = std::is_same_v<S, float> ? S(1e-6) : S(1e-12);

  // ---- events -------------------------------------------------------------------------------------------------------

  // What separates faster than this fraction of the resting speed flies, though it may come back soon.
  static constexpr S kStillResting = S(1) / S(16);

  // The fraction of a sub-step that is worth another try.
  static constexpr S kWorthATry = S(1) / S(1024);

  // ---- constraints of a motion --------------------------------------------------------------------------------------

  // Singular values of K below this fraction of the largest are none (method 1.5).
  static constexpr S kLeastSingular = S(1e-10);
  // The same of Y, whose singular values are the roots of K's.
  static constexpr S kLeastSingularRoot = S(1e-5);

  // The rows' own noise, over their length, in float the larger of the two: they are carried across all joints, and a
  // row that depends on others is left with 1e-6 of its length (tests/oracle/golden_constraints.cpp).
  static constexpr S kRowNoise = S(64) * kEpsilon;

  // Demands that are missed by more than this fraction of what they are made of contradict each other (method 1.5: 1e-8
  // in double).
  static constexpr S kContradiction = std::is_same_v<S, float> ? S(1e-4) : S(1e-8);

  // ---- solvers: quadratic programs and their factors ----------------------------------------------------------------

  // A velocity whose sum of products is below this fraction of their sizes may have either sign.
  static constexpr S kSignOfVelocity = kEpsilon;

  // In the velocity form, contacts that the solver cannot decide, over and over, with signs wrong by no more than this
  // many times that fraction, are undecided by rounding: nearly coincident points, to which it matters little.
  static constexpr S kUndecidedContact = S(4096);

  // A contact system with entries above this makes impulses wrong by more than 1e-4 in float, and is worth a
  // refinement.
  static constexpr S kRefinement = S(1e-4) / kEpsilon;

  // A direction that is left with this fraction of the largest one's length is rounding noise of dependent rows.
  static constexpr S kRank = S(16) * kEpsilon;

  // Rows whose cosine is below this are orthogonal.
  static constexpr S kOrthogonal = S(4) * kEpsilon;

  // More rows than columns cannot all be orthogonal: what is left of them shrinks, and below this fraction of the least
  // noise they are not turned any more.
  static constexpr S kBelowNoise = S(0.0625);

  // A row of the unrelaxed contact problem, or an inequality, holds if it is left with this fraction of what it was
  // made of; a row that is left with this fraction of its mobility by those before it depends on them.
  static constexpr S kSatisfied = S(64) * kEpsilon;

  // ---- solvers: linear programs -------------------------------------------------------------------------------------

  // A linear program whose rows lack no more than this in sum, over the largest right-hand side, has a solution (method
  // 6.4). In float half of the 1e-4 within which either verdict will do, and seven times what the contact solver leaves
  // of a centre of pressure on the polygon's edge (kSatisfied).
  static constexpr S kFeasible = std::is_same_v<S, float> ? S(5e-5) : S(1e-9);

  // A wrench this far beyond a bound of the static test, relative to it, fails without the linear program, which would
  // fail too.
  static constexpr S kBeyondBound = S(4) * kFeasible;
  // The same of a centre of pressure outside of the polygon, over its size squared: sides may be several times as long.
  static constexpr S kOutsidePolygon = S(16) * kFeasible;

  // In a linear program: a gain is none below this fraction of what it is made of, and columns reach zero together
  // within this fraction of the right-hand side: a few roundings. A pivot below this fraction of its column is what
  // rounding leaves of a row that depends on others: to divide by it would leave no digit.
  static constexpr S kNoGain = S(4) * kEpsilon;
  static constexpr S kDegenerate = S(16) * kEpsilon;
  static constexpr S kNoPivot = std::is_same_v<S, float> ? S(2e-5) : S(1e-10);

  // A basis is inverted anew with any pivot above a rounding of the widest column: its columns were independent before.
  static constexpr S kNoNewPivot = kEpsilon;

  // ---- solvers: linear complementarity ------------------------------------------------------------------------------

  // A pivot below this fraction of its column, or of the diagonal, may be what rounding leaves of rows that depend on
  // each other: 64 roundings in float. In double, where data are seldom that good, 1e-12.
  static constexpr S kLeastPivot = std::is_same_v<S, float> ? S(64) * kEpsilon : S(1e-12);

  // A residual below this is a few roundings of w: nothing to refine.
  static constexpr S kLcpRounding = S(4) * kEpsilon;

  // On a ray with a z0 up to this, over the largest q, the residual tells whether there is a solution.
  static constexpr S kLcpNearlyFeasible = S(200) * kFeasible;

  // What dependent rows get on the diagonal, whose entries are 1: 4 roots of epsilon. Pivots are then at least that,
  // far above rounding, and each refinement leaves about that of what it cost.
  static constexpr S kLcpRelaxation = std::is_same_v<S, float> ? S(1.4e-3) : S(6e-8);

  // What rows that leave no pivot get on the diagonal, over their mobility: more than what the solver takes for no
  // pivot.
  static constexpr S kLcpGive = S(4) * kNoPivot;

  // A projected Gauss-Seidel sweep whose steps are some roundings of the largest q has settled.
  static constexpr S kLcpSettled = S(8) * kEpsilon;
};

// True for every finite value; false for NaN and the infinities, whose difference with themselves is NaN.
template <class S>
[[nodiscard]] constexpr bool is_finite(S value) noexcept {
  return value - value >= S(0);  // NOLINT(misc-redundant-expression): not so for NaN and the infinities
}

}  // namespace kinecast
