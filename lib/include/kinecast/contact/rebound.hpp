// SPDX-License-Identifier: MIT
// Restitution is no source of energy (method 16.6). A contact arrives at the surface in one step and rebounds in the
// next one; a stop does both in one step. What rebounds may return the energy that was taken on arrival and no more;
// where several contacts rebound at once they could otherwise return some of it twice.
#pragma once

#include <kinecast/solve/rows.hpp>

#include <cmath>

namespace kinecast {

// Lowers all rebounds of a solved step if its impulses bring more than `arrived`, the energy taken on arrival. True:
// they were lowered, and the rows are to be solved again.
template <class S, int Rank, int MaxCones, int MaxLines>
[[nodiscard]] inline bool bound_rebounds(Rows<S, Rank, MaxCones, MaxLines>& rows, S arrived) noexcept {
  bool any = false;
  for (int i = 0; i < rows.cones; ++i) any = any || rows.cone[static_cast<std::size_t>(i)].rebound > S(0);
  for (int i = 0; i < rows.lines; ++i) any = any || rows.line[static_cast<std::size_t>(i)].rebound > S(0);
  if (!any) return false;
  const S brought = rows.energy();
  if (!(brought > arrived)) return false;
  // The energy of a rebound is quadratic in its speed.
  const S keeps = arrived > S(0) ? std::sqrt(arrived / brought) : S(0);
  const auto lower = [&](auto& limits, auto& row) {
    row.bias += (S(1) - keeps) * limits.rebound;
    limits.rebound *= keeps;
  };
  for (int i = 0; i < rows.cones; ++i) lower(rows.cone[static_cast<std::size_t>(i)], rows.rows_of_cone(i)[0]);
  for (int i = 0; i < rows.lines; ++i) lower(rows.line[static_cast<std::size_t>(i)], rows.row_of_line(i));
  return true;
}

}  // namespace kinecast
