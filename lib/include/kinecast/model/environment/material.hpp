// SPDX-License-Identifier: MIT
// The material of a contact: friction, restitution and stiffness between two bodies, as words:
//
//   material(friction(0.8, 0.6), compensation(200), relaxation(1e-2), restitution(0.1))
//
// Numbers that no word gives keep their defaults. Values have SI units; spring, damper and membrane are those of one
// contact point (method 3, 4).
#pragma once

#include <kinecast/model/word.hpp>

namespace kinecast {

struct Material {
  double static_friction{0.5};     // mu_s
  double kinetic_friction{0.5};    // mu_k
  double compensation_per_s{200};  // k: a depth is worked off with this rate
  double relaxation{1e-2};  // lambda: over the square of the contact's mobility A_nn (method 2.5), or absolute, 1/kg²
  bool relaxation_is_absolute{false};
  // lambda of a volume, which has one wrench instead of many forces and can do with less.
  double volume_relaxation{1e-3};
  double restitution{0};  // rebound speed over approach speed
  double spring_N_per_m{0};
  double damper_Ns_per_m{0};
  double membrane_m{0};  // thickness of the elastic layer of fused contact
};

namespace detail {
struct FrictionWord {
  double at_rest;
  double sliding;
  constexpr void apply(Material& m) const noexcept { m.static_friction = at_rest, m.kinetic_friction = sliding; }
};
struct RelaxationWord {
  double value;
  bool is_absolute;
  constexpr void apply(Material& m) const noexcept {
    m.relaxation = m.volume_relaxation = value;
    m.relaxation_is_absolute = is_absolute;
  }
};
}  // namespace detail

[[nodiscard]] constexpr detail::FrictionWord friction(double at_rest, double sliding) noexcept {
  return {at_rest, sliding};
}
[[nodiscard]] constexpr detail::FrictionWord friction(double both) noexcept { return {both, both}; }
[[nodiscard]] constexpr detail::Sets<&Material::compensation_per_s> compensation(double per_s) noexcept {
  return {per_s};
}
[[nodiscard]] constexpr detail::RelaxationWord relaxation(double relative) noexcept { return {relative, false}; }
[[nodiscard]] constexpr detail::RelaxationWord absolute_relaxation(double per_kg2) noexcept { return {per_kg2, true}; }
[[nodiscard]] constexpr detail::Sets<&Material::restitution> restitution(double e) noexcept { return {e}; }
[[nodiscard]] constexpr detail::Sets<&Material::spring_N_per_m> spring(double N_per_m) noexcept { return {N_per_m}; }
[[nodiscard]] constexpr detail::Sets<&Material::damper_Ns_per_m> damper(double Ns_per_m) noexcept { return {Ns_per_m}; }
[[nodiscard]] constexpr detail::Sets<&Material::membrane_m> membrane(double thickness_m) noexcept {
  return {thickness_m};
}

template <class... Words>
[[nodiscard]] constexpr Material material(const Words&... words) noexcept {
  Material m{};
  (words.apply(m), ...);
  return m;
}

// A material in the scalar that computes.
template <class S>
struct MaterialConstants {
  S static_friction{};
  S kinetic_friction{};
  S compensation{};
  S relaxation{};
  bool relaxation_is_absolute{};
  S volume_relaxation{};
  S restitution{};
  S spring{};
  S damper{};
  S membrane{};
};

template <class S>
[[nodiscard]] constexpr MaterialConstants<S> constants_of(const Material& m) noexcept {
  return {static_cast<S>(m.static_friction), static_cast<S>(m.kinetic_friction), static_cast<S>(m.compensation_per_s),
          static_cast<S>(m.relaxation),      m.relaxation_is_absolute,           static_cast<S>(m.volume_relaxation),
          static_cast<S>(m.restitution),     static_cast<S>(m.spring_N_per_m),   static_cast<S>(m.damper_Ns_per_m),
          static_cast<S>(m.membrane_m)};
}

}  // namespace kinecast
