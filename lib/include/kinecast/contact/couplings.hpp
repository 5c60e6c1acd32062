// SPDX-License-Identifier: MIT
// Couplings as constraints: a line of either sign keeps a joint where those that it follows want it (method 1.7,
// contact/coupling_row.hpp). Mimic joints, differential gears.
#pragma once

#include <kinecast/contact/constraint.hpp>
#include <kinecast/contact/coupling_row.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace kinecast {

template <const auto& R, class S>
struct Couplings : Constraint<R, S> {
  using Shape = kinecast::Shape<R>;
  static constexpr int kLines = Shape::kCouplings;
  struct Memory {};

  RowParameters<S> coupling_parameters{};
  int first_coupling_line{0};
  std::array<RowSupport<R>, static_cast<std::size_t>(kLines)> coupling_support;

  using Constraint<R, S>::set;
  void set(const RowParameters<S>& other) noexcept { coupling_parameters = other; }

  [[nodiscard]] Status find(const FreeStep<R, S>& /*step*/, const Memory& /*memory*/) noexcept { return Status::ok; }
  [[nodiscard]] static constexpr bool is_needed() noexcept { return true; }

  template <class AllRows>
  void add_rows(const FreeStep<R, S>& step, const Memory& /*memory*/, AllRows& rows) noexcept {
    first_coupling_line = rows.lines;
    const RowParameters<S>& p = coupling_parameters;
    const S k = p.compensation_per_s * step.in.dt < S(1) ? p.compensation_per_s : S(1) / step.in.dt;
    const S relaxation = std::max(p.relaxation, Tolerance<S>::kLeastRelaxation);
    for (int i = 0; i < kLines; ++i) {
      const CouplingConstants<S>& coupling = step.in.model.couplings[static_cast<std::size_t>(i)];
      FactorRow<R, S> dense = {};
      add_coupling_row(step.in.model, step.work, coupling, dense);
      RowSupport<R>& support = coupling_support[static_cast<std::size_t>(i)];
      support = {};
      detail::for_each_coupled_joint(coupling, [&](int body, S /*factor*/) { detail::add_path<R>(body, support); });
      auto& row = rows.row_of_line(rows.lines);
      detail::fill_row<R, S>(dense, support, row);
      const S away = k * coupling_distance<R, S>(coupling, step.in.q);
      row.free = coupling_velocity<R, S>(coupling, step.dq);
      row.bias = row.free + (std::abs(away) > p.push_out ? std::copysign(p.push_out, away) : away);
      row.soften(relaxation * row.mobility);
      row.impulse = S(0);
      rows.line[static_cast<std::size_t>(rows.lines++)] = Line<S>::bilateral();
    }
  }

  template <class AllRows, class Report, class Contacts>
  void report(S dt, const StepMotion<R, S>* /*motion*/, const AllRows& rows, Report& out,
              Contacts& /*contacts*/) const noexcept {
    for (int i = 0; i < kLines; ++i)
      out.coupling_Nm[static_cast<std::size_t>(i)] = rows.row_of_line(first_coupling_line + i).impulse / dt;
  }
};

}  // namespace kinecast
