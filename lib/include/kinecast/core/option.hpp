// SPDX-License-Identifier: MIT
// Options of a class template stand in any order: each says what sort it is of, and ChooseOption picks the first of a
// sort.
#pragma once

#include <cstdint>
#include <type_traits>

namespace kinecast {

enum class OptionSort : std::uint8_t {
  friction,    // of the drives
  integrator,  // of the step
  contact,     // with what, and how
  rigidity,    // joints that can become rigid
};

namespace detail {

template <OptionSort sort, class Default, class... Options>
struct ChooseOption {
  using Type = Default;
};
template <OptionSort sort, class Default, class First, class... Others>
struct ChooseOption<sort, Default, First, Others...> {
  using Type = std::conditional_t<First::kSort == sort, First, typename ChooseOption<sort, Default, Others...>::Type>;
};

// How many of the options are of this sort.
template <OptionSort sort, class... Options>
inline constexpr int kCountOf = (0 + ... + (Options::kSort == sort ? 1 : 0));

}  // namespace detail
}  // namespace kinecast
