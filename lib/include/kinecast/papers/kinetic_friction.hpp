// SPDX-License-Identifier: MIT
// Friction of a sliding contact polygon for a given pressure (method 6.5, S004 eq. 39 to 43): with s_l the direction of
// friction at corner l, against the slip there and at most of length one,
//
//   max w . (f_1, f_2, tau_n),   eps_l >= 0,   Sum eps_l (1, r_l2, -r_l1) = (f_n, tau_1, tau_2)
//   (f_1, f_2, tau_n) = mu_k Sum eps_l (s_l1, s_l2, r_l1 s_l2 - r_l2 s_l1)     method 6.5, FIX 18
//
// At most three corners carry load: those of a triangle around the centre of pressure. While only the pressure changes
// the triangle is kept, which takes 450 instructions of a Cortex-M7 with four corners; another triangle takes 3900. The
// error is 1.4e-6 of mu_k f_n in float, 2e-15 in double (oracle.linear_programs).
#pragma once

#include <kinecast/solve/simplex.hpp>

#include <cmath>
#include <cstdint>

namespace kinecast {

// The triangle that carried the load last. It is valid for one set of corners, directions and weights: begin with {}
// when any of them changes.
struct KineticBasis {
  bool is_known;
  std::uint8_t corner[3];
};

// The weights of S004 eq. 42: one over each component of the sticking solution (f_n, tau_1, tau_2, f_1, f_2, tau_n);
// components that vanish are dropped (method 6.5, CHOICE 20).
template <class S>
inline void find_paper_weights(const S (&sticking)[6], S reach, S (&weights)[3]) noexcept {
  const S least = Tolerance<S>::kVanishingFriction * std::abs(sticking[0]);
  for (int i = 0; i < 3; ++i) {
    const S value = sticking[3 + i];
    weights[i] = std::abs(value) > (i == 2 ? least * reach : least) ? S(1) / value : S(0);
  }
}

// The weights that behave better and are used: the objective is f_1 f_1* + f_2 f_2* + tau_n tau_n* / reach², along the
// friction of the sticking solution.
template <class S>
inline void find_kinetic_weights(const S (&sticking)[6], S reach, S (&weights)[3]) noexcept {
  weights[0] = sticking[3];
  weights[1] = sticking[4];
  weights[2] = reach > S(0) ? sticking[5] / (reach * reach) : S(0);
}

namespace detail {

// The columns of the program. Column l is (1, r_2, -r_1), r over the reach; its cost is the gain of the objective at
// corner l, over the largest one.
template <int MaxCorners, class S>
class CornerColumns {
 public:
  static constexpr bool kHasCosts = true;
  static constexpr bool kHasFixedRows = true;

  int corners;
  Table<S, MaxCorners, 2> r;
  Array<S, MaxCorners> price;

  [[nodiscard]] static constexpr int rows() noexcept { return 3; }
  [[nodiscard]] int columns() const noexcept { return corners; }
  [[nodiscard]] static constexpr S row_scale(int /*i*/) noexcept { return S(1); }
  [[nodiscard]] static constexpr S column_scale(int /*j*/) noexcept { return S(1); }
  [[nodiscard]] S cost(int j) const noexcept { return price[j]; }
  [[nodiscard]] static constexpr S largest_sum() noexcept { return S(1); }
  void column(int j, S* a) const noexcept {
    a[0] = S(1);
    a[1] = r[j][1];
    a[2] = -r[j][0];
  }
  [[nodiscard]] int steepest(const S* z, S weight, S& most) const noexcept {
    int found = -1;
    for (int j = 0; j < corners; ++j)
      if (const S gain = gain_of(j, z, weight); gain > most + rounding_of(j)) most = gain, found = j;
    return found;
  }
  [[nodiscard]] int first(const S* z, S weight, S& most) const noexcept {
    for (int j = 0; j < corners; ++j) {
      if (const S gain = gain_of(j, z, weight); gain > most + rounding_of(j)) {
        most = gain;
        return j;
      }
    }
    return -1;
  }

 private:
  [[nodiscard]] S rounding_of(int j) const noexcept { return Tolerance<S>::kNoGain * std::abs(price[j]); }
  [[nodiscard]] S gain_of(int j, const S* z, S weight) const noexcept {
    return weight * price[j] + z[0] + z[1] * r[j][1] - z[2] * r[j][0];
  }
};

// Moves a point that lies outside of a convex polygon, its corners in order, to the closest point of the polygon.
template <class S>
inline void project_onto_polygon(const S (*corner)[2], int corners, S (&point)[2]) noexcept {
  S area = S(0);
  S innermost = S(0);
  S outermost = S(0);
  S closest[2] = {point[0], point[1]};
  S least = std::numeric_limits<S>::max();
  const S* from = corner[corners - 1];
  for (int l = 0; l < corners; ++l) {
    const S* to = corner[l];
    const S edge[2] = {to[0] - from[0], to[1] - from[1]};
    const S at[2] = {point[0] - from[0], point[1] - from[1]};
    const S side = edge[0] * at[1] - edge[1] * at[0];
    innermost = side < innermost ? side : innermost;
    outermost = side > outermost ? side : outermost;
    area += from[0] * to[1] - from[1] * to[0];
    const S square = edge[0] * edge[0] + edge[1] * edge[1];
    const S along = edge[0] * at[0] + edge[1] * at[1];
    const S share = !(along > S(0)) ? S(0) : along < square ? along / square : S(1);
    const S gap[2] = {share * edge[0] - at[0], share * edge[1] - at[1]};
    const S distance = gap[0] * gap[0] + gap[1] * gap[1];
    if (distance < least) {
      least = distance;
      closest[0] = from[0] + share * edge[0];
      closest[1] = from[1] + share * edge[1];
    }
    from = to;
  }
  const bool is_inside = area > S(0) ? !(innermost < S(0)) : area < S(0) && !(outermost > S(0));
  if (!is_inside) point[0] = closest[0], point[1] = closest[1];
}

// Whether a point lies in the triangle of `basis`, and the shares of the triangle's corners in it.
template <class S>
[[nodiscard]] inline bool is_in_triangle(const S (*corner)[2], const KineticBasis& basis, const S (&point)[2],
                                         S (&share)[3]) noexcept {
  S d[3][2];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k) d[i][k] = corner[basis.corner[i]][k] - point[k];
  share[0] = d[1][0] * d[2][1] - d[1][1] * d[2][0];
  share[1] = d[2][0] * d[0][1] - d[2][1] * d[0][0];
  share[2] = d[0][0] * d[1][1] - d[0][1] * d[1][0];
  const S sum = share[0] + share[1] + share[2];
  const S inverse = S(1) / sum;
  bool is_inside = is_finite(inverse);
  for (int i = 0; i < 3; ++i) {
    share[i] *= inverse;
    is_inside = is_inside && share[i] >= -Tolerance<S>::kDegenerate;  // a point on an edge is inside
    share[i] = share[i] > S(0) ? share[i] : S(0);
  }
  return is_inside;
}

}  // namespace detail

// Finds `friction`, (f_1, f_2, tau_n), zero without load. `corner`: the corners of a convex polygon in order around it;
// `slip`: s_l; `normal`: (f_n, tau_1, tau_2). A centre of pressure outside of the polygon is moved to the closest point
// inside.
template <int MaxCorners = 8, class S>
[[nodiscard]] inline Status kinetic_friction(const S (*corner)[2], int corners, const S (*slip)[2], S mu,
                                             const S (&normal)[3], const S (&weights)[3], KineticBasis& basis,
                                             S (&friction)[3]) noexcept {
  if (corners < 1 || corners > MaxCorners) return Status::index_out_of_range;
  S poison = (mu - mu) + (normal[0] - normal[0]) + (normal[1] - normal[1]) + (normal[2] - normal[2]);
  S reach = S(0);
  S unequal = S(0);
  for (int l = 0; l < corners; ++l) {
    for (int i = 0; i < 2; ++i) {
      poison += (corner[l][i] - corner[l][i]) + (slip[l][i] - slip[l][i]);
      reach = std::abs(corner[l][i]) > reach ? std::abs(corner[l][i]) : reach;
      const S difference = std::abs(slip[l][i] - slip[0][i]);
      unequal = difference > unequal ? difference : unequal;
    }
  }
  if (!is_finite(poison)) return Status::non_finite_input;
  if (!(normal[0] > Tolerance<S>::kSmallest)) {
    friction[0] = friction[1] = friction[2] = S(0);
    return Status::ok;
  }

  const S over_load = S(1) / normal[0];
  S pressure[2] = {-normal[2] * over_load, normal[1] * over_load};
  S share[3] = {S(0), S(0), S(0)};
  int at[3] = {0, 0, 0};
  Status status = Status::ok;
  const S limit = mu * normal[0];
  S found[3];
  if (unequal <= Tolerance<S>::kPureTranslation) {
    // In pure translation every distribution of the pressure gives the same friction.
    detail::project_onto_polygon(corner, corners, pressure);
    found[0] = slip[0][0];
    found[1] = slip[0][1];
    found[2] = pressure[0] * slip[0][1] - pressure[1] * slip[0][0];
  } else {
    if (basis.is_known && basis.corner[0] < corners && basis.corner[1] < corners && basis.corner[2] < corners &&
        detail::is_in_triangle(corner, basis, pressure, share)) {
      for (int i = 0; i < 3; ++i) at[i] = basis.corner[i];
    } else {
      for (int i = 0; i < 3; ++i)
        if (!is_finite(weights[i])) return Status::non_finite_input;
      detail::project_onto_polygon(corner, corners, pressure);
      detail::CornerColumns<MaxCorners, S> columns;
      columns.corners = corners;
      const S over_reach = reach > S(0) ? S(1) / reach : S(0);
      S most = S(0);
      for (int l = 0; l < corners; ++l) {
        const S(&r)[2] = corner[l];
        const S(&s)[2] = slip[l];
        columns.r[l][0] = r[0] * over_reach;
        columns.r[l][1] = r[1] * over_reach;
        columns.price[l] = weights[0] * s[0] + weights[1] * s[1] + weights[2] * (r[0] * s[1] - r[1] * s[0]);
        most = std::abs(columns.price[l]) > most ? std::abs(columns.price[l]) : most;
      }
      const S over_most = most > S(0) ? S(1) / most : S(0);
      for (int l = 0; l < corners; ++l) columns.price[l] *= over_most;
      const S b[3] = {S(1), pressure[1] * over_reach, -pressure[0] * over_reach};
      detail::RevisedSimplex<S, 3, detail::CornerColumns<MaxCorners, S>> simplex(columns);
      status = simplex.solve(b);
      if (!ok(status)) return status;
      basis.is_known = status == Status::ok;
      for (int i = 0; i < 3; ++i) {
        const bool carries = simplex.place(i) >= 0;
        at[i] = carries ? simplex.place(i) : 0;
        share[i] = carries ? simplex.level(i) : S(0);
        basis.corner[i] = static_cast<std::uint8_t>(at[i]);
        basis.is_known = basis.is_known && carries;
      }
    }
    found[0] = found[1] = found[2] = S(0);
    for (int i = 0; i < 3; ++i) {
      const S(&r)[2] = corner[at[i]];
      const S(&s)[2] = slip[at[i]];
      found[0] += share[i] * s[0];
      found[1] += share[i] * s[1];
      found[2] += share[i] * (r[0] * s[1] - r[1] * s[0]);
    }
  }
  if (!is_finite(limit * (found[0] + found[1] + found[2]))) return Status::non_finite_result;
  for (int i = 0; i < 3; ++i) friction[i] = limit * found[i];
  return status;
}

}  // namespace kinecast
