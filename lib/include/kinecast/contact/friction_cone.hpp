// SPDX-License-Identifier: MIT
// What the cones of points and of volumes have in common: their friction, and which one a contact starts with.
#pragma once

#include <kinecast/model/environment/material.hpp>
#include <kinecast/solve/rows.hpp>

namespace kinecast::detail {

// The compliance of rows with a mobility (method 2.7): the relaxation over it. It never falls below what the scalar
// resolves.
template <class S>
[[nodiscard]] inline S softness(S relaxation, bool is_absolute, S mobility) noexcept {
  const S relative = is_absolute ? relaxation / (mobility * mobility) : relaxation;
  return mobility * (relative > Tolerance<S>::kLeastRelaxation ? relative : Tolerance<S>::kLeastRelaxation);
}

template <class S, class Row>
inline void set_friction(S friction, Cone<S>& cone, const Row* row) noexcept {
  const S soft = row[0].compliance + friction * friction * row[1].compliance;
  cone.friction = friction;
  cone.sliding_stiffness = row[0].stiffness > S(0) ? S(1) / soft : S(0);
}

// A contact that static friction did not hold, and that slides by now, has kinetic friction. True: it got that now.
template <class S, class Row>
[[nodiscard]] inline bool becomes_kinetic(const MaterialConstants<S>& material, S slip_mps, Cone<S>& cone,
                                          const Row* row) noexcept {
  if (cone.regime != Regime::slides || !(cone.slip > slip_mps)) return false;
  if (!(cone.friction > material.kinetic_friction)) return false;
  set_friction(material.kinetic_friction, cone, row);
  return true;
}

// A contact that bore nothing in the last step, and whose point moves faster than twice what static friction could
// stop in an impact at this point alone, has kinetic friction from the start.
template <class S, class Row>
[[nodiscard]] inline bool arrives_sliding(const MaterialConstants<S>& material, const Row* row) noexcept {
  if (row[0].impulse > S(0) || !(row[0].bias < S(0))) return false;
  const S normal = -row[0].bias / (row[0].mobility + row[0].compliance);
  const S stopped =
      S(2) * material.static_friction * normal * (row[1].compliance + S(0.5) * (row[1].mobility + row[2].mobility));
  return row[1].bias * row[1].bias + row[2].bias * row[2].bias > stopped * stopped;
}

}  // namespace kinecast::detail
