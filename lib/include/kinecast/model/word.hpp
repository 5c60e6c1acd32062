// SPDX-License-Identifier: MIT
// A word of a robot or an environment that sets one member of what it describes: restitution(0.1) gives
// Sets<&Material::restitution>{0.1}, and material(...) applies it. All of it is done by the compiler.
#pragma once

namespace kinecast::detail {

// Sets a member. A word takes only what has this member: stiction(...) does not compile without a side of the gear.
template <auto Member>
struct Sets;
template <class Described, class Value, Value Described::*Member>
struct Sets<Member> {
  Value value;
  constexpr void apply(Described& described) const noexcept { described.*Member = value; }
};

// Sets a member, and a flag that tells that its value was given.
template <auto Member, auto IsGiven>
struct SetsGiven;
template <class Described, class Value, Value Described::*Member, bool Described::*IsGiven>
struct SetsGiven<Member, IsGiven> {
  Value value;
  constexpr void apply(Described& described) const noexcept { described.*Member = value, described.*IsGiven = true; }
};

}  // namespace kinecast::detail
