// SPDX-License-Identifier: MIT
// Everything that survives from one step of a Predictor to the next, in one struct. Rollouts and integrators that can
// fail in the middle of a step copy it; snapshot() and restore() copy the part of it that later steps depend on; an
// absent feature is an empty type.
#pragma once

#include <kinecast/contact/joint_limits.hpp>
#include <kinecast/dynamics/driven_dynamics.hpp>
#include <kinecast/predict/integrate.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace kinecast::detail {

// The first degree of freedom that was faster than its speed limit at the end of the last step; -1: none was.
struct FastJoint {
  int joint{-1};
  template <const auto& R, class S>
  [[nodiscard]] Status look(const Model<R, S>& model, const Velocity<R, S>& dq, Status status) noexcept {
    joint = find_too_fast(model, dq);
    return joint >= 0 && !is_warning(status) ? Status::too_fast : status;
  }
};
struct NoFastJoint {
  static constexpr int joint = -1;
  template <const auto& R, class S>
  [[nodiscard]] static Status look(const Model<R, S>& /*model*/, const Velocity<R, S>& /*dq*/, Status status) noexcept {
    return status;
  }
};

template <const auto& R, class S, class DriveMemory, class ContactMemory, class Rigidity, class ContactReport,
          class EventReport>
struct Now {
  using Shape = kinecast::Shape<R>;

  State<R, S> state;
  DriveMemory drives{};
  Report<R, S> report{};
  ContactReport contact_report{};
  Rigidity rigidity{};
  ContactMemory contacts{};
  EventReport events{};
  std::conditional_t<(Shape::kHas.speed_limits > 0), FastJoint, NoFastJoint> fast{};

  // What later steps depend on, trivially copyable (Eigen's vectors are not).
  struct Snapshot {
    std::array<S, static_cast<std::size_t>(Shape::kPositions)> q;
    std::array<S, static_cast<std::size_t>(Shape::kDofs)> dq;
    DriveMemory memory;
    ContactMemory contacts;
    Rigidity rigidity;
  };

  [[nodiscard]] Snapshot snapshot() const noexcept {
    static_assert(std::is_trivially_copyable_v<Snapshot>);
    Snapshot copy{{}, {}, drives, contacts, rigidity};
    for (int i = 0; i < Shape::kPositions; ++i) copy.q[static_cast<std::size_t>(i)] = state.q[i];
    for (int i = 0; i < Shape::kDofs; ++i) copy.dq[static_cast<std::size_t>(i)] = state.dq[i];
    return copy;
  }
  void restore(const Snapshot& from) noexcept {
    for (int i = 0; i < Shape::kPositions; ++i) state.q[i] = from.q[static_cast<std::size_t>(i)];
    for (int i = 0; i < Shape::kDofs; ++i) state.dq[i] = from.dq[static_cast<std::size_t>(i)];
    drives = from.memory;
    contacts = from.contacts;
    rigidity = from.rigidity;
  }
};

}  // namespace kinecast::detail
