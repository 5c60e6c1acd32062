// SPDX-License-Identifier: MIT
// Decides whether friction at the corners of a contact polygon can make a wrench (method 6.4, S004 eq. 37): with phi_p
// the edges of an inscribed pyramid of P sides,
//
//   exists eps_lp >= 0: Sum eps_lp [phi_p; r_l x phi_p] = W, phi_p = n + mu (cos(a_p) e1 + sin(a_p) e2), a_p = 2 pi p/P
//
// Wrenches are (f_n, tau_1, tau_2, f_1, f_2, tau_n) about the origin of the corners, (e1, e2, n) right-handed. Bounds
// decide the clear cases, and a linear program of six rows decides the rest, all of it scaled by f_n, mu and the
// largest |r_l|. In 65 000 cases (oracle.linear_programs) float accepted wrenches whose rows lacked up to 5.0e-5 and
// refused from 2.9e-5 on, double 7.4e-10 and 1.0e-9. With 4 corners and 8 sides the program takes 6600 instructions of
// a Cortex-M7 on average, and 13 700 in the worst of 20 000 cases.
#pragma once

#include <kinecast/core/constexpr_math.hpp>
#include <kinecast/solve/simplex.hpp>

#include <cmath>
#include <cstdint>

namespace kinecast {

// What decided whether a contact sticks.
enum class DecidedBy : std::uint8_t {
  input,           // undecided: a number is not finite, or there are no such corners
  no_load,         // it slides: nothing pushes, so there is no friction (method 6.4, FIX 27)
  a_bound,         // it slides: force beyond the cone, pressure outside of the polygon, or too much twist for the arms
  a_distribution,  // it sticks: a friction that was tried for the pressure stays within the pyramids
  linear_program,  // the program found friction that makes the wrench, or that there is none
};

struct StaticFriction {
  bool holds;  // false also where nothing could be decided: a contact that slides can stick again in the next step
  DecidedBy decided_by;
  Status status;  // infeasible: the linear program used all its pivots
  std::uint8_t pivots;

  constexpr explicit operator bool() const noexcept { return holds; }
};

namespace detail {

// The pyramid's cross-section is a polygon with its corners on the unit circle. This table has the directions of the
// corners and of the sides' normals in the first eighth of the circle; all others are mirror images.
template <int Sides, class S>
struct PyramidShape {
  static_assert(Sides >= 4 && Sides % 4 == 0, "kinecast: a friction pyramid has 4, 8, 12, ... sides");
  static constexpr int kEdges = Sides / 8 + 1;
  static constexpr int kFaces = (Sides + 4) / 8;
  S edge_cosine[static_cast<std::size_t>(kEdges)];
  S edge_sine[static_cast<std::size_t>(kEdges)];
  S face_cosine[static_cast<std::size_t>(kFaces)];  // over the sides' distance cos(pi / Sides)
  S face_sine[static_cast<std::size_t>(kFaces)];

  constexpr PyramidShape() noexcept : edge_cosine{}, edge_sine{}, face_cosine{}, face_sine{} {
    edge_cosine[0] = S(1);
    edge_sine[0] = S(0);
    for (int k = 1; k < kEdges; ++k) {
      const double angle = 2 * constant::kPi * k / Sides;
      edge_cosine[k] = static_cast<S>(constant::cos(angle));
      edge_sine[k] = 8 * k == Sides ? edge_cosine[k] : static_cast<S>(constant::sin(angle));
    }
    const double distance = constant::cos(constant::kPi / Sides);
    for (int k = 0; k < kFaces; ++k) {
      const double angle = 2 * constant::kPi * (k + 0.5) / Sides;
      face_cosine[k] = static_cast<S>(constant::cos(angle) / distance);
      face_sine[k] = static_cast<S>(constant::sin(angle) / distance);
    }
  }
};
template <int Sides, class S>
inline constexpr PyramidShape<Sides, S> kPyramidShape;

// A vector of the plane, mirrored into the first eighth.
template <class S>
struct Folded {
  S larger;
  S smaller;
  [[gnu::always_inline]] Folded(S x, S y) noexcept {
    const S a = std::abs(x);
    const S b = std::abs(y);
    larger = a > b ? a : b;
    smaller = a > b ? b : a;
  }
};
// The size of a vector in units of the polygon: 1 on its sides.
template <int Sides, class S>
[[nodiscard]] inline S fraction_of_pyramid(S x, S y) noexcept {
  constexpr const auto& shape = kPyramidShape<Sides, S>;
  const Folded<S> at(x, y);
  S most = S(0);
  for (int k = 0; k < shape.kFaces; ++k) {
    const S out = shape.face_cosine[k] * at.larger + shape.face_sine[k] * at.smaller;
    most = !(out <= most) ? out : most;  // a NaN stays
  }
  return most;
}
// The largest scalar product of (x, y) with a vector in the polygon.
template <int Sides, class S>
[[nodiscard]] inline S reach_of_pyramid(S x, S y) noexcept {
  constexpr const auto& shape = kPyramidShape<Sides, S>;
  const Folded<S> along(x, y);
  S most = along.larger;
  for (int k = 1; k < shape.kEdges; ++k) {
    const S out = shape.edge_cosine[k] * along.larger + shape.edge_sine[k] * along.smaller;
    most = out > most ? out : most;
  }
  return most;
}

// The columns of the program. Column Sides * l + p is edge p at corner l: (1, r_2, -r_1, cos, sin, r_1 sin - r_2 cos),
// its last three rows over mu.
template <int Sides, int MaxCorners, class S>
class PyramidColumns {
 public:
  static constexpr bool kHasCosts = false;
  static constexpr bool kHasFixedRows = true;

  int corners;
  Table<S, MaxCorners, 2> r;

  [[nodiscard]] static constexpr int rows() noexcept { return 6; }
  [[nodiscard]] int columns() const noexcept { return Sides * corners; }
  [[nodiscard]] static constexpr S row_scale(int /*i*/) noexcept { return S(1); }
  [[nodiscard]] static constexpr S column_scale(int /*j*/) noexcept { return S(1); }
  [[nodiscard]] static constexpr S cost(int /*j*/) noexcept { return S(0); }
  [[nodiscard]] static constexpr S largest_sum() noexcept { return S(1); }

  void column(int j, S* a) const noexcept {
    const auto which = static_cast<unsigned>(j);  // divisions by a power of two become shifts
    const auto [cosine, sine] = edge(which % kSides);
    const S(&at)[2] = r[which / kSides];
    a[0] = S(1);
    a[1] = at[1];
    a[2] = -at[0];
    a[3] = cosine;
    a[4] = sine;
    a[5] = at[0] * sine - at[1] * cosine;
  }

  // The gains of a corner's edges are a + (cos, sin) . g: the best edge is the one closest to g, and mirror images
  // bring the search into one eighth.
  [[nodiscard]] int steepest(const S* z, S /*weight*/, S& most) const noexcept {
    int found = -1;
    for (int l = 0; l < corners; ++l) {
      const S all = z[0] + z[1] * r[l][1] - z[2] * r[l][0];
      const Folded<S> g(z[3] - z[5] * r[l][1], z[4] + z[5] * r[l][0]);
      if (all + g.larger > most) most = all + g.larger, found = l * kShape.kEdges;
      for (int k = 1; k < kShape.kEdges; ++k) {
        const S gain = all + kShape.edge_cosine[k] * g.larger + kShape.edge_sine[k] * g.smaller;
        if (gain > most) most = gain, found = l * kShape.kEdges + k;
      }
    }
    if (found < 0) return found;
    const int l = found / kShape.kEdges;
    return unfold(l, found % kShape.kEdges, z[3] - z[5] * r[l][1], z[4] + z[5] * r[l][0]);
  }
  // The column of the edge at corner l that is closest to a direction.
  [[nodiscard]] int closest(int l, S x, S y) const noexcept {
    const Folded<S> g(x, y);
    int best = 0;
    S most = g.larger;
    for (int k = 1; k < kShape.kEdges; ++k) {
      const S along = kShape.edge_cosine[k] * g.larger + kShape.edge_sine[k] * g.smaller;
      if (along > most) most = along, best = k;
    }
    return unfold(l, best, x, y);
  }
  [[nodiscard]] int first(const S* z, S /*weight*/, S& most) const noexcept {
    for (int l = 0; l < corners; ++l) {
      const S all = z[0] + z[1] * r[l][1] - z[2] * r[l][0];
      const S g1 = z[3] - z[5] * r[l][1];
      const S g2 = z[4] + z[5] * r[l][0];
      for (int p = 0; p < Sides; ++p) {
        const auto [cosine, sine] = edge(static_cast<unsigned>(p));
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
  static constexpr unsigned kSides = Sides;
  static constexpr int kQuarter = Sides / 4;
  static constexpr const PyramidShape<Sides, S>& kShape = kPyramidShape<Sides, S>;

  struct Direction {
    S cosine;
    S sine;
  };
  [[nodiscard]] static Direction edge(unsigned p) noexcept {
    constexpr unsigned kQuarters = kQuarter;
    const unsigned k = p % kQuarters;
    const bool is_mirrored = k >= static_cast<unsigned>(kShape.kEdges);
    const S a = is_mirrored ? kShape.edge_sine[kQuarters - k] : kShape.edge_cosine[k];
    const S b = is_mirrored ? kShape.edge_cosine[kQuarters - k] : kShape.edge_sine[k];
    switch (p / kQuarters) {
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
  // The column of corner l whose mirror image is edge k of the first eighth, where (g1, g2) was mirrored to.
  [[nodiscard]] static int unfold(int l, int k, S g1, S g2) noexcept {
    int p = std::abs(g1) > std::abs(g2) ? k : kQuarter - k;
    if (g1 < S(0)) p = Sides / 2 - p;
    if (g2 < S(0)) p = p == 0 ? 0 : Sides - p;
    return Sides * l + p;
  }
};

// The test of one scaled wrench: f_n = 1, torques over the largest |r_l|, the friction part over mu.
template <int Sides, int MaxCorners, class S>
class StaticTest {
 public:
  PyramidColumns<Sides, MaxCorners, S> columns;
  S b[6];

  // True if friction of the whole load in one place cannot make the force, or at the longest arm not the torque, or if
  // the centre of pressure lies outside of the polygon. Each implies that the rows of the program lack more than its
  // tolerance. A NaN, which only an overflow can bring here, counts as beyond.
  [[nodiscard]] bool is_beyond_bounds() noexcept {
    if (!(fraction_of_pyramid<Sides>(b[3], b[4]) <= kMore)) return true;
    if (!(std::abs(b[5]) <= kMore && b[1] * b[1] + b[2] * b[2] <= kMore * kMore)) return true;
    const S cop[2] = {-b[2], b[1]};
    twist_ = b[5] - cop[0] * b[4] + cop[1] * b[3];
    const int n = columns.corners;
    for (int l = 0; l < n; ++l) {
      d_[l][0] = columns.r[l][0] - cop[0];
      d_[l][1] = columns.r[l][1] - cop[1];
    }
    S area = S(0);
    S innermost = S(0);
    S outermost = S(0);
    for (int l = 0; l < n; ++l) {
      const S(&to)[2] = d_[l + 1 < n ? l + 1 : 0];
      side_[l] = d_[l][0] * to[1] - d_[l][1] * to[0];
      area += side_[l];
      innermost = side_[l] < innermost ? side_[l] : innermost;
      outermost = side_[l] > outermost ? side_[l] : outermost;
    }
    constexpr S kOutside = Tolerance<S>::kOutsidePolygon;
    return !(area >= S(0) ? innermost >= -kOutside : outermost <= kOutside);
  }

  enum class Answer : std::uint8_t { holds, slips, open };

  // With any pressures eps_l >= 0 of sum 1 and with this centre, friction t_l = u + alpha n x d_l per unit of pressure,
  // d_l the corner from the centre of pressure, makes the force u, for Sum eps_l d_l = 0, and about the centre the
  // twist alpha Sum eps_l |d_l|². Sufficient: if every t_l is in the pyramid's polygon, it is a mean of the polygon's
  // corners, and eps_l t_l a sum of the pyramid's edges there with factors >= 0 that add up to eps_l. The pressures
  // tried are Wachspress' (1975). Necessary: the motion t_l as a slip does work t . W = u . u + alpha twist, and
  // friction, whatever the pressures, no more than the most that a corner can.
  [[nodiscard]] Answer try_distribution() noexcept {
    const int n = columns.corners;
    S sum = S(0);
    S arms = S(0);
    S centre[2] = {S(0), S(0)};
    for (int l = 0; l < n; ++l) {
      if (!(side_[l] >= -Tolerance<S>::kDegenerate)) return Answer::open;
      side_[l] = side_[l] > S(0) ? side_[l] : S(0);
    }
    for (int l = 0; l < n; ++l) {
      const int next = l + 1 < n ? l + 1 : 0;
      const int last = l > 0 ? l - 1 : n - 1;
      // The weight is the corner's triangle with its neighbours times all sides but its two.
      S weight = side_[last] + side_[l] - (d_[last][0] * d_[next][1] - d_[last][1] * d_[next][0]);
      for (int k = 0; k < n; ++k)
        if (k != l && k != last) weight *= side_[k];
      if (!(weight >= S(0))) return Answer::open;
      sum += weight;
      centre[0] += weight * d_[l][0];
      centre[1] += weight * d_[l][1];
      arms += weight * (d_[l][0] * d_[l][0] + d_[l][1] * d_[l][1]);
    }
    // Corners that coincide, or a load on one of them, leave only rounding.
    const S rounding = S(0.25) * Tolerance<S>::kFeasible * sum;
    if (!(arms > rounding && std::abs(centre[0]) <= rounding && std::abs(centre[1]) <= rounding)) return Answer::open;
    const S alpha = twist_ * sum / arms;
    S outermost = S(0);
    S most = S(0);
    for (int l = 0; l < n; ++l) {
      const S t1 = b[3] - alpha * d_[l][1];
      const S t2 = b[4] + alpha * d_[l][0];
      const S out = fraction_of_pyramid<Sides>(t1, t2);
      const S work = reach_of_pyramid<Sides>(t1, t2);
      outermost = !(out <= outermost) ? out : outermost;
      most = work > most ? work : most;
    }
    if (outermost <= S(1)) return Answer::holds;
    return b[3] * b[3] + b[4] * b[4] + alpha * twist_ > most * kMore ? Answer::slips : Answer::open;
  }

  // Guesses a first basis: a triangle of corners around the centre of pressure, which makes the load and its moments,
  // each with the edge of its pyramid that is closest to the friction asked for. False: there is no such triangle.
  [[nodiscard]] bool guess_basis(int (&column)[3]) const noexcept {
    const int n = columns.corners;
    S before = side_[0];
    for (int l = 1; l + 1 < n; ++l) {
      const S after = d_[0][0] * d_[l + 1][1] - d_[0][1] * d_[l + 1][0];
      if (before >= S(0) && after <= S(0)) {
        const int corner[3] = {0, l, l + 1};
        for (int i = 0; i < 3; ++i) {
          const S(&d)[2] = d_[corner[i]];
          column[i] = columns.closest(corner[i], b[3] - S(2) * twist_ * d[1], b[4] + S(2) * twist_ * d[0]);
        }
        return true;
      }
      before = after;
    }
    return false;
  }

 private:
  static constexpr S kMore = S(1) + Tolerance<S>::kBeyondBound;

  Table<S, MaxCorners, 2> d_;  // the corners from the centre of pressure
  Array<S, MaxCorners> side_;  // d_l x d_l+1
  S twist_;                    // tau_n about the centre of pressure
};

// Scales the problem. False: a number is not finite.
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
  // A point makes no moment, and no friction makes no force: where these are not zero, the scaled ones become infinite.
  const S reach = std::sqrt(square);
  const S over_reach = S(1) / (reach > S(0) ? reach : Tolerance<S>::kSmallest);
  const S over_load = S(1) / (wrench[0] > S(0) ? wrench[0] : S(1));
  const S over_limit = over_load / (mu > S(0) ? mu : Tolerance<S>::kSmallest);
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

// Whether static friction holds the wrench. `corner`: the corners of a convex polygon in order around it, with the
// origin within or near. `mu`: the coefficient that decides. A contact on the limit holds if the rows of the program
// lack no more than Tolerance::kFeasible.
template <int Sides, int MaxCorners = 8, class S>
[[nodiscard]] inline StaticFriction static_friction_holds(const S (*corner)[2], int corners, S mu,
                                                          const S (&wrench)[6]) noexcept {
  if (corners < 0 || corners > MaxCorners) return {false, DecidedBy::input, Status::index_out_of_range, 0};
  detail::StaticTest<Sides, MaxCorners, S> test;
  const bool is_loaded = corners > 0 && wrench[0] > Tolerance<S>::kSmallest;
  if (!detail::scale_static_test(corner, corners, mu, wrench, test))
    return {false, DecidedBy::input, Status::non_finite_input, 0};
  if (!is_loaded) return {false, DecidedBy::no_load, Status::ok, 0};
  if (test.is_beyond_bounds()) return {false, DecidedBy::a_bound, Status::ok, 0};
  using Answer = typename decltype(test)::Answer;
  const Answer answer = test.try_distribution();
  if (answer == Answer::holds) return {true, DecidedBy::a_distribution, Status::ok, 0};
  if (answer == Answer::slips) return {false, DecidedBy::a_bound, Status::ok, 0};
  detail::RevisedSimplex<S, 6, detail::PyramidColumns<Sides, MaxCorners, S>> simplex(test.columns);
  int guess[3];
  const bool has_guess = test.guess_basis(guess);
  const Status status = simplex.solve(test.b, guess, has_guess ? 3 : 0);
  const bool is_answer = ok(status) || (status == Status::infeasible && !simplex.gave_up());
  return {ok(status), DecidedBy::linear_program, is_answer ? Status::ok : status,
          static_cast<std::uint8_t>(simplex.pivots())};
}

}  // namespace kinecast
