// SPDX-License-Identifier: MIT
// The rows of a step: what everything that holds a robot asks of its motion, in one list. A row is a direction y in the
// factor space of the robot's inertia (kinetic energy ½|t|²); s is the change of t by all impulses of the step:
//
//   v = y . s + bias        the row's velocity at the end of the step, less what it is to be
//   v + compliance x = 0    where the row holds with its impulse x
//
// Three rows with a common bound are a cone (a normal and two tangents: contact with friction); a row by itself is a
// line: it holds with either sign (loops, couplings), it pushes only (stops), or its impulse has a least and a most
// (dry friction of a joint). Cones come first in the list, three rows each, and lines behind them.
//
// A row feels the joints between its bodies and the world and no others: its Support lists their coordinates, and y has
// one entry for each. Coordinates are numbered from the leaves of the tree to its root, so that a system that is
// factored in this order stays as sparse as the tree.
#pragma once

#include <kinecast/core/scalar.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace kinecast {

// Rows of few coordinates are dense: each has an entry for every coordinate, and the loops over them can be unrolled.
template <int Rank>
inline constexpr bool kRowsAreDense = Rank <= 8;

// The coordinates that a row feels, in ascending order.
template <int Rank>
struct Support {
  std::int16_t count{0};
  std::array<std::int16_t, static_cast<std::size_t>(Rank)> place{};
};

// All coordinates.
template <int Rank>
[[nodiscard]] constexpr Support<Rank> every_coordinate() noexcept {
  Support<Rank> all{};
  for (; all.count < Rank; ++all.count) all.place[static_cast<std::size_t>(all.count)] = all.count;
  return all;
}
template <int Rank>
inline constexpr Support<Rank> kEveryCoordinate = every_coordinate<Rank>();

// The support of a row. Dense rows have one in common, which takes no RAM.
template <int Rank, bool is_dense = kRowsAreDense<Rank>>
struct SupportOfRow {
  const Support<Rank>* support;
  void set_support(const Support<Rank>& other) noexcept { support = &other; }
};
template <int Rank>
struct SupportOfRow<Rank, true> {
  static constexpr const Support<Rank>* support = &kEveryCoordinate<Rank>;
  static void set_support(const Support<Rank>& /*other*/) noexcept {}
};

// How a row's impulse follows from its velocity.
enum class Regime : std::uint8_t {
  open,      // there is none
  holds,     // it is -v / compliance
  slides,    // a cone's tangential impulse is friction times the normal one, against the slip
  at_least,  // the impulse is at its lower limit,
  at_most,   // or at its upper one
};

// How the rows of a cone are stored.
enum class Storage : std::uint8_t {
  spread,         // by themselves
  first_of_pack,  // with those of the cones behind it (solve/packs.hpp)
  in_pack,
};

enum class Bound : std::uint8_t {
  none,  // either sign
  push,  // not negative
  box,   // between a least and a most impulse
};

template <class S, int Rank>
struct Row : SupportOfRow<Rank> {
  // Products with rows go by tiles of three entries: entries behind the support's last one are zero up to there.
  static constexpr int kEntries = (Rank + 2) / 3 * 3;
  S y[static_cast<std::size_t>(kEntries)];
  S mobility;  // |y|²
  S free;      // velocity without any impulse, less the part of the target that working off a depth is: for the energy
  S bias;      // velocity at the end of the step without any impulse, less the velocity that is asked for
  S compliance;  // never zero, but for a row that cannot move: then `stiffness` is zero, and so is its impulse
  S stiffness;   // 1 / compliance
  S impulse;     // given: that of the last step; found: that of this one
  S velocity;    // y . s + bias
  S turn;        // change of the velocity along the solver's present direction; in a pack, a coordinate of the place

  // Sets how soft the row is.
  void soften(S softness) noexcept {
    compliance = softness;
    stiffness = softness > S(0) ? S(1) / softness : S(0);
  }
  // Starts from the impulse that held in the last step. The row gives way for what is new only, v = -R (x - last): what
  // rests does not creep.
  void hold_on(S last) noexcept {
    impulse = last;
    bias -= compliance * last;
  }
};

// What belongs to the three rows of a cone together. The tangents have one compliance, so that the result does not
// depend on their directions.
template <class S>
struct Cone {
  S friction;           // coefficient
  S sliding_stiffness;  // 1 / (R_n + mu² R_t)
  S speed;              // tangential speed before the step
  bool is_known;        // the contact held in the last step: impulses and regime are those of then
  Regime regime;        // given: that of the last step; found: that of this one
  Regime factored;      // the regime of the system that is factored
  Storage storage{Storage::spread};
  S shift;         // mu times the slip: it takes back what the convex law adds to the normal velocity
  S slip;          // tangential speed at the end of the step
  S off;           // how far the shift was from mu times the slip when it was last moved
  S moved;         // and how far it was moved
  S direction[2];  // of the friction impulse, along the tangents
  S curvature;     // tangential impulse over |w_t|: stiffness across the slip
  S rebound;       // part of the asked normal velocity that restitution asks for
};

template <class S>
struct Line {
  Bound bound;
  bool is_known;
  Regime regime;
  Regime factored;
  S least;
  S most;
  S rebound;  // part of the asked velocity that restitution asks for

  [[nodiscard]] static Line bilateral() noexcept {
    return {Bound::none, true, Regime::holds, Regime::holds, S(0), S(0), S(0)};
  }
  [[nodiscard]] static Line pushing(S rebound) noexcept {
    return {Bound::push, false, Regime::open, Regime::open, S(0), S(0), rebound};
  }
  [[nodiscard]] static Line between(S least, S most) noexcept {
    return {Bound::box, true, Regime::holds, Regime::holds, least, most, S(0)};
  }
};

// The rows of a step, the impulses, and the change s of the coordinates that they cause.
template <class S, int MaxRank, int MaxCones, int MaxLines>
struct Rows {
  static constexpr int kRank = MaxRank;
  static constexpr int kCones = MaxCones;
  static constexpr int kLines = MaxLines;
  using Scalar = S;
  using Row = kinecast::Row<S, MaxRank>;

  int cones{0};
  int lines{0};
  std::array<Row, static_cast<std::size_t>(3 * MaxCones + MaxLines)> row;
  std::array<Cone<S>, static_cast<std::size_t>(MaxCones)> cone;
  std::array<Line<S>, static_cast<std::size_t>(MaxLines)> line;
  std::array<S, static_cast<std::size_t>(MaxRank)> change;

  [[nodiscard]] int count() const noexcept { return 3 * cones + lines; }
  // The energy that the impulses bring, x . free + ½|s|² with s = Yᵀ x, beyond what working off depths brings. Velocity
  // products count with the motion, for the next step starts from the places to which they led.
  [[nodiscard]] S energy() const noexcept {
    S sum = S(0);
    for (const S s : change) sum += S(0.5) * s * s;
    for (int i = 0; i < count(); ++i)
      sum += row[static_cast<std::size_t>(i)].impulse * row[static_cast<std::size_t>(i)].free;
    return sum;
  }
  // Lets the change follow the impulses, s = Yᵀ x, and the velocities of lines follow the change.
  void follow_impulses() noexcept {
    change.fill(S(0));
    for (int i = 0; i < count(); ++i) {
      const Row& r = row[static_cast<std::size_t>(i)];
      for (int k = 0; k < r.support->count; ++k)
        change[static_cast<std::size_t>(r.support->place[static_cast<std::size_t>(k)])] += r.impulse * r.y[k];
    }
    for (int i = 0; i < lines; ++i) {
      Row& r = row_of_line(i);
      r.velocity = r.bias;
      for (int k = 0; k < r.support->count; ++k)
        r.velocity += r.y[k] * change[static_cast<std::size_t>(r.support->place[static_cast<std::size_t>(k)])];
    }
  }
  [[nodiscard]] Row* rows_of_cone(int i) noexcept { return &row[static_cast<std::size_t>(3 * i)]; }
  [[nodiscard]] const Row* rows_of_cone(int i) const noexcept { return &row[static_cast<std::size_t>(3 * i)]; }
  [[nodiscard]] Row& row_of_line(int i) noexcept { return row[static_cast<std::size_t>(3 * cones + i)]; }
  [[nodiscard]] const Row& row_of_line(int i) const noexcept { return row[static_cast<std::size_t>(3 * cones + i)]; }
};

}  // namespace kinecast
