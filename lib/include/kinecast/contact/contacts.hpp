// SPDX-License-Identifier: MIT
// What a Predictor takes for contact, and the list of constraints that follows from it (contact/constraint.hpp):
//
//   Predictor<arm, float, Contacts<world, 8>> predictor;
//
// world: the environment; 8: the number of contacts that fit. Friction is implicit (method 16): it belongs to the
// velocity at the end of the step, so that what is nudged comes to rest and what rests does not creep. A third argument
// chooses another model: Volume<> (contact/volume/volume.hpp), or one of the papers' (papers/stage.hpp).
#pragma once

#include <kinecast/contact/constraint.hpp>
#include <kinecast/contact/couplings.hpp>
#include <kinecast/contact/dry_joints.hpp>
#include <kinecast/contact/loops.hpp>
#include <kinecast/contact/points.hpp>
#include <kinecast/contact/stops.hpp>
#include <kinecast/core/option.hpp>

namespace kinecast {

struct Implicit {};

namespace detail {

// The list of the constraints that are there: Parts without those that are absent.
template <bool is_there, class Part>
struct If {};
template <class List, class... Parts>
struct ListOf;
template <const auto& R, class S, class... Present>
struct ListOf<ConstraintList<R, S, Present...>> {
  using Type = ConstraintList<R, S, Present...>;
};
template <const auto& R, class S, class... Present, class Part, class... Others>
struct ListOf<ConstraintList<R, S, Present...>, If<true, Part>, Others...>
    : ListOf<ConstraintList<R, S, Present..., Part>, Others...> {};
template <const auto& R, class S, class... Present, class Part, class... Others>
struct ListOf<ConstraintList<R, S, Present...>, If<false, Part>, Others...>
    : ListOf<ConstraintList<R, S, Present...>, Others...> {};

// Contacts, if any, and what else can hold the robot. Dry friction of joints has lines only beside others: alone it is
// found in the inward sweep.
template <const auto& R, class S, class Friction, class... Touching>
using HoldersOf = typename ListOf<
    ConstraintList<R, S, Touching...>, If<(Shape<R>::kHas.limits > 0), Stops<R, S>>,
    If<(Shape<R>::kLoops > 0), kinecast::Loops<R, S>>, If<(Shape<R>::kCouplings > 0), Couplings<R, S>>,
    If<(Shape<R>::kHas.dry_frictions > 0 && Friction::kMeetsContact &&
        static_cast<int>(sizeof...(Touching)) + Shape<R>::kHas.limits + Shape<R>::kLoops + Shape<R>::kCouplings > 0),
       DryJoints<R, S, Friction>>>::Type;

}  // namespace detail

template <const auto& World, int ContactCapacity, class Model = Implicit>
struct Contacts;

template <const auto& World, int ContactCapacity>
struct Contacts<World, ContactCapacity, Implicit> {
  static constexpr OptionSort kSort = OptionSort::contact;
  using Model = Implicit;
  template <const auto& R, class S>
  using Scene = kinecast::Scene<R, World, S>;
  template <const auto& R, class S, class Friction>
  using Holders = detail::HoldersOf<R, S, Friction, Points<R, S, World, ContactCapacity>>;
};

// The default of Predictor: the robot touches nothing, and nothing is paid for contact.
struct NoContacts {
  static constexpr OptionSort kSort = OptionSort::contact;
  template <const auto& R, class S, class Friction>
  using Holders = detail::HoldersOf<R, S, Friction>;
};

}  // namespace kinecast
