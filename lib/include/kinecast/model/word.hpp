// SPDX-License-Identifier: MIT
// A word of a robot or an environment that sets one member of what it describes: restitution(0.1) gives
// Sets<&Material::restitution>{0.1}, and material(...) applies it. All of it is done by the compiler.
#pragma once

namespace kinecast::detail {

template <auto Member>
struct Sets;
template <class Described, class Value, Value Described::*Member>
struct Sets<Member> {
  Value value;
  constexpr void apply(Described& described) const noexcept { described.*Member = value; }
};

// The same where a flag tells that the value was given.
template <auto Member, auto IsGiven>
struct SetsGiven : Sets<Member> {
  template <class Described>
  constexpr void apply(Described& described) const noexcept {
    Sets<Member>::apply(described);
    described.*IsGiven = true;
  }
};

}  // namespace kinecast::detail
