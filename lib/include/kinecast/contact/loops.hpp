// SPDX-License-Identifier: MIT
// Closed loops as constraints: three lines of either sign hold two points together. With d their distance vector, the
// target of their relative velocity at the end of the step is -k d, so that the points creep together and rounding does
// not take them apart. Of the velocity products one half counts, because the step moves the positions with its last
// velocity: this cancels their second-order error, and the points stay together to third order in dt.
#pragma once

#include <kinecast/contact/constraint.hpp>
#include <kinecast/contact/joint_limits.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace kinecast {

// Adds the three rows of a loop, the relative motion of its two points along the world's axes.
template <const auto& R, class S>
inline void add_loop_rows(const Model<R, S>& model, const Workspace<R, S>& work, const StepMotion<R, S>& motion,
                          const LoopConstants<S>& loop, FactorRow<R, S>* row) noexcept {
  const auto add_end = [&](const PointOnBody<S>& point, S sign) {
    if (point.body == kWorld) return;
    const Mat3<S>& to_world = motion.poses[static_cast<std::size_t>(point.body)].rotation;
    const Mat3<S> axes{sign * to_world.row_x, sign * to_world.row_y, sign * to_world.row_z};
    Factor{model, work}.rows(point.body, detail::forces_at(point.position, axes), row[0], row[1], row[2]);
  };
  add_end(loop.first, S(1));
  add_end(loop.second, S(-1));
}

template <const auto& R, class S>
struct Loops : Constraint<R, S> {
  using Shape = kinecast::Shape<R>;
  static constexpr int kLines = 3 * Shape::kLoops;
  struct Memory {};

  RowParameters<S> loop_parameters{};
  int first_loop_line{0};
  std::array<RowSupport<R>, static_cast<std::size_t>(Shape::kLoops)> loop_support;

  [[nodiscard]] static constexpr bool needs(int body) noexcept {
    const auto is_at = [&](const auto& end) { return end.link >= 0 && Shape::body_of_link(end.link) == body; };
    for (const auto& loop : R.loops)
      if (is_at(loop.first) || is_at(loop.second)) return true;
    return false;
  }
  using Constraint<R, S>::set;
  void set(const RowParameters<S>& other) noexcept { loop_parameters = other; }

  [[nodiscard]] Status find(const FreeStep<R, S>& /*step*/, const Memory& /*memory*/) noexcept { return Status::ok; }
  [[nodiscard]] static constexpr bool is_needed() noexcept { return true; }

  template <class AllRows>
  void add_rows(const FreeStep<R, S>& step, const Memory& /*memory*/, AllRows& rows) noexcept {
    first_loop_line = rows.lines;
    for (int l = 0; l < Shape::kLoops; ++l) add_loop(step, l, rows);
  }

  template <class AllRows, class Report, class Contacts>
  void report(S dt, const StepMotion<R, S>* /*motion*/, const AllRows& rows, Report& out,
              Contacts& /*contacts*/) const noexcept {
    const S inverse_dt = S(1) / dt;
    for (int l = 0; l < Shape::kLoops; ++l) {
      const auto impulse = [&](int axis) { return rows.row_of_line(first_loop_line + 3 * l + axis).impulse; };
      out.loop_N[static_cast<std::size_t>(l)] = inverse_dt * Vec3<S>{impulse(0), impulse(1), impulse(2)};
    }
  }

 private:
  // A point of a loop, in world axes: its position, its velocity at the end of the free step, and its drift.
  struct End {
    Vec3<S> position;
    Vec3<S> velocity;
    Vec3<S> drift;
  };
  [[nodiscard]] static End find_end(const FreeStep<R, S>& step, const PointOnBody<S>& point) noexcept {
    const S dt = step.in.dt;
    // The sweeps accelerate all bodies by minus gravity; the world must be accelerated alike.
    if (point.body == kWorld) return {point.position, {}, -(dt * step.in.model.gravity)};
    const std::size_t at = static_cast<std::size_t>(point.body);
    const Placement<S>& pose = step.motion->poses[at];
    const LinkMotion<S>& product = products_of(step.work, *step.motion)[at];
    const Motion<S>& free = step.motion->free[at];
    return {pose.position + pose.rotation * point.position,
            pose.rotation * (free.linear + cross(free.angular, point.position)),
            dt * (pose.rotation * (product.acceleration + detail::spin(product) * point.position))};
  }
  template <class AllRows>
  void add_loop(const FreeStep<R, S>& step, int l, AllRows& rows) noexcept {
    const LoopConstants<S>& loop = step.in.model.loops[static_cast<std::size_t>(l)];
    const S dt = step.in.dt;
    FactorRow<R, S> dense[3] = {};
    add_loop_rows(step.in.model, step.work, *step.motion, loop, dense);
    RowSupport<R>& support = loop_support[static_cast<std::size_t>(l)];
    support = {};
    detail::add_path<R>(loop.first.body, support);
    detail::add_path<R>(loop.second.body, support);

    const End a = find_end(step, loop.first);
    const End b = find_end(step, loop.second);
    const Vec3<S> apart = a.position - b.position;
    const Vec3<S> free = a.velocity - b.velocity;
    const S distance = std::sqrt(dot(apart, apart));
    const S k = loop_parameters.compensation_per_s * dt < S(1) ? loop_parameters.compensation_per_s : S(1) / dt;
    const S rate = k * distance > loop_parameters.push_out ? loop_parameters.push_out / distance : k;
    const Vec3<S> bias = free + S(0.5) * (a.drift - b.drift) + rate * apart;
    const S frees[3] = {free.x, free.y, free.z};
    const S biases[3] = {bias.x, bias.y, bias.z};
    S largest = S(0);
    const int first = rows.lines;
    rows.lines += 3;
    for (int i = 0; i < 3; ++i) {
      auto& row = rows.row_of_line(first + i);
      detail::fill_row<R, S>(dense[i], support, row);
      largest = row.mobility > largest ? row.mobility : largest;
    }
    const S relaxation = std::max(loop_parameters.relaxation, Tolerance<S>::kLeastRelaxation);
    for (int i = 0; i < 3; ++i) {
      auto& row = rows.row_of_line(first + i);
      row.free = frees[i];
      row.bias = biases[i];
      // All three rows have the same compliance, so that the result does not depend on the world's axes, and a row that
      // hardly moves does not get the largest impulse.
      row.soften(row.mobility > Tolerance<S>::kImmobile * largest ? relaxation * largest : S(0));
      row.impulse = S(0);
      rows.line[static_cast<std::size_t>(first + i)] = Line<S>::bilateral();
    }
  }
};

}  // namespace kinecast
