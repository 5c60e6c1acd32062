// SPDX-License-Identifier: MIT
// The friction of a contact that is overloaded but does not move yet: what sticking would need, as far as friction
// reaches, and never more: a corner that comes down without slip is not thrown back. The tangential force is
// shortened to mu f_n, the moment about the centre of pressure c to what is left for turning. Pressure at a corner r
// and at the point q of the boundary behind c, in shares e that keep c where it is, with friction t = e
// (f_t/f_n + alpha z x (. - c)), has the force f_t and the moment alpha f_n |r - c| |q - c|, and stays within the
// cones while |f_t|/f_n + alpha max(|r - c|, |q - c|) <= mu. So the arm of friction is at least min(|r - c|, |q -
// c|), and the best corner's is taken.
#pragma once

#include <cmath>

namespace kinecast {

// normal: (f_n, tau_1, tau_2); needed and friction: (f_1, f_2, tau_n), all about the origin of the corners.
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
    S behind = S(1);  // |q - c| over |r - c|, not more than one
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
