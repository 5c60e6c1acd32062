// SPDX-License-Identifier: MIT
// Whether friction at the corners of a contact polygon can make a wrench (spec 6.4, eq. 37): with phi_p the edges of an inscribed
// pyramid of so many sides,
//
//   exists eps_lp >= 0:  Sum eps_lp [phi_p; r_l x phi_p] = W,   phi_p = n + mu (cos(2 pi p/Sides) e1 + sin(2 pi p/Sides) e2)
//
// Wrenches are (f_n, tau_1, tau_2, f_1, f_2, tau_n) about the origin of the corners, (e1, e2, n) right-handed. Bounds decide most
// of them, and a linear program of six rows the rest, all of it over f_n, mu and the largest |r_l|.
#pragma once

#include <kinecast/core/constexpr_math.hpp>
#include <kinecast/solve/simplex.hpp>

#include <cmath>
#include <cstdint>

namespace kinecast {

// How it was found out whether a contact sticks.
enum class DecidedBy : std::uint8_t {
  input,    // it cannot be said: not finite, or no such corners
  no_load,  // nothing pushes: there is no friction (FIX 27)
  a_bound,  // not: more than the cone, the pressure outside of the polygon, or the twist more than the corners' arms
  a_distribution,  // it does: friction that was made up from the pressure stays within the pyramids
  linear_program,
};

struct StaticFriction {
  bool holds;  // false also if it cannot be said: what slides can stick again in the next step
  DecidedBy decided_by;
  Status status;  // infeasible: the linear program used all its pivots
  std::uint8_t pivots;

  constexpr explicit operator bool() const noexcept { return holds; }
};

namespace detail {

// Directions of the pyramid's edges in the first eighth of the circle; the others are their mirror images.
template <int Sides, class S>
struct PyramidEdges {
  static_assert(Sides >= 4 && Sides % 4 == 0, "kinecast: a friction pyramid has 4, 8, 12, ... sides");
  static constexpr int kEighth = Sides / 8;
  S cosine[static_cast<std::size_t>(kEighth + 1)];
  S sine[static_cast<std::size_t>(kEighth + 1)];

  constexpr PyramidEdges() noexcept : cosine{}, sine{} {
    cosine[0] = S(1);
    sine[0] = S(0);
    for (int k = 1; k <= kEighth; ++k) {
      const double angle = 2 * constant::kPi * k / Sides;
      cosine[k] = static_cast<S>(constant::cos(angle));
      sine[k] = 8 * k == Sides ? cosine[k] : static_cast<S>(constant::sin(angle));
    }
  }
};
template <int Sides, class S>
inline constexpr PyramidEdges<Sides, S> kPyramidEdges;

// cos²(pi / Sides): where the circle within the pyramid is, over the one around it.
template <int Sides>
inline constexpr double kInscribed2 = 0.5 + 0.5 * constant::cos(2 * constant::kPi / Sides);

// Column Sides * l + p is edge p at corner l: (1, r_2, -r_1, cos, sin, r_1 sin - r_2 cos), its last three rows over mu.
template <int Sides, int MaxCorners, class S>
class PyramidColumns {
 public:
  static constexpr bool kHasCosts = false;

  int corners;
  Table<S, MaxCorners, 2> r;

  [[nodiscard]] static constexpr int rows() noexcept { return 6; }
  [[nodiscard]] int columns() const noexcept { return Sides * corners; }
  [[nodiscard]] static constexpr S row_scale(int /*i*/) noexcept { return S(1); }
  [[nodiscard]] static constexpr S column_scale(int /*j*/) noexcept { return S(1); }
  [[nodiscard]] static constexpr S cost(int /*j*/) noexcept { return S(0); }
  [[nodiscard]] static constexpr S largest_cost() noexcept { return S(0); }

  void column(int j, S* a) const noexcept {
    const auto [cosine, sine] = edge(j % Sides);
    const S(&at)[2] = r[j / Sides];
    a[0] = S(1);
    a[1] = at[1];
    a[2] = -at[0];
    a[3] = cosine;
    a[4] = sine;
    a[5] = at[0] * sine - at[1] * cosine;
  }

  // A corner's gains are a + (cos, sin) . g: the best edge is the one closest to g, and mirrors bring that into one eighth.
  [[nodiscard]] int steepest(const S* z, S /*weight*/, S& most) const noexcept {
    int found = -1;
    for (int l = 0; l < corners; ++l) {
      const S all = z[0] + z[1] * r[l][1] - z[2] * r[l][0];
      const S g1 = std::abs(z[3] - z[5] * r[l][1]);
      const S g2 = std::abs(z[4] + z[5] * r[l][0]);
      const S larger = g1 > g2 ? g1 : g2;
      const S smaller = g1 > g2 ? g2 : g1;
      for (int k = 0; k <= kEighth; ++k) {
        const S gain = all + kEdges.cosine[k] * larger + kEdges.sine[k] * smaller;
        if (gain > most) most = gain, found = l * (kEighth + 1) + k;
      }
    }
    return found < 0 ? found : unfold(found / (kEighth + 1), found % (kEighth + 1), z);
  }
  [[nodiscard]] int first(const S* z, S /*weight*/, S& most) const noexcept {
    for (int l = 0; l < corners; ++l) {
      const S all = z[0] + z[1] * r[l][1] - z[2] * r[l][0];
      const S g1 = z[3] - z[5] * r[l][1];
      const S g2 = z[4] + z[5] * r[l][0];
      for (int p = 0; p < Sides; ++p) {
        const auto [cosine, sine] = edge(p);
        const S gain = all + cosine * g1 + sine * g2;
        if (gain > most) {
          most = gain;
          return Sides * l + p;
        }
      }
    }
    return -1;
  }

 private:
  static constexpr int kEighth = Sides / 8;
  static constexpr int kQuarter = Sides / 4;
  static constexpr const PyramidEdges<Sides, S>& kEdges = kPyramidEdges<Sides, S>;

  struct Direction {
    S cosine;
    S sine;
  };
  [[nodiscard]] static Direction edge(int p) noexcept {
    const int k = p % kQuarter;
    const bool is_mirrored = k > kEighth;
    const S a = is_mirrored ? kEdges.sine[kQuarter - k] : kEdges.cosine[k];
    const S b = is_mirrored ? kEdges.cosine[kQuarter - k] : kEdges.sine[k];
    switch (p / kQuarter) {
      case 0:
        return {a, b};
      case 1:
        return {-b, a};
      case 2:
        return {-a, -b};
      default:
        return {b, -a};
    }
  }
  // The column of corner l whose mirror image is edge k of the first eighth.
  [[nodiscard]] int unfold(int l, int k, const S* z) const noexcept {
    const S g1 = z[3] - z[5] * r[l][1];
    const S g2 = z[4] + z[5] * r[l][0];
    int p = std::abs(g1) > std::abs(g2) ? k : kQuarter - k;
    if (g1 < S(0)) p = Sides / 2 - p;
    if (g2 < S(0)) p = p == 0 ? 0 : Sides - p;
    return Sides * l + p;
  }
};

// The scaled wrench: f_n = 1, torques over the largest |r_l|, the friction part over mu.
template <int Sides, int MaxCorners, class S>
class StaticTest {
 public:
  PyramidColumns<Sides, MaxCorners, S> columns;
  S b[6];

  // Each implies that the program lacks more than twice what it is forgiven. A NaN is taken for a violation.
  [[nodiscard]] bool is_beyond_bounds() noexcept {
    constexpr S kMore = S(1) + S(4) * Tolerance<S>::kFeasible;
    constexpr S kOutside = S(16) * Tolerance<S>::kFeasible;
    if (!(b[3] * b[3] + b[4] * b[4] <= kMore * kMore)) return true;
    if (!(std::abs(b[5]) <= kMore)) return true;
    cop_[0] = -b[2];
    cop_[1] = b[1];
    // About the centre of pressure friction has no longer arm than the farthest corner's.
    twist_ = b[5] - cop_[0] * b[4] + cop_[1] * b[3];
    S area = S(0);
    S innermost = S(4);
    S outermost = S(-4);
    S farthest = S(0);
    S before[2];
    arm(columns.corners - 1, before);
    for (int l = 0; l < columns.corners; ++l) {
      S d[2];
      arm(l, d);
      const S side =
          before[0] * d[1] - before[1] * d[0];  // of the edge to this corner that the centre of pressure is on
      area += side;
      innermost = side < innermost ? side : innermost;
      outermost = side > outermost ? side : outermost;
      const S square = d[0] * d[0] + d[1] * d[1];
      farthest = square > farthest ? square : farthest;
      before[0] = d[0], before[1] = d[1];
    }
    if (!(area >= S(0) ? innermost >= -kOutside : outermost <= kOutside)) return true;
    return !(twist_ * twist_ <= (farthest + kOutside) * (kMore * kMore));
  }

  // Sufficient: with any pressures eps_l >= 0 of sum 1 and with this centre, friction u + alpha n x d_l per unit of pressure, d_l the
  // corner from the centre of pressure, makes the force u, for Sum eps_l d_l = 0, and about the centre of pressure the twist
  // alpha Sum eps_l |d_l|². If it is within the pyramid's inscribed circle at every corner, it is a sum of the pyramid's edges
  // there with factors >= 0 that add up to eps_l. The pressures tried are linear in the position.
  [[nodiscard]] bool is_made_up() const noexcept {
    const int n = columns.corners;
    S xx = S(0);
    S xy = S(0);
    S yy = S(0);
    S mean[2] = {S(0), S(0)};
    for (int l = 0; l < n; ++l) mean[0] += columns.r[l][0], mean[1] += columns.r[l][1];
    const S share = S(1) / static_cast<S>(n);
    mean[0] *= share, mean[1] *= share;
    for (int l = 0; l < n; ++l) {
      const S x = columns.r[l][0] - mean[0];
      const S y = columns.r[l][1] - mean[1];
      xx += x * x, xy += x * y, yy += y * y;
    }
    const S determinant = xx * yy - xy * xy;
    if (!(determinant > Tolerance<S>::kSatisfied * xx * yy)) return false;
    const S inverse = S(1) / determinant;
    const S x = cop_[0] - mean[0];
    const S y = cop_[1] - mean[1];
    const S slope[2] = {inverse * (yy * x - xy * y), inverse * (xx * y - xy * x)};
    S arms = S(0);  // Sum eps_l |d_l|²
    for (int l = 0; l < n; ++l) {
      const S eps = share + slope[0] * (columns.r[l][0] - mean[0]) + slope[1] * (columns.r[l][1] - mean[1]);
      if (!(eps >= S(0))) return false;
      S d[2];
      arm(l, d);
      arms += eps * (d[0] * d[0] + d[1] * d[1]);
    }
    const S alpha = twist_ / arms;
    for (int l = 0; l < n; ++l) {
      S d[2];
      arm(l, d);
      const S t1 = b[3] - alpha * d[1];
      const S t2 = b[4] + alpha * d[0];
      if (!(t1 * t1 + t2 * t2 <= static_cast<S>(kInscribed2<Sides>))) return false;
    }
    return true;
  }

 private:
  void arm(int l, S (&d)[2]) const noexcept {
    d[0] = columns.r[l][0] - cop_[0];
    d[1] = columns.r[l][1] - cop_[1];
  }

  S cop_[2];  // centre of pressure
  S twist_;   // tau_n about it
};

// The scaled problem. False if a number is not finite.
template <int Sides, int MaxCorners, class S>
[[nodiscard]] inline bool scale_static_test(const S (*corner)[2], int corners, S mu, const S (&wrench)[6],
                                            StaticTest<Sides, MaxCorners, S>& test) noexcept {
  S poison = mu - mu;
  S square = S(0);
  for (int l = 0; l < corners; ++l) {
    const S size = corner[l][0] * corner[l][0] + corner[l][1] * corner[l][1];
    poison += size - size;
    square = size > square ? size : square;
  }
  for (int i = 0; i < 6; ++i) poison += wrench[i] - wrench[i];
  if (!is_finite(poison)) return false;
  // A point, or no friction: what it cannot make must be zero, and any that is not becomes infinite.
  const S reach = std::sqrt(square);
  const S over_reach = S(1) / (reach > S(0) ? reach : std::numeric_limits<S>::min());
  const S over_load = S(1) / (wrench[0] > S(0) ? wrench[0] : S(1));
  const S over_limit = over_load / (mu > S(0) ? mu : std::numeric_limits<S>::min());
  test.columns.corners = corners;
  for (int l = 0; l < corners; ++l)
    for (int i = 0; i < 2; ++i) test.columns.r[l][i] = corner[l][i] * over_reach;
  test.b[0] = S(1);
  test.b[1] = wrench[1] * over_load * over_reach;
  test.b[2] = wrench[2] * over_load * over_reach;
  test.b[3] = wrench[3] * over_limit;
  test.b[4] = wrench[4] * over_limit;
  test.b[5] = wrench[5] * over_limit * over_reach;
  return true;
}

}  // namespace detail

// corner: of a convex polygon, in order around it, its origin within or near. mu: the coefficient that decides. A contact on the
// limit holds if the program lacks no more than Tolerance::kFeasible.
template <int Sides, int MaxCorners = 8, class S>
[[nodiscard]] inline StaticFriction static_friction_holds(const S (*corner)[2], int corners, S mu,
                                                          const S (&wrench)[6]) noexcept {
  if (corners < 0 || corners > MaxCorners) return {false, DecidedBy::input, Status::index_out_of_range, 0};
  detail::StaticTest<Sides, MaxCorners, S> test;
  const bool is_loaded = corners > 0 && wrench[0] > std::numeric_limits<S>::min();
  if (!detail::scale_static_test(corner, corners, mu, wrench, test))
    return {false, DecidedBy::input, Status::non_finite_input, 0};
  if (!is_loaded) return {false, DecidedBy::no_load, Status::ok, 0};
  if (test.is_beyond_bounds()) return {false, DecidedBy::a_bound, Status::ok, 0};
  if (test.is_made_up()) return {true, DecidedBy::a_distribution, Status::ok, 0};
  detail::RevisedSimplex<S, 6> simplex;
  const Status status = simplex.solve(test.columns, test.b);
  const bool is_answer = ok(status) || (status == Status::infeasible && !simplex.gave_up());
  return {ok(status), DecidedBy::linear_program, is_answer ? Status::ok : status,
          static_cast<std::uint8_t>(simplex.pivots())};
}

}  // namespace kinecast
