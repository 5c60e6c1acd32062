// SPDX-License-Identifier: MIT
// The robots that rows.cmake can name.
#pragma once

#include <string_view>

#include "../../board_examples/humanoid_stance/humanoid.hpp"
#include "../robots/arm2.hpp"
#include "../robots/arm6.hpp"
#include "../robots/chain.hpp"
#include "../robots/drives.hpp"
#include "../robots/humanoid.hpp"
#include "../robots/legged.hpp"
#include "../robots/pendulum6.hpp"

namespace robots {
inline constexpr auto arm2_ground = arm2;
inline constexpr auto humanoid_stance = example::humanoid;
inline constexpr auto quadruped_stance = bare_quadruped;
inline constexpr auto quadruped_drives = quadruped;
inline constexpr auto biped_stance = biped;

// Solid cubes of 0.1 m and 0.5 kg (method 10), whose volumes touch: no contact points.
namespace detail {
constexpr auto cube_link(std::string_view name) {
  return kinecast::link(
      name, kinecast::floating(),
      kinecast::body(0.5, kinecast::com(0, 0, 0), kinecast::inertia(1 / 1200.0, 1 / 1200.0, 1 / 1200.0)));
}
}  // namespace detail
inline constexpr auto box = kinecast::robot("box", detail::cube_link("a"));
inline constexpr auto stack3 =
    kinecast::robot("stack of three", detail::cube_link("a"), detail::cube_link("b"), detail::cube_link("c"));
}  // namespace robots
