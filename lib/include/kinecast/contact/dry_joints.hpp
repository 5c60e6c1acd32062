// SPDX-License-Identifier: MIT
// Dry friction of joints beside other constraints (method 5.3, 16): a line per joint whose impulse lies between what
// friction can bring in one direction and in the other. A joint that sticks has exactly zero velocity. Where nothing
// else holds, the inward sweep finds the friction by itself (drive/articulated_friction.hpp); here the sweep leaves it
// open.
#pragma once

#include <kinecast/contact/constraint.hpp>
#include <kinecast/drive/open_joints.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/math/cholesky.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kinecast {

template <const auto& R, class S, class Friction>
struct DryJoints : Constraint<R, S> {
  using Shape = kinecast::Shape<R>;
  using DriveMemory = typename Friction::template Memory<R, S>;
  static constexpr int kLines = Shape::kHas.frictions;
  static constexpr bool kOpensJoints = true;
  struct Memory {
    std::array<S, static_cast<std::size_t>(Shape::kBodies)> held{};  // impulse of a joint that stuck, by body; else 0
    std::array<Regime, static_cast<std::size_t>(Shape::kBodies)> regimes{};  // by body
    S duration{};                                                            // of the last step
  };

  typename Friction::template Parameters<S> friction_parameters{};
  const DriveMemory* drives{nullptr};  // of the last step; set before a step is evaluated
  int joints{0};
  int first_joint_line{0};
  std::array<JointFriction<S>, static_cast<std::size_t>(kLines)> joint;
  std::array<bool, static_cast<std::size_t>(kLines)> joint_slides;

  void meet(const typename Friction::template Parameters<S>& of_friction, const DriveMemory& of_drives) noexcept {
    friction_parameters = of_friction;
    drives = &of_drives;
  }

  [[nodiscard]] Status find(const FreeStep<R, S>& step, const Memory& /*memory*/) noexcept {
    joints = 0;
    for (int b = 0; b < Shape::kBodies && joints < kLines; ++b) {
      if (!(step.work.hinges[static_cast<std::size_t>(b)].inverse_D > S(0))) continue;  // its acceleration is given
      if (find_joint_friction(friction_parameters, step.in, *drives, b, joint[static_cast<std::size_t>(joints)]))
        ++joints;
    }
    return Status::ok;
  }
  [[nodiscard]] static constexpr bool is_needed() noexcept { return false; }

  template <class AllRows>
  void add_rows(const FreeStep<R, S>& step, const Memory& memory, AllRows& rows) noexcept {
    first_joint_line = rows.lines;
    S fastest = S(0);
    for (int j = 0; j < joints; ++j)
      fastest = std::max(fastest, std::abs(step.dq[joint[static_cast<std::size_t>(j)].dof]));
    const S unfelt = Tolerance<S>::kUnfeltSpeed * fastest;
    for (int j = 0; j < joints; ++j) {
      const JointFriction<S>& f = joint[static_cast<std::size_t>(j)];
      const int at = rows.lines++;
      auto& row = rows.row_of_line(at);
      detail::fill_joint_row(step.in.model, step.work, f.body, S(1), row);
      row.free = step.dq[f.dof];
      row.bias = row.free + f.offset;
      // The velocities between which a joint sticks, compliance times friction, must be wider than their rounding.
      const S weakest = std::max(std::min(f.holds[0], f.holds[1]), Tolerance<S>::kSmallest);
      row.soften(std::max(f.relaxation * row.mobility, std::min(unfelt / weakest, row.mobility)));
      const S last = memory.held[static_cast<std::size_t>(f.body)];
      row.hold_on(memory.duration > S(0) ? last * step.in.dt / memory.duration : S(0));
      Line<S>& line = rows.line[static_cast<std::size_t>(at)];
      line = Line<S>::between(S(0), S(0));
      // A joint that friction cannot stop within the step slides on, with kinetic friction.
      const S stopping = -(row.free + f.offset);
      const bool slides = std::abs(stopping) > f.holds[stopping > S(0) ? 1 : 0] * (row.mobility + row.compliance) &&
                          std::abs(f.dq) > S(0);
      set_limits(step, j, slides, line);
      if (slides) line.regime = stopping > S(0) ? Regime::at_most : Regime::at_least;
      // What the free motion does says little where a contact holds the joint: the solver starts from the last bound.
      const Regime before = memory.regimes[static_cast<std::size_t>(f.body)];
      if (before == Regime::at_most || before == Regime::at_least) line.regime = before;
    }
  }

  // A joint that static friction did not hold has kinetic friction.
  template <class AllRows>
  [[nodiscard]] bool revise(const FreeStep<R, S>& step, const Velocity<R, S>& /*dq*/, AllRows& rows) noexcept {
    bool changed = false;
    for (int j = 0; j < joints; ++j) {
      Line<S>& line = rows.line[static_cast<std::size_t>(first_joint_line + j)];
      if (line.regime == Regime::holds || joint_slides[static_cast<std::size_t>(j)]) continue;
      const S least = line.least;
      const S most = line.most;
      set_limits(step, j, true, line);
      changed = changed || least < line.least || most > line.most || line.least < least || line.most > most;
    }
    return changed;
  }

  // A joint that sticks was solved with a compliance: friction takes the velocity that it was left with, too.
  template <class AllRows>
  void settle(AllRows& rows) noexcept {
    std::int16_t at[static_cast<std::size_t>(kLines)];  // the lines of joints that stick
    S lack[static_cast<std::size_t>(kLines)];
    int count = 0;
    S fastest = S(0);
    S largest = S(0);  // velocity that an impulse takes from its joint
    for (int j = 0; j < joints; ++j) {
      const int line = first_joint_line + j;
      if (rows.line[static_cast<std::size_t>(line)].regime != Regime::holds) continue;
      if (!joint[static_cast<std::size_t>(j)].stops) continue;
      const auto& row = rows.row_of_line(line);
      const S velocity = row.free + (row.velocity - row.bias);
      fastest = std::max(fastest, std::abs(velocity));
      largest = std::max(largest, std::abs(row.impulse) * row.mobility);
      at[count] = static_cast<std::int16_t>(line);
      lack[count++] = -velocity;
    }
    const bool is_settled = !(fastest > Tolerance<S>::kRestingJoint * largest);
    if (!is_settled) take_rest(at, count, lack, rows);
  }

  // Adds the friction to the drives' actions, and stops the joints that stick.
  template <class AllRows>
  void finish(const FreeStep<R, S>& step, const AllRows& rows, Velocity<R, S>& dq) const noexcept {
    for (int j = 0; j < joints; ++j) {
      const JointFriction<S>& f = joint[static_cast<std::size_t>(j)];
      const auto& row = rows.row_of_line(first_joint_line + j);
      const bool sticks = rows.line[static_cast<std::size_t>(first_joint_line + j)].regime == Regime::holds;
      if (f.stops && sticks) dq[f.dof] = S(0);
      JointAction<S>& action = step.work.actions[static_cast<std::size_t>(f.body)];
      action.torque += row.impulse / step.in.dt;
      // A joint that is overloaded but blocked by a contact moves by the contact's relaxation only: it stands.
      const S unblocked = std::abs(row.impulse) * row.mobility;
      action.sticks = sticks || !(std::abs(dq[f.dof]) > Tolerance<S>::kStandingJoint * unblocked);
    }
  }
  template <class AllRows>
  void keep(S dt, const AllRows& rows, Memory& memory) const noexcept {
    memory = {};
    memory.duration = dt;
    for (int j = 0; rows.lines > 0 && j < joints; ++j) {
      const std::size_t body = static_cast<std::size_t>(joint[static_cast<std::size_t>(j)].body);
      memory.regimes[body] = rows.line[static_cast<std::size_t>(first_joint_line + j)].regime;
      if (memory.regimes[body] == Regime::holds) memory.held[body] = rows.row_of_line(first_joint_line + j).impulse;
    }
  }

 private:
  template <class Row>
  [[nodiscard]] static std::size_t place_of(const Row& row, int k) noexcept {
    return static_cast<std::size_t>(row.support->place[static_cast<std::size_t>(k)]);
  }
  // Joints of one arm move each other: their mobilities are factored together.
  template <class AllRows>
  void take_rest(const std::int16_t* at, int count, S (&lack)[static_cast<std::size_t>(kLines)],
                 AllRows& rows) const noexcept {
    constexpr std::size_t kSize = static_cast<std::size_t>(kLines);
    S mobility[kSize][kSize];
    S inverse_diagonal[kSize];
    for (int i = 0; i < count; ++i) {
      S dense[static_cast<std::size_t>(Shape::kDofs)] = {};
      const auto& row = rows.row_of_line(at[i]);
      for (int k = 0; k < row.support->count; ++k) dense[place_of(row, k)] = row.y[k];
      for (int j = 0; j <= i; ++j) {
        const auto& other = rows.row_of_line(at[j]);
        S sum = S(0);
        for (int k = 0; k < other.support->count; ++k) sum += other.y[k] * dense[place_of(other, k)];
        mobility[i][j] = sum;
      }
    }
    const auto accept = [](S pivot, S diagonal) { return pivot > Tolerance<S>::kSingularInertia * diagonal; };
    if (!detail::factor_cholesky(mobility, mobility, count, inverse_diagonal, accept)) return;
    detail::solve_lower(mobility, count, inverse_diagonal, lack);
    detail::solve_upper(mobility, count, inverse_diagonal, lack);
    for (int i = 0; i < count; ++i) {
      auto& row = rows.row_of_line(at[i]);
      const Line<S>& line = rows.line[static_cast<std::size_t>(at[i])];
      const S missing = std::min(std::max(row.impulse + lack[i], line.least), line.most) - row.impulse;
      row.impulse += missing;
      for (int k = 0; k < row.support->count; ++k) rows.change[place_of(row, k)] += missing * row.y[k];
    }
  }

  void set_limits(const FreeStep<R, S>& step, int j, bool slides, Line<S>& line) noexcept {
    JointFriction<S>& f = joint[static_cast<std::size_t>(j)];
    if (slides) find_kinetic_friction(step.in.model, step.in.dt, f);
    const S(&most)[2] = slides ? f.slides : f.holds;
    const S viscous = slides ? f.viscous : S(0);
    line.least = viscous - most[0];
    line.most = viscous + most[1];
    joint_slides[static_cast<std::size_t>(j)] = slides;
  }
};

}  // namespace kinecast
