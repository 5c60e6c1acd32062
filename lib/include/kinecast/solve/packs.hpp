// SPDX-License-Identifier: MIT
// Packs: how the rows of many contacts of one body with one face are stored while friction holds them. Their rows are
// p . C: C are the six rows of unit moments and forces on the body along the face's axes, p follows from the place r of
// a contact in these axes,
//
//   y = l + a x r    a, l: the moments' and the forces' entries of C
//
// The first six rows of a pack have C; what holds it is, summed up in the 6 x 6 matrix P = sum of (stiffness p pᵀ), six
// rows with a compliance of 1 (solve/limbs.hpp), which stand in its next six: what they ask for in `velocity`, their
// impulses in `impulse`. A solver that needs the rows by
// themselves spreads the packs first.
//
// Cost: 20 operations per coordinate and pack, 120 per contact; the rows by themselves: 21 per coordinate and contact.
#pragma once

#include <kinecast/core/scalar.hpp>
#include <kinecast/solve/rows.hpp>

#include <cmath>
#include <cstddef>

namespace kinecast {

inline constexpr int kLeastPack = 4;  // cones: their rows have room for C and for the rows that stand for them

namespace detail {

// The place of a packed contact along the axes of its face: in the rows' `turn`, which the solver does not need yet.
template <class OneRow, class S>
[[gnu::always_inline]] inline void set_place(OneRow* row, S x, S y, S z) noexcept {
  row[0].turn = x, row[1].turn = y, row[2].turn = z;
}

// The cone behind the last one of the pack that begins with cone i.
template <class AllRows>
[[nodiscard]] inline int end_of_pack(const AllRows& rows, int i) noexcept {
  int end = i + 1;
  while (end < rows.cones && rows.cone[static_cast<std::size_t>(end)].storage == Storage::in_pack) ++end;
  return end;
}

// Finds the mobilities of a pack's rows, from |C|².
template <class OneRow>
inline void find_pack_mobilities(OneRow* row, int cones) noexcept {
  using S = std::decay_t<decltype(row->mobility)>;
  S w[21] = {};
  const int count = row->support->count;
  for (int k = 0; k < count; ++k) {
    S c[6];
#pragma GCC unroll 6
    for (int a = 0; a < 6; ++a) c[a] = row[a].y[k];
#pragma GCC unroll 6
    for (int a = 0; a < 6; ++a)
#pragma GCC unroll 6
      for (int b = 0; b <= a; ++b) w[a * (a + 1) / 2 + b] += c[a] * c[b];
  }
  const S aa = w[0], ba = w[1], bb = w[2], ca = w[3], cb = w[4], cc = w[5];
  const S xb = w[7], xc = w[8], xx = w[9], ya = w[10], yc = w[12], yy = w[14], za = w[15], zb = w[16], zz = w[20];
  for (int i = 0; i < cones; ++i, row += 3) {
    const S x = row[0].turn;
    const S y = row[1].turn;
    const S z = row[2].turn;
    row[0].mobility = xx + z * (z * bb + S(2) * (xb - y * cb)) + y * (y * cc - S(2) * xc);
    row[1].mobility = yy + x * (x * cc + S(2) * (yc - z * ca)) + z * (z * aa - S(2) * ya);
    row[2].mobility = zz + y * (y * aa + S(2) * (za - x * ba)) + x * (x * bb - S(2) * zb);
  }
}

// The rows of all packs by themselves.
template <class AllRows>
inline void spread_packs(AllRows& rows) noexcept {
  using S = typename AllRows::Scalar;
  for (int i = 0; i < rows.cones; ++i) {
    if (rows.cone[static_cast<std::size_t>(i)].storage != Storage::first_of_pack) continue;
    const int end = end_of_pack(rows, i);
    auto* const first = rows.rows_of_cone(i);
    const int entries = (first->support->count + 2) / 3 * 3;
    for (int k = 0; k < entries; ++k) {
      const S a = first[0].y[k], b = first[1].y[k], c = first[2].y[k];
      const S x = first[3].y[k], y = first[4].y[k], z = first[5].y[k];
      for (int j = i; j < end; ++j) {
        auto* const row = rows.rows_of_cone(j);
        row[0].y[k] = x + b * row[2].turn - c * row[1].turn;
        row[1].y[k] = y + c * row[0].turn - a * row[2].turn;
        row[2].y[k] = z + a * row[1].turn - b * row[0].turn;
      }
    }
    for (int j = i; j < end; ++j) rows.cone[static_cast<std::size_t>(j)].storage = Storage::spread;
  }
}

// The rows that stand for the cones of a pack that hold: their entries, and, in `velocity`, what they ask for. The
// factor of P has the forces first: about their middle, moments and forces are independent.
template <class AllRows>
inline void sum_up_pack(AllRows& rows, int first_cone, int end) noexcept {
  using S = typename AllRows::Scalar;
  S n{}, ny{}, nz{}, nyy{}, nyz{}, nzz{};
  S t{}, tx{}, ty{}, tz{}, txx{}, txy{}, txz{}, tyy{}, tzz{};
  S asks[6] = {};  // moments, forces
  for (int i = first_cone; i < end; ++i) {
    if (rows.cone[static_cast<std::size_t>(i)].regime != Regime::holds) continue;
    const auto* const row = rows.rows_of_cone(i);
    const S x = row[0].turn;
    const S y = row[1].turn;
    const S z = row[2].turn;
    const S wn = row[0].stiffness;
    const S wt = row[1].stiffness;
    const S wny = wn * y, wnz = wn * z, wtx = wt * x, wty = wt * y, wtz = wt * z;
    n += wn, ny += wny, nz += wnz, nyy += wny * y, nyz += wny * z, nzz += wnz * z;
    t += wt, tx += wtx, ty += wty, tz += wtz;
    txx += wtx * x, txy += wtx * y, txz += wtx * z, tyy += wty * y, tzz += wtz * z;
    const S fx = -wn * row[0].bias;
    const S fy = -wt * row[1].bias;
    const S fz = -wt * row[2].bias;
    asks[0] += y * fz - z * fy, asks[1] += z * fx - x * fz, asks[2] += x * fy - y * fx;
    asks[3] += fx, asks[4] += fy, asks[5] += fz;
  }
  // P = G Gᵀ: forces x, y, z, then moments a, b, c.
  const S gn = std::sqrt(n);
  const S gt = std::sqrt(t);
  const S in = S(1) / gn;
  const S it = S(1) / gt;
  const S xb = nz * in, xc = -ny * in;
  const S ya = -tz * it, yc = tx * it;
  const S za = ty * it, zb = -tx * it;
  // A direction in which the contacts bear no moment has none in the sum.
  const auto root = [](S pivot, S diagonal) {
    return pivot > Tolerance<S>::kImmobile * diagonal ? std::sqrt(pivot) : S(0);
  };
  const auto invert = [](S g) { return g > S(0) ? S(1) / g : S(0); };
  const S gaa = root(tyy + tzz - ya * ya - za * za, tyy + tzz);
  const S ia = invert(gaa);
  const S gba = (-txy - za * zb) * ia;
  const S gca = (-txz - ya * yc) * ia;
  const S gbb = root(nzz + txx - xb * xb - zb * zb - gba * gba, nzz + txx);
  const S ib = invert(gbb);
  const S gcb = (-nyz - xb * xc - gca * gba) * ib;
  const S gcc = root(nyy + txx - xc * xc - yc * yc - gca * gca - gcb * gcb, nyy + txx);

  const auto* const from = rows.rows_of_cone(first_cone);
  auto* const to = rows.rows_of_cone(first_cone + 2);
  const S ex = asks[3] * in;
  const S ey = asks[4] * it;
  const S ez = asks[5] * it;
  const S ea = (asks[0] - ya * ey - za * ez) * ia;
  const S eb = (asks[1] - xb * ex - zb * ez - gba * ea) * ib;
  const S ec = (asks[2] - xc * ex - yc * ey - gca * ea - gcb * eb) * invert(gcc);
  to[0].velocity = ex, to[1].velocity = ey, to[2].velocity = ez;
  to[3].velocity = ea, to[4].velocity = eb, to[5].velocity = ec;
  const int entries = (from->support->count + 2) / 3 * 3;
  for (int k = 0; k < entries; ++k) {
    const S a = from[0].y[k], b = from[1].y[k], c = from[2].y[k];
    to[0].y[k] = gn * from[3].y[k] + xb * b + xc * c;
    to[1].y[k] = gt * from[4].y[k] + ya * a + yc * c;
    to[2].y[k] = gt * from[5].y[k] + za * a + zb * b;
    to[3].y[k] = gaa * a + gba * b + gca * c;
    to[4].y[k] = gbb * b + gcb * c;
    to[5].y[k] = gcc * c;
  }
}

// The velocities of a pack's rows by the change of the coordinates, and the impulses of those that hold.
template <class AllRows>
inline void find_pack_velocities(AllRows& rows, int first_cone, int end) noexcept {
  using S = typename AllRows::Scalar;
  const auto* const from = rows.rows_of_cone(first_cone);
  const auto& support = *from->support;
  S v[6] = {};
  for (int k = 0; k < support.count; ++k) {
    const S s = rows.change[static_cast<std::size_t>(support.place[static_cast<std::size_t>(k)])];
#pragma GCC unroll 6
    for (int i = 0; i < 6; ++i) v[i] += from[i].y[k] * s;
  }
  for (int i = first_cone; i < end; ++i) {
    auto* const row = rows.rows_of_cone(i);
    const S x = row[0].turn;
    const S y = row[1].turn;
    const S z = row[2].turn;
    row[0].velocity = row[0].bias + v[3] + v[1] * z - v[2] * y;
    row[1].velocity = row[1].bias + v[4] + v[2] * x - v[0] * z;
    row[2].velocity = row[2].bias + v[5] + v[0] * y - v[1] * x;
    const bool holds = rows.cone[static_cast<std::size_t>(i)].regime == Regime::holds;
    row[0].impulse = holds ? -row[0].velocity * row[0].stiffness : S(0);
    row[1].impulse = holds ? -row[1].velocity * row[1].stiffness : S(0);
    row[2].impulse = holds ? -row[2].velocity * row[1].stiffness : S(0);
  }
}

}  // namespace detail
}  // namespace kinecast
