// SPDX-License-Identifier: MIT
// A list of rules is written once, as a macro that applies RULE(name, sentence) to each of its rows; the macros of this
// header take the enumerator, the sentence and the compiler's assertion from a row:
//
//   #define KINECAST_TRIAL_RULES(RULE) RULE(mass_positive, "a mass is not positive") RULE(axis_unit, "no unit axis")
//   enum class TrialRule : std::uint8_t { none, KINECAST_TRIAL_RULES(KINECAST_RULE_NAME) };
//
// They are macros because C++17 wants a literal in static_assert. A list costs nothing at run time but the sentences
// that are printed.
#pragma once

// Gives the enumerator.
#define KINECAST_RULE_NAME(name, sentence) name,

// Gives the case of a switch that returns the sentence; `Listed` is the enum there.
#define KINECAST_RULE_CASE(name, sentence) \
  case Listed::name:                       \
    return sentence;

// Gives the compiler's assertion; `Listed` is the enum there, and `Broken` the rule that is broken.
#define KINECAST_RULE_ASSERTION(name, sentence) static_assert(Broken != Listed::name, "kinecast: " sentence);
