// SPDX-License-Identifier: MIT
// The friction of a contact that is overloaded but does not move yet: the friction that sticking would need, as far as
// mu reaches, and never more, so that a corner which comes down without slip is not thrown back. The tangential force
// is shortened to mu f_n, and the moment about the centre of pressure c to what is then left for turning. How much that
// is: let the pressure act at a corner r and at the point q of the boundary behind c, in shares e that keep c in place.
// The friction e (f_t/f_n + alpha z x (. - c)) there has the force f_t and the moment alpha f_n |r - c| |q - c|. It
// stays within the cones while |f_t|/f_n + alpha max(|r - c|, |q - c|) <= mu. So the arm of friction is at least min(|r
// - c|, |q - c|); the arm of the best corner is used.
#pragma once

#include <cmath>

namespace kinecast {

// Limits the friction that is `needed` to `friction`: both (f_1, f_2, tau_n), with `normal` (f_n, tau_1, tau_2), all
// about the origin of the corners.
template <class S>
inline void limit_friction(const S (*corner)[2], int corners, S mu, const S (&normal)[3], const S (&needed)[3],
                           S (&friction)[3]) noexcept {
  const S limit = mu * normal[0];
  const S size = std::sqrt(needed[0] * needed[0] + needed[1] * needed[1]);
  const S share = size > limit ? limit / size : S(1);
  const S center[2] = {-normal[2] / normal[0], normal[1] / normal[0]};
  friction[0] = share * needed[0];
  friction[1] = share * needed[1];
  const S carried = center[0] * friction[1] - center[1] * friction[0];
  const S turning = needed[2] - (center[0] * needed[1] - center[1] * needed[0]);
  S arm = S(0);
  for (int l = 0; l < corners; ++l) {
    const S to_corner[2] = {corner[l][0] - center[0], corner[l][1] - center[1]};
    S behind = S(1);  // |q - c| / |r - c|, at most one
    for (int e = 0; e < corners; ++e) {
      const S(&from)[2] = corner[e];
      const S(&to)[2] = corner[e + 1 < corners ? e + 1 : 0];
      const S inward[2] = {from[1] - to[1], to[0] - from[0]};
      const S inside = inward[0] * (center[0] - from[0]) + inward[1] * (center[1] - from[1]);
      const S nearing = inward[0] * to_corner[0] + inward[1] * to_corner[1];
      if (inside < behind * nearing) behind = inside > S(0) ? inside / nearing : S(0);
    }
    const S reached = behind * std::sqrt(to_corner[0] * to_corner[0] + to_corner[1] * to_corner[1]);
    arm = reached > arm ? reached : arm;
  }
  const S most = (limit - share * size) * arm;
  friction[2] = carried + (turning > most ? most : turning < -most ? -most : turning);
}

}  // namespace kinecast
